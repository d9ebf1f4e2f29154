"""The only bytes ever hashed or signed: strict reading, canonical writing.

SPEC "Canonical JSON". The form is RFC 8785, restricted: objects, arrays, strings, booleans and the integers
0 … 2^53-1; ASCII member names, each once; at most eight levels. What is not canonical is refused, never repaired.
This module knows no member names: what an object must hold is decided where the object is made.
"""

import json
import re
from collections.abc import Iterable
from typing import Final, NoReturn, TypeAlias

from hiddenagenda.characters import FORBIDDEN, code_point
from hiddenagenda.faults import Malformed, Sentence, TooLarge, sentence

Json: TypeAlias = "dict[str, Json] | list[Json] | str | bool | int"

MAX_DEPTH: Final = 8
"""Levels of objects and arrays, the outermost counted as one."""
MAX_INTEGER: Final = 2**53 - 1

_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NOT_BRACKET: Final = re.compile(rb"[^\[\]{}]+")
_NOT_A_NUMBER: Final = {"NaN", "Infinity", "-Infinity"}


def write(value: Json) -> bytes:
    """Return the canonical bytes (UTF-8, no final newline) of a JSON value.

    Raises ``Malformed`` for anything outside the subset. (RFC 8785; SPEC "Canonical JSON")
    """
    _check(value, depth=0)
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False)
    return text.encode()


def read(data: bytes, *, limit: int) -> dict[str, Json]:
    """Return the one JSON object that ``data`` is the canonical form of.

    ``limit`` is the greatest number of bytes, looked at before anything else. Raises ``TooLarge`` over it, and
    ``Malformed`` with a position for everything that is not exactly canonical: what was read is what was hashed.
    """
    if len(data) > limit:
        raise TooLarge(
            sentence("{have} bytes where at most {limit} are allowed", have=len(data), limit=limit),
            code="too-large",
        )
    text = _decoded(data)
    _check_depth(data)
    value = _parsed(text)
    if not isinstance(value, dict):
        raise _not_json(sentence("a JSON object was expected, this is another JSON value"), 0)
    canonical = write(value)
    if canonical != data:
        position = _first_difference(canonical, data)
        raise Malformed(
            sentence("not in canonical form from byte {position} on", position=position),
            hint=sentence("members sorted, no spaces, no needless escapes; the bytes must not be rewritten"),
            code="not-canonical",
            position=position,
        )
    return value


def check_text(text: str) -> None:
    """Refuse a text that holds a character of the forbidden ranges. Raises ``Malformed`` naming it."""
    found = FORBIDDEN.search(text)
    if found:
        raise Malformed(
            sentence(
                "the character {code} at place {place} is not allowed in a text",
                code=code_point(found[0]),
                place=found.start() + 1,
            ),
            code="forbidden-character",
            position=found.start(),
        )


def _check(value: object, *, depth: int) -> None:
    match value:
        case bool():
            pass
        case str():
            check_text(value)
        case int():
            if not 0 <= value <= MAX_INTEGER:
                raise _out_of_range()
        case list():
            _check_items(value, depth=depth)
        case dict():
            for name in value:
                _check_name(name)
            _check_items(value.values(), depth=depth)
        case None:
            raise Malformed(sentence("null is not allowed here"), code="null")
        case _:
            raise _number(sentence("only whole numbers, texts, true, false, lists and objects are allowed"))


def _check_items(items: Iterable[object], *, depth: int) -> None:
    if depth == MAX_DEPTH:
        raise _too_deep()
    for item in items:
        _check(item, depth=depth + 1)


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not name.isascii():
        raise Malformed(
            sentence("the member name “{name}” is not plain ASCII", name=str(name)[:40]), code="member-name"
        )
    check_text(name)


def _decoded(data: bytes) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        raise Malformed(
            sentence("the text begins with a byte order mark (U+FEFF)"),
            hint=sentence("save the file as UTF-8 without a byte order mark"),
            code="byte-order-mark",
            position=0,
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        position = error.start
    # Raised out here, as below: the decoder's error holds all the bytes, which may be a secret, and would hang on ours.
    raise Malformed(sentence("not UTF-8 at byte {position}", position=position), code="not-utf-8", position=position)


def _check_depth(data: bytes) -> None:
    """Count levels before parsing, so that no nesting reaches the parser's recursion."""
    depth = 0
    for bracket in _NOT_BRACKET.sub(b"", _STRING.sub(b"", data)):
        if bracket in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep()
        else:
            depth -= 1


def _parsed(text: str) -> Json:
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_float=_refuse_number,
            parse_int=_integer,
            parse_constant=_refuse_number,
        )
    except json.JSONDecodeError as error:
        place = error.pos
    else:
        return value
    position = len(text[:place].encode())
    raise _not_json(sentence("not JSON at byte {position}", position=position), position)


def _distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for name, value in pairs:
        if name in members:
            raise Malformed(sentence("the member “{name}” stands twice", name=name[:40]), code="duplicate-member")
        members[name] = value
    return members


def _integer(digits: str) -> int:
    # The length is looked at first: turning a long text into a number takes quadratic time.
    if len(digits) > len(str(MAX_INTEGER)) or digits.startswith("-") or int(digits) > MAX_INTEGER:
        raise _out_of_range()
    return int(digits)


def _refuse_number(digits: str) -> NoReturn:
    if digits in _NOT_A_NUMBER:
        raise _number(sentence("“{digits}” is no JSON", digits=digits))
    raise _number(sentence("the number {digits} is not whole", digits=digits[:40]))


def _number(said: Sentence) -> Malformed:
    return Malformed(said, code="number")


def _out_of_range() -> Malformed:
    return _number(sentence("a number outside 0 … {limit}", limit=MAX_INTEGER))


def _not_json(said: Sentence, position: int) -> Malformed:
    return Malformed(said, code="not-json", position=position)


def _too_deep() -> Malformed:
    return Malformed(sentence("nested more than {limit} levels deep", limit=MAX_DEPTH), code="too-deep")


def _first_difference(one: bytes, other: bytes) -> int:
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return place
    return min(len(one), len(other))
