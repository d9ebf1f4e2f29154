"""Our code behind the operations of ``verdict.json``."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from run_record import data
from vectors import Refused

from hiddenagenda.verdict import BrokenAgenda, NotKept
from hiddenagenda.verifier import judge_bytes


def judge(given: Mapping[str, Any]) -> Mapping[str, Any]:
    (verdict,) = judge_bytes(data(given))
    return {
        "verdict": {
            "game": verdict.game,
            "outcome": verdict.outcome.value,
            "phase": verdict.phase.value,
            "players": {player.key: player.standing.value for player in verdict.players},
            "slots": [[slot.player, slot.slot, slot.state.value] for slot in verdict.slots],
            "findings": [
                [finding.code.value, finding.author, list(finding.at), *([finding.slot] if finding.slot else ())]
                for finding in verdict.findings
            ],
        }
    }


def require_kept(given: Mapping[str, Any]) -> Mapping[str, Any]:
    (verdict,) = judge_bytes(data(given))
    try:
        verdict.require_kept()
    except BrokenAgenda:
        raise Refused("law", verdict.findings[0].code.value) from None
    except NotKept as error:
        raise Refused("verdict", error.code) from None
    return {}


OPERATIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "verdict.judge": judge,
    "verdict.require-kept": require_kept,
}
