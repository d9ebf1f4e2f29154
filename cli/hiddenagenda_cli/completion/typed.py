"""What was typed so far: the finished words, and the one at the cursor with the quotes around it.

The manners of bash and zsh: quotes, backslashes, blanks. Nothing is expanded: ``$HOME`` and ``$(date)`` are texts.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Quotes(Enum):
    """Inside which quotes a place in a command line is."""

    BARE = "bare"
    SINGLE = "single"
    DOUBLE = "double"
    ANSI = "ansi"
    """``$'...'``, which ``printf %q`` writes where the locale does not show a letter."""


_PIECE: Final = re.compile(
    r"""
      (?P<blank> [ \t\n]+ )
    | \\ (?P<escaped> .? )
    | '   (?P<single> [^']* ) (?P<closed> '? )
    | "   (?P<double> (?: [^"\\] | \\. )* ) \\? (?P<closed_double> "? )
    | \$' (?P<ansi>   (?: [^'\\] | \\. )* ) \\? (?P<closed_ansi> '? )
    | (?P<bare> \$ | [^\s\\'"$]+ | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING: Final = {"closed": Quotes.SINGLE, "closed_double": Quotes.DOUBLE, "closed_ansi": Quotes.ANSI}
_ESCAPED_IN_DOUBLE: Final = re.compile(r"\\([$`\"\\!])")
_ESCAPED_IN_ANSI: Final = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A command line up to the cursor, with quotes and backslashes taken off."""

    words: tuple[str, ...]
    """The finished words after the program's name."""
    last: str
    """The word at the cursor; empty after a blank."""
    kept: str = ""
    """The beginning of ``last`` that the shell leaves in place when it inserts a candidate."""
    quotes: Quotes = Quotes.BARE
    """Inside which quotes a candidate is inserted."""


def of_line(before: str, replaced: str) -> Typed:
    """Return what stands in the line ``before + replaced``, of which the shell will replace the second part."""
    words, last, _ = _split(before + replaced)
    _, kept, quotes = _split(before)
    return Typed(words=tuple(words[1:]), last=last, kept=kept, quotes=quotes)


def _split(line: str) -> tuple[list[str], str, Quotes]:
    words: list[str] = []
    word: str | None = None
    quotes = Quotes.BARE
    for piece in _PIECE.finditer(line):
        if piece["blank"]:
            if word is not None:
                words.append(word)
            word = None
        else:
            word = (word or "") + _plain(piece)
        quotes = next((kind for group, kind in _OPENING.items() if piece[group] == ""), Quotes.BARE)
    return words, word or "", quotes


def _plain(piece: re.Match[str]) -> str:
    if piece["double"] is not None:
        return _ESCAPED_IN_DOUBLE.sub(r"\1", piece["double"])
    if piece["ansi"] is not None:
        return _ESCAPED_IN_ANSI.sub(_byte, piece["ansi"].encode()).decode(errors="replace")
    return piece["escaped"] or piece["single"] or piece["bare"] or ""


def _byte(escape: re.Match[bytes]) -> bytes:
    octal, hexadecimal, literal = escape.groups()
    if literal:
        return literal
    return bytes([int(octal, 8) & 0xFF if octal else int(hexadecimal, 16)])
