"""A relay: rooms for strangers, of which it knows a name and sees ciphertext.

SPEC "Relays". What one in a room sends goes to all others there, at once and in order, and is kept nowhere. A relay can
drop and delay, and reads and forges nothing. Who sends too fast is read more slowly; who reads too slowly misses frames
and asks for what he missed.
"""

import asyncio
import logging
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from importlib import import_module
from typing import Final

from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from hiddenagenda.edge.addresses import Address, explained_address
from hiddenagenda.frames import LARGEST
from hiddenagenda.pace import Bucket

PING: Final = 20.0
"""Seconds between the pings that keep a connection alive, and in which one must be answered."""
CLOSING: Final = 2.0
"""Seconds that the other side has to answer a goodbye."""

_ROOM: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)*/([0-9a-f]{32})")
_FRAME_COST: Final = 1024
"""Bytes for which a frame counts besides its own, as it is work whatever its size."""

_QUIET: Final = logging.getLogger("hiddenagenda.wire")
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a relay bears. Rates are bytes a second, sizes are bytes; a burst may be four seconds' worth."""

    rooms: int = 4096
    in_room: int = 32
    rate: float = 2.0**20
    """Of one connection."""
    room_rate: float = 2.0**21
    """Of all connections of a room together."""
    unread: int = 2**20
    """How much waits for a connection that reads slowly, before frames for it are dropped."""


_BURST: Final = 4.0


class _Room:
    """The connections of one room."""

    __slots__ = ("bucket", "members")

    def __init__(self, rate: float, now: float) -> None:
        self.members: set[ServerConnection] = set()
        self.bucket = Bucket(_BURST * rate, rate, now)


class Relay:
    """Rooms, and who is in them. ``counts`` says what happened: frames, bytes, dropped, refused."""

    def __init__(self, limits: Limits | None = None, *, only: str | None = None) -> None:
        """Have any rooms, or the one with the name ``only``: a host need not serve strangers."""
        self._limits = limits or Limits()
        self._only = only
        self._rooms: dict[str, _Room] = {}
        self.counts: Final[Counter[str]] = Counter()

    @property
    def rooms(self) -> int:
        """How many rooms somebody is in."""
        return len(self._rooms)

    @asynccontextmanager
    async def serving(self, address: Address) -> AsyncIterator[Address]:
        """Serve as long as the context lasts; yield the address that is served, with its port.

        Everybody is said goodbye to at its end. Raises ``StoreError`` where the address cannot be used.
        """
        with explained_address(address):
            server = await serve(
                self._attend,
                address.host or None,
                address.port,
                process_request=self._admit,
                compression=None,  # what is sealed does not shrink
                max_size=LARGEST,
                max_queue=4,
                ping_interval=PING,
                ping_timeout=PING,
                close_timeout=CLOSING,
                server_header=None,
                logger=_QUIET,
            )
        try:
            yield Address(host=address.host, port=next(iter(server.sockets)).getsockname()[1])
        finally:
            server.close()
            await server.wait_closed()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse what is no room, what comes from a web page, and what is too much."""
        if "Origin" in request.headers:
            return self._refuse(connection, HTTPStatus.FORBIDDEN)
        name = _room_of(request)
        if name is None or self._only not in {None, name}:
            return self._refuse(connection, HTTPStatus.NOT_FOUND)
        if self._is_full(name):
            return self._refuse(connection, HTTPStatus.SERVICE_UNAVAILABLE)
        return None

    def _refuse(self, connection: ServerConnection, status: HTTPStatus) -> Response:
        self.counts["refused"] += 1
        return connection.respond(status, status.phrase + "\n")

    def _is_full(self, name: str) -> bool:
        room = self._rooms.get(name)
        return len(self._rooms) >= self._limits.rooms if room is None else len(room.members) >= self._limits.in_room

    async def _attend(self, connection: ServerConnection) -> None:
        name = _room_of(connection.request)
        if name is None or self._is_full(name):  # it may have filled up during the handshake
            return
        loop = asyncio.get_running_loop()
        room = self._rooms.setdefault(name, _Room(self._limits.room_rate, loop.time()))
        room.members.add(connection)
        bucket = Bucket(_BURST * self._limits.rate, self._limits.rate, loop.time())
        try:
            with suppress(ConnectionClosed):
                async for frame in connection:
                    cost = len(frame) + _FRAME_COST
                    pause = max(bucket.debt(loop.time(), cost), room.bucket.debt(loop.time(), cost))
                    if pause:
                        await asyncio.sleep(pause)
                    if isinstance(frame, bytes):
                        self._pass_on(frame, connection, room)
                    else:
                        self.counts["refused"] += 1
        finally:
            room.members.discard(connection)
            if not room.members:
                self._rooms.pop(name, None)

    def _pass_on(self, frame: bytes, sender: ServerConnection, room: _Room) -> None:
        unread = self._limits.unread
        others = [other for other in room.members if other is not sender]
        able = [other for other in others if other.transport.get_write_buffer_size() <= unread]
        broadcast(able, frame)
        self.counts["frames"] += 1
        self.counts["bytes"] += len(frame)
        self.counts["dropped"] += len(others) - len(able)


def raise_file_limit() -> None:
    """Let this process have as many connections as the system allows it, where it can say so."""
    with suppress(ImportError, OSError, ValueError):
        resource = import_module("resource")
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _room_of(request: Request | None) -> str | None:
    match = _ROOM.fullmatch(request.path) if request else None
    return match[1] if match else None
