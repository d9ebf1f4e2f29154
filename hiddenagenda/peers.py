"""Who is in a room, what each of them says it holds, and whom to ask for what is missing.

SPEC "Gossip". One question is open at a time; who does not answer is asked later and later, and is said to withhold
when it goes on talking. That is no breach of a rule, and what a peer says of itself is a claim.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from hiddenagenda.holdings import Holdings
from hiddenagenda.line import Line
from hiddenagenda.messages import Tally
from hiddenagenda.pace import Bucket

MOST: Final = 64
SILENCE: Final = 40.0
"""Seconds after which a peer that says nothing is taken to be gone."""
PATIENCE: Final = 2.0
"""Seconds that one waits for an answer before one asks another peer."""
WITHHELD: Final = 4
"""Questions without an answer after which a peer is said to withhold."""

_FRAMES: Final = (200.0, 100.0)
"""Frames that a peer may send at once, and in a second after that."""
_UNDER_WAY: Final = 0.25
"""Seconds for which lines may still be under way that others say they hold."""
_PAUSE: Final = 0.3
_LONGEST_PAUSE: Final = 60.0
"""Seconds before one who had nothing to give is asked again: the first time, doubled each time, and at the most."""
_MOST_DOUBLINGS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Lines that were not held before, or now are under a valid signature, in the order of arrival."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """Somebody is in the room; ``place`` is where it says it sits, as an index of the roster."""

    session: str
    place: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Went:
    """Somebody left, or has not been heard for long."""

    session: str
    place: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Withholds:
    """Somebody says that it has entries, goes on talking, and does not send them."""

    session: str
    place: int | None


Event: TypeAlias = Arrived | Came | Went | Withholds


@dataclass(slots=True, kw_only=True)
class Peer:
    """One other program in the room."""

    session: str
    heard: float
    bucket: Bucket
    place: int | None = None
    clock: tuple[Tally, ...] = ()
    """What it said that it holds; nothing before it has said so, and then nobody was told of it either."""
    unanswered: int = 0
    fruitless: int = 0
    ask_at: float = 0.0
    is_told: bool = False
    """Whether it was said to withhold."""


@dataclass(slots=True, kw_only=True)
class _Question:
    session: str
    since: float
    until: float
    gave: bool = False
    """Whether the peer has sent lines since."""
    gained: bool = False
    """Whether any of them was new."""


class Peers:
    """Everybody else in the room of the game that ``holdings`` holds."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._peers: OrderedDict[str, Peer] = OrderedDict()  # the one heard last at the end
        self._asked: _Question | None = None
        self.news: list[Event] = []
        """What happened since it was taken last."""

    def take_news(self) -> tuple[Event, ...]:
        """Return what happened since this was asked last."""
        news, self.news = tuple(self.news), []
        return news

    @property
    def present(self) -> tuple[Peer, ...]:
        """Everybody who has said what it holds, the one heard last at the end."""
        return tuple(peer for peer in self._peers.values() if peer.clock)

    def hear(self, session: str, now: float) -> Peer | None:
        """Return who speaks, or None where it speaks too much."""
        peer = self._peers.get(session)
        if peer is None:
            size, rate = _FRAMES
            peer = self._peers[session] = Peer(session=session, heard=now, bucket=Bucket(size, rate, now))
            if len(self._peers) > MOST:
                self._see_off(self._peers.popitem(last=False)[1])
        peer.heard = now
        self._peers.move_to_end(session)
        return peer if peer.bucket.take(now) else None

    def tells(self, peer: Peer, clock: tuple[Tally, ...], place: int | None, now: float) -> None:
        """Note what a peer says it holds, and where it says it sits."""
        if clock != peer.clock:
            peer.ask_at = max(peer.ask_at, now + _UNDER_WAY)
        if not peer.clock or place != peer.place:
            peer.place = place
            self._forget_former(peer)
            self.news.append(Came(session=peer.session, place=place))
        peer.clock = clock

    def goes(self, peer: Peer) -> None:
        """Note that a peer said goodbye."""
        del self._peers[peer.session]
        self._see_off(peer)

    def start_anew(self, now: float) -> None:
        """Forget the open question: the connection is another."""
        self._asked = None
        for peer in self._peers.values():
            peer.ask_at = peer.heard = now

    def question(self, now: float) -> str | None:
        """Return the session of whom to ask now, and note that it is asked."""
        if self._asked is not None:
            return None
        able = [peer for peer in self._peers.values() if now >= peer.ask_at and self._may_help(peer)]
        if not able:
            return None
        peer = min(able, key=lambda peer: (peer.fruitless, -peer.heard))
        self._asked = _Question(session=peer.session, since=now, until=now + PATIENCE)
        return peer.session

    def gives(self, peer: Peer, lines: Sequence[Line], now: float) -> None:
        """Note that a peer has sent lines, of which these were new."""
        asked = self._asked
        if asked is not None and asked.session == peer.session:
            asked.gave = True
            asked.gained |= bool(lines)
            asked.until = now + PATIENCE

    def ends_answer(self, peer: Peer, now: float) -> None:
        """Note that a peer says it has answered."""
        asked = self._asked
        if asked is not None and asked.session == peer.session:
            self._close(peer, asked, now, answered=True)

    def pass_time(self, now: float) -> None:
        """Give up on who does not answer, and on who is silent."""
        asked = self._asked
        if asked is not None and now >= asked.until:
            self._asked = None
            peer = self._peers.get(asked.session)
            if peer is not None:
                self._close(peer, asked, now, answered=False)
        while self._peers and next(iter(self._peers.values())).heard + SILENCE <= now:
            self._see_off(self._peers.popitem(last=False)[1])

    def next_time(self) -> float:
        """Return when something is to be done, though nothing comes in before."""
        times = [peer.heard + SILENCE for peer in self._peers.values()]
        if self._asked is not None:
            times.append(self._asked.until)
        else:
            times += [peer.ask_at for peer in self._peers.values() if self._may_help(peer)]
        return min(times, default=float("inf"))

    def _may_help(self, peer: Peer) -> bool:
        return self._holdings.may_lack(peer.clock)

    def _forget_former(self, peer: Peer) -> None:
        """Forget who sat in this peer's place: a program that was killed said no goodbye."""
        if peer.place is not None:
            former = [one.session for one in self._peers.values() if one.place == peer.place and one is not peer]
            for session in former:
                del self._peers[session]

    def _close(self, peer: Peer, asked: _Question, now: float, *, answered: bool) -> None:
        self._asked = None
        peer.fruitless = 0 if asked.gained else peer.fruitless + 1
        pause = min(_LONGEST_PAUSE, _PAUSE * 2.0 ** min(peer.fruitless, _MOST_DOUBLINGS))
        peer.ask_at = now if asked.gained else now + pause
        pairs = zip(peer.clock, self._holdings.clock, strict=False)
        has_more = any(theirs > ours for (theirs, _), (ours, _) in pairs)
        if asked.gave or (answered and not has_more):
            peer.unanswered, peer.is_told = 0, False
        elif peer.heard > asked.since:  # who is silent does not withhold
            peer.unanswered += 1
        if peer.unanswered >= WITHHELD and not peer.is_told:
            peer.is_told = True
            self.news.append(Withholds(session=peer.session, place=peer.place))

    def _see_off(self, peer: Peer) -> None:
        if peer.clock:
            self.news.append(Went(session=peer.session, place=peer.place))
