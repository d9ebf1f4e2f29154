"""What a peer holds: what is let in, the bounds, and what another one is told it lacks."""

import random

import pytest
from talk import NAMES, Talk, forged, identity

from hiddenagenda import holdings as module
from hiddenagenda.entry import Note
from hiddenagenda.holdings import Added, Holdings
from hiddenagenda.line import Line, sign
from hiddenagenda.messages import Known


def held(talk: Talk, *lines: Line) -> Holdings:
    holdings = Holdings(talk.table)
    for line in lines or talk.lines:
        holdings.add(line)
    return holdings


def chatter(players: int, count: int, seed: int = 0) -> Talk:
    chance = random.Random(seed)
    talk = Talk(players)
    for _ in range(count):
        talk.say(NAMES[chance.randrange(players)])
    return talk


def test_lines_are_held_once() -> None:
    talk = chatter(2, 5)
    holdings = held(talk)
    assert len(holdings) == 6
    assert {holdings.add(line) for line in talk.lines} == {Added.KNOWN}
    assert set(holdings.lines) == set(talk.lines)
    assert holdings.missing == frozenset()
    assert talk.lines[3].id in holdings


def test_a_game_begins_with_its_table() -> None:
    talk = chatter(2, 1)
    with pytest.raises(ValueError, match="table"):
        Holdings(talk.lines[1])


def test_other_games_and_strangers_are_not_held() -> None:
    talk = Talk(2)
    holdings = held(talk)
    assert holdings.add(Talk(2, label="Saturday").say("Ana")) is Added.STRANGE
    assert holdings.add(talk.say("Cleo", over=[talk.table], seq=1)) is Added.STRANGE


def test_what_nobody_signed_is_held_only_where_something_signed_rests_on_it() -> None:
    talk = Talk(2)
    ben = talk.say("Ben")
    holdings = held(talk, talk.table)
    assert holdings.add(forged(ben)) is Added.UNSIGNED
    ana = talk.say("Ana")
    assert holdings.add(ana) is Added.NEW
    assert holdings.missing == {ben.id}
    assert holdings.add(forged(ben)) is Added.NEW
    assert holdings.add(forged(ben)) is Added.KNOWN
    assert holdings.missing == frozenset()
    assert holdings.add(ben) is Added.MENDED
    assert holdings.add(forged(ben)) is Added.KNOWN
    assert {line.signature for line in holdings.lines if line.id == ben.id} == {ben.signature}


def test_unsigned_entries_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_DAMAGED", 2)
    talk = Talk(2)
    bens = [talk.say("Ben") for _ in range(4)]
    ana = talk.say("Ana", over=[talk.table, *bens])
    holdings = held(talk, talk.table, ana)
    assert [holdings.add(forged(line)) for line in bens] == [Added.NEW, Added.NEW, Added.SURPLUS, Added.SURPLUS]
    assert holdings.add(bens[0]) is Added.MENDED
    assert holdings.add(forged(bens[2])) is Added.NEW


def test_nobody_fills_the_room_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 9000)
    talk = Talk(2)
    holdings = held(talk, talk.table)
    full = [holdings.add(talk.say("Ben")) for _ in range(20)]
    assert full[0] is Added.NEW
    assert full[-1] is Added.SURPLUS
    assert holdings.add(talk.say("Ana", over=[talk.table])) is Added.NEW
    bens = [line for line in talk.lines if line.entry.author == talk.last["Ben"].entry.author]
    ana = talk.say("Ana", over=[talk.table, talk.last["Ana"], *bens[-8:]], seq=3)
    holdings.add(ana)
    unsigned = [holdings.add(forged(line)) for line in bens[-8:]]
    assert set(unsigned) == {Added.SURPLUS}  # the signature is not even looked at: the author has no room left


def forks(talk: Talk, count: int) -> list[Line]:
    return [
        sign(talk.entry("Ben", Note(text=str(number)), [talk.table], 1), identity("Ben")) for number in range(count)
    ]


def test_of_a_forked_author_a_few_entries_are_held_and_all_that_is_needed() -> None:
    talk = Talk(2)
    bens = forks(talk, 12)
    holdings = held(talk, talk.table)
    assert [holdings.add(line) for line in bens] == [Added.NEW] * 9 + [Added.SURPLUS] * 3
    holdings.add(talk.say("Ana", over=[talk.table, bens[10]]))
    assert holdings.add(bens[11]) is Added.SURPLUS
    assert holdings.add(bens[10]) is Added.NEW


def tell(giver: Holdings, taker: Holdings) -> list[Added]:
    return [taker.add(line) for line in giver.lacking(taker.known)]


@pytest.mark.parametrize("seed", range(30))
def test_what_is_lacking_is_told_exactly(seed: int) -> None:
    chance = random.Random(seed)
    talk = chatter(chance.randint(2, 5), 30, seed)
    one = held(talk, talk.table, *talk.lines[: chance.randint(1, 31)])
    other = held(talk, talk.table, *talk.lines[: chance.randint(1, 31)])
    for giver, taker in ((one, other), (other, one)):
        assert giver.may_lack(taker.clock) == (len(taker) > len(giver))
        assert set(tell(giver, taker)) <= {Added.NEW}
    assert one.clock == other.clock
    assert not one.may_lack(other.clock)
    assert one.lacking(other.known) == ()


@pytest.mark.parametrize("seed", range(60))
def test_gaps_forks_and_damage_are_made_good(seed: int) -> None:
    chance = random.Random(seed)
    talk = chatter(3, 20, seed)
    for _ in range(chance.randint(0, 4)):
        line = chance.choice(talk.lines[1:])
        name = next(name for name in NAMES if identity(name).public.hex == line.entry.author)
        over = [one for one in talk.lines if one.id in line.entry.parents]
        talk.lines.append(
            sign(talk.entry(name, Note(text=f"fork {len(talk.lines)}"), over, line.entry.seq), identity(name))
        )
    peers = []
    for _ in range(3):
        peer = held(talk, talk.table)
        for line in chance.sample(talk.lines, chance.randint(0, len(talk.lines))):
            peer.add(forged(line) if chance.random() < 0.2 else line)
        peers.append(peer)
    for _ in range(4):
        for giver in peers:
            for taker in peers:
                if giver is not taker:
                    tell(giver, taker)
    assert len({peer.clock for peer in peers}) == 1
    assert not any(one.lacking(other.known) for one in peers for other in peers)


def test_lines_are_told_in_the_order_of_their_arrival() -> None:
    talk = chatter(3, 20)
    assert list(held(talk).lacking(Holdings(talk.table).known)) == talk.lines[1:]


def test_who_describes_another_table_is_told_nothing() -> None:
    holdings = held(chatter(2, 3))
    empty = Known(damaged=(), digest="0" * 16, further=(), prefix=0)
    assert holdings.lacking((empty,) * 3) == ()
    assert not holdings.may_lack(((9, "0" * 16),) * 3)


def test_who_lies_about_the_digest_is_told_everything() -> None:
    holdings = held(chatter(2, 8))
    lie = Known(damaged=(), digest="0" * 16, further=(), prefix=1)
    assert len(holdings.lacking((lie, lie))) == 9


def test_the_list_of_further_ids_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FURTHER", 6)
    talk = Talk(2)
    bens = [talk.say("Ben") for _ in range(10)]
    holdings = held(talk, talk.table, *bens[1:])
    assert len(holdings.known[1].further) == 3
