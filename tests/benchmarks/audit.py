"""What an audit costs, beside what it cannot cost less than and beside what others do: one command, ratios of one run.

    python tests/benchmarks/audit.py [--quick] [--no-peers] [--million] [--keep DIR]

Seasons are made by ``seasons.py``: three players, two slots, 25 entries a game, one cheat in a hundred. The floor is
what cannot be saved: SHA-256 of every entry and slip and one signature check an author, over bytes that are in memory
already; where keys are new, their check too. Rounds are interleaved; a ratio is the median over rounds of the ratios
within a round. Times are processor time where one process works, so that others at work on the machine disturb less; to
compare one process with two, wall time is needed, and on a busy machine the two get less than they would have.

``FIGURES.md`` keeps what was measured, and where.
"""

import argparse
import gc
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import IO

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

from nacl.bindings import crypto_core_ed25519_is_valid_point, crypto_sign_open  # noqa: E402 - after the path is set
from seasons import Game, games, write  # noqa: E402

from hiddenagenda import ed25519, publickey  # noqa: E402
from hiddenagenda.edge import engines  # noqa: E402
from hiddenagenda.edge.auditing import Wanted, run  # noqa: E402
from hiddenagenda.record import read_record  # noqa: E402
from hiddenagenda.sshsig import signed_blob  # noqa: E402
from hiddenagenda.verifier import judge  # noqa: E402

PROGRAM = (sys.executable, "-m", "hiddenagenda_cli.main")
PEERS = ("securesystemslib[crypto]", "tuf")
_SLIP = re.compile(rb'\{"conspiracy":.*?"type":"slip"\}')


class Work:
    """The same games in memory, for everything that is compared in one process."""

    def __init__(self, count: int) -> None:
        made = [Game(number) for number in range(count)]
        self.count = count
        self.data = [game.data for game in made]
        self.hashed = [line.raw for game in made for line in game.lines]
        self.hashed += [slip for raw in self.hashed for slip in _SLIP.findall(raw)]
        self.checks = []
        for game in made:
            for line in {line.author: line for line in game.lines}.values():
                signature = bytes.fromhex(line.signature.decode())
                self.checks.append((signature + signed_blob(line.raw), bytes.fromhex(line.author)))
        self.keys = [bytes.fromhex(key) for game in made for key in game.keys]

    def floor_keys_seen(self) -> None:
        for data in self.hashed:
            sha256(data).digest()
        for signed, key in self.checks:
            crypto_sign_open(signed, key)

    def floor_keys_new(self) -> None:
        self.floor_keys_seen()
        for key in self.keys:
            crypto_core_ed25519_is_valid_point(key)

    def judged_keys_seen(self) -> None:
        """From bytes to verdicts."""
        for data in self.data:
            judge(read_record(data).transcripts[0])

    def judged_keys_new(self) -> None:
        """The same, with every key checked as if it had never been seen."""
        for data in self.data:
            publickey.known_key.cache_clear()
            ed25519.is_usable_key.cache_clear()
            judge(read_record(data).transcripts[0])

    def judged_every_signature(self) -> None:
        """The same, with every signature checked."""
        for data in self.data:
            transcript = read_record(data).transcripts[0]
            if not all(transcript.held):
                raise AssertionError
            judge(transcript)


def cpu(work: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def ratio(ones: list[float], others: list[float]) -> float:
    return median(one / other for one, other in zip(ones, others, strict=True))


class Peer:
    """``peers.py`` in an environment of its own."""

    def __init__(self, folder: Path, entries: list[bytes]) -> None:
        environment = folder / "peers"
        venv.create(environment, with_pip=True)
        python = next(
            path for path in (environment / "bin/python", environment / "Scripts/python.exe") if path.exists()
        )
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS], check=True, stdout=subprocess.DEVNULL)
        lines = folder / "entries"
        lines.write_bytes(b"\n".join(entries))
        self._process = subprocess.Popen(
            [python, str(Path(__file__).with_name("peers.py")), str(lines)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if self._answer() != "ready":
            raise AssertionError

    def round(self, kind: str) -> float:
        stdin: IO[str] | None = self._process.stdin
        if stdin is None:
            raise AssertionError
        stdin.write(kind + "\n")
        stdin.flush()
        return float(self._answer())

    def _answer(self) -> str:
        return self._process.stdout.readline().strip() if self._process.stdout else ""

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def compare_with_floor(rounds: int, peer: Peer | None, work: Work) -> None:
    names = ["floor_keys_seen", "floor_keys_new", "judged_keys_seen", "judged_keys_new", "judged_every_signature"]
    taken: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            taken[name].append(cpu(getattr(work, name)))
        for kind in ("dsse", "tuf") if peer else ():
            taken.setdefault(kind, []).append(peer.round(kind) if peer else 0.0)
    print(f"\none process, {work.count} games in memory, {rounds} interleaved rounds")
    for name, seconds in taken.items():
        print(f"  {name:24} {median(seconds) / work.count * 1e6:8.0f} µs a game")
    print("ratios:")
    seen, new = taken["judged_keys_seen"], taken["judged_keys_new"]
    print(f"  share of the floor, keys seen (target 0.5): {ratio(taken['floor_keys_seen'], seen):.2f}")
    print(f"  share of the floor, keys new:               {ratio(taken['floor_keys_new'], new):.2f}")
    print(f"  every signature checked : one an author (target 5): {ratio(taken['judged_every_signature'], seen):.1f}")
    for kind, called, target in (("dsse", "DSSE envelopes", " (target 8)"), ("tuf", "TUF metadata", "")):
        if kind in taken:
            print(f"  {called} : judged{target}: {ratio(taken[kind], seen):.1f}")


def compare_processes(rounds: int, season: Path, count: int) -> None:
    """One process beside two, on a season in a file, verdicts written."""

    def audit(jobs: int) -> tuple[float, float]:
        out = season.with_suffix(".verdicts")
        out.unlink(missing_ok=True)
        before = os.times()
        start = time.perf_counter()
        with engines.processes(jobs) if jobs > 1 else engines.here() as engine:
            run(Wanted(paths=(str(season),), out=str(out), names=""), engine)
        wall = time.perf_counter() - start
        after = os.times()
        return wall, sum(after[:4]) - sum(before[:4])

    walls: dict[int, list[float]] = {1: [], 2: []}
    cpus: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for jobs in (1, 2):
            wall, used = audit(jobs)
            walls[jobs].append(wall)
            cpus[jobs].append(used)
    print(
        f"\nwhole audits of {count} games in a file, verdicts written, names remarked on, {rounds} interleaved rounds"
    )
    for jobs in (1, 2):
        pace, used = count / median(walls[jobs]), median(cpus[jobs]) / count * 1e6
        print(f"  {jobs} process(es): {pace:7.0f} games/s, {used:5.0f} µs of processor a game")
    more = ratio(cpus[2], cpus[1])
    print(f"  two processes are {ratio(walls[1], walls[2]):.2f} × as fast by the clock (target 1.9)")
    print(f"  two processes use {more:.2f} × the processor time: undisturbed they can be {2 / more:.2f} × as fast")


# A process takes over the peak of the one that starts it: a small one stands between.
_MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(status, used.ru_maxrss, used.ru_utime + used.ru_stime)
"""


def measured(folder: Path, *arguments: str) -> tuple[float, float]:
    """Return the peak memory (MB, of the largest process) and the processor time of a run of the program."""
    line = [sys.executable, "-S", "-c", _MEASURE, *PROGRAM, *arguments]
    done = subprocess.run(line, env=environment(folder), capture_output=True, text=True, check=True)
    status, peak, seconds = done.stdout.split()
    if status != "0":
        raise AssertionError(status)
    return int(peak) / (1024 if sys.platform != "darwin" else 1024**2), float(seconds)


def scaling(folder: Path, sizes: list[int]) -> None:
    """Peak memory and cost by the number of games."""
    print("\nwhole audits as processes, by the number of games, verdicts written")
    least = folder / "least.jsonl"
    write(least, 1, sign_all=False)
    start = median(measured(folder, "audit", str(least), "--jobs", "1")[1] for _ in range(5))
    out = folder / "verdicts"
    base = None
    for size in sizes:
        season = folder / f"season-{size}.jsonl"
        if not season.exists():
            write(season, size, sign_all=False)  # signatures in the middle are not looked at
        peaks: dict[int, float] = {1: 0.0, 2: 0.0}
        costs = []
        for _ in range(max(1, min(5, 20_000 // size))):
            for jobs in (1, 2):
                out.unlink(missing_ok=True)
                peak, seconds = measured(folder, "audit", str(season), "--out", str(out), "--jobs", str(jobs))
                peaks[jobs] = max(peaks[jobs], peak)
                costs += [seconds] if jobs == 1 else []
        each = (median(costs) - start) / size
        base = base or each
        print(
            f"  {size:>8} games: peak {peaks[1]:5.1f} MB in one process, {peaks[2]:5.1f} MB in the largest of three;"
            f" {each * 1e6:5.0f} µs a game beyond the start, {each / base:4.2f} × of the first line",
            flush=True,
        )


def environment(folder: Path) -> dict[str, str]:
    paths = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
    return {**os.environ, "PYTHONPATH": paths, "HIDDENAGENDA_HOME": str(folder / "home")}


def whole_processes(rounds: int, folder: Path) -> None:
    """``commit`` and ``verify`` beside others' signing and checking, each a process."""
    naming = ["commit", "Grizzly Bears", "--conspiracy", "Muzzio's Preparations", "--player", "Ana", "--game"]
    token = printed(folder, *naming, "bench")
    game = folder / "game.jsonl"
    game.write_bytes(Game(1).data)
    commands: dict[str, list[str]] = {
        "python -c 'import click'": [sys.executable, "-c", "import click"],
        "hiddenagenda commit": [*PROGRAM, *naming],
        "hiddenagenda verify (two tokens)": [*PROGRAM, "verify", token, printed(folder, "open", token)],
        "hiddenagenda verify (a game of 25 entries)": [*PROGRAM, "verify", str(game)],
        "hiddenagenda audit (one game)": [*PROGRAM, "audit", str(game), "--jobs", "1"],
    }
    message = folder / "message"
    message.write_bytes(b"Grizzly Bears\n")
    commands.update(others(folder, message))
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds):
        for name, line in commands.items():
            whole = [*line, f"bench {number}"] if name == "hiddenagenda commit" else line
            with message.open("rb") as given:
                start = time.perf_counter()
                subprocess.run(whole, env=environment(folder), stdin=given, capture_output=True, check=True)
                taken[name].append(time.perf_counter() - start)
    print(f"\nwhole processes, {rounds} interleaved rounds, beside python with click imported")
    first = taken["python -c 'import click'"]
    for name, seconds in taken.items():
        print(f"  {name:44} {median(seconds) * 1e3:6.1f} ms  {ratio(seconds, first):5.2f} ×")


def printed(folder: Path, *arguments: str) -> str:
    line = [*PROGRAM, *arguments]
    return subprocess.run(line, env=environment(folder), capture_output=True, check=True, text=True).stdout.strip()


def others(folder: Path, message: Path) -> Iterator[tuple[str, list[str]]]:
    key = folder / "ssh"
    if shutil.which("ssh-keygen"):
        if not key.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
        allowed = folder / "allowed"
        allowed.write_text(f"ana {key.with_suffix('.pub').read_text()}")
        Path(f"{message}.sig").unlink(missing_ok=True)
        subprocess.run(
            ["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", str(key), str(message)],
            check=True,
            capture_output=True,
        )
        yield "ssh-keygen -Y sign", ["ssh-keygen", "-Y", "sign", "-n", "file", "-f", str(key)]
        yield (
            "ssh-keygen -Y verify",
            ["ssh-keygen", "-Y", "verify", "-n", "file", "-f", str(allowed), "-I", "ana", "-s", f"{message}.sig"],
        )
    if shutil.which("minisign"):
        secret, public = folder / "minisign.key", folder / "minisign.pub"
        subprocess.run(
            ["minisign", "-G", "-W", "-f", "-p", str(public), "-s", str(secret)], check=True, capture_output=True
        )
        sign = ["minisign", "-S", "-s", str(secret), "-m", str(message)]
        subprocess.run(sign, check=True, capture_output=True)
        yield "minisign -S", sign
        yield "minisign -V", ["minisign", "-V", "-p", str(public), "-m", str(message)]


def profile(work: Work) -> None:
    """Where the time goes that is not the floor's."""
    steps: dict[str, Callable[[], object]] = {
        "the floor itself": work.floor_keys_seen,
        "read the lines": lambda: [read_record(data) for data in work.data],
        "… and link them": lambda: [read_record(data).transcripts for data in work.data],
        "… and authenticate them": lambda: [read_record(data).transcripts[0].grounded for data in work.data],
        "… and judge them": work.judged_keys_seen,
    }
    print("\nwhere the time goes (the best of 5, each with all before it)")
    for name, step in steps.items():
        print(f"  {name:24} {min(cpu(step) for _ in range(5)) / work.count * 1e6:6.0f} µs a game")


@contextmanager
def workplace(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rounds and small seasons")
    parser.add_argument("--no-peers", action="store_true", help="install nothing")
    parser.add_argument("--million", action="store_true", help="also a season of a million games (16 GB, an hour)")
    parser.add_argument("--keep", type=Path, help="a directory for seasons that are used again")
    given = parser.parse_args()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"{platform.platform()}, {python}, {engines.processors()} processors")
    if hasattr(os, "getloadavg"):
        print(
            f"load when it began: {os.getloadavg()[0]:.1f}; above 0 others are at work, and absolute times say little"
        )
    with workplace(given.keep) as folder:
        work = Work(100)
        entries = [line.raw for game in games(range(work.count)) for line in game.lines]
        peer = None if given.no_peers else Peer(folder, entries)
        try:
            compare_with_floor(3 if given.quick else 15, peer, work)
        finally:
            if peer is not None:
                peer.close()
        profile(work)
        count = 2_000 if given.quick else 5_000
        season = folder / "processes.jsonl"
        write(season, count)
        compare_processes(2 if given.quick else 5, season, count)
        sizes = [100, 1_000, 10_000] + ([] if given.quick else [100_000]) + ([1_000_000] if given.million else [])
        scaling(folder, sizes)
        whole_processes(5 if given.quick else 20, folder)


if __name__ == "__main__":
    main()
