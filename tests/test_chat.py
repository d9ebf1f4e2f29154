"""Tokens and digests in text as it is copied out of chats."""

import base64
import textwrap

import pytest

from hiddenagenda import chat, token
from hiddenagenda.chat import Found, find
from hiddenagenda.commitment import Commitment
from hiddenagenda.faults import TooLarge
from hiddenagenda.token import Kind, Token, encode

COMMITMENT = Token(kind=Kind.COMMITMENT, payload=bytes(range(32)))
OPENING = Token(kind=Kind.SLIP, payload=b'{"conspiracy":"Brago\'s Favor"}' * 9)
SEAT = Token(kind=Kind.SEAT, payload=b"{}")
HAC, HAO, HAS = (encode(one.kind, one.payload) for one in (COMMITMENT, OPENING, SEAT))
DIGEST = Commitment(COMMITMENT.payload).hex

SURROUNDINGS = {
    "alone": "{}",
    "name": "Ana: {} good luck",
    "time": "[20:15] Ana: {}\n[20:16] Ben: ok",
    "irc": "20:15 <Ana> {}\n20:16 <Ben> 1 2 3 go",
    "quotes": 'she said "{}", right?',
    "curly quotes": "“{}”",
    "guillemets": "« {} »",
    "full stop": "It is {}.",
    "brackets": "({})",
    "link": "[{}](https://example.org/hac)",
    "code": "`{}`",
    "fence": "```\n{}\n```",
    "bold": "**{}**",
    "italics": "_{}_",
    "spoiler": "||{}||",
    "html": "<p>{}</p>",
    "quoted": "> {}\nok",
    "quoted twice": ">> {}\n>> ok",
    "question": "is this it: {}?",
    "dots": "{}…",
    "tab": "Ana\t{}\tok",
    "no-break space": "Ana\u00a0: {}\u00a0!",
    "digits behind": "{} 2026-11-27",
    "letters behind": "{} abcdefgh",
}


@pytest.mark.parametrize("around", SURROUNDINGS.values(), ids=SURROUNDINGS)
@pytest.mark.parametrize(("text", "expected"), [(HAC, COMMITMENT), (HAO, OPENING), (HAS, SEAT)])
def test_a_token_is_found_in_what_chats_put_around_it(around: str, text: str, expected: Token) -> None:
    assert find(around.format(text)) == Found(tokens=(expected,))
    assert find(around.format(text.swapcase())) == Found(tokens=(expected,))


@pytest.mark.parametrize("around", SURROUNDINGS.values(), ids=SURROUNDINGS)
@pytest.mark.parametrize("width", [20, 33, 72])
@pytest.mark.parametrize("joint", ["\n", "\r\n", "\n> ", "\n  ", "\n>> ", " ", "\u2028"])
def test_a_token_is_found_where_a_chat_breaks_it(around: str, width: int, joint: str) -> None:
    assert find(around.format(joint.join(textwrap.wrap(HAO, width)))).tokens == (OPENING,)
    assert find(around.format(joint.join(textwrap.wrap(HAC, width)))).tokens == (COMMITMENT,)


@pytest.mark.parametrize("around", [one for name, one in SURROUNDINGS.items() if name != "letters behind"])
@pytest.mark.parametrize("digest", [DIGEST, DIGEST.upper(), " ".join(textwrap.wrap(DIGEST, 8))])
def test_a_digest_is_found_in_small_and_capitals_and_in_pieces(around: str, digest: str) -> None:
    assert find(around.format(digest)) == Found(digests=(DIGEST,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "that hac is no token",
        "xhac1abc",
        DIGEST[:-1],
        DIGEST + "a",
        DIGEST[:-1] + "g",
        "deadbeef cafe",
        "2026-11-27 20:15",
        "0x" + DIGEST,
    ],
)
def test_what_is_neither_token_nor_digest_is_left_alone(text: str) -> None:
    assert find(text) == Found()


def test_everything_is_found_once_and_in_order() -> None:
    other = Commitment.of(b"other")
    text = f"{HAO} {HAC}\n{other.token} {HAC} {DIGEST.upper()} and {DIGEST} {HAS}"
    found = find(text)
    assert [one.kind for one in found.tokens] == [Kind.SLIP, Kind.COMMITMENT, Kind.COMMITMENT, Kind.SEAT]
    assert found.digests == (DIGEST,)
    assert found.damaged == ()


def test_hex_inside_a_token_is_no_digest() -> None:
    """Base32 letters may look like hex digits: here 64 of them stand between two line breaks."""
    hexlike = Token(kind=Kind.SLIP, payload=b"\x00" * 5 + base64.b32decode("ABCDEF23" * 8) + b"\xff" * 5)
    text = encode(hexlike.kind, hexlike.payload)
    assert "ABCDEF23" * 8 in text
    broken = text.replace("ABCDEF23" * 8, "\n" + "ABCDEF23" * 8 + "\n")
    assert find(broken) == Found(tokens=(hexlike,))


def test_tokens_that_touch_are_told_apart() -> None:
    assert find(f"{HAC}\n{HAO}\n{HAC}").tokens == (COMMITMENT, OPENING)
    assert find(f"{HAC},{HAO};{HAS}").tokens == (COMMITMENT, OPENING, SEAT)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HAC[:-1], "token-length"),
        (HAC + "a", "token-length"),
        (HAC[:20] + "1" + HAC[21:], "token-character"),
        (HAC[:20] + ("b" if HAC[20] == "a" else "a") + HAC[21:], "token-check"),
        (HAC[:10] + HAC[11] + HAC[10] + HAC[12:], "token-check"),
        ("hac1", "token-length"),
        ("hac1…", "token-length"),
        (HAO[:100], "token-check"),
        (HAO[:200] + HAO[201:], None),
        ("HAO1", "token-length"),
        (HAC.replace("hac", "has"), "token-check"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "Ana: {}, good luck", '"{}"'])
def test_damage_is_said_and_hides_nothing_else(text: str, code: str | None, around: str) -> None:
    found = find(f"{around.format(text)}\n{HAS}")
    assert found.tokens == (SEAT,)
    (damage,) = found.damaged
    assert code in (None, damage.code)
    assert "damaged" in str(damage)


def test_the_damaged_candidate_that_is_shown_is_the_likeliest() -> None:
    """Of all the runs that could be the token, the one whose length is nearest."""
    (damage,) = find(f"{HAC[:40]}x {HAC[40:]} good luck everybody").damaged
    assert "65 characters" in str(damage)


def test_a_chat_may_be_long_and_not_endless() -> None:
    text = "." * (chat.LARGEST - len(HAC)) + HAC
    assert find(text).tokens == (COMMITMENT,)
    with pytest.raises(TooLarge):
        find("." + text)


def test_tokens_may_be_many_and_not_countless() -> None:
    assert len(find("hac1 " * 10_000).damaged) == 1
    with pytest.raises(TooLarge):
        find("hac1 " * 10_001)


@pytest.mark.parametrize("text", ["hac1" + " a" * 5000, "HAO1" + " a" * 5000, "a " * 50_000, "hac1" + "\n>" * 9000])
def test_no_text_takes_long(text: str) -> None:
    assert find(text).tokens == ()
    assert find(f"{text}, {HAC}").tokens == (COMMITMENT,)


def test_a_token_never_runs_over_its_longest() -> None:
    longest = token.encode(Kind.BUNDLE, b"\1" * 1179)
    assert len(longest) <= token.LONGEST
    assert len(find(longest).tokens) == 1
    (damage,) = find(longest + "a" * 800).damaged
    assert "damaged" in str(damage)
