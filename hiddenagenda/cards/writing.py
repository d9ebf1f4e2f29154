"""A table of names from rows: all of them in memory, or sorted lines one after the other.

SPEC "Names". ``write_table`` is for what fits in memory; ``settled`` and ``Tally`` are its two halves, for
whoever sorts on a disk. Opens nothing.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from hiddenagenda.cards.table import (
    ENGLISH,
    Header,
    Kind,
    Row,
    digest_of,
    read_row,
    settle,
    write_header,
    write_row,
)

_NO_NAMES: Final = frozenset({Kind.CALLED, Kind.TOKEN, Kind.WHOLE})


def settled(lines: Iterable[bytes]) -> Iterator[tuple[Row, bytes]]:
    """Yield the rows of sorted ``lines`` and their lines, the rows of each key settled among themselves."""
    for _, group in groupby(lines, key=lambda line: line[: line.index(b"\t")]):
        same = tuple(group)
        if len(same) == 1:  # as nearly all are
            yield read_row(same[0]), same[0]
        else:
            yield from ((row, write_row(row)) for row in settle(map(read_row, same)))


class Tally:
    """Counts what a header says, row by row; ``header`` ends the count."""

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()
        self._languages = Counter({ENGLISH: 0})
        self._names: set[str] = set()
        self._rows = 0

    def add(self, row: Row, line: bytes) -> None:
        """Count ``row``, whose line is ``line``."""
        self._sha256.update(line)
        self._languages[row.language] += row.kind not in _NO_NAMES
        self._rows += 1
        if row.language == ENGLISH and row.kind.may_be_named:
            self._names.add(row.name)

    def header(self, *, date: str, source: str) -> Header:
        """Return the header over all rows counted."""
        languages = (ENGLISH, *sorted(self._languages.keys() - {ENGLISH}))
        return Header(
            date=date,
            source=source,
            languages=languages,
            names=tuple(self._languages[language] for language in languages),
            rows=self._rows,
            sha256=self._sha256.hexdigest(),
            digest=digest_of(self._names),
        )


def write_table(rows: Iterable[Row], *, date: str, source: str) -> bytes:
    """Return a whole table of ``rows``, which may come in any order and more than once."""
    tally = Tally()
    lines = []
    for row, line in settled(sorted(map(write_row, rows))):
        tally.add(row, line)
        lines.append(line)
    return write_header(tally.header(date=date, source=source)) + b"".join(lines)
