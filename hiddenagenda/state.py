"""What holds after an entry: a union of what was validly said, never a replay.

SPEC "State". States are values, shared along chains and joined where chains meet; a join asks nothing about order,
but for the last move. Players are numbers in turn order, the judge comes after them; sets of players and of slots
are the bits of an integer. Nothing here says what is valid.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from hiddenagenda.entry import ShownSlip
from hiddenagenda.priority import Succession
from hiddenagenda.slip import MOST_SLOTS
from hiddenagenda.verdict import Phase

Commits: TypeAlias = tuple[str, ...]
"""Ids of one commit of every player, in turn order."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Shown:
    """A slip that was validly opened, and whose."""

    owner: int
    slip: ShownSlip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Facts:
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

    in_force: Commits | None = field(init=False)
    """The commits that everybody has sealed; None before the game is on."""
    opened: int = field(init=False)
    """Slots, as bits."""
    remaining: int = field(init=False)
    """Players who have neither left nor ended, as bits."""
    phase: Phase = field(init=False)

    def __post_init__(self) -> None:
        """Work out what follows from the rest, once for each value."""
        remaining = ((1 << self.players) - 1) & ~(self.left | self.ended)
        in_force = _in_force(self.seals, self.players + self.judged)
        over = self.judge_ended or remaining & (remaining - 1) == 0
        opened = 0
        for shown in self.shown:
            opened |= slot_bit(shown.owner, shown.slip.slot)
        object.__setattr__(self, "remaining", remaining)
        object.__setattr__(self, "in_force", in_force)
        object.__setattr__(self, "opened", opened)
        object.__setattr__(self, "phase", Phase.SETTING_UP if in_force is None else Phase.OVER if over else Phase.ON)


@dataclass(frozen=True, slots=True)
class LastMove:
    """The last valid move in display order, and what it left behind."""

    depth: int
    author: str
    id: str
    succession: Succession

    @property
    def place(self) -> tuple[int, str, str]:
        """Where it stands in display order."""
        return (self.depth, self.author, self.id)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """What holds after an entry: facts, which seldom change, and the last move, which often does."""

    facts: Facts
    last: LastMove | None = None


def slot_bit(owner: int, slot: int) -> int:
    """Return the bit of a slot (from 1) of a player (from 0)."""
    return 1 << owner * MOST_SLOTS + slot - 1


def join(states: Iterable[State]) -> State:
    """Return what holds where all of ``states`` do; one of them where it holds all the others."""
    rest = iter(states)
    joined = next(rest)
    for state in rest:
        if state is not joined:
            joined = _join(joined, state)
    return joined


def _join(one: State, other: State) -> State:
    facts = one.facts if one.facts is other.facts else _join_facts(one.facts, other.facts)
    last = _later(one.last, other.last)
    for state in (one, other):
        if state.facts is facts and state.last is last:
            return state
    return State(facts, last)


def _later(one: LastMove | None, other: LastMove | None) -> LastMove | None:
    if one is None or other is None:
        return one or other
    return one if one.place >= other.place else other


def _join_facts(one: Facts, other: Facts) -> Facts:
    commits = _union(one.commits, other.commits)
    seals = _union(one.seals, other.seals)
    shown = _union(one.shown, other.shown)
    turned_up = one.turned_up | other.turned_up
    left = one.left | other.left
    ended = one.ended | other.ended
    judge_ended = one.judge_ended or other.judge_ended
    for facts in (one, other):
        if (
            facts.commits is commits
            and facts.seals is seals
            and facts.shown is shown
            and (facts.turned_up, facts.left, facts.ended, facts.judge_ended) == (turned_up, left, ended, judge_ended)
        ):
            return facts
    return Facts(
        players=one.players,
        judged=one.judged,
        commits=commits,
        seals=seals,
        shown=shown,
        turned_up=turned_up,
        left=left,
        ended=ended,
        judge_ended=judge_ended,
    )


def _union(one: frozenset[_T], other: frozenset[_T]) -> frozenset[_T]:
    """Return the union; the operand itself where it contains the other, so that equal sets stay one object."""
    if one is other or one >= other:
        return one
    return other if other >= one else one | other


def _in_force(seals: frozenset[tuple[int, Commits]], voices: int) -> Commits | None:
    """Return the commits that all have sealed; should there be several, those whose ids sort first."""
    if len(seals) < voices:
        return None
    by_commits: dict[Commits, set[int]] = {}
    for author, commits in seals:
        by_commits.setdefault(commits, set()).add(author)
    return min((commits for commits, authors in by_commits.items() if len(authors) == voices), default=None)
