"""A game is told line by line, and what is wrong in it beside the line."""

import pytest
from msgspec import UNSET
from talk import JUDGE, Talk, file, forged, key, table

from hiddenagenda.entry import Act, Apply, Body, Commit, End, Leave, Note, Open, Pass, Seal, Step, frame
from hiddenagenda.record import read_record
from hiddenagenda.story import Weight, people, say, tell
from hiddenagenda.table import AgendaCard, NamesList
from hiddenagenda.transcript import Transcript

SLIP = Talk(2).slip("Ana")
SET = "sets the table “Friday”: Ana, Ben; priority is declared; rules of 2025-09"
NAMES = {key("Ana"): "Ana", key("Ben"): "Ben"}


def transcript(data: bytes) -> Transcript:
    return read_record(data).transcripts[0]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (Commit(commitments=("ab" * 32,)), "puts 1 agenda face down"),
        (Commit(commitments=()), "puts 0 agendas face down"),
        (Seal(), "accepts everybody's commits"),
        (Open(slips=(SLIP,), when=""), "shows slot 1: Muzzio's Preparations – Grizzly Bears"),
        (Open(slips=(SLIP,), when="turn 3"), "shows slot 1: Muzzio's Preparations – Grizzly Bears (turn 3)"),
        (
            Open(slips=(SLIP, Talk(2).slip("Ana", 2, "Opt")), when=""),
            "shows slot 1: Muzzio's Preparations – Grizzly Bears; slot 2: Muzzio's Preparations – Opt",
        ),
        (
            Open(slips=(Talk(2).slip("Ben"),), when=""),
            "shows slot 1 of Ben: Muzzio's Preparations – Grizzly Bears",
        ),
        (Apply(card="Opt", slot=2), "uses the ability of slot 2 on “Opt”"),
        (
            Step(active=key("Ben"), priority=True, step="upkeep", turn=3),
            "opens the step “upkeep” of turn 3, which is Ben's",
        ),
        (
            Step(active="0" * 64, priority=False, step="untap", turn=3),
            "opens the step “untap” of turn 3, which is 000000000000's; nobody has priority in it",
        ),
        (Pass(), "passes"),
        (Act(text="casts Opt"), "does something: “casts Opt”"),
        (Leave(player=key("Ben"), slips=(), why=""), "says that Ben is out of the game"),
        (
            Leave(player=key("Ana"), slips=(SLIP,), why="lost"),
            "leaves the game: “lost”; shows slot 1: Muzzio's Preparations – Grizzly Bears",
        ),
        (End(outcome="draw"), "says that the game is over: “draw”"),
        (Note(text="\x1b[2J"), "notes: “\\x1b[2J”"),
        (Note(text="no", entry="ab" * 32), "notes about abababababab: “no”"),
        (
            table(2, judge=True, names=NamesList(date="X", digest="ab" * 32)),
            SET + "; the judge is Judge; card names of X",
        ),
        (
            table(2, conspiracies=(AgendaCard(agenda="double", name="Whatever"),)),
            SET + "; with Whatever (double)",
        ),
    ],
)
def test_what_is_said(body: Body, said: str) -> None:
    assert str(say(frame(body, author=key("Ana")), NAMES)) == said


def test_everybody_has_a_name() -> None:
    assert list(people(table(2, judge=True)).values()) == ["Ana", "Ben", JUDGE]
    assert people(table(2)) == NAMES
    assert table(2).judge is UNSET


def test_a_game_is_told_in_display_order_with_what_it_rests_on() -> None:
    talk = Talk(2)
    talk.say("Ben", Commit(commitments=()), [talk.table])
    talk.say("Ana", Commit(commitments=()), [talk.lines[-1], talk.table])
    told = tell(transcript(talk.data))
    assert [(one.number, one.name, one.line.entry.type) for one in told] == [
        (0, "Ana", "table"),
        (1, "Ben", "commit"),
        (2, "Ana", "commit"),
    ]
    assert [one.rests_on for one in told] == [(), (0,), (0, 1)]
    assert [one.depth for one in told] == [0, 1, 2]
    assert all(one.weight is Weight.COUNTS and not one.wrong and not one.is_forked and one.code is None for one in told)


def test_what_is_wrong_is_said_beside_the_line() -> None:
    talk = Talk(3)
    void = talk.say("Ben", Seal(), [talk.table])
    unsigned = talk.forge("Cleo", Note(text="x"), [talk.table])
    resting = talk.say("Ben", Note(text="y"), [void, unsigned])
    fork = talk.say("Ben", Note(text="z"), [void], seq=2)
    told = {one.line.id: one for one in tell(transcript(talk.data))}
    assert told[void.id].weight is Weight.VOID
    assert told[void.id].code == "premature-seal"
    texts = [str(wrong) for wrong in told[void.id].wrong]
    assert texts[0].startswith("premature-seal: ")
    assert texts[1].startswith("commits by Ana among its ancestors: 0")
    assert texts[2].startswith("a rule of the table")
    assert told[unsigned.id].weight is Weight.UNSIGNED
    assert "anybody can have written it" in str(told[unsigned.id].wrong[0])
    assert told[resting.id].weight is Weight.UNGROUNDED
    assert told[resting.id].is_forked
    assert told[fork.id].is_forked
    assert "another entry in its place" in str(told[fork.id].wrong[0])
    assert told[fork.id].weight is Weight.COUNTS


def test_a_finding_without_a_particular_has_its_code_and_rule_alone() -> None:
    talk = Talk(2)
    talk.say("Ben", End(outcome=""), [talk.table])
    (wrong, rule) = tell(transcript(talk.data))[1].wrong
    assert str(wrong).startswith("before-start: ")
    assert str(rule)


def test_a_forgery_in_a_forked_place_is_no_half() -> None:
    talk = Talk(2)
    talk.say("Ben")
    talk.say("Ben", over=[talk.table], seq=1)
    forgery = talk.forge("Ben", Note(text="mine"), [talk.table], seq=1)
    told = {one.line.id: one for one in tell(transcript(file([*talk.lines, forged(forgery)])))}
    assert [one.is_forked for one in told.values()].count(True) == 2
    assert not told[forgery.id].is_forked
