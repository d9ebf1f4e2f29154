"""Three people at three terminals play a whole game; one of them falls off in the middle."""

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from liveprogram import PATIENCE, PROGRAM, environment, make_key

pexpect = pytest.importorskip("pexpect")
if sys.platform == "win32":
    pytest.skip("no pseudo-terminals here", allow_module_level=True)

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\b]")


class Terminal:
    """A person at a terminal; ``screen`` is all that was shown, without control sequences."""

    def __init__(self, folder: Path, name: str, *arguments: str) -> None:
        self.name = name
        home = folder / name
        make_key(home)
        self.file = folder / f"{name}.jsonl"
        self.child = pexpect.spawn(
            PROGRAM[0],
            [*PROGRAM[1:], *arguments],
            env=environment(home),
            cwd=str(folder),
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=(50, 200),
        )
        self.screen = ""

    def sees(self, words: str) -> str:
        """Wait until ``words`` (a pattern) are on the screen after what was seen before."""
        self.child.expect(words)
        self.screen += CONTROL.sub("", self.child.before + self.child.after)
        return str(self.child.after)

    def types(self, line: str) -> None:
        self.child.send(line + "\r")

    def commits(self, *agendas: tuple[str, ...]) -> None:
        """Answer the questions about agendas."""
        self.sees("hidden agenda in this game")
        self.types("y" if agendas else "n")
        for place, (conspiracy, *names) in enumerate(agendas):
            if place:
                self.sees("Another conspiracy")
                self.types("y")
            self.sees("Conspiracy:")
            self.types(conspiracy)
            for name, question in zip(names, ("Card name:", "Second card name:"), strict=False):
                self.sees(question)
                self.types(name)
        if agendas:
            self.sees("Another conspiracy")
            self.types("n")

    def ends(self) -> int:
        self.child.expect(pexpect.EOF)
        self.screen += CONTROL.sub("", self.child.before)
        self.child.close()
        return int(self.child.exitstatus)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[dict[str, Terminal]]:
    made: dict[str, Terminal] = {}
    yield made
    for one in made.values():
        with suppress(pexpect.ExceptionPexpect, OSError):
            one.child.close(force=True)


def test_three_people_play_a_whole_game(tmp_path: Path, terminals: dict[str, Terminal]) -> None:
    ana = Terminal(tmp_path, "Ana", "host", "Ana.jsonl", "--bind", "127.0.0.1:0", "--name", "Ana", "--label", "Friday")
    terminals["Ana"] = ana
    invitation = ana.sees("HAI1[A-Z2-7]+")
    for number, name in ((2, "Ben"), (3, "Cleo")):
        guest = terminals[name] = Terminal(tmp_path, name, "join", f"{name}.jsonl", "--name", name)
        guest.sees("Invitation:")
        guest.types(invitation)
        ana.sees(f"{number}. {name} is new to you: SHA256:[^ ]+ – accept {number}")
        ana.types(f"accept {number}")
        guest.sees("the host has accepted you")
    ben, cleo = terminals["Ben"], terminals["Cleo"]
    ana.types("set")
    for guest in (ben, cleo):
        guest.sees("the table “Friday” is set")
        guest.sees("Sit down at this table")
        guest.types("y")
    ana.commits(("Muzzio's Preparations", "Grizzly Bears"))
    ben.commits()
    cleo.commits(("Summoner's Bond", "Storm Crow", "Llanowar Elves"))
    for one in (ana, ben, cleo):
        for _ in range(3):
            one.sees("accepts everybody's commits")
    ana.types("up 1 turn 2, upkeep")
    for one in (ben, cleo):
        one.sees("Ana shows slot 1: Muzzio's Preparations – Grizzly Bears")
    ana.types("apply 1 grizzly bears")
    cleo.sees("Ana uses the ability of slot 1 on “Grizzly Bears”")

    ben.child.kill(9)  # Ben's cat walks over the power switch
    ana.types("note where is Ben?")
    cleo.sees("where is Ben")
    ben = terminals["Ben again"] = Terminal(tmp_path, "Ben", "join", "Ben.jsonl", "--name", "Ben")
    ben.sees("where is Ben")
    ben.types("note here I am")
    for one in (ana, cleo):
        one.sees("here I am")

    cleo.types("show")
    cleo.sees("slot 1: Summoner's Bond – Llanowar Elves / Storm Crow")
    cleo.types("fly away")
    cleo.sees("nothing that can be said here")
    cleo.types("help")
    cleo.sees("turn a slot up")
    cleo.types("status")
    cleo.sees("here besides you: Ana, Ben")
    for one in (ana, ben, cleo):
        one.types("end draw")
    for one in (ana, ben, cleo):
        one.sees("kept: every hidden agenda was shown")
        assert one.ends() == 0, one.screen
        assert "Traceback" not in one.screen
    assert len({one.file.read_bytes() for one in (ana, ben, cleo)}) == 1
    assert "Storm Crow" not in ben.screen.partition("kept: every")[0].partition("Cleo shows slot 1")[0]


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_control_c_and_control_d_go_politely(tmp_path: Path, terminals: dict[str, Terminal], key: str) -> None:
    ana = Terminal(tmp_path, "Ana", "host", "Ana.jsonl", "--bind", "127.0.0.1:0", "--name", "Ana")
    terminals["Ana"] = ana
    ana.sees("HAI1[A-Z2-7]+")
    ana.sees("connected")
    ana.child.send(key)
    assert ana.ends() == 5
    assert "Traceback" not in ana.screen


def test_an_invitation_from_a_file_leaves_the_terminal_to_its_person(
    tmp_path: Path, terminals: dict[str, Terminal]
) -> None:
    ana = terminals["Ana"] = Terminal(tmp_path, "Ana", "host", "Ana.jsonl", "--bind", "127.0.0.1:0", "--name", "Ana")
    (tmp_path / "invitation.txt").write_text(f"Ana: {ana.sees('HAI1[A-Z2-7]+')} come in!")
    make_key(tmp_path / "Ben")
    program = " ".join([*PROGRAM, "join", "Ben.jsonl", "--name", "Ben"])
    ben = pexpect.spawn(
        "/bin/sh",
        ["-c", f"{program} < invitation.txt"],
        env=environment(tmp_path / "Ben"),
        cwd=str(tmp_path),
        encoding="utf-8",
        timeout=PATIENCE,
    )
    try:
        ana.sees("accept 2")
        ana.types("accept 2")
        ben.expect("the host has accepted you")
        ana.types("set")
        ben.expect("Sit down at this table")
        ben.send("y\r")
        ben.expect("hidden agenda in this game")
        ben.send("n\r")
        ana.commits()
        ben.expect("accepts everybody's commits")
        ben.expect("accepts everybody's commits")
        ben.send("leave\r")
        ben.expect("kept: every")
        ben.expect(pexpect.EOF)
    finally:
        ben.close(force=True)
    assert ben.exitstatus == 0
    assert ana.ends() == 0
