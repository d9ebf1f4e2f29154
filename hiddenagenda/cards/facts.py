"""Well-known facts about names that no list of cards holds: former names, and tokens that are no cards.

SPEC "Names"; rules 201.3 (a former name and the present one are interchangeable) and 111 (tokens). Written
by hand; an imported list adds what it knows. Nothing here convicts.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

FORMER_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Blanka, Ferocious Friend": "The Howling Abomination",
        "Chun-Li, Countless Kicks": "Zethi, Arcane Blademaster",
        "Daryl, Hunter of Walkers": "Hansk, Slayer Zealot",
        "Dhalsim, Pliable Pacifist": "Tadeas, Juniper Ascendant",
        "E. Honda, Sumo Champion": "Baldin, Century Herdmaster",
        "Glenn, the Voice of Calm": "Gregor, Shrewd Magistrate",
        "Guile, Sonic Soldier": "Immard, the Stormcleaver",
        "Ken, Burning Brawler": "Aisha of Sparks and Smoke",
        "Lucille": "Gisa's Favorite Shovel",
        "Michonne, Ruthless Survivor": "Enkira, Hostile Scavenger",
        "Negan, the Cold-Blooded": "Malik, Grim Manipulator",
        "Rick, Steadfast Leader": "Greymond, Avacyn's Stalwart",
        "Ryu, World Warrior": "Vikya, Scorching Stalwart",
        "Zangief, the Red Cyclone": "Maarika, Brutal Gladiator",
    }
)
"""Former English name of a card → its Oracle name of today."""

TOKENS: Final[tuple[str, ...]] = (
    "Blood",
    "Centaur",
    "Citizen",
    "Clue",
    "Construct",
    "Copy",
    "Drake",
    "Eldrazi Scion",
    "Eldrazi Spawn",
    "Elemental",
    "Elephant",
    "Elf Warrior",
    "Food",
    "Goblin",
    "Gold",
    "Golem",
    "Human",
    "Human Soldier",
    "Incubator",
    "Junk",
    "Knight",
    "Lander",
    "Map",
    "Marit Lage",
    "Merfolk",
    "Mutagen",
    "Phyrexian Germ",
    "Pirate",
    "Plant",
    "Powerstone",
    "Rat",
    "Saproling",
    "Servo",
    "Shapeshifter",
    "Shard",
    "Snake",
    "Soldier",
    "Spirit",
    "Squirrel",
    "Thopter",
    "Treasure",
    "Vampire",
    "Voja",
    "Walker",
    "Wolf",
    "Wurm",
    "Zombie",
)
"""Names that tokens bear. Some of them are names of cards, too; those may be named."""

NOT_REBALANCED: Final = frozenset({"A-Town"})
"""Cards whose own name looks like the mark ``A-`` that lists put before rebalanced digital versions."""
