"""A player's keys on disk: private from the first moment, never overwritten, refused where others could read them."""

import os
import stat
import sys
import threading
from pathlib import Path

import pytest
from sshkeygen import make_key, ssh_keygen

from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.keystore import FIRST_NAME, Keystore, read_outside
from hiddenagenda.faults import HiddenAgendaError, IllegalMove, Malformed, TooLarge
from hiddenagenda.identity import Identity
from hiddenagenda.openssh import LARGEST


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the keys go; it is not there yet."""
    return tmp_path / "data" / "keys"


@pytest.fixture
def keys(folder: Path) -> Keystore:
    return Keystore(str(folder))


def needs_modes() -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no modes")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_a_new_key_is_stored_and_read_back(keys: Keystore) -> None:
    identity = keys.create("ana", b"correct horse")
    key_file = keys.read("ana")
    assert key_file.encrypted
    assert key_file.public == identity.public
    assert Identity.unlock(key_file, b"correct horse").sign(b"x") == identity.sign(b"x")
    keys.create("open", None)
    assert not keys.read("open").encrypted


def test_ssh_keygen_reads_what_is_stored(keys: Keystore, folder: Path) -> None:
    identity = keys.create("ana", b"correct horse")
    done = ssh_keygen("-y", "-P", "correct horse", "-f", folder / "ana")
    assert done.stdout.decode().strip() == identity.public.line


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_modes_are_private_whatever_the_umask(keys: Keystore, folder: Path, umask: int) -> None:
    needs_modes()
    before = os.umask(umask)
    try:
        keys.create("ana", None)
    finally:
        os.umask(before)
    assert mode(folder) == 0o700
    assert {mode(path) for path in folder.iterdir()} == {0o600}


def test_a_key_is_never_seen_with_a_wider_mode(keys: Keystore, folder: Path) -> None:
    """Watch the directory while keys are made; every file in it is private whenever it is looked at."""
    needs_modes()
    folder.mkdir(parents=True, mode=0o700)
    seen: set[int] = set()
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            for entry in os.scandir(folder):
                try:
                    seen.add(stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode))
                except FileNotFoundError:
                    continue

    watcher = threading.Thread(target=watch)
    before = os.umask(0)
    watcher.start()
    try:
        for number in range(40):
            keys.create(f"k{number}", None)
    finally:
        done.set()
        watcher.join()
        os.umask(before)
    assert seen == {0o600}


def test_nothing_is_overwritten(keys: Keystore, folder: Path) -> None:
    keys.create("ana", None)
    stored = (folder / "ana").read_bytes()
    for name in ("ana", "ANA", "Ana"):
        with pytest.raises(IllegalMove, match="a key called ana already") as caught:
            keys.create(name, None)
        assert caught.value.code == "name-taken"
    assert (folder / "ana").read_bytes() == stored
    assert keys.names() == ("ana",)


def test_of_two_at_once_one_wins(keys: Keystore, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys.create("ana", None)
    stored = (folder / "ana").read_bytes()
    monkeypatch.setattr(Keystore, "names", lambda _: ())
    with pytest.raises(StoreError, match="nothing is overwritten"):
        keys.create("ana", None)
    assert (folder / "ana").read_bytes() == stored


@pytest.mark.parametrize("target", ["victim", "nowhere"])
def test_a_planted_link_is_not_followed(keys: Keystore, folder: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "victim").write_bytes(b"precious")
    folder.mkdir(parents=True, mode=0o700)
    (folder / "ana").symlink_to(tmp_path / target)
    with pytest.raises(HiddenAgendaError):
        keys.create("ana", None)
    with pytest.raises(StoreError):
        keys.read("ana")
    assert (tmp_path / "victim").read_bytes() == b"precious"
    assert not (tmp_path / "nowhere").exists()


def test_a_directory_that_is_a_link_is_refused(keys: Keystore, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.parent.mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="symbolic link"):
        keys.create("ana", None)
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("lax", [0o644, 0o640, 0o604, 0o660])
def test_a_key_that_others_may_read_is_not_used(keys: Keystore, folder: Path, lax: int) -> None:
    needs_modes()
    keys.create("ana", None)
    (folder / "ana").chmod(lax)
    with pytest.raises(StoreError, match=f"its mode is {lax:o}") as caught:
        keys.read("ana")
    assert str(caught.value.hint) == f"chmod 600 '{folder / 'ana'}'"
    assert caught.value.code == "lax-mode"


def test_a_directory_that_others_may_use_is_not_used(keys: Keystore, folder: Path) -> None:
    needs_modes()
    keys.create("ana", None)
    folder.chmod(0o755)
    for use in (keys.names, lambda: keys.read("ana"), lambda: keys.create("ben", None), keys.default_name):
        with pytest.raises(StoreError, match="its mode is 755"):
            use()


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", ".default", "../ana", "a/b", "a\\b", "a\0b", "a b", "-a", "_a", "é", "a.pub", "x" * 33, "a\n"],
)
def test_odd_names_are_refused(keys: Keystore, folder: Path, name: str) -> None:
    with pytest.raises(IllegalMove, match="a key cannot be called") as caught:
        keys.create(name, None)
    assert caught.value.code == "unfit-name"
    assert not folder.exists()


@pytest.mark.parametrize("name", ["con", "CON", "nul", "Prn", "aux", "com1", "LPT9"])
def test_names_of_devices_are_refused(keys: Keystore, name: str) -> None:
    with pytest.raises(IllegalMove, match="cannot be called"):
        keys.create(name, None)


@pytest.mark.parametrize("name", ["a", "Ana", "7", "friday-night_2", "console", "x" * 32, FIRST_NAME])
def test_ordinary_names_are_taken(keys: Keystore, name: str) -> None:
    keys.create(name, None)
    assert keys.names() == (name,)


def test_no_keys(keys: Keystore) -> None:
    assert keys.names() == ()
    for ask in (keys.default_name, lambda: keys.choose(None), lambda: keys.read("ana"), lambda: keys.set_default("a")):
        with pytest.raises(IllegalMove) as caught:
            ask()
        assert caught.value.code == "no-key"
        assert str(caught.value.hint) == "make one with: hiddenagenda key new"


def test_the_first_key_is_the_default_until_another_is_chosen(keys: Keystore) -> None:
    first, second = keys.create("zoe", None), keys.create("ana", None)
    assert keys.default_name() == "zoe"
    assert keys.choose(None).public == first.public
    keys.set_default("ana")
    assert keys.choose(None).public == second.public
    with pytest.raises(IllegalMove) as caught:
        keys.set_default("nobody")
    assert str(caught.value.hint) == "name one of these: ana, zoe"
    assert keys.default_name() == "ana"


def test_a_lost_mark_matters_only_among_several(keys: Keystore, folder: Path) -> None:
    keys.create("ana", None)
    (folder / ".default").unlink()
    assert keys.default_name() == "ana"
    keys.create("ben", None)
    for mark in (None, b"", b"gone", b"\xff", b"../x"):
        if mark is not None:
            (folder / ".default").write_bytes(mark)
            (folder / ".default").chmod(0o600)
        with pytest.raises(IllegalMove, match="which key") as caught:
            keys.default_name()
        assert caught.value.code == "several-keys"


def test_leftovers_and_other_files_are_no_keys(keys: Keystore, folder: Path) -> None:
    keys.create("ana", None)
    (folder / ".0123.new").touch()
    (folder / "notes.txt").touch()
    assert keys.names() == ("ana",)


def test_a_key_is_taken_in_as_it_is(keys: Keystore, folder: Path, tmp_path: Path) -> None:
    data = make_key(tmp_path / "id_ed25519", passphrase="correct horse")
    key_file = keys.take_in("mine", str(tmp_path / "id_ed25519"))
    assert (folder / "mine").read_bytes() == data
    assert Identity.unlock(keys.choose(None), b"correct horse").public == key_file.public
    with pytest.raises(IllegalMove):
        keys.take_in("mine", str(tmp_path / "id_ed25519"))


def test_what_is_no_key_is_not_taken_in(keys: Keystore, folder: Path, tmp_path: Path) -> None:
    make_key(tmp_path / "key")
    (tmp_path / "key.pub").chmod(0o600)
    with pytest.raises(Malformed, match="public half"):
        keys.take_in("mine", str(tmp_path / "key.pub"))
    assert not folder.exists()


def test_a_key_elsewhere_is_used_where_it_lies(keys: Keystore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    identity = keys.create("ana", None)
    make_key(tmp_path / "outside")
    outside = keys.choose(str(tmp_path / "outside")).public
    assert outside == read_outside(str(tmp_path / "outside")).public != identity.public
    (tmp_path / "link").symlink_to("outside")
    assert keys.choose(str(tmp_path / "link")).public == outside
    monkeypatch.setenv("HOME" if os.name == "posix" else "USERPROFILE", str(tmp_path))
    assert keys.choose("~/outside").public == outside
    monkeypatch.chdir(tmp_path)
    assert keys.choose("outside").public == outside
    assert keys.choose("ana").public == identity.public
    assert keys.names() == ("ana",)


def test_a_key_elsewhere_is_refused_where_others_may_read_it(tmp_path: Path) -> None:
    needs_modes()
    make_key(tmp_path / "outside")
    (tmp_path / "outside").chmod(0o640)
    (tmp_path / "link").symlink_to("outside")
    with pytest.raises(StoreError) as caught:
        read_outside(str(tmp_path / "link"))
    assert str(caught.value.hint) == f"chmod 600 '{tmp_path / 'outside'}'"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir(mode=0o700)
    paths = [str(tmp_path / "absent"), str(tmp_path / "folder"), str(tmp_path / "loop"), "a\0b"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe", 0o600)
        paths.append(str(tmp_path / "pipe"))
    for path in paths:
        with pytest.raises(StoreError):
            read_outside(path)


def test_a_giant_file_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "giant"
    path.touch(mode=0o600)
    os.truncate(path, 2**30)
    with pytest.raises(TooLarge, match=str(LARGEST)):
        read_outside(str(path))


def test_without_what_other_systems_lack(
    keys: Keystore, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has no modes, owners, links without privilege, nor directories that can be synced."""
    make_key(tmp_path / "outside")
    for name in ("O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "geteuid", "getuid", "fchmod", "link"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    identity = keys.create("ana", b"x")
    assert Identity.unlock(keys.choose(None), b"x").public == identity.public
    keys.take_in("mine", str(tmp_path / "outside"))
    with pytest.raises(HiddenAgendaError):
        keys.create("ana", None)
    (folder / "ana").chmod(0o644)
    assert keys.read("ana").public == identity.public
    (folder / "link").symlink_to(folder / "ana")
    with pytest.raises(StoreError, match="symbolic link"):
        keys.read("link")


@pytest.mark.parametrize("call", ["write", "fsync", "link"])
def test_a_full_disk_leaves_no_half_a_key(
    keys: Keystore, folder: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    folder.mkdir(parents=True, mode=0o700)
    monkeypatch.setitem(sys.modules, "fcntl", None)  # else macOS syncs by another call

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fail)
        with pytest.raises(StoreError, match="no space is left"):
            keys.create("ana", None)
    assert list(folder.iterdir()) == []
    keys.create("ana", None)
