"""The door of the command line: which commands there are, in which sections, and how a run ends."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from hiddenagenda import __version__
from hiddenagenda.faults import HiddenAgendaError, sentence
from hiddenagenda_cli import usage
from hiddenagenda_cli.frame import CONTEXT, Family, language_option
from hiddenagenda_cli.output import PROGRAM, Exit, OutputLost, language, voice

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SECTIONS: Final[dict[str, dict[str, str]]] = {
    "Slips": {
        "commit": "name a card in secret and print the commitment",
        "open": "print the opening that turns a commitment up",
        "verify": "check openings against commitments, and judge games",
        "slips": "list my slips that are still face down",
        "explain": "find out how a commitment made by hand was made",
    },
    "Tables": {
        "seat": "make my fresh seat for a game, to hand to whoever sets the table up",
        "table": "set a table up from seats",
        "seal": "accept everybody's commits: the game begins",
        "send": "print what the others may lack",
        "receive": "take in what the others sent",
        "merge": "put copies of one game together",
        "status": "say where the game stands, and what I owe or may do next",
        "host": "host a live table that others join, and play at it",
        "join": "join a live table, or come back to it",
        "relay": "pass on what players send each other, without reading it",
    },
    "Play": {
        "turn-up": "turn a conspiracy up: the special action",
        "apply": "use the linked ability on a card of the chosen name",
        "priority": "open a step, pass, or act, where priority is tracked",
        "leave": "leave the game and show all that is still face down",
        "end": "say that the game is over for all",
        "reveal": "show what is due",
        "note": "write a note or an objection into the record",
    },
    "Judge and audit": {
        "audit": "judge many games: an event, a season",
        "dispute": "compare several people's records of one game",
        "inspect": "tell a game line by line, for a stranger",
        "export-ssh": "write a game so that ssh-keygen and sha256sum check it",
    },
    "Set-up": {
        "key": "make, show or import my key, and trust others'",
        "cards": "look up card names and conspiracies",
        "completion": "print a completion script for a shell",
        "demo": "play a game with real card names, and catch a cheat",
    },
}
"""Section by section, each command with its one line. A command ``a-b`` is ``commands/a_b.py:command``."""

_COMMANDS: Final = tuple(name for section in SECTIONS.values() for name in section)
_INTERRUPTED: Final = 130
"""What shells report for a process that ended by SIGINT (128 + 2)."""


class Program(Family):
    """The group of all commands. It imports none of them to list them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands, section by section."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command by its name, or None. Only now is its module imported."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"hiddenagenda_cli.commands.{cmd_name.replace('-', '_')}")
        if not gc.isenabled():  # the package saw to that
            gc.freeze()
            gc.enable()
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands in sections, a line each."""
        for section, commands in SECTIONS.items():
            with formatter.section(voice.translate(section)):
                formatter.write_dl([(name, voice.translate(line)) for name, line in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[str]]":
        """Return the commands, or options, that a word may become."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only to complete

        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        lines = {name: line for section in SECTIONS.values() for name, line in section.items()}
        return [CompletionItem(name, help=line) for name, line in lines.items() if name.startswith(incomplete)]


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001, FBT001
    if value and not ctx.resilient_parsing:
        voice.result(f"{PROGRAM} {__version__}")
        ctx.exit()


program: Final = Program(
    PROGRAM,
    context_settings=CONTEXT,
    help="The slip of paper for hidden agenda: commit to a card name now, prove it later.",
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Show the version.",
        ),
        language_option(),
    ],
)


def main() -> NoReturn:
    """Run the program on this process's arguments and end the process."""
    code = run(sys.argv[1:])
    _give_up_what_is_unwritten()
    gc.freeze()  # what ends with the process need not be looked through before
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run the program on ``arguments`` and return the exit code. Every failure is one line on stderr."""
    voice.language, voice.language_stated = language(arguments)
    voice.as_json = False
    _prepare_streams()
    try:
        return int(_invoke(arguments))
    except click.exceptions.NoArgsIsHelpError as error:
        voice.page(error.format_message())
        return Exit.USAGE
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else PROGRAM
        voice.complain(sentence("{what}; see “{command} --help”", what=usage.said(error), command=path))
        return Exit.USAGE
    except HiddenAgendaError as error:
        voice.fail(error)
        return Exit.INPUT
    except OutputLost:
        voice.complain(sentence("the result could not be written: standard output is closed, full or broken"))
        return Exit.INPUT
    except (KeyboardInterrupt, EOFError, click.Abort):
        voice.complain(sentence("interrupted"))
        return _INTERRUPTED
    except MemoryError:
        voice.complain(sentence("there is not enough memory for this"))
        return Exit.INPUT
    except OSError as error:
        what = error.strerror or type(error).__name__
        voice.complain(sentence("the operating system refused: {what}: {path}", what=what, path=error.filename or "?"))
        return Exit.INPUT


def _invoke(arguments: Sequence[str]) -> Any:
    result = program.main(args=list(arguments), prog_name=PROGRAM, standalone_mode=False)
    return Exit.KEPT if result is None else result


def _prepare_streams() -> None:
    """Let no encoding of the terminal raise: what it cannot show is written out, what it cannot read is kept."""
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors=errors)


def _give_up_what_is_unwritten() -> None:
    """Drop what a stream could not deliver: at exit it would be tried again, and change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


if __name__ == "__main__":
    main()
