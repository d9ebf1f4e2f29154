"""What names a card has, when a list writes all of them in one text: halves, faces, and marks of the list.

SPEC "Names"; rules 201.4 (what may be named) and 712, 715, 720 (faces, adventures, omens). Takes off what
lists add to names; changes nothing else.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from hiddenagenda.cards.facts import FORMER_NAMES, NOT_REBALANCED
from hiddenagenda.cards.table import ENGLISH, Kind, Row

JOINT: Final = " // "
"""What lists write between the names of one card."""

_BLANKS: Final = re.compile(r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_MARK: Final = re.compile(r" \((?:Playtest|Plane|[a-z])\)$")


def tidy(text: str) -> str:
    """Return ``text`` in NFC with single plain blanks, as names are typed; line breaks and controls stay and show."""
    if text.isascii() and "  " not in text:
        return text.strip(" ")
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def is_rebalanced(name: str) -> bool:
    """Whether a list marks this as the changed digital version of another card: ``A-Demilich``."""
    return name.startswith("A-") and name not in NOT_REBALANCED


def unmarked(name: str) -> str:
    """Take off what lists add to tell cards of one name apart, as in ``Everythingamajig (b)``."""
    return _MARK.sub("", name)


def parts(name: str) -> tuple[str, ...]:
    """Return the different names in a text like ``Fire // Ice``, in order; one for a name without the joint."""
    return tuple(dict.fromkeys(unmarked(part) for part in name.split(JOINT)))


def named(name: str, *, layout: str, types: Sequence[str | None]) -> Iterator[Row]:
    """Yield the English rows of a card that a list calls ``name``: itself, or each part and the whole.

    ``types`` are the parts' type lines as far as they are known, in order. A rebalanced version yields
    nothing, and ``Sol Ring // Sol Ring`` one row, since it is one name.
    """
    if is_rebalanced(name):
        return
    found = parts(name)
    lines = (*types, *(None,) * len(found))
    if found[0] in FORMER_NAMES:  # a list from before the card got its present name
        yield Row(printed=found[0], language=ENGLISH, kind=Kind.FORMER, name=FORMER_NAMES[found[0]])
        return
    if len(found) == 1:
        yield Row(
            printed=found[0],
            language=ENGLISH,
            kind=Kind.CARD,
            name=found[0],
            layout=layout,
            type_line=lines[0],
        )
        return
    kind = Kind.HALF if layout in {"split", "aftermath"} else Kind.FACE
    for part, line in zip(found, lines, strict=False):
        yield Row(printed=part, language=ENGLISH, kind=kind, name=part, layout=layout, type_line=line)
    whole = JOINT.join(found)
    yield Row(printed=whole, language=ENGLISH, kind=Kind.WHOLE, name=whole, layout=layout)
