"""``reveal``: show what is due now."""

import click

from hiddenagenda.faults import sentence
from hiddenagenda.moves import reveal
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.signing import client, key_options, say


@frame.command(
    "reveal",
    help=(
        "Show what is due now: at the end of the game, everything of yours that is face down.\n\nWhere only your own"
        " “end” makes the game over, say --waited to show your slips before the others have signed anything."
    ),
    example="hiddenagenda reveal friday.jsonl",
)
@click.argument("file", shell_complete=files)
@click.option("--waited", is_flag=True, help="Show although the game is over only because you ended it.")
@key_options
def command(file: str, waited: bool, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table, if there is something to show."""
    seated = client(file, key, passphrase_fd)
    body = reveal(seated.player, seated.slips, waited=waited)
    if body is None:
        voice.say(sentence("nothing of yours is face down: there is nothing to show"))
        return Exit.KEPT
    return say(seated, body)
