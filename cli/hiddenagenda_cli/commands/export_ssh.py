"""``export-ssh``: a game as files that ``ssh-keygen`` and ``sha256sum`` check."""

import shlex

import click

from hiddenagenda.characters import UNSEEN, code_point
from hiddenagenda.edge.client import only_game, read_games
from hiddenagenda.edge.files import write_new_directory
from hiddenagenda.faults import Malformed, sentence
from hiddenagenda.sshexport import HASH_CHECK, SIGNATURE_CHECK, export
from hiddenagenda.story import SHORT
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit, voice


@frame.command(
    "export-ssh",
    help=(
        "Write each entry's bytes and signature into a new directory, and print the two shell lines that check them"
        " all without any code of ours: the hashes with sha256sum, the signatures with ssh-keygen.\n\nWithout sha256sum"
        " (macOS) say “shasum -a 256” in its place."
    ),
    example="hiddenagenda export-ssh friday.jsonl friday-ssh",
)
@click.argument("file", shell_complete=files)
@click.argument("directory")
def command(file: str, directory: str) -> Exit:
    """Write the files, then print how to check them."""
    if (unseen := UNSEEN.search(directory)) is not None:
        raise Malformed(
            sentence(
                "the directory's name holds {code}, which does not show in a line to copy", code=code_point(unseen[0])
            ),
            hint=sentence("give the directory another name"),
            code="file-name",
        )
    exported = export(only_game(read_games([file]), path=file))
    write_new_directory(directory, [(one.name, one.data) for one in exported.files])
    place = shlex.quote(directory if directory.startswith(("/", ".")) else f"./{directory}")
    checks = [f"(cd {place} && {HASH_CHECK})", f"(cd {place} && {SIGNATURE_CHECK})"]
    if voice.as_json:
        voice.json(
            {
                "directory": directory,
                "entries": exported.entries,
                "checks": checks,
                "covered": [{"entry": entry, "by": other} for entry, other in exported.covered],
            }
        )
        return Exit.KEPT
    for check in checks:
        voice.result(check)
    for entry, other in exported.covered:
        voice.say(
            sentence(
                "no signature of {entry} is here; the one of {other} covers it: the same author names it, by its hash,"
                " among what that entry rests on",
                entry=entry[:SHORT],
                other=other[:SHORT],
            )
        )
    voice.say(
        sentence(
            "the names of the files are the entries' hashes, and every entry names by hash what it rests on; whose keys"
            " these are, the fingerprints say"
        )
    )
    return Exit.KEPT
