"""Packed files that are read along while their games are judged, and put down unpacked where that will not do.

SPEC "Audits". Mostly the games of a packed file come one after the other, and it is unpacked along with them. Where the
lines of a game lie far from each other, it is unpacked into a temporary file at the first step back.
"""

# Paths are texts here, as everywhere beside the disk.
# ruff: noqa: SIM115

import tempfile
from collections import OrderedDict
from contextlib import ExitStack
from typing import IO, Final, Self

from hiddenagenda.edge.unpacking import BLOCK, DAMAGES, Place, unpacked

_MOST: Final = 8
"""Packed files that are open at once."""


class Streams:
    """Packed places, each read from its beginning to its end, or from a temporary file. A context."""

    def __init__(self) -> None:
        self._along: OrderedDict[tuple[str, str], _Along] = OrderedDict()
        self._put_down: dict[tuple[str, str], IO[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for along in self._along.values():
            along.close()
        for file in self._put_down.values():
            file.close()

    def read(self, place: Place, start: int, size: int) -> bytes:
        """Return bytes of what a place unpacks to; fewer where it ends before, or is damaged now."""
        known = (place.path, place.member)
        if known in self._put_down:
            return _from_file(self._put_down[known], start, size)
        along = self._along.get(known)
        try:
            if along is None:
                along = self._along[known] = _Along(place)
            elif along.here > start:
                self._put_down[known] = _temporary(place)
                self._along.pop(known).close()
                return _from_file(self._put_down[known], start, size)
            self._along.move_to_end(known)
            while len(self._along) > _MOST:
                self._along.popitem(last=False)[1].close()
            return along.read(start, size)
        except DAMAGES:
            return b""


class _Along:
    """One packed place, unpacked as far as it was asked for."""

    def __init__(self, place: Place) -> None:
        self._stack = ExitStack()
        self._stream = self._stack.enter_context(unpacked(place))
        self.here = 0

    def read(self, start: int, size: int) -> bytes:
        while self.here < start and (passed := self._stream.read(min(BLOCK, start - self.here))):
            self.here += len(passed)
        pieces = []
        while size and (piece := self._stream.read(min(BLOCK, size))):
            pieces.append(piece)
            size -= len(piece)
            self.here += len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        self._stack.close()


def _temporary(place: Place) -> IO[bytes]:
    file = tempfile.TemporaryFile(prefix="hiddenagenda-")
    with unpacked(place) as stream:
        while block := stream.read(BLOCK):
            file.write(block)
    return file


def _from_file(file: IO[bytes], start: int, size: int) -> bytes:
    file.seek(start)
    return file.read(size)
