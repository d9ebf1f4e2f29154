"""What every error of the library is, by whose fault: the caller's, or nobody's but the bytes'.

An error holds a sentence (an English template and its values), so that a program can show it in another language
and a test can look at the values. Nothing here reads the values of secrets: callers never put one in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from hiddenagenda.characters import shown


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words for a reader: an English template, which is also the key of its translations, and its values.

    A value may be a sentence again. Values are shown escaped, since strangers choose them; the template is ours.
    """

    text: str
    values: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    plural: str | None = None
    """The template for another number than one, chosen by the value ``n``."""

    def __str__(self) -> str:
        template = self.text if self.plural is None or self.values.get("n") == 1 else self.plural
        return template.format_map({name: _shown(value) for name, value in self.values.items()})

    def __reduce__(self) -> tuple[object, ...]:
        return Sentence, (self.text, dict(self.values), self.plural)


def _shown(value: object) -> str:
    return str(value) if isinstance(value, Sentence) else shown(str(value))


def sentence(text: str, /, **values: object) -> Sentence:
    """Make a sentence. The name marks its text for translation: pass a literal."""
    return Sentence(text, MappingProxyType(values))


def counted(one: str, many: str, /, *, n: int, **values: object) -> Sentence:
    """Make a sentence about ``n`` things. The name marks both texts for translation: pass literals."""
    return Sentence(one, MappingProxyType({"n": n, **values}), many)


def listed(said: Iterable[Sentence], /) -> Sentence:
    """Make one sentence of several, at least one, with commas between: a value for another sentence."""
    joined, *rest = said
    for one in rest:
        joined = sentence("{one}, {other}", one=joined, other=one)
    return joined


def quoted(name: str, /) -> Sentence:
    """Make a sentence of a name, in the quotes of the reader's language."""
    return sentence("“{name}”", name=name)


class HiddenAgendaError(Exception):
    """What every error of this library is; ``str()`` of it is one English line, safe to show.

    ``said`` is that line as a sentence, ``hint`` what to do about it, ``code`` a short name for programs.
    """

    def __init__(self, said: Sentence, *, hint: Sentence | None = None, code: str = "") -> None:
        super().__init__(said)
        self.said = said
        self.hint = hint
        self.code = code

    def __str__(self) -> str:
        return str(self.said)

    def __reduce__(self) -> tuple[object, ...]:
        # An error crosses processes as it is, whatever arguments its class is made with.
        return _again, (type(self), self.said, self.__dict__)


def _again(kind: type[HiddenAgendaError], said: Sentence, members: dict[str, object]) -> HiddenAgendaError:
    error = kind.__new__(kind, said)
    error.__dict__.update(members)
    return error


class IllegalMove(HiddenAgendaError):
    """The caller asked for something that the rules or the state of things do not allow."""


class Malformed(HiddenAgendaError, ValueError):
    """Bytes or text that are not what they should be; nobody is accused by it.

    ``position`` is the offset in the bytes (or characters of a text) where it shows, where one can be given.
    """

    def __init__(
        self,
        said: Sentence,
        *,
        hint: Sentence | None = None,
        code: str = "malformed",
        position: int | None = None,
    ) -> None:
        super().__init__(said, hint=hint, code=code)
        self.position = position


class Damaged(Malformed):
    """A token that was hurt on its way: its own check fails. Never a sign of cheating."""


class TooLarge(Malformed):
    """Over a cap that is checked before any work is done."""
