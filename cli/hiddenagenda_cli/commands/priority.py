"""``priority``: steps, passes and actions, at a table where priority is tracked."""

import click

from hiddenagenda.canonical import MAX_INTEGER
from hiddenagenda.edge.client import Client
from hiddenagenda.entry import Act, Pass, Step
from hiddenagenda.faults import sentence
from hiddenagenda.moves import Turn, step_of, usual_turn
from hiddenagenda_cli import frame
from hiddenagenda_cli.ask import ask, at_terminal
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.signing import client, key_options, say
from hiddenagenda_cli.usage import Usage

TURN = frame.Number(1, MAX_INTEGER)
_MOVES = ("step", "pass", "act")


@frame.command(
    "priority",
    help=(
        "Open a step, pass, or act, at a table where priority is tracked.\n\n“step” opens a step of a turn"
        " and wants its name. In the steps untap and cleanup nobody has priority, unless --priority says so. The turn"
        " is the one of the step before, or the next player's after cleanup and where untap, upkeep or draw come again."
        "\n\n“pass” passes priority to the next player in turn order. “act” records that you do something with"
        " priority, such as casting a spell, and wants a text about it; you keep priority."
    ),
    example="hiddenagenda priority friday.jsonl step upkeep --turn 1 --active Ana",
)
@click.argument("file", shell_complete=files)
@click.argument("move", type=frame.OneOf(_MOVES), metavar="step|pass|act")
@click.argument("text", type=frame.TEXT, required=False, metavar="[STEP|TEXT]")
@click.option("--turn", type=TURN, help="The number of the turn.")
@click.option("--active", type=frame.TEXT, metavar="PLAYER", help="Whose turn it is: a name at the table.")
@click.option("--priority/--no-priority", default=None, help="Whether players get priority in this step.")
@key_options
def command(
    file: str,
    move: str,
    text: str | None,
    turn: int | None,
    active: str | None,
    priority: bool | None,
    key: str | None,
    passphrase_fd: int | None,
) -> Exit:
    """Say it at the table."""
    if move != "step" and (turn, active, priority) != (None, None, None):
        raise Usage("--turn, --active and --priority go with “step”, not with “{move}”", move=move)
    match move, text:
        case "step", str():
            seated = client(file, key, passphrase_fd)
            return say(seated, _step(seated, text, turn, active, priority))
        case "step", None:
            raise Usage("the name of the step is missing, as in: hiddenagenda priority FILE step upkeep")
        case "pass", str():
            raise Usage("“{argument}” is one argument too many", argument=text)
        case "pass", None:
            return say(client(file, key, passphrase_fd), Pass())
        case _, None:
            raise Usage("the text is missing that says what you do, after: hiddenagenda priority FILE act")
        case _, _:
            return say(client(file, key, passphrase_fd), Act(text=text))


def _step(seated: Client, name: str, turn: int | None, active: str | None, priority: bool | None) -> Step:
    usual = usual_turn(seated.player, name)
    return step_of(
        seated.transcript.table,
        name,
        turn=_turn(usual) if turn is None else turn,
        active=_active(usual) if active is None else active,
        priority=priority,
    )


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
