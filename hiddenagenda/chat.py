"""Tokens and digests inside text that was copied from a chat.

SPEC "Tokens in chats". A chat puts names, time stamps, quotes and line breaks around and into a token; what it puts
inside is only what decoding ignores anyway. All that is found is returned, and nothing is chosen: which candidate is
meant is for people to say.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from hiddenagenda import token
from hiddenagenda.faults import Malformed, TooLarge, sentence
from hiddenagenda.token import WHITE_SPACE, Token
from hiddenagenda.value import value

LARGEST: Final = 4 * 2**20
"""Characters that are searched at the most."""

_PREFIX: Final = re.compile(r"(?<![0-9A-Za-z])ha[cseoi]1", re.IGNORECASE)
_GAP: Final = re.compile(rf"[{WHITE_SPACE}]+(?:>[{WHITE_SPACE}>]*)?")
_CHUNK: Final = re.compile(rf"[^{WHITE_SPACE}\"'`<>|,;:.!?()\[\]{{}}*_~“”„«»‘’…]+")
_HEX: Final = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{4,}(?![0-9A-Za-z])")
_HEX_CHUNK: Final = re.compile(r"[0-9A-Fa-f]+(?![0-9A-Za-z])")
_DIGITS: Final = 64
_MOST_CHUNKS: Final = 512
_MOST_TOKENS: Final = 10_000


@value
class Found:
    """Everything in a text that is, or was, a token or a digest, each in the order of the text and once."""

    tokens: tuple[Token, ...] = ()
    digests: tuple[str, ...] = ()
    """SHA-256 digests, as 64 lower-case hex digits."""
    damaged: tuple[Malformed, ...] = ()
    """What begins like a token and does not decode, as the error that says why."""


def find(text: str) -> Found:
    """Return the tokens and digests in ``text``. Raises ``TooLarge`` over ``LARGEST`` characters."""
    if len(text) > LARGEST:
        raise TooLarge(
            sentence("{have} characters where {limit} are searched at the most", have=len(text), limit=LARGEST),
            hint=sentence("paste only the messages that matter"),
            code="too-large",
        )
    tokens: dict[Token, None] = {}
    damaged: dict[str, Malformed] = {}
    taken = bytearray(len(text))
    starts = [match.start() for match in islice(_PREFIX.finditer(text), _MOST_TOKENS + 1)]
    if len(starts) > _MOST_TOKENS:
        raise TooLarge(
            sentence("more than {limit} tokens in one text", limit=_MOST_TOKENS),
            hint=sentence("paste only the messages that matter"),
            code="too-large",
        )
    for start in starts:
        found = _token_at(text, start)
        if isinstance(found, Malformed):
            damaged.setdefault(str(found), found)
            continue
        decoded, end = found
        tokens.setdefault(decoded)
        taken[start:end] = b"\1" * (end - start)
    digests = dict.fromkeys(_digests(text, taken))
    return Found(tokens=tuple(tokens), digests=tuple(digests), damaged=tuple(damaged.values()))


def _token_at(text: str, start: int) -> tuple[Token, int] | Malformed:
    """Return the shortest run of chunks from ``start`` that decodes, with its end; else why none does."""
    candidates = []
    letters = ""
    for chunk, end in _chunks(text, start):
        letters += chunk
        if len(letters) > token.LONGEST:
            break
        candidates.append(letters)
        if token.possible_length(letters):
            try:
                return token.decode(letters), end
            except Malformed:
                continue
    if not candidates:
        candidates = [text[start : start + token.LONGEST]]
    return _why(token.nearest_length(candidates))


def _why(letters: str) -> Malformed:
    try:
        token.decode(letters)
    except Malformed as error:
        return error
    raise AssertionError("a candidate that decodes was passed over")


def _chunks(text: str, start: int) -> Iterator[tuple[str, int]]:
    place = start
    for _ in range(_MOST_CHUNKS):
        chunk = _CHUNK.match(text, place)
        if chunk is None or (place > start and _PREFIX.match(text, place)):
            return
        yield chunk[0], chunk.end()
        gap = _GAP.match(text, chunk.end())
        if gap is None:
            return
        place = gap.end()


def _digests(text: str, taken: bytearray) -> Iterator[str]:
    place = 0
    while match := _HEX.search(text, place):
        place = match.end()
        if taken[match.start()]:
            continue
        digits = match[0]
        while len(digits) < _DIGITS:
            gap = _GAP.match(text, place)
            more = _HEX_CHUNK.match(text, gap.end()) if gap else None
            if more is None or len(digits) + len(more[0]) > _DIGITS:
                break
            digits += more[0]
            place = more.end()
        if len(digits) == _DIGITS:
            yield digits.lower()
