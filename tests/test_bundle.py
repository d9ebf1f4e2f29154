"""Bundles: cut, mixed, doubled, torn and blown up."""

import itertools
import random
import tracemalloc
import zlib
from hashlib import sha256

import pytest

from hiddenagenda import bundle, token
from hiddenagenda.bundle import LARGEST, Gap, Gathered, Piece, gather, pack, read_piece
from hiddenagenda.faults import Malformed, TooLarge
from hiddenagenda.token import Kind


def noise(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


def pieces(lines: bytes) -> list[Piece]:
    return [read_piece(token.decode(text).payload) for text in pack(lines)]


def piece(data: bytes, *, number: int = 1, count: int = 1, name: bytes | None = None) -> Piece:
    return Piece(bundle=sha256(data).digest()[:8] if name is None else name, number=number, count=count, data=data)


@pytest.mark.parametrize("size", [0, 1, 1000, 1157, 1158, 5000, 40_000])
def test_lines_come_back(size: int) -> None:
    assert gather(pieces(noise(size))) == Gathered(whole=(noise(size),), missing=())


def test_a_token_fits_into_a_message() -> None:
    tokens = pack(noise(50_000))
    assert {len(text) for text in tokens[:-1]} == {token.LONGEST}
    assert all(text.startswith("hae1") and text.islower() for text in tokens)


def test_lines_that_repeat_take_little_room() -> None:
    assert len(pack(b'{"entry":{},"signature":""}\n' * 1000)) == 1


def test_what_stands_in_a_piece() -> None:
    lines = noise(3000)
    payloads = [token.decode(text).payload for text in pack(lines)]
    packed = b"".join(payload[12:] for payload in payloads)
    assert zlib.decompress(packed) == lines
    assert {payload[4:12] for payload in payloads} == {sha256(packed).digest()[:8]}
    assert [payload[:4] for payload in payloads] == [bytes([0, 1, 0, 3]), bytes([0, 2, 0, 3]), bytes([0, 3, 0, 3])]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_pieces_come_in_any_order(order: tuple[int, ...]) -> None:
    parts = pieces(noise(3000))
    assert gather(parts[place] for place in order).whole == (noise(3000),)


def test_pieces_come_twice_and_among_others() -> None:
    one, other = pieces(noise(3000, 1)), pieces(noise(2000, 2))
    gathered = gather([other[1], *one, *one, other[0]])
    assert set(gathered.whole) == {noise(3000, 1), noise(2000, 2)}
    assert gathered.missing == ()


@pytest.mark.parametrize(
    ("held", "missing"),
    [
        ((), []),
        ((1,), [(2, 5)]),
        ((5,), [(1, 4)]),
        ((3,), [(1, 2), (4, 5)]),
        ((1, 5), [(2, 4)]),
        ((2, 4), [(1, 1), (3, 3), (5, 5)]),
        ((1, 2, 4, 5), [(3, 3)]),
    ],
)
def test_what_is_missing_is_said(held: tuple[int, ...], missing: list[tuple[int, int]]) -> None:
    parts = pieces(noise(5000))
    assert len(parts) == 5
    gathered = gather(parts[number - 1] for number in held)
    assert gathered.whole == ()
    assert gathered.missing == tuple(Gap(first=first, last=last, count=5) for first, last in missing)


def test_a_bundle_that_lacks_a_piece_does_not_hold_up_the_others() -> None:
    one, other = pieces(noise(3000, 1)), pieces(noise(3000, 2))
    gathered = gather([*one, *other[1:]])
    assert gathered == Gathered(whole=(noise(3000, 1),), missing=(Gap(first=1, last=1, count=3),))


def test_what_a_stranger_claims_costs_nothing() -> None:
    claims = [piece(b"x", count=65_535, name=number.to_bytes(8)) for number in range(5000)]
    gathered = gather(claims)
    assert len(gathered.missing) == 5000


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\0\1",
        b"\0\1\0\1",
        b"\0\1\0\1" + bytes(7),
        b"\0\1\0\1" + bytes(8),
        b"\0\0\0\1" + bytes(9),
        b"\0\2\0\1" + bytes(9),
        b"\0\1\0\0" + bytes(9),
        b"\0\0\0\0" + bytes(9),
    ],
)
def test_what_is_no_piece_is_refused(payload: bytes) -> None:
    with pytest.raises(Malformed) as caught:
        read_piece(payload)
    assert caught.value.code == "bundle"


PACKED = zlib.compress(b"lines\n")


@pytest.mark.parametrize(
    "parts",
    [
        [piece(PACKED, name=bytes(8))],
        [piece(PACKED, count=2), piece(PACKED + b"x", count=2, name=piece(PACKED).bundle)],
        [piece(b"no zlib at all")],
        [piece(PACKED[:-1])],
        [piece(PACKED[:-4])],
        [piece(PACKED[:3])],
        [piece(PACKED + b"x")],
        [piece(PACKED + PACKED)],
        [piece(PACKED[:-1] + bytes([PACKED[-1] ^ 1]))],
        [piece(zlib.compress(b"lines\n", wbits=31))],
        [piece(zlib.compress(b"lines\n", wbits=-15))],
    ],
    ids=[
        "other name",
        "two pieces of one number",
        "no zlib",
        "cut by one byte",
        "no checksum",
        "only a head",
        "something behind",
        "two streams",
        "wrong checksum",
        "gzip",
        "deflate alone",
    ],
)
def test_what_makes_no_bundle_is_refused(parts: list[Piece]) -> None:
    with pytest.raises(Malformed) as caught:
        gather(parts)
    assert caught.value.code == "bundle"


def test_a_bundle_that_needs_a_dictionary_is_refused() -> None:
    packer = zlib.compressobj(zdict=b"lines\n")
    with pytest.raises(Malformed):
        gather([piece(packer.compress(b"lines\n") + packer.flush())])


def test_a_bomb_is_not_unpacked() -> None:
    bomb = zlib.compress(bytes(10_000_000), 9)
    assert len(bomb) < 10_000
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge) as caught:
            gather([piece(bomb)], largest=1000)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.code == "too-large"
    assert most < 1_000_000


def test_many_small_bombs_are_one_bomb() -> None:
    bombs = [piece(zlib.compress(bytes([number]) * 100_000)) for number in range(50)]
    assert len(gather(bombs[:10], largest=1_000_000).whole) == 10
    with pytest.raises(TooLarge):
        gather(bombs[:11], largest=1_000_000)


@pytest.mark.parametrize(("largest", "fits"), [(5999, False), (6000, True)])
def test_the_bound_is_exact(largest: int, *, fits: bool) -> None:
    parts = pieces(bytes(6000))
    if fits:
        assert gather(parts, largest=largest).whole == (bytes(6000),)
    else:
        with pytest.raises(TooLarge):
            gather(parts, largest=largest)


def test_what_no_reader_takes_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge) as caught:
        pack(bytes(LARGEST + 1))
    assert caught.value.code == "too-large"
    monkeypatch.setattr(bundle, "_MOST_PIECES", 2)
    assert len(pack(noise(2000))) == 2
    with pytest.raises(TooLarge):
        pack(noise(3000))


def test_a_piece_is_a_bundle_token() -> None:
    assert {token.decode(text).kind for text in pack(noise(3000))} == {Kind.BUNDLE}
