"""Values behave as frozen, slotted, keyword-only data classes do."""

import copy
import pickle
from dataclasses import dataclass

import pytest

from hiddenagenda.value import changed, value


@value
class Card:
    """A card."""

    name: str
    cost: int = 0


@value
class Checked:
    """A positive number."""

    number: int

    def __post_init__(self) -> None:
        if self.number < 1:
            msg = "positive numbers only"
            raise ValueError(msg)

    @property
    def double(self) -> int:
        return 2 * self.number


@value
class Secret:
    """Something that does not show itself, and is equal to nothing."""

    text: str

    def __repr__(self) -> str:
        return "<Secret>"

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The same as ``Card``."""

    name: str
    cost: int = 0


def test_members_and_defaults() -> None:
    assert (Card(name="Ice").name, Card(name="Ice").cost, Card(cost=2, name="Ice").cost) == ("Ice", 0, 2)
    assert Card.__doc__ == Model.__doc__ or Card.__doc__ == "A card."
    assert Card.__match_args__ == Model.__match_args__ == ()
    assert (Card.__module__, Card.__qualname__) == (__name__, "Card")


@pytest.mark.parametrize("cls", [Card, Model])
def test_only_keywords_that_are_members(cls: type) -> None:
    for arguments, keywords in (((), {}), (("Ice",), {}), ((), {"cost": 1}), ((), {"name": "Ice", "power": 1})):
        with pytest.raises(TypeError):
            cls(*arguments, **keywords)


def test_what_is_missing_or_unknown_is_named() -> None:
    with pytest.raises(TypeError, match="Card: name is missing"):
        Card()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Card: power is unknown"):
        Card(name="Ice", power=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("cls", [Card, Model])
def test_nothing_changes(cls: type) -> None:
    one = cls(name="Ice")
    for name in ("name", "cost", "power"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(one, name, 1)
        with pytest.raises((AttributeError, TypeError)):
            delattr(one, name)
    with pytest.raises(AttributeError):
        object.__setattr__(one, "power", 1)
    assert not hasattr(one, "__dict__")


@pytest.mark.parametrize("cls", [Card, Model])
def test_equal_values_are_equal_and_hash_alike(cls: type) -> None:
    assert cls(name="Ice") == cls(name="Ice", cost=0)
    assert hash(cls(name="Ice")) == hash(cls(name="Ice"))
    assert cls(name="Ice") != cls(name="Fire")
    assert cls(name="Ice") != ("Ice", 0)
    assert len({cls(name="Ice"), cls(name="Ice"), cls(name="Fire")}) == 2


def test_values_of_two_classes_are_never_equal() -> None:
    others: list[object] = [Model(name="Ice"), Checked(number=1), ("Ice", 0), None]
    assert Card(name="Ice") not in others
    with pytest.raises(TypeError):
        hash(Card(name=[]))  # type: ignore[arg-type]


@pytest.mark.parametrize("cls", [Card, Model])
def test_it_prints_its_members(cls: type) -> None:
    assert repr(cls(name="Ice")) == f"{cls.__name__}(name='Ice', cost=0)"


@pytest.mark.parametrize("one", [Card(name="Ice", cost=2), Model(name="Ice"), Checked(number=3)])
def test_copies_and_pickles_are_equal(one: object) -> None:
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one


def test_a_value_may_be_checked_where_it_is_made() -> None:
    assert Checked(number=2).double == 4
    with pytest.raises(ValueError, match="positive"):
        Checked(number=0)
    with pytest.raises(ValueError, match="positive"):
        changed(Checked(number=2), number=-2)


def test_what_a_class_defines_itself_stays() -> None:
    secret = Secret(text="x")
    assert repr(secret) == "<Secret>"
    assert secret != secret
    assert hash(secret) == object.__hash__(secret)


def test_a_changed_value_is_another_one() -> None:
    one = Card(name="Ice", cost=2)
    assert changed(one, cost=3) == Card(name="Ice", cost=3)
    assert one.cost == 2
    with pytest.raises(TypeError):
        changed(one, power=1)


def test_values_match_by_name() -> None:
    match Card(name="Ice", cost=2):
        case Card(name="Ice", cost=cost):
            assert cost == 2
        case _:
            pytest.fail("no match")
