"""The lock of a file: one holder at a time, gone with its holder, on systems with and without locks."""

import errno
import os
import signal
import subprocess
import sys
import threading
import types
from pathlib import Path

import pytest

from hiddenagenda.edge import lock
from hiddenagenda.edge.files import StoreError, replace_file, write_all
from hiddenagenda.edge.lock import locked

KINDS = ("flock", "locking", "file", "no flock here")


def fake_msvcrt(held: dict[int, int]) -> types.SimpleNamespace:
    """What Windows has: a byte of a file is locked through one descriptor."""

    def locking(descriptor: int, what: int, count: int) -> None:
        assert os.lseek(descriptor, 0, os.SEEK_CUR) > 2**30
        inode = os.fstat(descriptor).st_ino
        if what == 0:
            assert held.pop(inode) == descriptor
        elif inode in held:
            raise OSError(errno.EACCES, "")
        else:
            held[inode] = descriptor

    return types.SimpleNamespace(LK_NBLCK=2, LK_UNLCK=0, locking=locking)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    match request.param:
        case "flock":
            pytest.importorskip("fcntl")
        case "locking":
            monkeypatch.setitem(sys.modules, "fcntl", None)
            monkeypatch.setitem(sys.modules, "msvcrt", fake_msvcrt({}))
        case "file":
            monkeypatch.setitem(sys.modules, "fcntl", None)
            monkeypatch.setitem(sys.modules, "msvcrt", None)
        case _:
            fcntl = pytest.importorskip("fcntl")

            def flock(descriptor: int, what: int) -> None:
                raise OSError(errno.ENOLCK, "")

            monkeypatch.setattr(fcntl, "flock", flock)
    return str(request.param)


def refusal_of(path: str) -> StoreError:
    """Return what somebody without patience hears who wants a lock that is held."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lock, "PATIENCE", 0.02)
        with pytest.raises(StoreError, match="another process is using it") as caught, locked(path):
            pytest.fail("two hold it")
    return caught.value


def test_one_at_a_time(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / "a")
    with locked(path):
        assert refusal_of(path).code == "etimedout"
    with locked(path):
        pass
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_it_is_given_back_after_an_error(tmp_path: Path, kind: str) -> None:
    with pytest.raises(ZeroDivisionError), locked(str(tmp_path / "a")):
        raise ZeroDivisionError
    with locked(str(tmp_path / "a")):
        pass


def test_who_waits_gets_it(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / "a")
    order = []
    waiting = threading.Event()

    def second() -> None:
        waiting.set()
        with locked(path):
            order.append(2)

    with locked(path):
        thread = threading.Thread(target=second)
        thread.start()
        waiting.wait()
        order.append(1)
    thread.join()
    assert order == [1, 2]


def test_what_is_yielded_appends_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with locked(str(path)) as descriptor:
        write_all(descriptor, b"1")
        os.lseek(descriptor, 0, os.SEEK_SET)
        write_all(descriptor, b"2")
    assert path.read_bytes() == b"12"
    if hasattr(os, "geteuid"):
        assert path.stat().st_mode & 0o777 == 0o600


def test_the_file_that_has_the_name_now_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    wait = lock._wait
    replaced: list[str] = []

    def replace_meanwhile(descriptor: int, name: str, deadline: float) -> object:
        if len(replaced) == 0:
            replace_file(name, b"new")
            replaced.append("replaced")
        elif len(replaced) == 1:
            path.unlink()
            replaced.append("gone")
        return wait(descriptor, name, deadline)

    monkeypatch.setattr(lock, "_wait", replace_meanwhile)
    with locked(str(path)) as descriptor:
        assert os.path.samestat(os.fstat(descriptor), path.stat())
        write_all(descriptor, b"!")
    assert path.read_bytes() == b"!"
    assert replaced == ["replaced", "gone"]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    for name, said in (("link", "symbolic link"), ("dangling", "symbolic link"), ("", "is a directory")):
        with pytest.raises(StoreError, match=said), locked(str(tmp_path / name)):
            pytest.fail("it was locked")
    assert not (tmp_path / "nothing").exists()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(StoreError, match="no regular file"), locked(str(tmp_path / "pipe")):
            pytest.fail("it was locked")


def test_other_failures_of_the_system_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def flock(descriptor: int, what: int) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(StoreError, match="broken"), locked(str(tmp_path / "a")):
        pytest.fail("it was locked")


def test_it_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("processes cannot be killed so here")
    path = str(tmp_path / "a")
    script = (
        "import sys, time\n"
        "from hiddenagenda.edge.lock import locked\n"
        "with locked(sys.argv[1]):\n"
        "    print('held', flush=True)\n"
        "    time.sleep(60)\n"
    )
    root = Path(__file__).resolve().parent.parent
    with subprocess.Popen([sys.executable, "-c", script, path], stdout=subprocess.PIPE, cwd=root) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert refusal_of(path).code == "etimedout"
        holder.kill()
    with locked(path):
        pass
