"""Directories: where they are, and that they are their user's alone."""

import os
import stat
import sys
from pathlib import Path

import platformdirs
import pytest

from hiddenagenda.edge import directories
from hiddenagenda.edge.directories import HOME, check_private_directory, data_directory, private_directory
from hiddenagenda.edge.files import StoreError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def needs_posix() -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("there are no modes on this system")


def test_the_variable_wins_and_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    assert data_directory() == str(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(HOME, "here")
    assert data_directory() == str(tmp_path / "here")


@pytest.mark.parametrize("data", [None, "", "/somewhere/else"])
def test_without_it_the_answer_is_that_of_platformdirs(data: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME, raising=False)
    monkeypatch.setenv("HOME", str(Path("/home/ana").absolute()))
    if data is None:
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_DATA_HOME", data)
    assert data_directory() == platformdirs.user_data_dir("hiddenagenda", appauthor=False)


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, "")
    assert data_directory() == platformdirs.user_data_dir("hiddenagenda", appauthor=False)


def test_other_systems_are_asked_through_platformdirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME, raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda name, appauthor: f"/Library/{name}")
    assert data_directory() == "/Library/hiddenagenda"


def test_a_relative_xdg_directory_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/ana")
    assert data_directory() == "/home/ana/.local/share/hiddenagenda"


def test_without_a_home_there_is_no_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME, raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    with pytest.raises(StoreError, match="no home directory") as caught:
        data_directory()
    assert HOME in str(caught.value.hint)


def test_below_a_link_that_leads_nowhere_it_is_refused_once(tmp_path: Path) -> None:
    link = tmp_path / "link"
    try:
        link.symlink_to(tmp_path / "unmounted")
    except OSError:
        pytest.skip("there are no symbolic links on this system")
    with pytest.raises(StoreError, match="does not exist"):
        private_directory(str(link / "home" / "slips"))
    assert not (tmp_path / "unmounted").exists()


def test_another_process_may_make_it_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, make = tmp_path / "a" / "b", os.mkdir

    def make_twice(path: str, mode: int) -> None:
        make(path, mode)
        if path == str(home.parent):
            make(home, mode)

    monkeypatch.setattr(os, "mkdir", make_twice)
    assert private_directory(str(home)) == str(home)


def test_they_are_private_whatever_the_umask(tmp_path: Path) -> None:
    needs_posix()
    former = os.umask(0)
    try:
        assert private_directory(str(tmp_path / "a" / "b")) == str(tmp_path / "a" / "b")
        assert private_directory(str(tmp_path / "a" / "b"))
    finally:
        os.umask(former)
    assert mode(tmp_path / "a") == mode(tmp_path / "a" / "b") == 0o700


@pytest.mark.parametrize("lax", [0o755, 0o750, 0o701, 0o777])
def test_a_lax_one_is_refused_with_the_command_that_helps(tmp_path: Path, lax: int) -> None:
    needs_posix()
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b").chmod(lax)
    with pytest.raises(StoreError) as caught:
        private_directory(str(tmp_path / "a b"))
    assert f"{lax:o}" in str(caught.value)
    assert mode(tmp_path / "a b") == lax
    os.system(str(caught.value.hint))
    private_directory(str(tmp_path / "a b"))


def test_links_files_and_foreign_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private_directory(str(tmp_path / "real"))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "file").write_bytes(b"")
    for name, said in (("link", "symbolic link"), ("dangling", "symbolic link"), ("file", "no directory")):
        with pytest.raises(StoreError, match=said):
            private_directory(str(tmp_path / name))
    assert not (tmp_path / "nothing").exists()
    with pytest.raises(StoreError, match="does not exist"):
        check_private_directory(str(tmp_path / "nothing"))
    if hasattr(os, "geteuid"):
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
        with pytest.raises(StoreError, match="another user"):
            private_directory(str(tmp_path / "real"))


def test_a_place_that_cannot_be_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match="no directory"):
        private_directory(str(tmp_path / "file" / "a" / "b"))
    with pytest.raises(StoreError, match="does not exist"):
        private_directory("")
    monkeypatch.chdir(tmp_path)
    assert private_directory("here") == "here"
    assert (tmp_path / "here").is_dir()


def test_a_new_name_is_synced_in_its_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(directories, "sync_directory", synced.append)
    private_directory(str(tmp_path / "a" / "b"))
    assert synced == [str(tmp_path), str(tmp_path / "a")]
