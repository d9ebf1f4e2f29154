"""A dispute in sentences, for a judge who was not there.

SPEC "Disputes". First from where on the records differ, then what each of them lacks, who must have known that, and
what it alone would come to, then forks; the verdict on all of them together is told as any verdict. It adds nothing
that the comparison does not hold.
"""

from collections.abc import Iterator

from hiddenagenda.dispute import Account, Dispute, Missing, Split
from hiddenagenda.faults import Sentence, counted, sentence
from hiddenagenda.line import Line
from hiddenagenda.story import SHORT, people, say
from hiddenagenda.telling import OUTCOMES, STANDINGS
from hiddenagenda.transcript import Transcript
from hiddenagenda.verdict import Verdict


def retell(dispute: Dispute) -> Iterator[Sentence]:
    """Yield what is to be said of a dispute, a line each."""
    verdict = dispute.verdict
    yield sentence(
        "game {id} “{label}”, all records together: {outcome}",
        id=dispute.transcript.game[:SHORT],
        label=verdict.label,
        outcome=OUTCOMES[verdict.outcome],
    )
    yield from _parting(dispute)
    for account in dispute.accounts:
        yield from _account(account, dispute)
    for split in dispute.splits:
        yield from _split(split, dispute)


def _parting(dispute: Dispute) -> Iterator[Sentence]:
    transcript = dispute.transcript
    if dispute.parting is None:
        yield sentence("  all records show the same entries: {count}", count=len(transcript.graph.nodes))
        return
    number = transcript.graph.index[dispute.parting]
    line = transcript.graph.nodes[number]
    yield sentence(
        "  the records agree on the first {count} entries; the next is not in all of them: {entry}: {said}",
        count=number,
        entry=_place(transcript, line),
        said=say(line.entry, people(transcript.table)),
    )


def _account(account: Account, dispute: Dispute) -> Iterator[Sentence]:
    transcript = dispute.transcript
    yield sentence(
        "  {record}: {entries} of {all} entries; alone it would be: {outcome}",
        record=account.name,
        entries=account.entries,
        all=len(transcript.graph.nodes),
        outcome=STANDINGS[account.alone.outcome],
    )
    for missing in account.missing:
        yield _missing(missing, transcript)
    yield from _following(account, dispute.verdict)


def _missing(missing: Missing, transcript: Transcript) -> Sentence:
    line = transcript.graph.nodes[transcript.graph.index[missing.entry]]
    said = sentence(
        "    lacks {entry}: {said}",
        entry=_place(transcript, line),
        said=say(line.entry, people(transcript.table)),
    )
    if not missing.known_to:
        return said
    return sentence(
        "{what}; lines of {players} in it rest on that: they had it when they signed",
        what=said,
        players=", ".join(_name(transcript, key) for key in missing.known_to),
    )


def _following(account: Account, together: Verdict) -> Iterator[Sentence]:
    """Say what changes for somebody when the other records are added to this one."""
    before = {player.key: player for player in account.alone.players}
    for player in together.players:
        alone = before.get(player.key)
        if alone is not None and alone.standing is not player.standing:
            yield sentence(
                "    with the others: {player}: {alone} becomes {together}",
                player=player.name,
                alone=STANDINGS[alone.standing],
                together=STANDINGS[player.standing],
            )
    known = {(finding.code, finding.author, finding.slot) for finding in account.alone.findings}
    for number, finding in enumerate(together.findings, start=1):
        if (finding.code, finding.author, finding.slot) not in known:
            yield sentence("    does not show finding {number}: {code}", number=number, code=finding.code.value)


def _split(split: Split, dispute: Dispute) -> Iterator[Sentence]:
    transcript = dispute.transcript
    graph = transcript.graph
    name = _name(transcript, split.author)
    yield sentence(
        "  {player} has signed two entries {seq}: two devices, a restored backup, or a cheat",
        player=name,
        seq=split.seq,
    )
    if split.after is not None:
        after = _place(transcript, graph.nodes[graph.index[split.after]])
        yield sentence("    up to {entry} there is one story of his, after it two", entry=after)
    for half in split.halves:
        line = graph.nodes[graph.index[half.entry]]
        yield counted(
            "    {entry}: {said}; shown by {records}; {n} entry rests on it",
            "    {entry}: {said}; shown by {records}; {n} entries rest on it",
            n=half.resting,
            entry=half.entry[:SHORT],
            said=say(line.entry, people(transcript.table)),
            records=", ".join(half.shown_by),
        )


def _place(transcript: Transcript, line: Line) -> Sentence:
    """Name an entry by whose it is, its number in his chain, and the beginning of its id."""
    return sentence(
        "{player}'s entry {seq} ({id})",
        player=_name(transcript, line.entry.author),
        seq=line.entry.seq,
        id=line.id[:SHORT],
    )


def _name(transcript: Transcript, key: str) -> str:
    return people(transcript.table).get(key, key[:SHORT])
