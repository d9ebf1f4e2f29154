"""What is taken for the same letters when a name is looked up, and what is dropped from what was typed.

SPEC "Names". Folding levels case, accents, quotes, dashes, Æ, ß and white space. It keeps commas, hyphens,
underscores and blanks, since cards differ in them alone, and it is no NFKC: lookalikes stay other letters.
A folded text is a key for look-up and never a name.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from hiddenagenda.characters import FORBIDDEN, code_point
from hiddenagenda.faults import Malformed, Sentence, sentence

_BIDI: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_SPACE: Final = re.compile(r"[\t\n\v\f\r\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_TYPED_WRONGLY: Final = re.compile(f"{INVISIBLE.pattern}|{_SPACE.pattern}")

_ACCENT: Final = re.compile("[\u0300-\u036f]")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """What is left of something typed: the text in NFC, and a notice for each character that was dropped."""

    text: str
    notices: tuple[Sentence, ...]


def clean(typed: str) -> Cleaned:
    """Drop from ``typed`` what keyboards, phones and files slip in, and say so.

    Out: the text in NFC, without zero-width characters, with plain blanks, trimmed; one notice for each
    kind of character dropped. Raises RefusedCharacters for controls, bidirectional controls, surrogates,
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
            _refuse(character, position)
    return Cleaned(text=" ".join(unicodedata.normalize("NFC", text).split()), notices=tuple(notices.values()))


def _refuse(character: str, position: int) -> None:
    code = code_point(character)
    if _BIDI.match(character):
        raise RefusedCharacters(
            sentence(
                "a character that turns the direction of writing, {code}, stands at position {position}",
                code=code,
                position=position + 1,
            ),
            hint=sentence("type the name by hand instead of pasting it"),
            code="bidi-control",
            position=position,
        )
    stands_for_others = character in "\ufffc\ufffd"
    if stands_for_others or FORBIDDEN.match(character) or unicodedata.category(character)[0] == "C":
        raise RefusedCharacters(
            sentence(
                "a character that no name holds, {code}, stands at position {position}",
                code=code,
                position=position + 1,
            ),
            hint=sentence("type the name by hand instead of pasting it"),
            code="refused-character",
            position=position,
        )
