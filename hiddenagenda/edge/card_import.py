"""Taking in files of cards: their names are merged with those there are into one new table, which takes over whole.

SPEC "Names". A table is finished, synced and named in one step beside the old one, which is removed afterwards; so
whoever looks, at any moment, finds the one or the other, and a table that somebody has open is never written to.
Files are read by the readers of ``cards``; this module knows no format.
"""

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import BinaryIO, Final

from hiddenagenda.cards.readers.recognise import read
from hiddenagenda.cards.table import Header, Row, write_header, write_row
from hiddenagenda.cards.writing import Tally, settled
from hiddenagenda.characters import escape
from hiddenagenda.edge.catalogue import bundled, installed, table_name, tables
from hiddenagenda.edge.directories import private_directory
from hiddenagenda.edge.files import (
    LEFTOVER,
    PUBLIC,
    explained,
    irregular,
    open_unfollowed,
    refusal,
    sync,
    sync_directory,
    unfinished_path,
)
from hiddenagenda.edge.lock import locked
from hiddenagenda.edge.sorting import SortedLines
from hiddenagenda.faults import Malformed, Sentence, sentence

_LOCK: Final = "import.lock"
_OFTEN: Final = 5000
"""Rows between two words about the progress."""
_EXAMPLES: Final = 5
_LONGEST_SOURCE: Final = 1000

Progress = Callable[[int, int], None]
"""Told, now and then, how many bytes of all files' bytes have been read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did: the header of the new table and of the one before; how many rows were left out, and why.

    ``left_out`` holds the reasons of the first few.
    """

    header: Header
    before: Header
    number_left_out: int
    left_out: tuple[Sentence, ...]


def import_cards(directory: str, paths: Sequence[str], *, progress: Progress = lambda _read, _all: None) -> Imported:
    """Add the names in the files of cards ``paths`` to the table in ``directory``, which is made where missing.

    Takes all of them or none. Raises ``Malformed`` for a file that is not one of cards (its text says which and what it
    is), ``StoreError`` where the disk fails; the old table is in use then, as after a crash at any moment.
    """
    with _alone(directory), explained(directory), SortedLines(directory) as lines:
        gathering = _Gathering(lines, progress)
        gathering.take_in(paths)
        before, ours = installed(directory), bundled()
        there = [before.lines()]
        if ours.header != before.header:  # it may be newer than the one that was imported into
            there.append(ours.lines())
        with _new_file(directory) as (rows, rows_path), _new_file(directory) as (table, path):
            tally = Tally()
            for row, line in settled(lines.merged(*there)):
                tally.add(row, line)
                rows.write(line)
            rows.flush()
            source = _source((before.header.source, ours.header.source), paths)
            header = tally.header(date=datetime.now(UTC).date().isoformat(), source=source)
            table.write(write_header(header))
            with open(rows_path, "rb") as again:
                shutil.copyfileobj(again, table)
            table.flush()
            sync(table.fileno())
            table.close()  # Windows gives no other name to an open file
            _publish(directory, path)
    return Imported(
        header=header, before=before.header, number_left_out=gathering.number, left_out=tuple(gathering.examples)
    )


def remove_cards(directory: str) -> tuple[str, ...]:
    """Forget everything imported into ``directory``; return the names of the tables that are gone.

    Raises ``StoreError``.
    """
    if not tables(directory):
        return ()
    with _alone(directory), explained(directory):
        names = tuple(tables(directory))
        for name in names:
            os.unlink(os.path.join(directory, name))
        sync_directory(directory)
    return names


class _Gathering:
    """Rows of files on their way into sorted lines; what cannot be a row is counted and left out."""

    def __init__(self, lines: SortedLines, progress: Progress) -> None:
        self._lines = lines
        self._progress = progress
        self.number = 0
        self.examples: list[Sentence] = []

    def take_in(self, paths: Sequence[str]) -> None:
        """Take the rows of all files."""
        sizes = [_size(path) for path in paths]
        for place, path in enumerate(paths):
            with explained(path), open(path, "rb") as file:
                try:
                    for number, row in enumerate(read(file)):
                        self._add(row)
                        if number % _OFTEN == 0:
                            self._progress(sum(sizes[:place]) + file.tell(), sum(sizes))
                except Malformed as error:
                    said = sentence("{path}: {what}", path=path, what=error.said)
                    raise type(error)(said, hint=error.hint, code=error.code, position=error.position) from error
            self._progress(sum(sizes[: place + 1]), sum(sizes))

    def _add(self, row: Row) -> None:
        try:
            self._lines.add(write_row(row))
        except Malformed as error:
            self.number += 1
            if len(self.examples) < _EXAMPLES:
                self.examples.append(error.said)


def _size(path: str) -> int:
    with explained(path):
        found = os.stat(path)
    if stat.S_ISDIR(found.st_mode):
        raise refusal(IsADirectoryError(errno.EISDIR, ""), path)
    if not stat.S_ISREG(found.st_mode):
        raise irregular(path)
    return found.st_size


@contextmanager
def _alone(directory: str) -> Iterator[None]:
    """Be the only one who changes the table in ``directory``, and sweep away what a crash left there."""
    private_directory(directory)
    with locked(os.path.join(directory, _LOCK)):
        with explained(directory):
            for name in os.listdir(directory):
                if name.endswith(LEFTOVER):
                    os.unlink(os.path.join(directory, name))
        yield


@contextmanager
def _new_file(directory: str) -> Iterator[tuple[BinaryIO, str]]:
    """Yield a new file and its path; it goes at the end, unless it was given another name."""
    path = unfinished_path(directory)
    descriptor = open_unfollowed(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PUBLIC)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file, path
    finally:
        with suppress(OSError):
            os.unlink(path)


def _publish(directory: str, path: str) -> None:
    """Give the finished table in ``path`` its name, and remove the older ones where nobody has them open."""
    old = tables(directory)
    os.replace(path, os.path.join(directory, table_name(old)))
    sync_directory(directory)
    for name in old:
        with suppress(OSError):  # Windows keeps what another program has mapped; the next import removes it
            os.unlink(os.path.join(directory, name))


def _source(known: Sequence[str], paths: Sequence[str]) -> str:
    """Say where the rows are from: what is said of the tables ``known``, and the new files by name, each once."""
    there = [part for source in known for part in source.split("; ")]
    names = [escape(os.path.basename(path)).replace(";", ",") for path in paths]
    return "; ".join(dict.fromkeys([*there, *names]))[:_LONGEST_SOURCE]
