"""Writes a synthetic season into a file: ``python tests/benchmarks/season.py GAMES FILE``."""

import argparse
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent.parent)]

from seasons import write, write_interleaved  # noqa: E402 - after the path is set


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--new-keys", action="store_true", help="nobody plays twice")
    parser.add_argument("--signed", choices=("all", "last"), default="all")
    parser.add_argument("--interleaved", action="store_true", help="a hundred games go on at the same time")
    given = parser.parse_args()
    if given.interleaved:
        write_interleaved(given.file, given.games)
    else:
        write(given.file, given.games, new_keys=given.new_keys, sign_all=given.signed == "all")


if __name__ == "__main__":
    main()
