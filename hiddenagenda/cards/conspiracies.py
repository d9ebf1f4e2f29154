"""The conspiracy cards: which have an agenda, of what kind, and on what that agenda works.

SPEC "Names"; rules 702.106 (hidden and double agenda) and 315 (conspiracies). Pure data, without a table of
card names, because the verifier reads it: the kind of agenda is what a slip can be convicted by.
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from hiddenagenda.value import value


class Agenda(Enum):
    """How many names are written on the slip of a conspiracy."""

    NONE = "none"
    HIDDEN = "hidden"
    DOUBLE = "double"

    @property
    def names(self) -> int:
        """The number of names that this kind of agenda takes: 0, 1 or 2."""
        return _NAMES[self]


_NAMES: Final = {Agenda.NONE: 0, Agenda.HIDDEN: 1, Agenda.DOUBLE: 2}


class Works(Enum):
    """On what a card of the chosen name must be for the agenda to do anything."""

    NOTHING = "nothing"
    """It asks for no name."""
    CREATURE = "creature"
    """A creature while it is in play; how it became one does not matter."""
    CREATURE_SPELL = "creature spell"
    """A creature while it is cast and searched for."""
    INSTANT_OR_SORCERY = "instant or sorcery"
    CASTABLE = "castable"
    """Anything that can be cast."""
    ANYTHING = "anything"
    """Not known here, as of a card that a table adds: nothing is warned of."""


@value
class Conspiracy:
    """A conspiracy card: its name, the kind of its agenda, and on what the agenda works."""

    name: str
    agenda: Agenda
    works_on: Works


def _all() -> Mapping[str, Conspiracy]:
    creature = (
        "Adriana's Valor",
        "Assemble the Rank and Vile",
        "Echoing Boon",
        "Hired Heist",
        "Immediate Action",
        "Incendiary Dissent",
        "Muzzio's Preparations",
        "Natural Unity",
        "Secret Summoning",
        "Secrets of Paradise",
    )
    without = (
        "Advantageous Proclamation",
        "Backup Plan",
        "Command From the Shadows",
        "Emissary's Ploy",
        "Everyone's an Imposter",
        "Hold the Perimeter",
        "Hymn of the Wilds",
        "Marchesa's Surprise Party",
        "Power Play",
        "Rule with an Even Hand",
        "Sentinel Dispatch",
        "Sovereign's Realm",
        "Weight Advantage",
        "Worldknit",
    )
    groups = (
        (creature, Agenda.HIDDEN, Works.CREATURE),
        (("Double Stroke", "Iterative Analysis"), Agenda.HIDDEN, Works.INSTANT_OR_SORCERY),
        (("Brago's Favor", "Unexpected Potential"), Agenda.HIDDEN, Works.CASTABLE),
        (("Summoner's Bond",), Agenda.DOUBLE, Works.CREATURE_SPELL),
        (without, Agenda.NONE, Works.NOTHING),
    )
    cards = [Conspiracy(name=name, agenda=agenda, works_on=works) for names, agenda, works in groups for name in names]
    return MappingProxyType({card.name: card for card in sorted(cards, key=lambda card: card.name)})


CONSPIRACIES: Final[Mapping[str, Conspiracy]] = _all()
"""The 29 conspiracies by name, in order of their names; 15 have an agenda."""

AGENDA_KINDS: Final[Mapping[str, Agenda]] = MappingProxyType(
    {card.name: card.agenda for card in CONSPIRACIES.values() if card.agenda is not Agenda.NONE}
)
"""The 15 conspiracies with an agenda, and its kind: all that a verdict asks about conspiracies."""
