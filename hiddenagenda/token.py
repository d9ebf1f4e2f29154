"""Text you can paste into a chat and back.

SPEC "Tokens". A token is a kind, the digit 1, and unpadded base32 (RFC 4648) of a payload and a check. What is
public is written small; what is secret until it is shown shouts. Decoding ignores case, white space, line breaks
and a leading ``>``, and nothing else; it never guesses at a token whose check fails.
"""

import base64
import enum
import re
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from hiddenagenda.characters import code_point
from hiddenagenda.faults import Damaged, Malformed, Sentence, sentence
from hiddenagenda.value import value

CHECK_SIZE: Final = 5
"""Bytes of SHA-256 over prefix and payload that end every token."""
LONGEST: Final = 1900
"""Characters of a token at the most; a chat message of Discord holds 2,000."""

WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
)
"""What decoding ignores: Unicode's white space, as a fixed list."""

_NO_GAPS: Final = dict.fromkeys(map(ord, WHITE_SPACE))
_LINE_BREAKS: Final = dict.fromkeys(map(ord, "\v\f\r\x85\u2028\u2029"), "\n")
_NOT_BASE32: Final = re.compile(r"[^A-Za-z2-7]")


class Kind(enum.Enum):
    """What a token carries; the value is its prefix without the version digit."""

    COMMITMENT = "hac"
    SEAT = "has"
    BUNDLE = "hae"
    SLIP = "HAO"
    INVITATION = "HAI"

    @property
    def prefix(self) -> str:
        """The first four characters of such a token, as it is written."""
        return self.value + "1"

    @property
    def noun(self) -> Sentence:
        """What a person calls it."""
        return _NOUNS[self]


_NOUNS: Final = {
    Kind.COMMITMENT: sentence("commitment"),
    Kind.SEAT: sentence("seat"),
    Kind.BUNDLE: sentence("bundle of entries"),
    Kind.SLIP: sentence("opening"),
    Kind.INVITATION: sentence("invitation"),
}
_KINDS: Final = {kind.prefix.lower(): kind for kind in Kind}
PAYLOAD_SIZE: Final = {Kind.COMMITMENT: 32}
"""Bytes of payload, for the kinds whose payloads are all of one size."""


@value
class Token:
    """One decoded token: its kind and its payload, whose meaning is the caller's business.

    The payload may be a secret, so it is not among what is printed.
    """

    kind: Kind
    payload: bytes

    def __repr__(self) -> str:
        return f"<Token: {self.kind.value}>"


def encode(kind: Kind, payload: bytes) -> str:
    """Return the token of ``kind`` that carries ``payload`` (any number of bytes)."""
    letters = base64.b32encode(payload + _check(kind, payload)).decode().rstrip("=")
    return kind.prefix + (letters if kind.prefix.isupper() else letters.lower())


def decode(text: str) -> Token:
    """Return what the one token in ``text`` carries.

    Raises ``Malformed`` where it does not begin like a token, and ``Damaged`` where it does and is none as a whole:
    the message says what is wrong. (SPEC "Tokens")
    """
    letters = squeeze(text)
    kind = _KINDS.get(letters[:4].lower())
    if kind is None:
        raise Malformed(
            sentence("this is no token of ours: “{start}”", start=letters[:12]),
            hint=sentence("tokens begin with hac1, has1, hae1, HAO1 or HAI1"),
            code="no-token",
        )
    body = letters[4:]
    stranger = _NOT_BASE32.search(body)
    if stranger:
        place = stranger.start() + 5
        raise _damaged(
            kind,
            sentence(
                "{code} at character {place} does not belong to a token",
                code=code_point(stranger[0]),
                place=place,
            ),
            code="token-character",
            position=place - 1,
        )
    size = PAYLOAD_SIZE.get(kind)
    if size is not None and len(body) != base32_length(size + CHECK_SIZE):
        want = base32_length(size + CHECK_SIZE) + 4
        said = sentence("it has {have} characters instead of {want}", have=len(letters), want=want)
        raise _damaged(kind, said, code="token-length")
    if base32_length(len(body) * 5 // 8) != len(body) or len(body) * 5 // 8 < CHECK_SIZE:
        said = sentence("its {have} characters are no possible length", have=len(letters))
        raise _damaged(kind, said, code="token-length")
    data = base64.b32decode(body.upper() + "=" * (-len(body) % 8))
    payload, check = data[:-CHECK_SIZE], data[-CHECK_SIZE:]
    if not compare_digest(check, _check(kind, payload)) or encode(kind, payload).lower() != letters.lower():
        said = sentence("a character was changed, dropped or added on its way: its check does not fit")
        raise _damaged(kind, said, code="token-check")
    return Token(kind=kind, payload=payload)


def squeeze(text: str) -> str:
    """Drop what chat programs put into a token: white space, line breaks and the ``>`` of a quoted line."""
    lines = text.translate(_LINE_BREAKS).split("\n")
    return "".join(line.lstrip(WHITE_SPACE + ">") for line in lines).translate(_NO_GAPS)


def possible_length(letters: str) -> bool:
    """Say whether a squeezed text that begins like a token has a length such a token can have."""
    size = PAYLOAD_SIZE.get(_KINDS[letters[:4].lower()])
    if size is not None:
        return len(letters) == base32_length(size + CHECK_SIZE) + 4
    return base32_length((len(letters) - 4) * 5 // 8) == len(letters) - 4


def nearest_length(candidates: Sequence[str]) -> str:
    """Return the candidate most like a token that lost something: nearest in length, else the first."""
    size = PAYLOAD_SIZE.get(_KINDS[candidates[0][:4].lower()])
    if size is None:
        return candidates[0]
    want = base32_length(size + CHECK_SIZE) + 4
    return min(candidates, key=lambda letters: abs(len(letters) - want))


def base32_length(size: int) -> int:
    """Count the characters that ``size`` bytes take in unpadded base32."""
    return -(-size * 8 // 5)


def _check(kind: Kind, payload: bytes) -> bytes:
    return sha256(kind.prefix.encode() + payload).digest()[:CHECK_SIZE]


def _damaged(kind: Kind, said: Sentence, *, code: str, position: int | None = None) -> Damaged:
    return Damaged(
        sentence("this {noun} is damaged: {what}", noun=kind.noun, what=said),
        hint=sentence("ask for it again, or copy it again from where it was sent; nobody is accused by this"),
        code=code,
        position=position,
    )
