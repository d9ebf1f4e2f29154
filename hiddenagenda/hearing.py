"""All entries of a game before the law, each once.

SPEC "Verifying a game", steps 5 and 6. An entry is judged in the joined state of its own ancestors; a void one changes
nothing and stays where it is. What others have said beside it, or later, is not asked. A draft is judged by the same
function as what is on record.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from hiddenagenda.case import Refused
from hiddenagenda.entry import Body, Commit, Entry
from hiddenagenda.faults import IllegalMove, sentence
from hiddenagenda.law import rule
from hiddenagenda.setting import Setting
from hiddenagenda.state import State, join
from hiddenagenda.transcript import Transcript


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hearing:
    """A transcript's grounded entries as judged. Entries go by their numbers in the transcript's graph."""

    transcript: Transcript
    setting: Setting
    states: Sequence[State | None]
    """What holds after each entry; None for those that are not grounded."""
    void: Mapping[int, Refused]
    """Why entries are void, in display order."""

    @classmethod
    def of(cls, transcript: Transcript) -> Self:
        """Judge all grounded entries of ``transcript``."""
        # 2. Complete entries only, in display order.
        graph = transcript.graph
        # 3. Of these, the ones that a valid signature of their own author covers. 4. And whose ancestors are such, too.
        grounded = transcript.grounded
        commits = {line.id: line.entry.body for line in graph.nodes if isinstance(line.entry.body, Commit)}
        setting = Setting.of(transcript.game, transcript.table, commits)
        states: list[State | None] = []
        void: dict[int, Refused] = {}
        joined: dict[tuple[int, ...], State] = {}
        for number, line in enumerate(graph.nodes):
            if not grounded[number]:
                states.append(None)
                continue
            # 5. The state before an entry is the join of the states after its parents.
            parents = graph.parents[number]
            before = states[parents[0]] if len(parents) == 1 else joined.get(parents)
            if before is None:
                before = joined[parents] = _joined(setting, states, parents)
            # 6. Judge it in that state; a void entry leaves it as it is.
            after = rule(setting, before, line.entry, id=line.id, depth=graph.depths[number])
            if isinstance(after, Refused):
                void[number] = after
                after = before
            states.append(after)
        return cls(transcript=transcript, setting=setting, states=states, void=void)

    def after(self, numbers: Iterable[int]) -> State:
        """Return what holds for an entry whose parents are the grounded entries ``numbers``."""
        return _joined(self.setting, self.states, numbers)

    def counts(self, number: int) -> bool:
        """Tell whether an entry is grounded and valid."""
        return self.states[number] is not None and number not in self.void

    @property
    def standing(self) -> State:
        """What holds after everything: for an imaginary entry over all grounded ones."""
        return self.after(self.transcript.heads(self.transcript.grounded))


def _joined(setting: Setting, states: Sequence[State | None], numbers: Iterable[int]) -> State:
    above = [state for number in numbers if (state := states[number]) is not None]
    return above[0] if len(above) == 1 else join(above) if above else setting.beginning


def legal(hearing: Hearing, draft: Entry[Body]) -> Refused | None:
    """Say why ``draft`` would be void, or return None where it may be signed.

    It is judged as every later reader will judge it: over what it names as its parents, which must be grounded here.
    Raises ``IllegalMove`` for a draft that no reader could place: of another game or author, over entries that are not
    here, or with another seq than the next. That its author should sign no fork is not asked: see ``player``.
    """
    graph = hearing.transcript.graph
    numbers = [graph.index.get(parent, -1) for parent in draft.parents]
    seat = hearing.setting.numbers.get(draft.author)
    if draft.game != hearing.setting.game or seat is None:
        raise IllegalMove(sentence("this entry is not for this table"), code="other-table")
    if not numbers or any(number < 0 or hearing.states[number] is None for number in numbers):
        raise IllegalMove(sentence("what this entry rests on is not all here and signed"), code="ungrounded")
    want = 1 + max(graph.tops[number][seat] for number in numbers)
    if draft.seq != want:
        raise IllegalMove(
            sentence("the entry has the number {have} and would be its author's {want}", have=draft.seq, want=want),
            code="seq",
        )
    depth = 1 + max(graph.depths[number] for number in numbers)
    ruled = rule(hearing.setting, hearing.after(numbers), draft, id="", depth=depth)
    return ruled if isinstance(ruled, Refused) else None
