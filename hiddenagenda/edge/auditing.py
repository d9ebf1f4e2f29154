"""An audit of files: looked through, put in order by game, judged in chunks, counted, compared; and gone on with.

SPEC "Audits". Every game gets one verdict, over all its lines in all the files, in the order in which games first
appear; how the work is spread changes nothing of what comes out. Nothing is printed here.
"""

import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from hiddenagenda import canonical
from hiddenagenda.audit import Remark, Tally
from hiddenagenda.edge.engines import Engine
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.judging import Game, Judged, Piece, Task, judge
from hiddenagenda.edge.keeping import SURVEYED, Kept, opened
from hiddenagenda.edge.ledger import Listed
from hiddenagenda.edge.looking import Part
from hiddenagenda.edge.sources import SMALL, Stretch, Troubled, find, stretches, survey
from hiddenagenda.edge.streams import Streams
from hiddenagenda.edge.unpacking import Packing, Place
from hiddenagenda.faults import sentence
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Edition

_GAMES: Final = 128
"""Games in a chunk; one game a chunk would cost more than it brings."""
_BYTES: Final = 2**24
"""Bytes in a chunk, about."""
_FILES: Final = 128
"""Small files that are looked through in one go."""
_EVERY: Final = 2.0
"""Seconds after which what was done is put on the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is audited, and what for."""

    paths: tuple[str, ...]
    """Files, directories and patterns."""
    out: str | None = None
    """The file for the verdicts. Without it they are not kept."""
    names: str | None = None
    """The directory of imported card names; None to leave names alone."""
    edition: Edition | None = None

    @property
    def fingerprint(self) -> str:
        """What tells audits apart, so that none goes on with the state of another."""
        paths: list[canonical.Json] = [os.fsencode(os.path.abspath(path)).hex() for path in self.paths]
        edition = self.edition.value if self.edition else ""
        return canonical.write({"edition": edition, "names": self.names is not None, "paths": paths}).decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an audit has come."""

    total: int | None
    """How many games there are; None while files are still looked through."""
    done: int
    """Games that were judged; files that were looked through."""
    rate: float
    """How many a second."""

    @property
    def remaining(self) -> float | None:
        """Seconds that the rest will take at this rate; None where nobody knows."""
        return (self.total - self.done) / self.rate if self.total is not None and self.rate else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an audit has come to."""

    files: int
    tally: Tally
    remarks: tuple[Remark, ...]
    troubles: tuple[Troubled, ...]

    @property
    def is_complete(self) -> bool:
        """Whether everything that is, or may be, a game could be read and judged."""
        return not self.tally.outcomes[Outcome.UNDECIDABLE] and not any(one.is_loss for one in self.troubles)


def run(
    wanted: Wanted,
    engine: Engine,
    *,
    resume: bool = False,
    watch: Callable[[Progress], None] = lambda _: None,
    each: Callable[[bytes], None] | None = None,
) -> Report:
    """Audit, and return the report.

    ``watch`` is told how far it is; ``each`` is given the verdicts, some JSON lines at a time. With ``resume`` an
    interrupted audit goes on, and where there is none, one begins. Raises ``IllegalMove`` and ``StoreError`` for the
    files of verdicts, and what ``engine`` raises; whatever ends it early leaves a state to go on from.
    """
    try:
        with opened(wanted.out, wanted.fingerprint, resume=resume) as kept:
            return _Run(wanted, engine, watch, each, kept).go()
    except sqlite3.Error as error:
        raise StoreError(
            sentence("the audit's state cannot be used: {why}", why=str(error)),
            hint=sentence("see that there is room on the disk; a damaged state must be removed"),
            code="audit-state",
        ) from None


class _Run:
    """One run of an audit."""

    def __init__(
        self,
        wanted: Wanted,
        engine: Engine,
        watch: Callable[[Progress], None],
        each: Callable[[bytes], None] | None,
        kept: Kept,
    ) -> None:
        self._wanted = wanted
        self._engine = engine
        self._watch = watch
        self._each = each
        self._kept = kept
        self._ledger = kept.ledger
        self._ends: deque[int] = deque()
        self._tally = Tally()
        self._since = self._saved = time.monotonic()

    def go(self) -> Report:
        ledger = self._ledger
        if not ledger.get(SURVEYED):
            self._survey()
        self._judge()
        report = Report(
            files=ledger.files,
            tally=ledger.tally,
            remarks=tuple(ledger.remarks()),
            troubles=tuple(ledger.troubles()),
        )
        self._kept.finish()
        return report

    # Where the games lie

    def _survey(self) -> None:
        ledger = self._ledger
        own = self._kept.own
        for number, argument in enumerate(self._wanted.paths):
            for found in find((argument,), without=own):
                if isinstance(found, Troubled):
                    ledger.add_trouble(found)
                else:
                    ledger.add_file(number, found)
        ledger.list_files()
        for is_alone, tasks in groupby(self._stretches(), key=lambda task: task[0]):
            lists = (task for _, task in tasks)
            if is_alone:  # what is in it is taken in while it is unpacked
                for (stretch,) in lists:
                    self._take(survey(stretch))
            else:
                for parts in self._engine.map(surveyed, lists):
                    self._take(iter(parts))
        ledger.end_place()
        ledger.put("games", ledger.put_in_order())
        ledger.put("done", 0)
        ledger.put("judged", 0)
        ledger.put(SURVEYED, 1)
        self._kept.save()

    def _take(self, parts: Iterator[Part | Troubled]) -> None:
        for part in parts:
            self._ledger.add_part(part)

    def _stretches(self) -> Iterator[tuple[bool, list[Stretch]]]:
        """Yield what is looked through in one go, and whether it must be done here."""
        small: list[Stretch] = []
        seen = 0
        for seen, path in enumerate(self._ledger.paths(), start=1):
            if seen % _FILES == 0:
                self._tell(None, seen)
            try:
                cut = stretches(path)
            except StoreError:  # said where it is opened, in its place
                cut = iter((Stretch(path=path),))
            several = list(cut) if cut is not None else []
            if len(several) == 1:
                small += several
                if len(small) < _FILES:
                    continue
            if small:
                yield False, small
                small = []
            if cut is None:
                yield True, [Stretch(path=path)]
            elif len(several) > 1:
                yield from ((False, [stretch]) for stretch in several)
        if small:
            yield False, small

    # Verdicts

    def _judge(self) -> None:
        ledger = self._ledger
        games, judged = ledger.get("games"), ledger.get("judged")
        begun = judged
        self._since = self._saved = time.monotonic()
        for found in self._engine.map(judge, self._tasks(ledger.get("done"))):
            judged += found.games
            self._keep(found, judged)
            self._tell(games, judged, judged - begun)
        self._save()

    def _tasks(self, done: int) -> Iterator[Task]:
        with Streams() as streams:
            games: list[Game] = []
            places: dict[Place, int] = {}
            size = 0
            listed = None
            for listed in self._ledger.games(done):
                games.append(self._game(listed, places, streams))
                size += sum(piece.size for piece in listed.pieces)
                if len(games) == _GAMES or size > _BYTES:
                    self._ends.append(listed.last)
                    yield self._task(games, places)
                    games, places, size = [], {}, 0
            if listed is not None and games:
                self._ends.append(listed.last)
                yield self._task(games, places)

    def _task(self, games: list[Game], places: dict[Place, int]) -> Task:
        return Task(
            places=tuple(places),
            games=tuple(games),
            names=self._wanted.names,
            edition=self._wanted.edition,
            written=self._wanted.out is not None or self._each is not None,
        )

    def _game(self, listed: Listed, places: dict[Place, int], streams: Streams) -> Game:
        pieces = []
        for lying in listed.pieces:
            place = lying.place
            data = None
            if place.packing is Packing.ZIP or (place.packing is not Packing.PLAIN and place.stamp[0] > SMALL):
                data = streams.read(place, lying.start, lying.size)
            number = places.setdefault(place, len(places))
            pieces.append(Piece(number, lying.start, lying.size, lying.line, lying.lines, data))
        return Game(listed.number, listed.game, tuple(pieces))

    def _keep(self, found: Judged, judged: int) -> None:
        ledger = self._ledger
        for troubled in found.troubles:
            ledger.add_trouble(troubled)
        ledger.add_claims(found.claims)
        self._tally += found.tally
        ledger.put("done", self._ends.popleft())
        ledger.put("judged", judged)
        self._kept.write(found.verdicts)
        if self._each is not None and found.verdicts:
            self._each(found.verdicts)
        if time.monotonic() - self._saved > _EVERY:
            self._save()

    def _save(self) -> None:
        self._ledger.add_tally(self._tally)
        self._tally = Tally()
        self._kept.save()
        self._saved = time.monotonic()

    def _tell(self, total: int | None, done: int, new: int | None = None) -> None:
        seconds = time.monotonic() - self._since
        rate = (done if new is None else new) / seconds if seconds else 0.0
        self._watch(Progress(total=total, done=done, rate=rate))


def surveyed(stretches: list[Stretch]) -> list[Part | Troubled]:
    """Look through several stretches of files: one task of an audit."""
    return [part for stretch in stretches for part in survey(stretch)]
