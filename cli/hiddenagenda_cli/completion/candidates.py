"""What the word at the cursor may become, as lines for a completion script.

The first line says inside which quotes the others are to be inserted, or that file names are wanted; then one
candidate a line, after a tab what it means. A candidate holds no tab and no newline.
"""

import os
from collections.abc import Iterator

import click
from click.shell_completion import CompletionItem, ShellComplete

from hiddenagenda.cards.folding import fold
from hiddenagenda_cli.completion.typed import Typed
from hiddenagenda_cli.output import PROGRAM, voice

_REDIRECTIONS = ("<", ">", ">>", "2>", "2>>")
_FILES = {"file": "files", "dir": "directories"}


def candidates(program: click.Command, typed: Typed) -> list[str]:
    """Return the lines for what was typed after the name of ``program``."""
    if typed.last.startswith(("<", ">")) or (typed.words[-1:] and typed.words[-1] in _REDIRECTIONS):
        return ["files"]
    items = ShellComplete(program, {}, PROGRAM, "").get_completions(list(typed.words), typed.last)
    for item in items:
        if item.type in _FILES:
            return [_FILES[item.type]]
    return [typed.quotes.value, *_lines(_whole(items, typed), typed)]


def unmistakable(lines: list[str], typed: Typed) -> list[str]:
    """Return ``lines`` with an empty candidate added where what they share is shorter than what was typed.

    Bash and zsh put what all candidates share in the place of what was typed: of ``rum`` nothing would remain before
    ``Rumbleweed`` and ``"Rumors of My Death . . ."``. The empty candidate makes them leave the word alone.
    """
    values = [line.partition("\t")[0] for line in lines[1:]]
    shared = os.path.commonprefix(values)  # noqa: RUF071 - letters are meant, not folders
    if len(values) > 1 and len(shared) < len(typed.last) - len(typed.kept):
        return [lines[0], "", *lines[1:]]  # not at the end, where $(...) drops it
    return lines


def _whole(items: list["CompletionItem[str]"], typed: Typed) -> Iterator[tuple[str, str]]:
    """Yield candidates for the whole word, since of ``--option=value`` the parser completes the value alone."""
    name, equals, _ = typed.last.partition("=")
    option = name + equals if equals and name.startswith("-") and "--" not in typed.words else ""
    for item in items:
        yield option + item.value, voice.translate(item.help or "")


def _lines(whole: Iterator[tuple[str, str]], typed: Typed) -> Iterator[str]:
    """Yield the lines of the candidates that begin with what the shell keeps, without that beginning."""
    kept = len(typed.kept)
    for value, meaning in whole:
        if fold(value[:kept]) == fold(typed.kept):
            yield f"{value[kept:]}\t{' '.join(meaning.split())}" if meaning else value[kept:]
