"""Phases and slots as transition tables; an absent cell is the refusal.

SPEC "Phases and slots", whose diagrams and table a test makes of these. They do not know who "we" are: they speak of
roles. What lies in a slot, and whether a slip fits, is not their business.
"""

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hiddenagenda.rulebook import Code
from hiddenagenda.verdict import Phase, SlotState


class Happening(enum.Enum):
    """What moves a game from one phase to the next."""

    ALL_SEALED = "all have sealed the same commits"
    ONE_LEFT = "at most one player has neither left nor ended, or the judge has ended it"


class Role(enum.Enum):
    """Who speaks, in the ancestors of an entry."""

    PLAYER = "player"
    GONE = "player who has left or ended"
    JUDGE = "judge"

    __hash__ = object.__hash__  # members are looked up for every entry; to hash their names would be slow


class Deed(enum.Enum):
    """What can be done; ``open`` and ``leave`` are several deeds, by whose slots they are and when."""

    COMMIT = "commit"
    SEAL = "seal"
    TURN_UP = "turn up"
    SHOW = "show one's own"
    SHOW_ANOTHERS = "show another's"
    APPLY = "apply"
    PLAY = "play"
    LEAVE = "leave"
    REMOVE = "remove a player"
    END = "end"
    NOTE = "note"

    __hash__ = object.__hash__  # members are looked up for every entry; to hash their names would be slow


NEXT_PHASE: Final[Mapping[tuple[Phase, Happening], Phase]] = MappingProxyType(
    {
        (Phase.SETTING_UP, Happening.ALL_SEALED): Phase.ON,
        (Phase.ON, Happening.ONE_LEFT): Phase.OVER,
    }
)
"""A game never goes back, and nothing else moves it."""

_ALWAYS: Final = frozenset(Phase)
_ONCE_ON: Final = frozenset({Phase.ON, Phase.OVER})
_WHILE_ON: Final = frozenset({Phase.ON})

PERMITTED: Final[Mapping[tuple[Role, Deed], frozenset[Phase]]] = MappingProxyType(
    {
        (Role.PLAYER, Deed.COMMIT): _ALWAYS,
        (Role.PLAYER, Deed.SEAL): _ALWAYS,
        (Role.PLAYER, Deed.TURN_UP): _WHILE_ON,
        (Role.PLAYER, Deed.SHOW): _ONCE_ON,
        (Role.PLAYER, Deed.SHOW_ANOTHERS): _ONCE_ON,
        (Role.PLAYER, Deed.APPLY): _WHILE_ON,
        (Role.PLAYER, Deed.PLAY): _WHILE_ON,
        (Role.PLAYER, Deed.LEAVE): _ONCE_ON,
        (Role.PLAYER, Deed.END): _ONCE_ON,
        (Role.PLAYER, Deed.NOTE): _ALWAYS,
        (Role.GONE, Deed.COMMIT): _ALWAYS,
        (Role.GONE, Deed.SEAL): _ALWAYS,
        (Role.GONE, Deed.SHOW): _ONCE_ON,
        (Role.GONE, Deed.SHOW_ANOTHERS): _ONCE_ON,
        (Role.GONE, Deed.APPLY): frozenset(),
        (Role.GONE, Deed.PLAY): frozenset(),
        (Role.GONE, Deed.LEAVE): _ONCE_ON,
        (Role.GONE, Deed.END): _ONCE_ON,
        (Role.GONE, Deed.NOTE): _ALWAYS,
        (Role.JUDGE, Deed.SEAL): _ALWAYS,
        (Role.JUDGE, Deed.SHOW_ANOTHERS): _ONCE_ON,
        (Role.JUDGE, Deed.REMOVE): _ONCE_ON,
        (Role.JUDGE, Deed.END): _ONCE_ON,
        (Role.JUDGE, Deed.NOTE): _ALWAYS,
    }
)
"""In which phases a role may do something. Commits and seals are bounded by number, not by phase."""

NEXT_STATE: Final[Mapping[tuple[SlotState, Deed], SlotState]] = MappingProxyType(
    {
        (SlotState.FACE_DOWN, Deed.TURN_UP): SlotState.TURNED_UP,
        (SlotState.FACE_DOWN, Deed.SHOW): SlotState.OPENED,
        (SlotState.FACE_DOWN, Deed.LEAVE): SlotState.OPENED,
        (SlotState.FACE_DOWN, Deed.REMOVE): SlotState.OPENED,
        (SlotState.OWED, Deed.SHOW): SlotState.OPENED,
        (SlotState.OWED, Deed.SHOW_ANOTHERS): SlotState.OPENED,
        (SlotState.OWED, Deed.LEAVE): SlotState.OPENED,
        (SlotState.OWED, Deed.REMOVE): SlotState.OPENED,
        **{
            (state, deed): state
            for state in (SlotState.TURNED_UP, SlotState.OPENED)
            for deed in (Deed.TURN_UP, Deed.SHOW, Deed.SHOW_ANOTHERS, Deed.LEAVE, Deed.REMOVE, Deed.APPLY)
        },
    }
)
"""What a deed makes of a slot. To open again what is open changes nothing and is no fault."""

_PERMITTED: Final = dict(PERMITTED)  # asked for every entry: a plain dict answers fastest
_REFUSED_BY_SLOT: Final = {Deed.SHOW_ANOTHERS: Code.OPENED_BEFORE_DUE, Deed.APPLY: Code.APPLIED_FACE_DOWN}


def refused_by_phase(role: Role, deed: Deed, phase: Phase) -> Code | None:
    """Return the code of the finding where this role may not do this now, or None where it may."""
    phases = _PERMITTED.get((role, deed))
    if phases is None:
        return Code.NOT_ENTITLED
    if phase in phases:
        return None
    return Code.BEFORE_START if phase is Phase.SETTING_UP else Code.AFTER_OWN_EXIT


def refused_by_slot(state: SlotState, deed: Deed) -> Code | None:
    """Return the code of the finding where this may not be done to a slot that lies so, or None where it may."""
    return None if (state, deed) in NEXT_STATE else _REFUSED_BY_SLOT[deed]


def slot_state(*, turned_up: bool, opened: bool, due: bool) -> SlotState:
    """Return how a slot lies by what is known of it: it is face down until opened, and then owed once due."""
    if turned_up:
        return SlotState.TURNED_UP
    if opened:
        return SlotState.OPENED
    return SlotState.OWED if due else SlotState.FACE_DOWN
