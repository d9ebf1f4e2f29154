"""What the members of an object on record may be, and the one way from bytes to such an object.

SPEC "Entries". An object is read only where its bytes are exactly the canonical form of its type: the typed reader
says what it holds, writing it again must give the same bytes, and no forbidden character is in it. This module
knows no entry; it repairs nothing.
"""

import re
from typing import Annotated, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from hiddenagenda import canonical
from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.faults import Malformed, Sentence, sentence
from hiddenagenda.slip import LONGEST_TEXT, MOST_SLOTS, PROTOCOL


class Shape(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What every object on record is: a value. Its fields stand in the order of their names, as in its bytes.

    The garbage collector does not track it, since values cannot refer back to themselves.
    """


Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]
"""Any text, also an empty one."""
Digest: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""32 bytes as lower-case hex: an id, a key, a commitment, a salt, a nonce."""
Hex: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]*\Z")]
"""Lower-case hex digits, any number."""
Slot: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_SLOTS)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=canonical.MAX_INTEGER)]

HEX_DIGITS: Final = b"0123456789abcdef"

encode: Final = msgspec.json.Encoder().encode
"""Return the canonical bytes of a shape."""

_BACKSLASH: Final = ord("\\")
_DELETE: Final = 0x7F
_S = TypeVar("_S", bound=Shape)
_MEMBER: Final = re.compile(r"Object (missing required|contains unknown) field `([^`]*)`")
_PLACE: Final = re.compile(r" - at `([^`]*)`\Z")


def read_shape(data: bytes, decoder: msgspec.json.Decoder[_S], noun: Sentence, limit: int) -> _S:
    """Return the object whose canonical bytes ``data`` is.

    ``noun`` says what it should be, ``limit`` is the greatest number of bytes. Raises ``TooLarge`` over it, and
    ``Malformed`` for bytes that are not canonical (with a position) or not of this shape.
    """
    error = None
    if len(data) <= limit:
        try:
            shape = decoder.decode(data)
        except msgspec.DecodeError as caught:
            error = caught
        else:
            if encode(shape) == data and (
                (data.isascii() and _BACKSLASH not in data and _DELETE not in data) or _is_clean(data)
            ):
                return shape
    canonical.read(data, limit=limit)  # says what is wrong with the bytes, if that is it
    raise _misshapen(noun, error) from None


def _is_clean(data: bytes) -> bool:
    """Tell whether the text of a JSON object holds no forbidden character, neither plain nor escaped."""
    if _BACKSLASH in data and _BACKSLASH in data.replace(rb"\\", b"").replace(rb"\"", b""):
        return False  # what else is escaped in canonical form is a control character
    if data.isascii():
        return _DELETE not in data
    return FORBIDDEN.search(data.decode()) is None


def _misshapen(noun: Sentence, error: msgspec.DecodeError | None) -> Malformed:
    if error is None:  # a member that has a default is left out
        return Malformed(sentence("this is no {noun}: a member is missing", noun=noun), code="misshapen")
    if isinstance(error.__cause__, Malformed):
        return error.__cause__
    message = str(error)
    member = _MEMBER.match(message)
    place = _PLACE.search(message)
    where = place[1].removeprefix("$").removeprefix(".") if place else ""
    if where.endswith("protocol"):
        return Malformed(
            sentence("this {noun} is of another protocol version than {ours}", noun=noun, ours=PROTOCOL),
            hint=sentence("use a program of the same version as its author"),
            code="other-version",
        )
    if member is None:
        what = sentence("what stands at “{place}” may not stand there", place=where)
    elif member[1].startswith("missing"):
        what = sentence("its member “{name}” is missing", name=f"{where}.{member[2]}".removeprefix(".")[:80])
    else:
        what = sentence("its member “{name}” is unknown", name=f"{where}.{member[2]}".removeprefix(".")[:80])
    return Malformed(sentence("this is no {noun}: {what}", noun=noun, what=what), code="misshapen")
