"""What holds for all values and all bytes: canonical form, tokens, bundles, slips."""

import dataclasses
import json
import re
import zlib
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import pytest
import rfc8785
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from hiddenagenda import bundle, canonical, chat, token
from hiddenagenda.canonical import MAX_DEPTH, MAX_INTEGER, Json
from hiddenagenda.characters import FORBIDDEN, UNSEEN, escape
from hiddenagenda.commitment import Commitment, OpeningMismatch
from hiddenagenda.faults import Malformed
from hiddenagenda.slip import LARGEST, Salt, Slip, read_slip
from hiddenagenda.token import Kind, Token

LIMIT = 1 << 20

texts = st.text().filter(lambda text: not FORBIDDEN.search(text))
names = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E))
values = st.recursive(
    st.booleans() | st.integers(0, MAX_INTEGER) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=20,
).filter(lambda value: depth(value) < MAX_DEPTH)
objects = st.dictionaries(names, values, max_size=5)


def depth(value: object) -> int:
    match value:
        case list():
            return 1 + max(map(depth, value), default=0)
        case dict():
            return 1 + max(map(depth, value.values()), default=0)
        case _:
            return 0


# Canonical form


@given(objects)
def test_what_was_written_is_read(value: dict[str, Json]) -> None:
    assert canonical.read(canonical.write(value), limit=LIMIT) == value


@given(objects)
def test_writing_is_idempotent(value: dict[str, Json]) -> None:
    once = canonical.write(value)
    assert canonical.write(canonical.read(once, limit=LIMIT)) == once


@given(values)
def test_it_is_what_rfc8785_writes(value: Json) -> None:
    assert canonical.write(value) == rfc8785.dumps(value)


def kinds(value: object) -> object:
    """Tell apart what Python takes for equal: true and 1."""
    match value:
        case list():
            return [kinds(item) for item in value]
        case dict():
            return {name: kinds(item) for name, item in value.items()}
        case _:
            return (type(value), value)


@given(values, values)
@example(True, 1)
@example(["a", "b"], ["a,b"])
@example({"a": "b,c"}, {"a": "b", "c": ""})
@example("1", 1)
@example([[], []], [[[]]])
def test_different_values_have_different_bytes(one: Json, other: Json) -> None:
    assert (canonical.write(one) == canonical.write(other)) == (kinds(one) == kinds(other))


@given(st.lists(texts, min_size=2, max_size=5), st.data())
def test_moving_characters_across_an_edge_changes_the_bytes(fields: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(fields) - 2))
    joined = fields[place] + fields[place + 1]
    cut = data.draw(st.integers(0, len(joined)))
    moved = [*fields[:place], joined[:cut], joined[cut:], *fields[place + 2 :]]
    assume(moved != fields)
    members = [f"m{number}" for number in range(len(fields))]
    assert canonical.write(list(fields)) != canonical.write(list(moved))
    assert canonical.write(dict(zip(members, fields, strict=True))) != canonical.write(
        dict(zip(members, moved, strict=True))
    )


@given(objects, st.data())
def test_a_changed_byte_is_another_value_or_refused(value: dict[str, Json], data: st.DataObject) -> None:
    written = bytearray(canonical.write(value))
    place = data.draw(st.integers(0, len(written) - 1))
    written[place] ^= data.draw(st.integers(1, 255))
    try:
        other = canonical.read(bytes(written), limit=LIMIT)
    except Malformed:
        return
    assert kinds(other) != kinds(value)


@given(objects.filter(bool), st.sampled_from([{}, {"indent": 1}, {"sort_keys": True}, {"ensure_ascii": False}]))
def test_what_another_program_writes_is_never_repaired(value: dict[str, Json], options: dict[str, Any]) -> None:
    written = json.dumps(value, **options).encode()
    assume(written != canonical.write(value))
    with pytest.raises(Malformed):
        canonical.read(written, limit=LIMIT)


# Tokens

kinds_of_token = st.sampled_from(Kind)


@st.composite
def tokens(draw: st.DrawFn) -> Token:
    kind = draw(kinds_of_token)
    size = token.PAYLOAD_SIZE.get(kind)
    payload = draw(st.binary(max_size=80) if size is None else st.binary(min_size=size, max_size=size))
    return Token(kind=kind, payload=payload)


@given(tokens())
def test_a_token_leads_back(made: Token) -> None:
    assert token.decode(token.encode(made.kind, made.payload)) == made


gaps = st.text(st.sampled_from(token.WHITE_SPACE), max_size=3)
breaks = st.builds(
    lambda end, marks: end + marks,
    st.sampled_from(["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"]),
    st.text(st.sampled_from("> \t"), max_size=4),
)


@given(tokens(), st.data())
def test_a_token_survives_what_chats_do(made: Token, data: st.DataObject) -> None:
    text = token.encode(made.kind, made.payload)
    recased = "".join(data.draw(st.sampled_from([letter.lower(), letter.upper()])) for letter in text)
    damaged = data.draw(st.text(st.sampled_from("> \n\t"), max_size=5))
    for letter in recased:
        damaged += letter + data.draw(st.just("") | gaps | breaks)
    assert token.decode(damaged) == made


@given(tokens(), st.data())
@settings(max_examples=300)
def test_every_proper_substring_is_refused(made: Token, data: st.DataObject) -> None:
    text = token.encode(made.kind, made.payload)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assume((start, end) != (0, len(text)))
    with pytest.raises(Malformed):
        token.decode(text[start:end])


@pytest.mark.parametrize("kind", Kind)
def test_every_proper_substring_of_one_token_is_refused(kind: Kind) -> None:
    text = token.encode(kind, sha256(b"x").digest())
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            if (start, end) != (0, len(text)):
                with pytest.raises(Malformed):
                    token.decode(text[start:end])


LETTERS = "".join(map(chr, range(0x21, 0x7F))) + "äſK\u0131\u0130\u200b\u202e\u0430\0\x1b"


def single_changes(text: str) -> list[str]:
    """Return every text that one changed, dropped, added, doubled or swapped character makes of ``text``."""
    changes = []
    for place, letter in enumerate(text):
        before, after = text[:place], text[place + 1 :]
        changes += [before + other + after for other in LETTERS if other.lower() != letter.lower()]
        changes += [before + other + letter + after for other in LETTERS if place or other != ">"]
        changes.append(before + after)
        changes.append(before + after[:1] + letter + after[1:])
    return [change for change in changes if change.lower() != text.lower()]


@pytest.mark.parametrize("kind", Kind)
def test_every_other_single_change_is_refused(kind: Kind) -> None:
    text = token.encode(kind, sha256(b"x").digest())
    for change in single_changes(text):
        with pytest.raises(Malformed):
            token.decode(change)


@given(tokens(), kinds_of_token)
def test_a_token_is_of_one_kind(made: Token, kind: Kind) -> None:
    assume(kind is not made.kind)
    with pytest.raises(Malformed):
        token.decode(kind.prefix + token.encode(made.kind, made.payload)[4:])


# Bundles


@given(st.lists(st.binary(max_size=4000), min_size=1, max_size=3, unique=True), st.data())
@settings(max_examples=50)
def test_bundles_come_whole_in_any_order_doubled_and_mixed(lines: list[bytes], data: st.DataObject) -> None:
    sent = [text for one in lines for text in bundle.pack(one)]
    posted = data.draw(st.permutations(sent + data.draw(st.lists(st.sampled_from(sent), max_size=5))))
    gathered = bundle.gather(bundle.read_piece(token.decode(text).payload) for text in posted)
    assert sorted(gathered.whole) == sorted(lines)
    assert gathered.missing == ()


@given(st.sets(st.integers(1, 7), min_size=1))
def test_what_is_missing_is_what_was_not_posted(dropped: set[int]) -> None:
    sent = bundle.pack(Random(1).randbytes(8000))
    assert len(sent) == 7
    posted = [text for number, text in enumerate(sent, 1) if number not in dropped]
    gathered = bundle.gather(bundle.read_piece(token.decode(text).payload) for text in posted)
    missing = {number for gap in gathered.missing for number in range(gap.first, gap.last + 1)}
    assert gathered.whole == ()
    assert missing == (dropped if posted else set())


# Slips

labels = st.text(st.characters(exclude_categories=["Cs"]), max_size=40).filter(lambda text: not FORBIDDEN.search(text))
slips = st.builds(
    Slip,
    conspiracy=labels,
    game=labels,
    names=st.lists(labels, max_size=3).map(tuple),
    player=labels,
    salt=st.binary(min_size=32, max_size=32).filter(any).map(Salt),
    slot=st.integers(1, 16),
)


@given(slips)
def test_a_slip_is_read_as_it_was_written(slip: Slip) -> None:
    data = slip.turn_face_up()
    assert read_slip(data) == slip
    assert rfc8785.dumps(json.loads(data)) == data
    assert Commitment.of(data).turn_up(data) == slip


@given(slips, slips)
def test_a_commitment_is_turned_up_by_one_slip(one: Slip, other: Slip) -> None:
    assume(one != other)
    with pytest.raises(OpeningMismatch):
        Commitment.of(one.turn_face_up()).turn_up(other.turn_face_up())


@given(slips, st.sampled_from(["conspiracy", "game", "player"]), st.sampled_from(["conspiracy", "game", "player"]))
def test_moving_a_character_to_another_label_changes_the_commitment(slip: Slip, one: str, other: str) -> None:
    assume(one != other and getattr(slip, one))
    shortened = getattr(slip, one)[:-1]
    lengthened = getattr(slip, one)[-1] + getattr(slip, other)
    moved = dataclasses.replace(slip, **{one: shortened, other: lengthened})
    assert Commitment.of(moved.turn_face_up()) != Commitment.of(slip.turn_face_up())


@given(slips)
def test_no_slip_tells_itself(slip: Slip) -> None:
    assert f"{slip} {slip!r} {slip.salt} {slip.salt!r}" == "<Slip: face down> <Slip: face down> <Salt> <Salt>"


# Whatever comes

READERS: dict[str, Callable[[bytes], object]] = {
    "canonical": lambda data: canonical.read(data, limit=LIMIT),
    "slip": read_slip,
    "opening": lambda data: Commitment.of(data).turn_up(data),
    "commitment": Commitment,
    "hex": lambda data: Commitment.from_hex(data.decode("latin-1")),
    "token": lambda data: token.decode(data.decode("latin-1")),
    "token, unicode": lambda data: token.decode(data.decode("utf-8", "surrogateescape")),
    "chat": lambda data: chat.find(data.decode("utf-8", "surrogateescape")),
    "piece": bundle.read_piece,
    "bundle": lambda data: bundle.gather([whole(data)]),
    "packed": lambda data: bundle.gather([whole(zlib.compress(data))], largest=10),
}


def whole(data: bytes) -> bundle.Piece:
    return bundle.Piece(bundle=sha256(data).digest()[:8], number=1, count=1, data=data)


like_json = st.text(st.sampled_from('{}[]",:\\u0123 truefalsn\n-.eé\u202e\ud800'), max_size=40).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)
like_tokens = st.builds(
    lambda prefix, rest: (prefix + rest).encode(),
    st.sampled_from(["hac1", "HAO1", "hae1", "> hac1", "h a c 1"]),
    st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz234567 >\n"), max_size=80),
)
mutated_slips = st.builds(
    lambda slip, place, byte: slip[: place % len(slip)] + byte + slip[place % len(slip) + 1 :],
    slips.map(Slip.turn_face_up),
    st.integers(0, LARGEST),
    st.binary(max_size=2),
)


@pytest.mark.parametrize("reader", READERS)
@given(data=st.binary(max_size=200) | like_json | like_tokens | mutated_slips | slips.map(Slip.turn_face_up))
@settings(max_examples=150)
def test_a_reader_accepts_or_says_that_the_bytes_are_malformed(reader: str, data: bytes) -> None:
    try:
        READERS[reader](data)
    except Malformed as error:
        refusal = error
    else:
        return
    assert refusal.code
    # Isolates around right-to-left text are ours: foreign ones are written out before.
    assert not UNSEEN.search(re.sub("\u2068([^\u2068\u2069]*)\u2069", r"\1", f"{refusal}{refusal.hint or ''}"))


@given(st.text())
def test_whatever_is_escaped_is_one_plain_line(text: str) -> None:
    shown = escape(text)
    assert not UNSEEN.search(shown)
    assert len(shown.splitlines()) <= 1
    shown.encode()
