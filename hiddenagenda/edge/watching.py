"""A game as somebody sees it who signs nothing now: no secret key is needed, and nothing is written.

SPEC "A client's habits". What was signed here and a crash kept from the file is seen, too. Nothing is asked and nothing
printed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import UNSET

from hiddenagenda.case import turn
from hiddenagenda.edge.client import (
    lacking_elsewhere,
    missing_from,
    only_game,
    own_slips,
    read_games,
    seated_keys,
    unknown_lines,
    unknown_own,
)
from hiddenagenda.edge.memory import GameState, Memory
from hiddenagenda.faults import IllegalMove, Sentence, sentence
from hiddenagenda.hearing import Hearing
from hiddenagenda.moves import Option, options
from hiddenagenda.player import Player, check_table
from hiddenagenda.priority import NOBODY
from hiddenagenda.seat import Seat
from hiddenagenda.verdict import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A game, and what one of its players may do next."""

    hearing: Hearing
    """The game, with what was signed here and is not in the file."""
    seat: Seat | None
    """Through whose eyes; None for a stranger."""
    obstacle: IllegalMove | None
    """Why the player may sign nothing here."""
    moves: tuple[Option, ...]
    lost: tuple[int, ...]
    """The own slots whose slips are not here though they will have to be shown."""
    unsent: int
    """Entries that the others may lack."""
    holder: Seat | None
    """Who has priority; None where nobody has, it is not tracked, or the game is not on."""
    stepper: Seat | None
    """Who may open the next step."""
    awaited: tuple[Sentence, ...]
    """What the game waits for before it is on."""


def view(home: str, path: str, *, key: str | None = None, usual: str | None = None) -> View:
    """Return what ``key`` (hex) sees in the game file at ``path``.

    Without one it is the user's ``usual`` key if it sits there, else the one whose seat was made on this device. Raises
    ``Malformed`` and ``StoreError``.
    """
    transcript = only_game(read_games([path]), path=path)
    memory = Memory(home)
    state = memory.game(transcript.game)
    missing = missing_from(transcript, state)
    if missing:
        transcript = transcript.add(missing)
    hearing = Hearing.of(transcript)
    seats = transcript.table.players
    seat = _seat(seats, [usual, *seated_keys(home, transcript)] if key is None else [key])
    is_tracked = hearing.setting.tracked and hearing.standing.facts.phase is Phase.ON
    may = turn(hearing.standing) if is_tracked else NOBODY
    obstacle: IllegalMove | None = None
    moves: tuple[Option, ...] = ()
    lost: tuple[int, ...] = ()
    if seat is not None:
        slips = own_slips(state, transcript, seat.key)
        player = Player(hearing=hearing, key=seat.key)
        try:
            _check(memory, path, player, state)
            moves = options(player, slips)
            lost = tuple(slot for slot in player.face_down if slot not in slips)
        except IllegalMove as error:
            obstacle = error
    return View(
        hearing=hearing,
        seat=seat,
        obstacle=obstacle,
        moves=moves,
        lost=lost,
        unsent=0 if seat is None else lacking_elsewhere(transcript, seat.key).count(b"\n"),
        holder=None if may.holder is None else seats[may.holder],
        stepper=None if may.stepper is None else seats[may.stepper],
        awaited=tuple(_awaited(hearing)),
    )


def _seat(seats: Sequence[Seat], keys: Sequence[str | None]) -> Seat | None:
    return next((seat for key in keys for seat in seats if seat.key == key), None)


def _check(memory: Memory, path: str, player: Player, state: GameState) -> None:
    """Refuse what ``Client`` would refuse."""
    transcript = player.hearing.transcript
    check_table(transcript.table)
    memory.check_seat(transcript.table.players, player.key, transcript.game)
    unknown = unknown_lines(state, transcript, player.key)
    if unknown:
        raise unknown_own(unknown, path)


def _awaited(hearing: Hearing) -> Iterator[Sentence]:
    facts = hearing.standing.facts
    if facts.phase is not Phase.SETTING_UP:
        return
    table = hearing.setting.table
    committed = {author for author, _ in facts.commits}
    sealed = {author for author, _ in facts.seals}
    for number, seat in enumerate(table.players):
        if number not in committed:
            yield sentence("{player} has not committed", player=seat.name)
        elif number not in sealed:
            yield sentence("{player} has not sealed", player=seat.name)
    if table.judge is not UNSET and hearing.setting.judge not in sealed:
        yield sentence("the judge has not sealed")
