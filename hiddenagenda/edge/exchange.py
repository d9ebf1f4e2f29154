"""What others sent, taken into a game file; and copies of games, put together.

SPEC "A client's habits". What is taken in is a union of sets: nothing is lost by it, and nothing that is here is
changed. A line that nobody's signature covers is left out. Nothing is signed, asked or printed here.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from hiddenagenda.authentic import Fork
from hiddenagenda.edge import tables
from hiddenagenda.edge.client import only_game, put_back, read_games, unknown_lines
from hiddenagenda.edge.files import write_new_file
from hiddenagenda.edge.memory import Memory
from hiddenagenda.edge.tables import Torn
from hiddenagenda.faults import HiddenAgendaError, IllegalMove, Malformed, TooLarge, sentence
from hiddenagenda.forkproof import is_signed
from hiddenagenda.graph import Dangling
from hiddenagenda.line import Line, read_line
from hiddenagenda.player import check_table
from hiddenagenda.record import Aside, Record, Source, read_record
from hiddenagenda.transcript import Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What a game has by lines that were just taken in."""

    transcript: Transcript
    """The game with them."""
    new: tuple[Line, ...]
    """Lines that were not here, or not validly signed, in display order; those that dangle last."""
    forks: tuple[Fork, ...]
    """Forks that did not show before."""
    dangling: tuple[Dangling, ...]
    """Lines that came now and have no place yet."""
    uncovered: tuple[Line, ...]
    """Lines that came now and that no signature covers: they are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """What came of taking lines into a game file."""

    taken: Taken
    is_new: bool
    """Whether the file was made by it."""
    unreadable: tuple[Aside, ...]
    strangers: int
    """Lines of other games that came along, and were left out."""
    unknown: tuple[Line, ...]
    """Lines that a key of this device's signed and this device did not: nothing is signed before that is settled."""
    own: tuple[str, ...]
    """The keys at this table whose seats were made here."""
    obstacle: HiddenAgendaError | None
    """Why the user cannot play at this table from this device."""
    torn: Torn | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the files that were put together, and what of each game it has besides the ones before it."""

    path: str
    taken: tuple[Taken, ...]
    unreadable: tuple[Aside, ...]


def receive(home: str, path: str, given: Iterable[Source]) -> Received:
    """Take the lines of one game in ``given`` (bytes of records) into the file at ``path``, made where it is missing.

    Raises ``Malformed`` where there is no table, or several games; ``TooLarge`` for a game over its cap, and for one
    that would leave a player on this device no room for own lines; ``StoreError``.
    """
    record = reduce(Record.merge, map(read_record, given), read_record(b""))
    is_new = not os.path.lexists(path)
    before = read_record(b"") if is_new else read_games([path])
    game = only_game(record if is_new else before, path=path).game
    taken = _taken(before, record, game)
    if is_new and not taken.new:
        raise Malformed(sentence("nobody who sits at the table {game} has signed it", game=game), code="no-table")
    memory = Memory(home)
    seats = memory.seated(taken.transcript.table.players)
    if seats and taken.new and taken.transcript.is_nearly_full:
        raise _too_large(game)
    lines = [line.data for line in taken.new]
    torn = None
    if is_new:
        tables.create(path, lines)
    elif lines:
        torn = tables.append(path, lines)
    state = memory.game(game)
    transcript = put_back(path, taken.transcript, state)
    others = [line for transcript in record.transcripts for line in transcript.lines]
    return Received(
        taken=taken,
        is_new=is_new,
        unreadable=_unreadable(record),
        strangers=sum(line.game != game for line in (*record.strays, *others)),
        unknown=tuple(line for seat in seats for line in unknown_lines(state, transcript, seat.key)),
        own=tuple(seat.key for seat in seats),
        obstacle=_obstacle(transcript, is_seated=bool(seats)),
        torn=torn,
    )


def adopt(home: str, path: str) -> tuple[Line, ...]:
    """Make the own entries in the file at ``path`` that this device does not know its own; return them.

    What they say binds their author here, too, from now on. Raises ``IllegalMove`` where this device has no seat at the
    table, or has signed something else in the place of one of them: then the game is forked, and stays so.
    """
    transcript = only_game(read_games([path]), path=path)
    memory = Memory(home)
    seats = memory.seated(transcript.table.players)
    if not seats:
        raise _not_seated_here()
    state = memory.game(transcript.game)
    unknown = [line for seat in seats for line in unknown_lines(state, transcript, seat.key)]
    for line in unknown:
        state.adopt(transcript.signatures.written(line))
    return tuple(unknown)


def merge(paths: Sequence[str], out: str) -> tuple[Part, ...]:
    """Write every line in the game files at ``paths`` that a signature covers into the new file ``out``.

    Lines without a table are written as well if their author signed them. Raises ``StoreError``, also where ``out``
    exists; ``Malformed`` where nothing is left to write; ``TooLarge``.
    """
    whole = read_record(b"")
    parts = []
    for path in paths:
        record = read_games([path])
        before, whole = whole, whole.merge(record)
        for game in whole.oversized:
            raise _too_large(game)
        games = {transcript.game for transcript in record.transcripts} | {line.game for line in record.strays}
        here = {transcript.game for transcript in whole.transcripts}
        taken = tuple(_taken(before, record, game) for game in sorted(games & here))
        parts.append(Part(path=path, taken=taken, unreadable=_unreadable(record)))
    data = b"".join(transcript.write() for transcript in whole.transcripts)
    data += b"".join(line.data + b"\n" for line in whole.strays if is_signed(line))
    if not data:
        raise Malformed(sentence("there is no signed line of a game in these files"), code="no-table")
    write_new_file(out, data)
    return tuple(parts)


def _taken(before: Record, given: Record, game: str) -> Taken:
    """Return what ``given`` adds to the game with this id in ``before``."""
    transcript = _game(before.merge(given), game)
    if transcript is None:
        raise _too_large(game)
    old = _game(before, game)
    known = {line.id: old.signatures.valid_of(line) is not None for line in old.lines} if old else {}
    valid = transcript.signatures.valid_of
    written = [read_line(data) for data in transcript.write().splitlines()]
    kept = {line.id for line in written} | known.keys()
    gain = transcript.gained_over(old) if old else None
    return Taken(
        transcript=transcript,
        new=tuple(line for line in written if line.id not in known or (not known[line.id] and valid(line))),
        forks=gain.forks if gain else transcript.forks,
        dangling=tuple(one for one in (gain.dangling if gain else transcript.dangling) if one.line.id in kept),
        uncovered=tuple(line for line in transcript.lines if line.id not in kept),
    )


def _too_large(game: str) -> TooLarge:
    return TooLarge(
        sentence("with these lines the game {game} is larger than a game may be", game=game), code="too-large"
    )


def _game(record: Record, game: str) -> Transcript | None:
    return next((transcript for transcript in record.transcripts if transcript.game == game), None)


def _unreadable(record: Record) -> tuple[Aside, ...]:
    return tuple(aside for aside in record.aside if aside.code != "no-table")


def _obstacle(transcript: Transcript, *, is_seated: bool) -> HiddenAgendaError | None:
    try:
        check_table(transcript.table)
    except IllegalMove as error:
        return error
    return None if is_seated else _not_seated_here()


def _not_seated_here() -> IllegalMove:
    return IllegalMove(
        sentence("no seat at this table was made on this device: you can read this game, and not sign in it"),
        hint=sentence("who sits there signs on the device where the seat was made; two would make two histories"),
        code="foreign-seat",
    )
