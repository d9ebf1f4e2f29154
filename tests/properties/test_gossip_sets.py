"""Two to six peers over a wire that does its worst: in the end all hold the same, and little was sent twice."""

import random

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from room import Room, Weather
from talk import NAMES, Talk

from hiddenagenda.line import Line

SLOW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def lines(players: int, count: int, seed: int) -> tuple[Line, list[tuple[int, Line]]]:
    """A table and ``count`` entries by anybody over whatever was said, each with its author's place."""
    chance = random.Random(seed)
    talk = Talk(players)
    said = []
    for _ in range(count):
        place = chance.randrange(players)
        said.append((place, talk.say(NAMES[place])))
    return talk.table, said


weathers = st.builds(
    Weather,
    loss=st.sampled_from([0.0, 0.1, 0.3]),
    twice=st.sampled_from([0.0, 0.3]),
    slowest=st.sampled_from([0.01, 0.3, 1.5]),
)


@SLOW
@given(players=st.integers(2, 6), count=st.integers(0, 24), weather=weathers, seed=st.integers(0, 2**16))
def test_whatever_the_wire_does_all_hold_the_same_in_the_end(
    players: int, count: int, weather: Weather, seed: int
) -> None:
    table, said = lines(players, count, seed)
    room = Room(table, NAMES[:players], weather=weather, seed=seed)
    for place, line in said:
        room.players[place].gossip.say(line)
        room.settle(room.chance.choice([0.0, 0.05, 1.0]))
    room.settle(60)
    room.weather = Weather()
    room.settle(30)
    assert room.is_equal
    assert all(player.ids == {table.id, *(line.id for _, line in said)} for player in room.players)


@SLOW
@given(
    players=st.integers(2, 6),
    count=st.integers(1, 24),
    weather=weathers,
    seed=st.integers(0, 2**16),
    cuts=st.lists(
        st.tuples(st.integers(0, 23), st.integers(0, 5), st.sampled_from(["part", "heal", "kill", "gone", "back"]))
    ),
)
def test_partitions_and_restarts_are_healed(
    players: int, count: int, weather: Weather, seed: int, cuts: list[tuple[int, int, str]]
) -> None:
    table, said = lines(players, count, seed)
    room = Room(table, NAMES[:players], weather=weather, seed=seed)
    for step, (place, line) in enumerate(said):
        for _, who, what in [cut for cut in cuts if cut[0] == step]:
            player = room.players[who % players]
            match what:
                case "part":
                    player.side = 1
                case "heal":
                    player.side = 0
                case "kill":
                    player.restart(room.now)
                case "gone":
                    player.online = False
                case "back":
                    player.online = True
                    player.gossip.connected(room.now)
        room.players[place].gossip.say(line)
        room.settle(room.chance.choice([0.0, 0.5, 3.0]))
    room.weather = Weather()
    for player in room.players:
        player.side = 0
        player.online = True
        player.gossip.connected(room.now)
    room.settle(90)
    assert room.is_equal
    assert all(len(player.ids) == count + 1 for player in room.players)


@pytest.mark.parametrize("players", range(2, 7))
def test_on_a_good_wire_each_entry_is_sent_once(players: int) -> None:
    table, said = lines(players, 40, players)
    room = Room(table, NAMES[:players])
    room.settle(2)
    for place, line in said:
        room.players[place].gossip.say(line)
        room.settle(1)
    room.settle(20)
    assert room.is_equal
    assert {name: times for name, times in room.sent.items() if times != 1} == {}


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("seed", range(4))
def test_a_bad_wire_makes_entries_go_twice_or_thrice_not_more(players: int, seed: int) -> None:
    table, said = lines(players, 40, seed)
    room = Room(table, NAMES[:players], weather=Weather(loss=0.2, twice=0.2, slowest=0.5), seed=seed)
    for place, line in said:
        room.players[place].gossip.say(line)
        room.settle(1)
    room.settle(60)
    assert room.is_equal
    assert sum(room.sent.values()) <= 3 * len(said)
    assert max(room.sent.values()) <= 2 * players + 2


def test_who_comes_late_is_sent_everything_once_by_one() -> None:
    table, said = lines(6, 60, 1)
    room = Room(table, NAMES[:6])
    late = room.players[5]
    late.online = False
    for place, line in said:
        room.players[place].gossip.say(line)
        room.settle(0.1)
    room.settle(5)
    room.sent.clear()
    late.online = True
    late.gossip.connected(room.now)
    room.settle(5)
    assert room.is_equal
    assert set(room.sent.values()) <= {1, 2}  # Fay's own are pushed when she is back, and asked for by one
    assert sum(room.sent.values()) <= 1.3 * len(said)
