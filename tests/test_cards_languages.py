"""Names in German, French and other languages, second titles and tokens: all that the shared data know of them."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from test_cards_resolve import check_as_required

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.readers.recognise import read
from hiddenagenda.cards.resolve import ANY_LANGUAGE, Ambiguous, Resolved, TokenOnly, one_card, resolve
from hiddenagenda.cards.table import Kind, Row
from hiddenagenda.cards.writing import write_table
from hiddenagenda.edge.catalogue import bundled


@pytest.fixture(scope="module")
def translated(shared: Path) -> Catalogue:
    """The bundled table with the shared German and French names, and what a few card files add."""
    tally: list[Row] = list(bundled().rows())
    with (shared / "data" / "names_de_fr.tsv").open("rb") as file:
        tally += read(file)
    aliases = json.loads((shared / "data" / "aliases.json").read_text(encoding="utf-8"))
    for alias in aliases["flavor_names_2022"]:
        tally.append(Row(printed=alias["flavor"], language="en", kind=Kind.FLAVOR, name=alias["oracle"]))
    later = {
        "Godzilla, King of the Monsters": "Zilortha, Strength Incarnate",
        "Spectral Restitching": "Hide on the Ceiling",
    }
    for printed, name in later.items():
        tally.append(Row(printed=printed, language="en", kind=Kind.FLAVOR, name=name))
    for token in (shared / "data" / "token_names_2022.txt").read_text(encoding="utf-8").splitlines():
        tally.append(Row(printed=token, language="en", kind=Kind.TOKEN, name=token))
    return Catalogue(write_table(tally, date="d", source="s"))


def test_all_nasty_names_come_out_as_required(shared: Path, translated: Catalogue) -> None:
    rows = json.loads((shared / "data" / "nasty_names.json").read_text(encoding="utf-8"))
    for row in rows:
        languages = ANY_LANGUAGE if row["language"] == "und" else (row["language"],)
        check_as_required(translated, row, languages)


def test_every_german_and_french_name_resolves_or_is_refused_for_being_two(shared: Path, translated: Catalogue) -> None:
    cards: dict[tuple[str, str], set[str]] = defaultdict(set)
    rows = []
    for line in (shared / "data" / "names_de_fr.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            language, printed, name, _ = line.split("\t")
            rows.append((language, printed, name))
            if translated.card(name) or any(row.kind is Kind.FORMER for row in translated.spelled(name)):
                cards[language, printed].add(name)
    assert len(rows) == 44_099
    two = 0
    for language, printed, name in rows:
        meant = cards[language, printed]
        found = resolve(translated, printed, languages=(language,))
        if len(meant) > 1 or printed == "Gobelin enrage":  # in French two cards when typed without its accent
            two += 1
            assert isinstance(found, Ambiguous), printed
            assert meant <= {candidate.card.name for candidate in found.candidates}
        else:
            assert isinstance(found, Resolved), printed
            assert found.card.name == name or meant == {found.card.name}
            assert found.found.printed == printed
    assert two > 190


def test_shared_collisions_are_asked_about(shared: Path, translated: Catalogue) -> None:
    collisions = json.loads((shared / "data" / "name_collisions.json").read_text(encoding="utf-8"))
    for one in collisions["within_language"]:
        meant = [name for name in one["english"] if translated.card(name)]
        found = resolve(translated, one["printed"], languages=(one["lang"],))
        if len(meant) == 1:  # the other name is a misprint of the list
            assert one_card(found).card.name == meant[0]
        else:
            assert isinstance(found, Ambiguous), one
            assert [candidate.card.name for candidate in found.candidates] == sorted(one["english"])
    for one in collisions["foreign_equals_other_english"]:
        (card,) = one["is_printing_of"]
        asked = resolve(translated, one["printed"], languages=(one["lang"], "en"))
        assert isinstance(asked, Ambiguous), one
        assert [candidate.card.name for candidate in asked.candidates] == sorted([card, one["also_english_card"]])
        assert one_card(resolve(translated, one["printed"], languages=(one["lang"],))).card.name == card
        assert one_card(resolve(translated, one["printed"])).card.name == one["also_english_card"]


def test_shared_ambiguous_and_false_friends(shared: Path, translated: Catalogue) -> None:
    codes = {"German": "de", "French": "fr"}
    folder = shared / "corpora" / "card-names"
    for one in json.loads((folder / "ambiguous-foreign-names.json").read_text(encoding="utf-8")):
        if language := codes.get(one["language"]):
            found = resolve(translated, one["name"], languages=(language,))
            assert isinstance(found, Ambiguous), one
            assert {candidate.card.name for candidate in found.candidates} >= set(one["cards"])
    for one in json.loads((folder / "false-friends.json").read_text(encoding="utf-8")):
        if language := codes.get(one["language"]):
            asked = resolve(translated, one["name"], languages=(language, "en"))
            assert isinstance(asked, Ambiguous), one


def test_shared_flavor_names_lead_to_their_card(shared: Path, translated: Catalogue) -> None:
    aliases = json.loads((shared / "data" / "aliases.json").read_text(encoding="utf-8"))
    for alias in aliases["flavor_names_2022"]:
        found = one_card(resolve(translated, alias["flavor"]))
        assert found.card.name == alias["oracle"]
        assert "second title" in str(found.notices[-1])


def test_shared_tokens_are_called_tokens(shared: Path, translated: Catalogue) -> None:
    tokens = json.loads((shared / "corpora" / "card-names" / "tokens.json").read_text(encoding="utf-8"))
    for name in tokens["token_name_is_also_a_card_name"]:
        assert isinstance(resolve(translated, name), Resolved), name
    for name in tokens["token_only"]:
        if " // " not in name:
            assert isinstance(resolve(translated, name), TokenOnly), name


def test_names_in_other_scripts_are_accepted(shared: Path) -> None:
    special = json.loads((shared / "corpora" / "card-names" / "special.json").read_text(encoding="utf-8"))
    scripts = next(case for case in special if "right-to-left" in case["case"])
    rows = list(bundled().rows())
    for printed, name in zip(scripts["values"], scripts["english"], strict=True):
        rows.append(Row(printed=printed, language="xx", kind=Kind.PRINTED, name=name))
    hyphen = next(case for case in special if "hyphen" in case["case"])
    rows.append(Row(printed="Cospe‑fogo", language="pt", kind=Kind.PRINTED, name="Spitfire Bastion"))
    cards = Catalogue(write_table(rows, date="d", source="s"))
    for printed, name in zip(scripts["values"], scripts["english"], strict=True):
        assert one_card(resolve(cards, printed, languages=("xx",))).card.name == name
    assert "‑" in hyphen["values"][0]
    assert one_card(resolve(cards, "cospe-fogo", languages=("pt",))).card.name == "Spitfire Bastion"
