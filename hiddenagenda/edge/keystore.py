"""A player's own private keys, each an OpenSSH key file in one private directory.

SPEC "Files". Keys are made or taken in under a name of the player's choice, and are never overwritten, moved or
deleted here. A key file elsewhere, such as OpenSSH's own, can be used where it lies. Like ssh, this module uses no key
that other users of the system could have read. Passphrases come in as bytes; who asks for them is not known here.
"""

import os
import re
from typing import Final

from hiddenagenda.edge.directories import check_private_directory, private_directory
from hiddenagenda.edge.files import explained, read_secret, replace_file, write_new_secret
from hiddenagenda.faults import IllegalMove, Sentence, sentence
from hiddenagenda.identity import Identity
from hiddenagenda.openssh import LARGEST, KeyFile, read_key_file

FIRST_NAME: Final = "player"
"""What a key is called unless its owner says otherwise."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
_DEVICES: Final = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]", re.IGNORECASE)
"""What Windows takes for a device, whatever the directory."""
_DEFAULT: Final = ".default"
"""The file that names the key to use where none is named. No key's name has a dot."""


class Keystore:
    """The keys in ``directory``, a path; it need not exist before the first key does.

    Every method raises ``StoreError`` for a file or directory that cannot be used, and names the chmod command where
    others may use it.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory

    def names(self) -> tuple[str, ...]:
        """Return the names of all keys, sorted."""
        with explained(self._directory):
            if not os.path.lexists(self._directory):
                return ()
            check_private_directory(self._directory)
            return tuple(sorted(filter(_NAME.fullmatch, os.listdir(self._directory))))

    def create(self, name: str, passphrase: bytes | None) -> Identity:
        """Make a new key, store it encrypted (None: not encrypted) and return it.

        Raises ``IllegalMove`` for a name that cannot be one or is taken, or an unfit passphrase.
        """
        identity = Identity.generate()
        self._keep(name, identity.to_openssh(passphrase))
        return identity

    def take_in(self, name: str, path: str) -> KeyFile:
        """Copy the private key file at ``path``, byte for byte; it keeps its passphrase.

        Raises ``IllegalMove`` as ``create``, and what ``read_outside`` raises.
        """
        data = _outside(path)
        key_file = read_key_file(data)
        self._keep(name, data)
        return key_file

    def read(self, name: str) -> KeyFile:
        """Return the key called ``name``, still locked. Raises ``IllegalMove`` where there is none; ``Malformed``."""
        if name not in self.names():
            raise IllegalMove(
                sentence("there is no key called {name}", name=name), hint=self._what_there_is(), code="no-key"
            )
        return read_key_file(read_secret(self._path(name), LARGEST))

    def choose(self, choice: str | None) -> KeyFile:
        """Return what somebody means by ``choice``: a key's name here, else a path; None is the default key.

        Raises ``IllegalMove`` and ``Malformed``.
        """
        if choice is None:
            return self.read(self.default_name())
        return self.read(choice) if choice in self.names() else read_outside(choice)

    def default_name(self) -> str:
        """Return the name of the key that is used where none is named.

        Raises ``IllegalMove`` where there is no key, or none that is marked among several.
        """
        names = self.names()
        marked = self._marked()
        if marked in names:
            return marked
        if len(names) == 1:
            return names[0]
        said = sentence("it is not clear which key is meant") if names else sentence("there is no key yet")
        raise IllegalMove(said, hint=self._what_there_is(), code="several-keys" if names else "no-key")

    def set_default(self, name: str) -> None:
        """Use ``name`` from now on where no key is named. Raises ``IllegalMove`` where there is no such key."""
        self.read(name)
        replace_file(self._path(_DEFAULT), name.encode())

    def _keep(self, name: str, data: bytes) -> None:
        _check_name(name)
        private_directory(self._directory)
        before = self.names()
        # compared without case, since two such files are one on many a disk
        if taken := [one for one in before if one.lower() == name.lower()]:
            raise IllegalMove(
                sentence("there is a key called {name} already", name=taken[0]),
                hint=sentence("choose another name"),
                code="name-taken",
            )
        write_new_secret(self._path(name), data)
        if not before:
            self.set_default(name)

    def _marked(self) -> str:
        path = self._path(_DEFAULT)
        return read_secret(path, LARGEST).decode("ascii", "replace").strip() if os.path.lexists(path) else ""

    def _what_there_is(self) -> Sentence:
        if names := self.names():
            return sentence("name one of these: {names}", names=", ".join(names))
        return sentence("make one with: hiddenagenda key new")

    def _path(self, name: str) -> str:
        return os.path.join(self._directory, name)


def read_outside(path: str) -> KeyFile:
    """Return the key file at ``path``, still locked; symbolic links and a leading ``~`` are followed.

    Raises ``StoreError`` where it cannot be used, or belongs to or is open to others; ``TooLarge``; ``Malformed``.
    """
    return read_key_file(_outside(path))


def _outside(path: str) -> bytes:
    with explained(path):
        place = os.path.realpath(os.path.expanduser(path))
    return read_secret(place, LARGEST)


def _check_name(name: str) -> None:
    if _NAME.fullmatch(name) is None or _DEVICES.fullmatch(name) is not None:
        raise IllegalMove(
            sentence("a key cannot be called {name}", name=name),
            hint=sentence("use 1 to 32 of the letters A to Z, digits, - and _"),
            code="unfit-name",
        )
