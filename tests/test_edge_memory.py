"""What a client remembers: one seat for one table, one history for one game, whenever the machine dies."""

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from crashes import FAILURES, Show, every_death, failing

from hiddenagenda.edge import lock
from hiddenagenda.edge import memory as memory_module
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.memory import GameState, Memory
from hiddenagenda.edge.tables import append, lines_of
from hiddenagenda.entry import Body, Commit, Note, Seal, frame
from hiddenagenda.faults import IllegalMove, Malformed
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line, read_line, sign
from hiddenagenda.seat import Seat
from hiddenagenda.slip import Salt, Slip
from hiddenagenda.table import Table

ROOT = Path(__file__).resolve().parent.parent
ANA = Identity(bytes(range(32)))
BEN = Identity(bytes(range(1, 33)))
KEY = ANA.public.hex


def seat(nonce: int = 1, *, who: Identity = ANA, name: str = "Ana") -> Seat:
    return Seat(key=who.public.hex, name=name, nonce=f"{nonce:064x}")


MINE, THEIRS = seat(), seat(9, who=BEN, name="Ben")
TABLE = sign(
    frame(Table(edition="2025-09", label="friday", players=(MINE, THEIRS), priority="declared"), author=KEY), ANA
)
GAME = TABLE.id


def say(body: Body, seq: int, *, who: Identity = ANA, game: str = GAME) -> Line:
    return sign(frame(body, author=who.public.hex, game=game, parents=(GAME,), seq=seq), who)


def note(text: str, seq: int, **further: Identity | str) -> Line:
    return say(Note(text=text), seq, **further)  # type: ignore[arg-type]


def commit(seq: int, digit: str = "0") -> Line:
    return say(Commit(commitments=(digit * 64,)), seq)


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sync nothing here: when it is done is held elsewhere, and a disk takes its time."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(str(tmp_path / "home"))


@pytest.fixture
def state(memory: Memory) -> GameState:
    """The state of a game whose seat is taken."""
    memory.remember_seat(MINE)
    memory.take_seat([THEIRS, MINE], KEY, GAME)
    return memory.game(GAME)


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises((IllegalMove, StoreError)) as caught:
        action()
    assert "\n" not in str(caught.value)
    return caught.value.code


def test_seats_are_remembered(memory: Memory) -> None:
    assert memory.seats() == ()
    memory.remember_seat(MINE)
    memory.remember_seat(MINE)
    memory.remember_seat(seat(0))
    assert [(one.seat, one.table) for one in memory.seats()] == [(seat(0), None), (MINE, None)]
    assert code_of(lambda: memory.remember_seat(seat(name="Other"))) == "used-nonce"


def test_which_seats_at_a_table_are_mine(memory: Memory) -> None:
    assert memory.seated([THEIRS, MINE]) == ()
    memory.remember_seat(MINE)
    assert memory.seated([THEIRS, MINE]) == (MINE,)
    assert memory.seated([seat(name="Anna"), seat(1, who=BEN)]) == (), "altered, or another's with my number"


def test_a_seat_that_is_taken_is_not_written_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember_seat(MINE)
    memory.take_seat([MINE], KEY, GAME)
    monkeypatch.setattr(memory_module, "replace_file", None)
    assert memory.take_seat([MINE], KEY, GAME) == MINE
    os.unlink(memory.game(GAME).seat_path(KEY))  # noqa: PTH108 - paths are texts there
    with pytest.raises(TypeError):
        memory.take_seat([MINE], KEY, GAME)


def test_a_seat_is_taken_for_one_table(memory: Memory) -> None:
    memory.remember_seat(MINE)
    assert memory.take_seat([THEIRS, MINE], KEY, GAME) == MINE
    assert memory.take_seat([MINE], KEY, GAME) == MINE
    assert memory.seats()[0].table is None
    memory.game(GAME).store_signed(TABLE)
    assert memory.seats()[0].table == GAME
    assert memory.take_seat([MINE], KEY, GAME) == MINE
    assert code_of(lambda: memory.take_seat([MINE], KEY, "1" * 64)) == "used-seat"


def test_a_seat_from_which_nothing_was_signed_is_free_again(memory: Memory) -> None:
    memory.remember_seat(MINE)
    memory.take_seat([MINE], KEY, "1" * 64)
    memory.take_seat([MINE], KEY, GAME)
    assert code_of(lambda: memory.game("1" * 64).store_signed(note("", 1, game="1" * 64))) == "not-seated"
    memory.game(GAME).store_signed(TABLE)


def test_foreign_and_altered_seats_are_refused(memory: Memory) -> None:
    assert code_of(lambda: memory.take_seat([MINE], KEY, GAME)) == "foreign-seat"
    memory.remember_seat(MINE)
    assert code_of(lambda: memory.take_seat([seat(name="Anna")], KEY, GAME)) == "altered-seat"
    assert code_of(lambda: memory.take_seat([THEIRS], KEY, GAME)) == "not-seated"
    assert code_of(lambda: memory.take_seat([seat(2)], KEY, GAME)) == "foreign-seat"
    assert not memory.game(GAME).has_signed()


@pytest.mark.parametrize("table", ["", "../../x", "A" * 64, "0" * 63, "CON"])
def test_names_of_files_come_from_hex_alone(memory: Memory, table: str) -> None:
    with pytest.raises(Malformed, match="64 lower-case hex digits"):
        memory.game(table)


def test_damaged_seats_are_named(memory: Memory, tmp_path: Path) -> None:
    memory.remember_seat(MINE)
    (tmp_path / "home" / "seats" / "note.txt").write_bytes(b"")
    path = tmp_path / "home" / "seats" / f"{MINE.nonce}.json"
    path.write_bytes(b"{}")
    assert code_of(memory.seats) == "seat-damaged"
    assert code_of(lambda: memory.take_seat([MINE], KEY, GAME)) == "seat-damaged"


def test_lines_are_stored_in_their_order(state: GameState) -> None:
    assert state.own_lines() == ()
    assert not state.has_signed()
    lines = [TABLE, commit(2), say(Seal(), 3), note("x", 4)]
    for line in lines:
        state.store_signed(line)
        state.store_signed(line)
    assert state.own_lines() == tuple(lines)
    assert state.missing_from({TABLE.id, lines[2].id}) == (lines[1], lines[3])


def test_the_stored_bytes_are_those_that_were_signed(state: GameState) -> None:
    state.store_signed(TABLE)
    assert [line.data for line in state.own_lines()] == [TABLE.data]
    assert (Path(state.directory) / "sent.jsonl").read_bytes() == TABLE.data + b"\n"


def test_a_line_is_on_the_disk_when_it_may_be_sent(state: GameState, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(state.directory) / "sent.jsonl"
    synced: list[bytes] = []

    def fsync(descriptor: int) -> None:
        if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
            synced.append(path.read_bytes())
        elif os.path.samestat(os.fstat(descriptor), path.parent.stat()):
            synced.append(b"directory")

    monkeypatch.setattr(os, "fsync", fsync)
    state.store_signed(TABLE)
    assert synced[-1] == b"directory"
    second = note("", 2)
    state.store_signed(second)
    assert TABLE.data + b"\n" + second.data + b"\n" in synced


@pytest.mark.parametrize("seq", [1, 2, 4, 5])
def test_a_second_history_is_not_stored(state: GameState, seq: int) -> None:
    state.store_signed(TABLE)
    state.store_signed(note("first", 2))
    assert code_of(lambda: state.store_signed(note("second", seq))) == "own-seq"
    assert len(state.own_lines()) == 2


def test_nothing_comes_between_the_check_and_the_line(
    tmp_path: Path, state: GameState, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[str] = []

    def intrude(path: str, lines: list[bytes], mode: int) -> None:
        if not codes:
            other = Memory(str(tmp_path / "home")).game(GAME)
            codes.append(code_of(lambda: other.store_signed(note("at once", 1))))
        append(path, lines, mode)

    monkeypatch.setattr(lock, "PATIENCE", 0.0)
    monkeypatch.setattr(memory_module, "append", intrude)
    state.store_signed(TABLE)
    assert codes == ["etimedout"]
    assert state.own_lines() == (TABLE,)


def test_there_is_one_commit_and_one_seal(state: GameState) -> None:
    for line in (TABLE, commit(2), say(Seal(), 3)):
        state.store_signed(line)
    assert code_of(lambda: state.store_signed(commit(4, "1"))) == "second-commit"
    assert code_of(lambda: state.store_signed(say(Seal(), 4))) == "second-seal"
    state.store_signed(note("", 4))


def test_nothing_is_stored_without_a_seat(memory: Memory, state: GameState) -> None:
    for line in (note("", 1, who=BEN), note("", 1, game="1" * 64)):
        assert code_of(lambda line=line: state.store_signed(line)) == "not-seated"  # type: ignore[misc]
    assert code_of(lambda: memory.game("1" * 64).store_signed(TABLE)) == "not-seated"
    assert not state.has_signed()


def test_two_seats_of_one_player_have_histories_of_their_own(memory: Memory, state: GameState) -> None:
    memory.remember_seat(THEIRS)
    memory.take_seat([MINE, THEIRS], THEIRS.key, GAME)
    state.store_signed(TABLE)
    state.store_signed(note("", 1, who=BEN))
    state.store_signed(note("", 2))
    assert [(line.entry.author, line.entry.seq) for line in state.own_lines()] == [(KEY, 1), (THEIRS.key, 1), (KEY, 2)]


def test_a_second_device_shows(state: GameState) -> None:
    state.store_signed(TABLE)
    elsewhere = note("from elsewhere", 2)
    foreign = note("", 1, who=BEN)
    assert state.unknown([TABLE, elsewhere, foreign], KEY) == (elsewhere,)
    state.adopt(elsewhere)
    state.adopt(elsewhere)
    assert state.unknown([TABLE, elsewhere, foreign], KEY) == ()
    assert state.own_lines() == (TABLE, elsewhere)
    state.store_signed(note("", 3))
    assert code_of(lambda: state.adopt(note("fork", 3))) == "forked"
    assert len(state.own_lines()) == 3


def test_a_restored_backup_shows_and_can_be_mended(tmp_path: Path, state: GameState) -> None:
    lines = [TABLE, commit(2), say(Seal(), 3)]
    for line in lines:
        state.store_signed(line)
    (Path(state.directory) / "sent.jsonl").unlink()
    assert state.unknown(lines, KEY) == tuple(lines)
    for line in reversed(lines):
        state.adopt(line)
    assert code_of(lambda: state.store_signed(commit(4))) == "second-commit"
    assert {line.entry.seq for line in state.own_lines()} == {1, 2, 3}


def test_lines_can_be_adopted_before_there_is_a_state(memory: Memory) -> None:
    memory.game(GAME).adopt(TABLE)
    assert memory.game(GAME).own_lines() == (TABLE,)


def test_damaged_memory_signs_nothing(state: GameState) -> None:
    for line in (TABLE, note("x", 2), note("y", 3)):
        state.store_signed(line)
    path = Path(state.directory) / "sent.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"text":"x"', b'"texd":"x"'))
    with pytest.raises(StoreError, match=r"line 2 of .* is damaged") as caught:
        state.store_signed(note("z", 4))
    assert caught.value.code == "memory-damaged"


def test_slips_of_the_game_lie_with_it(state: GameState, tmp_path: Path) -> None:
    slip = Slip(conspiracy="x", game=GAME, names=("n",), player=KEY, salt=Salt(b"\7" * 32), slot=1)
    commitment = state.slips.keep_derived(slip)
    assert (tmp_path / "home" / "games" / GAME / "slips" / f"{commitment.hex}.slip").exists()


def test_everything_is_private_whatever_the_umask(tmp_path: Path) -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("there are no modes on this system")
    former = os.umask(0)
    try:
        memory = Memory(str(tmp_path / "home"))
        memory.remember_seat(MINE)
        memory.take_seat([MINE], KEY, GAME)
        memory.game(GAME).store_signed(TABLE)
    finally:
        os.umask(former)
    paths = [tmp_path / "home", *(tmp_path / "home").rglob("*")]
    assert len(paths) > 8
    for path in paths:
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600)


class Client:
    """A simple client, which signs something else at every attempt; what it shows, others have."""

    attempts = itertools.count()

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.file = str(directory / "friday.jsonl")
        self.memory = Memory(str(directory / "home"))

    def play(self, show: Show, attempt: int | None = None) -> None:
        self.memory.remember_seat(MINE)
        self.memory.take_seat([MINE, THEIRS], KEY, GAME)
        state = self.memory.game(GAME)
        held = {line.id for line in self.held()}
        lacking = [line.data for line in state.missing_from(held)]
        if lacking:
            append(self.file, lacking)
        seq = len(state.own_lines()) + 1
        types = {line.entry.type for line in state.own_lines()}
        chance = f"{next(self.attempts) if attempt is None else attempt:064x}"
        if "commit" not in types:
            line = say(Commit(commitments=(chance,)), seq)
        elif "seal" not in types:
            line = sign(frame(Seal(), author=KEY, game=GAME, parents=(chance,), seq=seq), ANA)
        else:
            line = note(chance, seq)
        state.store_signed(line)
        show(line.data)
        append(self.file, [line.data])

    def held(self) -> list[Line]:
        if not Path(self.file).exists():
            return []
        return [read_line(data) for data in lines_of(Path(self.file).read_bytes())]

    def check(self, shown: list[bytes]) -> None:
        """Hold that others never saw two histories, and that everything they saw is known."""
        public = {line.id: line for line in [*map(read_line, shown), *self.held()]}.values()
        places = [line.entry.seq for line in public]
        assert len(places) == len(set(places)), "the client forked itself"
        for once in ("commit", "seal"):
            assert [line.entry.type for line in public].count(once) <= 1
        known = self.memory.game(GAME).own_lines()
        assert {line.id for line in public} <= {line.id for line in known}
        assert [line.entry.seq for line in known] == list(range(1, len(known) + 1))
        assert self.memory.game(GAME).unknown(list(public), KEY) == ()


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_killed_at_any_point_a_client_never_forks_itself(tmp_path: Path, moves: int) -> None:
    numbers = itertools.count()
    tries = itertools.count(10**6)
    client = Client(tmp_path)

    def start() -> None:
        nonlocal client
        directory = tmp_path / str(next(numbers))
        directory.mkdir()
        client = Client(directory)
        for _ in range(moves):
            client.play(lambda data: None)

    def check(shown: list[bytes]) -> None:
        client.check(shown)
        for _ in range(2):
            client.play(shown.append)
        client.check(shown)
        held = {line.id for line in client.held()}
        assert {read_line(data).id for data in shown} <= held

    def act(show: Show) -> None:
        client.play(show, attempt=next(tries))

    assert every_death(act, check, start) > 15


@pytest.mark.parametrize("code", FAILURES)
def test_whatever_fails_a_client_never_forks_itself(tmp_path: Path, code: int) -> None:
    shown: list[bytes] = []
    for at in range(1, 120):
        client = Client(tmp_path / str(at))
        client.directory.mkdir()
        shown = []
        client.play(shown.append)
        with failing(code, at=at) as failed:
            try:
                client.play(shown.append)
            except StoreError as error:
                line = str(error)
                assert "\n" not in line
        client.check(shown)
        for _ in range(2):
            client.play(shown.append)
        client.check(shown)
        if not failed:
            return
    pytest.fail("there was no end")


def test_two_processes_of_one_player_make_one_history(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "sys.path[:0] = ['tests']\n"
        "from pathlib import Path\n"
        "from test_edge_memory import Client\n"
        "from hiddenagenda.faults import IllegalMove\n"
        "client = Client(Path(sys.argv[1]))\n"
        "done = 0\n"
        "while done < 6:\n"
        "    try:\n"
        "        client.play(lambda data: print(data.decode()), attempt=int(sys.argv[2]) * 10**6 + done)\n"
        "        done += 1\n"
        "    except IllegalMove as error:\n"
        "        assert error.code in {'own-seq', 'second-commit', 'second-seal'}, error.code\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(number)], stdout=subprocess.PIPE, cwd=ROOT)
        for number in range(3)
    ]
    shown = [line for process in running for line in process.communicate()[0].splitlines()]
    assert [process.returncode for process in running] == [0] * 3
    client = Client(tmp_path)
    client.check(shown)
    assert len(shown) == len(client.memory.game(GAME).own_lines()) == 18
