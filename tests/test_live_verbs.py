"""What is said at a live table: typed or as JSON, and what is refused."""

from contextlib import suppress

import pytest
from hiddenagenda_cli.live_verbs import DOOR, LOBBY, TABLE, agendas, read
from hypothesis import given
from hypothesis import strategies as st

from hiddenagenda.faults import Malformed


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("up 1", '{"do": "up", "slot": 1}'),
        ("up  2   turn 3, upkeep ", '{"do": "up", "slot": 2, "when": "turn 3, upkeep"}'),
        ("apply 1 Ach! Hans, Run!", '{"do": "apply", "slot": 1, "card": "Ach! Hans, Run!"}'),
        ("pass", '{"do": "pass"}'),
        (" note Ana's turn", '{"do": "note", "text": "Ana\'s turn"}'),
        ("step upkeep 3 Ana Maria", '{"do": "step", "step": "upkeep", "turn": 3, "active": "Ana Maria"}'),
        ("leave", '{"do": "leave"}'),
        ("commit none", '{"do": "commit", "agendas": "none"}'),
    ],
)
def test_typed_and_written_mean_the_same(typed: str, same: str) -> None:
    assert read(typed, TABLE) == read(same, TABLE)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "verb"),
        ("fly", "verb"),
        ("up", "usage"),
        ("up one", "usage"),
        ("up 0", "usage"),
        ("up -1", "usage"),
        ("up ١", "usage"),
        ("pass the salt", "usage"),
        ("step upkeep", "usage"),
        ("step upkeep one Ana", "usage"),
        ("note \x1b[31mred", "usage"),
        ("note \u202etxt", "usage"),
        ("accept 1", "verb"),
        ('{"do": "up"}', "usage"),
        ('{"do": "up", "slot": "1"}', "usage"),
        ('{"do": "up", "slot": true}', "usage"),
        ('{"do": "up", "slot": 1.5}', "usage"),
        ('{"do": "up", "slot": 1, "x": 2}', "usage"),
        ('{"do": "up", "slot": [1]}', "usage"),
        ('{"do": "note", "text": 5}', "usage"),
        ('{"do": "note", "text": "\\u0007"}', "usage"),
        ('{"do": 5}', "usage"),
        ("{}", "usage"),
        ("{", "usage"),
        ("{" + '"a":{' * 100_000, "usage"),
    ],
)
def test_what_is_nothing_is_refused(line: str, code: str) -> None:
    with pytest.raises(Malformed) as refused:
        read(line, TABLE)
    assert refused.value.code == code


@given(st.text())
def test_any_line_is_read_or_refused(line: str) -> None:
    for verbs in (TABLE, LOBBY, DOOR):
        with suppress(Malformed):
            assert read(line, verbs).verb in verbs


def test_every_verb_says_how_it_is_said() -> None:
    for verbs in (TABLE, LOBBY, DOOR):
        for name, verb in verbs.items():
            assert verb.usage(name).startswith(name)
            assert str(verb.said)
    assert TABLE["up"].usage("up") == "up slot [when]"


def test_agendas_in_one_line() -> None:
    assert agendas("none") == ()
    assert agendas("Muzzio's Preparations=Grizzly Bears") == [("Muzzio's Preparations", ("Grizzly Bears",))]
    assert agendas("A = x ; B=y=z") == [("A", ("x",)), ("B", ("y", "z"))]


@pytest.mark.parametrize("text", ["", "A", "A=", "=x", "A=x;", "A=x=;B=y", "none; A=x"])
def test_what_are_no_agendas(text: str) -> None:
    with pytest.raises(Malformed):
        agendas(text)
