"""What a player may write on a slip: one conspiracy with an agenda, and as many different cards as it asks for.

SPEC "Choosing names"; rules 201.4, 702.106a and f. What is typed becomes the names that are committed to before
anything is hashed. This is a client's care and no law: no name is ever held against an opponent by it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, assert_never

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.conspiracies import Agenda, Conspiracy
from hiddenagenda.cards.conspiracy_names import resolve_conspiracy
from hiddenagenda.cards.remarks import Remark, interchangeable
from hiddenagenda.cards.resolve import Resolved, Unknown, one_card, resolve
from hiddenagenda.cards.table import ENGLISH
from hiddenagenda.cards.usefulness import warning
from hiddenagenda.faults import IllegalMove, Sentence, counted, sentence
from hiddenagenda.value import value

_NO_FURTHER: Final[Mapping[str, Conspiracy]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Choice:
    """One agenda as it will stand on the slip. Its text form says nothing of it."""

    conspiracy: str
    names: tuple[str, ...]
    """In ascending code-point order, as a slip wants them."""
    notices: tuple[Sentence, ...] = ()
    """What became of what was typed."""
    warnings: tuple[Sentence, ...] = ()

    def __repr__(self) -> str:
        return "<Choice: face down>"


def choose_conspiracy(
    typed: str, *, further: Mapping[str, Conspiracy] = _NO_FURTHER
) -> tuple[Conspiracy, tuple[Sentence, ...]]:
    """Return the conspiracy with an agenda that ``typed`` names, with notices.

    ``further`` holds those that a table adds. Raises ``UnknownConspiracy`` (with suggestions), ``RefusedCharacters``,
    or ``IllegalMove`` (code ``no-agenda``) for a conspiracy that has no agenda.
    """
    conspiracy, notices = resolve_conspiracy(typed, further=further)
    if conspiracy.agenda is Agenda.NONE:
        raise IllegalMove(
            sentence("“{conspiracy}” has no hidden agenda: nothing is named for it", conspiracy=conspiracy.name),
            hint=sentence("only a conspiracy with hidden or double agenda gets a slip"),
            code="no-agenda",
        )
    return conspiracy, notices


def choose(
    catalogue: Catalogue,
    conspiracy: str,
    names: Sequence[str],
    *,
    languages: tuple[str, ...] = (ENGLISH,),
    unlisted: bool = False,
    further: Mapping[str, Conspiracy] = _NO_FURTHER,
) -> Choice:
    """Return what ``conspiracy`` and ``names``, as typed, will be on the slip.

    ``languages`` as for ``cards.resolve.resolve``; with ``unlisted`` a name that the list does not have is taken as it
    is typed. Raises as ``choose_conspiracy`` and ``choose_name`` do, and ``IllegalMove`` for another number of names
    than the agenda asks for (code ``number-of-names``) or two that mean one card (``same-name``).
    """
    card, notices = choose_conspiracy(conspiracy, further=further)
    want = card.agenda.names
    if len(names) != want:
        raise IllegalMove(
            counted(
                "“{conspiracy}” asks for {n} card name, not {have}",
                "“{conspiracy}” asks for {n} card names, not {have}",
                n=want,
                have=len(names),
                conspiracy=card.name,
            ),
            code="number-of-names",
        )
    warnings: list[Sentence] = []
    written: list[str] = []
    for typed in names:
        name, found, said = choose_name(catalogue, typed, languages=languages, unlisted=unlisted)
        notices += said
        written.append(name)
        useless = warning(card, found.card) if found else None
        if useless:
            warnings.append(useless)
    _check_different(written)
    return Choice(conspiracy=card.name, names=tuple(sorted(written)), notices=tuple(notices), warnings=tuple(warnings))


def choose_name(
    catalogue: Catalogue, typed: str, *, languages: tuple[str, ...] = (ENGLISH,), unlisted: bool = False
) -> tuple[str, Resolved | None, tuple[Sentence, ...]]:
    """Return the English name that ``typed`` means, the card where the list has it, and notices.

    Raises ``UnknownCardName``, ``AmbiguousCardName`` or ``RefusedCharacters``. ``unlisted`` lets pass only what is
    unknown: a token, a whole split card or a name with two meanings is refused all the same.
    """
    resolution = resolve(catalogue, typed, languages=languages)
    if unlisted and isinstance(resolution, Unknown) and not resolution.lookalikes and resolution.text:
        taken = sentence("“{name}” is not in the list of names; it was taken as it is written", name=resolution.text)
        return resolution.text, None, (*resolution.notices, taken)
    found = one_card(resolution)
    return found.card.name, found, found.notices


def _check_different(names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        for other in names[:place]:
            if name == other or interchangeable(name, other):
                raise IllegalMove(
                    sentence("“{one}” and “{other}” are one card: a double agenda names two", one=other, other=name),
                    code="same-name",
                )


def say_remark(remark: Remark, name: str) -> Sentence | None:
    """Say what a verdict remarks on a name; None where there is nothing to remark on."""
    match remark:
        case Remark.LISTED:
            return None
        case Remark.UNLISTED:
            return sentence("“{name}” is not in the list of card names here", name=name)
        case Remark.TOKEN_ONLY:
            return sentence("“{name}” is only a token in the list of card names here", name=name)
        case Remark.WHOLE_SPLIT:
            return sentence("“{name}” is a whole card of several names: one of them is to be named", name=name)
        case Remark.INTERCHANGEABLE:
            return sentence("“{name}” is one of two names of the same card", name=name)
        case Remark.NOT_CHECKED:
            return sentence("“{name}” was not checked: there is no such list of names here", name=name)
        case _:
            assert_never(remark)


@value
class Tongue:
    """In which language cards are named: what they print there, and the English name beside."""

    language: str = ENGLISH
    names: Catalogue | None = None

    def card(self, name: str) -> str:
        """Return a card's name for the reader."""
        printed = self.names.called(name, self.language) if self.names and self.language != ENGLISH else ()
        return f"{printed[0]} ({name})" if printed and printed[0] != name else name
