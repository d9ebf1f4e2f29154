"""Which rooms one was invited to: the invitation, and the seat that was offered there.

SPEC "Memory". One file a room, its owner's alone, under the room's name: so that coming back needs no new invitation
and offers the same seat. Nothing here connects anywhere.
"""

import os
import re
from dataclasses import dataclass, replace
from typing import Final, Self

import msgspec

from hiddenagenda import token
from hiddenagenda.edge.directories import private_directory
from hiddenagenda.edge.files import StoreError, explained, read_secret, replace_file
from hiddenagenda.edge.memory import Memory
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.frames import RoomKey
from hiddenagenda.invitation import Invitation, read_invitation
from hiddenagenda.player import new_seat
from hiddenagenda.publickey import PublicKey
from hiddenagenda.seat import Seat, read_seat
from hiddenagenda.shape import encode

LARGEST: Final = 16_384

_NAME: Final = re.compile(r"[0-9a-f]{32}\.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room one was invited to, or invites others to."""

    invitation: Invitation
    seat: Seat
    """The own seat that was offered there."""

    def with_game(self, game: str) -> Self:
        """Return the room when the table with the id ``game`` was set in it."""
        return replace(self, invitation=replace(self.invitation, game=game))


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    invitation: str
    seat: str


_DECODER: Final = msgspec.json.Decoder(_Written)
_ENCODE: Final = msgspec.json.Encoder().encode


class Rooms:
    """The rooms in the directory ``rooms`` of ``home``, a path. Every method raises ``StoreError``."""

    def __init__(self, home: str) -> None:
        self._directory = os.path.join(home, "rooms")

    def remember(self, room: Room) -> None:
        """Remember a room, in the place of what was remembered of it."""
        private_directory(self._directory)
        written = _Written(invitation=room.invitation.token, seat=encode(room.seat).decode())
        replace_file(self._path(room.invitation.key.name), _ENCODE(written))

    def named(self, name: str) -> Room | None:
        """Return the room with this name (32 hex digits), if it is remembered."""
        path = self._path(name)
        return _read(path) if os.path.lexists(path) else None

    def of_game(self, game: str) -> Room | None:
        """Return the room in which the game with this id is played; of several, the first by name."""
        if not os.path.lexists(self._directory):
            return None
        with explained(self._directory):
            names = sorted(name for name in os.listdir(self._directory) if _NAME.fullmatch(name))
        rooms = (_read(os.path.join(self._directory, name)) for name in names)
        return next((room for room in rooms if room.invitation.game == game), None)

    def _path(self, name: str) -> str:
        return os.path.join(self._directory, f"{name}.json")


def room_to_join(home: str, invitation: Invitation, public: PublicKey, name: str) -> Room:
    """Return the room of ``invitation`` and the seat that ``public`` has there: as before, or a fresh one, ``name``'s.

    Both are remembered. Raises ``StoreError``.
    """
    rooms = Rooms(home)
    before = rooms.named(invitation.key.name)
    if before is not None and before.seat.key == public.hex:
        game = invitation.game or before.invitation.game
        room = Room(invitation=replace(invitation, game=game), seat=before.seat)
    else:
        room = Room(invitation=invitation, seat=new_seat(public, name))
        Memory(home).remember_seat(room.seat)
    rooms.remember(room)
    return room


def room_to_host(home: str, url: str, key: RoomKey, seat: Seat, game: str | None) -> Room:
    """Return the room that is served at ``url``, remembered. Raises ``Malformed`` for no address; ``StoreError``."""
    room = Room(invitation=Invitation(url=url, key=key, game=game), seat=seat)
    Rooms(home).remember(room)
    return room


def key_of(home: str, game: str) -> RoomKey:
    """Return the key of the room in which ``game`` was played, or a new one: so that an invitation stays good."""
    room = Rooms(home).of_game(game)
    return RoomKey.generate() if room is None else room.invitation.key


def _read(path: str) -> Room:
    try:
        written = _DECODER.decode(read_secret(path, LARGEST))
        return Room(
            invitation=read_invitation(token.decode(written.invitation).payload),
            seat=read_seat(written.seat.encode()),
        )
    except (msgspec.DecodeError, Malformed) as error:
        why = error.said if isinstance(error, Malformed) else sentence("it is damaged")
        raise StoreError(
            sentence("cannot use {path}: {why}", path=path, why=why),
            hint=sentence("remove it, and ask the host for the invitation again"),
            code="room-damaged",
        ) from None
