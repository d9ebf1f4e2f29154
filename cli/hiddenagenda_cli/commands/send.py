"""``send``: what the others may lack."""

import click

from hiddenagenda.edge.client import lacking_elsewhere, later_than, on_record, seated_keys
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.files import write_new_file
from hiddenagenda.faults import counted, sentence
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.signing import keystore, print_bundle
from hiddenagenda_cli.usage import Usage


@frame.command(
    "send",
    help=(
        "Print what the others may lack, as far as their own entries show what they have.\n\nLong bundles come in"
        " numbered parts, each short enough for a chat message."
    ),
    example="hiddenagenda send friday.jsonl",
)
@click.argument("file", shell_complete=files)
@click.option("--all", "everything", is_flag=True, help="Send the whole game.")
@click.option("--since", metavar="ENTRY", help="Send what this entry does not rest on: its id, or the first digits.")
@click.option("--out", metavar="FILE", shell_complete=files, help="Write the lines into a new file instead.")
@click.option("--key", metavar="NAME|FILE", help="The key that plays; else the one whose seat was made here.")
def command(file: str, everything: bool, since: str | None, out: str | None, key: str | None) -> Exit:
    """Choose the lines and print or write them; nothing is signed."""
    if everything and since is not None:
        raise Usage("--all and --since exclude each other")
    home = data_directory()
    transcript = on_record(home, file)
    if everything:
        lines = transcript.write()
    elif since is not None:
        lines = later_than(transcript, since)
    else:
        own = [keystore().choose(key).public.hex] if key else seated_keys(home, transcript)
        lines = lacking_elsewhere(transcript, own[0] if len(own) == 1 else None)
    if out is not None:
        write_new_file(out, lines)
    else:
        print_bundle(lines)
    count = lines.count(b"\n")
    if count:
        voice.say(counted("{n} entry", "{n} entries", n=count))
    else:
        voice.say(sentence("nobody lacks anything, as far as their entries show; --all sends the whole game"))
    return Exit.KEPT
