"""The lines of one game that a peer holds, how it says so in few bytes, and what another one lacks.

SPEC "What a peer holds". An author's validly signed entries are held, and besides them only what a signed entry rests
on. All is bounded by author, so that nobody can fill the room of another. What the entries say is not looked at.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from hmac import compare_digest
from itertools import takewhile
from typing import Final

from hiddenagenda.line import Line
from hiddenagenda.messages import MOST_FURTHER, Known, Tally
from hiddenagenda.publickey import PublicKey
from hiddenagenda.sshsig import verifies
from hiddenagenda.table import Table
from hiddenagenda.transcript import LARGEST

MOST_TWINS: Final = 8
"""Entries of an author, in places of the chain that are taken, that are held although nothing rests on them."""
MOST_DAMAGED: Final = 256
"""Entries without a valid signature that are held because a signed entry rests on them."""

_START: Final = 16
"""Hex digits by which ids and digests go in messages."""


class Added(Enum):
    """What came of a line."""

    NEW = "new"
    MENDED = "mended"
    """It was here under a signature that does not hold."""
    KNOWN = "known"
    STRANGE = "strange"
    """It is of another game, or its author does not sit at the table."""
    UNSIGNED = "unsigned"
    SURPLUS = "surplus"
    """No room is left for what this author says."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Held:
    seq: int
    id: str
    damaged: bool
    arrival: int


class _Chain:
    """What is held of one author."""

    def __init__(self, key: str) -> None:
        self.public: Final = PublicKey.from_hex(key)
        self.held: dict[str, _Held] = {}
        self.size = 0
        self.twins = 0
        self._seqs: dict[int, int] = {}
        self._order: list[_Held] | None = None
        self._digests: list[str] = []

    def put(self, line: Line, arrival: int, *, damaged: bool) -> None:
        """Hold a line that is not held yet, or under a damaged signature."""
        seq = line.entry.seq
        if line.id not in self.held:
            self._seqs[seq] = self._seqs.get(seq, 0) + 1
            self.twins += self._seqs[seq] > 1
        self.held[line.id] = _Held(seq=seq, id=line.id, damaged=damaged, arrival=arrival)
        self._order = None

    def is_taken(self, seq: int) -> bool:
        return seq in self._seqs

    def is_doubled(self, seq: int) -> bool:
        return self._seqs[seq] > 1

    @property
    def order(self) -> Sequence[_Held]:
        """All that is held, by seq and id."""
        if self._order is None:
            self._order = sorted(self.held.values())
            self._digests = list(_digests(self._order))
        return self._order

    def digest(self, count: int) -> str:
        """Return the digest over the first ``count`` of ``order``, shortened."""
        assert count <= len(self.order)  # noqa: S101 - whoever asks has looked
        return self._digests[count]

    @property
    def prefix(self) -> int:
        """How many entries from the first on are here, signed, one in each place of the chain."""
        return sum(
            1
            for _ in takewhile(
                lambda pair: pair[1].seq == pair[0] and not pair[1].damaged and self._seqs[pair[0]] == 1,
                enumerate(self.order, start=1),
            )
        )


def _digests(order: Iterable[_Held]) -> Iterator[str]:
    running = sha256()
    yield running.hexdigest()[:_START]
    for one in order:
        running.update(bytes.fromhex(one.id) + bytes([one.damaged]))
        yield running.copy().hexdigest()[:_START]


class Holdings:
    """The lines of the game that ``table`` (its line) begins."""

    def __init__(self, table: Line) -> None:
        """Begin with the table alone. Raises ``ValueError`` for another line."""
        if not isinstance(table.entry.body, Table):
            msg = "a game begins with its table"
            raise ValueError(msg)  # noqa: TRY004 - a line is a line
        self.table: Final = table
        self.game: Final = table.id
        self.roster: Final = table.entry.body.roster
        self._chains = {key: _Chain(key) for key in self.roster}
        self._share = LARGEST // (len(self.roster) + 1)
        self._lines: dict[str, Line] = {}
        self._needed: set[str] = set()
        self._damaged: dict[str, int] = {}
        self._arrivals = 0
        self.add(table)

    def add(self, line: Line) -> Added:
        """Hold ``line`` if it may be held, and say what came of it."""
        chain = self._chains.get(line.entry.author)
        if chain is None or line.game != self.game:
            return Added.STRANGE
        held = chain.held.get(line.id)
        if held is not None and not held.damaged:
            return Added.KNOWN
        is_needed = held is not None or line.id in self._needed
        if chain.size + len(line.data) > self._share or (
            not is_needed and chain.twins >= MOST_TWINS and chain.is_taken(line.entry.seq)
        ):
            return Added.SURPLUS  # seen before the signature, which is dear to verify
        if not verifies(chain.public, line.raw, bytes.fromhex(line.signature)):
            return self._add_damaged(chain, line, is_held=held is not None)
        chain.size += len(line.data)
        self._damaged.pop(line.id, None)
        self._put(chain, line, damaged=False)
        return Added.NEW if held is None else Added.MENDED

    def _add_damaged(self, chain: _Chain, line: Line, *, is_held: bool) -> Added:
        if is_held:
            return Added.KNOWN
        if line.id not in self._needed:
            return Added.UNSIGNED
        if len(self._damaged) >= MOST_DAMAGED or sum(self._damaged.values()) + len(line.data) > self._share:
            return Added.SURPLUS
        self._damaged[line.id] = len(line.data)
        self._put(chain, line, damaged=True)
        return Added.NEW

    def _put(self, chain: _Chain, line: Line, *, damaged: bool) -> None:
        self._arrivals += 1
        chain.put(line, self._arrivals, damaged=damaged)
        self._lines[line.id] = line
        self._needed.discard(line.id)
        self._needed.update(parent for parent in line.entry.parents if parent not in self._lines)

    def __contains__(self, name: str) -> bool:
        """Tell whether the entry with this id is held."""
        return name in self._lines

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def lines(self) -> tuple[Line, ...]:
        """Everything that is held."""
        return tuple(self._lines.values())

    @property
    def missing(self) -> frozenset[str]:
        """The ids that something here rests on and that are not here."""
        return frozenset(self._needed)

    @property
    def clock(self) -> tuple[Tally, ...]:
        """How much is held of each author, in the order of the roster."""
        return tuple((len(chain.held), chain.digest(len(chain.held))) for chain in self._chains.values())

    def may_lack(self, clock: Sequence[Tally]) -> bool:
        """Tell whether somebody with this ``clock`` may hold what is not here."""
        return len(clock) == len(self.roster) and any(
            not self._has_first(chain, count, digest)
            for chain, (count, digest) in zip(self._chains.values(), clock, strict=True)
        )

    @staticmethod
    def _has_first(chain: _Chain, count: int, digest: str) -> bool:
        return count <= len(chain.held) and compare_digest(chain.digest(count), digest)

    @property
    def known(self) -> tuple[Known, ...]:
        """What is here, for somebody who is asked for the rest."""
        most = MOST_FURTHER // len(self.roster)
        return tuple(_known(chain, most) for chain in self._chains.values())

    def lacking(self, known: Sequence[Known]) -> tuple[Line, ...]:
        """Return what somebody who says ``known`` lacks, in the order of arrival here."""
        if len(known) != len(self.roster):
            return ()
        lacking = [
            one for chain, theirs in zip(self._chains.values(), known, strict=True) for one in _lacking(chain, theirs)
        ]
        return tuple(self._lines[one.id] for one in sorted(lacking, key=lambda one: one.arrival))


def _known(chain: _Chain, most: int) -> Known:
    prefix = chain.prefix
    rest = chain.order[prefix:]
    return Known(
        damaged=tuple(one.id[:_START] for one in rest if one.damaged),
        digest=chain.digest(prefix),
        further=tuple(one.id[:_START] for one in rest if not one.damaged)[:most],
        prefix=prefix,
    )


def _lacking(chain: _Chain, theirs: Known) -> Iterator[_Held]:
    further, damaged = set(theirs.further), set(theirs.damaged)
    for one in _beyond(chain, theirs):
        start = one.id[:_START]
        if start not in further and not (one.damaged and start in damaged):
            yield one


def _beyond(chain: _Chain, theirs: Known) -> Sequence[_Held]:
    """Return what is held besides the prefix that somebody has."""
    if theirs.prefix > chain.prefix:
        # They have more from the first on than is here. Should theirs be another story, they will tell it, and then
        # both hold both.
        return [one for one in chain.order if one.seq > theirs.prefix or chain.is_doubled(one.seq)]
    if compare_digest(chain.digest(theirs.prefix), theirs.digest):
        return chain.order[theirs.prefix :]
    return chain.order
