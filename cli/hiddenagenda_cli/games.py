"""Verdicts on games, as they are printed."""

from hiddenagenda import bundle
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.record import Record, read_record
from hiddenagenda.rulebook import Edition
from hiddenagenda.telling import tell
from hiddenagenda.verdict import Verdict
from hiddenagenda.verdictjson import to_json
from hiddenagenda.verifier import judge_record
from hiddenagenda_cli.files import Given
from hiddenagenda_cli.names import catalogue, tongue
from hiddenagenda_cli.output import EXITS, Exit, voice


def judge(inputs: Given, *, edition: Edition | None, strict_names: bool, explain: bool) -> list[Exit]:
    """Put the records of each game together, print the verdicts, and return their exit codes."""
    record = _merged(inputs)
    return [
        print_verdict(verdict, strict_names=strict_names, explain=explain)
        for verdict in judge_record(record, edition=edition, names=catalogue())
    ]


def print_verdict(verdict: Verdict, *, strict_names: bool = False, explain: bool = False) -> Exit:
    """Print a verdict and return its exit code; names that are not plainly listed break it only by request."""
    if voice.as_json:
        voice.json(to_json(verdict))
    else:
        for line in tell(verdict, tongue=tongue(), explain=explain):
            voice.told(line)
    return Exit.BROKEN if strict_names and verdict.remarked else EXITS[verdict.outcome]


def _merged(inputs: Given) -> Record:
    gathered = bundle.gather(inputs.pieces)
    for gap in gathered.missing:
        raise Malformed(
            sentence(
                "parts {first} to {last} of a bundle of {count} are missing",
                first=gap.first,
                last=gap.last,
                count=gap.count,
            ),
            hint=sentence("give all parts of it"),
            code="missing-part",
        )
    record = read_record(b"")
    for data in (*(data for _, data in inputs.records), *gathered.whole):
        record = record.merge(read_record(data))
    return record
