"""The word by which people call a game, and the date that keeps last week's slips out of this week's.

SPEC "The slip". Labels are for slips without a table; a table has an id. What day it is, others say.
"""

import re
from typing import Final

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} ")


def labelled(word: str, *, date: str) -> str:
    """Return the label of a game: ``word`` with the ISO ``date`` before it, unless it begins with a date already.

    A word that comes back every week would make last week's commitments fit this week's game.
    """
    return word if _DATE.match(word) else f"{date} {word}"


def undated(game: str) -> str:
    """Return a game's label without the date before it, as ``labelled`` puts it there."""
    return _DATE.sub("", game, count=1)
