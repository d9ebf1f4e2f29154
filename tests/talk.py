"""A small table for tests: players with fixed keys who say things over whatever they choose."""

from hashlib import sha256

from hiddenagenda.entry import Body, Entry, Note, ShownSlip, frame
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line, read_line, sign
from hiddenagenda.seat import Seat
from hiddenagenda.shape import encode
from hiddenagenda.table import Judge, Table
from msgspec import UNSET

NAMES = (
    "Ana",
    "Ben",
    "Cleo",
    "Dan",
    "Eva",
    "Finn",
    "Gus",
    "Hanna",
    "Ida",
    "Jo",
    "Kim",
    "Lea",
    "Max",
    "Nia",
    "Ole",
    "Pia",
)


def identity(name: str) -> Identity:
    """The same key for the same name, always."""
    return Identity(sha256(name.encode()).digest())


def seat(name: str, game: str = "") -> Seat:
    return Seat(key=identity(name).public.hex, name=name, nonce=sha256(f"{game} {name} nonce".encode()).hexdigest())


class Talk:
    """The lines of one game in the order they were said."""

    def __init__(self, players: int = 2, *, judge: bool = False, label: str = "Friday", **table: object) -> None:
        self.who = {name: identity(name) for name in (*NAMES[:players], "Judge")}
        self.key = {name: known.public.hex for name, known in self.who.items()}
        body = Table(
            edition="2025-09",
            judge=Judge(key=self.key["Judge"], name="Judge") if judge else UNSET,
            label=label,
            players=tuple(seat(name, label) for name in NAMES[:players]),
            priority="declared",
            **table,
        )
        self.lines: list[Line] = []
        self.last: dict[str, Line] = {}
        self.seq: dict[str, int] = {}
        self.table = self._keep("Ana", sign(frame(body, author=self.key["Ana"]), self.who["Ana"]))

    def say(self, who: str, body: Body | None = None, over: list[Line] | None = None, seq: int | None = None) -> Line:
        """Sign and keep an entry over ``over`` (default: the last line) and the author's own last one."""
        return self._keep(who, sign(self.entry(who, body, over, seq), self.who[who]))

    def forge(self, who: str, body: Body | None = None, over: list[Line] | None = None, seq: int | None = None) -> Line:
        """As ``say``, but with a signature that does not hold, and not remembered as the author's last."""
        return forged(sign(self.entry(who, body, over, seq), self.who[who]))

    def entry(
        self, who: str, body: Body | None = None, over: list[Line] | None = None, seq: int | None = None
    ) -> Entry[Body]:
        if over is None:
            over = [self.lines[-1], *([self.last[who]] if who in self.last else [])]
        return frame(
            Note(text=f"{who} {len(self.lines)}") if body is None else body,
            author=self.key[who],
            game=self.table.id,
            parents=tuple({line.id for line in over}),
            seq=self.seq.get(who, 0) + 1 if seq is None else seq,
        )

    def slip(self, who: str, slot: int = 1, name: str = "Grizzly Bears") -> ShownSlip:
        return ShownSlip(
            conspiracy="Muzzio's Preparations",
            game=self.table.id,
            names=(name,),
            player=self.key[who],
            salt=sha256(f"{who} {slot} {name}".encode()).hexdigest(),
            slot=slot,
        )

    @property
    def data(self) -> bytes:
        return file(self.lines)

    def _keep(self, who: str, line: Line) -> Line:
        self.lines.append(line)
        self.last[who] = line
        self.seq[who] = max(self.seq.get(who, 0), line.entry.seq)
        return line


def file(lines: list[Line]) -> bytes:
    return b"".join(line.data + b"\n" for line in lines)


def forged(line: Line) -> Line:
    """The line with a signature that does not hold."""
    return line.signed_by(("1" if line.signature[0] == "0" else "0") + line.signature[1:])


def line_of(raw: bytes, who: str) -> bytes:
    """A line around any bytes, signed by ``who`` whatever they are."""
    return b'{"entry":' + raw + b',"signature":"' + identity(who).sign(raw).hex().encode() + b'"}'


__all__ = ["NAMES", "Talk", "encode", "file", "forged", "identity", "line_of", "read_line", "seat"]
