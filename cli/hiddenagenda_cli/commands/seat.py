"""``seat``: my fresh seat for a game."""

import click

from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.memory import Memory
from hiddenagenda.faults import sentence
from hiddenagenda.player import new_seat
from hiddenagenda_cli import frame
from hiddenagenda_cli.labels import player_name
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.signing import public_key


@frame.command(
    "seat",
    help=(
        "Make a fresh seat for a game, to hand to whoever sets the table up.\n\nIt is remembered on this device: you"
        " play where your seat was made. A seat is good for one game; --count makes several at once."
    ),
    example="hiddenagenda seat --name Ana",
)
@click.option("--name", type=frame.TEXT, help="What you are called at the table; else the name used last.")
@click.option("--count", type=frame.Number(1, 64), default=1, help="How many seats, such as 3 for a match.")
@click.option("--key", metavar="NAME|FILE", help="The key to play with; else the default one.")
def command(name: str | None, count: int, key: str | None) -> Exit:
    """Remember the seats, then print them."""
    home = data_directory()
    public = public_key(key)
    called = player_name(home, name)
    seats = [new_seat(public, called) for _ in range(count)]
    memory = Memory(home)
    for seat in seats:
        memory.remember_seat(seat)
    for seat in seats:
        if voice.as_json:
            voice.json({"token": seat.token, "name": seat.name, "key": seat.key, "fingerprint": public.fingerprint})
        else:
            voice.result(seat.token)
    voice.say(
        sentence(
            "hand it to whoever sets the table up; your key, to compare: {fingerprint}", fingerprint=public.fingerprint
        )
    )
    return Exit.KEPT
