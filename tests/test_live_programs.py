"""Whole games by programs that are driven by JSON lines: three processes, some of which die."""

import json
import signal
import sys
from pathlib import Path

import pytest
from liveprogram import AGENDAS, Driven, Players, command, make_key
from talk import Talk

from hiddenagenda.frames import RoomKey
from hiddenagenda.invitation import Invitation
from hiddenagenda.verifier import judge_bytes


def test_three_play_a_whole_game(players: Players) -> None:
    ana, ben, cleo = trio = players.started()
    ana.say("up", slot=1, when="turn 2, upkeep")
    assert ben.entry("open")["said"].startswith("shows slot 1: Muzzio's Preparations – Grizzly Bears")
    ana.say("apply", slot=1)
    cleo.entry("apply", "Ana")
    ben.say("note", text="well played")
    ana.entry("note", "Ben")
    cleo.say("status")
    status = cleo.wait("status")
    assert status["here"] == ["Ana", "Ben"]
    assert "turn-up 1" in status["moves"]
    assert status["verdict"]["outcome"] == "pending"
    players.finish(trio)
    (verdict,) = judge_bytes(ana.file.read_bytes())
    assert verdict.outcome.value == "kept"


def test_what_the_law_refuses_is_refused_here(players: Players) -> None:
    ana, ben, cleo = players.at_table()
    ana.say("up", slot=1)
    assert ana.wait("refused")["code"] == "no-slip-kept"
    ana.say("commit", agendas="Muzzio's Preparations=Grizzly Bears=Storm Crow")
    assert ana.wait("refused")["code"] == "no-agenda"
    ana.say("commit", agendas="rubbish")
    assert ana.wait("refused")["code"] == "usage"
    ana.say("end", outcome="x")
    assert ana.wait("refused")["code"] == "before-start"
    ana.say("apply", slot=1, card="no such card at all")
    assert ana.wait("refused")["code"] not in {"", "usage"}
    ana.say("apply", slot=1)
    assert ana.wait("refused")["code"] == "usage"
    ana.say("fly", slot=1)
    assert ana.wait("refused")["code"] == "verb"
    ana.say("commit", agendas=AGENDAS["Ana"])
    ana.entry("commit")
    ana.say("commit", agendas="Muzzio's Preparations=Storm Crow")
    assert ana.wait("refused")["code"] == "second-commit"
    for one in (ana, ben, cleo):
        one.say("quit")
        assert one.wait("verdict")["outcome"] == "not-started"
        assert one.ends() == 5


def test_a_game_goes_over_a_relay_of_strangers(players: Players) -> None:
    relay = Driven(players.folder, "Rita", "relay", "--bind", "127.0.0.1:0", json_lines="--json")
    players.running.append(relay)
    url = relay.first()["url"]
    ana, ben, cleo = players.at_table("--relay", url)
    for one in (ana, ben, cleo):
        one.say("commit", agendas=AGENDAS[one.name])
    for one in (ana, ben, cleo):
        one.entry("seal", count=3)
    players.finish((ana, ben, cleo))
    relay.process.send_signal(signal.SIGINT)
    assert relay.ends() == 0
    assert "passed on" in relay.trouble
    assert "refused 0 callers" in relay.trouble


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_politely(players: Players, name: str) -> None:
    if not hasattr(signal, name) or sys.platform == "win32":
        pytest.skip(f"no {name} here")
    ana, ben, _ = players.started()
    ben.process.send_signal(getattr(signal, name))
    assert ben.wait("verdict")["outcome"] == "pending"
    assert ben.ends() == 5
    assert "Traceback" not in ben.trouble
    ana.wait("went", lambda one: one["player"] == "Ben")


def test_who_is_sent_away_is_told(players: Players) -> None:
    ana, invitation = players.host()
    ben = players.join("Ben", invitation)
    assert ben.wait("roll")["you"] == "waiting"
    number = ana.wait("seat")["number"]
    ana.say("set")
    assert ana.wait("refused")["code"] == "too-few"
    anna = players.start("Anna", "join", "Anna.jsonl", "--name", "ana")
    anna.say("join", invitation=invitation)
    ana.say("accept", number=ana.wait("seat")["number"])
    ana.say("set")
    assert ana.wait("refused")["code"] == "names-alike"
    ana.say("refuse", number=number)
    ben.wait("roll", lambda one: one["you"] == "declined")
    ana.say("accept", number=number)
    assert ana.wait("refused")["code"] == "no-seat"
    ben.say("sit")
    assert ben.wait("refused")["code"] == "no-table"
    for one in (ben, ana):
        one.say("quit")
        assert one.ends() == 5


def test_turn_order_is_the_hosts_to_say(players: Players) -> None:
    ana, invitation = players.host("--label", "cube", "--priority", "tracked")
    ben = players.join("Ben", invitation)
    ana.say("accept", number=ana.wait("seat")["number"])
    ana.say("set", order="2,2")
    assert ana.wait("refused")["code"] == "order"
    ana.say("set", order="2,1")
    table = ben.wait("table")
    assert [seat["player"] for seat in table["seats"]] == ["Ben", "Ana"]
    assert (table["label"], table["priority"]) == ("cube", "tracked")
    ben.say("sit")
    for one in (ana, ben):
        one.say("commit", agendas="none")
    for one in (ana, ben):
        one.entry("seal", count=2)
    ben.say("step", step="upkeep", turn=1, active="Ben")
    ana.entry("play", "Ben")
    ben.say("pass")
    ana.entry("play", "Ben")
    ana.say("act", text="casts Storm Crow")
    ben.entry("play", "Ana")
    ana.say("leave", why="conceded")
    for one in (ana, ben):
        assert one.wait("verdict")["outcome"] == "kept"
        assert one.ends() == 0


@pytest.mark.parametrize(
    ("given", "code"),
    [("", 1), ("nothing\n", 1), ('{"invitation": 5}\n', 1), ('{"invitation": "HAI1AEAA"}\n', 1), ("[]\n", 1)],
)
def test_what_is_no_invitation_is_refused(tmp_path: Path, given: str, code: int) -> None:
    make_key(tmp_path / "Ben")
    done = command(tmp_path / "Ben", "join", "x.jsonl", "--json-lines", given=given)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x.jsonl").exists()


def test_a_stranger_does_not_host_others_games(tmp_path: Path) -> None:
    make_key(tmp_path / "Mallory")
    (tmp_path / "x.jsonl").write_bytes(Talk(2).data)
    done = command(tmp_path / "Mallory", "host", "x.jsonl", "--bind", "127.0.0.1:0", "--json-lines")
    assert done.returncode == 1
    assert "no seat at this table has your key" in done.stderr


def test_the_invitation_is_no_argument_and_in_no_error(tmp_path: Path) -> None:
    key = RoomKey(bytes(32))
    invitation = Invitation(url="ws://127.0.0.1:1", key=key).token
    make_key(tmp_path / "Ben")
    done = command(
        tmp_path / "Ben", "join", "x.jsonl", "--json-lines", given=json.dumps({"invitation": invitation[:-1]})
    )
    assert done.returncode == 1
    assert invitation[8:40] not in done.stderr + done.stdout
