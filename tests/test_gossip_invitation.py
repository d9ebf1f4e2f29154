"""Invitations: there and back, and what is none."""

import pytest

from hiddenagenda import token
from hiddenagenda.faults import Malformed
from hiddenagenda.frames import RoomKey
from hiddenagenda.invitation import Invitation, read_invitation
from hiddenagenda.token import Kind

KEY = RoomKey(bytes(range(32)))
GAME = "ab" * 32


@pytest.mark.parametrize("game", [None, GAME])
@pytest.mark.parametrize(
    "url",
    [
        "ws://127.0.0.1:7707",
        "wss://example.org/agenda",
        "ws://[::1]:7707/",
        "wss://a.b-c.example/x/y_z~.1",
        "ws://localhost",
        "ws://h",
    ],
)
def test_there_and_back(url: str, game: str | None) -> None:
    invitation = Invitation(url=url, key=KEY, game=game)
    decoded = token.decode(invitation.token)
    assert decoded.kind is Kind.INVITATION
    assert read_invitation(decoded.payload) == invitation
    assert invitation.address == f"{url.rstrip('/')}/{KEY.name}"
    assert invitation.token.startswith("HAI1")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://example.org",
        "ws://",
        "ws:///x",
        "wss://user@example.org",
        "wss://example.org/a b",
        "wss://example.org/?q",
        "wss://example.org/#f",
        "wss://example.org//x",
        "wss://exämple.org",
        "ws://example.org\n",
        "ws://x\x1b[31m",
        "ws://example.org:123456",
        "ws://-example.org",
        "wss://" + "a" * 250,
    ],
)
def test_no_address(url: str) -> None:
    with pytest.raises(Malformed) as refused:
        Invitation(url=url, key=KEY)
    assert refused.value.code == "address"


def payload(*, version: int = 1, size: int = 0, game: bytes = b"", url: bytes = b"ws://h") -> bytes:
    return bytes([version, size]) + KEY.reveal() + game + url


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "invitation"),
        (b"\1", "invitation"),
        (payload(version=2), "other-version"),
        (payload(size=31, game=bytes(31)), "invitation"),
        (payload(size=32, game=b"x"), "invitation"),
        (payload(url=b""), "invitation"),
        (payload()[:20], "invitation"),
        (payload(url=b"ws://\xff"), "invitation"),
        (payload(url=b"http://h"), "address"),
        (payload(url=b"ws://h\0"), "address"),
    ],
)
def test_no_invitation(data: bytes, code: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_invitation(data)
    assert refused.value.code == code


def test_the_key_is_not_shown() -> None:
    assert KEY.reveal().hex() not in repr(Invitation(url="ws://h", key=KEY))
