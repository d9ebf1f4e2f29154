"""What is taken for the same letters when a name is looked up, and what is dropped from what was typed.

SPEC "Names". Folding levels case, accents, quotes, dashes, Æ, ß and white space. It keeps commas, hyphens,
underscores and blanks, since cards differ in them alone, and it is no NFKC: lookalikes stay other letters.
A folded text is a key for look-up and never a name.
"""

import re
import unicodedata
from typing import Final

from hiddenagenda.characters import FORBIDDEN, Characters, code_point
from hiddenagenda.faults import Malformed, Sentence, sentence
from hiddenagenda.value import value

_INVISIBLE_RANGES: Final = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200D),
    (0x2060, 0x2065),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
)
_SPACE_RANGES: Final = (
    (0x0009, 0x000D),
    (0x0085, 0x0085),
    (0x00A0, 0x00A0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
_BIDI: Final = Characters(((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069)))
INVISIBLE: Final = Characters(_INVISIBLE_RANGES)
_TYPED_WRONGLY: Final = Characters((*_INVISIBLE_RANGES, *_SPACE_RANGES))
_ACCENT: Final = Characters(((0x0300, 0x036F),))
_LEVELLED: Final = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ß": "ss",
        "&": "and",
        "…": "...",
        "\ua789": ":",  # the letter-like colon of one card
        **dict.fromkeys("’‘‛ʼ′`´", "'"),
        **dict.fromkeys('"“”„‟«»″®™', ""),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)


def fold(text: str) -> str:
    """Return the key under which ``text`` is looked up; texts that differ in writing only share it.

    In: any text. Out: lower case, no accents on letters that have them in Latin, Greek and Cyrillic, plain
    quotes and dashes, single blanks, NFC. Never empty unless ``text`` is blank. (SPEC "Names")
    """
    if text.isascii():
        levelled = text.lower().replace('"', "").replace("&", "and")
    else:
        lower = unicodedata.normalize("NFC", INVISIBLE.sub("", text).lower()).translate(_LEVELLED)
        plain = _ACCENT.sub("", unicodedata.normalize("NFD", lower))
        levelled = unicodedata.normalize("NFC", plain)
    return " ".join(levelled.split()) or " ".join(unicodedata.normalize("NFC", text).split())


class RefusedCharacters(Malformed):
    """What was typed holds characters that no name may hold and that nobody types by accident."""


@value
class Cleaned:
    """What is left of something typed: the text in NFC, and a notice for each character that was dropped."""

    text: str
    notices: tuple[Sentence, ...]


def clean(typed: str) -> Cleaned:
    """Drop from ``typed`` what keyboards, phones and files slip in, and say so.

    Out: the text in NFC, without zero-width characters, with plain blanks, trimmed; one notice for each
    kind of character dropped. Raises ``RefusedCharacters`` for controls, bidirectional controls, surrogates,
    private or unassigned characters. (SPEC "Names")
    """
    notices: dict[str, Sentence] = {}

    def take_out(match: re.Match[str]) -> str:
        character = match[0]
        if INVISIBLE.match(character):
            notices[character] = sentence("dropped an invisible character, {code}", code=code_point(character))
            return ""
        notices[character] = sentence("took {code} for a blank", code=code_point(character))
        return " "

    if typed.isascii() and typed.isprintable():
        return Cleaned(text=" ".join(typed.split()), notices=())
    text = _TYPED_WRONGLY.sub(take_out, typed)
    for position, character in enumerate(text):
        if not character.isascii() or character < " " or character == "\x7f":
            _check(character, position)
    return Cleaned(text=" ".join(unicodedata.normalize("NFC", text).split()), notices=tuple(notices.values()))


def _check(character: str, position: int) -> None:
    code = code_point(character)
    if _BIDI.match(character):
        said = sentence(
            "a character that turns the direction of writing, {code}, stands at position {position}",
            code=code,
            position=position + 1,
        )
        reason = "bidi-control"
    elif character in "\ufffc\ufffd" or FORBIDDEN.match(character) or unicodedata.category(character)[0] == "C":
        said = sentence(
            "a character that no name holds, {code}, stands at position {position}", code=code, position=position + 1
        )
        reason = "refused-character"
    else:
        return
    hint = sentence("type the name by hand instead of pasting it")
    raise RefusedCharacters(said, hint=hint, code=reason, position=position)
