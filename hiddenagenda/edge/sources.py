"""Where games lie: files, directories, patterns, packed files and archives, looked through line by line.

SPEC "Audits". What a file is, its first bytes say, not its name. Nothing is held in memory but one block; a line over
its cap is passed over as fast as it can be read. Which game a line belongs to is only looked up here, where canonical
lines have it: whether a line reads is for the record to say.
"""

# Paths are texts here, as everywhere beside the disk.
# ruff: noqa: PTH112, PTH116, PTH123, PTH207

import enum
import glob
import gzip
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from importlib import import_module
from typing import IO, Final, Protocol, Self

from hiddenagenda.edge.files import irregular, refusal
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.line import LARGEST
from hiddenagenda.shape import HEX_DIGITS

BLOCK: Final = 2**20
"""Bytes that are read at once."""
RANGE: Final = 2**24
"""Bytes that are looked through at once; a larger plain file is cut."""
MOST_UNPACKED: Final = 200
"""How many times its size a packed file may unpack to, ``BLOCK`` bytes besides; hex digits do not pack so well."""

_PARENTS: Final = b'","parents":["'
_FAR: Final = 3_000
"""Bytes at the end of a line in which its parents begin."""
_ENTRY: Final = b'{"entry":'
_TABLE: Final = b',"type":"table"}'
_END: Final = len(b',"signature":""}') + 128
_LONGEST: Final = LARGEST + 2


class Packing(enum.Enum):
    """How the bytes of a place are packed."""

    PLAIN = "plain"
    GZIP = "gzip"
    ZSTD = "zstd"
    ZIP = "zip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file, or a member of an archive. ``start`` and ``size`` say where its bytes lie once they are unpacked."""

    label: str
    """What it is called for people."""
    path: str
    packing: Packing = Packing.PLAIN
    member: str = ""
    """The name of a member of a zip archive."""
    start: int = 0
    stamp: tuple[int, int] = (0, 0)
    """Size and time of the file when it was looked through."""


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


@dataclass(frozen=True, slots=True)
class Group:
    """Lines of one game that follow each other, with what does not read between them."""

    game: bytes | None
    """64 hex digits; None for lines before the first of any game."""
    start: int
    size: int
    line: int
    """Number of the first line, from 1."""
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some of the groups of a place, in their order; lines are counted from the part's first."""

    place: Place
    groups: tuple[Group, ...]
    size: int
    """Bytes that were looked through."""
    lines: int
    attempts: int
    """Lines of no game that begin as lines of a record do."""


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
    """Return how a file is cut to be looked through; None where it is packed and large, so that it cannot be cut.

    Raises ``StoreError``.
    """
    try:
        found = os.stat(path)
        if stat.S_ISREG(found.st_mode) and found.st_size > RANGE:
            with open(path, "rb") as file:
                if _packing(file.read(tarfile.BLOCKSIZE)) is not Packing.PLAIN:
                    return None
            cuts = range(0, found.st_size, RANGE)
            return (Stretch(path=path, start=start, end=start + RANGE) for start in cuts)
    except OSError as error:
        raise refusal(error, path) from error
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
            packing = _packing(head)
            if packing is Packing.ZIP:
                yield from _zip_members(place)
            elif packing is not Packing.PLAIN:
                with _unpacked(file, packing, found.st_size) as stream:
                    yield from _stream(replace(place, packing=packing), _Peeked(stream))
            elif _is_tar(head):
                yield from _tar_members(place, file)
            else:
                yield _range(place, file, stretch)
    except _DAMAGES as error:
        yield Troubled(label=label, trouble=Trouble.UNREADABLE, said=_said(error, path))


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # no waiting for the other end of a pipe


def _packing(head: bytes) -> Packing:
    if head.startswith(b"\x1f\x8b"):
        return Packing.GZIP
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return Packing.ZSTD
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Packing.ZIP
    return Packing.PLAIN


def _is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


def _range(place: Place, file: IO[bytes], stretch: Stretch) -> Part:
    """Look through the lines that begin between start and end of a plain file."""
    start = stretch.start
    if start:
        file.seek(start - 1)  # a newline there, and a line begins at start
        while (piece := file.readline(BLOCK)) and not piece.endswith(b"\n"):
            pass
        start = file.tell()
    return _look(place, _lines(file, start, stretch.end), start)


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


class Readable(Protocol):
    """What bytes are read from, once and in order."""

    def read(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes; none at the end."""
        ...


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
    if _is_tar(stream.head):
        yield from _tar_members(place, stream)
        return
    start = 0
    for blocks in _whole_lines(iter(partial(stream.read, BLOCK), b"")):
        part = _look(place, blocks, start)
        start += part.size
        yield part
    if not start:
        yield _look(place, (), 0)


def _whole_lines(blocks: Iterator[bytes]) -> Iterator[list[bytes]]:
    """Yield blocks in lists that end with a line and hold some ``RANGE`` bytes, so that no part grows too large."""
    held: list[bytes] = []
    size = 0
    for block in blocks:
        cut = block.rfind(b"\n") + 1
        if size + len(block) > RANGE and cut:
            yield [*held, block[:cut]]
            held, size = [], 0
            block = block[cut:]  # noqa: PLW2901 - the rest of it
        held.append(block)
        size += len(block)
    if held:
        yield held


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
                    bounded = _Bounded(file, member.compress_size)
                    yield from _member(inner, iter(partial(bounded.read, BLOCK), b""))
            except _DAMAGES as error:
                yield _troubled(inner.label, _said(error, inner.label))


def _member(place: Place, blocks: Iterator[bytes]) -> Iterator[Part | Troubled]:
    head = next(blocks, b"")
    if _packing(head) is not Packing.PLAIN or _is_tar(head):
        yield _troubled(place.label, sentence("it is packed inside an archive: unpack it first"))
        return
    yield _look(place, _again(head, blocks), place.start)


def _again(head: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from blocks


def _look(place: Place, blocks: Iterable[bytes], start: int) -> Part:
    """Look through lines that begin at ``start``."""
    looking = _Looking(start)
    for block in blocks:
        looking.feed(block)
    return looking.part(place)


class _Looking:
    """Groups of lines, as far as they were read."""

    def __init__(self, start: int) -> None:
        self.groups: list[Group] = []
        self.attempts = 0
        self._first = self._start = self._here = start
        self._number = 0
        self._line = 1
        self._game: bytes | None = None
        self._rest = b""
        self._dropped = 0

    def feed(self, block: bytes) -> None:
        *lines, rest = (self._rest + block).split(b"\n")
        for line in lines:
            self._look(line, len(line) + 1 + self._dropped)
            self._dropped = 0
        if len(rest) > _LONGEST:
            self._dropped += len(rest) - _LONGEST
            rest = rest[:_LONGEST]
        self._rest = rest

    def part(self, place: Place) -> Part:
        if self._rest:
            self._look(self._rest, len(self._rest) + self._dropped)
        if self._here > self._start:
            self._put_down()
        size = self._here - self._first
        return Part(place=place, groups=tuple(self.groups), size=size, lines=self._number, attempts=self.attempts)

    def _look(self, line: bytes, size: int) -> None:
        at = line.rfind(_PARENTS, -_FAR)
        game = line[at - 64 : at] if at > 64 else self._of_table(line)
        if game != self._game and game is not None and len(game) == 64 and not game.translate(None, HEX_DIGITS):
            if self._here > self._start:
                self._put_down()
            self._game = game
        self._number += 1
        self._here += size

    def _of_table(self, line: bytes) -> bytes | None:
        line = line.removesuffix(b"\r")
        if line[-_END - len(_TABLE) : -_END] == _TABLE:
            return sha256(line[len(_ENTRY) : -_END]).hexdigest().encode()
        self.attempts += line.startswith(_ENTRY)
        return None

    def _put_down(self) -> None:
        size, lines = self._here - self._start, self._number + 1 - self._line
        self.groups.append(Group(self._game, self._start, size, self._line, lines))
        self._start, self._line = self._here, self._number + 1


class _Bounded:
    """A stream that is not read beyond what a packed file of ``size`` bytes may unpack to."""

    def __init__(self, stream: Readable, size: int) -> None:
        self._stream = stream
        self._left = BLOCK + MOST_UNPACKED * size

    def read(self, size: int) -> bytes:
        data = self._stream.read(min(size, BLOCK))
        self._left -= len(data)
        if self._left < 0:
            raise _TooMuchError
        return data


class _TooMuchError(Exception):
    """A packed file unpacks to more than files that hold games do."""


@contextmanager
def _unpacked(file: IO[bytes], packing: Packing, size: int) -> Iterator[Readable]:
    if packing is Packing.GZIP:
        with gzip.GzipFile(fileobj=file) as stream:
            yield _Bounded(stream, size)
    else:
        zstandard = import_module("zstandard")
        with zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=False) as stream:
            yield _Bounded(_Zstd(stream, zstandard.ZstdError), size)


class _Zstd:
    """A zstd stream whose errors are those of the standard library."""

    def __init__(self, stream: Readable, error: type[Exception]) -> None:
        self._stream = stream
        self._error = error

    def read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except self._error as error:
            raise zlib.error(str(error)) from error


@contextmanager
def unpacked(place: Place) -> Iterator[Readable]:
    """Open what a packed place lies in, to be read once from its beginning on. Raises what ``DAMAGES`` lists."""
    with open(place.path, "rb") as file:
        check_unchanged(file, place)
        if place.packing is Packing.ZIP:
            with zipfile.ZipFile(file) as archive, archive.open(place.member) as member:
                yield member
        else:
            with _unpacked(file, place.packing, place.stamp[0]) as stream:
                yield stream


def check_unchanged(file: IO[bytes], place: Place) -> None:
    """Raise ``EOFError`` where a file is not what it was when it was looked through."""
    found = os.fstat(file.fileno())
    if (found.st_size, found.st_mtime_ns) != place.stamp:
        raise EOFError


_DAMAGES: Final = (
    OSError,
    EOFError,
    zlib.error,
    zipfile.BadZipFile,
    tarfile.TarError,
    NotImplementedError,
    RuntimeError,
    _TooMuchError,
)
"""What the readers of the standard library raise for bytes that they cannot unpack."""
DAMAGES: Final = _DAMAGES


def _said(error: Exception, path: str) -> Sentence:
    match error:
        case gzip.BadGzipFile() | EOFError() | zlib.error() | zipfile.BadZipFile() | tarfile.TarError():
            return sentence("it cannot be unpacked: it is cut short or damaged")
        case NotImplementedError() | RuntimeError():
            return sentence("it cannot be unpacked: it is encrypted, or packed in a way unknown here")
        case _TooMuchError():
            return sentence("it unpacks to more than {times} times its size", times=MOST_UNPACKED)
        case OSError():
            return refusal(error, path).said
        case _:
            return sentence("it cannot be unpacked")


def _troubled(label: str, said: Sentence) -> Troubled:
    return Troubled(label=label, trouble=Trouble.UNREADABLE, said=said)
