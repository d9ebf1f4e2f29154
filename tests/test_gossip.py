"""One peer against others that are honest, slow, greedy, mad or malicious: it stays in step, small and calm."""

from collections.abc import Callable, Iterable
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from room import KEY, Room, Weather
from talk import NAMES, Talk, forged
from talk import seat as talk_seat

from hiddenagenda import gossip as module
from hiddenagenda import messages
from hiddenagenda.entry import Note
from hiddenagenda.frames import LARGEST_BODY, Channel, Content, Refusal, RoomKey
from hiddenagenda.gossip import IDLE, Gossip
from hiddenagenda.holdings import Holdings
from hiddenagenda.line import Line
from hiddenagenda.messages import Have, Want
from hiddenagenda.peers import MOST, SILENCE, Arrived, Came, Event, Went, Withholds


class Other:
    """A peer of the tests that says whatever it likes, and reads what is said."""

    def __init__(self, name: str = "other", key: RoomKey = KEY) -> None:
        self.channel = Channel(key, sha256(name.encode()).digest()[:16])

    def lines(self, *lines: Line | bytes) -> bytes:
        return self.channel.seal(
            messages.LINES, b"\n".join(line if isinstance(line, bytes) else line.data for line in lines)
        )

    def have(self, holdings: Holdings, *, place: int | None = None, ends: str = "", game: str = "") -> bytes:
        have = Have(
            clock=holdings.clock,
            ends=ends or UNSET,
            game=game or holdings.game,
            place=UNSET if place is None else place,
        )
        return self.channel.seal(messages.HAVE, messages.write(have))

    def want(self, holdings: Holdings, to: str, *, game: str = "") -> bytes:
        want = Want(game=game or holdings.game, known=holdings.known, to=to)
        return self.channel.seal(messages.WANT, messages.write(want))

    def read(self, frames: Iterable[bytes]) -> list[Content]:
        found = [self.channel.open(frame) for frame in frames]
        return [content for content in found if isinstance(content, Content)]


OWN = Channel(KEY, b"o" * 16)


def peer(talk: Talk, *lines: Line, now: float = 0.0) -> Gossip:
    gossip = Gossip(Channel(KEY, b"o" * 16), talk.table, place=0, now=now)
    gossip.add(lines)
    return gossip


def kinds(contents: Iterable[Content]) -> list[bytes]:
    return [content.kind for content in contents]


def test_what_one_says_goes_out_at_once() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    assert kinds(ben.read(gossip.data_to_send(0.0))) == [messages.HAVE]
    line = talk.say("Ana")
    gossip.say(line)
    assert gossip.next_time() < 0.0
    assert not gossip.is_shared
    (content,) = ben.read(gossip.data_to_send(0.1))
    assert (content.kind, content.body) == (messages.LINES, line.data)
    assert gossip.data_to_send(0.2) == ()


def test_many_lines_go_in_as_few_frames_as_hold_them() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    lines = [talk.say("Ana", Note(text="é" * 500)) for _ in range(200)]
    for line in lines:
        gossip.say(line)
    contents = [one for one in ben.read(gossip.data_to_send(0.0)) if one.kind == messages.LINES]
    assert [data for one in contents for data in one.body.split(b"\n")] == [line.data for line in lines]
    assert len(contents) == 1 + sum(len(line.data) + 1 for line in lines) // LARGEST_BODY


def test_lines_that_come_are_news_once() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    line = talk.say("Ben")
    assert gossip.receive_data(ben.lines(line), 0.0) == (Arrived(lines=(line,)),)
    assert gossip.receive_data(ben.lines(line), 0.0) == ()
    assert not gossip.refused


def test_a_line_is_mended_by_a_valid_signature() -> None:
    talk = Talk(2)
    ben_line, ana = talk.say("Ben"), talk.say("Ana")
    gossip, ben = peer(talk, ana), Other("Ben")
    assert gossip.receive_data(ben.lines(forged(ben_line)), 0.0) == (Arrived(lines=(forged(ben_line),)),)
    assert gossip.receive_data(ben.lines(ben_line), 0.0) == (Arrived(lines=(ben_line,)),)


def test_an_entry_forged_before_its_author_sent_it_does_no_harm() -> None:
    """One id with two signatures, the bad one first: the entry byte for byte as its author is about to send it."""
    talk = Talk(2)
    line = talk.say("Ben")
    gossip, mallory, ben = peer(talk), Other("Mallory"), Other("Ben")
    assert gossip.receive_data(mallory.lines(forged(line)), 0.0) == ()
    assert gossip.refused == {Refusal.UNSIGNED: 1}
    assert gossip.receive_data(ben.lines(line), 0.0) == (Arrived(lines=(line,)),)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda talk, other: b"hello", Refusal.SIZE),
        (lambda talk, other: Other(key=RoomKey(b"x" * 32)).lines(talk.table), Refusal.SEALED),
        (lambda talk, other: OWN.seal(messages.BYE, b""), Refusal.REFLECTED),
        (lambda talk, other: other.channel.seal(b"?", b""), Refusal.MESSAGE),
        (lambda talk, other: other.lines(b"no line"), Refusal.MESSAGE),
        (lambda talk, other: other.lines(b""), Refusal.MESSAGE),
        (lambda talk, other: other.channel.seal(messages.HAVE, b"{}"), Refusal.MESSAGE),
        (lambda talk, other: other.channel.seal(messages.WANT, b"[]"), Refusal.MESSAGE),
        (lambda talk, other: other.channel.seal(messages.HAVE, b"\xff"), Refusal.MESSAGE),
        (lambda talk, other: other.have(Holdings(talk.table), game="0" * 64), Refusal.STRANGE),
        (lambda talk, other: other.have(Holdings(Talk(3).table), game=talk.game), Refusal.STRANGE),
        (lambda talk, other: other.want(Holdings(talk.table), "0" * 32, game="0" * 64), Refusal.STRANGE),
        (lambda talk, other: other.lines(Talk(2, label="x").say("Ben")), Refusal.STRANGE),
        (lambda talk, other: other.lines(forged(talk.say("Ben"))), Refusal.UNSIGNED),
    ],
)
def test_what_is_nothing_is_dropped_and_counted(make: Callable[[Talk, Other], bytes], why: Refusal) -> None:
    talk = Talk(2)
    gossip = peer(talk)
    before = gossip.holdings.clock
    assert gossip.receive_data(make(talk, Other()), 0.0) == ()
    assert gossip.refused == {why: 1}
    assert gossip.holdings.clock == before


@settings(deadline=None)
@given(kind=st.sampled_from([b"h", b"w", b"l", b"s", b"r", b"b", b"x"]), body=st.binary(max_size=2000))
def test_no_body_raises(kind: bytes, body: bytes) -> None:
    talk = Talk(2)
    gossip = peer(talk)
    gossip.receive_data(Other().channel.seal(kind, body), 0.0)
    gossip.data_to_send(1.0)
    assert len(gossip.holdings) == 1


@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_a_line_that_is_hurt_on_its_way_is_dropped_or_the_same(data: st.DataObject) -> None:
    talk = Talk(2)
    line = talk.say("Ben")
    hurt = bytearray(line.data)
    place = data.draw(st.integers(0, len(hurt) - 1))
    hurt[place] ^= data.draw(st.integers(1, 255))
    gossip = peer(talk)
    assert gossip.receive_data(Other().lines(bytes(hurt)), 0.0) == ()
    assert sum(gossip.refused.values()) >= 1


def test_a_flood_is_looked_at_in_part() -> None:
    talk = Talk(2)
    gossip, mad = peer(talk), Other("mad")
    for _ in range(1000):
        gossip.receive_data(mad.have(Holdings(talk.table)), 1.0)
    assert gossip.refused == {Refusal.SURPLUS: 800}
    assert gossip.receive_data(Other("Ben").lines(talk.say("Ben")), 1.0)


def test_useless_lines_are_looked_at_in_part() -> None:
    gossip, mad = peer(Talk(2)), Other("mad")
    gossip.receive_data(mad.channel.seal(messages.LINES, b"\n" * 80_000), 0.0)
    assert gossip.refused == {Refusal.MESSAGE: 16}


def test_a_frame_holds_a_number_of_lines_at_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_LINES", 4)
    talk = Talk(2)
    gossip = peer(talk)
    gossip.receive_data(Other().lines(*[talk.table] * 4, talk.say("Ben")), 0.0)
    assert len(gossip.holdings) == 1


def test_sessions_without_end_take_no_room() -> None:
    talk = Talk(2)
    gossip = peer(talk)
    for number in range(500):
        other = Other(f"session {number}")
        gossip.receive_data(other.have(Holdings(talk.table)), 0.0)
        gossip.receive_data(other.want(Holdings(talk.table), OWN.session), 0.0)
    assert len(gossip.present) == MOST
    assert len(gossip._wants) <= MOST
    assert len(gossip.data_to_send(1.0)) <= 3


def test_one_says_what_one_has_now_and_then() -> None:
    gossip = peer(Talk(2))
    assert gossip.next_time() == 0.0
    assert len(gossip.data_to_send(0.0)) == 1
    assert gossip.next_time() == IDLE
    assert gossip.data_to_send(IDLE - 0.1) == ()
    assert len(gossip.data_to_send(IDLE)) == 1


def test_who_comes_and_goes_is_told() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    session = ben.channel.session
    assert gossip.receive_data(ben.have(Holdings(talk.table), place=1), 0.0) == (Came(session=session, place=1),)
    assert gossip.receive_data(ben.have(Holdings(talk.table), place=1), 1.0) == ()
    assert gossip.present == (Came(session=session, place=1),)
    assert gossip.receive_data(ben.channel.seal(messages.BYE, b""), 2.0) == (Went(session=session, place=1),)
    assert not gossip.present
    assert gossip.receive_data(ben.have(Holdings(talk.table), place=7), 3.0) == (Came(session=session, place=None),)
    assert gossip.pass_time(3.0 + SILENCE - 0.1) == ()
    assert gossip.next_time() <= 3.0 + SILENCE
    assert gossip.pass_time(3.0 + SILENCE) == (Went(session=session, place=None),)


def test_who_never_said_what_it_has_neither_comes_nor_goes() -> None:
    talk = Talk(2)
    gossip, other = peer(talk), Other()
    assert gossip.receive_data(other.channel.seal(messages.BYE, b""), 0.0) == ()
    assert gossip.receive_data(other.lines(talk.table), 0.0) == ()
    assert gossip.pass_time(1000.0) == ()


def test_who_comes_back_is_not_there_twice() -> None:
    talk = Talk(3)
    gossip, ben, again, cleo = peer(talk), Other("Ben"), Other("Ben again"), Other("Cleo")
    gossip.receive_data(ben.have(Holdings(talk.table), place=1), 0.0)
    gossip.receive_data(cleo.have(Holdings(talk.table), place=2), 0.0)
    news = gossip.receive_data(again.have(Holdings(talk.table), place=1), 1.0)
    assert news == (Came(session=again.channel.session, place=1),)
    assert {one.session for one in gossip.present} == {again.channel.session, cleo.channel.session}
    assert gossip.pass_time(SILENCE) == (Went(session=cleo.channel.session, place=2),)


def test_a_bye_is_sent_once() -> None:
    gossip, ben = peer(Talk(2)), Other("Ben")
    gossip.data_to_send(0.0)
    gossip.bye()
    assert gossip.next_time() < 0.0
    assert kinds(ben.read(gossip.data_to_send(0.0))) == [messages.BYE]
    assert gossip.data_to_send(0.0) == ()


def test_everything_is_shared_when_all_have_said_so() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    line = talk.say("Ana")
    gossip.say(line)
    gossip.data_to_send(0.0)
    assert gossip.is_shared  # nobody is here
    gossip.receive_data(ben.have(Holdings(talk.table)), 0.0)
    assert not gossip.is_shared
    whole = Holdings(talk.table)
    whole.add(line)
    gossip.receive_data(ben.have(whole), 0.0)
    assert gossip.is_shared


def test_lines_of_the_file_are_told_of() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    gossip.data_to_send(0.0)
    gossip.add([talk.table])
    assert gossip.next_time() == IDLE
    gossip.add([talk.say("Ana")])
    assert gossip.next_time() < 1.0
    assert kinds(ben.read(gossip.data_to_send(1.0))) == [messages.HAVE]


def test_a_question_is_answered_with_what_is_lacking_and_an_end() -> None:
    talk = Talk(2)
    lines = [talk.say("Ana") for _ in range(3)]
    gossip, ben = peer(talk, *lines), Other("Ben")
    gossip.data_to_send(0.0)
    gossip.receive_data(ben.want(Holdings(talk.table), OWN.session), 1.0)
    assert gossip.next_time() <= 1.0
    answer = ben.read(gossip.data_to_send(1.0))
    assert kinds(answer) == [messages.LINES, messages.HAVE]
    assert answer[0].body.split(b"\n") == [line.data for line in lines]
    assert messages.read(answer[1].body, Have).ends == ben.channel.session
    gossip.receive_data(ben.want(Holdings(talk.table), OWN.session), 1.1)
    assert kinds(ben.read(gossip.data_to_send(1.1))) == [messages.HAVE]  # all heard it a moment ago
    gossip.receive_data(ben.want(Holdings(talk.table), OWN.session), 2.0)
    assert kinds(ben.read(gossip.data_to_send(2.0))) == [messages.LINES, messages.HAVE]


def test_questions_to_others_are_not_answered() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk, talk.say("Ana")), Other("Ben")
    gossip.data_to_send(0.0)
    gossip.receive_data(ben.want(Holdings(talk.table), "0" * 32), 1.0)
    assert gossip.data_to_send(1.0) == ()


def test_answers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_ANSWER", 3000)
    talk = Talk(2)
    lines = [talk.say("Ana") for _ in range(20)]
    gossip, ben = peer(talk, *lines), Other("Ben")
    gossip.data_to_send(0.0)
    held = Holdings(talk.table)
    for second in range(1, 20):
        gossip.receive_data(ben.want(held, OWN.session), second)
        answer = ben.read(gossip.data_to_send(second))
        new = [one for one in answer if one.kind == messages.LINES]
        assert sum(len(one.body) for one in new) <= 3000
        for line in lines:
            if any(line.data in one.body for one in new):
                held.add(line)
        if held.clock == gossip.holdings.clock:
            return
    raise AssertionError(len(held))


def test_many_who_ask_are_answered_one_after_the_other() -> None:
    talk = Talk(2)
    gossip = peer(talk, talk.say("Ana"))
    gossip.data_to_send(0.0)
    others = [Other(str(number)) for number in range(5)]
    for other in others:
        gossip.receive_data(other.want(Holdings(talk.table), OWN.session), 1.0)
    sizes = [len(gossip.data_to_send(1.0 + moment / 100)) for moment in range(30)]
    assert sum(sizes) == 6
    assert max(sizes) == 2


def test_a_guest_who_still_waits_is_shown_the_table() -> None:
    talk = Talk(2)
    gossip, late = peer(talk), Other("late")
    gossip.data_to_send(0.0)
    seat = talk_seat("Ben", "Friday")
    for _ in range(3):
        gossip.receive_data(late.channel.seal(messages.SEAT, messages.write(seat)), 1.0)
        assert len(gossip.data_to_send(1.0)) <= 1
    gossip.receive_data(late.channel.seal(messages.SEAT, messages.write(seat)), 9.0)
    shown = late.read(gossip.data_to_send(9.0))
    assert [one.body for one in shown if one.kind == messages.LINES] == [talk.table.data]
    assert gossip.receive_data(late.channel.seal(messages.ROLL, b""), 9.0) == ()


def ask(gossip: Gossip, now: float) -> list[Content]:
    return [one for one in Other("spy").read(gossip.data_to_send(now)) if one.kind == messages.WANT]


def more(talk: Talk, count: int = 1) -> tuple[Holdings, list[Line]]:
    lines = [talk.say("Ben") for _ in range(count)]
    holdings = Holdings(talk.table)
    for line in lines:
        holdings.add(line)
    return holdings, lines


def test_who_has_more_is_asked_after_a_moment() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    holdings, lines = more(talk)
    gossip.receive_data(ben.have(holdings), 1.0)
    assert ask(gossip, 1.0) == []  # it may be under way
    assert gossip.next_time() <= 1.3
    (question,) = ask(gossip, 2.0)
    assert messages.read(question.body, Want).to == ben.channel.session
    assert ask(gossip, 2.1) == []
    gossip.receive_data(ben.lines(*lines), 2.2)
    gossip.receive_data(ben.have(holdings, ends=OWN.session), 2.3)
    assert ask(gossip, 5.0) == []


def test_who_gave_all_it_could_is_asked_for_the_rest_at_once() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    holdings, lines = more(talk, 2)
    gossip.receive_data(ben.have(holdings), 1.0)
    assert ask(gossip, 2.0)
    gossip.receive_data(ben.lines(lines[0]), 2.1)
    gossip.receive_data(ben.have(holdings, ends=OWN.session), 2.1)
    assert ask(gossip, 2.1)


def withholding(gossip: Gossip, other: Other, holdings: Holdings, *, answers: bool) -> list[Event]:
    """Let somebody claim entries for a minute and a half, and send none."""
    events: list[Event] = []
    for tenth in range(900):
        now = 1.0 + tenth / 10
        if tenth % 5 == 0:
            ends = OWN.session if answers else ""
            events += gossip.receive_data(other.have(holdings, place=1, ends=ends), now)
        events += gossip.pass_time(now)
        gossip.data_to_send(now)
    return events


@pytest.mark.parametrize("answers", [True, False])
def test_who_says_it_has_more_and_sends_nothing_is_said_to_withhold_once(*, answers: bool) -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    holdings, lines = more(talk)
    events = withholding(gossip, ben, holdings, answers=answers)
    assert events == [Came(session=ben.channel.session, place=1), Withholds(session=ben.channel.session, place=1)]
    assert gossip.receive_data(ben.lines(*lines), 100.0) == (Arrived(lines=tuple(lines)),)


def test_who_withholds_is_asked_less_and_less() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    holdings, _ = more(talk)
    asked = 0
    for tenth in range(3000):
        now = 1.0 + tenth / 10
        if tenth % 50 == 0:
            gossip.receive_data(ben.have(holdings), now)
        gossip.pass_time(now)
        asked += len(ask(gossip, now))
    assert 4 <= asked <= 15


def test_another_one_who_has_it_is_asked_when_one_withholds() -> None:
    talk = Talk(2)
    gossip, mallory, ben = peer(talk), Other("Mallory"), Other("Ben")
    holdings, _ = more(talk)
    asked = []
    for tenth in range(60):
        now = 1.0 + tenth / 10
        gossip.receive_data(mallory.have(holdings), now)
        gossip.receive_data(ben.have(holdings), now)
        gossip.pass_time(now)
        asked += [messages.read(one.body, Want).to for one in ask(gossip, now)]
    assert set(asked[:2]) == {ben.channel.session, mallory.channel.session}


def test_who_is_silent_does_not_withhold() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    holdings, _ = more(talk)
    events = list(gossip.receive_data(ben.have(holdings, place=1), 1.0))
    for tenth in range(600):
        events += gossip.pass_time(1.0 + tenth / 10)
        gossip.data_to_send(1.0 + tenth / 10)
    assert events == [Came(session=ben.channel.session, place=1), Went(session=ben.channel.session, place=1)]


def test_who_goes_while_he_is_asked_is_asked_no_more() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    holdings, _ = more(talk)
    gossip.receive_data(ben.have(holdings), 1.0)
    assert ask(gossip, 2.0)
    gossip.receive_data(ben.channel.seal(messages.BYE, b""), 2.0)
    assert gossip.pass_time(10.0) == ()
    assert ask(gossip, 10.0) == []


def test_who_holds_less_and_has_nothing_new_does_not_withhold() -> None:
    talk = Talk(2)
    lines = [talk.say("Ben") for _ in range(4)]
    gossip, ben = peer(talk, *lines), Other("Ben")
    gappy = Holdings(talk.table)
    for line in (lines[0], lines[3]):
        gappy.add(line)
    assert withholding(gossip, ben, gappy, answers=True) == [Came(session=ben.channel.session, place=1)]


def test_a_new_connection_begins_anew() -> None:
    talk = Talk(2)
    gossip, ben = peer(talk), Other("Ben")
    holdings, _ = more(talk)
    gossip.receive_data(ben.have(holdings), 1.0)
    assert ask(gossip, 2.0)
    gossip.connected(2.1)
    assert gossip.next_time() <= 2.1
    contents = Other("spy").read(gossip.data_to_send(2.1))
    assert kinds(contents) == [messages.HAVE, messages.WANT]


def test_a_game_costs_few_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """What four players send for a game of forty entries, sealed and padded; printed for whoever wants to know."""
    talk = Talk(4)
    room = Room(talk.table, NAMES[:4])
    room.settle(2)
    for turn in range(40):
        room.players[turn % 4].gossip.say(talk.say(NAMES[turn % 4]))
        room.settle(10)
    assert room.is_equal
    with capsys.disabled():
        print(f" [40 entries, 4 players: {room.frames} frames, {room.bytes} bytes sent]", end="")  # noqa: T201
    assert room.bytes < 40 * 5_000


def test_nothing_grows_while_nothing_happens() -> None:
    talk = Talk(3)
    room = Room(talk.table, NAMES[:3], weather=Weather(loss=0.1, twice=0.1, slowest=0.5))
    room.settle(3600)
    for player in room.players:
        gossip = player.gossip
        assert len(gossip.holdings) == 1
        assert (len(gossip._sent), len(gossip._wants), len(gossip._unsent)) == (0, 0, 0)
        assert len(gossip.present) == 2
    assert room.frames < 3 * 3600 / IDLE * 1.5
