"""How a table of names is written: a header, then one row a line, sorted by its bytes.

SPEC "Names". The bundled table and an imported one have this one form, whatever languages they hold. A row
is::

    key TAB printed name TAB language TAB kind TAB Oracle name TAB layout TAB type line LF

with the folded printed name for a key and an empty field for "the same" (Oracle name) or "unknown" (type
line). A tab is smaller than every character of a key, so lines sorted by their bytes are sorted by key, and
bisect finds them in the file as it lies on the disk. A key that begins with a blank belongs to a row of
kind ``called``: it leads from an Oracle name to what a language calls it. Nothing here opens a file.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from hiddenagenda.cards.folding import fold
from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.value import value

FORMAT: Final = "hiddenagenda names 1"
"""The first words of a table; another number is another format."""

ENGLISH: Final = "en"

LONGEST_NAME: Final = 500
"""Characters of a name at the most; a slip holds no longer ones."""


class Kind(Enum):
    """What a name in the table is."""

    CARD = "card"
    """A card, and its name."""
    HALF = "half"
    """One half of a split card: may be named."""
    FACE = "face"
    """One name of a card that has several (back, adventure, flip, meld): may be named."""
    FORMER = "former"
    """What a card was called before; interchangeable with its Oracle name. (Rule 201.3)"""
    FLAVOR = "flavor"
    """A second title printed on some copies of a card."""
    PRINTED = "printed"
    """What another language prints."""
    WHOLE = "whole"
    """All names of a card that has several, joined: one of them is to be named."""
    TOKEN = "token"  # noqa: S105 - a kind of game piece
    """A token that no card shares its name with: may not be named."""
    CALLED = "called"
    """From the Oracle name to what a language prints."""

    @property
    def may_be_named(self) -> bool:
        """Whether this is the Oracle name of a card, or of a part of one (rule 201.4)."""
        return self in _NAMEABLE


_NAMEABLE: Final = frozenset({Kind.CARD, Kind.HALF, Kind.FACE})
_LANGUAGE: Final = re.compile(r"[a-z]{2,8}")
_KINDS: Final = {kind.value: kind for kind in Kind}


@value
class Row:
    """One row: ``printed`` in ``language`` is a name of this kind and belongs to the Oracle name ``name``.

    ``layout`` is the word that lists of cards use (``split``, ``adventure``), ``type_line`` an English type line,
    several joined with `` // `` where cards share the name, or None where it is not known.
    """

    printed: str
    language: str
    kind: Kind
    name: str
    layout: str = ""
    type_line: str | None = None


def write_row(row: Row) -> bytes:
    """Return the line of ``row``, newline included.

    Raises ``Malformed`` for a text that is empty or holds a character that no table holds.
    """
    name = "" if row.name == row.printed else row.name
    for text in (row.printed, name, row.language, row.layout, row.type_line or ""):
        if FORBIDDEN.search(text):
            raise Malformed(sentence("{name} holds characters that no name holds", name=row.printed), code="name")
    if len(row.printed) > LONGEST_NAME or len(row.name) > LONGEST_NAME:
        raise Malformed(
            sentence("a name has {have} characters; none has over {most}", have=len(row.printed), most=LONGEST_NAME),
            code="name",
        )
    if not row.printed.strip() or not row.name.strip():
        raise Malformed(sentence("a name is empty"), code="name")
    if not _LANGUAGE.fullmatch(row.language):
        raise Malformed(sentence("“{language}” is no code of a language", language=row.language[:40]), code="language")
    key = f" {fold(row.name)}" if row.kind is Kind.CALLED else fold(row.printed)
    fields = (key, row.printed, row.language, row.kind.value, name, row.layout, row.type_line or "")
    return ("\t".join(fields) + "\n").encode()


def read_row(line: bytes) -> Row:
    """Return the row of one line, with or without its newline. Raises ``Malformed`` for what is no row."""
    try:
        _, printed, language, kind, name, layout, type_line = line.decode().rstrip("\n").split("\t")
        return Row(
            printed=printed,
            language=language,
            kind=_KINDS[kind],
            name=name or printed,
            layout=layout,
            type_line=type_line or None,
        )
    except (ValueError, KeyError) as error:
        raise Malformed(sentence("a row of the table of names cannot be read"), code="names-table") from error


@value
class Header:
    """What a table says of itself.

    ``date`` of the data (ISO 8601), where it is from, its languages (English first) and how many ``names``
    each has, its number of rows, the SHA-256 of all rows as they stand, and ``digest``: the SHA-256 of the
    English names that may be named, sorted by their bytes, each with a newline. The digest is what a game
    pins; other languages do not change it.
    """

    date: str
    source: str
    languages: tuple[str, ...]
    names: tuple[int, ...]
    rows: int
    sha256: str
    digest: str


def write_header(header: Header) -> bytes:
    """Return the header's lines and the empty line after them."""
    lines = (
        FORMAT,
        f"date\t{header.date}",
        f"source\t{header.source}",
        f"languages\t{' '.join(header.languages)}",
        f"names\t{' '.join(map(str, header.names))}",
        f"rows\t{header.rows}",
        f"sha256\t{header.sha256}",
        f"digest\t{header.digest}",
    )
    return ("\n".join(lines) + "\n\n").encode()


def read_header(buffer: bytes) -> Header:
    """Return the header of the bytes before the first empty line. Raises ``Malformed`` for anything else."""
    try:
        first, *lines = buffer.decode().split("\n")
        if first != FORMAT:
            raise Malformed(
                sentence("this is no table of names: it begins with {first}", first=first[:40]),
                code="names-table",
            )
        date, source, spoken, counts, rows, sha256, digest = (line.split("\t", 1)[1] for line in lines)
        languages, names = spoken.split(" "), counts.split(" ")
        if len(languages) != len(names):
            raise Malformed(sentence("the head of the table of names does not count all languages"), code="names-table")
        if any(len(one) != 64 or one.strip("0123456789abcdef") for one in (sha256, digest)):
            raise Malformed(sentence("the digests in the head of the table of names are none"), code="names-table")
        return Header(
            date=date,
            source=source,
            languages=tuple(languages),
            names=tuple(map(int, names)),
            rows=int(rows),
            sha256=sha256,
            digest=digest,
        )
    except (ValueError, IndexError) as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed(sentence("the head of the table of names cannot be read"), code="names-table") from error


def settle(rows: Iterable[Row]) -> Iterator[Row]:
    """Make one row of all that say the same, and drop what better ones displace.

    In: rows of one key, in any order. Out: sorted as their lines are. A name that a card bears is no token
    and no former name; cards of one name keep all their type lines; a known type line outweighs an unknown
    one.
    """
    best: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        place = (row.printed, row.language, row.name if row.kind is not Kind.CALLED else f" {row.name}")
        best[place] = _join(best[place], row) if place in best else row
    held = {(row.printed, row.language) for row in best.values() if row.kind.may_be_named}
    kept = (
        row
        for row in best.values()
        if row.kind.may_be_named or row.kind is Kind.CALLED or (row.printed, row.language) not in held
    )
    return iter(sorted(kept, key=write_row))


_RANK: Final = {kind: rank for rank, kind in enumerate(Kind)}


def _join(one: Row, other: Row) -> Row:
    better, worse = sorted((one, other), key=lambda row: (_RANK[row.kind], row.layout))
    if better.kind.may_be_named != worse.kind.may_be_named:
        return better
    known = sorted({part for row in (one, other) if row.type_line for part in row.type_line.split(" // ")})
    return Row(
        printed=better.printed,
        language=better.language,
        kind=better.kind,
        name=better.name,
        layout=better.layout,
        type_line=" // ".join(known) or None,
    )


def digest_of(names: Iterable[str]) -> str:
    """Return the SHA-256 of these names, sorted by their bytes, each with a newline."""
    whole = hashlib.sha256()
    for name in sorted({name.encode() for name in names}):
        whole.update(name + b"\n")
    return whole.hexdigest()
