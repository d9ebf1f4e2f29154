"""The tables of transitions: what stands in them, what does not, and that SPEC draws what stands in them."""

import itertools
from pathlib import Path

import pytest

from hiddenagenda.agenda import (
    NEXT_PHASE,
    NEXT_STATE,
    PERMITTED,
    Deed,
    Happening,
    Role,
    refused_by_phase,
    refused_by_slot,
    slot_state,
)
from hiddenagenda.rulebook import Code
from hiddenagenda.verdict import Phase, SlotState

SPEC = (Path(__file__).resolve().parent.parent / "SPEC.md").read_text(encoding="utf-8")


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


def diagrams() -> list[str]:
    """Return both tables of transitions in Mermaid's notation: how a game goes on, and what becomes of a slot."""
    phases = (f"    {was.name} --> {now.name}: {what.value}\n" for (was, what), now in NEXT_PHASE.items())
    arrows = {(SlotState.FACE_DOWN, SlotState.OWED): [Happening.ONE_LEFT.value]}
    for (was, deed), now in NEXT_STATE.items():
        arrows.setdefault((was, now), []).append(deed.value)
    slots = (f"    {was.name} --> {now.name}: {' / '.join(deeds)}\n" for (was, now), deeds in arrows.items())
    return [
        f"stateDiagram-v2\n    [*] --> {Phase.SETTING_UP.name}: table\n{''.join(phases)}",
        f"stateDiagram-v2\n    [*] --> {SlotState.FACE_DOWN.name}: {Deed.COMMIT.value}\n{''.join(slots)}",
    ]


def permissions() -> str:
    """Return who may do what in which phase as a table in Markdown."""
    lines = ["| | " + " | ".join(role.value for role in Role) + " |", "|---|" + "---|" * len(Role)]
    for deed in Deed:
        cells = (cell(PERMITTED.get((role, deed))) for role in Role)
        lines.append(f"| {deed.value} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def cell(phases: frozenset[Phase] | None) -> str:
    if phases is None:
        return Code.NOT_ENTITLED.value
    return ", ".join(phase.value for phase in Phase if phase in phases) or Code.AFTER_OWN_EXIT.value


def test_the_specification_draws_the_tables_of_transitions() -> None:
    for drawn in diagrams():
        assert f"\n```mermaid\n{drawn}```\n" in SPEC


def test_the_specification_prints_who_may_do_what() -> None:
    assert f"\n\n{permissions()}\n" in SPEC
    assert {role for role, _ in PERMITTED} == set(Role)
