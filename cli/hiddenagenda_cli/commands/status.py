"""``status``: where the game stands, and what I owe or may do next."""

from contextlib import suppress

import click

from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.watching import view
from hiddenagenda.faults import IllegalMove
from hiddenagenda.verifier import conclude
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.games import print_status
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import Exit
from hiddenagenda_cli.signing import keystore


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
    seen = view(data_directory(), file, _keys(key))
    return print_status(seen, conclude(seen.hearing, names=catalogue()), path=file)


def _keys(key: str | None) -> list[str]:
    if key is not None:
        return [keystore().choose(key).public.hex]
    with suppress(IllegalMove, StoreError):  # there is none, none is marked, or it cannot be read: then one looks on
        return [keystore().choose(None).public.hex]
    return []
