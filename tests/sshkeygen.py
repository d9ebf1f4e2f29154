"""The real ``ssh-keygen``, for tests that compare with it; a test that needs it is skipped where it is absent."""

import shutil
import subprocess
from pathlib import Path

import pytest


def ssh_keygen(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run it; the caller looks at the return code."""
    program = shutil.which("ssh-keygen")
    if program is None:
        pytest.skip("ssh-keygen is not installed")
    return subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True, timeout=60, check=False)


def make_key(path: Path, *options: str, passphrase: str = "", comment: str = "") -> bytes:
    """Make an Ed25519 key at ``path`` with few rounds and return the private file's bytes."""
    done = ssh_keygen("-q", "-t", "ed25519", "-N", passphrase, "-C", comment, "-f", path, *(options or ("-a", "2")))
    assert done.returncode == 0, done.stderr
    return path.read_bytes()
