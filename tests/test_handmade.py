"""Commitments made by hand: every known cause is named, and nothing is claimed that does not fit."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from hiddenagenda import handmade
from hiddenagenda.digests import ALGORITHMS, CAPITAL, Algorithm
from hiddenagenda.faults import Malformed, TooLarge
from hiddenagenda.handmade import Explanation, Outcome, explain
from hiddenagenda.mistakes import AGAIN, ENCODINGS, TEXT_STAGES, Row
from hiddenagenda.pairing import CASES, GAPS, ORDERS, PART_STAGES, Parts, split

SALT = "9d3e5a0c77b14f28"
TEXT = f"Urza's Saga {SALT}"
NOWHERE = "0" * 64


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def codes(explanation: Explanation) -> list[str]:
    return [cause.code for cause in explanation.causes]


@pytest.mark.parametrize(
    ("text", "hashed", "causes"),
    [
        (TEXT, TEXT.encode(), []),
        ("", b"", []),
        ("", b"\n", ["newline"]),
        (TEXT, TEXT.encode() + b"\n", ["newline"]),
        (TEXT, TEXT.encode() + b"\r\n", ["crlf"]),
        (TEXT, TEXT.encode() + b"\n\n", ["two-newlines"]),
        (TEXT, TEXT.encode() + b" \r\n", ["space-crlf"]),
        (TEXT, b"-n " + TEXT.encode() + b"\n", ["echo-n"]),
        (TEXT + "\n", TEXT.encode(), ["stripped-end"]),
        (TEXT + "\r\n", TEXT.encode() + b"\n", ["unix-lines"]),
        ("\ufeff" + TEXT, TEXT.encode(), ["invisible-dropped"]),
        (TEXT, b"\xef\xbb\xbf" + TEXT.encode(), ["utf-8-bom"]),
        (TEXT, TEXT.encode("utf-16-le"), ["utf-16le"]),
        (TEXT, b"\xff\xfe" + TEXT.encode("utf-16-le"), ["utf-16le-bom"]),
        (TEXT, b"\xff\xfe" + (TEXT + "\r\n").encode("utf-16-le"), ["crlf", "utf-16le-bom"]),
        (TEXT, TEXT.replace("'", "’").encode(), ["curly-apostrophe"]),
        (TEXT.replace("'", "’"), TEXT.encode(), ["straight-apostrophe"]),
        (TEXT, TEXT.replace("'", "’").encode("cp1252"), ["curly-apostrophe", "cp1252"]),
        (TEXT, TEXT.replace("'", "’").encode("cp1252") + b"\r\n", ["curly-apostrophe", "crlf", "cp1252"]),
        (TEXT, TEXT.replace("'", "\\'").encode() + b"\n", ["backslash", "newline"]),
        (TEXT, f'"{TEXT}" \r\n'.encode(), ["double-quotes", "space-crlf"]),
        (f'"{TEXT}"', TEXT.encode(), ["unquoted"]),
        (TEXT, f'"Urza\'s Saga" {SALT}'.encode(), ["quoted-name"]),
        (TEXT, f"Urza's Saga {SALT.upper()}".encode(), ["salt-upper-case"]),
        (TEXT, TEXT.lower().encode(), ["lower-case"]),
        ("Fire of the wall 1", b"Fire of the Wall 1", ["headline-case"]),
        (TEXT, f"{SALT} Urza's Saga".encode(), ["swapped-order"]),
        (TEXT, f"{SALT}:Urza's Saga\n".encode(), ["swapped-order", "colon", "newline"]),
        (f"{SALT}:Urza's Saga", f"Urza's Saga{SALT}\n".encode(), ["swapped-order", "no-gap", "newline"]),
        (TEXT, b"Urza's Saga", ["missing-salt"]),
        (TEXT, b"Urza's Saga\n", ["missing-salt", "newline"]),
        (TEXT, SALT.encode(), ["missing-name"]),
        ("Lim-Dûl 12", "Lim-Dûl 12\r\n".encode("cp850"), ["crlf", "cp850"]),
        ("Lim-Dûl 12", "Lim-Dûl 12".encode("mac-roman"), ["mac-roman"]),
        ("Lim-Dûl 12", "Lim-Dû\u200bl 12".encode().replace("\u200b".encode(), b""), []),
        ("Lim-Dûl 12", b"Lim-Du\xcc\x82l 12", ["nfd"]),
        ("Lim-Du\u0302l 12", "Lim-Dûl 12\n".encode(), ["nfc", "newline"]),
        ("Lim-Dûl 12", b"Lim-Dul 12", ["no-accents"]),
        ("Lim-Dûl 12", b"Lim-D?l 12\r\n", ["crlf", "question-marks"]),
        ("Lim-Dûl 12", "Lim-DÃ»l 12".encode(), ["utf-8-twice"]),
        ("Æther Vial 12", b"AEther Vial 12", ["open-ligatures"]),
        ("Aether Vial 12", "Æther Vial 12".encode(), ["ligatures"]),
        ("Jace\xa0Beleren", b"Jace Beleren", ["plain-spaces"]),
        ("S\udce9ance", b"S\xe9ance", []),  # bytes that were no UTF-8, as PEP 383 hands them over
        (TEXT, sha(TEXT.encode()).encode(), ["twice"]),
        (TEXT, sha(TEXT.encode()).encode() + b"\n", ["twice-newline"]),
        (TEXT, sha(TEXT.encode() + b"\n").encode() + b"  -\n", ["newline", "twice-sum-line"]),
        (TEXT, hashlib.sha256(TEXT.encode()).digest(), ["twice-raw"]),
    ],
)
def test_the_least_that_fits_is_named(text: str, hashed: bytes, causes: list[str]) -> None:
    explanation = explain(sha(hashed), text)
    assert codes(explanation) == causes
    assert explanation.hashed == hashed
    assert explanation.algorithm == "SHA-256"
    assert explanation.outcome is (Outcome.EXPLAINED if causes else Outcome.EXACT)


@pytest.mark.parametrize(
    ("hashed", "causes"),
    [
        (f"Urza's Saga {SALT}", []),
        (f"Urza's Saga{SALT}", ["no-gap"]),
        (f"Urza's Saga|{SALT}\n", ["bar", "newline"]),
        (f"{SALT}, Urza's Saga", ["swapped-order", "comma-space"]),
        ("Urza's Saga", ["missing-salt"]),
        (f"URZA'S SAGA {SALT.upper()}", ["upper-case"]),
    ],
)
def test_name_and_salt_may_be_given_apart(hashed: str, causes: list[str]) -> None:
    explanation = explain(sha(hashed.encode()), "Urza's Saga", salt=SALT)
    assert codes(explanation) == causes
    assert explanation.hashed == hashed.encode()


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: algorithm.name)
def test_every_hash_function_is_known_and_an_unusual_one_is_a_cause(algorithm: Algorithm) -> None:
    explanation = explain(algorithm.make(TEXT.encode() + b"\n").hex(), TEXT)
    assert explanation.algorithm == algorithm.name
    usual = next(other for other in ALGORITHMS if other.digits == algorithm.digits)
    assert codes(explanation) == (["newline"] if usual is algorithm else ["newline", "algorithm"])


SAMPLE = "'It--won't...\xa0\ufeff \\s\t“É—tæ…” “ﬁ” ﬁx ü  Aex’s'\r\n."
SAMPLES = {
    "nfc": "e\u0301",
    "unquoted": "“a b”",
    "stripped-end": "a\n",
    "stripped": "\ta\n",
    "windows-lines": "a\nb",
}


@pytest.mark.parametrize("row", [row for stage in TEXT_STAGES for row in stage], ids=lambda row: row.cause.code)
def test_every_change_of_the_text_is_found(row: Row[str, str]) -> None:
    text = SAMPLES.get(row.cause.code, SAMPLE)
    explanation = explain(sha(row.make(text).encode()), text)
    assert explanation.hashed == row.make(text).encode()
    assert len(explanation.causes) == 1


@pytest.mark.parametrize("row", ENCODINGS, ids=lambda row: row.cause.code)
def test_every_encoding_is_found(row: Row[str, bytes]) -> None:
    explanation = explain(sha(row.make("Sé'd")), "Sé'd")
    assert explanation.hashed == row.make("Sé'd")
    assert len(explanation.causes) == 1


@pytest.mark.parametrize("row", AGAIN, ids=lambda row: row.cause.code)
def test_every_way_of_hashing_twice_is_found(row: Row[bytes, bytes]) -> None:
    assert codes(explain(sha(row.make(hashlib.sha256(SAMPLE.encode()).digest())), SAMPLE)) == [row.cause.code]


@pytest.mark.parametrize("row", [*CASES, *ORDERS, *GAPS], ids=lambda row: row.cause.code)
def test_every_change_of_name_and_salt_is_found(row: Row[Parts, Parts]) -> None:
    gap = ".." if row.cause.code == "one-space" else " "
    parts = Parts("Urza of Rath" if row.cause.code == "first-small" else "urza of Rath", gap, "a1B2c3d4")
    explanation = explain(sha(row.make(parts).join().encode()), parts.join())
    assert explanation.hashed == row.make(parts).join().encode()
    assert len(explanation.causes) == 1


def test_no_two_causes_share_a_name_or_a_sentence() -> None:
    rows = [row.cause for stage in (*PART_STAGES, *TEXT_STAGES, ENCODINGS, AGAIN) for row in stage]
    assert len({cause.code for cause in rows}) == len(rows)
    assert len({str(cause.said) for cause in rows}) == len(rows)


@pytest.mark.parametrize("digits", [8, 20, 40, 63])
def test_a_digest_cut_short_is_told_as_such(digits: int) -> None:
    explanation = explain(sha(TEXT.encode() + b"\n")[:digits], TEXT)
    assert explanation.outcome is Outcome.CUT_SHORT
    assert codes(explanation) == ["newline", "cut-short"]
    assert str(explanation.causes[-1].said) == f"the digest was cut short: {digits} of 64 digits"
    assert explanation.hashed == TEXT.encode() + b"\n"


def test_a_part_of_a_longer_digest_is_known_by_its_own_function() -> None:
    explanation = explain(hashlib.sha512(TEXT.encode()).hexdigest()[:127], TEXT)
    assert explanation.algorithm == "SHA-512"
    assert str(explanation.causes[-1].said) == "the digest was cut short: 127 of 128 digits"


@pytest.mark.parametrize(
    ("digest", "words"),
    [
        (sha(TEXT.encode())[:7], "7 of 64 digits"),  # it fits, but so little proves nothing
        (NOWHERE[:63], "63 of 64 digits"),
        ("0" * 127, "127 digits"),
        ("0" * 129, "129 digits"),
        ("0x" + NOWHERE, "0x"),
        ("", "there is no digest"),
    ],
)
def test_what_is_no_digest_and_fits_nothing_is_refused(digest: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        explain(digest, TEXT)


def test_that_nothing_fits_is_an_answer_too() -> None:
    explanation = explain(NOWHERE, TEXT)
    assert explanation.outcome is Outcome.UNEXPLAINED
    assert explanation.causes == ()
    assert explanation.remarks == ()
    assert (explanation.algorithm, explanation.hashed, explanation.reproduce) == (None, None, None)
    assert 5_000 < explanation.tried < handmade.MOST_WORK // 200


def test_another_name_with_the_same_salt_does_not_fit() -> None:
    assert explain(sha(TEXT.encode()), f"Urza's Tower {SALT}").outcome is Outcome.UNEXPLAINED


def test_what_the_pasted_digest_needed_is_kept() -> None:
    assert explain(sha(TEXT.encode()).upper(), TEXT).published.notices == (CAPITAL,)


@pytest.mark.parametrize(
    ("digest", "text", "remarks"),
    [
        (sha(TEXT.encode()), TEXT, []),
        (sha(b"Urza's Saga"), "Urza's Saga", [handmade.NO_SALT]),
        (sha(b"Urza's Saga"), TEXT, [handmade.UNBOUND, handmade.NO_SALT]),
        (sha(SALT.encode()), TEXT, [handmade.UNBOUND]),
        (sha(b"Lim-D?l " + SALT.encode()), f"Lim-Dûl {SALT}", [handmade.UNBOUND]),
    ],
)
def test_what_a_match_does_not_prove_is_said(digest: str, text: str, remarks: list[object]) -> None:
    assert list(explain(digest, text).remarks) == remarks


@pytest.mark.parametrize("name", ["md5", "sha1"])
def test_a_broken_hash_function_is_called_so(name: str) -> None:
    (remark,) = explain(hashlib.new(name, TEXT.encode()).hexdigest(), TEXT).remarks
    assert str(remark).endswith("is broken: two texts with one digest can be made")


def test_the_longest_text_is_searched_for_single_causes_and_a_longer_one_refused() -> None:
    text = "a b'c é " * 7281
    assert handmade.LONGEST_TEXT - 9 <= len(text.encode()) <= handmade.LONGEST_TEXT
    assert codes(explain(sha(text.encode("utf-16-be")), text)) == ["utf-16be"]
    assert codes(explain(hashlib.blake2s(text.encode()).hexdigest(), text)) == ["algorithm"]
    explanation = explain(NOWHERE, text)
    assert explanation.remarks == (handmade.LONG_TEXT,)
    assert explanation.tried < 3_000
    with pytest.raises(TooLarge, match="at most 65536 are searched"):
        explain(NOWHERE, text + "12345678")
    with pytest.raises(TooLarge):
        explain(NOWHERE, "a", salt="b" * handmade.LONGEST_TEXT)


def test_a_text_that_has_no_bytes_is_refused_by_its_code_point() -> None:
    with pytest.raises(Malformed, match=r"character 2 of the text is U\+D83D, half of one") as caught:
        explain(NOWHERE, "a\ud83d")
    assert caught.value.code == "text"


def test_a_line_to_reproduce_it_is_given_unless_it_is_too_long_to_paste() -> None:
    assert explain(sha(b"it's 5%\n"), "it's 5%").reproduce == r"printf 'it\047s 5\045\012' | sha256sum"
    assert explain(sha(b"--x -"), "--x -").reproduce == r"printf '\055-x -' | sha256sum"
    text = "a" * handmade.LONGEST_COMMAND
    assert explain(sha(text.encode()), text).reproduce is not None
    assert explain(sha(text.encode() + b"\n"), text).reproduce is None


def test_a_real_shell_prints_the_published_digest_from_that_line() -> None:
    if not (shutil.which("sh") and shutil.which("sha256sum")):
        pytest.skip("no POSIX shell with sha256sum here")
    text = "--Æ'x\" %s \\n !$HOME `id` 7"
    explanation = explain(sha(b"\xff\xfe" + f"{text}\0".encode("utf-16-le")), text)
    assert explanation.reproduce is not None
    run = subprocess.run(["sh", "-c", explanation.reproduce], capture_output=True, text=True, check=True)
    assert run.stdout.split()[0] == explanation.published.digits


def test_a_text_is_cut_into_name_and_salt_at_its_outermost_gaps() -> None:
    assert split("Shock") == ()
    assert split(" Shock ") == ()
    assert split("Shock 1") == (Parts("Shock", " ", "1"), Parts("1", " ", "Shock", salt_first=True))
    assert split("Fire: Ice 1") == (
        Parts("Fire: Ice", " ", "1"),
        Parts("Ice 1", " ", "Fire:", salt_first=True),
        Parts("Fire", ": ", "Ice 1"),
        Parts("Ice 1", ": ", "Fire", salt_first=True),
    )


WHAT_FITS = {
    'nothing: printf "%s"': [],
    "newline from echo": ["newline"],
    "CRLF from a Windows editor": ["crlf"],
    "UTF-16LE, no BOM, no newline": ["utf-16le"],
    "phone turned the apostrophe into U+2019": ["curly-apostrophe"],
    "phone apostrophe and newline": ["curly-apostrophe", "newline"],
    "name in capitals": ["upper-case"],
    "trailing space": ["trailing-space"],
    "two spaces between": ["two-spaces"],
    "no-break space between (copied from a web page)": ["no-break-gap"],
    "no separator": ["no-gap"],
    "single quotes kept (cmd.exe echo)": ["single-quotes"],
    "cmd.exe echo TEXT | : space before the pipe, CRLF": ["space-crlf"],
    "shell ate the apostrophe": ["no-apostrophe"],
    "hex digest hashed again": ["twice"],
    "no salt at all": [],
    "no salt, newline": ["newline"],
    "accent composed (NFC)": [],
    "cp850 (old Windows console)": ["cp850"],
    "accent dropped": ["no-accents"],
}


def test_every_computed_case_is_named_rightly(shared: Path) -> None:
    rows = json.loads((shared / "corpora/hand-commitments/mismatch-causes.json").read_text())
    assert {row["what_happened"] for row in rows} == set(WHAT_FITS)
    for row in rows:
        explanation = explain(row["sha256"], row["revealed_text"])
        assert codes(explanation) == WHAT_FITS[row["what_happened"]], row
        assert explanation.hashed == bytes.fromhex(row["bytes_hex"])
        assert (handmade.NO_SALT in explanation.remarks) == row["what_happened"].startswith("no salt")


def test_every_published_case_is_named_rightly(shared: Path) -> None:
    rows = json.loads((shared / "corpora/hand-commitments/published.json").read_text())
    said = {
        "a newline at the end": ["newline"],
        "ONE TRAILING SPACE": ["trailing-space"],
        "UTF-16LE without": ["utf-16le"],
    }
    for row in rows:
        explanation = explain(row["published_digest"], row["text_as_published"])
        causes = next((codes for start, codes in said.items() if row["what_it_takes"].startswith(start)), [])
        assert codes(explanation) == causes, row
        assert (explanation.outcome is Outcome.EXACT) == row["matches_as_published"]
        assert explanation.hashed == bytes.fromhex(row["bytes_that_match_hex"])
        assert explanation.algorithm == {"md5": "MD5", "sha256": "SHA-256"}[row["algorithm"]]
        assert (explanation.published.notices == (CAPITAL,)) == row["published_digest"].isupper()
