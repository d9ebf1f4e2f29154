"""The list of card names of this run, and in which languages a name may be typed."""

from collections.abc import Iterator

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.folding import fold
from hiddenagenda.cards.table import Kind
from hiddenagenda.edge.catalogue import bundled, installed
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.files import StoreError
from hiddenagenda.naming import Tongue
from hiddenagenda_cli.output import voice

_OFFERED = 30


def catalogue() -> Catalogue:
    """Return the list of names that this run asks: the one imported, else the bundled one."""
    try:
        return installed(cards_directory())
    except StoreError:  # there is no home for one
        return bundled()


def cards_directory() -> str:
    """Return the directory that imported names lie in. Raises ``StoreError`` where the user has no home."""
    return f"{data_directory()}/cards"


def languages() -> tuple[str, ...]:
    """Return the languages a name may be typed in: the one stated alone; one guessed from the locale, and English."""
    if voice.language == "en" or voice.language_stated:
        return (voice.language,)
    return (voice.language, "en")


def begins(name: str, typed: str) -> bool:
    """Say whether a name begins with what was typed, a blank at its end included."""
    return fold(name).startswith(fold(typed) + " " * typed.endswith(" "))


def beginning(names: Catalogue, typed: str, *, most: int | None = _OFFERED) -> Iterator[str]:
    """Yield the names that what was typed may become, for completion; at most ``most``, or all of them."""
    asked = {*languages(), "en"}
    no_card = {Kind.WHOLE, Kind.TOKEN, Kind.CALLED}
    seen: set[str] = set()
    for row in names.beginning(typed):
        if row.language not in asked or row.kind in no_card or row.printed in seen:
            continue
        if begins(row.printed, typed):
            seen.add(row.printed)
            yield row.printed
            if len(seen) == most:
                return


def tongue() -> Tongue:
    """Return in which language cards are named in this run."""
    return Tongue(language=voice.language, names=catalogue() if voice.language != "en" else None)
