"""Who signs: an Ed25519 key that does not show itself.

SPEC "Keys and signatures". An identity signs entries, derives further secrets, and gives its key up only into
an OpenSSH key file. It has no text form, and it signs nothing outside this protocol's namespace. Whether an
entry should be signed is not asked here.
"""

import secrets
from typing import Final, NoReturn, Self

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from nacl.signing import SigningKey

from hiddenagenda.ed25519 import KEY_SIZE
from hiddenagenda.openssh import KeyFile, write_key_file
from hiddenagenda.publickey import PublicKey
from hiddenagenda.sshsig import signed_blob


class Identity:
    """A private key, ready to sign; ``public`` is the half that others know.

    The public half always comes from the seed, never from outside: two of them with one seed would give it
    away.
    """

    __slots__ = ("_key", "_seed", "public")

    def __init__(self, seed: bytes) -> None:
        """Take 32 secret bytes. Raises ``ValueError`` for another number."""
        if len(seed) != KEY_SIZE:
            msg = "a seed is 32 bytes"
            raise ValueError(msg)
        self._seed = seed
        self._key = SigningKey(seed)
        self.public: Final = PublicKey(raw=bytes(self._key.verify_key))

    @classmethod
    def generate(cls) -> Self:
        """Draw a new key from the operating system's generator."""
        return cls(secrets.token_bytes(KEY_SIZE))

    @classmethod
    def unlock(cls, key_file: KeyFile, passphrase: bytes | None = None) -> Self:
        """Return the identity inside ``key_file``. Raises what ``KeyFile.unlock`` raises."""
        return cls(key_file.unlock(passphrase))

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes that ``sshsig.verifies`` takes for ``message``: always the same ones."""
        return self._key.sign(signed_blob(message)).signature

    def derive(self, info: bytes, length: int = 32) -> bytes:
        """Return ``length`` secret bytes, other ones for each ``info``: HKDF-SHA256, RFC 5869."""
        return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(self._seed)

    def to_openssh(self, passphrase: bytes | None) -> bytes:
        """Return an OpenSSH private key file; None leaves it unencrypted. Raises ``IllegalMove``."""
        return write_key_file(self._seed, passphrase)

    def __repr__(self) -> str:
        return "<Identity>"

    def __reduce__(self) -> NoReturn:
        msg = "an identity is not pickled"
        raise TypeError(msg)
