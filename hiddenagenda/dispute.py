"""Several people's records of one game, compared: who shows what, where the stories part, and what follows.

SPEC "Disputes". The verdict is that on all lines together. A record that lacks lines accuses nobody by it: what can be
said is which, whether its own lines rest on them, and what they change. Of a fork it is said which record shows which
half, never which half came first. Each finding comes with lines that prove it alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.graph import Graph
from hiddenagenda.record import Record, read_record
from hiddenagenda.rulebook import Edition
from hiddenagenda.sides import Compared, Side, judge_sides
from hiddenagenda.sshexport import Export, export
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Finding, Verdict
from hiddenagenda.verifier import MOST_PROVEN, judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """An entry that a record lacks, and who must have known it."""

    entry: str
    """Its id."""
    author: str
    """Whose it is, as a key."""
    seq: int
    known_to: tuple[str, ...]
    """Whose lines in the record rest on it, as keys in turn order: they had it when they signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What one record holds of the game."""

    name: str
    """As the caller calls the record."""
    entries: int
    """Entries that it shows, of those that are complete in all records together."""
    missing: tuple[Missing, ...]
    """What others show and it does not, in display order."""
    alone: Verdict
    """The verdict that this record would get without the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """One of two entries in the same place, the names of the records that show it, and how much rests on it."""

    entry: str
    shown_by: tuple[str, ...]
    resting: int
    """Entries that rest on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A fork: two entries that one author signed in one place."""

    author: str
    seq: int
    halves: tuple[Half, Half]
    after: str | None
    """The author's entry before, up to which there is one story; None where the fork begins with his first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """One finding, and lines that prove it to somebody who has nothing else."""

    name: str
    """Fit for a directory: made of ours alone."""
    finding: Finding
    lines: bytes
    """A record in which the finding is made, and hardly anything more than it needs."""
    files: Export
    """The same as files that ``sha256sum`` and ``ssh-keygen`` check."""


@dataclass(frozen=True, kw_only=True)
class Dispute:
    """One game as several records tell it."""

    verdict: Verdict
    """On all lines together."""
    transcript: Transcript
    accounts: tuple[Account, ...]
    splits: tuple[Split, ...]
    """The first forks of each author, as many as have a proof; the others are findings all the same."""
    parting: str | None
    """The first entry, in display order, that not all records show; None where all show the same."""

    @cached_property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """The findings that have a proof, with it, in the order of the verdict."""
        proven = Counter[str]()
        exhibits = []
        for number, finding in enumerate(self.verdict.findings, start=1):
            proven[finding.author] += 1
            if proven[finding.author] <= MOST_PROVEN:
                exhibits.append(_exhibit(self.transcript, number, finding))
        return tuple(exhibits)


def compare(
    records: Mapping[str, Record], *, edition: Edition | None = None, names: Catalogue | None = None
) -> tuple[Dispute, ...]:
    """Return what is to be said of each game in ``records``, which are given by name, in the order of the games' ids.

    Games without a readable table are left out. Raises ``TooLarge`` for a game over its cap, ``ValueError`` where there
    are no records.
    """
    return tuple(
        _dispute(compared, compared.transcript, records, edition, names)
        for compared in judge_sides(records, edition=edition, names=names)
        if compared.transcript is not None
    )


def _dispute(
    compared: Compared,
    whole: Transcript,
    records: Mapping[str, Record],
    edition: Edition | None,
    names: Catalogue | None,
) -> Dispute:
    sides = {side.name: _transcript(records[side.name], whole.game) for side in compared.sides}
    accounts = tuple(
        Account(
            name=side.name,
            entries=len(whole.graph.nodes) - len(side.lacks),
            missing=tuple(_missing(whole, sides[side.name], side)),
            alone=judge(sides[side.name], edition=edition, names=names),
        )
        for side in compared.sides
    )
    index = whole.graph.index
    apart = {index[one.entry] for side in compared.sides for one in side.lacks}
    return Dispute(
        verdict=compared.verdict,
        transcript=whole,
        accounts=accounts,
        splits=tuple(_splits(whole, compared.sides)),
        parting=whole.graph.nodes[min(apart)].id if apart else None,
    )


def _transcript(record: Record, game: str) -> Transcript:
    return next(transcript for transcript in record.transcripts if transcript.game == game)


def _missing(whole: Transcript, side: Transcript, lacking: Side) -> Iterator[Missing]:
    graph = whole.graph
    known = _known(whole, side) if any(one.known for one in lacking.lacks) else ()
    for one in lacking.lacks:
        number = graph.index[one.entry]
        knowing = known[number] & ~(1 << graph.seats[number]) if known else 0
        yield Missing(
            entry=one.entry,
            author=one.author,
            seq=graph.nodes[number].entry.seq,
            known_to=tuple(key for seat, key in enumerate(whole.roster) if knowing >> seat & 1),
        )


def _known(whole: Transcript, side: Transcript) -> Sequence[int]:
    """Return for each entry of all, as bits, whose lines that dangle on this side rest on it.

    Only lines that count are asked: anybody can forge one that rests on whatever he likes.
    """
    graph = whole.graph
    known = [0] * len(graph.nodes)
    for dangling in side.dangling:
        number = graph.index.get(dangling.line.id)
        if number is not None and whole.grounded[number]:
            known[number] = 1 << graph.seats[number]
    for number in range(len(known) - 1, 0, -1):
        for parent in graph.parents[number]:
            known[parent] |= known[number]
    return known


def _splits(whole: Transcript, sides: tuple[Side, ...]) -> Iterator[Split]:
    graph = whole.graph
    lacking = {side.name: {one.entry for one in side.lacks} for side in sides}
    told = Counter[str]()
    for fork in whole.forks:
        told[fork.author] += 1
        if told[fork.author] > MOST_PROVEN:  # each is looked for in the whole graph
            continue
        one, other = (
            Half(
                entry=graph.nodes[number].id,
                shown_by=tuple(name for name, lacks in lacking.items() if graph.nodes[number].id not in lacks),
                resting=_resting(graph, number),
            )
            for number in fork.entries
        )
        own = set(graph.chains[graph.seats[fork.entries[0]]])
        shared = own.intersection(*(graph.closure((number,)) for number in fork.entries))
        after = graph.nodes[max(shared)].id if shared else None
        yield Split(author=fork.author, seq=fork.seq, halves=(one, other), after=after)


def _resting(graph: Graph, number: int) -> int:
    """Return how many entries rest on one."""
    resting = {number}
    for later in range(number + 1, len(graph.nodes)):
        if not resting.isdisjoint(graph.parents[later]):
            resting.add(later)
    return len(resting) - 1


def _exhibit(whole: Transcript, number: int, finding: Finding) -> Exhibit:
    graph = whole.graph
    lines = whole.write(graph.closure(graph.index[entry] for entry in finding.entries))
    (transcript,) = read_record(lines).transcripts
    return Exhibit(name=f"{number:02}-{finding.code.value}", finding=finding, lines=lines, files=export(transcript))
