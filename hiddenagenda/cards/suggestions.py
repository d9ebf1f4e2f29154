"""Names that somebody may have meant who typed one that is not there.

SPEC "Names". Suggestions are shown and never taken. The search library is imported on the first miss only,
since it costs more than everything else here.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.folding import fold
from hiddenagenda.cards.lookalikes import as_it_looks
from hiddenagenda.cards.table import Kind, Row

MOST: Final = 5
"""Suggestions given at the most."""

_CUTOFF: Final = 70
"""Of 100: below this nothing is near enough to be worth reading."""


def suggest(catalogue: Catalogue, text: str, languages: frozenset[str]) -> tuple[Row, ...]:
    """Return up to ``MOST`` rows in ``languages`` whose names are near ``text``, the nearest first.

    Near: written alike after folding, or beginning with the text. Each Oracle name comes once.
    """
    import html  # noqa: PLC0415 - only a miss should pay for it

    query = fold(as_it_looks(html.unescape(text)))
    if not query:
        return ()
    near = nearest(query, catalogue.keys(languages))
    longer = islice((fold(row.printed) for row in catalogue.beginning(query)), MOST)
    found: dict[str, Row] = {}
    for key in (*near, *longer):
        for row in catalogue.spelled(key):
            if row.language in languages and row.kind not in {Kind.TOKEN, Kind.WHOLE}:
                found.setdefault(row.name, row)
    return tuple(islice(found.values(), MOST))


def nearest(query: str, keys: Iterable[str]) -> tuple[str, ...]:
    """Return the different ``keys`` nearest to ``query``, up to ``MOST``, the nearest first."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - 40 ms that only a miss should pay

    known = list(dict.fromkeys(keys))
    found = process.extract(query, known, scorer=fuzz.ratio, score_cutoff=_CUTOFF, limit=MOST)
    return tuple(key for key, _, _ in found)
