"""``verify``: openings against commitments."""

import click

from hiddenagenda import bare
from hiddenagenda.bare import Expected, Judged
from hiddenagenda.cards.remarks import Remark
from hiddenagenda.faults import HiddenAgendaError, Malformed, Sentence, sentence
from hiddenagenda.naming import say_remark
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import FAULTS, NEWEST, Edition, rule_of
from hiddenagenda_cli import frame
from hiddenagenda_cli.ask import paste
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.files import gather
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import EXITS, Exit, voice, worst

_HEADLINES = {
    Outcome.KEPT: sentence("kept: the opening is the one committed to"),
    Outcome.PENDING: sentence("pending: still face down"),
    Outcome.BROKEN: sentence("broken:"),
    Outcome.UNDECIDABLE: sentence("nothing to judge:"),
}


@frame.command(
    "verify",
    help=(
        "Check openings against commitments.\n\nGive tokens, digests, files that hold them, or - for a copied chat on"
        " standard input. The exit code says how it stands: 0 kept, 1 damaged or nothing to judge, 3 broken, 5 pending."
    ),
    example=("hiddenagenda verify hac1n6hcr6v5jtr6hgijwjkkt3whtnnkkm6bmrm27cgfyzwx5rlgi2vyj64wl"),
)
@click.argument("given", nargs=-1, shell_complete=files)
@click.option("--player", type=frame.TEXT, help="Whose slip it must be.")
@click.option("--game", type=frame.TEXT, help="Of which game it must be.")
@click.option("--slot", type=frame.Number(1, 16), help="In which slot it must lie.")
@click.option("--strict-names", is_flag=True, help="A name that is not in the list of card names is a breach.")
@click.option(
    "--edition",
    type=frame.OneOf([one.value for one in Edition]),
    default=NEWEST.value,
    help="Edition for rule numbers.",
)
def command(
    given: tuple[str, ...],
    player: str | None,
    game: str | None,
    slot: int | None,
    strict_names: bool,
    edition: str,
) -> Exit:
    """Judge, tell, and return the exit code."""
    inputs = gather(given or [paste(sentence("Paste commitments and openings; an empty line ends them."))])
    judged = bare.judge(
        inputs.commitments,
        inputs.openings,
        expected=Expected(player=player, game=game, slot=slot),
        catalogue=catalogue() if inputs.openings else None,
        damaged=len(inputs.damaged),
    )
    for error in inputs.damaged:
        _tell_damage(error)
    if not judged and not inputs.damaged:
        raise Malformed(sentence("there is nothing here to verify"), code="no-input")
    codes = [Exit.INPUT] * len(inputs.damaged)
    for one in judged:
        strict = strict_names and any(remark is not Remark.LISTED for remark in one.names)
        code = Exit.BROKEN if strict else EXITS[one.outcome]
        codes.append(code)
        if voice.as_json:
            voice.json(_as_json(one, Edition(edition)) | {"exit": int(code)})
        else:
            _tell(one, Edition(edition))
            if strict:
                voice.told(sentence("  broken under --strict-names"))
    return worst(codes)


def _tell_damage(error: HiddenAgendaError) -> None:
    if voice.as_json:
        said = voice.tell(error.said)
        voice.json({"outcome": "damaged", "code": error.code, "said": said, "exit": int(Exit.INPUT)})
    voice.fail(error)


def _tell(one: Judged, edition: Edition) -> None:
    voice.result(one.commitment.token)
    voice.told(sentence("  {what}", what=_HEADLINES[one.outcome]))
    for breach in one.breaches:
        rule = rule_of(breach.code)
        voice.told(sentence("  - {what}", what=breach.said))
        voice.told(sentence("    {code}: {why}", code=breach.code.value, why=FAULTS[breach.code].why))
        voice.told(sentence("    {rule}: {says}", rule=rule.cite(edition), says=rule.says))
    if one.slip:
        slip = one.slip
        for line in (
            sentence("conspiracy: {conspiracy}", conspiracy=slip.conspiracy),
            *(sentence("named: {name}", name=name) for name in slip.names),
            sentence("player: {player}", player=slip.player),
            sentence("game: {game}", game=slip.game),
            sentence("slot: {slot}", slot=slip.slot),
        ):
            voice.told(sentence("  {what}", what=line))
    for remark in _remarks(one):
        voice.told(sentence("  remark: {what}", what=remark))


def _remarks(one: Judged) -> list[Sentence]:
    names = one.slip.names if one.slip else ()
    said = [say_remark(remark, name) for remark, name in zip(one.names, names, strict=False)]
    return [sentence for sentence in said if sentence] + list(one.remarks)


def _as_json(one: Judged, edition: Edition) -> dict[str, object]:
    slip = one.slip
    return {
        "outcome": one.outcome.value,
        "commitment": one.commitment.hex,
        "token": one.commitment.token,
        "given": one.given,
        "slip": slip
        and {
            "conspiracy": slip.conspiracy,
            "names": list(slip.names),
            "player": slip.player,
            "game": slip.game,
            "slot": slip.slot,
        },
        "findings": [
            {
                "code": breach.code.value,
                "rule": rule_of(breach.code).number(edition),
                "edition": edition.value,
                "said": voice.tell(breach.said),
            }
            for breach in one.breaches
        ],
        "names": [remark.value for remark in one.names],
        "remarks": [voice.tell(remark) for remark in _remarks(one)],
    }
