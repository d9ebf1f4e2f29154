"""An audit that is interrupted, in whatever moment, goes on and writes what it would have written."""

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commandline import PROGRAM, environment
from seasons import Game, write

from hiddenagenda.edge import auditing, engines
from hiddenagenda.edge.auditing import Report, Wanted, run
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.judging import judge
from hiddenagenda.edge.keeping import PART, STATE
from hiddenagenda.faults import IllegalMove, Sentence
from hiddenagenda.rulebook import Edition

PLAY = 24


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("season")
    write(folder / "season.jsonl", PLAY)
    (folder / "twice.jsonl").write_bytes(Game(3).data)
    (folder / "empty").touch()
    return folder


@pytest.fixture(autouse=True)
def _chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "_GAMES", 4)
    monkeypatch.setattr(auditing, "_EVERY", 0.0)


@pytest.fixture(scope="module")
def expected(season: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Report]:
    out = tmp_path_factory.mktemp("whole") / "verdicts"
    with engines.here() as engine:
        report = run(Wanted(paths=(str(season),), out=str(out)), engine)
    return out.read_bytes(), report


class Interrupted:
    """An engine that is interrupted before one of its tasks."""

    def __init__(self, function: Callable[..., Any], before: int, error: BaseException) -> None:
        self.function = function
        self.left = before
        self.error = error

    def map(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[Any]:
        for task in tasks:
            if function is self.function:
                if not self.left:
                    raise self.error
                self.left -= 1
            yield function(task)


@pytest.mark.parametrize("every", [0.0, 3600.0], ids=["saved after each chunk", "never saved"])
@pytest.mark.parametrize("before", range(PLAY // 4))
def test_wherever_it_is_interrupted_it_goes_on(
    before: int,
    every: float,
    season: Path,
    expected: tuple[bytes, Report],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auditing, "_EVERY", every)
    out = tmp_path / "verdicts"
    with pytest.raises(KeyboardInterrupt):
        run(Wanted(paths=(str(season),), out=str(out)), Interrupted(judge, before, KeyboardInterrupt()))
    assert not out.exists()
    assert Path(f"{out}{STATE}").exists()
    with engines.here() as engine:
        report = run(Wanted(paths=(str(season),), out=str(out)), engine, resume=True)
    assert (out.read_bytes(), report) == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["verdicts"]


def test_it_is_interrupted_again_and_again(season: Path, expected: tuple[bytes, Report], tmp_path: Path) -> None:
    out = tmp_path / "verdicts"
    for _ in range(PLAY // 4 - 1):
        with pytest.raises(KeyboardInterrupt):
            run(Wanted(paths=(str(season),), out=str(out)), Interrupted(judge, 1, KeyboardInterrupt()), resume=True)
    with engines.here() as engine:
        report = run(Wanted(paths=(str(season),), out=str(out)), engine, resume=True)
    assert (out.read_bytes(), report) == expected


def test_interrupted_while_files_are_looked_through_it_begins_anew(
    season: Path, expected: tuple[bytes, Report], tmp_path: Path
) -> None:
    out = tmp_path / "verdicts"
    with pytest.raises(KeyboardInterrupt):
        run(Wanted(paths=(str(season),), out=str(out)), Interrupted(auditing.surveyed, 0, KeyboardInterrupt()))
    with engines.here() as engine:
        report = run(Wanted(paths=(str(season),), out=str(out)), engine, resume=True)
    assert (out.read_bytes(), report) == expected


def test_what_was_written_after_the_last_saving_is_written_again(
    season: Path, expected: tuple[bytes, Report], tmp_path: Path
) -> None:
    out = tmp_path / "verdicts"
    with pytest.raises(KeyboardInterrupt):
        run(Wanted(paths=(str(season),), out=str(out)), Interrupted(judge, 5, KeyboardInterrupt()))
    with Path(f"{out}{PART}").open("ab") as part:
        part.write(b"half a verd")
    with engines.here() as engine:
        report = run(Wanted(paths=(str(season),), out=str(out)), engine, resume=True)
    assert (out.read_bytes(), report) == expected


@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_a_process_that_is_ended_leaves_a_state_to_go_on_from(name: str, tmp_path: Path) -> None:
    number = getattr(signal, name, None)
    if number is None or sys.platform == "win32":
        pytest.skip("no such signal here")
    write(tmp_path / "season.jsonl", 400)
    arguments = ("audit", "season.jsonl", "--out", "verdicts", "--jobs", "2")
    program = subprocess.Popen(
        [*PROGRAM, *arguments], cwd=tmp_path, env=environment(tmp_path / "home"), stderr=subprocess.PIPE, text=True
    )
    while program.poll() is None and not (tmp_path / "verdicts.state").exists():
        time.sleep(0.01)
    time.sleep(0.2)
    program.send_signal(number)
    try:
        _, said = program.communicate(timeout=60)
    finally:
        program.kill()
    if name == "SIGINT" and program.returncode == 130:
        assert "--resume" in said
    again = subprocess.run(
        [*PROGRAM, *arguments, "--resume"],
        cwd=tmp_path,
        env=environment(tmp_path / "home"),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "verdicts").read_bytes().count(b"\n") == 400
    assert not list(tmp_path.glob("verdicts.*"))


# What is refused


def refused(wanted: Wanted, *, resume: bool = False) -> IllegalMove:
    with engines.here() as engine, pytest.raises(IllegalMove) as caught:
        run(wanted, engine, resume=resume)
    assert isinstance(caught.value.hint, Sentence)
    return caught.value


def test_nothing_is_overwritten(season: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdicts"
    wanted = Wanted(paths=(str(season),), out=str(out))
    out.write_text("mine")
    assert refused(wanted).code == "file-taken"
    out.rename(f"{out}{PART}")
    assert refused(wanted, resume=True).code == "file-taken"
    assert Path(f"{out}{PART}").read_text() == "mine"


def test_a_file_that_appears_meanwhile_is_not_overwritten(season: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdicts"

    class Planting:
        def map(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[Any]:
            yield from map(function, tasks)
            out.write_text("mine")

    with pytest.raises(StoreError, match="exists already"):
        run(Wanted(paths=(str(season),), out=str(out)), Planting())
    assert out.read_text() == "mine"


def test_an_interrupted_audit_is_not_begun_anew_unasked(season: Path, tmp_path: Path) -> None:
    wanted = Wanted(paths=(str(season),), out=str(tmp_path / "verdicts"))
    with pytest.raises(KeyboardInterrupt):
        run(wanted, Interrupted(judge, 2, KeyboardInterrupt()))
    error = refused(wanted)
    assert error.code == "interrupted-audit"
    assert "--resume" in str(error.hint)


def test_an_audit_of_something_else_is_not_gone_on_with(season: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "verdicts")
    with pytest.raises(KeyboardInterrupt):
        run(Wanted(paths=(str(season),), out=out), Interrupted(judge, 2, KeyboardInterrupt()))
    for other in (
        Wanted(paths=(str(season / "season.jsonl"),), out=out),
        Wanted(paths=(str(season),), out=out, names=""),
        Wanted(paths=(str(season),), out=out, edition=Edition("2014")),
    ):
        assert refused(other, resume=True).code == "other-audit"


@pytest.mark.parametrize("damage", [b"no database at all, but some bytes", b"SQLite format 3\0" + bytes(4096)])
def test_a_damaged_state_is_said(damage: bytes, season: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdicts"
    Path(f"{out}{STATE}").write_bytes(damage)
    with engines.here() as engine, pytest.raises(StoreError, match="state cannot be used"):
        run(Wanted(paths=(str(season),), out=str(out)), engine, resume=True)


def test_verdicts_that_are_gone_are_said(season: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdicts"
    with pytest.raises(KeyboardInterrupt):
        run(Wanted(paths=(str(season),), out=str(out)), Interrupted(judge, 5, KeyboardInterrupt()))
    Path(f"{out}{PART}").unlink()
    with engines.here() as engine, pytest.raises(StoreError, match="does not exist"):
        run(Wanted(paths=(str(season),), out=str(out)), engine, resume=True)


def test_a_full_disk_is_said(season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr("hiddenagenda.edge.keeping.sync", full)
    with engines.here() as engine, pytest.raises(StoreError, match="no space"):
        run(Wanted(paths=(str(season),), out=str(tmp_path / "verdicts")), engine)


def test_its_own_files_are_not_audited(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_bytes(Game(1).data)
    with engines.here() as engine:
        report = run(Wanted(paths=(str(tmp_path),), out=str(tmp_path / "verdicts")), engine)
    assert (report.files, report.tally.games, report.troubles) == (1, 1, ())


def test_the_state_holds_no_more_than_it_needs(season: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdicts"
    with pytest.raises(KeyboardInterrupt):
        run(Wanted(paths=(str(season),), out=str(out)), Interrupted(judge, 3, KeyboardInterrupt()))
    data = sqlite3.connect(f"{out}{STATE}")
    assert data.execute("SELECT count(*) FROM pieces").fetchone() == (PLAY + 1,)
    assert data.execute("SELECT count(*) FROM claims").fetchone() == (3 * 4 * 12,)
    data.close()
