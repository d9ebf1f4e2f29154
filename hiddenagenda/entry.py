"""What can be said at the table, typed.

SPEC "Entries". Every entry is a frame (who speaks, in which game, after what) around a body of its type. An object
of these types that was read is well-formed; whether it was allowed to be said is never asked here. Checks that
need more than the entry itself belong to the record and to the law.
"""

import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hiddenagenda.faults import Malformed, Sentence, TooLarge, sentence
from hiddenagenda.shape import HEX_DIGITS, Count, Digest, Hex, Shape, Slot, Text, encode, read_shape
from hiddenagenda.slip import LARGEST as LARGEST_SLIP
from hiddenagenda.slip import MOST_SLOTS
from hiddenagenda.table import Table, no_table

LARGEST: Final = 64 * 1024
"""Bytes of an entry at the most; its line, which has as many at the most, is longer still."""
MOST_PARENTS: Final = 32
LAST_SEQ: Final = 4095
"""How many entries one author may write in one game."""


class ShownSlip(Shape, frozen=True, kw_only=True):
    """A whole slip as it stands in an entry: its bytes are contiguous there and hash to its commitment.

    Raises ``Malformed`` for a salt of zeros, ``TooLarge`` over the bytes a slip may have.
    """

    conspiracy: Text
    game: Text
    names: tuple[Text, ...]
    player: Text
    protocol: Literal["hiddenagenda/1"] = "hiddenagenda/1"
    salt: Digest
    slot: Slot
    type: Literal["slip"] = "slip"

    def __post_init__(self) -> None:
        """Check what ``slip.read_slip`` checks besides the members' shapes."""
        if not self.salt.strip("0"):
            raise Malformed(
                sentence("the salt of the slip for slot {slot} is all zeros", slot=self.slot), code="no-slip"
            )
        size = len(self.data)
        if size > LARGEST_SLIP:
            raise TooLarge(
                sentence("a slip has {have} bytes where {limit} are allowed", have=size, limit=LARGEST_SLIP),
                code="too-large",
            )

    @property
    def data(self) -> bytes:
        """The slip's canonical bytes, salt included, as they stand in the line."""
        return encode(self)

    @property
    def digest(self) -> str:
        """SHA-256 of these bytes, as hex: the digits of the commitment."""
        return sha256(self.data).hexdigest()

    def __repr__(self) -> str:
        return f"<ShownSlip: slot {self.slot}>"

    def __rich_repr__(self) -> list[tuple[str, int]]:
        return [("slot", self.slot)]


Slips: TypeAlias = Annotated[tuple[ShownSlip, ...], Meta(max_length=MOST_SLOTS)]


class Commit(Shape, frozen=True, kw_only=True):
    """One face-down agenda a slot, in slot order; boxes for the judge where one sits."""

    commitments: Annotated[tuple[Digest, ...], Meta(max_length=MOST_SLOTS)]
    sealed: Annotated[tuple[Hex, ...], Meta(max_length=MOST_SLOTS)] | UnsetType = UNSET


class Seal(Shape, frozen=True, kw_only=True):
    """I accept the commits among my ancestors; the judge: and every box opens to a slip that fits."""


class Open(Shape, frozen=True, kw_only=True):
    """Turning up, or showing: whole slips of one player, slots ascending. ``when`` is for people."""

    slips: Annotated[Slips, Meta(min_length=1)]
    when: Text

    def __post_init__(self) -> None:
        """Raise ``Malformed`` unless the slips are one player's, slots ascending."""
        _check_slips(self.slips)


class Apply(Shape, frozen=True, kw_only=True):
    """The linked ability is used on a card of this name."""

    card: Text
    slot: Slot


class Step(Shape, frozen=True, kw_only=True):
    """A step of a turn begins; ``active`` is the key of the player whose turn it is."""

    active: Digest
    do: Literal["step"] = "step"
    priority: bool
    step: Text
    turn: Count


class Pass(Shape, frozen=True, kw_only=True):
    """Priority is passed on."""

    do: Literal["pass"] = "pass"


class Act(Shape, frozen=True, kw_only=True):
    """Something is done with priority; what, is for people."""

    do: Literal["act"] = "act"
    text: Text


class Leave(Shape, frozen=True, kw_only=True):
    """A player is out of the game and shows the slips that are still face down."""

    player: Digest
    slips: Slips
    why: Text

    def __post_init__(self) -> None:
        """Raise ``Malformed`` unless the slips are one player's, slots ascending."""
        _check_slips(self.slips)


class End(Shape, frozen=True, kw_only=True):
    """The game is over, its author plays no more."""

    outcome: Text


class Note(Shape, frozen=True, kw_only=True):
    """Words; an objection points at the entry it is about."""

    entry: Digest | UnsetType = UNSET
    text: Text


Play: TypeAlias = Step | Pass | Act
Body: TypeAlias = Table | Commit | Seal | Open | Apply | Play | Leave | End | Note
Kind: TypeAlias = Literal["apply", "commit", "end", "leave", "note", "open", "play", "seal", "table"]

KINDS: Final[Mapping[type[Shape], Kind]] = MappingProxyType(
    {
        Table: "table",
        Commit: "commit",
        Seal: "seal",
        Open: "open",
        Apply: "apply",
        Step: "play",
        Pass: "play",
        Act: "play",
        Leave: "leave",
        End: "end",
        Note: "note",
    }
)
"""The member ``type`` of an entry, by the type of its body."""

_B = TypeVar("_B", bound=Body)
B_co = TypeVar("B_co", bound=Body, covariant=True)


class Entry(Shape, Generic[B_co], frozen=True, kw_only=True):
    """One entry: the frame, and what is said in it.

    ``author`` is a key, ``parents`` are ids, ascending; ``time`` is its author's claim.
    """

    author: Annotated[str, Meta(min_length=64, max_length=64)]
    body: B_co
    game: Annotated[str, Meta(min_length=64, max_length=64)] | UnsetType = UNSET
    parents: Annotated[tuple[Annotated[str, Meta(min_length=64, max_length=64)], ...], Meta(max_length=MOST_PARENTS)]
    seq: Annotated[int, Meta(ge=1, le=LAST_SEQ)]
    time: Text | UnsetType = UNSET
    type: Kind


def frame(
    body: _B,
    *,
    author: str,
    game: str | None = None,
    parents: tuple[str, ...] = (),
    seq: int = 1,
    time: str | None = None,
) -> Entry[_B]:
    """Put ``body`` into a frame. ``read_entry`` of what ``encode`` makes of it says whether it may be said."""
    return Entry(
        author=author,
        body=body,
        game=UNSET if game is None else game,
        parents=tuple(sorted(parents)),
        seq=seq,
        time=UNSET if time is None else time,
        type=KINDS[type(body)],
    )


def read_entry(data: bytes) -> Entry[Body]:
    """Return the entry whose canonical bytes ``data`` is. (SPEC "Entries")

    Raises ``TooLarge`` over a cap, ``UnusableKey`` for a table with an unsafe key, and ``Malformed`` for everything
    that is not exactly an entry of this protocol.
    """
    word = data[data.rfind(b'"', 0, -2) + 1 : -2]  # "type" is the last member
    decoder = _DECODERS.get(word)
    if decoder is None:  # a move, or no type of ours, which every reader refuses
        decoder = _MOVES.get(data[_BODY : _BODY + _TELLING], _STEP)
    read = read_shape(data, decoder, _NOUN, LARGEST)
    parents, game, author = read.parents, read.game, read.author
    if read.type == "table" and isinstance(read.body, Table):
        if game is not UNSET or parents or read.seq != 1:
            raise _no_entry(sentence("a table is the first entry: it has no parents, no game, and seq 1"))
        digits = author
        if author not in read.body.roster:
            raise no_table(sentence("its author does not sit at it"))
    else:
        if game is UNSET or not parents:
            raise _no_entry(sentence("it names no game or no parents"))
        digits = f"{author}{game}{''.join(parents)}"
        if len(parents) > 1 and not _are_ascending(parents):
            raise _no_entry(sentence("its parents do not stand in ascending order, each once"))
    if digits.encode().translate(None, HEX_DIGITS):
        raise _no_entry(sentence("an id or key in it is not lower-case hex"))
    if read.time is not UNSET and _TIME.fullmatch(read.time) is None:
        raise _no_entry(sentence("its time is not one like 2025-09-30T19:05:00Z"))
    return read


_TIME: Final = re.compile(
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]{1,9})?Z"
)
_NOUN: Final = sentence("entry")
_BODY: Final = len('{"author":"') + 64 + len('","body":')
"""Where the body begins in the bytes of every entry."""

_TELLING: Final = len('{"do":"p')
"""Bytes of a move's body that tell which move it is."""


def _decoder(body: type[Shape]) -> msgspec.json.Decoder[Entry[Body]]:
    return msgspec.json.Decoder(Entry[body])  # type: ignore[valid-type]  # made once, for each type of body


_DECODERS: Final = {kind.encode(): _decoder(body) for body, kind in KINDS.items() if kind != "play"}
_STEP: Final = _decoder(Step)
_MOVES: Final = {
    encode(Pass())[:_TELLING]: _decoder(Pass),
    encode(Act(text=""))[:_TELLING]: _decoder(Act),
}


def _are_ascending(ids: tuple[str, ...]) -> bool:
    return ids[0] < ids[1] and (len(ids) == 2 or all(map(str.__lt__, ids[1:], ids[2:])))  # mostly there are two


def _check_slips(slips: tuple[ShownSlip, ...]) -> None:
    for slip, following in pairwise(slips):
        if slip.player != following.player:
            raise _no_entry(sentence("its slips are those of several players"))
        if slip.slot >= following.slot:
            raise _no_entry(sentence("its slips do not stand in the order of their slots, each once"))


def _no_entry(said: Sentence) -> Malformed:
    return Malformed(sentence("this is no {noun}: {what}", noun=_NOUN, what=said), code="misshapen")
