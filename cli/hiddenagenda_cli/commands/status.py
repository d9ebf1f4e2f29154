"""``status``: where the game stands, and what I owe or may do next."""

import click

from hiddenagenda.edge.client import View, view
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.faults import HiddenAgendaError, counted, sentence
from hiddenagenda.moves import options
from hiddenagenda.verdictjson import to_json
from hiddenagenda.verifier import judge
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.games import print_verdict
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import EXITS, Exit, voice
from hiddenagenda_cli.signing import keystore


@frame.command(
    "status",
    help="Say where the game stands, as far as the lines here go, and what you owe or may do next.",
    example="hiddenagenda status friday.jsonl",
)
@click.argument("file", shell_complete=files)
@click.option("--key", metavar="NAME|FILE", help="The key that plays; else the default one.")
def command(file: str, key: str | None) -> Exit:
    """Tell the verdict on what is here, then the moves that are open."""
    public = keystore().choose(key).public.hex if key or keystore().names() else ""
    seen = view(data_directory(), file, public)
    verdict = judge(seen.transcript, names=catalogue())
    if voice.as_json:
        moves = [option.command for option in options(seen.player, seen.slips)] if seen.player else []
        voice.json(to_json(verdict) | {"you": public, "moves": moves, "unsent": seen.unsent})
        return EXITS[verdict.outcome]
    code = print_verdict(verdict)
    _tell_turn(seen)
    _tell_moves(seen, file)
    return code


def _tell_turn(seen: View) -> None:
    if seen.holder:
        voice.told(sentence("priority: {player}", player=seen.holder))
    elif seen.stepper:
        voice.told(sentence("priority: nobody; {player} opens the next step", player=seen.stepper))


def _tell_moves(seen: View, file: str) -> None:
    if seen.player is None:
        voice.told(sentence("you have no seat at this table: you can only read"))
        return
    try:
        moves = options(seen.player, seen.slips)
    except HiddenAgendaError as error:
        voice.fail(error)
        return
    voice.told(sentence("you may:"))
    for option in moves:
        voice.told(sentence("  {command}: {what}", command=option.command, what=option.said))
    if seen.unsent:
        voice.told(
            counted(
                "others may lack {n} entry: hiddenagenda send {file}",
                "others may lack {n} entries: hiddenagenda send {file}",
                n=seen.unsent,
                file=file,
            )
        )
