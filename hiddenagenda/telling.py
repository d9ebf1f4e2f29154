"""A verdict in sentences, for people who were at the table and for people who were not.

SPEC "Verdict". It says first how the game stands, then each player and slot, then every finding with what was done, why
that is a fault, which rule says so and which entries prove it. It adds nothing that the verdict and its lines do not
hold.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from hiddenagenda.faults import Sentence, counted, sentence
from hiddenagenda.naming import Tongue, say_remark
from hiddenagenda.outcome import Outcome
from hiddenagenda.publickey import PublicKey
from hiddenagenda.rulebook import FAULTS, RULES
from hiddenagenda.sides import Side
from hiddenagenda.story import SHORT, people, say
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Aside, Finding, Slot, SlotState, Verdict, name_of

OUTCOMES: Final = {
    Outcome.KEPT: sentence("kept: every hidden agenda was shown and is the one committed to"),
    Outcome.BROKEN: sentence("broken: a rule was broken, and signed lines prove it"),
    Outcome.OWES: sentence("owes: something is due that is not in these lines"),
    Outcome.PENDING: sentence("pending: something may still lie face down"),
    Outcome.NOT_STARTED: sentence("not started: not all have sealed the same commits"),
    Outcome.UNDECIDABLE: sentence("undecidable: there is no readable table in these lines"),
}
STANDINGS: Final = {
    Outcome.KEPT: sentence("kept"),
    Outcome.BROKEN: sentence("broken"),
    Outcome.OWES: sentence("owes"),
    Outcome.PENDING: sentence("pending"),
    Outcome.NOT_STARTED: sentence("not started"),
    Outcome.UNDECIDABLE: sentence("undecidable"),
}
SLOTS: Final = {
    SlotState.FACE_DOWN: sentence("face down"),
    SlotState.OWED: sentence("owed: it is due, and no opening is in these lines"),
    SlotState.TURNED_UP: sentence("turned up"),
    SlotState.OPENED: sentence("opened"),
}
_FEW: Final = 10
"""So many of the entries that a side lacks, or that were set aside, are listed one by one."""


def tell(verdict: Verdict, *, tongue: Tongue, explained_by: Transcript | None = None) -> Iterator[Sentence]:
    """Yield the lines of a verdict. With the game's lines, each finding says why it is a fault and what proves it."""
    yield headline(verdict)
    for player in verdict.players:
        standing = STANDINGS[player.standing]
        if player.judge:
            yield sentence("  {player} (judge): {standing}", player=player.name, standing=standing)
        else:
            yield sentence("  {player}: {standing}", player=player.name, standing=standing)
        for slot in verdict.slots:
            if slot.player == player.key:
                yield from _slot(slot, tongue)
    if not verdict.priority_checked and any(slot.state is SlotState.TURNED_UP for slot in verdict.slots):
        yield sentence("  priority: not checked (at this table a player says when; others may object by a note)")
    yield from tell_findings(verdict, explained_by=explained_by)
    yield from _listed(verdict.aside)


def headline(verdict: Verdict) -> Sentence:
    """Say which game it is and how it stands."""
    if verdict.game is None:
        return OUTCOMES[verdict.outcome]
    return sentence(
        "game {id} “{label}”: {outcome}",
        id=verdict.game[:SHORT],
        label=verdict.label,
        outcome=OUTCOMES[verdict.outcome],
    )


def tell_findings(verdict: Verdict, *, explained_by: Transcript | None = None) -> Iterator[Sentence]:
    """Yield the lines about the findings alone; see ``tell``."""
    for number, finding in enumerate(verdict.findings, start=1):
        yield from _finding(number, finding, verdict, explained_by)


def tell_sides(sides: Sequence[Side], whole: Transcript) -> Iterator[Sentence]:
    """Yield the lines about what each side lacks of ``whole``; none where there is one side only."""
    if len(sides) < 2:
        return
    for side in sides:
        if not side.lacks:
            yield sentence("  {side}: all entries", side=side.name)
            continue
        known = sum(one.known for one in side.lacks)
        yield counted(
            "  {side}: {n} entry is missing", "  {side}: {n} entries are missing", n=len(side.lacks), side=side.name
        )
        for one in side.lacks[:_FEW]:
            yield sentence("    {entry}", entry=_entry(whole, one.entry))
        if len(side.lacks) > _FEW:
            yield sentence("    and {count} more", count=len(side.lacks) - _FEW)
        if known:
            yield counted(
                "    lines in it rest on {n} of these: whoever wrote those lines had it",
                "    lines in it rest on {n} of these: whoever wrote those lines had them",
                n=known,
            )


def _slot(slot: Slot, tongue: Tongue) -> Iterator[Sentence]:
    state = SLOTS[slot.state]
    if slot.conspiracy is None:
        yield sentence("    slot {slot}: {state}", slot=slot.slot, state=state)
        return
    yield sentence(
        "    slot {slot}: {state}: {conspiracy} – {names}",
        slot=slot.slot,
        state=state,
        conspiracy=tongue.card(slot.conspiracy),
        names=" / ".join(tongue.card(card.name) for card in slot.names),
    )
    for card in slot.names:
        remark = say_remark(card.remark, card.name)
        if remark:
            yield sentence("      remark: {what}", what=remark)


def _finding(number: int, finding: Finding, verdict: Verdict, whole: Transcript | None) -> Iterator[Sentence]:
    fault = FAULTS[finding.code]
    yield sentence(
        "  finding {number}: {code}: {player} {done}",
        number=number,
        code=finding.code.value,
        player=name_of(verdict, finding.author),
        done=fault.done,
    )
    if finding.said:
        yield sentence("    {what}", what=finding.said)
    for rule in map(RULES.__getitem__, fault.rules):
        yield sentence("    {rule}: {says}", rule=rule.cite(verdict.edition), says=rule.says)
    if whole is None:
        yield sentence("    proved by: {entries}", entries=" ".join(entry[:SHORT] for entry in finding.entries))
        return
    yield sentence("    why: {why}", why=fault.why)
    yield sentence(
        "    signed by: {key} ({fingerprint})",
        key=finding.author,
        fingerprint=PublicKey.from_hex(finding.author).fingerprint,
    )
    for entry in finding.at:
        yield sentence("    proved by: {entry}", entry=_entry(whole, entry))
    for entry in finding.entries[len(finding.at) :]:
        yield sentence("    vouched for by: {entry}", entry=_entry(whole, entry))


def _entry(whole: Transcript, name: str) -> Sentence:
    """Say what an entry is, and what it says."""
    line = whole.graph.nodes[whole.graph.index[name]]
    names = people(whole.table)
    return sentence(
        "{id}, entry {seq}: {player} {said}",
        id=name[:SHORT],
        seq=line.entry.seq,
        player=names[line.entry.author],
        said=say(line.entry, names),
    )


def _listed(asides: Sequence[Aside]) -> Iterator[Sentence]:
    for aside in asides[:_FEW]:
        yield _aside(aside)
    if len(asides) > _FEW:
        yield sentence("  and {count} more", count=len(asides) - _FEW)


def _aside(aside: Aside) -> Sentence:
    if aside.entry is not None:
        return sentence(
            "  set aside: entry {entry}: {why} ({reason})",
            entry=aside.entry[:SHORT],
            why=aside.said,
            reason=aside.reason,
        )
    return sentence("  set aside: line {line}: {why} ({reason})", line=aside.line, why=aside.said, reason=aside.reason)
