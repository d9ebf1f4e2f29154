"""``note``: words in the record; an objection points at an entry."""

import click

from hiddenagenda.moves import note
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit
from hiddenagenda_cli.signing import client, key_options, say


@frame.command(
    "note",
    help="Write a note into the record, such as an objection to somebody's turning up.",
    example='hiddenagenda note friday.jsonl "good luck"',
)
@click.argument("file", shell_complete=files)
@click.argument("text", type=frame.TEXT)
@click.option("--about", metavar="ENTRY", help="The entry it is about: its id, or the first digits of it.")
@key_options
def command(file: str, text: str, about: str | None, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table."""
    seated = client(file, key, passphrase_fd)
    return say(seated, note(seated.transcript, text, about=about))
