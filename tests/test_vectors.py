"""The test vectors: what they promise, what generates them, and whether our code agrees."""

import json
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

import pytest
import vectors

from hiddenagenda.faults import HiddenAgendaError

Operation = Callable[[Mapping[str, Any]], Mapping[str, Any]]

FILES = sorted(path.name for path in vectors.FOLDER.glob("*.json") if not path.name.endswith(".schema.json"))


def load(name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((vectors.FOLDER / name).read_bytes())
    return found


def operations() -> Iterator[tuple[str, Operation]]:
    for path in sorted(vectors.FOLDER.glob("run_*.py")):
        yield from import_module(path.stem).OPERATIONS.items()


OPERATIONS = dict(operations())
TESTS = [pytest.param(test, id=f"{name}: {test['id']}") for name in FILES for test in load(name)["tests"]]


def layer_of(error: BaseException) -> str:
    """Return the module of the library in which an error was raised."""
    frames = [frame.f_globals["__name__"] for frame, _ in traceback.walk_tb(error.__traceback__)]
    return str([name for name in frames if name.startswith("hiddenagenda.")][-1]).partition(".")[2]


def outcome(test: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        given = OPERATIONS[test["operation"]](test["input"])
    except HiddenAgendaError as error:
        return {"result": "refused", "layer": layer_of(error), "code": error.code}
    except vectors.Refused as error:
        return {"result": "refused", "layer": error.layer, "code": error.code}
    return {"result": "ok", **given}


@pytest.mark.parametrize("test", TESTS)
def test_our_code_agrees(test: Mapping[str, Any]) -> None:
    assert outcome(test) == test["expect"]


def test_the_files_are_what_their_generators_make() -> None:
    made = list(vectors.generated())
    assert sorted(name for name, _ in made) == FILES
    for name, content in made:
        assert vectors.written(content) == (vectors.FOLDER / name).read_bytes(), f"{name}: run vectors.py"


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_the_form_that_the_readme_describes(name: str) -> None:
    file = load(name)
    assert list(file) == ["format", "licence", "about", "tests"]
    assert (file["format"], file["licence"]) == (vectors.FORMAT, vectors.LICENCE)
    for test in file["tests"]:
        assert list(test) == ["id", "comment", "flags", "operation", "input", "expect"]
        assert test["comment"]
        assert all(isinstance(flag, str) for flag in test["flags"])
        assert test["operation"] in OPERATIONS
        if test["expect"]["result"] == "refused":
            assert list(test["expect"]) == ["result", "layer", "code"]
    ids = Counter(test["id"] for test in file["tests"])
    assert [name for name, number in ids.items() if number > 1] == []


@pytest.mark.parametrize("name", FILES)
def test_most_cases_are_refused(name: str) -> None:
    results = Counter(test["expect"]["result"] for test in load(name)["tests"])
    assert set(results) == {"ok", "refused"}
    assert results["refused"] >= 2 * results["ok"]


def test_every_operation_is_used() -> None:
    used = {test["operation"] for name in FILES for test in load(name)["tests"]}
    assert used == set(OPERATIONS)


def test_every_operation_is_described() -> None:
    readme = (vectors.FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in OPERATIONS if f"| `{name}` |" not in readme] == []
