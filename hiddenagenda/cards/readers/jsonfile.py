"""Which JSON file this is, told while it is read: Scryfall's, MTGJSON's, or one that holds no cards.

SPEC "Names". A list is Scryfall's. An object is entered until cards are found: in lists called ``cards`` and
``tokens``, or under their own names. A file that holds none is named for what it is.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from hiddenagenda.cards.names import tidy
from hiddenagenda.cards.readers import mtgjson, scryfall
from hiddenagenda.cards.readers.jsontext import (
    Events,
    Object,
    elements,
    events,
    members,
    pass_over,
    take_member,
    take_object,
    text,
)
from hiddenagenda.cards.readers.stream import Peekable
from hiddenagenda.cards.table import Row
from hiddenagenda.faults import Malformed, Sentence, sentence

_BULK: Final = sentence("fetch Oracle Cards, Default Cards or All Cards from scryfall.com/docs/api/bulk-data")
_DESCRIPTOR: Final = (
    sentence("this is Scryfall's description of a bulk file, not the file"),
    sentence("fetch the address that stands under download_uri"),
)
_OBJECTS: Final = {
    "bulk_data": _DESCRIPTOR,
    "list": (sentence("this is one page of a search at Scryfall, not a file of all cards"), _BULK),
    "error": (sentence("this is an error message from Scryfall"), _BULK),
    "catalog": (sentence("this is a list of words from Scryfall, without cards"), _BULK),
    "card": (sentence("this is a single card from Scryfall"), _BULK),
    "set": (sentence("this is Scryfall's description of a set, without cards"), _BULK),
}
_NOT_CARDS: Final = frozenset({"booster", "boosterV3", "decks", "meta", "sealedProduct", "translations"})
_MTGJSON: Final = sentence("fetch AtomicCards.json or AllPrintings.json from mtgjson.com")


def read(stream: Peekable) -> Iterator[Row]:
    """Yield the rows of the JSON file in ``stream``. Raises ``Malformed`` where it is not a file of cards."""
    happening = events(stream)
    begun = next(happening)
    if begun[0] == "start_array":
        yield from _list(happening)
    elif begun[0] == "start_map":
        reading = _Directory()
        yield from reading.rows(happening, deeper="data")
        reading.refuse_without_cards()
    else:
        raise Malformed(sentence("this JSON file holds no cards"), code="no-cards")
    deque(happening, maxlen=0)  # so that what follows the value is found out


def _list(happening: Events) -> Iterator[Row]:
    some = False
    for event, _ in elements(happening):
        card = take_object(happening, scryfall.SHAPE) if event == "start_map" else {}
        if text(card, "object") != "card":
            raise _other(text(card, "object"))
        some = True
        yield from scryfall.rows(card)
    if not some:
        raise Malformed(sentence("this JSON file holds an empty list"), code="no-cards")


def _other(kind: str) -> Malformed:
    said, hint = _OBJECTS.get(kind, (sentence("this is a JSON list of something else than Scryfall's cards"), _BULK))
    return Malformed(said, hint=hint, code="no-cards")


class _Directory:
    """An object that holds cards, or sets that do, or both a step deeper; and what was seen on the way."""

    def __init__(self) -> None:
        self._cards = self._others = 0
        self._mtgjson = False

    def rows(self, happening: Events, *, deeper: str = "") -> Iterator[Row]:
        """Yield the rows of the object whose start has just been read; its member ``deeper`` is one, too."""
        for key, begun in members(happening):
            if key == "object" and deeper and begun[1] in _OBJECTS:
                raise _other(begun[1])
            self._mtgjson |= key in {"meta", "data"}
            if key in _NOT_CARDS:
                pass_over(happening, begun)
            elif begun[0] == "start_map":
                yield from self.rows(happening) if key == deeper else self._entry(happening, key)
            elif begun[0] == "start_array":
                yield from self._list(happening, key)

    def _entry(self, happening: Events, name: str) -> Iterator[Row]:
        """Yield the rows of a set, or of a card under its name."""
        card: Object = {}
        for key, begun in members(happening):
            if begun[0] == "start_array" and key in {"cards", "tokens"}:
                yield from self._list(happening, key)
            elif key in mtgjson.SHAPE:
                take_member(happening, card, mtgjson.SHAPE, key, begun)
            else:
                pass_over(happening, begun)
        yield from self._card(card, name)

    def _list(self, happening: Events, key: str) -> Iterator[Row]:
        """Yield the rows of a set's cards or tokens, or of a card's faces under its name."""
        for begun in elements(happening):
            if begun[0] != "start_map":
                pass_over(happening, begun)
                continue
            card = take_object(happening, mtgjson.SHAPE)
            if key == "tokens":
                yield from mtgjson.token_rows(card)
            elif key == "cards":
                mtgjson.refuse_version_3(card)
                self._cards += 1
                yield from mtgjson.rows(card)
            else:
                yield from self._card(card, key)

    def _card(self, card: Object, name: str) -> Iterator[Row]:
        """Yield the rows of a card that stands under its own name; anything else is none."""
        if text(card, "name") != tidy(name) or not (text(card, "layout") or text(card, "type")):
            self._others += 1
            return
        mtgjson.refuse_version_3(card)
        self._cards += 1
        yield from mtgjson.rows(card)

    def refuse_without_cards(self) -> None:
        """Raise ``Malformed``, naming the file for what it seems to be, where no card was found."""
        if self._cards:
            return
        said: Sentence = sentence("this JSON file holds no cards")
        if self._mtgjson:
            said = sentence("this is a file of MTGJSON without cards")
        elif self._others:
            said = sentence("this is a JSON file of another program, and not of Scryfall or MTGJSON")
        raise Malformed(said, hint=_MTGJSON, code="no-cards")
