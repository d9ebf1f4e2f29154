"""What a relay bears: rooms of four players on one relay process, each playing a whole game over real sockets.

With the project installed, ``python tests/benchmarks/relay.py [ROOMS ...] [--quick]`` (default: 50 500) plays in so
many rooms at once, an entry a room every four seconds; prints for each number: latency from saying an entry to holding
it at another player's, the relay's processor time and memory a room, and both as ratios to the first number. Everything
stays on the loopback address. The players are real wires and gossip in one process beside the relay; the game was
signed beforehand and is the same in all rooms.
Absolute times are of this machine and this moment. Fails where anything is lost.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from hiddenagenda.edge import websocket
from hiddenagenda.edge.relay import raise_file_limit
from hiddenagenda.edge.websocket import Wire
from hiddenagenda.frames import Channel, RoomKey, new_session
from hiddenagenda.gossip import Gossip
from hiddenagenda.line import Line
from hiddenagenda.outcome import Outcome
from hiddenagenda.peers import Arrived
from hiddenagenda.verifier import judge

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from table import Game, transcript

PLAYERS = 4
THINKS, HASTE = 4.0, 0.2
"""Seconds that a player thinks before an entry, on the average; and with ``--quick``."""
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def whole_game() -> Game:
    """Commits, seals, a turn-up each, a note each, and everybody leaves."""
    game = Game(PLAYERS, slots=2)
    game.start()
    for client in game.players:
        client.turn_up(1)
        game.share()
    game.finish()
    if game.verdict().outcome is not Outcome.KEPT:
        raise AssertionError(game.verdict())
    return game


class Relay:
    """The real program in a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hiddenagenda_cli.main", "relay", "--bind", "127.0.0.1:0", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.url = json.loads(self.process.stdout.readline())["url"]

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def memory(self) -> int:
        """Bytes that it has in memory."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * PAGE

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()


class Peer:
    """A player: its wire, and when it came to hold each entry."""

    def __init__(self, url: str, key: RoomKey, table: Line, place: int, said_at: dict[str, float]) -> None:
        self.gossip = Gossip(Channel(key, new_session()), table, place=place, now=time.monotonic())
        self.wire = Wire(
            f"{url}/{key.name}", self.gossip, lock=threading.RLock(), on_news=self._take, through_proxy=False
        )
        self.latencies: list[float] = []
        self._said_at = said_at

    def _take(self, news: Sequence[Any]) -> None:
        now = time.monotonic()
        for one in news:
            if isinstance(one, Arrived):
                self.latencies += [now - self._said_at[line.id] for line in one.lines if line.id in self._said_at]

    def say(self, line: Line) -> None:
        self._said_at[line.id] = time.monotonic()
        self.gossip.say(line)
        self.wire.wake()


class Room:
    """Four players and their game."""

    def __init__(self, url: str, game: Game) -> None:
        self.game = game
        key = RoomKey.generate()
        said_at: dict[str, float] = {}
        self.peers = [Peer(url, key, game.table, place, said_at) for place in range(PLAYERS)]
        places = {client.key: place for place, client in enumerate(game.players)}
        self.order = [(places[line.entry.author], line) for line in transcript(game.lines).graph.nodes[1:]]

    async def play(self, chance: random.Random, thinks: float) -> None:
        """Say every entry when its author holds what it rests on, and has thought for so long on the average."""
        for place, line in self.order:
            peer = self.peers[place]
            await asyncio.sleep(chance.uniform(0.2, 1.8) * thinks)
            async with asyncio.timeout(60):
                while not all(parent in peer.gossip.holdings for parent in line.entry.parents):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            peer.say(line)
        async with asyncio.timeout(60):
            while not all(self._is_whole(peer) for peer in self.peers):  # noqa: ASYNC110 - nothing to hear of
                await asyncio.sleep(0.05)

    def _is_whole(self, peer: Peer) -> bool:
        return len(peer.gossip.holdings) == len(self.order) + 1 and peer.gossip.is_shared


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a number of rooms cost."""

    rooms: int
    latencies: Sequence[float]
    seconds: float
    memory: int
    wall: float


async def play(relay: Relay, rooms: int, game: Game, thinks: float) -> Measured:
    """Connect everybody, then play all games at once."""
    before = relay.memory
    made = [Room(relay.url, game) for _ in range(rooms)]
    peers = [peer for room in made for peer in room.peers]
    async with asyncio.TaskGroup() as group:
        for number, peer in enumerate(peers):
            group.create_task(peer.wire.run())
            if number % 20 == 19:
                await asyncio.sleep(0.02)
        async with asyncio.timeout(120):
            while not all(len(peer.gossip.present) == PLAYERS - 1 for peer in peers):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        await asyncio.sleep(1.0)
        start, seconds = time.monotonic(), relay.seconds
        chance = random.Random(rooms)
        await asyncio.gather(*[room.play(chance, thinks) for room in made])
        wall, spent, memory = time.monotonic() - start, relay.seconds - seconds, relay.memory - before
        for peer in peers:
            peer.wire.close()
    verdict = judge(transcript(made[-1].peers[-1].gossip.holdings.lines))
    if verdict.outcome is not Outcome.KEPT:
        raise AssertionError(verdict)
    latencies = [latency for peer in peers for latency in peer.latencies]
    expected = rooms * len(made[0].order) * (PLAYERS - 1)
    if len(latencies) != expected:
        raise AssertionError((len(latencies), expected))
    return Measured(rooms=rooms, latencies=latencies, seconds=spent, memory=memory, wall=wall)


def main() -> None:
    if not Path("/proc/self/statm").exists():
        sys.exit("this system has no /proc, where another process's time and memory are read")
    raise_file_limit()
    game = whole_game()
    entries = len(game.lines) - 1
    first: Measured | None = None
    thinks = HASTE if "--quick" in sys.argv else THINKS
    websocket.TICK = 5.0  # type: ignore[misc]  # no file is looked at here
    for rooms in [int(argument) for argument in sys.argv[1:] if argument.isdecimal()] or [50, 500]:
        relay = Relay()
        try:
            now = asyncio.run(play(relay, rooms, game, thinks))
        finally:
            relay.end()
        first = first or now
        cuts = quantiles(now.latencies, n=1000)
        p50, p90, p99 = (1000 * cuts[int(share * 10) - 1] for share in (50, 90, 99))
        print(f"{rooms} rooms of {PLAYERS}, {entries} entries each, in {now.wall:.0f} s: nothing lost")
        print(
            f"  from mouth to ear: median {p50:.1f} ms, 90 % {p90:.1f} ms, 99 % {p99:.1f} ms, "
            f"longest {1000 * max(now.latencies):.0f} ms"
        )
        cpu, memory = 1000 * now.seconds / rooms, now.memory / rooms / 1024
        print(
            f"  relay, each room: {cpu:.1f} ms of processor for a whole game (x{ratio(now, first, 'seconds'):.2f} of "
            f"{first.rooms} rooms), {memory:.0f} KiB of memory (x{ratio(now, first, 'memory'):.2f})"
        )


def ratio(now: Measured, first: Measured, what: str) -> float:
    """Return how much more a room costs than in the first run."""
    return float(getattr(now, what) / now.rooms / max(getattr(first, what) / first.rooms, 1e-9))


if __name__ == "__main__":
    main()
