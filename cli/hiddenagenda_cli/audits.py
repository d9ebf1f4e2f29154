"""What an audit came to, as it is printed; and how far it is."""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, islice

from hiddenagenda.audit import SHORT_KEY, Culprit, say_remark
from hiddenagenda.edge.auditing import Progress, Report
from hiddenagenda.edge.sources import Troubled
from hiddenagenda.faults import Sentence, counted, sentence
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import FAULTS, NEWEST, Code, rule_of
from hiddenagenda.telling import STANDINGS
from hiddenagenda_cli.output import voice

_MOST = 20
"""Lines of a list that people are shown; JSON has all."""
_OFTEN = 0.2
"""Seconds between two looks at a terminal."""
_SELDOM = 30.0
"""Seconds between two lines where nobody looks, as in a log."""


class Meter:
    """Says on stderr how far an audit is: in one line that changes, where stderr is a terminal."""

    def __init__(self) -> None:
        self._alive = sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + (_OFTEN if self._alive else _SELDOM)
        self._width = 0

    def __call__(self, progress: Progress) -> None:
        """Say it, if it was not said just now."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (_OFTEN if self._alive else _SELDOM)
        said = _progress(progress)
        if self._alive:
            text = voice.tell(said)
            voice.ask(f"\r{text:<{self._width}}")
            self._width = len(text)
        else:
            voice.say(said)

    def clear(self) -> None:
        """Leave an empty line for what is said next."""
        if self._width:
            voice.ask(f"\r{'':{self._width}}\r")


def _progress(progress: Progress) -> Sentence:
    if progress.total is None:
        return counted("looked through {n} file", "looked through {n} files", n=progress.done)
    left = progress.remaining
    return sentence(
        "judged {done} of {total} games, {rate} a second, {left} left",
        done=progress.done,
        total=progress.total,
        rate=round(progress.rate),
        left="?" if left is None else _clock(round(left)),
    )


def _clock(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def print_report(report: Report) -> None:
    """Print an audit for people: outcomes, findings, players, remarks, and what could not be read."""
    tally = report.tally
    voice.told(
        sentence(
            "{games} in {files}",
            games=counted("{n} game", "{n} games", n=tally.games),
            files=counted("{n} file", "{n} files", n=report.files),
        )
    )
    for outcome in Outcome:
        if tally.outcomes[outcome]:
            voice.told(sentence("  {outcome}: {n}", outcome=STANDINGS[outcome], n=tally.outcomes[outcome]))
    if tally.findings:
        voice.told(sentence("findings:"))
        for code, times in sorted(tally.codes.items(), key=lambda one: (-one[1], one[0].value)):
            rule = rule_of(code).cite(NEWEST)
            voice.told(
                sentence("  {n} × {code} ({rule}): {why}", n=times, code=code.value, rule=rule, why=FAULTS[code].why)
            )
        voice.told(sentence("players with findings:"))
        _list([_culprit(group) for group in _culprits(tally.findings)])
    if report.remarks:
        voice.told(sentence("remarks on several games, which accuse nobody:"))
        _list([say_remark(remark) for remark in report.remarks])
    if tally.set_aside:
        games = counted("{n} game", "{n} games", n=tally.with_aside)
        voice.told(
            counted(
                "{n} line was set aside, in {games}",
                "{n} lines were set aside, in {games}",
                n=tally.set_aside,
                games=games,
            )
        )
    if tally.remarked:
        voice.told(
            counted(
                "in {n} game there are names that the list of card names does not plainly have",
                "in {n} games there are names that the list of card names does not plainly have",
                n=tally.remarked,
            )
        )
    _print_troubles(report.troubles)


def _print_troubles(troubles: Sequence[Troubled]) -> None:
    for said, found in (
        (sentence("could not be read:"), [one for one in troubles if one.is_loss]),
        (sentence("no games in:"), [one for one in troubles if not one.is_loss]),
    ):
        if found:
            voice.told(said)
            _list([sentence("{path}: {why}", path=one.label, why=one.said) for one in found])


def _list(lines: Sequence[Sentence]) -> None:
    for line in islice(lines, _MOST):
        voice.told(sentence("  {line}", line=line))
    if len(lines) > _MOST:
        voice.told(sentence("  … and {n} more: --format jsonl lists them all", n=len(lines) - _MOST))


def _culprits(findings: Counter[Culprit]) -> list[list[tuple[Culprit, int]]]:
    """Return the findings of each key together, the most first."""
    groups = [list(group) for _, group in groupby(sorted(findings.items()), key=lambda one: one[0].key)]
    return sorted(groups, key=lambda group: (-sum(times for _, times in group), group[0][0].key))


def _culprit(group: Iterable[tuple[Culprit, int]]) -> Sentence:
    group = list(group)
    names = " / ".join(dict.fromkeys(culprit.name for culprit, _ in group))
    codes = ", ".join(f"{times} × {code}" for code, times in _codes(group).items())
    return sentence("{name} ({key}): {codes}", name=names, key=group[0][0].key[:SHORT_KEY], codes=codes)


def _codes(group: Iterable[tuple[Culprit, int]]) -> dict[str, int]:
    codes: Counter[str] = Counter()
    for culprit, times in group:
        codes[culprit.code] += times
    return dict(sorted(codes.items()))


def report_json(report: Report) -> dict[str, object]:
    """Return an audit as JSON."""
    tally = report.tally
    return {
        "files": report.files,
        "findings": {code.value: tally.codes[code] for code in Code if tally.codes[code]},
        "games": tally.games,
        "outcomes": {outcome.value: tally.outcomes[outcome] for outcome in Outcome if tally.outcomes[outcome]},
        "players": [
            {
                "findings": _codes(group),
                "key": group[0][0].key,
                "names": list(dict.fromkeys(culprit.name for culprit, _ in group)),
            }
            for group in _culprits(tally.findings)
        ],
        "remarked": tally.remarked,
        "remarks": [
            {
                "games": list(remark.games),
                "holders": list(remark.holders),
                "noticed": remark.noticed.value,
                "said": voice.tell(say_remark(remark)),
                "times": remark.times,
                "value": remark.value,
            }
            for remark in report.remarks
        ],
        "set_aside": {"games": tally.with_aside, "lines": tally.set_aside},
        "troubles": [
            {"said": voice.tell(one.said), "source": one.label, "trouble": one.trouble.value} for one in report.troubles
        ],
    }
