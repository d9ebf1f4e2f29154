"""What holds of the law whatever happens: nobody honest is named, nothing is taken back, order does not matter."""

import random
from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from randomgame import RandomGame
from table import found, transcript

from hiddenagenda.outcome import Outcome
from hiddenagenda.verdictjson import to_json
from hiddenagenda.verifier import MOST_PROVEN, judge, judge_bytes

SEEDS = st.integers(min_value=0, max_value=2**32)
FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@FEW
@given(seed=SEEDS, moves=st.integers(min_value=0, max_value=30))
def test_no_honest_key_is_ever_named_and_every_honest_player_reaches_kept_alone(seed: int, moves: int) -> None:
    random_game = RandomGame(seed)
    game = random_game.play(moves)
    verdict = game.verdict()
    assert {finding.author for finding in verdict.findings} <= {cheat.key for cheat in game.cheats}
    mine = judge(transcript([line for client in game.honest for line in client.lines]))
    standings = {player.key: player.standing for player in mine.players}
    for client in random_game.on:
        if client is not game.judge:
            assert standings[client.key] is Outcome.KEPT


@FEW
@given(seed=SEEDS, moves=st.integers(min_value=0, max_value=30))
def test_honest_clients_for_whom_the_game_is_on_hold_the_same_commits(seed: int, moves: int) -> None:
    game = RandomGame(seed).play(moves)
    held = {
        client.hearing.after(client.parents).facts.in_force
        for client in game.honest
        if client.hearing.after(client.parents).facts.in_force is not None
    }
    assert len(held) <= 1


@FEW
@given(seed=SEEDS, moves=st.integers(min_value=0, max_value=25))
def test_findings_are_never_taken_back(seed: int, moves: int) -> None:
    game = RandomGame(seed).play(moves)
    chance = random.Random(seed)
    honest = {client.key for client in game.honest}
    rest = [line for line in game.lines if line.id != game.table.id]
    everything = found(judge(transcript(game.lines)))
    for share in (0.5, 0.8, 0.95):
        some = [game.table, *(line for line in rest if chance.random() < share)]
        fewer = [game.table, *(line for line in some[1:] if chance.random() < share)]
        assert found(judge(transcript(fewer))) <= found(judge(transcript(some))) <= everything
        assert honest.isdisjoint(author for _, author, _ in found(judge(transcript(some))))


@FEW
@given(seed=SEEDS, moves=st.integers(min_value=0, max_value=25), chance=st.randoms(use_true_random=False))
def test_the_verdict_is_a_function_of_the_set_of_lines(seed: int, moves: int, chance: random.Random) -> None:
    lines = RandomGame(seed).play(moves).lines
    said = to_json(judge(transcript(lines)))
    again = lines + chance.sample(lines, len(lines) // 2)
    chance.shuffle(again)
    shuffled = to_json(judge(transcript(again)))
    assert shuffled == said
    (read,) = judge_bytes(b"\r\n".join(line.data for line in lines))
    assert {**to_json(read), "aside": None} == {**said, "aside": None}


@FEW
@given(seed=SEEDS, moves=st.integers(min_value=5, max_value=25))
def test_what_a_finding_carries_proves_it_alone(seed: int, moves: int) -> None:
    whole = transcript(RandomGame(seed).play(moves).lines)
    proven = Counter[str]()
    for finding in judge(whole).findings:
        proven[finding.author] += 1
        if proven[finding.author] > MOST_PROVEN:
            continue
        numbers = whole.graph.closure([whole.graph.index[entry] for entry in finding.entries])
        (alone,) = judge_bytes(whole.write(numbers))
        assert (finding.code, finding.author, finding.slot) in found(alone)
