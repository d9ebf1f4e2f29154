"""Which characters a text may hold, and how the others are shown.

SPEC "Conventions". The list of forbidden ranges is fixed and printed in SPEC: it asks no Unicode table, so that
two readers with different tables never disagree about the same bytes. This module repairs nothing: it says what
is forbidden, and it makes any text safe to put on a screen.
"""

import re
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

FORBIDDEN: Final = re.compile(
    "[" + "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in FORBIDDEN_RANGES) + "]"
)
"""Finds the first forbidden character of a text."""


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
    r"""Return ``text`` with every forbidden character written out, as in ``\x1b``: safe on any screen.

    What is returned holds no control, no line break, no invisible and no bidirectional character, so it
    cannot move the cursor, forge a line or reorder its surroundings. (CWE-150)
    """
    return FORBIDDEN.sub(_visible, text)
