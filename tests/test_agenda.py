"""The tables of transitions: what stands in them, what does not, and the diagrams made from them."""

import itertools

import pytest

from hiddenagenda.agenda import (
    NEXT_PHASE,
    NEXT_STATE,
    PERMITTED,
    Deed,
    Happening,
    Role,
    diagram,
    permissions,
    refused_by_phase,
    refused_by_slot,
    slot_state,
)
from hiddenagenda.rulebook import Code
from hiddenagenda.verdict import Phase, SlotState


def test_a_game_goes_forward_only() -> None:
    order = list(Phase)
    for (phase, _), after in NEXT_PHASE.items():
        assert order.index(after) == order.index(phase) + 1
    assert {happening for _, happening in NEXT_PHASE} == set(Happening)


def test_an_open_slot_never_closes() -> None:
    open_states = {SlotState.TURNED_UP, SlotState.OPENED}
    for (state, _), after in NEXT_STATE.items():
        assert after in open_states
        if state in open_states:
            assert after is state


@pytest.mark.parametrize(
    ("role", "deed", "phase", "code"),
    [
        (Role.PLAYER, Deed.COMMIT, Phase.SETTING_UP, None),
        (Role.JUDGE, Deed.COMMIT, Phase.SETTING_UP, Code.NOT_ENTITLED),
        (Role.JUDGE, Deed.SEAL, Phase.SETTING_UP, None),
        (Role.PLAYER, Deed.TURN_UP, Phase.SETTING_UP, Code.BEFORE_START),
        (Role.PLAYER, Deed.TURN_UP, Phase.ON, None),
        (Role.GONE, Deed.SHOW, Phase.ON, None),
        (Role.PLAYER, Deed.SHOW, Phase.OVER, None),
        (Role.PLAYER, Deed.APPLY, Phase.SETTING_UP, Code.BEFORE_START),
        (Role.PLAYER, Deed.APPLY, Phase.ON, None),
        (Role.GONE, Deed.APPLY, Phase.ON, Code.AFTER_OWN_EXIT),
        (Role.PLAYER, Deed.APPLY, Phase.OVER, Code.AFTER_OWN_EXIT),
        (Role.JUDGE, Deed.APPLY, Phase.ON, Code.NOT_ENTITLED),
        (Role.JUDGE, Deed.PLAY, Phase.ON, Code.NOT_ENTITLED),
        (Role.PLAYER, Deed.REMOVE, Phase.ON, Code.NOT_ENTITLED),
        (Role.JUDGE, Deed.REMOVE, Phase.SETTING_UP, Code.BEFORE_START),
        (Role.JUDGE, Deed.REMOVE, Phase.OVER, None),
        (Role.GONE, Deed.LEAVE, Phase.OVER, None),
        (Role.GONE, Deed.END, Phase.ON, None),
        (Role.PLAYER, Deed.END, Phase.SETTING_UP, Code.BEFORE_START),
    ],
)
def test_who_may_do_what_and_when(role: Role, deed: Deed, phase: Phase, code: Code | None) -> None:
    assert refused_by_phase(role, deed, phase) is code


def test_anybody_may_note_anything_at_any_time() -> None:
    for role, phase in itertools.product(Role, Phase):
        assert refused_by_phase(role, Deed.NOTE, phase) is None


def test_every_refusal_of_a_slot_is_a_finding() -> None:
    reachable = [Deed.TURN_UP, Deed.SHOW, Deed.SHOW_ANOTHERS, Deed.APPLY, Deed.LEAVE, Deed.REMOVE]
    refused = {
        (state, deed): refused_by_slot(state, deed)
        for state, deed in itertools.product(SlotState, reachable)
        if (state, deed) not in NEXT_STATE and not (state is SlotState.OWED and deed is Deed.TURN_UP)
    }
    assert refused == {
        (SlotState.FACE_DOWN, Deed.SHOW_ANOTHERS): Code.OPENED_BEFORE_DUE,
        (SlotState.FACE_DOWN, Deed.APPLY): Code.APPLIED_FACE_DOWN,
        (SlotState.OWED, Deed.APPLY): Code.APPLIED_FACE_DOWN,
    }
    for state, deed in NEXT_STATE:
        assert refused_by_slot(state, deed) is None


def test_a_slot_is_face_down_until_it_is_opened_or_due() -> None:
    assert slot_state(turned_up=False, opened=False, due=False) is SlotState.FACE_DOWN
    assert slot_state(turned_up=False, opened=False, due=True) is SlotState.OWED
    assert slot_state(turned_up=False, opened=True, due=True) is SlotState.OPENED
    assert slot_state(turned_up=True, opened=True, due=True) is SlotState.TURNED_UP


def test_the_diagrams_hold_every_state_and_every_deed_on_a_slot() -> None:
    drawn = diagram()
    assert drawn.count("stateDiagram-v2") == 2
    for state in (*Phase, *SlotState):
        assert state.name in drawn
    for _, deed in NEXT_STATE:
        assert deed.value in drawn
    assert "FACE_DOWN --> TURNED_UP: turn up\n" in drawn
    assert "SETTING_UP --> ON: all have sealed the same commits\n" in drawn


def test_the_table_of_permissions_has_a_row_for_each_deed() -> None:
    rows = permissions().splitlines()
    assert rows[0] == "| | player | player who has left or ended | judge |"
    assert len(rows) == 2 + len(Deed)
    assert "| apply | on | after-own-exit | not-entitled |" in rows
    assert "| remove a player | not-entitled | not-entitled | on, over |" in rows
    assert {role for role, _ in PERMITTED} == set(Role)
