"""A proxy between players and a relay that delays, and cuts connections off, on loopback and for real."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class FaultyProxy:
    """Passes bytes on, late, and cuts a connection off at random after so many of them; ``cuts`` counts it."""

    def __init__(self, port: int, *, seed: int, slowest: float = 0.02, cut_after: int = 30_000) -> None:
        self._port = port
        self._chance = random.Random(seed)
        self._slowest = slowest
        self._cut_after = cut_after
        self._tasks: set[asyncio.Task[None]] = set()
        self.cuts = 0
        self.is_calm = False

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[int]:
        """Yield the port on which it is found."""
        server = await asyncio.start_server(self._attend, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.close()
            return
        left = [self._chance.randint(2_000, self._cut_after)]
        pumps = [
            asyncio.create_task(self._pump(reader, there_writer, left)),
            asyncio.create_task(self._pump(there_reader, writer, left)),
        ]
        self._tasks.update(pumps)
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        for one in (writer, there_writer):
            with suppress(OSError):
                one.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: list[int]) -> None:
        with suppress(OSError):
            while data := await reader.read(1024):
                await asyncio.sleep(self._chance.uniform(0, self._slowest))
                left[0] -= len(data)
                if left[0] < 0 and not self.is_calm:
                    self.cuts += 1
                    return
                writer.write(data)
                await writer.drain()
