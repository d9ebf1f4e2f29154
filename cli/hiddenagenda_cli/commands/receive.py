"""``receive``: what others sent is taken into a game file."""

import click

from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.exchange import Received, adopt, receive
from hiddenagenda.faults import counted, sentence
from hiddenagenda_cli import frame
from hiddenagenda_cli.ask import paste
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.exchanged import (
    Records,
    gaps_json,
    records,
    taken_json,
    tell_faults,
    tell_taken,
    tell_unreadable,
    unreadable_json,
)
from hiddenagenda_cli.files import gather
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.people import introduce
from hiddenagenda_cli.signing import tell_torn
from hiddenagenda_cli.usage import Usage

_PASTE = sentence("Paste what the others sent, then press Ctrl-D (on Windows Ctrl-Z and Enter).")


@frame.command(
    "receive",
    help=(
        "Take what the others sent into a game file, which is made where it is missing.\n\nGive tokens, files, or - for"
        " a copied chat on standard input; parts may come in any order. Nothing that is in the file is changed or lost."
    ),
    example="hiddenagenda receive friday.jsonl hae1…",
)
@click.argument("file", shell_complete=files)
@click.argument("given", nargs=-1, shell_complete=files, metavar="[TOKEN|FILE|-]...")
@click.option("--adopt", "adopting", is_flag=True, help="Take over entries that your key signed on another device.")
def command(file: str, given: tuple[str, ...], adopting: bool) -> Exit:
    """Take in what there is, and tell it."""
    home = data_directory()
    found = records(gather(given or [paste(_PASTE)]))
    tell_faults(found)
    if not found.data and (found.damaged or found.missing):
        return Exit.INPUT
    if not found.data and not adopting:
        raise Usage("there is no bundle of entries and no game in what was given")
    received = receive(home, file, found.data)
    if voice.as_json:
        voice.json(_as_json(received, found))
    else:
        _tell(received)
    _tell_own(file, received, adopting=adopting)
    if adopting:
        _adopt(home, file)
    if received.is_new:
        introduce(received.taken.transcript.table, received.own)
    if received.is_new and received.obstacle:
        voice.say(sentence("you cannot play here: {why}", why=received.obstacle.said))
    return Exit.INPUT if found.damaged or found.missing or received.unreadable else Exit.KEPT


def _tell(received: Received) -> None:
    tell_taken(received.taken)
    tell_unreadable(received.unreadable)
    if received.strangers:
        voice.told(
            counted("left out: {n} line of another game", "left out: {n} lines of other games", n=received.strangers)
        )
    if not received.taken.new:
        voice.told(sentence("nothing new"))
    tell_torn(received.torn)


def _tell_own(file: str, received: Received, *, adopting: bool) -> None:
    """Say what it means that own entries were signed elsewhere."""
    if not received.unknown:
        return
    voice.warn(
        counted(
            "your key signed {n} entry of this game that this device does not know",
            "your key signed {n} entries of this game that this device does not know",
            n=len(received.unknown),
        )
    )
    voice.say(
        sentence(
            "  another device or a restored backup was at work. Two devices that sign in one game fork it, and that is"
            " a breach by you for everybody: sign on one of them only"
        )
    )
    if not adopting:
        voice.say(
            sentence(
                "  nothing is signed here until you take these entries over: receive all that the others have, then:"
                " hiddenagenda receive {file} --adopt",
                file=file,
            )
        )


def _adopt(home: str, file: str) -> None:
    adopted = adopt(home, file)
    for line in adopted:
        voice.say(sentence("taken over: entry {seq}, {type}", seq=line.entry.seq, type=line.entry.type))
    if not adopted:
        voice.say(sentence("there is nothing to take over: this device knows all that your key signed"))


def _as_json(received: Received, found: Records) -> dict[str, object]:
    return taken_json(received.taken) | {
        "created": received.is_new,
        "unreadable": unreadable_json(received.unreadable),
        "strangers": received.strangers,
        "unknown-own": [line.id for line in received.unknown],
        "damaged": [voice.tell(error.said) for error in found.damaged],
        "missing-parts": gaps_json(found.missing),
    }
