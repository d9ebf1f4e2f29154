"""Sets kept in step without I/O: what was received, and what to send.

SPEC "Gossip". Peers say how much they have, ask one that has more, and answer; whatever is lost, doubled, late or cut
off is made good by the next round. There is no socket and no clock here: frames and times (seconds, of any clock that
only goes forward) come in as values. Nobody is trusted and nobody accused: a peer can only stall.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import UNSET

from hiddenagenda import messages
from hiddenagenda.faults import Malformed
from hiddenagenda.frames import LARGEST_BODY, Channel, Content, Refusal
from hiddenagenda.holdings import Added, Holdings
from hiddenagenda.line import Line, read_line
from hiddenagenda.messages import Have, Want
from hiddenagenda.peers import MOST, PATIENCE, Arrived, Came, Event, Peer, Peers

IDLE: Final = 15.0
"""Seconds after which one says again what one has, though nothing happened."""
LARGEST_ANSWER: Final = 256 * 1024
"""Bytes of lines in one answer; who lacks more asks again."""

_SOON: Final = 0.3
"""Seconds for which one waits to say what one has, so that several changes are said at once."""
_BETWEEN_ANSWERS: Final = 0.05
_JUST_NOW: Final = 0.5
"""Seconds for which a line that went out is not sent again: everybody in the room has heard it, or asks later."""
_MOST_LINES: Final = 256
"""Lines that are read of one frame: the shortest has some 350 bytes."""
_MOST_USELESS: Final = 16
"""Lines that are nothing, or nobody's, after which the rest of a frame is not looked at."""
_REFUSALS: Final = {
    Added.STRANGE: Refusal.STRANGE,
    Added.UNSIGNED: Refusal.UNSIGNED,
    Added.SURPLUS: Refusal.SURPLUS,
}


class Gossip:
    """One peer's side of one game, in the room that ``channel`` speaks in.

    ``refused`` counts what was dropped, by reason.
    """

    def __init__(self, channel: Channel, table: Line, *, place: int | None, now: float) -> None:
        """Begin with the table alone; ``place`` is the own one in the roster, None for a mere reader."""
        self.holdings: Final = Holdings(table)
        self.refused: Final[Counter[Refusal]] = Counter()
        self._channel = channel
        self._place = place
        self._peers = Peers(self.holdings)
        self._unsent: list[Line] = []
        self._wants: OrderedDict[str, Want] = OrderedDict()
        self._answer_at = now
        self._have_at = now
        self._said_at = float("-inf")
        self._says_bye = False
        self._sent: OrderedDict[str, float] = OrderedDict()
        """When a line went out, for those that did just now."""

    def receive_data(self, frame: bytes, now: float) -> tuple[Event, ...]:
        """Take in one frame. Whatever it is, nothing is raised; what is dropped is counted in ``refused``."""
        content = self._channel.open(frame)
        if isinstance(content, Refusal):
            self.refused[content] += 1
            return ()
        peer = self._peers.hear(content.session, now)
        if peer is None:
            self.refused[Refusal.SURPLUS] += 1
        else:
            try:
                self._take(content, peer, now)
            except Malformed:
                self.refused[Refusal.MESSAGE] += 1
        return self._peers.take_news()

    def pass_time(self, now: float) -> tuple[Event, ...]:
        """Return what is news only because nothing came: who is gone, and who withholds."""
        self._peers.pass_time(now)
        return self._peers.take_news()

    def data_to_send(self, now: float) -> tuple[bytes, ...]:
        """Return the frames to send now."""
        frames = self._frames_of(self._unsent, now)
        if self._unsent:
            self._unsent = []
            self._have_at = min(self._have_at, now + PATIENCE)  # else who missed it would hear of it late
        if self._wants and now >= self._answer_at:
            frames += self._answer(now)
        if now >= self._have_at:
            frames.append(self._have(now))
        asked = self._peers.question(now)
        if asked is not None:
            want = Want(game=self.holdings.game, known=self.holdings.known, to=asked)
            frames.append(self._channel.seal(messages.WANT, messages.write(want)))
        if self._says_bye:
            self._says_bye = False
            frames.append(self._channel.seal(messages.BYE, b""))
        return tuple(frames)

    def next_time(self) -> float:
        """Return when ``pass_time`` and ``data_to_send`` are to be called again, though nothing comes in before."""
        if self._unsent or self._says_bye:
            return float("-inf")
        answer_at = self._answer_at if self._wants else self._have_at
        return min(answer_at, self._have_at, self._peers.next_time())

    def connected(self, now: float) -> None:
        """Begin anew, since there is a new connection: nobody has heard anything yet."""
        self._peers.start_anew(now)
        self._wants.clear()
        self._have_at = now
        self._said_at = float("-inf")

    def add(self, lines: Iterable[Line]) -> None:
        """Hold lines that came another way, such as from the file; the others hear how much is here then."""
        before = self.holdings.clock
        for line in lines:
            self.holdings.add(line)
        if self.holdings.clock != before:
            self._have_at = min(self._have_at, self._said_at + _SOON)

    def say(self, line: Line) -> None:
        """Hold an own line that was just signed, and send it to everybody."""
        self.holdings.add(line)
        self._unsent.append(line)

    def bye(self) -> None:
        """Tell the others with the next frames that one goes."""
        self._says_bye = True

    @property
    def present(self) -> tuple[Came, ...]:
        """Everybody who is in the room, the one heard last at the end."""
        return tuple(Came(session=peer.session, place=peer.place) for peer in self._peers.present)

    @property
    def is_shared(self) -> bool:
        """Whether everybody in the room has said that it holds exactly what is held here."""
        clock = self.holdings.clock
        return not self._unsent and all(peer.clock == clock for peer in self._peers.present)

    def _take(self, content: Content, peer: Peer, now: float) -> None:
        match content.kind:
            case messages.LINES:
                self._take_lines(content.body, peer, now)
            case messages.HAVE:
                self._take_have(messages.read(content.body, Have), peer, now)
            case messages.WANT:
                self._take_want(messages.read(content.body, Want), peer)
            case messages.SEAT:  # somebody waits for a table that is set already
                if not self._was_sent(self.holdings.game, now):
                    self._unsent.append(self.holdings.table)
            case messages.ROLL:
                pass  # of the time before the table was set
            case messages.BYE:
                self._peers.goes(peer)
            case _:
                self.refused[Refusal.MESSAGE] += 1

    def _take_lines(self, body: bytes, peer: Peer, now: float) -> None:
        new: list[Line] = []
        patience = _MOST_USELESS
        for data in body.split(b"\n", _MOST_LINES)[:_MOST_LINES]:
            try:
                line = read_line(data)
            except Malformed:
                refusal = Refusal.MESSAGE
            else:
                added = self.holdings.add(line)
                if added not in _REFUSALS:
                    if added is not Added.KNOWN:
                        new.append(line)
                    continue
                refusal = _REFUSALS[added]
            self.refused[refusal] += 1
            patience -= refusal is not Refusal.SURPLUS
            if patience == 0:
                break
        self._peers.gives(peer, new, now)
        if new:
            self._have_soon(now)
            self._peers.news.append(Arrived(lines=tuple(new)))

    def _take_have(self, have: Have, peer: Peer, now: float) -> None:
        if have.game != self.holdings.game or len(have.clock) != len(self.holdings.roster):
            self.refused[Refusal.STRANGE] += 1
            return
        is_new, is_news = not peer.clock, have.clock != peer.clock
        place = None if have.place is UNSET or have.place >= len(have.clock) else have.place
        self._peers.tells(peer, have.clock, place, now)
        differs = have.clock != self.holdings.clock
        if is_new or (differs and (is_news or now >= self._said_at + PATIENCE)):
            self._have_soon(now)
        if have.ends == self._channel.session:
            self._peers.ends_answer(peer, now)

    def _take_want(self, want: Want, peer: Peer) -> None:
        if want.game != self.holdings.game:
            self.refused[Refusal.STRANGE] += 1
        elif want.to == self._channel.session and (peer.session in self._wants or len(self._wants) < MOST):
            self._wants[peer.session] = want

    def _have_soon(self, now: float) -> None:
        self._have_at = min(self._have_at, max(now, self._said_at + _SOON))

    def _have(self, now: float, *, ends: str | None = None) -> bytes:
        self._said_at = now
        self._have_at = now + IDLE
        have = Have(
            clock=self.holdings.clock,
            ends=UNSET if ends is None else ends,
            game=self.holdings.game,
            place=UNSET if self._place is None else self._place,
        )
        return self._channel.seal(messages.HAVE, messages.write(have))

    def _answer(self, now: float) -> list[bytes]:
        session, want = self._wants.popitem(last=False)
        self._answer_at = now + _BETWEEN_ANSWERS
        answer: list[Line] = []
        size = 0
        for line in self.holdings.lacking(want.known):
            if self._was_sent(line.id, now):
                continue
            size += len(line.data) + 1
            if answer and size > LARGEST_ANSWER:
                break
            answer.append(line)
        return [*self._frames_of(answer, now), self._have(now, ends=session)]

    def _frames_of(self, lines: Sequence[Line], now: float) -> list[bytes]:
        bodies: list[bytes] = []
        for line in lines:
            self._sent[line.id] = now
            self._sent.move_to_end(line.id)
            if bodies and len(bodies[-1]) + 1 + len(line.data) <= LARGEST_BODY:
                bodies[-1] += b"\n" + line.data
            else:
                bodies.append(line.data)
        return [self._channel.seal(messages.LINES, body) for body in bodies]

    def _was_sent(self, name: str, now: float) -> bool:
        while self._sent and next(iter(self._sent.values())) + _JUST_NOW <= now:
            self._sent.popitem(last=False)
        return name in self._sent
