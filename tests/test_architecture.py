"""Which way imports run, and what is not done where. The declaration stands in ``pyproject.toml``."""

import ast
import itertools
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hiddenagenda"]
FLOORS: list[list[str]] = DECLARED["floors"]
IMPURE = {
    "asyncio",
    "http",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "select",
    "shutil",
    "signal",
    "socket",
    "ssl",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "websockets",
}
RANDOM = {"secrets", "uuid", "nacl.utils"}
TALK = {"click", "prompt_toolkit", "rich"}
GUESSED_AT = {"check", "digest", "digests", "hexdigest", "mac", "secret", "seed"}
"""Parts of the names of bytes that are compared in constant time; salts and commitments see to it themselves."""


def sources(folder: Path = ROOT / "hiddenagenda") -> Mapping[str, str]:
    """Return the source of every module by dotted name; packages by their own name."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path.read_text(encoding="utf-8")
    return found


MODULES = sources()


def imports(source: str, known: Mapping[str, str] = MODULES) -> Iterator[str]:
    """Yield every module that ``source`` names in an import, wherever it stands and whatever guards it."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names):
                for alias in names:
                    inner = f"{module}.{alias.name}"
                    yield inner if inner in known or inner in RANDOM else str(module)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                yield module


def place(module: str) -> tuple[int, int] | None:
    """Return floor and place of a module of ours, or None where it is not declared."""
    own = module.split(".")[1]
    return next(
        ((floor, names.index(own)) for floor, names in enumerate(FLOORS) if own in names),
        None,
    )


def of_ours(module: str) -> bool:
    return module.startswith("hiddenagenda.")


def is_pure(module: str) -> bool:
    where = place(module) if of_ours(module) else (0, 0)
    return where is not None and where[0] < len(FLOORS) - 1


def named(modules: set[str], source: str) -> set[str]:
    """Return which of ``modules``, or of what lies in them, ``source`` imports."""
    return {
        module for module in imports(source) if any(module == name or module.startswith(name + ".") for name in modules)
    }


def wrong_ways(module: str, source: str) -> list[str]:
    """Return the imports of ``module`` that go up, or right."""
    here = place(module)
    assert here is not None
    wrong = []
    for other in imports(source):
        if of_ours(other) and other.split(".")[1] != module.split(".")[1]:
            there = place(other)
            if there is None or there >= here:
                wrong.append(other)
    return wrong


def calls(source: str) -> set[str]:
    """Return the plain names that ``source`` calls."""
    return {
        node.func.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def compared_digests(source: str) -> list[str]:
    """Return the comparisons with == or != of what is called a digest, a salt or another thing that is guessed at."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and any(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops):
            sides = [node.left, *node.comparators]
            if not any(isinstance(side, ast.Constant) for side in sides) and any(map(is_digest, sides)):
                found.append(ast.unparse(node))
    return found


def is_digest(side: ast.expr) -> bool:
    match side:
        case ast.Call(func=called):
            return is_digest(called) and not isinstance(called, ast.Name)
        case ast.Subscript(value=whole):
            return is_digest(whole)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return not GUESSED_AT.isdisjoint(name.strip("_").split("_"))
        case _:
            return False


@pytest.mark.parametrize("module", [name for name in MODULES if of_ours(name)])
def test_every_module_is_declared(module: str) -> None:
    assert place(module) is not None, "say in pyproject.toml, tool.hiddenagenda.floors, where it belongs"


def test_no_module_is_declared_twice() -> None:
    names = list(itertools.chain.from_iterable(FLOORS))
    assert len(names) == len(set(names))


@pytest.mark.parametrize("module", [name for name in MODULES if of_ours(name) and place(name)])
def test_imports_go_down_and_left(module: str) -> None:
    assert wrong_ways(module, MODULES[module]) == []


def test_no_import_runs_in_a_circle() -> None:
    below: dict[str, set[str]] = {
        module: {other for other in imports(source) if other in MODULES} - {module}
        for module, source in MODULES.items()
    }
    while free := [module for module, others in below.items() if not others]:
        for module in free:
            del below[module]
        for others in below.values():
            others.difference_update(free)
    assert below == {}


@pytest.mark.parametrize("module", [name for name in MODULES if is_pure(name)])
def test_pure_floors_touch_no_disk_clock_or_network(module: str) -> None:
    assert named(IMPURE, MODULES[module]) == set()
    assert calls(MODULES[module]).isdisjoint({"open", "input", "exec", "eval"})


@pytest.mark.parametrize("module", MODULES)
def test_the_library_is_silent(module: str) -> None:
    assert named(TALK, MODULES[module]) == set()
    assert "print" not in calls(MODULES[module])


@pytest.mark.parametrize("module", MODULES)
def test_randomness_has_few_doors(module: str) -> None:
    if module.rpartition(".")[2] not in DECLARED["randomness"]:
        assert named(RANDOM, MODULES[module]) == set()


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_short(module: str) -> None:
    if module.rpartition(".")[2] not in DECLARED["data"]:
        assert len(MODULES[module].splitlines()) <= DECLARED["longest"], "usually it is two nouns"


@pytest.mark.parametrize("module", MODULES)
def test_digests_are_compared_in_constant_time(module: str) -> None:
    assert compared_digests(MODULES[module]) == []


@pytest.mark.parametrize("module", MODULES)
def test_the_library_knows_no_command_line(module: str) -> None:
    assert named({"hiddenagenda_cli"}, MODULES[module]) == set()


def test_committing_loads_nothing_heavy() -> None:
    heavy = [
        "asyncio",
        "bcrypt",
        "click",
        "cryptography",
        "ijson",
        "msgspec",
        "nacl",
        "platformdirs",
        "prompt_toolkit",
        "rapidfuzz",
        "rich",
        "websockets",
    ]
    program = f"import sys, hiddenagenda.commitment; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


# The checks above are checked themselves: each of them must be able to find something.


@pytest.mark.parametrize(
    "source",
    [
        "from hiddenagenda.slip import Slip",
        "from hiddenagenda import edge",
        "import hiddenagenda.commitment",
        "def late():\n    from hiddenagenda.locale import tell",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import hiddenagenda.verdict",
        "from importlib import import_module\nimport_module('hiddenagenda.bundle')",
        "import importlib\nimportlib.import_module('hiddenagenda.bundle')",
        "import hiddenagenda.undeclared",
    ],
)
def test_an_import_that_goes_up_or_right_is_found(source: str) -> None:
    assert wrong_ways("hiddenagenda.token", source)


@pytest.mark.parametrize(
    "source",
    [
        "from hiddenagenda.canonical import read",
        "from hiddenagenda import faults",
        "import json",
        "import hiddenagenda",
    ],
)
def test_an_import_that_goes_down_or_left_is_not_found(source: str) -> None:
    assert wrong_ways("hiddenagenda.token", source) == []


@pytest.mark.parametrize(
    "source", ["import os.path", "from os import urandom", "import time as t", "__import__('socket')"]
)
def test_an_impure_import_is_found(source: str) -> None:
    assert named(IMPURE, source)


@pytest.mark.parametrize("source", ["import secrets", "from nacl import utils", "from nacl.utils import random"])
def test_a_source_of_randomness_is_found(source: str) -> None:
    assert named(RANDOM, source)


@pytest.mark.parametrize(
    "source",
    [
        "entry.digest == other",
        "sha256(data).digest() != name",
        "sha256(data).digest()[:8] != name",
        "x == self._secret",
        "mac.hexdigest() == given",
        "old_digest == new",
    ],
)
def test_a_digest_compared_in_varying_time_is_found(source: str) -> None:
    assert compared_digests(source)


@pytest.mark.parametrize(
    "source",
    ["compare_digest(one, other)", "len(digest) == size", "algorithm == 'sha256'", "digest in known", "names == other"],
)
def test_other_comparisons_are_left_alone(source: str) -> None:
    assert compared_digests(source) == []
