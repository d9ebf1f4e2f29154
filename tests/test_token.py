"""Tokens: what they look like, what they survive, and how each refusal is called."""

import base64
import hashlib

import pytest

from hiddenagenda.faults import Damaged, Malformed
from hiddenagenda.token import (
    CHECK_SIZE,
    WHITE_SPACE,
    Kind,
    Token,
    base32_length,
    decode,
    encode,
    nearest_length,
    possible_length,
    squeeze,
)

DIGEST = hashlib.sha256(b"Grizzly Bears").digest()
COMMITMENT = encode(Kind.COMMITMENT, DIGEST)
SLIP = encode(Kind.SLIP, b'{"a":1}')


def made(prefix: str, payload: bytes, check: bytes | None = None) -> str:
    """Make a token as the specification says, without our code, or with another check."""
    if check is None:
        check = hashlib.sha256(prefix.encode() + payload).digest()[:5]
    return prefix + base64.b32encode(payload + check).decode().rstrip("=")


@pytest.mark.parametrize(
    ("kind", "prefix"),
    [
        (Kind.COMMITMENT, "hac1"),
        (Kind.SEAT, "has1"),
        (Kind.BUNDLE, "hae1"),
        (Kind.SLIP, "HAO1"),
        (Kind.INVITATION, "HAI1"),
    ],
)
@pytest.mark.parametrize("payload", [DIGEST, bytes(32), b"\xff" * 32])
def test_tokens_are_made_as_specified(kind: Kind, prefix: str, payload: bytes) -> None:
    text = encode(kind, payload)
    expected = made(prefix, payload)
    assert text == (expected if prefix.isupper() else expected.lower())
    assert decode(text) == Token(kind=kind, payload=payload)


def test_what_is_secret_shouts_and_the_rest_does_not() -> None:
    assert {kind for kind in Kind if encode(kind, DIGEST).isupper()} == {Kind.SLIP, Kind.INVITATION}
    assert {kind for kind in Kind if encode(kind, DIGEST).islower()} == {Kind.COMMITMENT, Kind.SEAT, Kind.BUNDLE}


def test_every_kind_has_a_noun_of_its_own() -> None:
    assert len({str(kind.noun) for kind in Kind}) == len(Kind)


@pytest.mark.parametrize("size", range(12))
def test_payloads_of_every_size_survive(size: int) -> None:
    assert decode(encode(Kind.BUNDLE, bytes(size))).payload == bytes(size)


@pytest.mark.parametrize(
    "text",
    [
        COMMITMENT.upper(),
        COMMITMENT.title(),
        f"  {COMMITMENT}\t\r\n",
        f"> {COMMITMENT}",
        f"> > >> {COMMITMENT}",
        f"\n> {COMMITMENT[:20]}\n> {COMMITMENT[20:]}\n",
        "\r\n".join(COMMITMENT[place : place + 7] for place in range(0, len(COMMITMENT), 7)),
        WHITE_SPACE.join(COMMITMENT),
        f"{COMMITMENT[:9]}\u2028  \xa0> {COMMITMENT[9:]}",
    ],
)
def test_what_chats_do_to_a_token_is_tolerated(text: str) -> None:
    assert decode(text) == Token(kind=Kind.COMMITMENT, payload=DIGEST)


def test_white_space_is_unicodes() -> None:
    assert {character for character in map(chr, range(0x110000)) if character.isspace()} - set(
        "\x1c\x1d\x1e\x1f"
    ) == set(WHITE_SPACE)


def swapped(text: str, place: int) -> str:
    return text[:place] + ("b" if text[place] != "b" else "c") + text[place + 1 :]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no-token"),
        ("   \n> \n", "no-token"),
        ("hac", "no-token"),
        ("hello", "no-token"),
        (COMMITMENT[1:], "no-token"),
        ("hab1" + COMMITMENT[4:], "no-token"),
        ("hac2" + COMMITMENT[4:], "no-token"),
        ("\u202e" + COMMITMENT, "no-token"),
        ("hac1", "token-length"),
        (COMMITMENT[:-1], "token-length"),
        (COMMITMENT + "a", "token-length"),
        (COMMITMENT[:10] + COMMITMENT[11:], "token-length"),
        (COMMITMENT + COMMITMENT[4:], "token-length"),
        ("HAO1", "token-length"),
        ("HAO1AAAAAAA", "token-length"),
        ("HAO1" + "A" * 9, "token-length"),
        (COMMITMENT[:10] + "0" + COMMITMENT[11:], "token-character"),
        (COMMITMENT[:10] + "-" + COMMITMENT[11:], "token-character"),
        (COMMITMENT[:10] + ">" + COMMITMENT[10:], "token-character"),
        (COMMITMENT[:10] + "\u200b" + COMMITMENT[10:], "token-character"),
        (COMMITMENT[:10] + "\u0430" + COMMITMENT[11:], "token-character"),
        (COMMITMENT[:10] + "ſ" + COMMITMENT[11:], "token-character"),
        (COMMITMENT[:10] + "\u212a" + COMMITMENT[11:], "token-character"),
        (COMMITMENT + "=", "token-character"),
        (f"“{COMMITMENT}”", "no-token"),
        (f"Ana: {COMMITMENT}", "no-token"),
        (COMMITMENT + COMMITMENT, "token-character"),
        (swapped(COMMITMENT, 10), "token-check"),
        (swapped(COMMITMENT, len(COMMITMENT) - 3), "token-check"),
        ("has1" + COMMITMENT[4:], "token-check"),
        ("HAO1" + COMMITMENT[4:], "token-check"),
        (made("HAO1", b"x", check=bytes(5)), "token-check"),
        ("hae1" + "a" * 11, "token-length"),
        (SLIP[:-8], "token-check"),
    ],
)
def test_everything_else_is_refused(text: str, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        decode(text)
    assert caught.value.code == code
    assert caught.value.hint is not None
    assert isinstance(caught.value, Damaged) == (code != "no-token")


def test_bits_that_carry_nothing_are_zero() -> None:
    text = encode(Kind.SLIP, b"")
    assert decode(text).payload == b""
    text = encode(Kind.SLIP, b"a")
    others = [text[:-1] + letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" if letter != text[-1]]
    same_bytes = [
        other for other in others if base64.b32decode(other[4:] + "======") == base64.b32decode(text[4:] + "======")
    ]
    assert same_bytes
    for other in others:
        with pytest.raises(Damaged) as caught:
            decode(other)
        assert caught.value.code == "token-check"


def test_a_refusal_says_what_is_wrong_and_where() -> None:
    with pytest.raises(
        Damaged, match=r"^this commitment is damaged: U\+0030 at character 11 does not belong"
    ) as caught:
        decode(COMMITMENT[:10] + "0" + COMMITMENT[11:])
    assert caught.value.position == 10
    with pytest.raises(Damaged, match=r"^this commitment is damaged: it has 63 characters instead of 64$"):
        decode(COMMITMENT[:-1])
    with pytest.raises(Malformed, match=r"^this is no token of ours: “\\x1b\[2Jhello”"):
        decode("\x1b[2Jhello")


def test_a_token_does_not_print_what_it_carries() -> None:
    assert "secret" not in repr(Token(kind=Kind.INVITATION, payload=b"secret"))


def test_squeezing_leaves_what_it_does_not_know() -> None:
    assert squeeze("> a>b\n >> c \u200b") == "a>bc\u200b"


@pytest.mark.parametrize("size", range(50))
def test_lengths_are_those_of_base32(size: int) -> None:
    assert base32_length(size) == len(base64.b32encode(bytes(size)).rstrip(b"="))
    assert possible_length("hae1" + "a" * base32_length(size))
    assert not possible_length("hae1" + "a" * (base32_length(size + 5) + 1)) or size % 5 in {1, 2, 4}


def test_only_one_length_is_possible_for_a_commitment() -> None:
    lengths = [length for length in range(4, 200) if possible_length("hac1" + "a" * (length - 4))]
    assert lengths == [len(COMMITMENT)]
    assert len(COMMITMENT) == 4 + base32_length(32 + CHECK_SIZE)


def test_the_candidate_nearest_in_length_is_the_likeliest() -> None:
    assert nearest_length([COMMITMENT[:20], COMMITMENT[:-2], COMMITMENT + COMMITMENT]) == COMMITMENT[:-2]
    assert nearest_length([SLIP[:5], SLIP]) == SLIP[:5]


LARGE = 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        "\n" * LARGE,
        ">" * LARGE,
        "> \n" * LARGE,
        "hac1" + "a" * LARGE,
        "HAO1" + "\u2003" * LARGE,
        "[" * LARGE,
        '"' * LARGE,
    ],
    ids=["newlines", "marks", "quotes", "letters", "spaces", "brackets", "quotation marks"],
)
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        decode(text)
