"""The room before there is a table: guests offer seats, the host accepts them and sets the table.

SPEC "The lobby". Two machines without I/O, with the verbs of ``gossip``, which takes over when the table is set. A seat
is a claim until its owner signs something; what the host lists is for the guests' eyes and binds nobody.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hiddenagenda import messages
from hiddenagenda.faults import Malformed
from hiddenagenda.frames import Channel, Content, Refusal
from hiddenagenda.line import Line, read_line
from hiddenagenda.messages import MOST_WAITING, Roll
from hiddenagenda.pace import Bucket
from hiddenagenda.publickey import PublicKey
from hiddenagenda.seat import Seat, read_seat
from hiddenagenda.shape import encode
from hiddenagenda.sshsig import verifies
from hiddenagenda.table import MOST_PLAYERS, Table

AGAIN: Final = 2.0
"""Seconds after which a guest offers the seat again, and the host lists those accepted."""
SILENCE: Final = 15.0
"""Seconds after which a guest who says nothing is taken to be gone."""

_FRAMES: Final = (100.0, 20.0)
"""Frames that are looked at in the whole room, at once and in a second after that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A guest offers a seat."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """A guest who was not accepted yet has gone."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """The host says whom it has accepted, and whether this guest is among them, declined, or still waiting."""

    accepted: tuple[Seat, ...]
    is_accepted: bool
    is_declined: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSet:
    """A table was set that holds the guest's seat as it was offered; whoever signed it sits there."""

    line: Line


@dataclass(slots=True, kw_only=True)
class _Waiting:
    seat: Seat
    heard: float
    session: str


class Lobby:
    """The host's side. ``refused`` counts what was dropped."""

    def __init__(self, channel: Channel, own: Seat, *, now: float) -> None:
        """Open a lobby in which the host's ``own`` seat is accepted."""
        self.refused: Final[Counter[Refusal]] = Counter()
        self._channel = channel
        self._bucket = Bucket(*_FRAMES, now)
        self._accepted: dict[str, Seat] = {own.nonce: own}
        self._declined: dict[str, None] = {}
        self._waiting: dict[str, _Waiting] = {}
        self._roll_at = now

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that were offered and neither accepted nor declined, in order of arrival."""
        return tuple(guest.seat for guest in self._waiting.values())

    @property
    def accepted(self) -> tuple[Seat, ...]:
        """The seats of the table to come, the host's first, then in the order in which they were accepted."""
        return tuple(self._accepted.values())

    def accept(self, seat: Seat) -> bool:
        """Take a waiting seat for the table, and say whether it was waiting and there was room for it.

        An earlier seat of the same key gives way, since its owner has come anew.
        """
        same_key = [nonce for nonce, other in self._accepted.items() if other.key == seat.key]
        if seat.nonce not in self._waiting or len(self._accepted) - len(same_key) >= MOST_PLAYERS:
            return False
        for nonce in same_key:
            del self._accepted[nonce]
        del self._waiting[seat.nonce]
        self._accepted[seat.nonce] = seat
        self._roll_at = float("-inf")
        return True

    def decline(self, seat: Seat) -> bool:
        """Refuse a seat that waits or was accepted, and say whether it did; the host's own stays."""
        found = self._waiting.pop(seat.nonce, None) is not None
        if not found and seat.nonce in list(self._accepted)[1:]:
            del self._accepted[seat.nonce]
            found = True
        if found:
            self._declined[seat.nonce] = None
            while len(self._declined) > MOST_WAITING:
                del self._declined[next(iter(self._declined))]
            self._roll_at = float("-inf")
        return found

    def receive_data(self, frame: bytes, now: float) -> tuple[Offered | Withdrawn, ...]:
        """Take in one frame. Whatever it is, nothing is raised; what is dropped is counted in ``refused``."""
        content = _opened(self._channel, self._bucket, frame, now)
        if isinstance(content, Refusal):
            self.refused[content] += 1
            return ()
        if content.kind == messages.BYE:
            return self._gone(lambda guest: guest.session == content.session)
        if content.kind != messages.SEAT:
            return ()  # between a guest's join and the table others may speak of what the host does not know
        try:
            seat = read_seat(content.body)
        except Malformed:
            self.refused[Refusal.MESSAGE] += 1
            return ()
        if seat.nonce in self._accepted or seat.nonce in self._declined:
            return ()
        guest = self._waiting.get(seat.nonce)
        if guest is not None:
            guest.heard = now
            return ()
        known = {one.session for one in self._waiting.values()}
        if content.session in known or len(self._waiting) >= MOST_WAITING or self._is_host(seat):
            self.refused[Refusal.SURPLUS] += 1
            return ()
        self._waiting[seat.nonce] = _Waiting(seat=seat, heard=now, session=content.session)
        return (Offered(seat=seat),)

    def pass_time(self, now: float) -> tuple[Offered | Withdrawn, ...]:
        """Return who has gone, as nothing was heard of them."""
        return self._gone(lambda guest: guest.heard + SILENCE <= now)

    def data_to_send(self, now: float) -> tuple[bytes, ...]:
        """Return the frames to send now."""
        if now < self._roll_at:
            return ()
        self._roll_at = now + AGAIN
        roll = Roll(accepted=self.accepted, refused=tuple(self._declined))
        return (self._channel.seal(messages.ROLL, messages.write(roll)),)

    def next_time(self) -> float:
        """Return when ``pass_time`` and ``data_to_send`` are to be called again, though nothing comes in before."""
        return min([self._roll_at, *(guest.heard + SILENCE for guest in self._waiting.values())])

    def connected(self, now: float) -> None:
        """Say at once who is accepted, since there is a new connection."""
        self._roll_at = now

    def _is_host(self, seat: Seat) -> bool:
        return next(iter(self._accepted.values())).key == seat.key

    def _gone(self, is_gone: Callable[[_Waiting], bool]) -> tuple[Withdrawn, ...]:
        gone = [guest for guest in self._waiting.values() if is_gone(guest)]
        for guest in gone:
            del self._waiting[guest.seat.nonce]
        return tuple(Withdrawn(seat=guest.seat) for guest in gone)


class Guest:
    """The side of somebody who offers a seat and waits for the table. ``refused`` counts what was dropped."""

    def __init__(self, channel: Channel, own: Seat, *, game: str | None, now: float) -> None:
        """Offer ``own``, for the table with the id ``game`` where the invitation names one."""
        self.refused: Final[Counter[Refusal]] = Counter()
        self._channel = channel
        self._bucket = Bucket(*_FRAMES, now)
        self._own = own
        self._game = game
        self._offer_at = now
        self._called: Called | None = None
        self._tables: set[str] = set()
        self._says_bye = False

    def receive_data(self, frame: bytes, now: float) -> tuple[Called | TableSet, ...]:
        """Take in one frame. Whatever it is, nothing is raised; what is dropped is counted in ``refused``."""
        content = _opened(self._channel, self._bucket, frame, now)
        if isinstance(content, Refusal):
            self.refused[content] += 1
            return ()
        try:
            if content.kind == messages.ROLL:
                return self._take_roll(messages.read(content.body, Roll))
            if content.kind == messages.LINES:
                return self._take_table(read_line(content.body.partition(b"\n")[0]))
        except Malformed:
            self.refused[Refusal.MESSAGE] += 1
        return ()  # others wait as well, or play already

    def pass_time(self, now: float) -> tuple[Called | TableSet, ...]:  # noqa: ARG002 - the verb of all machines
        """Return nothing: a guest just waits."""
        return ()

    def data_to_send(self, now: float) -> tuple[bytes, ...]:
        """Return the frames to send now."""
        if self._says_bye:
            self._says_bye = False
            return (self._channel.seal(messages.BYE, b""),)
        if now < self._offer_at:
            return ()
        self._offer_at = now + AGAIN
        return (self._channel.seal(messages.SEAT, encode(self._own)),)

    def next_time(self) -> float:
        """Return when ``data_to_send`` is to be called again, though nothing comes in before."""
        return float("-inf") if self._says_bye else self._offer_at

    def connected(self, now: float) -> None:
        """Offer the seat at once, since there is a new connection."""
        self._offer_at = now

    def bye(self) -> None:
        """Tell the host with the next frames that one goes."""
        self._says_bye = True

    def _take_roll(self, roll: Roll) -> tuple[Called, ...]:
        called = Called(
            accepted=roll.accepted,
            is_accepted=self._own in roll.accepted,
            is_declined=self._own.nonce in roll.refused,
        )
        if called == self._called:
            return ()
        self._called = called
        return (called,)

    def _take_table(self, line: Line) -> tuple[TableSet, ...]:
        table = line.entry.body
        if not isinstance(table, Table) or self._game not in {None, line.id} or self._own not in table.players:
            self.refused[Refusal.STRANGE] += 1
            return ()
        if line.id in self._tables:
            return ()
        author = PublicKey.from_hex(line.entry.author)
        if not verifies(author, line.raw, bytes.fromhex(line.signature)):
            self.refused[Refusal.UNSIGNED] += 1
            return ()
        if len(self._tables) >= MOST_WAITING:
            self.refused[Refusal.SURPLUS] += 1
            return ()
        self._tables.add(line.id)
        return (TableSet(line=line),)


def _opened(channel: Channel, bucket: Bucket, frame: bytes, now: float) -> Content | Refusal:
    if not bucket.take(now):
        return Refusal.SURPLUS
    return channel.open(frame)
