"""Make the catalogues of translations: what is said in the sources, and the files that ``gettext`` reads.

Run it after a text was added, changed or removed, translate what it lists, and run it again::

    python tests/generators/catalogues.py
    python tests/generators/catalogues.py --check

It reads the sources without importing them. ``hiddenagenda.po`` keeps the translations of the texts that are still
said, and the glossary at its top; ``hiddenagenda.mo`` is made of it. The same sources and translations always give
the same bytes: no time, no line number and no version of a tool gets into them.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ("hiddenagenda", "cli")
LANGUAGES = ("de", "fr")
PLURALS = {"de": "(n != 1)", "fr": "(n > 1)"}
"""Which form goes with how many: CLDR's third one for French is for millions, which nothing here reaches."""
DOMAIN = "hiddenagenda"

TEXTS = {"sentence": 1, "Usage": 1, "counted": 2, "translate": 1}
"""Calls whose first arguments are texts, and how many of them."""
PASSED_ON = {"translate"}
"""Calls that may also be handed a text that is marked elsewhere."""
KEYWORDS = ("help", "short_help")
"""Arguments of any call that are texts."""
TABLES = ("SECTIONS",)
"""Names of dictionaries whose keys and values are texts: in ``SECTIONS`` the inner keys are commands."""
SAID_BY_CLICK = ("OPTIONS", "COMMAND", "ARGS", "TEXT", "NUMBER")
"""Words in help pages that click puts there itself, or makes of the names of types."""
PLACE = re.compile(r"\b[A-Z][A-Z]+\b")
"""A word that stands for what a person types, as in ``KEY|FILE``."""

Key = str | tuple[str, str]


@dataclass(slots=True)
class Said:
    """The texts of the sources, each with the files it stands in, and the places where a text is no literal."""

    texts: dict[Key, list[str]] = field(default_factory=dict)
    unmarked: list[str] = field(default_factory=list)

    def add(self, key: Key, file: str) -> None:
        """Take in a text."""
        files = self.texts.setdefault(key, [])
        if file not in files:
            files.append(file)


def sources() -> Iterator[Path]:
    """The modules that may say something, in order."""
    for folder in SOURCES:
        yield from sorted((ROOT / folder).rglob("*.py"))


def said() -> Said:
    """Everything that the sources say."""
    found = Said()
    for path in sources():
        read(found, path.read_text("utf-8"), path.relative_to(ROOT).as_posix())
    for word in SAID_BY_CLICK:
        found.add(word, "click")
    return found


def read(found: Said, source: str, file: str) -> None:
    """Add what one module says."""
    nodes = ast.walk(ast.parse(source))
    for node in sorted(nodes, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))):
        match node:
            case ast.Call():
                _read_call(found, node, file)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict() as table) if name in TABLES:
                for text in _leaves(table):
                    found.add(text, file)
            case _:
                pass


def _read_call(found: Said, call: ast.Call, file: str) -> None:
    name = _name(call.func)
    if name in TEXTS:
        arguments = [_literal(argument) for argument in call.args[: TEXTS[name]]]
        texts = [text for text in arguments if text is not None]
        if len(texts) == TEXTS[name]:
            found.add(texts[0] if len(texts) == 1 else (texts[0], texts[1]), file)
        elif name not in PASSED_ON:
            found.unmarked.append(f"{file}:{call.lineno}: {name}() wants its text as a literal")
    for keyword in call.keywords:
        text = _literal(keyword.value)
        if keyword.arg in KEYWORDS:
            if text:
                found.add(text, file)
            elif text is None and not isinstance(keyword.value, ast.Name | ast.Call):
                found.unmarked.append(f"{file}:{keyword.value.lineno}: {keyword.arg}= wants its text as a literal")
        elif keyword.arg == "metavar" and text:
            _read_places(found, text, file)
    if name == "argument" and call.args and (text := _literal(call.args[0])):
        _read_places(found, text.upper(), file)


def _read_places(found: Said, text: str, file: str) -> None:
    for word in PLACE.findall(text):
        found.add(word, file)


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _leaves(table: ast.Dict) -> Iterator[str]:
    """The keys of the outer dictionary, each followed by the values of its inner one."""
    for key, value in zip(table.keys, table.values, strict=True):
        if key is not None and (text := _literal(key)):
            yield text
        if isinstance(value, ast.Dict):
            yield from filter(None, map(_literal, value.values))


def po_path(language: str) -> Path:
    """Where people translate."""
    return ROOT / "hiddenagenda" / "translations" / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def mo_path(language: str) -> Path:
    """Where ``gettext`` reads."""
    return po_path(language).with_suffix(".mo")


class Plain(Catalog):
    """A catalogue whose head says what ``gettext`` needs, and nothing that changes by itself."""

    num_plurals = 2

    def __init__(self, language: str, *, header_comment: str | None = None) -> None:
        super().__init__(
            locale=language,
            domain=DOMAIN,
            project=DOMAIN,
            charset="utf-8",
            fuzzy=False,
            header_comment=header_comment or f"# {language}",
        )
        self.language = language

    def _head(self) -> list[tuple[str, str]]:
        return [
            ("Language", self.language),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", f"nplurals=2; plural={PLURALS[self.language]};"),
        ]

    mime_headers = property(_head)


def load(language: str) -> Catalog:
    """The catalogue as it is on disk; an empty one where there is none."""
    path = po_path(language)
    if not path.exists():
        return Plain(language)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def merged(language: str, texts: Said) -> tuple[Plain, list[Message]]:
    """A catalogue of all texts with the translations there are, and what was translated and is said no longer."""
    old = load(language)
    new = Plain(language, header_comment=old.header_comment)
    for key, files in texts.texts.items():
        before = old.get(key if isinstance(key, str) else key[0])
        kept = before if before is not None and before.id == key else None
        message = new.add(key, kept.string if kept else None, locations=[(file, 0) for file in files])
        message.flags = kept.flags & {"fuzzy"} if kept else set()  # and not what babel's version sees in it
    gone = [message for message in old if message.id and message.id not in texts.texts]
    return new, [*gone, *old.obsolete.values()]


def as_po(catalogue: Catalog) -> bytes:
    """The file that people translate."""
    out = BytesIO()
    write_po(out, catalogue, width=0, include_lineno=False, ignore_obsolete=True)
    return out.getvalue()


def as_mo(catalogue: Catalog) -> bytes:
    """The file that ``gettext`` reads."""
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def untranslated(catalogue: Catalog) -> list[Message]:
    """What has no translation, or one that is only a guess."""
    return [
        message
        for message in catalogue
        if message.id
        and (message.fuzzy or not all(message.string if isinstance(message.string, tuple) else [message.string]))
    ]


def main() -> int:
    """Write the catalogues, or with ``--check`` say what would change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where something is to do")
    check = parser.parse_args().check
    texts = said()
    to_do = len(texts.unmarked)
    for place in texts.unmarked:
        print(place)
    for language in LANGUAGES:
        catalogue, gone = merged(language, texts)
        for path, data in ((po_path(language), as_po(catalogue)), (mo_path(language), as_mo(catalogue))):
            if path.exists() and path.read_bytes() == data:
                continue
            if check:
                to_do += 1
                print(f"{path.relative_to(ROOT)}: not up to date")
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        for message in gone:
            print(f"{language}: said no longer: {message.id!r}: {message.string!r}")
        for message in untranslated(catalogue):
            to_do += 1
            print(f"{language}: to translate: {message.id!r}")
    print(f"{len(texts.texts)} texts; {to_do} things to do")
    return 1 if to_do else 0


if __name__ == "__main__":
    sys.exit(main())
