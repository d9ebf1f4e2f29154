"""The secret piece of paper; its type does not print itself.

SPEC "The slip". A slip names a conspiracy and the card or cards chosen for it, and says whose it is, in which game
and for which slot; a salt makes it impossible to guess. This module judges no card name.
"""

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Final, NoReturn, Self

from hiddenagenda import canonical
from hiddenagenda.canonical import Json
from hiddenagenda.cards.conspiracies import AGENDA_KINDS, Agenda
from hiddenagenda.faults import HiddenAgendaError, Malformed, Sentence, TooLarge, sentence

PROTOCOL: Final = "hiddenagenda/1"
LARGEST: Final = 1024
"""Bytes of a slip at the most."""
LONGEST_TEXT: Final = 500
"""Code points of a text at the most."""
MOST_SLOTS: Final = 16
SALT_SIZE: Final = 32
"""Bytes of a salt."""

_SALT: Final = re.compile(r"[0-9a-f]{64}")
_MEMBERS: Final = ("conspiracy", "game", "names", "player", "protocol", "salt", "slot", "type")


class Salt:
    """32 secret bytes. Its text forms say only that it is one; ``reveal`` gives it up."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        """Take ``SALT_SIZE`` bytes. Raises ``ValueError`` for another number, or for all zeros."""
        if len(secret) != SALT_SIZE or not any(secret):
            msg = "a salt is 32 bytes, not all zero"
            raise ValueError(msg)
        self._secret = secret

    @classmethod
    def generate(cls) -> Self:
        """Draw a salt from the operating system's generator.

        Raises ``HiddenAgendaError`` where two draws are equal: then the generator is broken.
        """
        secret = secrets.token_bytes(SALT_SIZE)
        if hmac.compare_digest(secret, secrets.token_bytes(SALT_SIZE)):
            raise repeated()
        return cls(secret)

    def reveal(self) -> str:
        """Return the salt as 64 hex digits. Who has them can open the commitment."""
        return self._secret.hex()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Salt) and hmac.compare_digest(self._secret, other._secret)

    def __hash__(self) -> int:
        return hash((Salt, self._secret))

    def __repr__(self) -> str:
        return "<Salt>"

    def __reduce__(self) -> NoReturn:
        msg = "a salt is not pickled"
        raise TypeError(msg)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Slip:
    """One slip, well-formed as bytes; whether it keeps the agenda's form is for ``form_breach`` to say.

    ``names`` may hold any number of names here. ``slot`` counts from 1.
    """

    conspiracy: str
    game: str
    names: tuple[str, ...]
    player: str
    salt: Salt
    slot: int

    def __post_init__(self) -> None:
        """Refuse what is no slip.

        Raises ``Malformed`` for a forbidden character or a slot that there is not, ``TooLarge`` for a text over its
        cap or a slip over ``LARGEST`` bytes.
        """
        for name, text in self._texts():
            check_length(name, text)
        check_slot(self.slot)
        size = len(self.turn_face_up())
        if size > LARGEST:
            raise TooLarge(
                sentence("the slip has {have} bytes where {limit} are allowed", have=size, limit=LARGEST),
                hint=sentence("shorten the labels of player and game"),
                code="too-large",
            )

    def turn_face_up(self) -> bytes:
        """Return the canonical bytes, salt included: these are what is hashed, kept and shown."""
        return canonical.write(self._open() | {"salt": self.salt.reveal()})

    def without_salt(self) -> bytes:
        """Return the canonical bytes of the slip without its member ``salt``: what a derived salt depends on."""
        return canonical.write(self._open())

    def _open(self) -> dict[str, Json]:
        return {
            "conspiracy": self.conspiracy,
            "game": self.game,
            "names": list(self.names),
            "player": self.player,
            "protocol": PROTOCOL,
            "slot": self.slot,
            "type": "slip",
        }

    def _texts(self) -> list[tuple[str, str]]:
        texts = [("conspiracy", self.conspiracy), ("game", self.game), ("player", self.player)]
        return texts + [("names", name) for name in self.names]

    def __repr__(self) -> str:
        return "<Slip: face down>"

    def __reduce__(self) -> NoReturn:
        msg = "a slip is not pickled"
        raise TypeError(msg)


def read_slip(data: bytes) -> Slip:
    """Return the slip whose canonical bytes ``data`` is.

    SPEC "The slip". Raises ``Malformed``, or ``TooLarge`` over ``LARGEST`` bytes; the messages hold nothing of the
    slip's secrets.
    """
    members = canonical.read(data, limit=LARGEST)
    protocol = members.get("protocol")
    if members.get("type") == "slip" and isinstance(protocol, str) and protocol != PROTOCOL:
        raise Malformed(
            sentence("this slip is of another protocol version than {ours}", ours=PROTOCOL),
            hint=sentence("use a program of the same version as its author"),
            code="other-version",
        )
    if tuple(members) != _MEMBERS:
        raise _no_slip(sentence("its members are not those of a slip"))
    match members:
        case {
            "conspiracy": str(conspiracy),
            "game": str(game),
            "names": list(names),
            "player": str(player),
            "protocol": str(),
            "salt": str(salt),
            "slot": int(slot),
            "type": "slip",
        } if not isinstance(slot, bool):
            if not _SALT.fullmatch(salt):
                raise _no_slip(sentence("its salt is not 64 lower-case hex digits"))
            if not salt.strip("0"):
                raise _no_slip(sentence("its salt is all zeros"))
            texts = tuple(name for name in names if isinstance(name, str))
            if len(texts) != len(names):
                raise _no_slip(sentence("its names are not texts"))
            return Slip(
                conspiracy=conspiracy,
                game=game,
                names=texts,
                player=player,
                salt=Salt(bytes.fromhex(salt)),
                slot=slot,
            )
        case _:
            raise _no_slip(sentence("one of its members is of the wrong type"))


def check_length(name: str, text: str) -> None:
    """Refuse a text over ``LONGEST_TEXT`` code points. Raises ``TooLarge``; ``name`` says which text it is."""
    if len(text) > LONGEST_TEXT:
        raise TooLarge(
            sentence(
                "{name}: {have} characters where {limit} are allowed",
                name=name,
                have=len(text),
                limit=LONGEST_TEXT,
            ),
            code="too-long",
        )


def check_slot(slot: int) -> None:
    """Refuse a slot that is not 1 … ``MOST_SLOTS``. Raises ``Malformed``."""
    if not 1 <= slot <= MOST_SLOTS:
        raise Malformed(sentence("slot {slot} is not one of 1 … {most}", slot=slot, most=MOST_SLOTS), code="slot")


def repeated() -> HiddenAgendaError:
    """Return the refusal of salts that are equal: then the generator is broken."""
    return HiddenAgendaError(
        sentence("the operating system's random numbers repeat: nothing was committed"), code="random"
    )


def derived_salt(key: bytes, unsalted: bytes) -> Salt:
    """Return the salt of a slip in a transcript: HMAC-SHA256 of ``Slip.without_salt`` under the author's salt key.

    It depends on the whole slip, so different choices have unrelated salts. (SPEC "Salts")
    """
    return Salt(hmac.new(key, unsalted, sha256).digest())


def form_breach(
    conspiracy: str, names: tuple[str, ...], further: Mapping[str, Agenda] = MappingProxyType({})
) -> Sentence | None:
    """Say how a slip breaks its agenda's form (702.106a, f), or return None where it keeps it.

    ``further`` holds the agenda cards that a table lists besides the fifteen. Decided from the slip alone: whether
    a name is a card's is never asked here.
    """
    agenda = AGENDA_KINDS.get(conspiracy) or further.get(conspiracy)
    if agenda is None:
        return sentence("“{conspiracy}” is not a conspiracy with hidden agenda", conspiracy=conspiracy)
    if len(names) != agenda.names:
        return sentence(
            "“{conspiracy}” wants {want} and the slip has {have}",
            conspiracy=conspiracy,
            want=agenda.names,
            have=len(names),
        )
    if len(set(names)) < len(names):
        return sentence("the two names are the same: “{name}”", name=names[0])
    if list(names) != sorted(names):
        return sentence("the two names do not stand in ascending order")
    return None


def _no_slip(said: Sentence) -> Malformed:
    return Malformed(sentence("this is no slip: {what}", what=said), code="no-slip")
