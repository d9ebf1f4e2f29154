"""Lines sorted with bounded memory: pieces are sorted in memory, kept on the disk, and merged.

SPEC "Names". For tables that need not fit into memory. Equal lines come once; what a line says is not looked at.
"""

import heapq
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import Final, Self

from hiddenagenda.edge.files import unfinished_path

_PIECE: Final = 100_000
"""Different lines held in memory at the most: some 30 MB of names."""


class SortedLines:
    """A set of lines, filled with ``add`` and read in order once. A context: its files go when it ends.

    ``directory`` takes the files. Raises ``OSError``.
    """

    def __init__(self, directory: str, piece: int = _PIECE) -> None:
        self._directory = directory
        self._piece = piece
        self._lines: set[bytes] = set()
        self._files: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for path in self._files:
            with suppress(OSError):
                os.unlink(path)

    def add(self, line: bytes) -> None:
        """Take a line, newline included."""
        self._lines.add(line)
        if len(self._lines) >= self._piece:
            self._put_down()

    def _put_down(self) -> None:
        path = unfinished_path(self._directory)
        self._files.append(path)
        with open(path, "xb") as file:
            file.writelines(sorted(self._lines))
        self._lines.clear()

    def merged(self, *others: Iterable[bytes]) -> Iterator[bytes]:
        """Yield all lines in order, those of ``others``, which are sorted, among them; equal ones once."""
        with ExitStack() as files:
            pieces: list[Iterable[bytes]] = [files.enter_context(open(path, "rb")) for path in self._files]
            last = b""
            for line in heapq.merge(*pieces, sorted(self._lines), *others):
                if line != last:
                    yield line
                    last = line
