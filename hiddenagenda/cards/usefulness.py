"""Whether a conspiracy's agenda can do anything with a card of this name.

SPEC "Names". Naming a card that the conspiracy cannot use is legal and useless, which is worth a warning
before it is sealed and nothing afterwards. Says nothing where the type of a card is not known.
"""

from enum import Enum
from typing import Final, assert_never

from hiddenagenda.cards.conspiracies import Conspiracy, Works
from hiddenagenda.cards.table import Row
from hiddenagenda.faults import Sentence, sentence


class Use(Enum):
    """What a card is good for under an agenda."""

    WORKS = "works"
    ONLY_AS_CREATURE = "only as a creature"
    """A permanent card that is no creature: it works while something makes it one."""
    USELESS = "useless"
    UNKNOWN = "unknown"


_CREATURE: Final = frozenset({"creature", "summon", "eaturecray"})
_SPELL: Final = frozenset({"instant", "sorcery"})
_OUTSIDE: Final = frozenset(
    {
        "conspiracy",
        "dungeon",
        "emblem",
        "phenome-nom",
        "phenomenon",
        "plane",
        "scheme",
        "sticker",
        "stickers",
        "vanguard",
    }
)


def use(conspiracy: Conspiracy, card: Row) -> Use:
    """Say what ``card``, the row of an Oracle name, is good for when it is named for ``conspiracy``.

    A name that several cards share is as good as the best of them.
    """
    if card.type_line is None:
        return Use.UNKNOWN
    uses = {_use(conspiracy.works_on, line.partition(" — ")[0]) for line in card.type_line.split(" // ")}
    return next(one for one in Use if one in uses)


def _use(works_on: Works, types: str) -> Use:
    words = frozenset(types.lower().split())
    outside, creature, spell = (not words.isdisjoint(kind) for kind in (_OUTSIDE, _CREATURE, _SPELL))
    match works_on:
        case Works.INSTANT_OR_SORCERY:
            works = spell
        case Works.CASTABLE:
            works = not outside and "land" not in words
        case Works.CREATURE_SPELL:
            works = creature and "land" not in words
        case Works.CREATURE:
            if not (creature or spell or outside):
                return Use.ONLY_AS_CREATURE
            works = creature
        case Works.NOTHING:
            works = False
        case Works.ANYTHING:
            works = True
        case _:
            assert_never(works_on)
    return Use.WORKS if works else Use.USELESS


def warning(conspiracy: Conspiracy, card: Row) -> Sentence | None:
    """Return what to tell somebody who is about to name ``card`` for ``conspiracy``, or None."""
    match use(conspiracy, card):
        case Use.USELESS:
            return sentence(
                "legal but useless: “{conspiracy}” does nothing for “{card}” ({types})",
                conspiracy=conspiracy.name,
                card=card.name,
                types=card.type_line,
            )
        case Use.ONLY_AS_CREATURE:
            return sentence(
                "“{conspiracy}” works on creatures; “{card}” ({types}) is one only if something makes it so",
                conspiracy=conspiracy.name,
                card=card.name,
                types=card.type_line,
            )
        case _:
            return None
