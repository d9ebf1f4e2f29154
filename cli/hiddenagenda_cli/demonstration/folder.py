"""The games and keys of the demo as files in a new directory."""

import errno
import os
from collections.abc import Mapping, Sequence

from hiddenagenda.edge.directories import private_directory
from hiddenagenda.edge.files import refusal, write_new_file, write_new_secret
from hiddenagenda.faults import sentence
from hiddenagenda.identity import Identity
from hiddenagenda.transcript import Transcript
from hiddenagenda_cli.output import voice

GUIDE = "README.txt"
_EXAMPLE = "swapped-slip"


def write(directory: str, games: Sequence[tuple[str, Transcript]], identities: Mapping[str, Identity]) -> None:
    """Write the games by name, the keys, and a page that says what they are, into the new ``directory``.

    Raises ``StoreError`` where it exists, or cannot be written.
    """
    if os.path.lexists(directory):
        raise refusal(OSError(errno.EEXIST, ""), directory)
    private_directory(directory)
    for name, identity in identities.items():
        write_new_secret(os.path.join(directory, f"{name}.key"), identity.to_openssh(None))
    for name, transcript in games:
        write_new_file(os.path.join(directory, f"{name}.jsonl"), _all_lines(transcript))
    write_new_file(os.path.join(directory, GUIDE), _guide(games).encode())


def _all_lines(transcript: Transcript) -> bytes:
    """Return a forged line, too, which a client would not pass on."""
    return transcript.write(range(len(transcript.graph.nodes)))


def _guide(games: Sequence[tuple[str, Transcript]]) -> str:
    game = next(name for name, _ in games if name.endswith(_EXAMPLE))
    lines = (
        sentence("Games that “hiddenagenda demo” has played, a file each, line by line as they were signed."),
        sentence("Ana.key, Ben.key and Cleo.key are the keys that signed them, made for nothing else."),
        sentence("All verdicts (some are “broken”, so the exit code is 3): hiddenagenda verify *.jsonl"),
        sentence("One of them, explained: hiddenagenda verify --explain {game}.jsonl", game=game),
        sentence("What was said in it: hiddenagenda inspect {game}.jsonl", game=game),
        sentence("The same without this program: hiddenagenda export-ssh {game}.jsonl {game}", game=game),
    )
    return "".join(f"{voice.tell(line)}\n" for line in lines)
