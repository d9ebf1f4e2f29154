"""What happens at a live table, as it is told to a person or to a program.

A person reads sentences on stderr; a program reads JSON objects on stdout, each with a member ``event``.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias, assert_never

from hiddenagenda.edge.live import Entries
from hiddenagenda.edge.websocket import Line as Wire
from hiddenagenda.edge.websocket import LineChanged
from hiddenagenda.faults import HiddenAgendaError, Sentence, sentence
from hiddenagenda.lobby import Called, Offered, TableSet, Withdrawn
from hiddenagenda.peers import Came, Went, Withholds
from hiddenagenda.publickey import PublicKey
from hiddenagenda.seat import Seat
from hiddenagenda.story import Told, people, tell
from hiddenagenda.table import Table
from hiddenagenda.transcript import Transcript
from hiddenagenda_cli.output import voice

News: TypeAlias = (
    Entries | Came | Went | Withholds | LineChanged | Offered | Withdrawn | Called | TableSet | HiddenAgendaError
)


class Teller:
    """Tells news as it comes; with ``as_events`` to a program. ``own`` is the user's key in hex."""

    def __init__(self, own: str, *, as_events: bool) -> None:
        self._own = own
        self._as_events = as_events
        self._wire: LineChanged | None = None
        self._known: set[str] = set()
        self._awaited: set[str] = set()
        self.seats: tuple[Seat, ...] = ()
        """The players in turn order, once there is a table."""

    def begin(self, transcript: Transcript) -> None:
        """Begin to tell of a game: a program hears all of it, a person what comes from now on."""
        self.seats = transcript.table.players
        if self._as_events:
            self.tell(Entries(lines=(), transcript=transcript))
        self._known.update(transcript.graph.index)

    def tell(self, news: News) -> None:
        """Tell one piece of news; that the connection still is as it was is none."""
        if isinstance(news, LineChanged):
            if self._wire is not None and news.line is self._wire.line:
                return
            self._wire = news
        if self._as_events:
            for event in self._events(news):
                voice.json(event)
            return
        for said in self._sentences(news):
            voice.say(said)

    def offers(self, number: int, seat: Seat, said: Sentence) -> None:
        """Tell of a seat that waits, under this number, and how its key stands to those one knows."""
        if self._as_events:
            voice.json({"event": "seat", "number": number, **_seat(seat)})
        else:
            voice.say(sentence("{number}. {who} – accept {number}, or refuse {number}", number=number, who=said))

    def _sentences(self, news: News) -> Iterator[Sentence]:
        match news:
            case Entries():
                yield from self._entries(news)
            case Came() | Went() | Withholds():
                yield from self._presence(news)
            case LineChanged(line=Wire.UP):
                yield sentence("connected")
            case LineChanged(why=why):
                yield (
                    sentence("not connected: {why}; trying again", why=why)
                    if why
                    else sentence("the connection broke; trying again")
                )
            case Offered() | Withdrawn():
                if isinstance(news, Withdrawn):
                    yield sentence("{player} has gone", player=news.seat.name)
            case Called():
                yield from _called(news)
            case TableSet():
                table = news.line.entry.body
                if isinstance(table, Table):
                    yield sentence("the table “{label}” is set:", label=table.label)
                    for number, seat in enumerate(table.players, 1):
                        yield _sits(number, seat)
            case HiddenAgendaError():
                voice.fail(news)
            case _:
                assert_never(news)

    def _new(self, transcript: Transcript) -> Iterator[Told]:
        """Yield the entries that have their place in the game now and had none before."""
        for told in tell(transcript):
            if told.line.id not in self._known:
                self._known.add(told.line.id)
                yield told

    def _entries(self, news: Entries) -> Iterator[Sentence]:
        for told in self._new(news.transcript):
            yield sentence("{player} {said}", player=told.name, said=told.said)
            for wrong in told.wrong:
                yield sentence("  {what}", what=wrong)
        names = people(news.transcript.table)
        for line in news.lines:
            if line.id not in self._known and line.id not in self._awaited:
                self._awaited.add(line.id)
                player = names.get(line.entry.author, "?")
                yield sentence("an entry of {player} came, and what it rests on is still to come", player=player)

    def _presence(self, news: Came | Went | Withholds) -> Iterator[Sentence]:
        player = self._name(news.place)
        if player is None:
            return
        match news:
            case Came():
                yield sentence("{player} is here", player=player)
            case Went():
                yield sentence("{player} has gone, and can come back", player=player)
            case Withholds():
                yield sentence(
                    "{player} says there is more in this game and does not send it: no rule is broken by that",
                    player=player,
                )

    def _events(self, news: News) -> Iterator[Mapping[str, object]]:
        match news:
            case Entries():
                for told in self._new(news.transcript):
                    yield _entry(told, news.transcript, own=self._own)
            case Came() | Went() | Withholds():
                yield {"event": type(news).__name__.lower(), "player": self._name(news.place)}
            case LineChanged():
                why = voice.tell(news.why) if news.why else None
                yield {"event": "connection", "line": news.line.value, "why": why}
            case Offered():
                pass  # told under its number
            case Withdrawn():
                yield {"event": "withdrawn", **_seat(news.seat)}
            case Called():
                answer = "accepted" if news.is_accepted else "declined" if news.is_declined else "waiting"
                yield {"event": "roll", "you": answer, "seats": list(map(_seat, news.accepted))}
            case TableSet():
                table = news.line.entry.body
                if isinstance(table, Table):
                    yield {
                        "event": "table",
                        "game": news.line.id,
                        "label": table.label,
                        "priority": table.priority,
                        "seats": list(map(_seat, table.players)),
                    }
            case HiddenAgendaError():
                yield {
                    "event": "refused",
                    "code": news.code,
                    "message": voice.tell(news.said),
                    "hint": voice.tell(news.hint) if news.hint else None,
                }
            case _:
                assert_never(news)

    def _name(self, place: int | None) -> str | None:
        return None if place is None or place >= len(self.seats) else self.seats[place].name


def _entry(told: Told, transcript: Transcript, *, own: str) -> Mapping[str, object]:
    return {
        "event": "entry",
        "id": told.line.id,
        "player": told.name,
        "own": told.line.entry.author == own,
        "type": told.line.entry.type,
        "said": voice.tell(told.said),
        "weight": told.weight.value,
        "code": told.code,
        "wrong": [voice.tell(one) for one in told.wrong],
        "line": transcript.signatures.written(told.line).data.decode(),
    }


def _called(news: Called) -> Iterator[Sentence]:
    if news.is_declined:
        yield sentence("the host has refused your seat")
    elif news.is_accepted:
        yield sentence("the host has accepted you; so far there are:")
        for number, seat in enumerate(news.accepted, 1):
            yield _sits(number, seat)
    else:
        yield sentence("waiting for the host to accept you")


def _sits(number: int, seat: Seat) -> Sentence:
    return sentence(
        "  {number}. {player}: {fingerprint}",
        number=number,
        player=seat.name,
        fingerprint=PublicKey.from_hex(seat.key).fingerprint,
    )


def _seat(seat: Seat) -> Mapping[str, object]:
    return {"player": seat.name, "key": seat.key, "fingerprint": PublicKey.from_hex(seat.key).fingerprint}
