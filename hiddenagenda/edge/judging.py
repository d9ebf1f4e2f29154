"""One task of an audit: read some games from where they lie, judge them, and return what is counted.

SPEC "Audits". It knows nothing of other tasks, so that it may run anywhere. A game that cannot be read or judged stops
nothing: it is said which and why.
"""

import gc
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import IO, Final, Self, TypeAlias

import msgspec

from hiddenagenda.audit import Claim, Kind, Tally, audited
from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.table import Row as NameRow
from hiddenagenda.edge.catalogue import installed
from hiddenagenda.edge.files import refusal
from hiddenagenda.edge.sources import Trouble, Troubled
from hiddenagenda.edge.unpacking import BLOCK, DAMAGES, Packing, Place, check_unchanged, unpacked
from hiddenagenda.faults import sentence
from hiddenagenda.outcome import Outcome
from hiddenagenda.record import Record, read_record
from hiddenagenda.rulebook import NEWEST, Edition
from hiddenagenda.verdict import Aside, Verdict
from hiddenagenda.verdictjson import to_json

_NAMES_REMEMBERED: Final = 65_536


Row: TypeAlias = tuple[str, bytes, bytes | str, int]
"""A claim as it is kept: kind, value, holder (bytes of a key, or a name), and the number of the game."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one game that follow each other in a place."""

    place: int
    """Which of the task's places."""
    start: int
    size: int
    line: int
    """Number of the first line in its place, from 1."""
    lines: int
    data: bytes | None = None
    """The bytes themselves, where they cannot be read from the place."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game, and where its lines lie."""

    number: int
    """By which the audit knows it."""
    game: str
    """The id of its table, as the lines say."""
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Games to be judged, and how."""

    places: tuple[Place, ...]
    games: tuple[Game, ...]
    names: str | None
    """The directory of imported names; None to leave names alone."""
    edition: Edition | None
    written: bool
    """Whether verdicts are returned, too."""


def _row(claim: Claim, number: int) -> Row:
    kind, value, holder, _ = claim
    return (kind.value, bytes.fromhex(value), holder if kind is Kind.SEAT else bytes.fromhex(holder), number)


@dataclass(slots=True, kw_only=True)
class Judged:
    """What a task has found, in the order of its games."""

    games: int
    verdicts: bytes = b""
    """One JSON object a line."""
    tally: Tally = field(default_factory=Tally)
    claims: list[Row] = field(default_factory=list)
    troubles: list[Troubled] = field(default_factory=list)


def judge(task: Task) -> Judged:
    """Judge the games of a task."""
    collecting = gc.isenabled()
    gc.disable()  # games hold no cycles, and to look for some takes a tenth of the time
    try:
        with _Reading(task.places) as reading:
            return _judge(task, reading)
    finally:
        if collecting:
            gc.enable()


def _judge(task: Task, reading: "_Reading") -> Judged:
    names = _remembered(task.names) if task.names is not None else None
    judged = Judged(games=len(task.games))
    written = []
    for game in task.games:
        labels = list(dict.fromkeys(task.places[piece.place].label for piece in game.pieces))
        try:
            record = read_record(reading.blocks(game.pieces))
        except DAMAGES as error:
            label = reading.path or labels[0]
            said = refusal(error, label).said if isinstance(error, OSError) else _CHANGED
            judged.troubles.append(Troubled(label=label, trouble=Trouble.UNREADABLE, said=said))
            continue
        if not record.transcripts and not record.strays and not record.oversized:
            judged.troubles += _damaged(record, game, labels)
            continue
        verdict, claims = _verdict(record, game, task.edition, names)
        judged.tally.add(verdict)
        judged.claims += [_row(claim, game.number) for claim in claims]
        if task.written:
            written.append(_line(verdict, labels))
    judged.verdicts = b"".join(written)
    return judged


_CHANGED: Final = sentence("it was changed while it was read")


def _verdict(
    record: Record, game: Game, edition: Edition | None, names: Catalogue | None
) -> tuple[Verdict, tuple[Claim, ...]]:
    aside = tuple(Aside(line=one.number, reason=one.code, said=one.said) for one in record.aside)
    claims: tuple[Claim, ...] = ()
    if record.transcripts:
        found = audited(record.transcripts[0], edition=edition, names=names)
        verdict, claims = found.verdict, found.claims
    else:
        verdict = Verdict(game=game.game, outcome=Outcome.UNDECIDABLE, edition=edition or NEWEST)
        if record.oversized:
            said = sentence("the game {game} is too large to be judged", game=game.game)
            aside = (Aside(line=None, reason="too-large", said=said), *aside)
    if aside or verdict.aside:
        verdict = replace(verdict, aside=tuple(_numbered(one, game.pieces) for one in (*aside, *verdict.aside)))
    return verdict, claims


def _numbered(aside: Aside, pieces: tuple[Piece, ...]) -> Aside:
    """Return an aside with the number that its line has in its place."""
    number = aside.line
    if number is None:
        return aside
    for piece in pieces:
        if number <= piece.lines:
            break
        number -= piece.lines
    return replace(aside, line=piece.line + number - 1)


def _damaged(record: Record, game: Game, labels: list[str]) -> Iterator[Troubled]:
    for one in record.aside[:1]:
        where = _numbered(Aside(line=one.number, reason=one.code, said=one.said), game.pieces)
        yield Troubled(
            label=labels[0],
            trouble=Trouble.DAMAGED,
            said=sentence("line {line}: {why}", line=where.line, why=one.said),
        )


def _line(verdict: Verdict, labels: list[str]) -> bytes:
    value = to_json(verdict) | {"source": [label.encode(errors="backslashreplace").decode() for label in labels]}
    data = msgspec.json.encode(value)
    return (data if data.isascii() else json.dumps(value, separators=(",", ":")).encode()) + b"\n"


class _Reading:
    """The places of a task, each opened once while games are read from it."""

    def __init__(self, places: tuple[Place, ...]) -> None:
        self._places = places
        self._open: tuple[str, IO[bytes]] | None = None
        self._unpacked: tuple[tuple[str, str], bytes] | None = None
        self._stack = ExitStack()
        self.path: str | None = None
        """The path of what was read last."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def blocks(self, pieces: tuple[Piece, ...]) -> Iterable[bytes]:
        """Yield the bytes of ``pieces``; each ends with a newline where another follows. Raises ``DAMAGES``."""
        return self._piece(pieces[0]) if len(pieces) == 1 else self._joined(pieces)

    def _joined(self, pieces: tuple[Piece, ...]) -> Iterator[bytes]:
        for number, piece in enumerate(pieces, start=1):
            block = b""
            for block in self._piece(piece):
                yield block
            if number < len(pieces) and not block.endswith(b"\n"):
                yield b"\n"

    def _piece(self, piece: Piece) -> Iterable[bytes]:
        place = self._places[piece.place]
        self.path = place.path
        if piece.data is not None:
            return (_whole(piece.data, piece),)
        if place.packing is Packing.PLAIN:
            return self._from_file(place, piece)
        known = (place.path, place.member)
        if self._unpacked is None or self._unpacked[0] != known:
            with unpacked(place) as stream:
                self._unpacked = (known, b"".join(iter(lambda: stream.read(BLOCK), b"")))
        return (_whole(self._unpacked[1][piece.start : piece.start + piece.size], piece),)

    def _from_file(self, place: Place, piece: Piece) -> Iterator[bytes]:
        file = self._file(place)
        file.seek(piece.start)
        left = piece.size
        while left:
            block = file.read(min(left, BLOCK))
            if not block:
                raise EOFError
            left -= len(block)
            yield block

    def _file(self, place: Place) -> IO[bytes]:
        if self._open is not None and self._open[0] == place.path:
            return self._open[1]
        self._stack.close()
        self._open = None
        file = self._stack.enter_context(open(place.path, "rb", buffering=0))  # noqa: SIM115 - the stack closes it
        check_unchanged(file, place)
        self._open = (place.path, file)
        return file


def _whole(data: bytes, piece: Piece) -> bytes:
    if len(data) < piece.size:
        raise EOFError
    return data


class _Remembering(Catalogue):
    """A catalogue that asks another one, and remembers: the same names come back in every game."""

    __slots__ = ("_ask",)

    def __init__(self, names: Catalogue) -> None:  # the other one has read the table
        self.header = names.header
        self._ask = lru_cache(_NAMES_REMEMBERED)(names.spelled)

    def spelled(self, text: str) -> tuple[NameRow, ...]:
        """Return what the other catalogue says."""
        return self._ask(text)


@cache
def _remembered(directory: str) -> Catalogue:
    return _Remembering(installed(directory))
