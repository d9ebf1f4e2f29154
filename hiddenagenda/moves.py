"""What a player may want to say: each move as the body of an entry, and which of them are legal now.

SPEC "A client's habits". A move is made of words and of the player's own slips; whether it may be signed, ``player``
asks the law. Nothing is signed here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.folding import fold
from hiddenagenda.commitment import Commitment
from hiddenagenda.entry import Act, Apply, Body, Commit, End, Leave, Note, Open, Pass, Seal, ShownSlip, Step
from hiddenagenda.faults import IllegalMove, Sentence, counted, sentence
from hiddenagenda.naming import choose_name
from hiddenagenda.player import Player, shown
from hiddenagenda.priority import QUIET_STEPS
from hiddenagenda.slip import Slip
from hiddenagenda.table import Table
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Phase

_SHORTEST_ID: Final = 6
_BEGINNING: Final = ("untap", "upkeep", "draw")
"""Steps that come once in a turn, at its beginning and in this order."""
_LAST: Final = "cleanup"


def commit(slips: Iterable[Slip]) -> Commit:
    """Return the body that commits to the slips of slots 1, 2, … ; of none, where there are none."""
    return Commit(commitments=tuple(Commitment.of(slip.turn_face_up()).hex for slip in slips))


def turn_up(player: Player, slips: Mapping[int, Slip], slot: int, *, when: str) -> Open:
    """Return the body that turns the own ``slot`` up.

    Raises ``IllegalMove`` where no slip for it is kept here, and where it lies open already.
    """
    if any(opened.slot == slot for opened in _opened(player)):
        raise IllegalMove(
            sentence("slot {slot} lies open already", slot=slot),
            hint=sentence("“send” prints again what the others may lack"),
            code="open",
        )
    if slot not in slips:
        if slot in player.face_down:
            raise _lost((slot,))
        raise IllegalMove(
            sentence("there is no slip of yours for slot {slot} in this game", slot=slot),
            hint=sentence("the slots with a slip: {slots}", slots=", ".join(map(str, sorted(slips))) or "-"),
            code="no-slip-kept",
        )
    return Open(slips=(shown(slips[slot]),), when=when)


def apply(
    player: Player, slot: int, typed: str, *, names: Catalogue, languages: tuple[str, ...]
) -> tuple[Apply, tuple[Sentence, ...]]:
    """Return the body that uses the linked ability of the own ``slot`` on a card, and notices.

    ``typed`` is a chosen name of the slot, however it is written, else any card's in one of the ``languages``. Raises
    what ``choose_name`` raises for a name that is not in the list, or that means two cards.
    """
    chosen = [name for slip in _opened(player) if slip.slot == slot for name in slip.names]
    meant = [name for name in chosen if typed == name] or [name for name in chosen if fold(typed) == fold(name)]
    if len(meant) == 1:
        return Apply(slot=slot, card=meant[0]), ()
    name, _, notices = choose_name(names, typed, languages=languages)
    return Apply(slot=slot, card=name), notices


def leave(player: Player, slips: Mapping[int, Slip], *, why: str) -> Leave:
    """Return the body by which ``player`` leaves and shows all that is still face down.

    Raises ``IllegalMove`` before the game is on, and where a slip that it takes is not here.
    """
    if player.phase is Phase.SETTING_UP:
        raise IllegalMove(
            sentence("the game is not on: there is nothing to leave"),
            hint=sentence("who does not want to play does not seal; nothing is owed"),
            code="not-on",
        )
    _check_here(player, slips)
    return Leave(player=player.key, slips=tuple(map(shown, player.lacking(slips))), why=why)


def reveal(player: Player, slips: Mapping[int, Slip], *, waited: bool) -> Open | None:
    """Return the body that shows what is due, or None where nothing of the player's is face down.

    Raises ``IllegalMove`` before the game is over, where it is over only by the own ``end`` unless the player has
    ``waited`` long enough, and where a slip that it takes is not here.
    """
    if player.phase is not Phase.SETTING_UP and not player.face_down:
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
    _check_here(player, slips)
    return Open(slips=tuple(map(shown, player.lacking(slips))), when="")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn of the game: its number, and the name of the player whose turn it is."""

    number: int
    active: str


def usual_turn(player: Player, step: str) -> Turn:
    """Return the turn in which ``step`` comes next if nothing unusual happens; no rule asks for it.

    It is the one of the last step, or the next turn where that one was the clean-up, or where ``step`` belongs to the
    beginning of a turn and the last step does not come before it.
    """
    hearing, facts = player.hearing, player.facts
    seats = hearing.setting.table.players
    remaining = [number for number in range(len(seats)) if facts.remaining >> number & 1] or [player.number]
    bodies = enumerate(line.entry.body for line in hearing.transcript.graph.nodes)
    steps = [body for number, body in bodies if isinstance(body, Step) and hearing.counts(number)]
    if not steps:
        return Turn(number=1, active=seats[remaining[0]].name)
    last = steps[-1]
    active = hearing.setting.numbers[last.active]
    if last.step == _LAST or (step in _BEGINNING and last.step not in _BEGINNING[: _BEGINNING.index(step)]):
        following = min(remaining, key=lambda number: (number - active - 1) % len(seats))
        return Turn(number=last.turn + 1, active=seats[following].name)
    return Turn(number=last.turn, active=seats[active].name)


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
    """The verb of the command line, and what follows the game's file: the slot, or the kind of a move."""
    said: Sentence


def options(player: Player, slips: Mapping[int, Slip]) -> tuple[Option, ...]:
    """Return what ``player``, who has these own ``slips``, may say now and has reason to.

    Left out are notes, which may be written at any time, and what would change nothing. Raises ``IllegalMove`` where
    the player may sign nothing at all.
    """
    return tuple(option for option, body in _candidates(player, slips) if player.may(body))


def _candidates(player: Player, slips: Mapping[int, Slip]) -> Iterator[tuple[Option, Body]]:
    phase = player.phase
    if phase is Phase.SETTING_UP:
        yield (
            Option(command="commit", said=sentence("name cards for your conspiracies, or none")),
            Commit(commitments=()),
        )
        yield Option(command="seal", said=sentence("accept everybody's commits")), Seal()
    elif phase is Phase.OVER:
        yield from _showing(player, slips)
    else:
        yield from _playing(player, slips)


def _showing(player: Player, slips: Mapping[int, Slip]) -> Iterator[tuple[Option, Body]]:
    due = tuple(map(shown, player.lacking(slips)))
    if not due:
        return
    if player.would_be_over_anyway():
        option = Option(command="reveal", said=sentence("show what is due"))
    else:
        said = sentence("show your slips, though the others have not ended the game yet")
        option = Option(command="reveal --waited", said=said)
    yield option, Open(slips=due, when="")


def _playing(player: Player, slips: Mapping[int, Slip]) -> Iterator[tuple[Option, Body]]:
    is_in = player.facts.remaining >> player.number & 1
    if is_in:
        for slip in player.lacking(slips):
            said = sentence("turn slot {slot} up", slot=slip.slot)
            yield Option(command=f"turn-up {slip.slot}", said=said), Open(slips=(shown(slip),), when="")
        for opened in _opened(player):
            said = sentence("use the linked ability of slot {slot}", slot=opened.slot)
            for name in opened.names[:1]:
                yield Option(command=f"apply {opened.slot}", said=said), Apply(slot=opened.slot, card=name)
        step = Step(active=player.key, priority=True, step="upkeep", turn=1)
        yield Option(command="priority step", said=sentence("open the next step")), step
        yield Option(command="priority pass", said=sentence("pass priority")), Pass()
        yield Option(command="priority act", said=sentence("act with priority")), Act(text="")
        yield Option(command="end", said=sentence("say that the game is over for all")), End(outcome="")
    if is_in or player.face_down:
        leaving = Leave(player=player.key, slips=tuple(map(shown, player.lacking(slips))), why="")
        yield Option(command="leave", said=sentence("leave, showing what is still face down")), leaving


def _opened(player: Player) -> list[ShownSlip]:
    """Return the own slips that lie open, by slot."""
    own = (one.slip for one in player.facts.shown if one.owner == player.number)
    return sorted(own, key=lambda slip: slip.slot)


def _check_here(player: Player, slips: Mapping[int, Slip]) -> None:
    lost = tuple(slot for slot in player.face_down if slot not in slips)
    if lost:
        raise _lost(lost)


def _lost(slots: tuple[int, ...]) -> IllegalMove:
    return IllegalMove(
        counted(
            "the slip of your slot {slots} is not here any more",
            "the slips of your slots {slots} are not here any more",
            n=len(slots),
            slots=", ".join(map(str, slots)),
        ),
        hint=sentence("commit with the same agendas again: that signs nothing and writes the same slips"),
        code="no-slip-kept",
    )
