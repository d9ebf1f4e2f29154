"""README and SPEC say what the program does: all of it, and nothing else."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hiddenagenda_cli.main import SECTIONS, program
from hiddenagenda_cli.output import Exit

from hiddenagenda.rulebook import Code

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SPEC = (ROOT / "SPEC.md").read_text(encoding="utf-8")
COMMANDS = {name: line for section in SECTIONS.values() for name, line in section.items()}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CITED = re.compile(r'SPEC(?:\.md)?,? ((?:["“][^"”]+["”](?:,| and)? ?)+)')


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of README in a language."""
    return [text for kind, text in FENCE.findall(README) if kind == language]


def sources() -> Iterator[Path]:
    for folder in ("hiddenagenda", "cli"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def docstrings(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


@pytest.mark.parametrize(("name", "line"), COMMANDS.items(), ids=COMMANDS)
def test_every_command_is_in_the_readme_with_its_line(name: str, line: str) -> None:
    assert f"| `{name}` | {line} |" in README


def test_the_readme_lists_no_other_commands() -> None:
    listed = re.findall(r"^\| `([a-z-]+)` \|", README, re.MULTILINE)
    assert listed == list(COMMANDS)


def test_the_readme_calls_only_commands_and_options_that_exist() -> None:
    code = "\n".join([*blocks("sh"), *blocks("text"), *re.findall(r"`([^`\n]+)`", README)])
    called = re.findall(r"hiddenagenda ([a-z-]+)([^\n#]*)", code)
    assert len(called) > 15
    with program.make_context("hiddenagenda", [], resilient_parsing=True) as ctx:
        for name, rest in called:
            command = program.get_command(ctx, name)
            assert command is not None, name
            params = [param for one in [command, *getattr(command, "commands", {}).values()] for param in one.params]
            options = {option for param in params for option in param.opts} | {"--help"}
            for option in re.findall(r"--[a-z-]+", rest):
                assert option in options, (name, option)


def test_the_readme_tells_a_story_that_is_tested() -> None:
    told, _ = blocks("text")
    assert told == (ROOT / "tests" / "stories" / "friday_draft.txt").read_text(encoding="utf-8")


def test_the_readme_shows_what_the_demo_prints() -> None:
    _, shown = blocks("text")
    printed = (ROOT / "tests" / "stories" / "demo.txt").read_text(encoding="utf-8")
    games = shown.rstrip().split("\n\n")
    assert len(games) == 3
    assert [game for game in games if f".\n{game}\n" not in printed] == []


@pytest.mark.parametrize("text", [README, SPEC], ids=["README", "SPEC"])
def test_every_exit_code_is_documented(text: str) -> None:
    assert {int(code) for code in re.findall(r"^\| (\d) \|", text, re.MULTILINE)} >= set(map(int, Exit))
    assert "2, 3, 1, 4, 5, 0" in text
    assert "130" in text


@pytest.mark.parametrize("code", Code)
def test_every_finding_is_in_the_specification(code: Code) -> None:
    assert f"`{code.value}`" in SPEC


def test_the_readme_has_one_command_that_plays_and_one_that_tests() -> None:
    """``.ci/run`` runs both as they stand there."""
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("python3 -m venv")]
    assert len(lines) == 2
    assert lines[0].endswith("hiddenagenda demo")
    assert "pytest" in lines[1]


@pytest.mark.parametrize("text", blocks("python"))
def test_python_in_the_readme_runs(text: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", text], cwd=ROOT, check=True)


def test_links_lead_somewhere() -> None:
    for text in (README, SPEC):
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert "://" in target or (ROOT / target).exists(), target


@pytest.mark.parametrize("path", list(sources()), ids=lambda path: str(path.relative_to(ROOT)))
def test_sections_that_are_cited_exist(path: Path) -> None:
    headings = {heading.strip() for heading in re.findall(r"^#+ (.+)$", SPEC, re.MULTILINE)}
    for docstring in docstrings(path):
        for cited in CITED.findall(" ".join(docstring.split())):
            for section in re.findall(r'["“]([^"”]+)["”]', cited):
                assert section in headings, section


def test_a_section_that_does_not_exist_would_be_found() -> None:
    assert CITED.findall('SPEC "Names" and "Verdicts". More') == ['"Names" and "Verdicts"']


def test_the_readme_disclaims_and_names_the_licence() -> None:
    assert "unofficial fan work" in README
    assert "[MIT licence](LICENSE)" in README


@pytest.mark.parametrize("text", [README, SPEC], ids=["README", "SPEC"])
def test_what_is_not_protected_is_said(text: str) -> None:
    assert re.search(r"^#+ What (it|this) does not protect$", text, re.MULTILINE)
