"""Verdicts as they are printed, and the exit codes they end in."""

from hiddenagenda.outcome import Outcome
from hiddenagenda.telling import tell
from hiddenagenda.verdict import Verdict
from hiddenagenda.verdictjson import to_json
from hiddenagenda_cli.names import tongue
from hiddenagenda_cli.output import Exit, voice

EXITS = {
    Outcome.KEPT: Exit.KEPT,
    Outcome.PENDING: Exit.PENDING,
    Outcome.NOT_STARTED: Exit.PENDING,
    Outcome.OWES: Exit.OWES,
    Outcome.BROKEN: Exit.BROKEN,
    Outcome.UNDECIDABLE: Exit.INPUT,
}


def print_verdict(verdict: Verdict, *, strict_names: bool, explain: bool = False) -> Exit:
    """Print a verdict and return its exit code; names that are not plainly listed break it only by request."""
    if voice.as_json:
        voice.json(to_json(verdict))
    else:
        for line in tell(verdict, tongue=tongue(), explain=explain):
            voice.told(line)
    return Exit.BROKEN if strict_names and verdict.remarked else EXITS[verdict.outcome]
