"""Questions to the person at the terminal: on stderr, so that stdout holds the result alone."""

import os
import sys
from collections.abc import Callable, Iterable

from hiddenagenda.faults import Sentence, sentence
from hiddenagenda_cli.frame import as_typed
from hiddenagenda_cli.output import voice
from hiddenagenda_cli.usage import Usage, place

Complete = Callable[[str], Iterable[str]]
"""From what was typed so far to what it may become."""


def at_terminal() -> bool:
    """Say whether there is somebody to ask: questions go to stderr, answers come from stdin."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


def ask(
    question: Sentence,
    *,
    option: str,
    default: str = "",
    complete: Complete | None = None,
    hidden: bool = False,
) -> str:
    """Return one line of answer. Where nobody can be asked, raise the usage error that names ``option``.

    ``complete`` offers completions with the Tab key; ``hidden`` echoes nothing. An empty answer is the default; where
    there is none the question is asked again.
    """
    if not at_terminal():
        raise Usage("nobody can be asked here: {option} is missing", option=place(option))
    words = voice.tell(
        sentence("{question} [{default}]: ", question=question, default=default)
        if default
        else sentence("{question}: ", question=question)
    )
    while True:
        answer = as_typed(_answer(words, complete=complete, hidden=hidden)).strip() or default
        if answer:
            return answer


def confirm(question: Sentence) -> bool:
    """Return whether the person said yes; an empty answer is no. Where nobody can be asked the answer is no."""
    if not at_terminal():
        return False
    yes = voice.translate("y")
    return _yes_or_no(voice.tell(sentence("{question} [{yes}/N]: ", question=question, yes=yes)), empty=False)


def decide(question: Sentence) -> bool:
    """Return whether the person said yes or no to what cannot be taken back: an empty answer is neither."""
    yes, no = voice.translate("y"), voice.translate("n")
    return _yes_or_no(voice.tell(sentence("{question} [{yes}/{no}]: ", question=question, yes=yes, no=no)), empty=None)


def _yes_or_no(words: str, *, empty: bool | None) -> bool:
    """Ask until the answer is yes, no, or empty where that has a meaning: a card name is no answer."""
    yes, no = voice.translate("y"), voice.translate("n")
    meanings = {yes: True, voice.translate("yes"): True, no: False, voice.translate("no"): False}
    while True:
        answer = _answer(words).strip().lower()
        meaning = meanings.get(answer) if answer else empty
        if meaning is not None:
            return meaning
        voice.complain(sentence("answer {yes} or {no}", yes=yes, no=no))


def paste(question: Sentence) -> str:
    """Return lines of answer, up to the end of input. Where nobody can be asked, raise a usage error.

    No line ends it: what is pasted behind such a line would be typed at the shell.
    """
    if not at_terminal():
        raise Usage("nobody can be asked here: give tokens, files, or - for standard input")
    voice.say(question)
    text = as_typed("".join(iter(sys.stdin.readline, "")))
    if not text.strip():
        raise EOFError
    return text


def _answer(words: str, *, complete: Complete | None = None, hidden: bool = False) -> str:
    if hidden:
        return _secret(words)
    if complete and os.environ.get("TERM") != "dumb":
        return _prompt(words, complete)
    voice.ask(words)
    return _read_line()


def _read_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _secret(words: str) -> str:
    from getpass import getpass  # noqa: PLC0415 - dear to import, and needed only by who sits at a terminal

    return getpass(words, stream=sys.stderr)


def _prompt(words: str, complete: Complete) -> str:
    # prompt_toolkit is dear to import and needed only by who sits at a terminal.
    from prompt_toolkit import PromptSession  # noqa: PLC0415
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion  # noqa: PLC0415
    from prompt_toolkit.document import Document  # noqa: PLC0415
    from prompt_toolkit.history import DummyHistory  # noqa: PLC0415
    from prompt_toolkit.output import create_output  # noqa: PLC0415

    class Names(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002
            typed = document.text_before_cursor
            return (Completion(text, start_position=-len(typed)) for text in complete(typed))

    session: PromptSession[str] = PromptSession(
        completer=Names(),
        complete_while_typing=False,
        history=DummyHistory(),
        output=create_output(stdout=sys.stderr),
    )
    return session.prompt(words)
