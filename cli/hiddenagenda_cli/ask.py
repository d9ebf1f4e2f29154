"""Questions to the person at the terminal: on stderr, so that stdout holds the result alone."""

import sys
from collections.abc import Callable, Iterable
from getpass import getpass

from hiddenagenda.faults import Sentence, sentence
from hiddenagenda_cli.frame import Usage
from hiddenagenda_cli.output import voice

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
        raise Usage("nobody can be asked here: {option} is missing", option=option)
    words = voice.tell(
        sentence("{question} [{default}]: ", question=question, default=default)
        if default
        else sentence("{question}: ", question=question)
    )
    while True:
        if hidden:
            answer = getpass(words, stream=sys.stderr)
        elif complete:
            answer = _prompt(words, complete)
        else:
            sys.stderr.write(words)
            sys.stderr.flush()
            line = sys.stdin.readline()
            if not line:
                raise KeyboardInterrupt
            answer = line.rstrip("\r\n")
        if answer.strip() or default:
            return answer.strip() or default


def confirm(question: Sentence) -> bool:
    """Return whether the person said yes. Where nobody can be asked the answer is no."""
    if not at_terminal():
        return False
    yes = voice.translate("y")
    answer = ask(sentence("{question} [{yes}/N]", question=question, yes=yes), option="", default="-")
    return answer.lower() == yes


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
    try:
        return session.prompt(words)
    except EOFError:
        raise KeyboardInterrupt from None
