"""Lines that were taken in: found in what was given, and told to whoever took them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from hiddenagenda import bundle
from hiddenagenda.authentic import Fork
from hiddenagenda.bundle import Gap
from hiddenagenda.edge.exchange import Taken
from hiddenagenda.faults import HiddenAgendaError, Sentence, sentence
from hiddenagenda.graph import Dangling
from hiddenagenda.line import Line
from hiddenagenda.record import Aside, Source
from hiddenagenda.story import SHORT, called, people
from hiddenagenda.transcript import Transcript
from hiddenagenda.verifier import BAD_SIGNATURE, RESTS_ON_BAD
from hiddenagenda_cli.files import Given
from hiddenagenda_cli.output import voice

_MOST_TOLD: Final = 30
"""Lines of a kind that are told one by one; JSON has all of them."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The records in what was given to a command, and what is wrong with the rest."""

    data: tuple[Source, ...]
    missing: tuple[Gap, ...]
    damaged: tuple[HiddenAgendaError, ...]


def records(given: Given) -> Records:
    """Return the records in ``given``: of files and of bundles that are whole."""
    damaged = list(given.damaged)
    whole: tuple[bytes, ...] = ()
    missing: tuple[Gap, ...] = ()
    try:
        gathered = bundle.gather(given.pieces)
    except HiddenAgendaError as error:
        damaged.append(error)
    else:
        whole, missing = gathered.whole, gathered.missing
    return Records(data=(*(data for _, data in given.records), *whole), missing=missing, damaged=tuple(damaged))


def tell_faults(found: Records) -> None:
    """Say which parts of a bundle are missing, and what was damaged on its way."""
    for error in found.damaged:
        voice.fail(error)
    for gap in found.missing:
        voice.warn(say_gap(gap))


def tell_taken(taken: Taken) -> None:
    """Tell what a game has by lines that were taken in: what is new, forked and dangling, and whose it is."""
    names = people(taken.transcript.table)
    _tell_some(taken.new, lambda line: _say_new(line, taken.transcript, names))
    _tell_some(taken.forks, lambda fork: _say_fork(fork, names))
    _tell_some(taken.dangling, lambda one: say_dangling(one, names))
    _tell_some(taken.uncovered, lambda line: _say_uncovered(line, names))


def _tell_some(told: Sequence[T], say: Callable[[T], Sentence]) -> None:
    """Tell each of a kind, but no more than fit on a screen: how many there are, others may have decided."""
    for one in told[:_MOST_TOLD]:
        voice.told(say(one))
    if len(told) > _MOST_TOLD:
        voice.told(sentence("and {n} more", n=len(told) - _MOST_TOLD))


def _say_new(line: Line, transcript: Transcript, names: Mapping[str, str]) -> Sentence:
    said = sentence(
        "new: {player}, entry {seq}: {type} {id}",
        player=called(names, line.entry.author),
        seq=line.entry.seq,
        type=line.entry.type,
        id=line.id[:SHORT],
    )
    why = _uncounted(line, transcript)
    return said if why is None else sentence("{what}: {missing}", what=said, missing=why)


def _say_fork(fork: Fork, names: Mapping[str, str]) -> Sentence:
    return sentence(
        "forked: {player} has signed two entries {seq}: two devices, a restored backup, or a cheat",
        player=names[fork.author],
        seq=fork.seq,
    )


def _say_uncovered(line: Line, names: Mapping[str, str]) -> Sentence:
    return sentence(
        "left out: {id} says that it is by {player}, and no signature of {player} covers it",
        id=line.id[:SHORT],
        player=called(names, line.entry.author),
    )


def _uncounted(line: Line, transcript: Transcript) -> Sentence | None:
    """Say why an entry that has its place does not count: else a forgery would be told as its victim's word."""
    number = transcript.graph.index.get(line.id)
    if number is None or transcript.grounded[number]:
        return None
    return RESTS_ON_BAD if transcript.authentic[number] else BAD_SIGNATURE


def tell_unreadable(lines: Sequence[Aside]) -> None:
    """Tell which lines could not be read; nobody is accused by them."""
    _tell_some(lines, lambda aside: sentence("unreadable: line {line}: {why}", line=aside.number, why=aside.said))


def taken_json(taken: Taken) -> dict[str, object]:
    """Return what a game has by lines that were taken in."""
    return {
        "game": taken.transcript.game,
        "entries": len(taken.transcript.graph.nodes),
        "new": [line_json(line) for line in taken.new],
        "forks": forks_json(taken.forks, taken.transcript),
        "dangling": dangling_json(taken.dangling),
        "uncovered": [line_json(line) for line in taken.uncovered],
    }


def forks_json(forks: Iterable[Fork], transcript: Transcript) -> list[dict[str, object]]:
    """Return which entries of a game fork it."""
    nodes = transcript.graph.nodes
    return [
        {"author": fork.author, "seq": fork.seq, "entries": [nodes[number].id for number in fork.entries]}
        for fork in forks
    ]


def dangling_json(dangling: Iterable[Dangling]) -> list[dict[str, object]]:
    """Return which lines have no place in a game, and why."""
    return [line_json(one.line) | {"why": one.flaw.value, "missing": list(one.missing)} for one in dangling]


def unreadable_json(lines: Iterable[Aside]) -> list[dict[str, object]]:
    """Return which lines could not be read, and why."""
    return [{"line": aside.number, "code": aside.code, "said": voice.tell(aside.said)} for aside in lines]


def gaps_json(gaps: Iterable[Gap]) -> list[dict[str, object]]:
    """Return which parts of bundles are missing."""
    return [{"first": gap.first, "last": gap.last, "count": gap.count} for gap in gaps]


def say_gap(gap: Gap) -> Sentence:
    """Say which parts of a bundle are missing."""
    if gap.first == gap.last:
        return sentence(
            "part {number} of {count} is missing: give all parts together", number=gap.first, count=gap.count
        )
    return sentence(
        "parts {first} to {last} of {count} are missing: give all parts together",
        first=gap.first,
        last=gap.last,
        count=gap.count,
    )


def say_dangling(one: Dangling, names: Mapping[str, str]) -> Sentence:
    """Say why a line has no place, and what is missing for it; ``names`` are the players' by key."""
    player = called(names, one.line.entry.author)
    said = sentence("dangling: {id} by {player}: {why}", id=one.line.id[:SHORT], player=player, why=one.said)
    if not one.missing:
        return said
    missing = " ".join(name[:SHORT] for name in one.missing)
    return sentence("{what}: {missing}", what=said, missing=missing)


def line_json(line: Line) -> dict[str, object]:
    """Return what identifies a line."""
    return {"id": line.id, "author": line.entry.author, "seq": line.entry.seq, "type": line.entry.type}
