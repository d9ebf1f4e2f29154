"""Our code behind the operations of ``names.json``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from vectors import Refused

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.remarks import Remark, remark
from hiddenagenda.cards.resolve import one_card, resolve
from hiddenagenda.cards.table import Kind, Row
from hiddenagenda.cards.writing import write_table
from hiddenagenda.naming import choose, choose_conspiracy


def catalogue(rows: Sequence[Sequence[str]]) -> Catalogue:
    """Return the catalogue of a vector's list."""
    named = [
        Row(printed=printed, language=language, kind=Kind(kind), name=name[0] if name else printed)
        for printed, language, kind, *name in rows
    ]
    return Catalogue(write_table(named, date="2026-11-29", source="vectors"))


def resolved(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = one_card(resolve(catalogue(given["list"]), given["typed"], languages=tuple(given["languages"])))
    return {"name": found.card.name}


def conspiracy(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found, _ = choose_conspiracy(given["typed"])
    return {"name": found.name, "names": found.agenda.names}


def chosen(given: Mapping[str, Any]) -> Mapping[str, Any]:
    made = choose(catalogue(given["list"]), given["conspiracy"], given["names"], unlisted=given.get("unlisted", False))
    return {"conspiracy": made.conspiracy, "names": list(made.names)}


def remarked(given: Mapping[str, Any]) -> Mapping[str, Any]:
    said = remark(catalogue(given["list"]), given["name"])
    if said is not Remark.LISTED:
        raise Refused("cards.remarks", said.value)
    return {}


OPERATIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "names.resolve": resolved,
    "names.conspiracy": conspiracy,
    "names.choose": chosen,
    "names.remark": remarked,
}
