"""Three players at one table, in memory: what they say honestly, and what a cheat says past the law."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.entry import Act, Body, Commit, Entry, Open, Pass, Seal, ShownSlip, Step, frame
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line, sign
from hiddenagenda.moves import commit, leave, reveal, turn_up
from hiddenagenda.naming import Choice, choose
from hiddenagenda.player import Player, new_seat, shown, write_slips
from hiddenagenda.record import read_record
from hiddenagenda.slip import Slip
from hiddenagenda.table import Table
from hiddenagenda.transcript import Transcript

NAMES = ("Ana", "Ben", "Cleo")
AGENDAS = {
    "Ana": (("Muzzio's Preparations", "Grizzly Bears"), ("Brago's Favor", "Giant Growth")),
    "Ben": (("Summoner's Bond", "Storm Crow", "Llanowar Elves"),),
    "Cleo": (),
}


def draw_keys() -> Mapping[str, Identity]:
    """Make a key for each of the three."""
    return {name: Identity.generate() for name in NAMES}


@dataclass(slots=True)
class Trio:
    """A game as far as it has been played. ``cheat`` and ``forge`` ask no law."""

    identities: Mapping[str, Identity]
    transcript: Transcript
    slips: dict[str, dict[int, Slip]]
    choices: dict[str, tuple[Choice, ...]]

    @classmethod
    def sit_down(cls, identities: Mapping[str, Identity], names: Catalogue, *, edition: str) -> "Trio":
        """Make seats, and a table at which priority is tracked."""
        seats = tuple(new_seat(identities[name].public, name) for name in NAMES)
        table = Table(edition=edition, label="demo", players=seats, priority="tracked")
        line = sign(frame(table, author=identities["Ana"].public.hex), identities["Ana"])
        transcript = read_record(line.data + b"\n").transcripts[0]
        choices = {
            name: tuple(choose(names, conspiracy, cards) for conspiracy, *cards in agendas)
            for name, agendas in AGENDAS.items()
        }
        return cls(identities, transcript, {name: {} for name in NAMES}, choices)

    def key(self, name: str) -> str:
        """Return a player's key, hex."""
        return self.identities[name].public.hex

    def player(self, name: str) -> Player:
        """Return the game as a player may build on it."""
        return Player.of(self.transcript, self.key(name))

    def say(self, name: str, body: Body) -> Line:
        """Say something as an honest client does: only what the law does not condemn."""
        return self._add(sign(self.player(name).draft(body), self.identities[name]))

    def cheat(self, name: str, body: Body, *, over: Sequence[Line] = ()) -> Line:
        """Sign anything, over the entries given or over all that is here."""
        return self._add(sign(self._frame(name, body, over), self.identities[name]))

    def forge(self, forger: str, name: str, body: Body) -> Line:
        """Put an entry into a player's mouth; the signature under it is the forger's."""
        line = sign(self._frame(name, body, ()), self.identities[name])
        return self._add(line.signed_by(self.identities[forger].sign(line.raw).hex()))

    def commit(self, name: str, choices: Sequence[Choice] | None = None) -> Line:
        """Write the slips and commit to them."""
        return self.say(name, self.commitment(name, self.choices[name] if choices is None else choices))

    def commitment(self, name: str, choices: Sequence[Choice]) -> Commit:
        """Write slips for ``choices`` and return the body that commits to them."""
        slips = write_slips(self.identities[name], self.transcript.game, choices)
        self.slips[name] = {slip.slot: slip for slip in slips}
        return commit(slips)

    def start(self) -> None:
        """Let everybody commit who has not, and everybody seal."""
        for name in NAMES:
            if not any(isinstance(line.entry.body, Commit) for line in self._own(name)):
                self.commit(name)
        for name in NAMES:
            self.say(name, Seal())

    def first_step(self) -> None:
        """Open the upkeep of Ana's first turn: she has priority."""
        self.say("Ana", Step(active=self.key("Ana"), priority=True, step="upkeep", turn=1))

    def turn_up(self, name: str, slot: int) -> Open:
        """Return the body that turns a slot up."""
        return turn_up(self.player(name), self.slips[name], slot, when="turn 1, upkeep")

    def act(self, name: str, text: str) -> None:
        """Do something with priority."""
        self.say(name, Act(text=text))

    def pass_around(self, *names: str) -> None:
        """Let players pass priority, one after the other."""
        for name in names:
            self.say(name, Pass())

    def leave(self, name: str, why: str) -> None:
        """Leave honestly, showing what is still face down."""
        self.say(name, leave(self.player(name), self.slips[name], why=why))

    def show(self, name: str) -> None:
        """Show what is due, if anything is."""
        due = reveal(self.player(name), self.slips[name], waited=False)
        if due is not None:
            self.say(name, due)

    def rewritten(self, name: str, slot: int, *, cards: tuple[str, ...] = (), conspiracy: str = "") -> ShownSlip:
        """Return the slip of a slot with something else on it, as if it had been so from the start."""
        slip = self.slips[name][slot]
        written = replace(slip, names=tuple(sorted(cards or slip.names)), conspiracy=conspiracy or slip.conspiracy)
        return shown(written)

    def newest(self, name: str, *, back: int = 0) -> Line:
        """Return what a player said last, or so many entries before that."""
        return self._own(name)[-1 - back]

    def _frame(self, name: str, body: Body, over: Sequence[Line]) -> Entry[Body]:
        graph = self.transcript.graph
        numbers = [graph.index[line.id] for line in over] or self.transcript.heads(self.transcript.held)
        seat = self.transcript.roster.index(self.key(name))
        return frame(
            body,
            author=self.key(name),
            game=self.transcript.game,
            parents=tuple(graph.nodes[number].id for number in numbers),
            seq=1 + max(graph.tops[number][seat] for number in numbers),
        )

    def _add(self, line: Line) -> Line:
        self.transcript = self.transcript.add([line])
        return line

    def _own(self, name: str) -> list[Line]:
        nodes = self.transcript.graph.nodes
        return [nodes[number] for number in self.transcript.chain(self.key(name))]
