"""What ``host`` and ``join`` have in common: their options, and the table that one comes back to."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from hiddenagenda.naming import Choice
from hiddenagenda_cli import frame
from hiddenagenda_cli.agendas import choose_all, read_list
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import voice


def live_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options ``name``, ``names_from``, ``hidden_input`` and ``json_lines``."""
    options = (
        click.option("--name", type=frame.TEXT, help="What you are called at the table; else the name used last."),
        click.option(
            "--names-from",
            metavar="FILE",
            shell_complete=files,
            help="Read agendas from a file: conspiracy, tab, name(s) between tabs.",
        ),
        click.option("--hidden-input", is_flag=True, help="Echo neither names nor how many there are."),
        click.option(
            "--json-lines",
            is_flag=True,
            callback=_speak_json,
            help="Be driven by a program: JSON objects on standard input and output, one a line.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def given_agendas(source: str | None, *, hidden: bool) -> Sequence[Choice] | None:
    """Return the agendas in the file ``source``; None where none is named."""
    if source is None:
        return None
    return choose_all(catalogue(), read_list(source), unlisted=False, hidden=hidden)


def _speak_json(ctx: click.Context, param: click.Parameter, value: bool) -> bool:  # noqa: ARG001, FBT001 - click's signature
    if value:
        voice.as_json = True
    return value
