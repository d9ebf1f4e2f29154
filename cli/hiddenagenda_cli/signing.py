"""What the commands that sign have in common: which key, its passphrase, and what is printed for the others."""

import os
from collections.abc import Callable
from typing import Any

import click

from hiddenagenda import bundle
from hiddenagenda.edge.client import Client, Said, only_game, read_games, seated_keys
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.keystore import FIRST_NAME, Keystore
from hiddenagenda.edge.tables import Torn
from hiddenagenda.entry import Body
from hiddenagenda.faults import Malformed, counted, sentence
from hiddenagenda.identity import Identity
from hiddenagenda.line import Line
from hiddenagenda.openssh import KeyFile, passphrase_from_text
from hiddenagenda.publickey import PublicKey
from hiddenagenda_cli.ask import ask, confirm
from hiddenagenda_cli.frame import DESCRIPTOR
from hiddenagenda_cli.output import Exit, voice

_LONGEST_PASSPHRASE = 4096
_MANY_PARTS = 20
"""Parts of a bundle over which a file is easier to send."""


def key_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say with which key to sign: ``key`` and ``passphrase_fd``."""
    function = click.option(
        "--passphrase-fd",
        type=DESCRIPTOR,
        metavar="N",
        help="Read the key's passphrase from this file descriptor.",
    )(function)
    return click.option("--key", metavar="NAME|FILE", help="The key to sign with; else the default one.")(function)


def public_key(key: str | None) -> PublicKey:
    """Return the public half of the key that ``--key`` names, or of the default one; no passphrase is needed.

    Where there is no key yet and somebody can be asked, one is made.
    """
    store = keystore()
    if key is None and not store.names() and confirm(sentence("There is no key yet. Make one?")):
        make_key(store, FIRST_NAME, passphrase_fd=None, is_open=False)
    return store.choose(key).public


def make_key(store: Keystore, name: str, *, passphrase_fd: int | None, is_open: bool) -> PublicKey:
    """Make a key in ``store`` and return its public half; ``is_open`` leaves it without a passphrase."""
    if is_open:
        passphrase = None
    elif passphrase_fd is not None:
        passphrase = read_passphrase(passphrase_fd)
    else:
        question = sentence("A passphrase for the new key (to have none: hiddenagenda key new --no-passphrase)")
        passphrase = passphrase_from_text(ask(question, option="--no-passphrase", hidden=True))
        if passphrase_from_text(ask(sentence("Again"), option="--no-passphrase", hidden=True)) != passphrase:
            raise Malformed(sentence("the two passphrases differ: no key was made"), code="passphrases-differ")
    public = store.create(name, passphrase).public
    voice.say(sentence("made the key “{name}”: {fingerprint}", name=name, fingerprint=public.fingerprint))
    return public


def keystore() -> Keystore:
    """Return the keys of this user."""
    return Keystore(os.path.join(data_directory(), "keys"))


def unlock(key_file: KeyFile, passphrase_fd: int | None) -> Identity:
    """Return the identity in a key file; its passphrase comes from a descriptor, or is asked for."""
    if not key_file.encrypted:
        return Identity.unlock(key_file)
    if passphrase_fd is not None:
        return Identity.unlock(key_file, read_passphrase(passphrase_fd))
    typed = ask(sentence("Passphrase"), option="--passphrase-fd", hidden=True)
    return Identity.unlock(key_file, passphrase_from_text(typed))


def read_passphrase(descriptor: int) -> bytes:
    """Return the first line that a file descriptor gives. Raises ``Malformed`` where it cannot be read."""
    try:
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            line = stream.readline(_LONGEST_PASSPHRASE)
    except OSError as error:
        raise Malformed(
            sentence("file descriptor {number} cannot be read: {why}", number=descriptor, why=error.strerror or "?"),
            hint=sentence("as in: hiddenagenda … --passphrase-fd 3 3< FILE"),
            code="passphrase-fd",
        ) from None
    return passphrase_from_text(line.rstrip(b"\r\n").decode("utf-8", "surrogateescape"))


def identity(key: str | None, passphrase_fd: int | None) -> Identity:
    """Return the identity that ``--key`` names, or the default one, unlocked."""
    return unlock(keystore().choose(key), passphrase_fd)


def client(path: str, key: str | None, passphrase_fd: int | None) -> Client:
    """Return the player's client at the table in the file ``path``."""
    return Client(data_directory(), path, unlock(key_at(path, key), passphrase_fd))


def key_at(path: str, key: str | None) -> KeyFile:
    """Return the key that plays at the table in the file ``path``: the one that ``--key`` names, else the default one.

    Where there are several and one of them alone took a seat at this table from here, it is that one.
    """
    store = keystore()
    names = store.names()
    if key is None and len(names) > 1:
        seated = seated_keys(data_directory(), only_game(read_games([path]), path=path))
        playing = [one for one in map(store.read, names) if one.public.hex in seated]
        if len(playing) == 1:
            return playing[0]
    return store.choose(key)


def say(seated: Client, body: Body) -> Exit:
    """Say something at a table and print what the others may lack."""
    told(seated.say(body))
    send(seated)
    return Exit.KEPT


def told(said: Said) -> None:
    """Mention what had to be moved out of the way of a new line."""
    tell_torn(said.torn)


def tell_torn(torn: Torn | None) -> None:
    """Mention the beginning of a line that a crash left at the end of a file, and where it is now."""
    if torn:
        voice.warn(
            sentence(
                "{size} bytes at the end of the file were no whole line (a crash?); they were moved to {place}",
                size=torn.size,
                place=torn.place,
            )
        )


def send(seated: Client) -> None:
    """Print the bundle that the others may lack."""
    print_bundle(seated.lacking_elsewhere())


def send_again(seated: Client, line: Line) -> None:
    """Print the bundle that the others may lack, and in any case ``line``, which was signed before."""
    lines = seated.lacking_elsewhere()
    again = line.data + b"\n"
    print_bundle(lines if again in lines else lines + again)


def print_bundle(lines: bytes) -> None:
    """Print lines as tokens, one a line of output; as JSON, one object."""
    tokens = bundle.pack(lines) if lines else []
    if voice.as_json:
        voice.json({"tokens": tokens, "entries": lines.count(b"\n")})
        return
    for token in tokens:
        voice.result(token)
    if len(tokens) > 1:
        voice.say(
            counted(
                "{n} part: send all of them, in any order", "{n} parts: send all of them, in any order", n=len(tokens)
            )
        )
    if len(tokens) > _MANY_PARTS:
        voice.say(
            sentence(
                "that is much for a chat; to send it as a file: hiddenagenda send FILE --out NEW, which the others take"
                " in with: hiddenagenda receive FILE NEW"
            )
        )
