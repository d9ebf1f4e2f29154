"""The only module that prints, and the only one that knows which language is spoken.

stdout carries the result alone; everything said to a person goes to stderr. A result that could not be delivered is
an error: a closed or full stdout never ends in exit code 0.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import TextIO

from hiddenagenda.faults import HiddenAgendaError, Sentence, sentence
from hiddenagenda.locale import LANGUAGES, language_of, tell, translate
from hiddenagenda.outcome import Outcome

PROGRAM = "hiddenagenda"


class Exit(IntEnum):
    """What the process says to the one who called it. (SPEC "Exit codes")"""

    KEPT = 0
    INPUT = 1
    USAGE = 2
    BROKEN = 3
    OWES = 4
    PENDING = 5


EXITS: Mapping[Outcome, Exit] = {
    Outcome.KEPT: Exit.KEPT,
    Outcome.PENDING: Exit.PENDING,
    Outcome.NOT_STARTED: Exit.PENDING,
    Outcome.OWES: Exit.OWES,
    Outcome.BROKEN: Exit.BROKEN,
    Outcome.UNDECIDABLE: Exit.INPUT,
}
"""The exit code of each outcome."""

SEVERITY: Sequence[Exit] = (Exit.USAGE, Exit.BROKEN, Exit.INPUT, Exit.OWES, Exit.PENDING, Exit.KEPT)
"""Of several inputs, the first of these that is present is the exit code."""


def worst(codes: Sequence[Exit]) -> Exit:
    """Return the exit code of several inputs, by ``SEVERITY``; ``KEPT`` of none."""
    return min(codes, key=SEVERITY.index, default=Exit.KEPT)


class OutputLost(Exception):
    """stdout is closed, full or broken: the result did not arrive."""


def language(arguments: Sequence[str]) -> tuple[str, bool]:
    """Return the language asked for on a command line, else by the environment; and whether it was stated.

    It is read before the command line is parsed, since help and usage errors are spoken in it, too.
    """
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        value = argument.removeprefix("--lang=")
        if value == argument:
            value = arguments[place + 1] if argument == "--lang" and place + 1 < len(arguments) else ""
        if value in LANGUAGES:
            return value, True
    return language_of(os.environ), False


class Voice:
    """Where one run of the program speaks, in which language, and whether as JSON."""

    def __init__(self) -> None:
        self.language = "en"
        self.language_stated = False
        """Whether the command line named the language, so that names are typed in it, too."""
        self.as_json = False

    def tell(self, said: Sentence) -> str:
        """Return a sentence in the language of this run."""
        return tell(said, self.language)

    def translate(self, text: str) -> str:
        """Return a text of ours in the language of this run."""
        return translate(text, self.language)

    def result(self, line: str) -> None:
        """Print one line of the result: a token, a path, a line of a list. It is ours or was escaped before."""
        _write(sys.stdout, line)

    def told(self, said: Sentence) -> None:
        """Print a sentence as a line of the result."""
        self.result(self.tell(said))

    def json(self, value: Mapping[str, object]) -> None:
        """Print one JSON object as a line of the result. Everything beyond ASCII is escaped."""
        self.result(json.dumps(value, ensure_ascii=True, separators=(",", ":")))

    def say(self, said: Sentence) -> None:
        """Say something to the person at the terminal."""
        _speak(self.tell(said))

    def note(self, notices: Iterable[Sentence]) -> None:
        """Say what became of what was typed or pasted."""
        for notice in notices:
            self.say(sentence("note: {what}", what=notice))

    def ask(self, words: str) -> None:
        """Say the words of a question, of ours, and leave the cursor behind them."""
        _speak(words, end="")

    def warn(self, said: Sentence) -> None:
        """Say something that the person should know before he goes on."""
        _speak(self.tell(sentence("warning: {what}", what=said)))

    def fail(self, error: HiddenAgendaError) -> None:
        """Say what went wrong, and what to do where the error knows it."""
        _speak(f"{PROGRAM}: {self.tell(error.said)}")
        if error.hint:
            _speak(self.tell(sentence("  hint: {what}", what=error.hint)))

    def page(self, text: str) -> None:
        """Show a help page, of ours, to somebody who did not ask for one."""
        _speak(text)

    def complain(self, said: Sentence) -> None:
        """Say one line that explains a failure."""
        _speak(f"{PROGRAM}: {self.tell(said)}")


voice = Voice()
"""The one voice of this process; ``main`` sets its language."""


def _write(stream: TextIO | None, line: str, *, end: str = "\n") -> None:
    if stream is None:
        raise OutputLost
    try:
        stream.write(line + end)
        stream.flush()
    except (OSError, ValueError) as error:
        raise OutputLost from error


def _speak(line: str, *, end: str = "\n") -> None:
    try:
        _write(sys.stderr, line, end=end)
    except OutputLost:
        return  # nobody hears; the exit code still says it
