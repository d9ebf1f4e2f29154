"""Which lines prove a finding to somebody who has nothing else.

SPEC "Evidence". What was done stands in one entry, or two; what they rest on comes with them. An entry whose own
signature is damaged is vouched for by a later entry of its author, so that one may be needed besides. The lines that
these rest on are a transcript in which the same finding is made. Nothing here judges.
"""

from collections.abc import Iterable, Sequence

from hiddenagenda.transcript import Transcript


def proof(transcript: Transcript, numbers: Iterable[int]) -> tuple[int, ...]:
    """Return ``numbers`` and the entries besides what they rest on that must vouch for it, ascending.

    Takes time in proportion to what they rest on, and looks at one signature an author where nothing is damaged. What
    nobody vouches for in ``transcript`` stays so.
    """
    at = set(numbers)
    closure = set(transcript.graph.closure(at))
    return tuple(sorted((_vouchers(transcript, closure) - closure) | at))


def _vouchers(transcript: Transcript, closure: set[int]) -> set[int]:
    """Return validly signed entries that together cover all in ``closure`` that their authors stand by."""
    graph = transcript.graph
    found = set()
    for seat, chain in enumerate(graph.chains):
        if graph.is_forked(seat):
            found |= _vouching_for_branches(transcript, closure, chain)
            continue
        highest = sum(number in closure for number in chain)
        later = chain[highest - 1 :] if highest else ()
        found.update(next(([number] for number in later if transcript.signatures.valid(number) is not None), ()))
    return found


def _vouching_for_branches(transcript: Transcript, closure: set[int], own: Sequence[int]) -> set[int]:
    """Return what covers a forked author's entries in ``closure``: entries in it, as far as they will do."""
    within = [number for number in own if number in closure]
    beyond = [number for number in own if number not in closure]
    bare = set(within)
    walked: set[int] = set()
    found = set()
    for tip in (*reversed(within), *reversed(beyond)):
        if bare and tip not in walked and transcript.signatures.valid(tip) is not None:
            covered = transcript.graph.walk((tip,), walked)
            if not bare.isdisjoint(covered):
                bare.difference_update(covered)
                found.add(tip)
    return found
