"""Which of the player's own slips is meant: one that was named, the only one, or one that is chosen."""

from collections.abc import Sequence

from hiddenagenda.commitment import Commitment
from hiddenagenda.edge.store import Kept, SlipStore
from hiddenagenda.faults import Malformed, Sentence, sentence
from hiddenagenda_cli.ask import ask, at_terminal
from hiddenagenda_cli.files import gather
from hiddenagenda_cli.output import voice
from hiddenagenda_cli.usage import Usage


def wanted(store: SlipStore, arguments: Sequence[str]) -> list[Commitment]:
    """Return the commitments meant by ``arguments`` (tokens, digests, slip files), or by nothing: the only one.

    Raises ``Malformed`` where an argument holds none or several, ``Usage`` where nobody can choose.
    """
    if arguments:
        return [_one(argument) for argument in arguments]
    kept = store.listing().face_down
    if not kept:
        raise Malformed(sentence("there is no slip here that is still face down"), code="no-slip-kept")
    if len(kept) == 1:
        return [kept[0].commitment]
    for number, one in enumerate(kept, 1):
        voice.say(sentence("  {number}. {what}", number=number, what=describe(one)))
    if not at_terminal():
        raise Usage("several slips are face down: say which commitment")
    return [_chosen(kept)]


def describe(kept: Kept) -> Sentence:
    """Say which slip it is, and nothing of what it names."""
    return sentence(
        "{token}  {player}, “{game}”, slot {slot}",
        token=kept.commitment.token,
        player=kept.slip.player,
        game=kept.slip.game,
        slot=kept.slip.slot,
    )


def _one(argument: str) -> Commitment:
    given = gather([argument])
    for error in given.damaged:
        raise error
    found = dict.fromkeys([*given.commitments, *map(Commitment.of, given.openings)])
    if len(found) > 1:
        for commitment in found:
            voice.say(sentence("  {token}", token=commitment.token))
        raise Malformed(
            sentence("{count} commitments are in it, and none was chosen", count=len(found)), code="several"
        )
    if not found:
        raise Malformed(sentence("there is no commitment in it"), code="no-input")
    return next(iter(found))


def _chosen(kept: Sequence[Kept]) -> Commitment:
    while True:
        answer = ask(sentence("Which one"), option="COMMITMENT")
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer) <= len(kept):
            return kept[int(answer) - 1].commitment
        voice.complain(sentence("answer with a number from 1 to {last}", last=len(kept)))
