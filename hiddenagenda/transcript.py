"""The set of entries of one game: their order, heads, what is authentic, what is missing.

SPEC "The record". A transcript is a function of a set of lines, in whatever order and however often they came, with
whatever bad signatures between them; two of one game become one by union. It is a value: adding lines makes another.
What the entries mean is for the law to say.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hiddenagenda.authentic import Fork, Signatures, authentic, forks, rested
from hiddenagenda.faults import TooLarge, sentence
from hiddenagenda.graph import Dangling, Flaw, link
from hiddenagenda.line import FRAME_SIZE, Line
from hiddenagenda.table import Table

LARGEST: Final = 64 * 2**20
"""Bytes of the different lines of one game at the most; over it there is no verdict."""
_OWN_SHARE: Final = 64
"""One part of so many is what a player's client keeps free for its own lines."""


class Pile:
    """The lines shown for one game while they are gathered: each id once, and all its signatures."""

    __slots__ = ("lines", "size", "spare", "table")

    def __init__(self) -> None:
        self.lines: dict[str, Line] = {}
        self.spare: dict[str, set[str]] = {}
        """All signatures by id, where there are several."""
        self.size = 0
        """Bytes of the different lines; over ``LARGEST`` no more are taken in."""
        self.table: Line | None = None

    @property
    def is_too_large(self) -> bool:
        """Whether this game gets no transcript."""
        return self.size > LARGEST

    def add(self, line: Line) -> None:
        """Take in one line of this game."""
        if self.table is None and type(line.entry.body) is Table:
            self.table = line
        if self.is_too_large:
            return
        known = self.lines.setdefault(line.id, line)
        if known is not line:
            shown = self.spare.get(line.id) or {known.signature}
            if line.signature in shown:
                return
            shown.add(line.signature)
            self.spare[line.id] = shown
        self.size += len(line.raw) + FRAME_SIZE

    def copy(self) -> "Pile":
        """Return another one that holds the same."""
        copied = Pile()
        copied.lines = self.lines.copy()
        copied.spare = {name: shown.copy() for name, shown in self.spare.items()}
        copied.size, copied.table = self.size, self.table
        return copied

    def add_all(self, other: "Pile") -> None:
        """Take in all lines of ``other``."""
        for line in other.shown():
            self.add(line)

    def shown(self) -> list[Line]:
        """Return the lines, once for each signature."""
        others = (
            self.lines[name].signed_by(signature)
            for name, signatures in self.spare.items()
            for signature in sorted(signatures - {self.lines[name].signature})
        )
        return [*self.lines.values(), *others]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """What one transcript of a game has and another has not."""

    new: tuple[str, ...]
    """Ids of entries, those that dangle too."""
    forks: tuple[Fork, ...]
    dangling: tuple[Dangling, ...]


class Transcript:
    """All that is known of one game. Entries go by their numbers in ``graph``: in display order, the table's is 0."""

    def __init__(self, pile: Pile, known: dict[tuple[str, str], bool] | None = None) -> None:
        """Link the lines of ``pile``, which holds a table and is not changed any more.

        ``known`` are answers of an earlier transcript of the same game. Raises ``TooLarge`` over ``LARGEST`` bytes,
        ``ValueError`` without a table.
        """
        line = pile.table
        if line is None or not isinstance(line.entry.body, Table):
            msg = "a transcript needs a table"
            raise ValueError(msg)
        if pile.is_too_large:
            raise TooLarge(
                sentence("the game {game} has more than {limit} bytes of entries", game=line.id, limit=LARGEST),
                code="too-large",
            )
        self._pile = pile
        self.game: Final = line.id
        self.table: Final = line.entry.body
        self.roster: Final = self.table.roster
        self.graph: Final = link(line, self.roster, pile.lines)
        self.signatures: Final = Signatures(self.graph, pile.spare, {} if known is None else known)

    @property
    def dangling(self) -> tuple[Dangling, ...]:
        """The lines of this game that are not complete."""
        return self.graph.dangling

    @property
    def is_nearly_full(self) -> bool:
        """Whether a player should take in no more: else others' lines leave no room for those that end the own game."""
        return self._pile.size > LARGEST - LARGEST // _OWN_SHARE

    @property
    def lines(self) -> tuple[Line, ...]:
        """A line for each entry, in display order, those that dangle last."""
        return (*self.graph.nodes, *(one.line for one in self.dangling))

    @cached_property
    def authentic(self) -> bytes:
        """1 for each entry by which its author stands."""
        return authentic(self.signatures)

    @cached_property
    def grounded(self) -> bytes:
        """1 for each entry that counts: it and all it rests on are authentic."""
        return rested(self.graph, self.authentic)

    @cached_property
    def held(self) -> bytes:
        """1 for each entry that a client may sign over.

        It and all it rests on are here with a valid signature of their own. Verifies every signature, each once.
        """
        valid = self.signatures.valid
        return rested(self.graph, bytes([valid(number) is not None for number in range(len(self.graph.nodes))]))

    @cached_property
    def forks(self) -> tuple[Fork, ...]:
        """The forks among the authentic entries, by author and seq."""
        return forks(self.graph, self.authentic)

    def heads(self, among: bytes) -> list[int]:
        """Return the entries of ``among`` (``grounded`` or ``held``) on which no other of them rests."""
        open_ended = bytearray(among)
        for number, parents in enumerate(self.graph.parents):
            if among[number]:
                for parent in parents:
                    open_ended[parent] = 0
        return [number for number, flag in enumerate(open_ended) if flag]

    def chain(self, author: str) -> Sequence[int]:
        """Return this author's complete entries; the last is the newest. Raises ``ValueError`` for a stranger."""
        return self.graph.chains[self.roster.index(author)]

    def unsettled(self, author: str) -> list[Line]:
        """Return the author's validly signed lines that are not grounded here: they occupy their seq all the same."""
        graph = self.graph
        lines = [graph.nodes[number] for number in self.chain(author) if not self.grounded[number]]
        lines += [one.line for one in graph.dangling if one.line.entry.author == author]
        return [line for line in lines if self.signatures.valid_of(line) is not None]

    def unseen(self, readers: Collection[str]) -> list[int]:
        """Return the validly signed entries that one of ``readers`` (keys) may lack: his newest does not rest on them.

        What others say in a reader's name shows nothing of what he has.
        """
        graph, held, valid = self.graph, self.held, self.signatures.valid
        lacking: set[int] = set()
        for reader in readers:
            newest = [number for number in self.chain(reader) if held[number]][-1:]
            lacking.update(set(range(len(held))).difference(graph.closure(newest)))
        return sorted(number for number in lacking if valid(number) is not None)

    def write(self, numbers: Iterable[int] | None = None) -> bytes:
        """Return lines in display order, each with a newline and one signature: a valid one if there is one.

        ``numbers`` chooses the entries, e.g. a closure. By default all are written that are grounded or validly
        signed, with what they rest on (without it they would dangle and cover nothing), and after them the validly
        signed lines that dangle.
        """
        nodes, signatures = self.graph.nodes, self.signatures
        if numbers is None:
            numbers = self.worth_writing()
            dangling = [one.line for one in self.graph.dangling if one.flaw is not Flaw.STRANGER]
        else:
            dangling = []
        lines = [nodes[number] for number in sorted(numbers)]
        lines += [line for line in dangling if signatures.valid_of(line) is not None]
        return b"".join([signatures.written(line).data + b"\n" for line in lines])

    def worth_writing(self) -> Sequence[int]:
        """Return the entries that are grounded or validly signed, with what they rest on."""
        grounded, valid = self.grounded, self.signatures.valid
        if all(grounded):
            return range(len(grounded))
        chosen = (number for number, flag in enumerate(grounded) if flag or valid(number) is not None)
        return self.graph.closure(chosen)

    def add(self, lines: Iterable[Line]) -> "Transcript":
        """Return the transcript of these lines too; those of other games are passed over. Raises ``TooLarge``."""
        pile = self._pile.copy()
        for line in lines:
            if line.game == self.game:
                pile.add(line)
        return Transcript(pile, self.signatures.known)

    def gained_over(self, before: "Transcript") -> Gain:
        """Return what this transcript has and ``before``, an earlier one of the game, has not."""
        lines, old = self._pile.lines, before._pile.lines  # noqa: SLF001 - the same class
        known = {(fork.author, fork.seq) for fork in before.forks}  # their entries have other numbers here
        return Gain(
            new=tuple(name for name in lines if name not in old),
            forks=tuple(fork for fork in self.forks if (fork.author, fork.seq) not in known),
            dangling=tuple(one for one in self.dangling if one.line.id not in old),
        )

    def __eq__(self, other: object) -> bool:
        """Tell whether both hold the same lines."""
        if not isinstance(other, Transcript):
            return NotImplemented
        return self._lines() == other._lines()

    def __hash__(self) -> int:
        return hash(self.game)

    def _lines(self) -> dict[str, set[str]]:
        spare = self._pile.spare
        return {name: spare.get(name) or {line.signature} for name, line in self._pile.lines.items()}
