"""``table``: a table is set up from the seats of all players."""

from collections.abc import Sequence

import click
from msgspec import UNSET

from hiddenagenda.cards.folding import clean
from hiddenagenda.edge.client import set_table
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.memory import Memory
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.player import check_table, new_seat
from hiddenagenda.rulebook import NEWEST, Edition
from hiddenagenda.seat import Seat, read_seat
from hiddenagenda.table import AgendaCard, NamesList, Table
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.files import gather
from hiddenagenda_cli.labels import player_name
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.people import agree, introduce, remember
from hiddenagenda_cli.signing import identity, key_options, print_bundle
from hiddenagenda_cli.usage import Usage

_KINDS = ("hidden", "double")


@frame.family("table", help="Set a table up from seats.")
def command() -> None:
    """Hold the one command about tables."""


@frame.subcommand(
    command,
    "new",
    short_help="set a table up from seats",
    help=(
        "Set a table up from the seats of all players, in turn order, and write it into a new file.\n\nYour own seat is"
        " put first where it is not given. What is printed goes to all players; each takes it in with “receive”."
    ),
    example="hiddenagenda table new friday.jsonl has1… --label friday",
)
@click.argument("file", shell_complete=files)
@click.argument("seats", nargs=-1, required=True, metavar="SEAT...")
@click.option("--name", type=frame.TEXT, help="What you are called, where your seat is not given.")
@click.option("--label", type=frame.TEXT, default="", help="A word for the game; it is in the record.")
@click.option(
    "--priority",
    type=frame.OneOf(["declared", "tracked"]),
    default="declared",
    help="Whether players say when they turn up, or every step and pass is recorded.",
)
@click.option(
    "--edition",
    type=frame.OneOf([edition.value for edition in Edition]),
    default=NEWEST.value,
    help="Edition of the rules.",
)
@click.option(
    "--conspiracy",
    "further",
    multiple=True,
    type=frame.TEXT,
    metavar="NAME=hidden|double",
    help="A further conspiracy with an agenda, such as one of a cube.",
)
@key_options
def new(
    file: str,
    seats: tuple[str, ...],
    name: str | None,
    label: str,
    priority: str,
    edition: str,
    further: tuple[str, ...],
    key: str | None,
    passphrase_fd: int | None,
) -> Exit:
    """Show who sits there, sign, store, write and print it."""
    home = data_directory()
    given = _seats(seats)
    cards = [_further(one) for one in further]
    own = identity(key, passphrase_fd)
    if own.public.hex not in {seat.key for seat in given}:
        seat = new_seat(own.public, player_name(home, name))
        Memory(home).remember_seat(seat)
        given = [seat, *given]
    header = catalogue().header
    table = Table(
        conspiracies=tuple(cards) or UNSET,
        edition=edition,
        label=clean(label).text,
        names=NamesList(date=header.date, digest=header.digest),
        players=tuple(given),
        priority="tracked" if priority == "tracked" else "declared",
    )
    check_table(table)
    meetings = introduce(table, {own.public.hex})
    agree(meetings)
    said = set_table(home, file, own, table)
    remember(meetings)
    print_bundle(said.line.data + b"\n")
    voice.say(
        sentence(
            "{count} players; send this to all of them: each says hiddenagenda receive FILE, then commit --table FILE",
            count=len(given),
        )
    )
    return Exit.KEPT


def _seats(arguments: Sequence[str]) -> list[Seat]:
    given = gather(arguments)
    for error in given.damaged:
        raise error
    if not given.seats:
        raise Malformed(sentence("there is no seat in what was given: seats begin with has1"), code="no-input")
    return [read_seat(data) for data in dict.fromkeys(given.seats)]


def _further(text: str) -> AgendaCard:
    name, equals, kind = text.rpartition("=")
    if not equals or kind not in _KINDS:
        raise Usage("--conspiracy wants NAME=hidden or NAME=double, not “{text}”", text=text)
    return AgendaCard(agenda="double" if kind == "double" else "hidden", name=clean(name).text)
