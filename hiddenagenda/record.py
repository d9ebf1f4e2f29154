"""From the bytes of a file, a paste or a wire to the transcripts in them.

SPEC "Reading a record". There is one way in for all of them. Lines that do not read, or belong to no table, are set
aside with the reason; they accuse nobody: they can be damage, or of a newer version. Nothing is repaired here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from hiddenagenda.faults import Malformed, Sentence, sentence
from hiddenagenda.line import LARGEST, Line, read_line
from hiddenagenda.transcript import Pile, Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A line that is in no transcript, and why."""

    number: int
    """Which line of its file it was, from 1."""
    said: Sentence
    code: str
    data: bytes = field(repr=False)
    """Its bytes, which may hold a slip; of a line that is too long, only the first."""


class Record:
    """A set of lines, of any number of games."""

    def __init__(self, games: dict[str, Pile], unreadable: tuple[Aside, ...]) -> None:
        """Take lines that were gathered by the id of their game, and what was set aside before."""
        self._games = games
        self._unreadable = unreadable

    @cached_property
    def transcripts(self) -> tuple[Transcript, ...]:
        """The games with a table and not over their cap, in the order of their ids."""
        return tuple(
            Transcript(pile)
            for _, pile in sorted(self._games.items())
            if pile.table is not None and not pile.is_too_large
        )

    @property
    def oversized(self) -> tuple[str, ...]:
        """The ids of games that have too many bytes to be looked at."""
        return tuple(sorted(game for game, pile in self._games.items() if pile.is_too_large))

    @cached_property
    def aside(self) -> tuple[Aside, ...]:
        """The lines that belong to no transcript, in the order of their files."""
        foreign = [
            Aside(
                number=line.number,
                said=sentence("the table {game} of its game is not in these lines", game=game),
                code="no-table",
                data=line.data,
            )
            for game, pile in self._games.items()
            if pile.table is None and not pile.is_too_large
            for line in pile.lines.values()
        ]
        return tuple(sorted([*self._unreadable, *foreign], key=lambda one: one.number))

    @property
    def strays(self) -> tuple[Line, ...]:
        """The lines of games whose table is not here, once for each signature."""
        piles = (pile for pile in self._games.values() if pile.table is None and not pile.is_too_large)
        return tuple(line for pile in piles for line in pile.shown())

    def merge(self, other: "Record") -> "Record":
        """Return the record of the lines of both."""
        games: dict[str, Pile] = {}
        for record in (self, other):
            for game, pile in record._games.items():  # noqa: SLF001 - the same class
                games.setdefault(game, Pile()).add_all(pile)
        return Record(games, self._unreadable + other._unreadable)  # noqa: SLF001 - the same class


Source = bytes | Iterable[bytes]
"""A record as bytes: all at once, or in pieces cut anywhere."""


def read_record(source: Source) -> Record:
    """Return the record that ``source`` is.

    Whatever the bytes are, a record comes out; what does not read is in its ``aside``. Lines end at 0x0A only, one
    CR before it is dropped; empty lines are passed over. (SPEC "Reading a record")
    """
    reading = _Reading()
    rest = b""
    for piece in (source,) if isinstance(source, bytes) else source:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            reading.add(line.removesuffix(b"\r"))
        rest = rest[: LARGEST + 2]  # enough to see that it is too long
    reading.add_last(rest)
    return Record(reading.games, tuple(reading.unreadable))


class _Reading:
    """What was read of a record so far."""

    __slots__ = ("games", "number", "unreadable")

    def __init__(self) -> None:
        self.games: dict[str, Pile] = {}
        self.number = 0
        self.unreadable: list[Aside] = []

    def add(self, data: bytes) -> None:
        """Read the next line, whole, without its end."""
        self.number += 1
        if not data:
            return
        try:
            line = read_line(data, self.number)
        except Malformed as error:
            self._set_aside(data, error.said, error.code)
            return
        game = line.game
        pile = self.games.get(game)
        if pile is None:
            pile = self.games[game] = Pile()
        pile.add(line)

    def add_last(self, data: bytes) -> None:
        """Read what follows the last newline: it counts if it reads, else it was torn while it was written."""
        known = len(self.unreadable)
        self.add(data)
        if len(self.unreadable) > known:
            self.unreadable.pop()
            self._set_aside(data, sentence("the last line is torn: it has no end and does not read"), "torn")

    def _set_aside(self, data: bytes, said: Sentence, code: str) -> None:
        self.unreadable.append(Aside(number=self.number, said=said, code=code, data=data[: LARGEST + 1]))
