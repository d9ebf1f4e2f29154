"""Many transcripts, one summary; and what only shows where several games lie side by side.

SPEC "Audits". Every game is judged by itself, by the same law as ever; verdicts are counted. That a seat's nonce or a
salt comes twice, a key under several names or a name under several keys is remarked on: none of it breaks a rule, and
names are claims. Nothing here reads files or knows how games are spread over processes.
"""

import enum
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple, Self

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.entry import Leave, Open
from hiddenagenda.faults import Sentence, counted
from hiddenagenda.hearing import Hearing
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Code, Edition
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Verdict, name_of
from hiddenagenda.verifier import conclude

MOST_SHOWN: Final = 8
"""Games, or holders, that a remark lists; it counts the others."""


SHORT_KEY: Final = 16
"""Digits by which keys are told apart for people."""


class Kind(enum.Enum):
    """What a claim is about: a value, and who has it."""

    NONCE = "nonce"
    """The nonce of a seat, and whose seat it is, as a key."""
    SALT = "salt"
    """The salt of a slip that was opened, and whose slip it is, as a key."""
    SEAT = "seat"
    """A key, and the name under which it sat down."""


class Claim(NamedTuple):
    """One thing that should come once, or always come with the same holder."""

    kind: Kind
    value: str
    holder: str
    game: str
    """The id of the game's table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """One game, judged, and what it adds to the comparison of games."""

    verdict: Verdict
    claims: tuple[Claim, ...]


def audited(transcript: Transcript, *, edition: Edition | None = None, names: Catalogue | None = None) -> Audited:
    """Judge one game as ``verifier.judge`` does, and say what may be compared with other games."""
    hearing = Hearing.of(transcript)
    verdict = conclude(hearing, edition=edition, names=names)
    return Audited(verdict=verdict, claims=tuple(_claims(hearing)))


def _claims(hearing: Hearing) -> Iterator[Claim]:
    transcript = hearing.transcript
    game = transcript.game
    for seat in transcript.table.players:
        yield Claim(Kind.NONCE, seat.nonce, seat.key, game)
        yield Claim(Kind.SEAT, seat.key, seat.name, game)
    shown = set()
    for number, line in enumerate(transcript.graph.nodes):
        body = line.entry.body
        if isinstance(body, Open | Leave) and hearing.states[number] is not None and number not in hearing.void:
            for slip in body.slips:
                if (slip.player, slip.slot) not in shown:
                    shown.add((slip.player, slip.slot))
                    yield Claim(Kind.SALT, slip.salt, slip.player, game)


class Noticed(enum.Enum):
    """What is remarked on."""

    NONCE_AGAIN = "nonce-again"
    """Two seats have one nonce: a seat was used for two games, or somebody copied it."""
    SALT_AGAIN = "salt-again"
    """Two slips have one salt: who has seen one of them can guess at the other."""
    SEVERAL_NAMES = "several-names"
    """One key sat down under several names."""
    SEVERAL_KEYS = "several-keys"
    """Several keys sat down under one name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something that several games show together. It convicts nobody."""

    noticed: Noticed
    value: str
    """The nonce, the salt, the key or the name."""
    holders: tuple[str, ...]
    """Whose it is, each once, at most ``MOST_SHOWN``: keys; of a key the names."""
    games: tuple[str, ...]
    """The ids of games in which it is seen, each once, at most ``MOST_SHOWN``."""
    times: int
    """How often it is there; of a name or key how many holders it has."""


def remarks(noticed: Noticed, claims: Iterable[Claim]) -> Iterator[Remark]:
    """Yield the remarks of one kind, in the order of their values.

    ``claims`` are those of the kind that it is about, in the order of ``order``; claims that nothing is to be said
    about may be left out.
    """
    ordered = order(noticed)
    for value, grouped in groupby(claims, key=lambda claim: ordered(claim)[0]):
        times = several = 0
        holders: list[str] = []
        games: dict[str, None] = {}
        last = None
        for times, claim in enumerate(grouped, start=1):  # noqa: B007 - how many there are
            holder = ordered(claim)[1]
            if holder != last:
                last = holder
                several += 1
                holders += [holder] if several <= MOST_SHOWN else []
            if len(games) < MOST_SHOWN:
                games[claim.game] = None
        if noticed in _BY_HOLDERS:
            times = several
        if times > 1:
            yield Remark(noticed=noticed, value=value, holders=tuple(holders), games=tuple(games), times=times)


def order(noticed: Noticed) -> Callable[[Claim], tuple[str, str]]:
    """Return by what claims are sorted for a remark: first what it is about, then who has it."""
    if noticed is Noticed.SEVERAL_KEYS:
        return attrgetter("holder", "value")
    return attrgetter("value", "holder")


_BY_HOLDERS: Final = frozenset({Noticed.SEVERAL_NAMES, Noticed.SEVERAL_KEYS})
ABOUT: Final = {
    Noticed.NONCE_AGAIN: Kind.NONCE,
    Noticed.SALT_AGAIN: Kind.SALT,
    Noticed.SEVERAL_NAMES: Kind.SEAT,
    Noticed.SEVERAL_KEYS: Kind.SEAT,
}
"""Which claims each remark is made from."""


def say_remark(remark: Remark) -> Sentence:
    """Say what is remarked on."""
    digits = None if remark.noticed is Noticed.SEVERAL_NAMES else SHORT_KEY
    holders = ", ".join(holder[:digits] for holder in remark.holders)
    games = ", ".join(game[:12] for game in remark.games)
    match remark.noticed:
        case Noticed.NONCE_AGAIN:
            return counted(
                "the nonce {value} is in {n} seat (keys {holders}; games {games})",
                "the nonce {value} is in {n} seats (keys {holders}; games {games})",
                n=remark.times,
                value=remark.value[:SHORT_KEY],
                holders=holders,
                games=games,
            )
        case Noticed.SALT_AGAIN:
            return counted(
                "the salt {value} is on {n} slip (keys {holders}; games {games})",
                "the salt {value} is on {n} slips (keys {holders}; games {games})",
                n=remark.times,
                value=remark.value[:SHORT_KEY],
                holders=holders,
                games=games,
            )
        case Noticed.SEVERAL_NAMES:
            return counted(
                "the key {value} has {n} name: {holders} (games {games})",
                "the key {value} has {n} names: {holders} (games {games})",
                n=remark.times,
                value=remark.value[:SHORT_KEY],
                holders=holders,
                games=games,
            )
        case _:
            return counted(
                "the name {value} has {n} key: {holders} (games {games})",
                "the name {value} has {n} keys: {holders} (games {games})",
                n=remark.times,
                value=remark.value,
                holders=holders,
                games=games,
            )


@dataclass(frozen=True, slots=True, order=True)
class Culprit:
    """A key, what it is called where it broke a rule, and the code of the finding."""

    key: str
    name: str
    code: str


@dataclass(slots=True, kw_only=True)
class Tally:
    """Verdicts, counted. Two tallies are added with ``+=``."""

    games: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    findings: Counter[Culprit] = field(default_factory=Counter)
    """How many findings of one code each key has."""
    set_aside: int = 0
    """Lines that decided nothing."""
    with_aside: int = 0
    """Games that have such lines."""
    remarked: int = 0
    """Games with a name that the list of card names does not plainly have."""

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.games += 1
        self.outcomes[verdict.outcome] += 1
        for finding in verdict.findings:
            self.findings[Culprit(finding.author, name_of(verdict, finding.author), finding.code.value)] += 1
        self.set_aside += len(verdict.aside)
        self.with_aside += bool(verdict.aside)
        self.remarked += bool(verdict.remarked)

    def __iadd__(self, other: "Tally") -> Self:
        self.games += other.games
        self.outcomes.update(other.outcomes)
        self.findings.update(other.findings)
        self.set_aside += other.set_aside
        self.with_aside += other.with_aside
        self.remarked += other.remarked
        return self

    @property
    def codes(self) -> Counter[Code]:
        """How many findings there are of each code."""
        codes: Counter[Code] = Counter()
        for culprit, times in self.findings.items():
            codes[Code(culprit.code)] += times
        return codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What many games come to."""

    tally: Tally
    remarks: tuple[Remark, ...]


def audit(transcripts: Iterable[Transcript], *, names: Catalogue | None = None) -> Audit:
    """Judge many games and compare them, all in memory; ``edge.auditing`` does the same with bounded memory."""
    tally = Tally()
    claims: dict[Kind, list[Claim]] = {kind: [] for kind in Kind}
    for transcript in transcripts:
        game = audited(transcript, names=names)
        tally.add(game.verdict)
        for claim in game.claims:
            claims[claim.kind].append(claim)
    found: list[Remark] = []
    for noticed, kind in ABOUT.items():
        found += remarks(noticed, sorted(claims[kind], key=order(noticed)))
    return Audit(tally=tally, remarks=tuple(found))
