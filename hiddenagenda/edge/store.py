"""Where slips lie until they are turned up: one file a slip, on the disk before its commitment is known to anybody.

SPEC "Files". A slip's file has its commitment as name and exactly the slip's bytes in it, so that ``sha256sum`` of it
prints its name. Nothing is overwritten and nothing is deleted; a mark beside a slip says that it was shown. Whether a
slip keeps the rules is not asked here.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from hiddenagenda import canonical
from hiddenagenda.commitment import Commitment, OpeningMismatch
from hiddenagenda.edge.directories import check_private_directory, private_directory
from hiddenagenda.edge.files import LEFTOVER, StoreError, explained, read_secret, replace_file, write_new_secret
from hiddenagenda.edge.lock import locked
from hiddenagenda.faults import IllegalMove, Malformed, Sentence, sentence
from hiddenagenda.slip import LARGEST, MOST_SLOTS, Slip, repeated
from hiddenagenda.value import value

_SLIP: Final = ".slip"
_OPENED: Final = ".opened"
_NAME: Final = re.compile(r"([0-9a-f]{64})\.slip")
_LONGEST_PREFERENCES: Final = 8192
_UNFIT: Final = {"eacces", "eisdir", "eloop", "emlink", "enoent", "foreign-owner", "lax-mode", "no-file"}
"""Codes of what is wrong with one file; other failures are the system's, and nothing is known about the file."""


@value
class Kept:
    """One slip of the store."""

    commitment: Commitment
    slip: Slip
    opened: bool
    """Whether its owner has shown it."""


@value
class Unreadable:
    """A file among the slips that is none: its name, and why."""

    name: str
    said: Sentence


@value
class Listing:
    """Everything in a store: slips by game, player and slot; the rest by name."""

    slips: tuple[Kept, ...]
    unreadable: tuple[Unreadable, ...]

    @property
    def face_down(self) -> tuple[Kept, ...]:
        """The slips that were not shown yet."""
        return tuple(kept for kept in self.slips if not kept.opened)


class SlipStore:
    """The slips in the directory ``slips`` of ``home``, a path; neither need exist before the first slip does.

    Every method raises ``StoreError`` for a directory that cannot be used or is open to others.
    """

    def __init__(self, home: str) -> None:
        self._directory = os.path.join(home, "slips")

    def keep(self, slip: Slip) -> Commitment:
        """Keep a slip with a salt of its own in the slot that it names; return its commitment, which is safe to show.

        Raises ``IllegalMove`` where a slip is kept for this player, game and slot, and ``HiddenAgendaError`` where one
        has the same salt: then the system's random numbers repeat.
        """
        with self._writing() as kept:
            _check_new(slip, [one.slip for one in kept])
            return self._put(slip)

    def keep_next(self, player: str, game: str, makers: Sequence[Callable[[int], Slip]]) -> tuple[Kept, ...]:
        """Keep slips in the next free slots; return them in their order.

        ``makers`` return a slip each, for the slot that it gets; all are made before any is kept. Two processes never
        get the same slot. Raises ``IllegalMove`` where too few slots are free, else as ``keep``.
        """
        with self._writing() as kept:
            taken = {one.slip.slot for one in kept if (one.slip.player, one.slip.game) == (player, game)}
            free = [slot for slot in range(1, MOST_SLOTS + 1) if slot not in taken]
            if len(free) < len(makers):
                raise IllegalMove(
                    sentence("{player} has no free slot left in “{game}”", player=player, game=game),
                    hint=sentence("a game has {most} slots for each player", most=MOST_SLOTS),
                    code="no-free-slot",
                )
            slips = [make(slot) for make, slot in zip(makers, free, strict=False)]
            others = [one.slip for one in kept]
            for slip in slips:
                _check_new(slip, others)
                others.append(slip)
            return tuple(Kept(commitment=self._put(slip), slip=slip, opened=False) for slip in slips)

    def keep_derived(self, slip: Slip) -> Commitment:
        """Keep a slip whose salt is derived from its content; return its commitment.

        Keeping it again changes nothing. A slot may have several: which of them counts, a signed entry says.
        """
        with self._locked():
            return self._put(slip)

    def find(self, commitment: Commitment) -> Slip:
        """Return the slip that turns up ``commitment``. Raises ``StoreError`` where it is not here or was changed."""
        path = self._path(commitment, _SLIP)
        try:
            check_private_directory(self._directory)
            return commitment.turn_up(read_secret(path, LARGEST))
        except (Malformed, OpeningMismatch) as error:
            raise StoreError(
                sentence("the slip in {path} was changed or damaged: {why}", path=path, why=error.said),
                hint=sentence("take this file from a backup"),
                code="slip-damaged",
            ) from None
        except StoreError as error:
            if error.code != "enoent":
                raise
            raise StoreError(
                sentence("no slip for the commitment {commitment} is kept here", commitment=commitment.hex),
                hint=sentence("slips are in {path}", path=self._directory),
                code="no-slip-kept",
            ) from None

    def listing(self) -> Listing:
        """Return everything that is kept here. A file that is no slip is listed as such and stops nothing."""
        slips = []
        unreadable = []
        names = self._names()
        for name in sorted(names):
            if name.startswith(".") or name.endswith(_OPENED):
                continue
            match = _NAME.fullmatch(name)
            if match is None:
                unreadable.append(Unreadable(name=name, said=sentence("it has not the name of a slip")))
                continue
            commitment = Commitment.from_hex(match[1])
            path = self._path(commitment, _SLIP)
            try:
                slip = commitment.turn_up(read_secret(path, LARGEST))
            except (Malformed, OpeningMismatch, StoreError) as error:
                if isinstance(error, StoreError) and error.code not in _UNFIT:
                    raise
                unreadable.append(Unreadable(name=name, said=error.said))
            else:
                slips.append(Kept(commitment=commitment, slip=slip, opened=commitment.hex + _OPENED in names))
        slips.sort(key=lambda kept: (kept.slip.game, kept.slip.player, kept.slip.slot, kept.commitment.hex))
        return Listing(slips=tuple(slips), unreadable=tuple(unreadable))

    def is_opened(self, commitment: Commitment) -> bool:
        """Say whether the slip was marked as shown."""
        return os.path.exists(self._path(commitment, _OPENED))

    def mark_opened(self, commitment: Commitment) -> None:
        """Remember that the slip was shown. Raises ``StoreError`` where it is not here."""
        self.find(commitment)
        with self._locked():
            if not self.is_opened(commitment):
                write_new_secret(self._path(commitment, _OPENED), b"")

    def _put(self, slip: Slip) -> Commitment:
        data = slip.turn_face_up()
        commitment = Commitment.of(data)
        path = self._path(commitment, _SLIP)
        if not os.path.lexists(path):
            write_new_secret(path, data)
        elif not os.path.getsize(path):  # the name was claimed by a process that was killed then
            replace_file(path, data)
        if self.find(commitment) != slip:  # what counts is what can be read again
            raise StoreError(
                sentence("the slip in {path} is not the one that was kept", path=path), code="slip-damaged"
            )
        return commitment

    @contextmanager
    def _writing(self) -> Iterator[tuple[Kept, ...]]:
        with self._locked():
            yield self.listing().slips

    @contextmanager
    def _locked(self) -> Iterator[None]:
        private_directory(self._directory)
        with locked(os.path.join(self._directory, ".lock")):
            # Whoever writes here holds the lock, so what is unfinished now was left by a process that is gone.
            for name in self._names():
                if name.endswith(LEFTOVER):
                    with suppress(OSError):
                        os.unlink(os.path.join(self._directory, name))
            yield

    def _names(self) -> frozenset[str]:
        with explained(self._directory):
            try:
                names = os.listdir(self._directory)
            except FileNotFoundError:
                return frozenset()
        check_private_directory(self._directory)
        return frozenset(names)

    def _path(self, commitment: Commitment, end: str) -> str:
        return os.path.join(self._directory, commitment.hex + end)


def _check_new(slip: Slip, others: Iterable[Slip]) -> None:
    for other in others:
        if other.salt == slip.salt:
            raise repeated()
        if (other.player, other.game, other.slot) == (slip.player, slip.game, slip.slot):
            raise IllegalMove(
                sentence(
                    "slot {slot} of {player} in “{game}” has a slip already: {commitment}",
                    slot=slip.slot,
                    player=slip.player,
                    game=slip.game,
                    commitment=Commitment.of(other.turn_face_up()).token,
                ),
                hint=sentence("leave the slot out to take the next free one"),
                code="slot-taken",
            )


@value
class Preferences:
    """What a player answered last; empty where nothing was asked yet."""

    player: str = ""
    game: str = ""


def read_preferences(home: str) -> Preferences:
    """Return what was remembered in ``home``; nothing where it cannot be read as such, since it is only a default.

    Raises ``StoreError`` for a directory or file that others may use.
    """
    path = _preferences(home)
    if os.path.lexists(home):
        check_private_directory(home)
    if os.path.lexists(path):
        with suppress(Malformed):
            match canonical.read(read_secret(path, _LONGEST_PREFERENCES), limit=_LONGEST_PREFERENCES):
                case {"game": str(game), "player": str(player)}:
                    return Preferences(player=player, game=game)
    return Preferences()


def write_preferences(home: str, preferences: Preferences) -> None:
    """Remember ``preferences`` in ``home``. Raises ``StoreError``."""
    private_directory(home)
    replace_file(_preferences(home), canonical.write({"game": preferences.game, "player": preferences.player}))


def _preferences(home: str) -> str:
    return os.path.join(home, "preferences")
