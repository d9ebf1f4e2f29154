"""Every cheat of the tests, played over the wire: the same verdict everywhere, and nobody else is named."""

import pytest
from cheats import CHEATS, Case, games
from room import Room, Weather
from table import Game, found, transcript

from hiddenagenda.verdict import Phase
from hiddenagenda.verifier import judge

WIRE = Weather(loss=0.1, twice=0.1, slowest=0.3)


def over_the_wire(game: Game, *, weather: Weather) -> Room:
    """Let everybody begin with what was said by himself, and the cheat with all that it ever made."""
    room = Room(game.table, [client.name for client in game.everybody], weather=weather, seed=1)
    for player, client in zip(room.players, game.everybody, strict=True):
        lines = [line for line in client.lines if client is game.cheat or line.entry.author == client.key]
        player.gossip.add(lines)
    room.settle(40)
    room.weather = Weather()
    room.settle(40)
    return room


@pytest.mark.parametrize(("case", "players", "place"), games(range(3, 4)))
def test_a_cheat_over_the_wire_gets_the_same_verdict(case: Case, players: int, place: int) -> None:
    game = case.at(players, place)
    room = over_the_wire(game, weather=WIRE if place == 0 else Weather())
    assert room.is_equal
    told = game.verdict()
    for player in room.players:
        verdict = judge(transcript(player.gossip.holdings.lines))
        assert found(verdict) == found(told)
        assert verdict.outcome is told.outcome
        if told.phase is not Phase.SETTING_UP:
            standings = {one.key: one.standing for one in told.players}
            assert {one.key: one.standing for one in verdict.players} == standings


def test_all_cheats_are_played() -> None:
    assert {str(param.id).rpartition("-3-")[0] for param in games(range(3, 4))} == set(CHEATS)
