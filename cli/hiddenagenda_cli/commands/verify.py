"""``verify``: openings against commitments, and the verdict on games."""

from importlib import import_module

import click

from hiddenagenda import bare
from hiddenagenda.bare import Expected
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.rulebook import NEWEST, Edition
from hiddenagenda_cli import frame
from hiddenagenda_cli.ask import paste
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.files import Given, gather
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.openings import print_damage, print_judged
from hiddenagenda_cli.output import Exit, worst

_PASTE = sentence("Paste commitments and openings, then press Ctrl-D (on Windows Ctrl-Z and Enter).")


@frame.command(
    "verify",
    help=(
        "Check openings against commitments, or judge games.\n\nGive tokens, digests, files that hold them, game files,"
        " or - for a copied chat on standard input. Files of one game are put together first. The exit code says how it"
        " stands: 0 kept, 1 damaged or nothing to judge, 3 broken, 4 owes, 5 pending or not started."
    ),
    example="hiddenagenda verify hac1… HAO1…",
)
@click.argument("given", nargs=-1, shell_complete=files)
@click.option("--player", type=frame.TEXT, help="Whose slip it must be.")
@click.option("--game", type=frame.TEXT, help="Of which game it must be.")
@click.option("--slot", type=frame.SLOT, help="In which slot it must lie.")
@click.option("--strict-names", is_flag=True, help="A name that is not in the list of card names is a breach.")
@click.option("--edition", type=frame.OneOf([one.value for one in Edition]), help="Edition for rule numbers.")
@click.option("--explain", is_flag=True, help="Say of each finding in a game why it is a fault.")
def command(
    given: tuple[str, ...],
    player: str | None,
    game: str | None,
    slot: int | None,
    strict_names: bool,
    edition: str | None,
    explain: bool,
) -> Exit:
    """Judge, tell, and return the exit code."""
    inputs = gather(given or [paste(_PASTE)])
    codes = [print_damage(error) for error in inputs.damaged]
    cited = Edition(edition) if edition else None
    if inputs.commitments or inputs.openings:
        expected = Expected(player=player, game=game, slot=slot)
        codes += _judge_openings(inputs, expected, edition=cited or NEWEST, strict_names=strict_names)
    if inputs.records or inputs.pieces:
        # Games need much that openings do not: it is imported only now.
        games = import_module("hiddenagenda_cli.games")
        codes += games.judge(inputs, edition=cited, strict_names=strict_names, explain=explain)
    if not codes:
        raise Malformed(sentence("there is nothing here to verify"), code="no-input")
    return worst(codes)


def _judge_openings(inputs: Given, expected: Expected, *, edition: Edition, strict_names: bool) -> list[Exit]:
    judged = bare.judge(
        inputs.commitments,
        inputs.openings,
        expected=expected,
        catalogue=catalogue() if inputs.openings else None,
        damaged=len(inputs.damaged),
    )
    return [print_judged(one, edition=edition, strict_names=strict_names) for one in judged]
