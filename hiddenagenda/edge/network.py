"""A thread with an event loop, in which a peer's wire runs, and the relay of a host.

SPEC "Transport". The player at the keyboard may think as long as he likes: others are answered meanwhile. What the
thread and its user both touch, they touch under ``lock``.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, suppress
from typing import Any, Final, Self, TypeVar

from hiddenagenda.edge.addresses import Address
from hiddenagenda.edge.relay import Relay
from hiddenagenda.edge.websocket import Machine, Wire

_T = TypeVar("_T")


class Network:
    """The wire of one program, and its relay where it hosts. It is used as a context, at whose end all is closed."""

    def __init__(self) -> None:
        self.lock: Final = threading.RLock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="network", daemon=True)
        self._stack = AsyncExitStack()
        self._wire: Wire | None = None
        self._running: Future[None] | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def host(self, relay: Relay, address: Address) -> Address:
        """Serve ``relay`` at ``address`` until all is closed; return where it is, with its port.

        Raises ``StoreError`` where the address cannot be used.
        """
        return self._wait(self._stack.enter_async_context(relay.serving(address)))

    def join(
        self,
        address: str,
        machine: Machine,
        on_news: Callable[[Sequence[Any]], None],
        *,
        on_end: Callable[[], None] | None = None,
        through_proxy: bool = True,
    ) -> None:
        """Connect ``machine`` to the room at ``address``, a URL, and keep it connected, as ``Wire`` does.

        ``on_end`` is called in the thread when the wire has ended, whatever ended it: see ``check``.
        """
        self._wire = Wire(address, machine, lock=self.lock, on_news=on_news, through_proxy=through_proxy)
        self._running = asyncio.run_coroutine_threadsafe(self._wire.run(), self._loop)
        if on_end is not None:
            self._running.add_done_callback(lambda _: on_end())

    def go_on_with(self, machine: Machine) -> bool:
        """Let another machine speak over the connection that there is; say whether there is one.

        To be called under ``lock``.
        """
        if self._wire is None:
            return False
        self._wire.machine = machine
        self.wake()
        return True

    def wake(self) -> None:
        """Send at once what is to be sent."""
        if self._wire is not None:
            self._loop.call_soon_threadsafe(self._wire.wake)

    def check(self) -> None:
        """Raise what ended the wire, if anything did."""
        if self._running is not None and self._running.done():
            self._running.result()

    def close(self, patience: float = 5.0) -> None:
        """Send what is to be sent, say goodbye, and end the thread; wait no longer than ``patience`` seconds."""
        if not self._thread.is_alive():
            return
        if self._wire is not None and self._running is not None:
            self._loop.call_soon_threadsafe(self._wire.close)
            with suppress(TimeoutError):
                self._running.exception(patience)
        with suppress(TimeoutError):
            self._wait(self._stack.aclose(), patience)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(patience)
        if not self._thread.is_alive():
            self._loop.run_until_complete(_end_rest())
            self._loop.close()

    def _wait(self, doing: Coroutine[Any, Any, _T], patience: float | None = None) -> _T:
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(patience)


async def _end_rest() -> None:
    """End what still runs in this loop, such as a connection that would not close in time."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
