"""One entry before the law: who says it, where, and what holds there.

SPEC "Rules and findings". A case answers questions about the place of an entry; it decides nothing.
"""

from dataclasses import dataclass

from msgspec import Struct

from hiddenagenda.agenda import Deed, Role, refused_by_phase
from hiddenagenda.entry import Body, Entry
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.priority import Succession, Turn, may_move
from hiddenagenda.rulebook import Code
from hiddenagenda.setting import Setting
from hiddenagenda.state import Facts, LastMove, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Why an entry is void."""

    code: Code
    said: Sentence | None = None
    slot: int | None = None


class Case(Struct, frozen=True, gc=False):
    """One entry before the law: who says it, where, and what holds there."""

    setting: Setting
    state: State
    author: int
    entry: Entry[Body]
    id: str
    depth: int

    @property
    def role(self) -> Role:
        """As what the author speaks."""
        if self.author == self.setting.judge:
            return Role.JUDGE
        return Role.PLAYER if self.state.facts.remaining >> self.author & 1 else Role.GONE

    def refused_by_phase(self, deed: Deed) -> Refused | None:
        """Refuse what this role may not do, or not now."""
        code = refused_by_phase(self.role, deed, self.state.facts.phase)
        return None if code is None else Refused(code=code)

    def after(self, facts: Facts) -> State:
        """Return the state after this entry, which is no move."""
        return State(facts, self.state.last)

    def after_move(self, facts: Facts, succession: Succession) -> State:
        """Return the state after this entry, which is a move."""
        return State(facts, LastMove(self.depth, self.entry.author, self.id, succession))

    @property
    def turn(self) -> Turn:
        """Who may move here, where moves are tracked."""
        return turn(self.state)

    def without_priority(self) -> Refused:
        """Refuse a move, and say whose it would be."""
        holder = self.turn.holder
        if holder is None:
            said = sentence("nobody has priority")
        else:
            said = sentence("{player} has priority", player=self.setting.table.players[holder].name)
        return Refused(code=Code.WITHOUT_PRIORITY, said=said)


def turn(state: State) -> Turn:
    """Return who may move in ``state``, at a table where moves are tracked."""
    return may_move(state.last.succession if state.last else None, state.facts.remaining)
