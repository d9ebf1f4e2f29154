"""The rulebook's data: complete, distinct, and as the editions number it."""

import pytest

from hiddenagenda.rulebook import (
    EDITIONS,
    FAULTS,
    NEWEST,
    RULES,
    Code,
    Edition,
    RuleId,
    read_edition,
    rule_of,
)


def test_codes_stand_in_the_order_in_which_the_first_that_applies_counts() -> None:
    assert [code.value for code in Code] == [
        "not-entitled",
        "malformed-commit",
        "second-commit",
        "second-seal",
        "premature-seal",
        "before-start",
        "after-own-exit",
        "malformed-step",
        "without-priority",
        "slip-does-not-fit",
        "opened-before-due",
        "applied-face-down",
        "applied-other-name",
        "left-without-slips",
        "forked",
        "bad-agenda-form",
    ]
    assert list(FAULTS) == list(Code)


def test_every_rule_has_its_text_and_every_fault_its_rules() -> None:
    assert list(RULES) == list(RuleId)
    assert len({str(rule.says) for rule in RULES.values()}) == len(RULES)
    for code in Code:
        fault = FAULTS[code]
        assert fault.rules
        assert set(fault.rules) <= set(RULES)
        assert rule_of(code).id == fault.rules[0]
        assert str(fault.done)
        assert str(fault.why)


@pytest.mark.parametrize(
    ("rule", "numbers"),
    [
        (RuleId.AGENDA_NAMED, ("702.105a", "702.105a", "702.106a")),
        (RuleId.AGENDA_DOUBLE, (None, "702.105f", "702.106f")),
        (RuleId.SPECIAL_ACTION, ("115.2g", "115.2h", "116.2j")),
        (RuleId.LINKED, ("607.2d", "607.2d", "607.2d")),
        (RuleId.NAMING, ("201.3", "201.3", "201.4")),
        (RuleId.CONSPIRACIES, (None, "313", "315")),
        (RuleId.PRIORITY, (None, None, "117.1–117.3")),
        (RuleId.TABLE_SEAL, (None, None, None)),
    ],
)
def test_numbers_drift_with_the_editions(rule: RuleId, numbers: tuple[str | None, ...]) -> None:
    assert tuple(RULES[rule].number(edition) for edition in EDITIONS) == numbers


def test_a_rule_is_cited_by_number_where_it_has_one() -> None:
    assert str(RULES[RuleId.AGENDA_TURNED_UP].cite(NEWEST)) == "rule 702.106c (edition 2025-09)"
    assert "not known here" in str(RULES[RuleId.AGENDA_DOUBLE].cite(Edition.E2014))
    assert "SPEC" in str(RULES[RuleId.TABLE_SEAL].cite(NEWEST))


def test_an_edition_is_read_by_its_name() -> None:
    assert NEWEST is Edition.E2025_09
    assert [read_edition(text) for text in ("2014", "2017-08", "2025-09")] == list(EDITIONS)
    assert read_edition("1993") is None
