"""From what somebody typed to one of the conspiracies, with the manners of card names.

SPEC "Names". Exact, then folded, then suggestions that are never taken. Whether a conspiracy found has an
agenda is for the caller to ask.
"""

from collections.abc import Mapping
from types import MappingProxyType

from hiddenagenda.cards.conspiracies import CONSPIRACIES, Conspiracy
from hiddenagenda.cards.folding import clean, fold
from hiddenagenda.faults import Malformed, Sentence, listed, quoted, sentence


class UnknownConspiracy(Malformed):
    """No conspiracy is called so; ``suggestions`` are the names nearest to it, the nearest first."""

    def __init__(self, typed: str, suggestions: tuple[str, ...]) -> None:
        near = sentence("did you mean {names}?", names=listed(map(quoted, suggestions))) if suggestions else None
        super().__init__(
            sentence("no conspiracy is called “{typed}”", typed=typed),
            hint=near,
            code="unknown-conspiracy",
        )
        self.suggestions = suggestions


def resolve_conspiracy(
    typed: str, *, further: Mapping[str, Conspiracy] = MappingProxyType({})
) -> tuple[Conspiracy, tuple[Sentence, ...]]:
    """Return the conspiracy that ``typed`` names, and notices about what was dropped or levelled.

    ``further`` are those of a cube, by name. Raises ``UnknownConspiracy``, or ``RefusedCharacters``.
    """
    cleaned = clean(typed)
    known = {**further, **CONSPIRACIES}
    if found := known.get(cleaned.text):
        return found, cleaned.notices
    by_key = {fold(name): name for name in known}
    name = by_key.get(fold(cleaned.text))
    if name is None:
        # Nobody who spells right needs these.
        from hiddenagenda.cards.lookalikes import as_it_looks  # noqa: PLC0415
        from hiddenagenda.cards.suggestions import nearest  # noqa: PLC0415

        near = nearest(fold(as_it_looks(cleaned.text)), by_key)
        raise UnknownConspiracy(cleaned.text, tuple(by_key[key] for key in near))
    notice = sentence("written “{typed}”, is “{printed}”", typed=cleaned.text, printed=name)
    return known[name], (*cleaned.notices, notice)
