"""Who sits at a table: their keys, and whether one has met them by these names before."""

import os
from collections.abc import Collection, Iterator
from contextlib import suppress

from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.known_players import KnownPlayers, Meeting, Standing
from hiddenagenda.faults import HiddenAgendaError, Sentence, sentence
from hiddenagenda.publickey import PublicKey
from hiddenagenda.table import Table
from hiddenagenda_cli.ask import at_terminal, confirm
from hiddenagenda_cli.output import voice
from hiddenagenda_cli.signing import keystore


def known_players() -> KnownPlayers:
    """Return the players whom this user has met."""
    return KnownPlayers(os.path.join(data_directory(), "players"))


def introduce(table: Table, own: Collection[str], *, again: bool = False) -> tuple[Meeting, ...]:
    """Say who sits at a table besides the ``own`` keys and others of this user's; nobody is remembered by it.

    A key that does not go with its name is said loudly. Those one knows are not said ``again``.
    """
    known = known_players()
    seats = [seat for seat in table.players if seat.key not in {*own, *_own_keys()}]
    meetings = tuple(known.look(seat.name, PublicKey.from_hex(seat.key)) for seat in seats)
    for meeting in meetings:
        if not meeting.is_alarming:
            if not (again and meeting.standing is Standing.KNOWN):
                voice.say(meeting.said)
            continue
        voice.warn(meeting.said)
        voice.say(
            sentence(
                "  it may be a new device, or somebody who poses as {name}: ask for the fingerprint by another way than"
                " this chat",
                name=meeting.met.name,
            )
        )
        voice.say(_settle(meeting))
    return meetings


def agree(meetings: Collection[Meeting]) -> None:
    """Ask whether to go on where somebody comes with a strange key; where nobody can be asked one goes on."""
    if (
        any(meeting.is_alarming for meeting in meetings)
        and at_terminal()
        and not confirm(sentence("Sign all the same?"))
    ):
        raise KeyboardInterrupt


def remember(meetings: Collection[Meeting]) -> None:
    """Remember whom one has met for the first time, once one sits at the table with them."""
    known = known_players()
    for meeting in meetings:
        known.meet(meeting.met.name, meeting.met.public)


def _own_keys() -> Iterator[str]:
    store = keystore()
    for name in store.names():
        with suppress(HiddenAgendaError):  # a key that cannot be used is said where it is used
            yield store.read(name).public.hex


def _settle(meeting: Meeting) -> Sentence:
    if meeting.standing is Standing.SHARED_NAME:
        return sentence("  the other key is dropped by: hiddenagenda key forget NAME FINGERPRINT")
    # The name is a stranger's choice and does not stand in a line that somebody may copy into a shell.
    return sentence("  then: hiddenagenda key trust NAME {line}", line=meeting.met.public.line)
