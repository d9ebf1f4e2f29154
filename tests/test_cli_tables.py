"""Tables from the command line: stdout holds the result, nothing of a stranger's gets through, nothing is lost."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import PROGRAM, Done, Program, environment, process
from hiddenagenda_cli import ask, signing
from hiddenagenda_cli.output import voice
from sshkeygen import make_key
from talk import Talk, around, file, forged

from hiddenagenda import bundle, chat
from hiddenagenda.entry import Commit, Note
from hiddenagenda.line import Line
from hiddenagenda.record import read_record
from hiddenagenda.token import Kind, encode

ROOT = Path(__file__).resolve().parent.parent
DOUBLE = "Summoner's Bond=Storm Crow=Llanowar Elves"
SINGLE = "Muzzio's Preparations=Grizzly Bears"


class Player:
    """A player at the command line, with a game file."""

    def __init__(self, program: Program, name: str) -> None:
        self.program = program.of(name)
        self.name = name
        self.file = str(self.program.home.parent / f"{name}.jsonl")

    def __call__(self, *arguments: str, **more: bytes | str) -> Done:
        return self.program(*arguments, **more)  # type: ignore[arg-type]

    def done(self, *arguments: str, **more: bytes | str) -> Done:
        """Run what must succeed."""
        done = self(*arguments, **more)
        assert done.code == 0, done.err.decode()
        return done

    def take(self, other: Done) -> Done:
        return self.done("receive", self.file, "-", given=other.out)

    def data(self) -> bytes:
        return Path(self.file).read_bytes()


@pytest.fixture(autouse=True)
def secrets_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take secrets from where other answers come from: a test has no terminal that could hide them."""
    monkeypatch.setattr(ask, "_secret", lambda words: sys.stdin.readline().rstrip("\n"))


@pytest.fixture
def ana(program: Program) -> Player:
    player = Player(program, "ana")
    player.done("key", "new", "--no-passphrase")
    return player


@pytest.fixture
def ben(program: Program) -> Player:
    player = Player(program, "ben")
    player.done("key", "new", "--no-passphrase")
    return player


@pytest.fixture
def table(ana: Player, ben: Player) -> tuple[Player, Player]:
    seat = ben.done("seat", "--name", "Ben").token("has")
    ben.take(ana.done("table", "new", ana.file, seat, "--name", "Ana", "--label", "friday"))
    return ana, ben


def start(ana: Player, ben: Player, *agendas: str) -> None:
    words = [word for agenda in agendas or (SINGLE,) for word in ("--agenda", agenda)]
    committed = ana.done("commit", "--table", ana.file, *words)
    ben.take(committed)
    ana.take(ben.done("commit", "--table", ben.file, "--none"))
    ben.take(ana.done("seal", ana.file))
    ana.take(ben.done("seal", ben.file))


def lines_in(tokens: bytes) -> list[Line]:
    found = chat.find(tokens.decode())
    gathered = bundle.gather(bundle.read_piece(token.payload) for token in found.tokens)
    assert not gathered.missing
    record = read_record(b"".join(gathered.whole))
    transcripts = [line for transcript in record.transcripts for line in transcript.graph.nodes]
    return [*record.strays, *transcripts]


def names(*lines: Line) -> list[str]:
    return sorted(line.entry.type for line in lines)


# What is printed


def test_stdout_holds_tokens_alone(table: tuple[Player, Player]) -> None:
    ana, ben = table
    start(ana, ben)
    for player, command in (
        (ana, ("seat",)),
        (ana, ("seal", ana.file)),
        (ana, ("commit", "--table", ana.file)),
        (ana, ("send", ana.file, "--all")),
    ):
        done = player.done(*command)
        assert done.out
        assert all(re.fullmatch(r"ha[se]1[a-z2-7]+", line) for line in done.lines)
        assert all(len(line) <= 1900 for line in done.lines)


def test_what_is_printed_is_what_the_others_may_lack(table: tuple[Player, Player]) -> None:
    ana, ben = table
    committed = ana.done("commit", "--table", ana.file, "--agenda", SINGLE)
    assert names(*lines_in(committed.out)) == ["commit", "table"], "Ben has signed nothing that shows that he has it"
    ben.take(committed)
    answer = ben.done("commit", "--table", ben.file, "--none")
    assert names(*lines_in(answer.out)) == ["commit"]
    ana.take(answer)
    assert names(*lines_in(ana.done("seal", ana.file).out)) == ["seal"]


def test_one_name_and_two_look_the_same_to_all_others(program: Program) -> None:
    """Token length, entries, files and exit code; hidden input hides it on the screen, too."""
    sizes = set()
    screens = set()
    for number, agenda in enumerate((SINGLE, DOUBLE)):
        ana, ben = Player(program, f"ana{number}"), Player(program, f"ben{number}")
        for player in (ana, ben):
            player.done("key", "new", "--no-passphrase")
        seat = ben.done("seat", "--name", "Ben").token("has")
        ana.done("table", "new", ana.file, seat, "--name", "Ana")
        done = ana.done("commit", "--table", ana.file, "--agenda", agenda, "--hidden-input", "--json")
        lines = sorted(lines_in(json.loads(done.out)["tokens"][0].encode()), key=lambda line: line.entry.seq)
        sizes.add((len(lines), len(lines[-1].raw), done.code, len(ana.data())))
        screens.add(done.err)
    assert len(sizes) == len(screens) == 1


def test_every_command_speaks_json(table: tuple[Player, Player], tmp_path: Path) -> None:
    ana, ben = table
    start(ana, ben)
    commands = (
        ("key", "show"),
        ("key", "list"),
        ("key", "new", "--name", "second", "--no-passphrase"),
        ("seat", "--count", "2"),
        ("commit", "--table", ana.file),
        ("seal", ana.file),
        ("send", ana.file),
        ("send", ana.file, "--all"),
        ("receive", ana.file, ben.file),
        ("merge", ana.file, ben.file, "-o", str(tmp_path / "merged")),
        ("inspect", ana.file),
        ("export-ssh", ana.file, str(tmp_path / "exported")),
        ("slips", "--show", ana.file),
        ("table", "new", str(tmp_path / "other"), ben.done("seat").token("has")),
    )
    for command in commands:
        done = ana.done(*command, "--json")
        assert done.lines, command
        for line in done.lines:
            assert isinstance(json.loads(line), dict)
            assert line.isascii()


@pytest.mark.parametrize(
    "arguments",
    [
        ("seat", "--count", "0"),
        ("table", "new", "x.jsonl"),
        ("seal",),
        ("send",),
        ("receive", "x.jsonl"),
        ("merge", "x.jsonl"),
        ("inspect",),
        ("export-ssh", "x.jsonl"),
        ("key", "trust", "Ben"),
        ("key", "new", "--no-passphrase", "--passphrase-fd", "3"),
        ("commit", "--table", "x.jsonl", "--none", "--agenda", "x"),
    ],
)
def test_what_is_missing_or_too_much_is_usage(
    ana: Player, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "commit":
        seat = Player(ana.program, "cleo")
        seat.done("key", "new", "--no-passphrase")
        ana.done("table", "new", "x.jsonl", seat.done("seat", "--name", "Cleo").token("has"), "--name", "Ana")
    done = ana(*arguments)
    assert done.code == 2
    assert done.out == b""
    assert done.err.startswith(b"hiddenagenda: ") or b"hiddenagenda: " in done.err


def test_files_that_are_not_there_or_no_games_are_input_errors(ana: Player, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    for name in (str(tmp_path / "absent"), str(empty), str(tmp_path)):
        for command in (("seal", name), ("send", name), ("inspect", name), ("commit", "--table", name, "--none")):
            done = ana(*command)
            assert (done.code, done.out) == (1, b""), command


# Chat


def test_a_whole_game_start_by_chat_paste_alone(program: Program) -> None:
    """Three people who share nothing but the text of a chat, copied with names, times, quotes and breaks."""
    people = [Player(program, name) for name in ("ana", "ben", "cleo")]
    chat: list[str] = []

    def say(player: Player, done: Done) -> None:
        for token in done.lines:
            broken = "\n> ".join(token[start : start + 76] for start in range(0, len(token), 76))
            chat.append(f"[20:{len(chat):02}] {player.name.title()}: {broken} (see you!)\n")

    def copy(player: Player) -> None:
        player.done("receive", player.file, "-", given="".join(chat).encode())

    for player in people:
        player.done("key", "new", "--no-passphrase")
    seats = [player.done("seat", "--name", player.name.title()) for player in people]
    for player, seat in zip(people, seats, strict=True):
        say(player, seat)
    ana = people[0]
    pasted = "".join(chat)
    say(ana, ana.done("table", "new", ana.file, "-", "--label", "by chat", given=pasted.encode()))
    for player in people[1:]:
        copy(player)
    for player in people:
        say(player, player.done("commit", "--table", player.file, "--agenda", DOUBLE))
    for player in people:
        copy(player)
        say(player, player.done("seal", player.file))
    for player in people:
        copy(player)
        assert player("status", player.file).code == 5
        assert b"pending: something may still lie face down" in player("status", player.file).out
    assert len({frozenset(player.data().splitlines()) for player in people}) == 1


def test_an_empty_line_ends_no_paste(table: tuple[Player, Player]) -> None:
    ana, ben = table
    committed = ana.done("commit", "--table", ana.file, "--none")
    done = ben.done("receive", ben.file, typed=f"Ana: hi\n\nAna: {committed.out.decode().strip()}\n\n")
    assert b"Paste what the others sent" in done.err
    assert b"commit" in done.out
    assert ben("receive", ben.file, typed="Ana: hi\n").code == 1
    assert b"interrupted" in ben("receive", ben.file, typed="\n").err
    assert b"give tokens, files, or -" in ben("receive", ben.file).err


def test_parts_come_in_any_order_and_the_missing_one_is_named(table: tuple[Player, Player]) -> None:
    ana, ben = table
    for number in range(30):
        ana.done("note", ana.file, f"note {number} {os.urandom(60).hex()}")
    tokens = ana.done("send", ana.file).lines
    assert len(tokens) > 2
    done = ben("receive", ben.file, *tokens[1:])
    assert done.code == 1
    assert f"part 1 of {len(tokens)} is missing".encode() in done.err
    assert done.out == b""
    damaged = tokens[0][:-3] + ("aaa" if not tokens[0].endswith("aaa") else "bbb")
    done = ben("receive", ben.file, damaged, *tokens[1:])
    assert done.code == 1
    assert b"is damaged" in done.err
    ben.done("receive", ben.file, *reversed(tokens), tokens[0].upper())
    assert read_record(ben.data()).transcripts == read_record(ana.data()).transcripts


def test_much_that_came_is_not_told_one_by_one(table: tuple[Player, Player], tmp_path: Path) -> None:
    ana, ben = table
    for number in range(32):
        ana.done("note", ana.file, f"note {number}")
    rubbish = "".join(f"hello {number}\n" for number in range(33)).encode()
    Path(ana.file).write_bytes(ana.data() + rubbish)
    done = ben("receive", ben.file, ana.file)
    told = done.lines
    assert sum(line.startswith("new: Ana, entry ") for line in told) == 30
    assert sum(line.startswith("unreadable: line ") for line in told) == 30
    assert [line for line in told if line.startswith("and ")] == ["and 2 more", "and 3 more"]
    out = str(tmp_path / "both.jsonl")
    told = ben("merge", ana.file, "-o", out).lines
    assert [line for line in told if line.startswith("and ")] == ["and 3 more", "and 3 more"]
    assert len(json.loads(ben("merge", ana.file, "-o", f"{out}2", "--json").out)["inputs"][0]["games"][0]["new"]) == 33


def test_many_parts_are_printed_and_a_file_is_offered(
    table: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "_MANY_PARTS", 3)
    ana, _ = table
    parts = set()
    for _ in range(12):
        done = ana.done("note", ana.file, os.urandom(240).hex())
        parts.add(len(done.lines))
        assert (b"hiddenagenda send FILE --out NEW" in done.err) == (len(done.lines) > 3)
    assert {3, 4} <= parts


# Strangers


EVIL = "\x1b[2J\x1b]0;owned\x07\r\n\u202eOK ✓ kept"


def test_nothing_of_a_stranger_reaches_the_screen_as_it_is(
    ana: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forbidden characters make no entry; what else could move a cursor or pass for a line of ours is written out."""
    monkeypatch.chdir(tmp_path)
    talk = Talk(2, label="../../label\u00a0\u3164")
    talk.say("Ben", Note(text="kept: every hidden agenda was shown\u2003\ufffc"))
    talk.say("Ana", Commit(commitments=("ab" * 32,)))
    raw = talk.lines[-1].raw.replace(b'"commitments":[', b'"comm\xe2\x80\xaeitments":[')
    path = tmp_path / f"game{EVIL[:3]}.jsonl"
    path.write_bytes(talk.data + around(raw, "Ana") + b"\n" + EVIL.encode() + b'\n{"entry":' + EVIL.encode() + b"}\n")
    outputs = [
        ana("inspect", str(path)),
        ana("inspect", str(path), "--json"),
        ana("receive", "copy.jsonl", str(path)),
        ana("receive", "other.jsonl", str(path), "--json"),
        ana("merge", str(path), "-o", "merged.jsonl"),
        ana("export-ssh", "copy.jsonl", "exported"),
        ana("status", "copy.jsonl"),
        ana("commit", "--table", "copy.jsonl", "--none"),
        ana("receive", "more.jsonl", EVIL),
        ana("key", "trust", EVIL, "SHA256:" + EVIL),
        ana("send", "copy.jsonl", "--since", EVIL),
    ]
    for done in outputs:
        text = done.out.decode() + done.err.decode()
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u00a0\u2000-\u200f\u2028-\u202e\u3164\ufffc]", text), text
        assert not any(line.startswith("OK") for line in text.splitlines())
    allowed = {"copy.jsonl", "other.jsonl", "merged.jsonl", "exported", path.name, "home"}
    assert {entry.name for entry in tmp_path.iterdir()} - allowed <= {"ana"}
    assert not any("label" in str(name) for name in tmp_path.rglob("*"))


def test_a_stranger_s_key_under_a_known_name_is_said_loudly(program: Program, ana: Player, ben: Player) -> None:
    first = ben.done("seat", "--name", "Ben").token("has")
    ana.done("table", "new", ana.file, first, "--name", "Ana")
    mallory = Player(program, "mallory")
    mallory.done("key", "new", "--no-passphrase")
    second = mallory.done("seat", "--name", "Ben").token("has")
    other = str(ana.program.home.parent / "other.jsonl")
    refused = ana("table", "new", other, second, "--name", "Ana", typed="n\n")
    assert refused.code == 130
    assert not Path(other).exists()
    done = ana.done("table", "new", other, second, "--name", "Ana")
    assert b"warning: Ben comes with another key than before: SHA256:" in done.err
    done = ana.done("commit", "--table", other, "--none")
    assert b"warning: Ben comes with another key" in done.err, "again before anything else is signed"
    line = mallory.done("key", "show").lines[0]
    ana.done("key", "trust", "Ben", *line.split())
    fingerprint = ben.done("key", "show").lines[1]
    ana.done("key", "forget", "Ben", fingerprint)
    assert b"warning" not in ana.done("commit", "--table", other).err


def test_who_is_only_read_about_is_not_remembered(program: Program, table: tuple[Player, Player]) -> None:
    """Not at a table of others, and not before one signs; own keys are nobody whom one meets."""
    ana, ben = table
    cleo = Player(program, "cleo")
    cleo.done("key", "new", "--no-passphrase")
    told = cleo.done("receive", cleo.file, ana.file)
    assert b"Ana is new to you" in told.err
    assert cleo.done("key", "list").out.decode().count("SHA256:") == 1
    assert ben.done("key", "list").out.decode().count("SHA256:") == 1, "he has not signed yet"
    ben.done("commit", "--table", ben.file, "--none")
    assert ben.done("key", "list").out.decode().count("SHA256:") == 2
    assert b"new to you" not in ben.done("commit", "--table", ben.file, "--none").err
    # A known name with another key is alarming, but not if the key is one's own.
    cleo.done("key", "trust", "Ana", *ben.done("key", "show").lines[0].split())
    cleo.done("key", "import", str(ana.program.home / "keys" / "player"), "--name", "mine")
    told = cleo.done("receive", str(cleo.program.home.parent / "new.jsonl"), ana.file)
    assert b"warning" not in told.err
    assert ana.done("key", "show").lines[1].encode() not in told.err


def test_names_that_look_alike_are_refused(program: Program, ana: Player) -> None:
    twin = Player(program, "twin")
    twin.done("key", "new", "--no-passphrase")
    seat = twin.done("seat", "--name", "ANÁ").token("has")
    done = ana("table", "new", ana.file, seat, "--name", "Ana")
    assert done.code == 1
    assert b"look alike" in done.err
    assert not Path(ana.file).exists()


def test_a_table_that_nobody_would_sit_down_at_is_not_set(ana: Player, ben: Player) -> None:
    own, seat = ana.done("seat", "--name", "Ana").token("has"), ben.done("seat", "--name", "Ben").token("has")
    done = ana("table", "new", ana.file, own)
    assert (done.code, done.out) == (1, b"")
    assert "a table has 2 to 16 players, this one 1" in done.err.decode()
    done = ana("table", "new", ana.file, own, seat, "--conspiracy", "BRAGO'S favor=double")
    assert (done.code, done.out) == (1, b"")
    assert "“BRAGO'S favor” as a further conspiracy, which looks like Brago's Favor" in done.err.decode()
    assert not Path(ana.file).exists()
    ana.done("table", "new", ana.file, own, seat, "--conspiracy", "Cube Plot=double")


def test_huge_and_deep_input_is_refused_quickly(table: tuple[Player, Player], tmp_path: Path) -> None:
    _, ben = table
    before = ben.data()
    deep = tmp_path / "deep"
    deep.write_bytes(b'{"entry":' + b"[" * 200_000 + b"\n" + b'{"entry":{"a":' + b"1" * 5000 + b"}}\n")
    assert ben("receive", ben.file, str(deep)).code == 1
    sparse = tmp_path / "sparse"
    with sparse.open("wb") as stream:
        stream.truncate(2**30)
    done = ben("receive", ben.file, str(sparse))
    assert done.code == 1
    assert b"at most 67108864 are allowed" in done.err
    assert ben.data() == before


def test_a_forged_copy_of_what_one_is_about_to_say_does_no_harm(table: tuple[Player, Player]) -> None:
    """Protocol test: one id with two signatures, the bad one first, before its author sends it."""
    ana, ben = table
    ben.take(ana.done("commit", "--table", ana.file, "--none"))
    ana.take(ben.done("commit", "--table", ben.file, "--none"))
    before = ana.data()
    seal = lines_in(ana.done("seal", ana.file).out)[0]
    Path(ana.file).write_bytes(before)
    for path in ana.program.home.rglob("sent.jsonl"):
        path.write_bytes(b"".join(line + b"\n" for line in path.read_bytes().splitlines() if line != seal.data))
    Path(ana.file).write_bytes(before + forged(seal).data + b"\n")
    again = lines_in(ana.done("seal", ana.file).out)
    assert [line.data for line in again] == [seal.data]
    assert ana.done("send", ana.file).code == 0
    ben.done("receive", ben.file, "-", given=file([forged(seal)]))
    ben.done("receive", ben.file, "-", given=file([seal]))
    ben.done("seal", ben.file)


def bomb(size: int) -> list[str]:
    """Tokens of a bundle that unpacks to more than any bundle may."""
    packed = zlib.compress(b"\0" * size, 9)
    name = hashlib.sha256(packed).digest()[:8]
    room = 1100
    pieces = [packed[start : start + room] for start in range(0, len(packed), room)]
    return [
        encode(Kind.BUNDLE, number.to_bytes(2) + len(pieces).to_bytes(2) + name + piece)
        for number, piece in enumerate(pieces, 1)
    ]


def test_a_bomb_in_tokens_is_refused_and_hides_nothing(table: tuple[Player, Player]) -> None:
    ana, ben = table
    committed = ana.done("commit", "--table", ana.file, "--none")
    done = ben("receive", ben.file, *bomb(bundle.LARGEST + 1))
    assert done.code == 1
    assert b"unpacks to more than" in done.err
    path = Path(ben.file).with_name("committed.jsonl")
    path.write_bytes(file(lines_in(committed.out)))
    done = ben("receive", ben.file, *bomb(bundle.LARGEST + 1), str(path))
    assert done.code == 1
    assert b"new: Ana, entry 2: commit" in done.out


def test_what_is_odd_in_what_came_is_said(table: tuple[Player, Player], tmp_path: Path) -> None:
    ana, ben = table
    other = Talk(2, label="other")
    other.say("Ben")
    path = tmp_path / "odd"
    path.write_bytes(b'{"entry":{}}\n' + other.data)
    done = ben("receive", ben.file, str(path))
    assert done.code == 1
    assert b"left out: 2 lines of other games" in done.out
    assert b"unreadable: line 1: " in done.out
    assert b"nothing new" in done.out
    with Path(ben.file).open("ab") as stream:
        stream.write(b'{"entry":{"author":"torn')
    done = ben.done("receive", ben.file, "-", given=ana.done("commit", "--table", ana.file, "--none").out)
    assert b"bytes at the end of the file were no whole line" in done.err
    assert b"new: Ana, entry 2: commit" in done.out


def test_what_somebody_is_made_to_say_is_not_told_as_his(ana: Player, tmp_path: Path) -> None:
    talk = Talk(3)
    forgery = talk.forge("Ben")
    over = talk.say("Cleo", over=[forgery])
    path = tmp_path / "forged"
    path.write_bytes(file([talk.table, forgery, over]))
    said = ana.done("receive", str(tmp_path / "copy.jsonl"), str(path)).out.decode()
    nobody = "its author does not stand by it here: no signature of his covers it"
    assert f"new: Ben, entry 1: note {forgery.id[:12]}: {nobody}" in said
    assert f"{over.id[:12]}: it rests on an entry by which its author does not stand here" in said


def test_entries_signed_elsewhere_are_told_and_taken_over_on_request(table: tuple[Player, Player]) -> None:
    ana, ben = table
    before = ana.data()
    ben.take(ana.done("commit", "--table", ana.file, "--none"))
    for path in ana.program.home.rglob("sent.jsonl"):  # as after a restored backup
        path.write_bytes(before)
    Path(ana.file).write_bytes(before)
    done = ana.done("receive", ana.file, ben.file)
    assert b"warning: your key signed 1 entry of this game that this device does not know" in done.err
    assert b"receive" in done.err
    assert json.loads(ana.done("receive", ana.file, ben.file, "--json").out)["unknown-own"]
    refused = ana("commit", "--table", ana.file, "--none")
    assert refused.code == 1
    assert b"this device does not know of it" in refused.err
    assert b"nothing is signed here until" not in (done := ana.done("receive", ana.file, ben.file, "--adopt")).err
    assert b"taken over: entry 2, commit" in done.err
    assert b"there is nothing to take over" in ana.done("receive", ana.file, ben.file, "--adopt").err
    assert b"you have committed already" in ana.done("commit", "--table", ana.file).err


def test_an_entry_that_another_one_covers_is_exported_and_said(tmp_path: Path, ana: Player) -> None:
    talk = Talk(2)
    damaged = forged(talk.say("Ben"))
    path = tmp_path / "game"
    path.write_bytes(file([talk.table, damaged, talk.say("Ben")]))
    done = ana.done("export-ssh", str(path), str(tmp_path / "out"))
    assert f"no signature of {damaged.id[:12]} is here".encode() in done.err
    assert len(done.lines) == 2


def test_a_game_over_its_cap_is_said(tmp_path: Path, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk(2)
    path = tmp_path / "game"
    path.write_bytes(file([talk.table, *(talk.say("Ben") for _ in range(4))]))
    monkeypatch.setattr("hiddenagenda.transcript.LARGEST", 1500)
    done = ana("inspect", str(path))
    assert (done.code, done.out) == (1, b"")
    assert b"has more bytes than are looked at" in done.err


def test_a_damaged_seat_sets_no_table(ana: Player, ben: Player) -> None:
    seat = ben.done("seat", "--name", "Ben").token("has")
    done = ana("table", "new", ana.file, seat[:-2] + ("22" if not seat.endswith("22") else "33"), "--name", "Ana")
    assert done.code == 1
    assert b"this seat is damaged" in done.err
    assert not Path(ana.file).exists()


def test_names_are_put_in_order_where_they_are_typed(ana: Player) -> None:
    done = ana.done("seat", "--name", "A\u200bna\u00a0B")
    assert b"note: " in done.err
    assert json.loads(ana.done("seat", "--json").out)["name"] == "Ana B"
    assert ana("seat", "--name", "\u200b").code == 2
    assert ana("seat", "--name", "x" * 501).code == 1


# Keys


def test_a_public_key_may_be_trusted_from_its_file(ana: Player, tmp_path: Path) -> None:
    make_key(tmp_path / "id")
    ana.done("key", "trust", "Dan", str(tmp_path / "id.pub"))
    ana.done("key", "import", str(tmp_path / "id"), "--name", "dan")
    rows = [json.loads(line) for line in ana.done("key", "list", "--json").lines]
    assert {row["key"] for row in rows if row["name"] in {"Dan", "dan"}} == {rows[0]["key"]}
    (ana.program.home / "keys" / ".default").unlink()
    assert all(not json.loads(line).get("default") for line in ana.done("key", "list", "--json").lines)
    assert ana("seat", "--name", "Ana").code == 1


def test_a_key_of_openssh_signs_where_it_lies(program: Program, ben: Player, tmp_path: Path) -> None:
    make_key(tmp_path / "id_ed25519", passphrase="correct horse")
    ana = Player(program, "ana")
    key = str(tmp_path / "id_ed25519")
    seat = ana.done("seat", "--name", "Ana", "--key", key).token("has")
    ben.done("table", "new", ben.file, seat, "--name", "Ben")
    ana.take(ben.done("send", ben.file))
    refused = ana("commit", "--table", ana.file, "--none", "--key", key)
    assert refused.code == 2
    assert b"--passphrase-fd" in refused.err
    wrong = ana("commit", "--table", ana.file, "--none", "--key", key, typed="wrong horse\n")
    assert wrong.code == 1
    with (tmp_path / "passphrase").open("w+b") as stream:
        stream.write(b"correct horse\n")
        stream.seek(0)
        done = ana.done("commit", "--table", ana.file, "--none", "--key", key, "--passphrase-fd", str(stream.fileno()))
    assert done.out
    assert b"correct horse" not in done.err + done.out


def test_a_passphrase_that_cannot_be_read_is_said(ana: Player) -> None:
    done = ana("key", "new", "--name", "other", "--passphrase-fd", "987")
    assert done.code == 1
    assert b"file descriptor 987 cannot be read" in done.err


def test_key_files_are_their_owner_s_alone(ana: Player) -> None:
    if os.name != "posix":
        pytest.skip("modes are POSIX's")
    for path in ana.program.home.rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600)


# Crashes


def test_without_a_key_one_is_made_when_somebody_says_so(program: Program) -> None:
    ana = Player(program, "ana")
    assert ana("seat", "--name", "Ana").code == 1
    assert ana("seat", "--name", "Ana", typed="n\n").code == 1
    done = ana.done("seat", "--name", "Ana", typed="y\ncorrect horse\ncorrect horse\n")
    assert done.token("has")
    assert json.loads(ana.done("key", "list", "--json").out)["encrypted"] is True


def test_a_seat_is_remembered_before_it_is_printed(
    program: Program, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*arguments: object) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr("hiddenagenda.edge.memory.write_new_secret", deny)
    done = ana("seat", "--name", "Ana")
    assert done.code == 1
    assert done.out == b""


def test_everything_is_on_the_disk_before_anything_is_printed(
    table: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ``strace`` shows, held: at the moment of printing, nothing that was written waits to be synced."""
    ana, _ = table
    unsynced: set[int] = set()
    printed = []
    real_write, real_fsync, real_result = os.write, os.fsync, voice.result

    def write(descriptor: int, data: bytes) -> int:
        unsynced.add(descriptor)
        return real_write(descriptor, data)

    def fsync(descriptor: int) -> None:
        real_fsync(descriptor)
        unsynced.discard(descriptor)

    def result(line: str) -> None:
        printed.append((len(unsynced), Path(ana.file).read_bytes().count(b"\n")))
        real_result(line)

    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(voice, "result", result)
    ana.done("commit", "--table", ana.file, "--agenda", SINGLE)
    assert printed == [(0, 2)]


KILLED = """
import itertools, os, signal, sys
number, at, when = itertools.count(1), int(sys.argv[1]), sys.argv[2]
def deadly(real):
    def call(*arguments, **named):
        here = next(number) == at
        if here and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*arguments, **named)
        if here:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return call
from hiddenagenda_cli.main import run
import hiddenagenda_cli.table_commit, hiddenagenda_cli.commands.commit
for name in ("open", "write", "fsync", "link", "replace", "mkdir"):
    setattr(os, name, deadly(getattr(os, name)))
sys.exit(run(sys.argv[3:]))
"""


def killed(home: Path, at: int, when: str, *arguments: str) -> Done:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(at), when, *arguments],
        env=environment(home),
        capture_output=True,
        timeout=60,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def copies(source: Path, place: Path) -> Iterator[tuple[Path, Path]]:
    for number in range(10_000):
        copy = place / str(number)
        shutil.copytree(source, copy)
        yield copy / "ana", copy / "ana.jsonl"


def test_killed_by_the_system_anywhere_in_a_commit_it_sends_the_same_again(
    table: tuple[Player, Player], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Real processes and SIGKILL; every call before and after is tried in the tests of the client."""
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("there is no SIGKILL on this system")
    ana, _ = table
    room = copies(ana.program.home.parent, tmp_path_factory.mktemp("killed"))
    deaths = 0
    for when, start in (("before", 2), ("after", 5)):
        for at in range(start, 60, 9):
            home, path = next(room)
            first = killed(home, at, when, "commit", "--table", str(path), "--agenda", SINGLE)
            assert first.code in {0, -9}, first.err
            deaths += first.code == -9
            again = process("commit", "--table", str(path), "--agenda", DOUBLE, home=home)
            assert again.code in {0, 1}, again.err
            sent = [line for line in lines_in(again.out) if line.entry.type == "commit"]
            if first.out:
                sent += [line for line in lines_in(first.out) if line.entry.type == "commit"]
            assert len({line.id for line in sent}) == 1, "two commits were seen"
            shown = process("slips", "--show", str(path), "--json", home=home)
            slips = [json.loads(line)["commitment"] for line in shown.lines]
            body = sent[0].entry.body
            assert isinstance(body, Commit)
            assert slips == list(body.commitments)
    assert deaths > 4


def test_interrupted_at_a_question_it_has_signed_nothing(table: tuple[Player, Player]) -> None:
    ana, _ = table
    before = ana.data()
    process_ = subprocess.Popen(
        [*PROGRAM, "commit", "--table", ana.file, "--names-from", "-"],
        env=environment(ana.program.home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(0.7)
    process_.send_signal(signal.SIGINT)
    out, _ = process_.communicate(timeout=30)
    assert process_.returncode == 130
    assert out == b""
    assert ana.data() == before
    assert ana.done("commit", "--table", ana.file, "--none").code == 0


def test_two_commands_at_once_make_one_history(table: tuple[Player, Player]) -> None:
    ana, _ = table
    running = [
        subprocess.Popen(
            [*PROGRAM, "note", ana.file, f"note {number}"],
            env=environment(ana.program.home),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(4)
    ]
    ends = [one.communicate(timeout=60) for one in running]
    for one, (out, err) in zip(running, ends, strict=True):
        assert one.returncode in {0, 1}
        assert bool(out) == (one.returncode == 0), err
    transcript = read_record(ana.data()).transcripts[0]
    assert not transcript.forks
    assert not transcript.dangling
    own = [line for line in transcript.graph.nodes if line.entry.type == "note"]
    assert [line.entry.seq for line in own] == list(range(2, len(own) + 2))
    assert len(own) == [one.returncode for one in running].count(0)


@pytest.mark.parametrize("character", ["\x1b[2J", "\n", "\u202e", "\udcff"])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_shell_line_holds_nothing_that_does_not_show(
    table: tuple[Player, Player], tmp_path: Path, character: str, options: tuple[str, ...]
) -> None:
    ana, _ = table
    done = ana("export-ssh", ana.file, str(tmp_path / f"a{character}b"), *options)
    assert (done.code, done.out) == (1, b"")
    assert f"the directory's name holds U+{ord(character[0]):04X}" in done.err.decode()
    assert not set(done.err.decode()[:-1]) & set("\x1b\u202e")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("a") and path.name.endswith("b")]


def test_the_shell_lines_that_are_printed_work(table: tuple[Player, Player], tmp_path: Path) -> None:
    for program in ("sh", "sha256sum", "ssh-keygen"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    ana, ben = table
    start(ana, ben)
    done = ana.done("export-ssh", ana.file, str(tmp_path / "a 'quoted' $HOME"))
    assert len(done.lines) == 2
    for line in done.lines:
        checked = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60, check=False)
        assert checked.returncode == 0, checked.stderr
    victim = next((tmp_path / "a 'quoted' $HOME").glob("*.json"))
    victim.write_bytes(victim.read_bytes() + b" ")
    for line in done.lines:
        assert subprocess.run(["sh", "-c", line], capture_output=True, timeout=60, check=False).returncode != 0
