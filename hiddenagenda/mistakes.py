"""What happens to a text between a head and a hash: the known mistakes, as data.

SPEC "Digests by hand". Every row is one cause: a short name, a sentence, and what it does. Rows of one stage exclude
each other; the stages stand in the order in which they happen. The likelier row stands first. Nothing is searched
here, and no row looks at a digest.
"""
# ruff: noqa: E501 - a table: one cause, one line

import html
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, NamedTuple, TypeVar

from hiddenagenda.faults import Sentence, sentence

V = TypeVar("V")
W = TypeVar("W")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One thing that happened to a text before it was hashed: a short name, and a sentence."""

    code: str
    said: Sentence


class Row(NamedTuple, Generic[V, W]):
    """One cause, and what it makes of a value; ``None`` where it cannot have happened to this one."""

    cause: Cause
    make: Callable[[V], W]


def row(code: str, said: Sentence, make: Callable[[V], W]) -> Row[V, W]:
    """Return the row of one cause."""
    return Row(Cause(code=code, said=said), make)


# --- the text as a whole


def _swap(pairs: dict[str, str]) -> Callable[[str], str]:
    table = str.maketrans(pairs)
    return lambda text: text.translate(table)


def _smart(text: str) -> str:
    opened = re.sub(r"(^|[\s(\[])(['\"])", lambda found: found[1] + ("‘" if found[2] == "'" else "“"), text)
    return opened.replace("'", "’").replace('"', "”").replace("...", "…").replace("--", "—")


def _unquoted(text: str) -> str | None:
    pairs = ("''", '""', "“”", "‘’", "``", "„“", "«»")
    return text[1:-1] if len(text) > 2 and text[0] + text[-1] in pairs else None


def _plain(text: str) -> str:
    letters = (letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", "".join(letters))


def _around(left: str, right: str) -> Callable[[str], str]:
    return lambda text: left + text + right


def _unix(text: str) -> str:
    return re.sub(r"\r\n?", "\n", text)


def _collapsed(text: str) -> str:
    return re.sub(r"[ \t\r\n]+", " ", text)


def _html(text: str) -> str:
    return html.escape(text).replace("&#x27;", "&#39;")


_INVISIBLE: Final = re.compile("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff]+")
_STRAIGHT: Final = dict.fromkeys("’‘ʼ´`′", "'")
_STRAIGHT_QUOTES: Final = {**_STRAIGHT, **dict.fromkeys("“”„«»", '"')}

# fmt: off
SPACES: Final[Sequence[Row[str, str | None]]] = (
    row("stripped-end", sentence("the white space at the end was not there"), str.rstrip),
    row("stripped", sentence("the white space at both ends was not there"), str.strip),
    row("plain-spaces", sentence("no-break spaces were plain spaces"), _swap({"\xa0": " ", "\u202f": " ", "\u2009": " "})),
    row("leading-space", sentence("a space stood before the text"), _around(" ", "")),
    row("no-break-spaces", sentence("all spaces were no-break spaces (U+00A0)"), _swap({" ": "\xa0"})),
    row("collapsed", sentence("runs of white space were one space, as a shell makes them"), _collapsed),
    row("invisible-dropped", sentence("invisible characters in the text were not there"), partial(_INVISIBLE.sub, "")),
    row("unix-lines", sentence("its line breaks were those of Unix (LF)"), _unix),
    row("windows-lines", sentence("its line breaks were those of Windows (CRLF)"), lambda text: _unix(text).replace("\n", "\r\n")),
    row("one-line", sentence("its lines were joined by spaces"), lambda text: _unix(text).replace("\n", " ")),
    row("doubled-spaces", sentence("every space was doubled"), lambda text: text.replace(" ", "  ")),
    row("tabs-as-spaces", sentence("tabs were spaces"), _swap({"\t": " "})),
    row("no-spaces", sentence("there was no white space at all"), lambda text: re.sub(r"\s+", "", text)),
    row("underscores", sentence("spaces were underscores"), _swap({" ": "_"})),
)
MARKS: Final[Sequence[Row[str, str | None]]] = (
    row("curly-apostrophe", sentence("the apostrophe was curly (U+2019), as phones type it"), _swap({"'": "’"})),
    row("straight-apostrophe", sentence("the apostrophe was straight (U+0027)"), _swap(_STRAIGHT)),
    row("no-apostrophe", sentence("the apostrophe was missing, as when a shell takes it"), _swap(dict.fromkeys("'’", ""))),
    row("smart-quotes", sentence("quotes, dashes and dots were those of a word processor"), _smart),
    row("straight-quotes", sentence("all quotes were straight"), _swap(_STRAIGHT_QUOTES)),
    row("backslash", sentence("a backslash stood before the apostrophe"), lambda text: text.replace("'", "\\'")),
    row("no-quotes", sentence("all quotes were missing, as when a shell takes them"), _swap({"'": "", '"': ""})),
    row("doubled-apostrophe", sentence("the apostrophe was doubled"), lambda text: text.replace("'", "''")),
    row("opening-quote", sentence("the apostrophe was an opening quote (U+2018)"), _swap({"'": "‘"})),
    row("acute", sentence("the apostrophe was an acute accent (U+00B4)"), _swap({"'": "´"})),
    row("backtick", sentence("the apostrophe was a backtick"), _swap({"'": "`"})),
    row("prime", sentence("the apostrophe was a prime (U+2032)"), _swap({"'": "′"})),
    row("letter-apostrophe", sentence("the apostrophe was the letter U+02BC"), _swap({"'": "ʼ"})),
    row("long-dash", sentence("two hyphens were a dash (U+2014)"), lambda text: text.replace("--", "—")),
    row("short-dash", sentence("dashes were hyphens"), _swap({"—": "-", "–": "-", "‑": "-", "−": "-"})),
    row("ellipsis", sentence("three dots were one character (U+2026)"), lambda text: text.replace("...", "…")),
    row("three-dots", sentence("an ellipsis was three dots"), _swap({"…": "..."})),
    row("no-backslash", sentence("backslashes were missing, as when a shell takes them"), _swap({"\\": ""})),
    row("html", sentence("signs were written as in HTML (&#39;)"), _html),
)
LETTERS: Final[Sequence[Row[str, str | None]]] = (
    row("nfd", sentence("accents were characters of their own (NFD), as on a Mac"), partial(unicodedata.normalize, "NFD")),
    row("nfc", sentence("letters and accents were one character (NFC)"), partial(unicodedata.normalize, "NFC")),
    row("no-accents", sentence("accents were dropped"), _plain),
    row("open-ligatures", sentence("Æ, Œ or ß were written as two letters"), _swap({"Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "ß": "ss"})),
    row("ligatures", sentence("Ae was written as the ligature Æ"), lambda text: text.replace("AE", "Æ").replace("Ae", "Æ").replace("ae", "æ")),
    row("nfkc", sentence("special forms of letters were plain ones (NFKC)"), partial(unicodedata.normalize, "NFKC")),
    row("umlauts", sentence("ä, ö, ü were written ae, oe, ue"), _swap({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})),
    row("nfkd", sentence("special forms were plain, accents on their own (NFKD)"), partial(unicodedata.normalize, "NFKD")),
)
WRAPS: Final[Sequence[Row[str, str | None]]] = (
    row("double-quotes", sentence("double quotes stood around it, as cmd.exe keeps them"), _around('"', '"')),
    row("single-quotes", sentence("single quotes stood around it, as cmd.exe keeps them"), _around("'", "'")),
    row("unquoted", sentence("the quotes around it were not there"), _unquoted),
    row("curly-quotes", sentence("curly quotes stood around it"), _around("“", "”")),
    row("ticks", sentence("ticks stood around it"), _around("`", "`")),
)
ENDS: Final[Sequence[Row[str, str | None]]] = (
    row("newline", sentence("a newline stood at the end, put there by echo or an editor"), _around("", "\n")),
    row("crlf", sentence("a Windows line break (CRLF) stood at the end"), _around("", "\r\n")),
    row("trailing-space", sentence("a space stood at the end"), _around("", " ")),
    row("space-crlf", sentence("a space and CRLF stood at the end, as “echo text |” in cmd.exe"), _around("", " \r\n")),
    row("space-newline", sentence("a space and a newline stood at the end"), _around("", " \n")),
    row("echo-n", sentence("echo wrote its option -n, the text and a newline"), _around("-n ", "\n")),
    row("two-newlines", sentence("two newlines stood at the end"), _around("", "\n\n")),
    row("two-crlf", sentence("two Windows line breaks (CRLF) stood at the end"), _around("", "\r\n\r\n")),
    row("full-stop", sentence("a full stop stood at the end"), _around("", ".")),
    row("no-full-stop", sentence("the full stop at the end was not there"), lambda text: text.removesuffix(".")),
    row("two-spaces-at-end", sentence("two spaces stood at the end"), _around("", "  ")),
    row("echo-e", sentence("echo wrote its option -e, the text and a newline"), _around("-e ", "\n")),
    row("carriage-return", sentence("a carriage return stood at the end"), _around("", "\r")),
    row("tab-at-end", sentence("a tab stood at the end"), _around("", "\t")),
    row("nul", sentence("a NUL byte stood at the end"), _around("", "\0")),
    row("backslash-n", sentence("a backslash and the letter n stood at the end"), _around("", "\\n")),
)
# fmt: on
TEXT_STAGES: Final = (SPACES, MARKS, LETTERS, WRAPS, ENDS)

# --- the bytes


def verbatim(text: str) -> bytes:
    """Return the bytes of ``text``: UTF-8, and bytes that were none as they came (PEP 383)."""
    return text.encode("utf-8", "surrogateescape")


def _in(codec: str, *, mark: bytes = b"", errors: str = "strict") -> Callable[[str], bytes | None]:
    def make(text: str) -> bytes | None:
        try:
            return mark + text.encode(codec, errors)
        except UnicodeEncodeError:
            return None

    return make


def _twice(text: str) -> bytes | None:
    try:
        return text.encode().decode("cp1252").encode()
    except UnicodeError:
        return None


# fmt: off
ENCODINGS: Final[Sequence[Row[str, bytes | None]]] = (
    row("utf-16le", sentence("it was UTF-16 (little endian), as PowerShell has it"), _in("utf-16-le")),
    row("utf-16le-bom", sentence("it was UTF-16 (little endian) with a byte order mark"), _in("utf-16-le", mark=b"\xff\xfe")),
    row("utf-8-bom", sentence("a byte order mark stood before it (UTF-8 with BOM)"), _in("utf-8", mark=b"\xef\xbb\xbf")),
    row("cp1252", sentence("it was in code page 1252 (Windows)"), _in("cp1252")),
    row("cp850", sentence("it was in code page 850 (the console of Windows)"), _in("cp850")),
    row("latin-1", sentence("it was in Latin-1 (ISO 8859-1)"), _in("latin-1")),
    row("cp437", sentence("it was in code page 437 (DOS)"), _in("cp437")),
    row("mac-roman", sentence("it was in Mac Roman"), _in("mac-roman")),
    row("utf-16be", sentence("it was UTF-16 (big endian)"), _in("utf-16-be")),
    row("utf-16be-bom", sentence("it was UTF-16 (big endian) with a byte order mark"), _in("utf-16-be", mark=b"\xfe\xff")),
    row("question-marks", sentence("characters beyond ASCII were question marks"), _in("ascii", errors="replace")),
    row("ascii-only", sentence("characters beyond ASCII were dropped"), _in("ascii", errors="ignore")),
    row("utf-8-twice", sentence("it was taken for code page 1252 and turned into UTF-8 a second time"), _twice),
)
AGAIN: Final[Sequence[Row[bytes, bytes]]] = (
    row("twice", sentence("the digits of its digest were hashed again"), lambda raw: raw.hex().encode()),
    row("twice-newline", sentence("the digits of its digest, and a newline, were hashed again"), lambda raw: raw.hex().encode() + b"\n"),
    row("twice-sum-line", sentence("the line printed by a checksum program was hashed again"), lambda raw: raw.hex().encode() + b"  -\n"),
    row("twice-capital", sentence("the digits of its digest, in capitals, were hashed again"), lambda raw: raw.hex().upper().encode()),
    row("twice-raw", sentence("the bytes of its digest, not their digits, were hashed again"), lambda raw: raw),
)
# fmt: on
"""What was hashed once more: of the bytes of a first digest."""
