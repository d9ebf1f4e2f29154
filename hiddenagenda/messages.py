"""What peers in a room say to each other: what they have, what they lack, lines, seats, and that they go.

SPEC "Messages". A kind is one byte; a body is lines of a record or canonical JSON. Nothing here is signed but the
lines: what a message claims besides is a claim of somebody in the room.
"""

from typing import Annotated, Final, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hiddenagenda.faults import sentence
from hiddenagenda.frames import LARGEST_BODY
from hiddenagenda.seat import Seat
from hiddenagenda.shape import Digest, Shape, encode, read_shape
from hiddenagenda.table import MOST_PLAYERS

HAVE: Final = b"h"
WANT: Final = b"w"
LINES: Final = b"l"
SEAT: Final = b"s"
ROLL: Final = b"r"
BYE: Final = b"b"

MOST_FURTHER: Final = 2_048
"""Ids that a ``Want`` lists at the most, of all authors together."""
MOST_WAITING: Final = 32
"""Seats that may wait at a table that is not set yet."""

Start: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
"""The first 8 bytes of a digest or id."""
Session: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**20)]
Tally: TypeAlias = tuple[Number, Start]
"""How many entries of one author, and the digest over them."""


class Have(Shape, frozen=True, kw_only=True):
    """What the sender holds: a tally for each author, the players in turn order and then the judge.

    ``ends`` names the session whose ``Want`` was answered just before; ``place`` is where the sender says it sits.
    """

    clock: Annotated[tuple[Tally, ...], Meta(max_length=MOST_PLAYERS + 1)]
    ends: Session | UnsetType = UNSET
    game: Digest
    place: Annotated[int, Meta(ge=0, le=MOST_PLAYERS)] | UnsetType = UNSET


class Known(Shape, frozen=True, kw_only=True):
    """What the sender of a ``Want`` holds of one author.

    The first ``prefix`` entries in order of seq, with nothing doubled among them, whose digest is ``digest``; signed
    entries ``further`` on; and ``damaged`` ones, whose signature does not hold.
    """

    damaged: Annotated[tuple[Start, ...], Meta(max_length=MOST_FURTHER)]
    digest: Start
    further: Annotated[tuple[Start, ...], Meta(max_length=MOST_FURTHER)]
    prefix: Number


class Want(Shape, frozen=True, kw_only=True):
    """Send me what I lack, says the sender to the session ``to``."""

    game: Digest
    known: Annotated[tuple[Known, ...], Meta(max_length=MOST_PLAYERS + 1)]
    to: Session


class Roll(Shape, frozen=True, kw_only=True):
    """Whom the host has accepted so far, and the nonces of seats that were refused."""

    accepted: Annotated[tuple[Seat, ...], Meta(max_length=MOST_PLAYERS)]
    refused: Annotated[tuple[Digest, ...], Meta(max_length=MOST_WAITING)]


_S = TypeVar("_S", bound=Shape)
_DECODERS: Final = {shape: msgspec.json.Decoder(shape) for shape in (Have, Want, Roll)}


def write(message: Shape) -> bytes:
    """Return the body that says ``message``."""
    return encode(message)


def read(body: bytes, shape: type[_S]) -> _S:
    """Return the message that ``body`` is. Raises ``Malformed``."""
    decoder: msgspec.json.Decoder[_S] = _DECODERS[shape]  # type: ignore[index,assignment]  # the decoder of this shape
    return read_shape(body, decoder, noun=sentence("message"), limit=LARGEST_BODY)
