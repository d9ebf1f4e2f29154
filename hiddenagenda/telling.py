"""A verdict in sentences, for people who were at the table and for people who were not.

SPEC "Verdict". It says first how the game stands, then each player and slot, then every finding with what was done, why
that is a fault, which rule says so and which entries prove it. It adds nothing that the verdict does not hold.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.naming import say_remark
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import FAULTS, RULES
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
SHORT_ID: Final = 12
"""Digits by which entries are told apart for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """In which language cards are named: what they print there, and the English name beside."""

    language: str = "en"
    names: Catalogue | None = None

    def card(self, name: str) -> str:
        """Return a card's name for the reader."""
        printed = self.names.called(name, self.language) if self.names and self.language != "en" else ()
        return f"{printed[0]} ({name})" if printed and printed[0] != name else name


def tell(verdict: Verdict, *, tongue: Tongue, explain: bool = False) -> Iterator[Sentence]:
    """Yield the lines of a verdict. With ``explain``, each finding says why it is a fault and what is not proved."""
    if verdict.game is None:
        yield OUTCOMES[verdict.outcome]
    else:
        yield sentence(
            "game {id} “{label}”: {outcome}",
            id=verdict.game[:SHORT_ID],
            label=verdict.label,
            outcome=OUTCOMES[verdict.outcome],
        )
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
    for number, finding in enumerate(verdict.findings, start=1):
        yield from _finding(number, finding, verdict, explain=explain)
    for aside in verdict.aside:
        yield _aside(aside)


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


def _finding(number: int, finding: Finding, verdict: Verdict, *, explain: bool) -> Iterator[Sentence]:
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
    if explain:
        yield sentence("    why: {why}", why=fault.why)
        yield sentence("    signed by the key {key}", key=finding.author)
    yield sentence("    proved by: {entries}", entries=" ".join(entry[:SHORT_ID] for entry in finding.entries))


def _aside(aside: Aside) -> Sentence:
    if aside.entry is not None:
        return sentence(
            "  set aside: entry {entry}: {why} ({reason})",
            entry=aside.entry[:SHORT_ID],
            why=aside.said,
            reason=aside.reason,
        )
    return sentence("  set aside: line {line}: {why} ({reason})", line=aside.line, why=aside.said, reason=aside.reason)
