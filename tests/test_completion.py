"""Completion: what was typed, what is offered, and whether the name that was offered arrives, in real shells."""

import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest
from hiddenagenda_cli import completers, names
from hiddenagenda_cli.completion import SHELLS, script
from hiddenagenda_cli.completion.candidates import candidates
from hiddenagenda_cli.completion.typed import Quotes, Typed, of_line
from hiddenagenda_cli.main import SECTIONS, program, run
from hiddenagenda_cli.output import Exit, voice
from hypothesis import given
from hypothesis import strategies as st

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.conspiracies import AGENDA_KINDS, CONSPIRACIES
from hiddenagenda.cards.table import Kind, Row
from hiddenagenda.cards.writing import write_table
from hiddenagenda.edge.catalogue import bundled

ROOT = Path(__file__).resolve().parent.parent
HOSTILE = (
    "$(touch executed)",
    "`touch executed`",
    "; touch executed;",
    "x' && touch executed '",
    'x" && touch executed "',
    "a\\b",
    "a\\",
    "'",
    '"',
    "\\'",
    '!"!',
    "$HOME ~ * ? [a-z] {a,b} #",
    "~root",
    "-n",
    "Fire // Ice",
)


@pytest.fixture(autouse=True)
def _quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HIDDENAGENDA_HOME", str(tmp_path / "home"))
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    yield
    voice.language, voice.language_stated, voice.as_json = "en", False, False


# What was typed


@pytest.mark.parametrize(
    ("before", "replaced", "words", "last", "kept", "quotes"),
    [
        ("x commit ", "Muz", ["commit"], "Muz", "", Quotes.BARE),
        ("x commit ", "", ["commit"], "", "", Quotes.BARE),
        ('x commit "', "Muz", ["commit"], "Muz", "", Quotes.DOUBLE),
        ("x commit '", "Muz", ["commit"], "Muz", "", Quotes.SINGLE),
        ("x commit $'", "Muz", ["commit"], "Muz", "", Quotes.ANSI),
        ("x commit ", r"Muzzio\'s\ Pr", ["commit"], "Muzzio's Pr", "", Quotes.BARE),
        ("x commit --conspiracy=", "Muz", ["commit"], "--conspiracy=Muz", "--conspiracy=", Quotes.BARE),
        ('x commit --conspiracy="', "Muz z", ["commit"], "--conspiracy=Muz z", "--conspiracy=", Quotes.DOUBLE),
        (r"x a Circle\ of:", r"\ R", ["a"], "Circle of: R", "Circle of:", Quotes.BARE),
        (r'x a "Ach"\!"', " H", ["a"], "Ach! H", "Ach!", Quotes.DOUBLE),
        (r"x a 'Muz'\''", "s P", ["a"], "Muz's P", "Muz'", Quotes.SINGLE),
        (r'x a "', r"\"Ach \$1 \x", ["a"], '"Ach $1 \\x', "", Quotes.DOUBLE),
        ("x a ", "b\\", ["a"], "b", "", Quotes.BARE),
        ('x a "', "b\\", ["a"], "b", "", Quotes.DOUBLE),
        ("x a ", r"$'Lim-D\303\273l\'s'", ["a"], "Lim-Dûl's", "", Quotes.BARE),
        ("x a $'", r"Lim-D\xc3\xbbl\\", ["a"], "Lim-Dûl\\", "", Quotes.ANSI),
        ("x $HOME ", "$(b)`c`", ["$HOME"], "$(b)`c`", "", Quotes.BARE),
        ("x '' ", '""\'b\'"c"', [""], "bc", "", Quotes.BARE),
        (" x  a\tb ", "c", ["a", "b"], "c", "", Quotes.BARE),
    ],
)
def test_a_line_is_read_without_expanding_it(
    before: str, replaced: str, words: Sequence[str], last: str, kept: str, quotes: Quotes
) -> None:
    assert of_line(before, replaced) == Typed(words=tuple(words), last=last, kept=kept, quotes=quotes)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"))))
def test_quoted_words_are_read_as_they_are(words: list[str]) -> None:
    assert of_line(shlex.join(["x", *words, ""]), "").words == tuple(words)


# What is offered


def answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *pieces: str, shell: str = "bash"
) -> str:
    """Return the lines that the program answers a script with."""
    _type(monkeypatch, *pieces)
    capsys.readouterr()
    assert run(["completion", shell, "--candidates"]) == Exit.KEPT
    return capsys.readouterr().out


def _type(monkeypatch: pytest.MonkeyPatch, *pieces: str, encoding: str = "utf-8") -> None:
    data = "".join(piece + "\0" for piece in pieces).encode(encoding)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding=encoding))


@pytest.mark.parametrize(
    ("before", "replaced", "lines"),
    [
        ("x commit ", "Muzzio\\'", ["bare", "Muzzio's Preparations"]),
        ("x commit '", "krang ", ["single", "Krang & Shredder"]),
        ("x commit ", "", ["bare"]),
        ("x commit ", "No\\ such\\ card", ["bare"]),
        ("x commit ", "Fire // ", ["bare"]),
        ('x commit "', "randd", ["double", "R&D's Secret Lair"]),
        ("x commit --conspiracy=", "mu", ["bare", "Muzzio's Preparations"]),
        ("x commit --conspiracy ", "World", ["bare"]),
        ("x commit --conspiracy ", "secret\\ ", ["bare", "Secret Summoning"]),
        ("x commit -- --conspiracy=", "mu", ["bare"]),
        ("x commit ", "--consp", ["bare", "--conspiracy\tThe conspiracy that the names are for."]),
        ("x commit --lang ", "", ["bare", "en", "de", "fr"]),
        ("x completion ", "", ["bare", *SHELLS]),
        ("x priority a.jsonl ", "", ["bare", "step", "pass", "act"]),
        ("x completion bash ", "--c", ["bare"]),
        ("x ", "expl", ["bare", "explain\tfind out how a commitment made by hand was made"]),
        ("x ", "--v", ["bare", "--version\tShow the version."]),
        ("x cards ", "ch", ["bare", "check\tsay which card a name is, and for which conspiracies it is good"]),
        ("x cards check circle\\ of\\ protection:", "\\ blu", ["bare", " Blue"]),
        ("x verify ", "chat", ["files"]),
        ("x verify - < ", "chat", ["files"]),
        ("x verify - <", "chat", ["files"]),
        ("x commit --names-from=", "", ["files"]),
        ("x open ", "slip", ["files"]),
    ],
)
def test_what_is_offered(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    before: str,
    replaced: str,
    lines: list[str],
) -> None:
    assert answer(monkeypatch, capsys, before, replaced).splitlines() == lines


def test_all_commands_are_offered_without_importing_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hiddenagenda_cli.main.import_module", None)
    offered = candidates(program, Typed(words=(), last=""))
    assert offered[1:] == [f"{name}\t{line}" for section in SECTIONS.values() for name, line in section.items()]


def test_of_all_conspiracies_those_with_an_agenda_are_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offered = answer(monkeypatch, capsys, "x commit --conspiracy ", "").splitlines()[1:]
    assert offered == list(AGENDA_KINDS)
    assert len(offered) == 15 < len(CONSPIRACIES)


def test_all_names_are_offered_since_shells_insert_what_they_share(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offered = answer(monkeypatch, capsys, "x commit ", "s").splitlines()[1:]
    assert "Sol Ring" in offered
    assert "Szat's Will" in offered


def test_what_is_shared_never_replaces_more_than_it_gives(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, marker, *offered = answer(monkeypatch, capsys, "x commit ", "rum").splitlines()
    assert marker == ""
    assert {"Rumbleweed", '"Rumors of My Death . . ."'} <= set(offered)
    assert "" not in answer(monkeypatch, capsys, "x", "commit", "rum", shell="fish").splitlines()


def test_fish_hands_over_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(monkeypatch, capsys, "x", "commit", "--conspiracy=muzzio's", shell="fish").splitlines()
    assert lines == ["bare", "--conspiracy=Muzzio's Preparations"]


def test_the_line_that_is_completed_says_the_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, capsys, "x commit --lang=en ", "x")
    assert voice.language_stated


def test_names_are_offered_in_the_language_of_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "catalogue", _german)
    parameter = click.Argument(["name"])
    ctx = click.Context(click.Command("x"))
    assert completers.card_names(ctx, parameter, "gri") == ["Grizzly Bears"]
    voice.language = "de"
    assert completers.card_names(ctx, parameter, "gri") == ["Grizzly Bears", "Grizzlybären"]


def _german() -> Catalogue:
    rows = [
        Row(printed="Grizzly Bears", language="en", kind=Kind.CARD, name="Grizzly Bears"),
        Row(printed="Grizzlybären", language="de", kind=Kind.PRINTED, name="Grizzly Bears"),
    ]
    return Catalogue(write_table(rows, date="2026-01-01", source="test"))


def test_what_the_terminal_cannot_show_is_not_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _type(monkeypatch, "x commit ", "bal", encoding="ascii")
    assert run(["completion", "bash", "--candidates"]) == Exit.KEPT
    offered = capsys.readouterr().out.splitlines()
    assert "Balduvian Bears" in offered
    assert all(line.isascii() for line in offered)


def test_own_commitments_are_offered_without_their_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--conspiracy", "Natural Unity", "--player", "Ana", "--game", "friday", "--exact-label"]
    assert run(["commit", "Grizzly Bears", *arguments]) == Exit.KEPT
    token = capsys.readouterr().out.strip()
    for command in ("open", "slips --show"):
        assert answer(monkeypatch, capsys, f"x {command} ", "hac1") == f"bare\n{token}\tAna, “friday”, slot 1\n"
    assert answer(monkeypatch, capsys, "x open ", "hac1.slip") == "files\n"
    assert run(["open", token]) == Exit.KEPT
    assert answer(monkeypatch, capsys, "x open ", "hac1") == "files\n"


def test_an_agenda_is_offered_part_by_part() -> None:
    parameter = click.Option(["--agenda"])
    ctx = click.Context(click.Command("x"))
    assert completers.agendas(ctx, parameter, "summ") == ["Summoner's Bond="]
    assert completers.agendas(ctx, parameter, "Natural Unity=grizzly b") == ["Natural Unity=Grizzly Bears"]
    assert completers.agendas(ctx, parameter, "Summoner's Bond=grizzly b") == ["Summoner's Bond=Grizzly Bears="]
    assert completers.agendas(ctx, parameter, "Summoner's Bond=X=storm cr") == ["Summoner's Bond=X=Storm Crow"]


def test_folders_are_left_to_the_shell() -> None:
    command = click.Command("x", params=[click.Option(["--to"], type=click.Path(file_okay=False))])
    assert candidates(command, Typed(words=("--to",), last="a")) == ["directories"]


def test_completing_imports_only_what_it_needs() -> None:
    watched = ("cryptography", "nacl", "prompt_toolkit", "rapidfuzz", "importlib.resources", "hiddenagenda.edge.store")
    code = (
        "import sys; from hiddenagenda_cli.main import run; run(['completion', 'zsh', '--candidates']);"
        f"print(*(name for name in {watched} if name in sys.modules), file=sys.stderr)"
    )
    # `cards check` is a command that itself needs none of them.
    ended = subprocess.run(
        [sys.executable, "-c", code],
        input="x cards check \0Muzzio\\'\0",
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert ended.stdout == "bare\nMuzzio's Preparations\n"
    assert ended.stderr.strip() == ""


# The command


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert run(["completion", shell]) == Exit.KEPT
    assert capsys.readouterr().out == script(shell)
    assert run(["completion", shell, "--json"]) == Exit.KEPT
    assert json.loads(capsys.readouterr().out) == {"shell": shell, "script": script(shell)}


def test_after_an_unknown_command_nothing_is_offered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _type(monkeypatch, "x nothing ", "a")
    assert run(["completion", "bash", "--candidates"]) == Exit.USAGE
    assert capsys.readouterr().out == ""


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "tcsh"]) == Exit.USAGE
    assert capsys.readouterr().out == ""


def test_the_help_tells_how_each_script_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "--help"]) == Exit.KEPT
    page = capsys.readouterr().out
    assert all(f"hiddenagenda completion {shell}" in page for shell in SHELLS)
    assert "--candidates" not in page


# Real shells


def environment(**more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'cli'}", "PYTHONUTF8": "1", **more}


def installed(folder: Path, program: str) -> Path:
    """Put a program named hiddenagenda into a folder, to stand on PATH; return the folder."""
    folder.mkdir(exist_ok=True)
    path = folder / "hiddenagenda"
    path.write_text(program, encoding="utf-8")
    path.chmod(0o755)
    return folder


def in_bash(folder: Path, code: str, **more: str) -> list[str]:
    """Run code in bash, after the completion script, with the programs in ``folder`` first; return what it printed."""
    if not shutil.which("bash"):
        pytest.skip("bash is not installed")
    ended = subprocess.run(
        ["bash", "--norc", "-c", f"{script('bash')}\n{code}"],
        cwd=folder,
        env=environment(**more) | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        check=True,
    )
    assert ended.stderr == b""
    return ended.stdout.decode().split("\0")[:-1]


@pytest.mark.parametrize(
    ("kind", "locale"),
    [("bare", "C.UTF-8"), ("bare", "C"), ("single", "C.UTF-8"), ("double", "C.UTF-8"), ("ansi", "C")],
)
def test_bash_quotes_every_name_of_the_table(tmp_path: Path, kind: str, locale: str) -> None:
    words = list(dict.fromkeys([*HOSTILE, *(row.printed for row in bundled().rows())]))
    (tmp_path / "answer").write_text("\n".join([kind, *words]) + "\n", encoding="utf-8")
    folder = installed(tmp_path, "#!/bin/sh\ncat >/dev/null\ncat answer\n")
    before = sorted(folder.iterdir())
    opening, closing = {"bare": ("", ""), "single": ("'", "'"), "double": ('"', '"'), "ansi": ("$'", "'")}[kind]
    # Readline puts a closing quote behind what it inserted, unless one is there.
    code = f"""
        COMP_LINE='hiddenagenda commit x' COMP_POINT=21 closing={shlex.quote(closing)}
        _hiddenagenda hiddenagenda x commit
        for word in "${{COMPREPLY[@]}}"; do
            [[ $closing && $word != *"$closing" ]] && word+=$closing
            eval "set -- "{shlex.quote(opening)}"$word"
            printf '%s\\0' "$1" "${{@:2}}"
        done"""
    assert in_bash(folder, code, LC_ALL=locale) == words
    assert sorted(folder.iterdir()) == before


def test_bash_gets_no_candidate_where_the_program_is_missing(tmp_path: Path) -> None:
    code = "COMP_LINE=x COMP_POINT=1; PATH=; _hiddenagenda x x x; printf '%s\\0' ${#COMPREPLY[@]}"
    assert in_bash(tmp_path, code) == ["0"]


def test_nothing_typed_shows_in_the_list_of_processes(tmp_path: Path) -> None:
    folder = installed(tmp_path, '#!/bin/sh\ncat >/dev/null\n{ echo "$@"; env; } >seen\n')
    in_bash(folder, "COMP_LINE='hiddenagenda commit Secret' COMP_POINT=26; _hiddenagenda hiddenagenda Secret commit; :")
    assert "completion bash --candidates" in (folder / "seen").read_text()
    assert "Secret" not in (folder / "seen").read_text()


class Terminal:
    """A shell at a terminal, in which hiddenagenda completes for real, and otherwise records how it was called."""

    def __init__(self, shell: str, folder: Path, *, prepare: str = "", **more: str) -> None:
        pexpect = pytest.importorskip("pexpect")
        if not hasattr(pexpect, "spawn"):
            pytest.skip("there are no pseudo-terminals here")
        if not shutil.which(shell):
            pytest.skip(f"{shell} is not installed")
        self.shell = shell
        self.folder = folder
        self._timeout = pexpect.TIMEOUT
        self._record = folder / "record"
        programs = installed(
            folder / "bin",
            f"""#!/bin/sh
if [ "$1" = completion ]; then exec {shlex.quote(sys.executable)} -m hiddenagenda_cli.main "$@"; fi
printf '%s\\0' "$@" >"{self._record}.new"
mv "{self._record}.new" "{self._record}"
""",
        )
        options = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"], "fish": ["--no-config", "-i"]}
        load = {
            "bash": "PS1='rea''dy> '; bind 'set bell-style none'; eval \"$(hiddenagenda completion bash)\"",
            "zsh": "PS1='rea''dy> '; autoload -Uz compinit; compinit -u -D; eval \"$(hiddenagenda completion zsh)\"",
            "fish": "function fish_prompt; echo -n 'rea''dy> '; end; hiddenagenda completion fish | source",
        }
        own = {
            "HOME": str(folder),
            "ZDOTDIR": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
        }
        self.process = pexpect.spawn(
            shell,
            options[shell],
            cwd=str(folder),
            encoding="utf-8",
            env=environment(TERM="xterm", LC_ALL="C.UTF-8", **own)
            | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", **more},
            dimensions=(50, 200),
            timeout=20,
        )
        self.process.send(f"{prepare}{load[shell]}\r")
        self.process.expect_exact("ready> ")

    def calls(self, keys: str) -> list[str]:
        """Type, press Enter, and return the arguments that the program was called with."""
        self._record.unlink(missing_ok=True)
        self.process.send(keys + "\r")
        deadline = time.monotonic() + 20
        while not self._record.exists():
            assert time.monotonic() < deadline, f"{keys!r} did not become a command: {self.process.before!r}"
            # The terminal's output must be read, or the shell waits.
            self.process.expect([self._timeout], timeout=0.02)
        return self._record.read_text(encoding="utf-8").split("\0")[:-1]

    def close(self) -> None:
        self.process.close(force=True)


@pytest.fixture(scope="module", params=SHELLS)
def terminal(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    opened = Terminal(request.param, tmp_path_factory.mktemp(request.param))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("keys", "arguments"),
    [
        ("commit \"Muzzio'\t", ["Muzzio's Preparations"]),
        ("commit 'Muzzio'\\''\t", ["Muzzio's Preparations"]),
        ("commit Muzzio\\'s\\ Pr\t", ["Muzzio's Preparations"]),
        ('commit Muz"zio,\t', ["Muzzio, Visionary Architect"]),
        ("commit ach!\t", ['"Ach! Hans, Run!"']),
        ('commit "ach!\t', ['"Ach! Hans, Run!"']),
        ('commit "kill! \tM\t', ["Kill! Maim! Burn!"]),
        ('commit "Kill! x" "Kill! m\t', ["Kill! x", "Kill! Maim! Burn!"]),
        ("commit Lim-Dûl\\'s\\ V\t", ["Lim-Dûl's Vault"]),
        ("commit \"Lim-D\t's V\t", ["Lim-Dûl's Vault"]),
        ("commit R\\&D\t", ["R&D's Secret Lair"]),
        ('commit "Krang \t', ["Krang & Shredder"]),
        ("commit Circle\\ of\\ Protection:\\ Bla\t", ["Circle of Protection: Black"]),
        ("commit _____-\t", ["_____-o-saurus"]),
        ("commit --conspiracy Muz\t Fear,\t", ["--conspiracy", "Muzzio's Preparations", "Fear, Fire, Foes!"]),
        ("commit --conspiracy=Muz\t", ["--conspiracy=Muzzio's Preparations"]),
        ('commit --conspiracy="muz\t', ["--conspiracy=Muzzio's Preparations"]),
        ("commit --agenda Summ\tgrizzly\\ b\tstorm\\ cr\t", ["--agenda", "Summoner's Bond=Grizzly Bears=Storm Crow"]),
        ('commit --agenda "Summ\tGrizzly B\tStorm Cr\t', ["--agenda", "Summoner's Bond=Grizzly Bears=Storm Crow"]),
        ("commit --consp\tNatu\t", ["--conspiracy", "Natural Unity"]),
        ("commit x y\x1b[D\x1b[D-lots\t", ["x-lots", "y"]),
        ("commit No_such_name\t", ["No_such_name"]),
        ("commit rum\t", ["rum"]),
        ("commit '$(touch executed)\t'", ["$(touch executed)"]),
    ],
)
def test_the_name_that_was_offered_arrives(terminal: Terminal, keys: str, arguments: list[str]) -> None:
    assert terminal.calls(f"hiddenagenda {keys}") == ["commit", *arguments]
    assert not (terminal.folder / "executed").exists()


def test_commands_and_files_are_completed(terminal: Terminal) -> None:
    (terminal.folder / "chat of ours.txt").touch()
    assert terminal.calls("hiddenagenda verif\tchat\t") == ["verify", "chat of ours.txt"]
    assert terminal.calls("hiddenagenda cards ch\t'Who'\\''s That P\t") == ["cards", "check", "Who's That Praetor?"]


def test_letters_without_their_accents_are_completed(terminal: Terminal) -> None:
    # Fish offers only what begins with the letters that were typed.
    name = "jotun g" if terminal.shell == "fish" else "Jötun Grunt"
    assert terminal.calls("hiddenagenda commit jotun\\ g\t") == ["commit", name]


@pytest.mark.parametrize(
    "prepare",
    ["COMP_WORDBREAKS=' '; ", "COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]}; ", "set -u -f; IFS=,; shopt -s nocasematch; "],
)
def test_bash_may_be_set_up_otherwise(tmp_path: Path, prepare: str) -> None:
    opened = Terminal("bash", tmp_path, prepare=prepare)
    for keys in ("--conspiracy=Muz\t", "--conspiracy='muz\t"):
        assert opened.calls(f"hiddenagenda commit {keys}") == ["commit", "--conspiracy=Muzzio's Preparations"]
    assert opened.calls("hiddenagenda commit Circle\\ of\\ Protection:\\ Bla\t") == [
        "commit",
        "Circle of Protection: Black",
    ]
    opened.close()


def test_bash_in_another_locale_inserts_the_same_bytes(tmp_path: Path) -> None:
    opened = Terminal("bash", tmp_path, LC_ALL="C")
    assert opened.calls("hiddenagenda commit Lim-D\t\\'s\\ V\t") == ["commit", "Lim-Dûl's Vault"]
    opened.close()


def test_bash_asks_before_it_lists_thousands(tmp_path: Path) -> None:
    opened = Terminal("bash", tmp_path)
    opened.process.send("hiddenagenda commit s\t\t")
    opened.process.expect(r"Display all \d{4} possibilities\?")
    opened.process.send("n")
    assert opened.calls("ol\\ ri\t") == ["commit", "Sol Ring"]
    opened.close()


@pytest.mark.parametrize("shell", SHELLS)
def test_after_a_conspiracy_and_an_equals_sign_one_types_on(tmp_path: Path, shell: str) -> None:
    opened = Terminal(shell, tmp_path)
    for quote, kind in (("", "bare"), ("'", "single"), ('"', "double")):
        installed(
            tmp_path / "bin",
            f"""#!/bin/sh
if [ "$1" = completion ]; then cat >/dev/null; printf '%s\\n' {kind} "Natural Unity="
else printf '%s\\0' "$@" >record.new; mv record.new record
fi
""",
        )
        assert opened.calls(f"hiddenagenda commit {quote}Natu\tx{quote}") == ["commit", "Natural Unity=x"]
    opened.close()


def test_zsh_finds_the_script_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "_hiddenagenda").write_text(script("zsh"), encoding="utf-8")
    opened = Terminal(
        "zsh", tmp_path, prepare="fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PS1='rea''dy> ' #"
    )
    for _ in range(2):
        assert opened.calls("hiddenagenda commit Muzzio\\'\t") == ["commit", "Muzzio's Preparations"]
    opened.close()
