"""Cockatrice's card databases, versions 3 and 4: cards.xml, tokens.xml, spoilers.

SPEC "Names". Read element by element. A document type is refused whatever it says, since no card file needs one and
every attack by entities does.
"""

from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

from hiddenagenda.cards.names import JOINT, named, tidy
from hiddenagenda.cards.printed import token
from hiddenagenda.cards.readers.stream import LONGEST, PIECE, Peekable
from hiddenagenda.cards.table import Row
from hiddenagenda.faults import Malformed, TooLarge, sentence

_ROOT: Final = "cockatrice_carddatabase"
_DEEPEST: Final = 16
_WANTED: Final = frozenset({"layout", "name", "token", "type"})
_NEWER: Final = sentence("make it anew with today's Oracle, Cockatrice's importer")


def read(stream: Peekable) -> Iterator[Row]:
    """Yield the rows of the database in ``stream``. Raises ``Malformed`` where it is none, or of another version."""
    reading = _Reading()
    done = 0
    try:
        while piece := stream.read(PIECE):
            reading.parser.Parse(piece)
            done += len(piece)
            yield from reading.taken(len(piece))
        reading.parser.Parse(b"", True)
    except expat.ExpatError as error:
        said = sentence(
            "the XML is damaged or cut short at line {line}: {error}",
            line=error.lineno,
            error=expat.ErrorString(error.code),
        )
        raise Malformed(said, hint=sentence("fetch the file again"), code="xml", position=done) from error
    yield from reading.taken(0)


class _Reading:
    """What the parser has come upon: cards that are whole, and the one it is in."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate("UTF-8")  # whatever the file says: all files of Cockatrice are
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self._path: list[str] = []
        self._card: dict[str, str] = {}
        self._cards: list[dict[str, str]] = []
        self._silent = 0

    def taken(self, size: int) -> Iterator[Row]:
        """Yield the rows of the cards found in the last ``size`` bytes."""
        self._silent += size
        if self._silent > LONGEST:
            raise TooLarge(sentence("an element of the XML is too long"), code="too-large")
        for card in self._cards:
            yield from _rows(card)
        self._cards.clear()

    def _doctype(self, name: str, _system: str | None, _public: str | None, _internal: bool) -> None:  # noqa: FBT001
        if name.lower() == "html":
            raise Malformed(sentence("this is a web page and no file of cards"), code="web-page")
        raise Malformed(sentence("this XML has a document type, which no file of cards needs"), code="doctype")

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        self._silent = 0
        if not self._path:
            _check_root(element, attributes.get("version", ""))
        self._path.append(element)
        if len(self._path) > _DEEPEST:
            raise Malformed(sentence("this XML is nested too deeply for a file of cards"), code="xml")
        if self._path[1:] == ["cards", "card"]:
            self._card = {}

    def _text(self, text: str) -> None:
        element = self._path[-1]
        if element in _WANTED and self._path[3:-1] in ([], ["prop"]) and self._path[1:3] == ["cards", "card"]:
            text = self._card.get(element, "") + text
            if len(text) > LONGEST:
                raise TooLarge(sentence("an element of the XML is too long"), code="too-large")
            self._card[element] = text

    def _end(self, _element: str) -> None:
        self._silent = 0
        if self._path[1:] == ["cards", "card"]:
            self._cards.append(self._card)
        self._path.pop()


def _check_root(element: str, version: str) -> None:
    if element.lower() == "html":
        raise Malformed(sentence("this is a web page and no file of cards"), code="web-page")
    if element != _ROOT:
        raise Malformed(
            sentence("this is another program's XML: it begins with <{element}>", element=element[:40]),
            hint=sentence("Cockatrice's files begin with <{element}>", element=_ROOT),
            code="other-xml",
        )
    if version not in {"3", "4"}:
        raise Malformed(
            sentence("this is version {version} of Cockatrice's card database; 3 and 4 are read", version=version[:8]),
            hint=_NEWER,
            code="old-format" if version in {"1", "2"} else "other-version",
        )


def _rows(card: dict[str, str]) -> Iterator[Row]:
    name, layout, types = (tidy(card.get(key, "").strip()) for key in ("name", "layout", "type"))
    if card.get("token", "").strip() == "1" or types.startswith("Token"):
        yield from token(name, layout=layout or "token", type_line=types or None)
    else:
        yield from named(name, layout=layout or "normal", types=[line or None for line in types.split(JOINT)])
