"""Runs the stories of ``tests/stories``: what people type at a command line, and what they then see.

A story is text. ``[ana] $ hiddenagenda …`` is a command that Ana types, with ``<``, ``>``, ``>>`` as a shell has
them. ``< …`` is what she answers; before ``$`` comes nothing where it is nobody's computer. The other lines are what
is shown, in order: plain ones are the result (stdout), those with ``! `` are said to her (stderr), and ``? 3`` is an
exit code other than 0; a lone dot is an empty line. Lines with ``#`` are remarks. Behind the first ``-- name --``
stand files, all in one folder.

Each player has a data directory. The day is the same in all stories, and random numbers depend on the story alone, so
that tokens can be printed here. A command that says ``hac1ab…`` means the one token shown before that begins so.
``python tests/storyteller.py`` writes into the stories what is shown now.
"""

import hashlib
import io
import re
import secrets
import shlex
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hiddenagenda_cli import ask
from hiddenagenda_cli.main import run

FOLDER = Path(__file__).resolve().parent / "stories"
STORIES = sorted(FOLDER.glob("*.txt"))
DAY = time.struct_time((2026, 11, 27, 20, 15, 0, 4, 331, 0))
_COMMAND = re.compile(r"(?:\[(?P<player>\w+)\] )?\$ (?P<line>.*)")
_TOKEN = re.compile(r"\b(ha[ceios]1\w*)…", re.IGNORECASE)
_FILE = re.compile(r"^-- (\S+) --\n", re.MULTILINE)


class Screen:
    """What one sees while a command runs, in order, and the answers that are still to be typed."""

    def __init__(self, answers: list[str], typed_bytes: bytes) -> None:
        self.shown: list[str] = []
        self.answers = answers
        self.typed_bytes = typed_bytes

    def write(self, text: str, mark: str) -> None:
        for line in text.splitlines(keepends=True):
            if self.shown and not self.shown[-1].endswith("\n"):
                self.shown[-1] += line
            else:
                self.shown.append((mark + line) if line.strip() else line)

    def answer(self) -> str:
        if not self.answers:
            return ""  # end of input
        if self.shown and not self.shown[-1].endswith("\n"):
            self.shown[-1] += "\n"
        self.shown.append(f"< {self.answers[0]}\n")
        return self.answers.pop(0) + "\n"


class Output(io.TextIOBase):
    """A stream that ends on a screen, or in a file."""

    def __init__(self, screen: Screen, mark: str, *, terminal: bool) -> None:
        self.screen, self.mark, self.terminal = screen, mark, terminal

    def write(self, text: str) -> int:
        self.screen.write(text, self.mark)
        return len(text)

    def isatty(self) -> bool:
        return self.terminal


class Input(io.TextIOBase):
    """Somebody who answers, or a file."""

    def __init__(self, screen: Screen, *, terminal: bool) -> None:
        self.screen, self.terminal = screen, terminal
        self.buffer = io.BytesIO(screen.typed_bytes)

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        return self.screen.answer()

    def isatty(self) -> bool:
        return self.terminal


@dataclass(kw_only=True)
class Command:
    """A command of a story: who types what, and which answers."""

    typed: str
    player: str
    words: list[str]
    answers: list[str] = field(default_factory=list)


def play(story: str, folder: Path, seed: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the story with what is shown when its commands run in ``folder``."""
    head, *rest = _FILE.split(story)
    for name, content in zip(rest[::2], rest[1::2], strict=True):
        (folder / name).write_text(content, encoding="utf-8")
    _hold_still(seed, folder, monkeypatch)
    told = []
    shown = ""
    for part in _parts(head):
        if isinstance(part, str):
            told.append(part)
        else:
            part.words = [_whole(word, shown) for word in part.words]
            part.answers = [_whole(answer, shown) for answer in part.answers]
            shown += "".join(lines := list(_run(part, folder, monkeypatch)))
            told += [part.typed, *lines]
    return "".join(told) + story[len(head) :]


def _parts(head: str) -> Iterator[str | Command]:
    """Yield remarks and empty lines as they are, and commands; what they showed last time is left out."""
    command = None
    for line in head.splitlines(keepends=True):
        if match := _COMMAND.match(line):
            if command:
                yield command
            words = shlex.split(match["line"])
            command = Command(typed=line, player=match["player"] or "nobody", words=words)
        elif command and line.startswith("<"):
            command.answers.append(line[1:].strip())
        elif line.startswith("#") or not line.strip():
            if command:
                yield command
                command = None
            yield line
    if command:
        yield command


def _whole(word: str, shown: str) -> str:
    """Return a word with its tokens written out."""
    for start in _TOKEN.findall(word):
        tokens = set(re.findall(rf"\b{start}\w{{30,}}", shown))
        word = word.replace(f"{start}…", tokens.pop() if len(tokens) == 1 else f"{len(tokens)} TOKENS: {start}")
    return word


def _run(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("HIDDENAGENDA_HOME", str(folder / f".{command.player}"))
    program, *words = command.words
    assert program == "hiddenagenda", "stories are about hiddenagenda"
    targets = {}
    for sign in ("<", ">", ">>"):
        if sign in words:
            targets[sign] = folder / words[words.index(sign) + 1]
            del words[words.index(sign) : words.index(sign) + 2]
    screen = Screen(command.answers, targets["<"].read_bytes() if "<" in targets else b"")
    terminal = bool(command.answers)
    out = io.StringIO() if ">" in targets or ">>" in targets else Output(screen, "", terminal=terminal)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Input(screen, terminal=terminal))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", Output(screen, "! ", terminal=terminal))
        code = run(words)
    if isinstance(out, io.StringIO):
        file = targets.get(">>") or targets[">"]
        before = file.read_text(encoding="utf-8") if ">>" in targets and file.exists() else ""
        file.write_text(before + out.getvalue(), encoding="utf-8")
    yield from (f"{line.rstrip() or '.'}\n".replace(str(folder), "/home") for line in screen.shown)
    yield from (f"NOBODY ASKED FOR: {answer}\n" for answer in command.answers)
    if code:
        yield f"? {code}\n"


def _hold_still(seed: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take what differs from run to run out of the world: the day, random numbers, the terminal."""
    drawn = iter(range(1_000_000))

    def draw(size: int) -> bytes:
        return hashlib.shake_256(f"{seed} {next(drawn)}".encode()).digest(size)

    def question(words: str, *_: object) -> str:
        sys.stderr.write(words)
        if line := sys.stdin.readline():
            return line
        raise EOFError

    strftime = time.strftime
    monkeypatch.setattr(time, "strftime", lambda form: strftime(form, DAY))
    monkeypatch.setattr(secrets, "token_bytes", draw)
    monkeypatch.setattr(secrets, "token_hex", lambda size: draw(size).hex())
    monkeypatch.setattr(ask, "_prompt", question)
    monkeypatch.setattr(ask, "_secret", question)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.chdir(folder)


def _write_down() -> None:
    import tempfile  # noqa: PLC0415

    for path in STORIES:
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
            story = play(path.read_text(encoding="utf-8"), Path(folder), path.stem, monkeypatch)
        path.write_text(story, encoding="utf-8")


if __name__ == "__main__":
    _write_down()
