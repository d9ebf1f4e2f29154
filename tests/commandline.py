"""Runs the program for the tests: inside this process, or as a process of its own."""

import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hiddenagenda_cli.main import run

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = (sys.executable, "-m", "hiddenagenda_cli.main")
BEARS = ("commit", "Grizzly Bears", "--conspiracy", "Muzzio's Preparations", "--player", "Ana", "--game", "draft")
CROWS = (
    "commit",
    "Storm Crow",
    "Llanowar Elves",
    "--conspiracy",
    "Summoner's Bond",
    "--player",
    "Ben",
    "--game",
    "draft",
)


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended. ``out`` and ``err`` are the bytes of stdout and stderr."""

    code: int
    out: bytes
    err: bytes

    @property
    def lines(self) -> list[str]:
        return self.out.decode().splitlines()

    def token(self, kind: str = "hac") -> str:
        (found,) = re.findall(rf"\b{kind}1\w+", self.out.decode())
        return str(found)


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Program:
    """The program inside this process, with a data directory of its own."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str, given: bytes = b"", encoding: str = "utf-8", typed: str | None = None) -> Done:
        """Run with ``given`` on standard input, or at a terminal where ``typed`` is typed."""
        out, err = io.BytesIO(), io.BytesIO()
        stream = Terminal if typed is not None else io.TextIOWrapper
        with self._monkeypatch.context() as patch:
            patch.setenv("HIDDENAGENDA_HOME", str(self.home))
            patch.setattr(sys, "stdin", stream(io.BytesIO(given if typed is None else typed.encode()), encoding))
            patch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding))
            patch.setattr(sys, "stderr", stream(err, encoding))
            code = run(arguments)
            return Done(code, out.getvalue(), err.getvalue())

    def of(self, name: str) -> "Program":
        """Return the program of another player."""
        return Program(self.home.parent / name, self._monkeypatch)

    def slips(self) -> list[Path]:
        return sorted(self.home.glob("slips/*.slip"))


def environment(home: Path, **changes: str) -> dict[str, str]:
    """Return the environment of a process that runs the program from the checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    paths = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
    return {**kept, "PYTHONPATH": paths, "HIDDENAGENDA_HOME": str(home), **changes}


def process(
    *arguments: str, home: Path, given: bytes = b"", changes: dict[str, str] | None = None, **more: Any
) -> Done:
    """Run the program as a process of its own, to its end."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=given,
        env=environment(home, **(changes or {})),
        timeout=60,
        check=False,
        **streams,
    )
    return Done(done.returncode, done.stdout or b"", done.stderr or b"")
