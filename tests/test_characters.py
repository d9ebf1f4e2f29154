"""What a text may hold, and what a screen gets to see."""

import csv
import unicodedata
from pathlib import Path

import pytest

from hiddenagenda.characters import FORBIDDEN, FORBIDDEN_RANGES, UNSEEN, code_point, escape, shown

EVERYTHING = "".join(map(chr, range(0x110000)))


def test_the_forbidden_ranges_are_those_of_the_specification() -> None:
    forbidden = set(EVERYTHING) - set(FORBIDDEN.sub("", EVERYTHING))
    expected = {
        *range(0x20),
        *range(0x7F, 0xA0),
        *(0xAD, 0x61C, 0x180E, 0xFEFF),
        *range(0x200B, 0x2010),
        *range(0x2028, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xD800, 0xE000),
        *range(0xFE00, 0xFE10),
        *range(0xFFF0, 0xFFFC),
        *(number for number in range(0x110000) if number & 0xFFFE == 0xFFFE),
        *range(0xE0000, 0xE1000),
    }
    assert forbidden == set(map(chr, expected))


def test_ranges_are_closed_and_in_bounds() -> None:
    assert all(0 <= low <= high <= 0x10FFFF for low, high in FORBIDDEN_RANGES)


@pytest.mark.parametrize("text", ["Æther Vial", "Lim-Dûl's Vault", "Déjà Vu", "_____", "+2 Mace", "鳥", "🫨", "\ufdd0"])
def test_card_names_and_new_characters_are_allowed(text: str) -> None:
    assert FORBIDDEN.search(text) is None
    assert escape(text) == text


@pytest.mark.parametrize(
    ("character", "name"), [("A", "U+0041"), ("\x1b", "U+001B"), ("\u202e", "U+202E"), ("\U000e0001", "U+E0001")]
)
def test_a_character_is_named_as_people_look_it_up(character: str, name: str) -> None:
    assert code_point(character) == name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]52;c;aGk=\x07", r"\x1b]52;c;aGk=\x07"),
        ("\x1b]8;;http://x\x1b\\y", r"\x1b]8;;http://x\x1b" + "\\y"),
        ("Ana\rkept: everybody", r"Ana\x0dkept: everybody"),
        ("one\ntwo", r"one\x0atwo"),
        ("\x9b31m", r"\x9b31m"),
        ("abc\u202edef", r"abc\u202edef"),
        ("\u2066x\u2069", r"\u2066x\u2069"),
        ("Gri\u200bzzly", r"Gri\u200bzzly"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("Grizzly\xa0Bears", r"Grizzly\xa0Bears"),
        ("\u3164", r"\u3164"),
        ("\ue000", r"\ue000"),
        ("\U0010ffff", r"\U0010ffff"),
    ],
)
def test_what_could_forge_or_hide_is_written_out(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_no_control_no_format_and_no_odd_space_gets_through() -> None:
    categories = {character: unicodedata.category(character) for character in set(escape(EVERYTHING))}
    assert not [name for name, category in categories.items() if category in {"Cc", "Cs", "Co", "Zl", "Zp"}]
    assert [name for name, category in categories.items() if category == "Zs"] == [" "]
    # What is left of the formats are visible signs of Arabic, Syriac, Kaithi and Egyptian writing.
    formats = {unicodedata.bidirectional(name) for name, category in categories.items() if category == "Cf"}
    assert formats <= {"AL", "AN", "L"}


def test_escaping_twice_changes_nothing() -> None:
    assert escape(escape("a\x1b\u202e")) == escape("a\x1b\u202e")


def test_everything_that_names_refuse_is_shown_escaped(shared: Path) -> None:
    with (shared / "corpora/unicode/refuse-in-names.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    refused = [chr(int(row["codepoint"].removeprefix("U+"), 16)) for row in rows]
    assert len(refused) > 100
    assert [code_point(character) for character in refused if not UNSEEN.match(character)] == []


def test_right_to_left_text_is_kept_apart_from_the_line_around_it() -> None:
    """It is escaped first, so that no foreign control stands between the two marks."""
    assert shown("תהילה") == "\u2068תהילה\u2069"
    assert shown("Glory") == "Glory"
    assert shown("\u202eתהילה") == "\u2068\\u202eתהילה\u2069"
