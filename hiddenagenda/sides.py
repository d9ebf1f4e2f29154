"""Several people's records of one game, judged as one; and who did not show what.

SPEC "Several records of one game". To leave out lines is no fault that anybody can prove: a file may never have got
them. What can be said is what each side lacks that another one shows, and which of it its own lines rest on, so that
whoever wrote those lines knew it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.record import Record
from hiddenagenda.rulebook import Edition
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Verdict
from hiddenagenda.verifier import judge_record


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """An entry that another side shows."""

    entry: str
    """Its id."""
    author: str
    """Whose it is, as a key."""
    known: bool
    """Whether lines of the side that lacks it rest on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One record, by the name that the caller gave it, and what it lacks, in display order."""

    name: str
    lacks: tuple[Lacking, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The verdict on a game over the lines of all sides, and the sides that have its table."""

    verdict: Verdict
    transcript: Transcript | None
    """All lines of the game; None where there is no readable table."""
    sides: tuple[Side, ...]


def judge_sides(
    records: Mapping[str, Record], *, edition: Edition | None = None, names: Catalogue | None = None
) -> tuple[Compared, ...]:
    """Return a verdict for each game in any of ``records``, and what each of these lacks of it.

    Raises ``TooLarge`` for a game over its cap, ``ValueError`` where there are no records.
    """
    if not records:
        msg = "there is nothing to judge"
        raise ValueError(msg)
    merged = reduce(Record.merge, records.values())
    whole = {transcript.game: transcript for transcript in merged.transcripts}
    compared = []
    for verdict in judge_record(merged, edition=edition, names=names):
        transcript = None if verdict.game is None else whole[verdict.game]
        sides = tuple(_sides(transcript, records)) if transcript else ()
        compared.append(Compared(verdict=verdict, transcript=transcript, sides=sides))
    return tuple(compared)


def _sides(whole: Transcript, records: Mapping[str, Record]) -> Iterator[Side]:
    for name, record in records.items():
        for transcript in record.transcripts:
            if transcript.game == whole.game:
                yield Side(name=name, lacks=tuple(_lacking(whole, transcript)))


def _lacking(whole: Transcript, side: Transcript) -> Iterator[Lacking]:
    graph = whole.graph
    cited = {graph.index[name] for one in side.dangling for name in one.missing if name in graph.index}
    known = set(graph.closure(cited))
    lacking = {graph.index[name] for name in whole.gained_over(side).new if name in graph.index}
    for number in sorted(lacking):
        line = graph.nodes[number]
        yield Lacking(entry=line.id, author=line.entry.author, known=number in known)
