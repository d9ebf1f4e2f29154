"""``key``: one's own keys, and the keys that others are known by."""

import os
from contextlib import suppress

import click

from hiddenagenda.edge.client import only_game, read_games
from hiddenagenda.edge.files import read_bounded
from hiddenagenda.edge.keystore import FIRST_NAME
from hiddenagenda.edge.known_players import by_fingerprint
from hiddenagenda.faults import IllegalMove, sentence
from hiddenagenda.publickey import LARGEST, PublicKey, read_public_line
from hiddenagenda.seat import read_seat
from hiddenagenda.token import Kind, decode
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.people import known_players
from hiddenagenda_cli.signing import keystore, make_key
from hiddenagenda_cli.usage import Usage

_FINGERPRINT = "SHA256:"


@frame.family("key", help="Make, show or import your key, and trust others'.")
def command() -> None:
    """Hold the commands about keys."""


@frame.subcommand(
    command,
    "new",
    short_help="make a key",
    help="Make a key to sign with: an Ed25519 key in OpenSSH's format, protected by a passphrase.",
    example="hiddenagenda key new --no-passphrase",
)
@click.option("--name", default=FIRST_NAME, show_default=True, help="What you call it; others never see that.")
@click.option("--no-passphrase", is_flag=True, help="Leave it without a passphrase: whoever gets the file can sign.")
@click.option("--passphrase-fd", type=frame.DESCRIPTOR, metavar="N", help="Read the passphrase from there.")
def new(name: str, no_passphrase: bool, passphrase_fd: int | None) -> Exit:
    """Make it, then show its public half."""
    if no_passphrase and passphrase_fd is not None:
        raise Usage("--no-passphrase and --passphrase-fd exclude each other")
    _show(name, make_key(keystore(), name, passphrase_fd=passphrase_fd, is_open=no_passphrase))
    return Exit.KEPT


@frame.subcommand(
    command,
    "show",
    short_help="show the public half of a key",
    help="Show the public half of a key, and the fingerprint that others compare.",
    example="hiddenagenda key show",
)
@click.argument("name", required=False)
def show(name: str | None) -> Exit:
    """Show it; no passphrase is needed."""
    store = keystore()
    _show(name or store.default_name(), store.choose(name).public)
    return Exit.KEPT


@frame.subcommand(
    command,
    "import",
    short_help="take in a key that you have",
    help="Copy an OpenSSH key that you have, such as ~/.ssh/id_ed25519. To use it where it lies, say --key FILE.",
    example="hiddenagenda key import ~/.ssh/id_ed25519 --name ssh",
)
@click.argument("file", shell_complete=files)
@click.option("--name", default=FIRST_NAME, show_default=True, help="What you call it; others never see that.")
def take_in(file: str, name: str) -> Exit:
    """Copy it; it keeps its passphrase."""
    _show(name, keystore().take_in(name, file).public)
    return Exit.KEPT


@frame.subcommand(
    command,
    "use",
    short_help="make a key the default one",
    help="Sign with this key from now on where no other is named.",
    example="hiddenagenda key use ssh",
)
@click.argument("name")
def use(name: str) -> Exit:
    """Mark it."""
    keystore().set_default(name)
    voice.say(sentence("“{name}” is the default key now", name=name))
    return Exit.KEPT


@frame.subcommand(
    command,
    "list",
    short_help="list my keys and the players I know",
    help="List your keys, then the players you have met and their keys' fingerprints.",
    example="hiddenagenda key list",
)
def list_all() -> Exit:
    """Print a line for each."""
    store = keystore()
    default = ""
    with suppress(IllegalMove):  # no key yet, or none of several is marked
        default = store.default_name()
    for name in store.names():
        key = store.read(name)
        row = {"name": name, "mine": True, "default": name == default, "encrypted": key.encrypted}
        _print_row(row, key.public)
    for met in known_players().everybody():
        _print_row({"name": met.name, "mine": False}, met.public)
    return Exit.KEPT


@frame.subcommand(
    command,
    "trust",
    short_help="say that a key is somebody's",
    help=(
        "Say that a key is somebody's, after you have compared the fingerprint by another way than the chat.\n\nThe key"
        " is a fingerprint (SHA256:…), a public line (ssh-ed25519 …), a seat (has1…) or a file with such a line."
    ),
    example="hiddenagenda key trust Ben SHA256:2Kwuq… --table friday.jsonl",
)
@click.argument("name", type=frame.TEXT)
@click.argument("public", nargs=-1, required=True, metavar="KEY")
@click.option("--table", metavar="FILE", shell_complete=files, help="The game in which the fingerprint was shown.")
def trust(name: str, public: tuple[str, ...], table: str | None) -> Exit:
    """Remember it under this name."""
    key = _meant(" ".join(public), table)
    known_players().trust(name, key)
    voice.say(sentence("{fingerprint} is remembered as {name}", fingerprint=key.fingerprint, name=name))
    return Exit.KEPT


@frame.subcommand(
    command,
    "forget",
    short_help="say that a key is somebody's no longer",
    help="Say that a key is somebody's no longer, such as that of a lost device. The key is given as for “trust”.",
    example="hiddenagenda key forget Ben SHA256:2Kwuq…",
)
@click.argument("name", type=frame.TEXT)
@click.argument("public", nargs=-1, required=True, metavar="KEY")
def forget(name: str, public: tuple[str, ...]) -> Exit:
    """Forget it under this name."""
    key = _meant(" ".join(public), None)
    known_players().forget(name, key)
    voice.say(sentence("{fingerprint} is not remembered as {name} any more", fingerprint=key.fingerprint, name=name))
    return Exit.KEPT


def _meant(text: str, table: str | None) -> PublicKey:
    """Return the key that ``text`` is, or is the fingerprint of."""
    if text.startswith(_FINGERPRINT):
        keys = [met.public for met in known_players().everybody()]
        if table is not None:
            keys += map(PublicKey.from_hex, only_game(read_games([table]), path=table).roster)
        return by_fingerprint(text, keys)
    if text.lower().startswith(Kind.SEAT.prefix):
        return PublicKey.from_hex(read_seat(decode(text).payload).key)
    if os.path.lexists(text):
        return read_public_line(read_bounded(text, LARGEST)).key
    return read_public_line(text.encode("utf-8", "surrogateescape")).key


def _show(name: str, public: PublicKey) -> None:
    if voice.as_json:
        voice.json({"name": name, "key": public.hex, "public": public.line, "fingerprint": public.fingerprint})
        return
    voice.result(public.line)
    voice.result(public.fingerprint)


def _print_row(row: dict[str, object], public: PublicKey) -> None:
    if voice.as_json:
        voice.json(row | {"key": public.hex, "fingerprint": public.fingerprint})
    elif row["mine"]:
        what = sentence("mine, default") if row["default"] else sentence("mine")
        voice.told(
            sentence("{fingerprint}  {name}  ({what})", fingerprint=public.fingerprint, name=row["name"], what=what)
        )
    else:
        voice.told(sentence("{fingerprint}  {name}", fingerprint=public.fingerprint, name=row["name"]))
