"""``end``: the game is over for all."""

import click

from hiddenagenda.entry import End
from hiddenagenda.faults import sentence
from hiddenagenda.moves import reveal
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.signing import client, key_options, send, told


@frame.command(
    "end",
    help=(
        "Say that the game is over and you play no more, as after a draw.\n\nWhere all the others have ended or left,"
        " your face-down slips are shown with it. Else it shows nothing: when the others have ended, too, say “reveal”."
        " To concede is “leave”."
    ),
    example='hiddenagenda end friday.jsonl --outcome "draw"',
)
@click.argument("file", shell_complete=files)
@click.option(
    "--outcome", type=frame.TEXT, default="", help="How the game ended, in words; nobody vouches for it but you."
)
@key_options
def command(file: str, outcome: str, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table; show what is due if the others are through."""
    seated = client(file, key, passphrase_fd)
    told(seated.say(End(outcome=outcome)))
    if not seated.player.would_be_over_anyway():
        send(seated)
        voice.say(
            sentence("when the others have ended, too, show what is due with: hiddenagenda reveal {file}", file=file)
        )
        return Exit.KEPT
    due = reveal(seated.player, seated.slips, waited=False)
    if due is not None:
        told(seated.say(due))
        voice.say(sentence("everybody has ended or left: what of yours was face down is shown"))
    send(seated)
    return Exit.KEPT
