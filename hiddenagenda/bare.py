"""Commit and verify without a table: which opening turns up which commitment, and what follows.

SPEC "Verifying a slip"; the steps there have the numbers of the comments here. Nobody signs in this mode: an
opening proves what was committed to, and whose it was only as well as the chat shows who posted the commitment.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.remarks import Remark
from hiddenagenda.cards.remarks import remarks as remarks_on
from hiddenagenda.commitment import Commitment
from hiddenagenda.faults import Malformed, Sentence, sentence
from hiddenagenda.label import undated
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Code
from hiddenagenda.slip import Slip, form_breach, read_slip
from hiddenagenda.value import changed, value


@value
class Expected:
    """What the verifier knows from elsewhere, such as from the chat in which the commitment stands."""

    player: str | None = None
    game: str | None = None
    slot: int | None = None


@value
class Breach:
    """How an opening breaks a rule: the finding's code, and what exactly is wrong."""

    code: Code
    said: Sentence


@value
class Judged:
    """One commitment and what turns it up; or an opening that turns up nothing that was given."""

    outcome: Outcome
    commitment: Commitment
    """The one given; for an opening that fits none, the one that it would turn up."""
    given: bool
    """Whether the commitment was given, and not only the opening."""
    slip: Slip | None = None
    breaches: tuple[Breach, ...] = ()
    names: tuple[Remark, ...] = ()
    """What a list says of each of the slip's names, in their order; it never convicts."""
    remarks: tuple[Sentence, ...] = ()


_ANYTHING: Final = Expected()
_DUE: Final = sentence("no opening of this commitment was given: its card is still face down")


def judge(
    commitments: Sequence[Commitment],
    openings: Sequence[bytes],
    *,
    expected: Expected = _ANYTHING,
    catalogue: Catalogue | None = None,
    damaged: int = 0,
) -> tuple[Judged, ...]:
    """Return what the openings prove: about each commitment, in their order; then about openings that fit none.

    ``openings`` are the bytes of slips. Without a ``catalogue`` the names are not checked. ``damaged`` says how many
    commitments or openings were given besides that nobody could read. An opening that fits none is *undecidable* where
    no commitment was given, where something was damaged, or where it is no slip: it accuses nobody then.
    """
    # 1. Hash every opening; equal ones are one.
    slips = {Commitment.of(opening): opening for opening in openings}
    wanted = dict.fromkeys(commitments)
    # 2. A commitment is turned up by the opening that hashes to it, and by nothing else.
    missing = [commitment for commitment in wanted if commitment not in slips]
    # 3. An opening that hashes to none of the commitments does not match.
    strays = {commitment: opening for commitment, opening in slips.items() if commitment not in wanted}
    judged = [_stray(opening, commitments=len(wanted), damaged=damaged) for opening in strays.values()]
    if len(missing) == len(judged) == 1 and judged[0].outcome is Outcome.BROKEN:
        judged = [_mismatch(missing.pop(), judged[0])]
        strays = {judged[0].commitment: b""}
    judged[:0] = [
        _turned_up(commitment, slips[commitment], expected, catalogue)
        if commitment in slips
        else Judged(outcome=Outcome.PENDING, commitment=commitment, given=True, remarks=(_DUE,))
        for commitment in wanted
        if commitment not in strays
    ]
    # 8. Two slips in one place earn remarks.
    return _remark_doubles(judged)


def _turned_up(commitment: Commitment, opening: bytes, expected: Expected, catalogue: Catalogue | None) -> Judged:
    # 4. The bytes must be a slip.
    try:
        slip = read_slip(opening)
    except Malformed as error:
        breach = Breach(code=Code.BAD_AGENDA_FORM, said=error.said)
        return Judged(outcome=Outcome.BROKEN, commitment=commitment, given=True, breaches=(breach,))
    # 5. It must be the slip of this player, this game, this slot. 6. It must have its agenda's form.
    breaches = [Breach(code=Code.SLIP_DOES_NOT_FIT, said=said) for said in _misplaced(slip, expected)]
    form = form_breach(slip.conspiracy, slip.names)
    if form:
        breaches.append(Breach(code=Code.BAD_AGENDA_FORM, said=form))
    # 7. Names earn remarks, and so does a label that has a date the verifier did not state.
    return Judged(
        outcome=Outcome.BROKEN if breaches else Outcome.KEPT,
        commitment=commitment,
        given=True,
        slip=slip,
        breaches=tuple(breaches),
        names=remarks_on(catalogue, slip.names),
        remarks=_dated(slip, expected),
    )


def _misplaced(slip: Slip, expected: Expected) -> list[Sentence]:
    said = []
    if expected.player not in (None, slip.player):
        said.append(sentence("the slip is {have}'s, not {want}'s", have=slip.player, want=expected.player))
    if expected.game not in (None, slip.game, undated(slip.game)):
        said.append(sentence("the slip is of the game “{have}”, not “{want}”", have=slip.game, want=expected.game))
    if expected.slot not in (None, slip.slot):
        said.append(sentence("the slip lies in slot {have}, not {want}", have=slip.slot, want=expected.slot))
    return said


def _dated(slip: Slip, expected: Expected) -> tuple[Sentence, ...]:
    if expected.game in (None, slip.game) or expected.game != undated(slip.game):
        return ()
    return (sentence("the slip's label of the game carries a date: “{game}”", game=slip.game),)


def _stray(opening: bytes, *, commitments: int, damaged: int) -> Judged:
    """Judge an opening that fits none of the ``commitments`` given."""
    turns_up = Commitment.of(opening)
    slip = None
    try:
        slip = read_slip(opening)
    except Malformed as error:
        remark = error.said
    else:
        if commitments and not damaged:
            said = sentence(
                "the opening turns up {token}, which is none of the commitments given", token=turns_up.token
            )
            breach = Breach(code=Code.SLIP_DOES_NOT_FIT, said=said)
            return Judged(outcome=Outcome.BROKEN, commitment=turns_up, given=False, slip=slip, breaches=(breach,))
        if damaged:
            remark = sentence("the opening turns up {token}; that may be what was damaged", token=turns_up.token)
        else:
            remark = sentence("no commitment was given: compare {token} with what was posted", token=turns_up.token)
    return Judged(outcome=Outcome.UNDECIDABLE, commitment=turns_up, given=False, slip=slip, remarks=(remark,))


def _mismatch(commitment: Commitment, stray: Judged) -> Judged:
    """Judge the one commitment and the one opening that are left over: one finding about both."""
    said = sentence("the opening does not match: it turns up {token}", token=stray.commitment.token)
    breach = Breach(code=Code.SLIP_DOES_NOT_FIT, said=said)
    return changed(stray, commitment=commitment, given=True, breaches=(breach,))


def _remark_doubles(judged: Sequence[Judged]) -> tuple[Judged, ...]:
    places = Counter(_place(one.slip) for one in judged if one.slip)
    return tuple(
        changed(one, remarks=(*one.remarks, _double(one.slip))) if one.slip and places[_place(one.slip)] > 1 else one
        for one in judged
    )


def _place(slip: Slip) -> tuple[str, str, int]:
    return (slip.player, slip.game, slip.slot)


def _double(slip: Slip) -> Sentence:
    return sentence(
        "more than one slip lies in slot {slot} of {player} in “{game}”: at a table each conspiracy has one",
        slot=slip.slot,
        player=slip.player,
        game=slip.game,
    )
