"""Wires on loopback, through a proxy that cuts them off, and over a relay that is killed and comes back."""

import asyncio
import threading
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from hashlib import sha256
from typing import Any

import pytest
from faultyproxy import FaultyProxy
from talk import NAMES, Talk

from hiddenagenda.edge import websocket as module
from hiddenagenda.edge.addresses import Address
from hiddenagenda.edge.network import Network
from hiddenagenda.edge.relay import Relay
from hiddenagenda.edge.websocket import Line, LineChanged, Wire
from hiddenagenda.frames import Channel, RoomKey
from hiddenagenda.gossip import Gossip

KEY = RoomKey(sha256(b"wire").digest())
LOOPBACK = Address(host="127.0.0.1", port=0)


class Peer:
    """A wire around a gossip, and what it said."""

    def __init__(self, talk: Talk, name: str, place: int, url: str) -> None:
        self.news: list[Any] = []
        self.talk = talk
        self.gossip = Gossip(
            Channel(KEY, sha256(name.encode()).digest()[:16]), talk.table, place=place, now=time.monotonic()
        )
        self.wire = Wire(
            f"{url}/{KEY.name}",
            self.gossip,
            lock=threading.RLock(),
            on_news=self.news.extend,
            through_proxy=False,
        )

    @property
    def changes(self) -> list[Line]:
        return [one.line for one in self.news if isinstance(one, LineChanged)]


async def until(test: Any, seconds: float = 30.0) -> None:
    async with asyncio.timeout(seconds):
        while not test():  # noqa: ASYNC110 - what is waited for knows no events
            await asyncio.sleep(0.02)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again sooner than for people."""
    monkeypatch.setattr(module, "_PAUSES", (0.05, 0.2))


def test_what_is_said_arrives() -> None:
    async def test() -> None:
        talk = Talk(2)
        async with Relay().serving(LOOPBACK) as address, asyncio.TaskGroup() as group:
            peers = [Peer(talk, name, place, address.url) for place, name in enumerate(("Ana", "Ben"))]
            for peer in peers:
                group.create_task(peer.wire.run())
            for turn in range(10):
                peers[turn % 2].gossip.say(talk.say(NAMES[turn % 2]))
                peers[turn % 2].wire.wake()
            await until(lambda: all(len(peer.gossip.holdings) == 11 for peer in peers))
            await until(lambda: all(peer.gossip.is_shared for peer in peers))
            for peer in peers:
                peer.wire.close()
        assert all(peer.changes == [Line.UP] for peer in peers)

    asyncio.run(test())


@pytest.mark.parametrize("seed", range(3))
def test_connections_that_are_cut_off_lose_nothing(seed: int) -> None:
    async def test() -> None:
        players = 4
        talk = Talk(players)
        async with AsyncExitStack() as stack:
            address = await stack.enter_async_context(Relay().serving(LOOPBACK))
            proxy = FaultyProxy(address.port, seed=seed)
            port = await stack.enter_async_context(proxy.serving())
            group = await stack.enter_async_context(asyncio.TaskGroup())
            peers = [Peer(talk, NAMES[place], place, f"ws://127.0.0.1:{port}") for place in range(players)]
            for peer in peers:
                group.create_task(peer.wire.run())
            for turn in range(80):
                peer = peers[turn % players]
                peer.gossip.say(talk.say(NAMES[turn % players]))
                peer.wire.wake()
                await asyncio.sleep(0.01)
            await until(lambda: proxy.cuts >= players)
            proxy.is_calm = True
            await until(lambda: all(len(peer.gossip.holdings) == 81 for peer in peers))
            await until(lambda: all(peer.gossip.is_shared for peer in peers))
            for peer in peers:
                peer.wire.close()
        assert proxy.cuts >= players
        assert any(Line.DOWN in peer.changes for peer in peers)

    asyncio.run(test())


def test_a_relay_that_dies_is_found_again() -> None:
    async def test() -> None:
        talk = Talk(2)
        async with asyncio.TaskGroup() as group:
            async with Relay().serving(LOOPBACK) as address:
                peers = [Peer(talk, name, place, address.url) for place, name in enumerate(("Ana", "Ben"))]
                for peer in peers:
                    group.create_task(peer.wire.run())
                await until(lambda: all(peer.gossip.present for peer in peers))
            peers[0].gossip.say(talk.say("Ana"))
            await until(lambda: all(Line.DOWN in peer.changes for peer in peers))
            async with Relay().serving(address):
                await until(lambda: all(len(peer.gossip.holdings) == 2 for peer in peers))
                for peer in peers:
                    peer.wire.close()
        for peer in peers:
            assert peer.changes[0] is Line.UP
            assert peer.changes[-1] is Line.UP

    asyncio.run(test())


@pytest.mark.parametrize(("only", "said"), [("0" * 32, "perhaps the host has gone"), (None, "127.0.0.1")])
def test_why_there_is_no_connection_is_said(only: str | None, said: str) -> None:
    async def test() -> None:
        talk = Talk(2)
        async with Relay(only=only).serving(LOOPBACK) as address:
            url = address.url if only else "ws://127.0.0.1:1"
            peer = Peer(talk, "Ana", 0, url)
            running = asyncio.create_task(peer.wire.run())
            await until(lambda: len(peer.changes) >= 2)
            peer.wire.close()
            await running
        assert set(peer.changes) == {Line.DOWN}
        assert said in str(peer.news[0].why)

    asyncio.run(test())


def test_a_relay_that_answers_nonsense_is_no_reason_to_crash() -> None:
    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 418 Teapot\r\nContent-Length: 0\r\n\r\n" if answers.pop() else b"\x00\xff\n\n")
        await writer.drain()
        writer.close()

    answers = [False, True] * 50

    async def test() -> None:
        server = await asyncio.start_server(nonsense, "127.0.0.1", 0)
        peer = Peer(Talk(2), "Ana", 0, f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        running = asyncio.create_task(peer.wire.run())
        await until(lambda: len(peer.changes) >= 4)
        peer.wire.close()
        await running
        server.close()
        assert any("418" in str(one.why) for one in peer.news)

    asyncio.run(test())


def test_the_pauses_between_tries_grow_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PAUSES", (0.5, 30.0))
    pauses = [module.pause_after(failures) for failures in range(1000)]
    assert pauses[:4] == [0.5, 1.0, 2.0, 4.0]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 30.0


def test_a_network_hosts_and_joins_and_ends() -> None:
    talk = Talk(2)
    with Network() as network, Network() as other:
        address = network.host(Relay(only=KEY.name), LOOPBACK)
        gossips = []
        heard: list[list[Any]] = [[], []]
        for place, one in enumerate((network, other)):
            gossip = Gossip(Channel(KEY, bytes([place]) * 16), talk.table, place=place, now=time.monotonic())
            gossips.append(gossip)
            assert not one.go_on_with(gossip)
            one.join(f"{address.own_url}/{KEY.name}", gossip, heard[place].extend, through_proxy=False)
        with network.lock:
            gossips[0].say(talk.say("Ana"))
        network.wake()
        deadline = time.monotonic() + 30
        while len(gossips[1].holdings) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(gossips[1].holdings) == 2
        for one in (network, other):
            one.check()
        assert other.go_on_with(gossips[1])
    network.close()
    assert threading.active_count() >= 1


def test_what_breaks_in_the_thread_is_not_silent() -> None:
    def broken(news: Sequence[Any]) -> None:
        raise RuntimeError("broken")

    ended = threading.Event()
    with Network() as network:
        gossip = Gossip(Channel(KEY, b"x" * 16), Talk(2).table, place=0, now=time.monotonic())
        network.join(f"ws://127.0.0.1:1/{KEY.name}", gossip, broken, on_end=ended.set, through_proxy=False)
        assert ended.wait(30)
        with pytest.raises(RuntimeError, match="broken"):
            network.check()
