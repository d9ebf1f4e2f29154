"""Playing from the command line: what is offered, asked, refused and told; and what goes wrong on the way."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import PROGRAM, Done, Program, environment
from hiddenagenda_cli import files
from hiddenagenda_cli.output import Exit
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from hiddenagenda.edge import client, tables
from hiddenagenda.edge.files import refusal
from hiddenagenda.edge.keystore import read_outside
from hiddenagenda.entry import Note, Open, frame
from hiddenagenda.identity import Identity
from hiddenagenda.line import sign
from hiddenagenda.player import new_seat
from hiddenagenda.record import read_record
from hiddenagenda.table import Judge, Table

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "tests" / "vectors" / "verdict.schema.json").read_text(encoding="utf-8"))
BEARS = "Muzzio's Preparations=Grizzly Bears"
PAIR = "Summoner's Bond=Storm Crow=Llanowar Elves"


class Two:
    """Ana and Ben, each with a device and a copy of the game, in one folder."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.folder = folder
        self.ana, self.ben, self.cleo = program.of("ana"), program.of("ben"), program.of("cleo")
        self.files = {self.ana: str(folder / "ana.jsonl"), self.ben: str(folder / "ben.jsonl")}

    def __call__(self, who: Program, command: str, *rest: str, code: int = 0, typed: str | None = None) -> Done:
        """Say something at the table; the game's file goes in front of ``rest``."""
        done = who(*command.split(), self.files[who], *rest, typed=typed)
        assert done.code == code, done.err.decode()
        return done

    def sit(self, *options: str) -> "Two":
        for who in (self.ana, self.ben):
            assert who("key", "new", "--no-passphrase").code == 0
        seat = self.ben("seat", "--name", "Ben").token("has")
        assert self.ana("table", "new", self.files[self.ana], seat, "--name", "Ana", *options).code == 0
        self.share()
        return self

    def start(self, *options: str, ana: str = BEARS, ben: str = PAIR) -> "Two":
        self.sit(*options)
        for who, agenda in ((self.ana, ana), (self.ben, ben)):
            assert who("commit", "--table", self.files[who], "--agenda", agenda).code == 0
        self.share()
        for who in self.files:
            self(who, "seal")
            self.share()
        return self

    def share(self) -> None:
        for who, other in ((self.ana, self.ben), (self.ben, self.ana)):
            if Path(self.files[other]).exists():
                assert who("receive", self.files[who], self.files[other]).code == 0

    def status(self, who: Program, *options: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(who("status", self.files[who], "--json", *options).out)
        return told

    def key(self, who: Program) -> str:
        (public,) = (one["key"] for one in map(json.loads, who("key", "list", "--json").lines) if one["mine"])
        return str(public)

    def entries(self, who: Program) -> int:
        return len(Path(self.files[who]).read_bytes().splitlines())


@pytest.fixture
def two(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Two:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    return Two(program, tmp_path)


def said(done: Done) -> str:
    return done.err.decode()


def outcome(done: Done) -> str:
    return str(json.loads(done.out)["outcome"])


# Status


def test_a_stranger_sees_how_it_stands_and_leaves_no_trace(two: Two) -> None:
    two.start()
    two.files[two.cleo] = two.files[two.ana]
    done = two(two.cleo, "status", code=Exit.PENDING)
    assert done.lines[-1] == "you have no seat at this table: you can only read"
    status = two.status(two.cleo)
    assert (status["moves"], status["unsent"]) == ([], 0)
    assert not {"you", "holder", "stepper", "obstacle"} & status.keys()
    assert not two.cleo.home.exists()


def test_the_verdict_of_status_and_verify_is_one(two: Two) -> None:
    two.start()
    verdict = json.loads(two(two.ana, "verify", "--json", code=Exit.PENDING).out)
    status = two.status(two.ana)
    assert {name: status[name] for name in verdict} == verdict
    Draft202012Validator(SCHEMA).validate(status)


def test_status_needs_no_passphrase(two: Two) -> None:
    two.start()
    key_file = next(two.ana.home.glob("keys/player"))
    locked = Identity(bytes(range(32))).to_openssh(b"secret")
    shutil.copy(key_file, key_file.with_name("other"))
    key_file.with_name("other").write_bytes(locked)
    two(two.ana, "status", code=Exit.PENDING)
    status = two.status(two.ana, "--key", "other")
    assert "you" not in status, "it plays elsewhere"


def test_the_seat_that_was_made_here_counts_whatever_the_default_key_is(two: Two) -> None:
    two.start()
    key = two.key(two.ana)
    assert two.ana("key", "new", "--name", "second", "--no-passphrase").code == 0
    assert two.ana("key", "use", "second").code == 0
    assert two.status(two.ana)["you"] == key
    two(two.ana, "turn-up", "1")
    two(two.ana, "leave", "--key", "second", code=Exit.INPUT)


def test_before_the_start_it_says_what_is_still_missing(two: Two) -> None:
    two.sit()
    assert two.status(two.ana)["awaited"] == ["Ana has not committed", "Ben has not committed"]
    for who in (two.ana, two.ben):
        assert who("commit", "--table", two.files[who], "--none").code == 0
        two.share()
    assert two.status(two.ana)["awaited"] == ["Ana has not sealed", "Ben has not sealed"]
    assert two.status(two.ana)["moves"] == ["seal"]
    two(two.ana, "seal")
    assert two.status(two.ana)["awaited"] == ["Ben has not sealed"]
    assert two(two.ana, "status", code=Exit.PENDING).lines[-3:] == [
        "still missing here: Ben has not sealed",
        "Ana, there is nothing for you to do now",
        f"others may lack 1 entry: hiddenagenda send {two.files[two.ana]}",
    ]


def test_who_holds_priority_is_said(two: Two) -> None:
    two.start("--priority", "tracked")
    assert two.status(two.ben)["stepper"] == two.key(two.ana)
    two(two.ana, "priority", "step", "upkeep")
    two.share()
    status = two.status(two.ben)
    assert status["holder"] == two.key(two.ana)
    assert "stepper" not in status
    assert b"priority: Ana\n" in two(two.ben, "status", code=Exit.PENDING).out


def test_nobody_holds_priority_before_a_game(two: Two) -> None:
    two.sit("--priority", "tracked")
    assert not two.status(two.ana).keys() & {"holder", "stepper"}


def test_nobody_holds_priority_after_a_game(two: Two) -> None:
    two.start("--priority", "tracked")
    for who in (two.ana, two.ben):
        two(who, "end")
        two.share()
    assert not two.status(two.ana).keys() & {"holder", "stepper"}
    assert b"priority:" not in two(two.ana, "status", code=Exit.OWES).out.replace(b"  priority: checked", b"")


def test_a_revealing_that_has_nothing_to_reveal_says_so(two: Two) -> None:
    two.start()
    two(two.ana, "turn-up", "1")
    assert "there is nothing to show" in said(two(two.ana, "reveal"))


def test_what_is_owed_is_said_to_the_one_who_owes(two: Two) -> None:
    two.start()
    two(two.ben, "leave")
    two.share()
    done = two(two.ana, "status", code=Exit.OWES)
    assert b"\nAna, you owe: slot 1\nAna, you may:\n  reveal: show what is due\n" in done.out
    assert b"you owe" not in two(two.ben, "status", code=Exit.OWES).out


def test_a_lost_slip_is_said_and_comes_back_by_naming_the_same_again(two: Two) -> None:
    two.start()
    (slip,) = two.ana.home.glob("games/*/slips/*.slip")
    slip.unlink()
    assert two.status(two.ana)["lost"] == [1]
    assert b"commit with the same agendas again" in two(two.ana, "status", code=Exit.PENDING).out
    for command in ("turn-up 1", "leave", "end"):
        verb, *rest = command.split()
        done = two.ana(verb, two.files[two.ana], *rest)
        if verb != "end":
            assert done.code == Exit.INPUT
            assert "the slip of your slot 1 is not here any more" in said(done)
    entries = two.entries(two.ana)
    assert two.ana("commit", "--table", two.files[two.ana], "--agenda", "Muzzio's Preparations=Storm Crow").code == 1
    assert two.status(two.ana)["lost"] == [1]
    assert two.ana("commit", "--table", two.files[two.ana], "--agenda", BEARS).code == 0
    assert two.entries(two.ana) == entries, "nothing was signed"
    assert two.status(two.ana)["lost"] == []
    two(two.ana, "leave")


def test_on_another_device_one_may_only_read(two: Two) -> None:
    two.start()
    shutil.copytree(two.ana.home / "keys", two.cleo.home / "keys")
    two.cleo.home.chmod(0o700)
    two.files[two.cleo] = two.files[two.ana]
    status = two.status(two.cleo)
    assert status["you"] == two.key(two.ana)
    assert status["obstacle"]["code"] == "foreign-seat"
    assert status["moves"] == []
    done = two(two.cleo, "status", code=Exit.PENDING)
    assert b"Ana, you can sign nothing here: the seat of" in done.out
    assert b"\n  hint: " in done.out


def test_an_own_entry_that_this_device_did_not_sign_is_an_obstacle(two: Two) -> None:
    two.start()
    saved = two.ana.home.with_name("saved")
    shutil.copytree(two.ana.home, saved)
    two(two.ana, "note", "later")
    shutil.rmtree(two.ana.home)
    shutil.copytree(saved, two.ana.home)
    assert two.status(two.ana)["obstacle"]["code"] == "unknown-own"


def test_two_histories_are_an_obstacle(two: Two) -> None:
    two.start()
    before, saved = Path(two.files[two.ana]).read_bytes(), two.ana.home.with_name("saved")
    shutil.copytree(two.ana.home, saved)
    two(two.ana, "note", "one story")
    one = Path(two.files[two.ana]).read_bytes()
    shutil.rmtree(two.ana.home)
    shutil.copytree(saved, two.ana.home)
    Path(two.files[two.ana]).write_bytes(before)
    two(two.ana, "note", "another story")
    Path(two.files[two.ana]).write_bytes(Path(two.files[two.ana]).read_bytes() + one[len(before) :])
    status = json.loads(two(two.ana, "status", "--json", code=Exit.BROKEN).out)
    assert status["obstacle"]["code"] in {"forked", "unknown-own"}
    assert [finding["code"] for finding in status["findings"]] == ["forked"]


def test_a_judge_who_has_not_sealed_is_awaited(two: Two, tmp_path: Path) -> None:
    ana, ben, judge = (Identity(bytes([number]) * 32) for number in (1, 2, 3))
    table = Table(
        edition="2025-09",
        judge=Judge(key=judge.public.hex, name="Jo"),
        label="judged",
        players=(new_seat(ana.public, "Ana"), new_seat(ben.public, "Ben")),
        priority="declared",
    )
    line = sign(frame(table, author=ana.public.hex), ana)
    path = tmp_path / "judged.jsonl"
    path.write_bytes(line.data + b"\n")
    told = json.loads(two.cleo("status", str(path), "--json").out)
    assert told["awaited"][-1] == "the judge has not sealed"


# Steps, names, ends


def test_the_usual_turn_is_taken_and_said_where_nobody_is_asked(two: Two) -> None:
    two.start("--priority", "tracked")
    done = two(two.ana, "priority", "step", "untap")
    assert said(done).splitlines() == [
        "turn 1; --turn says otherwise",
        "it is the turn of Ana; --active says otherwise",
    ]
    done = two(two.ana, "priority", "step", "upkeep", "--turn", "1", "--active", "Ana")
    assert said(done) == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("step", "the name of the step is missing"),
        ("act", "the text is missing"),
        ("pass on", "“on” is one argument too many"),
        ("pass --turn 2", "go with “step”, not with “pass”"),
        ("act x --no-priority", "go with “step”, not with “act”"),
        ("", "step|pass|act is missing"),
        ("wait", "“wait” is not one of step, pass, act"),
        ("step upkeep x", "“x” is one argument too many"),
    ],
)
def test_a_move_with_priority_that_lacks_a_part_says_which(two: Two, words: str, told: str) -> None:
    two.sit("--priority", "tracked")
    before = two.entries(two.ana)
    assert told in said(two(two.ana, "priority", *words.split(), code=Exit.USAGE))
    assert two.entries(two.ana) == before


def test_at_a_terminal_the_turn_is_asked_for(two: Two) -> None:
    two.start("--priority", "tracked")
    done = two(two.ana, "priority", "step", "untap", typed="\n\n")
    assert "Number of the turn [1]: " in said(done)
    assert "Whose turn [Ana]: " in said(done)
    two(two.ana, "priority", "step", "upkeep", typed="none\n", code=Exit.USAGE)
    done = two(two.ana, "priority", "step", "upkeep", typed="7\nBen\n")
    steps = [line.entry.body for line in read_record(Path(two.files[two.ana]).read_bytes()).transcripts[0].graph.nodes]
    assert [(step.turn, step.active) for step in steps[-2:]] == [  # type: ignore[union-attr]
        (1, two.key(two.ana)),
        (7, two.key(two.ben)),
    ]


def test_names_are_resolved_in_the_players_language(two: Two, tmp_path: Path) -> None:
    german = {"language": "German", "name": "Grizzlybären", "type": "Kreatur — Bär"}
    card = {"name": "Grizzly Bears", "type": "Creature — Bear", "types": ["Creature"], "layout": "normal"}
    atomic = {
        "meta": {"date": "2026-01-01", "version": "5"},
        "data": {"Grizzly Bears": [card | {"foreignData": [german]}]},
    }
    (tmp_path / "cards.json").write_text(json.dumps(atomic), encoding="utf-8")
    two.start()
    assert two.ana("cards", "import", str(tmp_path / "cards.json")).code == 0, "a list with German names"
    two(two.ana, "turn-up", "1")
    done = two(two.ana, "apply", "1", "grizzlybären", "--lang", "de")
    assert "Grizzly Bears" in said(done)
    told = two(two.ana, "verify", "--lang", "de", code=Exit.PENDING).out.decode()
    assert "Grizzlybären (Grizzly Bears)" in told


def test_who_ends_last_shows_with_it_and_who_ends_first_does_not(two: Two) -> None:
    two.start()
    done = two(two.ana, "end", "--outcome", "draw")
    assert "when the others have ended, too" in said(done)
    two.share()
    done = two(two.ben, "end")
    assert "what of yours was face down is shown" in said(done)
    two.share()
    slots = {slot["player"]: slot["state"] for slot in two.status(two.ana)["slots"]}
    assert slots == {two.key(two.ana): "owed", two.key(two.ben): "opened"}
    two(two.ana, "reveal")
    two.share()
    assert outcome(two(two.ben, "verify", "--json")) == "kept"


def test_who_ends_last_with_nothing_face_down_shows_nothing(two: Two) -> None:
    two.start()
    two(two.ben, "turn-up", "1")
    two(two.ana, "end")
    two.share()
    entries = two.entries(two.ben)
    assert "is shown" not in said(two(two.ben, "end"))
    assert two.entries(two.ben) == entries + 1


def test_leaving_alone_is_enough(two: Two) -> None:
    two.start()
    two(two.ana, "leave", "--why", "must go")
    players = json.loads(two(two.ana, "verify", "--json", code=Exit.OWES).out)["players"]
    assert players[two.key(two.ana)]["standing"] == "kept"
    two(two.ana, "leave")  # again: no fault, and no use


# The wrong order, and rubbish


@pytest.mark.parametrize(
    "command",
    [
        *("turn-up 1", "apply 1 Nothing", "leave", "end", "reveal", "priority pass", "priority act x"),
        *("priority step upkeep", "seal", "note hello --about 123456"),
    ],
)
def test_what_is_out_of_order_is_refused_in_a_line_and_changes_nothing(two: Two, command: str) -> None:
    two.sit()
    verb, *rest = command.split()
    before = Path(two.files[two.ana]).read_bytes()
    done = two(two.ana, verb, *rest, code=Exit.INPUT)
    complaints = [line for line in said(done).splitlines() if line.startswith("hiddenagenda: ")]
    assert len(complaints) == 1
    assert b"Traceback" not in done.err
    assert done.out == b""
    assert Path(two.files[two.ana]).read_bytes() == before


@pytest.mark.parametrize(
    "rubbish",
    [b"", b"\n\n", b"hello", b"\x00\xff\xfe", b'{"entry":', b"[" * 100_000, b"\xef\xbb\xbf{}", b'{"entry":{}}\n' * 50],
)
def test_rubbish_is_no_game(two: Two, rubbish: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rubbish.jsonl"
    path.write_bytes(rubbish)
    two.ana("key", "new", "--no-passphrase")
    for command in (["status", str(path)], ["leave", str(path)], ["verify", str(path)]):
        done = two.ana(*command)
        assert done.code == Exit.INPUT
        assert b"Traceback" not in done.err


def test_a_game_file_may_be_larger_than_a_game(two: Two, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    two.start()
    path = Path(two.files[two.ana])
    path.write_bytes(path.read_bytes() * 3)  # what is there twice counts once
    size = path.stat().st_size
    verdict = two(two.ana, "verify", "--json", code=Exit.PENDING).out
    told = two(two.ana, "inspect").out
    monkeypatch.setattr(files, "_LARGEST", size - 1)
    assert two(two.ana, "verify", "--json", code=Exit.PENDING).out == verdict
    assert two(two.ana, "inspect").out == told
    assert two.cleo("receive", str(tmp_path / "new.jsonl"), str(path)).code == 0
    monkeypatch.setattr(client, "LARGEST_FILE", size - 1)
    for command in ("verify", "inspect"):
        assert "“audit” reads files of any size" in said(two(two.ana, command, code=Exit.INPUT))


def test_what_is_no_game_has_the_cap_of_a_chat(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LARGEST", 5)
    Path(two.files[two.ana]).write_bytes(b"hello all")
    done = two(two.ana, "verify", code=Exit.INPUT)
    assert "9 bytes where at most 5 are allowed" in said(done)
    assert "“audit” reads files of any size" in said(done)
    done = two.ana("verify", "-", typed="hello all")
    assert done.code == Exit.INPUT
    assert "standard input holds more than 5 bytes" in said(done)


def test_rubbish_between_the_lines_is_set_aside_and_accuses_nobody(two: Two) -> None:
    two.start()
    path = Path(two.files[two.ana])
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"hello\n" + b"\n".join(lines) + b'{"entry":{},"signature":""}\n')
    told = json.loads(two(two.ana, "verify", "--json", code=Exit.PENDING).out)
    assert told["findings"] == []
    assert {aside["line"] for aside in told["aside"]} == {1, 2 * len(lines) + 1}


@pytest.mark.parametrize("argument", ["missing.jsonl", ".", "a\0b", "\x1b[31m.jsonl"])
def test_a_file_that_is_none_is_said_in_a_line(two: Two, argument: str) -> None:
    two.ana("key", "new", "--no-passphrase")
    for command in ("status", "leave", "verify"):
        done = two.ana(command, argument)
        assert done.code == Exit.INPUT
        assert b"\x1b" not in done.err
        assert b"\0" not in done.err
        assert b"Traceback" not in done.err


# What strangers write


HOSTILE = ("\x1b[2J", "\x1b]52;c;aGk=\x07", "\r", "\n", "\u202e", "\u200b", "\x9b31m", "\ufeff", "\x00")


def clean(done: Done) -> bool:
    text = (done.out + done.err).decode()
    return not set(text) & {"\x1b", "\x07", "\r", "\u202e", "\u200b", "\x9b", "\ufeff", "\x00"}


@pytest.mark.parametrize(
    "command",
    [
        *(["turn-up", "1", "--when"], ["leave", "--why"], ["end", "--outcome"], ["note"], ["apply", "1"]),
        *(["note", "x", "--about"], ["priority", "step"], ["priority", "act"]),
    ],
    ids=lambda command: command[0],
)
def test_nothing_hostile_is_signed_or_shown(two: Two, command: list[str]) -> None:
    two.start("--priority", "tracked")
    two(two.ana, "priority", "step", "upkeep")
    two(two.ana, "turn-up", "1")
    before = Path(two.files[two.ana]).read_bytes()
    verb, *rest = command
    for evil in HOSTILE:
        done = two.ana(*verb.split(), two.files[two.ana], *rest, f"a{evil}b")
        assert clean(done)
        assert b"Traceback" not in done.err
        assert done.code in {Exit.INPUT, Exit.USAGE}
        assert Path(two.files[two.ana]).read_bytes() == before


def test_lines_that_forge_an_answer_are_no_lines(two: Two) -> None:
    """A record holds no line end and no escape in a text; what would is set aside with its characters written out."""
    two.start()
    path = Path(two.files[two.ana])
    ben = Identity.unlock(read_outside(str(two.ben.home / "keys" / "player")))
    (game,) = read_record(path.read_bytes()).transcripts
    template = sign(
        frame(Note(text="TEXT"), author=ben.public.hex, game=game.game, parents=(game.game,), seq=3), ben
    ).raw
    for evil in ("\\n  Ben: kept", "\\u001b[2J", "\x1b[2J", "\u202edetpek"):
        raw = template.replace(b"TEXT", evil.encode())
        line = b'{"entry":' + raw + b',"signature":"' + ben.sign(raw).hex().encode() + b'"}\n'
        bad = path.with_name("bad.jsonl")
        bad.write_bytes(path.read_bytes() + line)
        for command in ("verify", "status", "inspect"):
            done = two.cleo(command, str(bad))
            assert clean(done)
            assert b"kept" not in done.out
        told = json.loads(two.cleo("verify", "--json", str(bad)).out)
        assert told["findings"] == []
        assert len(told["aside"]) == 1


def test_a_name_that_looks_like_an_answer_stands_where_names_stand(two: Two) -> None:
    two.ana("key", "new", "--no-passphrase")
    two.ben("key", "new", "--no-passphrase")
    seat = two.ben("seat", "--name", "Ana: kept").token("has")
    assert two.ana("table", "new", two.files[two.ana], seat, "--name", "Ana").code == 0
    told = two(two.ana, "status", code=Exit.PENDING).lines
    assert "  Ana: pending" in told
    assert "  Ana: kept: pending" in told


# Deaths, full disks, rivals


def test_what_was_stored_and_not_appended_is_seen_and_sent(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    two.start()
    append = tables.append
    entries = two.entries(two.ana)

    def full(path: str, *rest: Any, **more: Any) -> Any:
        if path == two.files[two.ana]:
            raise refusal(OSError(28, ""), path)
        return append(path, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(tables, "append", full)
        done = two(two.ana, "turn-up", "1", code=Exit.INPUT)
        assert "no space is left" in said(done)
    assert two.entries(two.ana) == entries
    assert [slot["state"] for slot in two.status(two.ana)["slots"]] == ["turned-up", "face-down"], "it was signed"
    assert "turn-up 1" not in two.status(two.ana)["moves"]
    assert two(two.ana, "send").token("hae").startswith("hae1")
    assert two.entries(two.ana) == entries + 1
    assert two.status(two.ana)["unsent"] == 1


def test_two_processes_write_one_history(two: Two) -> None:
    two.start()
    command = [*PROGRAM, "note", two.files[two.ana], "hello"]
    running = [
        subprocess.Popen(command, env=environment(two.ana.home), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(6)
    ]
    ends = [(process.communicate(timeout=60)[1], process.returncode) for process in running]
    for err, code in ends:
        assert code in {0, 1}
        assert code == 0 or b"another process signed meanwhile" in err or b"another process is using it" in err
        assert b"Traceback" not in err
    assert any(code == 0 for _, code in ends)
    told = json.loads(two(two.ana, "verify", "--json", code=Exit.PENDING).out)
    assert (told["findings"], told["aside"]) == ([], [])
    two(two.ana, "note", "and on")


@pytest.mark.parametrize("way", ["full", "closed"])
def test_a_result_that_nobody_gets_is_sent_again(two: Two, way: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    two.start()
    command = [*PROGRAM, "turn-up", two.files[two.ana], "1"]
    with Path("/dev/full").open("wb") as full:
        closing: Callable[[], None] | None = (lambda: os.close(1)) if way == "closed" else None
        done = subprocess.run(
            command,
            env=environment(two.ana.home),
            stdout=full,
            stderr=subprocess.PIPE,
            preexec_fn=closing,
            check=False,
        )
    assert done.returncode == Exit.INPUT
    assert b"could not be written" in done.stderr
    token = two(two.ana, "send").token("hae")
    assert two.ben("receive", two.files[two.ben], token).code == 0
    assert two.status(two.ben)["slots"][0]["state"] == "turned-up"


# Verdicts on several files


@pytest.fixture
def games(program: Program, tmp_path: Path) -> Path:
    assert program("demo", str(tmp_path / "games")).code == 0
    return tmp_path / "games"


def test_each_game_has_its_verdict_and_the_worst_is_the_exit_code(program: Program, games: Path) -> None:
    kept, owes, broken = (
        str(games / name) for name in ("01-honest.jsonl", "06-vanished.jsonl", "11-swapped-slip.jsonl")
    )
    assert program("verify", kept).code == Exit.KEPT
    assert program("verify", kept, owes).code == Exit.OWES
    done = program("verify", "--json", kept, owes, broken)
    assert done.code == Exit.BROKEN
    told = [json.loads(line) for line in done.lines]
    assert [one["game"] for one in told] == sorted(one["game"] for one in told)
    assert sorted(one["outcome"] for one in told) == ["broken", "kept", "owes"]
    assert sorted(one["exit"] for one in told) == [0, 3, 4]
    for one in told:
        Draft202012Validator(SCHEMA).validate(one)
        assert "sides" not in one, "each game is in one file"


def test_a_file_that_cannot_be_read_hides_no_verdict(program: Program, games: Path) -> None:
    done = program("verify", str(games / "01-honest.jsonl"), str(games / "nothing.jsonl"))
    assert done.code == Exit.INPUT
    assert b"kept: every hidden agenda was shown" in done.out


def test_several_games_in_one_file_are_judged_alike(program: Program, games: Path) -> None:
    paths = sorted(games.glob("*.jsonl"))
    together = games / "all.txt"
    together.write_bytes(b"".join(path.read_bytes() for path in paths))
    one = program("verify", str(together))
    assert one.out == program("verify", *map(str, paths)).out


def test_what_each_file_lacks_is_told_and_given(two: Two) -> None:
    two.start()
    two(two.ben, "note", "heard nothing")
    (entry,) = (line.id for line in read_record(Path(two.files[two.ben]).read_bytes()).transcripts[0].graph.nodes[-1:])
    both = [two.files[two.ana], two.files[two.ben]]
    told = two.cleo("verify", *both).out.decode()
    assert f"  {both[0]}: 1 entry is missing\n    {entry[:12]}, entry 3: Ben notes: “heard nothing”\n" in told
    assert f"  {both[1]}: all entries\n" in told
    sides = json.loads(two.cleo("verify", "--json", *both).out)["sides"]
    assert sides == [
        {"name": both[0], "lacks": [{"entry": entry, "author": two.key(two.ben), "known": False}]},
        {"name": both[1], "lacks": []},
    ]
    assert "sides" not in json.loads(two.cleo("verify", "--json", both[0], both[0]).out)


def test_a_whole_bundle_is_a_side_and_a_piece_of_one_is_damage(two: Two) -> None:
    two.start()
    two(two.ana, "note", "".join(map(chr, range(0x4E00, 0x4E00 + 500))))
    two.share()
    tokens = [line for line in two(two.ana, "send", "--all").lines if line.startswith("hae1")]
    assert len(tokens) > 1
    two(two.ben, "note", "more")
    done = two.cleo("verify", two.files[two.ben], *tokens)
    assert b"  bundle 1: 1 entry is missing" in done.out
    done = two.cleo("verify", two.files[two.ben], tokens[0])
    assert done.code == Exit.INPUT
    assert b"missing" in done.err
    assert b"pending" in done.out, "the file is judged all the same"
    done = two.cleo("verify", "--json", tokens[0])
    assert json.loads(done.out)["outcome"] == "damaged"


def test_a_game_and_an_opening_are_judged_side_by_side(program: Program, games: Path) -> None:
    posted = program("commit", "Storm Crow", "--conspiracy", "Muzzio's Preparations", "--player", "Ana", "--game", "x")
    done = program("verify", posted.token(), str(games / "01-honest.jsonl"))
    assert done.code == Exit.PENDING
    assert b"still face down" in done.out
    assert b"every hidden agenda was shown" in done.out


@pytest.mark.parametrize("lang", ["en", "de", "fr"])
def test_an_explanation_says_how_to_check_without_us(program: Program, games: Path, lang: str) -> None:
    done = program("verify", "--explain", "--lang", lang, str(games / "11-swapped-slip.jsonl"))
    assert b"hiddenagenda export-ssh" in done.out
    assert b"SHA256:" in done.out
    assert b"export-ssh" not in program("verify", "--explain", "--lang", lang, str(games / "01-honest.jsonl")).out


def test_strict_names_break_a_game_by_request_only(program: Program, games: Path) -> None:
    path = str(games / "04-token.jsonl")
    assert program("verify", path).code == Exit.KEPT
    done = program("verify", "--strict-names", path)
    assert done.code == Exit.BROKEN
    assert done.lines[-1] == "  broken under --strict-names"
    told = json.loads(program("verify", "--strict-names", "--json", path).out)
    assert (told["outcome"], told["exit"]) == ("kept", 3)
    assert program("verify", "--strict-names", str(games / "01-honest.jsonl")).code == Exit.KEPT


def test_what_proves_a_finding_is_shown_by_what_it_says(program: Program, games: Path) -> None:
    path = games / "20-anothers-slip.jsonl"
    (game,) = read_record(path.read_bytes()).transcripts
    (entry,) = (line for line in game.graph.nodes if isinstance(line.entry.body, Open))
    told = program("verify", "--explain", str(path)).out.decode()
    assert f"    proved by: {entry.id[:12]}, entry {entry.entry.seq}: Cleo shows slot 1" in told


def test_games_are_imported_only_where_there_are_some() -> None:
    asked = "import sys; from hiddenagenda_cli.main import run; run(['verify', 'hac1']); print({!r} in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", asked.format("hiddenagenda.law")],
        env=environment(Path("nowhere")),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "False"
