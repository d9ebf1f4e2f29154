"""``join``: sit down at a live table, or come back to it."""

import os

import click

from hiddenagenda import chat
from hiddenagenda.edge.client import only_game, read_games
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.exchange import receive
from hiddenagenda.edge.known_players import Meeting
from hiddenagenda.edge.live import LiveTable
from hiddenagenda.edge.rooms import Room, Rooms, room_to_join
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.frames import Channel, new_session
from hiddenagenda.invitation import Invitation, read_invitation
from hiddenagenda.lobby import Guest
from hiddenagenda.publickey import PublicKey
from hiddenagenda.table import Table
from hiddenagenda.token import Kind
from hiddenagenda_cli import frame
from hiddenagenda_cli.ask import ask, at_terminal
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.files import read_standard_input
from hiddenagenda_cli.labels import player_name
from hiddenagenda_cli.live import Live, monotonic
from hiddenagenda_cli.live_lobby import Door
from hiddenagenda_cli.live_options import given_agendas, live_options
from hiddenagenda_cli.live_sources import back_to_terminal, first_line
from hiddenagenda_cli.live_table import TableTalk
from hiddenagenda_cli.output import Exit
from hiddenagenda_cli.people import agree, introduce, remember
from hiddenagenda_cli.signing import identity, key_options, public_key

_DIGITS = 12


@frame.command(
    "join",
    help=(
        "Join a live table, or come back to one.\n\nThe invitation is asked for, or taken from standard input; where"
        " FILE is a game that was joined before, it is remembered. Without FILE the game's file is named after"
        " the game."
    ),
    example="hiddenagenda join friday.jsonl < invitation.txt",
)
@click.argument("file", required=False, shell_complete=files)
@live_options
@key_options
def command(
    file: str | None,
    name: str | None,
    names_from: str | None,
    hidden_input: bool,
    json_lines: bool,
    key: str | None,
    passphrase_fd: int | None,
) -> Exit:
    """Connect, sit down where one does not sit yet, and play."""
    home = data_directory()
    game = only_game(read_games([file]), path=file).game if file and os.path.lexists(file) else None
    invitation = _invitation(home, game, as_events=json_lines)
    public_key(key)
    own = identity(key, passphrase_fd)
    given = given_agendas(names_from, hidden=hidden_input)
    room = _room(home, invitation, own.public, name)
    live = Live(own.public.hex, as_events=json_lines)
    live.way = room.invitation.address
    channel = Channel(room.invitation.key, new_session())
    meetings: tuple[Meeting, ...] = ()
    with live.running():
        if game is None or file is None:
            guest = Guest(channel, room.seat, game=room.invitation.game, now=monotonic())
            door = Door(live)
            live.connect(guest)
            line = door.table(guest)
            if line is None:
                return Exit.PENDING
            if isinstance(line.entry.body, Table):
                meetings = introduce(line.entry.body, {own.public.hex})
                agree(meetings)
            file = file or f"{line.id[:_DIGITS]}.jsonl"
            receive(home, file, [line.data + b"\n"])
            Rooms(home).remember(room.with_game(line.id))
        table = LiveTable(home, file, own, channel)
        remember(meetings)
        talk = TableTalk(live, table, hosts=False, hidden=hidden_input)
        live.connect(table.gossip)
        return talk.play(file, given)


def _room(home: str, invitation: Invitation, public: PublicKey, name: str | None) -> Room:
    known = Rooms(home).named(invitation.key.name)
    is_known = known is not None and known.seat.key == public.hex
    return room_to_join(home, invitation, public, "" if is_known else player_name(home, name))


def _invitation(home: str, game: str | None, *, as_events: bool) -> Invitation:
    """Return the invitation of the game that one comes back to, or the one that is given."""
    known = None if game is None else Rooms(home).of_game(game)
    if known is not None:
        return known.invitation
    if as_events:
        text = first_line("invitation")
    elif at_terminal():
        text = ask(sentence("Invitation"), option="FILE", hidden=True)
    else:
        text = read_standard_input().decode("utf-8", "replace")
        back_to_terminal()
    found = chat.find(text)
    for error in found.damaged:
        raise error
    invitations = [token for token in found.tokens if token.kind is Kind.INVITATION]
    if len(invitations) != 1:
        raise Malformed(
            sentence("{count} invitations are in it", count=len(invitations)),
            hint=sentence("an invitation begins with HAI1: its host has it"),
            code="no-invitation",
        )
    return read_invitation(invitations[0].payload)
