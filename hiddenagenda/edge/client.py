"""One player's client at one table: what is said is signed, stored, appended and only then sent.

SPEC "A client's habits", "Memory". The rules are ``player``'s, the files ``tables``' and ``memory``'s; here is the
order in which they are used, and what is done again after a crash. Nothing is asked and nothing printed.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hiddenagenda import bundle
from hiddenagenda.edge import tables
from hiddenagenda.edge.files import read_pieces
from hiddenagenda.edge.memory import GameState, Memory
from hiddenagenda.edge.tables import Torn
from hiddenagenda.entry import Body, Commit, Kind, Seal, frame
from hiddenagenda.faults import IllegalMove, Malformed, TooLarge, counted, sentence
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line, sign
from hiddenagenda.moves import commit, find_entry
from hiddenagenda.naming import Choice
from hiddenagenda.player import Player, check_table, write_slips
from hiddenagenda.record import Record, read_record
from hiddenagenda.slip import Slip
from hiddenagenda.table import Table
from hiddenagenda.transcript import Transcript

LARGEST_FILE: Final = 16 * bundle.LARGEST
"""Bytes of a game file at the most; of a game, different lines have at most ``bundle.LARGEST``."""


def read_games(paths: Iterable[str]) -> Record:
    """Return everything in the game files at ``paths`` as one record. Raises ``StoreError`` and ``TooLarge``."""
    record = read_record(b"")
    for path in paths:
        record = record.merge(read_record(read_pieces(path, LARGEST_FILE)))
    return record


def only_game(record: Record, *, path: str) -> Transcript:
    """Return the one game in ``record``. Raises ``Malformed`` for none or several, ``TooLarge`` over its cap."""
    games = record.transcripts
    if len(games) == 1:
        return games[0]
    if games:
        raise Malformed(
            sentence("{path} holds {count} games, and one is meant", path=path, count=len(games)),
            hint=sentence("put each game into a file of its own"),
            code="several-games",
        )
    for game in record.oversized:
        raise TooLarge(sentence("the game {game} has more bytes than are looked at", game=game), code="too-large")
    why = record.aside[0].said if record.aside else sentence("it is empty")
    raise Malformed(
        sentence("there is no readable table in {path}: {why}", path=path, why=why),
        hint=sentence("receive the table from whoever set it up"),
        code="no-table",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a client has just said: the line, stored and in the file, and what moved out of its way."""

    line: Line
    torn: Torn | None


def set_table(home: str, path: str, identity: Identity, table: Table) -> Said:
    """Sign ``table`` and write it into the new file ``path``. Raises ``IllegalMove``, ``StoreError``."""
    check_table(table)
    line = sign(frame(table, author=identity.public.hex), identity)
    if os.path.lexists(path):
        raise IllegalMove(
            sentence("there is a file {path} already", path=path),
            hint=sentence("a new game gets a new file"),
            code="file-taken",
        )
    memory = Memory(home)
    memory.take_seat(table.players, identity.public.hex, line.id)
    memory.game(line.id).store_signed(line)
    tables.create(path, [line.data])
    return Said(line=line, torn=None)


class Client:
    """A seated player. ``transcript`` is what the file at ``path`` holds, with everything own that it lacked."""

    def __init__(self, home: str, path: str, identity: Identity) -> None:
        """Take the own seat at the table in ``path`` and put back what a crash kept from the file.

        Raises ``IllegalMove`` where nothing may be signed: another's table, a foreign or used seat, or own entries that
        this client does not know (code ``unknown-own``); ``Malformed`` and ``StoreError`` for the files.
        """
        self.path: Final = path
        self.identity: Final = identity
        transcript = only_game(read_games([path]), path=path)
        check_table(transcript.table)
        memory = Memory(home)
        memory.take_seat(transcript.table.players, identity.public.hex, transcript.game)
        self.state: Final[GameState] = memory.game(transcript.game)
        self.transcript = put_back(path, transcript, self.state)
        self._player: Player | None = None
        unknown = unknown_lines(self.state, self.transcript, identity.public.hex)
        if unknown:
            raise unknown_own(unknown, path)

    @property
    def player(self) -> Player:
        """The game as this player may build on it."""
        if self._player is None or self._player.hearing.transcript is not self.transcript:
            self._player = Player.of(self.transcript, self.identity.public.hex)
        return self._player

    @property
    def slips(self) -> dict[int, Slip]:
        """The own slips of this game that are in force, or will be, by slot."""
        return own_slips(self.state, self.transcript, self.identity.public.hex)

    def said(self, kind: Kind) -> Line | None:
        """Return the own first entry of a kind, such as the commit, as it was signed; None where there is none."""
        own = (line for line in self.state.own_lines() if line.entry.author == self.identity.public.hex)
        return next((line for line in own if line.entry.type == kind), None)

    def commit(self, choices: Sequence[Choice]) -> Said:
        """Keep slips for ``choices`` (slots 1, 2, …), then sign one commit to all of them.

        Signed again, the same commit is the one that was signed, and slips that were lost are here again. Raises
        ``IllegalMove`` for a second one.
        """
        slips = write_slips(self.identity, self.transcript.game, choices)
        body = commit(slips)
        former = self.said("commit")
        same = former if former is not None and former.entry.body == body else None
        if same is None:
            self.player.draft(body)  # what may not be signed leaves no slip behind
        for slip in slips:
            self.state.slips.keep_derived(slip)
        return self.say(body) if same is None else Said(line=same, torn=None)

    def seal(self) -> Said:
        """Accept everybody's commits. Signed again it is the seal that was signed.

        Raises ``IllegalMove`` (code ``premature-seal``) with the names of those who have not committed.
        """
        former = self.said("seal")
        if former is not None:
            return Said(line=former, torn=None)
        missing = [one.seat.name for one in self.player.committed if not one.agendas]
        if missing:
            raise IllegalMove(
                counted(
                    "not yet: the commit of {n} player is not here: {names}",
                    "not yet: the commits of {n} players are not here: {names}",
                    n=len(missing),
                    names=", ".join(missing),
                ),
                hint=sentence("receive what they have sent, or ask them to commit"),
                code="premature-seal",
            )
        return self.say(Seal())

    def say(self, body: Body) -> Said:
        """Say ``body``: judge it, sign it, store it, append it to the file. Raises ``IllegalMove`` with the rule."""
        line = sign(self.player.draft(body), self.identity)
        self.state.store_signed(line)
        torn = tables.append(self.path, [line.data])
        self.transcript = self.transcript.add([line])
        return Said(line=line, torn=torn)

    def lacking_elsewhere(self) -> bytes:
        """Return the lines that the others may lack, as far as their own newest entries show."""
        return lacking_elsewhere(self.transcript, self.identity.public.hex)


def put_back(path: str, transcript: Transcript, state: GameState) -> Transcript:
    """Append to the file at ``path`` the own lines that it lacks, or has under a damaged signature.

    Returns the transcript that the file holds then. A crash between storing and appending leaves such lines.
    """
    missing = missing_from(transcript, state)
    if not missing:
        return transcript
    tables.append(path, [line.data for line in missing])
    return transcript.add(missing)


def missing_from(transcript: Transcript, state: GameState) -> tuple[Line, ...]:
    """Return the own lines in ``state`` that ``transcript`` lacks, or has under a damaged signature."""
    valid = transcript.signatures.valid_of
    return state.missing_from({line.id for line in transcript.lines if valid(line) is not None})


def on_record(home: str, path: str) -> Transcript:
    """Return the game in the file at ``path``, with whatever was signed here and a crash kept from it.

    No secret key is needed. Raises ``Malformed`` and ``StoreError``.
    """
    transcript = only_game(read_games([path]), path=path)
    return put_back(path, transcript, Memory(home).game(transcript.game))


def seated_keys(home: str, transcript: Transcript) -> list[str]:
    """Return the keys of the seats at the table that were made on this device."""
    return [seat.key for seat in Memory(home).seated(transcript.table.players)]


def slips_at(home: str, path: str) -> tuple[Slip, ...]:
    """Return this user's slips in the game in the file at ``path``, by player and slot: those committed to, if any.

    Raises ``IllegalMove`` where no seat at the table was made on this device, ``Malformed`` and ``StoreError``.
    """
    transcript = on_record(home, path)
    keys = seated_keys(home, transcript)
    if not keys:
        raise IllegalMove(sentence("no seat at this table was made on this device"), code="foreign-seat")
    state = Memory(home).game(transcript.game)
    return tuple(slip for key in keys for _, slip in sorted(own_slips(state, transcript, key).items()))


def unknown_lines(state: GameState, transcript: Transcript, key: str) -> tuple[Line, ...]:
    """Return the validly signed lines of ``key`` in ``transcript`` that are not in ``state``, in order of seq."""
    unknown = state.unknown(transcript.lines, key)
    signed = (line for line in unknown if transcript.signatures.valid_of(line) is not None)
    return tuple(sorted(signed, key=lambda line: line.entry.seq))


def unknown_own(lines: Sequence[Line], path: str) -> IllegalMove:
    """Return why nothing is signed where ``lines`` are the own ones that this device did not sign."""
    return IllegalMove(
        sentence(
            "your key signed entry {seq} of this game, and this device does not know of it", seq=lines[0].entry.seq
        ),
        hint=sentence(
            "another device or a restored backup was at work: play on where it was signed, or receive all that"
            " the others have and then: hiddenagenda receive {path} --adopt",
            path=path,
        ),
        code="unknown-own",
    )


def own_slips(state: GameState, transcript: Transcript, key: str) -> dict[int, Slip]:
    """Return the slips in ``state`` that the own commit in ``transcript`` is about, by slot; before it, all."""
    valid = transcript.signatures.valid_of
    own = [line for line in transcript.lines if line.entry.author == key and valid(line) is not None]
    commits = [line.entry.body for line in own if isinstance(line.entry.body, Commit)]
    committed = {digits for commit in commits for digits in commit.commitments}
    kept = (one for one in state.slips.listing().slips if one.slip.player == key)
    return {one.slip.slot: one.slip for one in kept if not commits or one.commitment.hex in committed}


def lacking_elsewhere(transcript: Transcript, key: str | None) -> bytes:
    """Return the lines outside the closure of some other player's newest entry; of any player's without a ``key``."""
    return transcript.write(transcript.unseen([reader for reader in transcript.roster if reader != key]))


def later_than(transcript: Transcript, entry: str) -> bytes:
    """Return the validly signed lines that an entry does not rest on; ``entry`` is its id, or the beginning of it."""
    graph, valid = transcript.graph, transcript.signatures.valid
    seen = set(graph.closure([graph.index[find_entry(transcript, entry)]]))
    return transcript.write(number for number in range(len(graph.nodes)) if number not in seen and valid(number))
