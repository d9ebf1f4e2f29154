"""Completion in shells: the scripts, what was typed, and what it may become.

A script hands the command line to the program on standard input, where no list of processes shows it, and gets lines
back. The shells are asked for words only and never evaluate any.
"""

from importlib import import_module
from typing import Final

SHELLS: Final = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    """Return the completion script for one of ``SHELLS``."""
    resources = import_module("importlib.resources")  # dear to import, and not needed to complete
    text: str = resources.files(__name__).joinpath(f"hiddenagenda.{shell}").read_text(encoding="utf-8")
    return text
