"""Sentences in the language of a run: what strangers chose is escaped in all of them."""

import pytest

from hiddenagenda import locale
from hiddenagenda.faults import Sentence, counted, sentence
from hiddenagenda.locale import LANGUAGES, language_of, tell, translate


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "FR_CA"}, "fr"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "nl_NL.UTF-8"}, "en"),
        ({"LANG": ""}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "fr_FR"}, "fr"),
        ({"LANG": "de_DE", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR", "LC_ALL": "", "LC_MESSAGES": ""}, "fr"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de:fr"}, "de"),
    ],
)
def test_the_environment_says_which_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_are_escaped_and_sentences_in_sentences_are_told(language: str) -> None:
    said = sentence("outer {what} {inner}", what="\x1b[2J\u202e", inner=sentence("inner {what}", what="a\nb"))
    assert tell(said, language) == r"outer \x1b[2J\u202e inner a\x0ab"


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_choose_the_form(language: str) -> None:
    said = [tell(counted("{n} thing", "{n} things", n=n), language) for n in (1, 2)]
    assert said == ["1 thing", "2 things"]
    assert tell(Sentence("{m} thing", {"m": 1}, "{m} things"), "en") == "1 things"


@pytest.mark.parametrize("language", ["de", "fr"])
def test_an_installation_without_its_catalogues_speaks_english(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setattr(locale, "DOMAIN", "nothing-of-this-name")
    locale._catalogue.cache_clear()
    try:
        assert translate("Options", language) == "Options"
    finally:
        locale._catalogue.cache_clear()


def test_an_empty_text_is_no_key() -> None:
    """The empty key of a catalogue is its header."""
    assert [translate("", language) for language in LANGUAGES] == [""] * 3
