"""What the parameters of commands may become: functions for click's ``shell_complete``.

They are called only while a shell completes a line. What they need is imported then.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def card_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return all card names that ``incomplete`` may become, in the languages of this run; none for nothing."""
    return list(_names(incomplete))


def conspiracies(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """Return the conspiracies with an agenda that ``incomplete`` may become."""
    return list(_conspiracies(incomplete))


def agendas(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """Return what ``Conspiracy=Name`` or ``Conspiracy=Name=Other name`` may become, one part after the other.

    A part that another one follows ends with the equals sign, after which scripts put no blank.
    """
    from hiddenagenda.cards.conspiracies import AGENDA_KINDS, Agenda  # noqa: PLC0415

    done, equals, last = incomplete.rpartition("=")
    if not equals:
        return [f"{name}=" for name in _conspiracies(last)]
    end = "=" if AGENDA_KINDS.get(done) is Agenda.DOUBLE else ""
    return [f"{done}={name}{end}" for name in _names(last)]


def commitments(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem[str]]":
    """Return the commitments of the player's own slips that are still face down; file names where none fits."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415

    from hiddenagenda.edge.directories import data_directory  # noqa: PLC0415
    from hiddenagenda.edge.store import SlipStore  # noqa: PLC0415
    from hiddenagenda.faults import sentence  # noqa: PLC0415
    from hiddenagenda_cli.output import voice  # noqa: PLC0415

    found = []
    for kept in SlipStore(data_directory()).listing().face_down:
        slip = kept.slip
        whose = sentence("{player}, “{game}”, slot {slot}", player=slip.player, game=slip.game, slot=slip.slot)
        if kept.commitment.token.startswith(incomplete):
            found.append(CompletionItem(kept.commitment.token, help=voice.tell(whose)))
    return found or files(ctx, param, incomplete)


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem[str]]":  # noqa: ARG001
    """Let the shell complete the name of a file."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415

    return [CompletionItem(incomplete, type="file")]


def _names(typed: str) -> Iterator[str]:
    from hiddenagenda_cli.names import beginning, catalogue  # noqa: PLC0415

    # All of them: a shell inserts what all candidates share, which of a part would be too much.
    return beginning(catalogue(), typed, most=None)


def _conspiracies(typed: str) -> Iterator[str]:
    from hiddenagenda.cards.conspiracies import AGENDA_KINDS  # noqa: PLC0415
    from hiddenagenda_cli.names import begins  # noqa: PLC0415

    return (name for name in AGENDA_KINDS if not typed.strip() or begins(name, typed))
