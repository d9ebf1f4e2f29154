"""Files as secrets and records need them: private from the first moment, whole or absent, on disk before they count.

SPEC "Files". Paths are texts. Whatever the system lacks (modes, links, ``O_NOFOLLOW``, syncing of directories, locks)
has a fallback here and nowhere else. Nothing is ever written through a symbolic link, and what one writes anew never
takes the place of something else.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Final

from hiddenagenda.faults import HiddenAgendaError, Sentence, TooLarge, sentence

SECRET: Final = 0o600
"""Mode of a file that is its owner's alone."""
PUBLIC: Final = 0o666
"""Mode of a file that may be shown, less what the umask takes."""
LEFTOVER: Final = ".new"
"""End of the name of a file that was not finished: nothing reads it, and its directory's owner may remove it."""

_NO_LINKS: Final = {errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK, errno.EINVAL}
_NO_SYNC: Final = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP}


class StoreError(HiddenAgendaError):
    """A file could not be used; ``str()`` of it says which and why, ``hint`` what to do."""


def write_new_secret(path: str, data: bytes) -> None:
    """Write a file of mode 0600 that did not exist, and sync it and its directory.

    It appears whole or not at all. Raises ``StoreError`` where anything has that name already, a dangling symbolic
    link included, or where it cannot be written.
    """
    _write_new(path, data, SECRET)


def write_new_file(path: str, data: bytes) -> None:
    """Write a file anybody may read that did not exist, as ``write_new_secret`` does otherwise."""
    _write_new(path, data, PUBLIC)


def write_new_directory(path: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Make the directory ``path`` with ``files`` in it (names and bytes), which anybody may read.

    Raises ``StoreError`` where anything has that name already; where it cannot be finished, what is there stays.
    """
    with explained(path):
        os.mkdir(path)
    for name, data in files:
        write_new_file(os.path.join(path, name), data)
    with explained(path):
        sync_directory(os.path.dirname(path))


def replace_file(path: str, data: bytes, mode: int = SECRET) -> None:
    """Put ``data`` in the place of the file ``path``, or make it; sync it and its directory.

    Readers see the old file or the new one, and other hard links of the old one keep it. A file that is no secret
    keeps its mode. Raises ``StoreError``, also for a symbolic link.
    """
    with explained(path):
        try:
            former = os.lstat(path)
        except FileNotFoundError:
            former = None
        if former is not None and stat.S_ISLNK(former.st_mode):
            raise OSError(errno.ELOOP, "")
        kept = stat.S_IMODE(former.st_mode) & 0o777 if former is not None and mode != SECRET else None
        with _unfinished(path, data, mode, exactly=kept) as temporary:
            os.replace(temporary, path)
        sync_directory(os.path.dirname(path))


def read_secret(path: str, limit: int) -> bytes:
    """Return what a secret file of at most ``limit`` bytes holds.

    Raises ``StoreError`` for a symbolic link, somebody else's file, or one that others may read or write (it names the
    chmod command); ``TooLarge`` over the limit.
    """
    with explained(path):
        descriptor = open_unfollowed(path, os.O_RDONLY)
        try:
            check_private(os.fstat(descriptor), path, wanted="600")
            return read_open(descriptor, path, limit)
        finally:
            os.close(descriptor)


def read_bounded(path: str, limit: int) -> bytes:
    """Return what a regular file of at most ``limit`` bytes holds; symbolic links are followed.

    Its size is looked at first. Raises ``StoreError`` for anything but a regular file, ``TooLarge`` over the limit.
    """
    return b"".join(read_pieces(path, limit))


def read_pieces(path: str, limit: int) -> Iterator[bytes]:
    """Yield what a regular file of at most ``limit`` bytes holds, in pieces of 1 MiB; raises as ``read_bounded``."""
    with explained(path):
        descriptor = os.open(path, os.O_RDONLY | _everywhere())
        try:
            yield from _pieces(descriptor, path, limit)
        finally:
            os.close(descriptor)


def read_open(descriptor: int, path: str, limit: int) -> bytes:
    """Return everything in an open regular file, as ``read_bounded``; ``path`` is for messages."""
    return b"".join(_pieces(descriptor, path, limit))


def _pieces(descriptor: int, path: str, limit: int) -> Iterator[bytes]:
    found = os.fstat(descriptor)
    if stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EISDIR, "")
    if not stat.S_ISREG(found.st_mode):
        raise irregular(path)
    have = found.st_size
    if have <= limit:
        os.lseek(descriptor, 0, os.SEEK_SET)
        have = 0
        while have <= limit and (piece := os.read(descriptor, min(limit + 1 - have, 2**20))):
            have += len(piece)
            yield piece
        if have <= limit:
            return
    raise TooLarge(
        sentence("{path} has {have} bytes where at most {limit} are allowed", path=path, have=have, limit=limit),
        code="too-large",
    )


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte of ``data`` and sync the file. Raises ``OSError``; some bytes may stand there then."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    sync(descriptor)


def sync(descriptor: int) -> None:
    """Return when the file's bytes are on the disk, as far as the system tells."""
    try:
        system = import_module("fcntl")
        system.fcntl(descriptor, system.F_FULLFSYNC)  # macOS: fsync leaves bytes in the drive's own memory
    except (ImportError, AttributeError, OSError):
        os.fsync(descriptor)


def sync_directory(path: str) -> None:
    """Return when the names in a directory are on the disk, where the system can do that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(path or os.curdir, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


def check_private(found: os.stat_result, path: str, *, wanted: str) -> None:
    """Refuse what others own or may use; ``wanted`` is the mode it should have. Raises ``StoreError``."""
    if not hasattr(os, "geteuid"):  # Windows: a user's directories are the user's alone by their access lists
        return
    if found.st_uid != os.geteuid():
        raise StoreError(
            sentence("{path} belongs to another user", path=path),
            hint=sentence("use a file or directory of your own"),
            code="foreign-owner",
        )
    if found.st_mode & 0o077:
        raise StoreError(
            sentence("others may use {path}: its mode is {mode}", path=path, mode=f"{stat.S_IMODE(found.st_mode):o}"),
            hint=_chmod(wanted, path),
            code="lax-mode",
        )


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Raise what the system says about ``path`` as ``StoreError``."""
    if "\0" in path:
        raise StoreError(sentence("cannot use {path}: no file has such a name", path=path), code="file-name")
    try:
        yield
    except OSError as error:
        raise refusal(error, path) from error


def refusal(error: OSError, path: str) -> StoreError:
    """Return what the system said about ``path`` in plain words."""
    number = error.errno or 0
    why = _REASONS.get(number) or sentence("the system says “{error}”", error=error.strerror or type(error).__name__)
    return StoreError(
        sentence("cannot use {path}: {why}", path=path, why=why),
        hint=_HINTS.get(number, _DEFAULT_HINT),
        code=errno.errorcode.get(number, "EIO").lower(),
    )


def irregular(path: str) -> StoreError:
    """Return the refusal of a pipe, a device and the like."""
    return StoreError(sentence("cannot use {path}: it is no regular file", path=path), code="no-file")


_REASONS: Final = {
    errno.ENOENT: sentence("it does not exist"),
    errno.EEXIST: sentence("it exists already, and nothing is overwritten"),
    errno.ENOTDIR: sentence("a part of this path is no directory"),
    errno.EISDIR: sentence("it is a directory"),
    errno.EACCES: sentence("the system does not permit it"),
    errno.EPERM: sentence("the system does not permit it"),
    errno.EROFS: sentence("this disk can only be read"),
    errno.ENOSPC: sentence("no space is left on this disk"),
    errno.EDQUOT: sentence("no space is left for you on this disk"),
    errno.EMFILE: sentence("too many files are open"),
    errno.ENFILE: sentence("too many files are open"),
    errno.ELOOP: sentence("it is a symbolic link"),
    errno.EMLINK: sentence("it is a symbolic link"),  # what O_NOFOLLOW says on FreeBSD
    errno.ENAMETOOLONG: sentence("its name is too long"),
    errno.ETIMEDOUT: sentence("another process is using it"),
}
_HINTS: Final = {
    errno.ENOENT: sentence("check the path; to write there, make its directory first"),
    errno.EEXIST: sentence("choose another name, or move the old file away"),
    errno.ENOTDIR: sentence("choose another place"),
    errno.EISDIR: sentence("give the path of a file"),
    errno.EROFS: sentence("choose another place"),
    errno.ENOSPC: sentence("make room, then do it again"),
    errno.EDQUOT: sentence("make room, then do it again"),
    errno.EMFILE: sentence("close other programs, or raise the limit with ulimit -n"),
    errno.ENFILE: sentence("close other programs, or raise the limit with ulimit -n"),
    errno.ELOOP: sentence("give the path that it points to"),
    errno.EMLINK: sentence("give the path that it points to"),
    errno.ETIMEDOUT: sentence("do it again when the other process has ended"),
}
_DEFAULT_HINT: Final = sentence("choose another place, or ask whoever looks after this system")


def _everywhere() -> int:
    """Return the flags of every file: bytes as they are (Windows), and no waiting for the other end of a pipe."""
    return getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def unfinished_path(directory: str) -> str:
    """Return a new path in ``directory`` for a file that is not finished; its name ends in ``LEFTOVER``."""
    return os.path.join(directory, f".{os.urandom(8).hex()}{LEFTOVER}")


def open_unfollowed(path: str, flags: int, mode: int = SECRET) -> int:
    """Return a descriptor, as ``os.open``, without following a symbolic link at the end of ``path``.

    Raises ``OSError``; a link is ``ELOOP``.
    """
    if hasattr(os, "O_NOFOLLOW"):
        return os.open(path, flags | os.O_NOFOLLOW | _everywhere(), mode)
    if os.path.islink(path):
        raise OSError(errno.ELOOP, "")
    descriptor = os.open(path, flags | _everywhere(), mode)
    if not os.path.samestat(os.lstat(path), os.fstat(descriptor)):
        os.close(descriptor)
        raise OSError(errno.ELOOP, "")
    return descriptor


def _chmod(wanted: str, path: str) -> Sentence:
    quoted = "'" + path.replace("'", "'\\''") + "'"
    return sentence("chmod {wanted} {path}", wanted=wanted, path=quoted)


def _write_new(path: str, data: bytes, mode: int) -> None:
    with explained(path):
        if os.path.lexists(path):
            raise OSError(errno.EEXIST, "")
        with _unfinished(path, data, mode) as temporary:
            _publish(temporary, path, mode)
        sync_directory(os.path.dirname(path))


@contextmanager
def _unfinished(path: str, data: bytes, mode: int, *, exactly: int | None = None) -> Iterator[str]:
    """Write and sync ``data`` under a name of no meaning in the directory of ``path``; what is left of it goes."""
    temporary = unfinished_path(os.path.dirname(path))
    descriptor = open_unfollowed(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        try:
            if exactly is not None and hasattr(os, "fchmod"):
                os.fchmod(descriptor, exactly)
            write_all(descriptor, data)
        finally:
            os.close(descriptor)
        yield temporary
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _publish(temporary: str, path: str, mode: int) -> None:
    """Give a finished file its name, unless something has that name."""
    if hasattr(os, "link"):
        try:
            os.link(temporary, path)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
        else:
            return
    # No hard links on this disk: claim the name, then move over the claim.
    os.close(open_unfollowed(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    os.replace(temporary, path)
