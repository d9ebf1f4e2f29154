"""Letters that look like others: named, and never taken for what they look like.

SPEC "Names". Asked only after a name was not found. What it returns serves messages and suggestions.
"""

import unicodedata
from dataclasses import dataclass
from typing import Final

from hiddenagenda.cards.folding import fold
from hiddenagenda.characters import code_point

_CYRILLIC: Final = str.maketrans("АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁѵԛԝӏ", "ABESIJKMHOPCTYXaeopcyxsijhdvqwl")
_GREEK: Final = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορτυχικ", "ABEZHIKMNOPTYXavoptuxik")
_LATIN: Final = str.maketrans("ɑɡıɩſᴄᴏᴠᴡᴢƖ", "agiifcovwzl")
_LOOKS: Final = {**_CYRILLIC, **_GREEK, **_LATIN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookalike:
    """A character that no English name holds, its code point, its Unicode name, and what it looks like.

    ``looks_like`` is empty where that is not known.
    """

    character: str
    code: str
    called: str
    looks_like: str


def lookalikes(text: str) -> tuple[Lookalike, ...]:
    """Return each character of ``text`` that passes for another, in order, once each.

    Out: what is left beside ASCII after folding, where the text is otherwise written in ASCII letters or
    where it is known what the character looks like; nothing for a text that is simply in another script.
    """
    found: list[Lookalike] = []
    mixed = any(character.isascii() and character.isalpha() for character in text)
    for character in dict.fromkeys(text):
        left = [one for one in fold(character) if not one.isascii()]
        looks = looks_like(character)
        if left and (mixed or looks):
            called = unicodedata.name(character, "")
            found.append(Lookalike(character=character, code=code_point(character), called=called, looks_like=looks))
    return tuple(found)


def looks_like(character: str) -> str:
    """Return the ASCII text that this character looks like, or an empty text where none is known."""
    seen = unicodedata.normalize("NFKC", character).translate(_LOOKS)
    return seen if seen.isascii() and seen != character else ""


def as_it_looks(text: str) -> str:
    """Return ``text`` with each known lookalike replaced: for a search whose results are only suggested."""
    return "".join(looks_like(character) or character for character in text)
