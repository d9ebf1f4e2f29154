"""A stretch of bytes looked through line by line: which games lie where.

SPEC "Audits". Nothing is held in memory but one block; a line over its cap is passed over as fast as it can be read.
Which game a line belongs to is only looked up here, where canonical lines have it: whether a line reads is for the
record to say.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from hiddenagenda.edge.unpacking import Place
from hiddenagenda.line import LARGEST
from hiddenagenda.shape import HEX_DIGITS

RANGE: Final = 2**24
"""Bytes that are looked through at once."""

_PARENTS: Final = b'","parents":["'
_FAR: Final = 3_000
"""Bytes at the end of a line in which its parents begin."""
_ENTRY: Final = b'{"entry":'
_TABLE: Final = b',"type":"table"}'
_END: Final = len(b',"signature":""}') + 128
_LONGEST: Final = LARGEST + 2


@dataclass(frozen=True, slots=True)
class Group:
    """Lines of one game that follow each other, with what does not read between them."""

    game: bytes | None
    """64 hex digits; None for lines before the first of any game."""
    start: int
    size: int
    line: int
    """Number of the first line, from 1."""
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some of the groups of a place, in their order; lines are counted from the part's first."""

    place: Place
    groups: tuple[Group, ...]
    attempts: int
    """Lines of no game that begin as lines of a record do."""


def look(place: Place, blocks: Iterable[bytes], start: int) -> Iterator[Part]:
    """Look through lines, in blocks cut anywhere, of which the first begins at ``start``; yield one part at least.

    No part holds more than some ``RANGE`` bytes.
    """
    looking = _Looking(start)
    for block in blocks:
        looking.feed(block)
        if looking.size >= RANGE:
            yield looking.part(place)
    looking.end()
    yield looking.part(place)


class _Looking:
    """Groups of lines, as far as they were read and not yet given out."""

    def __init__(self, start: int) -> None:
        self._groups: list[Group] = []
        self._attempts = 0
        self._first = self._start = self._here = start
        self._number = 0
        self._line = 1
        self._game: bytes | None = None
        self._rest = b""
        self._dropped = 0

    @property
    def size(self) -> int:
        """Bytes of the lines that were read to their end."""
        return self._here - self._first

    def feed(self, block: bytes) -> None:
        """Read on."""
        *lines, rest = (self._rest + block).split(b"\n")
        for line in lines:
            self._look(line, len(line) + 1 + self._dropped)
            self._dropped = 0
        if len(rest) > _LONGEST:
            self._dropped += len(rest) - _LONGEST
            rest = rest[:_LONGEST]
        self._rest = rest

    def end(self) -> None:
        """Take what follows the last newline for a line."""
        if self._rest:
            self._look(self._rest, len(self._rest) + self._dropped)

    def part(self, place: Place) -> Part:
        """Give out what was found; the last group may go on in the next part."""
        if self._here > self._start:
            self._put_down()
        part = Part(place=place, groups=tuple(self._groups), attempts=self._attempts)
        self._groups = []
        self._attempts = self._number = 0
        self._first, self._line = self._here, 1
        return part

    def _look(self, line: bytes, size: int) -> None:
        at = line.rfind(_PARENTS, -_FAR)
        game = line[at - 64 : at] if at > 64 else self._of_table(line)
        if game != self._game and game is not None and len(game) == 64 and not game.translate(None, HEX_DIGITS):
            if self._here > self._start:
                self._put_down()
            self._game = game
        self._number += 1
        self._here += size

    def _of_table(self, line: bytes) -> bytes | None:
        line = line.removesuffix(b"\r")
        if line[-_END - len(_TABLE) : -_END] == _TABLE:
            return sha256(line[len(_ENTRY) : -_END]).hexdigest().encode()
        self._attempts += line.startswith(_ENTRY)
        return None

    def _put_down(self) -> None:
        size, lines = self._here - self._start, self._number + 1 - self._line
        self._groups.append(Group(self._game, self._start, size, self._line, lines))
        self._start, self._line = self._here, self._number + 1
