"""Folding, cleaning and lookalikes: what counts as the same letters, and what is said about the others."""

import csv
import unicodedata
from pathlib import Path

import pytest

from hiddenagenda.cards.folding import RefusedCharacters, clean, fold
from hiddenagenda.cards.lookalikes import as_it_looks, lookalikes, looks_like


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lim-Dûl's Vault", "lim-dul's vault"),
        ("Lim-Du\u0302l's Vault", "Lim-Dûl's Vault"),
        ("Urza’s Saga", "Urza's Saga"),
        ("Ring of Ma′rûf", "Ring of Ma'ruf"),
        ("Æther Vial", "Aether Vial"),
        ("Cœur de lumière", "coeur de lumiere"),
        ("Verschleiß", "VERSCHLEISS"),
        ("VERSCHLEIẞ", "Verschleiß"),
        ('"Ach! Hans, Run!"', "Ach! Hans, Run!"),
        ("Kongming, „Schlafender Drache“", 'Kongming, "Schlafender Drache"'),
        ("« Oui »", "Oui"),
        ("Human—Time Lord Meta-Crisis", "Human-Time Lord Meta‑Crisis"),
        ("Ratonhnhaké꞉ton", "Ratonhnhake:ton"),
        ("Minsc & Boo", "Minsc and Boo"),
        ("Wizards of the Coast®", "Wizards of the Coast"),
        ("Lightning\u00a0 \tBolt ", "Lightning Bolt"),
        ("Light\u200bning Bolt", "Lightning Bolt"),
        ("Wait…", "Wait..."),
        ("Ёлка", "елка"),
    ],
)
def test_writings_of_one_name_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lava Axe", "Lava, Axe"),
        ("Wasteland", "Waste Land"),
        ("Monster Mash-Up", "Monster Mashup"),
        ("_____", "______"),
        ("Urza's Saga", "Urzas Saga"),
        ("Lightning Bolt", "ＬＩＧＨＴＮＩＮＧ ＢＯＬＴ"),
        ("Bolt", "Воlt"),
        ("が", "か"),
        ("swords", "ſwords"),
        ("fine", "ﬁne"),
    ],
)
def test_what_cards_differ_in_is_kept(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize("name", ["_____", '"', "?", "+2 Mace", "®"])
def test_no_key_of_a_name_becomes_empty(name: str) -> None:
    assert fold(name)


def test_names_in_other_scripts_keep_their_letters() -> None:
    for name in ("תהילה", "फंगल्शम्ब्लर्", "풍성한 수확", "シヴのヘルカイト", "猎物复仇"):
        assert fold(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("typed", "text", "codes"),
    [
        ("Lightning Bolt", "Lightning Bolt", []),
        ("  Lightning   Bolt ", "Lightning Bolt", []),
        ("Lightning\u00a0Bolt", "Lightning Bolt", ["U+00A0"]),
        ("\ufeffLightning Bolt\r", "Lightning Bolt", ["U+FEFF", "U+000D"]),
        ("Light\u200bning Bo\u200blt", "Lightning Bolt", ["U+200B"]),
        ("Light\u00adning\u3000Bolt", "Lightning Bolt", ["U+00AD", "U+3000"]),
        ("Se\u0301ance", "Séance", []),
        ("\u200b", "", ["U+200B"]),
    ],
)
def test_what_keyboards_slip_in_is_dropped_with_a_notice(typed: str, text: str, codes: list[str]) -> None:
    cleaned = clean(typed)
    assert cleaned.text == text
    assert [str(notice.values["code"]) for notice in cleaned.notices] == codes


@pytest.mark.parametrize("character", "\u202e\u2066\u200e\u061c")
def test_what_turns_the_direction_of_writing_is_refused(character: str) -> None:
    with pytest.raises(RefusedCharacters, match=f"U\\+{ord(character):04X}") as caught:
        clean(f"Bolt{character}x")
    assert caught.value.code == "bidi-control"
    assert caught.value.position == 4


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\x7f", "\x9b", "\ud800", "\ue000", "\uffff", "\U000e0041"])
def test_what_no_name_holds_is_refused(character: str) -> None:
    with pytest.raises(RefusedCharacters) as caught:
        clean(f"Bolt{character}")
    assert caught.value.code == "refused-character"


def test_every_shared_character_to_refuse_is_dropped_or_refused(shared: Path) -> None:
    table = (shared / "corpora" / "unicode" / "refuse-in-names.tsv").read_text(encoding="utf-8")
    for line in table.splitlines()[1:]:
        character = chr(int(line.split("\t")[0].removeprefix("U+"), 16))
        try:
            cleaned = clean(f"Lightning{character} Bolt")
        except RefusedCharacters:
            continue
        assert cleaned.text == "Lightning Bolt", line
        assert cleaned.notices, line


def test_a_name_typed_in_any_normal_form_folds_alike(shared: Path) -> None:
    lines = (shared / "corpora" / "unicode" / "NormalizationTest.subset.txt").read_text(encoding="utf-8")
    for line in lines.splitlines():
        if line and line[0] not in "#@":
            source, nfc, nfd = ("".join(chr(int(code, 16)) for code in field.split()) for field in line.split(";")[:3])
            if any(unicodedata.category(character) == "Cn" for character in source):
                continue  # newer than this Python's table
            assert fold(source) == fold(nfc) == fold(nfd), line
            assert unicodedata.normalize("NFC", source) == nfc


def test_a_lookalike_is_named_with_what_it_looks_like() -> None:
    (found,) = lookalikes("Lightning Воlt")[:1]
    assert (found.character, found.code, found.looks_like) == ("В", "U+0412", "B")
    assert found.called == "CYRILLIC CAPITAL LETTER VE"
    assert as_it_looks("Lightning Воlt") == "Lightning Bolt"


def test_letters_of_another_script_alone_are_no_lookalikes() -> None:
    assert lookalikes("תהילה") == ()
    assert lookalikes("シヴ") == ()
    assert lookalikes("Séance — Æther") == ()


def test_a_strange_letter_among_latin_ones_is_named_although_its_look_is_unknown() -> None:
    (found,) = lookalikes("Boשlt")
    assert found.looks_like == ""
    assert looks_like("ש") == ""


def test_no_shared_lookalike_folds_to_what_it_looks_like(shared: Path) -> None:
    with (shared / "corpora" / "unicode" / "confusables.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    letters = 0
    for row in rows:
        strange, plain = (chr(int(row[column].removeprefix("U+"), 16)) for column in ("lookalike", "ascii"))
        if not plain.isalnum() or unicodedata.normalize("NFC", strange) == plain:
            continue
        letters += 1
        assert fold(f"x{strange}y") != fold(f"x{plain}y"), row
        assert strange.isascii() or strange in {found.character for found in lookalikes(f"x{strange}y")}, row
    assert letters > 100
