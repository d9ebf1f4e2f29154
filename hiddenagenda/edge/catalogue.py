"""Tables of names on the disk, mapped into memory for the catalogue.

SPEC "Names". The bundled table is found beside the package's code, or read through its loader where the
package lies in an archive. Decides nothing about names.
"""

import mmap
import os

from hiddenagenda import cards
from hiddenagenda.cards.catalogue import Catalogue

_TABLE = ("data", "names.tsv")


def bundled() -> Catalogue:
    """Return the catalogue that comes with the package: English names. Raises OSError where it is gone."""
    beside = os.path.dirname(cards.__file__ or "")  # noqa: PTH120 - pathlib costs more than the look-up
    try:
        return mapped(os.path.join(beside, *_TABLE))  # noqa: PTH118
    except (FileNotFoundError, NotADirectoryError):
        from importlib import resources  # noqa: PLC0415 - only for a package inside an archive

        return Catalogue(resources.files(cards).joinpath(*_TABLE).read_bytes())


def mapped(path: str | os.PathLike[str]) -> Catalogue:
    """Return the catalogue over the file at ``path``, mapped and not read.

    Raises OSError, and Malformed for a file that is no table of names.
    """
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib costs more than the look-up
        try:
            return Catalogue(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except ValueError:  # an empty file, which nothing can map
            return Catalogue(b"")
