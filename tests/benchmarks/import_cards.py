"""What it costs to import a large file of cards: time, memory, and the look-ups afterwards.

Run by hand::

    python tests/benchmarks/import_cards.py                      20 MB, some seconds
    python tests/benchmarks/import_cards.py --megabytes 2048     as large as Scryfall's All Cards, some minutes

The file is generated: every card of the bundled table in eight languages, each printing with what a real one drags
along. Prints ratios within this run beside the absolute figures. Figures of a large run: see ``FIGURES``.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from hiddenagenda.cards.table import Kind
from hiddenagenda.edge.card_import import import_cards
from hiddenagenda.edge.catalogue import bundled, installed

FIGURES = """\
2048 MB, 510,277 rows in 8 languages, two cores, CPython 3.11:
import 57 s, 35.8 MB/s, 197 × reading the file; memory 48 MB at the most, 35 MB before;
on a busy machine it took 140 s
"""

LANGUAGES = ("en", "de", "fr", "it", "es", "pt", "ja", "ru")
BALLAST = {
    "image_uris": {f"size_{n}": f"https://cards.example/front/{n}/{n * 7919}.jpg?1562702173" for n in range(6)},
    "legalities": dict.fromkeys((f"format_{n}" for n in range(22)), "not_legal"),
    "prices": dict.fromkeys(("usd", "usd_foil", "usd_etched", "eur", "eur_foil", "tix"), "0.25"),
    "related_uris": {f"shop_{n}": f"https://shop.example/search?q={n}" for n in range(6)},
    "oracle_text": "When this enters, draw a card. " * 8,
    "games": ["paper", "mtgo", "arena"],
    "keywords": [],
    "multiverse_ids": [398434],
    "cmc": 2.0,
}


def printings() -> Iterator[dict[str, object]]:
    """Printings of all cards in all languages, without end; a later edition prints nothing new."""
    cards = [row for row in bundled().rows() if row.kind is Kind.CARD]
    for edition in count():
        for row in cards:
            for language in LANGUAGES:
                card = {"object": "card", "id": f"{edition}-{row.name}-{language}", "lang": language, "name": row.name}
                card |= {"layout": row.layout, "type_line": row.type_line or ""}
                if language != "en":
                    card["printed_name"] = f"{row.name[::-1].strip()} ({language})"
                yield {**card, **BALLAST}


def generate(path: Path, megabytes: int) -> None:
    """Write a bulk file of that size."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[\n")
        for number, card in enumerate(printings()):
            file.write((",\n" if number else "") + json.dumps(card, ensure_ascii=False))
            if number % 1000 == 0 and file.tell() > megabytes << 20:
                break
        file.write("\n]\n")


def memory() -> float:
    """The most memory this process has had, in MB; 0 where the system does not tell."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=20)
    megabytes = parser.parse_args().megabytes
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "all-cards.json")
        generate(path, megabytes)
        started = time.perf_counter()
        with path.open("rb") as file:
            while file.read(1 << 20):
                pass
        reading = time.perf_counter() - started
        before = memory()
        started = time.perf_counter()
        done = import_cards(str(Path(folder, "cards")), [str(path)])
        taken = time.perf_counter() - started
        size = path.stat().st_size / (1 << 20)
        print(f"{size:.0f} MB, {done.header.rows} rows in {len(done.header.languages)} languages")
        print(f"import {taken:.1f} s, {size / taken:.1f} MB/s, {taken / reading:.0f} × reading the file")
        print(f"memory {memory():.0f} MB at the most, {before:.0f} MB before")
        cards = installed(str(Path(folder, "cards")))
        costs = {}
        for name, catalogue in {"bundled": bundled(), "imported": cards}.items():
            names = [row.printed for row in bundled().rows()][::40]
            started = time.perf_counter()
            for _ in range(5):
                for one in names:
                    catalogue.spelled(one)
            costs[name] = (time.perf_counter() - started) / 5 / len(names)
        print(f"look-up {costs['imported'] * 1e6:.1f} µs, {costs['imported'] / costs['bundled']:.2f} × a bundled one")


if __name__ == "__main__":
    main()
