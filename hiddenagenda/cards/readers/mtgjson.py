"""MTGJSON's files, versions 4 and 5: one set, all printings, or atomic cards.

SPEC "Names". https://mtgjson.com describes them. A card with several names comes as one object a face; what the
other faces are called stands in the whole name.
"""

from collections.abc import Iterator
from typing import Final

from hiddenagenda.cards.names import JOINT, is_rebalanced, named, parts, unmarked
from hiddenagenda.cards.printed import LANGUAGES, printed, printed_whole, token
from hiddenagenda.cards.readers.jsontext import Object, Shape, objects, text, texts
from hiddenagenda.cards.table import ENGLISH, Row
from hiddenagenda.faults import Malformed, sentence

_OLD: Final = ("imageName", "multiverseid", "foreignNames")
"""Members that only version 3 has."""

SHAPE: Final[Shape] = {
    **dict.fromkeys(("faceFlavorName", "faceName", "flavorName", "isRebalanced", "layout", "name", "names", "type")),
    **dict.fromkeys(_OLD),
    "foreignData": dict.fromkeys(("faceName", "language", "name")),
}
"""What is wanted of a card object."""


def refuse_version_3(card: Object) -> None:
    """Raise ``Malformed`` where ``card`` is an object of MTGJSON 3."""
    if any(key in card for key in _OLD):
        raise Malformed(
            sentence("this is a file of MTGJSON 3, which is too old"),
            hint=sentence("fetch one of today's: AtomicCards.json or AllPrintings.json from mtgjson.com"),
            code="old-format",
        )


def token_rows(card: Object) -> Iterator[Row]:
    """Yield the rows of one object among a set's tokens."""
    yield from token(text(card, "name"), layout=text(card, "layout"), type_line=text(card, "type") or None)


def rows(card: Object) -> Iterator[Row]:
    """Yield the rows of one card object."""
    whole, layout = text(card, "name"), text(card, "layout")
    if layout == "token":
        yield from token_rows(card)
        return
    if card.get("isRebalanced") is True or is_rebalanced(whole):
        return
    face = unmarked(text(card, "faceName") or whole)
    if len(names := texts(card, "names")) > 1 and whole in names and layout != "meld":  # version 4
        whole = JOINT.join(names)
    line = text(card, "type") or None
    known = parts(whole)
    types = [line if part == face else None for part in known]
    yield from named(whole, layout=layout, types=types if len(known) > 1 else [line])
    one = face if face in known else known[0]
    for key in ("faceFlavorName", "flavorName"):
        if (label := text(card, key)) and JOINT not in label:
            yield from printed(label, language=ENGLISH, name=one)
    for foreign in objects(card, "foreignData"):
        yield from _foreign(foreign, one, known)


def _foreign(foreign: Object, one: str, known: tuple[str, ...]) -> Iterator[Row]:
    language = LANGUAGES.get(text(foreign, "language"), "")
    label = text(foreign, "name")
    if not language or not label:
        return
    labels = label.split(JOINT)
    own = text(foreign, "faceName")
    if not own:
        own = labels[known.index(one)] if len(labels) == len(known) else label
    yield from printed(own, language=language, name=one)
    if len(labels) == len(known):
        yield from printed_whole(labels, language=language, name=JOINT.join(known))
