"""The stories are true, and every command has one."""

import sys
from pathlib import Path

import pytest
from hiddenagenda_cli.main import SECTIONS
from storyteller import STORIES, play


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_is_true(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    story = path.read_text(encoding="utf-8")
    assert play(story, tmp_path, path.stem, monkeypatch) == story


def test_a_story_that_is_not_true_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    story = "$ hiddenagenda slips --nonsense\n"
    assert play(story, tmp_path, "", monkeypatch) == (
        f"{story}! hiddenagenda: there is no option --nonsense; see “hiddenagenda slips --help”\n? 2\n"
    )


LIVE = {"host", "join", "relay"}
"""Commands that talk over sockets while they run: their own tests have several processes."""


@pytest.mark.parametrize("command", [name for section in SECTIONS.values() for name in section if name not in LIVE])
def test_every_command_has_a_story(command: str) -> None:
    assert any(f"$ hiddenagenda {command}" in path.read_text(encoding="utf-8") for path in STORIES)


def test_a_story_leaves_the_process_as_it_was() -> None:
    assert sys.stdin is not None
    assert "storyteller" not in type(sys.stdout).__module__
