"""Unpacking what files of cards come packed in: gzip, bzip2, xz, Zstandard, zip.

SPEC "Names". Told from the first bytes. Unpacks one layer, as it is read, with bounded memory; archives of other
kinds are named and refused.
"""

import lzma
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from hiddenagenda.cards.readers.stream import PIECE, Bytes, Peekable
from hiddenagenda.faults import Malformed, sentence

_MEMORY: Final = 128 << 20
"""Bytes that a packed file may ask for to be unpacked."""
_OTHERS: Final = (
    (b"7z\xbc\xaf'\x1c", sentence("a 7z archive")),
    (b"Rar!", sentence("a rar archive")),
)


def unpacked(file: BinaryIO) -> Iterator[tuple[str, Peekable]]:
    """Yield a name and a stream for each file in ``file``: itself, what is packed in it, or a zip's members.

    The name is empty but for members of a zip. Read each stream before the next. Raises ``Malformed`` for an archive
    that cannot be unpacked, there or while it is read.
    """
    head = file.read(8)
    file.seek(0)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        yield from _members(file)
        return
    opened = next((opened for magic, opened in _PACKED.items() if head.startswith(magic)), None)
    stream = Peekable(_Unpacked(opened(file)) if opened else file)
    _refuse_archive(stream.peek(512))
    yield "", stream


def _refuse_archive(head: bytes) -> None:
    kinds = [*_OTHERS, *((magic, sentence("packed twice")) for magic in (b"PK\x03\x04", *_PACKED))]
    said = next((said for magic, said in kinds if head.startswith(magic)), None)
    if head[257:262] == b"ustar":
        said = sentence("a tar archive")
    if said:
        raise Malformed(
            sentence("this is {what}", what=said), hint=sentence("unpack it and give the files in it"), code="archive"
        )


class _Unpacked:
    """A stream that unpacks, and says in our words what is wrong with it."""

    def __init__(self, packed: Bytes) -> None:
        self._packed = packed

    def read(self, size: int = PIECE, /) -> bytes:
        try:
            return self._packed.read(size)
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise _damaged(error) from error


def _damaged(error: Exception) -> Malformed:
    return Malformed(
        sentence("the packed file is damaged or cut short: {error}", error=error),
        hint=sentence("fetch it again"),
        code="packing",
    )


class _Xz:
    """A stream out of .xz with a bound on its memory, which the library's own file has not."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = lzma.LZMADecompressor(memlimit=_MEMORY)

    def read(self, size: int = PIECE, /) -> bytes:
        while True:
            piece = b""
            if self._decompressor.eof:  # others may follow, after zeros
                piece = (self._decompressor.unused_data or self._file.read(PIECE)).lstrip(b"\x00")
                if not piece:
                    return b""
                self._decompressor = lzma.LZMADecompressor(memlimit=_MEMORY)
            elif self._decompressor.needs_input and not (piece := self._file.read(PIECE)):
                raise EOFError("the end is missing")
            if unpacked := self._decompressor.decompress(piece, size):
                return unpacked


def _gzip(file: BinaryIO) -> Bytes:
    import gzip  # noqa: PLC0415 - whoever reads no packed file need not load it

    return gzip.GzipFile(fileobj=file)


def _bz2(file: BinaryIO) -> Bytes:
    import bz2  # noqa: PLC0415

    return bz2.BZ2File(file)


class _Zst:
    """A stream out of .zst. Its library passes over a missing end; JSON and XML notice it themselves."""

    def __init__(self, file: BinaryIO) -> None:
        import zstandard  # noqa: PLC0415

        self._error = zstandard.ZstdError
        unpacking = zstandard.ZstdDecompressor(max_window_size=_MEMORY)
        self._reader = unpacking.stream_reader(file, read_across_frames=True)

    def read(self, size: int = PIECE, /) -> bytes:
        try:
            return self._reader.read(size)
        except self._error as error:
            raise _damaged(error) from error


_PACKED: Final[dict[bytes, Callable[[BinaryIO], Bytes]]] = {
    b"\x1f\x8b": _gzip,
    b"BZh": _bz2,
    b"\xfd7zXZ\x00": _Xz,
    b"\x28\xb5\x2f\xfd": _Zst,
}


def _members(file: BinaryIO) -> Iterator[tuple[str, Peekable]]:
    import zipfile  # noqa: PLC0415

    # what its library raises for damaged archives, fuzzed out of it; RuntimeError asks for a password
    of_bytes = (
        EOFError,
        LookupError,
        OverflowError,
        RuntimeError,
        ValueError,
        struct.error,
        zlib.error,
        lzma.LZMAError,
    )
    expected = (zipfile.BadZipFile, *of_bytes)
    try:
        archive = zipfile.ZipFile(file)
        members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    except expected as error:
        raise _damaged(error) from error
    if not members:
        raise Malformed(sentence("the zip archive holds no files"), code="archive")
    for member in members:
        try:
            stream = Peekable(_Member(archive.open(member), expected))
        except expected as error:
            raise _damaged(error) from error
        _refuse_archive(stream.peek(512))
        yield member.filename, stream


class _Member:
    """A member of a zip; its library's errors are translated."""

    def __init__(self, stream: Bytes, expected: tuple[type[Exception], ...]) -> None:
        self._stream = stream
        self._expected = expected

    def read(self, size: int = PIECE, /) -> bytes:
        try:
            return self._stream.read(size)
        except self._expected as error:
            raise _damaged(error) from error
