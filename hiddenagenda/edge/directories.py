"""The directories a user's slips, seats and games lie in: private from the first moment.

SPEC "Files". An existing directory is never made private afterwards: what lay open has been read. This module refuses
it and says which command closes it.
"""

import errno
import os
import stat
import sys
from contextlib import suppress
from importlib import import_module
from typing import Final

from hiddenagenda.edge.files import StoreError, check_private, explained, refusal, sync_directory
from hiddenagenda.faults import sentence

HOME: Final = "HIDDENAGENDA_HOME"
"""The environment variable that names the data directory."""


def data_directory() -> str:
    """Return the absolute path of the directory for slips, seats and games; it need not exist.

    It is ``$HIDDENAGENDA_HOME``, else the platform's directory for a user's data. Raises ``StoreError`` where the
    user has no home.
    """
    own = os.environ.get(HOME, "")
    if own:
        return os.path.abspath(own)
    if sys.platform == "linux" and "ANDROID_ROOT" not in os.environ:
        # As platformdirs answers here; importing it would double the start-up time of a commit.
        data = os.environ.get("XDG_DATA_HOME", "")
        if not os.path.isabs(data):
            data = os.path.expanduser("~/.local/share")
        directory = os.path.join(data, "hiddenagenda")
    else:
        directory = str(import_module("platformdirs").user_data_dir("hiddenagenda", appauthor=False))
    if not os.path.isabs(directory):
        raise StoreError(
            sentence("there is no home directory to keep slips in"),
            hint=sentence("set {variable} to a directory of your own", variable=HOME),
            code="no-home",
        )
    return directory


def private_directory(path: str) -> str:
    """Make the directory ``path``, and its parents where they are missing, with mode 0700; return ``path``.

    Raises ``StoreError`` for one that exists and is a symbolic link, no directory, somebody else's, or open to others.
    """
    with explained(path):
        _make_directory(path)
        check_private_directory(path)
    return path


def check_private_directory(path: str) -> None:
    """Refuse an existing directory that is not its user's alone. Raises ``StoreError``, also where it is missing."""
    with explained(path):
        found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        raise refusal(OSError(errno.ELOOP, ""), path)
    if not stat.S_ISDIR(found.st_mode):
        raise refusal(OSError(errno.ENOTDIR, ""), path)
    check_private(found, path, wanted="700")


def _make_directory(path: str) -> None:
    parent = os.path.dirname(path)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        if parent in {"", path}:
            raise
        _make_directory(parent)
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)  # once: where a parent leads nowhere, it is missing however often it is made
    sync_directory(parent)
