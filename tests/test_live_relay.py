"""A relay on loopback: who hears whom, what is refused, and what it bears."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from hiddenagenda.edge.addresses import Address, own_address
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.relay import Limits, Relay, raise_file_limit
from hiddenagenda.faults import Malformed
from hiddenagenda.frames import LARGEST

ROOM, OTHER = "ab" * 16, "cd" * 16
LOOPBACK = Address(host="127.0.0.1", port=0)
SOON = 10.0


def run(test: Callable[[Relay, str], Awaitable[None]], relay: Relay | None = None, at: Address = LOOPBACK) -> Relay:
    relay = relay or Relay()

    async def served() -> None:
        async with asyncio.timeout(60), relay.serving(at) as address:
            await test(relay, address.url)

    asyncio.run(served())
    assert relay.rooms == 0
    return relay


def joined(url: str, room: str = ROOM, **options: object) -> connect:
    return connect(f"{url}/{room}", proxy=None, max_size=None, **options)  # type: ignore[arg-type]  # only known ones


@asynccontextmanager
async def three(url: str) -> AsyncIterator[tuple[ClientConnection, ClientConnection, ClientConnection]]:
    async with joined(url) as one, joined(url) as two, joined(url) as three:
        yield one, two, three


async def hears(connection: ClientConnection) -> object:
    return await asyncio.wait_for(connection.recv(), SOON)


async def hears_nothing(connection: ClientConnection) -> bool:
    try:
        await asyncio.wait_for(connection.recv(), 0.1)
    except TimeoutError:
        return True
    return False


def test_all_others_in_the_room_hear_it_in_order() -> None:
    async def test(relay: Relay, url: str) -> None:
        async with three(url) as (one, two, other), joined(url, OTHER) as stranger:
            for frame in (b"1", b"2", b"3"):
                await one.send(frame)
            assert [await hears(two) for _ in range(3)] == [b"1", b"2", b"3"]
            assert [await hears(other) for _ in range(3)] == [b"1", b"2", b"3"]
            assert await hears_nothing(one)
            assert await hears_nothing(stranger)
            assert relay.rooms == 2

    assert run(test).counts["frames"] == 3


def test_a_room_ends_with_its_last_member() -> None:
    async def test(relay: Relay, url: str) -> None:
        async with joined(url) as one:
            await one.ping()
            assert relay.rooms == 1
        for _ in range(100):
            if not relay.rooms:
                return
            await asyncio.sleep(0.05)
        raise AssertionError

    run(test)


def test_a_room_may_stand_below_a_path() -> None:
    async def test(relay: Relay, url: str) -> None:
        async with joined(url + "/some/agenda") as one, joined(url) as two:
            await one.send(b"x")
            assert await hears(two) == b"x"

    run(test)


@pytest.mark.parametrize("path", ["", "ab", ROOM.upper(), ROOM + "0", f"{ROOM}?x", f"%61{ROOM[1:]}"])
def test_what_is_no_room_is_not_found(path: str) -> None:
    async def test(relay: Relay, url: str) -> None:
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"{url}/{path}", proxy=None):
                pass
        assert refused.value.response.status_code == 404

    assert run(test).counts["refused"] == 1


def test_a_host_serves_no_strangers() -> None:
    async def test(relay: Relay, url: str) -> None:
        async with joined(url):
            with pytest.raises(InvalidStatus) as refused:
                async with joined(url, OTHER):
                    pass
            assert refused.value.response.status_code == 404

    run(test, Relay(only=ROOM))


def test_no_web_page_comes_in() -> None:
    async def test(relay: Relay, url: str) -> None:
        with pytest.raises(InvalidStatus) as refused:
            async with joined(url, origin="http://evil.example"):
                pass
        assert refused.value.response.status_code == 403

    run(test)


@pytest.mark.parametrize(("limits", "room"), [(Limits(in_room=2), ROOM), (Limits(rooms=1), OTHER)])
def test_what_is_full_says_so(limits: Limits, room: str) -> None:
    async def test(relay: Relay, url: str) -> None:
        async with joined(url), joined(url):
            with pytest.raises(InvalidStatus) as refused:
                async with joined(url, room):
                    pass
            assert refused.value.response.status_code == 503

    run(test, Relay(limits))


def test_who_comes_during_the_last_handshake_is_sent_away() -> None:
    async def test(relay: Relay, url: str) -> None:
        waiting = [asyncio.ensure_future(joined(url).__aenter__()) for _ in range(8)]
        connections = list(await asyncio.gather(*waiting, return_exceptions=True))
        await asyncio.sleep(0.2)
        open_ones = [one for one in connections if isinstance(one, ClientConnection) and one.close_code is None]
        assert len(open_ones) <= 2
        for one in connections:
            if isinstance(one, ClientConnection):
                await one.close()

    run(test, Relay(Limits(in_room=2)))


def test_texts_and_what_is_too_large_go_nowhere() -> None:
    async def test(relay: Relay, url: str) -> None:
        async with joined(url) as one, joined(url) as two:
            await one.send("a text")
            await one.send(b"a frame")
            assert await hears(two) == b"a frame"
            await one.send(bytes(LARGEST + 1))
            with pytest.raises(ConnectionClosed):
                await hears(one)
            assert await hears_nothing(two)

    assert run(test).counts["refused"] == 1


def test_who_sends_too_much_is_read_slowly() -> None:
    async def test(relay: Relay, url: str) -> None:
        loop = asyncio.get_running_loop()
        async with joined(url) as one, joined(url) as two:
            start = loop.time()
            for _ in range(12):  # four seconds' worth at once, then the rate
                await one.send(bytes(20_000 - 1024))
            for _ in range(12):
                await hears(two)
            assert loop.time() - start >= (12 - 8) * 20_000 / 40_000 * 0.9

    run(test, Relay(Limits(rate=40_000)))


def test_a_room_has_a_rate_of_its_own() -> None:
    async def test(relay: Relay, url: str) -> None:
        loop = asyncio.get_running_loop()
        async with three(url) as (one, two, other):
            start = loop.time()
            for _ in range(6):
                await one.send(bytes(20_000 - 1024))
                await two.send(bytes(20_000 - 1024))
            for _ in range(12):
                await hears(other)
            assert loop.time() - start >= (12 - 8) * 20_000 / 40_000 * 0.5

    run(test, Relay(Limits(room_rate=40_000)))


def test_who_reads_too_slowly_misses_frames_and_takes_no_memory() -> None:
    async def test(relay: Relay, url: str) -> None:
        async with joined(url) as one, joined(url, max_queue=1) as lazy:
            lazy.transport.pause_reading()
            for _ in range(400):
                await one.send(bytes(80_000))
                if relay.counts["dropped"]:
                    break
            held = max(member.transport.get_write_buffer_size() for member in relay._rooms[ROOM].members)
            assert held < 2 * 2**16 + 2 * LARGEST
            lazy.transport.abort()

    counts = run(test, Relay(Limits(unread=2**16, rate=1e9, room_rate=1e9))).counts
    assert counts["dropped"] >= 1


def test_at_its_end_everybody_is_said_goodbye_to() -> None:
    async def test() -> None:
        relay = Relay()
        async with relay.serving(LOOPBACK) as address:
            one = await joined(address.url)
        with pytest.raises(ConnectionClosed) as closed:
            await hears(one)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001

    asyncio.run(test())


def test_it_serves_ipv6() -> None:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("this machine has no IPv6")

    async def test(relay: Relay, url: str) -> None:
        assert url.startswith("ws://[::1]:")
        async with joined(url) as one, joined(url) as two:
            await one.send(b"x")
            assert await hears(two) == b"x"

    run(test, at=Address(host="::1", port=0))


def test_an_address_that_is_taken_is_refused_in_words() -> None:
    async def test(relay: Relay, url: str) -> None:
        port = int(url.rpartition(":")[2])
        with pytest.raises(StoreError) as refused:
            async with Relay().serving(Address(host="127.0.0.1", port=port)):
                pass
        assert refused.value.code == "bind"
        assert str(port) in str(refused.value)

    run(test)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("0.0.0.0:7707", "0.0.0.0", 7707),
        ("[::1]:80", "::1", 80),
        (":7000", "", 7000),
        ("", "", 7707),
        ("localhost", "localhost", 7707),
        ("[::]", "::", 7707),
    ],
)
def test_addresses_are_read(text: str, host: str, port: int) -> None:
    assert Address.read(text) == Address(host=host, port=port)


@pytest.mark.parametrize("text", ["::1", "a:b", "a:70000", "a b", "a:1:2", "x/y", "[::1"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(Malformed):
        Address.read(text)


def test_others_find_a_relay_under_the_machines_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Address(host="example.org", port=1).url == Address(host="example.org", port=1).own_url
    assert Address(host="", port=1).url == f"ws://{own_address()}:1" or ":" in own_address()
    assert Address(host="", port=1).own_url == "ws://127.0.0.1:1"
    assert Address(host="::", port=1).own_url == "ws://[::1]:1"

    def no_network(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(socket.socket, "connect", no_network)
    assert own_address() == "127.0.0.1"


def test_the_limit_of_open_files_is_raised() -> None:
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:
        pytest.skip("this system has no such limit")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    raise_file_limit()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft == hard == before[1]
