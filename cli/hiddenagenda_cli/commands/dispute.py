"""``dispute``: several people's records of one game, compared."""

import os
import shlex

import click

from hiddenagenda.dispute import Dispute, compare
from hiddenagenda.edge.client import read_games
from hiddenagenda.edge.files import write_new_directory
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.retelling import retell
from hiddenagenda.sshexport import HASH_CHECK, SIGNATURE_CHECK
from hiddenagenda.verdictjson import to_json
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.games import print_verdict
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import EXITS, Exit, voice, worst
from hiddenagenda_cli.usage import Usage


@frame.command(
    "dispute",
    help=(
        "Compare several people's records of one game: who has which entries, who lacks what his own lines rest on, who"
        " told two stories and from which entry on, and what follows.\n\nThe verdict, and with it the exit code, is"
        " that on all records together, as “verify” has it. With --evidence every finding gets a directory: the lines"
        " that prove it, and the same as files that sha256sum and ssh-keygen check."
    ),
    example="hiddenagenda dispute ana.jsonl ben.jsonl --evidence proofs",
)
@click.argument("records", nargs=-1, required=True, shell_complete=files, metavar="FILE FILE…")
@click.option("--evidence", metavar="DIR", shell_complete=files, help="Write the proofs into a new directory.")
def command(records: tuple[str, ...], evidence: str | None) -> Exit:
    """Compare, tell, write the proofs, and return the exit code."""
    paths = tuple(dict.fromkeys(records))
    if len(paths) < 2:
        raise Usage("to compare, give two records at least")
    shown = {path: read_games([path]) for path in paths}
    disputes = compare(shown, names=catalogue())
    if not disputes:
        raise Malformed(sentence("there is no readable table in these files"), code="no-table")
    checks = _write(evidence, disputes) if evidence is not None else []
    codes = []
    for path in (path for path, record in shown.items() if not record.transcripts):
        voice.complain(sentence("{path}: there is no game in it", path=path))
        codes.append(Exit.INPUT)
    for dispute in disputes:
        if voice.as_json:
            voice.json(_as_json(dispute) | {"checks": checks})
            codes.append(EXITS[dispute.verdict.outcome])
        else:
            for line in retell(dispute):
                voice.told(line)
            codes.append(print_verdict(dispute.verdict))
    if checks and not voice.as_json:
        voice.told(sentence("to check the proofs without any code of ours:"))
        for check in checks:
            voice.result(check)
    return worst(codes)


def _write(directory: str, disputes: tuple[Dispute, ...]) -> list[str]:
    """Write the proofs, a directory each; return the shell lines that check them."""
    write_new_directory(directory, ())
    checks = []
    for dispute in disputes:
        for exhibit in dispute.exhibits:
            name = exhibit.name if len(disputes) == 1 else f"{dispute.transcript.game[:16]}-{exhibit.name}"
            path = os.path.join(directory, name)
            exported = [(one.name, one.data) for one in exhibit.files.files]
            recipe = f"{HASH_CHECK} && {SIGNATURE_CHECK}\n"
            write_new_directory(path, [("game.jsonl", exhibit.lines), ("CHECK", recipe.encode()), *exported])
            place = shlex.quote(path if path.startswith(("/", ".")) else f"./{path}")
            checks.append(f"(cd {place} && sh CHECK)")
    return checks


def _as_json(dispute: Dispute) -> dict[str, object]:
    return {
        "game": dispute.transcript.game,
        "parting": dispute.parting,
        "records": [
            {
                "alone": account.alone.outcome.value,
                "entries": account.entries,
                "missing": [
                    {"author": one.author, "entry": one.entry, "known_to": list(one.known_to), "seq": one.seq}
                    for one in account.missing
                ],
                "name": account.name,
            }
            for account in dispute.accounts
        ],
        "splits": [
            {
                "after": split.after,
                "author": split.author,
                "halves": [
                    {"entry": half.entry, "resting": half.resting, "shown_by": list(half.shown_by)}
                    for half in split.halves
                ],
                "seq": split.seq,
            }
            for split in dispute.splits
        ],
        "verdict": to_json(dispute.verdict),
    }
