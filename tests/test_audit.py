"""Many games, one summary; and what they show side by side."""

from collections.abc import Iterable

import pytest
from seasons import Game
from table import Game as Table

from hiddenagenda.audit import (
    ABOUT,
    MOST_SHOWN,
    Audit,
    Claim,
    Kind,
    Noticed,
    Tally,
    audit,
    audited,
    remarks,
    say_remark,
)
from hiddenagenda.outcome import Outcome
from hiddenagenda.record import read_record
from hiddenagenda.rulebook import Code
from hiddenagenda.transcript import Transcript
from hiddenagenda.verifier import judge

GAMES = [0, 1, 7, 107, 207, 307, 407]
"""Two honest games and one of each cheat."""


def read(data: bytes) -> Transcript:
    (transcript,) = read_record(data).transcripts
    return transcript


def summed(games: Iterable[bytes]) -> Audit:
    return audit(map(read, games))


def test_outcomes_findings_and_culprits_are_counted() -> None:
    found = summed(Game(number).data for number in GAMES)
    tally = found.tally
    assert tally.games == len(GAMES)
    assert tally.outcomes == {Outcome.KEPT: 2, Outcome.BROKEN: 5}
    assert tally.codes == {
        Code.SECOND_COMMIT: 1,
        Code.SLIP_DOES_NOT_FIT: 1,
        Code.APPLIED_OTHER_NAME: 1,
        Code.APPLIED_FACE_DOWN: 1,
        Code.LEFT_WITHOUT_SLIPS: 1,
    }
    cheats = {Game(number).keys[1] for number in GAMES[2:]}
    assert {culprit.key for culprit in tally.findings} == cheats
    assert all(culprit.name.split()[0] in {"Ana", "Ben", "Cleo"} for culprit in tally.findings)
    assert found.remarks == ()


def test_the_verdict_is_the_one_of_the_verifier() -> None:
    for number in GAMES:
        transcript = read(Game(number).data)
        assert audited(transcript).verdict == judge(transcript)


def test_lines_set_aside_and_names_not_in_the_list_are_counted() -> None:
    game = Game(0)
    found = audit([read(game.data), read(Game(1).data)])
    assert (found.tally.set_aside, found.tally.with_aside) == (0, 0)
    assert found.tally.remarked == 2  # without a list no name is checked
    lines = [line.data for line in game.lines]
    del lines[3]
    lacking = audit([read(b"".join(lines))]).tally
    assert lacking.with_aside == 1
    assert lacking.set_aside > 1


def test_tallies_add_up_however_they_are_cut() -> None:
    whole = summed(Game(number).data for number in GAMES).tally
    parts = Tally()
    for number in GAMES:
        parts += summed([Game(number).data]).tally
    assert parts == whole


def claims(kind: Kind, *held: tuple[str, str, str]) -> list[Claim]:
    return [Claim(kind, *one) for one in held]


@pytest.mark.parametrize("noticed", [Noticed.NONCE_AGAIN, Noticed.SALT_AGAIN])
def test_a_value_that_comes_twice_is_remarked_on(noticed: Noticed) -> None:
    found = claims(ABOUT[noticed], ("aa", "Ana", "1"), ("bb", "Ana", "1"), ("bb", "Ana", "2"), ("bb", "Ben", "2"))
    (remark,) = remarks(noticed, found)
    assert (remark.value, remark.holders, remark.games, remark.times) == ("bb", ("Ana", "Ben"), ("1", "2"), 3)


def test_a_key_with_several_names_is_remarked_on_and_one_with_many_games_is_not() -> None:
    found = claims(Kind.SEAT, ("aa", "Ana", "1"), ("aa", "Ana", "2"), ("bb", "Ben", "1"), ("bb", "Benno", "2"))
    (remark,) = remarks(Noticed.SEVERAL_NAMES, found)
    assert (remark.value, remark.holders, remark.games, remark.times) == ("bb", ("Ben", "Benno"), ("1", "2"), 2)


def test_a_name_with_several_keys_is_remarked_on() -> None:
    found = claims(Kind.SEAT, ("aa", "Ana", "1"), ("bb", "Ana", "2"), ("cc", "Ben", "1"), ("cc", "Ben", "2"))
    (remark,) = remarks(Noticed.SEVERAL_KEYS, found)
    assert (remark.value, remark.holders, remark.games, remark.times) == ("Ana", ("aa", "bb"), ("1", "2"), 2)


def test_a_remark_lists_a_few_and_counts_all() -> None:
    found = claims(Kind.SEAT, *((f"{number:02}", "Player 1", str(number)) for number in range(30)))
    (remark,) = remarks(Noticed.SEVERAL_KEYS, found)
    assert (len(remark.holders), len(remark.games), remark.times) == (MOST_SHOWN, MOST_SHOWN, 30)


def test_seats_and_salts_that_come_back_are_noticed_over_whole_games() -> None:
    games = [Table(2), Table(3)]  # their seats and salts depend on the players alone
    for game in games:
        game.start()
        game.finish()
    found = audit(map(_transcript, games))
    noticed = {remark.noticed for remark in found.remarks}
    assert noticed == {Noticed.NONCE_AGAIN, Noticed.SALT_AGAIN}
    assert {remark.times for remark in found.remarks} == {2}


def _transcript(game: Table) -> Transcript:
    return read(b"".join(line.data + b"\n" for line in game.lines))


def test_void_openings_add_no_salt() -> None:
    transcript = read(Game(107).data)  # the cheat shows a slip that does not fit, then the right ones
    salts = [claim for claim in audited(transcript).claims if claim.kind is Kind.SALT]
    assert len(salts) == 6
    assert {claim.game for claim in salts} == {transcript.game}


def test_a_slip_that_is_shown_again_has_one_salt() -> None:
    game = Table(2)
    game.start()
    game.players[0].turn_up(1)
    game.players[0].turn_up(1)
    assert [claim.kind for claim in audited(_transcript(game)).claims].count(Kind.SALT) == 1


@pytest.mark.parametrize("noticed", Noticed)
def test_every_remark_has_words(noticed: Noticed) -> None:
    value = "Ana" if noticed is Noticed.SEVERAL_KEYS else "ab" * 32
    held = [(value, holder, "cd" * 32) for holder in ("ef" * 32, "12" * 32)]
    if noticed is Noticed.SEVERAL_KEYS:
        held = [(key, name, game) for name, key, game in held]
    (remark,) = remarks(noticed, claims(ABOUT[noticed], *held))
    said = str(say_remark(remark))
    assert value[:16] in said
    assert "cdcdcdcdcdcd" in said
    assert "2" in said
