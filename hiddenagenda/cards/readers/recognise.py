"""Which format a file has, told from how it begins, and the reader for it.

SPEC "Names". The name of a file counts for nothing: people keep pointers, error pages and descriptions under the
names of card files. Each of these is named for what it is.
"""

import codecs
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from hiddenagenda.cards.readers import cockatrice, jsonfile, plain
from hiddenagenda.cards.readers.packing import unpacked
from hiddenagenda.cards.readers.stream import Peekable
from hiddenagenda.cards.table import Row
from hiddenagenda.faults import Malformed, Sentence, sentence

Reader = Callable[[Peekable], Iterator[Row]]

_HEAD: Final = 4096
_AS_UTF8: Final = sentence("save it as UTF-8 without a byte order mark, or fetch it again")
_BINARY: Final = (
    (b"SQLite format 3", sentence("this is an SQLite database")),
    (b"%PDF", sentence("this is a PDF")),
    (b"\x89PNG", sentence("this is a picture")),
    (b"\xff\xd8\xff", sentence("this is a picture")),
    (b"PAR1", sentence("this is a Parquet file")),
)
_PAGE: Final = (b"<!doctype html", b"<html")


def read(file: BinaryIO) -> Iterator[Row]:
    """Yield the rows of a file of cards, packed or not, opened in binary and seekable.

    Raises ``Malformed`` for what is none, ``TooLarge`` for what unpacks without end, ``OSError`` where it cannot be
    read.
    """
    for _, stream in unpacked(file):
        yield from recognise(stream)(stream)


def recognise(stream: Peekable) -> Reader:
    """Return the reader for what ``stream`` holds; a byte order mark that may stand there is taken off.

    Raises ``Malformed`` that says what it is instead.
    """
    head = stream.peek(_HEAD)
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if not start:
        raise Malformed(sentence("the file is empty"), code="empty")
    for magic, said in _BINARY:
        if head.startswith(magic):
            raise _no_cards(said)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or (b"\x00" in head[:2] and _is_text_in_16(head)):
        raise Malformed(sentence("this file is UTF-16"), hint=_AS_UTF8, code="encoding")
    if b"\x00" in head:
        raise _no_cards(sentence("this is no text"))
    if start.startswith((b"{", b"[")):
        if head.startswith(codecs.BOM_UTF8):
            raise Malformed(sentence("this JSON file begins with a byte order mark"), hint=_AS_UTF8, code="encoding")
        return jsonfile.read
    if start[:16].lower().startswith(_PAGE):
        raise _no_cards(sentence("this is a web page, perhaps an error message"))
    stream.skip(codecs.BOM_UTF8)
    if start.startswith(b"<"):
        return cockatrice.read
    plain.refuse_others(start)
    return plain.read


def _is_text_in_16(head: bytes) -> bool:
    half = head[: len(head) // 2 * 2]
    return half[::2].count(0) > len(half) // 4 or half[1::2].count(0) > len(half) // 4


def _no_cards(said: Sentence) -> Malformed:
    return Malformed(said, hint=sentence("fetch a file of Scryfall, MTGJSON or Cockatrice"), code="no-cards")
