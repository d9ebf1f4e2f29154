"""Scryfall's bulk files: a list of card objects, one a card, a printing, or a printing in a language.

SPEC "Names". https://scryfall.com/docs/api/cards describes the objects. Art cards are no cards and yield nothing;
rebalanced digital versions neither.
"""

from collections.abc import Iterator
from typing import Final

from hiddenagenda.cards.names import JOINT, is_rebalanced, named
from hiddenagenda.cards.printed import printed, printed_whole, token
from hiddenagenda.cards.readers.jsontext import Object, Shape, objects, text, texts
from hiddenagenda.cards.table import ENGLISH, Row

_FACE: Final[Shape] = dict.fromkeys(("flavor_name", "name", "printed_name", "type_line"))
SHAPE: Final[Shape] = {
    **_FACE,
    "card_faces": _FACE,
    **dict.fromkeys(("lang", "layout", "object", "promo_types")),
}
"""What is wanted of a card object."""

_TOKENS: Final = frozenset({"token", "double_faced_token", "emblem"})


def rows(card: Object) -> Iterator[Row]:
    """Yield the rows of one card object."""
    name, layout, types = text(card, "name"), text(card, "layout"), text(card, "type_line")
    if layout == "art_series" or "rebalanced" in texts(card, "promo_types") or is_rebalanced(name):
        return
    if layout in _TOKENS or types.partition(JOINT)[0] == "Card" or types.startswith("Token"):
        yield from token(name, layout=layout, type_line=types or None)
        return
    faces = objects(card, "card_faces")
    lines = [text(face, "type_line") or None for face in faces]
    yield from named(name, layout=layout, types=lines if all(lines) and lines else types.split(JOINT))
    language = text(card, "lang") or ENGLISH
    for face in faces or [card]:
        for key in ("printed_name", "flavor_name"):
            if label := text(face, key):
                said = language if key == "printed_name" else ENGLISH
                yield from printed(label, language=said, name=text(face, "name"))
    labels = [text(face, "printed_name") for face in faces]
    if all(labels):
        yield from printed_whole(labels, language=language, name=name)
