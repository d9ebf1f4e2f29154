"""One run of ``host`` or ``join``: what is said comes from a prompt or a program, what happens is told as it comes.

The network has a thread of its own and tells news from there; questions and verbs are the main thread's. What both
touch they touch under the network's lock.
"""

import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from hiddenagenda.edge.network import Network
from hiddenagenda.edge.websocket import Machine
from hiddenagenda.faults import HiddenAgendaError, Malformed, sentence
from hiddenagenda_cli.ask import at_terminal
from hiddenagenda_cli.live_news import News, Teller
from hiddenagenda_cli.live_sources import Complete, Pipe, Prompt, Source
from hiddenagenda_cli.live_verbs import Command, Verb, read
from hiddenagenda_cli.output import voice

_SIGNALS = ("SIGTERM", "SIGHUP", "SIGBREAK")


def monotonic() -> float:
    """Return the time by the clock that the network uses."""
    return time.monotonic()


class Live:
    """Where lines come from, who tells, and the network of one run; a context, at whose end the network is closed."""

    def __init__(self, own: str, *, as_events: bool) -> None:
        """Speak for the key ``own`` (hex); with ``as_events`` with a program, by JSON."""
        self.network = Network()
        self.teller = Teller(own, as_events=as_events)
        self.as_events = as_events
        self.asks = at_terminal() and not as_events
        self.handler: Callable[[Sequence[Any]], None] = lambda _: None
        """What the network's news go to, in its thread; an empty sequence is a moment in which nothing happened."""
        self.way = ""
        """The address of the room, for this program."""
        self.is_stopped = False
        self.failure: HiddenAgendaError | None = None
        self._source: Source = Prompt() if self.asks else Pipe()
        self._held: list[News] | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Have the network, and end politely when the process is told to end."""
        former = {name: signal.signal(getattr(signal, name), self._told) for name in _SIGNALS if hasattr(signal, name)}
        try:
            with self.network:
                yield
        finally:
            for name, handler in former.items():
                signal.signal(getattr(signal, name), handler)
        if self.failure is not None:
            raise self.failure

    def connect(self, machine: Machine, *, through_proxy: bool = True) -> None:
        """Let ``machine`` speak in the room: over the connection that there is, else over a new one."""
        with self.network.lock:
            if not self.network.go_on_with(machine):
                self.network.join(self.way, machine, self.heard, on_end=self.stop, through_proxy=through_proxy)

    def heard(self, news: Sequence[Any]) -> None:
        """Take what the network says. Called in its thread."""
        with self.network.lock:
            try:
                self.handler(news)
            except HiddenAgendaError as error:
                self.failure = error
                self.stop()

    def tell(self, news: News) -> None:
        """Tell news, or keep it while a question is on the screen."""
        with self.network.lock:
            if self._held is None:
                self.teller.tell(news)
            else:
                self._held.append(news)

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Keep news back while questions are asked."""
        with self.network.lock:
            self._held = []
        try:
            yield
        finally:
            with self.network.lock:
                held, self._held = self._held or [], None
                for news in held:
                    self.teller.tell(news)

    def stop(self) -> None:
        """Let the program come to its end. May be called in any thread."""
        self.is_stopped = True
        self._source.stop()

    def line(self, complete: Complete) -> str | None:
        """Return the next line that is said; None at the end."""
        try:
            return None if self.is_stopped else self._source.line(complete)
        except (KeyboardInterrupt, EOFError):
            return None

    def commands(self, verbs: Mapping[str, Verb], complete: Complete | None = None) -> Iterator[Command]:
        """Yield what is said, until the end; what cannot be understood is refused."""

        def begun(typed: str) -> Iterator[str]:
            yield from (f"{name} " if verb.words else name for name, verb in verbs.items() if name.startswith(typed))
            if complete is not None:
                yield from complete(typed)

        while (line := self.line(begun)) is not None:
            if not line.strip():
                continue
            try:
                command = read(line, verbs)
            except Malformed as error:
                self.tell(error)
                continue
            if command.verb == "quit":
                return
            if command.verb == "help":
                for name, verb in verbs.items():
                    voice.say(sentence("  {usage}: {what}", usage=verb.usage(name), what=verb.said))
            else:
                yield command

    def _told(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of handlers
        if self._held is not None:  # a question waits for an answer that will not come
            raise KeyboardInterrupt
        self.stop()
