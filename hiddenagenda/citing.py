"""What a new entry should rest on.

SPEC "Parents". That an entry rests on all that its author knows is a client's habit, no rule; which branch of somebody
who told two stories it follows is a choice. This one never cites two of them, and never lets a branch that is shown
later take a client out of a game that is on for it. Nothing here is asked of others.
"""

from collections import Counter
from collections.abc import Iterable

from hiddenagenda.graph import MOST_DOUBLED, Graph
from hiddenagenda.hearing import Hearing
from hiddenagenda.state import Commits


def parents_for(hearing: Hearing, author: str) -> tuple[int, ...]:
    """Return the numbers of the entries that the next one of ``author`` (a key) should name as its parents.

    They are the heads of what is held here with valid signatures, less all but one for each author: where somebody has
    several, the one in which he has sealed what ``author`` has, or else the last in display order. Together they rest
    on no more commits and seals of one author than an entry may.
    """
    graph, held = hearing.transcript.graph, hearing.transcript.held
    accepted = _accepted(hearing, hearing.setting.numbers[author])
    resting = [0] * len(graph.nodes)
    for number, parents in enumerate(graph.parents):
        if held[number]:
            for parent in parents:
                resting[parent] += 1
    heads = [number for number, flag in enumerate(held) if flag and not resting[number]]
    own = [number for number in graph.chains[hearing.setting.numbers[author]] if held[number]][-1:]
    tight = _is_crowded(graph, heads)
    chosen: dict[int, int] = {}
    while heads:
        head = heads.pop()
        seat = graph.seats[head]
        rivals = {head, chosen.pop(seat, head)}
        best = max(rivals, key=lambda number: (_sealed(hearing, number, accepted), number))
        if not tight or not _is_crowded(graph, (*own, best, *chosen.values())):
            chosen[seat] = best
            rivals.discard(best)
        for loser in rivals:
            for parent in graph.parents[loser]:
                resting[parent] -= 1
                if not resting[parent]:
                    heads.append(parent)
    return tuple(sorted(chosen.values()))


def _accepted(hearing: Hearing, author: int) -> Commits | None:
    """Return the commits that this author has sealed, as far as his newest entry goes."""
    chain = hearing.transcript.graph.chains[author]
    state = hearing.states[chain[-1]] if chain else None
    seals = state.facts.seals if state else frozenset()
    return min((commits for by, commits in seals if by == author), default=None)


def _sealed(hearing: Hearing, number: int, accepted: Commits | None) -> bool:
    """Tell whether the author of an entry has validly sealed these commits in its closure."""
    state = hearing.states[number]
    seat = hearing.transcript.graph.seats[number]
    return state is not None and accepted is not None and (seat, accepted) in state.facts.seals


def _is_crowded(graph: Graph, numbers: Iterable[int]) -> bool:
    """Tell whether an entry over these would rest on more commits or seals of one author than it may."""
    doubled = Counter(
        (graph.seats[number], kind)
        for number in graph.closure(numbers)
        if (kind := graph.nodes[number].entry.type) in {"commit", "seal"}
    )
    return max(doubled.values(), default=0) > MOST_DOUBLED
