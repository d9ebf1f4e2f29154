"""How the demo is printed: in lines that fit the terminal, or as JSON."""

import shutil
import sys
import textwrap
from collections.abc import Iterator

from hiddenagenda.bare import Judged
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.naming import Tongue
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import FAULTS, RULES, Edition, rule_of
from hiddenagenda.story import Told, Weight, tell
from hiddenagenda.table import Table
from hiddenagenda.telling import STANDINGS, headline, tell_findings
from hiddenagenda.telling import tell as tell_verdict
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Verdict
from hiddenagenda.verdictjson import to_json
from hiddenagenda_cli.demonstration.chat import Page
from hiddenagenda_cli.demonstration.scene import Chapter, Scene
from hiddenagenda_cli.output import voice

_SETTING_UP = {"table", "commit", "seal"}


def print_line(said: Sentence, *, indent: int = 0) -> None:
    """Print one sentence; at a terminal it is broken into lines that fit."""
    text = " " * indent + voice.tell(said)
    if not (sys.stdout and sys.stdout.isatty()):
        voice.result(text)
        return
    hanging = len(text) - len(text.lstrip()) + 2
    width = max(40, shutil.get_terminal_size().columns)
    for line in textwrap.wrap(
        text, width, subsequent_indent=" " * hanging, break_long_words=False, break_on_hyphens=False
    ):
        voice.result(line)


def print_page(page: Page, edition: Edition) -> None:
    """Print a piece of the story of the chat."""
    if voice.as_json:
        if page.judged:
            findings = [breach.code.value for breach in page.judged.breaches]
            voice.json({"outcome": page.judged.outcome.value, "findings": findings})
        return
    print_line(page.told)
    if page.posted:
        voice.result(f"    {page.posted}")
    for said in _judged(page.judged, edition) if page.judged else ():
        print_line(said, indent=4)


def print_chapter(chapter: Chapter, edition: Edition) -> None:
    """Print the heading of a chapter."""
    if voice.as_json:
        return
    voice.result("")
    title = chapter.title
    if chapter.rule:
        title = sentence("{title}: {rule}", title=title, rule=RULES[chapter.rule].cite(edition))
    print_line(sentence("== {title} ==", title=title))


def print_scene(number: int, scene: Scene, transcript: Transcript, verdict: Verdict, tongue: Tongue) -> None:
    """Print what happened in a scene, and the verdict."""
    if voice.as_json:
        voice.json({"scene": scene.name, "verdict": to_json(verdict)})
        return
    voice.result("")
    print_line(sentence("{number}. {story}", number=number, story=scene.told))
    for one in _happened(transcript, whole=bool(scene.kept)):
        said: dict[str, object] = {"player": one.name, "said": one.said}
        counts = one.weight is Weight.COUNTS
        print_line(sentence("{player} {said}", **said) if counts else sentence("! {player} {said}", **said), indent=5)
    for line in _verdict(verdict, tongue):
        print_line(line, indent=3)
    for kept in scene.kept:
        rule = RULES[kept.rule]
        print_line(sentence("{rule}: {says}", rule=rule.cite(verdict.edition), says=rule.says), indent=3)
        print_line(sentence("kept: {what}", what=kept.how), indent=5)


def _happened(transcript: Transcript, *, whole: bool) -> Iterator[Told]:
    """Yield the entries but the table; of a game that went on to be played, only those since then unless ``whole``."""
    told = [one for one in tell(transcript) if not isinstance(one.line.entry.body, Table)]
    played = [one for one in told if one.line.entry.type not in _SETTING_UP or one.weight is not Weight.COUNTS]
    yield from told if whole else played


def _verdict(verdict: Verdict, tongue: Tongue) -> Iterator[Sentence]:
    if not verdict.findings:
        yield from tell_verdict(verdict, tongue=tongue)
        return
    yield headline(verdict)
    yield from tell_findings(verdict)
    for finding in verdict.findings:
        yield sentence("    why: {why}", why=FAULTS[finding.code].why)
    others = [player for player in verdict.players if player.standing is not Outcome.BROKEN]
    for player in others:
        yield sentence("  {player}: {standing}", player=player.name, standing=STANDINGS[player.standing])


def _judged(one: Judged, edition: Edition) -> Iterator[Sentence]:
    if one.slip and one.outcome is Outcome.KEPT:
        for name in one.slip.names:
            yield sentence(
                "kept: {player} named {name} on {conspiracy}",
                player=one.slip.player,
                name=name,
                conspiracy=one.slip.conspiracy,
            )
    for breach in one.breaches:
        rule = rule_of(breach.code)
        yield sentence("broken: {what}", what=breach.said)
        yield sentence("{rule}: {says}", rule=rule.cite(edition), says=rule.says)
