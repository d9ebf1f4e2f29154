"""How OpenSSH packs bytes: strings that tell their length, and armour of base64 between two lines.

SPEC "Keys and signatures"; RFC 4251 section 5 for the strings. Reading is strict: one block, nothing before
or after it, base64 that can be written in one way only. What the bytes mean is for others to say.
"""

import binascii
import re
from typing import Final

from hiddenagenda.faults import Malformed, Sentence, sentence

_COLUMNS: Final = 70
"""How wide ``ssh-keygen`` writes its armour."""
_BEGIN: Final = re.compile(r"-----BEGIN ([A-Z0-9 ]{1,40})-----")


def pack(*strings: bytes) -> bytes:
    """Return the strings one after another, each behind its length in four bytes."""
    return b"".join(len(string).to_bytes(4, "big") + string for string in strings)


class Unpacking:
    """Takes packed fields off the front of ``data``, one by one."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes. Raises ``Malformed`` where there are fewer."""
        end = self._at + count
        if end > len(self._data):
            raise Malformed(
                sentence("cut short: {have} of {want} bytes", have=len(self._data) - self._at, want=count),
                position=self._at,
            )
        taken = self._data[self._at : end]
        self._at = end
        return taken

    def number(self) -> int:
        """Return the next four bytes as a number. Raises ``Malformed``."""
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        """Return the next packed string. Raises ``Malformed``."""
        return self.take(self.number())

    def finish(self) -> None:
        """Raise ``Malformed`` where bytes are left."""
        if self._at != len(self._data):
            raise Malformed(
                sentence("{count} bytes too many at the end", count=len(self._data) - self._at),
                position=self._at,
            )


def read_base64(text: str) -> bytes:
    """Return the bytes whose one base64 form ``text`` is. Raises ``Malformed``."""
    try:
        data = binascii.a2b_base64(text, strict_mode=True)
    except ValueError:  # binascii.Error, or text that is not ASCII
        data = b""
    if not data or binascii.b2a_base64(data, newline=False).decode() != text:
        raise Malformed(sentence("the base64 in it is damaged"))
    return data


def read_text(data: bytes) -> str:
    """Return ``data`` as text; bytes that are not UTF-8 come back as lone surrogates, which can be shown.

    Raises ``Malformed`` for a byte order mark, on every system alike.
    """
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise Malformed(
            sentence("it begins with a byte order mark"),
            hint=sentence("save it as UTF-8 without a byte order mark, or copy the file instead of its text"),
            code="byte-order-mark",
        )
    return data.decode("utf-8", "surrogateescape")


def write_armour(label: str, data: bytes) -> str:
    """Return ``data`` as ``ssh-keygen`` writes it, between ``-----BEGIN label-----`` and its end."""
    text = binascii.b2a_base64(data, newline=False).decode()
    lines = [text[at : at + _COLUMNS] for at in range(0, len(text), _COLUMNS)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def read_armour(label: str, data: bytes, *, hint: Sentence | None = None) -> bytes:
    """Return the bytes inside the one block of ``data``; line ends may be CR LF, the last may be missing.

    Raises ``Malformed``, with ``hint`` where the block is another than ``label``.
    """
    lines = [line.rstrip(" \t\r") for line in read_text(data).strip("\r\n\t ").split("\n")]
    begin = _BEGIN.fullmatch(lines[0])
    if begin is None:
        raise Malformed(sentence("it does not begin with {line}", line=f"-----BEGIN {label}-----"), hint=hint)
    if begin[1] != label:
        raise Malformed(
            sentence("it holds {have}, not {want}", have=begin[1], want=label), hint=hint, code="wrong-format"
        )
    if lines.count(lines[0]) > 1:
        raise Malformed(sentence("it holds more than one {label}", label=label), code="several")
    if lines[-1] != f"-----END {label}-----":
        raise Malformed(sentence("it does not end with {line}", line=f"-----END {label}-----"), code="cut-short")
    return read_base64("".join(lines[1:-1]))
