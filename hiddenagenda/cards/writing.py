"""A table of names from rows: all of them in memory, or sorted lines one after the other.

SPEC "Names". ``write_table`` is for what fits in memory; ``settled`` and ``Tally`` are its two halves, for
whoever sorts on a disk. Opens nothing.
"""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby

from hiddenagenda.cards.table import (
    ENGLISH,
    Header,
    Row,
    digest_of,
    read_row,
    settle,
    write_header,
    write_row,
)


def settled(lines: Iterable[bytes]) -> Iterator[Row]:
    """Yield the rows of sorted ``lines``, the rows of each key settled among themselves."""
    for _, group in groupby(lines, key=lambda line: line[: line.index(b"\t")]):
        yield from settle(map(read_row, group))


class Tally:
    """Counts what a header says, row by row. ``add`` returns the row's line; ``header`` ends the count."""

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()
        self._languages = {ENGLISH}
        self._names: set[str] = set()
        self._rows = 0

    def add(self, row: Row) -> bytes:
        """Count ``row`` and return its line."""
        line = write_row(row)
        self._sha256.update(line)
        self._languages.add(row.language)
        self._rows += 1
        if row.language == ENGLISH and row.kind.may_be_named:
            self._names.add(row.name)
        return line

    def header(self, *, date: str, source: str) -> Header:
        """Return the header over all rows counted."""
        return Header(
            date=date,
            source=source,
            languages=(ENGLISH, *sorted(self._languages - {ENGLISH})),
            rows=self._rows,
            sha256=self._sha256.hexdigest(),
            digest=digest_of(self._names),
        )


def write_table(rows: Iterable[Row], *, date: str, source: str) -> bytes:
    """Return a whole table of ``rows``, which may come in any order and more than once."""
    tally = Tally()
    lines = [tally.add(row) for row in settled(sorted(map(write_row, rows)))]
    return write_header(tally.header(date=date, source=source)) + b"".join(lines)
