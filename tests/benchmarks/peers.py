"""What audit.py compares with: the same entries as DSSE envelopes (securesystemslib) and as TUF metadata (python-tuf).

Runs in an environment of its own, which audit.py makes and throws away: ``python peers.py LINES``, where LINES holds an
entry on each line. It prints "ready", and then for each word read from standard input how many seconds one round took.
What these do for an entry: parse JSON, check one Ed25519 signature over its bytes. What they do not do: look at what
entries say, in which order, by which right, or at two that contradict each other.
"""

import base64
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path


def dsse(entries: list[bytes]) -> Callable[[], None]:
    from securesystemslib.dsse import Envelope  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    from securesystemslib.signer import CryptoSigner  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    signers = [CryptoSigner.generate_ed25519() for _ in range(3)]
    lines = []
    for number, entry in enumerate(entries):
        envelope = Envelope(entry, "application/vnd.hiddenagenda+json", {})
        envelope.sign(signers[number % 3])
        lines.append(json.dumps(envelope.to_dict()).encode())

    def verify() -> None:
        for number, line in enumerate(lines):
            Envelope.from_dict(json.loads(line)).verify([signers[number % 3].public_key], 1)

    return verify


def tuf(entries: list[bytes]) -> Callable[[], None]:
    from securesystemslib.signer import CryptoSigner  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    from tuf.api.metadata import Metadata, Root, Targets  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    signers = [CryptoSigner.generate_ed25519() for _ in range(3)]
    roots = []
    for signer in signers:
        root = Root()
        root.add_key(signer.public_key, "targets")
        roots.append(root)
    files = []
    for number, entry in enumerate(entries):
        targets = Targets(unrecognized_fields={"entry": base64.b64encode(entry).decode()})
        metadata = Metadata(targets)
        metadata.sign(signers[number % 3])
        files.append(metadata.to_bytes())

    def verify() -> None:
        for number, file in enumerate(files):
            metadata = Metadata[Targets].from_bytes(file)
            roots[number % 3].verify_delegate("targets", metadata.signed_bytes, metadata.signatures)

    return verify


def main() -> None:
    entries = Path(sys.argv[1]).read_bytes().splitlines()
    kinds = {"dsse": dsse(entries), "tuf": tuf(entries)}
    for verify in kinds.values():
        verify()
    print("ready", flush=True)
    for word in sys.stdin:
        start = time.process_time()
        kinds[word.strip()]()
        print(time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()
