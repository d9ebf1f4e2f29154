"""``slips``: my slips that are still face down; one of them read by its owner alone."""

import click

from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.store import Kept, SlipStore
from hiddenagenda.faults import sentence
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import commitments
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.own import describe, wanted
from hiddenagenda_cli.usage import Usage


@frame.command(
    "slips",
    help=(
        "List my slips that are still face down, without what they name.\n\n--show reads one aloud: look who stands"
        " behind you first."
    ),
    example="hiddenagenda slips",
)
@click.argument("commitment", required=False, shell_complete=commitments)
@click.option("--show", is_flag=True, help="Show what a slip names: the one given, the only one, or one you choose.")
@click.option("--all", "everything", is_flag=True, help="List the slips that were shown, too.")
def command(commitment: str | None, show: bool, everything: bool) -> Exit:
    """List, or show one."""
    store = SlipStore(data_directory())
    if show:
        _show(store, commitment)
        return Exit.KEPT
    if commitment is not None:
        raise Usage("a commitment goes with --show")
    listing = store.listing()
    for kept in listing.slips if everything else listing.face_down:
        if voice.as_json:
            voice.json(_as_json(kept))
        else:
            voice.told(describe(kept))
    for other in listing.unreadable:
        voice.warn(sentence("{name}: {what}", name=other.name, what=other.said))
    return Exit.INPUT if listing.unreadable else Exit.KEPT


def _show(store: SlipStore, commitment: str | None) -> None:
    for found in wanted(store, [commitment] if commitment else []):
        slip = store.find(found)
        if voice.as_json:
            kept = Kept(commitment=found, slip=slip, opened=store.is_opened(found))
            voice.json(_as_json(kept) | {"conspiracy": slip.conspiracy, "names": list(slip.names)})
            continue
        voice.told(sentence("{conspiracy}:", conspiracy=slip.conspiracy))
        for name in slip.names:
            voice.told(sentence("  {name}", name=name))


def _as_json(kept: Kept) -> dict[str, object]:
    return {
        "commitment": kept.commitment.hex,
        "token": kept.commitment.token,
        "player": kept.slip.player,
        "game": kept.slip.game,
        "slot": kept.slip.slot,
        "opened": kept.opened,
    }
