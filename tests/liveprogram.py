"""The real program at live tables: driven by JSON lines, or in a pseudo-terminal."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hiddenagenda.edge.keystore import FIRST_NAME, Keystore

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = [sys.executable, "-m", "hiddenagenda_cli.main"]
PATIENCE = 30.0
"""Seconds that something may take on a busy machine; nothing is measured by it."""

Event = Mapping[str, Any]


def environment(home: Path) -> dict[str, str]:
    """The surroundings of a player whose things lie in ``home``; no proxy is asked."""
    keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    return keep | {
        "HIDDENAGENDA_HOME": str(home),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "cli")]),
        "PYTHONIOENCODING": "utf-8",
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }


def command(home: Path, *arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    """Run one command to its end."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        env=environment(home),
        cwd=home.parent,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def make_key(home: Path) -> None:
    if not (home / "keys").exists():
        Keystore(str(home / "keys")).create(FIRST_NAME, None)


class Driven:
    """A program that plays by JSON lines."""

    def __init__(self, folder: Path, name: str, *arguments: str, json_lines: str = "--json-lines") -> None:
        self.name = name
        self.home = folder / name
        make_key(self.home)
        self.file = folder / f"{name}.jsonl"
        self.errors = (folder / f"{name}.stderr").open("a")
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments, json_lines],
            env=environment(self.home),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            encoding="utf-8",
        )
        self.seen: list[Event] = []
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith("\n"):  # else it was killed while it wrote
                self._events.put(json.loads(line))

    def say(self, do: str, **words: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **words}) + "\n")
        self.process.stdin.flush()

    def wait(self, event: str, test: Callable[[Event], bool] = lambda _: True, *, count: int = 1) -> Event:
        """Return the ``count``-th event of this name that passes ``test``, counted from the last one waited for."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                found = self._events.get(timeout=0.2)
            except queue.Empty:
                if time.monotonic() < deadline and self._reader.is_alive():
                    continue
                seen = [one["event"] for one in self.seen[-8:]]
                raise AssertionError((self.name, event, self.process.poll(), seen, self.trouble)) from None
            self.seen.append(found)
            if found["event"] == event and test(found):
                count -= 1
                if count == 0:
                    return found

    def first(self) -> Event:
        """Return the first object that it prints."""
        return self._events.get(timeout=PATIENCE)

    def entry(self, kind: str, player: str | None = None, *, count: int = 1) -> Event:
        """Wait for an entry."""
        return self.wait("entry", lambda one: one["type"] == kind and player in {None, one["player"]}, count=count)

    @property
    def trouble(self) -> str:
        return Path(self.errors.name).read_text(encoding="utf-8")

    def ends(self) -> int:
        """Wait for the end of the program; return its exit code."""
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.close()

    def kill(self) -> None:
        """End it without a word."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self.errors.close()


AGENDAS = {
    "Ana": "Muzzio's Preparations=Grizzly Bears",
    "Ben": "none",
    "Cleo": "Summoner's Bond=Storm Crow=Llanowar Elves; Brago's Favor=Wind Drake",
}


class Players:
    """The programs of a test; all of them are ended with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: list[Driven] = []
        self.port = 0

    def close(self) -> None:
        for one in self.running:
            one.close()

    def start(self, name: str, *arguments: str) -> Driven:
        driven = Driven(self.folder, name, *arguments)
        self.running.append(driven)
        return driven

    def host(self, *arguments: str) -> tuple[Driven, str]:
        ana = self.start("Ana", "host", "Ana.jsonl", "--bind", f"127.0.0.1:{self.port}", "--name", "Ana", *arguments)
        invited = ana.wait("invitation")
        self.port = self.port or int(invited["url"].rpartition(":")[2])
        return ana, invited["invitation"]

    def join(self, name: str, invitation: str = "") -> Driven:
        joiner = self.start(name, "join", f"{name}.jsonl", "--name", name)
        if invitation:
            joiner.say("join", invitation=invitation)
        return joiner

    def at_table(self, *arguments: str) -> tuple[Driven, Driven, Driven]:
        """Ana hosts, Ben and Cleo sit down."""
        ana, invitation = self.host(*arguments)
        guests = []
        for name in ("Ben", "Cleo"):
            guest = self.join(name, invitation)
            ana.say("accept", number=ana.wait("seat")["number"])
            ana.wait("lobby")
            guests.append(guest)
        ana.say("set")
        for guest in guests:
            guest.wait("table")
            guest.say("sit")
        return ana, guests[0], guests[1]

    def started(self, *arguments: str) -> tuple[Driven, Driven, Driven]:
        """All have committed and sealed."""
        trio = self.at_table(*arguments)
        for one in trio:
            one.say("commit", agendas=AGENDAS[one.name])
        for one in trio:
            one.entry("seal", count=3)
        return trio

    def finish(self, trio: tuple[Driven, ...]) -> None:
        """All end the game, and all programs end with it."""
        for one in trio:
            one.say("end", outcome="draw")
        for one in trio:
            assert one.wait("verdict")["outcome"] == "kept"
            assert one.ends() == 0, one.trouble
        assert len({one.file.read_bytes() for one in trio}) == 1
