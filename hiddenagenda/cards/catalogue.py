"""The catalogue of card names: look-ups by bisect in a table that lies in a buffer.

SPEC "Names". Opening one costs the reading of a header and a look-up some twenty comparisons, whatever the
table's size; nothing is loaded into dictionaries. The buffer (bytes, or a file mapped by the caller) is
handed in: this module reads no disk. It says what stands in the table and guesses nothing; guessing is for
``resolve``.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator
from mmap import mmap
from typing import Final

from hiddenagenda.cards.folding import fold
from hiddenagenda.cards.table import ENGLISH, Header, Kind, Row, read_header, read_row
from hiddenagenda.faults import Malformed, sentence

_LONGEST_HEADER: Final = 65536
_NEAR: Final = 4096
"""Bytes among which a search costs less than further steps of bisecting."""


class Catalogue:
    """A table of names in ``buffer``, which must outlive it.

    ``header`` says date, source, languages, number of rows and digests. Raises ``Malformed`` where the buffer
    does not begin like a table of names; ``check`` looks at the rest.
    """

    __slots__ = ("_buffer", "_first", "header")

    header: Header

    def __init__(self, buffer: bytes | mmap) -> None:
        end = buffer.find(b"\n\n", 0, _LONGEST_HEADER)
        if end < 0 or buffer[-1:] != b"\n":
            raise Malformed(sentence("the table of names is cut short"), code="names-table")
        self.header = read_header(buffer[:end])
        self._buffer = buffer
        self._first = end + 2

    @property
    def digest(self) -> str:
        """The digest of the English names that may be named: what a game pins."""
        return self.header.digest

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the names in the table, English first."""
        return self.header.languages

    def check(self) -> None:
        """Compare all rows with the SHA-256 in the header. Raises ``Malformed`` where they differ."""
        whole = hashlib.sha256()
        for start in range(self._first, len(self._buffer), 1 << 20):
            whole.update(self._buffer[start : start + (1 << 20)])
        if not hmac.compare_digest(whole.hexdigest(), self.header.sha256):
            raise Malformed(
                sentence(
                    "the table of names is damaged: expected SHA-256 {want}, got {have}",
                    want=self.header.sha256,
                    have=whole.hexdigest(),
                ),
                code="names-table",
            )

    def card(self, name: str) -> Row | None:
        """Return the row of an English Oracle name that may be named, or None. Only this very text counts."""
        for row in self.spelled(name):
            if row.language == ENGLISH and row.printed == name and row.kind.may_be_named:
                return row
        return None

    def spelled(self, text: str) -> tuple[Row, ...]:
        """Return every row, in any language, whose printed name folds to what ``text`` folds to.

        Exact matches among them have ``printed == text``.
        """
        key = fold(text)
        return tuple(map(read_row, self._lines(key.encode() + b"\t"))) if key else ()

    def called(self, name: str, language: str) -> tuple[str, ...]:
        """Return what ``language`` prints on the card of this Oracle name, in the order of the table."""
        rows = map(read_row, self._lines(f" {fold(name)}\t".encode()))
        return tuple(row.printed for row in rows if row.name == name and row.language == language)

    def beginning(self, text: str) -> Iterator[Row]:
        """Yield the rows whose folded printed name begins as ``text`` folds, in the order of the table."""
        key = fold(text)
        if key:
            yield from map(read_row, self._lines(key.encode()))

    def lines(self) -> Iterator[bytes]:
        """Yield the line of every row, in the order of the table."""
        return self._lines(b"")

    def rows(self) -> Iterator[Row]:
        """Yield every row, in the order of the table."""
        return map(read_row, self.lines())

    def keys(self, languages: frozenset[str]) -> Iterator[str]:
        """Yield the folded names in ``languages`` that mean one card each: to search for neighbours.

        A name that several rows share comes several times.
        """
        wanted = "|".join(map(re.escape, sorted(languages)))
        others = "|".join(kind.value for kind in (Kind.WHOLE, Kind.TOKEN, Kind.CALLED))
        row = re.compile(rf"\n([^\t\n]+)\t[^\t\n]+\t(?:{wanted})\t(?!(?:{others})\t)".encode())
        for found in row.finditer(self._buffer, self._first - 1):
            yield found[1].decode()

    def _lines(self, prefix: bytes) -> Iterator[bytes]:
        """Yield the lines that begin with ``prefix``: bisected at line ends as far as a plain search is slower."""
        buffer = self._buffer
        low, high = self._first, len(buffer)
        size = len(prefix)
        while high - low > _NEAR:
            middle = (low + high) // 2
            start = buffer.rfind(b"\n", low, middle) + 1 or low
            if buffer[start : start + size] < prefix:
                low = buffer.find(b"\n", middle) + 1
            else:
                high = start
        # The first such line begins between them, or at ``high``.
        start = buffer.find(b"\n" + prefix, low - 1, high + size) + 1
        while start and (end := buffer.find(b"\n", start) + 1):
            yield buffer[start:end]
            start = end if buffer[end : end + size] == prefix else 0
