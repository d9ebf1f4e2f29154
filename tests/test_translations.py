"""German and French: nothing that people read is missing, misses a value, or is out of date."""

import ast
import gettext
import io
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click
import pytest
from babel.messages.catalog import Message
from generators import catalogues
from generators.catalogues import LANGUAGES, Key, Said
from hiddenagenda_cli.main import program

from hiddenagenda.faults import Sentence, counted, sentence
from hiddenagenda.locale import language_of, tell, translate

NO_BREAK = "\N{NO-BREAK SPACE}"
BRACES = re.compile(r"\{\w+\}")
MAKES_SENTENCES = {
    "cli/hiddenagenda_cli/usage.py",
    "hiddenagenda/edge/ledger.py",
    "hiddenagenda/faults.py",
}
"""Modules that may make a sentence of a text that is marked, or was told, elsewhere."""


@pytest.fixture(scope="module")
def texts() -> Said:
    """What the sources say."""
    return catalogues.said()


def said_as(message: Message) -> Iterator[tuple[str, str]]:
    """Each form of an English text with its translation."""
    if isinstance(message.string, tuple):
        yield from zip(message.id, message.string, strict=True)
    else:
        yield str(message.id), str(message.string)


def translations(language: str) -> Iterator[tuple[str, str]]:
    """All English texts, in all their forms, with their translations."""
    for message in catalogues.load(language):
        if message.id:
            yield from said_as(message)


def read(source: str) -> Said:
    found = Said()
    catalogues.read(found, source, "module.py")
    return found


def test_every_text_is_a_literal(texts: Said) -> None:
    assert texts.unmarked == []


def test_few_modules_make_sentences_of_texts_that_are_marked_elsewhere() -> None:
    made = set()
    for path in catalogues.sources():
        calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
        if any(isinstance(call.func, ast.Name) and call.func.id == "Sentence" for call in calls):
            made.add(path.relative_to(catalogues.ROOT).as_posix())
    assert made == MAKES_SENTENCES


def test_no_words_are_printed_past_the_catalogues() -> None:
    words: list[str] = []
    for path in catalogues.sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="voice"), attr="result" | "ask" | "page")):
                    words += [word for argument in node.args for word in printed(argument)]
                case _:
                    pass
    assert words == []


def test_no_value_is_put_into_english_quotes_past_the_catalogues() -> None:
    for path in catalogues.sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                for before, after in pairwise(node.values):
                    quoted = ends_with_a_quote(before) and isinstance(after, ast.FormattedValue)
                    assert not quoted, f"{path}:{node.lineno}"


def ends_with_a_quote(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and str(part.value).endswith("“")


def printed(argument: ast.expr) -> list[str]:
    """The words in a literal, or in a text with values in it."""
    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return [word for text in texts for word in re.findall("[A-Za-z]{2,}", text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_the_texts_of_the_sources_and_no_others(texts: Said, language: str) -> None:
    have = {message.id for message in catalogues.load(language) if message.id}
    assert sorted(map(str, set(texts.texts) - have)) == []
    assert sorted(map(str, have - set(texts.texts))) == []
    assert not catalogues.load(language).obsolete


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_translated(language: str) -> None:
    assert [message.id for message in catalogues.untranslated(catalogues.load(language))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_names_the_values_of_its_text(language: str) -> None:
    for english, other in translations(language):
        assert set(BRACES.findall(other)) == set(BRACES.findall(english)), other
        assert re.sub(BRACES, "", other).count("{") == 0, other


@pytest.mark.parametrize("language", LANGUAGES)
def test_indentation_and_paragraphs_are_kept(language: str) -> None:
    for english, other in translations(language):
        assert other[: len(other) - len(other.lstrip(" "))] == english[: len(english) - len(english.lstrip(" "))], other
        assert len(other) - len(other.rstrip(" ")) == len(english) - len(english.rstrip(" ")), other
        assert other.count("\n") == english.count("\n"), other


def test_german_quotes() -> None:
    for english, german in translations("de"):
        assert not re.search("[„“”«»]", re.sub("„[^„“”]*“", "", german)), german
        for quoted in re.findall(r"“(\{\w+\})”", english):
            assert f"„{quoted}“" in german
        assert english.count('"') == german.count('"'), german


def test_french_quotes_apostrophes_and_spaces() -> None:
    for english, french in translations("fr"):
        assert not re.search("[“”„]", french), french
        assert french.count("«") == french.count("»") == len(re.findall(f"«{NO_BREAK}[^«»]*{NO_BREAK}»", french)), (
            french
        )
        for quoted in re.findall(r"“(\{\w+\})”", english):
            assert f"«{NO_BREAK}{quoted}{NO_BREAK}»" in french
        assert not re.search(r"\w'\w", french), french
        assert not re.search(r"\S[:;!?](?:\s|$)", french), french
        assert not re.search(r"\S [:;!?»]", french), french


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_gettext_reads_is_made_of_what_was_translated(texts: Said, language: str) -> None:
    made, gone = catalogues.merged(language, texts)
    assert gone == []
    assert catalogues.mo_path(language).read_bytes() == catalogues.as_mo(made)
    reader = gettext.GNUTranslations(io.BytesIO(catalogues.as_mo(made)))
    for message in made:
        if isinstance(message.id, tuple):
            one, many = message.id
            assert (reader.ngettext(one, many, 1), reader.ngettext(one, many, 2)) == message.string
        elif message.id:
            assert reader.gettext(str(message.id)) == message.string


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_says_nothing_that_changes_by_itself(texts: Said, language: str) -> None:
    assert not re.search(rb"Date:|Generated-By|X-Generator", catalogues.mo_path(language).read_bytes())
    made, _ = catalogues.merged(language, texts)
    assert catalogues.as_po(made) == catalogues.as_po(catalogues.merged(language, catalogues.said())[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glossary_stands_at_the_top(language: str) -> None:
    assert "hidden agenda" in catalogues.po_path(language).read_text("utf-8").partition("msgid")[0]


def commands(group: click.Command = program) -> Iterator[click.Command]:
    """The program and all its commands."""
    yield group
    if isinstance(group, click.Group):
        context = click.Context(group, info_name="x")
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            yield from commands(command)


def test_every_word_of_the_help_pages_is_in_the_catalogues(texts: Said) -> None:
    shown: set[str | None] = set()
    places: set[str] = set()
    for command in commands():
        context = click.Context(command, info_name=command.name, **command.context_settings)
        shown |= {command.help, command.short_help}
        places.update(re.findall("[A-Z][A-Z]+", " ".join(command.collect_usage_pieces(context))))
        for param in command.get_params(context):
            if isinstance(param, click.Option):
                shown.add(param.help)
                places.update([] if param.is_flag else re.findall("[A-Z][A-Z]+", param.make_metavar(context)))
    assert {text for text in shown if text} - set(texts.texts) == set()
    assert places - set(texts.texts) == set()


@pytest.mark.parametrize(("language", "first", "second"), [("de", (1,), (0, 2, 5)), ("fr", (0, 1), (2, 5))])
def test_how_many_choose_the_form(language: str, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    words = {"de": ("{n} Eintrag", "{n} Einträge"), "fr": ("{n} entrée", "{n} entrées")}[language]
    for word, numbers in zip(words, (first, second), strict=True):
        for n in numbers:
            assert tell(counted("{n} entry", "{n} entries", n=n), language) == word.format(n=n)


def test_a_sentence_is_told_with_the_sentences_in_it() -> None:
    said = sentence("warning: {what}", what=sentence("the list\x1b {name}", name="a\nb"))
    assert tell(said, "de") == "Warnung: the list\x1b a\\x0ab"
    assert tell(said, "en") == str(said)


def test_the_catalogues_are_read_from_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (catalogues.ROOT / "hiddenagenda").rglob("*"):
            if path.suffix in {".py", ".mo"}:
                packed.write(path, path.relative_to(catalogues.ROOT))
    script = "from hiddenagenda import locale; print(locale.__file__, ascii(locale.translate('owes', 'fr')))"
    ran = subprocess.run(
        [sys.executable, "-P", "-c", script],
        env=os.environ | {"PYTHONPATH": str(archive)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == f"{archive / 'hiddenagenda' / 'locale.py'} 'en dette'"


def test_what_no_catalogue_has_is_told_in_english() -> None:
    assert tell(Sentence("never said anywhere"), "fr") == "never said anywhere"
    assert tell(sentence("kept"), "it") == "kept"
    assert translate("", "de") == ""


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "C", "LC_ALL": "fr_CA"}, "fr"),
        ({"LANG": "de", "LC_MESSAGES": "fr"}, "fr"),
        ({"LANG": "de", "LANGUAGE": "fr:de"}, "fr"),
        ({"LANG": "de", "LC_ALL": ""}, "de"),
        ({"LANG": "it_IT"}, "en"),
    ],
)
def test_the_environment_says_which_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


@pytest.mark.parametrize(
    "source",
    [
        "sentence(text)",
        'sentence(f"{n} slips")',
        'sentence("a" + b)',
        'counted("{n} slip", many, n=2)',
        'Usage("a %s" % b)',
        'option(help=f"in {unit}")',
        'option(help="a" + b)',
        "sentence()",
    ],
)
def test_a_text_that_is_no_literal_is_named(source: str) -> None:
    found = read(source)
    assert len(found.unmarked) == 1
    assert found.unmarked[0].startswith("module.py:1: ")


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('sentence("a {b}", b=2)', ["a {b}"]),
        ('sentence("a "\n "b")', ["a b"]),
        ('faults.counted("{n} a", "{n} b", n=2)', [("{n} a", "{n} b")]),
        ('raise Usage("a").at(ctx)', ["a"]),
        ('voice.translate("y"); voice.translate(line)', ["y"]),
        ('command(help="A.", short_help="a", example="x")', ["A.", "a"]),
        ("command(help=help, short_help=short_help)", []),
        ('CompletionItem(name, help=voice.tell(sentence("a")))', ["a"]),
        ('option("--key", metavar="NAME|FILE=x")', ["NAME", "FILE"]),
        ('argument("names", nargs=-1)', ["NAMES"]),
        ('SECTIONS: Final[dict[str, dict[str, str]]] = {"A": {"b": "c"}}', ["A", "c"]),
        ('OTHERS: dict[str, str] = {"A": "c"}', []),
        ('two()("a"); text.translate(table)', []),
    ],
)
def test_what_is_a_text(source: str, texts: list[Key]) -> None:
    found = read(source)
    assert (list(found.texts), found.unmarked) == (texts, [])


def test_a_text_keeps_its_translation_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    old = catalogues.Plain("de")
    old.add("kept", "bleibt")
    old.add("guessed", "geraten", flags=["fuzzy"])
    old.add("gone", "weg")
    old.add(("{n} a", "{n} b"), ("{n} A", "{n} B"))
    monkeypatch.setattr(catalogues, "load", lambda _language: old)
    made, gone = catalogues.merged(
        "de", read('sentence("kept"); sentence("new"); sentence("guessed"); sentence("{n} a")')
    )
    assert {message.id: message.string for message in made if message.id} == {
        "kept": "bleibt",
        "new": None,
        "guessed": "geraten",
        "{n} a": None,
    }
    assert [message.id for message in gone] == ["gone", ("{n} a", "{n} b")]
    assert [message.id for message in catalogues.untranslated(made)] == ["new", "guessed", "{n} a"]
