"""``merge``: copies of games are put together."""

import click

from hiddenagenda.edge.exchange import Part, merge
from hiddenagenda.faults import sentence
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.exchanged import taken_json, tell_taken, tell_unreadable, unreadable_json
from hiddenagenda_cli.output import Exit, voice


@frame.command(
    "merge",
    help=(
        "Put copies of one game, or of several, together into a new file.\n\nNothing is lost and no order matters; it"
        " says what each file has besides the ones before it, and what in it is forked, dangling or unreadable."
    ),
    example="hiddenagenda merge mine.jsonl bens.jsonl -o friday.jsonl",
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", shell_complete=files)
@click.option("-o", "--out", required=True, metavar="FILE", shell_complete=files, help="The new file.")
def command(paths: tuple[str, ...], out: str) -> Exit:
    """Merge, and tell what came of it."""
    parts = merge(paths, out)
    if voice.as_json:
        voice.json({"out": out, "inputs": [_as_json(part) for part in parts]})
    else:
        for part in parts:
            _tell(part)
    return Exit.INPUT if any(part.unreadable for part in parts) else Exit.KEPT


def _tell(part: Part) -> None:
    new = sum(len(taken.new) for taken in part.taken)
    voice.told(sentence("{path}: {new} new", path=part.path, new=new))
    for taken in part.taken:
        tell_taken(taken)
    tell_unreadable(part.unreadable)


def _as_json(part: Part) -> dict[str, object]:
    return {
        "path": part.path,
        "games": [taken_json(taken) for taken in part.taken],
        "unreadable": unreadable_json(part.unreadable),
    }
