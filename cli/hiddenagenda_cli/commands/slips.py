"""``slips``: my slips that are still face down; one of them read by its owner alone."""

import click

from hiddenagenda.commitment import Commitment
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.store import SlipStore
from hiddenagenda.faults import sentence
from hiddenagenda.slip import Slip
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import commitments
from hiddenagenda_cli.files import gather
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.own import describe, wanted
from hiddenagenda_cli.usage import Usage


@frame.command(
    "slips",
    help=(
        "List my slips that are still face down, without what they name.\n\n--show reads one aloud, or with the file of"
        " a game all of mine in that game: look who stands behind you first."
    ),
    example="hiddenagenda slips",
)
@click.argument("commitment", required=False, shell_complete=commitments)
@click.option("--show", is_flag=True, help="Show what a slip names: the one given, the only one, or one you choose.")
@click.option("--all", "everything", is_flag=True, help="List the slips that were shown, too.")
def command(commitment: str | None, show: bool, everything: bool) -> Exit:
    """List, or show one."""
    home = data_directory()
    store = SlipStore(home)
    if show and commitment is not None and gather([commitment]).records:
        from hiddenagenda.edge.client import slips_at  # noqa: PLC0415 - it knows all of records

        slips = slips_at(home, commitment)
        for slip in slips:
            _print(Commitment.of(slip.turn_face_up()), slip, opened=None)
        if not slips:
            voice.say(sentence("you have no slip in this game"))
        return Exit.KEPT
    if show:
        for found in wanted(store, [commitment] if commitment else []):
            _print(found, store.find(found), opened=store.is_opened(found))
        return Exit.KEPT
    if commitment is not None:
        raise Usage("a commitment goes with --show")
    listing = store.listing()
    for kept in listing.slips if everything else listing.face_down:
        if voice.as_json:
            voice.json(_as_json(kept.commitment, kept.slip) | {"opened": kept.opened})
        else:
            voice.told(describe(kept))
    for other in listing.unreadable:
        voice.warn(sentence("{name}: {what}", name=other.name, what=other.said))
    return Exit.INPUT if listing.unreadable else Exit.KEPT


def _print(commitment: Commitment, slip: Slip, *, opened: bool | None) -> None:
    if voice.as_json:
        whether = {} if opened is None else {"opened": opened}
        voice.json(_as_json(commitment, slip) | whether | {"conspiracy": slip.conspiracy, "names": list(slip.names)})
        return
    voice.told(sentence("{conspiracy}:", conspiracy=slip.conspiracy))
    for name in slip.names:
        voice.told(sentence("  {name}", name=name))


def _as_json(commitment: Commitment, slip: Slip) -> dict[str, object]:
    return {
        "commitment": commitment.hex,
        "token": commitment.token,
        "player": slip.player,
        "game": slip.game,
        "slot": slip.slot,
    }
