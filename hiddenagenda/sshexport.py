"""A game as files that ``sha256sum`` and ``ssh-keygen`` check, for whoever trusts no code of ours.

SPEC "Export for ssh-keygen". Every entry becomes a file of exactly its bytes, with its id in the file's name, and a
signature in OpenSSH's armour where its author's is here. Names of files are made of hex digits of ours alone: nothing a
stranger wrote is among them. Nothing is written here.
"""

from dataclasses import dataclass
from typing import Final

from hiddenagenda.publickey import PublicKey
from hiddenagenda.sshsig import NAMESPACE, armour
from hiddenagenda.transcript import Transcript

CHECKSUMS: Final = "SHA256SUMS"
ALLOWED: Final = "allowed_signers"
SIGNED: Final = "SIGNED"

HASH_CHECK: Final = f"sha256sum --check --strict --quiet {CHECKSUMS}"
"""The shell line that checks, inside the directory, that every file has the id in its name as its hash."""
SIGNATURE_CHECK: Final = (
    f'while read -r entry key; do ssh-keygen -Y verify -n {NAMESPACE} -f {ALLOWED} -I "$key" -s "$entry.sig"'
    f' < "$entry" || exit 1; done < {SIGNED}'
)
"""The shell line that checks, inside the directory, every signature; it stops at the first that does not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """One file of an export."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A game as files, and what the reader should know of entries without a signature file."""

    files: tuple[ExportedFile, ...]
    entries: int
    covered: tuple[tuple[str, str], ...]
    """Ids of entries without a valid signature here, each with the id of the signed entry that covers it."""


def export(transcript: Transcript) -> Export:
    """Return the files of a game: its grounded entries and whatever else is validly signed, with what it rests on."""
    graph, valid = transcript.graph, transcript.signatures.valid
    files = []
    signed = []
    covered = []
    sums = []
    numbers = transcript.worth_writing()
    for number in numbers:
        line = graph.nodes[number]
        name = f"{number:04d}-{line.id}.json"
        files.append(ExportedFile(name=name, data=line.raw))
        sums.append(f"{line.id}  {name}\n")
        signature = valid(number)
        if signature is not None:
            public = PublicKey.from_hex(line.entry.author)
            text = armour(public, bytes.fromhex(signature))
            files.append(ExportedFile(name=name + ".sig", data=text.encode()))
            signed.append(f"{name} {line.entry.author}\n")
        else:
            later = (other for other in graph.chains[graph.seats[number]] if other > number)
            cover = [other for other in later if valid(other) is not None and graph.covers(other, number)]
            covered += [(line.id, graph.nodes[other].id) for other in cover[:1]]
    keys = [PublicKey.from_hex(key) for key in transcript.roster]
    allowed = [f'{public.hex} namespaces="{NAMESPACE}" {public.line}\n' for public in keys]
    for name, lines in ((CHECKSUMS, sums), (SIGNED, signed), (ALLOWED, allowed)):
        files.append(ExportedFile(name=name, data="".join(lines).encode()))
    return Export(files=tuple(files), entries=len(numbers), covered=tuple(covered))
