"""Which characters a text may hold, and how the others are shown.

SPEC "Conventions". The list of forbidden ranges is fixed and printed in SPEC: it asks no Unicode table, so that
two readers with different tables never disagree about the same bytes. This module repairs nothing: it says what
is forbidden, and it makes any text safe to put on a screen.
"""

import re
from collections.abc import Callable
from typing import Final

FORBIDDEN_RANGES: Final[tuple[tuple[int, int], ...]] = (
    (0x0000, 0x001F),  # C0
    (0x007F, 0x009F),  # DEL and C1
    (0x00AD, 0x00AD),  # soft hyphen
    (0x061C, 0x061C),  # Arabic letter mark
    (0x180E, 0x180E),  # Mongolian vowel separator
    (0x200B, 0x200F),  # zero-width characters and direction marks
    (0x2028, 0x202E),  # line and paragraph separators, bidirectional embeddings
    (0x2060, 0x206F),  # word joiner, invisible operators, bidirectional isolates
    (0xD800, 0xDFFF),  # surrogates
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFF0, 0xFFFB),  # specials
    *((plane << 16 | 0xFFFE, plane << 16 | 0xFFFF) for plane in range(17)),  # noncharacters
    (0xE0000, 0xE0FFF),  # tags and variation selectors
)
"""Closed ranges of code points that no text of the protocol holds."""

_UNSEEN_RANGES: Final = (
    *FORBIDDEN_RANGES,
    (0x00A0, 0x00A0),  # white space that looks like U+0020
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x115F, 0x1160),  # Hangul fillers
    (0x1680, 0x1680),
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x2800, 0x2800),  # Braille pattern without a dot
    (0x3000, 0x3000),
    (0x3164, 0x3164),
    (0xE000, 0xF8FF),  # private use
    (0xFFA0, 0xFFA0),
    (0xFFFC, 0xFFFD),  # replacement characters
    (0x13430, 0x1343F),  # Egyptian format controls
    (0x16FE4, 0x16FE4),  # Khitan filler
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D159, 0x1D159),  # musical null notehead
    (0x1D173, 0x1D17A),  # musical format controls
    (0xF0000, 0x10FFFF),  # private use
)


class Characters:
    """A set of characters, none of them printable ASCII, with the verbs of a pattern that matches one of them.

    The pattern is made when the first text that is not printable ASCII is looked at: most programs see none, and it
    takes a millisecond.
    """

    def __init__(self, ranges: tuple[tuple[int, int], ...]) -> None:
        self._ranges = ranges
        self._pattern: re.Pattern[str] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """Find the first of these characters in ``text``."""
        return None if text.isascii() and text.isprintable() else self._made().search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """Say whether ``text`` begins with one of these characters."""
        return None if text.isascii() and text.isprintable() else self._made().match(text)

    def sub(self, replace: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return ``text`` with each of these characters replaced."""
        return text if text.isascii() and text.isprintable() else self._made().sub(replace, text)

    def _made(self) -> re.Pattern[str]:
        if self._pattern is None:
            ranges = (f"\\U{low:08x}-\\U{high:08x}" for low, high in self._ranges)
            self._pattern = re.compile(f"[{''.join(ranges)}]")
        return self._pattern


FORBIDDEN: Final = Characters(FORBIDDEN_RANGES)
"""Finds the first forbidden character of a text."""
UNSEEN: Final = Characters(_UNSEEN_RANGES)
"""Finds the first character that a reader cannot see or cannot tell from a space: more than the forbidden ones.

The bytes may hold such a character, since a longer list may grow and no list that grows decides about bytes. A
screen never gets it, and it is refused where a text is entered.
"""


_RIGHT_TO_LEFT: Final = Characters(
    ((0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF))
)


def code_point(character: str) -> str:
    """Name one character as people look it up: ``U+202E``."""
    return f"U+{ord(character):04X}"


def _visible(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number <= 0xFF:
        return f"\\x{number:02x}"
    if number <= 0xFFFF:
        return f"\\u{number:04x}"
    return f"\\U{number:08x}"


def escape(text: str) -> str:
    r"""Return ``text`` with every character of ``UNSEEN`` written out, as in ``\x1b``: safe on any screen.

    What is returned holds no control, no line break, no invisible and no bidirectional character, so it
    cannot move the cursor, forge a line or reorder its surroundings. (CWE-150)
    """
    return UNSEEN.sub(_visible, text)


def shown(text: str) -> str:
    """Return ``text`` as it may stand in a line for people: escaped, and kept from reordering what is around it.

    A text with right-to-left letters is put between U+2068 and U+2069 (first strong isolate, UAX #9); these two are
    the only unseen characters that are ever put on a screen, and they come from here.
    """
    safe = escape(text)
    return f"\u2068{safe}\u2069" if _RIGHT_TO_LEFT.search(safe) else safe
