"""Where the lines come from that are said to a live table: a prompt, or standard input.

A source is asked for one line after the other, and can be told by another thread, or by a signal, to stop.
"""

import json
import queue
import sys
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from hiddenagenda.faults import Malformed, sentence
from hiddenagenda_cli.frame import as_typed

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer

_LONGEST = 65_536
_TICK = 0.5
_TERMINAL = "CON" if sys.platform == "win32" else "/dev/tty"

Complete = Callable[[str], Iterable[str]]
"""From the line so far to the lines that it may become."""


class Source(Protocol):
    """Lines, until there are no more."""

    def line(self, complete: Complete) -> str | None:
        """Return the next line; None at the end, or when it was stopped."""
        ...

    def stop(self) -> None:
        """Let there be no more lines. May be called in any thread."""
        ...


class Prompt:
    """A person at a terminal; what is told meanwhile appears above the line that is typed."""

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession  # noqa: PLC0415 - dear to import, and for terminals only
        from prompt_toolkit.output import create_output  # noqa: PLC0415

        self._output = create_output(stdout=sys.stderr)
        self._session: PromptSession[str] = PromptSession(output=self._output)
        self._stopped = threading.Event()

    def line(self, complete: Complete) -> str | None:
        """Ask for a line. Raises ``KeyboardInterrupt`` and ``EOFError`` as a prompt does."""
        from prompt_toolkit.application import create_app_session  # noqa: PLC0415
        from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

        if self._stopped.is_set():
            return None
        with create_app_session(output=self._output), patch_stdout():
            typed = self._session.prompt(
                "> ", completer=_completer(complete), complete_while_typing=False, pre_run=self._end_if_stopped
            )
        return None if self._stopped.is_set() else as_typed(typed)

    def stop(self) -> None:
        """End the prompt, whatever stands in it."""
        self._stopped.set()
        loop = self._session.app.loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._end_if_stopped)

    def _end_if_stopped(self) -> None:
        app = self._session.app
        if self._stopped.is_set() and app.is_running and app.future is not None and not app.future.done():
            app.exit(result="")


class Pipe:
    """A program that writes lines to our standard input."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="input", daemon=True).start()

    def line(self, complete: Complete) -> str | None:  # noqa: ARG002 - for prompts
        """Wait for a line."""
        while True:
            try:  # with a pause now and then, in which signals are seen on every system
                return self._lines.get(timeout=_TICK)
            except queue.Empty:
                continue

    def stop(self) -> None:
        """Wake who waits."""
        self._lines.put(None)

    def _read(self) -> None:
        while sys.stdin is not None and (line := sys.stdin.readline(_LONGEST)):
            if line.strip():
                self._lines.put(as_typed(line).strip())
        self._lines.put(None)


def first_line(member: str) -> str:
    """Return the text ``member`` of the object in the first line that a program writes. Raises ``Malformed``."""
    line = sys.stdin.readline(_LONGEST) if sys.stdin else ""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        said = None
    text = said.get(member) if isinstance(said, dict) else None
    if not isinstance(text, str):
        raise Malformed(
            sentence("the first line has to be an object with the member “{member}”", member=member), code="usage"
        )
    return text


def back_to_terminal() -> bool:
    """Read from the terminal from now on, though standard input was a file or a pipe; say whether there is one."""
    try:
        sys.stdin = open(_TERMINAL, encoding="utf-8", errors="surrogateescape")  # noqa: SIM115 - it stays open
    except OSError:
        return False
    return True


def _completer(complete: Complete) -> "Completer":
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion  # noqa: PLC0415
    from prompt_toolkit.document import Document  # noqa: PLC0415

    class Lines(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002
            typed = document.text_before_cursor
            return (Completion(text, start_position=-len(typed)) for text in complete(typed))

    return Lines()
