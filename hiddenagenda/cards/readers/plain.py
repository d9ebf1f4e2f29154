"""A plain list: one English name a line, or language, printed name and English name with tabs between.

SPEC "Names". Blank lines and lines that begin with ``#`` are passed over; what stands after a third tab, too. Files of
other programs that are text as well are named and refused.
"""

import re
from collections.abc import Iterator
from typing import Final

from hiddenagenda.cards.names import JOINT, named, tidy
from hiddenagenda.cards.printed import printed, printed_whole
from hiddenagenda.cards.readers.stream import PIECE, Peekable
from hiddenagenda.cards.table import Row
from hiddenagenda.faults import Malformed, Sentence, sentence

_LONGEST_LINE: Final = 4096
_LONGEST_NAME: Final = 200
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
_OTHERS: Final[tuple[tuple[re.Pattern[bytes], Sentence], ...]] = (
    (re.compile(rb"version https://git-lfs"), sentence("this is a Git LFS pointer: the file itself was not fetched")),
    (re.compile(rb"\s*Name:.*\r?\n(?:ManaCost|Types):"), sentence("this is a card script of Forge")),
    (re.compile(rb"[^\n|]+\|[^\n|]+\|[^\n|]*\|[^\n|]*\|"), sentence("this is a card list of XMage")),
    (re.compile(rb"(?:\"?\w+\"?,){3,}"), sentence("this is a table in CSV")),
)


def refuse_others(head: bytes) -> None:
    """Raise ``Malformed`` where a text that begins with ``head`` is the known file of another program."""
    for pattern, said in _OTHERS:
        if pattern.match(head):
            raise Malformed(
                said, hint=sentence("fetch a file of Scryfall, MTGJSON or Cockatrice"), code="other-program"
            )


def read(stream: Peekable) -> Iterator[Row]:
    """Yield the rows of the list in ``stream``. Raises ``Malformed`` for bytes that are no text in UTF-8."""
    for number, line in enumerate(_lines(stream), 1):
        try:
            text = line.decode().strip("\r\ufeff ")
        except UnicodeDecodeError as error:
            raise Malformed(
                sentence("line {line} is not UTF-8", line=number),
                hint=sentence("save the list as UTF-8"),
                code="encoding",
            ) from error
        if text and not text.startswith("#"):
            yield from _rows([tidy(field) for field in text.split("\t")], number)


def _rows(fields: list[str], number: int) -> Iterator[Row]:
    match fields:
        case [name] if len(name) <= _LONGEST_NAME:
            yield from named(name, layout="", types=())
        case [language, label, name, *_] if _LANGUAGE.fullmatch(language):
            labels = label.split(JOINT)
            if len(labels) > 1 and JOINT in name:
                yield from printed_whole(labels, language=language, name=name)
            else:
                yield from printed(label, language=language, name=name)
        case _:
            raise Malformed(
                sentence(
                    "this is no list of names: line {line} is no name, nor language, printed name, English name",
                    line=number,
                ),
                code="plain-list",
            )


def _lines(stream: Peekable) -> Iterator[bytes]:
    rest = b""
    while piece := stream.read(PIECE):
        *lines, rest = (rest + piece).split(b"\n")
        if len(rest) > _LONGEST_LINE:
            raise Malformed(sentence("this is no list of names: a line is far too long"), code="plain-list")
        yield from lines
    yield rest
