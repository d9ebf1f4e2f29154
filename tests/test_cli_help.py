"""Every help page ends with an example, and every example does what it is an example of."""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from commandline import BEARS, Done, Program
from hiddenagenda_cli.frame import SLOT, Spoken
from hiddenagenda_cli.main import program as everything

from hiddenagenda.identity import Identity
from hiddenagenda.slip import MOST_SLOTS

STAY_OPEN = {"host", "join", "relay"}
"""Commands that end only when a game does: the tests of live tables run them."""


class Evening:
    """Two players in one folder, and everything that was shown to either of them."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.ana, self.ben = program.of("ana"), program.of("ben")
        self.folder = folder
        self.shown = ""

    def say(self, who: Program, line: str) -> Done:
        done = who(*shlex.split(line))
        self.shown += f"{done.out.decode()}{done.err.decode()}"
        return done

    def both(self, line: str) -> None:
        """Let both do the same at the table, and each take in what the other sends."""
        for who, file in ((self.ana, "friday.jsonl"), (self.ben, "ben.jsonl")):
            assert self.say(who, line.format(file=file)).code == 0, self.shown
            (self.folder / "sent.txt").write_bytes(who("send", file, "--all").out)
            for other, copy in ((self.ana, "friday.jsonl"), (self.ben, "ben.jsonl")):
                if other is not who:
                    assert other("receive", copy, "sent.txt").code == 0

    def keys(self) -> None:
        for who in (self.ana, self.ben):
            assert self.say(who, "key new --no-passphrase").code == 0

    def seats(self) -> None:
        self.keys()
        self.say(self.ben, "seat --name Ben")

    def named(self) -> None:
        self.seats()
        self.ana("seat", "--name", "Ana")

    def table(self, *options: str) -> None:
        self.seats()
        seat = re.findall(r"has1\w+", self.shown)[-1]
        assert self.say(self.ana, f"table new friday.jsonl {seat} --name Ana {' '.join(options)}").code == 0
        (self.folder / "sent.txt").write_bytes(self.ana("send", "friday.jsonl", "--all").out)
        assert self.ben("receive", "ben.jsonl", "sent.txt").code == 0

    def committed(self, *options: str) -> None:
        self.table(*options)
        self.both('commit --table {file} --agenda "Muzzio\'s Preparations=Grizzly Bears"')

    def on(self, *options: str) -> None:
        self.committed(*options)
        self.both("seal {file}")

    def tracked(self) -> None:
        self.on("--priority tracked")

    def up(self) -> None:
        self.on()
        assert self.say(self.ana, "turn-up friday.jsonl 1").code == 0, self.shown

    def over(self) -> None:
        self.on()
        self.both("end {file}")

    def noted(self) -> None:
        self.table()
        assert self.say(self.ben, "note ben.jsonl hello").code == 0
        self.shown = self.shown[self.shown.rindex("hae1") :]

    def copies(self) -> None:
        self.table()
        for name in ("mine", "ana"):
            (self.folder / f"{name}.jsonl").write_bytes((self.folder / "friday.jsonl").read_bytes())
        (self.folder / "bens.jsonl").write_bytes((self.folder / "ben.jsonl").read_bytes())
        (self.folder / "friday.jsonl").unlink()

    def event(self) -> None:
        self.table()
        (self.folder / "event").mkdir()
        (self.folder / "event" / "one.jsonl").write_bytes((self.folder / "friday.jsonl").read_bytes())

    def slip(self) -> None:
        self.say(self.ana, shlex.join(BEARS))

    def shown_slip(self) -> None:
        self.slip()
        self.say(self.ana, "open")

    def ssh(self) -> None:
        key = self.folder / ".ssh" / "id_ed25519"
        key.parent.mkdir()
        key.touch(mode=0o600)
        key.write_bytes(Identity(bytes(32)).to_openssh(None))

    def imported(self) -> None:
        self.ssh()
        assert self.say(self.ana, f"key import {self.folder}/.ssh/id_ed25519 --name ssh").code == 0

    def trusted(self) -> None:
        self.table()
        self.shown = self.ben("key", "show").out.decode()
        (mark,) = re.findall(r"SHA256:\S+", self.shown)
        assert self.say(self.ana, f"key trust Ben {mark} --table friday.jsonl").code == 0

    def fingerprint(self) -> None:
        self.table()
        self.shown = self.ben("key", "show").out.decode()

    def card_file(self) -> None:
        german = {"language": "German", "name": "Grizzlybären", "type": "Kreatur — Bär"}
        card = {"name": "Grizzly Bears", "layout": "normal", "type": "Creature — Bear", "foreignData": [german]}
        text = json.dumps({"meta": {"date": "2026-01-01", "version": "5"}, "data": {"Grizzly Bears": [card]}})
        (self.folder / "AtomicCards.json").write_text(text, encoding="utf-8")

    def card_list(self) -> None:
        self.card_file()
        assert self.say(self.ana, "cards import AtomicCards.json").code == 0, self.shown


NEEDS: dict[str, Callable[[Evening], None]] = {
    "open": Evening.slip,
    "verify": Evening.shown_slip,
    "slips": Evening.slip,
    "seat": Evening.keys,
    "table new": Evening.named,
    "seal": Evening.committed,
    "send": Evening.on,
    "receive": Evening.noted,
    "merge": Evening.copies,
    "status": Evening.on,
    "turn-up": Evening.on,
    "apply": Evening.up,
    "priority": Evening.tracked,
    "leave": Evening.on,
    "end": Evening.on,
    "reveal": Evening.over,
    "note": Evening.table,
    "audit": Evening.event,
    "dispute": Evening.copies,
    "inspect": Evening.on,
    "export-ssh": Evening.on,
    "key show": Evening.keys,
    "key import": Evening.ssh,
    "key use": Evening.imported,
    "key list": Evening.keys,
    "key trust": Evening.fingerprint,
    "key forget": Evening.trusted,
    "cards import": Evening.card_file,
    "cards remove": Evening.card_list,
    "cards list": Evening.card_list,
}
CODES = {"status": 5, "dispute": 5}
"""Exit codes of examples other than 0: the game still goes on."""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command that does something, with the words that call it."""
    with everything.make_context("hiddenagenda", [], resilient_parsing=True) as ctx:
        for name in everything.list_commands(ctx):
            command = everything.get_command(ctx, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from ((f"{name} {below}", one) for below, one in command.commands.items())
            else:
                yield name, command


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_page_ends_with_an_example(program: Program, name: str) -> None:
    done = program(*name.split(), "--help")
    assert (done.code, done.err) == (0, b"")
    assert done.lines[0].startswith(f"Usage: hiddenagenda {name}")
    assert done.lines[-2:-1] == ["Example:"]
    assert done.lines[-1].startswith(f"  hiddenagenda {name}")
    assert "--json" in done.out.decode()
    assert "--lang" in done.out.decode()
    assert program(*name.split(), "-h").out == done.out


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in STAY_OPEN])
def test_an_example_works(program: Program, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    evening = Evening(program, tmp_path)
    if name in NEEDS:
        NEEDS[name](evening)
    command = COMMANDS[name]
    assert isinstance(command, Spoken)
    example = command.example.replace("~", str(tmp_path)).replace(" -o friday.jsonl", " -o both.jsonl")
    for start in re.findall(r"(ha[ces]1|HAO1|SHA256:)\w*…", example):
        (token,) = set(re.findall(rf"{start}[\w+/]+", evening.shown))
        example = re.sub(rf"{start}\w*…", token, example, count=1)
    _, *words = shlex.split(example)
    done = evening.ana(*words)
    assert done.code == CODES.get(name, 0), done.err.decode()
    assert b"Traceback" not in done.err


def test_what_an_example_needs_is_needed_by_a_command() -> None:
    assert set(NEEDS) | set(CODES) | STAY_OPEN <= set(COMMANDS)


def test_a_command_line_knows_as_many_slots_as_there_are() -> None:
    assert (SLOT.min, SLOT.max) == (1, MOST_SLOTS)
