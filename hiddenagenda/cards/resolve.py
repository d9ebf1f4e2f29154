"""From what somebody typed to the one English name that the slip will hold, or to why there is none.

SPEC "Names"; rules 201.2 to 201.4. The order: exact; then folded; then the spellings of other lists; then
suggestions, which are never taken. Two candidates are listed and none is chosen. Asks the catalogue, judges
nobody.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, assert_never

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.folding import RefusedCharacters, clean, fold
from hiddenagenda.cards.names import JOINT, parts, unmarked
from hiddenagenda.cards.table import ENGLISH, Kind, Row
from hiddenagenda.faults import Malformed, Sentence, listed, quoted, sentence
from hiddenagenda.value import value

if TYPE_CHECKING:
    from hiddenagenda.cards.lookalikes import Lookalike

ANY_LANGUAGE: Final[tuple[str, ...]] = ()
"""For ``resolve``: the player did not say in which language the name is."""


@value
class Candidate:
    """A card somebody may mean: its row under the Oracle name, and the row under which it was found."""

    card: Row
    found: Row


@value
class Resolved:
    """One card. ``card.name`` is what the slip holds, ``found.printed`` what stands on the card."""

    card: Row
    found: Row
    notices: tuple[Sentence, ...]


@value
class Ambiguous:
    """Several cards, of which none was chosen, in order of their names."""

    typed: str
    candidates: tuple[Candidate, ...]
    notices: tuple[Sentence, ...]


@value
class WholeCard:
    """All names of one card, joined; one of ``candidates`` is to be named (rule 201.4)."""

    typed: str
    name: str
    candidates: tuple[Candidate, ...]
    notices: tuple[Sentence, ...]


@value
class TokenOnly:
    """The name of a token that no card bears."""

    typed: str
    name: str
    suggestions: tuple[Candidate, ...]
    notices: tuple[Sentence, ...]


@value
class Unknown:
    """No name of the catalogue. ``text`` is what was typed, cleaned, for whoever accepts unlisted names."""

    typed: str
    text: str
    suggestions: tuple[Candidate, ...]
    lookalikes: "tuple[Lookalike, ...]"
    notices: tuple[Sentence, ...]


@value
class Refused:
    """Characters that no name may hold."""

    typed: str
    error: RefusedCharacters


Resolution = Resolved | Ambiguous | WholeCard | TokenOnly | Unknown | Refused


def resolve(catalogue: Catalogue, typed: str, *, languages: tuple[str, ...] = (ENGLISH,)) -> Resolution:
    """Say which card ``typed`` names.

    ``languages``: one that the player stated decides alone, where it knows the name; several (guessed from a
    locale) are asked together, so that a name that means different cards in them is ambiguous; ``ANY_LANGUAGE``
    asks all. Where they do not know the name, English is asked, then all others. (SPEC "Names")
    """
    try:
        cleaned = clean(typed)
    except RefusedCharacters as error:
        return Refused(typed=typed, error=error)
    everything = frozenset(catalogue.languages)
    asked = frozenset(languages) or everything
    for text in _spellings(cleaned.text):
        rows = catalogue.spelled(text)
        for tier in (asked, frozenset({ENGLISH}), everything):
            found = _choose(catalogue, text, [row for row in rows if row.language in tier], tier)
            outcome = _outcome(catalogue, cleaned.text, found, cleaned.notices)
            if outcome is not None:
                return outcome
    # Nobody who spells right needs these.
    from hiddenagenda.cards.lookalikes import lookalikes  # noqa: PLC0415
    from hiddenagenda.cards.suggestions import suggest  # noqa: PLC0415

    near = tuple(_candidates(catalogue, suggest(catalogue, cleaned.text, asked | {ENGLISH})))
    for row in catalogue.spelled(cleaned.text):
        if row.kind is Kind.TOKEN:
            return TokenOnly(typed=typed, name=row.name, suggestions=near, notices=cleaned.notices)
    return Unknown(
        typed=typed,
        text=cleaned.text,
        suggestions=near,
        lookalikes=lookalikes(cleaned.text),
        notices=cleaned.notices,
    )


_SLASHES: Final = re.compile(r" */+ *")


def _spellings(text: str) -> Iterator[str]:
    """Yield the text, then what it is without the marks and joints that other lists of cards use."""
    yield text
    if unmarked(text) != text:
        yield unmarked(text)
    pieces = parts(JOINT.join(part.removeprefix("A-") for part in _SLASHES.split(text)))
    alike = {fold(piece) for piece in pieces}
    yield pieces[0] if len(alike) == 1 else JOINT.join(pieces)


def _choose(catalogue: Catalogue, text: str, rows: list[Row], tier: frozenset[str]) -> dict[str, Candidate]:
    """Return the candidates among rows that fold alike, by Oracle name.

    The exact name wins. But somebody who types no accents may mean an accented name as well, so in
    languages that have them a plain text wins only where it is alone: "Gobelin enrage" is a misprint of one
    card and, typed, means another.
    """
    exact = [row for row in rows if row.printed == text]
    if exact and (tier == {ENGLISH} or not text.isascii()):
        rows = exact
    exact_last = sorted(rows, key=lambda row: row.printed == text)
    return {found.card.name: found for found in _candidates(catalogue, exact_last)}


def _candidates(catalogue: Catalogue, rows: Iterable[Row]) -> Iterator[Candidate]:
    for row in rows:
        if row.kind is Kind.WHOLE:
            yield Candidate(card=row, found=row)
        elif row.kind is not Kind.TOKEN and (card := _card(catalogue, row.name)):
            yield Candidate(card=card, found=row)


def _card(catalogue: Catalogue, name: str) -> Row | None:
    """Return the card of this Oracle name, or of this former one: a list in another language may be older."""
    if card := catalogue.card(name):
        return card
    former = (row for row in catalogue.spelled(name) if row.kind is Kind.FORMER and row.printed == name)
    return next((card for row in former if (card := catalogue.card(row.name))), None)


def _outcome(
    catalogue: Catalogue, typed: str, found: dict[str, Candidate], notices: tuple[Sentence, ...]
) -> Resolution | None:
    """Make an outcome of the candidates by name; None where there are none."""
    match tuple(found[name] for name in sorted(found)):
        case ():
            return None
        case (Candidate(card=card, found=row),) if card.kind is Kind.WHOLE:
            halves = (half for part in parts(card.name) if (half := catalogue.card(part)))
            candidates = tuple(Candidate(card=half, found=half) for half in halves)
            return WholeCard(typed=typed, name=card.name, candidates=candidates, notices=notices)
        case (Candidate(card=card, found=row),):
            return Resolved(card=card, found=row, notices=(*notices, *_how(typed, card, row)))
        case candidates:
            return Ambiguous(typed=typed, candidates=candidates, notices=notices)


def _how(typed: str, card: Row, found: Row) -> Iterator[Sentence]:
    """Say how what was typed became this card, where they differ."""
    if found.printed != typed:
        yield sentence("written “{typed}”, is “{printed}”", typed=typed, printed=found.printed)
    if found.printed == card.name:
        return
    match found.kind:
        case Kind.FORMER:
            yield sentence("“{printed}” is called “{name}” now", printed=found.printed, name=card.name)
        case Kind.FLAVOR:
            yield sentence("“{printed}” is a second title of “{name}”", printed=found.printed, name=card.name)
        case _:
            yield sentence("“{printed}” is “{name}” in English", printed=found.printed, name=card.name)


class NoCardName(Malformed):
    """What was typed does not name one card; ``resolution`` says why."""

    def __init__(
        self,
        said: Sentence,
        *,
        resolution: Ambiguous | WholeCard | TokenOnly | Unknown,
        code: str,
        hint: Sentence | None = None,
    ) -> None:
        super().__init__(said, code=code, hint=hint)
        self.resolution = resolution

    @property
    def suggestions(self) -> tuple[str, ...]:
        """English names that may be named instead: those that are meant, or those written alike, the nearest first."""
        found = self.resolution
        instead = found.suggestions if isinstance(found, Unknown | TokenOnly) else found.candidates
        return tuple(candidate.card.name for candidate in instead)


class UnknownCardName(NoCardName):
    """No card is called so."""


class AmbiguousCardName(NoCardName):
    """Several cards are called so, or it is all names of one card."""


def one_card(resolution: Resolution) -> Resolved:
    """Return ``resolution`` where it is one card.

    Raises ``UnknownCardName`` (codes ``unknown-name``, ``token``), ``AmbiguousCardName`` (``ambiguous-name``,
    ``whole-card``) or ``RefusedCharacters``.
    """
    match resolution:
        case Resolved():
            return resolution
        case Ambiguous():
            names = listed(map(_described, resolution.candidates))
            raise AmbiguousCardName(
                sentence("“{typed}” may be one of {names}", typed=resolution.typed, names=names),
                resolution=resolution,
                hint=sentence("write the English name of the card you mean, or say with --lang which language this is"),
                code="ambiguous-name",
            )
        case WholeCard():
            names = _names(resolution.candidates)
            raise AmbiguousCardName(
                sentence("“{name}” is all names of one card", name=resolution.name),
                resolution=resolution,
                hint=sentence("name one of them: {names}", names=names),
                code="whole-card",
            )
        case TokenOnly():
            raise UnknownCardName(
                sentence("“{name}” is a token and no card", name=resolution.name),
                resolution=resolution,
                hint=_did_you_mean(resolution.suggestions),
                code="token",
            )
        case Unknown():
            raise UnknownCardName(
                _no_name(resolution),
                resolution=resolution,
                hint=_did_you_mean(resolution.suggestions),
                code="unknown-name",
            )
        case Refused():
            raise resolution.error
        case _:
            assert_never(resolution)


def _described(candidate: Candidate) -> Sentence:
    """Return the name of a card, with its type line where that is known: two cards, one name, and which is which."""
    card = candidate.card
    return sentence("“{name}” ({types})", name=card.name, types=card.type_line) if card.type_line else quoted(card.name)


def _no_name(unknown: Unknown) -> Sentence:
    if not unknown.text:
        return sentence("no name was typed")
    for strange in unknown.lookalikes:
        if strange.looks_like:
            return sentence(
                "no card is called “{typed}”: {code} ({called}) looks like “{looks}” and is another letter",
                typed=unknown.text,
                code=strange.code,
                called=strange.called,
                looks=strange.looks_like,
            )
        return sentence(
            "no card is called “{typed}”: it holds {code} ({called})",
            typed=unknown.text,
            code=strange.code,
            called=strange.called,
        )
    return sentence("no card is called “{typed}”", typed=unknown.text)


def _did_you_mean(suggestions: tuple[Candidate, ...]) -> Sentence | None:
    return sentence("did you mean {names}?", names=_names(suggestions)) if suggestions else None


def _names(candidates: tuple[Candidate, ...]) -> Sentence:
    return listed(quoted(candidate.card.name) for candidate in candidates)
