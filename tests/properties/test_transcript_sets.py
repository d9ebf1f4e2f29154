"""A transcript against its definition: a plain model over sets, and what must not change the outcome."""

import random
from collections import Counter
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from talk import JUDGE, NAMES, Talk, file, forged, identity, key

from hiddenagenda import canonical
from hiddenagenda.entry import Body, Commit, Note, Seal, read_entry
from hiddenagenda.faults import Malformed
from hiddenagenda.graph import MOST_DOUBLED
from hiddenagenda.line import LARGEST, Line, read_line, sign
from hiddenagenda.publickey import PublicKey
from hiddenagenda.record import read_record
from hiddenagenda.sshsig import verifies
from hiddenagenda.transcript import Transcript

FEW = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))
DOUBLED = ("commit", "seal")
KNOWN: dict[tuple[str, str], bool] = {}


@dataclass(frozen=True)
class World:
    """Lines that somebody may show, in some order, with repetitions and gaps."""

    game: str
    lines: list[Line]


def world(seed: int, size: int) -> World:
    """Up to three players and a stranger say things over anything, some of it forged, forked or out of turn."""
    draw = random.Random(seed)
    players = draw.choice((2, 3))
    talk = Talk(players)
    bodies: list[Body] = [Commit(commitments=()), Seal(), *[Note(text="x")] * draw.choice((0, 1, 6))]
    for _ in range(size):
        who = draw.choice((*NAMES[:players], JUDGE) if draw.random() < 0.1 else NAMES[:players])
        over = draw.sample(talk.lines, min(len(talk.lines), draw.choice((1, 1, 2, 3))))
        if draw.random() < 0.5:
            over.append(talk.lines[-1])
        closure = _closure({line.id: line for line in talk.lines}, [line.id for line in over])
        own = [line.entry.seq for line in talk.lines if line.id in closure and line.entry.author == key(who)]
        seq = 1 + max(own, default=0) + (draw.random() < 0.05)
        line = sign(talk.entry(who, draw.choice(bodies), over, seq), identity(who))
        talk.lines.append(forged(line) if draw.random() < 0.35 else line)
        if draw.random() < 0.1:
            talk.lines.append(line)
    shown = [line for line in talk.lines if draw.random() > 0.05] + draw.choices(talk.lines, k=2)
    if talk.table not in shown:
        shown.append(talk.table)
    draw.shuffle(shown)
    return World(talk.game, shown)


def _closure(known: dict[str, Line], ids: list[str]) -> set[str]:
    reached: set[str] = set()
    todo = list(ids)
    while todo:
        one = todo.pop()
        if one not in reached and one in known:
            reached.add(one)
            todo += known[one].entry.parents
    return reached


def holds(line: Line) -> bool:
    question = (line.id, line.signature)
    if question not in KNOWN:
        KNOWN[question] = verifies(PublicKey.from_hex(line.entry.author), line.raw, bytes.fromhex(line.signature))
    return KNOWN[question]


@dataclass(frozen=True)
class Model:
    """The definitions of the protocol, as plainly as they can be written."""

    complete: set[str]
    authentic: set[str]
    grounded: set[str]
    held: set[str]
    forks: set[tuple[str, int, tuple[str, str]]]


def model(shown: World) -> Model:
    nodes = {line.id: line for line in shown.lines}
    signed = {line.id for line in shown.lines if holds(line)}
    body = nodes[shown.game].entry.body
    complete = {shown.game}
    while True:
        more = set()
        for name, line in nodes.items():
            if name in complete or not complete.issuperset(line.entry.parents):
                continue
            above = [nodes[one] for one in _closure(nodes, list(line.entry.parents))]
            own = [one.entry.seq for one in above if one.entry.author == line.entry.author]
            doubled = Counter(
                (one.entry.author, one.entry.type) for one in above if one.entry.type in ("commit", "seal")
            )
            if (
                line.entry.author in body.roster  # type: ignore[union-attr]
                and line.entry.seq == 1 + max(own, default=0)
                and max(doubled.values(), default=0) <= MOST_DOUBLED
            ):
                more.add(name)
        if not more:
            break
        complete |= more
    closures = {name: _closure(nodes, [name]) for name in complete}
    authentic = {
        name
        for name in complete
        for later in complete & signed
        if nodes[later].entry.author == nodes[name].entry.author and name in closures[later]
    }
    places: dict[tuple[str, int], list[str]] = {}
    for name in sorted(authentic):
        places.setdefault((nodes[name].entry.author, nodes[name].entry.seq), []).append(name)
    return Model(
        complete=complete,
        authentic=authentic,
        grounded={name for name in complete if closures[name] <= authentic},
        held={name for name in complete if closures[name] <= signed},
        forks={(*place, (names[0], names[1])) for place, names in places.items() if len(names) > 1},
    )


def transcript_of(lines: list[Line]) -> Transcript:
    (transcript,) = read_record(file(lines)).transcripts
    return transcript


def named(transcript: Transcript, flags: bytes) -> set[str]:
    return {line.id for line, flag in zip(transcript.graph.nodes, flags, strict=True) if flag}


def outcome(transcript: Transcript) -> Model:
    nodes = transcript.graph.nodes
    return Model(
        complete={line.id for line in nodes},
        authentic=named(transcript, transcript.authentic),
        grounded=named(transcript, transcript.grounded),
        held=named(transcript, transcript.held),
        forks={
            (fork.author, fork.seq, (nodes[fork.entries[0]].id, nodes[fork.entries[1]].id)) for fork in transcript.forks
        },
    )


worlds = st.builds(world, st.integers(0, 2**32), st.integers(0, 40))


@FEW
@given(worlds)
def test_it_is_what_the_definitions_say(shown: World) -> None:
    transcript = transcript_of(shown.lines)
    assert outcome(transcript) == model(shown)
    dangling = {one.line.id for one in transcript.dangling}
    assert dangling == {line.id for line in shown.lines} - outcome(transcript).complete


@FEW
@given(worlds, st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(shown: World, draw: random.Random) -> None:
    transcript = transcript_of(shown.lines)
    again = shown.lines + draw.choices(shown.lines, k=5)
    draw.shuffle(again)
    other = transcript_of(again)
    assert other == transcript
    assert outcome(other) == outcome(transcript)
    assert [line.id for line in other.graph.nodes] == [line.id for line in transcript.graph.nodes]
    assert list(other.graph.depths) == list(transcript.graph.depths)
    assert list(other.graph.tops) == list(transcript.graph.tops)
    assert [(one.line.id, one.flaw, one.missing) for one in other.dangling] == [
        (one.line.id, one.flaw, one.missing) for one in transcript.dangling
    ]
    assert other.write() == transcript.write()
    assert other.heads(other.grounded) == transcript.heads(transcript.grounded)


@FEW
@given(worlds, st.randoms(use_true_random=False))
def test_more_bad_signatures_change_nothing(shown: World, draw: random.Random) -> None:
    transcript = transcript_of(shown.lines)
    other = transcript_of([forged(line) for line in draw.choices(shown.lines, k=5)] + shown.lines)
    assert outcome(other) == outcome(transcript)


@FEW
@given(worlds, st.randoms(use_true_random=False))
def test_fewer_lines_show_no_more(shown: World, draw: random.Random) -> None:
    everything = outcome(transcript_of(shown.lines))
    some = [line for line in shown.lines if line.id == shown.game or draw.random() < 0.7]
    part = outcome(transcript_of(some))
    assert part.complete <= everything.complete
    assert part.authentic <= everything.authentic
    assert part.grounded <= everything.grounded
    places = {place[:2] for place in everything.forks}
    assert {place[:2] for place in part.forks} <= places


@FEW
@given(worlds, st.integers(0, 100))
def test_adding_is_reading_both(shown: World, cut: int) -> None:
    cut = cut % len(shown.lines)
    table = next(line for line in shown.lines if line.id == shown.game)
    before = transcript_of([table, *shown.lines[:cut]])
    assert before.forks == tuple(before.forks)  # asked before there is more
    after = before.add(shown.lines[cut:])
    assert after == transcript_of(shown.lines)
    assert outcome(after) == outcome(transcript_of(shown.lines))
    merged = read_record(file(shown.lines[:cut])).merge(read_record(file([*shown.lines[cut:], table])))
    assert merged.transcripts[0] == after
    assert set(after.gained_over(before).new) == {line.id for line in shown.lines} - {
        line.id for line in [table, *shown.lines[:cut]]
    }


@FEW
@given(worlds)
def test_what_is_written_reads_back_to_the_same(shown: World) -> None:
    transcript = transcript_of(shown.lines)
    data = transcript.write()
    (again,) = read_record(data).transcripts
    assert outcome(again).grounded == outcome(transcript).grounded
    assert outcome(again).held == outcome(transcript).held
    assert outcome(again).forks == outcome(transcript).forks
    assert again.write() == data


@FEW
@given(worlds)
def test_the_order_is_topological_and_closures_are_closures(shown: World) -> None:
    transcript = transcript_of(shown.lines)
    graph = transcript.graph
    nodes = {line.id: line for line in graph.nodes}
    places = [(depth, line.entry.author, line.id) for depth, line in zip(graph.depths, graph.nodes, strict=True)]
    assert places == sorted(places)
    for number, line in enumerate(graph.nodes):
        true = _closure(nodes, [line.id])
        assert {graph.nodes[one].id for one in graph.closure([number])} == true
        tops = [0] * len(transcript.roster)
        for one in true:
            seat = transcript.roster.index(nodes[one].entry.author)
            tops[seat] = max(tops[seat], nodes[one].entry.seq)
        assert list(graph.tops[number]) == tops
        assert all(graph.covers(number, earlier) == (graph.nodes[earlier].id in true) for earlier in range(number + 1))
        assert list(graph.chains[graph.seats[number]]).count(number) == 1


@FEW
@given(worlds, st.integers(0, 10**6), st.integers(0, 255))
def test_damage_only_takes_away(shown: World, place: int, byte: int) -> None:
    before = outcome(transcript_of(shown.lines))
    data = bytearray(file(shown.lines))
    data[place % len(data)] = byte
    after = read_record(bytes(data)).transcripts
    for transcript in after:
        if transcript.game == shown.game:
            assert outcome(transcript).grounded <= before.grounded
        else:
            assert not any(transcript.grounded)


@FEW
@given(st.binary(max_size=300))
def test_any_bytes_make_a_record(data: bytes) -> None:
    record = read_record(data)
    assert record.transcripts == ()
    assert len(record.aside) <= data.count(b"\n") + 1
    for read in (read_line, read_entry):
        try:
            read(data)
        except Malformed:
            pass
        else:
            raise AssertionError(data)


@FEW
@given(st.integers(0, 10**6), st.binary(max_size=6), st.integers(0, 6))
def test_a_line_reads_only_where_it_is_canonical(place: int, put: bytes, drop: int) -> None:
    talk = Talk(2)
    data = talk.say("Ben", Note(text='Lim-Dûl’s "Vault" \\')).data
    place %= len(data)
    data = data[:place] + put + data[place + drop :]
    try:
        line = read_line(data)
    except Malformed:
        return
    assert line.data == data
    assert canonical.write(canonical.read(data, limit=LARGEST)) == data
