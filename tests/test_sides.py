"""Several records of one game: one verdict, and who did not show what."""

import pytest
from table import Game

from hiddenagenda.entry import Note
from hiddenagenda.outcome import Outcome
from hiddenagenda.record import Record, read_record
from hiddenagenda.sides import Lacking, judge_sides


def record(game: Game, *without: str) -> Record:
    return read_record(b"\n".join(line.data for line in game.lines if line.id not in without))


def test_what_one_side_leaves_out_another_shows() -> None:
    game = Game(2)
    game.start()
    ana, ben = game.players
    game.finish()
    left = ben.own[-1]
    (compared,) = judge_sides({"ana.jsonl": record(game, left.id), "ben.jsonl": record(game)})
    assert compared.verdict.outcome is Outcome.KEPT
    mine, his = compared.sides
    assert mine.name == "ana.jsonl"
    assert mine.lacks == (Lacking(entry=left.id, author=ben.key, known=False),)
    assert his.lacks == ()
    assert ana.key != ben.key


def test_what_ones_own_lines_rest_on_was_known() -> None:
    game = Game(2)
    game.start()
    ana, ben = game.players
    first = ben.say(Note(text="first"))
    second = ben.say(Note(text="second"))
    game.share()
    ana.say(Note(text="heard"))
    game.share()
    third = ben.say(Note(text="third"))
    game.share()
    (compared,) = judge_sides({"ana": record(game, first.id, second.id, third.id), "ben": record(game)})
    assert compared.sides[0].lacks == (
        Lacking(entry=first.id, author=ben.key, known=True),
        Lacking(entry=second.id, author=ben.key, known=True),
        Lacking(entry=third.id, author=ben.key, known=False),
    )


def test_each_game_is_compared_among_those_who_have_its_table() -> None:
    one, other = Game(2), Game(3)
    one.start()
    compared = judge_sides({"a": record(one), "b": record(other), "c": record(one).merge(record(other))})
    assert [game.verdict.game for game in compared] == sorted([one.table.id, other.table.id])
    sides = {game.verdict.game: [side.name for side in game.sides] for game in compared}
    assert sides == {one.table.id: ["a", "c"], other.table.id: ["b", "c"]}
    assert all(side.lacks == () for game in compared for side in game.sides)


def test_without_a_table_there_is_nothing_to_compare() -> None:
    (compared,) = judge_sides({"a": read_record(b"hello\n")})
    assert compared.verdict.outcome is Outcome.UNDECIDABLE
    assert compared.sides == ()
    with pytest.raises(ValueError, match="nothing to judge"):
        judge_sides({})
