"""Files: private from the first moment, whole or absent, never through a link."""

import errno
import os
import stat
import sys
import types
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from crashes import BEFORE, CALLS, FAILURES, HALFWAY, Show, every_death, failing, run_and_kill

from hiddenagenda.edge.files import (
    PUBLIC,
    StoreError,
    explained,
    open_unfollowed,
    read_bounded,
    read_pieces,
    read_secret,
    replace_file,
    sync_directory,
    write_all,
    write_new_directory,
    write_new_file,
    write_new_secret,
)
from hiddenagenda.faults import TooLarge

Write: TypeAlias = Callable[[str, bytes], None]
Read: TypeAlias = Callable[[str, int], bytes]

POSIX = hasattr(os, "geteuid")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def refused(action: Callable[[], object]) -> StoreError | None:
    try:
        action()
    except StoreError as error:
        return error
    return None


def needs_posix() -> None:
    if not POSIX:
        pytest.skip("there are no modes on this system")


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    former = os.umask(request.param)
    yield request.param
    os.umask(former)


@pytest.fixture(params=["complete", "O_NOFOLLOW", "O_DIRECTORY", "link", "fchmod", "O_NONBLOCK", "geteuid", "fcntl"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The system, or one that lacks something."""
    if request.param == "fcntl":
        monkeypatch.setitem(sys.modules, "fcntl", None)
    elif request.param != "complete":
        monkeypatch.delattr(os, request.param, raising=False)
    return str(request.param)


def test_what_is_written_is_read(tmp_path: Path, system: str) -> None:
    path = str(tmp_path / "a")
    write_new_secret(path, b"secret\r\n\x1a")
    assert read_secret(path, 100) == read_bounded(path, 100) == b"secret\r\n\x1a"
    replace_file(path, b"")
    assert read_secret(path, 0) == b""
    assert names(tmp_path) == ["a"]


def test_secrets_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    needs_posix()
    write_new_secret(str(tmp_path / "new"), b"x")
    replace_file(str(tmp_path / "replaced"), b"x")
    assert {mode(path) for path in tmp_path.iterdir()} == {0o600}


def test_secrets_are_private_from_the_first_moment(tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_posix()
    seen: list[int] = []

    def look(descriptor: int, data: bytes) -> int:
        seen.extend(mode(path) for path in tmp_path.iterdir())
        return real(descriptor, data)

    real = os.write
    monkeypatch.setattr(os, "write", look)
    write_new_secret(str(tmp_path / "new"), b"x")
    replace_file(str(tmp_path / "new"), b"y")
    assert set(seen) == {0o600}


def test_public_files_follow_the_umask_and_keep_their_mode(tmp_path: Path, umask: int) -> None:
    needs_posix()
    path = tmp_path / "game"
    write_new_file(str(path), b"x")
    assert mode(path) == PUBLIC & ~umask
    path.chmod(0o640)
    replace_file(str(path), b"y", PUBLIC)
    assert mode(path) == 0o640


@pytest.mark.parametrize("write", [write_new_secret, write_new_file])
def test_nothing_is_overwritten(tmp_path: Path, system: str, write: Write) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"mine")
    with pytest.raises(StoreError, match="exists already") as caught:
        write(str(path), b"theirs")
    assert caught.value.code == "eexist"
    assert path.read_bytes() == b"mine"
    assert names(tmp_path) == ["a"]


def test_nothing_is_overwritten_that_came_meanwhile(
    tmp_path: Path, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"

    def intrude(descriptor: int, data: bytes) -> int:
        path.write_bytes(b"theirs")
        return real(descriptor, data)

    real = os.write
    monkeypatch.setattr(os, "write", intrude)
    with pytest.raises(StoreError, match="exists already"):
        write_new_secret(str(path), b"mine")
    assert path.read_bytes() == b"theirs"
    assert names(tmp_path) == ["a"]


def test_a_new_directory_holds_what_it_is_made_with_and_takes_nobodys_place(tmp_path: Path) -> None:
    place, link = tmp_path / "new", tmp_path / "link"
    write_new_directory(str(place), [("one", b"1"), ("two", b"2")])
    link.symlink_to(place)
    for path in (place, link):
        with pytest.raises(StoreError, match="it exists already") as caught:
            write_new_directory(str(path), [("one", b"3")])
        assert caught.value.code == "eexist"
    assert {path.name: path.read_bytes() for path in place.iterdir()} == {"one": b"1", "two": b"2"}


@pytest.mark.parametrize("target", ["victim", "nothing"])
def test_links_are_not_followed(tmp_path: Path, system: str, target: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"victim")
    victim.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / target)
    uses: list[Callable[[], object]] = [
        lambda: write_new_secret(str(link), b"x"),
        lambda: write_new_file(str(link), b"x"),
        lambda: replace_file(str(link), b"x"),
        lambda: read_secret(str(link), 10),
        lambda: open_unfollowed(str(link), os.O_RDWR | os.O_CREAT),
    ]
    for use in uses:
        with pytest.raises((StoreError, OSError)):
            use()
    assert victim.read_bytes() == b"victim"
    assert names(tmp_path) == ["link", "victim"]
    assert link.is_symlink()


def test_a_link_that_comes_between_is_noticed_without_o_nofollow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "victim").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    monkeypatch.delattr(os, "O_NOFOLLOW", raising=False)
    monkeypatch.setattr(os.path, "islink", lambda path: False)
    with pytest.raises(StoreError, match="symbolic link"), explained("link"):
        open_unfollowed(str(tmp_path / "link"), os.O_RDONLY)


def test_other_hard_links_keep_what_they_have(tmp_path: Path) -> None:
    (tmp_path / "backup").write_bytes(b"old")
    os.link(tmp_path / "backup", tmp_path / "game")
    replace_file(str(tmp_path / "game"), b"new", PUBLIC)
    assert (tmp_path / "backup").read_bytes() == b"old"
    assert (tmp_path / "game").read_bytes() == b"new"


@pytest.mark.parametrize("lax", [0o640, 0o604, 0o620, 0o644, 0o666, 0o601])
def test_a_lax_secret_is_refused_with_the_command_that_helps(tmp_path: Path, lax: int) -> None:
    needs_posix()
    path = tmp_path / "it's"
    path.write_bytes(b"secret")
    path.chmod(lax)
    with pytest.raises(StoreError) as caught:
        read_secret(str(path), 10)
    assert f"{lax:o}" in str(caught.value)
    os.system(str(caught.value.hint))
    assert read_secret(str(path), 10) == b"secret"


def test_a_foreign_secret_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_posix()
    write_new_secret(str(tmp_path / "a"), b"x")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(StoreError, match="another user"):
        read_secret(str(tmp_path / "a"), 10)


def test_modes_are_not_asked_where_there_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "a").chmod(0o644)
    monkeypatch.delattr(os, "geteuid", raising=False)
    assert read_secret(str(tmp_path / "a"), 1) == b"x"


@pytest.mark.parametrize("read", [read_secret, read_bounded])
def test_size_is_looked_at_before_anything_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Read) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(2**30)
    path.chmod(0o600)
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("it was read"))
    with pytest.raises(TooLarge, match="1073741824 bytes where at most 1024"):
        read(str(path), 1024)


def test_a_file_is_read_in_pieces(tmp_path: Path) -> None:
    data = bytes(2**20) + b"rest"
    (tmp_path / "a").write_bytes(data)
    assert list(read_pieces(str(tmp_path / "a"), len(data))) == [bytes(2**20), b"rest"]
    with pytest.raises(TooLarge):
        next(read_pieces(str(tmp_path / "a"), len(data) - 1))
    with pytest.raises(StoreError, match="it is a directory"):
        next(read_pieces(str(tmp_path), 1))


def test_a_file_that_grows_while_it_is_read_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"123")
    monkeypatch.setattr(os, "read", lambda descriptor, size: b"x" * size)
    with pytest.raises(TooLarge):
        read_bounded(str(tmp_path / "a"), 3)


def test_short_reads_and_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.read, os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, bytes(data)[:3]))
    monkeypatch.setattr(os, "read", lambda descriptor, size: read(descriptor, min(size, 2)))
    write_new_secret(str(tmp_path / "a"), b"0123456789")
    assert read_secret(str(tmp_path / "a"), 10) == b"0123456789"


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="it is a directory"):
        read_bounded(str(tmp_path), 10)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe", 0o600)
        for read in (read_secret, read_bounded):
            with pytest.raises(StoreError, match="no regular file"):
                read(str(tmp_path / "pipe"), 10)


def test_reading_follows_links_of_public_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert read_bounded(str(tmp_path / "b"), 1) == b"x"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("missing/a", "does not exist"),
        ("file/a", "is no directory"),
        ("x" * 300, "name is too long"),
        ("a\0b", "no file has such a name"),
    ],
)
def test_places_that_cannot_be_are_one_line(tmp_path: Path, path: str, said: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    uses: list[Callable[[str], object]] = [
        lambda where: write_new_secret(where, b"x"),
        lambda where: replace_file(where, b"x"),
        lambda where: read_bounded(where, 1),
    ]
    for use in uses:
        with pytest.raises(StoreError, match=said) as caught:
            use(str(tmp_path) + "/" + path)
        assert "\n" not in str(caught.value)
        assert "\0" not in str(caught.value)
        assert isinstance(caught.value.__cause__, OSError | None)
    assert names(tmp_path) == ["file"]


def test_names_are_shown_escaped(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        read_bounded(str(tmp_path / "a\nOK\x1b[2J"), 1)
    assert "\\x0aOK\\x1b" in str(caught.value)


@pytest.mark.parametrize("code", FAILURES)
@pytest.mark.parametrize("write", [write_new_secret, replace_file])
def test_every_failure_is_told_and_leaves_nothing_behind(tmp_path: Path, code: int, write: Write) -> None:
    for at in range(1, 50):
        path = tmp_path / str(at) / "a"
        path.parent.mkdir()
        with failing(code, at=at) as failed:
            told = refused(partial(write, str(path), b"0123456789"))
        if told:
            assert str(path) in str(told)
            assert told.hint
            assert told.code == errno.errorcode[code].lower()
        else:
            assert failed in ([], ["unlink"])
        assert names(path.parent) in ([], ["a"]) or failed == ["unlink"]
        assert not path.exists() or path.read_bytes() == b"0123456789"
        if not failed:
            return
    pytest.fail("there was no end")


def test_an_unknown_failure_is_told_in_the_systems_words(tmp_path: Path) -> None:
    for error, said in ((OSError(errno.ENXIO, "no such device"), "no such device"), (OSError("odd"), "OSError")):
        with pytest.raises(StoreError, match=said), explained(str(tmp_path)):
            raise error


@pytest.mark.parametrize("lacking", ["nothing", "link"])
def test_killed_at_any_point_a_new_file_is_whole_or_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    number = 0
    if lacking == "link":
        monkeypatch.delattr(os, "link", raising=False)

    def path() -> Path:
        return tmp_path / str(number)

    def start() -> None:
        nonlocal number
        number += 1

    def check(shown: list[bytes]) -> None:
        found = path().read_bytes() if path().exists() else None
        assert found in ({None, b"content"} if lacking == "nothing" else {None, b"", b"content"})
        assert not shown or found == b"content"

    def act(show: Show) -> None:
        write_new_secret(str(path()), b"content")
        show(b"done")

    assert every_death(act, check, start) <= 12


def test_killed_at_any_point_a_replaced_file_is_the_old_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "a"

    def check(shown: list[bytes]) -> None:
        assert path.read_bytes() in ({b"new"} if shown else {b"old", b"new"})

    def act(show: Show) -> None:
        replace_file(str(path), b"new")
        show(b"done")

    def start() -> None:
        path.write_bytes(b"old")

    every_death(act, check, start)


def test_deaths_are_real(tmp_path: Path) -> None:
    def careless(show: Show) -> None:
        show(b"shown")
        write_new_secret(str(tmp_path / "late"), b"x")

    assert run_and_kill(careless, at=1, when=BEFORE) == (True, [b"shown"])
    assert not (tmp_path / "late").exists()
    descriptor = os.open(tmp_path / "half", os.O_WRONLY | os.O_CREAT)
    assert run_and_kill(lambda show: write_all(descriptor, b"0123"), at=1, when=HALFWAY) == (True, [])
    assert (tmp_path / "half").read_bytes() == b"01"
    os.close(descriptor)


def test_the_file_and_its_directory_are_synced_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    for name in CALLS:
        real = getattr(os, name)

        def call(*arguments: Any, name: str = name, real: Callable[..., Any] = real, **named: Any) -> Any:
            if name == "fsync":
                kind = "directory" if stat.S_ISDIR(os.fstat(arguments[0]).st_mode) else "file"
                calls.append(f"fsync {kind}")
            elif name in {"write", "link", "replace", "unlink"}:
                calls.append(name)
            return real(*arguments, **named)

        monkeypatch.setattr(os, name, call)
    write_new_secret(str(tmp_path / "a"), b"x")
    assert calls == ["write", "fsync file", "link", "unlink", "fsync directory"]
    calls.clear()
    replace_file(str(tmp_path / "a"), b"x")
    assert [call for call in calls if call != "unlink"] == ["write", "fsync file", "replace", "fsync directory"]


def test_a_directory_that_cannot_be_synced_is_accepted_one_that_fails_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(code: int) -> None:
        def fsync(descriptor: int) -> None:
            raise OSError(code, "")

        monkeypatch.setattr(os, "fsync", fsync)

    fail(errno.EINVAL)
    sync_directory(str(tmp_path))
    fail(errno.EIO)
    with pytest.raises(OSError, match="5"):
        sync_directory(str(tmp_path))


def test_on_macos_the_drive_is_flushed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed = []
    fake = types.SimpleNamespace(F_FULLFSYNC=51, fcntl=lambda descriptor, what: flushed.append(what))
    monkeypatch.setitem(sys.modules, "fcntl", fake)
    write_new_secret(str(tmp_path / "a"), b"x")
    assert flushed == [51]


def test_disks_without_hard_links_are_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(source: str, target: str) -> None:
        raise OSError(errno.EPERM, "")

    monkeypatch.setattr(os, "link", link)
    write_new_secret(str(tmp_path / "a"), b"x")
    assert names(tmp_path) == ["a"]
    assert read_secret(str(tmp_path / "a"), 1) == b"x"


def test_few_descriptors_are_enough_and_none_is_leaked(tmp_path: Path) -> None:
    if not Path("/dev/fd").exists():
        pytest.skip("open descriptors cannot be counted here")
    before = len(names(Path("/dev/fd")))
    for number in range(50):
        write_new_secret(str(tmp_path / str(number)), b"x")
        read_secret(str(tmp_path / str(number)), 1)
        with pytest.raises(StoreError):
            write_new_secret(str(tmp_path / str(number)), b"x")
        with pytest.raises(TooLarge):
            read_secret(str(tmp_path / str(number)), 0)
    assert len(names(Path("/dev/fd"))) == before
