"""What a value is: frozen, slotted, made by keywords, equal to another of its class by its members.

``dataclass(frozen=True, slots=True, kw_only=True)`` means the same, and writes and compiles source text for every class
at every start: half a millisecond each, for some twenty classes that every commit imports. Here classes share a few
functions. It is for these modules; it has no default factories and inherits no members.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

_Class = TypeVar("_Class", bound=type)
_Value = TypeVar("_Value")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def value(cls: _Class) -> _Class:
    """Make a class of values of a class whose annotations are its members; what they are assigned is the default."""
    names = tuple(cls.__annotations__)
    own = dict(vars(cls))
    defaults = {name: own.pop(name) for name in names if name in own}
    for name in ("__dict__", "__weakref__"):
        own.pop(name, None)
    shared: dict[str, Any] = {
        "__slots__": names,
        "__match_args__": (),
        "__init__": _init(names, defaults, "__post_init__" in own),
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__repr__": _repr,
        "__reduce__": _reduce,
    }
    if "__eq__" not in own:
        members = attrgetter(*names)
        shared |= {"__eq__": _equal(members), "__hash__": _hash(members)}
    made: _Class = type(cls)(cls.__name__, cls.__bases__, shared | own)
    made.__qualname__ = cls.__qualname__
    return made


def changed(one: _Value, /, **changes: object) -> _Value:
    """Return a value with some members changed. Raises ``TypeError`` for what is no member."""
    return type(one)(**_members(one) | changes)


def _members(one: object) -> dict[str, object]:
    return {name: getattr(one, name) for name in type(one).__slots__}  # type: ignore[attr-defined]


def _init(names: tuple[str, ...], defaults: dict[str, object], is_checked: bool) -> Callable[..., None]:  # noqa: FBT001
    wanted = frozenset(names)
    fix = object.__setattr__

    def __init__(self: Any, **given: object) -> None:  # noqa: N807
        if given.keys() != wanted:
            given = defaults | given
            for name in given.keys() ^ wanted:
                problem = "is missing" if name in wanted else "is unknown"
                msg = f"{type(self).__name__}: {name} {problem}"
                raise TypeError(msg)
        for name in names:
            fix(self, name, given[name])
        if is_checked:
            self.__post_init__()

    return __init__


def _refuse(one: object, name: str, *_: object) -> None:
    msg = f"{type(one).__name__} is frozen: {name} does not change"
    raise AttributeError(msg)


def _repr(one: object) -> str:
    members = ", ".join(f"{name}={member!r}" for name, member in _members(one).items())
    return f"{type(one).__qualname__}({members})"


def _equal(members: Callable[[object], object]) -> Callable[[object, object], object]:
    def __eq__(self: object, other: object) -> object:  # noqa: N807
        return members(self) == members(other) if type(other) is type(self) else NotImplemented

    return __eq__


def _hash(members: Callable[[object], object]) -> Callable[[object], int]:
    def __hash__(self: object) -> int:  # noqa: N807
        return hash((type(self), members(self)))

    return __hash__


def _reduce(one: object) -> tuple[object, ...]:
    return _remade, (type(one), _members(one))


def _remade(cls: Callable[..., object], members: dict[str, object]) -> object:
    return cls(**members)
