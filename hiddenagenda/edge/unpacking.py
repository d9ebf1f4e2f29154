"""What is packed, and how it is unpacked: gzip, zstd, and members of zip archives, read along in blocks.

SPEC "Audits". What a file is, its first bytes say, not its name. Nothing is unpacked into memory, and nothing beyond
what files that hold games can unpack to. Archives are taken apart where they are looked through.
"""

import enum
import gzip
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import IO, Any, Final, Protocol

from hiddenagenda.edge.files import refusal
from hiddenagenda.faults import Sentence, sentence

BLOCK: Final = 2**20
"""Bytes that are read at once."""
MOST_UNPACKED: Final = 200
"""How many times its size a packed file may unpack to, ``BLOCK`` bytes besides; hex digits do not pack so well."""

_FED: Final = 2**10
"""Bytes of a zstd frame that are unpacked at once: each can become some 32,000."""


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


class Readable(Protocol):
    """What bytes are read from, once and in order."""

    def read(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes; none at the end."""
        ...


def packing_of(head: bytes) -> Packing:
    """Return how a file is packed that begins with ``head``."""
    if head.startswith(b"\x1f\x8b"):
        return Packing.GZIP
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return Packing.ZSTD
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Packing.ZIP
    return Packing.PLAIN


def is_tar(head: bytes) -> bool:
    """Tell whether a file that begins with ``head``, ``tarfile.BLOCKSIZE`` bytes of it, is a tar archive."""
    return head[257:262] == b"ustar"


class Bounded:
    """A stream that is not read beyond what a packed file of ``size`` bytes may unpack to."""

    def __init__(self, stream: Readable, size: int) -> None:
        self._stream = stream
        self._left = BLOCK + MOST_UNPACKED * size

    def read(self, size: int) -> bytes:
        """Return at most ``size`` bytes. Raises ``TooMuchError``."""
        data = self._stream.read(min(size, BLOCK))
        self._left -= len(data)
        if self._left < 0:
            raise TooMuchError
        return data


class TooMuchError(Exception):
    """A packed file unpacks to more than files that hold games do."""


@contextmanager
def unpacking(file: IO[bytes], packing: Packing, size: int) -> Iterator[Readable]:
    """Unpack an open file of ``size`` bytes that is packed with gzip or zstd. Raises what ``DAMAGES`` lists."""
    if packing is Packing.GZIP:
        with gzip.GzipFile(fileobj=file) as stream:
            yield Bounded(stream, size)
    else:
        yield Bounded(_Zstd(file), size)


class _Zstd:
    """A file of zstd frames, unpacked; the library's own reader takes a frame that is cut short for its end."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._zstandard = import_module("zstandard")
        self._frame: Any = None
        self._ready = b""

    def read(self, size: int) -> bytes:
        """Return at most ``size`` bytes. Raises ``zlib.error`` and ``EOFError``."""
        pieces = [self._ready]
        have = len(self._ready)
        packed = b""
        while have < size and (packed or (packed := self._file.read(_FED))):
            piece, packed = self._unpack(packed)
            pieces.append(piece)
            have += len(piece)
        if have < size and self._frame is not None:
            raise EOFError
        data = b"".join(pieces)
        self._ready = data[size:]
        if packed:
            self._file.seek(-len(packed), os.SEEK_CUR)
        return data[:size]

    def _unpack(self, packed: bytes) -> tuple[bytes, bytes]:
        """Return what some bytes unpack to, and those of them that belong to the next frame."""
        if self._frame is None:
            self._frame = self._zstandard.ZstdDecompressor().decompressobj()
        try:
            piece: bytes = self._frame.decompress(packed)
        except self._zstandard.ZstdError as error:
            raise zlib.error(str(error)) from error
        if not self._frame.eof:
            return piece, b""
        rest: bytes = self._frame.unused_data
        self._frame = None
        return piece, rest


@contextmanager
def unpacked(place: Place) -> Iterator[Readable]:
    """Open what a packed place lies in, to be read once from its beginning on. Raises what ``DAMAGES`` lists."""
    with open(place.path, "rb") as file:
        check_unchanged(file, place)
        if place.packing is Packing.ZIP:
            with zipfile.ZipFile(file) as archive, archive.open(place.member) as member:
                yield member
        else:
            with unpacking(file, place.packing, place.stamp[0]) as stream:
                yield stream


def check_unchanged(file: IO[bytes], place: Place) -> None:
    """Raise ``EOFError`` where a file is not what it was when it was looked through."""
    found = os.fstat(file.fileno())
    if (found.st_size, found.st_mtime_ns) != place.stamp:
        raise EOFError


DAMAGES: Final = (
    OSError,
    EOFError,
    zlib.error,
    zipfile.BadZipFile,
    tarfile.TarError,
    NotImplementedError,
    RuntimeError,
    TooMuchError,
)
"""What the readers of the standard library raise for bytes that they cannot unpack."""


def say_damage(error: Exception, path: str) -> Sentence:
    """Say why ``path`` cannot be read or unpacked."""
    match error:
        case gzip.BadGzipFile() | EOFError() | zlib.error() | zipfile.BadZipFile() | tarfile.TarError():
            return sentence("it cannot be unpacked: it is cut short or damaged")
        case NotImplementedError() | RuntimeError():
            return sentence("it cannot be unpacked: it is encrypted, or packed in a way unknown here")
        case TooMuchError():
            return sentence("it unpacks to more than {times} times its size", times=MOST_UNPACKED)
        case OSError():
            return refusal(error, path).said
        case _:
            return sentence("it cannot be unpacked")
