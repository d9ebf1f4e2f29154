"""Openings that were judged without a table, as they are printed."""

from hiddenagenda.bare import Judged
from hiddenagenda.cards.remarks import Remark
from hiddenagenda.faults import HiddenAgendaError, Sentence, sentence
from hiddenagenda.naming import say_remark
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import FAULTS, Edition, rule_of
from hiddenagenda_cli.names import tongue
from hiddenagenda_cli.output import EXITS, Exit, voice

_HEADLINES = {
    Outcome.KEPT: sentence("kept: the opening is the one committed to"),
    Outcome.PENDING: sentence("pending: still face down"),
    Outcome.BROKEN: sentence("broken:"),
    Outcome.UNDECIDABLE: sentence("nothing to judge:"),
}


def print_judged(one: Judged, *, edition: Edition, strict_names: bool) -> Exit:
    """Print what an opening proves and return its exit code; names break it only by request."""
    strict = strict_names and any(remark is not Remark.LISTED for remark in one.names)
    code = Exit.BROKEN if strict else EXITS[one.outcome]
    if voice.as_json:
        voice.json(_as_json(one, edition) | {"exit": int(code)})
        return code
    _tell(one, edition)
    if strict:
        voice.told(sentence("  broken under --strict-names"))
    return code


def print_damage(error: HiddenAgendaError) -> Exit:
    """Say what is wrong with a token or file that could not be read, and return its exit code."""
    if voice.as_json:
        said = voice.tell(error.said)
        voice.json({"outcome": "damaged", "code": error.code, "said": said, "exit": int(Exit.INPUT)})
    voice.fail(error)
    return Exit.INPUT


def _tell(one: Judged, edition: Edition) -> None:
    voice.result(one.commitment.token)
    voice.told(sentence("  {what}", what=_HEADLINES[one.outcome]))
    for breach in one.breaches:
        rule = rule_of(breach.code)
        voice.told(sentence("  - {what}", what=breach.said))
        voice.told(sentence("    {code}: {why}", code=breach.code.value, why=FAULTS[breach.code].why))
        voice.told(sentence("    {rule}: {says}", rule=rule.cite(edition), says=rule.says))
    if one.slip:
        slip, card = one.slip, tongue().card
        for line in (
            sentence("conspiracy: {conspiracy}", conspiracy=card(slip.conspiracy)),
            *(sentence("named: {name}", name=card(name)) for name in slip.names),
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
    return [*filter(None, said), *one.remarks]


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
