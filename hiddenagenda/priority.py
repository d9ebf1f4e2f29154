"""Who may act now.

SPEC "Priority"; rules 117.1–117.3, 116.3, 514.3. Players are numbers in turn order; sets of players are the bits
of an integer. Moves are ``step``, ``pass`` and ``act`` (turning a slot up is an act). What a position allows
follows from what its last move left behind, less whoever is gone: nothing is replayed, the stack is not modelled.
"""

from dataclasses import dataclass
from typing import Final

QUIET_STEPS: Final = frozenset({"untap", "cleanup"})
"""The steps in which nobody need have priority; no other name of a step has a meaning here."""


@dataclass(frozen=True, slots=True)
class Succession:
    """What a move left behind."""

    active: int
    """The active player; where that one is gone, the next remaining acts for it."""
    next: int
    """The player from whom on the holder is looked for."""
    passed: int
    """Who has passed since somebody last did something else, as bits."""
    quiet: bool = False
    """The step gives nobody priority."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Who may move: ``holder`` has priority, ``stepper`` may open a step; None is nobody."""

    holder: int | None
    stepper: int | None


NOBODY: Final = Turn(None, None)


def may_move(last: Succession | None, remaining: int) -> Turn:
    """Return who may move after ``last`` (None: no move yet); ``remaining`` are the players still in."""
    if not remaining:
        return NOBODY
    if last is None:
        return Turn(None, _first(0, remaining))
    if last.quiet:
        return Turn(None, _first(last.active, remaining))
    if remaining & ~last.passed:
        return Turn(_first(last.next, remaining), None)
    again = _first(last.active, remaining)
    return Turn(again, again)


def after_step(active: int, *, priority: bool) -> Succession:
    """Return what opening a step leaves behind: the active player is asked first, if anybody is."""
    return Succession(active, active, 0, quiet=not priority)


def after_pass(last: Succession, who: int, remaining: int, players: int) -> Succession:
    """Return what a pass leaves behind: the next in turn order is asked.

    After all have passed, the active player's pass begins a new succession.
    """
    passed = last.passed if remaining & ~last.passed else 0
    return Succession(last.active, (who + 1) % players, passed | 1 << who)


def after_act(last: Succession, who: int) -> Succession:
    """Return what an action leaves behind: who acted (116.3) has priority again, and nobody has passed."""
    return Succession(last.active, who, 0)


def _first(start: int, remaining: int) -> int:
    """Return the first remaining player in turn order, ``start`` included."""
    ahead = remaining >> start
    if ahead:
        return start + (ahead & -ahead).bit_length() - 1
    return (remaining & -remaining).bit_length() - 1
