"""OpenSSH's private key files: what they say in the clear, and the seed inside.

SPEC "Keys and signatures"; OpenSSH, PROTOCOL.key. The clear part is read first, and refused for what it asks:
another type of key, several keys, an old cipher, or so many rounds that guessing along would stall us. Only
then does the library decrypt. Other formats (PEM, PKCS#8) are refused by name. Nothing here touches a
file.
"""

import unicodedata
from typing import Final, NoReturn

from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_ssh_private_key,
)

from hiddenagenda.faults import HiddenAgendaError, IllegalMove, Malformed, TooLarge, sentence
from hiddenagenda.publickey import PublicKey, read_public_blob
from hiddenagenda.sshwire import Unpacking, read_armour, write_armour

LARGEST: Final = 16_384
"""Bytes of a private key file at the most."""
MOST_ROUNDS: Final = 1_024
"""Rounds of bcrypt at the most: some ten seconds. ``ssh-keygen`` asks for 16 to 24 unless told otherwise."""
LONGEST_PASSPHRASE: Final = 1_023
"""Bytes; ``ssh-keygen`` reads no more."""

_LABEL: Final = "OPENSSH PRIVATE KEY"
_MAGIC: Final = b"openssh-key-v1\0"
_TAG_SIZES: Final = {b"none": 0, b"aes256-ctr": 0, b"aes256-cbc": 0, b"aes256-gcm@openssh.com": 16}
"""The ciphers taken, and how many bytes of check each leaves behind its text."""
_LONGEST_SALT: Final = 64


class WrongPassphrase(HiddenAgendaError):
    """The passphrase does not open the key; a damaged file looks the same."""


class KeyFile:
    """A private key file, still locked: ``public`` and ``encrypted`` are what it says in the clear.

    Its text forms say only that it is one, and it is not pickled: unencrypted, it is the key itself.
    """

    __slots__ = ("_blob", "encrypted", "public")

    def __init__(self, *, blob: bytes, public: PublicKey, encrypted: bool) -> None:
        self._blob = blob
        self.public: Final = public
        self.encrypted: Final = encrypted

    def unlock(self, passphrase: bytes | None) -> bytes:
        """Return the secret seed, 32 bytes. A passphrase that is not needed is not looked at.

        Raises ``IllegalMove`` where one is needed and there is none, ``WrongPassphrase``, and ``Malformed``
        for a damaged key or one whose public half belongs to another.
        """
        if not self.encrypted:
            passphrase = None
        elif passphrase is None:
            raise IllegalMove(
                sentence("the key {fingerprint} needs its passphrase", fingerprint=self.public.fingerprint),
                code="passphrase-needed",
            )
        key = self._load(passphrase)
        if not isinstance(key, Ed25519PrivateKey) or key.public_key().public_bytes_raw() != self.public.raw:
            raise Malformed(
                sentence("the private half of this key does not belong to its public half"),
                code="halves-differ",
            )
        return key.private_bytes_raw()

    def _load(self, passphrase: bytes | None) -> object:
        try:
            # armoured anew: the library then reads the very bytes whose clear part was checked
            return load_ssh_private_key(write_armour(_LABEL, self._blob).encode(), passphrase)
        except (ValueError, TypeError, InvalidTag, UnsupportedAlgorithm):
            # which of them comes depends on what the wrong key decrypts to
            pass
        if self.encrypted:
            raise WrongPassphrase(
                sentence("the passphrase is wrong, or the key file is damaged"), code="wrong-passphrase"
            )
        raise Malformed(sentence("the key file is damaged"))

    def __repr__(self) -> str:
        return "<KeyFile: locked>"

    def __reduce__(self) -> NoReturn:
        msg = "a key file is not pickled"
        raise TypeError(msg)


def read_key_file(data: bytes) -> KeyFile:
    """Read the clear part of an OpenSSH private key file; line ends may be CR LF.

    Raises ``UnusableKey`` for another type of key, ``TooLarge`` over the caps, ``Malformed`` else.
    """
    if len(data) > LARGEST:
        raise TooLarge(
            sentence("a private key file has at most {limit} bytes, this one {have}", limit=LARGEST, have=len(data)),
            code="too-large",
        )
    if data.startswith((b"ssh-", b"ecdsa-", b"sk-")):
        raise Malformed(
            sentence("it holds the public half of a key"),
            hint=sentence("the private half is in the file of the same name without .pub"),
            code="wrong-format",
        )
    make_one = sentence("only OpenSSH's own format is read; make a key with: ssh-keygen -t ed25519")
    blob = read_armour(_LABEL, data, hint=make_one)
    fields = Unpacking(blob)
    if fields.take(len(_MAGIC)) != _MAGIC:
        raise Malformed(sentence("it is not an OpenSSH private key"), hint=make_one, code="wrong-format")
    cipher, derivation, options = fields.string(), fields.string(), fields.string()
    if (count := fields.number()) != 1:
        raise Malformed(sentence("it holds {count} keys where one was expected", count=count), code="several")
    public = read_public_blob(fields.string())
    _check_cipher(cipher)
    _check_derivation(cipher, derivation, options)
    fields.string()
    fields.take(_TAG_SIZES[cipher])
    fields.finish()
    return KeyFile(blob=blob, public=public, encrypted=cipher != b"none")


def _check_cipher(cipher: bytes) -> None:
    if cipher not in _TAG_SIZES:
        raise Malformed(
            sentence("the key is encrypted with {cipher}, which is not read", cipher=_name(cipher)),
            hint=sentence("save it anew: ssh-keygen -p -Z aes256-ctr -f FILE"),
            code="unread-cipher",
        )


def _check_derivation(cipher: bytes, derivation: bytes, options: bytes) -> None:
    """Refuse too much work before any is done."""
    want = b"none" if cipher == b"none" else b"bcrypt"
    if derivation != want:
        raise Malformed(
            sentence(
                "the key's cipher {cipher} does not go with its key derivation {derivation}",
                cipher=_name(cipher),
                derivation=_name(derivation),
            )
        )
    fields = Unpacking(options)
    if derivation == b"bcrypt":
        salt, rounds = fields.string(), fields.number()
        if rounds > MOST_ROUNDS:
            raise TooLarge(
                sentence("the key asks for {have} rounds of bcrypt, over {limit}", have=rounds, limit=MOST_ROUNDS),
                hint=sentence("save it anew with fewer: ssh-keygen -p -a 100 -f FILE"),
                code="too-many-rounds",
            )
        if rounds == 0 or not 0 < len(salt) <= _LONGEST_SALT:
            raise Malformed(sentence("the key file is damaged"))
    fields.finish()


def _name(word: bytes) -> str:
    return word.decode("utf-8", "replace")[:64]


def write_key_file(seed: bytes, passphrase: bytes | None) -> bytes:
    """Return an OpenSSH private key file for ``seed``, of 32 bytes; None leaves it unencrypted.

    Its comment is empty: the ``.pub`` line is the place for one. Raises ``IllegalMove`` for a passphrase that
    ``ssh-keygen`` could not be given.
    """
    encryption: KeySerializationEncryption = NoEncryption()
    if passphrase is not None:
        if not 0 < len(passphrase) <= LONGEST_PASSPHRASE or set(passphrase) & set(b"\0\n\r"):
            raise IllegalMove(
                sentence("a passphrase is one line of 1 to {limit} bytes", limit=LONGEST_PASSPHRASE),
                code="unfit-passphrase",
            )
        encryption = BestAvailableEncryption(passphrase)
    key = Ed25519PrivateKey.from_private_bytes(seed)
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, encryption)


def passphrase_from_text(text: str) -> bytes:
    """Return the bytes of a passphrase that somebody typed: UTF-8 in NFC, whatever the keyboard composed."""
    return unicodedata.normalize("NFC", text).encode("utf-8", "surrogateescape")
