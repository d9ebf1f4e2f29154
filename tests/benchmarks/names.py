"""What a look-up of a card name costs, and what the catalogue adds to a start.

Run by hand::

    python tests/benchmarks/names.py

Prints ratios within this run, and absolute figures beside them, which are this machine's only.
"""

import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable

from hiddenagenda.cards.resolve import resolve
from hiddenagenda.edge.catalogue import bundled

ROUNDS = 15


def best(call: Callable[[str], object], names: list[str]) -> float:
    """The seconds that the quickest of several rounds over all names took."""
    return min(timeit.repeat(lambda: [call(name) for name in names], number=1, repeat=7))


def look_ups() -> None:
    cards = bundled()
    names = [row.printed for row in cards.rows() if row.kind.may_be_named][:: max(1, cards.header.rows // 1000)]
    known = {name: name for name in names}
    doors: dict[str, Callable[[str], object]] = {
        "a dict, once loaded": known.get,
        "exact look-up": cards.card,
        "folded look-up": cards.spelled,
        "resolution of what was typed": lambda name: resolve(cards, name),
    }
    costs = {door: best(call, names) / len(names) for door, call in doors.items()}
    for door, cost in costs.items():
        print(f"{door:30} {cost * 1e6:8.2f} µs   {cost / costs['exact look-up']:7.2f} × an exact look-up")
    load = min(timeit.repeat(lambda: {row.name: row for row in cards.rows()}, number=1, repeat=3))
    open_ = min(timeit.repeat(bundled, number=10, repeat=5)) / 10
    print(f"opening the catalogue {open_ * 1e3:.3f} ms = 1/{load / open_:.0f} of loading it into a dict")


def start_up() -> None:
    base = "import hiddenagenda.cards.resolve, hiddenagenda.edge.catalogue as e"
    scripts = {"python": "pass", "imports": base, "imports, opened, one look-up": f"{base}; e.bundled().card('X')"}
    times: dict[str, list[float]] = {name: [] for name in scripts}
    for _ in range(ROUNDS):
        for name, script in scripts.items():
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", script], check=True)
            times[name].append(time.perf_counter() - started)
    middle = {name: statistics.median(found) for name, found in times.items()}
    for name, cost in middle.items():
        print(f"{name:30} {cost * 1e3:8.1f} ms   {cost / middle['python']:7.2f} × a bare python")


if __name__ == "__main__":
    look_ups()
    start_up()
