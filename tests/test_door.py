"""The door of the library: few names, all of them there, and nothing loaded before it is asked for."""

import ast
import contextlib
import importlib
import io
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hiddenagenda

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ast.parse((ROOT / "hiddenagenda" / "__init__.py").read_text(encoding="utf-8"))


def typed() -> dict[str, tuple[str, str]]:
    """Return what type checkers are told: module and name there, by the name at the door."""
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(SOURCE)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hiddenagenda.")
        for alias in node.names
    }


def test_the_door_is_small() -> None:
    assert 20 <= len(hiddenagenda.__all__) <= 30
    assert sorted(set(hiddenagenda.__all__)) == hiddenagenda.__all__


def test_type_checkers_are_told_the_same() -> None:
    assert set(typed()) == set(hiddenagenda.__all__)


@pytest.mark.parametrize("name", hiddenagenda.__all__)
def test_what_is_asked_for_is_what_its_module_holds(name: str) -> None:
    module, there = typed()[name]
    hiddenagenda.__dict__.pop(name, None)
    assert getattr(hiddenagenda, name) is getattr(importlib.import_module(module), there)
    assert name in vars(hiddenagenda), "it is asked for once"


def test_a_name_that_is_not_there_is_said_to_be_so() -> None:
    with pytest.raises(AttributeError, match="'hiddenagenda' has no attribute 'nonsense'"):
        _ = hiddenagenda.nonsense  # type: ignore[attr-defined]  # that is what is asked


def test_the_door_lists_what_it_has() -> None:
    assert set(hiddenagenda.__all__) <= set(dir(hiddenagenda))


def test_disk_and_network_are_not_at_the_door() -> None:
    assert not any(module.startswith("hiddenagenda.edge") for module, _ in typed().values())


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert hiddenagenda.__version__ == project["version"]


def test_opening_the_door_loads_nothing() -> None:
    program = "import sys, hiddenagenda; print([name for name in sys.modules if name.startswith('hiddenagenda.')])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def whole_game() -> str:
    """Return the block in README that drives a whole game."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL):
        if "require_kept()" in block:
            return str(block)
    pytest.fail("README drives no whole game")


def test_the_whole_game_in_the_readme_runs() -> None:
    block = whole_game()
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(block, "README.md", "exec"), {"__name__": "README"})
    assert said.getvalue() == "kept\n"


def test_the_whole_game_in_the_readme_needs_nothing_but_the_door() -> None:
    for node in ast.walk(ast.parse(whole_game())):
        if isinstance(node, ast.ImportFrom):
            assert node.module == "hiddenagenda"
            assert {alias.name for alias in node.names} <= set(hiddenagenda.__all__)
        assert not isinstance(node, ast.Import)
