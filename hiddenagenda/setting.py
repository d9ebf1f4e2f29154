"""A table in the law's terms: everybody's number, and what is fixed before the first move.

SPEC "State". Players have the numbers 0, 1, … in turn order, the judge has the next one. Nothing here depends on what
is valid: commits are looked up by their ids, which fix what they say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from msgspec import UNSET

from hiddenagenda.cards.conspiracies import Agenda
from hiddenagenda.entry import Commit
from hiddenagenda.state import Facts, State
from hiddenagenda.table import Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setting:
    """One game's table, and what its commits say."""

    game: str
    """The table's id."""
    table: Table
    numbers: Mapping[str, int]
    """By key."""
    players: int
    judge: int | None
    tracked: bool
    further: Mapping[str, Agenda]
    commits: Mapping[str, Commit]
    """By id."""

    @classmethod
    def of(cls, game: str, table: Table, commits: Mapping[str, Commit]) -> Self:
        """Return the setting of the game whose table has the id ``game``; ``commits`` are its commits by id."""
        return cls(
            game=game,
            table=table,
            numbers={key: number for number, key in enumerate(table.roster)},
            players=len(table.players),
            judge=None if table.judge is UNSET else len(table.players),
            tracked=table.priority == "tracked",
            further=table.further,
            commits=commits,
        )

    @property
    def beginning(self) -> State:
        """What holds after the table."""
        return State(Facts.at_first(players=self.players, judged=self.judge is not None))

    def commitments(self, facts: Facts, owner: int) -> tuple[str, ...]:
        """Return the commitments in force of a player, as hex, in slot order; none before the start."""
        return self.commits[facts.in_force[owner]].commitments if facts.in_force else ()
