"""Conspiracies: the facts, their names as people type them, and what their agendas can use."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hiddenagenda.cards.conspiracies import AGENDA_KINDS, CONSPIRACIES, Agenda, Conspiracy, Works
from hiddenagenda.cards.conspiracy_names import UnknownConspiracy, resolve_conspiracy
from hiddenagenda.cards.folding import RefusedCharacters
from hiddenagenda.cards.table import Kind, Row
from hiddenagenda.cards.usefulness import Use, use, warning


def test_there_are_29_of_which_15_have_an_agenda() -> None:
    assert len(CONSPIRACIES) == 29
    assert list(CONSPIRACIES) == sorted(CONSPIRACIES)
    assert len(AGENDA_KINDS) == 15
    assert [name for name, agenda in AGENDA_KINDS.items() if agenda is Agenda.DOUBLE] == ["Summoner's Bond"]
    assert [agenda.names for agenda in Agenda] == [0, 1, 2]


def test_they_agree_with_the_shared_facts(shared: Path) -> None:
    facts = json.loads((shared / "data" / "conspiracies.json").read_text(encoding="utf-8"))
    assert {fact["name"] for fact in facts} == set(CONSPIRACIES)
    works = {
        None: Works.NOTHING,
        "creature": Works.CREATURE,
        "two creatures": Works.CREATURE_SPELL,
        "instant or sorcery": Works.INSTANT_OR_SORCERY,
        "any castable card": Works.CASTABLE,
    }
    for fact in facts:
        card = CONSPIRACIES[fact["name"]]
        assert card.agenda is Agenda(fact["agenda"])
        assert card.agenda.names == fact["names_sealed"]
        assert card.works_on is works[fact["kind_that_makes_it_work"]], card.name


def test_the_facts_come_without_a_table_of_names() -> None:
    script = (
        "import sys, hiddenagenda.cards.conspiracies as _; print([m for m in sys.modules if 'hiddenagenda.cards' in m])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['hiddenagenda.cards', 'hiddenagenda.cards.conspiracies']"


@pytest.mark.parametrize(
    ("typed", "notices"),
    [
        ("Muzzio's Preparations", 0),
        ("muzzio’s preparations", 1),
        ("Muzzio's\u00a0Preparations", 1),
        ("\ufeffMUZZIO'S PREPARATIONS", 2),
    ],
)
def test_a_conspiracy_is_found_as_people_type_it(typed: str, notices: int) -> None:
    found, said = resolve_conspiracy(typed)
    assert found is CONSPIRACIES["Muzzio's Preparations"]
    assert len(said) == notices


def test_a_conspiracy_misspelt_is_suggested_and_not_taken() -> None:
    with pytest.raises(UnknownConspiracy) as caught:
        resolve_conspiracy("Muzios Preperations")
    assert caught.value.suggestions[0] == "Muzzio's Preparations"
    assert caught.value.code == "unknown-conspiracy"
    assert "did you mean" in str(caught.value.hint)


def test_what_is_nothing_like_a_conspiracy_gets_no_suggestion() -> None:
    with pytest.raises(UnknownConspiracy) as caught:
        resolve_conspiracy("zzz")
    assert caught.value.suggestions == ()
    assert caught.value.hint is None


def test_lookalike_letters_never_match_a_conspiracy() -> None:
    with pytest.raises(UnknownConspiracy) as caught:
        resolve_conspiracy("Powеr Play")  # Cyrillic е
    assert "Power Play" in caught.value.suggestions


def test_bidirectional_controls_are_refused_in_a_conspiracy() -> None:
    with pytest.raises(RefusedCharacters):
        resolve_conspiracy("Power\u202ePlay")


def test_a_cube_may_bring_further_conspiracies() -> None:
    ours = Conspiracy(name="Our Own Plot", agenda=Agenda.HIDDEN, works_on=Works.CREATURE)
    assert resolve_conspiracy("our own plot", further={ours.name: ours})[0] is ours
    with pytest.raises(UnknownConspiracy):
        resolve_conspiracy("our own plot")


def card(type_line: str | None) -> Row:
    return Row(printed="A Card", language="en", kind=Kind.CARD, name="A Card", type_line=type_line)


CREATURES, SPELLS, CAST, BOND, PLAIN = (
    CONSPIRACIES[name]
    for name in ("Muzzio's Preparations", "Double Stroke", "Brago's Favor", "Summoner's Bond", "Power Play")
)

CUBE = Conspiracy(name="Our Own Plot", agenda=Agenda.HIDDEN, works_on=Works.ANYTHING)


@pytest.mark.parametrize(
    ("conspiracy", "type_line", "expected"),
    [
        (CREATURES, "Creature — Bear", Use.WORKS),
        (CREATURES, "Summon — Specter", Use.WORKS),
        (CREATURES, "Instant", Use.USELESS),
        (CREATURES, "Kindred Sorcery — Goblin", Use.USELESS),
        (CREATURES, "Artifact — Vehicle", Use.ONLY_AS_CREATURE),
        (CREATURES, "Land", Use.ONLY_AS_CREATURE),
        (CREATURES, "Plane — Dominaria", Use.USELESS),
        (CREATURES, "Instant // Creature — Bear", Use.WORKS),
        (CREATURES, None, Use.UNKNOWN),
        (SPELLS, "Instant — Adventure", Use.WORKS),
        (SPELLS, "instant", Use.WORKS),
        (SPELLS, "Creature — Bear", Use.USELESS),
        (CAST, "Artifact", Use.WORKS),
        (CAST, "Planeswalker — Jace", Use.WORKS),
        (CAST, "Basic Land — Forest", Use.USELESS),
        (CAST, "Land Creature — Forest Dryad", Use.USELESS),
        (CAST, "Conspiracy", Use.USELESS),
        (BOND, "Creature — Bear", Use.WORKS),
        (BOND, "Artifact — Vehicle", Use.USELESS),
        (BOND, "Land Creature — Forest Dryad", Use.USELESS),
        (PLAIN, "Creature — Bear", Use.USELESS),
        (CUBE, "Basic Land — Forest", Use.WORKS),
    ],
)
def test_what_a_card_is_good_for(conspiracy: Conspiracy, type_line: str | None, expected: Use) -> None:
    assert use(conspiracy, card(type_line)) is expected


def test_a_useless_name_earns_a_warning_with_both_sides() -> None:
    said = str(warning(CREATURES, card("Instant")))
    assert "useless" in said
    assert "Muzzio's Preparations" in said
    assert "Instant" in said
    assert "only if" in str(warning(CREATURES, card("Artifact — Vehicle")))
    assert warning(CREATURES, card("Creature — Bear")) is None
    assert warning(CREATURES, card(None)) is None
