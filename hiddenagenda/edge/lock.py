"""One process at a time: the lock of a file, which ends with the process that holds it.

SPEC "Files". The lock is on the file itself, so that nothing lies beside a game that is not a game. It is the system's
(``flock``, on Windows a locked byte), else a file beside. This module writes nothing into what it locks.
"""

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Final

from hiddenagenda.edge.files import SECRET, explained, irregular, open_unfollowed

PATIENCE: Final = 30.0
"""Seconds that one waits for a lock before one gives up."""

_LOCK_BYTE: Final = 2**31 - 2
"""Windows forbids others to read what is locked: this byte is beyond the end of any one game."""
_BUSY: Final = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_NO_LOCKS: Final = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}


@contextmanager
def locked(path: str, mode: int = SECRET) -> Iterator[int]:
    """Hold the lock of the file ``path`` (made where it is missing); yield its descriptor, to read and to append.

    One process at a time holds it, and it ends with that process, however that ends. Raises ``StoreError`` after
    ``PATIENCE`` seconds, or for a symbolic link or anything else but a regular file.
    """
    with explained(path):
        deadline = time.monotonic() + PATIENCE
        descriptor, release = _lock(path, mode, deadline)
    try:
        yield descriptor
    finally:
        with explained(path):
            release()
            os.close(descriptor)


def _lock(path: str, mode: int, deadline: float) -> tuple[int, Callable[[], None]]:
    while True:
        descriptor = open_unfollowed(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, mode)
        try:
            _check_regular(descriptor, path)
            release = _wait(descriptor, path, deadline)
        except BaseException:
            os.close(descriptor)
            raise
        try:
            if os.path.samestat(os.lstat(path), os.fstat(descriptor)):
                return descriptor, release
        except FileNotFoundError:
            pass
        # While one waited, another file took the name: its lock is the one that counts.
        release()
        os.close(descriptor)


def _check_regular(descriptor: int, path: str) -> None:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise irregular(path)


def _wait(descriptor: int, path: str, deadline: float) -> Callable[[], None]:
    pause = 0.001
    take = _system_lock(descriptor) or _file_lock(path)
    while True:
        try:
            return take()
        except OSError as error:
            if error.errno in _NO_LOCKS:
                take = _file_lock(path)
                continue
            if error.errno not in _BUSY:
                raise
        if time.monotonic() > deadline:
            raise OSError(errno.ETIMEDOUT, "")
        time.sleep(pause)
        pause = min(pause * 2, 0.05)


def _system_lock(descriptor: int) -> Callable[[], Callable[[], None]] | None:
    """Return what takes the system's lock of an open file (and returns what gives it back), where there is one."""
    with suppress(ImportError):
        posix = import_module("fcntl")

        def flock() -> Callable[[], None]:
            posix.flock(descriptor, posix.LOCK_EX | posix.LOCK_NB)
            return lambda: posix.flock(descriptor, posix.LOCK_UN)

        return flock
    with suppress(ImportError):
        windows = import_module("msvcrt")

        def locking() -> Callable[[], None]:
            os.lseek(descriptor, _LOCK_BYTE, os.SEEK_SET)
            windows.locking(descriptor, windows.LK_NBLCK, 1)

            def unlock() -> None:
                os.lseek(descriptor, _LOCK_BYTE, os.SEEK_SET)
                windows.locking(descriptor, windows.LK_UNLCK, 1)

            return unlock

        return locking
    return None


def _file_lock(path: str) -> Callable[[], Callable[[], None]]:
    """Return what takes a lock that is a file beside ``path``: it outlives a process that is killed."""
    lock = path + ".lock"

    def claim() -> Callable[[], None]:
        try:
            os.close(open_unfollowed(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            raise OSError(errno.EAGAIN, "") from None
        return lambda: os.unlink(lock)

    return claim
