"""Players, hosts and files that are lost in the middle of a live game and come back, or go on by chat."""

from liveprogram import Players, command

from hiddenagenda import token
from hiddenagenda.invitation import read_invitation
from hiddenagenda.verifier import judge_bytes


def test_one_is_killed_in_the_middle_and_comes_back(players: Players) -> None:
    ana, ben, cleo = players.started()
    ben.kill()
    ana.say("up", slot=1)
    cleo.entry("open")
    ben = players.join("Ben")
    assert ben.entry("open", "Ana")
    ben.say("note", text="back again")
    for one in (ana, cleo):
        one.entry("note", "Ben")
    players.finish((ana, ben, cleo))


def test_the_host_is_killed_in_the_middle_and_comes_back(players: Players) -> None:
    ana, ben, cleo = players.started()
    ana.kill()
    for one in (ben, cleo):
        assert one.wait("connection")["line"] == "down"
    ben.say("note", text="meanwhile")
    ben.entry("note")
    ana, _ = players.host()
    ana.entry("note", "Ben")
    cleo.entry("note", "Ben")
    ana.say("up", slot=1)
    for one in (ben, cleo):
        one.entry("open", "Ana")
    players.finish((ana, ben, cleo))


def test_a_lost_file_comes_back_with_the_invitation(players: Players) -> None:
    ana, ben, cleo = players.started()
    ben.kill()
    ben.file.unlink()
    invitation = next(one["invitation"] for one in ana.seen if one["event"] == "invitation")
    ben = players.join("Ben", invitation)
    ben.wait("table")
    ben.say("sit")
    ben.entry("seal", count=3)
    players.finish((ana, ben, cleo))


def test_the_end_of_a_live_game_can_be_pasted(players: Players) -> None:
    ana, ben, cleo = players.started()
    for one in (ana, ben, cleo):
        one.say("quit")
        one.wait("verdict")
        assert one.ends() == 5
    for one in (ana, ben, cleo):
        done = command(one.home, "leave", str(one.file))
        assert done.returncode == 0, done.stderr
        for other in (ana, ben, cleo):
            if other is not one:
                taken = command(other.home, "receive", str(other.file), "-", given=done.stdout)
                assert taken.returncode == 0, taken.stderr
    for one in (ana, ben, cleo):
        assert command(one.home, "verify", str(one.file)).returncode == 0


def test_what_another_program_writes_into_the_file_is_played_too(players: Players) -> None:
    ana, ben, cleo = players.started()
    done = command(ana.home, "turn-up", str(ana.file), "1")
    assert done.returncode == 0, done.stderr
    assert ana.entry("open")["own"]
    for one in (ben, cleo):
        one.entry("open", "Ana")
    ana.say("note", text="both of me are one")
    ben.entry("note", "Ana")
    players.finish((ana, ben, cleo))


def test_an_invitation_names_the_game_once_there_is_one(players: Players) -> None:
    ana, _, _ = players.started()
    ana.kill()
    _, invitation = players.host()
    game = judge_bytes(ana.file.read_bytes())[0].game
    assert read_invitation(token.decode(invitation).payload).game == game
