"""``host``: a live table that others join, and the own seat at it."""

import os
from pathlib import PurePath

import click

from hiddenagenda.cards.folding import clean
from hiddenagenda.edge.addresses import Address
from hiddenagenda.edge.client import only_game, read_games, set_table
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.live import LiveTable
from hiddenagenda.edge.memory import Memory
from hiddenagenda.edge.relay import Relay
from hiddenagenda.edge.rooms import Room, Rooms, key_of, room_to_host
from hiddenagenda.faults import IllegalMove, sentence
from hiddenagenda.frames import Channel, RoomKey, new_session
from hiddenagenda.identity import Identity
from hiddenagenda.lobby import Lobby
from hiddenagenda.player import new_seat
from hiddenagenda.rulebook import NEWEST
from hiddenagenda.seat import Seat
from hiddenagenda.table import NamesList, Table
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.labels import player_name
from hiddenagenda_cli.live import Live, monotonic
from hiddenagenda_cli.live_lobby import HostLobby
from hiddenagenda_cli.live_options import given_agendas, live_options
from hiddenagenda_cli.live_table import TableTalk
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.people import agree, introduce, remember
from hiddenagenda_cli.signing import identity, key_options, public_key


@frame.command(
    "host",
    help=(
        "Host a live table, and play at it.\n\nPrints an invitation to give to the others in private. Where FILE is"
        " new, seats are collected and a table is set; where it is a game, it goes on. Behind a home router, forward"
        " a port to this computer, or use a relay that all can reach (--relay)."
    ),
    example="hiddenagenda host friday.jsonl --bind 0.0.0.0:7707",
)
@click.argument("file", shell_complete=files)
@click.option("--bind", default=":7707", metavar="ADDRESS", help="Where to listen, as in 127.0.0.1:7707 or [::]:7707.")
@click.option("--advertise", metavar="URL", help="Where the others find it, such as wss://example.org/agenda.")
@click.option("--relay", "relay_url", metavar="URL", help="Use the relay there, and listen nowhere.")
@click.option("--label", type=frame.TEXT, help="A word for the game; else the name of the file.")
@click.option(
    "--priority",
    type=frame.OneOf(["declared", "tracked"]),
    default="declared",
    help="Whether players say when they turn up, or every step and pass is recorded.",
)
@live_options
@key_options
def command(
    file: str,
    bind: str,
    advertise: str | None,
    relay_url: str | None,
    label: str | None,
    priority: str,
    name: str | None,
    names_from: str | None,
    hidden_input: bool,
    json_lines: bool,
    key: str | None,
    passphrase_fd: int | None,
) -> Exit:
    """Serve, invite, set the table where there is none, and play."""
    home = data_directory()
    public_key(key)
    own = identity(key, passphrase_fd)
    given = given_agendas(names_from, hidden=hidden_input)
    room_key, seat, game = _place(home, file, own, name)
    live = Live(own.public.hex, as_events=json_lines)
    channel = Channel(room_key, new_session())
    with live.running():
        if relay_url is None:
            served = live.network.host(Relay(only=room_key.name), Address.read(bind))
            room = room_to_host(home, advertise or served.url, room_key, seat, game)
            # The host's own way is the shortest: to its own relay, through no proxy.
            live.way = f"{served.own_url}/{room_key.name}"
        else:
            room = room_to_host(home, relay_url, room_key, seat, game)
            live.way = room.invitation.address
        _invite(room, as_events=json_lines)
        if game is None:
            word = clean(PurePath(file).stem if label is None else label).text
            lobby = Lobby(channel, seat, now=monotonic())
            live.connect(lobby, through_proxy=relay_url is not None)
            table = HostLobby(live, lobby, lambda seats: _table(seats, word, is_tracked=priority == "tracked")).table()
            if table is None:
                return Exit.PENDING
            meetings = introduce(table, {own.public.hex})
            agree(meetings)
            Rooms(home).remember(room.with_game(set_table(home, file, own, table).line.id))
            remember(meetings)
        live_table = LiveTable(home, file, own, channel)
        talk = TableTalk(live, live_table, hosts=True, hidden=hidden_input)
        live.connect(live_table.gossip, through_proxy=relay_url is not None)
        return talk.play(file, given)


def _place(home: str, file: str, own: Identity, name: str | None) -> tuple[RoomKey, Seat, str | None]:
    """Return the key of the room, the own seat, and the game where ``file`` is one."""
    if not os.path.lexists(file):
        seat = new_seat(own.public, player_name(home, name))
        Memory(home).remember_seat(seat)
        return RoomKey.generate(), seat, None
    transcript = only_game(read_games([file]), path=file)
    for seat in transcript.table.players:
        if seat.key == own.public.hex:
            return key_of(home, transcript.game), seat, transcript.game
    raise IllegalMove(sentence("no seat at this table has your key"), code="not-seated")


def _table(seats: tuple[Seat, ...], label: str, *, is_tracked: bool) -> Table:
    header = catalogue().header
    return Table(
        edition=NEWEST.value,
        label=label,
        names=NamesList(date=header.date, digest=header.digest),
        players=seats,
        priority="tracked" if is_tracked else "declared",
    )


def _invite(room: Room, *, as_events: bool) -> None:
    invitation = room.invitation
    if as_events:
        voice.json({"event": "invitation", "invitation": invitation.token, "url": invitation.url})
    elif voice.as_json:
        voice.json({"invitation": invitation.token, "url": invitation.url})
    else:
        voice.result(invitation.token)
    voice.say(
        sentence(
            "invitation to {url}: whoever has it can read along and disturb, and cannot cheat by it", url=invitation.url
        )
    )
