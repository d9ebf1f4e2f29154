"""One peer's connection to a room: kept up, found again when it breaks, and left politely.

SPEC "Transport". Around a machine without I/O (``gossip``, ``lobby``) it does what that cannot: it connects, moves
frames, looks at the clock and waits. What the frames say it does not know.
"""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from hiddenagenda.edge.relay import CLOSING, PING
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.frames import LARGEST

TICK: Final = 1.0
"""Seconds after which ``Wire`` looks up, though nothing happens."""

_PAUSES: Final = (0.5, 30.0)
"""Seconds before one connects again: the first time, doubled each time, and at the most."""
_MOST_DOUBLINGS: Final = 16
_OPENING: Final = 10.0
_NOT_FOUND: Final = 404
_FULL: Final = 503
_NOWHERE: Final = sentence("there is no such room there: perhaps the host has gone")
_TOO_MANY: Final = sentence("there is no room left")


class Machine(Protocol):
    """What decides what to send, as ``gossip.Gossip`` does. Times are seconds of a clock that only goes forward."""

    def receive_data(self, frame: bytes, now: float) -> Sequence[Any]:
        """Take in a frame and return what is news by it."""
        ...

    def pass_time(self, now: float) -> Sequence[Any]:
        """Return what is news because time went by."""
        ...

    def data_to_send(self, now: float) -> Sequence[bytes]:
        """Return the frames to send now."""
        ...

    def next_time(self) -> float:
        """Return when to call again."""
        ...

    def connected(self, now: float) -> None:
        """Hear that there is a new connection."""
        ...


class Line(Enum):
    """How the connection stands."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChanged:
    """The connection stands now, or broke, or cannot be made."""

    line: Line
    why: Sentence | None = None


class Wire:
    """Connects ``machine`` to the room at ``address`` (a URL) and calls ``on_news`` with what is news.

    The machine is used under ``lock`` only, and may be another one at any time. ``on_news`` is called in the thread of
    the event loop, and once every ``TICK`` seconds with nothing.
    """

    def __init__(
        self,
        address: str,
        machine: Machine,
        *,
        lock: threading.RLock,
        on_news: Callable[[Sequence[Any]], None],
        through_proxy: bool,
    ) -> None:
        self.machine = machine
        self._address = address
        self._lock = lock
        self._on_news = on_news
        self._proxy: Literal[True] | None = True if through_proxy else None
        self._woken = asyncio.Event()
        self._closing = False
        self._failures = 0

    def wake(self) -> None:
        """Look at the machine at once. To be called in the event loop's thread."""
        self._woken.set()

    def close(self) -> None:
        """Send what is to be sent, then end. To be called in the event loop's thread."""
        self._closing = True
        self._woken.set()

    async def run(self) -> None:
        """Be connected until ``close`` is called."""
        while not self._closing:
            why = await self._be_connected()
            if self._closing:
                return
            self._on_news([LineChanged(line=Line.DOWN, why=why)])
            await self._pause()

    async def _be_connected(self) -> Sentence | None:
        try:
            async with connect(
                self._address,
                compression=None,  # what is sealed does not shrink
                max_size=LARGEST,
                open_timeout=_OPENING,
                ping_interval=PING,
                ping_timeout=PING,
                close_timeout=CLOSING,
                proxy=self._proxy,
            ) as connection:
                await self._speak(connection)
        except InvalidStatus as error:
            return {_NOT_FOUND: _NOWHERE, _FULL: _TOO_MANY}.get(
                error.response.status_code,
                sentence("the relay answers with status {status}", status=error.response.status_code),
            )
        except (OSError, WebSocketException) as error:
            what = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            return sentence("{what}", what=what or type(error).__name__)
        return None

    async def _speak(self, connection: ClientConnection) -> None:
        with self._lock:
            self.machine.connected(time.monotonic())
        self._on_news([LineChanged(line=Line.UP)])
        reader = asyncio.create_task(self._read(connection))
        try:
            while not reader.done():
                self._woken.clear()
                now = time.monotonic()
                with self._lock:
                    news = self.machine.pass_time(now)
                    frames = self.machine.data_to_send(now)
                    pause = self.machine.next_time() - now
                self._on_news(news)
                for frame in frames:
                    await connection.send(frame)
                if self._closing:
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._woken.wait(), max(0.0, min(pause, TICK)))
        finally:
            reader.cancel()
            with suppress(asyncio.CancelledError, WebSocketException):
                await reader

    async def _read(self, connection: ClientConnection) -> None:
        try:
            async for frame in connection:
                self._failures = 0  # somebody is there: the next breakdown is a new one
                if isinstance(frame, bytes):
                    with self._lock:
                        news = self.machine.receive_data(frame, time.monotonic())
                    self._on_news(news)
                    self._woken.set()
        finally:
            self._woken.set()

    async def _pause(self) -> None:
        """Wait before the next try: longer each time, and never as long as the others."""
        deadline = time.monotonic() + pause_after(self._failures) * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
        self._failures += 1
        while not self._closing and (left := deadline - time.monotonic()) > 0:
            self._woken.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), min(left, TICK))
            self._on_news([])


def pause_after(failures: int) -> float:
    """Return how many seconds to wait after so many failures in a row, and the one just now."""
    first, most = _PAUSES
    return min(most, first * 2.0 ** min(failures, _MOST_DOUBLINGS))
