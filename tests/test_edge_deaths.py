"""A client that dies at any call of the system, or whose disk fails there: what others have seen stays one history."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from crashes import FAILURES, Show, every_death, failing
from devices import BEARS, CROW, Person, sit_down, table_of

from hiddenagenda.edge.client import set_table, slips_at
from hiddenagenda.edge.files import StoreError
from hiddenagenda.entry import Commit, Note
from hiddenagenda.faults import IllegalMove
from hiddenagenda.line import read_line
from hiddenagenda.player import new_seat, shown
from hiddenagenda.record import read_record


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sync nothing here: that it is done before anything is shown is held elsewhere, and a disk takes its time."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


class Mortal:
    """Ana, who is at one step of a game and dies somewhere in it; then she does it again."""

    def __init__(self, place: Path, do: Callable[[Person, Show], None], *, has_committed: bool = False) -> None:
        self.place = place
        self.do = do
        self.has_committed = has_committed
        self.round = 0

    def start(self) -> None:
        self.round += 1
        room = self.place / str(self.round)
        room.mkdir()
        self.ana, self.ben = sit_down(room)
        self.ben.client().commit([])
        if self.has_committed:
            self.ana.client().commit([])
        self.ana.take(self.ben.file())

    def act(self, show: Show) -> None:
        self.do(self.ana, show)

    def check(self, seen_before: list[bytes]) -> None:
        """Do it again after the death: what others have seen then is one history, and every slip of it can be shown."""
        again: list[bytes] = []
        self.do(self.ana, again.append)
        seen = {line.id: line for line in map(read_line, seen_before + again)}.values()
        places = [line.entry.seq for line in seen]
        assert len(places) == len(set(places)), "it forked itself"
        assert [line.entry.seq for line in self.ana.sent] == list(range(1, len(self.ana.sent) + 1))
        assert {line.id for line in seen} <= {line.id for line in self.ana.sent}
        ids = set(self.ana.transcript.graph.index)
        assert {line.id for line in seen} <= ids
        for line in self.ana.sent:
            if isinstance(line.entry.body, Commit):
                slips = {slip.slot: slip for slip in slips_at(self.ana.home, self.ana.path)}
                assert [shown(slips[slot]).digest for slot in sorted(slips)] == list(line.entry.body.commitments)


def commit_one(ana: Person, show: Show) -> None:
    show(ana.client().commit([BEARS]).line.data)


def commit_another(ana: Person, show: Show, count: list[int]) -> None:
    """Choose something else at every attempt, as somebody might who thinks that it failed."""
    count[0] += 1
    client = ana.client()
    former = client.said("commit")
    choices = [BEARS] if count[0] % 2 else [CROW, BEARS]
    if former is None:
        show(client.commit(choices).line.data)
    else:
        with suppress(IllegalMove):
            assert client.commit(choices).line == former
        show(former.data)


def write_note(ana: Person, show: Show) -> None:
    show(ana.client().say(Note(text=os.urandom(8).hex())).line.data)


def seal(ana: Person, show: Show) -> None:
    show(ana.client().seal().line.data)


@pytest.mark.parametrize("do", [write_note, seal])
def test_whenever_it_dies_it_sends_the_same_again_and_never_forks(tmp_path: Path, do: Callable[..., None]) -> None:
    mortal = Mortal(tmp_path, do, has_committed=do is seal)
    assert every_death(mortal.act, mortal.check, mortal.start) > 10


def test_whenever_it_dies_there_is_one_commit_whatever_is_chosen_next(tmp_path: Path) -> None:
    count = [0]
    mortal = Mortal(tmp_path, lambda ana, show: commit_another(ana, show, count))
    every_death(mortal.act, mortal.check, mortal.start)


def test_whenever_receiving_dies_nothing_is_lost_and_it_can_be_done_again(tmp_path: Path) -> None:
    ana, ben = Person(tmp_path, "Ana", 1), Person(tmp_path, "Ben", 2)
    table = set_table(ana.home, ana.path, ana.identity, table_of([ana.seat(), ben.seat()]))
    ben.take(table.line)
    old = ben.file()
    for text in "abc":
        ana.client().say(Note(text=text))
    new = ana.file()
    for before in (None, old):

        def start(before: bytes | None = before) -> None:
            Path(ben.path).unlink(missing_ok=True)
            if before is not None:
                Path(ben.path).write_bytes(before)

        def check(seen_before: list[bytes], before: bytes | None = before) -> None:
            if before is not None:
                assert ben.file().startswith(before)
            ben.take(new)
            assert read_record(ben.file()).transcripts[0] == read_record(new).transcripts[0]

        every_death(lambda show: ben.take(new), check, start)


def test_whenever_setting_a_table_dies_another_can_be_set(tmp_path: Path) -> None:
    place = iter(range(10_000))
    ben = Person(tmp_path, "Ben", 2)
    state: dict[str, Person] = {}

    def start() -> None:
        room = tmp_path / str(next(place))
        room.mkdir()
        state["ana"] = Person(room, "Ana", 1)

    def act(show: Show) -> None:
        ana = state["ana"]
        seats = [ana.seat(), new_seat(ben.identity.public, "Ben")]
        show(set_table(ana.home, ana.path, ana.identity, table_of(seats)).line.data)

    def check(seen_before: list[bytes]) -> None:
        ana = state["ana"]
        for data in seen_before:
            assert data in ana.file()
        if not Path(ana.path).exists():
            act(lambda data: None)
        assert ana.client().say(Note(text="")).line.entry.seq == 2

    every_death(act, check, start)


def test_when_the_disk_fails_nothing_is_sent_that_is_not_stored(tmp_path: Path) -> None:
    for code in FAILURES:
        for at in range(1, 200):
            room = tmp_path / f"{code}-{at}"
            room.mkdir()
            mortal = Mortal(room, commit_one)
            mortal.start()
            sent: list[bytes] = []
            with failing(code, at=at) as failed, suppress(StoreError):
                commit_one(mortal.ana, sent.append)
            mortal.check(sent)
            if not failed:
                break
        else:
            raise AssertionError("it never came to an end")
