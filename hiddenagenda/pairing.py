"""A text as a name and a salt, and how hands put the two together.

SPEC "Digests by hand". Rows as in ``mistakes``: the letters of the name, the order of the two, what stands between.
Where name and salt are not given apart, the cut is looked for; a cut that is none does no harm, it only fits nothing.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from hiddenagenda.faults import sentence
from hiddenagenda.mistakes import Row, row


class Parts(NamedTuple):
    """A text as a name and a salt with something between; without a salt it is the name alone."""

    name: str
    gap: str = ""
    salt: str = ""
    salt_first: bool = False

    def join(self) -> str:
        """Return the text."""
        return self.salt + self.gap + self.name if self.salt_first else self.name + self.gap + self.salt


def split(text: str) -> tuple[Parts, ...]:
    """Return the ways of reading ``text`` as name and salt: cut at the last or first gap, or sign."""
    found: dict[Parts, None] = {}
    for pattern in (re.compile(r"\s+"), re.compile(r"[:|,;=/_.+-]+")):
        cuts = [cut for cut in pattern.finditer(text) if cut.start() > 0 and cut.end() < len(text)]
        for cut in cuts[-1:]:
            found[_cut(text, cut, salt_first=False)] = None
        for cut in cuts[:1]:
            found[_cut(text, cut, salt_first=True)] = None
    return tuple(found)


def _cut(text: str, cut: re.Match[str], *, salt_first: bool) -> Parts:
    left, right = text[: cut.start()].rstrip(), text[cut.end() :].lstrip()
    gap = text[len(left) : len(text) - len(right)]
    return Parts(right, gap, left, salt_first=True) if salt_first else Parts(left, gap, right)


def _name(change: Callable[[str], str]) -> Callable[[Parts], Parts]:
    return lambda parts: parts._replace(name=change(parts.name))


def _salt(change: Callable[[str], str]) -> Callable[[Parts], Parts]:
    return lambda parts: parts._replace(salt=change(parts.salt))


def _gap(gap: str) -> Callable[[Parts], Parts | None]:
    return lambda parts: parts._replace(gap=gap) if parts.salt else None


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


_SMALL_WORDS: Final = frozenset(
    {"a", "an", "and", "at", "by", "for", "from", "in", "into", "of", "on", "or", "the", "to", "with"}
)


def _title(text: str, *, small: frozenset[str] = frozenset()) -> str:
    first, *rest = re.split(r"(\s+)", text.lower())
    return _capital(first) + "".join(word if word in small else _capital(word) for word in rest)


def _headline(text: str) -> str:
    return _title(text, small=_SMALL_WORDS)


def _other_order(parts: Parts) -> Parts | None:
    return parts._replace(salt_first=not parts.salt_first) if parts.salt else None


def _quoted_name(parts: Parts) -> Parts | None:
    return parts._replace(name=f'"{parts.name}"') if parts.salt else None


def _only_salt(parts: Parts) -> Parts | None:
    return Parts(parts.salt) if parts.salt else None


# fmt: off
CASES: Final[Sequence[Row[Parts, Parts | None]]] = (
    row("upper-case", sentence("the name was in capitals"), _name(str.upper)),
    row("lower-case", sentence("the name was in small letters"), _name(str.lower)),
    row("title-case", sentence("every word of the name began with a capital"), _name(_title)),
    row("headline-case", sentence("the longer words of the name began with capitals"), _name(_headline)),
    row("first-small", sentence("the first letter was small"), _name(lambda name: name[:1].lower() + name[1:])),
    row("first-capital", sentence("the first letter was a capital"), _name(_capital)),
    row("sentence-case", sentence("only the first letter was a capital"), _name(lambda name: _capital(name.lower()))),
    row("salt-upper-case", sentence("the salt was in capitals"), _salt(str.upper)),
    row("salt-lower-case", sentence("the salt was in small letters"), _salt(str.lower)),
    row("swapped-case", sentence("capitals and small letters were swapped (caps lock)"), _name(str.swapcase)),
)
ORDERS: Final[Sequence[Row[Parts, Parts | None]]] = (
    row("swapped-order", sentence("name and salt stood in the other order"), _other_order),
    row("missing-salt", sentence("the salt was left out"), lambda parts: Parts(parts.name)),
    row("quoted-name", sentence("the name alone stood in double quotes"), _quoted_name),
    row("missing-name", sentence("only the salt was hashed"), _only_salt),
)
GAPS: Final[Sequence[Row[Parts, Parts | None]]] = (
    row("no-gap", sentence("nothing stood between name and salt"), _gap("")),
    row("two-spaces", sentence("two spaces stood between name and salt"), _gap("  ")),
    row("no-break-gap", sentence("a no-break space (U+00A0) stood between name and salt"), _gap("\xa0")),
    row("colon", sentence("a colon stood between name and salt"), _gap(":")),
    row("one-space", sentence("one space stood between name and salt"), _gap(" ")),
    row("newline-between", sentence("a line break stood between name and salt"), _gap("\n")),
    row("tab", sentence("a tab stood between name and salt"), _gap("\t")),
    row("colon-space", sentence("a colon and a space stood between name and salt"), _gap(": ")),
    row("bar", sentence("a “|” stood between name and salt"), _gap("|")),
    row("spaced-bar", sentence("a “|” between spaces stood between name and salt"), _gap(" | ")),
    row("comma", sentence("a comma stood between name and salt"), _gap(",")),
    row("comma-space", sentence("a comma and a space stood between name and salt"), _gap(", ")),
    row("hyphen", sentence("a hyphen stood between name and salt"), _gap("-")),
    row("spaced-hyphen", sentence("a hyphen between spaces stood between name and salt"), _gap(" - ")),
    row("semicolon", sentence("a semicolon stood between name and salt"), _gap(";")),
    row("underscore", sentence("an underscore stood between name and salt"), _gap("_")),
    row("slash", sentence("a slash stood between name and salt"), _gap("/")),
    row("plus", sentence("a plus sign stood between name and salt"), _gap("+")),
    row("dot", sentence("a dot stood between name and salt"), _gap(".")),
    row("crlf-between", sentence("a Windows line break (CRLF) stood between name and salt"), _gap("\r\n")),
)
# fmt: on
PART_STAGES: Final = (CASES, ORDERS, GAPS)
