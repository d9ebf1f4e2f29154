"""What was concluded, about whom, on which entries; a value with six outcomes, never a bool.

SPEC "Verdict". Card names never make a finding: they earn remarks. Nothing here judges, the verifier does; and
whoever must not overlook a fault asks ``require_kept``.
"""

import enum
from dataclasses import dataclass
from typing import NoReturn

from msgspec import Struct

from hiddenagenda.cards.remarks import Remark
from hiddenagenda.faults import HiddenAgendaError, Sentence, sentence
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Code, Edition, Rule, rule_of


class SlotState(enum.Enum):
    """How a slot lies."""

    FACE_DOWN = "face-down"
    OWED = "owed"
    """Due, and no opening of it is in these lines."""
    TURNED_UP = "turned-up"
    """Its owner opened it while he played."""
    OPENED = "opened"

    __hash__ = object.__hash__  # members are looked up for every entry; to hash their names would be slow


class Phase(enum.Enum):
    """How far a game has come."""

    SETTING_UP = "setting-up"
    ON = "on"
    OVER = "over"

    __hash__ = object.__hash__  # members are looked up for every entry; to hash their names would be slow


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One broken rule, the key that broke it, and the entries that prove it."""

    code: Code
    author: str
    """The key, 64 hex digits."""
    at: tuple[str, ...]
    """Ids of what was done: the void entry, the two halves of a fork, or the opening of a bad form."""
    entries: tuple[str, ...]
    """``at``, then later entries whose signatures vouch for earlier ones: their ancestors alone prove the finding."""
    slot: int | None = None
    said: Sentence | None = None
    """What exactly was wrong, where there is more to say than the code does."""

    @property
    def rule(self) -> Rule:
        """The rule it rests on foremost."""
        return rule_of(self.code)


class NamedCard(Struct, frozen=True, kw_only=True, gc=False):
    """A name on an opened slip, and what the list of names says of it."""

    name: str
    remark: Remark


class Slot(Struct, frozen=True, kw_only=True, gc=False):
    """One slot of one player, who is given as a key; conspiracy and names once it is open."""

    player: str
    slot: int
    state: SlotState
    commitment: str
    conspiracy: str | None = None
    names: tuple[NamedCard, ...] = ()
    opened_by: tuple[str, ...] = ()
    """Ids of the entries that opened it, or showed it again, in display order."""


class Player(Struct, frozen=True, kw_only=True, gc=False):
    """One player, and how he stands: broken, owes, not started, pending or kept."""

    key: str
    name: str
    standing: Outcome
    judge: bool = False
    """Whether it is the judge, who stands here only when broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A line that decided nothing and accuses nobody, and why."""

    line: int | None
    """The number of the line, from 1, where it came from numbered lines."""
    reason: str
    """A short name of the reason, for programs."""
    said: Sentence
    entry: str | None = None
    """The entry's id, where the line could be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How one game stands, as far as these lines go."""

    game: str | None
    """The table's id; None where there is no readable table."""
    outcome: Outcome
    edition: Edition
    """The edition of the rules in which findings are cited."""
    label: str = ""
    phase: Phase = Phase.SETTING_UP
    priority_checked: bool = False
    """Whether moves were tracked, so that priority could be checked."""
    findings: tuple[Finding, ...] = ()
    players: tuple[Player, ...] = ()
    """In turn order; before the start everybody is *pending*."""
    slots: tuple[Slot, ...] = ()
    """In turn order, then by number; none before the start."""
    aside: tuple[Aside, ...] = ()

    def require_kept(self) -> None:
        """Raise ``BrokenAgenda``, ``AgendaOwed``, ``AgendaPending`` or ``NothingToJudge`` unless it was kept."""
        if self.outcome is not Outcome.KEPT:
            raise _ERRORS[self.outcome](self)

    @property
    def remarked(self) -> tuple[Slot, ...]:
        """The open slots with a name that the list does not plainly have: what strict tournaments ask for."""
        return tuple(slot for slot in self.slots if any(card.remark is not Remark.LISTED for card in slot.names))

    def __bool__(self) -> NoReturn:
        """Refuse: there are six outcomes, so a verdict is neither true nor false."""
        msg = "a verdict is not true or false: look at its outcome, or call require_kept()"
        raise TypeError(msg)


class NotKept(HiddenAgendaError):
    """A verdict other than *kept*, which it carries."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(_said(verdict), code=verdict.outcome.value)
        self.verdict = verdict


class BrokenAgenda(NotKept):
    """Somebody broke a rule; ``verdict.findings`` says who, and proves it."""


class AgendaOwed(NotKept):
    """Something is due that is not in these lines; nobody is accused."""


class AgendaPending(NotKept):
    """The game has not started, or something may still lie face down."""


class NothingToJudge(NotKept):
    """There is no readable table."""


_ERRORS = {
    Outcome.BROKEN: BrokenAgenda,
    Outcome.OWES: AgendaOwed,
    Outcome.NOT_STARTED: AgendaPending,
    Outcome.PENDING: AgendaPending,
    Outcome.UNDECIDABLE: NothingToJudge,
}


def _said(verdict: Verdict) -> Sentence:
    match verdict.outcome:
        case Outcome.BROKEN:
            first = verdict.findings[0]
            return sentence("{player}: {code}", player=name_of(verdict, first.author), code=first.code.value)
        case Outcome.OWES:
            owed = next(slot for slot in verdict.slots if slot.state is SlotState.OWED)
            return sentence(
                "no opening of slot {slot} by {player} is in these lines",
                slot=owed.slot,
                player=name_of(verdict, owed.player),
            )
        case Outcome.NOT_STARTED:
            return sentence("the game has not started: not all have sealed the same commits")
        case Outcome.PENDING:
            return sentence("something still lies face down")
        case _:
            return sentence("there is no readable table")


def name_of(verdict: Verdict, key: str) -> str:
    """Return what the player with this key is called at the table; the start of the key where nobody has it."""
    return next((player.name for player in verdict.players if player.key == key), key[:16])
