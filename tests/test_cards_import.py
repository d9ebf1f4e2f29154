"""Importing files of cards: the table that comes out, whatever happens on the way, and names in many languages."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from crashes import Show, every_death

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.remarks import Remark, remark
from hiddenagenda.cards.resolve import one_card, resolve
from hiddenagenda.cards.table import Kind, Row, write_row
from hiddenagenda.cards.writing import Tally, write_table
from hiddenagenda.edge import card_import
from hiddenagenda.edge.card_import import import_cards, remove_cards
from hiddenagenda.edge.catalogue import installed, tables
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.sorting import SortedLines
from hiddenagenda.faults import Malformed

pytestmark = pytest.mark.filterwarnings("error")


NAMES = ("Brago's Favor", "Fire", "Ice", "Lightning Bolt", "Storm Crow")
FEW = write_table(
    [Row(printed=name, language="en", kind=Kind.CARD, name=name) for name in NAMES], date="2026-01-01", source="few"
)


def bundled() -> Catalogue:
    """A table of few names, in the place of the bundled one."""
    return Catalogue(FEW)


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hiddenagenda.edge.catalogue.bundled", bundled)
    monkeypatch.setattr("hiddenagenda.edge.card_import.bundled", bundled)


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home" / "cards")


def names_in(directory: str | Path) -> list[str]:
    """The names of the files in a directory."""
    return sorted(path.name for path in Path(directory).iterdir())


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_without_an_import_the_bundled_table_is_in_use(home: str) -> None:
    assert installed(home).header == bundled().header
    assert tables(home) == []
    assert remove_cards(home) == ()
    assert not Path(home).exists()


def test_an_import_adds_names_and_leaves_the_digest_where_no_english_name_is_new(home: str, tmp_path: Path) -> None:
    done = import_cards(home, [write(tmp_path / "mine.txt", "de\tBlitzschlag\tLightning Bolt\n")])
    assert done.before == bundled().header
    assert done.header.digest == bundled().digest
    assert done.header.languages == ("en", "de")
    assert done.header.names == (bundled().header.names[0], 1)
    assert done.header.source == f"{bundled().header.source}; mine.txt"
    assert done.header.rows == bundled().header.rows + 2
    assert (done.number_left_out, done.left_out) == (0, ())
    cards = installed(home)
    cards.check()
    assert cards.header == done.header
    found = one_card(resolve(cards, "blitzschlag", languages=("de",)))
    assert (found.card.name, found.found.printed) == ("Lightning Bolt", "Blitzschlag")
    assert cards.called("Lightning Bolt", "de") == ("Blitzschlag",)


def test_a_new_english_name_changes_the_digest(home: str, tmp_path: Path) -> None:
    done = import_cards(home, [write(tmp_path / "new.txt", "A Card Of Next Year\n")])
    assert done.header.digest != bundled().digest
    assert remark(installed(home), "A Card Of Next Year") is Remark.LISTED
    assert remark(bundled(), "A Card Of Next Year") is Remark.UNLISTED


def test_imports_add_up_and_are_forgotten_together(home: str, tmp_path: Path) -> None:
    one = write(tmp_path / "one.txt", "de\tBlitz\tLightning Bolt\n")
    two = write(tmp_path / "two; x.txt", "fr\tFoudre\tLightning Bolt\n")
    import_cards(home, [one])
    done = import_cards(home, [two, one])
    assert done.header.source.endswith("; one.txt; two, x.txt")
    assert done.header.languages == ("en", "de", "fr")
    assert tables(home) == ["names.2.tsv"]
    assert remove_cards(home) == ("names.2.tsv",)
    assert tables(home) == []
    assert installed(home).header == bundled().header


def test_an_import_takes_in_a_newer_bundled_table(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = write(tmp_path / "one.txt", "One Card\n")
    import_cards(home, [one])
    row = Row(printed="Card Of Next Year", language="en", kind=Kind.CARD, name="Card Of Next Year")
    newer = write_table([row], date="2027-01-01", source="next year")
    monkeypatch.setattr("hiddenagenda.edge.card_import.bundled", lambda: Catalogue(newer))
    done = import_cards(home, [one])
    assert installed(home).card("Card Of Next Year")
    assert done.header.source == f"{bundled().header.source}; one.txt; next year"


def test_a_table_is_closed_before_it_gets_its_name(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace
    named = []

    def looking(source: str, target: str) -> None:
        named.append(target)
        if Path("/proc/self/fd").is_dir():
            assert source not in [str(fd.readlink()) for fd in Path("/proc/self/fd").iterdir() if fd.is_symlink()]
        replace(source, target)

    monkeypatch.setattr("hiddenagenda.edge.card_import.os.replace", looking)
    import_cards(home, [write(tmp_path / "one.txt", "One Card\n")])
    assert named == [str(Path(home, "names.1.tsv"))]


def test_what_cannot_stand_in_a_table_is_left_out_and_told(home: str, shared: Path) -> None:
    raw = shared / "corpora" / "cli-security" / "raw"
    names = ["json-ansi-in-name", "json-c1-in-name", "json-name-10k", "json-name-empty", "json-newline-in-name"]
    done = import_cards(home, [str(raw / f"{name}.json") for name in [*names, names[0]]])
    assert done.number_left_out == 6
    assert len(done.left_out) == 5
    assert all(str(said).isprintable() for said in done.left_out)
    assert done.header.digest == bundled().digest


def test_progress_reaches_the_end(home: str, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    files = [write(tmp_path / f"{n}.txt", f"Card {n}\n" * 12_000) for n in range(2)]
    import_cards(home, files, progress=lambda read, whole: told.append((read, whole)))
    whole = sum(Path(path).stat().st_size for path in files)
    assert told[-1] == (whole, whole)
    assert [read for read, _ in told] == sorted(read for read, _ in told)
    assert len(told) > 4


def test_a_file_that_is_none_is_named_and_changes_nothing(home: str, tmp_path: Path) -> None:
    good = write(tmp_path / "good.txt", "A New Card\n")
    bad = write(tmp_path / "AtomicCards.json", "version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(Malformed, match=r"AtomicCards\.json: this is a Git LFS pointer") as caught:
        import_cards(home, [good, bad])
    assert caught.value.code == "other-program"
    assert caught.value.hint is not None
    assert names_in(home) == ["import.lock"]


@pytest.mark.parametrize("name", ["gone", "folder"])
def test_a_file_that_cannot_be_read_is_named(home: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match=name):
        import_cards(home, [str(tmp_path / name)])


def test_what_is_no_regular_file_is_not_waited_for(home: str, tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names here")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="no regular file"):
        import_cards(home, [str(tmp_path / "pipe")])


def test_what_a_crash_left_is_swept_away(home: str, tmp_path: Path) -> None:
    import_cards(home, [write(tmp_path / "one.txt", "One Card\n")])
    for name in (".0123.new", "names.0.tsv", "names.x.tsv", "names.tsv", "names.99999999999.tsv"):
        Path(home, name).write_bytes(b"torn")
    assert tables(home) == ["names.1.tsv"]
    import_cards(home, [write(tmp_path / "two.txt", "Two Card\n")])
    assert ".0123.new" not in names_in(home)
    assert tables(home) == ["names.2.tsv"]
    assert installed(home).card("One Card")


def test_a_table_that_somebody_has_open_may_stay_until_the_next_import(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_cards(home, [write(tmp_path / "one.txt", "One Card\n")])
    unlink = os.unlink

    def busy(path: str, **more: Any) -> None:
        if path.endswith("names.1.tsv"):
            raise PermissionError(13, "in use")
        unlink(path, **more)

    with monkeypatch.context() as patch:
        patch.setattr("hiddenagenda.edge.card_import.os.unlink", busy)
        import_cards(home, [write(tmp_path / "two.txt", "Two Card\n")])
    assert tables(home) == ["names.1.tsv", "names.2.tsv"]
    assert installed(home).card("Two Card")
    import_cards(home, [write(tmp_path / "three.txt", "Three Card\n")])
    assert tables(home) == ["names.3.tsv"]


def test_a_damaged_table_is_named_with_what_to_do(home: str, tmp_path: Path) -> None:
    import_cards(home, [write(tmp_path / "one.txt", "One Card\n")])
    Path(home, "names.1.tsv").write_bytes(b"")
    with pytest.raises(Malformed, match=r"names\.1\.tsv: .* cut short") as caught:
        installed(home)
    assert "cards remove" in str(caught.value.hint)
    with pytest.raises(Malformed):
        import_cards(home, [write(tmp_path / "two.txt", "Two Card\n")])
    assert remove_cards(home) == ("names.1.tsv",)


def test_a_table_that_vanishes_while_it_is_looked_for_is_looked_for_again(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_cards(home, [write(tmp_path / "one.txt", "One Card\n")])
    lists = iter([["names.0000000.tsv", "names.7.tsv"], ["names.1.tsv"]])
    monkeypatch.setattr("hiddenagenda.edge.catalogue.os.listdir", lambda _: next(lists))
    assert installed(home).card("One Card")


@pytest.mark.parametrize("call", ["replace", "fsync", "fdopen", "open"])
def test_whatever_fails_the_old_table_stays(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    import_cards(home, [write(tmp_path / "one.txt", "One Card\n")])
    before = {name: Path(home, name).read_bytes() for name in names_in(home)}
    new = write(tmp_path / "two.txt", "Two Card\n")

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        if call == "open":
            patch.setattr(card_import, "open_unfollowed", full)
        else:
            patch.setattr(f"hiddenagenda.edge.card_import.os.{call}", full)
        with pytest.raises(StoreError, match="no space"):
            import_cards(home, [new])
    assert {name: Path(home, name).read_bytes() for name in names_in(home)} == before
    assert installed(home).card("One Card")


SCRIPT = "import sys; from hiddenagenda.edge.card_import import import_cards; import_cards(sys.argv[1], sys.argv[2:])"


def test_dead_at_any_moment_the_old_table_or_the_new_one_is_in_use(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Catalogue(write_table([], date="2026-01-01", source="test"))
    monkeypatch.setattr("hiddenagenda.edge.catalogue.bundled", lambda: small)
    monkeypatch.setattr(card_import, "bundled", lambda: small)
    old, new = write(tmp_path / "old.txt", "Old Card\n"), write(tmp_path / "new.txt", "New Card\n")
    outcomes: list[bool] = []

    def start() -> None:
        remove_cards(home)
        import_cards(home, [old])

    def check(_: list[bytes]) -> None:
        cards = installed(home)
        cards.check()
        assert cards.card("Old Card")
        outcomes.append(cards.card("New Card") is not None)

    def act(_: Show) -> None:
        import_cards(home, [new])

    assert every_death(act, check, start) > 10
    assert outcomes[-1]
    assert outcomes.count(False) > 8
    assert outcomes.count(True) > 2
    assert names_in(home) == ["import.lock", *tables(home)]


def test_two_imports_at_once_lose_nothing(home: str, tmp_path: Path) -> None:
    files = [write(tmp_path / f"{n}.txt", f"Card Of File {n}\n") for n in range(3)]
    running = [subprocess.Popen([sys.executable, "-c", SCRIPT, home, file]) for file in files]
    assert [process.wait() for process in running] == [0, 0, 0]
    cards = installed(home)
    assert all(cards.card(f"Card Of File {n}") for n in range(3))


def test_sorting_with_little_memory_is_sorting(tmp_path: Path) -> None:
    chance = random.Random(1)
    lines = [f"{chance.randrange(500)}\n".encode() for _ in range(2000)]
    others = sorted({b"a\n", b"7\n"})
    with SortedLines(str(tmp_path), piece=64) as held:
        for line in lines:
            held.add(line)
        assert len(names_in(tmp_path)) > 5
        assert list(held.merged(others)) == sorted({*lines, *others})
    assert names_in(tmp_path) == []


def test_a_table_sorted_on_the_disk_is_the_table_sorted_in_memory(home: str, tmp_path: Path) -> None:
    text = "de\tBlitz\tLightning Bolt\nde\tFeuer\tFire\nfr\tÉclair\tLightning Bolt\nA New Card\n"
    import_cards(home, [write(tmp_path / "x.txt", text)])
    rows = [Row(printed="A New Card", language="en", kind=Kind.CARD, name="A New Card")]
    for line in text.splitlines()[:3]:
        language, printed, name = line.split("\t")
        rows += [Row(printed=printed, language=language, kind=kind, name=name) for kind in (Kind.PRINTED, Kind.CALLED)]
    header = installed(home).header
    table = write_table([*bundled().rows(), *rows], date=header.date, source=header.source)
    assert Path(home, "names.1.tsv").read_bytes() == table


def test_a_tally_counts_names_by_language() -> None:
    tally = Tally()
    for row in (
        Row(printed="A", language="en", kind=Kind.CARD, name="A"),
        Row(printed="B", language="en", kind=Kind.TOKEN, name="B"),
        Row(printed="Ä", language="de", kind=Kind.PRINTED, name="A"),
        Row(printed="Ä", language="de", kind=Kind.CALLED, name="A"),
    ):
        tally.add(row, write_row(row))
    header = tally.header(date="d", source="s")
    assert (header.languages, header.names, header.rows) == (("en", "de"), (1, 1), 4)
