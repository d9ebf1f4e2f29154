"""A player's client at a live table: what arrives, and what is said, is in the file before anybody is told.

SPEC "The live table". The file is the plain one of all other ways to play, and another program may write to it
meanwhile. Besides what its user says, the client does what no player decides: it seals when all have committed, and
shows what is due when the game is over. Nothing is asked and nothing printed here.
"""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from hiddenagenda.edge import tables
from hiddenagenda.edge.client import Client, Said, unknown_lines, unknown_own
from hiddenagenda.edge.files import PUBLIC, StoreError, read_bounded, read_open, replace_file
from hiddenagenda.edge.lock import locked
from hiddenagenda.entry import Body
from hiddenagenda.frames import Channel
from hiddenagenda.gossip import Gossip
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line
from hiddenagenda.moves import reveal
from hiddenagenda.naming import Choice
from hiddenagenda.transcript import LARGEST, Transcript
from hiddenagenda.verdict import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """Entries that are new in the file: others', or own ones that the client said by itself."""

    lines: tuple[Line, ...]
    transcript: Transcript
    """The game with them."""


class LiveTable:
    """The table in the file at ``path``, where ``identity`` plays from ``home``. Not safe for several threads at once.

    Raises what ``Client`` raises.
    """

    def __init__(self, home: str, path: str, identity: Identity, channel: Channel) -> None:
        self._home = home
        self._path = path
        self._identity = identity
        self.client = Client(home, path, identity)
        transcript = self.client.transcript
        self.gossip: Final = Gossip(
            channel,
            transcript.graph.nodes[0],
            place=transcript.roster.index(identity.public.hex),
            now=time.monotonic(),
        )
        self._in_file: set[bytes] = set()
        self._size = 0
        self._look()
        self.gossip.add(_lines(self.client.transcript))

    @property
    def transcript(self) -> Transcript:
        """The game as it stands here."""
        return self.client.transcript

    @property
    def is_done(self) -> bool:
        """Whether the game is over and every slot of everybody is open: nothing can come that changes a verdict."""
        player = self.client.player
        setting = player.hearing.setting
        facts = player.hearing.standing.facts
        if facts.phase is not Phase.OVER:
            return False
        opened = {(one.owner, one.slip.slot) for one in facts.shown}
        return all(
            (owner, slot) in opened
            for owner in range(len(setting.table.players))
            for slot in range(1, 1 + len(setting.commitments(facts, owner)))
        )

    def take(self, lines: Sequence[Line]) -> Entries | None:
        """Put lines that came over the wire into the file. Raises ``StoreError``; ``TooLarge``."""
        before = self.client.transcript
        after = before.add(lines)
        missing = [data for data in tables.lines_of(after.write()) if data not in self._in_file]
        if missing:
            self._append(missing)
        self.client.transcript = after
        written = set(missing)
        new = tuple(line for line in lines if line.data in written)
        return Entries(lines=new, transcript=after) if new else None

    def refresh(self) -> Entries | None:
        """Take in what another program wrote into the file meanwhile. Raises what ``Client`` raises."""
        with suppress(FileNotFoundError):
            if os.stat(self._path).st_size == self._size:
                return None
        before = self.client.transcript
        self.client = Client(self._home, self._path, self._identity)
        self.client.transcript = self.client.transcript.add(_lines(before))
        self._look()
        gained = set(self.client.transcript.gained_over(before).new)
        lines = _lines(self.client.transcript)
        self.gossip.add(lines)
        new = tuple(line for line in lines if line.id in gained)
        return Entries(lines=new, transcript=self.client.transcript) if new else None

    def say(self, body: Body) -> Said:
        """Say ``body`` to everybody. Raises ``IllegalMove``, ``StoreError``."""
        self._check_own()
        return self._sent(self.client.say(body))

    def commit(self, choices: Sequence[Choice]) -> Said:
        """Commit to ``choices``. Raises ``IllegalMove``, ``StoreError``."""
        self._check_own()
        return self._sent(self.client.commit(choices))

    def settle(self) -> tuple[Said, ...]:
        """Say what no player decides, if it is time for it. Raises ``IllegalMove``, ``StoreError``."""
        said = []
        if self.client.said("commit") is not None and self.client.said("seal") is None and self._all_committed:
            self._check_own()
            said.append(self._sent(self.client.seal()))
        player = self.client.player
        if player.phase is Phase.OVER and player.would_be_over_anyway():
            body = reveal(player, self.client.slips, waited=False)
            if body is not None:
                said.append(self.say(body))
        return tuple(said)

    def put_in_order(self) -> None:
        """Leave the file in display order, which is the same for all who hold the same; else leave it alone."""
        ordered = self.client.transcript.write()
        with suppress(StoreError), locked(self._path, PUBLIC) as descriptor:
            data = read_open(descriptor, self._path, LARGEST)
            if data != ordered and sorted(tables.lines_of(data)) == sorted(tables.lines_of(ordered)):
                replace_file(self._path, ordered, PUBLIC)

    @property
    def _all_committed(self) -> bool:
        return all(len(one.agendas) == 1 for one in self.client.player.committed)

    def _check_own(self) -> None:
        """Refuse to sign where the own key signs elsewhere, too."""
        unknown = unknown_lines(self.client.state, self.client.transcript, self._identity.public.hex)
        if unknown:
            raise unknown_own(unknown, self._path)

    def _sent(self, said: Said) -> Said:
        if said.line.data not in self._in_file:
            self._in_file.add(said.line.data)
            self._size += len(said.line.data) + 1
        self.gossip.say(said.line)
        return said

    def _append(self, data: Sequence[bytes]) -> None:
        tables.append(self._path, data)
        self._in_file.update(data)
        self._size += sum(len(one) + 1 for one in data)

    def _look(self) -> None:
        data = read_bounded(self._path, LARGEST)
        self._in_file = set(tables.lines_of(data))
        self._size = len(data)


def _lines(transcript: Transcript) -> list[Line]:
    nodes = [*transcript.graph.nodes, *(one.line for one in transcript.dangling)]
    return [transcript.signatures.written(line) for line in nodes]
