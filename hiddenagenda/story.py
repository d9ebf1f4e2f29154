"""A game told line by line, for somebody who was not there and has no key.

SPEC "Telling a game". It says what each entry says, in display order, and what is wrong with an entry where something
is. What the words in an entry claim, such as a time, it does not check; how the game stands is the verdict's to say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from msgspec import UNSET

from hiddenagenda.entry import (
    Act,
    Apply,
    Body,
    Commit,
    End,
    Entry,
    Leave,
    Note,
    Open,
    Pass,
    Play,
    Seal,
    ShownSlip,
    Step,
)
from hiddenagenda.faults import Sentence, counted, sentence
from hiddenagenda.hearing import Hearing
from hiddenagenda.line import Line
from hiddenagenda.rulebook import FAULTS, NEWEST, read_edition, rule_of
from hiddenagenda.table import Table
from hiddenagenda.transcript import Transcript

SHORT: Final = 12
"""Digits by which ids are told apart for people."""


class Weight(Enum):
    """Whether an entry counts."""

    COUNTS = "counts"
    VOID = "void"
    """Its author should not have said it: a finding, and no change of anything."""
    UNGROUNDED = "ungrounded"
    """It rests on an entry by which its author does not stand here."""
    UNSIGNED = "unsigned"
    """Its author does not stand by it here: anybody can have written it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One entry, told."""

    number: int
    """Its place in display order; the table has 0."""
    line: Line
    depth: int
    rests_on: tuple[int, ...]
    """The numbers of its parents."""
    name: str
    """What its author is called at the table."""
    said: Sentence
    weight: Weight
    code: str | None
    """The code of the finding, where it is void."""
    wrong: tuple[Sentence, ...]
    """What is wrong with it."""
    is_forked: bool
    """Whether its author has signed another one in the same place."""


def tell(transcript: Transcript) -> tuple[Told, ...]:
    """Return every complete entry of a game, told, in display order."""
    hearing = Hearing.of(transcript)
    graph = transcript.graph
    names = people(transcript.table)
    places = {(fork.author, fork.seq) for fork in transcript.forks}
    told = []
    for number, line in enumerate(graph.nodes):
        weight = _weight(hearing, number)
        is_forked = bool(transcript.authentic[number]) and (line.entry.author, line.entry.seq) in places
        refused = hearing.void.get(number)
        told.append(
            Told(
                number=number,
                line=line,
                depth=graph.depths[number],
                rests_on=tuple(sorted(graph.index[parent] for parent in line.entry.parents)),
                name=names[line.entry.author],
                said=say(line.entry, names),
                weight=weight,
                code=refused.code.value if refused else None,
                wrong=tuple(_wrong(hearing, number, weight, is_forked=is_forked)),
                is_forked=is_forked,
            )
        )
    return tuple(told)


def say(entry: Entry[Body], names: Mapping[str, str]) -> Sentence:
    """Say what an entry says, as what its author does; ``names`` are the players' by key (see ``called``)."""
    body = entry.body
    match body:
        case Table():
            return _table(body)
        case Commit():
            return counted("puts {n} agenda face down", "puts {n} agendas face down", n=len(body.commitments))
        case Seal():
            return sentence("accepts everybody's commits")
        case Open():
            shows = sentence("shows {slips}", slips=_slips(entry, body.slips, names))
            return sentence("{what} ({when})", what=shows, when=body.when) if body.when else shows
        case Apply():
            return sentence("uses the ability of slot {slot} on “{card}”", slot=body.slot, card=body.card)
        case Step() | Pass() | Act():
            return _move(body, names)
        case Leave():
            return _leave(entry, body, names)
        case End():
            return sentence("says that the game is over: “{outcome}”", outcome=body.outcome)
        case Note():
            return _note(body)
        case _:
            assert_never(body)


def _move(body: Play, names: Mapping[str, str]) -> Sentence:
    match body:
        case Step():
            said = sentence(
                "opens the step “{step}” of turn {turn}, which is {active}'s",
                step=body.step,
                turn=body.turn,
                active=called(names, body.active),
            )
            return said if body.priority else sentence("{what}; nobody has priority in it", what=said)
        case Pass():
            return sentence("passes")
        case Act():
            return sentence("does something: “{text}”", text=body.text)
        case _:
            assert_never(body)


def _leave(entry: Entry[Body], body: Leave, names: Mapping[str, str]) -> Sentence:
    if body.player == entry.author:
        said = sentence("leaves the game")
    else:
        said = sentence("says that {player} is out of the game", player=called(names, body.player))
    if body.why:
        said = sentence("{what}: “{why}”", what=said, why=body.why)
    if body.slips:
        said = sentence("{what}; shows {slips}", what=said, slips=_slips(entry, body.slips, names))
    return said


def _note(body: Note) -> Sentence:
    if body.entry is UNSET:
        return sentence("notes: “{text}”", text=body.text)
    return sentence("notes about {entry}: “{text}”", entry=body.entry[:SHORT], text=body.text)


def _table(table: Table) -> Sentence:
    said = sentence(
        "sets the table “{label}”: {players}; priority is {priority}; rules of {edition}",
        label=table.label,
        players=", ".join(seat.name for seat in table.players),
        priority=table.priority,
        edition=table.edition,
    )
    if table.judge is not UNSET:
        said = sentence("{what}; the judge is {judge}", what=said, judge=table.judge.name)
    if table.conspiracies is not UNSET:
        cards = ", ".join(f"{card.name} ({card.agenda})" for card in table.conspiracies)
        said = sentence("{what}; with {cards}", what=said, cards=cards)
    if table.names is not UNSET:
        said = sentence("{what}; card names of {date}", what=said, date=table.names.date)
    return said


def _slips(entry: Entry[Body], slips: tuple[ShownSlip, ...], names: Mapping[str, str]) -> Sentence:
    said = []
    for slip in slips:
        place = sentence("slot {slot}", slot=slip.slot)
        if slip.player != entry.author:
            place = sentence("slot {slot} of {player}", slot=slip.slot, player=called(names, slip.player))
        written = " / ".join(slip.names)
        said.append(sentence("{slot}: {conspiracy} – {names}", slot=place, conspiracy=slip.conspiracy, names=written))
    joined = said[0]
    for one in said[1:]:
        joined = sentence("{one}; {other}", one=joined, other=one)
    return joined


def _weight(hearing: Hearing, number: int) -> Weight:
    if not hearing.transcript.authentic[number]:
        return Weight.UNSIGNED
    if not hearing.transcript.grounded[number]:
        return Weight.UNGROUNDED
    return Weight.VOID if number in hearing.void else Weight.COUNTS


def _wrong(hearing: Hearing, number: int, weight: Weight, *, is_forked: bool) -> Iterator[Sentence]:
    if is_forked:
        yield sentence("its author has signed another entry in its place: two devices, a restored backup, or a cheat")
    if weight is Weight.UNSIGNED:
        yield sentence("no signature of its author covers it: anybody can have written it, and it does not count")
    if weight is Weight.UNGROUNDED:
        yield sentence("it rests on an entry that no signature of its author covers, and does not count")
    refused = hearing.void.get(number)
    if refused is not None:
        rule = rule_of(refused.code)
        edition = read_edition(hearing.transcript.table.edition) or NEWEST
        yield sentence("{code}: {why}", code=refused.code.value, why=FAULTS[refused.code].why)
        if refused.said is not None:
            yield refused.said
        yield sentence("{rule}: {says}", rule=rule.cite(edition), says=rule.says)


def people(table: Table) -> Mapping[str, str]:
    """Return what everybody at a table is called, the judge too, by key."""
    names = {seat.key: seat.name for seat in table.players}
    if table.judge is not UNSET:
        names[table.judge.key] = table.judge.name
    return names


def called(names: Mapping[str, str], key: str) -> str:
    """Return the name of a key; where it has none, its beginning."""
    return names.get(key, key[:SHORT])
