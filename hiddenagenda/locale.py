"""Sentences in English, German and French.

SPEC "Languages". An English template is the key of its translations; a translation that is missing is the English
text. Values come from strangers and are shown escaped, whatever the language. Codes, tokens and JSON are never
translated.
"""

import gettext
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from io import BytesIO
from typing import Any, Final, Protocol

from hiddenagenda.characters import shown
from hiddenagenda.faults import Sentence

LANGUAGES: Final = ("en", "de", "fr")
DOMAIN: Final = "hiddenagenda"


class Catalogue(Protocol):
    """What gives a text in another language, as ``gettext`` does."""

    def gettext(self, message: str) -> str:
        """Return the translation, or the message itself."""
        ...

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation for ``n`` things."""
        ...


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that a process's environment asks for: ``en``, ``de`` or ``fr``; English when in doubt.

    Looks at ``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES`` and ``LANG``, in this order (POSIX; gettext).
    """
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(variable, "")
        if value:
            wanted = value.split(":")[0][:2].lower()
            return wanted if wanted in LANGUAGES else "en"
    return "en"


def translate(text: str, language: str) -> str:
    """Return one English text of ours in ``language``."""
    return _catalogue(language).gettext(text) if text else text


def tell(said: Sentence, language: str) -> str:
    """Return a sentence in ``language``, with its values escaped: one line, safe on any screen."""
    catalogue = _catalogue(language)
    if said.plural is None:
        template = catalogue.gettext(said.text)
    else:
        number = said.values.get("n")
        template = catalogue.ngettext(said.text, said.plural, number if isinstance(number, int) else 0)
    return template.format_map({name: _value(value, language) for name, value in said.values.items()})


def _value(value: object, language: str) -> str:
    return tell(value, language) if isinstance(value, Sentence) else shown(str(value))


@cache
def _catalogue(language: str) -> Catalogue:
    if language == "en":
        return gettext.NullTranslations()
    try:
        return gettext.GNUTranslations(BytesIO(_data(language)))
    except OSError:
        return gettext.NullTranslations()  # English is better than silence about what went wrong


def _data(language: str) -> bytes:
    # What imported the package reads its files, from an archive, too; importlib.resources costs eight milliseconds.
    package = import_module(__name__.partition(".")[0])
    loader: Any = package.__loader__
    data: bytes = loader.get_data(f"{package.__path__[0]}/translations/{language}/LC_MESSAGES/{DOMAIN}.mo")
    return data
