"""Who sits down at a table: a key, a name and a fresh number, for one game.

SPEC "The seat". Its owner makes a seat for every game anew and hands it to whoever sets the table up; the nonce
makes the game's id one that nobody could know before. A name is a claim. This module remembers no seats.
"""

from typing import Final, Literal

import msgspec

from hiddenagenda import token
from hiddenagenda.faults import sentence
from hiddenagenda.publickey import known_key
from hiddenagenda.shape import Digest, Shape, Text, encode, read_shape
from hiddenagenda.token import Kind

LARGEST: Final = 4096
"""Bytes of a seat at the most."""


class Seat(Shape, frozen=True, kw_only=True):
    """One player's seat: key and nonce are 32 bytes in hex. Raises ``UnusableKey`` for an unsafe key."""

    key: Digest
    name: Text
    nonce: Digest
    protocol: Literal["hiddenagenda/1"] = "hiddenagenda/1"
    type: Literal["seat"] = "seat"

    def __post_init__(self) -> None:
        """Check the key."""
        known_key(self.key)

    @property
    def token(self) -> str:
        """The seat as a chat token, ``has1…``."""
        return token.encode(Kind.SEAT, encode(self))


_DECODER: Final = msgspec.json.Decoder(Seat)


def read_seat(data: bytes) -> Seat:
    """Return the seat whose canonical bytes ``data`` is. Raises ``Malformed``. (SPEC "The seat")"""
    return read_shape(data, _DECODER, noun=sentence("seat"), limit=LARGEST)
