"""Engines only map: whatever does the work, and in whatever chunks, the same comes out."""

import functools
import importlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from seasons import Game, write

from hiddenagenda.edge import auditing, engines
from hiddenagenda.edge.auditing import Report, Wanted, run
from hiddenagenda.edge.engines import Engine, EngineError
from hiddenagenda.edge.judging import judge
from hiddenagenda.edge.sources import Trouble, Troubled
from hiddenagenda.faults import sentence

PLAY = 230


_RUNNING: list[Any] = []
"""The dask cluster of these tests, once it was needed: to start one takes seconds."""


@pytest.fixture(scope="module", autouse=True)
def _end_cluster() -> Iterator[None]:
    yield
    while _RUNNING:
        _RUNNING.pop().close()


def scheduler() -> str:
    if find_spec("distributed") is None:
        pytest.skip("dask is not here")
    if not _RUNNING:
        distributed = importlib.import_module("distributed")
        _RUNNING.append(distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"))
    return str(_RUNNING[0].scheduler_address)


@contextmanager
def dask() -> Iterator[Engine]:
    with engines.cluster(scheduler(), 1) as engine:
        yield engine


ENGINES: dict[str, Callable[[], AbstractContextManager[Engine]]] = {
    "here": engines.here,
    "one process": functools.partial(engines.processes, 1),
    "three processes": functools.partial(engines.processes, 3),
    "dask": dask,
}


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season in one file, copies that lack lines, and files that are damaged."""
    folder = tmp_path_factory.mktemp("event")
    write(folder / "season.jsonl", PLAY)
    lines = Game(500).data.splitlines(keepends=True)
    (folder / "ana.jsonl").write_bytes(b"".join(lines[:-3]))
    (folder / "ben.jsonl").write_bytes(b"".join(lines[:4] + lines[6:]))
    (folder / "torn.jsonl").write_bytes(Game(501).data[:-50])
    (folder / "nothing").touch()
    (folder / "headless.jsonl").write_bytes(b"".join(lines[1:]).replace(b"a", b"b"))
    return folder


def audited(event: Path, out: Path, engine: AbstractContextManager[Engine]) -> tuple[bytes, Report]:
    with engine as working:
        report = run(Wanted(paths=(str(event),), out=str(out)), working)
    return out.read_bytes(), report


@pytest.fixture(scope="module")
def expected(event: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Report]:
    return audited(event, tmp_path_factory.mktemp("out") / "verdicts", engines.here())


def test_what_is_expected_is_worth_comparing(expected: tuple[bytes, Report]) -> None:
    verdicts, report = expected
    assert verdicts.count(b"\n") == report.tally.games == PLAY + 2
    assert len(report.tally.outcomes) > 1
    assert report.tally.set_aside
    assert report.troubles


@pytest.mark.parametrize("name", list(ENGINES)[1:])
def test_every_engine_gives_the_same_bytes(
    name: str, event: Path, expected: tuple[bytes, Report], tmp_path: Path
) -> None:
    assert audited(event, tmp_path / "verdicts", ENGINES[name]()) == expected


@pytest.mark.parametrize(("games", "size", "files"), [(1, 2**24, 1), (7, 2**24, 3), (1_000, 2**24, 128), (128, 1, 128)])
def test_chunks_change_nothing(
    games: int,
    size: int,
    files: int,
    event: Path,
    expected: tuple[bytes, Report],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auditing, "_GAMES", games)
    monkeypatch.setattr(auditing, "_BYTES", size)
    monkeypatch.setattr(auditing, "_FILES", files)
    assert audited(event, tmp_path / "verdicts", engines.here()) == expected


def slowly(number: int) -> int:
    time.sleep(0.05 if number % 7 == 0 else 0)
    return number


@pytest.mark.parametrize("name", ENGINES)
def test_results_come_in_the_order_of_tasks(name: str) -> None:
    with ENGINES[name]() as engine:
        assert list(engine.map(slowly, range(40))) == list(range(40))
        assert list(engine.map(slowly, ())) == []


@pytest.mark.parametrize("name", ENGINES)
def test_few_tasks_are_on_their_way(name: str) -> None:
    taken = 0

    def take(number: int) -> int:
        nonlocal taken
        taken += 1
        return number

    with ENGINES[name]() as engine:
        results = engine.map(slowly, map(take, range(1_000)))
        next(results)
        assert taken < 20
        getattr(results, "close", lambda: None)()


def end(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    return number


def test_a_process_that_is_ended_from_outside_is_said() -> None:
    with engines.processes(2) as engine, pytest.raises(EngineError, match="ended from outside"):
        list(engine.map(end, range(10)))


def refuse(number: int) -> int:
    raise ValueError(number)


@pytest.mark.parametrize("name", ENGINES)
def test_what_a_task_raises_is_raised(name: str) -> None:
    with ENGINES[name]() as engine, pytest.raises(ValueError, match="4"):
        list(engine.map(refuse, [4]))


def interrupted(_: int) -> bool:
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_processes_leave_interruptions_to_the_first_one() -> None:
    with engines.processes(1) as engine:
        assert list(engine.map(interrupted, [0])) == [True]


def test_without_dask_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def lack(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(engines, "import_module", lack)
    with pytest.raises(EngineError, match="dask is not installed") as caught, engines.cluster(None, 1):
        pass
    assert "pip install" in str(caught.value.hint)


def test_a_scheduler_that_does_not_answer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("distributed") is None:
        pytest.skip("dask is not here")

    class Silent:
        def Client(self, *_: object, **__: object) -> None:  # noqa: N802 - dask's name
            raise OSError("timed out")

    monkeypatch.setattr(engines, "import_module", lambda name: Silent() if name == "distributed" else None)
    with pytest.raises(EngineError, match="tcp://nowhere:1"), engines.cluster("tcp://nowhere:1", 1):
        pass


def test_a_cluster_of_its_own_is_started(event: Path, expected: tuple[bytes, Report], tmp_path: Path) -> None:
    if find_spec("distributed") is None:
        pytest.skip("dask is not here")
    assert audited(event, tmp_path / "verdicts", engines.cluster(None, 1)) == expected


def test_a_cluster_that_is_lost_is_said() -> None:
    with dask() as engine, pytest.raises(EngineError, match="was lost"):
        list(engine.map(end, [3]))


def test_processors_are_counted_where_the_system_cannot_say_which(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engines.processors() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert engines.processors() == 1


def test_a_game_that_is_changed_while_it_is_judged_is_said(event: Path, tmp_path: Path) -> None:
    copy = tmp_path / "changing.jsonl"
    copy.write_bytes((event / "ana.jsonl").read_bytes())

    class Changing:
        def map(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[Any]:
            for task in tasks:
                if function is judge:
                    copy.write_bytes(b"something else")
                yield function(task)

    report = run(Wanted(paths=(str(copy),)), Changing())
    assert report.troubles == (
        Troubled(label=str(copy), trouble=Trouble.UNREADABLE, said=sentence("it was changed while it was read")),
    )
    assert report.tally.games == 0
