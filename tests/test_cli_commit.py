"""``commit``: no commitment is shown without its slip, and no name where it should not stand."""

import errno
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import BEARS, CROWS, PROGRAM, ROOT, Done, Program, environment, process
from crashes import FAILURES, every_death, failing
from hiddenagenda_cli.commands import commit as module

from hiddenagenda.commitment import Commitment
from hiddenagenda.edge import files
from hiddenagenda.edge.store import SlipStore
from hiddenagenda.slip import Salt
from hiddenagenda.token import decode

DAY = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2} draft")


def kept(home: Path) -> set[str]:
    """Return the commitments whose slips can be read from ``home``; check that nothing else lies there."""
    listing = SlipStore(str(home)).listing()
    assert listing.unreadable == ()
    return {one.commitment.token for one in listing.slips}


def test_the_token_is_that_of_the_slip_file(program: Program) -> None:
    done = program(*BEARS)
    assert done.code == 0
    (path,) = program.slips()
    data = path.read_bytes()
    assert decode(done.token()).payload == hashlib.sha256(data).digest()
    assert path.stem == hashlib.sha256(data).hexdigest()
    slip = json.loads(data)
    assert slip["names"] == ["Grizzly Bears"]
    assert DAY.fullmatch(slip["game"])


def test_sha256sum_prints_the_commitment(program: Program) -> None:
    if not shutil.which("sha256sum"):
        pytest.skip("there is no sha256sum here")
    program(*BEARS)
    (path,) = program.slips()
    assert subprocess.check_output(["sha256sum", path]).split()[0].decode() == path.stem


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_slips_are_their_owners_alone_whatever_the_umask(program: Program, umask: int) -> None:
    if os.name != "posix":
        pytest.skip("modes are POSIX's")
    former = os.umask(umask)
    try:
        assert program(*BEARS).code == 0
    finally:
        os.umask(former)
    for path in program.home.rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path
    assert program.home.stat().st_mode & 0o777 == 0o700


def test_one_name_looks_like_two(program: Program) -> None:
    ben = program.of("ben")
    one, two = program(*BEARS), ben(*CROWS)
    assert (one.code, len(one.out)) == (two.code, len(two.out)) == (0, 65)
    one, two = program(*BEARS, "--json"), ben(*CROWS, "--json")
    assert len(one.out) == len(two.out)
    assert json.loads(one.out).keys() == json.loads(two.out).keys()
    one, two = program("slips"), ben("slips")
    assert len(one.out) == len(two.out)
    assert (one.err, two.err) == (b"", b"")


@pytest.mark.parametrize("arguments", [BEARS, CROWS])
def test_json_holds_no_secret(program: Program, arguments: tuple[str, ...]) -> None:
    done = program(*arguments, "--json")
    (path,) = program.slips()
    salt = json.loads(path.read_bytes())["salt"]
    for secret in (salt, "Grizzly", "Storm", "Llanowar", "Muzzio", "Summoner"):
        assert secret.encode() not in done.out
    assert salt.encode() not in done.err
    assert sorted(json.loads(done.out)) == ["commitment", "game", "player", "slot", "token"]


def test_names_from_standard_input_are_in_no_argument_and_warn_nobody(program: Program) -> None:
    given = "\ufeffBrago's Favor\tStorm Crow\r\n\r\nSummoner's Bond\tStorm Crow\tSéance\r\n".encode()
    done = program("commit", "--names-from", "-", "--player", "Ana", "--game", "draft", given=given)
    assert done.code == 0
    assert len(done.lines) == 2
    assert b"history" not in done.err


def test_names_as_arguments_earn_a_warning(program: Program) -> None:
    assert program(*BEARS).err.startswith(b"warning: names given as arguments")


def test_a_list_that_is_no_text_is_refused_with_the_place(program: Program) -> None:
    done = program("commit", "--names-from", "-", given=b"Brago's Favor\tS\xe9ance\n")
    assert (done.code, done.out) == (1, b"")
    assert b"not UTF-8 at byte 15" in done.err


def test_no_traceback_tells_a_secret(program: Program) -> None:
    """Run as a process that fails where it knows everything, with all that Python then can say."""
    script = program.home.parent / "fail.py"
    script.write_text(
        "import hiddenagenda.slip\n"
        "from hiddenagenda_cli.main import main\n"
        "def fail(self):\n"
        "    raise RuntimeError('forced')\n"
        "hiddenagenda.slip.Slip.turn_face_up = fail\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", str(script), "commit", "--names-from", "-", "--player", "Ana", "--game", "draft"],
        input=b"Brago's Favor\tStorm Crow\n",
        env=environment(program.home, PYTHONDEVMODE="1"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"RuntimeError: forced" in done.stderr
    said = b"Brago's Favor: Storm Crow\n"  # to the player himself, before anything failed
    assert done.stderr.startswith(said)
    for secret in (b"Storm", b"Crow", b"Brago"):
        assert secret not in done.stderr.removeprefix(said)


def test_the_name_used_last_is_remembered_and_not_written_again(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(*BEARS)
    assert json.loads((program.home / "preferences").read_bytes()) == {"game": "draft", "player": "Ana"}
    monkeypatch.setattr(module, "write_preferences", lambda *_: pytest.fail("nothing has changed"))
    done = program("commit", "Storm Crow", "--conspiracy", "Brago's Favor")
    assert done.code == 0
    assert [json.loads(path.read_bytes())["player"] for path in program.slips()] == ["Ana", "Ana"]


def test_what_cannot_be_remembered_keeps_no_commitment_back(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise files.refusal(OSError(errno.ENOSPC, ""), "preferences")

    monkeypatch.setattr(module, "write_preferences", fail)
    done = program(*BEARS)
    assert done.code == 0
    assert kept(program.home) == {done.token()}
    assert b"warning: your name and the game are not remembered" in done.err


@pytest.mark.parametrize("code", FAILURES, ids=errno.errorcode.get)
def test_a_disk_that_fails_at_any_call_shows_no_commitment_that_is_lost(
    program: Program, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """A full disk, a broken one: each call that touches a file fails once, a write after half of it."""
    shown: set[str] = set()
    for at in itertools.count(1):
        one = program.of(str(at))
        with failing(code, at=at) as failed:
            done = one(*BEARS)
        assert b"Traceback" not in done.err
        assert kept(one.home) >= set(done.out.decode().split()), failed
        assert (done.code == 0) == bool(done.out), failed
        if done.code:
            assert done.err.splitlines()[-2].startswith(b"hiddenagenda: ")
        assert one("slips").code == 0
        assert one(*BEARS).token() in kept(one.home)  # as if nothing had been
        if not failed:
            break
        shown.add(failed[0])
    assert {"open", "write", "mkdir"} <= shown


def test_the_limit_of_the_shell_on_file_sizes_is_no_traceback(program: Program) -> None:
    resource = pytest.importorskip("resource")
    done = process(*BEARS, home=program.home, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    assert done.code == 1
    assert done.out == b""
    assert b"Traceback" not in done.err


def test_few_files_may_be_open(program: Program) -> None:
    resource = pytest.importorskip("resource")
    done = process(*BEARS, home=program.home, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16)))
    assert b"Traceback" not in done.err
    assert done.code == 0
    assert kept(program.home) == {done.token()}


def spoiled_read_only(home: Path) -> None:
    home.mkdir(mode=0o700)
    home.chmod(0o500)


def spoiled_file(home: Path) -> None:
    home.write_text("no directory")


def spoiled_link(home: Path) -> None:
    (home.parent / "elsewhere").mkdir(mode=0o700)
    home.symlink_to(home.parent / "elsewhere", target_is_directory=True)


def spoiled_dangling_link(home: Path) -> None:
    home.symlink_to(home.parent / "nowhere", target_is_directory=True)


def spoiled_lax(home: Path) -> None:
    home.mkdir()
    home.chmod(0o755)


def spoiled_lax_slips(home: Path) -> None:
    (home / "slips").mkdir(parents=True)
    home.chmod(0o700)
    (home / "slips").chmod(0o750)


def spoiled_slips_link(home: Path) -> None:
    home.mkdir(mode=0o700)
    (home.parent / "elsewhere").mkdir(mode=0o700)
    (home / "slips").symlink_to(home.parent / "elsewhere", target_is_directory=True)


SPOILED: dict[Callable[[Path], None], bytes] = {
    spoiled_read_only: b"does not permit",
    spoiled_file: b"no directory",
    spoiled_link: b"symbolic link",
    spoiled_dangling_link: b"symbolic link",
    spoiled_lax: b"chmod 700 ",
    spoiled_lax_slips: b"chmod 700 ",
    spoiled_slips_link: b"symbolic link",
}


def program_under_modes(home: Path, *arguments: str) -> Done:
    """Run the program as a root whom the modes of files bind, as they bind everybody else."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        pytest.skip("root may write everywhere, and setpriv is not here to forbid it")
    bound = (setpriv, "--bounding-set", "-dac_override,-dac_read_search", *PROGRAM, *arguments)
    done = subprocess.run(bound, env=environment(home), capture_output=True, timeout=60, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("spoil", SPOILED, ids=lambda spoil: spoil.__name__)
def test_a_directory_that_cannot_keep_secrets_gets_none(program: Program, spoil: Callable[[Path], None]) -> None:
    if os.name != "posix":
        pytest.skip("modes are POSIX's")
    spoil(program.home)
    before = sorted(program.home.parent.rglob("*"))
    done = program_under_modes(program.home, *BEARS) if os.geteuid() == 0 else program(*BEARS)
    assert (done.code, done.out) == (1, b"")
    assert SPOILED[spoil] in done.err
    assert not [path for path in set(program.home.parent.rglob("*")) - set(before) if path.is_file()]


def test_a_salt_that_repeats_is_refused(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Salt", FixedSalt)
    assert program(*BEARS).code == 0
    done = program(*BEARS)
    assert (done.code, done.out) == (1, b"")
    assert b"random numbers repeat" in done.err


class FixedSalt:
    @staticmethod
    def generate() -> Salt:
        return Salt(b"\1" * 32)


@pytest.mark.parametrize(
    "label", ["../../x", "a/b", "..", "CON", "nul.txt", "a:b", "~root", "x" * 500, "trailing. ", "é" * 200, "{player}"]
)
def test_labels_name_no_files(program: Program, label: str) -> None:
    done = program(*BEARS[:4], f"--player={label}", f"--game={label}")
    assert done.code in {0, 1}  # 1: the slip is too long
    outside = [path for path in program.home.parent.rglob("*") if program.home not in path.parents]
    assert outside in ([program.home], [])
    assert {re.sub("[0-9a-f]{64}", "", path.name) for path in program.home.rglob("*")} <= {
        "slips",
        ".slip",
        ".lock",
        "preferences",
    }


def test_an_option_is_no_label(program: Program) -> None:
    assert program("commit", "--player", "-rf", "--game", "--exact-label").code == 2


@pytest.mark.parametrize("hostile", ["\x1b[2J", "a\x07b", "\u202eanA", "a\u0090b", "a\udc80b", "\ufdd0"])
def test_labels_with_controls_are_refused(program: Program, hostile: str) -> None:
    done = program(*BEARS[:4], "--player", f"Ana{hostile}", "--game", "draft")
    assert done.code == 1
    assert program.slips() == []
    assert all(byte >= 0x20 or byte == 0x0A for byte in done.err)


def test_two_processes_take_two_slots(program: Program) -> None:
    ways = [
        subprocess.Popen(
            [*PROGRAM, *BEARS], env=environment(program.home), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(6)
    ]
    shown = {way.communicate(timeout=60)[0].decode().strip() for way in ways}
    assert [way.returncode for way in ways] == [0] * 6
    assert kept(program.home) == shown
    slips = [json.loads(path.read_bytes()) for path in program.slips()]
    assert sorted(slip["slot"] for slip in slips) == [1, 2, 3, 4, 5, 6]
    assert len({slip["salt"] for slip in slips}) == 6


def test_a_process_that_dies_at_any_call_has_shown_nothing_that_is_lost(tmp_path: Path) -> None:
    """Every call that touches a file is once the last one."""
    folders = iter(range(100_000))
    homes: list[Path] = []

    def start() -> None:
        homes.append(tmp_path / str(next(folders)))

    def action(show: Callable[[bytes], None]) -> None:
        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr("hiddenagenda_cli.output.Voice.result", lambda _, line: show(line.encode()))
            assert Program(homes[-1], monkeypatch)(*BEARS).code == 0

    def check(shown: list[bytes]) -> None:
        home = homes[-1]
        tokens = {token.decode() for token in shown}
        assert tokens <= {one.commitment.token for one in SlipStore(str(home)).listing().slips}
        with pytest.MonkeyPatch.context() as monkeypatch:  # and the next one finds nothing in its way
            program = Program(home, monkeypatch)
            done = program(*BEARS)
            assert done.code == 0, done
            assert {done.token(), *tokens} <= kept(home)
            assert program("slips").code == 0

    assert every_death(action, check, start) > 10


def test_kill_9_at_random_loses_nothing_that_was_shown(program: Program) -> None:
    rng = random.Random(2026)
    shown: set[str] = set()
    for _ in range(25):
        way = subprocess.Popen(
            [*PROGRAM, *BEARS], env=environment(program.home), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0.03, 0.25))
        way.kill()
        shown |= set(way.communicate(timeout=60)[0].decode().split())
    assert shown <= kept(program.home)
    done = program(*BEARS[:-1], "afterwards")
    assert done.token() in kept(program.home)


def test_the_disk_has_the_slip_before_the_screen_has_the_commitment(program: Program) -> None:
    strace = shutil.which("strace")
    if not strace:
        pytest.skip("there is no strace here")
    log = program.home.parent / "log"
    done = subprocess.run(
        [strace, "-f", "-s", "8", "-y", "-o", log, "-e", "trace=fsync,link,linkat,write", *PROGRAM, *BEARS],
        env=environment(program.home),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("this system lets nobody be traced")
    calls = log.read_text(encoding="utf-8", errors="replace").splitlines()

    def place(pattern: str) -> int:
        return next(number for number, call in enumerate(calls) if re.search(pattern, call))

    assert place(r"fsync\(.*\.new>") < place(r"link(at)?\(") < place(r"fsync\(.*slips>") < place(r"write\(1<")


def test_the_program_is_declared_once() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert declared == {"hiddenagenda": "hiddenagenda_cli.main:main"}


def test_a_commitment_opens_with_what_was_kept(program: Program) -> None:
    token = program(*BEARS).token()
    opening = decode(program("open").token("HAO")).payload
    assert Commitment.of(opening).token == token
    assert program("slips").out == b""
    assert program("slips", "--all").lines[0].startswith(token)
