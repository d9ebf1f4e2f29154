"""Cheat by place by number of players: the right code, the right key, and no honest one, whatever lines are shown."""

import random
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations

import pytest
from cheats import CHEATS, Case, games
from table import Game, damaged, found, transcript

from hiddenagenda.line import Line
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Code
from hiddenagenda.verdict import Phase
from hiddenagenda.verifier import judge, judge_bytes

ALL_SUBSETS_UP_TO = 12


@pytest.mark.parametrize(("case", "players", "place"), games(range(2, 7)))
def test_the_cheat_is_found_and_nobody_else(case: Case, players: int, place: int) -> None:
    game = case.at(players, place)
    verdict = game.verdict()
    codes = {(finding.code, finding.slot) for finding in verdict.findings}
    if case.code is None:
        assert codes == set()
    else:
        assert {code for code, _ in codes} == {case.code}
        assert case.slot is None or (case.code, case.slot) in codes
    assert {finding.author for finding in verdict.findings} <= {game.cheat.key}
    if verdict.phase is not Phase.SETTING_UP:
        standings = {player.key: player.standing for player in verdict.players}
        for client in game.honest:
            if client is not game.judge:
                assert standings[client.key] is Outcome.KEPT


def subsets(lines: list[Line], seed: str) -> Iterator[list[Line]]:
    """All subsets that hold the table where they are few, else some."""
    rest = [line for line in lines if line.entry.type != "table"]
    tables = [line for line in lines if line.entry.type == "table"]
    if len(lines) <= ALL_SUBSETS_UP_TO:
        for size in range(len(rest) + 1):
            for chosen in combinations(rest, size):
                yield [*tables, *chosen]
    else:
        chance = random.Random(seed)
        for _ in range(30):
            keep = chance.choice((0.5, 0.8, 0.95))
            yield [*tables, *(line for line in rest if chance.random() < keep)]


@pytest.mark.parametrize(("case", "players", "place"), games(range(2, 4)))
def test_whatever_lines_are_shown_no_honest_key_is_named(case: Case, players: int, place: int) -> None:
    game = case.at(players, place)
    lines = game.lines
    everything = found(judge(transcript(lines)))
    for shown in subsets(lines, f"{case.name} {players} {place}"):
        findings = found(judge(transcript(shown)))
        assert findings <= everything
        assert {author for _, author, _ in findings} <= {game.cheat.key}


@pytest.mark.parametrize(("case", "players", "place"), games(range(3, 4)))
def test_a_finding_is_proven_by_its_own_lines(case: Case, players: int, place: int) -> None:
    game = case.at(players, place)
    whole = transcript(game.lines)
    for finding in judge(whole).findings:
        numbers = whole.graph.closure([whole.graph.index[entry] for entry in finding.entries])
        (alone,) = judge_bytes(whole.write(numbers))
        assert (finding.code, finding.author, finding.slot) in found(alone)
        assert finding.entries[: len(finding.at)] == finding.at


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("tracked", [False, True])
def test_a_fork_at_every_index_is_found(players: int, *, tracked: bool) -> None:
    for place in range(players):
        game = Game(players, cheats=(place,), tracked=tracked)
        game.start()
        game.finish()
        game.cheat.leave()
        for line in list(game.cheat.own):
            if line.entry.type != "table":
                other = game.cheat.fork(line)
                verdict = judge(transcript([*game.lines, other]))
                assert found(verdict) >= {(Code.FORKED, game.cheat.key, None)}
                assert {finding.author for finding in verdict.findings} == {game.cheat.key}
        assert len([1 for finding in game.verdict().findings if finding.code is Code.FORKED]) == len(
            [1 for line in game.cheat.own if line.entry.type != "table"]
        )


@pytest.mark.parametrize("seed", range(40))
def test_dropped_reordered_and_damaged_lines_accuse_nobody(seed: int) -> None:
    """Take an honest game and do to its file what networks, disks and enemies do."""
    chance = random.Random(seed)
    game = Game(chance.randint(2, 5), judged=chance.random() < 0.4, tracked=chance.random() < 0.5)
    game.start()
    game.finish()
    assert game.verdict().outcome is Outcome.KEPT
    lines = [line.data for line in game.lines]
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(lines))
        match chance.choice(["drop", "flip", "cut", "repeat", "resign", "strange"]):
            case "drop":
                del lines[place]
            case "flip":
                at = chance.randrange(len(lines[place]))
                changed = bytes([lines[place][at] ^ 1 << chance.randrange(7)])
                lines[place] = lines[place][:at] + changed + lines[place][at + 1 :]
            case "cut":
                lines[place] = lines[place][: chance.randrange(len(lines[place]))]
            case "repeat":
                lines.append(lines[place])
            case "resign":
                lines.append(damaged(chance.choice(game.lines)).data)
            case "strange":
                lines.insert(place, sha256(lines[place]).hexdigest().encode())
        if not lines:
            lines = [b""]
    chance.shuffle(lines)
    for verdict in judge_bytes(b"\n".join(lines)):
        assert verdict.findings == ()


def test_every_code_has_a_cheat() -> None:
    assert {case.code for case in CHEATS.values() if case.code is not None} == set(Code)
