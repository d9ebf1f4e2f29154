"""Commitments made by hand: which bytes fit the digest that was published.

SPEC "Digests by hand". People publish ``echo text | sha256sum`` and reveal the text later; the two often differ by a
newline or a curly apostrophe. The known causes are tried alone, then in twos and threes, and the least that fits is
told. Nothing is guessed beyond the table of causes, and a digest that was cut short is named, never completed.
"""

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final, Generic, NamedTuple, TypeVar

from hiddenagenda.characters import code_point
from hiddenagenda.digests import ALGORITHMS, LENGTHS, Algorithm, PublishedDigest, check_length, read_digits
from hiddenagenda.faults import Malformed, Sentence, TooLarge, sentence
from hiddenagenda.mistakes import AGAIN, ENCODINGS, TEXT_STAGES, Cause, Row, verbatim
from hiddenagenda.pairing import PART_STAGES, Parts, split

LONGEST_TEXT: Final = 64 * 1024
"""Bytes of a revealed text, as UTF-8, salt included."""
MOST_CAUSES: Final = 3
"""Causes that are tried together."""
COMMON: Final = 5
"""Rows of each stage that are tried in threes; alone and in twos all are."""
MOST_WORK: Final = 48 * 2**20
"""Bytes hashed before a search ends, with ``_OVERHEAD`` a candidate: under a second on a slow machine."""
SHORTEST_PART: Final = 8
"""Digits that a digest cut short must have to be compared at all: fewer would fit by chance."""
LONGEST_COMMAND: Final = 2048
"""Bytes that a line to reproduce the digest writes out."""

_OVERHEAD: Final = 200
_V = TypeVar("_V")


class Outcome(enum.Enum):
    """What a search found."""

    EXACT = "exact"
    """The digest is that of the text as it was revealed."""
    EXPLAINED = "explained"
    """It is that of the text after the causes named."""
    CUT_SHORT = "cut-short"
    """The digits that are there fit, after the causes named; the others are missing, so little is proved."""
    UNEXPLAINED = "unexplained"
    """No known cause fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is known about a published digest and a revealed text."""

    outcome: Outcome
    published: PublishedDigest
    causes: tuple[Cause, ...] = ()
    """In the order in which they happened; empty where the text fits as it is, or nothing does."""
    algorithm: str | None = None
    """The name of the hash function that fits."""
    hashed: bytes | None = None
    """The bytes whose digest was published."""
    reproduce: str | None = None
    """A line for a POSIX shell that prints the digest of ``hashed``; none over ``LONGEST_COMMAND`` bytes."""
    remarks: tuple[Sentence, ...] = ()
    """What else should be known about it."""
    tried: int
    """How many candidates were compared."""


NO_SALT: Final = sentence(
    "no salt can be recognised in it: without one, whoever tries all card names finds the name from the digest"
)
UNBOUND: Final = sentence("the digest binds only what was hashed: what was left out could be anything")
LONG_TEXT: Final = sentence("the text is long: not all combinations of causes were tried")
_LOSING: Final = frozenset({"missing-salt", "missing-name", "question-marks", "ascii-only"})
"""Causes after which several texts have this digest."""
_WEAK: Final = frozenset({"MD5", "SHA-1"})
_WORD: Final = re.compile(r"[0-9A-Za-z+/]{8,}")
_DIGIT: Final = re.compile(r"[0-9]")
_AS_IT_IS: Final = frozenset(range(0x20, 0x7F)) - frozenset(b"%'\\")
"""Bytes that ``printf`` writes unchanged from a single-quoted format."""


class _Made(NamedTuple, Generic[_V]):
    """A value, the causes that made it, and how unlikely they are together."""

    rank: int
    causes: tuple[Cause, ...]
    value: _V


class _Finish(NamedTuple):
    """One way from bytes to a digest; ``last`` makes of them what is hashed last."""

    causes: tuple[Cause, ...]
    algorithm: Algorithm
    last: Callable[[bytes], bytes]


class _Candidate(NamedTuple):
    rank: int
    causes: tuple[Cause, ...]
    algorithm: Algorithm
    hashed: bytes


def explain(digest: str, text: str, *, salt: str | None = None) -> Explanation:
    """Say which known causes turn ``text`` into what was hashed for ``digest``, if any do.

    ``digest`` is pasted as it was published, ``text`` as it was revealed and taken to the letter; bytes that are no
    UTF-8 come as PEP 383 has them. With ``salt``, ``text`` is the name alone, and one space between is the plain case.
    The fewest causes win, then the likelier ones. At most ``MOST_CAUSES`` are combined and ``MOST_WORK`` bytes hashed.

    Raises ``Malformed`` for what is no digest, or one cut short whose digits fit nothing (codes of
    ``digests``), and for a text with a lone surrogate (``text``); ``TooLarge`` over ``LONGEST_TEXT``.
    """
    published = read_digits(digest)
    whole = Parts(text) if salt is None else Parts(text, " ", salt)
    plain = whole.join()
    _check_text(plain)
    starts = (whole, *split(text)) if salt is None else (whole, Parts(plain))
    have = len(published.digits)
    search = _Search(published.digits)
    hit = search.run(starts, finishes=_finishes(have), causes=MOST_CAUSES)
    cut: tuple[Cause, ...] = ()
    if hit is None and have >= SHORTEST_PART:
        hit = search.run(starts, finishes=_longer(have), causes=MOST_CAUSES - 1)
        if hit:
            said = sentence("the digest was cut short: {have} of {want} digits", have=have, want=hit.algorithm.digits)
            cut = (Cause(code="cut-short", said=said),)
    if hit is None:
        check_length(published)
        remarks = (LONG_TEXT,) if search.stopped else ()
        return Explanation(outcome=Outcome.UNEXPLAINED, published=published, remarks=remarks, tried=search.tried)
    causes = hit.causes + cut
    outcome = Outcome.CUT_SHORT if cut else Outcome.EXPLAINED if causes else Outcome.EXACT
    return Explanation(
        outcome=outcome,
        published=published,
        causes=causes,
        algorithm=hit.algorithm.name,
        hashed=hit.hashed,
        reproduce=_command(hit.hashed, hit.algorithm),
        remarks=_remarks(hit, plain),
        tried=search.tried,
    )


class _Search:
    """The walk through the candidates for one digest, and what it has cost so far."""

    def __init__(self, digits: str) -> None:
        self.digits = digits
        self.tried = 0
        self.work = 0

    @property
    def stopped(self) -> bool:
        return self.work > MOST_WORK

    def run(self, starts: Sequence[Parts], *, finishes: Sequence[_Finish], causes: int) -> _Candidate | None:
        """Return the likeliest of the hits with the fewest causes."""
        if not finishes:
            return None
        for total in range(causes + 1):
            hits = list(self._hits(_candidates(starts, finishes, total)))
            if hits:
                return min(hits, key=lambda hit: hit.rank)
        return None

    def _hits(self, candidates: Iterable[_Candidate]) -> Iterator[_Candidate]:
        for candidate in candidates:
            if self.stopped:
                return
            self.tried += 1
            self.work += len(candidate.hashed) + _OVERHEAD
            digits = candidate.algorithm.make(candidate.hashed).hex()[: len(self.digits)]
            if compare_digest(digits, self.digits):
                yield candidate


def _candidates(starts: Sequence[Parts], finishes: Sequence[_Finish], total: int) -> Iterator[_Candidate]:
    """Make every candidate of exactly ``total`` causes: first the parts, then the text, the bytes, the digest."""
    rows = COMMON if total > 2 else None
    for place, start in enumerate(starts):
        for in_parts in range(min(place, 1), total + 1):  # with its parts unchanged, every start is the same text
            for parts in _made(start, PART_STAGES, in_parts, rows):
                for in_text in range(total - in_parts + 1):
                    for text in _made(parts.value.join(), TEXT_STAGES, in_text, rows):
                        rank, causes = parts.rank + text.rank, parts.causes + text.causes
                        for end in _ends(text.value, finishes, total - len(causes), rows):
                            yield end._replace(rank=rank + end.rank, causes=causes + end.causes)


def _made(
    value: _V, stages: Sequence[Sequence[Row[_V, _V | None]]], picks: int, rows: int | None
) -> Iterator[_Made[_V]]:
    """Apply ``picks`` rows of different stages, in the order of the stages, in every way that changes something."""
    if picks == 0:
        yield _Made(0, (), value)
        return
    for place, stage in enumerate(stages):
        for rank, row in enumerate(stage[:rows]):
            changed = row.make(value)
            if changed is None or changed == value:
                continue
            for made in _made(changed, stages[place + 1 :], picks - 1, rows):
                yield _Made(rank + made.rank, (row.cause, *made.causes), made.value)


def _ends(text: str, finishes: Sequence[_Finish], total: int, rows: int | None) -> Iterator[_Candidate]:
    """Encode and hash with ``total`` causes: an encoding, another way of hashing, or one of each."""
    plain = verbatim(text)
    encoded = [_Made(0, (), plain)]
    if total > 0:
        for rank, row in enumerate(ENCODINGS[:rows]):
            data = row.make(text)
            if data is not None and data != plain:
                encoded.append(_Made(rank, (row.cause,), data))
    for made in encoded:
        for place, finish in enumerate(finishes):
            if len(made.causes) + len(finish.causes) == total:
                causes = made.causes + finish.causes
                yield _Candidate(made.rank + place, causes, finish.algorithm, finish.last(made.value))


def _finishes(digits: int) -> tuple[_Finish, ...]:
    """Return the ways to a digest of so many digits: plainly, hashed again, by another function."""
    functions = [algorithm for algorithm in ALGORITHMS if algorithm.digits == digits]
    found = [_Finish((), usual, _unchanged) for usual in functions[:1]]
    found += [_Finish((row.cause,), usual, _again(row, usual)) for usual in functions[:1] for row in AGAIN]
    for other in functions[1:]:
        said = sentence("the hash function was {other}, not {usual}", other=other.name, usual=functions[0].name)
        found.append(_Finish((Cause(code="algorithm", said=said),), other, _unchanged))
    return tuple(found)


def _longer(digits: int) -> tuple[_Finish, ...]:
    """Return the usual function of every length above ``digits``, for a digest that was cut short."""
    usual = {algorithm.digits: algorithm for algorithm in reversed(ALGORITHMS)}
    return tuple(_Finish((), usual[length], _unchanged) for length in LENGTHS if length > digits)


def _again(row: Row[bytes, bytes], algorithm: Algorithm) -> Callable[[bytes], bytes]:
    return lambda data: row.make(algorithm.make(data))


def _unchanged(data: bytes) -> bytes:
    return data


def _check_text(text: str) -> None:
    """Refuse what has no bytes, or too many."""
    try:
        size = len(verbatim(text))
    except UnicodeEncodeError as error:
        code = code_point(text[error.start])
        said = sentence("character {place} of the text is {code}, half of one", code=code, place=error.start + 1)
        raise Malformed(said, code="text", position=error.start) from None
    if size > LONGEST_TEXT:
        said = sentence("the text has {have} bytes; at most {most} are searched", have=size, most=LONGEST_TEXT)
        raise TooLarge(said, code="too-large")


def _remarks(hit: _Candidate, text: str) -> tuple[Sentence, ...]:
    """Say what a match does not prove."""
    codes = {cause.code for cause in hit.causes}
    remarks = []
    if codes & _LOSING:
        remarks.append(UNBOUND)
    if "missing-salt" in codes or not any(_DIGIT.search(word) for word in _WORD.findall(text)):
        remarks.append(NO_SALT)
    if hit.algorithm.name in _WEAK:
        name = hit.algorithm.name
        remarks.append(sentence("{algorithm} is broken: two texts with one digest can be made", algorithm=name))
    return tuple(remarks)


def _command(data: bytes, algorithm: Algorithm) -> str | None:
    """Return a line for a POSIX shell that prints the digest of ``data``; ``None`` where nobody would paste it."""
    if len(data) > LONGEST_COMMAND:
        return None
    written = "".join(chr(byte) if byte in _AS_IT_IS else f"\\{byte:03o}" for byte in data)
    if written.startswith("-"):  # printf takes it for an option
        written = "\\055" + written[1:]
    return f"printf '{written}' | {algorithm.shell}"
