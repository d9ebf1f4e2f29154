"""What a player may sign: nothing that the law would condemn, and only over what is here with valid signatures."""

import itertools
import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from talk import Talk, file, forged, identity, key, seat, table

from hiddenagenda.commitment import Commitment
from hiddenagenda.entry import LAST_SEQ, Apply, Body, Commit, End, Entry, Leave, Note, Open, Seal, frame
from hiddenagenda.faults import IllegalMove, Malformed
from hiddenagenda.line import Line, sign
from hiddenagenda.naming import Choice
from hiddenagenda.player import KEPT_BACK, Player, check_table, new_seat, shown, write_slips
from hiddenagenda.publickey import PublicKey
from hiddenagenda.record import read_record
from hiddenagenda.slip import form_breach
from hiddenagenda.sshsig import verifies
from hiddenagenda.table import AgendaCard
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Phase
from hiddenagenda.verifier import judge


def transcript(lines: Iterable[Line]) -> Transcript:
    return read_record(file(lines)).transcripts[0]


def player(who: str, lines: Iterable[Line]) -> Player:
    return Player.of(transcript(lines), key(who))


def choice(conspiracy: str = "Muzzio's Preparations", *names: str) -> Choice:
    return Choice(conspiracy=conspiracy, names=names or ("Grizzly Bears",), notices=(), warnings=())


def code_of(player: Player, body: Body) -> str:
    with pytest.raises(IllegalMove) as caught:
        player.draft(body)
    assert not player.may(body)
    return caught.value.code


class Sat(Talk):
    """A talk whose players sign by the law, each over all that was said."""

    def move(self, who: str, body: Body) -> Line:
        draft = player(who, self.lines).draft(body)
        return self._keep(who, sign(draft, identity(who)))

    def start(self, *slots: int) -> None:
        names = [one.name for one in transcript(self.lines).table.players]
        for name, count in zip(names, slots or [1] * len(names), strict=True):
            slips = [self.slip(name, slot) for slot in range(1, count + 1)]
            self.move(name, Commit(commitments=tuple(slip.digest for slip in slips)))
        for name in names:
            self.move(name, Seal())


# Seats, tables and slips


def test_a_seat_is_fresh_and_readable() -> None:
    public = identity("Ana").public
    one, other = new_seat(public, "Ana"), new_seat(public, "Ana")
    assert one.nonce != other.nonce
    assert (one.key, one.name) == (public.hex, "Ana")
    with pytest.raises(Malformed):
        new_seat(public, "\x1b[2J")
    with pytest.raises(Malformed):
        new_seat(public, "x" * 501)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ben", "BEN"),
        ("Ben", "Bén"),
        ("Ben", "Веn"),
        ("Ben", "B\u034fen\u034f"),
        ("Ben", "Ben\u2800"),
        ("Ben B", "Ben\u2800B"),
        ("Ben B", "Ben\u00a0B"),
        ("Ben", "Ben\U00016fe4"),
    ],
)
def test_nobody_sits_down_among_names_that_look_alike(one: str, other: str) -> None:
    alike = replace(table(2), players=(replace(seat("Ana"), name=one), replace(seat("Ben"), name=other)))
    with pytest.raises(IllegalMove, match="look alike") as caught:
        check_table(alike)
    assert caught.value.code == "names-alike"


@pytest.mark.parametrize("name", ["", " ", "\u00a0\u3000", "\u2800", "\u3164"])
def test_nobody_sits_down_where_a_name_shows_nothing(name: str) -> None:
    with pytest.raises(IllegalMove, match="nothing of it can be seen") as caught:
        check_table(replace(table(2), players=(seat("Ana"), replace(seat("Ben"), name=name))))
    assert caught.value.code == "unseen-name"
    with pytest.raises(IllegalMove, match="nothing of it can be seen"):
        new_seat(PublicKey.from_hex(key("Ana")), name)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("brago's favor", "Brago's Favor"),
        ("Brago’s  Favor", "Brago's Favor"),
        ("Muzzio's Prepar\u0430tions", "Muzzio's Preparations"),
        ("Worldknit", "Worldknit"),
    ],
)
def test_nobody_sits_down_where_a_conspiracy_looks_like_another(name: str, known: str) -> None:
    cube = AgendaCard(agenda="double", name="Cube Conspiracy")
    check_table(table(2, conspiracies=(cube,)))
    with pytest.raises(IllegalMove, match=f"looks like {known}") as caught:
        check_table(table(2, conspiracies=(cube, AgendaCard(agenda="double", name=name))))
    assert caught.value.code == "conspiracies-alike"


@pytest.mark.parametrize("count", [1, 17])
def test_a_table_has_two_to_sixteen_players(count: int) -> None:
    with pytest.raises(Malformed, match=f"a table has 2 to 16 players, this one {count}"):
        replace(table(2), players=tuple(seat(f"P{number}") for number in range(count)))


def test_nobody_sits_down_with_a_judge_yet() -> None:
    check_table(table(16))
    with pytest.raises(IllegalMove, match="a judge sits at this table") as caught:
        check_table(table(2, judge=True))
    assert caught.value.code == "judge"


def test_slips_are_written_in_slot_order_and_again_the_same() -> None:
    choices = [choice(), choice("Summoner's Bond", "Llanowar Elves", "Storm Crow"), choice()]
    game = "ab" * 32
    slips = write_slips(identity("Ana"), game, choices)
    assert [slip.slot for slip in slips] == [1, 2, 3]
    assert slips == write_slips(identity("Ana"), game, choices)
    assert all((slip.game, slip.player) == (game, key("Ana")) for slip in slips)
    assert all(form_breach(slip.conspiracy, slip.names) is None for slip in slips)
    assert write_slips(identity("Ana"), game, []) == ()


def test_no_two_slips_share_a_salt() -> None:
    salts = [
        slip.salt.reveal()
        for who in ("Ana", "Ben")
        for game in ("ab" * 32, "cd" * 32)
        for names in (("Grizzly Bears",), ("Storm Crow",))
        for slip in write_slips(identity(who), game, [choice("Muzzio's Preparations", *names)] * 2)
    ]
    assert len(set(salts)) == len(salts) == 16


def test_a_shown_slip_has_the_bytes_that_were_committed_to() -> None:
    (slip,) = write_slips(identity("Ana"), "ab" * 32, [choice()])
    assert shown(slip).data == slip.turn_face_up()
    assert shown(slip).digest == Commitment.of(slip.turn_face_up()).hex


# What may be signed


def test_a_stranger_has_no_player() -> None:
    with pytest.raises(IllegalMove, match="no seat at this table has your key"):
        player("Cleo", Talk(2).lines)


def test_a_draft_is_the_entry_that_all_readers_place_and_the_law_lets_pass() -> None:
    talk = Sat(3)
    talk.start()
    assert [line.entry.seq for line in talk.lines] == [1, 2, 1, 1, 3, 2, 2]
    whole = transcript(talk.lines)
    assert not whole.dangling
    assert all(whole.held)
    assert player("Ana", talk.lines).phase is Phase.ON
    line = talk.move("Ben", Note(text="hello"))
    assert line.entry.parents == (talk.lines[-2].id,)
    timed = player("Ana", talk.lines).draft(Note(text=""), time="2026-11-29T20:00:00Z")
    assert timed.time == "2026-11-29T20:00:00Z"


def test_what_the_law_condemns_is_refused_with_its_code_and_rule() -> None:
    talk = Sat(2)
    ana = player("Ana", talk.lines)
    assert code_of(ana, Seal()) == "premature-seal"
    assert code_of(ana, End(outcome="")) == "before-start"
    talk.start()
    ana = player("Ana", talk.lines)
    assert code_of(ana, Commit(commitments=())) == "second-commit"
    assert code_of(ana, Seal()) == "second-seal"
    assert code_of(ana, Open(slips=(talk.slip("Ana", 2),), when="")) == "slip-does-not-fit"
    assert code_of(ana, Apply(card="Grizzly Bears", slot=1)) == "applied-face-down"
    assert code_of(ana, Leave(player=ana.key, slips=(), why="")) == "left-without-slips"
    with pytest.raises(IllegalMove, match="not now: ") as caught:
        ana.draft(Apply(card="Grizzly Bears", slot=1))
    assert "702.106" in str(caught.value.hint)
    assert ana.may(Leave(player=ana.key, slips=(talk.slip("Ana", 1),), why=""))


def test_what_everybody_has_committed_to() -> None:
    talk = Sat(3)
    talk.move("Ben", Commit(commitments=("ab" * 32, "cd" * 32)))
    talk.move("Cleo", Commit(commitments=()))
    committed = player("Ana", talk.lines).committed
    assert [(one.seat.name, one.agendas) for one in committed] == [("Ana", ()), ("Ben", (2,)), ("Cleo", (0,))]


def test_two_commits_of_a_cheat_both_show() -> None:
    talk = Talk(3)
    one = talk.say("Ben", Commit(commitments=("ab" * 32,)), [talk.table])
    other = talk.say("Ben", Commit(commitments=()), [talk.table], seq=1)
    cleo = talk.say("Cleo", Commit(commitments=()), [one])
    talk.say("Ana", Commit(commitments=()), [talk.table, cleo, other])
    ana = player("Ana", talk.lines)
    assert sorted(next(one.agendas for one in ana.committed if one.seat.name == "Ben")) == [0, 1]
    assert code_of(ana, Seal()) == "premature-seal"


def test_only_the_last_entries_are_kept_back_for_leaving_and_opening() -> None:
    talk = Sat(2)
    talk.start(1, 0)
    base = player("Ana", talk.lines)
    own = talk.last["Ana"]
    while own.entry.seq < LAST_SEQ - KEPT_BACK:
        entry = frame(Note(text=""), author=key("Ana"), game=talk.game, parents=(own.id,), seq=own.entry.seq + 1)
        own = talk._keep("Ana", sign(entry, identity("Ana")))
    ana = player("Ana", talk.lines)
    with pytest.raises(IllegalMove, match="only open or leave") as caught:
        ana.draft(Note(text=""))
    assert caught.value.code == "seq"
    assert base.may(Note(text=""))
    opening = talk.move("Ana", Open(slips=(talk.slip("Ana"),), when=""))
    assert opening.entry.seq == LAST_SEQ - 1
    assert talk.move("Ana", Leave(player=key("Ana"), slips=(), why="")).entry.seq == LAST_SEQ


# What it may rest on


def test_an_entry_forged_in_the_own_name_neither_stops_nor_binds_its_player() -> None:
    """Also byte for byte what the player will say, under a bad signature that came first."""
    talk = Sat(2)
    honest = player("Ana", talk.lines).draft(Note(text="hello"))
    copy = forged(sign(honest, identity("Ana")))
    talk.forge("Ana", Commit(commitments=("ab" * 32,)), [talk.table], seq=2)
    talk.lines.append(copy)
    ana = player("Ana", talk.lines)
    entry = ana.draft(Note(text="hello"))
    assert entry == honest
    mine = sign(entry, identity("Ana"))
    assert mine.id == copy.id
    later = player("Ana", [*talk.lines, mine]).draft(Note(text="again"))
    assert later.parents == (mine.id,)
    assert later.seq == 3


def test_nothing_is_signed_over_what_lacks_its_own_signature() -> None:
    talk = Talk(2)
    unsigned = talk.forge("Ben", Note(text="x"), [talk.table])
    covering = talk.say("Ben", Note(text="y"), [unsigned], seq=2)
    whole = transcript(talk.lines)
    assert whole.grounded[whole.graph.index[unsigned.id]], "an audit counts it: a later signature covers it"
    draft = player("Ana", talk.lines).draft(Note(text=""))
    assert draft.parents == (talk.table.id,)
    assert covering.id not in draft.parents


def test_a_table_without_its_author_s_signature_is_signed_over_by_nobody() -> None:
    talk = Talk(2)
    talk.lines[0] = forged(talk.table)
    assert code_of(player("Ben", talk.lines), Note(text="")) == "ungrounded"
    talk.say("Ana", Note(text="covers the table"), [talk.table])
    assert code_of(player("Ben", talk.lines), Note(text="")) == "ungrounded"


def test_nothing_is_signed_while_an_own_entry_hangs_in_the_air() -> None:
    talk = Talk(2)
    lost = talk.say("Ben")
    talk.say("Ana", over=[talk.table, lost])
    talk.lines.remove(lost)
    assert code_of(player("Ana", talk.lines), Note(text="")) == "ungrounded"
    assert player("Ana", [*talk.lines, lost]).may(Note(text=""))
    assert code_of(player("Ana", [*talk.lines, forged(lost)]), Note(text="")) == "ungrounded"


def test_who_has_forked_signs_nothing_more() -> None:
    talk = Talk(2)
    talk.say("Ben")
    talk.say("Ben", over=[talk.table], seq=1)
    assert code_of(player("Ben", talk.lines), Note(text="")) == "forked"
    assert player("Ana", talk.lines).may(Note(text=""))


def test_one_head_an_author_is_cited() -> None:
    talk = Talk(2)
    branches = [talk.say("Ben", Note(text=str(number)), [talk.table], seq=1) for number in range(100)]
    draft = player("Ana", talk.lines).draft(Note(text=""))
    assert len(draft.parents) == 1
    assert set(draft.parents) <= {line.id for line in branches}


@pytest.mark.parametrize("kind", [Commit(commitments=()), Seal()])
def test_nobody_s_many_commits_and_seals_silence_a_player(kind: Body) -> None:
    talk = Talk(4)
    first = talk.say("Ben", kind, [talk.table], seq=1)
    times = [f"2026-11-29T20:00:{second:02}Z" for second in range(20)]
    branches = [talk._keep("Ben", sign(replace(first.entry, time=time), identity("Ben"))) for time in times]
    helpers = [
        talk.say("Cleo", Note(text=""), branches[:7]),
        talk.say("Dan", Note(text=""), branches[7:14]),
    ]
    draft = player("Ana", talk.lines).draft(Note(text=""))
    assert set(draft.parents) & {line.id for line in (*branches, *helpers)}
    mine = sign(draft, identity("Ana"))
    assert mine.id in transcript([*talk.lines, mine]).graph.index


# When to open


def test_only_the_others_exit_makes_a_client_open_by_itself() -> None:
    talk = Sat(3)
    talk.start()
    talk.move("Ana", End(outcome="draw"))
    assert not player("Ana", talk.lines).would_be_over_anyway()
    talk.move("Ben", End(outcome="draw"))
    assert player("Ana", talk.lines).phase is Phase.OVER
    assert not player("Ana", talk.lines).would_be_over_anyway()
    assert player("Cleo", talk.lines).would_be_over_anyway()
    talk.move("Cleo", End(outcome="draw"))
    assert player("Ana", talk.lines).would_be_over_anyway()


def test_who_has_left_does_not_count_for_the_end() -> None:
    talk = Sat(2)
    talk.start()
    talk.move("Ana", Leave(player=key("Ana"), slips=(talk.slip("Ana"),), why="conceded"))
    assert player("Ana", talk.lines).would_be_over_anyway()
    assert player("Ben", talk.lines).would_be_over_anyway()


def test_what_is_still_to_be_shown() -> None:
    talk = Sat(2)
    choices = [choice("Muzzio's Preparations", name) for name in ("Grizzly Bears", "Storm Crow")]
    slips = {slip.slot: slip for slip in write_slips(identity("Ana"), talk.game, choices)}
    assert player("Ana", talk.lines).lacking(slips) == ()
    commitments = tuple(Commitment.of(slip.turn_face_up()).hex for slip in slips.values())
    talk.move("Ana", Commit(commitments=commitments))
    talk.move("Ben", Commit(commitments=()))
    talk.move("Ana", Seal())
    talk.move("Ben", Seal())
    assert player("Ana", talk.lines).lacking(slips) == (slips[1], slips[2])
    talk.move("Ana", Open(slips=(shown(slips[1]),), when=""))
    assert player("Ana", talk.lines).lacking(slips) == (slips[2],)
    assert player("Ana", talk.lines).lacking({}) == ()


# Whatever others send


class Besieged:
    """Ana, whose memory is whole, among two who send her whatever they like, signed and unsigned."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.talk = Talk(3)
        self.here: list[Line] = [self.talk.table]
        self.own: list[Line] = [self.talk.table]
        self.count = itertools.count()

    def attack(self) -> None:
        chance, talk = self.chance, self.talk
        author = chance.choice(["Ben", "Cleo", "Ben", "Cleo", "Ana"])
        over = chance.sample(talk.lines, min(len(talk.lines), chance.randint(1, 3)))
        seq = 1 + max((line.entry.seq for line in talk.lines if line.entry.author == key(author)), default=0)
        bodies: list[Body] = [Note(text=str(next(self.count))), Seal(), Commit(commitments=())]
        body = chance.choice(bodies)
        seq = max(1, seq - chance.randint(0, 2))
        if author == "Ana" or chance.random() < 0.4:
            line = talk.forge(author, body, over, seq)
        else:
            line = talk.say(author, body, over, seq)
        if chance.random() < 0.3:
            talk.lines.append(forged(line))

    def deliver(self) -> None:
        lines = self.chance.sample(self.talk.lines, self.chance.randint(0, len(self.talk.lines)))
        self.here += lines
        self.chance.shuffle(self.here)

    def speak(self) -> Entry[Body]:
        # What was signed here is here: a client appends what it stored.
        ana = player("Ana", [*self.own, *self.here])
        body = next(body for body in (Seal(), Commit(commitments=()), Note(text="a")) if ana.may(body))
        draft = ana.draft(body)
        line = sign(draft, identity("Ana"))
        self.own.append(line)
        self.here.append(line)
        self.talk.lines.append(line)
        return draft


def signed(line: Line) -> bool:
    return verifies(PublicKey.from_hex(line.entry.author), line.raw, bytes.fromhex(line.signature))


@given(st.integers(0, 2**32))
def test_a_client_signs_only_over_what_it_holds_with_valid_signatures_and_is_never_silenced(seed: int) -> None:
    besieged = Besieged(seed)
    for _ in range(6):
        for _ in range(besieged.chance.randint(0, 4)):
            besieged.attack()
        besieged.deliver()
        before = list(besieged.here)
        draft = besieged.speak()
        valid = {line.id: line for line in (*before, *besieged.own) if signed(line)}
        todo = list(draft.parents)
        while todo:
            parent = todo.pop()
            assert parent in valid, "it signed over what it has no valid signature of"
            todo += valid[parent].entry.parents
    assert [line.entry.seq for line in besieged.own] == list(range(1, len(besieged.own) + 1))
    named = {finding.author for finding in judge(transcript(besieged.talk.lines)).findings}
    assert key("Ana") not in named
