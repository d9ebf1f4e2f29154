"""Frames: what crosses a wire that nobody trusts, sealed under a room's key.

SPEC "Frames". A frame is a nonce and a libsodium secretbox; its nonce is a session and a number, so that replays and
reflections are known before anything is opened. Contents are padded to a few sizes. What is refused is refused with a
reason to count, never with an error: anybody can send anything. Randomness: room keys and sessions.
"""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum
from hmac import compare_digest
from typing import Final, NoReturn, Self

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

KEY_SIZE: Final = 32
SESSION_SIZE: Final = 16
SIZES: Final = (256, 1_024, 4_096, 16_384, 81_920)
"""Bytes that a content may have, padding included: a line of a record, which has 64 KiB at the most, fits the last."""
LARGEST_BODY: Final = SIZES[-1] - 5
LARGEST: Final = SecretBox.NONCE_SIZE + SecretBox.MACBYTES + SIZES[-1]
"""Bytes of a frame at the most."""

_COUNTER_SIZE: Final = SecretBox.NONCE_SIZE - SESSION_SIZE
_HEAD: Final = 5
"""Bytes before a body: its kind, and its length in four."""
_FRAME_SIZES: Final = frozenset(SecretBox.NONCE_SIZE + SecretBox.MACBYTES + size for size in SIZES)
_WINDOW: Final = 1024
"""Frames by which one may come late; what is older counts as a replay."""
_MOST_SESSIONS: Final = 64


class RoomKey:
    """The secret that an invitation hands out: whoever has it can read the room and speak in it.

    ``name`` (32 hex digits) is what a relay knows the room by; it tells nothing of the key.
    """

    __slots__ = ("_secret", "name")

    def __init__(self, secret: bytes) -> None:
        """Take 32 secret bytes. Raises ``ValueError`` for another number."""
        if len(secret) != KEY_SIZE:
            msg = "a room's key is 32 bytes"
            raise ValueError(msg)
        self._secret = secret
        self.name: Final = self._derive(b"hiddenagenda/1 room name", 16).hex()

    @classmethod
    def generate(cls) -> Self:
        """Draw the key of a new room."""
        return cls(secrets.token_bytes(KEY_SIZE))

    def reveal(self) -> bytes:
        """Return the 32 bytes, to put them into an invitation."""
        return self._secret

    def box(self) -> SecretBox:
        """Return what seals and opens the frames of this room."""
        return SecretBox(self._derive(b"hiddenagenda/1 room frames", SecretBox.KEY_SIZE))

    def _derive(self, info: bytes, length: int) -> bytes:
        return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(self._secret)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RoomKey):
            return NotImplemented
        return compare_digest(self._secret, other._secret)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return "<RoomKey>"

    def __reduce__(self) -> NoReturn:
        msg = "a room's key is not pickled"
        raise TypeError(msg)


class Refusal(Enum):
    """Why something that came over the wire was dropped. It is counted, and nobody is accused."""

    SIZE = "size"
    """No frame has this size."""
    REFLECTED = "reflected"
    """It bears the own session: somebody sent back what one had sent."""
    REPLAYED = "replayed"
    """A frame with this number came before, or is too old to tell."""
    SEALED = "sealed"
    """It does not open: another key, or damage."""
    PADDING = "padding"
    """It opens, and what is in it is not laid out as it should be."""
    MESSAGE = "message"
    """Its kind is unknown, or its body is no message of this kind."""
    STRANGE = "strange"
    """It is about another game, or by somebody who does not sit at the table."""
    UNSIGNED = "unsigned"
    """A line that its author did not sign, and that nothing signed rests on."""
    SURPLUS = "surplus"
    """More of one author, or of one peer at once, than is taken in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What was in a frame."""

    session: str
    """Who sent it, for as long as that program runs: 32 hex digits."""
    kind: bytes
    """One byte."""
    body: bytes


def new_session() -> bytes:
    """Draw the session of a program that starts."""
    return secrets.token_bytes(SESSION_SIZE)


class Channel:
    """Both directions of one peer's frames in one room; ``session`` is its own, 32 hex digits."""

    def __init__(self, key: RoomKey, session: bytes) -> None:
        """Speak as ``session``, which ``new_session`` drew for this run and no other."""
        self._box = key.box()
        self._session = session
        self._sent = 0
        self._seen: OrderedDict[bytes, _Window] = OrderedDict()
        self.session: Final = session.hex()

    def seal(self, kind: bytes, body: bytes) -> bytes:
        """Return the next frame, which carries ``body``. Raises ``ValueError`` over ``LARGEST_BODY`` bytes."""
        size = next((size for size in SIZES if _HEAD + len(body) <= size), None)
        if size is None:
            msg = "a body is too long for a frame"
            raise ValueError(msg)
        self._sent += 1
        nonce = self._session + self._sent.to_bytes(_COUNTER_SIZE)
        content = kind + len(body).to_bytes(_HEAD - 1) + body
        return bytes(self._box.encrypt(content.ljust(size, b"\0"), nonce))

    def open(self, frame: bytes) -> Content | Refusal:
        """Return what is in ``frame``, or why it is dropped. A frame opens once."""
        if len(frame) not in _FRAME_SIZES:
            return Refusal.SIZE
        session = frame[:SESSION_SIZE]
        if session == self._session:
            return Refusal.REFLECTED
        number = int.from_bytes(frame[SESSION_SIZE : SecretBox.NONCE_SIZE])
        window = self._seen.get(session)
        if window is not None and window.has(number):
            return Refusal.REPLAYED
        try:
            content = self._box.decrypt(frame)
        except CryptoError:
            return Refusal.SEALED
        self._mark(session, window, number)
        length = int.from_bytes(content[1:_HEAD])
        body, rest = content[_HEAD : _HEAD + length], content[_HEAD + length :]
        if len(body) < length or rest.strip(b"\0"):
            return Refusal.PADDING
        return Content(session=session.hex(), kind=content[:1], body=body)

    def _mark(self, session: bytes, window: "_Window | None", number: int) -> None:
        if window is None:
            window = self._seen[session] = _Window()
            if len(self._seen) > _MOST_SESSIONS:  # a replay of the oldest would be taken in again, which harms nobody
                self._seen.popitem(last=False)
        self._seen.move_to_end(session)
        window.mark(number)


class _Window:
    """Which numbers of a session came: the newest, and a bit for each of those before it. (RFC 4303, 3.4.3)"""

    __slots__ = ("bits", "newest")

    def __init__(self) -> None:
        self.newest = 0
        self.bits = 0

    def has(self, number: int) -> bool:
        """Tell whether this number came, or is too old to tell."""
        back = self.newest - number
        return back >= _WINDOW or (back >= 0 and bool(self.bits >> back & 1))

    def mark(self, number: int) -> None:
        """Note that this number came."""
        ahead = number - self.newest
        if ahead > 0:
            kept = self.bits << ahead if ahead < _WINDOW else 0
            self.bits = (kept | 1) & ((1 << _WINDOW) - 1)
            self.newest = number
        else:
            self.bits |= 1 << -ahead
