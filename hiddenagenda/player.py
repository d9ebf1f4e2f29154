"""What one player may sign next, judged by the same law that will judge it later.

SPEC "A client's habits". A player sees a game through the entries that are here with valid signatures of their own,
and says something by a draft that the law finds nothing against; what it would condemn is refused here, with the rule.
Signing, storing and sending are not done here. Randomness: the nonce of a seat.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Final, Self

from msgspec import UNSET

from hiddenagenda.cards.conspiracies import CONSPIRACIES
from hiddenagenda.cards.folding import fold
from hiddenagenda.cards.lookalikes import as_it_looks
from hiddenagenda.case import Refused
from hiddenagenda.characters import UNSEEN
from hiddenagenda.citing import parents_for
from hiddenagenda.entry import LAST_SEQ, Body, Entry, Leave, Open, ShownSlip, frame
from hiddenagenda.faults import IllegalMove, sentence
from hiddenagenda.hearing import Hearing, legal
from hiddenagenda.identity import Identity
from hiddenagenda.naming import Choice
from hiddenagenda.publickey import PublicKey
from hiddenagenda.rulebook import FAULTS, NEWEST, read_edition, rule_of
from hiddenagenda.seat import Seat, read_seat
from hiddenagenda.shape import encode
from hiddenagenda.slip import Salt, Slip, derived_salt
from hiddenagenda.state import Facts, slot_bit
from hiddenagenda.table import Table
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Phase

KEPT_BACK: Final = 2
"""Seqs at the end of a chain that are kept for leaving and opening."""
_SALT_INFO: Final = b"hiddenagenda/1 salt"


def new_seat(public: PublicKey, name: str) -> Seat:
    """Return a seat for one game, with a fresh nonce. ``name`` is what the player is called at the table.

    Raises ``Malformed`` for a name that no reader would take, such as one over its cap, and ``IllegalMove`` for one
    that shows nothing.
    """
    _check_shows(name)
    return read_seat(encode(Seat(key=public.hex, name=name, nonce=secrets.token_hex(32))))


def check_table(table: Table) -> None:
    """Refuse to sit at a table that a client should not join.

    Raises ``IllegalMove`` where a name shows nothing, where two look alike (somebody may be posing), where a further
    conspiracy looks like one that there is (somebody may name a card for the wrong one), or where a judge sits.
    """
    for player in table.players:
        _check_shows(player.name)
    for one, other in combinations([player.name for player in table.players], 2):
        if _seen(one) == _seen(other):
            raise IllegalMove(
                sentence("the names “{one}” and “{other}” at this table look alike", one=one, other=other),
                hint=sentence("sit down anew under names that nobody can mistake"),
                code="names-alike",
            )
    known = {_seen(name): name for name in CONSPIRACIES}
    for name in table.further:
        if _seen(name) in known:
            raise IllegalMove(
                sentence(
                    "this table lists “{name}” as a further conspiracy, which looks like {known}",
                    name=name,
                    known=known[_seen(name)],
                ),
                hint=sentence("the conspiracies that exist need not be listed; give another one another name"),
                code="conspiracies-alike",
            )
    if table.judge is not UNSET:
        raise IllegalMove(
            sentence("a judge sits at this table, and this program cannot seal slips for a judge yet"),
            hint=sentence("play at a table without a judge"),
            code="judge",
        )


def _check_shows(name: str) -> None:
    if not UNSEEN.sub("", name).split():
        raise IllegalMove(
            sentence("a player's name is empty, or nothing of it can be seen"),
            hint=sentence("sit down anew under a name that people can read"),
            code="unseen-name",
        )


def _seen(name: str) -> str:
    """Return what of a name people tell it by: no blanks, nothing unseen, no case, accents and other scripts."""
    return "".join(UNSEEN.sub("", fold(as_it_looks(name))).split())


def write_slips(identity: Identity, game: str, choices: Sequence[Choice]) -> tuple[Slip, ...]:
    """Return the slips of a player in ``game`` (the table's id) for slots 1, 2, …; their salts are derived.

    Raises ``TooLarge`` for one that no reader would take. (SPEC "Salts")
    """
    key = identity.derive(_SALT_INFO)
    return tuple(_slip(key, identity.public.hex, game, slot, choice) for slot, choice in enumerate(choices, start=1))


def _slip(key: bytes, player: str, game: str, slot: int, choice: Choice) -> Slip:
    unsalted = Slip(
        conspiracy=choice.conspiracy, game=game, names=choice.names, player=player, salt=Salt(b"\1" * 32), slot=slot
    )
    return replace(unsalted, salt=derived_salt(key, unsalted.without_salt()))


def shown(slip: Slip) -> ShownSlip:
    """Return a slip as it stands in an entry that shows it: face up."""
    return ShownSlip(
        conspiracy=slip.conspiracy,
        game=slip.game,
        names=slip.names,
        player=slip.player,
        salt=slip.salt.reveal(),
        slot=slip.slot,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What one player has committed to, as far as the next own entry rests on it."""

    seat: Seat
    agendas: tuple[int, ...]
    """The number of agendas in each of the player's valid commits: one number, before it none, of a cheat several."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Player:
    """A game as the player with ``key`` (hex) may build on it. Entries go by their numbers in the graph."""

    hearing: Hearing
    key: str

    @classmethod
    def of(cls, transcript: Transcript, key: str) -> Self:
        """Look at ``transcript`` with the eyes of ``key``. Raises ``IllegalMove`` where it has no seat there."""
        if key not in transcript.roster:
            raise IllegalMove(sentence("no seat at this table has your key"), code="not-seated")
        return cls(hearing=Hearing.of(transcript), key=key)

    @property
    def number(self) -> int:
        """The player's place in turn order, from 0."""
        return self.hearing.setting.numbers[self.key]

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The entries that the next own entry will name as its parents: each is here with valid signatures throughout.

        Raises ``IllegalMove`` where the own entries are not all here and settled: then nothing may be signed.
        """
        self._check_own()
        return parents_for(self.hearing, self.key)

    def draft(self, body: Body, *, time: str | None = None) -> Entry[Body]:
        """Return the entry that says ``body`` next. It may be signed: the law finds nothing against it.

        Raises ``IllegalMove`` with the finding's code where the law would condemn it, with the rule as the hint.
        """
        entry = self._framed(body, self.parents, time=time)
        if entry.seq > LAST_SEQ - KEPT_BACK and not isinstance(body, Leave | Open):
            raise IllegalMove(
                sentence(
                    "you have said {count} things in this game: you can only open or leave now", count=entry.seq - 1
                ),
                code="seq",
            )
        refused = legal(self.hearing, entry)
        if refused is not None:
            raise self._illegal(refused)
        return entry

    def may(self, body: Body) -> bool:
        """Say whether ``body`` could be signed now."""
        try:
            self.draft(body)
        except IllegalMove:
            return False
        return True

    @property
    def phase(self) -> Phase:
        """How far the game has come, for the next own entry."""
        return self.facts.phase

    @property
    def facts(self) -> Facts:
        """What holds for the next own entry."""
        return self.hearing.after(self.parents).facts

    @property
    def face_down(self) -> tuple[int, ...]:
        """The own slots that are not open yet, in order; none before the game is on."""
        facts, owner = self.facts, self.number
        count = len(self.hearing.setting.commitments(facts, owner))
        return tuple(slot for slot in range(1, count + 1) if not facts.opened & slot_bit(owner, slot))

    @property
    def committed(self) -> tuple[Committed, ...]:
        """What a seal signed now would accept, in turn order."""
        setting = self.hearing.setting
        commits = sorted(self.facts.commits)
        return tuple(
            Committed(
                seat=seat,
                agendas=tuple(len(setting.commits[name].commitments) for author, name in commits if author == number),
            )
            for number, seat in enumerate(setting.table.players)
        )

    def would_be_over_anyway(self) -> bool:
        """Say whether the game is over without the player's own ``end``.

        A client opens by itself only then: else “good game” in a chat would draw a slip from whoever signs first.
        """
        facts = self.facts
        others = facts.remaining & ~(1 << self.number)
        still_in = 0 if facts.left >> self.number & 1 else 1
        return facts.judge_ended or others.bit_count() + still_in <= 1

    def lacking(self, slips: Mapping[int, Slip]) -> tuple[Slip, ...]:
        """Return those of the own ``slips`` (by slot) that are not open yet, in slot order."""
        return tuple(slips[slot] for slot in self.face_down if slot in slips)

    def _framed(self, body: Body, parents: Iterable[int], *, time: str | None = None) -> Entry[Body]:
        graph = self.hearing.transcript.graph
        numbers = tuple(parents)
        return frame(
            body,
            author=self.key,
            game=self.hearing.setting.game,
            parents=tuple(graph.nodes[number].id for number in numbers),
            seq=1 + max(graph.tops[number][self.number] for number in numbers),
            time=time,
        )

    def _check_own(self) -> None:
        transcript = self.hearing.transcript
        if any(fork.author == self.key for fork in transcript.forks):
            raise IllegalMove(
                sentence("your key has signed two histories of this game: everybody can see it"),
                hint=sentence("two devices, or a restored backup; sign nothing more in this game"),
                code="forked",
            )
        # What others say in the own name, under no valid signature, is not own.
        own = [number for number in transcript.chain(self.key) if transcript.signatures.valid(number) is not None]
        if transcript.unsettled(self.key) or not all(transcript.held[number] for number in (0, *own[-1:])):
            raise IllegalMove(
                sentence("not everything that your next entry would rest on is here with its author's signature"),
                hint=sentence("receive what the others have; until then nothing is signed in this game"),
                code="ungrounded",
            )

    def _illegal(self, refused: Refused) -> IllegalMove:
        fault = FAULTS[refused.code]
        edition = read_edition(self.hearing.setting.table.edition) or NEWEST
        rule = rule_of(refused.code)
        said = fault.why if refused.said is None else sentence("{why} ({what})", why=fault.why, what=refused.said)
        return IllegalMove(
            sentence("not now: {what}", what=said),
            hint=sentence("{rule}: {says}", rule=rule.cite(edition), says=rule.says),
            code=refused.code.value,
        )
