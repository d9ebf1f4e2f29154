"""The numbered steps from bytes to a verdict.

SPEC "Verifying a game" has the same numbers. Steps 1 to 4 make transcripts (``record``, ``graph``, ``authentic``),
steps 5 and 6 judge every entry (``hearing``, ``law``); here is what follows for a game and everybody in it. What rests
on absence may change as lines arrive, a finding may not.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from msgspec import UNSET

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.remarks import remarks
from hiddenagenda.entry import Leave, Open, ShownSlip
from hiddenagenda.evidence import proof
from hiddenagenda.faults import Sentence, TooLarge, sentence
from hiddenagenda.hearing import Hearing
from hiddenagenda.law import form_breaches
from hiddenagenda.outcome import Outcome
from hiddenagenda.record import Record, read_record
from hiddenagenda.rulebook import NEWEST, Code, Edition, read_edition
from hiddenagenda.state import Facts, slot_bit
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Aside, Finding, NamedCard, Phase, Player, Slot, Verdict

MOST_PROVEN: Final = 16
"""Findings of one author that carry what vouches for them: with all of a cheat's thousands it would have no end."""

_SHOWING: Final = frozenset({"open", "leave"})
BAD_SIGNATURE: Final = sentence("its author does not stand by it here: no signature of his covers it")
RESTS_ON_BAD: Final = sentence("it rests on an entry by which its author does not stand here")
"""Why an entry that has its place is not judged."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding before its proof: entries go by number."""

    code: Code
    author: str
    at: tuple[int, ...]
    slot: int | None = None
    said: Sentence | None = None


def judge(transcript: Transcript, *, edition: Edition | None = None, names: Catalogue | None = None) -> Verdict:
    """Return the verdict on a game, as far as the transcript's lines go.

    ``edition`` is the one to cite rules in: by default the table's, or the newest. Without ``names`` the names of
    cards are not looked at; they never convict in any case.
    """
    return conclude(Hearing.of(transcript), edition=edition, names=names)


def conclude(hearing: Hearing, *, edition: Edition | None = None, names: Catalogue | None = None) -> Verdict:
    """Return the verdict on a game whose entries have been judged; see ``judge``."""
    transcript = hearing.transcript
    showing = _showing(hearing)
    found = [*_forks(transcript), *_void_and_misshapen(hearing, showing)]
    facts = hearing.standing.facts
    slots = tuple(_slots(hearing, facts, showing, names))
    players = tuple(_players(hearing, facts, {finding.author for finding in found}))
    return Verdict(
        game=transcript.game,
        outcome=_outcome(facts, players, broken=bool(found)),
        edition=edition or read_edition(transcript.table.edition) or NEWEST,
        label=transcript.table.label,
        phase=facts.phase,
        priority_checked=hearing.setting.tracked,
        findings=tuple(_proven(transcript, found)),
        players=players,
        slots=slots,
        aside=tuple(_aside(transcript)),
    )


def judge_record(
    record: Record, *, edition: Edition | None = None, names: Catalogue | None = None
) -> tuple[Verdict, ...]:
    """Return a verdict for each game in ``record``, in the order of their ids.

    What belongs to no game is in the ``aside`` of each. Without any readable table the one verdict is *undecidable*.
    Raises ``TooLarge`` for a game over its cap.
    """
    for game in record.oversized:
        raise TooLarge(sentence("the game {game} is too large to be judged", game=game), code="too-large")
    strays = tuple(Aside(line=stray.number, reason=stray.code, said=stray.said) for stray in record.aside)
    verdicts = [judge(transcript, edition=edition, names=names) for transcript in record.transcripts]
    if not verdicts:
        verdicts = [Verdict(game=None, outcome=Outcome.UNDECIDABLE, edition=edition or NEWEST)]
    return tuple(replace(verdict, aside=strays + verdict.aside) for verdict in verdicts) if strays else tuple(verdicts)


def judge_bytes(data: bytes, *, edition: Edition | None = None, names: Catalogue | None = None) -> tuple[Verdict, ...]:
    """Return a verdict for each game whose lines are in ``data``; see ``judge_record``."""
    # 1. Read the lines; what does not read is set aside.
    return judge_record(read_record(data), edition=edition, names=names)


def _forks(transcript: Transcript) -> Iterator[_Found]:
    # 7. Two authentic entries of one author and seq are a finding, once.
    for fork in transcript.forks:
        said = sentence("two entries have the number {seq}", seq=fork.seq)
        yield _Found(Code.FORKED, fork.author, fork.entries, said=said)


def _showing(hearing: Hearing) -> dict[int, tuple[ShownSlip, ...]]:
    """Return the slips in each valid entry that shows some, in display order."""
    showing = {}
    for number, line in enumerate(hearing.transcript.graph.nodes):
        entry = line.entry
        if entry.type in _SHOWING and isinstance(entry.body, Open | Leave) and hearing.counts(number):
            showing[number] = entry.body.slips
    return showing


def _void_and_misshapen(hearing: Hearing, showing: dict[int, tuple[ShownSlip, ...]]) -> Iterator[_Found]:
    # 8. Every void entry is a finding, and every slot that was opened to a slip that no agenda can have.
    nodes = hearing.transcript.graph.nodes
    misshapen: set[tuple[str, int]] = set()
    for number in sorted([*hearing.void, *showing]):
        refused = hearing.void.get(number)
        if refused is not None:
            yield _Found(refused.code, nodes[number].entry.author, (number,), refused.slot, refused.said)
        else:
            for slip, said in form_breaches(hearing.setting, showing[number]):
                if (slip.player, slip.slot) not in misshapen:
                    misshapen.add((slip.player, slip.slot))
                    yield _Found(Code.BAD_AGENDA_FORM, slip.player, (number,), slip.slot, said)


def _slots(
    hearing: Hearing, facts: Facts, showing: dict[int, tuple[ShownSlip, ...]], names: Catalogue | None
) -> Iterator[Slot]:
    # 9. The state of everything is that of an imaginary entry over all grounded ones.
    setting = hearing.setting
    pinned = None if setting.table.names is UNSET else setting.table.names.digest
    slips = {(shown.owner, shown.slip.slot, shown.commitment): shown.slip for shown in facts.shown}
    openings: dict[tuple[str, int], list[str]] = {}  # what opened each slot, or showed it again
    for number, shown_slips in showing.items():
        for slip in shown_slips:
            openings.setdefault((slip.player, slip.slot), []).append(hearing.transcript.graph.nodes[number].id)
    for owner, seat in enumerate(setting.table.players):
        for slot, digits in enumerate(setting.commitments(facts, owner), start=1):
            # Whoever copied a commitment has not shown its slip by somebody else's showing it.
            opened = slips.get((owner, slot, digits))
            said = remarks(names, opened.names, digest=pinned) if opened else ()
            yield Slot(
                player=seat.key,
                slot=slot,
                state=facts.lying(owner, slot),
                commitment=digits,
                conspiracy=opened.conspiracy if opened else None,
                names=tuple(
                    NamedCard(name=name, remark=remark)
                    for name, remark in zip(opened.names if opened else (), said, strict=True)
                ),
                opened_by=tuple(openings.get((seat.key, slot), ())),
            )


def _players(hearing: Hearing, facts: Facts, broken: set[str]) -> Iterator[Player]:
    table = hearing.setting.table
    for owner, seat in enumerate(table.players):
        standing = Outcome.BROKEN if seat.key in broken else _standing(hearing, facts, owner)
        yield Player(key=seat.key, name=seat.name, standing=standing)
    if table.judge is not UNSET and table.judge.key in broken:
        yield Player(key=table.judge.key, name=table.judge.name, standing=Outcome.BROKEN, judge=True)


def _standing(hearing: Hearing, facts: Facts, owner: int) -> Outcome:
    if facts.phase is Phase.SETTING_UP:
        return Outcome.PENDING
    slots = range(1, len(hearing.setting.commitments(facts, owner)) + 1)
    if all(facts.opened & slot_bit(owner, slot) for slot in slots):
        return Outcome.KEPT
    return Outcome.OWES if facts.phase is Phase.OVER else Outcome.PENDING


def _outcome(facts: Facts, players: tuple[Player, ...], *, broken: bool) -> Outcome:
    standings = {player.standing for player in players}
    if broken:
        return Outcome.BROKEN
    if facts.phase is Phase.SETTING_UP:
        return Outcome.NOT_STARTED
    return next(outcome for outcome in (Outcome.OWES, Outcome.PENDING, Outcome.KEPT) if outcome in standings)


def _proven(transcript: Transcript, found: list[_Found]) -> Iterator[Finding]:
    # 10. A finding carries the entries whose ancestors alone prove it.
    nodes = transcript.graph.nodes
    proven = Counter[str]()
    for finding in found:
        proven[finding.author] += 1
        numbers = proof(transcript, finding.at) if proven[finding.author] <= MOST_PROVEN else ()
        yield Finding(
            code=finding.code,
            author=finding.author,
            at=tuple(nodes[number].id for number in finding.at),
            entries=tuple(dict.fromkeys(nodes[number].id for number in (*finding.at, *numbers))),
            slot=finding.slot,
            said=finding.said,
        )


def _aside(transcript: Transcript) -> Iterator[Aside]:
    grounded, authentic = transcript.grounded, transcript.authentic
    for number, line in enumerate(transcript.graph.nodes):
        if not grounded[number]:
            reason, said = ("ungrounded", RESTS_ON_BAD) if authentic[number] else ("bad-signature", BAD_SIGNATURE)
            yield Aside(line=line.number or None, reason=reason, said=said, entry=line.id)
    for one in transcript.dangling:
        yield Aside(line=one.line.number or None, reason=one.flaw.value, said=one.said, entry=one.line.id)
