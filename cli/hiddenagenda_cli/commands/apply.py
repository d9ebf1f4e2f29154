"""``apply``: the linked ability is used on a card of the chosen name."""

import click

from hiddenagenda.moves import apply
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import card_names, files
from hiddenagenda_cli.names import catalogue, languages
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.signing import client, key_options, say


@frame.command(
    "apply",
    help=(
        "Record that the ability of a conspiracy that is turned up is used on a card of the chosen name.\n\nThe name is"
        " resolved as for “commit”: in any language that the list of names has, without regard to case and accents."
    ),
    example='hiddenagenda apply friday.jsonl 1 "Grizzly Bears"',
)
@click.argument("file", shell_complete=files)
@click.argument("slot", type=frame.SLOT)
@click.argument("card", type=frame.TEXT, shell_complete=card_names)
@key_options
def command(file: str, slot: int, card: str, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table."""
    seated = client(file, key, passphrase_fd)
    body, notices = apply(seated.player, slot, card, names=catalogue(), languages=languages())
    voice.note(notices)
    return say(seated, body)
