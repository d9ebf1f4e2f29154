"""May this be said here, and what follows from it: one function for each type of entry.

SPEC "What is said" and "Rules and findings". An entry is judged in the state of its own ancestors and in nothing else,
and the law does not know who "we" are: a client asks it about an own draft as the verifier asks about everybody's
entries. It looks at no signature.
"""

from hmac import compare_digest
from typing import Final, assert_never

from msgspec import UNSET

from hiddenagenda.agenda import Deed, Role, refused_by_slot
from hiddenagenda.case import Case, Refused
from hiddenagenda.entry import (
    Act,
    Apply,
    Body,
    Commit,
    End,
    Entry,
    Leave,
    Note,
    Open,
    Pass,
    Play,
    Seal,
    ShownSlip,
    Step,
)
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.priority import QUIET_STEPS, after_act, after_pass, after_step
from hiddenagenda.rulebook import Code
from hiddenagenda.setting import Setting
from hiddenagenda.slip import form_breach
from hiddenagenda.state import Facts, Shown, State, slot_bit
from hiddenagenda.table import Table
from hiddenagenda.verdict import Phase

BOX_DIGITS: Final = 2 * 1072
"""Hex digits of the box that holds a slip for the judge."""


def rule(
    setting: Setting,
    state: State,
    entry: Entry[Body],
    *,
    id: str,  # noqa: A002 - it is called so everywhere
    depth: int,
) -> State | Refused:
    """Return the state after ``entry``, judged in ``state``, which is that of its ancestors; or why it is void.

    ``id`` and ``depth`` are the entry's; for a draft, which has none yet, any will do. Its author sits at the table.
    """
    body = entry.body
    if isinstance(body, Note | Table):
        return state  # they change nothing
    case = Case(setting, state, setting.numbers[entry.author], entry, id, depth)
    match body:
        case Step() | Pass() | Act():
            return _play(case, body)
        case Open():
            return _open(case, body)
        case Apply():
            return _apply(case, body)
        case Commit():
            return _commit(case, body)
        case Seal():
            return _seal(case)
        case Leave():
            return _leave(case, body)
        case End():
            return _end(case)
        case _:
            assert_never(body)


def form_breaches(setting: Setting, slips: tuple[ShownSlip, ...]) -> tuple[tuple[ShownSlip, Sentence], ...]:
    """Return those slips (of a valid entry) that break their agenda's form, each with what is wrong."""
    breaches = ((slip, form_breach(slip.conspiracy, slip.names, setting.further)) for slip in slips)
    return tuple((slip, said) for slip, said in breaches if said is not None)


def _commit(case: Case, commit: Commit) -> State | Refused:
    facts = case.state.facts
    refused = case.refused_by_phase(Deed.COMMIT) or _bad_boxes(case.setting, commit)
    if refused:
        return refused
    if any(author == case.author for author, _ in facts.commits):
        return Refused(code=Code.SECOND_COMMIT)
    return case.after(facts.with_commit(case.author, case.id))


def _bad_boxes(setting: Setting, commit: Commit) -> Refused | None:
    if setting.judge is None and commit.sealed is UNSET:
        return None
    boxes = () if commit.sealed is UNSET else commit.sealed
    said = None
    if setting.judge is None:
        said = sentence("it has boxes for a judge, and none sits here")
    elif commit.sealed is UNSET or len(boxes) != len(commit.commitments):
        said = sentence("it has {have} boxes for {want} slots", have=len(boxes), want=len(commit.commitments))
    else:
        for box in boxes:
            if len(box) != BOX_DIGITS:
                said = sentence("a box has {have} hex digits instead of {want}", have=len(box), want=BOX_DIGITS)
    return None if said is None else Refused(code=Code.MALFORMED_COMMIT, said=said)


def _seal(case: Case) -> State | Refused:
    facts = case.state.facts
    if any(author == case.author for author, _ in facts.seals):
        return Refused(code=Code.SECOND_SEAL)
    commits = sorted(facts.commits)
    authors = [author for author, _ in commits]
    if authors != list(range(case.setting.players)):
        seats = enumerate(case.setting.table.players)
        seat, have = next((seat, have) for number, seat in seats if (have := authors.count(number)) != 1)
        said = sentence("commits by {player} among its ancestors: {have}", have=have, player=seat.name)
        return Refused(code=Code.PREMATURE_SEAL, said=said)
    accepted = tuple(commit for _, commit in commits)
    return case.after(facts.with_seal(case.author, accepted))


def _open(case: Case, body: Open) -> State | Refused:
    facts = case.state.facts
    player = body.slips[0].player
    owner = case.setting.numbers.get(player)
    if owner != case.author:
        deed = Deed.SHOW_ANOTHERS
    elif case.role is Role.PLAYER and facts.phase is not Phase.OVER:
        deed = Deed.TURN_UP
    else:
        deed = Deed.SHOW
    refused = case.refused_by_phase(deed)
    if refused:
        return refused
    last = case.state.last
    moves = case.setting.tracked and deed is Deed.TURN_UP and bool(_new(facts, case.author, body.slips))
    if moves and (last is None or case.turn.holder != case.author):
        return case.without_priority()
    refused = _misfit(case, player, body.slips)
    if refused or owner is None:
        return refused or Refused(code=Code.SLIP_DOES_NOT_FIT)
    for slip in body.slips:
        code = refused_by_slot(facts.lying(owner, slip.slot), deed)
        if code:
            return Refused(code=code, slot=slip.slot)
    after = _opened(case, owner, body.slips, deed)
    return case.after_move(after, after_act(last.succession, owner)) if moves and last else case.after(after)


def _apply(case: Case, body: Apply) -> State | Refused:
    refused = case.refused_by_phase(Deed.APPLY)
    if refused:
        return refused
    code = refused_by_slot(case.state.facts.lying(case.author, body.slot), Deed.APPLY)
    if code:
        return Refused(code=code, slot=body.slot)
    names = {
        name
        for shown in case.state.facts.shown
        if (shown.owner, shown.slip.slot) == (case.author, body.slot)
        for name in shown.slip.names
    }
    if body.card not in names:
        chosen = " / ".join(sorted(names))
        said = sentence("the card is “{card}”, the chosen name “{chosen}”", card=body.card, chosen=chosen)
        return Refused(code=Code.APPLIED_OTHER_NAME, said=said, slot=body.slot)
    return case.state


def _play(case: Case, body: Play) -> State | Refused:
    setting, facts, last = case.setting, case.state.facts, case.state.last
    if not setting.tracked:
        return Refused(code=Code.NOT_ENTITLED, said=sentence("moves are not tracked at this table"))
    refused = case.refused_by_phase(Deed.PLAY)
    if refused:
        return refused
    may = case.turn
    if isinstance(body, Step):
        active = setting.numbers.get(body.active)
        if active is None or active == setting.judge:
            return Refused(code=Code.MALFORMED_STEP, said=sentence("its active player plays at another table"))
        if not body.priority and body.step not in QUIET_STEPS:
            said = sentence("players have priority in the step “{step}”", step=body.step)
            return Refused(code=Code.MALFORMED_STEP, said=said)
        if may.stepper != case.author:
            return case.without_priority()
        return case.after_move(facts, after_step(active, priority=body.priority))
    if last is None or may.holder != case.author:
        return case.without_priority()
    if isinstance(body, Pass):
        return case.after_move(facts, after_pass(last.succession, case.author, facts.remaining, setting.players))
    return case.after_move(facts, after_act(last.succession, case.author))


def _leave(case: Case, body: Leave) -> State | Refused:
    facts = case.state.facts
    who = case.setting.numbers.get(body.player)
    if who is None or who == case.setting.judge:
        return Refused(code=Code.NOT_ENTITLED, said=sentence("who is said to leave does not play at this table"))
    deed = Deed.LEAVE if who == case.author else Deed.REMOVE
    refused = case.refused_by_phase(deed) or _misfit(case, body.player, body.slips)
    if refused:
        return refused
    shown = {slip.slot for slip in body.slips}
    for slot in range(1, len(case.setting.commitments(facts, who)) + 1):
        if slot not in shown and not facts.opened & slot_bit(who, slot):
            said = sentence("the slip of slot {slot} is not with it", slot=slot)
            return Refused(code=Code.LEFT_WITHOUT_SLIPS, said=said, slot=slot)
    return case.after(_opened(case, who, body.slips, deed).with_left(who))


def _end(case: Case) -> State | Refused:
    facts = case.state.facts
    refused = case.refused_by_phase(Deed.END)
    if refused:
        return refused
    if case.role is Role.JUDGE:
        return case.after(facts.with_judge_ended())
    return case.after(facts.with_ended(case.author))


def _misfit(case: Case, player: str, slips: tuple[ShownSlip, ...]) -> Refused | None:
    """Refuse slips that are not the ones in force for this player, in this game, in the slots they name."""
    owner = case.setting.numbers.get(player)
    if owner is None or owner == case.setting.judge:
        return Refused(code=Code.SLIP_DOES_NOT_FIT, said=sentence("its player does not play at this table"))
    in_force = case.setting.commitments(case.state.facts, owner)
    for slip in slips:
        said = None
        if slip.game != case.setting.game:
            said = sentence("the slip is of another game")
        elif slip.player != player:
            said = sentence("the slip is another player's")
        elif slip.slot > len(in_force):
            said = sentence("there is no slot {slot}: {have} were committed to", slot=slip.slot, have=len(in_force))
        elif not compare_digest(slip.digest, in_force[slip.slot - 1]):
            said = sentence(
                "the slip hashes to {got}, the commitment is {want}", got=slip.digest, want=in_force[slip.slot - 1]
            )
        if said is not None:
            return Refused(code=Code.SLIP_DOES_NOT_FIT, said=said, slot=slip.slot)
    return None


def _new(facts: Facts, owner: int, slips: tuple[ShownSlip, ...]) -> tuple[ShownSlip, ...]:
    """Return the slips whose slots are not open yet."""
    return tuple(slip for slip in slips if not facts.opened & slot_bit(owner, slip.slot))


def _opened(case: Case, owner: int, slips: tuple[ShownSlip, ...], deed: Deed) -> Facts:
    """Return the facts after slips that fit were shown."""
    facts = case.state.facts
    new = _new(facts, owner, slips)
    if not new:
        return facts
    in_force = case.setting.commitments(facts, owner)
    shown = [Shown(owner, slip, in_force[slip.slot - 1]) for slip in new]
    return facts.with_shown(shown, turned_up=deed is Deed.TURN_UP)
