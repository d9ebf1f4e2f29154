"""Several people's records of one game: who has what, who knew it, where the stories part, and what follows."""

import json
import shutil
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest
from commandline import Program
from table import Cheat, Client, Game, damaged, found

from hiddenagenda.dispute import Dispute, compare
from hiddenagenda.entry import Apply, Note
from hiddenagenda.line import Line
from hiddenagenda.outcome import Outcome
from hiddenagenda.record import Record, read_record
from hiddenagenda.retelling import retell
from hiddenagenda.rulebook import Code
from hiddenagenda.telling import OUTCOMES
from hiddenagenda.verifier import MOST_PROVEN, judge_record


def data(lines: Collection[Line], *without: Line) -> bytes:
    left_out = {line.id for line in without}
    return b"".join(line.data + b"\n" for line in lines if line.id not in left_out)


def record(lines: Collection[Line], *without: Line) -> Record:
    return read_record(data(lines, *without))


def told(dispute: Dispute) -> list[str]:
    return [str(line) for line in retell(dispute)]


def played(players: int = 3, *, cheats: Collection[int] = ()) -> tuple[Game, list[Client]]:
    game = Game(players, cheats=cheats)
    game.start()
    return game, game.players


@pytest.fixture
def forked() -> tuple[Game, Line, Line]:
    """Ben tells Ana and Cleo two stories."""
    game, (ana, ben, cleo) = played(cheats=(1,))
    assert isinstance(ben, Cheat)
    one = ben.lie(Note(text="I attack"))
    other = ben.fork(one, Note(text="I do not attack"))
    ana.see(one)
    ana.say(Note(text="I block"))
    cleo.see(other)
    cleo.say(Note(text="so be it"))
    game.finish()
    return game, one, other


def test_records_that_hold_the_same_are_said_to() -> None:
    game, _ = played()
    game.finish()
    (dispute,) = compare({"ana": record(game.lines), "ben": record(game.lines)})
    assert dispute.parting is None
    assert dispute.splits == ()
    assert all(account.missing == () and account.alone == dispute.verdict for account in dispute.accounts)
    assert told(dispute) == [
        f"game {game.table.id[:12]} “test”, all records together: {OUTCOMES[Outcome.KEPT]}",
        "  all records show the same entries: 10",
        "  ana: 10 of 10 entries; alone it would be: kept",
        "  ben: 10 of 10 entries; alone it would be: kept",
    ]


def test_who_lacks_what_and_who_must_have_known_it() -> None:
    game, (ana, ben, cleo) = played()
    first = ben.say(Note(text="first"))
    second = ben.say(Note(text="second"))
    ana.see(first, second)
    answer = ana.say(Note(text="heard"))
    game.share()
    game.finish()
    last = cleo.own[-1]
    (dispute,) = compare({"ana": record(game.lines, first, last), "ben": record(game.lines)})
    account, whole = dispute.accounts
    assert whole.missing == ()
    assert [(one.entry, one.author, one.seq) for one in account.missing] == [
        (first.id, ben.key, first.entry.seq),
        (last.id, cleo.key, last.entry.seq),
    ]
    assert account.missing[0].known_to == (ana.key,)  # and to Ben, whose it is
    assert account.missing[1].known_to == ()
    assert account.entries == len(game.lines) - 2
    assert dispute.parting == first.id
    assert answer.id != first.id
    said = "\n".join(told(dispute))
    assert "Ben's entry 3" in said
    assert "lines of Ana in it rest on that: they had it when they signed" in said


def test_what_a_record_alone_would_come_to_is_said() -> None:
    game, (_, ben, cleo) = played()
    game.finish()
    (dispute,) = compare({"ana": record(game.lines, ben.own[-1], cleo.own[-1]), "ben": record(game.lines)})
    assert dispute.verdict.outcome is Outcome.KEPT
    assert dispute.accounts[0].alone.outcome is Outcome.PENDING
    said = told(dispute)
    assert "  ana: 8 of 10 entries; alone it would be: pending" in said
    assert "    with the others: Ben: pending becomes kept" in said
    assert "    with the others: Cleo: pending becomes kept" in said


def test_what_others_show_of_a_cheat_is_said() -> None:
    game, (_, ben, _) = played(cheats=(1,))
    assert isinstance(ben, Cheat)
    wrong = ben.lie(Apply(card="Grizzly Bears", slot=1))
    game.share()
    (dispute,) = compare({"ben": record(game.lines, wrong), "ana": record(game.lines)})
    assert [finding.code for finding in dispute.verdict.findings] == [Code.APPLIED_FACE_DOWN]
    said = told(dispute)
    assert "    does not show finding 1: applied-face-down" in said
    assert "    with the others: Ben the cheat: pending becomes broken" in said


def test_a_fork_is_told_with_who_shows_which_half(forked: tuple[Game, Line, Line]) -> None:
    game, one, other = forked
    (dispute,) = compare({"ana": record(game.lines, other), "cleo": record(game.lines, one)})
    ben = game.players[1]
    (split,) = dispute.splits
    assert (split.author, split.seq, split.after) == (ben.key, one.entry.seq, ben.own[1].id)
    shown = {half.entry: half.shown_by for half in split.halves}
    assert shown == {one.id: ("ana",), other.id: ("cleo",)}
    resting = {half.entry: half.resting for half in split.halves}
    assert resting[one.id] >= 1
    assert resting[other.id] >= 1
    said = "\n".join(told(dispute))
    assert f"up to Ben the cheat's entry 2 ({ben.own[1].id[:12]}) there is one story of his, after it two" in said
    assert "notes: “I attack”; shown by ana" in said
    assert "notes: “I do not attack”; shown by cleo" in said
    assert found(dispute.verdict) == {(Code.FORKED, ben.key, None)}


def test_a_fork_of_the_first_entry_has_nothing_before_it() -> None:
    game = Game(2, cheats=(1,))
    ana, ben = game.players
    assert isinstance(ben, Cheat)
    one = ben.lie(Note(text="hello"))
    other = ben.fork(one)
    game.share()
    assert ana.key
    (dispute,) = compare({"a": record(game.lines, other), "b": record(game.lines, one)})
    (split,) = dispute.splits
    assert split.after is None
    assert not any("one story" in line for line in told(dispute))


def test_of_a_cheat_who_forks_everything_the_first_places_are_told() -> None:
    game = Game(2, cheats=(1,))
    ben = game.cheat
    for place in range(MOST_PROVEN + 3):
        ben.fork(ben.lie(Note(text=str(place))))
    game.share()
    (dispute,) = compare({"a": record(game.lines), "b": record(game.lines)})
    assert [split.seq for split in dispute.splits] == list(range(1, MOST_PROVEN + 1))
    assert len(dispute.verdict.findings) == MOST_PROVEN + 3
    assert [exhibit.finding for exhibit in dispute.exhibits] == list(dispute.verdict.findings[:MOST_PROVEN])


def test_forged_lines_say_nothing_of_what_somebody_knew() -> None:
    game, (ana, ben, _) = played(cheats=(2,))
    cleo = game.cheat
    first = ben.say(Note(text="first"))
    cleo.see(first)
    forgery = cleo.forge(ana, Note(text="heard"), parents=[first, ana.own[-1]], seq=len(ana.own) + 1)
    lines = [*game.lines, forgery]
    (dispute,) = compare({"ana": record(lines, first), "ben": record(lines)})
    (missing,) = dispute.accounts[0].missing
    assert (missing.entry, missing.known_to) == (first.id, ())


def test_every_finding_comes_with_lines_that_prove_it_alone(forked: tuple[Game, Line, Line]) -> None:
    game, one, other = forked
    ben = game.cheat
    ben.lie(Apply(card="Grizzly Bears", slot=1))
    lines = [damaged(line) if line.id == ben.own[1].id else line for line in game.lines]
    (dispute,) = compare({"ana": record(lines, other), "cleo": record(lines, one)})
    assert [exhibit.name for exhibit in dispute.exhibits] == ["01-forked", "02-after-own-exit"]
    for exhibit in dispute.exhibits:
        (verdict,) = judge_record(read_record(exhibit.lines))
        finding = exhibit.finding
        assert (finding.code, finding.author, finding.slot) in found(verdict)
        assert found(verdict) <= found(dispute.verdict)
        assert exhibit.files.entries <= len(game.lines)


def test_each_game_is_compared_among_the_records_that_have_it() -> None:
    one, _ = played(2)
    other, _ = played(3)
    disputes = compare({"a": record(one.lines), "b": record(other.lines), "c": read_record(b"hello\n")})
    assert [dispute.transcript.game for dispute in disputes] == sorted([one.table.id, other.table.id])
    assert all(len(dispute.accounts) == 1 for dispute in disputes)
    assert compare({"c": read_record(b"hello\n")}) == ()


# From the command line


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.chdir(tmp_path)
    return Program(tmp_path / "home", monkeypatch)


@pytest.fixture
def records(forked: tuple[Game, Line, Line], program: Program) -> tuple[str, str]:  # the program makes the folder ours
    game, one, other = forked
    Path("ana.jsonl").write_bytes(data(game.lines, other))
    Path("cleo.jsonl").write_bytes(data(game.lines, one))
    return "ana.jsonl", "cleo.jsonl"


def test_a_dispute_is_told_and_ends_in_the_verdict(program: Program, records: tuple[str, str]) -> None:
    done = program("dispute", *records)
    assert (done.code, done.err) == (3, b"")
    assert any("the records agree on the first" in line for line in done.lines)
    verdict = program("verify", *records).lines
    first = done.lines.index(verdict[0])
    assert done.lines[first:] == verdict[: len(done.lines) - first]


def test_a_record_without_a_game_is_said(program: Program, records: tuple[str, str]) -> None:
    Path("rubbish.txt").write_text("nothing\n", encoding="utf-8")
    done = program("dispute", "rubbish.txt", records[0])
    assert done.code == 1
    assert b"rubbish.txt: there is no game in it" in done.err


def test_a_dispute_as_json(program: Program, records: tuple[str, str], forked: tuple[Game, Line, Line]) -> None:
    game, one, other = forked
    (line,) = program("dispute", *records, "--json").lines
    said = json.loads(line)
    assert said["game"] == game.table.id
    assert said["verdict"]["outcome"] == "broken"
    assert [account["name"] for account in said["records"]] == ["ana.jsonl", "cleo.jsonl"]
    assert [account["missing"][0]["entry"] for account in said["records"]] == [other.id, one.id]
    assert {half["entry"] for half in said["splits"][0]["halves"]} == {one.id, other.id}
    assert said["checks"] == []


def test_the_proofs_are_checked_without_any_code_of_ours(program: Program, records: tuple[str, str]) -> None:
    done = program("dispute", *records, "--evidence", "proofs")
    assert done.code == 3
    (check,) = [line for line in done.lines if line.startswith("(cd ")]
    assert check == "(cd ./proofs/01-forked && sh CHECK)"
    assert program("verify", "proofs/01-forked/game.jsonl").code == 3
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not here")
    checked = subprocess.run(["sh", "-c", check], capture_output=True, check=False, timeout=60)
    assert checked.returncode == 0, checked.stderr
    signed = next(path for path in Path("proofs/01-forked").glob("*.json"))
    signed.chmod(0o600)
    signed.write_bytes(signed.read_bytes().replace(b"test", b"best") + b" ")
    assert subprocess.run(["sh", "-c", check], capture_output=True, check=False, timeout=60).returncode != 0


def test_proofs_of_several_games_lie_apart(program: Program) -> None:
    for players, name in ((2, "two.jsonl"), (3, "three.jsonl")):
        game, clients = played(players, cheats=(1,))
        cheat = clients[1]
        assert isinstance(cheat, Cheat)
        cheat.lie(Apply(card="Grizzly Bears", slot=1))
        Path(name).write_bytes(data(game.lines))
    done = program("dispute", "two.jsonl", "three.jsonl", "--evidence", "proofs")
    assert done.code == 3
    assert len(list(Path("proofs").glob("*-01-applied-face-down/CHECK"))) == 2
    again = program("dispute", "two.jsonl", "three.jsonl", "--evidence", "proofs")
    assert again.code == 1
    assert b"exists already" in again.err


def test_what_cannot_be_compared(program: Program, records: tuple[str, str]) -> None:
    assert program("dispute", records[0]).code == 2
    assert program("dispute", records[0], records[0]).code == 2
    Path("notes.txt").write_bytes(b"hello\n")
    Path("more.txt").write_bytes(b"hello\n")
    done = program("dispute", "notes.txt", "more.txt")
    assert done.code == 1
    assert b"no readable table" in done.err
    assert program("dispute", records[0], "nothing.jsonl").code == 1
