"""What reaches a screen, a pipe, a full disk: nothing that moves a cursor, no silence that looks like success."""

import hashlib
import json
import os
import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import BEARS, PROGRAM, ROOT, Done, Program, environment, process
from hiddenagenda_cli.main import SECTIONS
from hiddenagenda_cli.output import Exit, language, worst

from hiddenagenda import canonical
from hiddenagenda.commitment import Commitment
from hiddenagenda.slip import PROTOCOL
from hiddenagenda.token import Kind, encode

HOSTILE = {
    "title": "\x1b]0;kept\x07",
    "clear": "\x1b[2J\x1b[H",
    "hide": "\x1b[8m",
    "clipboard": "\x1b]52;c;aGFja2Vk\x07",
    "link": "\x1b]8;;https://example.org\x07kept\x1b]8;;\x07",
    "c1 csi": "\x9b2J",
    "c1 dcs": "\x90q\x9c",
    "override": "\u202etpek",
    "isolate": "\u2066kept\u2069",
    "rub out": "broken\x08\x08\x08\x08\x08\x08kept  \x7f",
    "line": "\n  kept: the opening is the one committed to\r",
    "separator": "\u2028kept",
}
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def check_safe(done: Done) -> None:
    for stream in (done.out, done.err):
        assert not UNSAFE.search(stream.decode("utf-8")), stream
    assert b"Traceback" not in done.err
    assert not [line for line in done.lines if line.startswith("  kept: the opening")]


@pytest.fixture(params=list(HOSTILE.values()), ids=list(HOSTILE))
def hostile(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("field", ["player", "game", "name", "conspiracy"])
def test_escapes_in_an_opening_are_shown_and_not_obeyed(program: Program, hostile: str, field: str) -> None:
    """A slip is bytes: whoever writes it by hand puts anything into it, and commits to that."""
    members: dict[str, canonical.Json] = {
        "conspiracy": "Brago's Favor",
        "game": "draft",
        "names": ["Storm Crow"],
        "player": "Eve",
        "protocol": PROTOCOL,
        "salt": "ab" * 32,
        "slot": 1,
        "type": "slip",
    }
    if field == "name":
        members["names"] = [hostile]
    else:
        members[field] = hostile
    data = json.dumps(members, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    for arguments in (
        [Commitment.of(data).token, encode(Kind.SLIP, data)],
        [Commitment.of(b"other").token, encode(Kind.SLIP, data)],
        [encode(Kind.SLIP, data)],
    ):
        for more in ([], ["--json"], ["--player", "Ana"]):
            done = program("verify", *arguments, *more)
            assert done.code in {1, 3}
            check_safe(done)


def test_escapes_in_a_chat_are_shown_and_not_obeyed(program: Program, hostile: str) -> None:
    for text in (f"hac1{hostile}", f"{hostile}: hac1abc{hostile}", hostile):
        done = program("verify", "-", given=text.encode())
        assert done.code == 1
        check_safe(done)


def test_escapes_in_arguments_are_shown_and_not_obeyed(program: Program, hostile: str) -> None:
    for arguments in (
        ["verify", hostile],
        ["verify", f"hac1{hostile}"],
        ["verify", "--edition", hostile, "x"],
        ["open", hostile],
        ["slips", "--show", hostile],
        ["commit", hostile, "--conspiracy", "Brago's Favor", "--player", "Ana", "--game", "draft"],
        ["commit", "Storm Crow", "--conspiracy", hostile, "--player", "Ana", "--game", "draft"],
        ["commit", "--names-from", hostile],
        ["commit", "--slot", hostile],
        ["explain", hostile, "--text", hostile],
        ["explain", "00" * 32, "--text", hostile],
        ["explain", "00" * 32, "--text", "a", "--salt", hostile],
        ["cards", "check", hostile],
        ["cards", "search", hostile],
        [hostile],
        [f"--{hostile}"],
        ["slips", f"--{hostile}"],
        ["cards", hostile],
        ["slips", "a", hostile],
    ):
        done = program(*arguments)
        assert done.code != 0 or arguments[:2] == ["cards", "search"], arguments
        check_safe(done)


def test_escapes_in_names_of_files_are_shown_and_not_obeyed(
    program: Program, hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = hostile.replace("/", "_")
    try:
        Path(name).write_text("nothing", encoding="utf-8")
    except OSError:
        pytest.skip("no file has such a name here")
    for arguments in (["verify", name], ["open", name], ["commit", "--names-from", name]):
        done = program(*arguments)
        assert done.code == 1
        check_safe(done)


def test_escapes_in_the_name_of_a_stray_file_are_shown_and_not_obeyed(program: Program, hostile: str) -> None:
    program(*BEARS)
    try:
        (program.home / "slips" / (hostile.replace("/", "_") + ".slip")).write_bytes(b"x")
    except OSError:
        pytest.skip("no file has such a name here")
    done = program("slips")
    assert done.code == 1
    assert len(done.lines) == 1
    check_safe(done)


def test_a_file_whose_name_begins_with_a_dash_is_given_after_two(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    token = program(*BEARS).token()
    Path("-rf").write_text(token, encoding="utf-8")
    assert program("verify", "--", "-rf").code == 5
    assert program("verify", "-rf").code == 2


POSTED = Commitment.of(b"whatever").token
COMMANDS: dict[str, list[str]] = {
    "commit": [*BEARS],
    "open": ["open"],
    "verify": ["verify", POSTED],
    "verify --json": ["verify", "--json", POSTED],
    "slips": ["slips"],
    "slips --json": ["slips", "--json"],
    "slips --show": ["slips", "--show"],
    "explain": ["explain", "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969", "--text", "Hello"],
    "cards check": ["cards", "check", "Storm Crow"],
    "cards search": ["cards", "search", "storm"],
    "cards info": ["cards", "info"],
    "demo": ["demo"],
    "completion": ["completion", "bash"],
    "--help": ["--help"],
    "commit --help": ["commit", "--help"],
    "cards --help": ["cards", "--help"],
    "--version": ["--version"],
}


def closed() -> None:
    os.close(1)


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("way", ["closed", "full"])
def test_a_result_that_is_lost_is_no_success(program: Program, arguments: list[str], way: str) -> None:
    if os.name != "posix":
        pytest.skip("a shell with >&- is POSIX's")
    program(*BEARS)
    if way == "full":
        if not Path("/dev/full").exists():
            pytest.skip("there is no /dev/full here")
        with Path("/dev/full").open("wb") as full:
            done = process(*arguments, home=program.home, stdout=full, changes={"PYTHONDEVMODE": "1"})
    else:
        done = process(*arguments, home=program.home, preexec_fn=closed, stdout=None)
    assert done.code == Exit.INPUT
    assert done.err.splitlines()[-1].startswith(b"hiddenagenda: the result could not be written")
    assert b"Traceback" not in done.err
    assert b"Exception" not in done.err
    assert b"Warning" not in done.err


@pytest.mark.parametrize("arguments", [["demo"], ["--help"], ["cards", "info"]])
def test_a_reader_that_goes_away_is_no_success(program: Program, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = process(*arguments, home=program.home, stdout=writer, changes={"PYTHONDEVMODE": "1"})
    finally:
        os.close(writer)
    assert done.code == Exit.INPUT
    assert done.err.splitlines() == [
        b"hiddenagenda: the result could not be written: standard output is closed, full or broken"
    ]


@pytest.mark.parametrize(
    "shut", [lambda: os.close(2), lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), 2)], ids=["closed", "full"]
)
def test_a_lost_stderr_changes_no_exit_code(program: Program, shut: Callable[[], object]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    done = process(*BEARS, home=program.home, preexec_fn=shut, stderr=None)
    assert done.code == 0
    assert done.token().startswith("hac1")
    assert process("verify", "nothing", home=program.home, preexec_fn=shut, stderr=None).code == 1
    assert process("comit", home=program.home, preexec_fn=shut, stderr=None).code == 2


def test_a_closed_stdin_is_nobody_to_ask(program: Program) -> None:
    if os.name != "posix":
        pytest.skip("a shell with <&- is POSIX's")
    for arguments, code in ((["commit"], 2), (["verify", "-"], 1), (["verify"], 2)):
        done = subprocess.run(
            [*PROGRAM, *arguments],
            env=environment(program.home),
            preexec_fn=lambda: os.close(0),
            capture_output=True,
            check=False,
        )
        assert done.returncode == code
        assert b"Traceback" not in done.stderr


ENCODINGS = {
    "C": {"LC_ALL": "C"},
    "C without UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp437": {"PYTHONIOENCODING": "cp437"},
    "utf-8": {"PYTHONUTF8": "1"},
}


@pytest.mark.parametrize("changes", ENCODINGS.values(), ids=ENCODINGS)
def test_no_encoding_of_the_terminal_changes_what_is_hashed(program: Program, changes: dict[str, str]) -> None:
    arguments = ["commit", "Séance", "--conspiracy", "Brago’s Favor", "--player", "Zoë", "--game", "entwürfe"]
    done = process(*arguments, home=program.home, changes=changes)
    assert done.code == 0, done.err
    (path,) = program.slips()
    slip = json.loads(path.read_bytes().decode("utf-8"))
    assert (slip["names"], slip["player"], slip["game"][11:]) == (["Séance"], "Zoë", "entwürfe")
    assert b"Traceback" not in done.err
    token = done.token()
    done = process("open", home=program.home, changes=changes)
    done = process("verify", token, done.token("HAO"), "--player", "Zoë", home=program.home, changes=changes)
    assert done.code == 0, done
    assert b"ance" in done.out
    assert b"Traceback" not in done.err


@pytest.mark.parametrize("changes", ENCODINGS.values(), ids=ENCODINGS)
def test_files_with_accents_are_found_in_any_locale(program: Program, changes: dict[str, str], tmp_path: Path) -> None:
    token = program(*BEARS).token()
    (tmp_path / "entwürfe.txt").write_text(token, encoding="utf-8")
    done = process("verify", str(tmp_path / "entwürfe.txt"), home=program.home, changes=changes)
    assert done.code == 5, done.err


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_what_is_typed_is_read_whatever_the_terminal_claims(program: Program, encoding: str) -> None:
    digest = hashlib.sha256("Séance".encode()).hexdigest()
    done = program("explain", digest, typed="Séance\n", encoding=encoding)
    assert done.code == 0
    # cp1252 can read what is UTF-8, as other letters; that mistake is well known.
    assert (b"code page 1252" in done.out) == (encoding == "cp1252")


def test_json_is_ascii(program: Program) -> None:
    done = program("cards", "check", "Séance", "--json")
    assert done.out.isascii()
    assert json.loads(done.out)["name"] == "Séance"


def test_the_worst_code_is_the_first_of_the_documented_order() -> None:
    order = [Exit.USAGE, Exit.BROKEN, Exit.INPUT, Exit.OWES, Exit.PENDING, Exit.KEPT]
    for place, code in enumerate(order):
        assert worst(list(reversed(order[place:]))) is code
    assert worst([]) is Exit.KEPT


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--lang", "de", "slips"], ("de", True)),
        (["slips", "--lang=fr"], ("fr", True)),
        (["slips", "--lang"], ("en", False)),
        (["slips", "--lang", "xx"], ("en", False)),
        (["slips", "--", "--lang", "de"], ("en", False)),
        (["--lang", "xx", "--lang", "de"], ("de", True)),
        ([], ("en", False)),
    ],
)
def test_the_language_is_known_before_anything_is_parsed(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: tuple[str, bool]
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    assert language(arguments) == expected


def test_every_command_stands_in_a_section_with_its_line(program: Program) -> None:
    page = program("--help").out.decode()
    for section, commands in SECTIONS.items():
        assert f"{section}:" in page
        for name, line in commands.items():
            assert re.search(rf"^  {name} +{re.escape(line[:40])}", page, re.MULTILINE), name


def test_the_version_is_that_of_the_package(program: Program) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert program("--version").out.decode() == f"hiddenagenda {declared}\n"


def test_no_command_at_all_shows_the_commands_and_is_no_success(program: Program) -> None:
    for arguments in ([], ["cards"]):
        done = program(*arguments)
        assert (done.code, done.out) == (2, b"")
        assert done.err.startswith(b"Usage: hiddenagenda")
