"""What a new entry should rest on.

SPEC "Parents". That an entry rests on all that its author knows is a client's habit, no rule; which branch of somebody
who told two stories it follows is a choice. This one never cites two of them, and never lets a branch that is shown
later take a client out of a game that is on for it. Nothing here is asked of others.
"""

from collections import Counter
from collections.abc import Iterable

from hiddenagenda.graph import MOST_DOUBLED, ONCE, Graph
from hiddenagenda.hearing import Hearing
from hiddenagenda.state import Commits

Doubled = frozenset[tuple[int, str, int]]
"""Commits and seals: seat, type and number of each."""


def parents_for(hearing: Hearing, author: str) -> tuple[int, ...]:
    """Return the numbers of the entries that the next one of ``author`` (a key) should name as its parents.

    They are the heads of what is held here with valid signatures, less all but one for each author: where somebody has
    several, the one in which he has sealed what ``author`` has, or else the last in display order. Together they rest
    on no more commits and seals of one author than an entry may.
    """
    graph, held = hearing.transcript.graph, hearing.transcript.held
    place = hearing.setting.numbers[author]
    own = [number for number in graph.chains[place] if held[number]][-1:]
    accepted = _accepted(hearing, place, own)
    resting = [0] * len(graph.nodes)
    for number, parents in enumerate(graph.parents):
        if held[number]:
            for parent in parents:
                resting[parent] += 1
    heads = [number for number, flag in enumerate(held) if flag and not resting[number]]
    crowding = _crowding(graph)
    chosen: dict[int, int] = {}
    while heads:
        head = heads.pop()
        seat = graph.seats[head]
        rivals = {head, chosen.pop(seat, head)}
        best = max(rivals, key=lambda number: (_sealed(hearing, number, accepted), number))
        together = Doubled().union(*(crowding[number] for number in (*own, best, *chosen.values()) if crowding))
        if not _are_too_many((by, kind) for by, kind, _ in together):
            chosen[seat] = best
            rivals.discard(best)
        for loser in rivals:
            for parent in graph.parents[loser]:
                resting[parent] -= 1
                if not resting[parent]:
                    heads.append(parent)
    return tuple(sorted(chosen.values()))


def _accepted(hearing: Hearing, place: int, own: Iterable[int]) -> Commits | None:
    """Return the commits that the player in this place has sealed, as far as the entries ``own`` go."""
    seals = hearing.after(own).facts.seals
    return min((commits for by, commits in seals if by == place), default=None)


def _sealed(hearing: Hearing, number: int, accepted: Commits | None) -> bool:
    """Tell whether the author of an entry has validly sealed these commits in its closure."""
    state = hearing.states[number]
    seat = hearing.transcript.graph.seats[number]
    return state is not None and accepted is not None and (seat, accepted) in state.facts.seals


def _crowding(graph: Graph) -> list[Doubled] | None:
    """Return for each entry the commits and seals in its closure, or None where there are few enough anyway."""
    kinds = [(seat, line.entry.type) for seat, line in zip(graph.seats, graph.nodes, strict=True)]
    if not _are_too_many(kind for kind in kinds if kind[1] in ONCE):
        return None
    below: list[Doubled] = []
    for number, parents in enumerate(graph.parents):
        mine = Doubled()
        for parent in parents:
            mine = mine if mine >= below[parent] else mine | below[parent]
        seat, kind = kinds[number]
        below.append(mine | {(seat, kind, number)} if kind in ONCE else mine)
    return below


def _are_too_many(kinds: Iterable[tuple[int, str]]) -> bool:
    return max(Counter(kinds).values(), default=0) > MOST_DOUBLED
