"""Who somebody is: a public key that was checked, its fingerprint, and OpenSSH's line for it.

SPEC "Keys and signatures". There is no way to hold a ``PublicKey`` that is not safe to use. Certificates,
security keys and other kinds of keys are refused by name; what a comment says is a claim and is only ever
shown escaped.
"""

import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final, Self

from hiddenagenda.characters import escape
from hiddenagenda.ed25519 import KEY_SIZE, is_usable_key
from hiddenagenda.faults import Malformed, TooLarge, sentence
from hiddenagenda.sshwire import Unpacking, pack, read_base64, read_text

KEY_TYPE: Final = "ssh-ed25519"
LARGEST: Final = 16_384
"""Bytes of a public key file at the most."""

_REMEMBERED: Final = 16_384
_TYPE_NAME: Final = re.compile(r"[a-z][a-z0-9@.-]{2,63}")
_HEX: Final = re.compile(rf"[0-9a-f]{{{2 * KEY_SIZE}}}")


class UnusableKey(Malformed):
    """A key that is of another kind, or that anybody could sign for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicKey:
    """An Ed25519 public key, 32 bytes, canonical and of prime order: making one checks it.

    Raises ``UnusableKey``; ``UnfitLibrary`` where the installed libsodium cannot tell.
    """

    raw: bytes

    def __post_init__(self) -> None:
        """Check it; the answers are remembered, so that a key is checked once."""
        if not is_usable_key(self.raw):
            raise UnusableKey(
                sentence("{key} is not a usable public key", key=self.raw[:KEY_SIZE].hex()),
                hint=sentence("it is damaged, or made so that others can sign for it; its owner should make a new one"),
                code="unsafe-key",
            )

    @classmethod
    def from_hex(cls, text: str) -> Self:
        """Return the key of 64 lower-case hex digits. Raises ``Malformed``."""
        if _HEX.fullmatch(text) is None:
            raise Malformed(sentence("a public key is 64 lower-case hex digits"))
        return cls(raw=bytes.fromhex(text))

    @property
    def hex(self) -> str:
        """64 lower-case hex digits, as entries hold it."""
        return self.raw.hex()

    @property
    def blob(self) -> bytes:
        """The key with its type, as OpenSSH packs it (RFC 8709, section 4)."""
        return pack(KEY_TYPE.encode(), self.raw)

    @property
    def fingerprint(self) -> str:
        """``SHA256:…``, as ``ssh-keygen -l`` prints it: what people compare."""
        return "SHA256:" + _base64(sha256(self.blob).digest()).rstrip("=")

    @property
    def line(self) -> str:
        """``ssh-ed25519 AAAA…``, as it stands in ``.pub`` files; no comment, no newline."""
        return f"{KEY_TYPE} {_base64(self.blob)}"

    def __reduce__(self) -> tuple[Callable[[str], "PublicKey"], tuple[str]]:
        """Pickle it so that unpickling checks again."""
        return PublicKey.from_hex, (self.hex,)


known_key = lru_cache(_REMEMBERED)(PublicKey.from_hex)
"""Return the key of 64 hex digits, as ``PublicKey.from_hex``; those asked for lately are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicLine:
    """A public key as its owner hands it out; the comment is escaped already."""

    key: PublicKey
    comment: str


def read_public_line(data: bytes) -> PublicLine:
    """Return the one key of a ``.pub`` file: type, base64, comment.

    CR LF and a missing last newline are fine. Raises ``UnusableKey`` for an unsafe key or one of another
    type, ``TooLarge`` over ``LARGEST`` bytes, ``Malformed`` else; also for a second line, which a comment may
    have forged.
    """
    if len(data) > LARGEST:
        raise TooLarge(
            sentence("a public key file has at most {limit} bytes, this one {have}", limit=LARGEST, have=len(data)),
            code="too-large",
        )
    lines = read_text(data).strip("\r\n").split("\n")
    if len(lines) > 1:
        raise Malformed(
            sentence("it holds {count} lines where one public key was expected", count=len(lines)),
            hint=sentence("put one key into a file; a line break inside a comment looks like a second key"),
            code="several",
        )
    kind, _, rest = lines[0].strip(" \t\r").partition(" ")
    packed, _, comment = rest.lstrip(" \t").partition(" ")
    if _TYPE_NAME.fullmatch(kind) is None or not packed:
        raise Malformed(sentence("it is not an OpenSSH public key"), hint=sentence("it begins with ssh-ed25519 AAAA"))
    refuse_other_types(kind)
    return PublicLine(key=read_public_blob(read_base64(packed)), comment=escape(comment.strip(" \t")))


def read_public_blob(blob: bytes) -> PublicKey:
    """Return the key that OpenSSH has packed as ``blob``. Raises ``UnusableKey`` or ``Malformed``."""
    fields = Unpacking(blob)
    kind = fields.string()
    refuse_other_types(kind.decode("utf-8", "replace")[:64])
    raw = fields.string()
    fields.finish()
    return PublicKey(raw=raw)


def refuse_other_types(kind: str) -> None:
    """Raise ``UnusableKey``, which names the type, for any but ``KEY_TYPE``."""
    if kind == KEY_TYPE:
        return
    if "-cert-" in kind:
        said = sentence("{kind} is a certificate, not a key", kind=kind)
    elif kind.startswith("sk-"):
        said = sentence("{kind} is a key on a security key, which cannot be used here", kind=kind)
    else:
        said = sentence("{kind} is another type of key than {ours}", kind=kind, ours=KEY_TYPE)
    raise UnusableKey(said, hint=sentence("make a key of the right type: ssh-keygen -t ed25519"), code="wrong-key-type")


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode()
