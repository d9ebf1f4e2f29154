"""One line of a record: an entry as its author signed it, and a signature.

SPEC "Lines". The entry is cut out by length and never searched for; its id is SHA-256 of exactly these bytes. A line
that reads is well-formed, no more: whether its signature holds is asked where lines become a record.
"""

from hashlib import sha256
from typing import Final, Self

import msgspec
from msgspec import UNSET

from hiddenagenda import canonical
from hiddenagenda.entry import Body, Entry, read_entry
from hiddenagenda.faults import IllegalMove, Malformed, sentence
from hiddenagenda.identity import Identity
from hiddenagenda.shape import HEX_DIGITS, encode

LARGEST: Final = 64 * 1024
"""Bytes of a line at the most, its newline and a CR before that not counted."""

HEAD: Final = b'{"entry":'
"""How every line begins."""
_MIDDLE: Final = b',"signature":"'
_TAIL: Final = b'"}'
_START: Final = len(HEAD)
_CLOSE: Final = -len(_TAIL)
_DIGITS: Final = _CLOSE - 128
_END: Final = _DIGITS - len(_MIDDLE)
"""Where the entry begins, and counted from the line's end: the tail, the signature's digits, the entry's end."""
FRAME_SIZE: Final = _START - _END
"""Bytes of a line around its entry."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line that reads."""

    id: str
    """SHA-256 of ``raw``, in hex."""
    entry: Entry[Body]
    raw: bytes
    """The entry's bytes as they were received: these were signed."""
    signature: str
    """128 hex digits, not verified."""
    number: int = 0
    """Which line of its file it was, from 1; 0 where it came from no file."""

    @property
    def data(self) -> bytes:
        """The line's bytes, without a newline."""
        return HEAD + self.raw + _MIDDLE + self.signature.encode() + _TAIL

    @property
    def game(self) -> str:
        """The id of the table whose game this belongs to; a table's own."""
        game = self.entry.game
        return self.id if game is UNSET else game

    def __repr__(self) -> str:
        return f"<Line: {self.entry.type} {self.id}>"  # the bytes may hold slips

    def __rich_repr__(self) -> list[tuple[str, str]]:
        return [("type", self.entry.type), ("id", self.id)]

    def signed_by(self, signature: str) -> Self:
        """Return the line of the same entry with another signature."""
        return type(self)(self.id, self.entry, self.raw, signature, self.number)


def read_line(data: bytes, number: int = 0) -> Line:
    """Return the line that ``data`` (no newline at its end) spells, the ``number``-th of its file. (SPEC "Lines")

    Raises ``TooLarge`` over ``LARGEST`` bytes before anything else, and ``Malformed`` for what is no line.
    """
    digits = data[_DIGITS:_CLOSE]
    if (
        len(data) > LARGEST
        or not data.startswith(HEAD)
        or data[_END:_DIGITS] != _MIDDLE
        or not data.endswith(_TAIL)
        or digits.translate(None, HEX_DIGITS)
    ):
        canonical.read(data, limit=LARGEST)  # says what is wrong with the bytes, if that is it
        raise Malformed(
            sentence("this is no line of a record: it is not an entry with a signature after it"), code="no-line"
        )
    raw = data[_START:_END]
    try:
        entry = read_entry(raw)
    except Malformed:
        canonical.read(data, limit=LARGEST)  # the same in terms of the line, where the bytes are at fault
        raise
    return Line(sha256(raw).hexdigest(), entry, raw, digits.decode(), number)


def sign(entry: Entry[Body], identity: Identity) -> Line:
    """Return ``entry`` as a line signed by its author.

    Raises ``IllegalMove`` where the identity is not the author, ``Malformed`` or ``TooLarge`` where the entry could
    not be read by others; then nothing was signed.
    """
    if identity.public.hex != entry.author:
        raise IllegalMove(sentence("this key is not the author of the entry"), code="other-author")
    raw = encode(entry)
    blank = HEAD + raw + _MIDDLE + b"0" * 128 + _TAIL
    unsigned = read_line(blank)
    return unsigned.signed_by(identity.sign(raw).hex())
