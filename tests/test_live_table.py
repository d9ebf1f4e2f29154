"""The client at a live table: what is in the file when, and what it does by itself."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from talk import forged, identity

from hiddenagenda.edge import live as module
from hiddenagenda.edge.client import Client, set_table
from hiddenagenda.edge.exchange import receive
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.live import Entries, LiveTable
from hiddenagenda.edge.memory import Memory
from hiddenagenda.edge.rooms import Room, Rooms, key_of, room_to_host, room_to_join
from hiddenagenda.entry import End, Note, frame
from hiddenagenda.faults import IllegalMove, sentence
from hiddenagenda.frames import Channel, RoomKey
from hiddenagenda.invitation import Invitation
from hiddenagenda.line import Line, sign
from hiddenagenda.moves import leave, turn_up
from hiddenagenda.naming import Choice
from hiddenagenda.player import new_seat
from hiddenagenda.table import Table
from hiddenagenda.verdict import Phase

KEY = RoomKey(bytes(32))
CHOICE = Choice(conspiracy="Muzzio's Preparations", names=("Grizzly Bears",), notices=(), warnings=())


class Two:
    """Ana and Ben, each with a home and a file of the same table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        seats = []
        for name in ("Ana", "Ben"):
            seat = new_seat(identity(name).public, name)
            Memory(self.home(name)).remember_seat(seat)
            seats.append(seat)
        table = Table(edition="2025-09", label="live", players=tuple(seats), priority="declared")
        self.table = set_table(self.home("Ana"), self.path("Ana"), identity("Ana"), table).line
        receive(self.home("Ben"), self.path("Ben"), [self.table.data + b"\n"])
        self.ana, self.ben = self.live("Ana"), self.live("Ben")

    def home(self, name: str) -> str:
        return str(self.folder / name)

    def path(self, name: str) -> str:
        return str(self.folder / f"{name}.jsonl")

    def file(self, name: str) -> bytes:
        return Path(self.path(name)).read_bytes()

    def live(self, name: str) -> LiveTable:
        channel = Channel(KEY, os.urandom(16))
        return LiveTable(self.home(name), self.path(name), identity(name), channel)

    def share(self) -> None:
        """Let each take what the other holds, until nothing is new."""
        for _ in range(3):
            for one, other in ((self.ana, self.ben), (self.ben, self.ana)):
                lines = [line for line in other.gossip.holdings.lines if line.id not in one.gossip.holdings]
                one.gossip.add(lines)
                one.take(lines)
                one.settle()

    def start(self) -> None:
        self.ana.commit([CHOICE])
        self.ben.commit([])
        self.share()


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def phase(table: LiveTable) -> Phase:
    return table.client.player.phase


def test_what_is_said_is_stored_and_in_the_file_before_it_is_sent(two: Two) -> None:
    said = two.ana.say(Note(text="hello"))
    assert two.file("Ana").endswith(said.line.data + b"\n")
    assert said.line in two.ana.client.state.own_lines()
    assert said.line.id in two.ana.gossip.holdings
    assert two.ana.gossip.next_time() < 0


def test_what_cannot_be_stored_is_not_sent(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: str, lines: Sequence[bytes], mode: int = 0) -> None:
        raise StoreError(sentence("the disk is full"), code="enospc")

    monkeypatch.setattr("hiddenagenda.edge.memory.append", full)
    with pytest.raises(StoreError):
        two.ana.say(Note(text="hello"))
    assert len(two.ana.gossip.holdings) == 1


def test_what_arrives_is_in_the_file_before_it_is_told(two: Two) -> None:
    line = two.ben.say(Note(text="hello")).line
    news = two.ana.take([line])
    assert news == Entries(lines=(line,), transcript=two.ana.transcript)
    assert two.file("Ana").endswith(line.data + b"\n")
    assert two.ana.take([line]) is None


def test_what_nobody_signed_stays_out_of_the_file_until_its_author_stands_by_it(two: Two) -> None:
    first, second = (two.ben.say(Note(text=text)).line for text in ("one", "two"))
    before = two.file("Ana")
    assert two.ana.take([forged(first)]) is None
    assert two.file("Ana") == before
    assert two.ana.take([second]) is not None
    assert forged(first).data in two.file("Ana")
    assert two.ana.take([first]) == Entries(lines=(first,), transcript=two.ana.transcript)


def test_all_is_sealed_when_all_have_committed(two: Two) -> None:
    assert two.ana.settle() == ()
    two.ana.commit([CHOICE])
    assert two.ana.settle() == ()
    two.ben.commit([])
    two.share()
    assert (phase(two.ana), phase(two.ben)) == (Phase.ON, Phase.ON)
    assert two.ana.settle() == ()
    assert not two.ana.is_done


def test_what_is_due_is_shown_when_the_others_have_ended(two: Two) -> None:
    two.start()
    two.ana.say(End(outcome="draw"))
    assert two.ana.settle() == ()  # "gg" draws no slip from who says it first
    two.ben.say(End(outcome="draw"))
    two.share()
    assert two.ana.is_done
    assert two.ben.is_done
    assert b'"names":["Grizzly Bears"]' in two.file("Ben")


def test_the_game_is_over_for_who_is_left(two: Two) -> None:
    two.start()
    two.ben.say(leave(two.ben.client.player, two.ben.client.slips, why="must go"))
    two.share()
    assert two.ana.is_done


def test_what_another_program_wrote_is_taken_in(two: Two) -> None:
    two.start()
    client = Client(two.home("Ana"), two.path("Ana"), identity("Ana"))
    line = client.say(turn_up(client.player, client.slips, 1, when="")).line
    news = two.ana.refresh()
    assert news is not None
    assert [one.id for one in news.lines] == [line.id]
    assert line.id in two.ana.gossip.holdings
    assert two.ana.refresh() is None
    assert two.ana.say(Note(text="and on")).line.entry.seq == line.entry.seq + 1


def test_what_another_program_writes_between_is_not_overlooked(two: Two) -> None:
    client = Client(two.home("Ana"), two.path("Ana"), identity("Ana"))
    between = client.say(Note(text="from the command line")).line
    with pytest.raises(IllegalMove):  # what was signed meanwhile is in the memory, and not here yet
        two.ana.say(Note(text="from the prompt"))
    news = two.ana.refresh()
    assert news is not None
    assert [one.id for one in news.lines] == [between.id]
    assert two.ana.say(Note(text="from the prompt")).line.entry.seq == 3


def test_lines_that_came_and_were_written_by_another_program_meanwhile(two: Two) -> None:
    line = two.ben.say(Note(text="hello")).line
    receive(two.home("Ana"), two.path("Ana"), [line.data + b"\n"])
    two.ana.take([line])
    assert two.file("Ana").count(line.data) >= 1
    two.ana.refresh()
    assert two.ana.refresh() is None


def stranger(two: Two) -> Line:
    """Something that Ana's key signed on another device."""
    entry = frame(
        Note(text="elsewhere"), author=identity("Ana").public.hex, game=two.table.id, parents=(two.table.id,), seq=2
    )
    return sign(entry, identity("Ana"))


def test_nothing_is_signed_while_another_device_signs(two: Two) -> None:
    assert two.ana.take([stranger(two)]) is not None
    with pytest.raises(IllegalMove, match="does not know"):
        two.ana.say(Note(text="x"))
    with pytest.raises(IllegalMove, match="does not know"):
        two.ana.commit([])
    with pytest.raises(IllegalMove):
        two.live("Ana")


def test_who_comes_back_has_everything(two: Two) -> None:
    two.start()
    again = two.live("Ben")
    assert again.gossip.holdings.clock == two.ben.gossip.holdings.clock
    assert phase(again) is Phase.ON


def test_the_file_is_left_in_display_order(two: Two) -> None:
    two.start()
    two.ana.say(Note(text="x"))
    two.ben.say(Note(text="y"))
    two.share()
    assert two.file("Ana") != two.file("Ben")
    for table in (two.ana, two.ben):
        table.put_in_order()
    assert two.file("Ana") == two.file("Ben") == two.ana.transcript.write()
    two.ana.put_in_order()


@pytest.mark.parametrize("extra", [b"what is this?\n", b"\n\n# a comment\n"])
def test_a_file_that_holds_more_is_left_alone(two: Two, extra: bytes) -> None:
    two.start()
    two.ben.say(Note(text="y"))
    two.ana.say(Note(text="x"))
    two.share()
    with Path(two.path("Ben")).open("ab") as file:
        file.write(extra)
    before = two.file("Ben")
    two.ben.put_in_order()
    assert two.file("Ben") == before


def test_a_file_that_cannot_be_replaced_is_left_as_it_is(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    two.start()
    two.ana.say(Note(text="x"))
    two.share()

    def refuse(*_: object) -> None:
        raise StoreError(sentence("not here"), code="eacces")

    monkeypatch.setattr(module, "replace_file", refuse)
    before = two.file("Ana")
    two.ana.put_in_order()
    assert two.file("Ana") == before


def room(name: str, *, url: str = "ws://127.0.0.1:7707", game: str | None = None) -> Room:
    return Room(invitation=Invitation(url=url, key=KEY, game=game), seat=new_seat(identity(name).public, name))


def test_rooms_are_remembered_in_secret(tmp_path: Path) -> None:
    rooms = Rooms(str(tmp_path / "home"))
    assert rooms.named(KEY.name) is None
    assert rooms.of_game("ab" * 32) is None
    one = room("Ana")
    rooms.remember(one)
    assert rooms.named(KEY.name) == one
    assert rooms.of_game("ab" * 32) is None
    rooms.remember(one.with_game("ab" * 32))
    assert rooms.of_game("ab" * 32) == one.with_game("ab" * 32)
    path = tmp_path / "home" / "rooms" / f"{KEY.name}.json"
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"no", b'{"invitation":"HAI1AAAA","seat":"{}"}', b'{"invitation":"x","seat":"x","y":1}']
)
def test_a_damaged_room_is_said_to_be(tmp_path: Path, data: bytes) -> None:
    rooms = Rooms(str(tmp_path / "home"))
    rooms.remember(room("Ana"))
    (tmp_path / "home" / "rooms" / f"{KEY.name}.json").write_bytes(data)
    with pytest.raises(StoreError) as refused:
        rooms.named(KEY.name)
    assert refused.value.code == "room-damaged"


def test_who_comes_back_to_a_room_offers_the_same_seat(tmp_path: Path) -> None:
    home = str(tmp_path)
    invitation = room("Ana").invitation
    ben = identity("Ben").public
    first = room_to_join(home, invitation, ben, "Ben")
    assert Memory(home).seated([first.seat]) == (first.seat,)
    assert room_to_join(home, invitation, ben, "") == first
    Rooms(home).remember(first.with_game("cd" * 32))
    assert room_to_join(home, invitation, ben, "").invitation.game == "cd" * 32
    other = room_to_join(home, invitation, identity("Cleo").public, "Cleo")
    assert other.seat.name == "Cleo"


def test_a_game_that_is_hosted_again_has_the_same_key(tmp_path: Path) -> None:
    home, game = str(tmp_path), "cd" * 32
    key = key_of(home, game)
    assert key_of(home, game) != key
    room_to_host(home, "ws://127.0.0.1:1", key, room("Ana").seat, game)
    assert key_of(home, game) == key
