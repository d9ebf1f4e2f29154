"""Small worlds, all of them: every way in which the start can go with one cheat, and every short tracked game.

The code that runs is the library's; only where nothing depends on signatures are they left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations

import pytest
from table import Cheat, Client, Game, damaged, found, transcript

from hiddenagenda.case import Refused, turn
from hiddenagenda.entry import Act, Body, Commit, End, Leave, Note, Open, Pass, Seal, Step, frame
from hiddenagenda.law import rule
from hiddenagenda.line import Line, sign
from hiddenagenda.shape import encode
from hiddenagenda.state import State, join
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Phase
from hiddenagenda.verifier import judge

LIES = 2
"""Entries of the cheat in the start phase."""


class StartPhase:
    """One honest player and a cheat who writes up to ``LIES`` entries; lines are heard in every order, or never."""

    def __init__(self, host: int) -> None:
        self.game = Game(2, cheats=(1 - host,))
        self.honest: Client = self.game.honest[0]
        self.cheat: Cheat = self.game.cheat
        self.slip = self.honest.slip(1)
        self.mine = self.cheat.slip(1)
        self.worlds: set[tuple[frozenset[Line], frozenset[Line]]] = set()
        self.audited: set[frozenset[Line]] = set()

    def explore(self) -> None:
        table = frozenset([self.game.table])
        todo = [(table, table)]
        while todo:
            world = todo.pop()
            if world not in self.worlds:
                self.worlds.add(world)
                self.audit(*world)
                todo += self.moves(*world)

    def moves(
        self, lines: frozenset[Line], heard: frozenset[Line]
    ) -> Iterator[tuple[frozenset[Line], frozenset[Line]]]:
        """Yield what can happen next: the honest player hears a line, or speaks; the cheat writes."""
        for line in lines - heard:
            yield lines, heard | {line}
        said = self.honest_says(heard)
        if said is not None:
            yield lines | {said}, heard | {said}
        lies = sum(1 for line in lines if line.entry.author == self.cheat.key and line.entry.type != "table")
        if lies < LIES:
            for lie in self.lies(lines):
                yield lines | {lie}, heard

    def honest_says(self, heard: frozenset[Line]) -> Line | None:
        """Return what an honest client says next on its own: commit, seal, and once all have sealed, leave."""
        client = Client(self.honest.name)
        client.see(*heard)
        client.own = sorted(
            (line for line in heard if line.entry.author == client.key), key=lambda line: line.entry.seq
        )
        client.slips = (self.slip,)
        if any(line.entry.type == "leave" for line in client.own):
            return None
        for body in (client.commitment(client.slips), Seal(), Leave(player=client.key, slips=client.slips, why="")):
            if client.refused(body) is None:
                return client.say(body)
        return None

    def lies(self, lines: frozenset[Line]) -> Iterator[Line]:
        known = transcript(lines)
        graph = known.graph
        bodies: tuple[Body, ...] = (
            Commit(commitments=(self.mine.digest,)),
            Commit(commitments=()),
            Seal(),
            Note(text=""),
        )
        seat = graph.chains.index(known.chain(self.cheat.key))
        for size in (1, 2):
            for chosen in combinations(range(len(graph.nodes)), size):
                if any(graph.covers(later, earlier) for later, earlier in combinations(reversed(chosen), 2)):
                    continue
                for body in bodies:
                    entry = frame(
                        body,
                        author=self.cheat.key,
                        game=known.game,
                        parents=tuple(graph.nodes[number].id for number in chosen),
                        seq=1 + max(graph.tops[number][seat] for number in chosen),
                    )
                    line = sign(entry, self.cheat.identity)
                    yield line
                    yield damaged(line)

    def audit(self, lines: frozenset[Line], heard: frozenset[Line]) -> None:
        """Judge every selection of the lines; nobody honest is named, and what is found in fewer is found in more."""
        table = self.game.table
        rest = lines - {table}
        everything = found(judge(transcript(lines)))
        for size in range(len(rest) + 1):
            for chosen in combinations(rest, size):
                shown = frozenset([table, *chosen])
                if shown not in self.audited:
                    self.audited.add(shown)
                    findings = found(judge(transcript(shown)))
                    assert findings <= everything
                    assert self.honest.key not in {author for _, author, _ in findings}


@pytest.mark.parametrize("host", [0, 1])
def test_every_start_with_one_cheat(host: int) -> None:
    world = StartPhase(host)
    world.explore()
    assert len(world.audited) > 1000


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """An entry after the start, and what holds after it."""

    id: str
    author: int
    below: frozenset["Said"]
    state: State
    depth: int
    moves: bool


class TrackedGames:
    """All games of honest clients after the start, up to a number of entries, with lines heard in every order."""

    def __init__(self, players: int) -> None:
        self.game = Game(players, tracked=True)
        self.game.commit()
        self.game.seal()
        self.whole: Transcript = self.game.host.transcript
        hearing = self.game.host.hearing
        self.setting = hearing.setting
        self.beginning = hearing.standing
        self.depth = max(self.whole.graph.depths)
        self.heads = tuple(self.whole.graph.nodes[number].id for number in self.whole.heads(self.whole.grounded))
        self.seqs = [len(client.own) for client in self.game.players]
        self.seen: set[frozenset[str]] = set()

    def explore(self, entries: int) -> int:
        self._extend(frozenset(), entries)
        return len(self.seen)

    def _extend(self, world: frozenset[Said], left: int) -> None:
        name = frozenset(said.id for said in world)
        if name in self.seen:
            return
        self.seen.add(name)
        self._check(world)
        if left:
            for said in self._sayings(world):
                for other in world - said.below:
                    assert not (said.moves and other.moves), "two honest moves race"
                self._extend(world | {said}, left - 1)

    def _check(self, world: frozenset[Said]) -> None:
        """Somebody who is still in can go on, unless the game is over."""
        state = join([self.beginning, *(said.state for said in world)])
        if state.facts.phase is Phase.ON:
            may = turn(state)
            movers = {may.holder, may.stepper} - {None}
            assert movers
            assert all(mover is not None and state.facts.remaining >> mover & 1 for mover in movers)

    def _sayings(self, world: frozenset[Said]) -> Iterator[Said]:
        for author, client in enumerate(self.game.players):
            own = [said for said in world if said.author == author]
            needed = frozenset[Said]().union(*({said, *said.below} for said in own))
            for known in _closed(world, needed):
                heads = [said for said in known if not any(said in other.below for other in known)]
                state = join([self.beginning, *(said.state for said in heads)])
                depth = 1 + max((said.depth for said in heads), default=self.depth)
                for body in self._bodies(client, state):
                    entry = frame(
                        body,
                        author=client.key,
                        game=self.setting.game,
                        parents=tuple(said.id for said in heads) or self.heads,
                        seq=self.seqs[author] + len(own) + 1,
                    )
                    name = sha256(encode(entry)).hexdigest()
                    after = rule(self.setting, state, entry, id=name, depth=depth)
                    if not isinstance(after, Refused):
                        moves = after.last is not state.last
                        yield Said(name, author, known, after, depth, moves)

    def _bodies(self, client: Client, state: State) -> Iterator[Body]:
        players = self.game.players
        for active in players:
            yield Step(active=active.key, priority=True, step="upkeep", turn=1)
        yield Pass()
        yield Act(text="")
        gone = not state.facts.remaining >> players.index(client) & 1
        if not gone:
            opened = {shown.slip.player for shown in state.facts.shown}
            yield Leave(player=client.key, slips=() if client.key in opened else client.slips, why="")
            yield End(outcome="")
        if len(players) == 2:
            yield Step(active=client.key, priority=False, step="untap", turn=1)
            yield Open(slips=client.slips, when="")


def _closed(world: frozenset[Said], needed: frozenset[Said]) -> Iterator[frozenset[Said]]:
    """Yield every set of entries that holds ``needed`` and all that its entries rest on."""
    rest = list(world - needed)
    for size in range(len(rest) + 1):
        for more in combinations(rest, size):
            known = needed.union(more)
            if all(said.below <= known for said in more):
                yield known


@pytest.mark.parametrize(("players", "entries"), [(2, 6), (3, 5)])
def test_every_short_tracked_game(players: int, entries: int) -> None:
    assert TrackedGames(players).explore(entries) > 10_000
