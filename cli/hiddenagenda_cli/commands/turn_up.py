"""``turn-up``: the special action that turns a conspiracy up."""

import click

from hiddenagenda.moves import turn_up
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit
from hiddenagenda_cli.signing import client, key_options, say


@frame.command(
    "turn-up",
    help=(
        "Turn a conspiracy up: show its slip to everybody, any time you have priority.\n\nIt does not use the stack and"
        " cannot be answered. Prints what the others need."
    ),
    example='hiddenagenda turn-up friday.jsonl 1 --when "turn 3, upkeep"',
)
@click.argument("file", shell_complete=files)
@click.argument("slot", type=frame.SLOT)
@click.option("--when", type=frame.TEXT, default="", help="When in the game it is done, in words.")
@key_options
def command(file: str, slot: int, when: str, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table."""
    seated = client(file, key, passphrase_fd)
    return say(seated, turn_up(seated.player, seated.slips, slot, when=when))
