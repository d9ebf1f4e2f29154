"""What stands in arguments, files and standard input: tokens, digests, slips and records, told by their content."""

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hiddenagenda import bundle, chat
from hiddenagenda.commitment import Commitment
from hiddenagenda.edge.files import read_bounded, read_pieces
from hiddenagenda.faults import HiddenAgendaError, Malformed, TooLarge, sentence
from hiddenagenda.token import Kind

STANDARD_INPUT = "-"
_LARGEST = bundle.LARGEST
"""Bytes of what is pasted, and of a file that is read at once."""
_RECORD = b'{"entry":'  # line.HEAD, which a lone opening need not import


@dataclass(frozen=True, slots=True)
class GameFile:
    """A large file that holds lines of a record: read piece by piece, each time it is looked at."""

    path: str

    def __iter__(self) -> Iterator[bytes]:
        """Yield its bytes in pieces. Raises ``StoreError``, and ``TooLarge`` for more than is read of one file."""
        # not imported for a lone opening
        from hiddenagenda.edge.client import LARGEST_FILE  # noqa: PLC0415

        try:
            yield from read_pieces(self.path, LARGEST_FILE)
        except TooLarge as error:
            raise _refused(error) from None


@dataclass(slots=True, kw_only=True)
class Given:
    """Everything that was given to a command, in the order given."""

    commitments: list[Commitment] = field(default_factory=list)
    openings: list[bytes] = field(default_factory=list)
    """The bytes of slips."""
    pieces: list[bundle.Piece] = field(default_factory=list)
    seats: list[bytes] = field(default_factory=list)
    records: list[tuple[str, bytes | GameFile]] = field(default_factory=list)
    """Names (for messages) and contents of files that hold lines of a record."""
    damaged: list[HiddenAgendaError] = field(default_factory=list)


def gather(arguments: Iterable[str]) -> Given:
    """Return what ``arguments`` hold: each is a token, a digest, text with such, a file, or ``-``.

    What is nothing of these, or cannot be read, is among the damaged: it does not hide what the others hold.
    """
    given = Given()
    for argument in arguments:
        try:
            _add(given, argument)
        except HiddenAgendaError as error:
            given.damaged.append(error)
    return given


def _add(given: Given, argument: str) -> None:
    if argument == STANDARD_INPUT:
        add_bytes(given, read_standard_input(), name=argument)
    # A slip's file has a digest as its name; a token or digest has letters and digits only.
    elif os.path.lexists(argument) and not (argument.isalnum() and chat.find(argument).tokens):
        _add_file(given, argument)
    elif not add_text(given, argument):
        raise Malformed(
            sentence("“{argument}” is no token, no digest and no file", argument=argument[:80]),
            hint=sentence(
                "a commitment is hac1… or 64 hex digits, an opening HAO1…, a bundle hae1…; - reads standard input"
            ),
            code="no-input",
        )


def _add_file(given: Given, path: str) -> None:
    try:
        data = read_bounded(path, _LARGEST)
    except TooLarge as error:
        large = GameFile(path)
        if not _is_record(next(iter(large), b"")):  # only games may be as large
            raise _refused(error) from None
        given.records.append((path, large))
    else:
        add_bytes(given, data, name=path)


def _refused(error: TooLarge) -> TooLarge:
    return TooLarge(error.said, hint=sentence("“audit” reads files of any size"), code=error.code)


def read_standard_input() -> bytes:
    """Return all of standard input, bounded. Raises ``Malformed`` where it is closed or too long."""
    if sys.stdin is None:
        raise Malformed(sentence("standard input is closed"), code="no-input")
    data = sys.stdin.buffer.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise Malformed(
            sentence("standard input holds more than {limit} bytes", limit=_LARGEST),
            hint=sentence("games in a file may have more: give its name; “audit” reads files of any size"),
            code="too-large",
        )
    return data


def add_bytes(given: Given, data: bytes, *, name: str) -> None:
    """Add what a file holds. Raises ``Malformed`` where it holds nothing of use."""
    start = _start(data)
    if _is_record(data):
        given.records.append((name, data))
    elif start.startswith(b"{") and b'"salt"' in start:
        given.openings.append(data.removesuffix(b"\n").removesuffix(b"\r"))
    elif not add_text(given, data.decode("utf-8", "replace")):
        raise Malformed(
            sentence("{name}: there is no token, no digest, no slip and no game in it", name=name), code="no-input"
        )


def _start(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()


def _is_record(data: bytes) -> bool:
    return _start(data).startswith(_RECORD) or b"\n" + _RECORD in data  # its first lines may be damaged


def add_text(given: Given, text: str) -> bool:
    """Add the tokens and digests in a text; say whether there were any, damaged ones included."""
    found = chat.find(text)
    for token in found.tokens:
        match token.kind:
            case Kind.COMMITMENT:
                given.commitments.append(Commitment(token.payload))
            case Kind.SLIP:
                given.openings.append(token.payload)
            case Kind.BUNDLE:
                given.pieces.append(bundle.read_piece(token.payload))
            case Kind.SEAT:
                given.seats.append(token.payload)
            case Kind.INVITATION:
                given.damaged.append(Malformed(sentence("an invitation is not for this command"), code="wrong-kind"))
    given.commitments += map(Commitment.from_hex, found.digests)
    given.damaged += found.damaged
    return bool(found.tokens or found.digests or found.damaged)
