"""What a set of lines amounts to: order, what dangles, what is authentic, forks, merging and writing."""

import itertools
import random

import pytest
from talk import JUDGE, NAMES, Talk, around, file, forged, identity, key, table

from hiddenagenda import transcript as transcript_module
from hiddenagenda.entry import Commit, Note, Seal, frame
from hiddenagenda.faults import TooLarge
from hiddenagenda.graph import MOST_DOUBLED, Flaw
from hiddenagenda.line import LARGEST, Line, sign
from hiddenagenda.record import read_record
from hiddenagenda.shape import encode
from hiddenagenda.sshsig import verifies
from hiddenagenda.transcript import Pile, Transcript


def only(lines: bytes | list[Line]) -> Transcript:
    record = read_record(lines if isinstance(lines, bytes) else file(lines))
    assert record.aside == ()
    (transcript,) = record.transcripts
    return transcript


def lines_of(transcript: Transcript, flags: bytes) -> list[Line]:
    return [line for line, flag in zip(transcript.graph.nodes, flags, strict=True) if flag]


def ids(lines: list[Line]) -> set[str]:
    return {line.id for line in lines}


def numbers(transcript: Transcript, *lines: Line) -> list[int]:
    return [transcript.graph.index[line.id] for line in lines]


class Counting:
    """Counts signature checks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.checks = 0

        def counted(*question: object) -> bool:
            self.checks += 1
            return verifies(*question)  # type: ignore[arg-type]

        monkeypatch.setattr("hiddenagenda.authentic.verifies", counted)


def game(players: int = 3, rounds: int = 4) -> Talk:
    """A plain game: everybody commits over the table, seals over all commits, then they talk."""
    talk = Talk(players)
    who = NAMES[:players]
    commits = [talk.say(name, Commit(commitments=(talk.slip(name).digest,)), [talk.table]) for name in who]
    seals = [talk.say(name, Seal(), commits) for name in who]
    talk.say("Ana", over=seals)
    for _, name in zip(range(rounds * players), itertools.cycle(who[1:] + who[:1]), strict=False):
        talk.say(name)
    return talk


# Order


def test_entries_stand_in_display_order() -> None:
    talk = game()
    transcript = only(talk.lines)
    graph = transcript.graph
    places = [(depth, line.entry.author, line.id) for depth, line in zip(graph.depths, graph.nodes, strict=True)]
    assert places == sorted(places)
    assert graph.nodes[0].id == transcript.game == talk.game
    assert graph.depths[0] == 0
    assert ids(list(graph.nodes)) == ids(talk.lines)
    assert graph.index == {line.id: number for number, line in enumerate(graph.nodes)}
    for number, above in enumerate(graph.parents[1:], 1):
        assert all(parent < number for parent in above)
        direct = numbers(transcript, *[line for line in talk.lines if line.id in graph.nodes[number].entry.parents])
        assert set(above) <= set(direct)
        assert graph.closure(above) == graph.closure(direct)
        assert graph.depths[number] == 1 + max(graph.depths[parent] for parent in direct)
    assert transcript.roster == tuple(map(key, NAMES[:3]))
    assert [transcript.roster[seat] for seat in graph.seats] == [line.entry.author for line in graph.nodes]


def test_a_parent_that_another_rests_on_is_left_out() -> None:
    talk = Talk(2)
    talk.say("Ben")
    talk.say("Ana")  # over Ben's and her own
    graph = only(talk.lines).graph
    assert len(graph.nodes[2].entry.parents) == 2
    assert graph.parents == [(), (0,), (1,)]


def test_the_order_of_lines_does_not_matter() -> None:
    talk = game()
    first = only(talk.lines)
    shuffled = list(talk.lines)
    draw = random.Random(1)
    for _ in range(20):
        draw.shuffle(shuffled)
        again = only(shuffled + shuffled[:3])
        assert again == first
        assert [line.id for line in again.graph.nodes] == [line.id for line in first.graph.nodes]
        for name in ("parents", "depths", "seats", "tops", "chains", "index"):
            assert list(getattr(again.graph, name)) == list(getattr(first.graph, name))
        assert again.write() == first.write()
    assert only(list(reversed(talk.lines))).graph.depths == first.graph.depths


def test_closures_and_what_covers_what() -> None:
    talk = Talk(3)
    one = talk.say("Ben", over=[talk.table])
    other = talk.say("Cleo", over=[talk.table])
    both = talk.say("Ana", over=[one, other, talk.table])
    transcript = only(talk.lines)
    graph = transcript.graph
    number = {line.id: graph.index[line.id] for line in talk.lines}
    assert graph.closure([number[one.id]]) == sorted([0, number[one.id]])
    assert graph.closure([number[both.id]]) == [0, 1, 2, 3]
    assert graph.closure([]) == []
    assert graph.covers(number[both.id], number[one.id])
    assert graph.covers(number[one.id], number[one.id])
    assert not graph.covers(number[one.id], number[other.id])
    assert not graph.covers(0, number[one.id])
    assert list(graph.tops[number[both.id]]) == [2, 1, 1]
    assert list(graph.tops[number[one.id]]) == [1, 1, 0]


# What dangles


def test_without_its_parent_an_entry_dangles_and_says_what_is_missing() -> None:
    talk = Talk(2)
    lost = talk.say("Ben")
    child = talk.say("Ana")
    grandchild = talk.say("Ben")
    transcript = only([talk.table, child, grandchild])
    flaws = {one.line.id: (one.flaw, one.missing) for one in transcript.dangling}
    assert flaws[child.id] == (Flaw.ABSENT, (lost.id,))
    assert flaws[grandchild.id] == (Flaw.ABSENT, (lost.id,))
    last = talk.say("Ana", over=[child])
    transcript = only([last, talk.table, child])
    assert {one.line.id: (one.flaw, one.missing) for one in transcript.dangling}[last.id] == (Flaw.BESIDE, (child.id,))
    assert all(str(one.said) for one in transcript.dangling)
    assert ids(lines_of(transcript, transcript.grounded)) == {talk.game}


def test_lines_that_wait_for_several_parents_are_placed_when_the_last_comes() -> None:
    talk = Talk(4)
    three = [talk.say(name, over=[talk.table]) for name in NAMES[1:4]]
    both = talk.say("Ana", over=[*three, talk.table])
    child = talk.say("Ben", over=[both, three[0]])
    for order in itertools.permutations([*three, both, child]):
        transcript = only([*order, talk.table])
        assert transcript.dangling == ()
        assert [line.id for line in transcript.graph.nodes[-2:]] == [both.id, child.id]


@pytest.mark.parametrize("seq", [1, 3, 4])
def test_a_seq_that_is_not_the_next_one_dangles_for_good(seq: int) -> None:
    talk = Talk(2)
    wrong = talk.say("Ana", over=[talk.table], seq=seq)
    child = talk.say("Ben", over=[wrong])
    flaws = {one.line.id: one.flaw for one in only(talk.lines).dangling}
    assert flaws == {wrong.id: Flaw.SEQ, child.id: Flaw.BESIDE}


def test_a_stranger_dangles() -> None:
    talk = Talk(2)
    stranger = talk.say(JUDGE, over=[talk.table])
    child = talk.say("Ben", over=[talk.table, stranger])
    flaws = {one.line.id: one.flaw for one in only(talk.lines).dangling}
    assert flaws == {stranger.id: Flaw.STRANGER, child.id: Flaw.BESIDE}
    assert only(Talk(2, judge=True).lines).roster[-1] == key(JUDGE)


def test_an_invented_parent_takes_nobody_elses_entry_along() -> None:
    talk = Talk(2)
    invented = sign(
        frame(Note(text=""), author=key("Ben"), game=talk.game, parents=(talk.game, "5a" * 32)), identity("Ben")
    )
    honest = talk.say("Ana", over=[talk.table])
    transcript = only([talk.table, invented, honest])
    assert [one.line.id for one in transcript.dangling] == [invented.id]
    assert transcript.dangling[0].missing == ("5a" * 32,)
    assert ids(lines_of(transcript, transcript.grounded)) == {talk.game, honest.id}


def test_parents_of_another_game_are_absent() -> None:
    talk, other = Talk(2), Talk(2, label="Saturday")
    crossing = talk.say("Ben", over=[talk.table, other.table])
    record = read_record(file([*talk.lines, *other.lines]))
    assert [one.game for one in record.transcripts] == sorted([talk.game, other.game])
    mine = next(one for one in record.transcripts if one.game == talk.game)
    assert mine.dangling[0].line.id == crossing.id
    assert mine.dangling[0].missing == (other.game,)


@pytest.mark.parametrize("body", [Commit(commitments=()), Seal()])
def test_nothing_rests_on_too_many_commits_or_seals_of_one_author(body: Commit | Seal) -> None:
    talk = Talk(2)
    other = talk.say("Ben", over=[talk.table])
    last = talk.table
    for _ in range(MOST_DOUBLED):
        last = talk.say("Ana", body, [last])
    assert only([*talk.lines, _over(talk, "Ben", last)]).dangling == ()
    one_more = talk.say("Ana", body, [last])
    crowded = _over(talk, "Ben", one_more)
    joining = _over(talk, "Ben", one_more, other, seq=2)
    transcript = only([*talk.lines, crowded, joining])
    assert {one.line.id: one.flaw for one in transcript.dangling} == {
        crowded.id: Flaw.CROWDED,
        joining.id: Flaw.CROWDED,
    }


def test_too_many_commits_may_come_together_from_several_branches() -> None:
    talk = Talk(3)
    half = MOST_DOUBLED // 2 + 1
    branches = []
    for start in (0, 1):
        last = talk.table
        for count in range(half):
            commitments = (f"{start:064x}",) * start
            last = talk.say("Ana", Commit(commitments=commitments), [last], seq=2 + count)
        branches.append(last)
    left = talk.say("Ben", over=[branches[0]])
    right = talk.say("Cleo", over=[branches[1]])
    both = talk.say("Ben", over=[left, right])
    transcript = only(talk.lines)
    assert {one.line.id: one.flaw for one in transcript.dangling} == {both.id: Flaw.CROWDED}
    assert len(transcript.forks) == half


def _over(talk: Talk, who: str, *lines: Line, seq: int | None = None) -> Line:
    """An entry that the talk does not remember."""
    own = talk.last.get(who)
    if seq is None:
        lines = (*lines, own) if own and own.entry.parents else lines
    return sign(talk.entry(who, over=lines, seq=seq), identity(who))


# Signatures


def test_one_check_an_author_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = game(players=4, rounds=20)
    counting = Counting(monkeypatch)
    transcript = only(talk.lines)
    assert all(transcript.grounded)
    assert counting.checks == 4
    assert all(transcript.held)
    assert counting.checks == len(talk.lines)
    later = transcript.add([])
    assert all(later.held)
    assert counting.checks == len(talk.lines)


def test_a_later_signature_covers_a_damaged_one() -> None:
    talk = Talk(2)
    damaged = forged(talk.say("Ben"))
    talk.say("Ana")
    later = talk.say("Ben")
    lines = [talk.table, damaged, *talk.lines[2:]]
    transcript = only(lines)
    assert all(transcript.grounded)
    assert ids(lines_of(transcript, transcript.held)) == {talk.game}
    without = only([line for line in lines if line is not later])
    assert ids(lines_of(without, without.authentic)) == ids([talk.lines[0], talk.lines[2]])
    assert ids(lines_of(without, without.grounded)) == {talk.game}


def test_without_the_signature_of_the_table_nothing_counts() -> None:
    talk = Talk(2)
    talk.say("Ben")
    transcript = only([forged(talk.table), *talk.lines[1:]])
    assert not any(transcript.grounded)
    assert transcript.authentic == b"\0\1"
    talk.say("Ana")
    assert all(only([forged(talk.table), *talk.lines[1:]]).grounded)


def test_somebody_elses_signature_is_none() -> None:
    talk = Talk(2)
    entry = talk.entry("Ben")
    line = talk.table.signed_by("0" * 128)
    stolen = sign(entry, identity("Ben")).signed_by(identity("Ana").sign(encode(entry)).hex())
    transcript = only([talk.table, line, stolen])
    assert ids(lines_of(transcript, transcript.authentic)) == {talk.game}


def test_one_id_with_two_signatures_the_bad_one_first() -> None:
    """Somebody forges Ben's next entry byte for byte before Ben sends it."""
    talk = Talk(2)
    mine = talk.say("Ben")
    bad = forged(mine)
    talk.say("Ana", over=[talk.table, mine])
    for order in itertools.permutations([talk.table, bad, mine, talk.lines[2]]):
        transcript = only(list(order))
        assert all(transcript.grounded)
        assert all(transcript.held)
        assert transcript.write() == file(talk.lines)
    early = only([talk.table, bad])
    assert early.grounded == b"\1\0"
    assert early.heads(early.held) == [0]
    late = early.add([mine])
    assert late.held == b"\1\1"
    assert late.write() == file([talk.table, mine])
    assert late == only([talk.table, mine, bad])
    assert late.gained_over(early).new == ()


def test_of_several_bad_signatures_the_smallest_is_written() -> None:
    talk = Talk(2)
    mine = talk.say("Ben")
    later = talk.say("Ben")
    bad = sorted([mine.signed_by(digit * 128) for digit in "a1f"], key=lambda line: line.signature)
    for order in itertools.permutations(bad):
        transcript = only([talk.table, *order, later])
        assert transcript.write() == file([talk.table, bad[0], later])
        assert transcript == only([talk.table, *bad, later])


def test_signed_but_ungrounded_entries_are_written_since_they_may_cover_others() -> None:
    talk = Talk(3)
    damaged = forged(talk.say("Ben"))
    forgery = talk.forge("Cleo", over=[talk.table])
    covering = talk.say("Ben", over=[damaged, forgery])
    alone = talk.forge("Ben", Note(text="in nobody's closure"), [talk.table])
    transcript = only([talk.table, damaged, forgery, covering, alone])
    assert set(transcript.write().splitlines()) == {line.data for line in (talk.table, damaged, forgery, covering)}
    again = only(transcript.write())
    assert ids(lines_of(again, again.authentic)) == ids(lines_of(transcript, transcript.authentic))
    assert ids(lines_of(transcript, transcript.grounded)) == {talk.game, damaged.id}
    assert ids(lines_of(transcript, transcript.authentic)) == {talk.game, damaged.id, covering.id}


def test_dangling_lines_are_written_last_if_their_signature_holds() -> None:
    talk = Talk(2)
    lost = talk.say("Ben")
    second, third = talk.say("Ana", over=[lost, talk.table]), talk.say("Ben", over=[lost])
    stranger = talk.say(JUDGE, over=[talk.table])
    bad = forged(talk.say("Ben", over=[third]))
    transcript = only([bad, stranger, third, second, talk.table])
    expected = sorted([second, third], key=lambda line: line.entry.author)
    assert transcript.write() == file([talk.table, *expected])


def test_every_change_of_one_byte_is_refused_or_not_grounded() -> None:
    talk = Talk(2)
    line = talk.say("Ben", Commit(commitments=(talk.slip("Ben").digest,)))
    last = talk.say("Ana")
    for place, byte in enumerate(line.data):
        for other in {byte ^ 1, byte ^ 0x20, byte ^ 0x80, ord("0") if byte != ord("0") else ord("1")}:
            data = line.data[:place] + bytes([other]) + line.data[place + 1 :]
            record = read_record(file([talk.table]) + data + b"\n" + file([last]))
            (transcript,) = record.transcripts
            assert ids(lines_of(transcript, transcript.grounded)) == {talk.game}, (place, other)


# Forks


def test_a_fork_is_named_once_with_the_two_smallest_ids() -> None:
    talk = Talk(2)
    start = talk.say("Ben")
    branches = sorted([talk.say("Ben", Note(text=text), [start], seq=2) for text in "abc"], key=lambda line: line.id)
    transcript = only(talk.lines)
    (fork,) = transcript.forks
    assert (fork.author, fork.seq) == (key("Ben"), 2)
    assert [transcript.graph.nodes[number].id for number in fork.entries] == [line.id for line in branches[:2]]
    assert transcript.graph.is_forked(1)
    assert not transcript.graph.is_forked(0)
    proof = only(transcript.write(transcript.graph.closure(fork.entries)))
    assert len(proof.forks) == 1


def test_a_forged_half_makes_no_fork() -> None:
    talk = Talk(2)
    start = talk.say("Ben")
    mine = talk.say("Ben", over=[start])
    talk.forge("Ben", Note(text="never said"), [start], seq=2)
    transcript = only(talk.lines)
    assert transcript.forks == ()
    assert ids(lines_of(transcript, transcript.authentic)) == ids([talk.table, start, mine])
    assert transcript.graph.is_forked(1)


def test_forks_of_several_authors_and_seqs_come_in_order() -> None:
    talk = Talk(3)
    for who in ("Cleo", "Ben"):
        first = talk.say(who, over=[talk.table])
        other = talk.say(who, Note(text="other"), [talk.table], seq=1)
        talk.say(who, over=[first], seq=2)
        talk.say(who, over=[other], seq=2)
    transcript = only(talk.lines)
    found = [(fork.author, fork.seq) for fork in transcript.forks]
    assert found == sorted((key(who), seq) for who in ("Ben", "Cleo") for seq in (1, 2))


def test_a_forkers_branches_cover_only_what_they_rest_on() -> None:
    talk = Talk(2)
    start = talk.say("Ben")
    left = forged(talk.say("Ben", over=[start], seq=2))
    right = talk.say("Ben", Note(text="other"), [start], seq=2)
    tip = talk.say("Ben", over=[right], seq=3)
    transcript = only([talk.table, forged(start), left, forged(right), tip])
    assert ids(lines_of(transcript, transcript.authentic)) == ids([talk.table, start, right, tip])
    graph = transcript.graph
    at = {line.id: graph.index[line.id] for line in graph.nodes}
    assert not graph.covers(at[tip.id], at[left.id])
    assert graph.covers(at[tip.id], at[right.id])


# What clients ask


def test_heads_and_chains() -> None:
    talk = Talk(3)
    ben = talk.say("Ben", over=[talk.table])
    cleo = talk.say("Cleo", over=[talk.table])
    forgery = talk.forge("Ana", over=[ben, cleo, talk.table])
    transcript = only(talk.lines)
    assert sorted(transcript.heads(transcript.grounded)) == sorted(numbers(transcript, ben, cleo))
    assert transcript.heads(transcript.held) == transcript.heads(transcript.grounded)
    assert list(transcript.chain(key("Ana"))) == numbers(transcript, talk.table, forgery)
    assert list(transcript.chain(key("Cleo"))) == numbers(transcript, cleo)
    with pytest.raises(ValueError, match="not in"):
        transcript.chain(key(JUDGE))


def test_over_a_node_covered_by_a_later_signature_alone_nobody_signs() -> None:
    """Redteam C1: what rests on a cheat's later, ungrounded signature is lost when the cheat drops it."""
    talk = Talk(2)
    weak = talk.forge("Ben", over=[talk.table])
    forgery = talk.forge("Ana", over=[talk.table])
    note = sign(talk.entry("Ben", over=[weak, forgery], seq=2), identity("Ben"))
    transcript = only([*talk.lines, note])
    assert ids(lines_of(transcript, transcript.grounded)) == ids([talk.table, weak])
    assert ids(lines_of(transcript, transcript.held)) == ids([talk.table])


def test_own_lines_occupy_their_seq_while_they_are_not_grounded() -> None:
    talk = Talk(2)
    lost = talk.say("Ben")
    dangling = talk.say("Ana", over=[lost, talk.table])
    bad = forged(talk.say("Ana", over=[dangling]))
    forgery = talk.forge("Ben", Note(text="x"), [talk.table])
    beside = talk.say("Ana", over=[forgery, talk.table], seq=2)
    transcript = only([talk.table, dangling, bad, forgery, beside])
    assert ids(transcript.unsettled(key("Ana"))) == ids([dangling, beside])
    assert transcript.unsettled(key("Ben")) == []
    assert only(talk.lines[:3]).unsettled(key("Ana")) == []


def test_what_the_others_may_lack() -> None:
    talk = Talk(3)
    ben = talk.say("Ben", over=[talk.table])
    ana = talk.say("Ana", over=[talk.table, ben])
    transcript = only(talk.lines)
    assert transcript.unseen([]) == []
    assert transcript.unseen([key("Ben")]) == numbers(transcript, ana)
    assert transcript.unseen([key("Ben"), key("Cleo")]) == [0, 1, 2]
    assert transcript.unseen([key("Ana")]) == []
    talk.forge("Ben", over=[ana])
    assert only(talk.lines).unseen([key("Ben")]) == numbers(transcript, ana), "a forgery shows nothing of what Ben has"
    assert read_record(transcript.write(transcript.unseen([key("Ben")]))).aside[0].data == ana.data


def test_adding_lines_makes_another_transcript_and_says_what_is_new() -> None:
    talk = Talk(2)
    start = talk.say("Ben")
    before = only(talk.lines)
    fork = talk.say("Ben", Note(text="other"), [talk.table], seq=1)
    lost = talk.say("Ana", over=[talk.table])
    dangling = talk.say("Ana", over=[lost])
    after = before.add([fork, dangling, Talk(2, label="other").table])
    gain = after.gained_over(before)
    assert set(gain.new) == {fork.id, dangling.id}
    assert [(one.author, one.seq) for one in gain.forks] == [(key("Ben"), 1)]
    assert [one.line.id for one in gain.dangling] == [dangling.id]
    assert after == only([talk.table, start, fork, dangling])
    assert hash(after) == hash(before)
    assert before == only([talk.table, start])
    assert before != after
    assert before != "a transcript"
    first = min(NAMES[:2], key=key)
    earlier = after.add(
        [talk.say(first, Note(text="at a smaller depth"), [talk.table], seq=2 if first == "Ana" else 1)]
    )
    assert [fork.entries for fork in earlier.forks] != [fork.entries for fork in after.forks]
    assert earlier.gained_over(after).forks == (), "the same fork, renumbered"
    nothing = after.add([fork]).gained_over(after)
    assert (nothing.new, nothing.forks, nothing.dangling) == ((), (), ())


# Reading


def test_lines_end_at_line_feeds_alone_and_blank_ones_are_passed_over() -> None:
    talk = Talk(2)
    talk.say("Ben", Note(text="café ☕"))
    plain = only(talk.lines)
    assert only(b"\r\n".join(line.data for line in talk.lines)) == plain
    assert only(b"\n\n" + talk.data.replace(b"\n", b"\r\n\r\n\n")) == plain
    assert only(talk.data[:-1]) == plain
    assert only(talk.data + talk.data) == plain
    assert plain.write() == talk.data


def test_lines_without_their_table_keep_every_signature() -> None:
    talk = Talk(2)
    mine = talk.say("Ben")
    record = read_record(file([forged(mine), mine, talk.say("Ana")]))
    assert {line.data for line in record.strays} == {line.data for line in (forged(mine), mine, talk.lines[-1])}
    assert len(record.aside) == 2
    assert read_record(talk.data).strays == ()


def test_bytes_may_come_in_pieces_cut_anywhere() -> None:
    talk = Talk(2)
    talk.say("Ben", Note(text="☕"))
    data = talk.data.replace(b"\n", b"\r\n") + b"x" * 70_000 + b"\n" + talk.data[:-1]
    whole = read_record(data)
    for size in (11, 333, 60_000):
        pieces = [data[start : start + size] for start in range(0, len(data), size)]
        record = read_record(pieces)
        assert record.transcripts == whole.transcripts
        assert [(one.number, one.code) for one in record.aside] == [(3, "too-large")]
        assert len(record.aside[0].data) == LARGEST + 1
    assert read_record(bytes([byte]) for byte in talk.data).transcripts == whole.transcripts
    assert read_record([]).transcripts == read_record(b"").transcripts == ()
    assert read_record(b"").aside == ()


def test_what_does_not_read_is_set_aside_with_its_number() -> None:
    talk = Talk(2)
    damaged = talk.say("Ben").data.replace(b"note", b"nota")
    data = b"\xef\xbb\xbf" + talk.table.data + b"\n\n" + damaged + b"\nhello\n" + talk.data + b'{"entry":{"au'
    record = read_record(data)
    assert [(one.number, one.code) for one in record.aside] == [
        (1, "byte-order-mark"),
        (3, "misshapen"),
        (4, "not-json"),
        (7, "torn"),
    ]
    assert record.aside[1].data == damaged
    assert all(str(one.said) for one in record.aside)
    assert record.transcripts[0] == only(talk.lines)
    assert [line.number for line in record.transcripts[0].graph.nodes] == [5, 6]


def test_lines_of_a_game_without_a_table_are_set_aside() -> None:
    talk, other = Talk(2), Talk(2, label="other")
    foreign = other.say("Ben")
    record = read_record(file([foreign, *talk.lines]))
    assert [one.game for one in record.transcripts] == [talk.game]
    assert [(one.number, one.code) for one in record.aside] == [(1, "no-table")]
    assert other.game in str(record.aside[0].said)
    merged = record.merge(read_record(file([other.table])))
    assert merged.aside == ()
    assert [one.game for one in merged.transcripts] == sorted([talk.game, other.game])


def test_merging_is_set_union() -> None:
    talk = Talk(2)
    mine = talk.say("Ben")
    last = talk.say("Ana")
    one = read_record(file([talk.table, forged(mine)]) + b"torn")
    other = read_record(b"bad\n" + file([mine, last]))
    for merged in (one.merge(other), other.merge(one)):
        assert merged.transcripts[0] == only([*talk.lines, forged(mine)])
        assert sorted((one.number, one.code) for one in merged.aside) == [(1, "not-json"), (3, "torn")]
        assert merged.transcripts[0].write() == talk.data
    assert one.transcripts[0] == only([talk.table, forged(mine)])


def test_a_game_over_its_cap_is_too_large_in_whatever_order(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, other = Talk(2), Talk(2, label="other")
    for _ in range(5):
        talk.say("Ben")
    size = sum(len(line.data) for line in talk.lines)
    monkeypatch.setattr(transcript_module, "LARGEST", size)
    small = only(talk.data * 3)  # the same line again is no more
    assert len(small.graph.nodes) == 6
    extra = forged(talk.lines[1])
    with pytest.raises(TooLarge):
        small.add([extra])
    for lines in (
        [*talk.lines, extra],
        [extra, *talk.lines[::-1]],
        [*talk.lines[1:], extra, forged(talk.lines[2]), talk.table],
    ):
        record = read_record(file([*lines, *other.lines]))
        assert [one.game for one in record.transcripts] == [other.game]
        assert record.oversized == (talk.game,)
        assert record.aside == ()
    assert read_record(talk.data).oversized == ()


def test_a_transcript_needs_a_table() -> None:
    with pytest.raises(ValueError, match="table"):
        Transcript(Pile())


def test_a_file_of_many_games_is_many_transcripts() -> None:
    talks = [Talk(2, label=f"game {number}") for number in range(5)]
    for talk in talks:
        talk.say("Ben")
    lines = [line for pair in zip(*[talk.lines for talk in talks], strict=True) for line in pair]
    record = read_record(file(lines))
    assert [one.game for one in record.transcripts] == sorted(talk.game for talk in talks)
    assert all(len(one.graph.nodes) == 2 for one in record.transcripts)


def test_sixteen_players_and_a_judge_have_room() -> None:
    talk = Talk(16, judge=True)
    who = (*NAMES, JUDGE)
    commits = [talk.say(name, Commit(commitments=()), [talk.table]) for name in NAMES]
    for name in who:
        talk.say(name, Seal(), commits)
    last = talk.say("Ana", over=talk.lines[-17:])
    transcript = only(talk.lines)
    assert all(transcript.held)
    assert len(transcript.graph.parents[-1]) == len(last.entry.parents) == 17


def test_entries_that_their_author_signed_but_nobody_can_read_accuse_nobody() -> None:
    talk = Talk(2)
    newer = around(encode(talk.entry("Ben")).replace(b'"type":"note"', b'"type":"vote"'), "Ben")
    record = read_record(talk.data + newer + b"\n")
    assert [one.code for one in record.aside] == ["misshapen"]
    assert len(record.transcripts[0].graph.nodes) == 1


def test_two_tables_with_one_author_are_no_fork() -> None:
    one, other = Talk(2), Talk(2, label="other")
    record = read_record(one.data + other.data)
    assert [transcript.forks for transcript in record.transcripts] == [(), ()]
    assert table(2).roster == one.table.entry.body.roster  # type: ignore[union-attr]
