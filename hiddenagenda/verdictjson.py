"""A verdict as JSON and back.

SPEC "Verdict", "As JSON"; ``tests/vectors/verdict.schema.json`` is its schema. What is absent is left out: there is
no null. Reading gives back what was written; sentences come back as plain English text.
"""

from typing import Any

from hiddenagenda.canonical import Json
from hiddenagenda.cards.remarks import Remark
from hiddenagenda.faults import Malformed, Sentence, sentence
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Code, Edition
from hiddenagenda.verdict import Aside, Finding, NamedCard, Phase, Player, Slot, SlotState, Verdict


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


def from_json(value: Any) -> Verdict:
    """Return the verdict that ``value`` is the JSON form of. Raises ``Malformed``."""
    try:
        return Verdict(
            aside=tuple(
                Aside(
                    line=aside.get("line"),
                    reason=aside["reason"],
                    said=_plain(aside["said"]),
                    entry=aside.get("entry"),
                )
                for aside in value["aside"]
            ),
            edition=Edition(value["edition"]),
            findings=tuple(
                Finding(
                    code=Code(finding["code"]),
                    author=finding["author"],
                    at=tuple(finding["at"]),
                    entries=tuple(finding["entries"]),
                    slot=finding.get("slot"),
                    said=_plain(finding["said"]) if "said" in finding else None,
                )
                for finding in value["findings"]
            ),
            game=value.get("game"),
            label=value["label"],
            outcome=Outcome(value["outcome"]),
            phase=Phase(value["phase"]),
            players=tuple(
                Player(
                    key=key,
                    name=player["name"],
                    standing=Outcome(player["standing"]),
                    judge=player.get("judge", False),
                )
                for key, player in value["players"].items()
            ),
            priority_checked=value["priority"] == "checked",
            slots=tuple(
                Slot(
                    player=slot["player"],
                    slot=slot["slot"],
                    state=SlotState(slot["state"]),
                    commitment=slot["commitment"],
                    conspiracy=slot.get("conspiracy"),
                    names=tuple(
                        NamedCard(name=card["name"], remark=Remark(card["remark"])) for card in slot.get("names", ())
                    ),
                    opened_by=tuple(slot.get("opened_by", ())),
                )
                for slot in value["slots"]
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(sentence("this is no verdict: {what}", what=str(error)), code="verdict") from None


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


def _plain(text: str) -> Sentence:
    return Sentence("{text}", {"text": text})
