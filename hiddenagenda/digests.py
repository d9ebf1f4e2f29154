"""Hex digests as people paste them.

SPEC "Digests by hand". A digest tolerates what a token tolerates (case, white space, line breaks, a leading ``>``),
the ticks of Markdown and the rest of a line that ``sha256sum`` or ``openssl`` printed; every tolerance is told. A
short, long or non-hex digest is refused with the reason: nothing is padded, and no look-alike is replaced.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from hiddenagenda.characters import FORBIDDEN, code_point
from hiddenagenda.faults import Malformed, Sentence, TooLarge, sentence
from hiddenagenda.token import WHITE_SPACE, squeeze


class Algorithm(NamedTuple):
    """A hash function: its name, its hex digits, the command that computes it, and itself."""

    name: str
    digits: int
    shell: str
    make: Callable[[bytes], bytes]


def _named(name: str) -> Callable[[bytes], bytes]:
    return lambda data: hashlib.new(name, data, usedforsecurity=False).digest()


def _blake2b(size: int) -> Callable[[bytes], bytes]:
    return lambda data: hashlib.blake2b(data, digest_size=size).digest()


ALGORITHMS: Final[Sequence[Algorithm]] = (
    Algorithm("MD5", 32, "md5sum", _named("md5")),
    Algorithm("SHA-1", 40, "sha1sum", _named("sha1")),
    Algorithm("SHA-224", 56, "sha224sum", _named("sha224")),
    Algorithm("SHA-256", 64, "sha256sum", _named("sha256")),
    Algorithm("SHA-384", 96, "sha384sum", _named("sha384")),
    Algorithm("SHA-512", 128, "sha512sum", _named("sha512")),
    Algorithm("SHA3-224", 56, "openssl dgst -sha3-224", _named("sha3_224")),
    Algorithm("SHA3-256", 64, "openssl dgst -sha3-256", _named("sha3_256")),
    Algorithm("SHA3-384", 96, "openssl dgst -sha3-384", _named("sha3_384")),
    Algorithm("SHA3-512", 128, "openssl dgst -sha3-512", _named("sha3_512")),
    Algorithm("BLAKE2b", 128, "b2sum", _blake2b(64)),
    Algorithm("BLAKE2b-256", 64, "b2sum -l 256", _blake2b(32)),
    Algorithm("BLAKE2s", 64, "openssl dgst -blake2s256", _named("blake2s")),
    Algorithm("BLAKE2b-128", 32, "b2sum -l 128", _blake2b(16)),
    Algorithm("BLAKE2b-160", 40, "b2sum -l 160", _blake2b(20)),
)
"""The hash functions that every Python has. The first of a length is the usual one; another one counts as a cause."""
LENGTHS: Final = tuple(sorted({algorithm.digits for algorithm in ALGORITHMS}))
"""Hex digits of the digests in use, from MD5 to SHA-512."""
USUAL_LENGTH: Final = 64
"""Hex digits of a SHA-256 digest, which a shorter one is measured by."""
LONGEST: Final = 4096
"""Characters of a text in which a digest is looked for."""

_HEX: Final = re.compile(r"[0-9A-Fa-f]+")
_NOT_HEX: Final = re.compile(r"[^0-9A-Fa-f]")
_TICKED: Final = re.compile(r"(`+)([^`]*)\1")
_SUM_LINES: Final = (
    re.compile(r"(?P<digits>[0-9A-Fa-f]{32,128}) [ *].+"),  # coreutils, shasum
    re.compile(r"[A-Za-z0-9/-]+ ?\(.*\) ?= (?P<digits>[0-9A-Fa-f]{32,128})"),  # openssl, BSD
)

QUOTED: Final = sentence("the “>” of a quotation was left out")
TICKED: Final = sentence("the ticks around it were left out")
SPACED: Final = sentence("white space inside it was left out")
CAPITAL: Final = sentence("capital digits were read as small ones")
SUM_LINE: Final = sentence("only the digest was taken from the line that a checksum program printed")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedDigest:
    """A digest that somebody published: lower-case hex digits, and what had to be overlooked to read them."""

    digits: str
    notices: tuple[Sentence, ...] = ()


def read_digits(text: str) -> PublishedDigest:
    """Return the hex digits that ``text`` holds, however many they are.

    Raises ``Malformed`` with the reason where it holds anything else: codes ``no-digest``, ``digest-prefix``,
    ``digest-character``; ``TooLarge`` over ``LONGEST`` characters.
    """
    if len(text) > LONGEST:
        said = sentence("a digest is looked for in at most {most} characters, got {have}", most=LONGEST, have=len(text))
        raise TooLarge(said, code="too-large")
    bare = text.strip(WHITE_SPACE)
    squeezed = squeeze(bare)
    ticked = _TICKED.fullmatch(squeezed)
    digits = ticked[2] if ticked else squeezed
    notices = [QUOTED] if bare.startswith(">") else []
    notices += [TICKED] if ticked else []
    core = bare.lstrip(WHITE_SPACE + ">`").rstrip(WHITE_SPACE + "`")
    line = next(filter(None, (pattern.fullmatch(core) for pattern in _SUM_LINES)), None)
    if line and len(digits) not in LENGTHS:  # a digest cut into two halves is no name of a file
        digits = line["digits"]
        notices.append(SUM_LINE)
    elif any(gap in core for gap in WHITE_SPACE):
        notices.append(SPACED)
    if not _HEX.fullmatch(digits):
        raise _not_hex(digits)
    if not digits.islower() and not digits.isdecimal():
        notices.append(CAPITAL)
    return PublishedDigest(digits=digits.lower(), notices=tuple(notices))


def check_length(published: PublishedDigest) -> None:
    """Raise ``Malformed``, codes ``digest-short`` and ``digest-length``, unless as many digits are in use."""
    have = len(published.digits)
    if have in LENGTHS:
        return
    if have < USUAL_LENGTH:
        raise Malformed(
            sentence("the digest has {have} of {want} digits", have=have, want=USUAL_LENGTH),
            hint=sentence("ask for the whole digest: a part of one proves little, and is never filled up with zeros"),
            code="digest-short",
        )
    wanted = ", ".join(map(str, LENGTHS))
    said = sentence("the digest has {have} digits; the lengths in use: {wanted}", have=have, wanted=wanted)
    raise Malformed(said, code="digest-length")


def _not_hex(digits: str) -> Malformed:
    if not digits:
        return Malformed(sentence("there is no digest"), code="no-digest")
    if digits[:2].lower() == "0x":
        said = sentence("the digest begins with {prefix}", prefix=digits[:2])
        return Malformed(said, hint=sentence("give the digits alone, without 0x"), code="digest-prefix", position=0)
    stranger = _NOT_HEX.search(digits)
    assert stranger  # noqa: S101 - the caller looked
    code, place = code_point(stranger[0]), stranger.start() + 1
    if FORBIDDEN.match(stranger[0]):
        said = sentence(
            "an invisible character, {code}, stands in the digest at character {place}", code=code, place=place
        )
    else:
        said = sentence(
            "“{character}” ({code}), character {place} of the digest, is no hex digit",
            character=stranger[0],
            code=code,
            place=place,
        )
    return Malformed(said, hint=_hint(digits), code="digest-character", position=stranger.start())


def _hint(text: str) -> Sentence | None:
    """Say what else the text may be, where that can be told for certain."""
    if text.lower().startswith("hac1"):
        return sentence("this is a commitment of this program: verify it with its opening")
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) * 2 in LENGTHS and base64.b64encode(data).decode() == text:
        return sentence("read as base64 it is {digits}; give these digits", digits=data.hex())
    return None
