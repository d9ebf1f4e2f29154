"""What can be said about the names on a slip that was opened: remarks, which never convict.

SPEC "Names" and "Verdict". Lists are dated, cards get new names, and lists can be doctored; so a name that
is missing from a list proves nothing, and two readers with other lists may remark other things.
"""

import hmac
from enum import Enum

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.facts import FORMER_NAMES
from hiddenagenda.cards.table import ENGLISH, Kind


class Remark(Enum):
    """What the list says of one name; only ``LISTED`` is nothing to remark on."""

    LISTED = "listed"
    UNLISTED = "unlisted"
    TOKEN_ONLY = "token-only"  # noqa: S105 - a kind of game piece
    WHOLE_SPLIT = "whole-split"
    INTERCHANGEABLE = "interchangeable"
    """A former name of a listed card, or one of two names on the slip that mean one card. (Rule 201.3)"""
    NOT_CHECKED = "not-checked"
    """There is no list here, or it is another one than the game pins."""


def interchangeable(one: str, other: str) -> bool:
    """Whether two different English names mean the same card by rule 201.3, as far as is known by heart."""
    return one != other and FORMER_NAMES.get(one, one) == FORMER_NAMES.get(other, other)


def remark(catalogue: Catalogue | None, name: str, *, digest: str | None = None) -> Remark:
    """Say what ``catalogue`` knows of ``name``, as the very string that stands on the slip.

    ``digest`` is what the game pins, if it pins a list; another one's word is not asked.
    """
    if catalogue is None or not (digest is None or hmac.compare_digest(digest, catalogue.digest)):
        return Remark.NOT_CHECKED
    kinds = {row.kind for row in catalogue.spelled(name) if row.printed == name and row.language == ENGLISH}
    if any(kind.may_be_named for kind in kinds):
        return Remark.LISTED
    for kind, said in _SAID.items():
        if kind in kinds:
            return said
    return Remark.UNLISTED


_SAID = {
    Kind.FORMER: Remark.INTERCHANGEABLE,
    Kind.WHOLE: Remark.WHOLE_SPLIT,
    Kind.TOKEN: Remark.TOKEN_ONLY,
}


def remarks(catalogue: Catalogue | None, names: tuple[str, ...], *, digest: str | None = None) -> tuple[Remark, ...]:
    """Return a remark for each of a slip's ``names``, in their order; two that mean one card are said to."""

    def one(name: str) -> Remark:
        said = remark(catalogue, name, digest=digest)
        twin = any(interchangeable(name, other) for other in names)
        return Remark.INTERCHANGEABLE if twin and said is Remark.LISTED else said

    return tuple(map(one, names))
