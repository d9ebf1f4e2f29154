"""A simulated table: honest clients that ask the law before they sign, and one that does not.

Keys and salts come from fixed seeds, so that every game can be played again. Lines travel when a test says so.
"""

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256

from msgspec import UNSET
from msgspec.structs import replace

from hiddenagenda.case import Refused
from hiddenagenda.citing import parents_for
from hiddenagenda.entry import Body, Commit, End, Entry, Leave, Note, Open, Pass, Seal, ShownSlip, Step, frame
from hiddenagenda.hearing import Hearing, legal
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line, read_line, sign
from hiddenagenda.rulebook import Code
from hiddenagenda.seat import Seat
from hiddenagenda.shape import encode
from hiddenagenda.table import AgendaCard, Judge, Table
from hiddenagenda.transcript import Pile, Transcript
from hiddenagenda.verdict import Verdict
from hiddenagenda.verifier import judge

PLAYERS = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay")
BOX = "ab" * 1072
_VERIFIED: dict[tuple[str, str], bool] = {}
"""Every signature that any test has looked at: it holds, or does not, in every game."""
SINGLE, DOUBLE = "Muzzio's Preparations", "Summoner's Bond"


class IllegalSayingError(AssertionError):
    """An honest client was told to say what the law refuses."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.code.value, str(refused.said))
        self.refused = refused


class Client:
    """One key and what its client has received. It signs over lines that it holds validly signed, and by the law."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.identity = Identity(sha256(f"table {name}".encode()).digest())
        self.key = self.identity.public.hex
        self.own: list[Line] = []
        self.slips: tuple[ShownSlip, ...] = ()
        self._seen: dict[tuple[str, str], Line] = {}
        self._transcript: Transcript | None = None
        self._hearing: Hearing | None = None

    def see(self, *lines: Line) -> None:
        before = len(self._seen)
        for line in lines:
            self._seen.setdefault((line.id, line.signature), line)
        if len(self._seen) > before:
            self._transcript = self._hearing = None

    @property
    def lines(self) -> list[Line]:
        return list(self._seen.values())

    @property
    def transcript(self) -> Transcript:
        if self._transcript is None:
            self._transcript = transcript(self._seen.values())
        return self._transcript

    @property
    def hearing(self) -> Hearing:
        if self._hearing is None:
            self._hearing = Hearing.of(self.transcript)
        return self._hearing

    @property
    def open_slots(self) -> set[int]:
        facts = self.hearing.after(self.parents).facts
        return {shown.slip.slot for shown in facts.shown if shown.slip.player == self.key}

    @property
    def face_down(self) -> tuple[ShownSlip, ...]:
        """The own slips that are not open for the next entry."""
        return tuple(slip for slip in self.slips if slip.slot not in self.open_slots)

    @property
    def parents(self) -> tuple[int, ...]:
        return parents_for(self.hearing, self.key)

    def draft(self, body: Body) -> Entry[Body]:
        known = self.transcript
        return frame(
            body,
            author=self.key,
            game=known.game,
            parents=tuple(known.graph.nodes[number].id for number in self.parents),
            seq=len(self.own) + 1,
        )

    def refused(self, body: Body) -> Refused | None:
        return legal(self.hearing, self.draft(body))

    def say(self, body: Body) -> Line:
        refused = self.refused(body)
        if refused is not None:
            raise IllegalSayingError(refused)
        return self.keep(sign(self.draft(body), self.identity))

    def keep(self, line: Line) -> Line:
        self.own.append(line)
        self.see(line)
        return line

    def slip(self, slot: int, *names: str, conspiracy: str = SINGLE, salt: str = "") -> ShownSlip:
        return ShownSlip(
            conspiracy=conspiracy,
            game=self.transcript.game,
            names=names or ("Grizzly Bears",),
            player=self.key,
            salt=sha256(f"{self.key} {slot} {names} {salt}".encode()).hexdigest(),
            slot=slot,
        )

    def commitment(self, slips: Sequence[ShownSlip]) -> Commit:
        boxes = (BOX,) * len(slips) if self.transcript.table.judge is not UNSET else UNSET
        return Commit(commitments=tuple(slip.digest for slip in slips), sealed=boxes)

    def commit(self, *slips: ShownSlip) -> Line:
        self.slips = slips
        return self.say(self.commitment(slips))

    def turn_up(self, *slots: int) -> Line:
        return self.say(Open(slips=tuple(slip for slip in self.slips if slip.slot in slots), when=""))

    def leave(self) -> Line:
        return self.say(Leave(player=self.key, slips=self.face_down, why="conceded"))


class Cheat(Client):
    """A client that signs whatever it likes."""

    def lie(
        self,
        body: Body,
        *,
        parents: Iterable[Line] | None = None,
        seq: int | None = None,
        time: str | None = None,
    ) -> Line:
        """Sign without asking anybody; by default where an honest client would put it."""
        if parents is None:
            draft = self.draft(body)
        else:
            game = self.own[-1].game if self.own else self.transcript.game
            ids = tuple({line.id for line in parents})
            draft = frame(body, author=self.key, game=game, parents=ids, seq=len(self.own) + 1)
        return self.keep(sign(replace(draft, seq=seq or draft.seq, time=time or UNSET), self.identity))

    def lie_frame(self, entry: Entry[Body]) -> Line:
        """Sign a frame as it is; no later entry of the cheat's rests on it."""
        line = sign(entry, self.identity)
        self.see(line)
        return line

    def show_damaged(self, line: Line) -> None:
        """Show a line of one's own with a signature that does not hold, and never with the other."""
        del self._seen[line.id, line.signature]
        self.see(damaged(line))
        self._transcript = self._hearing = None

    def fork(self, of: Line, body: Body | None = None) -> Line:
        """Sign another entry in the place of ``of``, which stays."""
        body = Note(text="another story") if body is None else body
        forked = replace(of.entry, body=body, type=frame(body, author=self.key).type)
        line = sign(forked, self.identity)
        self.see(line)
        return line

    def ground(self, body: Body, *, below: str, parents: Iterable[Line] | None = None) -> Line:
        """Sign ``body`` with a time for which the entry's id is small."""
        draft = self.draft(body)
        ids = draft.parents if parents is None else tuple(sorted({line.id for line in parents}))
        for second in range(3600):
            time = f"2025-09-30T19:{second // 60:02}:{second % 60:02}Z"
            line = sign(replace(draft, parents=ids, time=time), self.identity)
            if line.id < below:
                return self.keep(line)
        raise AssertionError("no such id")

    def forge(self, author: Client, body: Body, *, parents: Iterable[Line], seq: int) -> Line:
        """Make a line that says it is by ``author``; its signature is not."""
        ids = tuple({line.id for line in parents})
        entry = frame(body, author=author.key, game=self.transcript.game, parents=ids, seq=seq)
        own = sign(replace(entry, author=self.key), self.identity)
        line = unsigned(entry).signed_by(own.signature)
        self.see(line)
        return line


class Game:
    """A table with its clients, in turn order; those in the places ``cheats`` cheat (-1: the judge)."""

    def __init__(
        self,
        players: int,
        *,
        cheats: Collection[int] = (),
        judged: bool = False,
        tracked: bool = False,
        slots: int = 1,
        further: tuple[AgendaCard, ...] = (),
    ) -> None:
        self.slots = slots
        names = PLAYERS[:players]
        self.players = [
            Cheat(f"{name} the cheat") if place in cheats else Client(name) for place, name in enumerate(names)
        ]
        self.judge = (Cheat if -1 in cheats else Client)("Judge") if judged else None
        self.everybody = [*self.players, *([self.judge] if self.judge else [])]
        self.host = self.players[0]
        table = Table(
            conspiracies=further or UNSET,
            edition="2025-09",
            judge=Judge(key=self.judge.key, name="Judge") if self.judge else UNSET,
            label="test",
            players=tuple(
                Seat(key=player.key, name=player.name, nonce=sha256(player.name.encode()).hexdigest())
                for player in self.players
            ),
            priority="tracked" if tracked else "declared",
        )
        self.table = self.host.keep(sign(frame(table, author=self.host.key), self.host.identity))
        self.share()

    @property
    def cheat(self) -> Cheat:
        """The one cheat."""
        (cheat,) = self.cheats
        return cheat

    @property
    def cheats(self) -> list[Cheat]:
        return [client for client in self.everybody if isinstance(client, Cheat)]

    @property
    def honest(self) -> list[Client]:
        return [client for client in self.everybody if not isinstance(client, Cheat)]

    @property
    def lines(self) -> list[Line]:
        """All lines that anybody has."""
        return list({(line.id, line.signature): line for client in self.everybody for line in client.lines}.values())

    def share(self, among: Iterable[Client] | None = None) -> None:
        among = self.everybody if among is None else list(among)
        lines = [line for client in among for line in client.lines]
        for client in among:
            client.see(*lines)

    def commit(self, *except_for: Client) -> None:
        for client in self.players:
            if client not in except_for:
                client.commit(*(client.slip(slot) for slot in range(1, self.slots + 1)))
        self.share()

    def seal(self, *except_for: Client) -> None:
        for client in self.everybody:
            if client not in except_for:
                client.say(Seal())
        self.share()

    def start(self) -> None:
        self.commit()
        self.seal()
        if self.host.transcript.table.priority == "tracked":
            self.step()

    def step(self, *, active: int = 0, step: str = "upkeep") -> None:
        for client in self.players:
            body = Step(active=self.players[active].key, priority=step != "untap", step=step, turn=1)
            if client.refused(body) is None:
                client.say(body)
                break
        self.share()

    def pass_to(self, holder: Client) -> None:
        """Let everybody pass until ``holder`` has priority."""
        for _ in self.players:
            if holder.refused(Pass()) is None:
                return
            for client in self.players:
                if client.refused(Pass()) is None:
                    client.say(Pass())
                    break
            self.share()

    def finish(self) -> None:
        """Let every honest player leave alone, in turn."""
        self.share()
        for client in self.honest:
            if client is not self.judge and client.refused(End(outcome="")) is None:
                client.leave()
                self.share()

    def verdict(self) -> Verdict:
        return judge(transcript(self.lines))


def transcript(lines: Iterable[Line]) -> Transcript:
    pile = Pile()
    for line in lines:
        pile.add(line)
    return Transcript(pile, _VERIFIED)


def unsigned(entry: Entry[Body]) -> Line:
    """A line with a signature of zeros."""
    return read_line(b'{"entry":' + encode(entry) + b',"signature":"' + b"0" * 128 + b'"}')


def damaged(line: Line) -> Line:
    """The line with a signature that does not hold."""
    last = "0" if line.signature[0] != "0" else "1"
    return line.signed_by(last + line.signature[1:])


def found(verdict: Verdict) -> set[tuple[Code, str, int | None]]:
    """What may never be taken back: code, author and slot of every finding."""
    return {(finding.code, finding.author, finding.slot) for finding in verdict.findings}
