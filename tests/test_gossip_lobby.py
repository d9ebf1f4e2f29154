"""The lobby: seats are offered, accepted and declined, and a table is shown to whom it concerns."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from room import KEY
from talk import NAMES, Talk, forged, identity, key, seat, table

from hiddenagenda import messages
from hiddenagenda.entry import frame
from hiddenagenda.frames import Channel, Refusal, RoomKey
from hiddenagenda.line import Line, sign
from hiddenagenda.lobby import AGAIN, SILENCE, Called, Guest, Lobby, Offered, TableSet, Withdrawn
from hiddenagenda.messages import MOST_WAITING, Roll
from hiddenagenda.seat import Seat
from hiddenagenda.shape import encode


def channel(name: str, key: RoomKey = KEY) -> Channel:
    return Channel(key, sha256(name.encode()).digest()[:16])


def host() -> Lobby:
    return Lobby(channel("host"), seat("Ana", "Friday"), now=0.0)


def offer(who: str, label: str = "Friday", *, session: str = "") -> bytes:
    return channel(session or who).seal(messages.SEAT, encode(seat(who, label)))


def guest(who: str = "Ben", *, game: str | None = None) -> Guest:
    return Guest(channel(who), seat(who, "Friday"), game=game, now=0.0)


def roll(lobby: Lobby, now: float) -> Roll:
    (frame,) = lobby.data_to_send(now)
    content = channel("reader").open(frame)
    assert not isinstance(content, Refusal)
    assert content.kind == messages.ROLL
    return messages.read(content.body, Roll)


def test_an_offered_seat_waits_until_it_is_accepted() -> None:
    lobby = host()
    ben = seat("Ben", "Friday")
    assert lobby.receive_data(offer("Ben"), 0.0) == (Offered(seat=ben),)
    assert lobby.waiting == (ben,)
    assert roll(lobby, 0.0) == Roll(accepted=(seat("Ana", "Friday"),), refused=())
    assert lobby.accept(ben)
    assert not lobby.accept(ben)
    assert lobby.next_time() < 0.0
    assert roll(lobby, 0.1).accepted == (seat("Ana", "Friday"), ben)
    assert lobby.receive_data(channel("Ben2").seal(messages.SEAT, encode(ben)), 0.2) == ()
    assert not lobby.waiting
    assert lobby.accepted == (seat("Ana", "Friday"), ben)


def test_an_offer_that_is_repeated_is_no_news() -> None:
    lobby, ben = host(), channel("Ben")
    frames = [ben.seal(messages.SEAT, encode(seat("Ben", "Friday"))) for _ in range(5)]
    assert [len(lobby.receive_data(frame, moment)) for moment, frame in enumerate(frames)] == [1, 0, 0, 0, 0]
    assert lobby.pass_time(4.0 + SILENCE - 0.1) == ()
    assert lobby.next_time() <= 4.0 + SILENCE
    assert lobby.pass_time(4.0 + SILENCE) == (Withdrawn(seat=seat("Ben", "Friday")),)
    assert lobby.waiting == ()


def test_a_guest_who_says_goodbye_is_gone() -> None:
    lobby, ben = host(), channel("Ben")
    lobby.receive_data(ben.seal(messages.SEAT, encode(seat("Ben", "Friday"))), 0.0)
    assert lobby.receive_data(channel("Cleo").seal(messages.BYE, b""), 1.0) == ()
    assert lobby.receive_data(ben.seal(messages.BYE, b""), 1.0) == (Withdrawn(seat=seat("Ben", "Friday")),)


def test_a_seat_that_was_declined_is_not_offered_again() -> None:
    lobby = host()
    ben = seat("Ben", "Friday")
    lobby.receive_data(offer("Ben"), 0.0)
    assert lobby.decline(ben)
    assert not lobby.decline(ben)
    assert roll(lobby, 0.0).refused == (ben.nonce,)
    assert lobby.receive_data(offer("Ben", session="again"), 0.0) == ()
    assert lobby.waiting == ()


def test_an_accepted_seat_can_be_declined_and_the_hosts_own_cannot() -> None:
    lobby = host()
    ben = seat("Ben", "Friday")
    lobby.receive_data(offer("Ben"), 0.0)
    lobby.accept(ben)
    assert lobby.decline(ben)
    assert not lobby.decline(seat("Ana", "Friday"))
    assert lobby.accepted == (seat("Ana", "Friday"),)


def test_who_comes_anew_takes_the_place_of_the_former_seat() -> None:
    lobby = host()
    for label in ("Friday", "Saturday"):
        lobby.receive_data(offer("Ben", label, session=label), 0.0)
        assert lobby.accept(seat("Ben", label))
    assert lobby.accepted == (seat("Ana", "Friday"), seat("Ben", "Saturday"))


def test_a_table_has_sixteen_players_at_the_most() -> None:
    lobby = host()
    for name in NAMES[1:]:
        lobby.receive_data(offer(name), 0.0)
        assert lobby.accept(seat(name, "Friday"))
    lobby.receive_data(offer("Quinn"), 0.0)
    assert not lobby.accept(seat("Quinn", "Friday"))
    assert len(lobby.accepted) == 16
    assert len(roll(lobby, 0.0).accepted) == 16


def test_a_few_may_wait_and_one_seat_each() -> None:
    lobby = host()
    for number in range(50):
        lobby.receive_data(offer("Ben", str(number), session=str(number)), number)
    assert len(lobby.waiting) == MOST_WAITING
    assert lobby.refused == {Refusal.SURPLUS: 50 - MOST_WAITING}
    other = host()
    mad = channel("mad")
    for number in range(5):
        other.receive_data(mad.seal(messages.SEAT, encode(seat("Ben", str(number)))), 0.0)
    assert len(other.waiting) == 1


def test_declined_seats_are_remembered_up_to_a_number() -> None:
    lobby = host()
    for number in range(100):
        lobby.receive_data(offer("Ben", str(number), session=str(number)), float(number))
        lobby.decline(seat("Ben", str(number)))
    assert len(roll(lobby, 100.0).refused) == MOST_WAITING


def test_nobody_poses_as_the_host() -> None:
    lobby = host()
    assert lobby.receive_data(offer("Ana", "Saturday", session="x"), 0.0) == ()
    assert lobby.refused == {Refusal.SURPLUS: 1}


@pytest.mark.parametrize(
    ("frame", "refused"),
    [
        (b"x", {Refusal.SIZE: 1}),
        (channel("x").seal(messages.SEAT, b"{}"), {Refusal.MESSAGE: 1}),
        (channel("x").seal(messages.HAVE, b"{}"), {}),
        (channel("x", RoomKey(b"x" * 32)).seal(messages.SEAT, encode(seat("Ben"))), {Refusal.SEALED: 1}),
    ],
)
def test_what_is_no_seat_is_dropped(frame: bytes, refused: dict[Refusal, int]) -> None:
    lobby = host()
    assert lobby.receive_data(frame, 0.0) == ()
    assert lobby.refused == refused


def test_a_flood_in_the_lobby_is_looked_at_in_part() -> None:
    machines: tuple[Lobby | Guest, ...] = (host(), guest())
    for machine in machines:
        for _ in range(500):
            machine.receive_data(b"x", 0.0)
        assert machine.refused == {Refusal.SIZE: 100, Refusal.SURPLUS: 400}


def test_the_host_lists_now_and_then() -> None:
    lobby = host()
    assert len(lobby.data_to_send(0.0)) == 1
    assert lobby.data_to_send(AGAIN - 0.1) == ()
    assert lobby.next_time() == AGAIN
    lobby.connected(1.0)
    assert len(lobby.data_to_send(1.0)) == 1


def test_a_guest_offers_his_seat_again_and_again() -> None:
    ben = guest()
    assert len(ben.data_to_send(0.0)) == 1
    assert ben.data_to_send(AGAIN - 0.1) == ()
    assert ben.next_time() == AGAIN
    assert ben.pass_time(AGAIN) == ()
    ben.connected(1.0)
    assert len(ben.data_to_send(1.0)) == 1
    ben.bye()
    assert ben.next_time() < 0.0
    assert len(ben.data_to_send(1.0)) == 1
    assert ben.data_to_send(1.0) == ()


def test_guest_and_host_understand_each_other() -> None:
    lobby, ben = host(), guest()
    (offered,) = ben.data_to_send(0.0)
    (news,) = lobby.receive_data(offered, 0.0)
    assert isinstance(news, Offered)
    (frame,) = lobby.data_to_send(0.0)
    accepted: tuple[Seat, ...] = (seat("Ana", "Friday"),)
    assert ben.receive_data(frame, 0.0) == (Called(accepted=accepted, is_accepted=False, is_declined=False),)
    lobby.accept(news.seat)
    (frame,) = lobby.data_to_send(0.0)
    accepted += (news.seat,)
    assert ben.receive_data(frame, 0.0) == (Called(accepted=accepted, is_accepted=True, is_declined=False),)
    (frame,) = lobby.data_to_send(AGAIN)
    assert ben.receive_data(frame, 0.0) == ()
    lobby.decline(news.seat)
    (frame,) = lobby.data_to_send(AGAIN)
    assert ben.receive_data(frame, 0.0) == (Called(accepted=accepted[:1], is_accepted=False, is_declined=True),)


def shown(*lines: Line) -> bytes:
    return channel("host").seal(messages.LINES, b"\n".join(line.data for line in lines))


def test_a_table_with_the_own_seat_is_news_once() -> None:
    talk = Talk(2)
    ben = guest()
    assert ben.receive_data(shown(talk.table, talk.say("Ana")), 0.0) == (TableSet(line=talk.table),)
    again = channel("Cleo").seal(messages.LINES, talk.table.data)
    assert ben.receive_data(again, 0.0) == ()
    assert not ben.refused


def table_with(*, label: str = "Friday", second: Seat | None = None) -> Line:
    """A table by Ana for two, of which the second sits in another seat than was offered."""
    made = table(2)
    players = (made.players[0], second or made.players[1])
    return sign(frame(replace(made, label=label, players=players), author=key("Ana")), identity("Ana"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (Talk(2, label="Saturday").table, Refusal.STRANGE),
        (table_with(second=replace(seat("Ben", "Friday"), name="Bob")), Refusal.STRANGE),
        (Talk(2).say("Ana"), Refusal.STRANGE),
        (forged(Talk(2).table), Refusal.UNSIGNED),
    ],
)
def test_what_is_no_table_for_this_guest_is_dropped(line: Line, why: Refusal) -> None:
    ben = guest()
    assert ben.receive_data(shown(line), 0.0) == ()
    assert ben.refused == {why: 1}


def test_an_invitation_to_one_game_brings_to_no_other() -> None:
    talk = Talk(2)
    assert guest(game=talk.game).receive_data(shown(talk.table), 0.0) == (TableSet(line=talk.table),)
    ben = guest(game="0" * 64)
    assert ben.receive_data(shown(talk.table), 0.0) == ()
    assert ben.refused == {Refusal.STRANGE: 1}


def test_a_host_who_sets_tables_without_end_is_heard_in_part() -> None:
    ben = guest()
    for number in range(MOST_WAITING + 5):
        line = table_with(label=f"t{number}")
        ben.receive_data(channel(f"host {number}").seal(messages.LINES, line.data), float(number))
    assert ben.refused == {Refusal.SURPLUS: 5}


@settings(deadline=None)
@given(kind=st.sampled_from([b"h", b"w", b"l", b"s", b"r", b"b", b"x"]), body=st.binary(max_size=500))
def test_no_body_raises_in_a_lobby(kind: bytes, body: bytes) -> None:
    machines: tuple[Lobby | Guest, ...] = (host(), guest())
    for machine in machines:
        assert machine.receive_data(channel("x").seal(kind, body), 0.0) == ()
