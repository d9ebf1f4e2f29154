"""Lines from others, taken in or put together: nothing lost, nothing changed, and everything odd is said."""

import itertools
import os
import random
from pathlib import Path

import pytest
from devices import BEARS, Person, code_of, share, sit_down, start, table_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from talk import Talk, file, forged, key

from hiddenagenda.edge.client import set_table
from hiddenagenda.edge.exchange import Received, merge, receive
from hiddenagenda.entry import Note, frame
from hiddenagenda.faults import TooLarge
from hiddenagenda.graph import Flaw
from hiddenagenda.line import Line, sign
from hiddenagenda.moves import leave
from hiddenagenda.outcome import Outcome
from hiddenagenda.record import read_record
from hiddenagenda.transcript import LARGEST
from hiddenagenda.verifier import judge


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sync nothing here: when it is done is held elsewhere, and a disk takes its time."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


class Copy:
    """The game file of a spectator."""

    def __init__(self, place: Path) -> None:
        self.home = str(place / "home")
        self.path = place / "copy.jsonl"

    def take(self, *given: bytes) -> Received:
        return receive(self.home, str(self.path), given)

    @property
    def data(self) -> bytes:
        return self.path.read_bytes()


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def write(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


# Taking in


def test_a_file_is_made_of_what_was_sent(copy: Copy) -> None:
    talk = Talk(2)
    talk.say("Ben")
    received = copy.take(talk.data)
    assert received.is_new
    assert copy.data == talk.data
    assert [line.id for line in received.taken.new] == [line.id for line in talk.lines]
    assert received.obstacle is not None
    assert received.obstacle.code == "foreign-seat"
    again = copy.take(talk.data)
    assert (again.is_new, again.taken.new) == (False, ())
    assert copy.data == talk.data


def test_what_is_here_stays_as_it_is_and_what_is_new_is_appended(copy: Copy) -> None:
    talk = Talk(2)
    lines = [talk.table, *(talk.say("Ben") for _ in range(5))]
    copy.take(file(lines[:3]))
    before = copy.data
    received = copy.take(file(reversed(lines)), file(lines[4:5]))
    assert copy.data == before + file(lines[3:])
    assert [line.id for line in received.taken.new] == [line.id for line in lines[3:]]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False))
def test_the_order_in_which_lines_come_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    talk = Talk(3)
    for number in range(8):
        talk.say(chance.choice(["Ana", "Ben", "Cleo"]), Note(text=str(number)))
    place = Copy(tmp_path_factory.mktemp("copy"))
    place.take(file([talk.table]))
    lines = talk.lines[1:]
    chance.shuffle(lines)
    while lines:
        count = chance.randint(1, 3)
        place.take(file(lines[:count]))
        lines = lines[count:]
    assert read_record(place.data).transcripts[0] == read_record(talk.data).transcripts[0]


def test_a_line_that_no_signature_covers_is_left_out(copy: Copy) -> None:
    talk = Talk(3)
    copy.take(talk.data)
    damaged = forged(talk.say("Ben"))
    covering = talk.say("Ben", over=[talk.lines[-1]])
    forgery = talk.forge("Cleo", over=[talk.table])
    received = copy.take(file([damaged, forgery]))
    assert {line.id for line in received.taken.uncovered} == {damaged.id, forgery.id}
    assert received.taken.new == ()
    assert copy.data == file([talk.table])
    received = copy.take(file([damaged, covering]))
    assert [line.id for line in received.taken.new] == [damaged.id, covering.id], "the later signature covers both"


def test_a_good_signature_mends_a_bad_one_that_came_first(copy: Copy) -> None:
    talk = Talk(2)
    good = talk.say("Ben")
    copy.take(file([talk.table, forged(good), talk.say("Ben", over=[good])]))
    assert forged(good).data in copy.data
    received = copy.take(good.data)
    assert [line.data for line in received.taken.new] == [good.data]
    assert all(received.taken.transcript.held)
    assert copy.data.endswith(good.data + b"\n")
    assert copy.take(forged(good).data).taken.new == ()


def test_a_dangling_line_is_kept_and_said_with_what_is_missing(copy: Copy) -> None:
    talk = Talk(2)
    lost = talk.say("Ben")
    late = talk.say("Ben", over=[lost])
    received = copy.take(file([talk.table, late]))
    (dangling,) = received.taken.dangling
    assert (dangling.flaw, dangling.missing) == (Flaw.ABSENT, (lost.id,))
    assert late.data in copy.data
    received = copy.take(lost.data)
    assert received.taken.dangling == ()
    assert len(received.taken.transcript.graph.nodes) == 3


def test_nobody_but_those_at_the_table_gets_a_line_in(copy: Copy) -> None:
    talk = Talk(2)
    copy.take(talk.data)
    stranger = talk.say("Cleo", over=[talk.table])
    received = copy.take(stranger.data)
    assert [line.id for line in received.taken.uncovered] == [stranger.id]
    assert received.taken.dangling == ()
    assert copy.data == file([talk.table])


def test_forks_are_said_once(copy: Copy) -> None:
    talk = Talk(2)
    one = talk.say("Ben")
    copy.take(talk.data)
    other = talk.say("Ben", over=[talk.table], seq=1)
    received = copy.take(other.data)
    assert [(fork.author, fork.seq) for fork in received.taken.forks] == [(key("Ben"), 1)]
    third = talk.say("Ben", over=[talk.table], seq=1)
    assert copy.take(third.data).taken.forks == ()
    assert {one.data, other.data, third.data} <= set(copy.data.splitlines())


def test_lines_of_other_games_are_left_out_and_counted(copy: Copy) -> None:
    talk, other = Talk(2), Talk(2, label="other")
    copy.take(talk.data)
    mine, theirs = talk.say("Ben"), other.say("Ben")
    received = copy.take(mine.data, file([theirs]))
    assert received.strangers == 1
    received = copy.take(other.data)
    assert received.strangers == 2
    assert copy.data == talk.data


def test_unreadable_lines_are_said_and_not_kept(copy: Copy) -> None:
    talk = Talk(2)
    received = copy.take(b"rubbish\n" + talk.data + b'{"entry":{}}\n')
    assert [aside.number for aside in received.unreadable] == [1, 3]
    assert copy.data == talk.data


def test_a_new_file_needs_one_table_that_its_author_signed(copy: Copy) -> None:
    talk = Talk(2)
    ben = talk.say("Ben")
    assert code_of(lambda: copy.take(ben.data)) == "no-table"
    assert code_of(lambda: copy.take(b"")) == "no-table"
    assert code_of(lambda: copy.take(talk.data, Talk(2, label="other").data)) == "several-games"
    assert code_of(lambda: copy.take(forged(talk.table).data)) == "no-table"
    assert not copy.path.exists()


def test_a_game_that_would_grow_too_large_is_left_as_it_is(copy: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk(2)
    copy.take(talk.data)
    monkeypatch.setattr("hiddenagenda.transcript.LARGEST", 4000)
    flood = [talk.say("Ben", Note(text="x" * 500)) for _ in range(6)]
    with pytest.raises(TooLarge, match="larger than a game may be"):
        copy.take(file(flood))
    assert copy.data == file([talk.table])
    copy.take(flood[0].data)
    assert LARGEST == 64 * 2**20


def test_a_flood_leaves_a_player_room_to_end_the_own_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, ben = sit_down(tmp_path)
    start(ana, ben)
    monkeypatch.setattr("hiddenagenda.transcript.LARGEST", cap := 100_000)
    flood: list[Line] = []
    size = len(ana.file())
    while size <= cap - 1000:
        flood.append(ben.client().say(Note(text=f"{len(flood)}" + "ü" * 490)).line)
        size += len(flood[-1].data)
    with pytest.raises(TooLarge, match="larger than a game may be"):
        ana.take(*flood)
    while len(ana.file()) + len(flood[0].data) < cap - cap // 64:
        ana.take(flood.pop(0))
    client = ana.client()
    client.say(leave(client.player, client.slips, why="flooded"))
    assert judge(ana.transcript).players[0].standing is Outcome.KEPT


@pytest.mark.parametrize(
    "bomb",
    [
        b'{"entry":' + b"[" * 100_000,
        b'{"entry":' + b"[" * 30_000 + b"]" * 30_000 + b',"signature":"' + b"0" * 128 + b'"}',
        b'{"entry":{"author":' + b"9" * 5_000 + b'},"signature":"' + b"0" * 128 + b'"}',
        b"x" * (64 * 1024 + 1),
        b"\0" * 200_000,
        b'{"entry":{"a":"\xff"},"signature":"' + b"0" * 128 + b'"}',
    ],
)
def test_deep_huge_and_broken_lines_do_no_harm(copy: Copy, bomb: bytes) -> None:
    talk = Talk(2)
    received = copy.take(bomb + b"\n" + talk.data)
    assert len(received.unreadable) == 1
    assert copy.data == talk.data


def test_a_file_with_own_lines_that_are_lost_gets_them_back(tmp_path: Path) -> None:
    ana, ben = sit_down(tmp_path)
    start(ana, ben)
    Path(ana.path).unlink()
    received = receive(ana.home, ana.path, [ben.transcript.graph.nodes[0].data])
    assert received.own == (ana.key,)
    assert received.obstacle is None
    assert {line.id for line in ana.sent} <= set(ana.transcript.graph.index) | {
        one.line.id for one in ana.transcript.dangling
    }


def test_alike_names_are_told_when_a_table_comes(tmp_path: Path) -> None:
    ana, twin = Person(tmp_path, "Ana", 1), Person(tmp_path, "ANA", 2)
    line = sign(frame(table_of([ana.seat(), twin.seat()]), author=ana.key), ana.identity)
    received = receive(twin.home, twin.path, [line.data])
    assert received.obstacle is not None
    assert received.obstacle.code == "names-alike"


# Putting together


def test_copies_that_differ_become_one(tmp_path: Path) -> None:
    ana, ben = sit_down(tmp_path)
    start(ana, ben, [BEARS])
    one, other = ana.client().say(Note(text="one")), ben.client().say(Note(text="other"))
    out = tmp_path / "whole.jsonl"
    mine, theirs = merge([ana.path, ben.path], str(out))
    whole = read_record(out.read_bytes()).transcripts[0]
    assert {one.line.id, other.line.id} <= set(whole.graph.index)
    assert len(mine.taken[0].new) == 6
    assert [line.id for line in theirs.taken[0].new] == [other.line.id]
    share(ana, ben)
    assert ana.transcript == whole


def test_the_order_of_copies_does_not_matter(tmp_path: Path) -> None:
    talk = Talk(3)
    for number in range(9):
        talk.say(["Ana", "Ben", "Cleo"][number % 3])
    talk.say("Ben", over=[talk.table], seq=1)
    parts = [write(tmp_path / f"{n}.jsonl", file([talk.table, *talk.lines[n::3]])) for n in range(3)]
    results = set()
    for number, order in enumerate(itertools.permutations(parts)):
        out = tmp_path / f"out{number}.jsonl"
        merge(order, str(out))
        results.add(out.read_bytes())
    assert len(results) == 1
    assert read_record(results.pop()).transcripts[0] == read_record(talk.data).transcripts[0]


def test_what_each_copy_adds_is_said(tmp_path: Path) -> None:
    talk = Talk(2)
    first = talk.say("Ben")
    fork = talk.say("Ben", over=[talk.table], seq=1)
    lost = talk.say("Ana", over=[first])
    late = talk.say("Ana", over=[lost])
    forgery = talk.forge("Ben", over=[fork])
    one = write(tmp_path / "one.jsonl", file([talk.table, first]))
    other = write(tmp_path / "other.jsonl", file([fork, late, forgery]) + b"rubbish\n")
    parts = merge([one, other], str(tmp_path / "out.jsonl"))
    assert [len(part.taken[0].new) for part in parts] == [2, 2]
    taken = parts[1].taken[0]
    assert [fork.seq for fork in taken.forks] == [1]
    assert [one.line.id for one in taken.dangling] == [late.id]
    assert [line.id for line in taken.uncovered] == [forgery.id]
    assert [aside.number for aside in parts[1].unreadable] == [4]


def test_several_games_and_lines_without_a_table_are_kept(tmp_path: Path) -> None:
    talk, other, third = Talk(2), Talk(2, label="other"), Talk(2, label="third")
    stray, forgery = third.say("Ben"), third.forge("Ana")
    paths = [write(tmp_path / "a", talk.data), write(tmp_path / "b", other.data + file([stray, forgery]))]
    out = tmp_path / "out"
    parts = merge(paths, str(out))
    assert [len(part.taken) for part in parts] == [1, 1]
    record = read_record(out.read_bytes())
    assert len(record.transcripts) == 2
    assert [line.id for line in record.strays] == [stray.id]


def test_nothing_is_overwritten_and_nothing_is_made_of_nothing(tmp_path: Path) -> None:
    talk = Talk(2)
    path = write(tmp_path / "a", talk.data)
    assert code_of(lambda: merge([path], path)) == "eexist"
    assert Path(path).read_bytes() == talk.data
    empty = write(tmp_path / "b", b"rubbish\n")
    assert code_of(lambda: merge([empty], str(tmp_path / "c"))) == "no-table"
    assert not (tmp_path / "c").exists()


def test_a_merge_that_grows_too_large_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk(2)
    notes = [talk.say("Ben", Note(text="x" * 500)) for _ in range(6)]
    paths = [
        write(tmp_path / str(number), file([talk.table, *some])) for number, some in enumerate((notes[:3], notes[3:]))
    ]
    monkeypatch.setattr("hiddenagenda.transcript.LARGEST", 4000)
    with pytest.raises(TooLarge):
        merge(paths, str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_table_that_was_set_twice_is_two_games(tmp_path: Path) -> None:
    ana, _ = sit_down(tmp_path)
    cleo = Person(tmp_path, "Cleo", 3)
    other = str(tmp_path / "other.jsonl")
    set_table(ana.home, other, ana.identity, table_of([ana.seat(), cleo.seat()]))
    out = tmp_path / "both.jsonl"
    merge([ana.path, other], str(out))
    record = read_record(out.read_bytes())
    assert len(record.transcripts) == 2
    assert not any(transcript.forks for transcript in record.transcripts)
