"""Who plays, in turn order, and by what was agreed before.

SPEC "The table". The first entry of a game holds a table; the entry's id is the game's. What is at fault here names
nobody: there is just no table that could be read. That look-alike names are refused is a client's habit, no rule.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from hiddenagenda.cards.conspiracies import AGENDA_KINDS, Agenda
from hiddenagenda.faults import Malformed, Sentence, sentence
from hiddenagenda.publickey import known_key
from hiddenagenda.seat import Seat
from hiddenagenda.shape import Digest, Shape, Text

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 16
MOST_FURTHER: Final = 256
"""Agenda cards that a table may list besides those of the rules."""


class Judge(Shape, frozen=True, kw_only=True):
    """Who judges at a table."""

    key: Digest
    name: Text

    def __post_init__(self) -> None:
        """Raise ``UnusableKey`` for an unsafe key."""
        known_key(self.key)


class NamesList(Shape, frozen=True, kw_only=True):
    """Which list of card names a table speaks of."""

    date: Text
    digest: Digest


class AgendaCard(Shape, frozen=True, kw_only=True):
    """A further conspiracy with an agenda, e.g. of a cube."""

    agenda: Literal["hidden", "double"]
    name: Text


class Table(Shape, frozen=True, kw_only=True):
    """Who plays, in turn order, and by what; the entry's id is the game's."""

    conspiracies: Annotated[tuple[AgendaCard, ...], Meta(max_length=MOST_FURTHER)] | UnsetType = UNSET
    edition: Text
    judge: Judge | UnsetType = UNSET
    label: Text
    names: NamesList | UnsetType = UNSET
    players: Annotated[tuple[Seat, ...], Meta(min_length=FEWEST_PLAYERS, max_length=MOST_PLAYERS)]
    priority: Literal["declared", "tracked"]
    protocol: Literal["hiddenagenda/1"] = "hiddenagenda/1"

    def __post_init__(self) -> None:
        """Raise ``Malformed`` for too few or too many players, and for what is listed twice or by the rules."""
        if not FEWEST_PLAYERS <= len(self.players) <= MOST_PLAYERS:
            raise no_table(
                sentence(
                    "a table has {fewest} to {most} players, this one {have}",
                    fewest=FEWEST_PLAYERS,
                    most=MOST_PLAYERS,
                    have=len(self.players),
                )
            )
        people: list[Seat | Judge] = [*self.players]
        if self.judge is not UNSET:
            people.append(self.judge)
        if len({person.key for person in people}) < len(people):
            raise no_table(sentence("two at this table have the same key"))
        if len({person.name for person in people}) < len(people):
            raise no_table(sentence("two at this table have the same name"))
        if self.conspiracies is not UNSET:
            names = {card.name for card in self.conspiracies}
            if len(names) < len(self.conspiracies):
                raise no_table(sentence("it lists a conspiracy twice"))
            if not names.isdisjoint(AGENDA_KINDS):
                raise no_table(sentence("it lists a conspiracy that has its agenda by the rules"))

    @property
    def roster(self) -> tuple[str, ...]:
        """The keys of the players in turn order, then the judge's where one sits."""
        keys = tuple(seat.key for seat in self.players)
        return keys if self.judge is UNSET else (*keys, self.judge.key)

    @property
    def further(self) -> Mapping[str, Agenda]:
        """The agenda cards of this table besides the fifteen, by name."""
        cards = () if self.conspiracies is UNSET else self.conspiracies
        return MappingProxyType({card.name: Agenda(card.agenda) for card in cards})


def no_table(said: Sentence) -> Malformed:
    """Say why something is no table that can be read."""
    return Malformed(sentence("this is no table: {what}", what=said), code="misshapen")
