"""What judging costs per entry, by the length of the game: ``python tests/benchmarks/law.py``.

Prints ratios within one run; absolute times depend on the machine. The lines are linked and their signatures checked
before the clock runs.
"""

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent.parent)]

from table import Game, transcript, unsigned  # noqa: E402

from hiddenagenda.entry import Act, Apply, Body, Note, Pass, Step, frame  # noqa: E402 - after the path is set
from hiddenagenda.hearing import Hearing  # noqa: E402
from hiddenagenda.line import Line  # noqa: E402
from hiddenagenda.priority import after_act, after_pass, after_step, may_move  # noqa: E402
from hiddenagenda.verifier import judge  # noqa: E402

SIZES = (100, 1_000, 5_000, 20_000)
ROUNDS = 5
PLAYERS = 6
EVERYBODY = (1 << PLAYERS) - 1


class Writer:
    """Writes a game's lines; only the last ones of each player are signed, so that making them takes no time."""

    def __init__(self, size: int) -> None:
        self.game = Game(PLAYERS, tracked=True)
        self.game.start()
        self.lines = self.game.lines
        self.size = size
        self.newest = [client.own[-1].id for client in self.game.players]
        self._seqs = [len(client.own) for client in self.game.players]
        whole = transcript(self.lines)
        self.heads = [whole.graph.nodes[number].id for number in whole.heads(whole.grounded)]

    def say(self, place: int, body: Body) -> None:
        client = self.game.players[place]
        self._seqs[place] += 1
        parents = tuple({*self.heads, self.newest[place]})
        entry = frame(body, author=client.key, game=self.game.table.id, parents=parents, seq=self._seqs[place])
        line = unsigned(entry)
        if len(self.lines) >= self.size - 3 * PLAYERS:
            line = line.signed_by(client.identity.sign(line.raw).hex())
        self.lines.append(line)
        self.newest[place] = line.id


def chain(size: int) -> list[Line]:
    """Return a game of passing and acting, one line resting on the other."""
    writer = Writer(size)
    last = after_step(0, priority=True)
    for move in range(len(writer.lines), size):
        turn = may_move(last, EVERYBODY)
        if turn.stepper is not None:
            place = turn.stepper
            writer.say(place, Step(active=writer.game.players[0].key, priority=True, step="main", turn=move))
            last = after_step(0, priority=True)
        else:
            place = turn.holder or 0
            writer.say(place, Act(text="a spell") if move % 5 == 0 else Pass())
            last = after_act(last, place) if move % 5 == 0 else after_pass(last, place, EVERYBODY, PLAYERS)
        writer.heads = [writer.newest[place]]
    return writer.lines


def crowd(size: int) -> list[Line]:
    """Return a game in which all speak at once and then hear each other, again and again."""
    writer = Writer(size)
    while len(writer.lines) < size:
        for place in range(PLAYERS):
            writer.say(place, Note(text="me too"))
        writer.heads = list(writer.newest)
    return writer.lines


def cheats(size: int) -> list[Line]:
    """Return a game in which all use an agenda that lies face down: every entry is void."""
    writer = Writer(size)
    while len(writer.lines) < size:
        for place in range(PLAYERS):
            writer.say(place, Apply(card="Grizzly Bears", slot=1))
        writer.heads = list(writer.newest)
    return writer.lines


def main() -> None:
    for kind in (chain, crowd, cheats):
        print((kind.__doc__ or "").removeprefix("Return "))
        base = None
        for size in SIZES:
            whole = transcript(kind(size))
            assert all(whole.grounded)
            assert bool(judge(whole).findings) is (kind is cheats)
            seconds, all_seconds = [], []
            for _ in range(ROUNDS):
                start = perf_counter()
                Hearing.of(whole)
                seconds.append(perf_counter() - start)
                start = perf_counter()
                judge(whole)
                all_seconds.append(perf_counter() - start)
            each = median(seconds) / len(whole.graph.nodes)
            base = base or each
            print(
                f"{size:>7} entries: {each * 1e6:6.2f} µs an entry, {each / base:5.2f} × of the smallest; "
                f"whole verdict {median(all_seconds) / len(whole.graph.nodes) * 1e6:6.2f} µs an entry"
            )


if __name__ == "__main__":
    main()
