"""What brings somebody to a live table: where to connect, the room's key, and the game where there is one already.

SPEC "Invitations". It is a secret among those who play: whoever has it can read along and stall, and cannot cheat by
it. Nothing here connects anywhere.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from hiddenagenda import token
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.frames import KEY_SIZE, RoomKey
from hiddenagenda.token import Kind

LONGEST_URL: Final = 255

_VERSION: Final = 1
_GAME_SIZE: Final = 32
_URL: Final = re.compile(
    r"wss?://(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])"
    r"(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*/?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """The way to one room. Raises ``Malformed`` for an address that is no ``ws://`` or ``wss://`` one."""

    url: str
    """Where the relay is; the room's name comes after it."""
    key: RoomKey = field(repr=False)
    game: str | None = None
    """The id of the table, 64 hex digits, once there is one."""

    def __post_init__(self) -> None:
        """Check the address."""
        if len(self.url) > LONGEST_URL or _URL.fullmatch(self.url) is None:
            raise Malformed(
                sentence("“{url}” is no address of a live table", url=self.url[:LONGEST_URL]),
                hint=sentence("it begins with ws:// or wss://, as in wss://example.org/agenda"),
                code="address",
            )

    @property
    def address(self) -> str:
        """Where to connect to: the URL of the room."""
        return self.url.rstrip("/") + "/" + self.key.name

    @property
    def token(self) -> str:
        """The invitation as a chat token, ``HAI1…``."""
        game = b"" if self.game is None else bytes.fromhex(self.game)
        return token.encode(
            Kind.INVITATION, bytes([_VERSION, len(game)]) + self.key.reveal() + game + self.url.encode()
        )


def read_invitation(payload: bytes) -> Invitation:
    """Return the invitation in the payload of its token. Raises ``Malformed``. (SPEC "Invitations")"""
    if payload[:1] not in {b"", bytes([_VERSION])}:
        raise Malformed(
            sentence("this invitation is of another version than ours"),
            hint=sentence("use a program of the same version as the host"),
            code="other-version",
        )
    size = payload[1] if len(payload) > 1 else 1
    url = payload[2 + KEY_SIZE + size :]
    if size not in {0, _GAME_SIZE} or not url or not url.isascii():
        raise Malformed(sentence("this is no invitation"), code="invitation")
    game = payload[2 + KEY_SIZE : 2 + KEY_SIZE + size]
    return Invitation(
        url=url.decode("ascii"), key=RoomKey(payload[2 : 2 + KEY_SIZE]), game=game.hex() if game else None
    )
