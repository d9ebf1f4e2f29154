"""One client at a table: signed, stored, appended, sent; and what it does after a crash, a theft of memory, a rival."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from devices import BEARS, CROW, Person, backup, code_of, share, sit_down, start, table_of
from msgspec.structs import replace
from talk import forged

from hiddenagenda.edge.client import (
    Client,
    lacking_elsewhere,
    later_than,
    on_record,
    only_game,
    read_games,
    seated_keys,
    set_table,
    slips_at,
)
from hiddenagenda.edge.exchange import adopt, receive
from hiddenagenda.edge.memory import Memory
from hiddenagenda.entry import Commit, End, Note, Open, frame
from hiddenagenda.faults import HiddenAgendaError, IllegalMove, Malformed, TooLarge
from hiddenagenda.identity import Identity
from hiddenagenda.line import sign
from hiddenagenda.player import new_seat, shown, write_slips
from hiddenagenda.table import Judge, Table
from hiddenagenda.verdict import Phase

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sync nothing here: when it is done is held elsewhere, and a disk takes its time."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def people(tmp_path: Path) -> tuple[Person, Person]:
    """Ana and Ben at a table that Ana has set, with a copy of it each."""
    return sit_down(tmp_path)


@pytest.fixture
def ana(people: tuple[Person, Person]) -> Person:
    return people[0]


@pytest.fixture
def ben(people: tuple[Person, Person]) -> Person:
    return people[1]


# The ordinary game


def test_two_people_set_a_table_commit_and_seal(ana: Person, ben: Person) -> None:
    start(ana, ben)
    assert ana.transcript == ben.transcript
    assert [line.entry.type for line in ana.sent] == ["table", "commit", "seal"]
    assert all(ana.transcript.held)
    client = ana.client()
    assert client.player.phase is Phase.ON
    client.say(Open(slips=(shown(client.slips[1]),), when="turn 1"))
    assert ben.client().lacking_elsewhere() == ben.sent[-1].data + b"\n", "as far as Ana's seal shows"
    ben.take(client.lacking_elsewhere())
    assert len(ben.transcript.graph.nodes) == 6


def test_a_new_file_is_never_an_old_one(ana: Person, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("mine")
    seats = [ana.seat(), new_seat(Identity(b"\3" * 32).public, "Cleo")]
    assert code_of(lambda: set_table(ana.home, str(other), ana.identity, table_of(seats))) == "file-taken"
    assert other.read_text() == "mine"
    set_table(ana.home, str(tmp_path / "new.jsonl"), ana.identity, table_of(seats))


def test_only_who_sits_at_a_table_sets_it(ana: Person, ben: Person, tmp_path: Path) -> None:
    path = str(tmp_path / "x.jsonl")
    seats = [ben.seat(), new_seat(Identity(b"\3" * 32).public, "Cleo")]
    with pytest.raises(HiddenAgendaError):
        set_table(ana.home, path, ana.identity, table_of(seats))
    assert not Path(path).exists()


def test_a_table_with_a_judge_is_read_and_not_joined(tmp_path: Path) -> None:
    ana, ben = Person(tmp_path, "Ana", 1), Person(tmp_path, "Ben", 2)
    judge = Judge(key=Identity(b"\4" * 32).public.hex, name="Judge")
    table = table_of([ana.seat(), ben.seat()], judge=judge)
    assert code_of(lambda: set_table(ana.home, ana.path, ana.identity, table)) == "judge"
    line = sign(frame(table, author=ana.key), ana.identity)
    received = receive(ben.home, ben.path, [line.data])
    assert received.obstacle is not None
    assert received.obstacle.code == "judge"
    assert code_of(ben.client) == "judge"
    assert [seat.table for seat in Memory(ben.home).seats()] == [None], "the seat is still free"


def test_slips_are_on_the_disk_and_one_entry_commits_to_all(ana: Person) -> None:
    said = ana.client().commit([BEARS, CROW, BEARS])
    body = said.line.entry.body
    assert isinstance(body, Commit)
    kept = slips_at(ana.home, ana.path)
    assert [slip.slot for slip in kept] == [1, 2, 3]
    assert [one.names for one in kept] == [("Grizzly Bears",), ("Storm Crow",), ("Grizzly Bears",)]
    assert len(set(body.commitments)) == 3


def test_there_is_one_commit_which_may_be_said_again(ana: Person, ben: Person) -> None:
    first = ana.client().commit([BEARS])
    assert ana.client().commit([BEARS]).line == first.line
    assert code_of(lambda: ana.client().commit([CROW])) == "second-commit"
    assert [slip.names for slip in slips_at(ana.home, ana.path)] == [("Grizzly Bears",)]
    ben.take(ana.file())
    ben.client().commit([])
    share(ana, ben)
    seal = ana.client().seal()
    assert ana.client().seal().line == seal.line
    assert ana.client().said("seal") == seal.line
    assert ana.client().said("end") is None
    assert [line.entry.type for line in ana.sent] == ["table", "commit", "seal"]


def test_a_seal_waits_for_everybody_and_says_for_whom(ana: Person, ben: Person) -> None:
    with pytest.raises(IllegalMove, match="commits of 2 players are not here: Ana, Ben"):
        ana.client().seal()
    ana.client().commit([])
    with pytest.raises(IllegalMove, match="the commit of 1 player is not here: Ben") as caught:
        ana.client().seal()
    assert caught.value.code == "premature-seal"
    assert len(ana.sent) == 2


def test_slips_of_abandoned_choices_do_not_get_in_the_way(ana: Person, ben: Person) -> None:
    """A crash after the slips and before the signature leaves them; others may be chosen then."""
    client = ana.client()
    for slip in write_slips(ana.identity, client.transcript.game, [CROW, CROW]):
        client.state.slips.keep_derived(slip)
    client.commit([BEARS])
    assert {slot: slip.names for slot, slip in ana.client().slips.items()} == {1: ("Grizzly Bears",)}
    assert len(ana.client().state.slips.listing().slips) == 3


def test_who_has_committed_to_nothing_has_no_slip_whatever_was_chosen_before(ana: Person) -> None:
    client = ana.client()
    for slip in write_slips(ana.identity, client.transcript.game, [CROW]):
        client.state.slips.keep_derived(slip)
    assert set(client.slips) == {1}
    client.commit([])
    assert client.slips == {}
    assert slips_at(ana.home, ana.path) == ()


def test_what_somebody_says_in_a_player_s_name_is_no_commit_of_his(ana: Person, ben: Person) -> None:
    said = ana.client().commit([BEARS])
    Path(ben.path).write_bytes(ben.file() + forged(said.line).data + b"\n")
    assert ben.client().player.committed[0].agendas == ()
    ben.take(said.line)
    assert ben.client().player.committed[0].agendas == (1,)


# Whose table it is


def test_nobody_signs_for_another_s_table(ana: Person, ben: Person, tmp_path: Path) -> None:
    cleo = Person(tmp_path, "Cleo", 3)
    cleo.take(ana.file())
    assert code_of(cleo.client) == "not-seated"
    assert seated_keys(cleo.home, cleo.transcript) == []
    assert code_of(lambda: slips_at(cleo.home, cleo.path)) == "foreign-seat"
    assert seated_keys(ben.home, ben.transcript) == [ben.key]


def test_a_second_device_signs_nothing(ana: Person, ben: Person) -> None:
    twin = Person(ana.place, "twin", 1)
    twin.take(ana.file())
    assert code_of(twin.client) == "foreign-seat"
    received = receive(twin.home, twin.path, [ana.file()])
    assert received.obstacle is not None
    assert received.obstacle.code == "foreign-seat"
    assert received.own == ()
    assert code_of(lambda: adopt(twin.home, twin.path)) == "foreign-seat"
    assert not Path(twin.home, "games").exists()


def test_a_seat_is_for_one_table(ana: Person, ben: Person, tmp_path: Path) -> None:
    """A host who makes two tables of the same seats gets one of them signed."""
    ben.client().commit([])
    seats = ben.transcript.table.players
    twin = sign(
        frame(Table(edition="2025-09", label="x", players=seats, priority="declared"), author=ana.key), ana.identity
    )
    path = str(tmp_path / "twin.jsonl")
    receive(ben.home, path, [twin.data])
    assert code_of(lambda: Client(ben.home, path, ben.identity)) == "used-seat"


def test_an_altered_seat_is_refused(ana: Person, ben: Person, tmp_path: Path) -> None:
    ana_seat, ben_seat = ana.transcript.table.players
    table = table_of([ana_seat, replace(ben_seat, name="Benny")])
    path = str(tmp_path / "altered.jsonl")
    receive(ben.home, path, [sign(frame(table, author=ana.key), ana.identity).data])
    assert code_of(lambda: Client(ben.home, path, ben.identity)) == "altered-seat"


# Loss of memory, and rivals


def test_a_restored_backup_is_told_before_it_signs_and_may_take_its_entries_over(ana: Person, ben: Person) -> None:
    ana.client()
    restore = backup(ana)
    start(ana, ben)
    signed = ana.sent
    restore()
    Path(ana.path).write_bytes(signed[0].data + b"\n")
    received = receive(ana.home, ana.path, [ben.file()])
    assert [line.id for line in received.unknown] == [line.id for line in signed[1:]]
    assert code_of(ana.client) == "unknown-own"
    assert [line.id for line in adopt(ana.home, ana.path)] == [line.id for line in signed[1:]]
    assert adopt(ana.home, ana.path) == ()
    assert [line.id for line in ana.sent] == [line.id for line in signed]
    assert code_of(lambda: ana.client().commit([CROW])) == "second-commit"
    assert ana.client().say(Note(text="back")).line.entry.seq == 4


def test_a_fork_that_happened_is_not_made_worse(ana: Person, ben: Person) -> None:
    ana.client()
    restore = backup(ana)
    first = ana.client().say(Note(text="one"))
    ben.take(first.line)
    restore()
    Path(ana.path).write_bytes(ana.transcript.graph.nodes[0].data + b"\n")
    ana.client().say(Note(text="other"))
    received = receive(ana.home, ana.path, [ben.file()])
    assert len(received.taken.forks) == 1
    assert [line.id for line in received.unknown] == [first.line.id]
    assert code_of(ana.client) == "unknown-own"
    assert code_of(lambda: adopt(ana.home, ana.path)) == "forked"
    assert code_of(ana.client) == "unknown-own"


def test_nothing_is_signed_over_a_hole_in_the_own_chain(ana: Person, ben: Person) -> None:
    start(ana, ben)
    table = ana.transcript.graph.nodes[0]
    Path(ana.path).write_bytes(table.data + b"\n")
    client = ana.client()
    assert len(client.transcript.dangling) == 1, "its own lines are back, and the commit of Ben is not"
    assert code_of(lambda: client.say(Note(text=""))) == "ungrounded"
    ana.take(ben.file())
    assert ana.client().say(Note(text="")).line.entry.seq == 4


def test_an_own_line_whose_signature_somebody_damaged_is_put_back(ana: Person, ben: Person) -> None:
    said = ana.client().say(Note(text="mine"))
    Path(ana.path).write_bytes(ana.transcript.graph.nodes[0].data + b"\n" + forged(said.line).data + b"\n")
    assert ana.client().say(Note(text="more")).line.entry.seq == 3
    assert said.line.data in ana.file()


def test_what_a_crash_kept_from_the_file_is_put_back_without_a_key(ana: Person, ben: Person) -> None:
    before = ana.file()
    said = ana.client().say(Note(text="mine"))
    Path(ana.path).write_bytes(before)
    assert on_record(ana.home, ana.path).graph.nodes[-1].id == said.line.id
    assert ana.file() == before + said.line.data + b"\n"


def test_two_processes_at_once_make_one_history(ana: Person, ben: Person) -> None:
    one, other = ana.client(), ana.client()
    one.say(Note(text="one"))
    assert code_of(lambda: other.say(Note(text="other"))) == "own-seq"
    assert code_of(lambda: other.say(Note(text="other"))) == "own-seq", "it has to look again first"
    assert ana.client().say(Note(text="other")).line.entry.seq == 3


def test_many_real_processes_make_one_history(ana: Person) -> None:
    code = (
        "import sys; sys.path[:0] = sys.argv[1:2]\n"
        "from hiddenagenda.edge.client import Client\n"
        "from hiddenagenda.entry import Note\n"
        "from hiddenagenda.faults import IllegalMove\n"
        "from hiddenagenda.identity import Identity\n"
        "for number in range(4):\n"
        "    while True:\n"
        "        try:\n"
        "            Client(sys.argv[2], sys.argv[3], Identity(bytes([1]) * 32)).say(Note(text=sys.argv[4]))\n"
        "            break\n"
        "        except IllegalMove as error:\n"
        "            assert error.code in {'own-seq', 'unknown-own'}, error\n"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", code, str(ROOT), ana.home, ana.path, name], stderr=subprocess.PIPE)
        for name in ("a", "b", "c")
    ]
    for worker in workers:
        assert worker.wait(60) == 0, worker.stderr.read() if worker.stderr else ""
        if worker.stderr:
            worker.stderr.close()
    assert [line.entry.seq for line in ana.sent] == list(range(1, 14))
    assert not ana.transcript.forks
    assert not ana.transcript.dangling
    assert len(ana.transcript.graph.nodes) == 13


# What the others may lack


def test_what_an_entry_does_not_rest_on(ana: Person, ben: Person) -> None:
    start(ana, ben)
    nodes = ana.transcript.graph.nodes
    assert later_than(ana.transcript, nodes[-1].id) == b""
    assert later_than(ana.transcript, nodes[0].id[:8]).count(b"\n") == 4
    assert code_of(lambda: later_than(ana.transcript, "00")) == "no-entry"


def test_a_stranger_sends_what_any_player_may_lack(ana: Person, ben: Person) -> None:
    start(ana, ben)
    ben.client().say(End(outcome=""))
    share(ana, ben)
    assert lacking_elsewhere(ana.transcript, ben.key).count(b"\n") == 2, "Ben's seal and end"
    assert lacking_elsewhere(ana.transcript, ana.key) == b""
    assert lacking_elsewhere(ana.transcript, None).count(b"\n") == 2


def test_one_game_is_meant(ana: Person, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    with pytest.raises(Malformed, match="it is empty"):
        only_game(read_games([str(empty)]), path="empty.jsonl")
    empty.write_bytes(b"rubbish\n")
    with pytest.raises(Malformed, match="there is no readable table in") as caught:
        only_game(read_games([str(empty)]), path="empty.jsonl")
    assert caught.value.code == "no-table"
    Person(tmp_path, "Cleo", 3)
    other = str(tmp_path / "other.jsonl")
    set_table(ana.home, other, ana.identity, table_of([ana.seat(), new_seat(Identity(b"\3" * 32).public, "Cleo")]))
    with pytest.raises(Malformed, match="holds 2 games") as caught:
        only_game(read_games([ana.path, other]), path=other)
    assert caught.value.code == "several-games"


def test_a_game_over_its_cap_is_called_so_and_not_empty(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hiddenagenda.transcript.LARGEST", 100)
    with pytest.raises(TooLarge, match="has more bytes than are looked at"):
        only_game(read_games([ana.path]), path=ana.path)


def test_a_torn_tail_is_moved_aside_and_said(ana: Person) -> None:
    with Path(ana.path).open("ab") as file:
        file.write(b'{"entry":{"author":"')
    said = ana.client().say(Note(text="x"))
    assert said.torn is not None
    assert said.torn.size == 20
    assert Path(said.torn.place).read_bytes() == b'{"entry":{"author":"\n'
    assert ana.file().endswith(said.line.data + b"\n")
