"""``status``: where the game stands, and what I owe or may do next."""

from contextlib import suppress

import click

from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.watching import view
from hiddenagenda.faults import IllegalMove
from hiddenagenda.verifier import conclude
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.games import print_status
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import Exit
from hiddenagenda_cli.signing import key_at, keystore


@frame.command(
    "status",
    help=(
        "Say where the game stands, as far as the lines here go, and what you owe or may do next.\n\nNo passphrase is"
        " needed, and nothing is signed. The exit code is that of “verify”."
    ),
    example="hiddenagenda status friday.jsonl",
)
@click.argument("file", shell_complete=files)
@click.option("--key", metavar="NAME|FILE", help="The key that plays; else the one whose seat is at this table.")
def command(file: str, key: str | None) -> Exit:
    """Tell the verdict on what is here, then the moves that are open."""
    given = None if key is None else keystore().choose(key).public.hex
    seen = view(data_directory(), file, key=given, usual=_usual(file))
    return print_status(seen, conclude(seen.hearing, names=catalogue()), path=file)


def _usual(file: str) -> str | None:
    with suppress(IllegalMove):  # there is no key, or none is marked: then one looks on
        return key_at(file, None).public.hex
    return None
