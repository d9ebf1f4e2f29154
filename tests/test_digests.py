"""Digests as they are pasted: what is overlooked and told, what is refused and why."""

import hashlib
import json
from pathlib import Path

import pytest

from hiddenagenda import digests
from hiddenagenda.digests import ALGORITHMS, LENGTHS, PublishedDigest, check_length, read_digits
from hiddenagenda.faults import Malformed, TooLarge

HEX = "4674bb071c4c67cff4c98ebe6afb6d69b1c0671bd86b2019f2e0a16339f64c02"
GROUPS = " ".join(HEX[start : start + 8] for start in range(0, 64, 8))


def read(pasted: str) -> PublishedDigest:
    published = read_digits(pasted)
    check_length(published)
    return published


@pytest.mark.parametrize(
    ("pasted", "notices"),
    [
        pytest.param(HEX, [], id="plain"),
        pytest.param(f"\n {HEX}\r\n", [], id="white space around it"),
        pytest.param(HEX.upper(), [digests.CAPITAL], id="capitals"),
        pytest.param(GROUPS, [digests.SPACED], id="groups"),
        pytest.param(f"{HEX[:32]}\n{HEX[32:]}", [digests.SPACED], id="two lines"),
        pytest.param(f"{HEX[:32]}  {HEX[32:]}", [digests.SPACED], id="halves that look like a line of md5sum"),
        pytest.param(f"{HEX[:20]}\xa0{HEX[20:]}", [digests.SPACED], id="no-break space"),
        pytest.param(f"> {HEX}", [digests.QUOTED], id="quotation"),
        pytest.param(f">> {HEX[:30]}\n>> {HEX[30:]}", [digests.QUOTED, digests.SPACED], id="wrapped quotation"),
        pytest.param(f"`{HEX}`", [digests.TICKED], id="ticks"),
        pytest.param(f"> ```\n> {HEX}\n> ```", [digests.QUOTED, digests.TICKED, digests.SPACED], id="quoted fence"),
        pytest.param(f"{HEX}  -", [digests.SUM_LINE], id="sha256sum of a pipe"),
        pytest.param(f"`{HEX.upper()} *my slip.txt`", [digests.TICKED, digests.SUM_LINE, digests.CAPITAL], id="file"),
        pytest.param(f"{HEX}  cafe", [digests.SUM_LINE], id="a file whose name is hex"),
        pytest.param(f"SHA2-256(stdin)= {HEX}", [digests.SUM_LINE], id="openssl"),
        pytest.param(f"SHA256 (slip (1).txt) = {HEX}", [digests.SUM_LINE], id="BSD"),
    ],
)
def test_what_people_paste_is_read_and_what_was_overlooked_is_told(pasted: str, notices: list[object]) -> None:
    published = read(pasted)
    assert published.digits == HEX
    assert list(published.notices) == notices


@pytest.mark.parametrize(
    ("pasted", "code", "words"),
    [
        ("", "no-digest", "there is no digest"),
        ("> ``", "no-digest", "there is no digest"),
        (HEX[:63], "digest-short", "63 of 64 digits"),
        (HEX[:1], "digest-short", "1 of 64 digits"),
        (HEX + "0", "digest-length", "65 digits"),
        (HEX * 3, "digest-length", "192 digits"),
        ("0x" + HEX, "digest-prefix", "begins with 0x"),
        ("0X" + HEX, "digest-prefix", "begins with 0X"),
        (HEX[:32] + "\u200d" + HEX[32:], "digest-character", "U+200D"),
        ("\ufeff" + HEX, "digest-character", "U+FEFF"),
        (HEX[:5] + "\x1b" + HEX[5:], "digest-character", "U+001B"),
        (HEX.replace("c", "с"), "digest-character", "“с” (U+0441), character 10"),
        (HEX.replace("0", "O"), "digest-character", "“O” (U+004F), character 7"),
        (HEX.replace("1", "１"), "digest-character", "U+FF11"),
        ("`" + HEX, "digest-character", "U+0060"),
        (f"{HEX}  -\n{HEX}  -", "digest-character", "“-” (U+002D), character 65"),
        (f'"{HEX}"', "digest-character", "U+0022"),
    ],
)
def test_anything_else_is_refused_with_the_reason(pasted: str, code: str, words: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(pasted)
    assert caught.value.code == code
    assert words in str(caught.value)


def test_a_refused_digest_shows_no_control_character() -> None:
    with pytest.raises(Malformed) as caught:
        read("\x1b]0;x\x07" + HEX)
    assert str(caught.value).isprintable()


def test_the_digits_alone_may_be_of_any_number() -> None:
    assert read_digits("`AB c`").digits == "abc"


def test_a_text_too_long_for_a_digest_is_not_looked_at() -> None:
    assert read(" " * (digests.LONGEST - 64) + HEX).digits == HEX
    with pytest.raises(TooLarge, match="at most 4096 characters, got 4097"):
        read(" " * (digests.LONGEST - 63) + HEX)


@pytest.mark.parametrize(
    ("pasted", "hint"),
    [
        ("RnS7BxxMZ8/0yY6+avttabHAZxvYayAZ8uChYzn2TAI=", f"read as base64 it is {HEX}; give these digits"),
        ("hac1abcdefgh", "this is a commitment of this program: verify it with its opening"),
        ("RnS7BxxMZ8/0yY6+avttabHAZxvYayAZ8uChYzn2TAJ=", None),  # its last bits are not zero
        ("RnS7BxxMZ8w=", None),
        ("my word", None),
    ],
)
def test_what_else_it_may_be_is_said_where_it_is_certain(pasted: str, hint: str | None) -> None:
    with pytest.raises(Malformed) as caught:
        read(pasted)
    assert (caught.value.hint and str(caught.value.hint)) == hint


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: algorithm.name)
def test_every_hash_function_is_what_its_name_says(algorithm: digests.Algorithm) -> None:
    data = algorithm.make(b"abc")
    assert len(data) * 2 == algorithm.digits
    assert algorithm.digits in LENGTHS
    name, _, bits = algorithm.name.lower().partition("-")
    if name == "blake2b":
        assert data == hashlib.blake2b(b"abc", digest_size=int(bits or 512) // 8).digest()
    else:
        plain = algorithm.name.lower().replace("sha-", "sha").replace("-", "_")
        assert data == getattr(hashlib, plain)(b"abc").digest()


def test_digests_pasted_by_real_people_are_read_or_refused_as_required(shared: Path) -> None:
    rows = json.loads((shared / "corpora/hand-commitments/pasted-digests.json").read_text())
    refused = {
        "truncated to 63": "63 of 64 digits",
        "0x prefix": "begins with 0x",
        "zero width joiner inside": "U+200D",
    }
    assert set(refused) < {row["what_happened"] for row in rows}
    for row in rows:
        if row["what_happened"] in refused:
            with pytest.raises(Malformed, match=refused[row["what_happened"]].replace("+", r"\+")):
                read(row["pasted"])
        else:
            published = read(row["pasted"])
            assert published.digits == HEX
            assert published.notices, row
