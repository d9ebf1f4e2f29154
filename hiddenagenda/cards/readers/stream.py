"""What a reader reads from: anything that gives bytes, with a look ahead and a cap on all of it.

SPEC "Names". Stops before a small file that unpacks to a huge one fills a disk.
"""

from typing import Final, Protocol

from hiddenagenda.faults import TooLarge, sentence

PIECE: Final = 1 << 16
"""Bytes read at a time."""
MOST: Final = 16 << 30
"""Bytes of a file, unpacked, at the most: several times what the largest list of cards has."""
LONGEST: Final = 1 << 24
"""Bytes of one value in a file at the most."""


class Bytes(Protocol):
    """Anything with the ``read`` of a binary file."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to ``size`` bytes, none at the end."""
        ...


class Peekable:
    """A stream whose beginning can be looked at before it is read, and that ends with ``TooLarge`` beyond a cap."""

    def __init__(self, source: Bytes, most: int = MOST) -> None:
        self._source = source
        self._ahead = b""
        self._left = most

    def peek(self, size: int) -> bytes:
        """Return the next ``size`` bytes, or all there are, without taking them."""
        while len(self._ahead) < size and (piece := self._source.read(size - len(self._ahead))):
            self._ahead += piece
        return self._ahead[:size]

    def read(self, size: int = PIECE, /) -> bytes:
        """Return up to ``size`` bytes, none at the end. Raises ``TooLarge`` beyond the cap."""
        piece, self._ahead = self._ahead[:size], self._ahead[size:]
        piece = piece or self._source.read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise TooLarge(sentence("the file is far larger than any list of cards"), code="too-large")
        return piece

    def skip(self, start: bytes) -> None:
        """Take ``start`` off, where the stream begins with it."""
        if self.peek(len(start)) == start:
            self._ahead = self._ahead[len(start) :]
