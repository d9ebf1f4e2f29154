"""Frames: what opens, what is refused and why, and that nothing of it tells the key."""

import pickle
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.secret import SecretBox

from hiddenagenda.frames import LARGEST, LARGEST_BODY, SIZES, Channel, Content, Refusal, RoomKey, new_session

KEY = RoomKey(b"k" * 32)
OTHER = RoomKey(b"o" * 32)
ANA, BEN, CLEO = b"a" * 16, b"b" * 16, b"c" * 16
OVERHEAD = LARGEST - SIZES[-1]


def pair() -> tuple[Channel, Channel]:
    return Channel(KEY, ANA), Channel(KEY, BEN)


@given(body=st.binary(max_size=3000), kind=st.binary(min_size=1, max_size=1))
def test_what_is_sealed_opens(body: bytes, kind: bytes) -> None:
    ana, ben = pair()
    assert ben.open(ana.seal(kind, body)) == Content(session=ANA.hex(), kind=kind, body=body)


def test_lengths_are_a_few_only() -> None:
    ana, _ = pair()
    sizes = {len(ana.seal(b"x", bytes(count))) - OVERHEAD for count in range(0, LARGEST_BODY + 1, 97)}
    assert sizes == set(SIZES)
    assert len(ana.seal(b"x", bytes(SIZES[0] - 5))) == len(ana.seal(b"x", b""))
    assert len(ana.seal(b"x", bytes(LARGEST_BODY))) == LARGEST
    with pytest.raises(ValueError, match="too long"):
        ana.seal(b"x", bytes(LARGEST_BODY + 1))


def test_another_key_opens_nothing() -> None:
    ana, _ = pair()
    assert Channel(OTHER, BEN).open(ana.seal(b"x", b"body")) is Refusal.SEALED


@pytest.mark.parametrize("place", [0, 16, 23, 24, 40, 100, -1])
def test_a_changed_byte_opens_nothing(place: int) -> None:
    ana, ben = pair()
    frame = bytearray(ana.seal(b"x", b"body"))
    frame[place] ^= 1
    assert ben.open(bytes(frame)) is Refusal.SEALED


@given(frame=st.binary(max_size=400))
def test_garbage_is_refused(frame: bytes) -> None:
    assert Channel(KEY, BEN).open(frame) is Refusal.SIZE


def test_garbage_of_a_good_size_is_refused() -> None:
    assert Channel(KEY, BEN).open(bytes(OVERHEAD + SIZES[0])) is Refusal.SEALED


def test_a_frame_opens_once() -> None:
    ana, ben = pair()
    frame = ana.seal(b"x", b"body")
    assert isinstance(ben.open(frame), Content)
    assert ben.open(frame) is Refusal.REPLAYED
    assert isinstance(Channel(KEY, CLEO).open(frame), Content)


def test_frames_may_come_late_and_in_any_order() -> None:
    ana, ben = pair()
    frames = [ana.seal(b"x", bytes([number])) for number in range(100)]
    order = sorted(range(100), key=lambda number: sha256(bytes([number])).digest())
    assert all(isinstance(ben.open(frames[number]), Content) for number in order)
    assert {ben.open(frame) for frame in frames} == {Refusal.REPLAYED}


def test_what_is_too_late_counts_as_a_replay() -> None:
    ana, ben = pair()
    first, second, *rest = [ana.seal(b"x", b"") for _ in range(1026)]
    assert isinstance(ben.open(rest[-1]), Content)
    assert ben.open(first) is Refusal.REPLAYED
    assert ben.open(second) is Refusal.REPLAYED
    assert isinstance(ben.open(rest[0]), Content)


def test_a_long_gap_forgets_what_was_before() -> None:
    ana, ben = pair()
    frame = ana.seal(b"x", b"")
    ben.open(frame)
    *_, late = [ana.seal(b"x", b"") for _ in range(5000)]
    assert isinstance(ben.open(late), Content)
    assert ben.open(frame) is Refusal.REPLAYED
    assert ben.open(late) is Refusal.REPLAYED


def test_what_one_sent_oneself_is_a_reflection() -> None:
    ana, ben = pair()
    frame = ana.seal(b"x", b"body")
    assert ana.open(frame) is Refusal.REFLECTED
    assert ana.open(ANA + ben.seal(b"x", b"")[16:]) is Refusal.REFLECTED


def test_a_relay_that_makes_up_sessions_makes_nothing_forgotten() -> None:
    ana, ben = pair()
    frame = ana.seal(b"x", b"body")
    ben.open(frame)
    for number in range(200):
        assert ben.open(sha256(bytes([number])).digest()[:16] + frame[16:]) is Refusal.SEALED
    assert ben.open(frame) is Refusal.REPLAYED


def test_sessions_are_remembered_up_to_a_number() -> None:
    ben = Channel(KEY, BEN)
    frames = [Channel(KEY, sha256(bytes([number])).digest()[:16]).seal(b"x", b"") for number in range(100)]
    for frame in frames:
        assert isinstance(ben.open(frame), Content)
    assert len(ben._seen) == 64
    assert ben.open(frames[99]) is Refusal.REPLAYED


@pytest.mark.parametrize(
    "content",
    [
        b"x" + (300).to_bytes(4) + bytes(251),
        b"x\0\0\0\2body" + bytes(247),
        b"x\0\0\0\4body" + bytes(246) + b"\1",
    ],
)
def test_bad_padding_is_refused(content: bytes) -> None:
    frame = KEY.box().encrypt(content, CLEO + bytes(7) + b"\1")
    assert Channel(KEY, BEN).open(bytes(frame)) is Refusal.PADDING


def test_the_same_content_never_looks_the_same() -> None:
    ana, _ = pair()
    frames = {ana.seal(b"x", b"body")[24:] for _ in range(100)}
    assert len(frames) == 100


def test_a_key_does_not_show_itself() -> None:
    assert "6b6b" not in f"{KEY!r} {KEY}"
    assert b"k" * 8 not in repr(KEY).encode()
    with pytest.raises(TypeError):
        pickle.dumps(KEY)
    assert KEY.reveal() == b"k" * 32


def test_keys_compare_by_what_they_hold() -> None:
    same = RoomKey(b"k" * 32)
    assert same == KEY
    assert hash(same) == hash(KEY)
    assert KEY != OTHER
    assert KEY != b"k" * 32
    assert KEY.name != OTHER.name


def test_a_name_tells_nothing_of_the_frames_key() -> None:
    assert bytes.fromhex(KEY.name) not in bytes(KEY.box())
    assert len(KEY.name) == 32
    assert isinstance(KEY.box(), SecretBox)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_is_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        RoomKey(bytes(size))


def test_keys_and_sessions_are_drawn_anew() -> None:
    assert RoomKey.generate() != RoomKey.generate()
    assert new_session() != new_session()
    assert len(new_session()) == 16
