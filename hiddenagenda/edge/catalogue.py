"""Tables of names on the disk, mapped into memory for the catalogue.

SPEC "Names". The bundled table is found beside the package's code, or read through its loader where the
package lies in an archive. Decides nothing about names.
"""

import mmap
import os
from typing import Final

from hiddenagenda import cards
from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.faults import Malformed, sentence

_TABLE: Final = ("data", "names.tsv")
_LONGEST_NUMBER: Final = 10


def bundled() -> Catalogue:
    """Return the catalogue that comes with the package: English names. Raises ``OSError`` where it is gone."""
    beside = os.path.dirname(cards.__file__ or "")
    try:
        return mapped(os.path.join(beside, *_TABLE))
    except (FileNotFoundError, NotADirectoryError):
        from importlib import resources  # noqa: PLC0415 - only for a package inside an archive

        return Catalogue(resources.files(cards).joinpath(*_TABLE).read_bytes())


def installed(directory: str) -> Catalogue:
    """Return the catalogue imported into ``directory``, else the bundled one.

    Raises ``OSError``, and ``Malformed`` for an imported table that is damaged.
    """
    names = tables(directory)
    if not names:
        return bundled()
    path = os.path.join(directory, names[-1])
    try:
        return mapped(path)
    except FileNotFoundError:  # a newer one took its place just now
        return installed(directory)
    except Malformed as error:
        raise Malformed(
            sentence("{path}: {what}", path=path, what=error.said),
            hint=sentence("remove it with “hiddenagenda cards remove”, then import the files again"),
            code=error.code,
        ) from error


def tables(directory: str) -> list[str]:
    """Return the names of the tables in ``directory``, the one in use last; none where it is missing."""
    try:
        names = os.listdir(directory)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted((name for name in names if _number(name)), key=_number)


def table_name(existing: list[str]) -> str:
    """Return the name of the table that takes over from the ``existing`` ones."""
    return f"names.{_number(existing[-1]) + 1 if existing else 1}.tsv"


def _number(name: str) -> int:
    """Return the number in the name of a table, 0 for any other name."""
    start, _, rest = name.partition(".")
    digits = rest.removesuffix(".tsv")
    known = start == "names" and rest.endswith(".tsv") and digits.isascii() and digits.isdigit()
    return int(digits) if known and len(digits) < _LONGEST_NUMBER else 0


def mapped(path: str | os.PathLike[str]) -> Catalogue:
    """Return the catalogue over the file at ``path``, mapped and not read.

    Raises ``OSError``, and ``Malformed`` for a file that is no table of names.
    """
    with open(path, "rb") as file:
        try:
            return Catalogue(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except ValueError:  # an empty file, which nothing can map
            return Catalogue(b"")
