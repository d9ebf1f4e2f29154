"""What a player may want to say: each move as the body of an entry, and which of them are legal now.

SPEC "A client's habits". A move is made of words and of the player's own slips; whether it may be signed, ``player``
asks the law. Nothing is signed here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hiddenagenda.entry import Act, Apply, Body, Commit, End, Leave, Note, Open, Pass, Seal, Step
from hiddenagenda.faults import IllegalMove, Sentence, sentence
from hiddenagenda.player import Player, shown
from hiddenagenda.priority import QUIET_STEPS
from hiddenagenda.slip import Slip
from hiddenagenda.table import Table
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Phase

_SHORTEST_ID: Final = 6


def turn_up(slips: Mapping[int, Slip], slot: int, *, when: str) -> Open:
    """Return the body that turns up the own ``slot``. Raises ``IllegalMove`` where no slip for it is kept here."""
    if slot not in slips:
        raise IllegalMove(
            sentence("there is no slip of yours for slot {slot} of this game here", slot=slot),
            hint=sentence("the slots with a slip: {slots}", slots=", ".join(map(str, sorted(slips))) or "-"),
            code="no-slip-kept",
        )
    return Open(slips=(shown(slips[slot]),), when=when)


def leave(player: Player, slips: Mapping[int, Slip], *, why: str) -> Leave:
    """Return the body by which ``player`` leaves and shows all that is still face down."""
    return Leave(player=player.key, slips=tuple(map(shown, player.lacking(slips))), why=why)


def reveal(player: Player, slips: Mapping[int, Slip], *, waited: bool) -> Open | None:
    """Return the body that shows what is due, or None where nothing of the player's is face down.

    Raises ``IllegalMove`` before the game is over, and where it is over only by the own ``end`` unless the player has
    ``waited`` long enough.
    """
    due = player.lacking(slips)
    if not due:
        return None
    if player.phase is not Phase.OVER:
        raise IllegalMove(
            sentence("the game is not over: nothing is due yet"),
            hint=sentence("while you play, show a slip by turning it up; to go, leave"),
            code="not-due",
        )
    if not waited and not player.would_be_over_anyway():
        raise IllegalMove(
            sentence("the game is over only because you ended it: the others have signed nothing yet"),
            hint=sentence("wait for their “end”; to show your slips all the same, say --waited"),
            code="alone",
        )
    return Open(slips=tuple(map(shown, due)), when="")


def step_of(table: Table, step: str, *, turn: int, active: str, priority: bool | None) -> Step:
    """Return the body that opens a step; ``active`` is a name at the table. Raises ``IllegalMove`` for a stranger.

    Without a word about ``priority`` players have it, but in untap and cleanup.
    """
    keys = [seat.key for seat in table.players if seat.name == active]
    if not keys:
        names = ", ".join(seat.name for seat in table.players)
        raise IllegalMove(
            sentence("nobody at this table is called “{name}”", name=active),
            hint=sentence("at the table: {names}", names=names),
            code="stranger",
        )
    given = step not in QUIET_STEPS if priority is None else priority
    return Step(active=keys[0], priority=given, step=step, turn=turn)


def note(transcript: Transcript, text: str, *, about: str | None) -> Note:
    """Return the body of a note; ``about`` is the beginning of an entry's id. Raises ``IllegalMove`` for none such."""
    if about is None:
        return Note(text=text)
    return Note(text=text, entry=find_entry(transcript, about))


def find_entry(transcript: Transcript, start: str) -> str:
    """Return the id that begins with ``start``. Raises ``IllegalMove`` where none does, or several do."""
    found = [name for name in transcript.graph.index if name.startswith(start.lower())]
    if len(found) != 1 or len(start) < _SHORTEST_ID:
        raise IllegalMove(
            sentence("{count} entries of this game begin with “{start}”", count=len(found), start=start),
            hint=sentence("give at least {digits} digits of one id", digits=_SHORTEST_ID),
            code="no-entry",
        )
    return found[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A move that is legal now."""

    command: str
    """The verb of the command line, and the slot where there is one."""
    said: Sentence


def options(player: Player, slips: Mapping[int, Slip]) -> tuple[Option, ...]:
    """Return what ``player``, who has these own ``slips``, may say now; a note may be written at any time."""
    return tuple(option for option, body in _candidates(player, slips) if player.may(body))


def _candidates(player: Player, slips: Mapping[int, Slip]) -> Iterator[tuple[Option, Body]]:
    yield Option(command="commit", said=sentence("name cards for your conspiracies, or none")), Commit(commitments=())
    yield Option(command="seal", said=sentence("accept everybody's commits")), Seal()
    over = player.phase is Phase.OVER
    for slip in player.lacking(slips):
        if over:
            yield Option(command="reveal", said=sentence("show slot {slot}", slot=slip.slot)), _open(slip)
        else:
            said = sentence("turn slot {slot} up", slot=slip.slot)
            yield Option(command=f"turn-up {slip.slot}", said=said), _open(slip)
    for slot, slip in sorted(slips.items()):
        said = sentence("use the linked ability of slot {slot}", slot=slot)
        for name in slip.names[:1]:
            yield Option(command=f"apply {slot}", said=said), Apply(slot=slot, card=name)
    step = Step(active=player.key, priority=True, step="upkeep", turn=1)
    yield Option(command="priority step", said=sentence("open the next step")), step
    yield Option(command="priority pass", said=sentence("pass priority")), Pass()
    yield Option(command="priority act", said=sentence("act with priority")), Act(text="")
    yield Option(command="end", said=sentence("say that the game is over for all")), End(outcome="")
    leaving = Leave(player=player.key, slips=tuple(map(shown, player.lacking(slips))), why="")
    yield Option(command="leave", said=sentence("leave, showing what is still face down")), leaving


def _open(slip: Slip) -> Open:
    return Open(slips=(shown(slip),), when="")
