"""``priority``: steps, passes and actions, at a table where priority is tracked."""

import click

from hiddenagenda.canonical import MAX_INTEGER
from hiddenagenda.entry import Act, Pass
from hiddenagenda.faults import sentence
from hiddenagenda.moves import Turn, step_of, usual_turn
from hiddenagenda_cli import frame
from hiddenagenda_cli.ask import ask, at_terminal
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.signing import client, key_options, say

TURN = frame.Number(1, MAX_INTEGER)


@frame.family("priority", help="Open a step, pass, or act, at a table where priority is tracked.")
def command() -> None:
    """Hold the moves."""


@frame.subcommand(
    command,
    "step",
    short_help="open a step of a turn",
    help=(
        "Open a step of a turn. In the steps untap and cleanup nobody has priority, unless --priority says so.\n\nThe"
        " turn is the one of the step before, or the next player's after cleanup and where untap, upkeep or draw come"
        " again."
    ),
    example="hiddenagenda priority step friday.jsonl upkeep --turn 1 --active Ana",
)
@click.argument("file", shell_complete=files)
@click.argument("step", type=frame.TEXT)
@click.option("--turn", type=TURN, help="The number of the turn.")
@click.option("--active", type=frame.TEXT, metavar="PLAYER", help="Whose turn it is: a name at the table.")
@click.option("--priority/--no-priority", default=None, help="Whether players get priority in this step.")
@key_options
def step(
    file: str,
    step: str,
    turn: int | None,
    active: str | None,
    priority: bool | None,
    key: str | None,
    passphrase_fd: int | None,
) -> Exit:
    """Say it at the table."""
    seated = client(file, key, passphrase_fd)
    usual = usual_turn(seated.player, step)
    body = step_of(
        seated.transcript.table,
        step,
        turn=_turn(usual) if turn is None else turn,
        active=_active(usual) if active is None else active,
        priority=priority,
    )
    return say(seated, body)


def _turn(usual: Turn) -> int:
    if at_terminal():
        typed = ask(sentence("Number of the turn"), option="--turn", default=str(usual.number))
        return TURN.convert(typed, None, None)
    voice.say(sentence("turn {number}; --turn says otherwise", number=usual.number))
    return usual.number


def _active(usual: Turn) -> str:
    if at_terminal():
        return ask(sentence("Whose turn"), option="--active", default=usual.active)
    voice.say(sentence("it is the turn of {player}; --active says otherwise", player=usual.active))
    return usual.active


@frame.subcommand(
    command,
    "pass",
    short_help="pass priority to the next player",
    help="Pass priority to the next player in turn order.",
    example="hiddenagenda priority pass friday.jsonl",
)
@click.argument("file", shell_complete=files)
@key_options
def pass_on(file: str, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table."""
    return say(client(file, key, passphrase_fd), Pass())


@frame.subcommand(
    command,
    "act",
    short_help="do something with priority",
    help="Record that you do something with priority, such as casting a spell; you keep priority.",
    example='hiddenagenda priority act friday.jsonl "casts Grizzly Bears"',
)
@click.argument("file", shell_complete=files)
@click.argument("text", type=frame.TEXT)
@key_options
def act(file: str, text: str, key: str | None, passphrase_fd: int | None) -> Exit:
    """Say it at the table."""
    return say(client(file, key, passphrase_fd), Act(text=text))
