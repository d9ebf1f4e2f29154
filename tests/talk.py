"""A small table for tests: players with fixed keys who say things over whatever they choose."""

from collections.abc import Iterable
from hashlib import sha256, sha512

from msgspec import UNSET, UnsetType

from hiddenagenda.entry import Body, Entry, Note, ShownSlip, frame
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line, sign
from hiddenagenda.seat import Seat
from hiddenagenda.table import AgendaCard, Judge, NamesList, Table

NAMES = (
    *("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hanna"),
    *("Ida", "Jo", "Kim", "Lea", "Max", "Nia", "Ole", "Pia"),
)
JUDGE = "Judge"


def identity(name: str) -> Identity:
    """The same key for the same name, always."""
    return Identity(sha256(name.encode()).digest())


def key(name: str) -> str:
    return identity(name).public.hex


def seat(name: str, game: str = "") -> Seat:
    return Seat(key=key(name), name=name, nonce=sha256(f"{game} {name} nonce".encode()).hexdigest())


def table(
    players: int = 2,
    *,
    judge: bool = False,
    label: str = "Friday",
    names: NamesList | UnsetType = UNSET,
    conspiracies: tuple[AgendaCard, ...] | UnsetType = UNSET,
) -> Table:
    return Table(
        conspiracies=conspiracies,
        edition="2025-09",
        judge=Judge(key=key(JUDGE), name=JUDGE) if judge else UNSET,
        label=label,
        names=names,
        players=tuple(seat(name, label) for name in NAMES[:players]),
        priority="declared",
    )


class Talk:
    """The lines of one game in the order they were said."""

    def __init__(self, players: int = 2, *, judge: bool = False, label: str = "Friday") -> None:
        self.lines: list[Line] = []
        self.last: dict[str, Line] = {}
        body = table(players, judge=judge, label=label)
        self.table = self._keep("Ana", sign(frame(body, author=key("Ana")), identity("Ana")))

    @property
    def game(self) -> str:
        return self.table.id

    @property
    def data(self) -> bytes:
        return file(self.lines)

    def say(
        self, who: str, body: Body | None = None, over: Iterable[Line] | None = None, seq: int | None = None
    ) -> Line:
        """Sign and keep an entry over ``over`` (default: the last line and the author's own last one)."""
        return self._keep(who, sign(self.entry(who, body, over, seq), identity(who)))

    def forge(
        self, who: str, body: Body | None = None, over: Iterable[Line] | None = None, seq: int | None = None
    ) -> Line:
        """As ``say``, but signed by nobody, and not remembered as the author's last."""
        line = forged(sign(self.entry(who, body, over, seq), identity(who)))
        self.lines.append(line)
        return line

    def entry(
        self, who: str, body: Body | None = None, over: Iterable[Line] | None = None, seq: int | None = None
    ) -> Entry[Body]:
        own = self.last.get(who)
        if over is None:
            over = [self.lines[-1], *([own] if own else [])]
        return frame(
            Note(text=f"{who} {len(self.lines)}") if body is None else body,
            author=key(who),
            game=self.game,
            parents=tuple({line.id for line in over}),
            seq=seq or (own.entry.seq if own else 0) + 1,
        )

    def slip(self, who: str, slot: int = 1, name: str = "Grizzly Bears") -> ShownSlip:
        return ShownSlip(
            conspiracy="Muzzio's Preparations",
            game=self.game,
            names=(name,),
            player=key(who),
            salt=sha256(f"{who} {slot} {name}".encode()).hexdigest(),
            slot=slot,
        )

    def _keep(self, who: str, line: Line) -> Line:
        self.lines.append(line)
        self.last[who] = line
        return line


def file(lines: Iterable[Line]) -> bytes:
    return b"".join(line.data + b"\n" for line in lines)


def forged(line: Line) -> Line:
    """The line with a signature that does not hold."""
    return line.signed_by(sha512(line.signature.encode()).hexdigest())


def around(raw: bytes, who: str = "Ana") -> bytes:
    """A line around any bytes, validly signed by ``who`` whatever they are."""
    return b'{"entry":' + raw + b',"signature":"' + identity(who).sign(raw).hex().encode() + b'"}'
