"""The commands that import, list and remove card names, and what other commands see of them."""

import io
import json
import sys
from pathlib import Path

import pytest
from hiddenagenda_cli.main import run

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.writing import write_table
from hiddenagenda.edge.catalogue import bundled
from hiddenagenda.edge.files import StoreError
from hiddenagenda.faults import sentence


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of this test's own, and a locale that says nothing."""
    monkeypatch.setenv("HIDDENAGENDA_HOME", str(tmp_path / "home"))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def names(tmp_path: Path) -> str:
    """A plain list with a few names in other languages, and one that cannot be a name."""
    path = tmp_path / "names.txt"
    lines = ("de\tBlitzschlag\tLightning Bolt", "fr\tEndurance\tEndure", "A Card Of Next Year", "Bad\x1b[2J")
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_import_says_what_is_there_now(names: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "import", names]) == 0
    shown = capsys.readouterr()
    assert "de: 1 name\n" in shown.out
    assert "names.txt" in shown.out
    assert "1 row was left out" in shown.err
    assert r"Bad\x1b[2J" in shown.err
    assert "\x1b" not in shown.err
    assert "there are new English names" in shown.err
    assert "#" not in shown.err  # no bar where nobody looks


def test_import_as_json(names: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "import", names, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["left_out"] == 1
    assert told["digest_before"] == bundled().digest != told["digest"]
    assert told["languages"]["fr"] == 1


def test_an_import_of_nothing_new_says_nothing_of_the_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.txt"
    path.write_text("Lightning Bolt\n", encoding="utf-8")
    assert run(["cards", "import", str(path)]) == 0
    assert capsys.readouterr().err == ""


def test_a_bar_shows_at_a_terminal(
    names: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run(["cards", "import", names]) == 0
    assert f"\r[{'#' * 25}] 100 %\n" in terminal.getvalue()
    assert "#" not in capsys.readouterr().out


def test_a_wrong_file_is_named_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "oracle-cards.json"
    path.write_text('{"object":"bulk_data"}', encoding="utf-8")
    assert run(["cards", "import", str(path)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "oracle-cards.json: this is Scryfall's description of a bulk file" in shown.err
    assert "hint: fetch the address" in shown.err
    assert run(["cards", "import", str(tmp_path / "gone")]) == 1
    assert run(["cards", "import"]) == 2


def test_what_was_imported_is_what_the_other_commands_ask(names: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "check", "Blitzschlag", "--lang", "de"]) == 1
    run(["cards", "import", names])
    capsys.readouterr()
    assert run(["cards", "check", "Blitzschlag", "--lang", "de", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["name"], told["printed"], told["language"]) == ("Lightning Bolt", "Blitzschlag", "de")
    assert run(["cards", "info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["languages"] == ["en", "de", "fr"]


def test_a_name_that_is_another_card_s_english_name_is_asked_about(
    names: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["cards", "import", names])
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert run(["cards", "check", "Endurance", "--json"]) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["candidates"] == ["Endurance", "Endure"]
    assert run(["cards", "check", "Endurance", "--lang", "fr", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Endure"
    assert run(["cards", "check", "Endurance", "--lang", "en", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Endurance"


def test_list_and_remove(names: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "list"]) == 0
    assert capsys.readouterr().out.startswith("bundled, in use:\n")
    assert run(["cards", "remove"]) == 0
    assert capsys.readouterr().out == "no names were imported\n"
    run(["cards", "import", names])
    capsys.readouterr()
    assert run(["cards", "list"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("imported, in use:\n")
    assert "\nbundled:\n" in shown
    assert run(["cards", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["imported"] is True
    assert told["bundled"]["digest"] == bundled().digest
    assert run(["cards", "remove", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"removed": True}
    assert run(["cards", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["imported"] is False
    run(["cards", "import", names])
    capsys.readouterr()
    assert run(["cards", "remove"]) == 0
    assert "are gone" in capsys.readouterr().out


def test_a_newer_bundled_table_is_told(
    names: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["cards", "import", names])
    capsys.readouterr()
    newer = Catalogue(write_table([], date="9999-01-01", source="later"))
    monkeypatch.setattr("hiddenagenda_cli.commands.cards_import.bundled", lambda: newer)
    assert run(["cards", "list"]) == 0
    assert "import the files again" in capsys.readouterr().err


def test_without_a_home_the_bundled_names_are_in_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def homeless() -> str:
        raise StoreError(sentence("there is no home directory to keep slips in"), code="no-home")

    monkeypatch.setattr("hiddenagenda_cli.names.data_directory", homeless)
    assert run(["cards", "check", "Lightning Bolt"]) == 0
    assert run(["cards", "remove"]) == 1
    assert "no home" in capsys.readouterr().err
