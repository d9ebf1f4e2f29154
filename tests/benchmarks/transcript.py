"""What an entry costs to read, link and authenticate, in games of 100, 1,000 and 5,000 entries.

With the project installed, ``python tests/benchmarks/transcript.py [ROUNDS]`` prints ratios from interleaved rounds
of one run; absolute times are of this machine and this moment. The floor is what cannot be saved: SHA-256 of every
entry and one signature check an author, over bytes that are in memory already.
"""

import itertools
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import median

from hiddenagenda.publickey import PublicKey
from hiddenagenda.record import read_record
from hiddenagenda.sshsig import verifies

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from talk import NAMES, Talk

SIZES = (25, 100, 1_000, 5_000)
PLAYERS = 3
MOST_ENTRIES = 5_000


def game(size: int) -> Talk:
    """Return a game in which everybody speaks in turn, over the last entry and the own last one."""
    talk = Talk(PLAYERS)
    for name in itertools.islice(itertools.cycle(NAMES[1:PLAYERS] + NAMES[:1]), size - 1):
        talk.say(name)
    return talk


class Work:
    """The steps on one game, each repeated so often that all sizes handle equally many entries."""

    def __init__(self, size: int) -> None:
        talk = game(size)
        self.size = size
        self.repeats = MOST_ENTRIES // size
        self.data = talk.data
        self.raw = [line.raw for line in talk.lines]
        (self.read_already,) = read_record(self.data).transcripts
        newest = {line.entry.author: line for line in talk.lines}
        self.checks = [
            (PublicKey.from_hex(key), line.raw, bytes.fromhex(line.signature)) for key, line in newest.items()
        ]

    def floor(self) -> None:
        for raw in self.raw:
            sha256(raw).digest()
        for public, raw, signature in self.checks:
            verifies(public, raw, signature)

    def read(self) -> None:
        read_record(self.data)

    def link(self) -> None:
        self.read_already.add(())

    def judge_ready(self) -> None:
        """Everything up to what the law needs: read, linked, authenticated."""
        (transcript,) = read_record(self.data).transcripts
        if not all(transcript.grounded):
            raise AssertionError

    def every_signature(self) -> None:
        """The same, with every signature checked."""
        (transcript,) = read_record(self.data).transcripts
        if not all(transcript.held):
            raise AssertionError


def timed(work: Callable[[], None], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    return time.perf_counter() - start


def main(rounds: int) -> None:
    works = [Work(size) for size in SIZES]
    steps = ("floor", "read", "link", "judge_ready", "every_signature")
    taken: dict[tuple[str, int], list[float]] = {}
    for _ in range(rounds):
        for work, step in itertools.product(works, steps):
            seconds = timed(getattr(work, step), work.repeats)
            taken.setdefault((step, work.size), []).append(seconds / work.repeats / work.size)

    def ratio(step: str, size: int, base: str, base_size: int) -> float:
        return median(mine / theirs for mine, theirs in zip(taken[step, size], taken[base, base_size], strict=True))

    print(f"median of {rounds} interleaved rounds, {PLAYERS} players")
    print("cost per entry, as a multiple of that in the game of 100:")
    for step in steps[1:4]:
        print(f"  {step:12}", *[f"{size:>6}: {ratio(step, size, step, 100):5.2f}" for size in SIZES])
    print("share of the crypto floor in the time until the law can begin (1 would be nothing but crypto):")
    print("              ", *[f"{size:>6}: {ratio('floor', size, 'judge_ready', size):5.2f}" for size in SIZES])
    print("how many times as long it takes with every signature checked:")
    print(
        "              ", *[f"{size:>6}: {ratio('every_signature', size, 'judge_ready', size):5.1f}" for size in SIZES]
    )
    print("microseconds an entry, for orientation:")
    for step in steps:
        print(f"  {step:16}", *[f"{size:>6}: {median(taken[step, size]) * 1e6:6.2f}" for size in SIZES])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
