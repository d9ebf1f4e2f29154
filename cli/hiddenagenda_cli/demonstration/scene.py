"""One game of the demo: what happens, and how it must be judged."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hiddenagenda.faults import Sentence
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Code, RuleId
from hiddenagenda.verdict import Verdict
from hiddenagenda_cli.demonstration.trio import Trio


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How a game keeps a rule."""

    rule: RuleId
    how: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One game: what happens, and how it must be judged."""

    name: str
    """Also the name of the file it is written to."""
    told: Sentence
    play: Callable[[Trio], None]
    outcome: Outcome = Outcome.BROKEN
    code: Code | None = None
    """What the one finding is called, where there is one."""
    culprit: str | None = None
    kept: tuple[Kept, ...] = field(default=())

    def is_judged_well(self, trio: Trio, verdict: Verdict) -> bool:
        """Say whether the verdict is the one the scene is about, and names nobody else."""
        found = [(finding.code, finding.author) for finding in verdict.findings]
        wanted = [(self.code, trio.key(self.culprit))] if self.code and self.culprit else []
        return verdict.outcome is self.outcome and found == wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Scenes about one thing."""

    title: Sentence
    rule: RuleId | None = None
    """The rule that is kept or broken in it, where it is one of the game's."""
    scenes: tuple[Scene, ...]
