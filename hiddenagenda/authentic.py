"""By which entries their authors stand, and which of them count.

SPEC "The record". A signature covers the closure of what it signs. An entry is authentic where a valid signature of
its own author covers it, grounded where it and all it rests on are. Mostly one signature check an author is enough.
A signature that does not hold accuses nobody: anybody can damage one.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from hiddenagenda.graph import Graph
from hiddenagenda.line import Line
from hiddenagenda.publickey import known_key
from hiddenagenda.sshsig import verifies


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """Two authentic entries of one author and seq: two devices, a restored backup, or a cheat."""

    author: str
    seq: int
    entries: tuple[int, int]
    """Their numbers; where there are more, of the two with the smallest ids, which come in this order."""


@dataclass(frozen=True, slots=True)
class Signatures:
    """All signatures that were shown for the entries of a graph, and what is known of them.

    ``spare`` holds the signatures by id where several were shown. What was verified once is remembered in
    ``known``, which transcripts of one game may share: whether a signature holds depends on nothing else.
    """

    graph: Graph
    spare: Mapping[str, AbstractSet[str]]
    known: dict[tuple[str, str], bool] = field(default_factory=dict)

    def valid(self, number: int) -> str | None:
        """Return the smallest valid signature of an entry by its own author, or None."""
        return self.valid_of(self.graph.nodes[number])

    def valid_of(self, line: Line) -> str | None:
        """Return the smallest valid signature of a line's entry by its own author, or None."""
        shown = self.spare.get(line.id)
        if shown is None:
            return line.signature if self._holds(line, line.signature) else None
        return next((signature for signature in sorted(shown) if self._holds(line, signature)), None)

    def written(self, line: Line) -> Line:
        """Return the line to write for its entry: with a valid signature if there is one, else the smallest."""
        shown = self.spare.get(line.id)
        if shown is None:
            return line
        signature = self.valid_of(line) or min(shown)
        return line if signature == line.signature else line.signed_by(signature)

    def _holds(self, line: Line, signature: str) -> bool:
        question = (line.id, signature)
        answer = self.known.get(question)
        if answer is None:
            public = known_key(line.entry.author)
            answer = self.known[question] = verifies(public, line.raw, bytes.fromhex(signature))
        return answer


def authentic(signatures: Signatures) -> bytes:
    """Return 1 for each entry that a valid signature of its author covers, else 0.

    Verifies the deepest entry of each author, and further ones only where it does not cover them.
    """
    graph = signatures.graph
    flags = bytearray(len(graph.nodes))
    for seat, chain in enumerate(graph.chains):
        if graph.is_forked(seat):
            _mark_forked(signatures, chain, flags)
            continue
        for length in range(len(chain), 0, -1):
            if signatures.valid(chain[length - 1]) is not None:
                for number in chain[:length]:
                    flags[number] = 1
                break
    return bytes(flags)


def _mark_forked(signatures: Signatures, chain: Iterable[int], flags: bytearray) -> None:
    """Mark one author's authentic entries; every entry is walked over once at the most."""
    own = set(chain)
    walked: set[int] = set()
    for tip in sorted(own, reverse=True):
        if tip not in walked and signatures.valid(tip) is not None:
            for number in own.intersection(signatures.graph.walk((tip,), walked)):
                flags[number] = 1


def rested(graph: Graph, flags: bytes) -> bytes:
    """Return 1 for each entry that is flagged together with all it rests on, else 0."""
    if all(flags):
        return flags
    result = bytearray(len(flags))
    for number, parents in enumerate(graph.parents):
        result[number] = flags[number] and all(result[parent] for parent in parents)
    return bytes(result)


def forks(graph: Graph, flags: bytes) -> tuple[Fork, ...]:
    """Return the forks among the flagged entries, by author and seq, one for each."""
    found = []
    for seat, chain in enumerate(graph.chains):
        if not graph.is_forked(seat):
            continue
        branches: dict[int, list[int]] = {}
        for number in chain:
            if flags[number]:
                branches.setdefault(graph.nodes[number].entry.seq, []).append(number)
        for seq, numbers in branches.items():
            if len(numbers) > 1:
                one, other = sorted(numbers, key=lambda number: graph.nodes[number].id)[:2]
                found.append(Fork(author=graph.nodes[one].entry.author, seq=seq, entries=(one, other)))
    return tuple(sorted(found, key=lambda fork: (fork.author, fork.seq)))
