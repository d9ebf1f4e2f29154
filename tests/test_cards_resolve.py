"""From what is typed to one card, or to the reason why there is none; and the remarks on names."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.folding import RefusedCharacters
from hiddenagenda.cards.remarks import Remark, interchangeable, remark, remarks
from hiddenagenda.cards.resolve import (
    ANY_LANGUAGE,
    Ambiguous,
    AmbiguousCardName,
    Refused,
    Resolved,
    TokenOnly,
    Unknown,
    UnknownCardName,
    WholeCard,
    one_card,
    resolve,
)
from hiddenagenda.cards.table import Kind, Row
from hiddenagenda.cards.writing import write_table
from hiddenagenda.edge.catalogue import bundled

NEEDS_AN_IMPORT = {"Godzilla, King of the Monsters", "Castle Dracula", "Spectral Restitching"}


@pytest.fixture(scope="module")
def cards() -> Catalogue:
    return bundled()


def check_as_required(catalogue: Catalogue, row: Any, languages: tuple[str, ...]) -> None:
    found = resolve(catalogue, row["input"], languages=languages)
    match row["expect"], found:
        case "resolve", Resolved():
            assert found.card.name == row["canonical"]
            assert one_card(found) is found
        case "ambiguous", Ambiguous() | WholeCard():
            assert {candidate.card.name for candidate in found.candidates} == set(row["candidates"])
            with pytest.raises(AmbiguousCardName) as caught:
                one_card(found)
            assert caught.value.suggestions == tuple(candidate.card.name for candidate in found.candidates)
        case "reject", Unknown() | TokenOnly():
            assert {*(row["candidates"] or ())} <= {candidate.card.name for candidate in found.suggestions}
            with pytest.raises(UnknownCardName):
                one_card(found)
        case "reject", Refused():
            with pytest.raises(RefusedCharacters):
                one_card(found)
        case _:
            pytest.fail(f"{row['input']!r} became {found}")


def test_the_english_nasty_names_come_out_as_required(shared: Path, cards: Catalogue) -> None:
    rows = json.loads((shared / "data" / "nasty_names.json").read_text(encoding="utf-8"))
    checked = 0
    for row in rows:
        if row["language"] == "en" and row["input"] not in NEEDS_AN_IMPORT:
            check_as_required(cards, row, ("en",))
            checked += 1
    assert checked > 60


def test_all_names_that_must_be_accepted_are(shared: Path, cards: Catalogue) -> None:
    folder = shared / "corpora" / "card-names"
    for row in json.loads((folder / "must-accept.json").read_text(encoding="utf-8")):
        found = resolve(cards, row["name"])
        if " // " in row["name"]:
            assert isinstance(found, WholeCard), row
        else:
            assert isinstance(found, Resolved), row


def test_every_name_of_both_conspiracy_sets_is_listed(shared: Path, cards: Catalogue) -> None:
    sets = json.loads((shared / "corpora" / "cards" / "all-names_CNS_CN2.json").read_text(encoding="utf-8"))
    for names in sets.values():
        for name in names:
            assert isinstance(resolve(cards, name), Resolved | WholeCard), name


def test_former_names_lead_to_the_card(shared: Path, cards: Catalogue) -> None:
    pairs = json.loads((shared / "data" / "aliases.json").read_text(encoding="utf-8"))["pairs"]
    for pair in pairs:
        found = one_card(resolve(cards, pair["old"]))
        assert found.card.name == pair["new"]
        assert "is called" in str(found.notices[-1])
        assert interchangeable(pair["old"], pair["new"])
        assert interchangeable(pair["new"], pair["old"])
        assert remark(cards, pair["old"]) is Remark.INTERCHANGEABLE


def test_tokens_are_told_from_cards(shared: Path, cards: Catalogue) -> None:
    tokens = json.loads((shared / "corpora" / "card-names" / "tokens.json").read_text(encoding="utf-8"))
    for name in tokens["token_name_is_also_a_card_name"]:
        assert isinstance(resolve(cards, name), Resolved), name
    for name in ("Food", "Golem", "Zombie", "Elemental"):
        assert isinstance(resolve(cards, name), TokenOnly), name
        assert remark(cards, name) is Remark.TOKEN_ONLY


def test_every_written_difference_is_told(cards: Catalogue) -> None:
    assert one_card(resolve(cards, "Lightning Bolt")).notices == ()
    (notice,) = one_card(resolve(cards, "lightning bolt")).notices
    assert str(notice) == "written “lightning bolt”, is “Lightning Bolt”"
    dropped, written = one_card(resolve(cards, "lightning\u00a0bolt")).notices
    assert "U+00A0" in str(dropped)
    assert "written" in str(written)


@pytest.mark.parametrize("typed", ["Fire/Ice", "fire//ice", "Fire / Ice", "FIRE // ICE"])
def test_a_whole_split_card_is_known_however_its_halves_are_joined(cards: Catalogue, typed: str) -> None:
    found = resolve(cards, typed)
    assert isinstance(found, WholeCard)
    assert [candidate.card.name for candidate in found.candidates] == ["Fire", "Ice"]
    with pytest.raises(AmbiguousCardName, match="all names of one card") as caught:
        one_card(found)
    assert caught.value.code == "whole-card"
    assert "“Fire”, “Ice”" in str(caught.value.hint)


def test_halves_that_are_no_card_together_are_unknown(cards: Catalogue) -> None:
    assert isinstance(resolve(cards, "Fire // Lightning Bolt"), Unknown)


def test_an_unknown_name_is_suggested_and_never_taken(cards: Catalogue) -> None:
    found = resolve(cards, "Grizly Baers")
    assert isinstance(found, Unknown)
    assert found.text == "Grizly Baers"
    with pytest.raises(UnknownCardName) as caught:
        one_card(found)
    assert caught.value.suggestions[0] == "Grizzly Bears"
    assert caught.value.code == "unknown-name"
    assert str(caught.value) == "no card is called “Grizly Baers”"
    assert str(caught.value.hint).startswith("did you mean “Grizzly Bears”")


def test_what_is_like_no_name_gets_no_suggestion(cards: Catalogue) -> None:
    with pytest.raises(UnknownCardName) as caught:
        one_card(resolve(cards, "qqqqqqqqqqqqqqq"))
    assert caught.value.suggestions == ()
    assert caught.value.hint is None


def test_nothing_is_no_name(cards: Catalogue) -> None:
    for typed in ("", "  ", "\u200b"):
        with pytest.raises(UnknownCardName, match="no name was typed"):
            one_card(resolve(cards, typed))


def test_a_lookalike_is_named_in_the_error(cards: Catalogue) -> None:
    with pytest.raises(UnknownCardName, match=r"U\+0412 \(CYRILLIC CAPITAL LETTER VE\) looks like “B”"):
        one_card(resolve(cards, "Lightning Воlt"))
    with pytest.raises(UnknownCardName, match=r"it holds U\+05E9"):
        one_card(resolve(cards, "Lightning Boשlt"))


def test_no_shared_lookalike_resolves(shared: Path, cards: Catalogue) -> None:
    lines = (shared / "corpora" / "unicode" / "confusables.tsv").read_text(encoding="utf-8").splitlines()
    name = "Quick-Draw Dagger"
    assert isinstance(resolve(cards, name), Resolved)
    tried = 0
    for line in lines[1:]:
        strange, plain = (
            chr(int(field.removeprefix("U+"), 16)) for field in (line.split("\t")[0], line.split("\t")[2])
        )
        if plain.isalnum() and plain in name and strange.lower() != plain and tried < 60:
            tried += 1
            found = resolve(cards, name.replace(plain, strange))
            assert isinstance(found, Unknown), line
            assert found.lookalikes, line
    assert tried > 20


def test_the_search_library_is_loaded_on_a_miss_only() -> None:
    script = (
        "import sys\n"
        "from hiddenagenda.edge.catalogue import bundled\n"
        "from hiddenagenda.cards.resolve import resolve\n"
        "cards = bundled()\n"
        "resolve(cards, 'lightning bolt'); resolve(cards, 'Fire // Ice')\n"
        "print('rapidfuzz' in sys.modules)\n"
        "resolve(cards, 'Grizly Baers')\n"
        "print('rapidfuzz' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]


def english(name: str, kind: Kind = Kind.CARD, of: str | None = None) -> Row:
    return Row(printed=name, language="en", kind=kind, name=of or name)


def foreign(language: str, printed: str, name: str, kind: Kind = Kind.PRINTED) -> Row:
    return Row(printed=printed, language=language, kind=kind, name=name)


@pytest.fixture(scope="module")
def many() -> Catalogue:
    names = ("Badlands", "Desolation", "Endurance", "Endure", "Goblin Lore", "Raging Goblin", "Coercion", "Duress",
             "Zilortha", "Fire", "Ice", "New Name")  # fmt: skip
    rows = [
        *map(english, names),
        english("Fire // Ice", Kind.WHOLE),
        english("Godzilla", Kind.FLAVOR, "Zilortha"),
        english("Old Name", Kind.FORMER, "New Name"),
        foreign("fr", "Désolation", "Badlands"),
        foreign("fr", "Endurance", "Endure"),
        foreign("fr", "Gobelin enrage", "Goblin Lore"),
        foreign("fr", "Gobelin enragé", "Raging Goblin"),
        foreign("fr", "Ancien", "Old Name"),
        foreign("fr", "Perdu", "Card That Nobody Lists"),
        foreign("de", "Zwang", "Coercion"),
        foreign("de", "Zwang", "Duress"),
        foreign("de", "Feuer // Eis", "Fire // Ice", Kind.WHOLE),
    ]
    return Catalogue(write_table(rows, date="d", source="s"))


@pytest.mark.parametrize(
    ("typed", "languages", "expected"),
    [
        ("Endurance", ("en",), ["Endurance"]),
        ("Endurance", ("fr",), ["Endure"]),
        ("Endurance", ("fr", "en"), ["Endurance", "Endure"]),
        ("Endurance", ANY_LANGUAGE, ["Endurance", "Endure"]),
        ("Désolation", ("fr",), ["Badlands"]),
        ("Desolation", ("fr", "en"), ["Badlands", "Desolation"]),
        ("Gobelin enrage", ("fr",), ["Goblin Lore", "Raging Goblin"]),
        ("Gobelin enragé", ("fr",), ["Raging Goblin"]),
        ("zwang", ("de",), ["Coercion", "Duress"]),
        ("Zwang", ("en",), ["Coercion", "Duress"]),
        ("Duress", ("de",), ["Duress"]),
        ("Godzilla", ("en",), ["Zilortha"]),
        ("Ancien", ("fr",), ["New Name"]),
        ("Perdu", ("fr",), []),
        ("feuer/eis", ("de",), ["Fire", "Ice"]),
    ],
)
def test_languages(many: Catalogue, typed: str, languages: tuple[str, ...], expected: Any) -> None:
    found = resolve(many, typed, languages=languages)
    match found:
        case Resolved():
            assert [found.card.name] == expected
        case Ambiguous() | WholeCard():
            assert [candidate.card.name for candidate in found.candidates] == expected
        case _:
            assert expected == []


def test_how_a_name_was_found_is_told(many: Catalogue) -> None:
    assert "second title" in str(one_card(resolve(many, "Godzilla")).notices[-1])
    found = one_card(resolve(many, "désolation", languages=("fr",)))
    assert [str(notice) for notice in found.notices] == [
        "written “désolation”, is “Désolation”",
        "“Désolation” is “Badlands” in English",
    ]
    with pytest.raises(AmbiguousCardName, match="may be one of “Coercion”, “Duress”") as caught:
        one_card(resolve(many, "Zwang", languages=("de",)))
    assert caught.value.code == "ambiguous-name"


def test_suggestions_come_in_the_languages_asked(many: Catalogue) -> None:
    found = resolve(many, "Gobelins enragés", languages=("fr",))
    assert isinstance(found, Unknown)
    assert "Raging Goblin" in [candidate.card.name for candidate in found.suggestions]
    elsewhere = resolve(many, "Gobelins enragés")
    assert isinstance(elsewhere, Unknown)
    assert elsewhere.suggestions == ()


def test_remarks_on_names(cards: Catalogue) -> None:
    assert remark(cards, "Lightning Bolt") is Remark.LISTED
    assert remark(cards, "Lightning Bolt", digest=cards.digest) is Remark.LISTED
    assert remark(cards, "Lightning Bolt", digest="0" * 64) is Remark.NOT_CHECKED
    assert remark(None, "Lightning Bolt") is Remark.NOT_CHECKED
    assert remark(cards, "lightning bolt") is Remark.UNLISTED
    assert remark(cards, "No Such Card") is Remark.UNLISTED
    assert remark(cards, "Fire") is Remark.LISTED
    assert remark(cards, "Fire // Ice") is Remark.WHOLE_SPLIT
    assert remark(cards, "Blood") is Remark.LISTED


def test_two_names_of_one_card_on_a_slip_are_remarked_on(cards: Catalogue) -> None:
    new, old = "Greymond, Avacyn's Stalwart", "Rick, Steadfast Leader"
    assert remarks(cards, (new, old)) == (Remark.INTERCHANGEABLE, Remark.INTERCHANGEABLE)
    assert remarks(cards, (new, "Lightning Bolt")) == (Remark.LISTED, Remark.LISTED)
    assert remarks(None, (new, old)) == (Remark.NOT_CHECKED, Remark.NOT_CHECKED)
    assert not interchangeable(new, new)
    assert not interchangeable("Fire", "Ice")


def test_a_refused_text_is_refused_as_a_card_too(cards: Catalogue) -> None:
    refused = resolve(cards, "\u202e")
    assert isinstance(refused, Refused)
    with pytest.raises(RefusedCharacters):
        one_card(refused)
