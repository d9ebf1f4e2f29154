"""Deaths and failures at every call of the system that touches a file, for tests of what survives them."""

import errno
import itertools
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

CALLS = ("open", "write", "fsync", "close", "link", "unlink", "replace", "mkdir", "ftruncate", "fchmod")
"""The calls that change a file, or make a change last."""
BEFORE, HALFWAY, AFTER = "before", "halfway", "after"
WHEN = (BEFORE, HALFWAY, AFTER)
"""When the process dies: without the call, in the middle of a write, or with the call done."""

Show = Callable[[bytes], None]


def run_and_kill(action: Callable[[Show], None], *, at: int, when: str) -> tuple[bool, list[bytes]]:
    """Run ``action`` in a process that dies at its ``at``-th call; return whether it died, and what it had shown.

    What is shown is out of the process at once, as text in a chat is.
    """
    if not hasattr(os, "fork"):
        pytest.skip("there is no fork on this system")
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of the test runner, which the child leaves alone
        child = os.fork()
    if not child:
        _die_in_child(action, writer, at, when)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        shown = pipe.read().splitlines()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in {0, 9}, "the action failed by itself"
    return code == 9, shown


def _die_in_child(action: Callable[[Show], None], writer: int, at: int, when: str) -> None:
    write = os.write
    code = 1
    try:
        number = itertools.count(1)
        for name in CALLS:
            if hasattr(os, name):
                setattr(os, name, _deadly(name, getattr(os, name), number, at, when))

        def show(data: bytes) -> None:
            write(writer, data + b"\n")

        action(show)
        code = 0
    finally:
        os._exit(code)


def _deadly(name: str, real: Callable[..., Any], number: Iterator[int], at: int, when: str) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        if (when == HALFWAY and name != "write") or next(number) != at:
            return real(*arguments, **named)
        if when == HALFWAY:
            descriptor, data = arguments
            real(descriptor, bytes(data)[: len(data) // 2])
        elif when == AFTER:
            with suppress(OSError):
                real(*arguments, **named)
        os._exit(9)

    return call


def every_death(action: Callable[[Show], None], check: Callable[[list[bytes]], None], start: Callable[[], None]) -> int:
    """Run ``start``, ``action`` with a death in it, and ``check`` with what was shown, for every death there is.

    Returns how many calls ``action`` makes. Nothing is really synced meanwhile: the death of a process loses nothing
    that the system has.
    """
    calls = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        for when in WHEN:
            for at in itertools.count(1):
                start()
                died, shown = run_and_kill(action, at=at, when=when)
                check(shown)
                if not died:
                    calls = max(calls, at - 1)
                    break
    assert calls > 3, "nothing was touched"
    return calls


@contextmanager
def failing(code: int, *, at: int, only: tuple[str, ...] = CALLS) -> Iterator[list[str]]:
    """Let the ``at``-th call among ``only`` fail with ``code``, a write after half of it; yields its name then."""
    failed: list[str] = []
    number = itertools.count(1)
    with pytest.MonkeyPatch.context() as patch:
        for name in only:
            if hasattr(os, name):
                patch.setattr(os, name, _failing(name, getattr(os, name), number, at, code, failed))
        yield failed


def _failing(
    name: str, real: Callable[..., Any], number: Iterator[int], at: int, code: int, failed: list[str]
) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        if next(number) != at:
            return real(*arguments, **named)
        failed.append(name)
        if name == "write":
            descriptor, data = arguments
            real(descriptor, bytes(data)[: len(data) // 2])
        elif name == "close":
            real(*arguments)
        raise OSError(code, os.strerror(code))

    return call


DISK_FULL, READ_ONLY, NOT_A_DIRECTORY, TOO_MANY, BROKEN = (
    errno.ENOSPC,
    errno.EROFS,
    errno.ENOTDIR,
    errno.EMFILE,
    errno.EIO,
)
FAILURES = (DISK_FULL, READ_ONLY, NOT_A_DIRECTORY, TOO_MANY, BROKEN)
