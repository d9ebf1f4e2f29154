"""What an audit knows so far, in a database on the disk: where games lie, what was counted, what may be compared.

SPEC "Audits". Memory does not grow with the number of games, and an audit that was interrupted goes on from here. What
is in it is no secret and proves nothing: it is thrown away when the audit is done.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, TypeAlias

from hiddenagenda.audit import ABOUT, Claim, Culprit, Kind, Noticed, Remark, Tally, remarks
from hiddenagenda.edge.judging import Row
from hiddenagenda.edge.looking import Part
from hiddenagenda.edge.sources import Trouble, Troubled
from hiddenagenda.edge.unpacking import Packing, Place
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.outcome import Outcome

_SCHEMA: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files (argument INTEGER, path BLOB);
CREATE TABLE listed (path BLOB);
CREATE TABLE places (label BLOB, path BLOB, packing TEXT, member TEXT, start INTEGER, size INTEGER, mtime INTEGER);
CREATE TABLE found (game BLOB, place INTEGER, start INTEGER, size INTEGER, line INTEGER, lines INTEGER);
CREATE TABLE pieces (first INTEGER, game BLOB, place INTEGER, start INTEGER, size INTEGER, line INTEGER, lines INTEGER);
CREATE TABLE troubles (label BLOB, trouble TEXT, said TEXT);
CREATE TABLE counts (what TEXT, key TEXT, name TEXT, n INTEGER, PRIMARY KEY (what, key, name)) WITHOUT ROWID;
CREATE TABLE claims (kind TEXT, value BLOB, holder, number INTEGER);
"""
# Games are numbered by the row in ``found`` of their first piece.
_ORDERED: Final = """
INSERT INTO pieces SELECT min(rowid) OVER (PARTITION BY game) AS first, game, place, start, size, line, lines
FROM found ORDER BY first, rowid
"""
_GAMES: Final = """
SELECT pieces.rowid, first, game, pieces.start, pieces.size, line, lines,
       label, path, packing, member, places.start, places.size, mtime
FROM pieces JOIN places ON places.rowid = pieces.place WHERE pieces.rowid > ? ORDER BY pieces.rowid LIMIT ?
"""
_PATHS: Final = "SELECT rowid, path FROM listed WHERE rowid > ? ORDER BY rowid LIMIT ?"
_REPEATED: Final = """
SELECT value, holder, (SELECT game FROM found WHERE found.rowid = number) FROM claims
WHERE kind = ? AND {about} IN (SELECT {about} FROM claims WHERE kind = ? GROUP BY {about} HAVING {condition})
ORDER BY {about}, {other}, number
"""
_CONDITIONS: Final = {
    Noticed.NONCE_AGAIN: ("value", "holder", "count(*) > 1"),
    Noticed.SALT_AGAIN: ("value", "holder", "count(*) > 1"),
    Noticed.SEVERAL_NAMES: ("value", "holder", "min(holder) < max(holder)"),
    Noticed.SEVERAL_KEYS: ("holder", "value", "min(value) < max(value)"),
}
_PAGE: Final = 1_024
"""Rows that are read at once."""
_NUMBERS: Final = ("games", "set_aside", "with_aside", "remarked")

_Found: TypeAlias = tuple[bytes | None, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Lying:
    """Lines of one game that follow each other in a place."""

    place: Place
    start: int
    size: int
    line: int
    lines: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A game, its number, where its lines lie, and the number of its last piece."""

    number: int
    game: str
    pieces: tuple[Lying, ...]
    last: int


class Ledger:
    """The database at ``path``; an empty path is one of its own that goes when it is closed.

    Every method raises ``sqlite3.Error`` where the database is damaged or the disk full.
    """

    def __init__(self, path: str) -> None:
        self._data = sqlite3.connect(path, isolation_level=None)
        self._data.execute("PRAGMA temp_store = FILE")
        if not self._data.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._data.executescript(_SCHEMA)
        self._data.execute("BEGIN")
        self._gathered = _Gathered()

    def close(self) -> None:
        """Close it; what was not committed is lost."""
        self._data.close()

    def commit(self) -> None:
        """Put everything so far on the disk."""
        self._data.execute("COMMIT")
        self._data.execute("BEGIN")

    def get(self, name: str) -> Any:
        """Return what was remembered under a name, or None."""
        row = self._data.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def put(self, name: str, value: str | int) -> None:
        """Remember something under a name."""
        self._data.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def add_file(self, argument: int, path: str) -> None:
        """Take in the path of a file, with the number of the argument that named it."""
        self._data.execute("INSERT INTO files VALUES (?, ?)", (argument, os.fsencode(path)))

    @property
    def files(self) -> int:
        """How many files there are."""
        (files,) = self._data.execute("SELECT count(*) FROM listed").fetchone()
        return int(files)

    def list_files(self) -> None:
        """Put the paths in order: argument by argument, sorted, each once."""
        self._data.execute("INSERT INTO listed SELECT path FROM files GROUP BY path ORDER BY min(argument), path")

    def paths(self) -> Iterator[str]:
        """Yield the paths, in order."""
        return (os.fsdecode(path) for _, path in self._pages(_PATHS, 0))

    def _pages(self, query: str, after: int) -> Iterator[Any]:
        """Yield rows, read some at a time, so that nothing is open between: who takes them may never come back."""
        while rows := self._data.execute(query, (after, _PAGE)).fetchall():
            yield from rows
            after = rows[-1][0]

    def add_part(self, part: Part | Troubled) -> None:
        """Take in what was found in the next stretch of the files, which come in order."""
        if isinstance(part, Troubled):
            self.end_place()
            self.add_trouble(part)
            return
        if self._gathered.place != part.place:
            self.end_place()
            place = part.place
            about = (os.fsencode(place.label), os.fsencode(place.path), place.packing.value, place.member, place.start)
            added = self._data.execute("INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?)", (*about, *place.stamp))
            self._gathered = _Gathered(place, added.lastrowid or 0)
        self._data.executemany("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?)", self._gathered.take(part))

    def end_place(self) -> None:
        """Put down what is known of the last place: its last game, or that there is none in it."""
        gathered, self._gathered = self._gathered, _Gathered()
        if gathered.place is None:
            return
        if gathered.game is not None:
            self._data.execute("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?)", gathered.group)
            return
        if not gathered.size:
            trouble, said = Trouble.EMPTY, sentence("it is empty")
        elif gathered.attempts:
            trouble, said = Trouble.DAMAGED, sentence("it holds lines of a game, and none of them reads")
        else:
            trouble, said = Trouble.FOREIGN, sentence("there is no game in it")
        self.add_trouble(Troubled(label=gathered.place.label, trouble=trouble, said=said))

    def put_in_order(self) -> int:
        """Bring the pieces of each game together, games by where they first appear; return how many games there are."""
        self._data.execute(_ORDERED)
        (games,) = self._data.execute("SELECT count(DISTINCT first) FROM pieces").fetchone()
        return int(games)

    def games(self, after: int) -> Iterator[Listed]:
        """Yield the games whose pieces come after the piece with the number ``after``."""
        rows = self._pages(_GAMES, after)
        for (number, game), grouped in groupby(rows, key=lambda row: row[1:3]):
            pieces = []
            last = 0
            for last, _, _, start, size, line, lines, *about in grouped:  # noqa: B007 - the last one counts
                pieces.append(Lying(_place(*about), start, size, line, lines))
            yield Listed(number, game.decode(), tuple(pieces), last)

    def add_trouble(self, troubled: Troubled) -> None:
        """Take in a place without a game."""
        row = (os.fsencode(troubled.label), troubled.trouble.value, json.dumps(_packed(troubled.said)))
        self._data.execute("INSERT INTO troubles VALUES (?, ?, ?)", row)

    def troubles(self) -> Iterator[Troubled]:
        """Yield the places without a game, in order."""
        for label, trouble, said in self._data.execute("SELECT label, trouble, said FROM troubles ORDER BY rowid"):
            text, values = json.loads(said)
            yield Troubled(label=os.fsdecode(label), trouble=Trouble(trouble), said=_sentence(text, values))

    def add_claims(self, rows: Iterable[Row]) -> None:
        """Take in what may be compared."""
        self._data.executemany("INSERT INTO claims VALUES (?, ?, ?, ?)", rows)

    def remarks(self) -> Iterator[Remark]:
        """Yield what several games show together."""
        for noticed, kind in ABOUT.items():
            about, other, condition = _CONDITIONS[noticed]
            query = _REPEATED.format(about=about, other=other, condition=condition)
            claims = (
                Claim(kind, value.hex(), holder if kind is Kind.SEAT else holder.hex(), game.decode())
                for value, holder, game in self._data.execute(query, (kind.value, kind.value))
            )
            yield from remarks(noticed, claims)

    def add_tally(self, tally: Tally) -> None:
        """Count verdicts."""
        rows: list[tuple[str, str, str, int]] = [(name, "", "", getattr(tally, name)) for name in _NUMBERS]
        rows += [("outcome", outcome.value, "", n) for outcome, n in tally.outcomes.items()]
        rows += [(culprit.code, culprit.key, culprit.name, n) for culprit, n in tally.findings.items()]
        self._data.executemany(
            "INSERT INTO counts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n", rows
        )

    @property
    def tally(self) -> Tally:
        """What was counted."""
        tally = Tally()
        for what, key, name, n in self._data.execute("SELECT what, key, name, n FROM counts ORDER BY key, name, what"):
            if what in _NUMBERS:
                setattr(tally, what, n)
            elif what == "outcome":
                tally.outcomes[Outcome(key)] = n
            else:
                tally.findings[Culprit(key, name, what)] = n
        return tally


class _Gathered:
    """What is known of a place whose parts are coming in: its last group may go on in the next part."""

    def __init__(self, place: Place | None = None, number: int = 0) -> None:
        self.place = place
        self.game: bytes | None = None
        self.size = 0
        self.attempts = 0
        self._number = number
        self._lines = 0
        self._start = self._first = place.start if place else 0
        self._line = 1

    @property
    def group(self) -> _Found:
        """The last group, as far as it goes: a row of what was found."""
        size, lines = self._first + self.size - self._start, self._lines + 1 - self._line
        return (self.game, self._number, self._start, size, self._line, lines)

    def take(self, part: Part) -> Iterator[_Found]:
        """Take in a part; yield the groups that are complete."""
        for group in part.groups:
            if group.game is not None and group.game != self.game:
                if self.game is not None:  # what stands before the first game goes with it
                    yield self.group
                    self._start, self._line = group.start, self._lines + 1
                self.game = group.game
            self.size += group.size
            self._lines += group.lines
        self.attempts += part.attempts


@lru_cache(maxsize=256)
def _place(label: bytes, path: bytes, packing: str, member: str, start: int, *stamp: int) -> Place:
    size, mtime = stamp
    return Place(
        label=os.fsdecode(label),
        path=os.fsdecode(path),
        packing=Packing(packing),
        member=member,
        start=start,
        stamp=(size, mtime),
    )


def _packed(value: object) -> object:
    """Return a sentence as JSON can hold it."""
    if isinstance(value, Sentence):
        return [value.text, {name: _packed(inner) for name, inner in value.values.items()}]
    return value if isinstance(value, int) else str(value)


def _sentence(text: str, values: dict[str, Any]) -> Sentence:
    return Sentence(
        text, {name: _sentence(*inner) if isinstance(inner, list) else inner for name, inner in values.items()}
    )
