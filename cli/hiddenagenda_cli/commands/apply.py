"""``apply``: the linked ability is used on a card of the chosen name."""

import click

from hiddenagenda.entry import Apply
from hiddenagenda.naming import choose_name
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import card_names, files
from hiddenagenda_cli.names import catalogue, languages
from hiddenagenda_cli.output import Exit
from hiddenagenda_cli.signing import client, key_options, say


@frame.command(
    "apply",
    help="Record that the ability of a conspiracy that is turned up is used on a card of the chosen name.",
    example='hiddenagenda apply friday.jsonl 1 "Grizzly Bears"',
)
@click.argument("file", shell_complete=files)
@click.argument("slot", type=frame.Number(1, 16))
@click.argument("card", type=frame.TEXT, shell_complete=card_names)
@key_options
def command(file: str, slot: int, card: str, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table."""
    seated = client(file, key, passphrase_fd)
    name, _, _ = choose_name(catalogue(), card, languages=languages(), unlisted=True)
    return say(seated, Apply(slot=slot, card=name))
