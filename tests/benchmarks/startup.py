"""How much longer than a bare ``import click`` do ``commit`` and ``verify`` take? As ratios, in one run.

Run it with the Python of an environment into which the package is installed, as README does it.
Thirty rounds, in each of them every program once, in turn; the medians are compared. Targets: 1.5 and 1.7.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROUNDS = 30
TARGETS = {"commit": 1.5, "verify": 1.7}
COMMIT = ("commit", "Grizzly Bears", "--conspiracy", "Muzzio's Preparations", "--player", "Ana", "--game")


def main() -> int:
    script = shutil.which("hiddenagenda", path=str(Path(sys.executable).parent))
    if script is None:
        sys.exit("install the package first: its script is what is measured")
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HIDDENAGENDA_HOME": str(Path(home) / "home"), "LC_ALL": "C.UTF-8"}

        def timed(*command: str) -> tuple[float, str]:
            start = time.perf_counter()
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            return time.perf_counter() - start, done.stdout.strip()

        _, token = timed(script, *COMMIT, "draft")
        _, opening = timed(script, "open")
        programs: dict[str, Sequence[str]] = {
            "python": (sys.executable, "-c", "pass"),
            "click": (sys.executable, "-c", "import click"),
            "commit": (script, *COMMIT, "round"),
            "verify": (script, "verify", token, opening),
        }
        taken: dict[str, list[float]] = {name: [] for name in programs}
        for number in range(ROUNDS):
            for name, command in programs.items():
                # Every round is a game of its own: sixteen slips fill one.
                words = (*command[:-1], f"round {number // 10}") if name == "commit" else command
                taken[name].append(timed(*words)[0])
    medians = {name: statistics.median(times) for name, times in taken.items()}
    for name, median in medians.items():
        ratio = median / medians["click"]
        target = f"  (at most {TARGETS[name]})" if name in TARGETS else ""
        print(f"{name:7} {median * 1000:6.1f} ms  {ratio:5.2f} x click{target}")
    return int(any(medians[name] > target * medians["click"] for name, target in TARGETS.items()))


if __name__ == "__main__":
    sys.exit(main())
