"""The rows of what is printed on a card: in another language, as a second title, on a token.

SPEC "Names". Adds what one list writes into a name and another does not, so that both are found.
"""

import re
from collections.abc import Iterator
from typing import Final

from hiddenagenda.cards.names import JOINT, parts
from hiddenagenda.cards.table import ENGLISH, Kind, Row

LANGUAGES: Final = {
    "Ancient Greek": "grc",
    "Arabic": "ar",
    "Chinese Simplified": "zhs",
    "Chinese Traditional": "zht",
    "English": ENGLISH,
    "French": "fr",
    "German": "de",
    "Hebrew": "he",
    "Italian": "it",
    "Japanese": "ja",
    "Korean": "ko",
    "Latin": "la",
    "Phyrexian": "ph",
    "Portuguese (Brazil)": "pt",
    "Portuguese": "pt",
    "Quenya": "qya",
    "Russian": "ru",
    "Sanskrit": "sa",
    "Spanish": "es",
}
"""The languages of printed cards by their English names: the codes of tables."""

_HALF: Final = re.compile(r"(.+) \((.+/.+)\)")
_TOKEN: Final = re.compile(r"(.+?) (?:\(Token\)|Token)")


def printed(text: str, *, language: str, name: str) -> Iterator[Row]:
    """Yield the rows of what ``language`` prints on the card of the Oracle name ``name``.

    English text that is not the name is a second title. ``Feuer (Feuer/Eis)`` yields ``Feuer`` as well.
    """
    if language == ENGLISH:
        if text != name:
            yield Row(printed=text, language=ENGLISH, kind=Kind.FLAVOR, name=name)
        return
    writings = [text]
    if (half := _HALF.fullmatch(text)) and half[1] in re.split(r" ?/+ ?", half[2]):
        writings.insert(0, half[1])
    for writing in writings:
        yield Row(printed=writing, language=language, kind=Kind.PRINTED, name=name)
    yield Row(printed=writings[0], language=language, kind=Kind.CALLED, name=name)


def printed_whole(texts: list[str], *, language: str, name: str) -> Iterator[Row]:
    """Yield the row of all names that ``language`` prints on one card, joined; ``name`` is the English whole."""
    whole = JOINT.join(texts)
    if language != ENGLISH and len(parts(whole)) > 1 and len(parts(name)) > 1:
        yield Row(printed=whole, language=language, kind=Kind.WHOLE, name=JOINT.join(parts(name)))


def token(name: str, *, layout: str, type_line: str | None) -> Iterator[Row]:
    """Yield the rows of a token: of each of its names, with and without the word that lists add."""
    for part in parts(name):
        bare = _TOKEN.fullmatch(part)
        for writing in (part, *([bare[1]] if bare else ())):
            yield Row(
                printed=writing, language=ENGLISH, kind=Kind.TOKEN, name=writing, layout=layout, type_line=type_line
            )
