"""Two entries of one author in one place, as lines that anybody can check.

SPEC "Forks". Two lines with one author, game and seq, different ids and valid signatures prove a fork by themselves,
without the table and without anything between. Which of the two came first they do not say, nor why there are two:
two devices, a restored backup, or a cheat.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hiddenagenda.evidence import proof
from hiddenagenda.faults import Malformed
from hiddenagenda.line import Line
from hiddenagenda.publickey import PublicKey
from hiddenagenda.sshsig import verifies
from hiddenagenda.transcript import Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkProof:
    """Two validly signed entries of one author, game and seq; of more, the two with the smallest ids."""

    author: str
    game: str
    seq: int
    lines: tuple[Line, Line]


def is_signed(line: Line) -> bool:
    """Tell whether the signature of a line is one by its author, whose key is a safe one."""
    try:
        public = PublicKey.from_hex(line.entry.author)
    except Malformed:
        return False
    return verifies(public, line.raw, bytes.fromhex(line.signature))


def find_forks(lines: Iterable[Line]) -> tuple[ForkProof, ...]:
    """Return the forks that ``lines`` prove by themselves, by game, author and seq; no table is asked for."""
    places: dict[tuple[str, str, int], list[Line]] = {}
    for line in lines:
        places.setdefault((line.game, line.entry.author, line.entry.seq), []).append(line)
    found = []
    for (game, author, seq), shown in sorted(places.items()):
        if len({line.id for line in shown}) > 1:
            signed = {line.id: line for line in shown if is_signed(line)}
            if len(signed) > 1:
                one, other = sorted(signed)[:2]
                found.append(ForkProof(author=author, game=game, seq=seq, lines=(signed[one], signed[other])))
    return tuple(found)


def write_proof(transcript: Transcript) -> bytes:
    """Return lines that prove the forks in ``transcript``: two for each.

    Where a half is known by a later entry alone, since its own signature is damaged, they are the lines, with the
    table, of a transcript that has the same forks. Without a fork they are none.
    """
    halves = {number for fork in transcript.forks for number in fork.entries}
    if all(transcript.signatures.valid(number) is not None for number in halves):
        return transcript.write(halves)
    return transcript.write(transcript.graph.closure(proof(transcript, halves)))
