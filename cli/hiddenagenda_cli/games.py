"""Verdicts on games, and where a game stands, as they are printed."""

from collections.abc import Mapping

from hiddenagenda.edge.watching import View
from hiddenagenda.faults import Malformed, Sentence, counted, sentence
from hiddenagenda.record import Record, read_record
from hiddenagenda.rulebook import Edition
from hiddenagenda.sides import Compared, Side, judge_sides
from hiddenagenda.telling import tell, tell_sides
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import SlotState, Verdict
from hiddenagenda.verdictjson import to_json
from hiddenagenda_cli.exchanged import Records, records, say_gap
from hiddenagenda_cli.files import Given
from hiddenagenda_cli.names import catalogue, tongue
from hiddenagenda_cli.openings import print_damage
from hiddenagenda_cli.output import EXITS, Exit, voice


def judge(inputs: Given, *, edition: Edition | None, strict_names: bool, explain: bool) -> list[Exit]:
    """Put the records of each game together, print the verdicts, and return their exit codes."""
    found = records(inputs)
    codes = [print_damage(error) for error in found.damaged[len(inputs.damaged) :]]
    codes += [print_damage(Malformed(say_gap(gap), code="missing-part")) for gap in found.missing]
    sides = _sides(inputs, found)
    for compared in judge_sides(sides, edition=edition, names=catalogue()) if sides else ():
        codes.append(_print(compared, strict_names=strict_names, explain=explain))
    return codes


def print_verdict(
    verdict: Verdict,
    *,
    strict_names: bool = False,
    explained_by: Transcript | None = None,
    more: Mapping[str, object] | None = None,
) -> Exit:
    """Print a verdict, with ``more`` members as JSON, and return its exit code.

    Names that are not plainly listed break it only by request.
    """
    strict = strict_names and bool(verdict.remarked)
    code = Exit.BROKEN if strict else EXITS[verdict.outcome]
    if voice.as_json:
        voice.json(to_json(verdict) | {"exit": int(code)} | dict(more or {}))
        return code
    for line in tell(verdict, tongue=tongue(), explained_by=explained_by):
        voice.told(line)
    if strict:
        voice.told(sentence("  broken under --strict-names"))
    return code


def print_status(seen: View, verdict: Verdict, *, path: str) -> Exit:
    """Print how a game stands and what the one who looks may do, and return the verdict's exit code."""
    if voice.as_json:
        return print_verdict(verdict, more=_status(seen))
    code = print_verdict(verdict)
    for awaited in seen.awaited:
        voice.told(sentence("still missing here: {what}", what=awaited))
    if seen.holder:
        voice.told(sentence("priority: {player}", player=seen.holder.name))
    elif seen.stepper:
        voice.told(sentence("priority: nobody; {player} opens the next step", player=seen.stepper.name))
    _tell_own(seen, verdict, path)
    return code


def _tell_own(seen: View, verdict: Verdict, path: str) -> None:
    if seen.seat is None:
        voice.told(sentence("you have no seat at this table: you can only read"))
        return
    owed = [slot.slot for slot in verdict.slots if slot.player == seen.seat.key and slot.state is SlotState.OWED]
    if owed:
        voice.told(sentence("{player}, you owe: slot {slots}", player=seen.seat.name, slots=", ".join(map(str, owed))))
    if seen.lost:
        voice.told(
            sentence(
                "the slips of these slots are not here any more: {slots}; commit with the same agendas again: that"
                " signs nothing and writes the same slips",
                slots=", ".join(map(str, seen.lost)),
            )
        )
    if seen.obstacle:
        voice.told(
            sentence("{player}, you can sign nothing here: {why}", player=seen.seat.name, why=seen.obstacle.said)
        )
        if seen.obstacle.hint:
            voice.told(sentence("  hint: {what}", what=seen.obstacle.hint))
    elif seen.moves:
        voice.told(sentence("{player}, you may:", player=seen.seat.name))
        for option in seen.moves:
            voice.told(sentence("  {command}: {what}", command=option.command, what=option.said))
    else:
        voice.told(sentence("{player}, there is nothing for you to do now", player=seen.seat.name))
    if seen.unsent:
        voice.told(
            counted(
                "others may lack {n} entry: hiddenagenda send {file}",
                "others may lack {n} entries: hiddenagenda send {file}",
                n=seen.unsent,
                file=path,
            )
        )


def _status(seen: View) -> dict[str, object]:
    members = {
        "awaited": [voice.tell(awaited) for awaited in seen.awaited],
        "holder": seen.holder and seen.holder.key,
        "lost": list(seen.lost),
        "moves": [option.command for option in seen.moves],
        "obstacle": seen.obstacle and {"code": seen.obstacle.code, "said": voice.tell(seen.obstacle.said)},
        "stepper": seen.stepper and seen.stepper.key,
        "unsent": seen.unsent,
        "you": seen.seat and seen.seat.key,
    }
    return {name: value for name, value in members.items() if value is not None}


def _print(compared: Compared, *, strict_names: bool, explain: bool) -> Exit:
    verdict, whole, sides = compared.verdict, compared.transcript, compared.sides
    more = {"sides": [_side(side) for side in sides]} if len(sides) > 1 else None
    code = print_verdict(verdict, strict_names=strict_names, explained_by=whole if explain else None, more=more)
    if voice.as_json:
        return code
    for line in tell_sides(sides, whole) if whole else ():
        voice.told(line)
    if explain and verdict.findings:
        voice.told(_offline())
    return code


def _offline() -> Sentence:
    return sentence(
        "  to check it without this program: hiddenagenda export-ssh FILE DIRECTORY writes the entries and signatures"
        " for sha256sum and ssh-keygen; the rules are in SPEC, “What is said”"
    )


def _side(side: Side) -> dict[str, object]:
    lacks = [{"entry": one.entry, "author": one.author, "known": one.known} for one in side.lacks]
    return {"name": side.name, "lacks": lacks}


def _sides(inputs: Given, found: Records) -> dict[str, Record]:
    """Return the records by the names they were given; a file that is given twice is one, and bundles are numbered."""
    sides = {name: read_record(data) for name, data in inputs.records}
    bundles = found.data[len(inputs.records) :]
    return sides | {
        voice.tell(sentence("bundle {number}", number=number)): read_record(data)
        for number, data in enumerate(bundles, start=1)
    }
