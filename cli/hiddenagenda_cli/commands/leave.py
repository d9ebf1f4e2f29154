"""``leave``: leave the game and show all that is still face down."""

import click

from hiddenagenda.moves import leave
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit
from hiddenagenda_cli.signing import client, key_options, say


@frame.command(
    "leave",
    help=(
        "Leave the game (you lost, conceded, or must go) and show all that is still face down.\n\nIt is also the way to"
        " stand clean, alone, at any time: nobody needs to agree."
    ),
    example="hiddenagenda leave friday.jsonl --why conceded",
)
@click.argument("file", shell_complete=files)
@click.option("--why", type=frame.TEXT, default="", help="Why, in words: conceded, lost, ...")
@key_options
def command(file: str, why: str, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table."""
    seated = client(file, key, passphrase_fd)
    return say(seated, leave(seated.player, seated.slips, why=why))
