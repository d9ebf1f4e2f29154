"""The verdicts of an audit on the disk, and the state from which it goes on when it was interrupted.

SPEC "Audits". Verdicts are written beside their file, which gets its name when it is complete; whatever ends an audit
early, also a kill at any moment, leaves a state that fits what was written up to it. Nothing is overwritten.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Final

from hiddenagenda.edge.files import PUBLIC, explained, open_unfollowed, sync, sync_directory
from hiddenagenda.edge.ledger import Ledger
from hiddenagenda.faults import IllegalMove, sentence

PART: Final = ".part"
"""End of the name of the verdicts' file while it is not complete."""
STATE: Final = ".state"
"""End of the name of the file from which an interrupted audit goes on."""
SURVEYED: Final = "surveyed"
"""What is remembered when it is known where all games lie; an audit interrupted before begins anew."""

_JOURNAL: Final = "-journal"
_WANTED: Final = "wanted"
_WRITTEN: Final = "written"


class Kept:
    """The ledger of an audit and its file of verdicts, if it has one."""

    def __init__(self, ledger: Ledger, out: str | None, file: IO[bytes] | None) -> None:
        self.ledger: Final = ledger
        self._out = out
        self._file = file

    @property
    def own(self) -> frozenset[str]:
        """The real paths of the audit's own files."""
        ends = ("", PART, STATE, STATE + _JOURNAL)
        return frozenset(os.path.realpath(self._out + end) for end in ends) if self._out else frozenset()

    def write(self, verdicts: bytes) -> None:
        """Write verdicts; they count when they were saved."""
        if self._file is not None and self._out is not None:
            with explained(self._out + PART):
                self._file.write(verdicts)

    def save(self) -> None:
        """Put what was written on the disk, and then what is known."""
        if self._file is not None and self._out is not None:
            with explained(self._out + PART):
                self._file.flush()
                sync(self._file.fileno())
                self.ledger.put(_WRITTEN, self._file.tell())
            self.ledger.commit()

    def finish(self) -> None:
        """Give the file of verdicts its name, and throw the state away. Raises ``StoreError``."""
        if self._file is None or self._out is None:
            return
        with explained(self._out):
            self._file.close()
            if os.path.lexists(self._out):
                raise OSError(errno.EEXIST, "")
            os.rename(self._out + PART, self._out)
            sync_directory(os.path.dirname(self._out))
            self.ledger.close()
            os.unlink(self._out + STATE)


@contextmanager
def opened(out: str | None, wanted: str, *, resume: bool) -> Iterator[Kept]:
    """Open what an audit keeps; ``wanted`` tells it from others. Without ``out`` nothing outlives it.

    Raises ``IllegalMove`` where the file of verdicts is there, where an audit was interrupted and ``resume`` is not
    wanted, or where that was another audit; ``StoreError``, and ``sqlite3.Error`` for a damaged state.
    """
    ledger = _ledger(out, wanted, resume=resume)
    file = None
    try:
        if out is not None:
            file = _file(out, ledger.get(_WRITTEN))
            if ledger.get(_WRITTEN) is None:
                ledger.put(_WANTED, wanted)
        yield Kept(ledger, out, file)
    finally:
        ledger.close()
        if file is not None:
            file.close()


def _ledger(out: str | None, wanted: str, *, resume: bool) -> Ledger:
    if out is None:
        return Ledger("")
    part, state = out + PART, out + STATE
    for path in (out,) if os.path.lexists(state) else (out, part):
        if os.path.lexists(path):
            raise IllegalMove(
                sentence("there is a file {path} already", path=path),
                hint=sentence("choose another name, or move the old file away"),
                code="file-taken",
            )
    if os.path.lexists(state):
        if not resume:
            raise IllegalMove(
                sentence("an audit that writes {path} was interrupted", path=out),
                hint=sentence("go on with it: --resume; or remove {part} and {state}", part=part, state=state),
                code="interrupted-audit",
            )
        ledger = Ledger(state)
        if ledger.get(SURVEYED) and ledger.get(_WANTED) == wanted:
            return ledger
        surveyed = ledger.get(SURVEYED)
        ledger.close()
        if surveyed:
            raise IllegalMove(
                sentence("{path} was begun by an audit of other files, or with other options", path=out),
                hint=sentence("give the same ones, or remove {part} and {state}", part=part, state=state),
                code="other-audit",
            )
        for path in (part, state, state + _JOURNAL):
            with suppress(FileNotFoundError):
                os.unlink(path)
    with explained(state):
        os.close(open_unfollowed(state, os.O_RDWR | os.O_CREAT | os.O_EXCL, PUBLIC))
    return Ledger(state)


def _file(out: str, written: int | None) -> IO[bytes]:
    """Open the unfinished file of verdicts, as long as it was when it was saved last."""
    with explained(out + PART):
        flags = os.O_RDWR if written is not None else os.O_RDWR | os.O_CREAT | os.O_EXCL
        file = os.fdopen(open_unfollowed(out + PART, flags, PUBLIC), "r+b")
        file.truncate(written or 0)
        file.seek(0, os.SEEK_END)
        return file
