"""What holds after an entry: a union of what was validly said, never a replay.

SPEC "State". States are values, shared along chains and joined where chains meet; a join asks nothing about order,
but for the last move. Players are numbers in turn order, the judge comes after them; sets of players and of slots
are the bits of an integer. What follows from facts is worked out once, when they change. Nothing here says what is
valid.
"""

from collections.abc import Sequence
from typing import Self, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from hiddenagenda.agenda import slot_state
from hiddenagenda.entry import ShownSlip
from hiddenagenda.priority import Succession
from hiddenagenda.slip import MOST_SLOTS
from hiddenagenda.verdict import Phase, SlotState

Commits: TypeAlias = tuple[str, ...]
"""Ids of one commit of every player, in turn order."""

_T = TypeVar("_T")


class Shown(Struct, frozen=True, gc=False):
    """A slip that was validly opened, and whose."""

    owner: int
    slip: ShownSlip
    commitment: str
    """The one in force that it fits, as hex."""


class Facts(Struct, frozen=True, kw_only=True, eq=False, gc=False):
    """What the valid entries of a closure have done, moves aside."""

    players: int
    """How many play."""
    judged: bool
    """Whether a judge sits."""
    commits: frozenset[tuple[int, str]] = frozenset()
    """Author and id of every valid commit."""
    seals: frozenset[tuple[int, Commits]] = frozenset()
    """Author of every valid seal, and what it accepts."""
    shown: frozenset[Shown] = frozenset()
    turned_up: int = 0
    """Slots, as bits."""
    left: int = 0
    """Players, as bits."""
    ended: int = 0
    judge_ended: bool = False

    in_force: Commits | None = None
    """The commits that everybody has sealed; None before the game is on."""
    opened: int = 0
    """Slots, as bits."""
    remaining: int
    """Players who have neither left nor ended, as bits."""
    phase: Phase = Phase.SETTING_UP

    @classmethod
    def at_first(cls, *, players: int, judged: bool) -> Self:
        """Return what holds when nobody but the table has spoken."""
        return cls(players=players, judged=judged, remaining=(1 << players) - 1)

    def lying(self, owner: int, slot: int) -> SlotState:
        """Return how a slot (from 1) of a player (from 0) lies."""
        bit = slot_bit(owner, slot)
        return slot_state(
            turned_up=bool(self.turned_up & bit), opened=bool(self.opened & bit), due=self.phase is Phase.OVER
        )

    def with_commit(self, author: int, commit: str) -> Self:
        """Return the facts after a commit with this id."""
        return replace(self, commits=self.commits | {(author, commit)})

    def with_seal(self, author: int, accepted: Commits) -> Self:
        """Return the facts after a seal."""
        seals = self.seals | {(author, accepted)}
        in_force = _in_force(seals, self.players + self.judged)
        return replace(self, seals=seals, in_force=in_force, phase=_phase(in_force, self.remaining, self.judge_ended))

    def with_shown(self, shown: Sequence[Shown], *, turned_up: bool) -> Self:
        """Return the facts after slips were opened that were not open."""
        bits = 0
        for one in shown:
            bits |= slot_bit(one.owner, one.slip.slot)
        return replace(
            self,
            shown=self.shown.union(shown),
            opened=self.opened | bits,
            turned_up=self.turned_up | bits if turned_up else self.turned_up,
        )

    def with_left(self, player: int) -> Self:
        """Return the facts after a player was said to be out of the game."""
        remaining = self.remaining & ~(1 << player)
        phase = _phase(self.in_force, remaining, self.judge_ended)
        return replace(self, left=self.left | 1 << player, remaining=remaining, phase=phase)

    def with_ended(self, player: int) -> Self:
        """Return the facts after a player has said that the game is over."""
        remaining = self.remaining & ~(1 << player)
        phase = _phase(self.in_force, remaining, self.judge_ended)
        return replace(self, ended=self.ended | 1 << player, remaining=remaining, phase=phase)

    def with_judge_ended(self) -> Self:
        """Return the facts after the judge has said so."""
        return replace(self, judge_ended=True, phase=_phase(self.in_force, self.remaining, True))


class LastMove(Struct, frozen=True, eq=False, gc=False):
    """The last valid move in display order, and what it left behind."""

    depth: int
    author: str
    id: str
    succession: Succession

    @property
    def place(self) -> tuple[int, str, str]:
        """Where it stands in display order."""
        return (self.depth, self.author, self.id)


class State(Struct, frozen=True, eq=False, gc=False):
    """What holds after an entry: facts, which seldom change, and the last move, which often does."""

    facts: Facts
    last: LastMove | None = None


def slot_bit(owner: int, slot: int) -> int:
    """Return the bit of a slot (from 1) of a player (from 0)."""
    return 1 << owner * MOST_SLOTS + slot - 1


def join(states: Sequence[State]) -> State:
    """Return what holds where all of ``states`` do; one of them where it holds all the others."""
    facts = _join_facts([state.facts for state in states])
    last = None
    for state in states:
        if state.last is not None and (last is None or state.last.place > last.place):
            last = state.last
    for state in states:
        if state.facts is facts and state.last is last:
            return state
    return State(facts, last)


def _join_facts(every: Sequence[Facts]) -> Facts:
    first = every[0]
    if all(facts is first for facts in every):
        return first
    commits = _union([facts.commits for facts in every])
    seals = _union([facts.seals for facts in every])
    shown = _union([facts.shown for facts in every])
    turned_up = opened = left = ended = 0
    judge_ended = False
    for facts in every:
        turned_up |= facts.turned_up
        opened |= facts.opened
        left |= facts.left
        ended |= facts.ended
        judge_ended |= facts.judge_ended
    for facts in every:
        if (
            facts.commits is commits
            and facts.seals is seals
            and facts.shown is shown
            and (facts.turned_up, facts.left, facts.ended, facts.judge_ended) == (turned_up, left, ended, judge_ended)
        ):
            return facts
    in_force = _in_force(seals, first.players + first.judged)
    remaining = ((1 << first.players) - 1) & ~(left | ended)
    return Facts(
        players=first.players,
        judged=first.judged,
        commits=commits,
        seals=seals,
        shown=shown,
        turned_up=turned_up,
        left=left,
        ended=ended,
        judge_ended=judge_ended,
        in_force=in_force,
        opened=opened,
        remaining=remaining,
        phase=_phase(in_force, remaining, judge_ended),
    )


def _union(every: Sequence[frozenset[_T]]) -> frozenset[_T]:
    """Return the union; one of the sets where it contains the others, so that equal sets stay one object."""
    most = max(every, key=len)
    if all(one is most or one <= most for one in every):
        return most
    return most.union(*every)


def _phase(in_force: Commits | None, remaining: int, judge_ended: bool) -> Phase:  # noqa: FBT001 - three facts
    if in_force is None:
        return Phase.SETTING_UP
    return Phase.OVER if judge_ended or remaining & (remaining - 1) == 0 else Phase.ON


def _in_force(seals: frozenset[tuple[int, Commits]], voices: int) -> Commits | None:
    """Return the commits that all have sealed; should there be several, those whose ids sort first."""
    if len(seals) < voices:
        return None
    by_commits: dict[Commits, set[int]] = {}
    for author, commits in seals:
        by_commits.setdefault(commits, set()).add(author)
    return min((commits for commits, authors in by_commits.items() if len(authors) == voices), default=None)
