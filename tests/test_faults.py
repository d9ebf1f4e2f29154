"""Errors say whose fault it is, in one line that is safe to show."""

import copy
import pickle
from collections.abc import Callable

import pytest

from hiddenagenda.faults import (
    Damaged,
    HiddenAgendaError,
    IllegalMove,
    Malformed,
    Sentence,
    TooLarge,
    counted,
    listed,
    quoted,
    sentence,
)


class RefusalError(HiddenAgendaError):
    """An error that is made of something else than a sentence."""

    def __init__(self, number: int) -> None:
        super().__init__(sentence("no"), code="refused")
        self.number = number


def test_the_families() -> None:
    assert [kind.__mro__[1] for kind in (IllegalMove, Malformed, Damaged, TooLarge)] == [
        HiddenAgendaError,
        HiddenAgendaError,
        Malformed,
        Malformed,
    ]
    assert issubclass(Malformed, ValueError)
    assert not issubclass(IllegalMove, ValueError)


def test_a_sentence_is_its_template_with_its_values() -> None:
    said = sentence("line {line} is cut short: {have} of {want} bytes", line=3, have=4, want=5)
    assert str(said) == "line 3 is cut short: 4 of 5 bytes"
    assert said.text == "line {line} is cut short: {have} of {want} bytes"
    assert said.values["have"] == 4


@pytest.mark.parametrize(("number", "text"), [(0, "0 slips"), (1, "1 slip"), (2, "2 slips")])
def test_a_counted_sentence_chooses_its_number(number: int, text: str) -> None:
    assert str(counted("{n} slip", "{n} slips", n=number)) == text


def test_values_come_from_strangers() -> None:
    said = sentence("{player} said {text}", player="{text}\x1b[2J", text="{0.__class__}\nkept")
    assert str(said) == r"{text}\x1b[2J said {0.__class__}\x0akept"


def test_a_sentence_inside_a_sentence() -> None:
    inner = sentence("“{name}” is unknown", name="a\tb")
    assert str(sentence("no: {what}", what=inner)) == r"no: “a\x09b” is unknown"


def test_names_in_quotes_one_after_the_other() -> None:
    assert str(listed(map(quoted, ["Clue", "Storm\x1b Crow", "{x}"]))) == "“Clue”, “Storm\\x1b Crow”, “{x}”"
    assert listed([quoted("Clue")]) == sentence("“{name}”", name="Clue")


def test_a_sentence_does_not_change() -> None:
    said = sentence("{a}", a=1)
    with pytest.raises(AttributeError):
        said.text = "b"  # type: ignore[misc]
    with pytest.raises(TypeError):
        said.values["a"] = 2  # type: ignore[index]


def test_an_empty_sentence() -> None:
    assert str(Sentence("nothing to add")) == "nothing to add"


@pytest.mark.parametrize(
    ("error", "members"),
    [
        (IllegalMove(sentence("no")), {"code": "", "hint": None}),
        (HiddenAgendaError(sentence("no"), hint=sentence("wait"), code="x"), {"code": "x", "hint": sentence("wait")}),
        (Malformed(sentence("no")), {"code": "malformed", "position": None}),
        (Malformed(sentence("no"), code="c", position=7), {"code": "c", "position": 7}),
        (Damaged(sentence("no"), code="token-check"), {"code": "token-check", "position": None}),
        (TooLarge(sentence("no"), code="too-large"), {"code": "too-large"}),
        (RefusalError(7), {"code": "refused", "number": 7}),
    ],
)
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_holds_what_it_was_given_and_crosses_processes(
    error: HiddenAgendaError, members: dict[str, object], way: Callable[[HiddenAgendaError], HiddenAgendaError]
) -> None:
    for same in (error, way(error)):
        assert type(same) is type(error)
        assert str(same) == "no"
        assert same.said == sentence("no")
        assert {name: getattr(same, name) for name in members} == members
