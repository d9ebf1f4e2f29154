"""Where games lie: files, directories, patterns, packed files and archives, looked through in stretches.

SPEC "Audits". A large plain file is cut, so that several may look through it at once; what is packed inside an archive
is not taken apart. What cannot be read is said in its place and stops nothing.
"""

import enum
import glob
import os
import stat
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import IO, Final, Self

from hiddenagenda.edge.files import irregular, refusal
from hiddenagenda.edge.looking import RANGE, Part, look
from hiddenagenda.edge.unpacking import (
    BLOCK,
    DAMAGES,
    Bounded,
    Packing,
    Place,
    Readable,
    is_tar,
    packing_of,
    say_damage,
    unpacking,
)
from hiddenagenda.faults import Sentence, sentence

SMALL: Final = 2**18
"""Bytes of a packed file that is unpacked by whoever needs something of it; a larger one is unpacked in order."""


class Trouble(enum.Enum):
    """Why there is no verdict on what lies in a place."""

    UNREADABLE = "unreadable"
    DAMAGED = "damaged"
    """There are lines of a game in it, and none reads."""
    FOREIGN = "foreign"
    """There is no line of a game in it."""
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Troubled:
    """A place without a game, and why."""

    label: str
    trouble: Trouble
    said: Sentence

    @property
    def is_loss(self) -> bool:
        """Whether it is, or may be, a game that could not be read."""
        return self.trouble in {Trouble.UNREADABLE, Trouble.DAMAGED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Bytes of a file that are looked through at once: the lines that begin in them."""

    path: str
    start: int = 0
    end: int | None = None


def find(arguments: Iterable[str], *, without: frozenset[str] = frozenset()) -> Iterator[str | Troubled]:
    """Yield the path of every file that ``arguments`` name: files, patterns, directories with all that is below them.

    What a directory holds comes in no certain order. Files whose real path is among ``without`` are left out.
    """
    for argument in arguments:
        paths = [argument]
        if not os.path.lexists(argument) and glob.has_magic(argument):
            paths = sorted(glob.glob(argument, recursive=True))
            if not paths:
                yield _troubled(argument, sentence("no file has a name like this"))
        for path in paths:
            for found in _below(path) if os.path.isdir(path) else (path,):
                if not without or isinstance(found, Troubled) or os.path.realpath(found) not in without:
                    yield found


def _below(directory: str) -> Iterator[str | Troubled]:
    todo = [directory]
    while todo:
        here = todo.pop()
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
                    elif not entry.is_dir():
                        yield entry.path
        except OSError as error:
            yield _troubled(here, refusal(error, here).said)


def stretches(path: str) -> Iterator[Stretch] | None:
    """Return how a file is cut to be looked through; None for one that is packed, or a tar archive, and not small.

    Raises ``StoreError``.
    """
    try:
        found = os.stat(path)
        size = found.st_size if stat.S_ISREG(found.st_mode) else 0
        if size > SMALL:
            with open(path, "rb") as file:
                head = file.read(tarfile.BLOCKSIZE)
            if packing_of(head) is not Packing.PLAIN or is_tar(head):
                return None
    except OSError as error:
        raise refusal(error, path) from error
    if size > RANGE:
        return (Stretch(path=path, start=start, end=start + RANGE) for start in range(0, size, RANGE))
    return iter((Stretch(path=path),))


def survey(stretch: Stretch) -> Iterator[Part | Troubled]:
    """Yield what lies in a stretch of a file: parts of places, and what cannot be read, in order."""
    path = stretch.path
    label = path
    try:
        with open(path, "rb", opener=_opener) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                yield Troubled(label=label, trouble=Trouble.UNREADABLE, said=irregular(path).said)
                return
            place = Place(label=label, path=path, stamp=(found.st_size, found.st_mtime_ns))
            head = file.read(tarfile.BLOCKSIZE)
            file.seek(0)
            packing = packing_of(head)
            if packing is Packing.ZIP:
                yield from _zip_members(place)
            elif packing is not Packing.PLAIN:
                with unpacking(file, packing, found.st_size) as stream:
                    yield from _stream(replace(place, packing=packing), _Peeked(stream))
            elif is_tar(head):
                yield from _tar_members(place, file)
            else:
                yield from _range(place, file, stretch)
    except DAMAGES as error:
        yield Troubled(label=label, trouble=Trouble.UNREADABLE, said=say_damage(error, path))


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # no waiting for the other end of a pipe


def _range(place: Place, file: IO[bytes], stretch: Stretch) -> Iterator[Part]:
    """Look through the lines that begin between start and end of a plain file."""
    start = stretch.start
    if start:
        file.seek(start - 1)  # a newline there, and a line begins at start
        while (piece := file.readline(BLOCK)) and not piece.endswith(b"\n"):
            pass
        start = file.tell()
    return look(place, _lines(file, start, stretch.end), start)


def _lines(file: IO[bytes], start: int, end: int | None) -> Iterator[bytes]:
    """Yield the blocks that hold the lines which begin before ``end``."""
    here = start
    block = b"\n"
    while end is None or here < end:
        block = file.read(BLOCK if end is None else min(BLOCK, end - here))
        if not block:
            return
        here += len(block)
        yield block
    while not block.endswith(b"\n") and (block := file.readline(BLOCK)):  # the last line goes on behind the end
        yield block


class _Peeked:
    """A stream whose first bytes were looked at."""

    def __init__(self, stream: Readable) -> None:
        self.head = b""
        while len(self.head) < tarfile.BLOCKSIZE and (more := stream.read(tarfile.BLOCKSIZE - len(self.head))):
            self.head += more
        self._rest = self.head
        self._stream = stream

    def read(self, size: int) -> bytes:
        if self._rest:
            taken, self._rest = self._rest[:size], self._rest[size:]
            return taken
        return self._stream.read(size)


def _stream(place: Place, stream: _Peeked) -> Iterator[Part | Troubled]:
    if is_tar(stream.head):
        yield from _tar_members(place, stream)
    else:
        yield from look(place, iter(partial(stream.read, BLOCK), b""), 0)


class _Header(tarfile.TarInfo):
    """A member of a tar archive; a header that does not read ends no archive, as it would otherwise."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> Self:  # called by position
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]  # the end, as it should be
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from error


def _tar_members(place: Place, stream: Readable) -> Iterator[Part | Troubled]:
    with tarfile.open(fileobj=stream, mode="r|", bufsize=BLOCK, tarinfo=_Header) as archive:  # type: ignore[call-overload]  # it only reads
        for member in archive:
            archive.members = []  # it would remember them all
            label = f"{place.label}/{member.name}"
            file = archive.extractfile(member) if member.isfile() and not member.issparse() else None
            if file is not None:
                inner = replace(place, label=label, start=member.offset_data)
                yield from _member(inner, iter(partial(file.read, BLOCK), b""))
            elif not member.isdir():
                yield _troubled(label, irregular(label).said)


def _zip_members(place: Place) -> Iterator[Part | Troubled]:
    with zipfile.ZipFile(place.path) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            inner = replace(
                place, label=f"{place.label}/{member.filename}", packing=Packing.ZIP, member=member.filename
            )
            try:
                with archive.open(member) as file:
                    bounded = Bounded(file, member.compress_size)
                    yield from _member(inner, iter(partial(bounded.read, BLOCK), b""))
            except DAMAGES as error:
                yield _troubled(inner.label, say_damage(error, inner.label))


def _member(place: Place, blocks: Iterator[bytes]) -> Iterator[Part | Troubled]:
    head = next(blocks, b"")
    if packing_of(head) is not Packing.PLAIN or is_tar(head):
        yield _troubled(place.label, sentence("it is packed inside an archive: unpack it first"))
        return
    yield from look(place, chain((head,), blocks), place.start)


def _troubled(label: str, said: Sentence) -> Troubled:
    return Troubled(label=label, trouble=Trouble.UNREADABLE, said=said)
