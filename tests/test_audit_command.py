"""``audit`` as people and scripts meet it."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commandline import Program
from hiddenagenda_cli import audits
from hiddenagenda_cli.audits import Meter
from seasons import Game, write
from table import Game as Table

from hiddenagenda import transcript
from hiddenagenda.edge.auditing import Progress
from hiddenagenda.edge.catalogue import bundled
from hiddenagenda.edge.engines import Engine, Here
from hiddenagenda.edge.files import StoreError
from hiddenagenda.faults import sentence
from hiddenagenda.record import read_record
from hiddenagenda.verdictjson import to_json
from hiddenagenda.verifier import judge_bytes


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.chdir(tmp_path)
    return Program(tmp_path / "home", monkeypatch)


def put(name: str, *games: bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(games))
    return path


def lines(number: int) -> list[bytes]:
    return Game(number).data.splitlines(keepends=True)


def test_the_summary_says_what_was_found(program: Program) -> None:
    put("event/season.jsonl", *(Game(number).data for number in range(100, 110)))
    put("event/notes.txt", b"hello\n")
    put("event/damaged.jsonl", *lines(3)[1:2])
    put("event/copy.jsonl", lines(100)[0] + b"x\n" + lines(100)[1])
    done = program("audit", "event", "--jobs", "1")
    assert done.code == 1
    said = done.out.decode()
    assert done.lines[0] == "11 games in 4 files"
    for line in (
        "  undecidable: 1",
        "  broken: 1",
        "  kept: 9",
        "findings:",
        "players with findings:",
        "2 lines were set aside, in 2 games",
        "no games in:",
        "  event/notes.txt: there is no game in it",
    ):
        assert line in done.lines, said
    assert any(line.startswith("  1 × slip-does-not-fit (rule 702.106b") for line in done.lines), said
    assert any(line.startswith("  Cleo 50 (") or "slip-does-not-fit" in line for line in done.lines)
    assert done.err == b""


@pytest.mark.parametrize(
    ("asked", "codes"),
    [
        (None, (0, 0, 0, 1)),
        ("broken", (3, 0, 0, 1)),
        ("owes", (3, 4, 0, 1)),
        ("pending", (3, 4, 5, 1)),
    ],
)
def test_the_exit_code_is_what_was_asked_for(asked: str | None, codes: tuple[int, ...], program: Program) -> None:
    put("broken/a", Game(7).data)
    owing = Table(2)
    owing.start()
    owing.players[0].leave()
    put("owes/a", *(line.data + b"\n" for line in owing.lines))
    put("pending/a", *lines(1)[:9])
    put("damaged/a", *lines(1)[1:])
    option = ("--fail-on", asked) if asked else ()
    for name, code in zip(("broken", "owes", "pending", "damaged"), codes, strict=True):
        done = program("audit", name, *option, "--jobs", "1", "--json")
        assert (name, done.code) == (name, code), done.out


def test_of_several_codes_broken_comes_first_and_what_was_not_read_next(program: Program) -> None:
    put("event/broken", Game(7).data)
    put("event/pending", *lines(1)[:9])
    assert program("audit", "event", "nothing", "--fail-on", "pending", "--jobs", "1").code == 3
    assert program("audit", "event/pending", "nothing", "--fail-on", "pending", "--jobs", "1").code == 1


def test_json_lines_are_the_verdicts_and_then_the_summary(program: Program) -> None:
    data = b"".join(Game(number).data for number in (6, 7))
    put("a.jsonl", data)
    for options in (("--format", "jsonl"), ("--json",)):
        *verdicts, last = map(json.loads, program("audit", "a.jsonl", "--jobs", "1", *options).lines)
        expected = [to_json(one) for one in judge_bytes(data, names=bundled())]
        sources = [verdict.pop("source") for verdict in verdicts]
        assert sources == [["a.jsonl"], ["a.jsonl"]]
        assert sorted(verdicts, key=str) == sorted(expected, key=str)
        (name,) = last
        assert name == "audit"
        summary = last["audit"]
        assert (summary["games"], summary["files"], summary["outcomes"]) == (2, 1, {"broken": 1, "kept": 1})
        (player,) = summary["players"]
        assert player["findings"] == summary["findings"]


def test_verdicts_go_into_a_file_and_only_the_summary_to_stdout(program: Program) -> None:
    write(Path("season.jsonl"), 30)
    done = program("audit", "season.jsonl", "--out", "verdicts.jsonl", "--format", "jsonl", "--jobs", "2")
    assert done.code == 0
    assert len(done.lines) == 1
    written = [json.loads(line) for line in Path("verdicts.jsonl").read_text().splitlines()]
    assert [one["label"] for one in written] == [f"round {number}" for number in range(30)]
    again = program("audit", "season.jsonl", "--out", "verdicts.jsonl")
    assert again.code == 1
    assert b"already" in again.err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("a", "--resume"),
        ("a", "--scheduler", "tcp://127.0.0.1:1"),
        ("a", "--jobs", "0"),
        ("a", "--engine", "spark"),
        ("a", "--fail-on", "kept"),
    ],
)
def test_usage(arguments: tuple[str, ...], program: Program) -> None:
    done = program("audit", *arguments)
    assert (done.code, done.out) == (2, b"")


def test_lines_that_were_set_aside_have_the_numbers_of_their_file(program: Program) -> None:
    put("a.jsonl", Game(1).data, b"one\n", *lines(2)[:7], b"two\n", *lines(2)[7:], b"three")
    verdicts = [json.loads(line) for line in program("audit", "a.jsonl", "--json", "--jobs", "1").lines[:-1]]
    assert [[aside["line"] for aside in verdict["aside"]] for verdict in verdicts] == [[26], [34, 53]]


def test_lines_of_pieces_are_numbered_where_they_lie(program: Program) -> None:
    put("a.jsonl", *lines(1)[:3], b"one\n", Game(2).data, *lines(1)[3:], b"two\n")
    verdicts = [json.loads(line) for line in program("audit", "a.jsonl", "--json", "--jobs", "1").lines[:-1]]
    numbers = {verdict["label"]: [aside["line"] for aside in verdict["aside"]] for verdict in verdicts}
    assert numbers == {"round 1": [4, 52], "round 2": []}


def test_copies_that_lack_lines_are_one_game(program: Program) -> None:
    put("ana.jsonl", *lines(1)[:-2])
    put("ben.jsonl", *lines(1)[:3], *lines(1)[5:-1], lines(1)[-1].removesuffix(b"\n"))
    put("cleo.jsonl", *lines(1)[3:5])
    *verdicts, _ = map(json.loads, program("audit", "ana.jsonl", "ben.jsonl", "cleo.jsonl", "--json").lines)
    (verdict,) = verdicts
    assert verdict["outcome"] == "kept"
    assert verdict["source"] == ["ana.jsonl", "ben.jsonl", "cleo.jsonl"]


def test_a_game_over_its_cap_gets_no_verdict_and_is_said(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.jsonl", Game(1).data, Game(2).data[:4_000])
    monkeypatch.setattr(transcript, "LARGEST", 8_000)
    done = program("audit", "a.jsonl", "--json", "--jobs", "1")
    first = json.loads(done.lines[0])
    assert (first["outcome"], first["aside"][0]["reason"]) == ("undecidable", "too-large")
    assert first["game"] == Game(1).id
    assert done.code == 1


def test_a_table_that_does_not_read_is_damage(program: Program) -> None:
    put("a.jsonl", lines(1)[0].replace(b'"edition"', b'"editiom"'))
    done = program("audit", "a.jsonl", "--jobs", "1")
    assert done.code == 1
    assert "could not be read:" in done.lines
    assert any("a.jsonl: line 1:" in line for line in done.lines)


def test_lists_are_cut_for_people_and_whole_in_json(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audits, "_MOST", 3)
    for number in range(5):
        put(f"event/{number}", b"")
    done = program("audit", "event", "--jobs", "1")
    assert "  … and 2 more: --format jsonl lists them all" in done.lines
    assert len(json.loads(program("audit", "event", "--json", "--jobs", "1").out)["audit"]["troubles"]) == 5


def test_remarks_are_told_and_change_no_exit_code(program: Program) -> None:
    one, other = Game(1), Game(1 + 300)  # the same people: what is renamed is noticed
    put("a.jsonl", one.data, other.data)
    assert b"remarks" not in program("audit", "a.jsonl", "--jobs", "1").out
    renamed = Game(1 + 600)
    renamed.names[0] = "Anna"
    renamed.lines.clear()
    renamed.own = [[] for _ in renamed.own]
    renamed.id = None
    renamed._play()
    put("b.jsonl", renamed.data)
    done = program("audit", "a.jsonl", "b.jsonl", "--fail-on", "pending", "--jobs", "1")
    assert done.code == 0
    assert "remarks on several games, which accuse nobody:" in done.lines
    assert any(line.endswith("games)") or "2 names" in line for line in done.lines)


def test_names_that_are_not_listed_are_counted(program: Program) -> None:
    game = Game(1)
    put("a.jsonl", game.data)
    assert b"list of card names" not in program("audit", "a.jsonl", "--jobs", "1").out
    table = read_record(game.data).transcripts[0].table
    assert table.priority == "declared"


@pytest.mark.parametrize("hostile", ["\x1b[31mred", "line\nbreak", "\u202edetrevni"])
def test_names_of_files_are_shown_escaped(hostile: str, program: Program) -> None:
    try:
        put(f"event/{hostile}", b"hello\n")
    except OSError:
        pytest.skip("no such name on this system")
    done = program("audit", "event", "--jobs", "1")
    assert hostile not in done.out.decode()
    assert b"there is no game in it" in done.out
    put(f"event/{hostile}", Game(1).data)
    done = program("audit", "event", "--json", "--jobs", "1")
    assert hostile not in done.out.decode()
    assert json.loads(done.lines[0])["source"] == [f"event/{hostile}"]


def test_a_name_that_is_no_text_is_a_source_all_the_same(program: Program) -> None:
    try:
        put("event/\udcff", Game(1).data)
    except (OSError, UnicodeError):
        pytest.skip("no such name on this system")
    assert json.loads(program("audit", "event", "--json", "--jobs", "1").lines[0])["source"] == ["event/\\udcff"]


def test_interrupted_it_says_how_to_go_on(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hiddenagenda_cli.commands.audit.run", interrupt)
    done = program("audit", "a", "--jobs", "1", "--out", "b")
    assert done.code == 130
    assert b"--resume" in done.err
    assert b"--resume" not in program("audit", "a", "--jobs", "1").err


def test_the_engine_is_the_one_asked_for(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.jsonl", Game(1).data)
    asked = []

    @contextmanager
    def cluster(scheduler: str | None, jobs: int) -> Iterator[Engine]:
        asked.append((scheduler, jobs))
        yield Here()

    monkeypatch.setattr("hiddenagenda_cli.commands.audit.engines.cluster", cluster)
    assert program("audit", "a.jsonl", "--engine", "dask", "--jobs", "3").code == 0
    assert program("audit", "a.jsonl", "--engine", "dask", "--scheduler", "tcp://a:1", "--jobs", "1").code == 0
    assert asked == [(None, 3), ("tcp://a:1", 1)]


def test_without_a_home_the_bundled_names_are_asked(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> str:
        raise StoreError(sentence("no home"))

    put("a.jsonl", Game(1).data)
    monkeypatch.setattr("hiddenagenda_cli.commands.audit.cards_directory", homeless)
    first = program("audit", "a.jsonl", "--json", "--jobs", "1").lines[0]
    assert {card["remark"] for slot in json.loads(first)["slots"] for card in slot["names"]} == {"listed"}


# How far it is


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    now = [0.0]
    monkeypatch.setattr("hiddenagenda_cli.audits.time.monotonic", lambda: now[0])

    def to(seconds: float) -> None:
        now[0] = seconds

    return to


def progress(done: int, total: int | None, rate: float) -> Progress:
    return Progress(total=total, done=done, rate=rate)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_at_a_terminal_one_line_changes(clock: Callable[[float], None], monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    meter = Meter()
    meter(progress(1, None, 5.0))  # too soon
    clock(1.0)
    meter(progress(3, None, 5.0))
    clock(2.0)
    meter(progress(100, 20_100, 2.0))
    clock(3.0)
    meter(progress(0, 9, 0.0))
    meter.clear()
    assert screen.getvalue().split("\r") == [
        "",
        "looked through 3 files",
        "judged 100 of 20100 games, 2 a second, 2:46:40 left",
        f"{'judged 0 of 9 games, 0 a second, ? left':<51}",
        " " * 39,
        "",
    ]


def test_in_a_log_a_line_comes_now_and_then(clock: Callable[[float], None], monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    meter = Meter()
    for second in range(70):
        clock(float(second))
        meter(progress(second, 100, 1.0))
    meter.clear()
    assert screen.getvalue().splitlines() == [
        "judged 30 of 100 games, 1 a second, 0:01:10 left",
        "judged 60 of 100 games, 1 a second, 0:00:40 left",
    ]


def test_nothing_is_said_without_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    Meter()(progress(1, 2, 3.0))


def test_an_audit_without_a_game_has_judged_nothing(program: Program, tmp_path: Path) -> None:
    """A wrong path must not look like an event in which everybody kept the rules."""
    (tmp_path / "rubbish.txt").write_text("nothing\n", encoding="utf-8")
    done = program("audit", str(tmp_path / "rubbish.txt"), "--fail-on", "broken")
    assert done.code == 1
    assert b"nothing was judged" in done.err
