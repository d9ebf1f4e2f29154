"""Lines of a record as text for a chat, in as many pieces as the chat needs.

SPEC "Bundles". The lines are packed with zlib (RFC 1950) and cut; every piece is a token of its own and says
which piece of which bundle it is. This module does not look into the lines.
"""

import zlib
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from hiddenagenda import token
from hiddenagenda.faults import Malformed, TooLarge, sentence
from hiddenagenda.token import Kind
from hiddenagenda.value import value

LARGEST: Final = 64 * 2**20
"""Bytes that a bundle may unpack to: as many as a game may have."""

_HEAD: Final = 12
"""Bytes before a piece's data: number and count (two each, from 1), and eight of SHA-256 of the whole."""
_ROOM: Final = (token.LONGEST - 4) * 5 // 8 - token.CHECK_SIZE - _HEAD
_MOST_PIECES: Final = 2**16 - 1


@value
class Piece:
    """One numbered piece of a bundle."""

    bundle: bytes
    """Eight bytes that the pieces of one bundle share."""
    number: int
    count: int
    data: bytes


@value
class Gap:
    """Pieces ``first`` to ``last`` of a bundle of ``count``, none of which came.

    A run and not a list: a stranger's piece may say that it is one of 65,535.
    """

    first: int
    last: int
    count: int


@value
class Gathered:
    """What a set of pieces amounts to: the lines of every whole bundle, and what is missing of the others."""

    whole: tuple[bytes, ...]
    missing: tuple[Gap, ...]
    """What is still to come, by bundle and number."""


def pack(lines: bytes) -> list[str]:
    """Return the tokens that carry ``lines`` (whole lines of a record, as bytes).

    Raises ``TooLarge`` where no reader would take them.
    """
    packed = zlib.compress(lines, 9) if len(lines) <= LARGEST else b""
    count = -(-len(packed) // _ROOM)
    if not 1 <= count <= _MOST_PIECES:
        raise TooLarge(
            sentence("{have} bytes are too many for a bundle", have=len(lines)),
            hint=sentence("send the file itself"),
            code="too-large",
        )
    name = sha256(packed).digest()[:8]
    return [
        token.encode(
            Kind.BUNDLE,
            number.to_bytes(2) + count.to_bytes(2) + name + packed[(number - 1) * _ROOM : number * _ROOM],
        )
        for number in range(1, count + 1)
    ]


def read_piece(payload: bytes) -> Piece:
    """Return the piece in the payload of a bundle token. Raises ``Malformed`` where it is none."""
    piece = Piece(
        number=int.from_bytes(payload[:2]),
        count=int.from_bytes(payload[2:4]),
        bundle=payload[4:_HEAD],
        data=payload[_HEAD:],
    )
    if not 1 <= piece.number <= piece.count or not piece.data:
        raise _malformed()
    return piece


def gather(pieces: Iterable[Piece], *, largest: int = LARGEST) -> Gathered:
    """Put pieces together, in whatever order and however often they came.

    ``largest`` bounds the bytes that all bundles together may unpack to. Raises ``Malformed`` for pieces that
    contradict each other or do not unpack, ``TooLarge`` over the bound.
    """
    bundles: dict[tuple[bytes, int], dict[int, bytes]] = {}
    for piece in pieces:
        known = bundles.setdefault((piece.bundle, piece.count), {})
        if known.setdefault(piece.number, piece.data) != piece.data:
            raise _malformed()
    whole: list[bytes] = []
    missing: list[Gap] = []
    for (name, count), known in bundles.items():
        if len(known) == count:
            packed = b"".join(data for _, data in sorted(known.items()))
            whole.append(_unpack(name, packed, largest - sum(map(len, whole))))
        else:
            missing += _gaps(known, count)
    return Gathered(whole=tuple(whole), missing=tuple(missing))


def _gaps(known: Collection[int], count: int) -> Iterator[Gap]:
    expected = 1
    for number in [*sorted(known), count + 1]:
        if number > expected:
            yield Gap(first=expected, last=number - 1, count=count)
        expected = number + 1


def _unpack(name: bytes, packed: bytes, largest: int) -> bytes:
    if not compare_digest(sha256(packed).digest()[:8], name):
        raise _malformed()
    opener = zlib.decompressobj()
    try:
        lines = opener.decompress(packed, largest + 1)
    except zlib.error:
        raise _malformed() from None
    if len(lines) > largest:
        raise TooLarge(
            sentence("the bundle unpacks to more than {limit} bytes", limit=largest),
            hint=sentence("ask its sender for the file itself"),
            code="too-large",
        )
    if not opener.eof or opener.unused_data:
        raise _malformed()
    return lines


def _malformed() -> Malformed:
    return Malformed(
        sentence("these pieces make no bundle of entries"),
        hint=sentence("ask its sender to send it again, or to send the file"),
        code="bundle",
    )
