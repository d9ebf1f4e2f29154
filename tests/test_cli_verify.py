"""``verify``: what is given may be a token, a digest, a file, a chat; and none of it hides the rest."""

import json
import os
from pathlib import Path

import pytest
from commandline import BEARS, Done, Program

from hiddenagenda.commitment import Commitment
from hiddenagenda.edge.files import StoreError
from hiddenagenda.faults import sentence
from hiddenagenda.token import Kind, decode, encode


@pytest.fixture
def pair(program: Program) -> tuple[str, str]:
    """A commitment and its opening, as tokens."""
    return program(*BEARS).token(), program("open").token("HAO")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def outcomes(done: Done) -> list[str]:
    return [json.loads(line)["outcome"] for line in done.lines]


def test_a_slip_file_is_an_opening_though_its_name_is_a_digest(program: Program, pair: tuple[str, str]) -> None:
    (path,) = program.slips()
    assert program("verify", pair[0], str(path)).code == 0
    assert program("verify", str(path)).code == 1, "an opening alone proves nothing"
    assert program("verify", path.stem, str(path)).code == 0


@pytest.mark.parametrize("spoil", [lambda data: data, lambda data: data + b"\n", lambda data: data + b"\r\n"])
def test_an_editor_may_have_put_a_newline_behind_a_slip(program: Program, pair: tuple[str, str], spoil: object) -> None:
    assert callable(spoil)
    Path("slip").write_bytes(spoil(decode(pair[1]).payload))
    assert program("verify", pair[0], "slip").code == 0


@pytest.mark.parametrize(
    "spoil", [lambda data: b"\xef\xbb\xbf" + data, lambda data: data[:-2], lambda data: b" " + data]
)
def test_a_slip_file_that_was_changed_accuses_nobody(program: Program, pair: tuple[str, str], spoil: object) -> None:
    assert callable(spoil)
    Path("slip").write_bytes(spoil(decode(pair[1]).payload))
    done = program("verify", pair[0], "slip", "--json")
    assert (done.code, outcomes(done)) == (1, ["pending", "undecidable"])


@pytest.mark.parametrize("name", ["hac1", "hac1-of-ana.txt", "chat", "HAO1.txt", "a" * 64, "0" * 64])
def test_a_file_may_have_any_name(program: Program, pair: tuple[str, str], name: str) -> None:
    Path(name).write_text("\n".join(pair), encoding="utf-8")
    assert program("verify", name).code == 0


def test_a_token_is_a_token_though_a_file_is_called_so(program: Program, pair: tuple[str, str]) -> None:
    Path(pair[0]).write_text("nothing", encoding="utf-8")
    assert program("verify", *pair).code == 0


def test_what_commit_and_open_say_as_json_can_be_verified(program: Program) -> None:
    Path("posted").write_bytes(program(*BEARS, "--json").out)
    Path("shown").write_bytes(program("open", "--json").out)
    done = program("verify", "posted", "shown", "--json")
    assert (done.code, outcomes(done)) == (0, ["kept"])


@pytest.mark.parametrize(
    "text", ["{0} {1}", "{1}\n{0}", "Ana: “{0}”\nBen: hm\nAna: {1}", "\ufeff{0}\r\n{1}\r\n", "{0},{1}"]
)
def test_one_argument_may_hold_both(program: Program, pair: tuple[str, str], text: str) -> None:
    given = text.format(*pair)
    assert program("verify", given).code == 0
    assert program("verify", "-", given=given.encode()).code == 0
    assert program("verify", typed=given).code == 0


def test_a_chat_in_another_encoding_is_searched_all_the_same(program: Program, pair: tuple[str, str]) -> None:
    assert program("verify", "-", given=f"Zo\xeb: {pair[0]} {pair[1]}".encode("latin-1")).code == 0


def test_an_empty_line_ends_no_paste(program: Program, pair: tuple[str, str]) -> None:
    """What stood behind it would be typed at the shell."""
    done = program("verify", typed=f"Ana: {pair[0]}\n\n\nAna: {pair[1]}\nrm -rf /\n")
    assert done.code == 0
    assert program("verify", typed="\n \n").code == 130


@pytest.mark.parametrize(
    ("more", "codes", "code"),
    [
        ([], ["kept"], 0),
        (["hac1x"], ["damaged", "kept"], 1),
        (["missing.txt"], ["damaged", "kept"], 1),
        (["."], ["damaged", "kept"], 1),
        (["x" * 5000], ["damaged", "kept"], 1),
        (["a\0b"], ["damaged", "kept"], 1),
        ([Commitment.of(b"other").token], ["kept", "pending"], 5),
        ([Commitment.of(b"other").token, "missing.txt"], ["damaged", "kept", "pending"], 1),
        ([Commitment.of(b"{}").token, encode(Kind.SLIP, b"{}")], ["kept", "broken"], 3),
        ([Commitment.of(b"{}").token, encode(Kind.SLIP, b"{}"), "hac1x"], ["damaged", "kept", "broken"], 3),
        ([encode(Kind.INVITATION, b"x")], ["damaged", "kept"], 1),
    ],
)
def test_nothing_that_is_wrong_hides_the_rest(
    program: Program, pair: tuple[str, str], more: list[str], codes: list[str], code: int
) -> None:
    for arguments in ([*pair, *more], [*more, *pair]):
        done = program("verify", *arguments, "--json")
        assert done.code == code
        assert sorted(outcomes(done)) == sorted(codes)
        assert max(json.loads(line)["exit"] for line in done.lines) >= min(code, 1)
        assert program("verify", *arguments).code == code


def test_several_verdicts_are_lines_of_json(program: Program, pair: tuple[str, str]) -> None:
    done = program("verify", *pair, Commitment.of(b"other").token, "--json")
    kept, pending = (json.loads(line) for line in done.lines)
    assert kept["slip"] == {
        "conspiracy": "Muzzio's Preparations",
        "names": ["Grizzly Bears"],
        "player": "Ana",
        "game": kept["slip"]["game"],
        "slot": 1,
    }
    assert (kept["given"], kept["names"], kept["findings"], kept["exit"]) == (True, ["listed"], [], 0)
    assert (pending["slip"], pending["exit"]) == (None, 5)


@pytest.mark.parametrize(("edition", "rule"), [("2014", "702.105b"), ("2017-08", "702.105b"), ("2025-09", "702.106b")])
def test_rules_have_the_numbers_of_their_edition(
    program: Program, pair: tuple[str, str], edition: str, rule: str
) -> None:
    done = program("verify", *pair, "--player", "Ben", "--edition", edition, "--json")
    assert [finding["rule"] for finding in json.loads(done.out)["findings"]] == [rule]
    assert (
        f"rule {rule} (edition {edition})"
        in program("verify", *pair, "--player", "Ben", "--edition", edition).out.decode()
    )


def test_a_file_that_is_too_large_is_not_read(program: Program) -> None:
    with Path("large").open("wb") as file:
        file.truncate(2**36)
    done = program("verify", "large")
    assert done.code == 1
    assert b"hiddenagenda: " in done.err


def test_a_pipe_without_a_writer_is_not_waited_for(program: Program) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    os.mkfifo("pipe")
    assert program("verify", "pipe").code == 1


def test_only_what_is_one_commitment_names_one_slip(program: Program, pair: tuple[str, str]) -> None:
    for argument in (pair[0], Commitment.of(decode(pair[1]).payload).hex, str(program.slips()[0]), pair[1]):
        assert program("slips", "--show", argument).lines == ["Muzzio's Preparations:", "  Grizzly Bears"]
        assert program("open", argument).token("HAO") == pair[1]
    several = f"{pair[0]} {Commitment.of(b'other').token}"
    for argument in ("hac1x", "nothing", several, Commitment.of(b"other").token):
        assert program("open", argument).code == 1
        assert program("slips", "--show", argument).code == 1


def test_a_slip_that_was_changed_is_not_shown(program: Program, pair: tuple[str, str]) -> None:
    (path,) = program.slips()
    path.write_bytes(path.read_bytes().replace(b"Grizzly", b"Grizzle"))
    done = program("open", pair[0])
    assert (done.code, done.out) == (1, b"")
    assert b"changed or damaged" in done.err
    assert program("slips").code == 1


def test_an_opening_is_given_though_it_cannot_be_noted_that_it_was(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = program(*BEARS).token()
    program.home.joinpath("slips").chmod(0o500)
    if os.access(program.home / "slips", os.W_OK):

        def full(*_: object) -> None:
            raise StoreError(sentence("no space"), code="enospc")

        monkeypatch.setattr("hiddenagenda.edge.store.write_new_secret", full)
    done = program("open", token)
    assert done.code == 0
    assert done.token("HAO")
    assert b"warning: not remembered as shown" in done.err


def test_cards_are_named_as_the_readers_cards_print_them(program: Program, pair: tuple[str, str]) -> None:
    """The English name stands beside: it is what was committed to."""
    Path("cards.txt").write_text("de\tGrizzlybären\tGrizzly Bears\n", encoding="utf-8")
    assert program("cards", "import", "cards.txt").code == 0
    assert "  benannt: Grizzlybären (Grizzly Bears)" in program("verify", *pair, "--lang", "de").lines
    assert "  named: Grizzly Bears" in program("verify", *pair, "--lang", "en").lines
