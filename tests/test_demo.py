"""The demo: every rule and ruling kept and broken, and a demo that is not judged as it should be says so."""

import io
import json
import os
import re
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from commandline import Program, Terminal
from hiddenagenda_cli.commands import demo
from hiddenagenda_cli.demonstration import page
from hiddenagenda_cli.demonstration.chat import over_a_chat
from hiddenagenda_cli.demonstration.scene import Scene
from hiddenagenda_cli.demonstration.trio import NAMES, Trio, draw_keys
from hiddenagenda_cli.output import Exit

from hiddenagenda.edge.catalogue import bundled
from hiddenagenda.edge.keystore import read_outside
from hiddenagenda.faults import sentence
from hiddenagenda.identity import Identity
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import RULES, Code, Edition, RuleId
from hiddenagenda.verifier import judge

CATALOGUE = bundled()
SCENES = {scene.name: scene for chapter in demo.CHAPTERS for scene in chapter.scenes}
AGENDA_RULES = [rule for rule in RuleId if rule.value.startswith("agenda-")]
NOT_PLAYED = {Code.MALFORMED_COMMIT}
"""It is about boxes for a judge, and none sits at these tables."""


@pytest.fixture(scope="module")
def keys() -> dict[str, Identity]:
    return dict(draw_keys())


def played(scene: Scene, keys: dict[str, Identity]) -> Trio:
    trio = Trio.sit_down(keys, CATALOGUE, edition="2025-09")
    scene.play(trio)
    return trio


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_is_judged_as_it_is_told(name: str, keys: dict[str, Identity]) -> None:
    trio = played(SCENES[name], keys)
    assert SCENES[name].is_judged_well(trio, judge(trio.transcript))


@pytest.mark.parametrize("name", SCENES)
def test_nobody_but_the_culprit_is_named(name: str, keys: dict[str, Identity]) -> None:
    trio = played(SCENES[name], keys)
    broken = {player.name for player in judge(trio.transcript).players if player.standing is Outcome.BROKEN}
    assert broken == ({SCENES[name].culprit} if SCENES[name].culprit else set())
    assert broken <= set(NAMES)


def test_every_rule_of_the_agenda_is_kept_and_has_its_cheats() -> None:
    kept = [kept.rule for scene in SCENES.values() for kept in scene.kept]
    broken = [chapter.rule for chapter in demo.CHAPTERS if chapter.rule]
    assert len(AGENDA_RULES) == 6
    assert kept == broken == AGENDA_RULES


def test_every_finding_has_a_scene() -> None:
    assert {scene.code for scene in SCENES.values() if scene.code} == set(Code) - NOT_PLAYED


def test_the_scenes_of_a_chapter_break_its_rule() -> None:
    for chapter in demo.CHAPTERS:
        for scene in chapter.scenes:
            assert (scene.code is None) == (scene.outcome in {Outcome.KEPT, Outcome.OWES})
            assert (scene.code is None) == (scene.culprit is None)


def test_a_scene_that_is_judged_otherwise_is_noticed(keys: dict[str, Identity]) -> None:
    honest, cheated = SCENES["honest"], SCENES["swapped-slip"]
    trio = played(cheated, keys)
    verdict = judge(trio.transcript)
    assert not honest.is_judged_well(trio, verdict)
    assert not SCENES["second-commit"].is_judged_well(trio, verdict)
    whitewashed = judge(played(honest, keys).transcript)
    assert not cheated.is_judged_well(trio, whitewashed)


# The whole of it


def test_it_is_told_in_chapters_and_ends_well(program: Program) -> None:
    done = program("demo")
    assert done.code == Exit.KEPT
    told = done.out.decode()
    numbers = re.findall(r"^(\d+)\. ", told, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(SCENES) + 1)]
    assert told.count("\n== ") == len(demo.CHAPTERS)
    assert done.lines[-1].startswith("Every cheat was caught, and no honest player was named.")
    assert done.err == b""
    assert not program.home.exists(), "nothing is kept"


def test_every_cheat_is_told_with_the_rule_and_the_reason(program: Program) -> None:
    scenes = re.split(r"^\d+\. ", program("demo").out.decode(), flags=re.MULTILINE)[1:]
    for scene, told in zip(SCENES.values(), scenes, strict=True):
        assert told.startswith(str(scene.told))
        if scene.code:
            assert re.search(rf"^     finding 1: {scene.code}: {scene.culprit} ", told, re.MULTILINE)
            assert re.search(r"^       why: \S", told, re.MULTILINE)
            assert re.search(r"^       proved by: [0-9a-f]{12}", told, re.MULTILINE)


@pytest.mark.parametrize("edition", list(Edition))
def test_rules_are_cited_in_the_edition_asked_for(program: Program, edition: Edition) -> None:
    told = program("demo", "--edition", edition.value).out.decode()
    number = RULES[RuleId.AGENDA_NOTED].number(edition)
    assert told.count(f"rule {number} (edition {edition.value})") > 3
    assert set(re.findall(r"\(edition ([\d-]+)\)", told)) == {edition.value}


def test_as_json_every_line_is_an_object(program: Program) -> None:
    done = program("demo", "--json")
    assert done.code == Exit.KEPT
    told = [json.loads(line) for line in done.lines]
    judged = [one for one in told if "scene" in one]
    assert [one["scene"] for one in judged] == list(SCENES)
    for one in judged:
        assert one["verdict"]["outcome"] == SCENES[one["scene"]].outcome.value
    assert [one["outcome"] for one in told if "scene" not in one] == ["kept", "broken", "broken"]


# A program that judges wrongly


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_a_scene_that_is_misjudged_ends_in_3(
    program: Program, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    def blind(*given: object, **more: object) -> object:
        return replace(judge(*given, **more), findings=())  # type: ignore[arg-type]

    monkeypatch.setattr(demo, "judge", blind)
    done = program("demo", *arguments)
    assert done.code == Exit.BROKEN
    assert b"not judged as it should be" in done.err
    assert b"Every cheat was caught" not in done.out


def test_a_chat_that_is_misjudged_ends_in_3(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = over_a_chat(CATALOGUE)
    assert all(one.is_judged_well for one in pages)
    swapped = [*pages[:-1], type(pages[-1])(told=sentence("so"), judged=pages[-1].judged, wanted=Outcome.KEPT)]
    monkeypatch.setattr(demo, "over_a_chat", lambda names: swapped)
    assert program("demo").code == Exit.BROKEN


# What is written


@pytest.fixture
def games(program: Program, tmp_path: Path) -> Path:
    done = program("demo", str(tmp_path / "games"))
    assert done.code == Exit.KEPT
    assert str(tmp_path / "games").encode() in done.err
    return tmp_path / "games"


def test_the_games_are_files_that_are_judged_the_same(program: Program, games: Path) -> None:
    for number, scene in enumerate(SCENES.values(), start=1):
        path = games / f"{number:02}-{scene.name}.jsonl"
        verdict = json.loads(program("verify", "--json", str(path)).out)
        assert verdict["outcome"] == scene.outcome.value
        assert [finding["code"] for finding in verdict["findings"]] == ([scene.code.value] if scene.code else [])
    together = program("verify", *map(str, sorted(games.glob("*.jsonl"))))
    assert together.code == Exit.BROKEN
    assert together.out.count(b"\ngame ") + 1 == len(SCENES)


def test_a_forged_line_is_among_them(program: Program, games: Path) -> None:
    (path,) = games.glob("*-forged.jsonl")
    assert b"(bad-signature)" in program("verify", str(path)).out


def test_the_keys_are_the_ones_that_signed(games: Path) -> None:
    first = (games / "01-honest.jsonl").read_text(encoding="utf-8")
    for name in NAMES:
        identity = Identity.unlock(read_outside(str(games / f"{name}.key")))
        assert f'"author":"{identity.public.hex}"' in first


def test_a_page_says_what_is_there(program: Program, games: Path) -> None:
    guide = (games / "README.txt").read_text(encoding="utf-8")
    for command in re.findall(r"hiddenagenda (verify|inspect) (.*)$", guide, re.MULTILINE):
        verb, rest = command
        named = [word for word in rest.split() if word.endswith(".jsonl") and "*" not in word]
        for name in named:
            assert (games / name).is_file()
            assert program(verb, str(games / name)).code in {Exit.KEPT, Exit.BROKEN}
    assert {path.suffix for path in games.iterdir()} == {".jsonl", ".key", ".txt"}
    assert all(f"{name}.key" in guide for name in NAMES)


def test_only_the_user_may_read_the_keys(games: Path) -> None:
    if os.name != "posix":
        pytest.skip("modes are POSIX's")
    assert stat.S_IMODE(games.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in games.glob("*.key")} == {0o600}


@pytest.mark.parametrize("kind", ["directory", "file", "dangling link", "link"])
def test_nothing_is_written_over(program: Program, tmp_path: Path, kind: str) -> None:
    place, elsewhere = tmp_path / "games", tmp_path / "elsewhere"
    match kind:
        case "directory":
            place.mkdir()
        case "file":
            place.write_text("mine", encoding="utf-8")
        case "link":
            elsewhere.mkdir()
            place.symlink_to(elsewhere)
        case _:
            place.symlink_to(elsewhere)
    done = program("demo", str(place))
    assert done.code == Exit.INPUT
    assert done.out == b"", "it is said before the story"
    assert b"nothing is overwritten" in done.err
    if kind == "directory":
        assert list(place.iterdir()) == []
    assert not elsewhere.exists() or list(elsewhere.iterdir()) == []


def test_a_place_that_cannot_be_is_said_in_one_line(program: Program, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (tmp_path / "file" / "games", "a\0b"):
        done = program("demo", str(place))
        assert done.code == Exit.INPUT
        assert b"Traceback" not in done.err


# At a terminal


def test_at_a_terminal_lines_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, width in ((72, 72), (10, 40)):
        out = io.BytesIO()
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "stdout", Terminal(out, "utf-8"))
        said = sentence("{text}", text="a word and another one " * 12 + "x" * 90)
        page.print_line(said, indent=5)
        lines = out.getvalue().decode().splitlines()
        assert lines[0].startswith("     a word")
        assert all(line.startswith("       ") for line in lines[1:])
        assert all(len(line) <= width for line in lines if "xxx" not in line)
        assert "x" * 90 in lines[-1], "a token is not cut"
        assert " ".join(" ".join(lines).split()) == " ".join(str(said).split())


def test_the_keys_of_the_demo_are_read_by_ssh_keygen(games: Path) -> None:
    try:
        done = subprocess.run(
            ["ssh-keygen", "-y", "-f", str(games / "Ana.key")], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("ssh-keygen is not here")
    assert done.stdout.startswith("ssh-ed25519 ")
