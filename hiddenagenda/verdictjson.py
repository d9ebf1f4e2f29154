"""A verdict as JSON.

SPEC "Verdict", "As JSON"; ``tests/vectors/verdict.schema.json`` is its schema. What is absent is left out: there is
no null. Sentences are plain English text.
"""

from typing import Any

from hiddenagenda.canonical import Json
from hiddenagenda.rulebook import Edition
from hiddenagenda.verdict import Aside, Finding, Slot, Verdict


def to_json(verdict: Verdict) -> dict[str, Json]:
    """Return the verdict as a JSON object."""
    return _without_absent(
        {
            "aside": [_aside(aside) for aside in verdict.aside],
            "edition": verdict.edition.value,
            "findings": [_finding(finding, verdict.edition) for finding in verdict.findings],
            "game": verdict.game,
            "label": verdict.label,
            "outcome": verdict.outcome.value,
            "phase": verdict.phase.value,
            "players": {
                player.key: _without_absent(
                    {
                        "judge": player.judge or None,
                        "name": player.name,
                        "standing": player.standing.value,
                    }
                )
                for player in verdict.players
            },
            "priority": "checked" if verdict.priority_checked else "not-checked",
            "slots": [_slot(slot) for slot in verdict.slots],
        }
    )


def _finding(finding: Finding, edition: Edition) -> dict[str, Json]:
    return _without_absent(
        {
            "at": list(finding.at),
            "author": finding.author,
            "code": finding.code.value,
            "entries": list(finding.entries),
            "number": finding.rule.number(edition),
            "rule": finding.rule.id.value,
            "said": str(finding.said) if finding.said else None,
            "slot": finding.slot,
        }
    )


def _slot(slot: Slot) -> dict[str, Json]:
    return _without_absent(
        {
            "commitment": slot.commitment,
            "conspiracy": slot.conspiracy,
            "names": [{"name": card.name, "remark": card.remark.value} for card in slot.names] or None,
            "opened_by": list(slot.opened_by) or None,
            "player": slot.player,
            "slot": slot.slot,
            "state": slot.state.value,
        }
    )


def _aside(aside: Aside) -> dict[str, Json]:
    return _without_absent({"entry": aside.entry, "line": aside.line, "reason": aside.reason, "said": str(aside.said)})


def _without_absent(members: dict[str, Any]) -> dict[str, Json]:
    return {name: value for name, value in members.items() if value is not None}
