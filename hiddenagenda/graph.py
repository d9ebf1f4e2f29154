"""Which entries of a game are complete, and in which order they stand.

SPEC "The record". An entry is complete where all it rests on is here and its frame is right; the others dangle, and
accuse nobody by it. Complete entries are numbered in display order: depth, author, id; what an entry rests on has
smaller numbers. No signature is looked at here.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.line import Line

MOST_DOUBLED: Final = 8
"""Commits, and seals, of one author that an entry may rest on; honest clients rest on one."""

ONCE: Final = ("commit", "seal")
"""Types of entry that an author honestly writes once."""


class Flaw(Enum):
    """Why a line dangles."""

    ABSENT = "absent"
    """Something it rests on is not in these lines."""
    BESIDE = "beside"
    """Something it rests on dangles."""
    STRANGER = "stranger"
    """Its author does not sit at the table."""
    SEQ = "seq"
    """Its seq is not one more than the highest own one it rests on."""
    CROWDED = "crowded"
    """It rests on more than ``MOST_DOUBLED`` commits, or seals, of one author."""


_SAID: Final = {
    Flaw.ABSENT: sentence("it rests on an entry that is not in these lines"),
    Flaw.BESIDE: sentence("it rests on an entry that dangles"),
    Flaw.STRANGER: sentence("its author does not sit at this table"),
    Flaw.SEQ: sentence("its seq is not the next one of its author"),
    Flaw.CROWDED: sentence("it rests on too many commits or seals of one author"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dangling:
    """A line that has no place in the order, why, and the ids of what is missing for it."""

    line: Line
    flaw: Flaw
    missing: tuple[str, ...] = ()

    @property
    def said(self) -> Sentence:
        """The reason in words."""
        return _SAID[self.flaw]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """The complete entries of one game as columns, all in display order; the table is number 0."""

    nodes: Sequence[Line]
    parents: Sequence[tuple[int, ...]]
    """Numbers of what each entry rests on directly; one that another of them rests on may be left out."""
    depths: Sequence[int]
    """Length of the longest path from the table."""
    seats: Sequence[int]
    """The author of each entry, as a place in the roster."""
    tops: Sequence[Sequence[int]]
    """For each entry and each place in the roster: the highest seq in the entry's closure, itself included."""
    chains: Sequence[Sequence[int]]
    """For each place in the roster: the numbers of this author's entries."""
    index: dict[str, int]
    """The number of each id."""
    dangling: tuple[Dangling, ...]
    """By author, seq and id."""

    def is_forked(self, seat: int) -> bool:
        """Tell whether this author has two complete entries of one seq."""
        chain = self.chains[seat]
        return bool(chain) and self.nodes[chain[-1]].entry.seq != len(chain)

    def closure(self, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of these entries and all that they rest on, ascending."""
        reached: set[int] = set()
        self.walk(numbers, reached)
        return sorted(reached)

    def walk(self, numbers: Iterable[int], reached: set[int]) -> list[int]:
        """Add these entries and all that they rest on to ``reached``; return those that were not in it.

        Nothing is looked for beyond what was reached before, so that several walks take the time of one.
        """
        parents = self.parents
        new = list(set(numbers) - reached)
        reached.update(new)
        for number in new:  # grows meanwhile
            for parent in parents[number]:
                if parent not in reached:
                    reached.add(parent)
                    new.append(parent)
        return new

    def covers(self, later: int, earlier: int) -> bool:
        """Tell whether ``earlier`` is ``later`` or something that it rests on."""
        seat = self.seats[earlier]
        if self.tops[later][seat] < self.nodes[earlier].entry.seq:
            return False
        return not self.is_forked(seat) or earlier in self.closure((later,))


def link(table: Line, roster: Sequence[str], lines: Mapping[str, Line]) -> Graph:
    """Put the lines of one game, by id, into their order; the table is one of them, ``roster`` the keys at it.

    Takes time in proportion to the number of parents that the entries name.
    """
    linker = _Linker(table, roster, lines)
    for line in lines.values():
        if line is not table:
            linker.add(line)
    return linker.finish()


class _Linker:
    """The columns of a graph while entries arrive, numbered in order of arrival."""

    def __init__(self, table: Line, roster: Sequence[str], known: Mapping[str, Line]) -> None:
        self._known = known
        self._places = {key: place for place, key in enumerate(roster)}
        self._nodes: list[Line] = []
        self._parents: list[tuple[int, ...]] = []
        self._depths: list[int] = []
        self._seats: list[int] = []
        self._tops: list[array[int]] = []
        self._chains: list[list[int]] = [[] for _ in roster]
        self._index: dict[str, int] = {}
        self._highest = [0] * len(roster)
        self._forked: set[tuple[int, int]] = set()  # seat and seq, where there are two
        self._doubled: list[tuple[int, ...]] = []  # for each entry the commits and seals in its closure
        self._full: set[int] = set()  # entries whose closure holds too many of those
        self._waiting: dict[str, list[Line]] = {}  # lines by one id that they lack
        self._flawed: list[Dangling] = []
        self._ascending = True
        self._append(table, self._places[table.entry.author], (), 0, array("H", [0] * len(roster)), ())

    def add(self, line: Line) -> None:
        """Place a line and all that waited for it alone."""
        if not self._place(line) or line.id not in self._waiting:
            return
        ready = self._waiting.pop(line.id)
        while ready:
            line = ready.pop()
            if self._place(line):
                ready += self._waiting.pop(line.id, ())

    def finish(self) -> Graph:
        """Return the columns in display order."""
        nodes, depths = self._nodes, self._depths
        dangling = self._flawed + [self._lacking(line) for lines in self._waiting.values() for line in lines]
        dangling.sort(key=lambda one: (one.line.entry.author, one.line.entry.seq, one.line.id))
        if not self._ascending:
            places = [(depth, line.entry.author, line.id) for depth, line in zip(depths, nodes, strict=True)]
            order = sorted(range(len(nodes)), key=places.__getitem__)
            return self._renumbered(order, tuple(dangling))
        return Graph(
            nodes=nodes,
            parents=self._parents,
            depths=depths,
            seats=self._seats,
            tops=self._tops,
            chains=self._chains,
            index=self._index,
            dangling=tuple(dangling),
        )

    def _renumbered(self, order: list[int], dangling: tuple[Dangling, ...]) -> Graph:
        numbers = [0] * len(order)
        for number, arrival in enumerate(order):
            numbers[arrival] = number
        nodes = [self._nodes[arrival] for arrival in order]
        return Graph(
            nodes=nodes,
            parents=[_numbered(self._parents[arrival], numbers) for arrival in order],
            depths=[self._depths[arrival] for arrival in order],
            seats=[self._seats[arrival] for arrival in order],
            tops=[self._tops[arrival] for arrival in order],
            chains=[sorted([numbers[arrival] for arrival in chain]) for chain in self._chains],
            index={line.id: number for number, line in enumerate(nodes)},
            dangling=dangling,
        )

    def _place(self, line: Line) -> bool:
        entry = line.entry
        seat = self._places.get(entry.author)
        if seat is None:
            self._flawed.append(Dangling(line=line, flaw=Flaw.STRANGER))
            return False
        index, depths = self._index, self._depths
        parents = []
        depth, deepest = -1, -1
        for parent in entry.parents:
            number = index.get(parent)
            if number is None:
                self._waiting.setdefault(parent, []).append(line)
                return False
            if depths[number] > depth:
                depth, deepest = depths[number], number
            parents.append(number)
        if len(parents) > 1:
            parents = self._reduced(parents, deepest)
        tops = self._tops[deepest]
        doubled = self._doubled[deepest]
        crowded = bool(self._full) and not self._full.isdisjoint(parents)
        if len(parents) > 1:
            tops = array("H", map(max, *[self._tops[number] for number in parents]))
            joined = self._joined(parents)
            crowded = crowded or (len(joined) > max(len(doubled), MOST_DOUBLED) and self._is_full(joined))
            doubled = joined
        if crowded or entry.seq != tops[seat] + 1:
            self._flawed.append(Dangling(line=line, flaw=Flaw.CROWDED if crowded else Flaw.SEQ))
            return False
        self._append(line, seat, tuple(parents), depth + 1, tops, doubled)
        return True

    def _append(
        self, line: Line, seat: int, parents: tuple[int, ...], depth: int, tops: "array[int]", doubled: tuple[int, ...]
    ) -> None:
        number = len(self._nodes)
        entry = line.entry
        seq = entry.seq
        if seq > self._highest[seat]:
            self._highest[seat] = seq
        else:
            self._forked.add((seat, seq))
        if number and depth <= self._depths[-1] and self._ascending:
            self._ascending = depth == self._depths[-1] and _within_depth(self._nodes[-1]) < _within_depth(line)
        tops = tops[:]
        tops[seat] = seq
        self._chains[seat].append(number)
        self._index[line.id] = number
        self._nodes.append(line)
        self._parents.append(parents)
        self._depths.append(depth)
        self._seats.append(seat)
        self._tops.append(tops)
        if entry.type in ONCE:
            doubled = (*doubled, number)
            if len(doubled) > MOST_DOUBLED and self._is_full(doubled):
                self._full.add(number)
        self._doubled.append(doubled)

    def _reduced(self, parents: list[int], deepest: int) -> list[int]:
        """Leave out what the deepest surely rests on: mostly all others, and then there is nothing to join."""
        tops = self._tops[deepest]
        kept = [deepest]
        for number in parents:
            if number != deepest:
                seat = self._seats[number]
                seq = self._tops[number][seat]
                if seq > tops[seat] or (self._forked and (seat, seq) in self._forked):
                    kept.append(number)
        return kept

    def _joined(self, parents: list[int]) -> tuple[int, ...]:
        """Return all commits and seals in the parents' closures; mostly one parent has them all."""
        most = max([self._doubled[number] for number in parents], key=len)
        every = set(most).union(*[self._doubled[number] for number in parents])
        return most if len(every) == len(most) else tuple(sorted(every))

    def _is_full(self, doubled: tuple[int, ...]) -> bool:
        counts = Counter((self._seats[number], self._nodes[number].entry.type) for number in doubled)
        return max(counts.values()) > MOST_DOUBLED

    def _lacking(self, line: Line) -> Dangling:
        missing = tuple(parent for parent in line.entry.parents if parent not in self._index)
        absent = tuple(parent for parent in missing if parent not in self._known)
        return Dangling(line=line, flaw=Flaw.ABSENT if absent else Flaw.BESIDE, missing=absent or missing)


def _numbered(above: tuple[int, ...], numbers: Sequence[int]) -> tuple[int, ...]:
    if len(above) == 1:
        return (numbers[above[0]],)
    return tuple(sorted([numbers[one] for one in above]))


def _within_depth(line: Line) -> tuple[str, str]:
    return line.entry.author, line.id
