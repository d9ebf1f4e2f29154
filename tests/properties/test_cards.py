"""Properties of folding, cleaning, tables and resolution, for any text."""

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.folding import RefusedCharacters, clean, fold
from hiddenagenda.cards.resolve import Refused, Resolved, resolve
from hiddenagenda.cards.table import Kind, Row, read_row, write_row
from hiddenagenda.cards.writing import write_table
from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.edge.catalogue import bundled
from hiddenagenda.faults import HiddenAgendaError

CARDS = bundled()
SOME_NAMES = st.sampled_from([row.name for row in CARDS.rows() if row.kind.may_be_named][::50])
names = st.text(min_size=1, max_size=30).filter(lambda text: text.strip() and not FORBIDDEN.search(text))


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text)
    assert fold(once) == once
    assert bool(once) == bool(text.split()) or not once


@given(st.text())
def test_what_cleaning_lets_through_may_be_shown_and_signed(text: str) -> None:
    try:
        cleaned = clean(text)
    except RefusedCharacters:
        return
    assert not FORBIDDEN.search(cleaned.text)
    assert clean(cleaned.text).text == cleaned.text
    assert not clean(cleaned.text).notices


@settings(max_examples=60)
@given(st.dictionaries(names, st.sampled_from(list(Kind)), max_size=20))
def test_every_row_written_is_found_again(kinds: dict[str, Kind]) -> None:
    rows = [Row(printed=name, language="en", kind=kind, name=name) for name, kind in kinds.items()]
    catalogue = Catalogue(write_table(rows, date="d", source="s"))
    catalogue.check()
    assert catalogue.header.rows == len(rows)
    for row in rows:
        assert read_row(write_row(row)) == row
        if row.kind is Kind.CALLED:
            assert row.printed in catalogue.called(row.name, "en")
        else:
            assert row in catalogue.spelled(row.printed)
        assert (catalogue.card(row.name) == row) == row.kind.may_be_named


@settings(max_examples=100)
@given(st.sets(names, min_size=1, max_size=30), st.lists(names, max_size=10), st.sampled_from([0, 7, 64, 4096]))
def test_bisecting_finds_what_reading_all_lines_finds(held: set[str], asked: list[str], near: int) -> None:
    rows = [Row(printed=name, language="en", kind=Kind.CARD, name=name) for name in held]
    catalogue = Catalogue(write_table(rows, date="d", source="s"))
    with patch("hiddenagenda.cards.catalogue._NEAR", near):
        for name in [*held, *asked, *(f"{name}\uffdc" for name in held)]:
            alike = [row for row in catalogue.rows() if fold(row.printed) == fold(name)]
            assert list(catalogue.spelled(name)) == alike
            longer = [row for row in catalogue.rows() if fold(row.printed).startswith(fold(name))]
            assert list(catalogue.beginning(name)) == longer


@given(SOME_NAMES, st.data())
def test_a_name_in_any_writing_is_its_card(name: str, data: st.DataObject) -> None:
    typed = "".join(data.draw(st.sampled_from([c.lower(), c.upper() if c != "ß" else c])) for c in name)
    typed = typed.replace("'", data.draw(st.sampled_from("'’‘′")))
    typed = typed.replace(" ", data.draw(st.sampled_from([" ", "\u00a0", "  "])))
    found = resolve(CARDS, typed)
    assert isinstance(found, Resolved)
    assert found.card.name == name
    assert bool(found.notices) == (typed.replace("  ", " ") != name)


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(max_size=40), SOME_NAMES.flatmap(lambda name: st.permutations(name).map("".join))))
def test_any_text_has_an_outcome_and_only_our_errors(typed: str) -> None:
    found = resolve(CARDS, typed)
    if isinstance(found, Resolved):
        assert CARDS.card(found.card.name) == found.card
        assert found.found in CARDS.spelled(found.found.printed)
    if isinstance(found, Refused):
        assert isinstance(found.error, HiddenAgendaError)
