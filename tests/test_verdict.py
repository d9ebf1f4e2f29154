"""The verdict as a value: it is never a bool, it raises on demand, and all of it is in its JSON."""

import json
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types
import pytest
from msgspec import structs

from hiddenagenda.cards.remarks import Remark
from hiddenagenda.faults import HiddenAgendaError, sentence
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Code, Edition
from hiddenagenda.verdict import (
    AgendaOwed,
    AgendaPending,
    Aside,
    BrokenAgenda,
    Finding,
    NamedCard,
    NothingToJudge,
    NotKept,
    Phase,
    Player,
    Slot,
    SlotState,
    Verdict,
    name_of,
)
from hiddenagenda.verdictjson import to_json

ANA, BEN, GAME = "a" * 64, "b" * 64, "f" * 64
SCHEMA = json.loads((Path(__file__).parent / "vectors" / "verdict.schema.json").read_text(encoding="utf-8"))


def members(kind: type) -> set[str]:
    return {field.name for field in (fields(kind) if is_dataclass(kind) else structs.fields(kind))}


def verdict(outcome: Outcome) -> Verdict:
    """A verdict with one of everything."""
    return Verdict(
        game=GAME,
        outcome=outcome,
        edition=Edition.E2017_08,
        label="friday",
        phase=Phase.OVER,
        priority_checked=True,
        findings=(
            Finding(
                code=Code.SLIP_DOES_NOT_FIT,
                author=BEN,
                at=("1" * 64,),
                entries=("1" * 64, "2" * 64),
                slot=1,
                said=sentence("the slip hashes to {got}", got="xyz"),
            ),
            Finding(code=Code.FORKED, author=BEN, at=("3" * 64, "4" * 64), entries=("3" * 64, "4" * 64)),
        ),
        players=(
            Player(key=ANA, name="Ana", standing=Outcome.KEPT),
            Player(key=BEN, name="Ben", standing=Outcome.BROKEN),
            Player(key="c" * 64, name="Judge", standing=Outcome.BROKEN, judge=True),
        ),
        slots=(
            Slot(
                player=ANA,
                slot=1,
                state=SlotState.TURNED_UP,
                commitment="5" * 64,
                conspiracy="Summoner's Bond",
                names=(
                    NamedCard(name="Grizzly Bears", remark=Remark.LISTED),
                    NamedCard(name="Wind Drake", remark=Remark.UNLISTED),
                ),
                opened_by=("6" * 64,),
            ),
            Slot(player=BEN, slot=1, state=SlotState.OWED, commitment="7" * 64),
        ),
        aside=(
            Aside(line=3, reason="absent", said=sentence("it rests on nothing"), entry="8" * 64),
            Aside(line=None, reason="not-json", said=sentence("not JSON at byte {position}", position=0)),
        ),
    )


@pytest.mark.parametrize("outcome", Outcome)
def test_neither_a_verdict_nor_an_outcome_is_true_or_false(outcome: Outcome) -> None:
    with pytest.raises(TypeError, match="true or false"):
        bool(verdict(outcome))
    with pytest.raises(TypeError, match="true or false"):
        bool(outcome)


def test_there_are_six_outcomes() -> None:
    assert {outcome.value for outcome in Outcome} == {
        "kept",
        "pending",
        "not-started",
        "owes",
        "broken",
        "undecidable",
    }


@pytest.mark.parametrize(
    ("outcome", "error", "said"),
    [
        (Outcome.BROKEN, BrokenAgenda, "Ben: slip-does-not-fit"),
        (Outcome.OWES, AgendaOwed, "no opening of slot 1 by Ben is in these lines"),
        (Outcome.PENDING, AgendaPending, "something still lies face down"),
        (Outcome.NOT_STARTED, AgendaPending, "the game has not started: not all have sealed the same commits"),
        (Outcome.UNDECIDABLE, NothingToJudge, "there is no readable table"),
    ],
)
def test_whoever_must_not_overlook_it_gets_an_exception(outcome: Outcome, error: type[NotKept], said: str) -> None:
    given = verdict(outcome)
    with pytest.raises(error) as caught:
        given.require_kept()
    assert caught.value.verdict is given
    assert caught.value.code == outcome.value
    assert str(caught.value) == said
    assert isinstance(caught.value, HiddenAgendaError)


def test_kept_raises_nothing() -> None:
    verdict(Outcome.KEPT).require_kept()


def test_a_finding_knows_its_rule() -> None:
    slip, fork = verdict(Outcome.BROKEN).findings
    assert slip.rule.number(Edition.E2025_09) == "702.106b"
    assert fork.rule.number(Edition.E2025_09) is None


def test_names_are_found_by_key_and_strangers_are_shown_by_the_start_of_theirs() -> None:
    assert name_of(verdict(Outcome.KEPT), BEN) == "Ben"
    assert name_of(verdict(Outcome.KEPT), "d" * 64) == "d" * 16


def test_only_names_that_are_not_plainly_listed_are_remarked_on() -> None:
    given = verdict(Outcome.KEPT)
    assert given.remarked == given.slots[:1]
    listed = structs.replace(given.slots[0], names=given.slots[0].names[:1])
    assert replace(given, slots=(listed,)).remarked == ()


@pytest.mark.parametrize("outcome", Outcome)
def test_json_follows_its_schema(outcome: Outcome) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(to_json(verdict(outcome)))


def test_json_has_all_members_of_all_values() -> None:
    written: Any = to_json(verdict(Outcome.BROKEN))
    assert written.keys() == members(Verdict) - {"priority_checked"} | {"priority"}
    assert written["findings"][0].keys() == members(Finding) | {"rule", "number"}
    assert written["players"]["c" * 64].keys() == members(Player) - {"key"}
    assert written["slots"][0].keys() == members(Slot)
    assert written["slots"][0]["names"][0].keys() == members(NamedCard)
    assert written["aside"][0].keys() == members(Aside)


def test_json_has_at_least_what_programs_rely_on() -> None:
    written: Any = to_json(verdict(Outcome.BROKEN))
    assert written["game"] == GAME
    assert written["outcome"] == "broken"
    assert written["players"][ANA] == {"name": "Ana", "standing": "kept"}
    assert {"code", "author", "entries"} <= written["findings"][0].keys()
    assert written["findings"][0]["number"] == "702.105b"
    assert {"player", "slot", "state"} <= written["slots"][0].keys()
    assert written["aside"][0] == {
        "entry": "8" * 64,
        "line": 3,
        "reason": "absent",
        "said": "it rests on nothing",
    }


def test_an_undecidable_verdict_names_no_game() -> None:
    written = to_json(Verdict(game=None, outcome=Outcome.UNDECIDABLE, edition=Edition.E2025_09))
    assert "game" not in written
    jsonschema.Draft202012Validator(SCHEMA).validate(written)
