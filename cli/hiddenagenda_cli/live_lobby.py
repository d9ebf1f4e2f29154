"""The lobby, as the host and as a guest see it."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from hiddenagenda.faults import IllegalMove, Malformed, Sentence, sentence
from hiddenagenda.line import Line
from hiddenagenda.lobby import Guest, Lobby, Offered, TableSet
from hiddenagenda.player import check_table
from hiddenagenda.publickey import PublicKey
from hiddenagenda.seat import Seat
from hiddenagenda.table import Table
from hiddenagenda_cli.ask import confirm
from hiddenagenda_cli.live import Live
from hiddenagenda_cli.live_verbs import DOOR, LOBBY, Command
from hiddenagenda_cli.output import voice
from hiddenagenda_cli.people import known_players

_NAP = 0.1


class HostLobby:
    """The host accepts seats until he sets the table; ``make`` returns the table of seats in turn order."""

    def __init__(self, live: Live, lobby: Lobby, make: Callable[[tuple[Seat, ...]], Table]) -> None:
        self._live = live
        self._lobby = lobby
        self._make = make
        self._numbers: dict[int, Seat] = {}
        live.handler = self._take

    def table(self) -> Table | None:
        """Return the table that the host sets, which may be sat at; None when he goes."""
        voice.say(sentence("give the invitation to the others in private; when they are here: accept, then set"))
        for command in self._live.commands(LOBBY):
            with self._live.network.lock:
                try:
                    table = self._do(command)
                except (IllegalMove, Malformed) as error:
                    self._live.tell(error)
                    continue
            self._live.network.wake()
            self._live.network.check()
            if table is not None:
                return table
        return None

    def _take(self, news: Sequence[Any]) -> None:
        for one in news:
            if isinstance(one, Offered):
                number = max(self._numbers, default=1) + 1
                self._numbers[number] = one.seat
                self._live.teller.offers(number, one.seat, self._look(one.seat))
            else:
                self._live.tell(one)

    def _look(self, seat: Seat) -> Sentence:
        return known_players().look(seat.name, PublicKey.from_hex(seat.key)).said

    def _do(self, command: Command) -> Table | None:
        match command.verb:
            case "accept":
                if not self._lobby.accept(self._numbered(command)):
                    raise Malformed(sentence("that seat does not wait, or the table is full"), code="no-seat")
            case "refuse":
                if not self._lobby.decline(self._numbered(command)):
                    raise Malformed(sentence("that seat does not wait"), code="no-seat")
            case "set":
                table = self._make(self._ordered(command.text("order")))
                check_table(table)
                return table
        self._list()
        return None

    def _numbered(self, command: Command) -> Seat:
        seat = self._numbers.get(command.number("number"))
        if seat is None:
            raise Malformed(sentence("there is no seat {number}", number=command.number("number")), code="no-seat")
        return seat

    def _ordered(self, order: str) -> tuple[Seat, ...]:
        seats = self._lobby.accepted
        if len(seats) < 2:
            raise Malformed(sentence("nobody is accepted yet: a table has two players at least"), code="too-few")
        numbers = [piece.strip() for piece in order.split(",")] if order else list(map(str, range(1, len(seats) + 1)))
        if sorted(numbers) != sorted(map(str, range(1, len(seats) + 1))):
            raise Malformed(
                sentence("say every number from 1 to {last} once, in turn order, as in: set 2,1", last=len(seats)),
                code="order",
            )
        return tuple(seats[int(number) - 1] for number in numbers)

    def _list(self) -> None:
        accepted, waiting = self._lobby.accepted, self._lobby.waiting
        if self._live.as_events:
            voice.json(
                {
                    "event": "lobby",
                    "accepted": [seat.name for seat in accepted],
                    "waiting": [seat.name for seat in waiting],
                }
            )
            return
        for number, seat in enumerate(accepted, 1):
            fingerprint = PublicKey.from_hex(seat.key).fingerprint
            voice.say(
                sentence(
                    "  {number}. {player}: {fingerprint}", number=number, player=seat.name, fingerprint=fingerprint
                )
            )
        for number, seat in self._numbers.items():
            if seat in waiting:
                voice.say(sentence("  waiting: {player} (accept {number})", player=seat.name, number=number))


class Door:
    """A guest waits for the table, looks at it, and sits down."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._tables: list[Line] = []
        live.handler = self._take

    def table(self, guest: Guest) -> Line | None:
        """Return the line of the table at which the guest sits down; None when he goes."""
        found = self._asked() if self._live.asks else self._told()
        if found is None:
            with self._live.network.lock:
                guest.bye()
            self._live.network.wake()
        return found

    def _take(self, news: Sequence[Any]) -> None:
        for one in news:
            if isinstance(one, TableSet):
                self._tables.append(one.line)
            self._live.tell(one)

    def _asked(self) -> Line | None:
        voice.say(sentence("your seat is offered to the host; wait"))
        seen = 0
        while not self._live.is_stopped:
            self._live.network.check()
            if len(self._tables) == seen:
                time.sleep(_NAP)
                continue
            seen += 1
            with self._live.asking():
                _warn(self._tables[seen - 1])
                if confirm(sentence("Sit down at this table?")):
                    return self._tables[seen - 1]
        return None

    def _told(self) -> Line | None:
        for _ in self._live.commands(DOOR):
            if self._tables:
                return self._tables[-1]
            self._live.tell(Malformed(sentence("there is no table yet"), code="no-table"))
        return None


def _warn(line: Line) -> None:
    """Say loudly, before anybody sits down, whose key does not go with the name."""
    table = line.entry.body
    if isinstance(table, Table):
        for seat in table.players:
            meeting = known_players().look(seat.name, PublicKey.from_hex(seat.key))
            if meeting.is_alarming:
                voice.warn(meeting.said)
