"""A table of positions with who may act next, and games of passing played through."""

import itertools

import pytest

from hiddenagenda.priority import NOBODY, Succession, Turn, after_act, after_pass, after_step, may_move


def bits(*players: int) -> int:
    return sum(1 << player for player in players)


def everybody(players: int) -> int:
    return (1 << players) - 1


@pytest.mark.parametrize("players", range(2, 6))
class TestEverybodyIsIn:
    def test_only_the_first_in_table_order_may_open_the_first_step(self, players: int) -> None:
        assert may_move(None, everybody(players)) == Turn(None, 0)

    def test_the_active_player_is_asked_first_and_a_pass_hands_on_in_turn_order(self, players: int) -> None:
        for active in range(players):
            last = after_step(active, priority=True)
            asked = []
            while (turn := may_move(last, everybody(players))).stepper is None:
                assert turn.holder is not None
                asked.append(turn.holder)
                last = after_pass(last, turn.holder, everybody(players), players)
            assert asked == [(active + offset) % players for offset in range(players)]
            assert turn == Turn(active, active)

    def test_an_act_keeps_priority_and_restarts_the_succession(self, players: int) -> None:
        for active, passes in itertools.product(range(players), range(players)):
            last = after_step(active, priority=True)
            for offset in range(passes):
                last = after_pass(last, (active + offset) % players, everybody(players), players)
            actor = (active + passes) % players
            last = after_act(last, actor)
            asked = []
            while (turn := may_move(last, everybody(players))).stepper is None:
                assert turn.holder is not None
                asked.append(turn.holder)
                last = after_pass(last, turn.holder, everybody(players), players)
            assert asked == [(actor + offset) % players for offset in range(players)]
            assert turn == Turn(active, active)

    def test_after_a_step_without_priority_the_active_player_may_only_step(self, players: int) -> None:
        for active in range(players):
            assert may_move(after_step(active, priority=False), everybody(players)) == Turn(None, active)

    def test_when_all_have_passed_the_active_players_pass_begins_a_new_succession(self, players: int) -> None:
        last = Succession(active=1, next=1, passed=everybody(players))
        last = after_pass(last, 1, everybody(players), players)
        assert last.passed == bits(1)
        assert may_move(last, everybody(players)) == Turn(2 % players, None)


@pytest.mark.parametrize(
    ("last", "remaining", "turn"),
    [
        # nobody is left, or one alone before the first step
        (None, 0, NOBODY),
        (None, bits(2), Turn(None, 2)),
        (after_step(1, priority=True), 0, NOBODY),
        # the active player left: the next remaining acts for it, also round the end of the table
        (after_step(1, priority=True), bits(0, 2), Turn(2, None)),
        (after_step(2, priority=True), bits(0, 1), Turn(0, None)),
        (after_step(2, priority=False), bits(0, 1), Turn(None, 0)),
        (Succession(active=2, next=0, passed=bits(0, 1, 2)), bits(0, 1), Turn(0, 0)),
        # the holder left: the next is asked, and the passes still count
        (Succession(active=0, next=1, passed=bits(0)), bits(0, 2), Turn(2, None)),
        (Succession(active=0, next=2, passed=bits(0, 1)), bits(0, 1), Turn(0, 0)),
        # who has left is not waited for
        (Succession(active=0, next=1, passed=bits(0)), bits(0), Turn(0, 0)),
        (Succession(active=3, next=1, passed=bits(3, 4, 0)), bits(0, 1, 3, 4), Turn(1, None)),
        (Succession(active=3, next=1, passed=bits(3, 4, 0)), bits(0, 3, 4), Turn(3, 3)),
        # an actor who left hands on, and nobody has passed yet
        (after_act(after_step(0, priority=True), 1), bits(0, 2), Turn(2, None)),
        (after_act(after_step(0, priority=True), 2), bits(0, 1), Turn(0, None)),
    ],
)
def test_who_may_act_when_somebody_is_gone(last: Succession | None, remaining: int, turn: Turn) -> None:
    assert may_move(last, remaining) == turn


@pytest.mark.parametrize("players", range(2, 6))
def test_a_succession_in_which_players_leave_ends_and_asks_nobody_twice(players: int) -> None:
    """Let one player leave after each possible number of passes."""
    for active, leaver, when in itertools.product(range(players), range(players), range(players)):
        last = after_step(active, priority=True)
        remaining = everybody(players)
        asked: list[int] = []
        while (turn := may_move(last, remaining)).stepper is None:
            assert turn.holder is not None
            if len(asked) == when and remaining == everybody(players):
                remaining &= ~bits(leaver)
                continue
            asked.append(turn.holder)
            last = after_pass(last, turn.holder, remaining, players)
        assert len(asked) == len(set(asked))
        assert {player for player in range(players) if remaining >> player & 1} <= set(asked)
        assert turn.holder == turn.stepper
