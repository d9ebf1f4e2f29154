"""Two signed lines prove a fork, without the table; nothing else does."""

from talk import Talk, around, file, forged, key

from hiddenagenda.forkproof import find_forks, is_signed, write_proof
from hiddenagenda.line import Line, read_line
from hiddenagenda.record import read_record
from hiddenagenda.transcript import Transcript


def transcript(lines: list[Line]) -> Transcript:
    return read_record(file(lines)).transcripts[0]


def test_two_lines_prove_a_fork_to_somebody_who_has_nothing_else() -> None:
    talk = Talk(2)
    one = talk.say("Ben")
    other = talk.say("Ben", over=[talk.table], seq=1)
    talk.say("Ana", over=[one, talk.table])
    lines = write_proof(transcript(talk.lines))
    assert set(lines.splitlines()) == {one.data, other.data}
    (proof,) = find_forks(read_record(lines).strays)
    assert (proof.author, proof.game, proof.seq) == (key("Ben"), talk.game, 1)
    assert {line.id for line in proof.lines} == {one.id, other.id}
    assert proof.lines[0].id < proof.lines[1].id


def test_three_halves_are_one_proof_of_the_two_smallest() -> None:
    talk = Talk(2)
    lines = [talk.say("Ben", over=[talk.table], seq=1) for _ in range(3)]
    (proof,) = find_forks(lines)
    assert [line.id for line in proof.lines] == sorted(line.id for line in lines)[:2]


def test_a_bad_signature_proves_nothing_and_hides_nothing() -> None:
    talk = Talk(2)
    one = talk.say("Ben")
    other = talk.say("Ben", over=[talk.table], seq=1)
    assert find_forks([one, forged(other)]) == ()
    assert find_forks([one, one, forged(one)]) == ()
    assert len(find_forks([forged(other), one, other, forged(one)])) == 1
    assert find_forks(read_record(file([forged(other), one, other])).strays) != ()


def test_other_authors_games_and_places_are_no_fork() -> None:
    talk, elsewhere = Talk(2), Talk(2, label="elsewhere")
    lines = [talk.say("Ben"), talk.say("Ana"), talk.say("Ben"), elsewhere.say("Ben"), talk.table, elsewhere.table]
    assert find_forks(lines) == ()


def test_without_a_fork_there_is_no_proof() -> None:
    talk = Talk(2)
    talk.say("Ben")
    assert write_proof(transcript(talk.lines)) == b""


def test_a_half_that_only_a_later_signature_vouches_for_comes_with_its_game() -> None:
    talk = Talk(2)
    one = talk.say("Ben")
    later = talk.say("Ben", over=[one])
    other = talk.say("Ben", over=[talk.table], seq=1)
    shown = transcript([talk.table, forged(one), later, other])
    assert len(shown.forks) == 1
    proof = read_record(write_proof(shown)).transcripts[0]
    assert [(fork.author, fork.seq) for fork in proof.forks] == [(key("Ben"), 1)]


def test_the_key_of_a_line_may_be_one_that_anybody_signs_for() -> None:
    talk = Talk(2)
    line = talk.say("Ben")
    assert is_signed(line)
    unsafe = line.raw.replace(key("Ben").encode(), b"01" + b"0" * 62)
    assert not is_signed(read_line(around(unsafe, "Ben")))
