"""Verdicts on games, as they are printed."""

from dataclasses import dataclass
from typing import Final

from hiddenagenda import bundle
from hiddenagenda.faults import Malformed, Sentence, sentence
from hiddenagenda.record import Record, read_record
from hiddenagenda.retelling import tell_lacking
from hiddenagenda.rulebook import Edition
from hiddenagenda.sides import Compared, judge_sides
from hiddenagenda.telling import tell
from hiddenagenda.verdict import Verdict
from hiddenagenda.verdictjson import to_json
from hiddenagenda_cli.files import Given
from hiddenagenda_cli.names import catalogue, tongue
from hiddenagenda_cli.output import EXITS, Exit, voice

_PASTED: Final = "hae1…"
"""What bundles are called among the names of files."""


def judge(inputs: Given, *, edition: Edition | None, strict_names: bool, explain: bool) -> list[Exit]:
    """Put the records of each game together, print the verdicts, and return their exit codes."""
    return [
        print_verdict(compared.verdict, _lacking(compared), strict_names=strict_names, explain=explain)
        for compared in judge_sides(_records(inputs), edition=edition, names=catalogue())
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """What each of several records of a game lacks, in words and as JSON."""

    said: tuple[Sentence, ...]
    sides: list[dict[str, object]]


def print_verdict(
    verdict: Verdict, lacking: Lacking | None = None, *, strict_names: bool = False, explain: bool = False
) -> Exit:
    """Print a verdict and return its exit code; names that are not plainly listed break it only by request."""
    if voice.as_json:
        voice.json({**to_json(verdict), **({"sides": lacking.sides} if lacking else {})})
    else:
        for line in (*tell(verdict, tongue=tongue(), explain=explain), *(lacking.said if lacking else ())):
            voice.told(line)
    return Exit.BROKEN if strict_names and verdict.remarked else EXITS[verdict.outcome]


def _lacking(compared: Compared) -> Lacking | None:
    if compared.transcript is None or len(compared.sides) < 2:
        return None
    sides: list[dict[str, object]] = [
        {
            "name": side.name,
            "lacks": [{"author": one.author, "entry": one.entry, "known": one.known} for one in side.lacks],
        }
        for side in compared.sides
    ]
    return Lacking(said=tuple(tell_lacking(compared.transcript, compared.sides)), sides=sides)


def _records(inputs: Given) -> dict[str, Record]:
    """Return the records that were given, by the names of their files; bundles are one record."""
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
    records: dict[str, Record] = {}
    for name, data in (*inputs.records, *((_PASTED, data) for data in gathered.whole)):
        record = read_record(data)
        records[name] = records[name].merge(record) if name in records else record
    return records
