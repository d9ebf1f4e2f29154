"""The form of our test vectors, and the command that writes them anew."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).resolve().parent
FORMAT: Final = "hiddenagenda-vectors/1"
LICENCE: Final = "CC0-1.0"

Test = Mapping[str, Any]
Document = Mapping[str, Any]


class Refused(Exception):
    """What an operation raises where the code says no without an error of its own, such as by a finding."""

    def __init__(self, layer: str, code: str) -> None:
        super().__init__(layer, code)
        self.layer = layer
        self.code = code


def accepted(
    name: str, comment: str, operation: str, given: Mapping[str, Any], gives: Mapping[str, Any], *flags: str
) -> Test:
    """Return a test whose input is accepted and gives what stands in ``gives``."""
    return _test(name, comment, operation, given, {"result": "ok", **gives}, flags)


def refused(
    name: str, comment: str, operation: str, given: Mapping[str, Any], layer: str, code: str, *flags: str
) -> Test:
    """Return a test whose input ``layer`` must refuse with ``code``."""
    return _test(name, comment, operation, given, {"result": "refused", "layer": layer, "code": code}, flags)


def _test(
    name: str,
    comment: str,
    operation: str,
    given: Mapping[str, Any],
    expect: Mapping[str, Any],
    flags: Sequence[str],
) -> Test:
    return {
        "id": name,
        "comment": comment,
        "flags": list(flags),
        "operation": operation,
        "input": dict(given),
        "expect": dict(expect),
    }


def document(about: str, tests: Sequence[Test]) -> Document:
    """Return a file of these tests."""
    return {"format": FORMAT, "licence": LICENCE, "about": about, "tests": list(tests)}


def written(made: Document) -> bytes:
    """Return the bytes of a file: ASCII, so that no editor and no mail changes what a case is about."""
    return (json.dumps(made, indent=1, ensure_ascii=True) + "\n").encode()


def generated() -> Iterator[tuple[str, Document]]:
    """Yield every file that a generator makes: its name and what stands in it."""
    for path in sorted(FOLDER.glob("generate_*.py")):
        files: Mapping[str, Document] = import_module(path.stem).files()
        yield from files.items()


def main() -> None:
    for name, made in generated():
        (FOLDER / name).write_bytes(written(made))
        sys.stderr.write(f"{name}: {len(made['tests'])} tests\n")


if __name__ == "__main__":
    main()
