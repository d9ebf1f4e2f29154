"""Synthetic seasons: many games that look alike, made fast and always the same.

A game has three players with two slots each and 25 entries: table, commits, seals, turnings-up, uses, notes, and
everybody leaves. One game in a hundred has a cheat, each time another kind of him. Everything comes from the game's
number, so that the same season can be made again, in pieces if need be. Nothing here asks the law.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from hiddenagenda.entry import Apply, Body, Commit, Leave, Note, Open, Seal, ShownSlip, frame
from hiddenagenda.identity import Identity
from hiddenagenda.seat import Seat
from hiddenagenda.shape import encode
from hiddenagenda.table import Table

PLAYERS = ("Ana", "Ben", "Cleo")
POOL = 300
"""How many people play a season in which keys come back."""
CHEATS_EVERY = 100
ENTRIES = 25
_CARDS = ("Grizzly Bears", "Wind Drake", "Llanowar Elves", "Storm Crow", "Shivan Dragon", "Serra Angel")
_UNSIGNED = b"0" * 128


@cache
def identity(number: int) -> Identity:
    return Identity(sha256(f"season player {number}".encode()).digest())


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a synthetic game, and what it is made of."""

    id: str
    raw: bytes
    signature: bytes
    author: str

    @property
    def data(self) -> bytes:
        return b'{"entry":' + self.raw + b',"signature":"' + self.signature + b'"}\n'


class Game:
    """One game of a season, written down without asking anybody."""

    def __init__(self, number: int, *, new_keys: bool = False, sign_all: bool = True) -> None:
        self.number = number
        places = range(len(PLAYERS))
        numbers = [POOL + 3 * number + place if new_keys else (7 * number + 101 * place) % POOL for place in places]
        self.identities = [Identity(_digest("new", one)) if new_keys else identity(one) for one in numbers]
        self.keys = [one.public.hex for one in self.identities]
        self.names = [f"{PLAYERS[one % 3]} {one}" for one in numbers]
        self.sign_all = sign_all
        self.lines: list[Line] = []
        self.own: list[list[str]] = [[] for _ in places]
        self.id: str | None = None
        self._play()

    @property
    def data(self) -> bytes:
        return b"".join(line.data for line in self.lines)

    def _say(self, place: int, body: Body, *, over: Iterable[str] | None = None) -> None:
        """Say something over the last entry and the own last one, or over ``over``."""
        own = self.own[place]
        if over is None:
            over = [self.lines[-1].id, *own[-1:]] if self.lines else []
        entry = frame(body, author=self.keys[place], game=self.id, parents=tuple(sorted({*over})), seq=len(own) + 1)
        raw = encode(entry)
        last = len(self.lines) >= ENTRIES - len(PLAYERS) - 1
        signed = self.sign_all or last
        signature = self.identities[place].sign(raw).hex().encode() if signed else _UNSIGNED
        line = Line(sha256(raw).hexdigest(), raw, signature, self.keys[place])
        self.lines.append(line)
        own.append(line.id)

    def _slip(self, place: int, slot: int, name: str | None = None) -> ShownSlip:
        return ShownSlip(
            conspiracy="Muzzio's Preparations" if slot == 1 else "Echoing Boon",
            game=str(self.id),
            names=(name or _CARDS[(self.number + 2 * place + slot) % len(_CARDS)],),
            player=self.keys[place],
            salt=_digest("salt", self.number, place, slot).hex(),
            slot=slot,
        )

    def _open(self, place: int, *slots: int, name: str | None = None) -> None:
        self._say(place, Open(slips=tuple(self._slip(place, slot, name) for slot in slots), when="turn 3, upkeep"))

    def _play(self) -> None:
        places = range(len(PLAYERS))
        cheat = self.number // CHEATS_EVERY % 5 if self.number % CHEATS_EVERY == 7 else None
        self._say(0, self._table())
        self.id = self.lines[0].id
        table = [self.id]
        slips = [[self._slip(place, slot) for slot in (1, 2)] for place in places]
        for place in places:
            self._say(place, Commit(commitments=tuple(one.digest for one in slips[place])), over=table)
        commits = [line.id for line in self.lines[1:]]
        for place in places:
            self._say(place, Seal(), over=commits)
        seals = [line.id for line in self.lines[-3:]]
        self._say(0, Note(text="good luck"), over=seals)
        if cheat == 0:
            self._say(1, Commit(commitments=()))
        for place in places:
            self._open(place, 1, name="Island" if cheat == 1 and place == 1 else None)
            card = slips[place][0].names[0]
            if cheat == 1 and place == 1:
                continue
            self._say(place, Apply(card="Forest" if cheat == 2 and place == 1 else card, slot=1))
            self._say(place, Note(text=f"life total {20 - place}, {self.number % 7} cards in hand"))
        if cheat == 3:
            self._say(1, Apply(card="Forest", slot=2))
        while len(self.lines) < ENTRIES - 4:
            place = len(self.lines) % 3
            self._say(place, Note(text=f"turn {len(self.lines)}: attacks with two creatures, nobody blocks"))
        self._open(2, 2)
        for place in places:
            due: tuple[ShownSlip, ...] = () if place == 2 or (cheat == 4 and place == 1) else (slips[place][1],)
            if cheat == 1 and place == 1:
                due = tuple(slips[place])
            self._say(place, Leave(player=self.keys[place], slips=due, why="conceded"))

    def _table(self) -> Table:
        return Table(
            edition="2025-09",
            label=f"round {self.number}",
            players=tuple(
                Seat(key=key, name=name, nonce=_digest("nonce", self.number, place).hex())
                for place, (key, name) in enumerate(zip(self.keys, self.names, strict=True))
            ),
            priority="declared",
        )


def _digest(*parts: object) -> bytes:
    return sha256(repr(parts).encode()).digest()


def games(numbers: Iterable[int], *, new_keys: bool = False, sign_all: bool = True) -> Iterator[Game]:
    return (Game(number, new_keys=new_keys, sign_all=sign_all) for number in numbers)


def write(path: Path, count: int, *, new_keys: bool = False, sign_all: bool = True, start: int = 0) -> Path:
    """Write a season of ``count`` games, one after the other, into one file."""
    with path.open("wb") as file:
        for game in games(range(start, start + count), new_keys=new_keys, sign_all=sign_all):
            file.write(game.data)
    return path


def write_interleaved(path: Path, count: int, *, at_once: int = 100) -> Path:
    """Write a season in which ``at_once`` games go on at the same time."""
    with path.open("wb") as file:
        for start in range(0, count, at_once):
            playing = [game.lines for game in games(range(start, min(start + at_once, count)))]
            for lines in itertools.zip_longest(*playing):
                file.writelines(line.data for line in lines if line is not None)
    return path
