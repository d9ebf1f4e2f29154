"""Canonical JSON: every refusal by its code, and the shared corpora."""

import enum
import json
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from hiddenagenda.canonical import MAX_DEPTH, MAX_INTEGER, check_text, read, write
from hiddenagenda.faults import Malformed, TooLarge

LIMIT = 1 << 16

CANONICAL = [
    "{}",
    '{"":""}',
    '{"a":1}',
    '{"a":0,"b":9007199254740991}',
    '{"a":true,"b":false}',
    '{"a":[],"b":{},"c":[[],{}]}',
    '{"A":1,"B":2,"_":3,"a":4}',
    '{"10":1,"2":2}',
    r'{"a":"\"\\/"}',
    '{"a":"é"}',
    '{"a":"e\u0301"}',
    '{"a":"\U0001f0cf"}',
    '{"a":"\ufdd0 \ue000 \u3164"}',
    '{"\\"":1,"#":2}',
    '{"a":' + "[" * 7 + "]" * 7 + "}",
    '{"a":"[[[[[[[[[[[[{{{{{{{{{{"}',
    r'{"a":"\\","b":"[[[[[[[[[[["}',
]


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_bytes_are_read_and_written_back(text: str) -> None:
    value = read(text.encode(), limit=LIMIT)
    assert value == json.loads(text)
    assert write(value) == text.encode()


REFUSED: list[tuple[bytes, str]] = [
    (b"", "not-json"),
    (b" ", "not-json"),
    (b"{", "not-json"),
    (b'{"a":1', "not-json"),
    (b'{"a":1}x', "not-json"),
    (b'{"a":1}\0', "not-json"),
    (b'{"a":1}{}', "not-json"),
    (b"{'a':1}", "not-json"),
    (b'{"a":1,}', "not-json"),
    (b'{"a":01}', "not-json"),
    (b'{"a":+1}', "not-json"),
    (b'{"a":0x1}', "not-json"),
    (b'{"a":1_0}', "not-json"),
    ('{"a":١}'.encode(), "not-json"),
    (b'{"a":tru}', "not-json"),
    (b"{a:1}", "not-json"),
    (b"{1:1}", "not-json"),
    (b'{"a":"\n"}', "not-json"),
    (b'{"a":"\\x41"}', "not-json"),
    (b"]" * 20 + b"[" * 5, "not-json"),
    (b"[]", "not-json"),
    (b'"a"', "not-json"),
    (b"1", "not-json"),
    (b"true", "not-json"),
    (b"null", "not-json"),
    (b'{"a":1} ', "not-canonical"),
    (b'{"a":1}\n', "not-canonical"),
    (b' {"a":1}', "not-canonical"),
    (b'{"a": 1}', "not-canonical"),
    (b'{"b":1,"a":2}', "not-canonical"),
    (b'{"a":1,"B":2}', "not-canonical"),
    (b'{"a":"\\u0041"}', "not-canonical"),
    (b'{"a":"\\/"}', "not-canonical"),
    (b'{"a":"\\u00e9"}', "not-canonical"),
    (b'{"\\u0061":1}', "not-canonical"),
    (b'{"a":"\\ud83c\\udccf"}', "not-canonical"),
    (b'{"a":1,"a":1}', "duplicate-member"),
    (b'{"a":1,"a":2}', "duplicate-member"),
    (b'{"a":1,"\\u0061":2}', "duplicate-member"),
    (b'{"a":{"b":1,"b":1}}', "duplicate-member"),
    (b'{"a":1.0}', "number"),
    (b'{"a":1e2}', "number"),
    (b'{"a":1E400}', "number"),
    (b'{"a":-0}', "number"),
    (b'{"a":-1}', "number"),
    (b'{"a":9007199254740992}', "number"),
    (b'{"a":10000000000000000}', "number"),
    (b'{"a":' + b"9" * 5000 + b"}", "number"),
    (b'{"a":NaN}', "number"),
    (b'{"a":Infinity}', "number"),
    (b'{"a":-Infinity}', "number"),
    (b'{"a":null}', "null"),
    (b'{"a":[1,null]}', "null"),
    ('{"é":1}'.encode(), "member-name"),
    (b'{"\\u00e9":1}', "member-name"),
    (b'{"\\u0001":1}', "forbidden-character"),
    (b'{"\x7f":1}', "forbidden-character"),
    (b'{"a":"\\u0000"}', "forbidden-character"),
    (b'{"a":"\\u001b[2J"}', "forbidden-character"),
    (b'{"a":"\\ud800"}', "forbidden-character"),
    (b'{"a":"\\udc00\\ud800"}', "forbidden-character"),
    ('{"a":"\u202e"}'.encode(), "forbidden-character"),
    ('{"a":"\u200d"}'.encode(), "forbidden-character"),
    ('{"a":["\ufe0f"]}'.encode(), "forbidden-character"),
    ('{"a":"\ufeff"}'.encode(), "forbidden-character"),
    ('{"a":"\U000e0041"}'.encode(), "forbidden-character"),
    ('{"a":"\uffff"}'.encode(), "forbidden-character"),
    (b'\xef\xbb\xbf{"a":1}', "byte-order-mark"),
    ('{"a":1}'.encode("utf-16"), "not-utf-8"),
    ('{"a":1}'.encode("utf-16-be"), "not-json"),
    (b'{"a":"\xff"}', "not-utf-8"),
    (b'{"a":"\xc0\xaf"}', "not-utf-8"),
    (b'{"a":"\xed\xa0\x80"}', "not-utf-8"),
    (b'{"a":"\xf4\x90\x80\x80"}', "not-utf-8"),
    (b'{"a":"\xe2\x82', "not-utf-8"),
    (b'{"a":' + b"[" * 8 + b"]" * 8 + b"}", "too-deep"),
    (b'{"a":' * 9 + b"1" + b"}" * 9, "too-deep"),
    (b"[" * 60_000, "too-deep"),
]


@pytest.mark.parametrize(("data", "code"), REFUSED, ids=lambda value: repr(value)[:40])
def test_everything_else_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(data, limit=LIMIT)
    assert caught.value.code == code
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "position"),
    [
        (b'{"a":x}', 5),
        ('{"é":x}'.encode(), 6),
        (b"\xef\xbb\xbf{}", 0),
        (b'{"a":"\xff"}', 6),
        (b'{"a": 1}', 5),
        (b'{"a":1}\n', 7),
        (b'{"b":1,"a":2}', 2),
        (b"[]", 0),
        (b'{"a":"xy\\u0000"}', 2),
    ],
)
def test_a_refusal_points(data: bytes, position: int) -> None:
    with pytest.raises(Malformed) as caught:
        read(data, limit=LIMIT)
    assert caught.value.position == position


def test_the_cap_is_looked_at_first() -> None:
    assert read(b'{"a":1}', limit=7) == {"a": 1}
    with pytest.raises(TooLarge, match="7 bytes where at most 6 are allowed") as caught:
        read(b"\xff" * 7, limit=6)
    assert caught.value.code == "too-large"


class Colour(enum.IntEnum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (1.0, "number"),
        (float("nan"), "number"),
        ({"a": 1.5}, "number"),
        (-1, "number"),
        (MAX_INTEGER + 1, "number"),
        (b"a", "number"),
        (("a",), "number"),
        ({"a": {1, 2}}, "number"),
        (None, "null"),
        ({1: 2}, "member-name"),
        ({"é": 1}, "member-name"),
        ({"a\x00": 1}, "forbidden-character"),
        (["\ud800"], "forbidden-character"),
    ],
)
def test_only_the_subset_is_written(value: object, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        write(value)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_a_value_that_holds_itself_is_too_deep() -> None:
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(Malformed) as caught:
        write(circle)  # type: ignore[arg-type]
    assert caught.value.code == "too-deep"


def test_eight_levels_are_written_and_nine_are_not() -> None:
    value: object = 1
    for _ in range(MAX_DEPTH):
        value = [value]
    assert write(value) == b"[" * 8 + b"1" + b"]" * 8  # type: ignore[arg-type]
    with pytest.raises(Malformed, match="nested more than 8 levels deep"):
        write([value])  # type: ignore[list-item]


def test_what_only_looks_like_a_number_is_written_as_one() -> None:
    assert write([Colour.RED, True]) == b"[1,true]"


def test_a_forbidden_character_is_named_with_its_place() -> None:
    with pytest.raises(Malformed, match=r"the character U\+202E at place 4 is not allowed in a text"):
        check_text("abc\u202e")
    check_text("abc")


SECRET = "5ec7e75a17"


@pytest.mark.parametrize(
    "data",
    [
        f'{{"salt":"{SECRET}",}}'.encode(),
        f'{{"salt":"{SECRET}'.encode() + b'\xff"}',
        f'{{"salt": "{SECRET}"}}'.encode(),
        f'{{"salt":"{SECRET}\u202e"}}'.encode(),
        f'["{SECRET}"]'.encode(),
    ],
)
def test_an_error_holds_nothing_of_what_was_read(data: bytes) -> None:
    with pytest.raises(Malformed) as caught:
        read(data, limit=LIMIT)
    error: BaseException | None = caught.value
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    while error is not None:
        assert SECRET not in repr(error) + repr(error.args) + repr(vars(error))
        assert not hasattr(error, "doc")
        error = error.__context__


LARGE = 1_000_000
HOSTILE = {
    "newlines": b"\n" * LARGE,
    "spaces": b'{"a":' + b" " * LARGE + b"1}",
    "opening brackets": b"[" * LARGE,
    "opening braces": b'{"a":' * (LARGE // 5),
    "closing brackets": b"]" * LARGE,
    "flat brackets": b"[" + b"[]," * (LARGE // 3) + b"[]]",
    "quotes": b'"' * LARGE,
    "backslashes": b'{"a":"' + b"\\" * LARGE,
    "escapes": b'{"a":"' + b"\\u0041" * (LARGE // 6) + b'"}',
    "an unfinished text": b'{"a":"' + b"a" * LARGE,
    "digits": b'{"a":' + b"1" * LARGE + b"}",
    "decimals": b'{"a":0.' + b"1" * LARGE + b"}",
    "members": b"{" + b",".join(b'"%06d":0' % number for number in range(LARGE // 11)) + b',"000000":0}',
    "a late duplicate": b"{" + b",".join(b'"%06d":0' % number for number in range(LARGE // 11)) + b',"090908":0}',
    "nulls": b"\0" * LARGE,
    "bytes": b"\x80" * LARGE,
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_bytes_are_refused(data: bytes) -> None:
    """Each would take minutes, or the process, if reading it took more than linear time or recursed."""
    with pytest.raises(Malformed):
        read(data, limit=2 * LARGE)


def corpus(shared: Path, folder: str, pattern: str) -> Iterator[tuple[str, bytes]]:
    files = sorted((shared / "corpora" / folder).glob(pattern))
    assert files
    for path in files:
        yield path.name, path.read_bytes()


def refusal(data: bytes) -> str | None:
    try:
        read(data, limit=1 << 20)
    except Malformed as error:
        return error.code
    return None


def wrapped(data: bytes) -> bytes:
    """Put a JSON text that is no object into one, so that more than the outermost brackets are looked at."""
    return b'{"a":' + data.strip(b" \t\r\n") + b"}"


def fits_the_subset(data: bytes) -> bool:
    value = json.loads(data)
    try:
        return isinstance(value, dict) and write(value) == data
    except Malformed:
        return False


def test_what_every_parser_takes_is_taken_where_it_fits_the_subset(shared: Path) -> None:
    files = dict(corpus(shared, "json-testsuite", "test_parsing/y_*.json"))
    texts = files | {f"wrapped {name}": wrapped(data) for name, data in files.items()}
    taken = [name for name, data in texts.items() if refusal(data) is None]
    assert taken == [name for name, data in texts.items() if fits_the_subset(data)]
    assert {"y_object_empty.json", "y_object_empty_key.json", "wrapped y_string_utf8.json"} <= set(taken)


@pytest.mark.parametrize("kind", ["n", "i"])
def test_what_parsers_refuse_or_differ_about_is_refused(shared: Path, kind: str) -> None:
    files = list(corpus(shared, "json-testsuite", f"test_parsing/{kind}_*.json"))
    assert [name for name, data in files if refusal(data) is None] == []
    assert [name for name, data in files if refusal(wrapped(data)) is None] == []


def test_what_parsers_change_is_refused(shared: Path) -> None:
    files = dict(corpus(shared, "json-testsuite", "test_transform/*.json"))
    assert None not in {refusal(data) for data in files.values()}
    codes = {name.removesuffix(".json"): refusal(wrapped(data)) for name, data in files.items()}
    assert codes == {
        "number_1.0": "number",
        "number_1e-999": "number",
        "number_1e6": "number",
        "object_key_nfc_nfd": "member-name",
        "object_key_nfd_nfc": "member-name",
        "object_same_key_different_values": "duplicate-member",
        "object_same_key_same_value": "duplicate-member",
        "object_same_key_unclear_values": "number",
        "string_1_escaped_invalid_codepoint": "forbidden-character",
        "string_1_invalid_codepoint": "not-utf-8",
        "string_2_escaped_invalid_codepoints": "forbidden-character",
        "string_2_invalid_codepoints": "not-utf-8",
        "string_3_escaped_invalid_codepoints": "forbidden-character",
        "string_3_invalid_codepoints": "not-utf-8",
        "string_with_escaped_NULL": "forbidden-character",
    }


def test_what_lies_outside_the_subset_is_never_reformatted(shared: Path) -> None:
    files = [*corpus(shared, "rfc8785", "input/*.json"), *corpus(shared, "rfc8785", "output/*.json")]
    assert [name for name, data in files if refusal(data) is None] == []
    numbers = {refusal(bytes.fromhex(data.decode())) for _, data in corpus(shared, "rfc8785", "outhex/*.txt")}
    assert None not in numbers
