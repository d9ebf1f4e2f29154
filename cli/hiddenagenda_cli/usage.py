"""What is wrong with a command line, said in the language of the run: click itself speaks English."""

from collections.abc import Sequence
from typing import Self

import click

from hiddenagenda.faults import Sentence, sentence


class Usage(click.UsageError):
    """A usage error whose message is a sentence."""

    def __init__(self, text: str, /, **values: object) -> None:
        said = Sentence(text, values)
        super().__init__(str(said))
        self.said = said

    def at(self, ctx: click.Context) -> Self:
        """Say which command's help is of use, and return the error."""
        self.ctx = ctx
        return self


def no_command(name: str, known: Sequence[str]) -> Usage:
    """Return the error for a command that there is not."""
    from difflib import get_close_matches  # noqa: PLC0415 - dear, and needed for mistakes only

    near = get_close_matches(name, known)
    if near:
        return Usage("there is no command “{name}”, but {near}", name=name, near=", ".join(near))
    return Usage("there is no command “{name}”", name=name)


def said(error: click.UsageError) -> Sentence:
    """Return what a usage error says, as a sentence."""
    match error:
        case Usage():
            return error.said
        case click.NoSuchOption(possibilities=near, option_name=option) if near:
            return sentence("there is no option {option}, but {near}", option=option, near=", ".join(near))
        case click.NoSuchOption(option_name=option):
            return sentence("there is no option {option}", option=option)
        case click.MissingParameter(param=click.Parameter() as param):
            return sentence("{what} is missing", what=_called(param))
        case click.BadOptionUsage(option_name=option) if _is_flag(error, option):
            return sentence("{option} takes no value", option=option)
        case click.BadOptionUsage(option_name=option):
            return sentence("{option} wants a value", option=option)
        case _ if error.ctx and isinstance(error.ctx.command, click.Group):
            return sentence("a command is missing")
        case _:
            return sentence("{what}", what=error.format_message().rstrip("."))


def place(name: str) -> Sentence:
    """Return what stands in help pages for something that is typed, such as FILE; an option is its own name."""
    return Sentence(name)


def _called(param: click.Parameter) -> Sentence:
    return place(param.opts[0] if isinstance(param, click.Option) else param.human_readable_name.strip("[]."))


def _is_flag(error: click.UsageError, option: str) -> bool:
    params = error.ctx.command.params if error.ctx else []
    return any(isinstance(param, click.Option) and param.is_flag and option in param.opts for param in params)
