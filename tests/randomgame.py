"""Random games among honest clients and cheats, with lines that arrive late, in part, or never.

A seed makes the same game again. The honest do anything that the law lets them; cheats do that, and anything else.
"""

import random
from collections.abc import Callable

from table import BOX, Cheat, Client, Game, damaged

from hiddenagenda.entry import Act, Apply, Body, Commit, End, Leave, Note, Open, Pass, Seal, Step
from hiddenagenda.line import Line

NAMES = ("Grizzly Bears", "Wind Drake", "Opt")


class RandomGame:
    """One game; ``play`` lets it run, after which the honest tell each other all they have and leave."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        players = chance.randint(2, 5)
        judged = chance.random() < 0.35
        cheats = set(chance.sample(range(players), chance.randint(0, players - 1)))
        if judged and chance.random() < 0.5:
            cheats.add(-1)
        self.game = Game(
            players, cheats=cheats, judged=judged, tracked=chance.random() < 0.5, slots=chance.randint(0, 2)
        )

        self.on: list[Client] = []
        """The honest for whom the game was on before they left."""

    def play(self, moves: int) -> Game:
        game, chance = self.game, self.chance
        if chance.random() < 0.6:  # most games should get somewhere
            self._set_up()
        for _ in range(moves):
            speaker = chance.choice(game.everybody)
            if isinstance(speaker, Cheat) and chance.random() < 0.5:
                self._lie(speaker)
            else:
                self._say(speaker)
            if chance.random() < 0.7:
                self._deliver()
        for _ in range(3):
            game.share(game.honest)
            for client in game.honest:
                for body in (client.commitment(client.slips), Seal()):
                    if client.slips and client.refused(body) is None:
                        client.say(body)
        game.share(game.honest)
        self.on = [client for client in game.honest if client.hearing.after(client.parents).facts.in_force]
        for client in game.honest:
            if client is not game.judge and client.refused(End(outcome="")) is None:
                client.leave()
                game.share(game.honest)
        return game

    def _set_up(self) -> None:
        """Commit and seal with everybody; a cheat does more between."""
        game, chance = self.game, self.chance
        for client in game.players:
            client.commit(*(client.slip(slot, chance.choice(NAMES)) for slot in range(1, game.slots + 1)))
        if chance.random() < 0.7:
            game.share()
        for client in game.everybody:
            if isinstance(client, Cheat) and chance.random() < 0.3:
                self._lie(client)
            if isinstance(client, Cheat):
                client.lie(Seal())
            elif client.refused(Seal()) is None:
                client.say(Seal())
            self._deliver()
        if chance.random() < 0.7:
            game.share()

    def _deliver(self) -> None:
        chance = self.chance
        sender, receiver = chance.sample(self.game.everybody, 2)
        share = chance.choice((0.5, 1, 1))
        receiver.see(*(line for line in sender.lines if chance.random() <= share))

    def _say(self, client: Client) -> None:
        bodies = self._bodies(client)
        self.chance.shuffle(bodies)
        for make in bodies:
            body = make()
            if body is None:
                continue
            if isinstance(client, Cheat):
                client.lie(body)
                return
            if client.refused(body) is None:
                client.say(body)
                return

    def _bodies(self, client: Client) -> list[Callable[[], Body | None]]:
        """Moves to try, the rare ones seldom."""
        chance, game = self.chance, self.game
        others = [slip for other in game.players for slip in other.slips]

        def commit() -> Commit:
            if not client.slips:
                client.slips = tuple(client.slip(slot, chance.choice(NAMES)) for slot in range(1, game.slots + 1))
            return client.commitment(client.slips)

        usual: list[Callable[[], Body | None]] = [
            Seal,
            Pass,
            lambda: Act(text=""),
            lambda: Note(text=str(chance.random())),
            self._step,
            lambda: Open(slips=tuple(chance.sample(client.slips, 1)), when="") if client.slips else None,
            lambda: Apply(card=chance.choice(NAMES), slot=1),
        ]
        if client is not game.judge:
            usual.append(commit)
        if chance.random() < 0.15:
            usual.append(lambda: End(outcome=""))
            usual.append(
                lambda: Leave(player=client.key, slips=client.face_down, why="") if client is not game.judge else None
            )
        if others and chance.random() < 0.1 and not isinstance(client, Cheat):
            shown = chance.choice(others)
            usual.append(lambda: Open(slips=(shown,), when="") if self._knows(client, shown.digest) else None)
        return usual

    def _knows(self, client: Client, commitment: str) -> bool:
        """Whether a slip was shown to this client; the judge knows all."""
        return client is self.game.judge or any(
            slip.digest == commitment
            for line in client.lines
            if isinstance(line.entry.body, Open | Leave)
            for slip in line.entry.body.slips
        )

    def _step(self) -> Step:
        chance = self.chance
        step = chance.choice(("untap", "upkeep", "draw", "cleanup"))
        return Step(
            active=chance.choice(self.game.players).key, priority=step not in {"untap", "cleanup"}, step=step, turn=1
        )

    def _lie(self, cheat: Cheat) -> None:
        chance, game = self.chance, self.game
        slips = [slip for client in game.players for slip in client.slips] + [cheat.slip(1, "Swamp")]
        one = tuple(chance.sample(slips, 1))
        bodies: list[Body] = [
            Commit(commitments=tuple(slip.digest for slip in one), **self._boxes()),
            Seal(),
            Open(slips=one, when=""),
            Leave(player=chance.choice(game.players).key, slips=one if chance.random() < 0.5 else (), why=""),
            Apply(card=chance.choice(NAMES), slot=1),
            End(outcome=""),
            Pass(),
            Act(text=""),
            self._step(),
            Note(text=str(chance.random())),
        ]
        body = chance.choice(bodies)
        parents = None
        if chance.random() < 0.4:
            parents = chance.sample(cheat.lines, min(len(cheat.lines), chance.randint(1, 3)))
            if cheat.own and chance.random() < 0.8:
                parents.append(cheat.own[-1])
        match chance.choice(["lie", "lie", "lie", "fork", "forge", "damage", "skip", "ground"]):
            case "fork" if self._foreign(cheat.own):
                cheat.fork(chance.choice(self._foreign(cheat.own)), body)
            case "forge" if game.honest:
                victim = chance.choice(game.honest)
                known = [line for line in cheat.lines if line.entry.author == victim.key]
                last = max(known, key=lambda line: line.entry.seq, default=game.table)
                cheat.forge(victim, body, parents=[last, *(parents or ())], seq=len(known) + 1)
            case "damage":
                line = cheat.lie(body, parents=parents)
                if chance.random() < 0.5:
                    cheat.show_damaged(line)
                else:
                    cheat.see(damaged(line))
            case "skip":
                cheat.lie(body, parents=parents, seq=chance.randint(1, 6))
            case "ground":
                cheat.ground(body, below="8", parents=parents)
            case _:
                cheat.lie(body, parents=parents)

    def _foreign(self, lines: list[Line]) -> list[Line]:
        return [line for line in lines if line.entry.type != "table"]

    def _boxes(self) -> dict[str, tuple[str, ...]]:
        return {"sealed": (BOX,)} if self.game.judge and self.chance.random() < 0.8 else {}
