"""What is signed, and the one function that says whether a signature holds.

SPEC "Signing"; OpenSSH, PROTOCOL.sshsig. A signature is 64 bytes over OpenSSH's blob for this namespace,
which holds the SHA-256 of the message: a key that signs here signs nothing else by it, and ``ssh-keygen -Y
verify`` can check it. There are no other namespaces, hashes or key types. Nothing here signs.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from hiddenagenda.ed25519 import SIGNATURE_SIZE, Flaw, flaw_of, holds
from hiddenagenda.faults import Malformed, TooLarge, sentence
from hiddenagenda.publickey import KEY_TYPE, PublicKey, read_public_blob, refuse_other_types
from hiddenagenda.sshwire import Unpacking, pack, read_armour, write_armour

NAMESPACE: Final = "hiddenagenda-v1"
HASH: Final = "sha256"
LARGEST: Final = 4_096
"""Bytes of an armoured signature at the most."""

_MAGIC: Final = b"SSHSIG"
_VERSION: Final = 1
_LABEL: Final = "SSH SIGNATURE"
_HEAD: Final = _MAGIC + pack(NAMESPACE.encode(), b"", HASH.encode()) + (32).to_bytes(4, "big")


class BadSignature(Malformed):
    """A signature that does not hold. It accuses nobody: anybody can damage one."""


def signed_blob(message: bytes) -> bytes:
    """Return the bytes that Ed25519 signs for ``message`` (PROTOCOL.sshsig, "Signed Data")."""
    return _HEAD + sha256(message).digest()


def verifies(public: PublicKey, message: bytes, signature: bytes) -> bool:
    """Tell whether ``signature`` (64 bytes) is one by ``public`` over ``message``; any other bytes are not.

    Raises ``UnfitLibrary`` where the installed libsodium cannot be trusted with the question.
    """
    return holds(public.raw, signed_blob(message), signature)


def check_signature(public: PublicKey, message: bytes, signature: bytes) -> None:
    """Raise ``BadSignature``, which says why, unless ``verifies``."""
    match flaw_of(signature):
        case Flaw.LENGTH:
            raise BadSignature(
                sentence("a signature has {want} bytes, this one {have}", want=SIGNATURE_SIZE, have=len(signature)),
                code="signature-length",
            )
        case Flaw.R_NOT_CANONICAL:
            raise BadSignature(
                sentence("the first half of the signature is no point that a signer makes"),
                code="signature-form",
            )
        case Flaw.S_NOT_CANONICAL:
            raise BadSignature(
                sentence("the second half of the signature is not below the order of the group"),
                hint=sentence("somebody has altered it; ssh-keygen alone does not notice"),
                code="signature-form",
            )
    if not verifies(public, message, signature):
        raise BadSignature(
            sentence("the signature is not one by {key} over these bytes", key=public.hex), code="bad-signature"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Armoured:
    """What an armoured signature holds: whose it says it is, and the 64 bytes; nothing is verified yet."""

    public: PublicKey
    signature: bytes


def armour(public: PublicKey, signature: bytes) -> str:
    """Return the text that ``ssh-keygen -Y verify -n hiddenagenda-v1`` takes for these 64 bytes."""
    packed = pack(public.blob, NAMESPACE.encode(), b"", HASH.encode(), pack(KEY_TYPE.encode(), signature))
    return write_armour(_LABEL, _MAGIC + _VERSION.to_bytes(4, "big") + packed)


def read_armoured(data: bytes) -> Armoured:
    """Read what ``armour`` or ``ssh-keygen -Y sign -n hiddenagenda-v1 -O hashalg=sha256`` wrote.

    Raises ``Malformed``, ``UnusableKey`` for another type of key, ``TooLarge`` over ``LARGEST`` bytes.
    """
    if len(data) > LARGEST:
        raise TooLarge(
            sentence("a signature file has at most {limit} bytes, this one {have}", limit=LARGEST, have=len(data)),
            code="too-large",
        )
    fields = Unpacking(read_armour(_LABEL, data))
    if fields.take(len(_MAGIC)) != _MAGIC or fields.number() != _VERSION:
        raise Malformed(sentence("it is not an OpenSSH signature of version {version}", version=_VERSION))
    public = read_public_blob(fields.string())
    _expect("namespace", NAMESPACE, fields.string())
    _expect("reserved", "", fields.string())
    _expect("hash", HASH, fields.string())
    inner = Unpacking(fields.string())
    fields.finish()
    refuse_other_types(inner.string().decode("utf-8", "replace")[:64])
    signature = inner.string()
    inner.finish()
    if flaw_of(signature) is Flaw.LENGTH:
        raise Malformed(
            sentence("a signature has {want} bytes, this one {have}", want=SIGNATURE_SIZE, have=len(signature)),
            code="signature-length",
        )
    return Armoured(public=public, signature=signature)


def _expect(field: str, want: str, have: bytes) -> None:
    if have != want.encode():
        raise Malformed(
            sentence(
                "the signature's {field} is '{have}', not '{want}'",
                field=field,
                have=have.decode("utf-8", "replace")[:64],
                want=want,
            ),
            hint=sentence("sign with: ssh-keygen -Y sign -n hiddenagenda-v1 -O hashalg=sha256"),
            code="wrong-format",
        )
