"""Game files: nobody's lines are lost, torn ends are repaired, other files are left alone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from crashes import FAILURES, Show, every_death, failing

from hiddenagenda.edge.files import SECRET, StoreError
from hiddenagenda.edge.tables import Torn, append, create, lines_of
from hiddenagenda.entry import Note, frame
from hiddenagenda.identity import Identity
from hiddenagenda.line import LARGEST, sign

ROOT = Path(__file__).resolve().parent.parent
ANA = Identity(bytes(range(32)))


def note(number: int) -> bytes:
    text = frame(Note(text=str(number)), author=ANA.public.hex, game="0" * 64, parents=("1" * 64,), seq=number + 1)
    return sign(text, ANA).data


LINES = [note(number) for number in range(4)]
ONE, TWO, THREE, FOUR = LINES


def whole(*lines: bytes) -> bytes:
    return b"".join(line + b"\n" for line in lines)


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sync nothing here: when it is done is held elsewhere, and a disk takes its time."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return tmp_path / "friday.jsonl"


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_lines_are_appended_as_they_are(game: Path) -> None:
    create(str(game), [ONE])
    assert append(str(game), [TWO, THREE]) is None
    assert append(str(game), []) is None
    assert game.read_bytes() == whole(ONE, TWO, THREE)
    assert lines_of(game.read_bytes()) == [ONE, TWO, THREE]
    assert names(game.parent) == [game.name]


def test_a_missing_file_is_made_whole(game: Path) -> None:
    append(str(game), [ONE, TWO])
    assert game.read_bytes() == whole(ONE, TWO)


def test_an_existing_file_is_not_made_again(game: Path) -> None:
    create(str(game), [ONE])
    with pytest.raises(StoreError, match="exists already"):
        create(str(game), [TWO])
    assert game.read_bytes() == whole(ONE)


def test_a_file_that_another_process_makes_meanwhile_is_appended_to(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(str(game), [ONE])
    lexists = os.path.lexists
    answers = [False]
    monkeypatch.setattr(os.path, "lexists", lambda path: answers.pop() if answers else lexists(path))
    append(str(game), [TWO])
    assert game.read_bytes() == whole(ONE, TWO)


def test_a_file_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "missing" / "a", tmp_path / "file" / "a"):
        with pytest.raises(StoreError, match=r"does not exist|no directory"):
            append(str(path), [ONE])


def test_modes(tmp_path: Path) -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("there are no modes on this system")
    former = os.umask(0o022)
    try:
        append(str(tmp_path / "public"), [ONE])
        append(str(tmp_path / "secret"), [ONE], SECRET)
    finally:
        os.umask(former)
    assert (tmp_path / "public").stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("cut", [*range(1, 40, 3), *range(40, len(TWO), 29), len(TWO) - 1])
def test_the_beginning_of_a_line_is_moved_aside(game: Path, cut: int) -> None:
    torn = TWO[:cut]
    game.write_bytes(whole(ONE) + torn)
    assert lines_of(game.read_bytes()) == [ONE]
    told = append(str(game), [THREE])
    assert told == Torn(size=cut, place=f"{game}.torn")
    assert game.read_bytes() == whole(ONE, THREE)
    assert (game.parent / "friday.jsonl.torn").read_bytes() == torn + b"\n"


def test_every_cut_of_the_first_line_is_repaired(game: Path) -> None:
    for cut in range(1, len(ONE)):
        game.write_bytes(ONE[:cut])
        append(str(game), [TWO])
        assert game.read_bytes() == whole(TWO)
    aside = (game.parent / "friday.jsonl.torn").read_bytes()
    assert aside == b"".join(ONE[:cut] + b"\n" for cut in range(1, len(ONE)))


@pytest.mark.parametrize("end", [b"", b"\r"])
def test_a_whole_line_without_its_newline_stays(game: Path, end: bytes) -> None:
    game.write_bytes(whole(ONE) + TWO + end)
    assert lines_of(game.read_bytes()) == [ONE, TWO]
    assert append(str(game), [THREE]) is None
    assert lines_of(game.read_bytes()) == [ONE, TWO, THREE]
    assert names(game.parent) == [game.name]


@pytest.mark.parametrize(
    "tail",
    [
        pytest.param(b"a text by hand", id="no beginning of a line"),
        pytest.param(b"\0\0\0\0", id="zeros"),
        pytest.param(b"\xef\xbb\xbf" + ONE, id="byte order mark"),
        pytest.param(b'{"entry":' + b"x" * LARGEST, id="too long for a line"),
        pytest.param(b"x" * 5 * LARGEST, id="much too long for a line"),
    ],
)
def test_what_no_crash_of_ours_left_stays(game: Path, tail: bytes) -> None:
    game.write_bytes(whole(ONE) + tail)
    assert append(str(game), [TWO]) is None
    assert game.read_bytes() == whole(ONE, tail, TWO)
    assert names(game.parent) == [game.name]


@pytest.mark.parametrize("bad", [ONE[:50], ONE.replace(b"seq", b"sec"), b"{}", b"\0", b"", ONE[:-2] + b'X"}'])
def test_a_complete_line_is_never_dropped(game: Path, bad: bytes) -> None:
    before = whole(ONE, bad)
    game.write_bytes(before)
    assert append(str(game), [TWO]) is None
    assert game.read_bytes() == before + whole(TWO)


def test_links_are_refused_and_hard_links_keep_what_they_have(game: Path) -> None:
    victim = game.parent / "victim"
    victim.write_bytes(whole(ONE))
    game.symlink_to(victim)
    uses: list[Callable[[], object]] = [lambda: append(str(game), [TWO]), lambda: create(str(game), [TWO])]
    for use in uses:
        with pytest.raises(StoreError):
            use()
    game.unlink()
    game.symlink_to(game.parent / "nothing")
    for use in uses:
        with pytest.raises(StoreError):
            use()
    game.unlink()
    assert names(game.parent) == ["victim"]
    os.link(victim, game)
    append(str(game), [TWO])
    assert victim.read_bytes() == whole(ONE)
    assert game.read_bytes() == whole(ONE, TWO)


def test_a_torn_end_of_a_hard_link_is_repaired_in_the_copy(game: Path) -> None:
    backup = game.parent / "backup"
    backup.write_bytes(whole(ONE) + TWO[:30])
    os.link(backup, game)
    told = append(str(game), [THREE])
    assert told is not None
    assert backup.read_bytes() == whole(ONE) + TWO[:30]
    assert game.read_bytes() == whole(ONE, THREE)


def test_a_torn_end_is_not_moved_through_a_link(game: Path) -> None:
    victim = game.parent / "victim"
    victim.write_bytes(b"victim")
    (game.parent / "friday.jsonl.torn").symlink_to(victim)
    game.write_bytes(whole(ONE) + TWO[:30])
    with pytest.raises(StoreError, match="symbolic link"):
        append(str(game), [THREE])
    assert victim.read_bytes() == b"victim"
    assert game.read_bytes() == whole(ONE) + TWO[:30]


@pytest.mark.parametrize("code", FAILURES)
@pytest.mark.parametrize("before", [whole(ONE), whole(ONE) + TWO[:40], whole(ONE) + TWO, None])
def test_whatever_fails_no_line_is_half_written(tmp_path: Path, before: bytes | None, code: int) -> None:
    for at in range(1, 60):
        game = tmp_path / f"{at}.jsonl"
        if before is not None:
            game.write_bytes(before)
        said = None
        with failing(code, at=at) as failed:
            try:
                append(str(game), [THREE, FOUR])
            except StoreError as error:
                said = str(error)
        lines = lines_of(game.read_bytes()) if game.exists() else []
        old = [] if before is None else lines_of(before)
        new = lines[len(old) :]
        assert lines[: len(old)] == old
        assert new in ([], [THREE, FOUR])
        assert said is None or "\n" not in said
        assert said is not None or new
        if not failed:
            return
    pytest.fail("there was no end")


@pytest.mark.parametrize("before", [whole(ONE), whole(ONE) + TWO[:40], whole(ONE) + TWO, None])
def test_killed_at_any_point_the_next_append_repairs(game: Path, before: bytes | None) -> None:
    def start() -> None:
        game.unlink(missing_ok=True)
        if before is not None:
            game.write_bytes(before)

    def act(show: Show) -> None:
        append(str(game), [THREE])
        show(b"done")

    def check(shown: list[bytes]) -> None:
        old = [] if before is None else lines_of(before)
        append(str(game), [FOUR])
        data = game.read_bytes()
        assert data.endswith(b"\n")
        assert lines_of(data) in ([*old, THREE, FOUR], [*old, FOUR])
        assert not shown or THREE in lines_of(data)

    every_death(act, check, start)


def test_twenty_writers_lose_nothing(game: Path) -> None:
    script = (
        "import json, sys\n"
        "from hiddenagenda.edge.tables import append\n"
        "for line in json.loads(sys.stdin.readline()):\n"
        "    append(sys.argv[1], [line.encode()])\n"
    )
    lines = [[note(writer * 10 + number) for number in range(10)] for writer in range(20)]
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(game)], stdin=subprocess.PIPE, cwd=ROOT) for _ in lines
    ]
    for process, own in zip(running, lines, strict=True):
        assert process.stdin is not None
        process.stdin.write(json.dumps([line.decode() for line in own]).encode() + b"\n")
        process.stdin.close()
    assert [process.wait() for process in running] == [0] * 20
    found = lines_of(game.read_bytes())
    assert sorted(found) == sorted(line for own in lines for line in own)
    for own in lines:
        assert [line for line in found if line in own] == own
    assert names(game.parent) == [game.name]


def test_a_writer_that_is_killed_keeps_nobody_out(game: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "from hiddenagenda.edge.lock import locked\n"
        "with locked(sys.argv[1]) as descriptor:\n"
        "    os.write(descriptor, bytes.fromhex(sys.argv[2]))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    if os.name != "posix":
        pytest.skip("processes cannot be killed so here")
    create(str(game), [ONE])
    done = subprocess.run([sys.executable, "-c", script, str(game), TWO[:77].hex()], cwd=ROOT, check=False)
    assert done.returncode == -9
    told = append(str(game), [THREE])
    assert told is not None
    assert told.size == 77
    assert game.read_bytes() == whole(ONE, THREE)


def test_a_writer_without_lock_is_not_overwritten(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create(str(game), [ONE])
    write = os.write

    def intrude(descriptor: int, data: bytes) -> int:
        monkeypatch.setattr(os, "write", write)
        with game.open("ab") as file:
            file.write(whole(TWO))
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", intrude)
    append(str(game), [THREE])
    assert lines_of(game.read_bytes()) == [ONE, TWO, THREE]
