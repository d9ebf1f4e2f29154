"""The questions at a real terminal: what is completed, what is echoed, and what an onlooker can tell."""

import json
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commandline import BEARS, PROGRAM, Program, environment

pexpect = pytest.importorskip("pexpect")
CONTROL = re.compile(rb"\x1b\[[0-9;?=>]*[a-zA-Z]|\x1b[=>]")


class Screen:
    """A player at a pseudo-terminal; ``shown`` is every byte that reached it."""

    def __init__(self, home: Path, arguments: Sequence[str], **changes: str) -> None:
        settings = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "COLUMNS": "100", "LINES": "40", **changes}
        self.shown = b""
        self.process: Any = pexpect.spawn(
            PROGRAM[0], [*PROGRAM[1:], *arguments], env=environment(home, **settings), timeout=15, dimensions=(40, 100)
        )
        self.process.logfile_read = self

    def write(self, data: bytes) -> None:
        self.shown += data

    def flush(self) -> None:
        pass

    def answer(self, question: str, *keys: str) -> None:
        """Wait for the question, then press the keys."""
        self.process.expect_exact(question.rstrip().encode())  # a trailing blank may be drawn as a movement
        for key in keys:
            self.process.send(key.encode())

    def end(self) -> int:
        """Wait for the end and return the exit code."""
        self.process.expect(pexpect.EOF)
        self.process.close()
        return int(self.process.exitstatus)

    def text(self) -> str:
        return CONTROL.sub(b"", self.shown).decode()


@pytest.fixture(autouse=True)
def _terminals() -> None:
    if sys.platform == "win32":
        pytest.skip("there is no pseudo-terminal here")


def tokens(screen: Screen) -> list[str]:
    return re.findall(r"hac1\w{60}", screen.text())


def test_everything_is_asked_and_completed(program: Program) -> None:
    screen = Screen(program.home, ["commit"])
    screen.answer("Conspiracy: ", "muzz", "\t", "\r")
    screen.answer("Card name: ", "grizzly b", "\t", "\r")
    screen.answer("Another conspiracy? [y/N]: ", "\n")
    screen.answer("Your name: ", "Ana\n")
    screen.answer("A word for this game: ", "draft\n")
    assert screen.end() == 0
    (path,) = program.slips()
    slip = json.loads(path.read_bytes())
    assert (slip["conspiracy"], slip["names"]) == ("Muzzio's Preparations", ["Grizzly Bears"])
    assert len(tokens(screen)) == 1


def test_a_card_name_is_no_answer_to_a_yes_or_no(program: Program) -> None:
    screen = Screen(program.home, ["commit", "--player", "Ana", "--game", "draft", "--lang", "de"])
    screen.answer("Verschwörung: ", "muzzio's preparations\r")
    screen.answer("Kartenname: ", "grizzly bears\r")
    for wrong in ("Storm Crow\n", "y\n"):
        screen.answer("[j/N]: ", wrong)
        screen.answer("antworte j oder n", "")
    screen.answer("[j/N]: ", "nein\n")
    assert screen.end() == 0
    assert len(program.slips()) == 1


def test_prompts_stay_out_of_the_result(program: Program) -> None:
    """stdout is a file, the terminal is stderr: only the token is in the file."""
    out = program.home.parent / "token"
    screen = Screen(program.home, ["commit"])
    screen.process.close(force=True)
    line = " ".join(f"'{word}'" for word in [*PROGRAM, "commit"]) + f" > '{out}'"
    screen.process = pexpect.spawn(
        "/bin/sh",
        ["-c", line],
        env=environment(program.home, TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1"),
        timeout=15,
        dimensions=(40, 100),
    )
    screen.answer("Conspiracy: ", "Brago's Favor\r")
    screen.answer("Card name: ", "Storm Crow\r")
    screen.answer("[y/N]: ", "n\n")
    screen.answer("Your name: ", "Ana\n")
    screen.answer("game: ", "draft\n")
    assert screen.end() == 0
    assert re.fullmatch(r"hac1\w{60}\n", out.read_text())


@pytest.mark.parametrize("given", [[], ["--conspiracy"]])
def test_an_onlooker_cannot_tell_one_name_from_two(program: Program, given: list[str]) -> None:
    """Byte for byte the same screen, but for the token."""
    screens = []
    for who, conspiracy, names in (
        ("one", "Muzzio's Preparations", ["Grizzly Bears", "-"]),
        ("two", "Summoner's Bond", ["Storm Crow", "Llanowar Elves"]),
    ):
        more = [*given, conspiracy] if given else []
        player = program.of(who)
        screen = Screen(player.home, ["commit", "--hidden-input", "--player", "Ana", "--game", "draft", *more])
        if not given:
            screen.answer("Conspiracy: ", f"{conspiracy}\n")
        screen.answer("Card name: ", f"{names[0]}\n")
        screen.answer("for none: ", f"{names[1]}\n")
        if not given:
            screen.answer("[y/N]: ", "n\n")
        assert screen.end() == 0
        (path,) = player.slips()
        assert json.loads(path.read_bytes())["conspiracy"] == conspiracy
        for secret in (conspiracy, *names[:1], "Elves"):
            assert secret.encode() not in screen.shown
        screens.append(re.sub(rb"hac1\w{60}", b"TOKEN", screen.shown))
    assert screens[0] == screens[1]
    assert b"TOKEN" in screens[0]


def test_an_onlooker_sees_no_candidates_of_a_mistake(program: Program) -> None:
    shown = []
    for first, second in (("Grizly Bears", "-"), ("Storm Crow", "Storm Crow"), ("Goblin", "Llanowar Elvs")):
        screen = Screen(program.home, ["commit", "--hidden-input"])
        screen.answer("Conspiracy: ", "Summoner's Bond\n")
        screen.answer("Card name: ", f"{first}\n")
        screen.answer("for none: ", f"{second}\n")
        screen.answer("Conspiracy: ", "\x03")
        assert screen.end() == 130
        shown.append(screen.shown)
    assert shown[0] == shown[1] == shown[2]
    assert program.slips() == []


@pytest.mark.parametrize("hidden", [[], ["--hidden-input"]])
@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_whoever_interrupts_has_committed_to_nothing(program: Program, key: str, hidden: list[str]) -> None:
    screen = Screen(program.home, ["commit", "--conspiracy", "Brago's Favor", *hidden])
    screen.answer("Card name: ", key)
    assert screen.end() == 130
    assert "interrupted" in screen.text()
    assert "Traceback" not in screen.text()
    assert program.slips() == []


def test_a_signal_while_somebody_thinks_is_an_interruption(program: Program) -> None:
    screen = Screen(program.home, [*BEARS[:4]])
    screen.answer("Your name: ")
    os.kill(screen.process.pid, signal.SIGINT)
    assert screen.end() == 130
    assert "Traceback" not in screen.text()


def test_what_is_asked_again_offers_the_last_answers(program: Program) -> None:
    program(*BEARS)
    screen = Screen(program.home, ["commit", "--conspiracy", "Brago's Favor"])
    screen.answer("Card name: ", "Storm Crow\r")
    screen.answer("Your name [Ana]: ", "\n")
    screen.answer("A word for this game [draft]: ", "\n")
    assert screen.end() == 0
    assert len(program.slips()) == 2


def test_answers_leave_no_history(program: Program) -> None:
    home = program.home.parent / "user"
    home.mkdir()
    screen = Screen(program.home, ["commit", "--conspiracy", "Brago's Favor"], HOME=str(home), XDG_DATA_HOME=str(home))
    screen.answer("Card name: ", "Storm Crow\r")
    screen.answer("Your name: ", "Ana\n")
    screen.answer("game: ", "draft\n")
    assert screen.end() == 0
    assert list(home.rglob("*")) == []
    readable = [path for path in program.home.rglob("*") if path.is_file() and b"Storm Crow" in path.read_bytes()]
    assert readable == program.slips()


def test_a_choice_is_offered_where_several_are_meant(program: Program) -> None:
    first = program(*BEARS).token()
    second = program(*BEARS).token()
    screen = Screen(program.home, ["open"])
    screen.answer("Which one: ", "3\n")
    screen.answer("from 1 to 2")
    screen.answer("Which one: ", "2\n")
    assert screen.end() == 0
    assert program("slips").lines[0].startswith(first)
    assert second in screen.text()


def test_a_dumb_terminal_is_good_enough(program: Program) -> None:
    screen = Screen(program.home, ["commit"], TERM="dumb")
    screen.answer("Conspiracy: ", "Brago's Favor\r")
    screen.answer("Card name: ", "Storm Crow\r")
    screen.answer("[y/N]: ", "n\n")
    screen.answer("Your name: ", "Ana\n")
    screen.answer("game: ", "draft\n")
    assert screen.end() == 0
    assert len(program.slips()) == 1
    assert b"\x1b" not in screen.shown


def test_names_of_the_terminal_languages_do_not_surprise(program: Program) -> None:
    screen = Screen(program.home, ["cards", "check"])
    screen.answer("Card name: ", "lim-d", "\t", "\r")
    assert screen.end() in {0, 1}
    assert "Traceback" not in screen.text()
