"""What a player's client remembers: its seats, and what it signed at each table.

SPEC "Memory". A seat is good for one table. Every line is stored and synced here before it is sent, and each seq is
stored once: a client that was killed, or that runs twice, sends the same again and never signs a second history.
Signatures are made elsewhere and not verified here.
"""

import os
import re
from collections.abc import Container, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

from hiddenagenda.bundle import LARGEST
from hiddenagenda.edge.directories import private_directory
from hiddenagenda.edge.files import SECRET, StoreError, explained, read_secret, replace_file, write_new_secret
from hiddenagenda.edge.lock import locked
from hiddenagenda.edge.store import SlipStore
from hiddenagenda.edge.tables import append, lines_of
from hiddenagenda.faults import IllegalMove, Malformed, sentence
from hiddenagenda.graph import ONCE
from hiddenagenda.line import Line, read_line
from hiddenagenda.seat import LARGEST as LARGEST_SEAT
from hiddenagenda.seat import Seat, read_seat
from hiddenagenda.shape import encode

_SEAT: Final = re.compile(r"([0-9a-f]{64})\.json")
_ID: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedSeat:
    """A seat that was made here, and the id of the table for which something was signed from it."""

    seat: Seat
    table: str | None


class Memory:
    """What is remembered under ``home``, a path; it need not exist before the first seat does.

    Every method raises ``StoreError`` for what cannot be used or is damaged.
    """

    def __init__(self, home: str) -> None:
        self._home = home
        self._seats = os.path.join(home, "seats")

    def remember_seat(self, seat: Seat) -> None:
        """Remember a seat, before it is handed out. Raises ``IllegalMove`` where its nonce was used before."""
        with self.locked():
            if self._seat(seat.nonce) is None:
                write_new_secret(self._path(seat.nonce, ".json"), encode(seat))
            if self._seat(seat.nonce) != seat:
                raise IllegalMove(sentence("the number in this seat was used before"), code="used-nonce")

    def seats(self) -> tuple[RememberedSeat, ...]:
        """Return every remembered seat, by key and nonce."""
        if not os.path.lexists(self._seats):
            return ()
        with explained(self._seats):
            nonces = [match[1] for match in map(_SEAT.fullmatch, os.listdir(self._seats)) if match]
        seats = [seat for seat in map(self._seat, nonces) if seat is not None]
        return tuple(
            RememberedSeat(seat=seat, table=self._used_at(seat))
            for seat in sorted(seats, key=lambda seat: (seat.key, seat.nonce))
        )

    def seated(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Return those of ``seats`` that were made here: which of the players at a table are this user's."""
        return tuple(seat for seat in seats if self._seat(seat.nonce) == seat)

    def take_seat(self, seats: Iterable[Seat], key: str, table: str) -> Seat:
        """Use the seat of ``key`` (hex) among ``seats`` for the table that has them and this id; return the seat.

        Taking it again for the same table changes nothing, and it is free again for another one as long as nothing was
        stored as signed. Raises ``IllegalMove`` where the key has no seat there, or one that was not made here, is not
        as it was made, or is used: then nothing may be signed for this table.
        """
        seat = _seat_of(seats, key)
        game = self.game(table)
        with self.locked():
            self._check_free(seat, table)
            if self.table_of(seat) != table or not os.path.lexists(game.seat_path(key)):
                private_directory(game.directory)
                replace_file(game.seat_path(key), encode(seat))
                replace_file(self._path(seat.nonce, ".table"), table.encode())
        return seat

    def check_seat(self, seats: Iterable[Seat], key: str, table: str) -> None:
        """Raise what ``take_seat`` would raise; nothing is changed."""
        self._check_free(_seat_of(seats, key), table)

    def game(self, table: str) -> "GameState":
        """Return what is remembered of the game with this id (64 hex digits). Raises ``Malformed`` for no id."""
        if not _ID.fullmatch(table):
            raise Malformed(sentence("a game's id is 64 lower-case hex digits"), code="id")
        return GameState(self, os.path.join(self._home, "games", table), table)

    def table_of(self, seat: Seat) -> str | None:
        """Return the id of the table that ``seat`` was taken for last."""
        path = self._path(seat.nonce, ".table")
        return read_secret(path, 64).decode("ascii", "replace") if os.path.lexists(path) else None

    def locked(self) -> AbstractContextManager[int]:
        """Hold the lock of everything that is remembered."""
        private_directory(self._seats)
        return locked(os.path.join(self._seats, ".lock"))

    def _check_free(self, seat: Seat, table: str) -> None:
        ours = self._seat(seat.nonce)
        if ours is None:
            raise IllegalMove(
                sentence("the seat of “{name}” at this table was not made here", name=seat.name),
                hint=sentence("sign where it was made: two devices would make two histories of one game"),
                code="foreign-seat",
            )
        if ours != seat:
            raise IllegalMove(
                sentence(
                    "your seat was made for “{ours}” and is altered here: “{theirs}”", ours=ours.name, theirs=seat.name
                ),
                hint=sentence("ask for a table that has your seat as you sent it"),
                code="altered-seat",
            )
        used = self._used_at(seat)
        if used not in (None, table):
            raise IllegalMove(
                sentence("your seat is used at another table: {table}", table=used),
                hint=sentence("make a new seat for every game"),
                code="used-seat",
            )

    def _used_at(self, seat: Seat) -> str | None:
        table = self.table_of(seat)
        return table if table is not None and self.game(table).has_signed() else None

    def _seat(self, nonce: str) -> Seat | None:
        path = self._path(nonce, ".json")
        return _read_seat(path) if os.path.lexists(path) else None

    def _path(self, nonce: str, end: str) -> str:
        return os.path.join(self._seats, nonce + end)


class GameState:
    """What this client signed in one game, and its slips for it. ``Memory.game`` makes it.

    ``directory`` is where it lies; it is made when the seat is taken.
    """

    def __init__(self, memory: Memory, directory: str, table: str) -> None:
        self._memory = memory
        self._table = table
        self._sent = os.path.join(directory, "sent.jsonl")
        self.directory = directory
        self.slips = SlipStore(directory)

    def store_signed(self, line: Line) -> None:
        """Store a line that was just signed; when this returns, it may be sent.

        Storing it again changes nothing. Raises ``IllegalMove``, with nothing stored, where no seat of its author is
        taken for this game, where its seq is not the one after the newest own one, or for a second commit or seal:
        then it must not be sent.
        """
        with self._memory.locked():
            self._check_seated(line)
            mine = [other for other in self.own_lines() if other.entry.author == line.entry.author]
            if any(other.id == line.id for other in mine):
                return
            kind = line.entry.type
            if kind in ONCE and any(other.entry.type == kind for other in mine):
                raise IllegalMove(
                    sentence("you signed a {kind} in this game already", kind=kind),
                    hint=sentence("send it again; there is never a second one"),
                    code=f"second-{kind}",
                )
            newest = max((other.entry.seq for other in mine), default=0)
            if line.entry.seq != newest + 1:
                raise IllegalMove(
                    sentence("your entry {have} cannot follow your entry {newest}", have=line.entry.seq, newest=newest),
                    hint=sentence("another process signed meanwhile: do it again"),
                    code="own-seq",
                )
            append(self._sent, [line.data], SECRET)

    def adopt(self, line: Line) -> None:
        """Store an own line that came from elsewhere, after a loss of memory; its signature was verified before.

        Raises ``IllegalMove`` where another entry of the same author and seq is stored: then the game is forked.
        """
        with self._memory.locked():
            private_directory(self.directory)
            same = [other for other in self.own_lines() if _seat_in_record(other) == _seat_in_record(line)]
            if not same:
                append(self._sent, [line.data], SECRET)
            elif same[0].id != line.id:
                raise IllegalMove(
                    sentence("two entries {seq} of yours are in this game", seq=line.entry.seq),
                    hint=sentence("two devices or a restored backup signed them: everybody can see it"),
                    code="forked",
                )

    def unknown(self, lines: Iterable[Line], key: str) -> tuple[Line, ...]:
        """Return those of ``lines`` that ``key`` (hex) wrote and this memory does not know.

        Where their signatures hold, a second device or a restored backup is at work, and its user should hear of it
        before anything is signed.
        """
        known = {line.id for line in self.own_lines()}
        return tuple(line for line in lines if line.entry.author == key and line.id not in known)

    def missing_from(self, ids: Container[str]) -> tuple[Line, ...]:
        """Return the own lines that a record with these ``ids`` lacks: what a crash kept from being sent."""
        return tuple(line for line in self.own_lines() if line.id not in ids)

    def own_lines(self) -> tuple[Line, ...]:
        """Return what was stored as signed, oldest first: these lines may be sent again at any time.

        Raises ``StoreError`` where a line of it is damaged, since what was signed is not known then.
        """
        if not self.has_signed():
            return ()
        found = []
        for number, data in enumerate(lines_of(read_secret(self._sent, LARGEST)), start=1):
            try:
                found.append(read_line(data))
            except Malformed as error:
                raise StoreError(
                    sentence(
                        "line {number} of {path} is damaged: {why}", number=number, path=self._sent, why=error.said
                    ),
                    hint=sentence("take this file from a backup; until then nothing is signed in this game"),
                    code="memory-damaged",
                ) from None
        return tuple(found)

    def has_signed(self) -> bool:
        """Say whether anything was stored as signed."""
        return os.path.lexists(self._sent)

    def seat_path(self, key: str) -> str:
        """Return the path of the seat that ``key`` (hex) takes in this game."""
        return os.path.join(self.directory, key + ".seat")

    def _check_seated(self, line: Line) -> None:
        path = self.seat_path(line.entry.author)
        seated = line.game == self._table and os.path.lexists(path)
        if not seated or self._memory.table_of(_read_seat(path)) != self._table:
            raise IllegalMove(
                sentence("you have taken no seat in the game {table}", table=self._table), code="not-seated"
            )


def _seat_of(seats: Iterable[Seat], key: str) -> Seat:
    for seat in seats:
        if seat.key == key:
            return seat
    raise IllegalMove(sentence("no seat at this table has your key"), code="not-seated")


def _seat_in_record(line: Line) -> tuple[str, int]:
    return line.entry.author, line.entry.seq


def _read_seat(path: str) -> Seat:
    try:
        return read_seat(read_secret(path, LARGEST_SEAT))
    except Malformed as error:
        raise StoreError(
            sentence("the seat in {path} is damaged: {why}", path=path, why=error.said), code="seat-damaged"
        ) from None
