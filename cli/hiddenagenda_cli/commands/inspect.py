"""``inspect``: a game told line by line, for a stranger."""

import click

from hiddenagenda.edge.files import write_new_file
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.forkproof import find_forks, write_proof
from hiddenagenda.record import Record, read_record
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.exchanged import records, tell_faults, tell_unreadable, unreadable_json
from hiddenagenda_cli.files import gather
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.tales import print_game, print_proof


@frame.command(
    "inspect",
    help=(
        "Tell a game line by line: who said what, resting on what, and what is wrong with it. No key is needed.\n\nGive"
        " a file, tokens, or - for standard input. How the game stands, “verify” says."
    ),
    example="hiddenagenda inspect friday.jsonl",
)
@click.argument("given", nargs=-1, required=True, shell_complete=files, metavar="FILE")
@click.option(
    "--fork-proof",
    metavar="OUT",
    shell_complete=files,
    help="Write the lines that prove the forks into a new file; “inspect” checks it, too.",
)
def command(given: tuple[str, ...], fork_proof: str | None) -> Exit:
    """Tell every game that is there, then the forks that are proved without a table."""
    found = records(gather(given))
    tell_faults(found)
    record = read_record(b"")
    for data in found.data:
        record = record.merge(read_record(data))
    for transcript in record.transcripts:
        print_game(transcript)
    proofs = find_forks(record.strays)
    for proof in proofs:
        print_proof(proof)
    proved = {line.data for proof in proofs for line in proof.lines}
    aside = [one for one in record.aside if one.data not in proved]
    if voice.as_json and aside:
        voice.json({"unreadable": unreadable_json(aside)})
    elif not voice.as_json:
        tell_unreadable(aside)
    for game in record.oversized:
        voice.complain(sentence("the game {game} has more bytes than are looked at", game=game))
    if fork_proof is not None:
        _write_proof(record, fork_proof)
    told = bool(record.transcripts or proofs)
    return Exit.KEPT if told and not (found.damaged or found.missing or record.oversized) else Exit.INPUT


def _write_proof(record: Record, path: str) -> None:
    lines = b"".join(write_proof(transcript) for transcript in record.transcripts)
    if not lines:
        raise Malformed(sentence("nobody has forked these games: there is nothing to prove"), code="no-fork")
    write_new_file(path, lines)
    voice.say(sentence("{path} proves the forks; anybody checks it with: hiddenagenda inspect {path}", path=path))
