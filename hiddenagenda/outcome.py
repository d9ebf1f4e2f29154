"""What a verdict can come to: six outcomes, and no way to mistake one for yes or no.

SPEC "Verdict". A word only; what it is about stands in the values that hold it.
"""

import enum
from typing import NoReturn


class Outcome(enum.Enum):
    """How a game, or a lone commitment, stands. The first that applies counts, in the order given here."""

    UNDECIDABLE = "undecidable"
    """There is nothing to judge: no readable table, or an opening without a commitment."""
    BROKEN = "broken"
    """Somebody broke a rule, and bytes signed by that key prove it."""
    OWES = "owes"
    """Something is due and not in these lines; more lines may bring it."""
    NOT_STARTED = "not-started"
    """Not all have sealed the same commits: nobody owes anything yet."""
    PENDING = "pending"
    """Something still lies face down, and it may."""
    KEPT = "kept"
    """Everything was shown and fits, as far as these lines go."""

    def __bool__(self) -> NoReturn:
        """Refuse: there are six outcomes, so none is true or false."""
        msg = "an outcome is not true or false: compare it with one of the six"
        raise TypeError(msg)
