"""A simulated room: peers over a wire that loses, doubles, delays and reorders, in a time of its own.

Nothing sleeps: the clock jumps to whatever happens next.
"""

import heapq
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from hiddenagenda.frames import Channel, Refusal, RoomKey
from hiddenagenda.gossip import Gossip
from hiddenagenda.line import Line, read_line
from hiddenagenda.messages import LINES
from hiddenagenda.peers import Event

KEY = RoomKey(sha256(b"room").digest())


@dataclass(frozen=True, kw_only=True)
class Weather:
    """What the wire does to frames."""

    loss: float = 0.0
    twice: float = 0.0
    slowest: float = 0.05


class Player:
    """A peer that can go away and come back, as another session or the same one."""

    def __init__(self, table: Line, name: str, place: int | None, now: float) -> None:
        self.name = name
        self.table = table
        self.place = place
        self.runs = 0
        self.online = True
        self.side = 0
        """Peers on different sides of a partition do not hear each other."""
        self.events: list[Event] = []
        self.gossip = self._new(now)

    def _new(self, now: float) -> Gossip:
        self.runs += 1
        session = sha256(f"{self.name} {self.runs}".encode()).digest()[:16]
        return Gossip(Channel(KEY, session), self.table, place=self.place, now=now)

    def restart(self, now: float) -> None:
        """Be killed and come back with what is in the file."""
        lines = self.gossip.holdings.lines
        self.gossip = self._new(now)
        self.gossip.add(lines)
        self.gossip.connected(now)

    @property
    def ids(self) -> set[str]:
        return {line.id for line in self.gossip.holdings.lines}


class Room:
    """Everybody, and the frames that are under way."""

    def __init__(self, table: Line, names: Iterable[str], *, weather: Weather | None = None, seed: int = 0) -> None:
        self.now = 0.0
        self.weather = weather or Weather()
        self.players = [Player(table, name, place, self.now) for place, name in enumerate(names)]
        self.chance = random.Random(seed)
        self.sent: Counter[str] = Counter()
        """How often each entry was sent, by id."""
        self.bytes = 0
        self.frames = 0
        self._under_way: list[tuple[float, int, Player, bytes]] = []
        self._reader = Channel(KEY, bytes(16))

    def settle(self, seconds: float) -> None:
        """Let so much time pass."""
        end = self.now + seconds
        while self.now < end:
            for player in self.players:
                if player.online:
                    self._send(player)
            times = [player.gossip.next_time() for player in self.players if player.online]
            times += [self._under_way[0][0]] if self._under_way else []
            self.now = max(self.now + 0.001, min([end, *times]))
            while self._under_way and self._under_way[0][0] <= self.now:
                _, _, player, frame = heapq.heappop(self._under_way)
                if player.online:
                    player.events += player.gossip.receive_data(frame, self.now)
            for player in self.players:
                player.events += player.gossip.pass_time(self.now)

    def _send(self, player: Player) -> None:
        for frame in player.gossip.data_to_send(self.now):
            self.frames += 1
            self.bytes += len(frame)
            content = self._reader.open(frame)
            if isinstance(content, Refusal):
                raise AssertionError(content)  # noqa: TRY004 - a test's doubt
            if content.kind == LINES:
                self.sent.update(read_line(data).id for data in content.body.split(b"\n"))
            for other in self.players:
                if other is not player and other.side == player.side:
                    self._carry(other, frame)

    def _carry(self, other: Player, frame: bytes) -> None:
        weather, chance = self.weather, self.chance
        for _ in range(1 + (chance.random() < weather.twice)):
            if chance.random() >= weather.loss:
                time = self.now + chance.uniform(0.001, weather.slowest)
                heapq.heappush(self._under_way, (time, chance.getrandbits(60), other, frame))

    @property
    def is_equal(self) -> bool:
        first = self.players[0].gossip.holdings.clock
        return all(player.gossip.holdings.clock == first for player in self.players)
