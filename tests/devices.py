"""People with a key, a device and a game file each, for tests of clients."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec import UNSET, UnsetType

from hiddenagenda.edge.client import Client, only_game, read_games, set_table
from hiddenagenda.edge.exchange import receive
from hiddenagenda.edge.memory import Memory
from hiddenagenda.faults import HiddenAgendaError
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line
from hiddenagenda.naming import Choice
from hiddenagenda.player import new_seat
from hiddenagenda.seat import Seat
from hiddenagenda.table import Judge, Table
from hiddenagenda.transcript import Transcript

BEARS = Choice(conspiracy="Muzzio's Preparations", names=("Grizzly Bears",), notices=(), warnings=())
CROW = Choice(conspiracy="Muzzio's Preparations", names=("Storm Crow",), notices=(), warnings=())


class Person:
    """Somebody with a key, a device (a home) and a game file."""

    def __init__(self, place: Path, name: str, number: int) -> None:
        self.place = place / name
        self.place.mkdir()
        self.name = name
        self.identity = Identity(bytes([number]) * 32)
        self.key = self.identity.public.hex
        self.home = str(self.place / "home")
        self.path = str(self.place / "game.jsonl")

    def seat(self) -> Seat:
        seat = new_seat(self.identity.public, self.name)
        Memory(self.home).remember_seat(seat)
        return seat

    def client(self) -> Client:
        return Client(self.home, self.path, self.identity)

    def take(self, *lines: Line | bytes) -> None:
        receive(self.home, self.path, [line if isinstance(line, bytes) else line.data for line in lines])

    def file(self) -> bytes:
        return Path(self.path).read_bytes()

    @property
    def transcript(self) -> Transcript:
        return only_game(read_games([self.path]), path=self.path)

    @property
    def sent(self) -> list[Line]:
        return list(Memory(self.home).game(self.transcript.game).own_lines())


def table_of(seats: Sequence[Seat], *, label: str = "friday", judge: Judge | UnsetType = UNSET) -> Table:
    return Table(edition="2025-09", judge=judge, label=label, players=tuple(seats), priority="declared")


def sit_down(place: Path) -> tuple[Person, Person]:
    """Ana and Ben at a table that Ana has set, with a copy of it each."""
    ana, ben = Person(place, "Ana", 1), Person(place, "Ben", 2)
    said = set_table(ana.home, ana.path, ana.identity, table_of([ana.seat(), ben.seat()]))
    ben.take(said.line)
    return ana, ben


def share(*people: Person) -> None:
    everything = b"".join(person.file() for person in people)
    for person in people:
        person.take(everything)


def start(ana: Person, ben: Person, choices: Sequence[Choice] = (BEARS,)) -> None:
    ana.client().commit(choices)
    ben.client().commit([])
    share(ana, ben)
    ana.client().seal()
    share(ana, ben)
    ben.client().seal()
    share(ana, ben)


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(HiddenAgendaError) as caught:
        action()
    return caught.value.code


def backup(person: Person) -> Callable[[], None]:
    """Return what puts a person's home back to what it is now."""
    copy = person.home + ".backup"
    shutil.copytree(person.home, copy)

    def restore() -> None:
        shutil.rmtree(person.home)
        shutil.copytree(copy, person.home)

    return restore
