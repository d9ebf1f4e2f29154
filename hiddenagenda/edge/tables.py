"""Game files: whole lines, appended under a lock and on the disk before anybody is told.

SPEC "Files", "Lines". What a crash left at the end of a file is recognised: the beginning of a line is moved aside
into a file beside, a whole line gets its newline, and whatever else stands there stays. A line that was ended is
never dropped, whatever is in it. This module does not judge what the lines say.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from hiddenagenda.bundle import LARGEST
from hiddenagenda.edge.files import (
    PUBLIC,
    SECRET,
    StoreError,
    explained,
    read_open,
    replace_file,
    sync,
    sync_directory,
    write_all,
    write_new_file,
    write_new_secret,
)
from hiddenagenda.edge.lock import locked
from hiddenagenda.faults import Malformed
from hiddenagenda.line import HEAD, read_line
from hiddenagenda.line import LARGEST as LARGEST_LINE

TORN: Final = ".torn"
"""End of the name of the file that torn lines are moved to, beside the game."""

_PIECE: Final = LARGEST_LINE + 2
"""Bytes that are read at the end of a file: more than any line has, with its CR and newline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Torn:
    """What was moved out of a game file: bytes that begin a line and do not end it."""

    size: int
    place: str
    """The path of the file that holds them now."""


def create(path: str, lines: Iterable[bytes]) -> None:
    """Write a new game file of ``lines`` (without newlines). Raises ``StoreError``, also where ``path`` exists."""
    write_new_file(path, _joined(lines))


def append(path: str, lines: Iterable[bytes], mode: int = PUBLIC) -> Torn | None:
    """Append ``lines`` (without newlines) to the game file ``path``, made where it is missing, and sync it.

    ``mode`` is ``PUBLIC`` or ``SECRET``. Returns what had to be moved aside first. Raises ``StoreError``, also for a
    symbolic link; all of ``lines`` are in the file then or none. Another hard link of the file keeps what it has.
    """
    data = _joined(lines)
    if not os.path.lexists(path):
        try:
            (write_new_secret if mode == SECRET else write_new_file)(path, data)
        except StoreError as error:
            if error.code != "eexist":  # else another process was faster
                raise
        else:
            return None
    with locked(path, mode) as descriptor, explained(path):
        size = os.fstat(descriptor).st_size
        tail = _unended(descriptor, size)
        torn = None
        if _is_torn(tail):
            torn = _moved_aside(tail, path, mode)
            size -= len(tail)
        elif tail:
            data = b"\n" + data
        if os.fstat(descriptor).st_nlink > 1:
            replace_file(path, read_open(descriptor, path, LARGEST)[:size] + data, mode)
        else:
            _write_from(descriptor, size, data)
            sync_directory(os.path.dirname(path))
    return torn


def lines_of(data: bytes) -> list[bytes]:
    """Return the lines of a game file (without newlines), blank ones and a torn one at the end left out."""
    *ended, tail = data.split(b"\n")
    if not _is_torn(tail):
        ended.append(tail)
    lines = [line.removesuffix(b"\r") for line in ended]
    return [line for line in lines if line]


def _joined(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _unended(descriptor: int, size: int) -> bytes:
    """Return what follows the last newline of a file, or of its last piece."""
    os.lseek(descriptor, max(0, size - _PIECE), os.SEEK_SET)
    end = b""
    while piece := os.read(descriptor, _PIECE):
        end += piece
    return end.rpartition(b"\n")[2]


def _is_torn(tail: bytes) -> bool:
    if not tail or len(tail) > LARGEST_LINE or tail[: len(HEAD)] != HEAD[: len(tail)]:
        return False
    try:
        read_line(tail.removesuffix(b"\r"))
    except Malformed:
        return True
    return False


def _moved_aside(tail: bytes, path: str, mode: int) -> Torn:
    place = path + TORN
    with locked(place, mode) as descriptor, explained(place):
        write_all(descriptor, tail + b"\n")
        sync_directory(os.path.dirname(place))
    return Torn(size=len(tail), place=place)


def _write_from(descriptor: int, size: int, data: bytes) -> None:
    """Make ``data`` what follows the first ``size`` bytes of a file."""
    if os.fstat(descriptor).st_size > size:
        os.ftruncate(descriptor, size)
        sync(descriptor)
    try:
        write_all(descriptor, data)
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise
