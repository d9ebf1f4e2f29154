"""Makes ``signature.json``, from fixed seeds.

Signatures are made with the library's keys where an honest program would make them, else by hand. Both operations give
what ``ssh-keygen`` would: the key and the 64 bytes.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256, sha512

from nacl.bindings import crypto_core_ed25519_add, crypto_scalarmult_ed25519_base_noclamp
from vectors import Document, Test, accepted, document, refused

from hiddenagenda.identity import Identity
from hiddenagenda.sshsig import armour, signed_blob
from hiddenagenda.sshwire import pack, read_armour, write_armour

ORDER = 2**252 + 27742317777372353535851937790883648493
FIELD = 2**255 - 19
NEUTRAL = (1).to_bytes(32, "little")
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
LABEL = "SSH SIGNATURE"
ANA = Identity(sha256(b"hiddenagenda test vectors: Ana").digest())
BEN = Identity(sha256(b"hiddenagenda test vectors: Ben").digest())
MESSAGE = '{"text":"Muzzio’s turn","type":"note"}'
SIGNATURE = ANA.sign(MESSAGE.encode())


def _bytes(number: int) -> bytes:
    return number.to_bytes(32, "little")


def _by_hand(private: int, key: bytes, commitment: bytes, nonce: int) -> bytes:
    """Sign with a key and an R that no honest program would use."""
    challenge = int.from_bytes(sha512(commitment + key + signed_blob(MESSAGE.encode())).digest(), "little")
    return commitment + _bytes((nonce + challenge * private) % ORDER)


def _signatures() -> Sequence[Test]:
    private, nonce = 0x1234567, 0x89ABCDE
    key = crypto_scalarmult_ed25519_base_noclamp(_bytes(private))
    mixed_key = crypto_core_ed25519_add(key, ORDER_8)
    point = crypto_scalarmult_ed25519_base_noclamp(_bytes(nonce))
    mixed_point = crypto_core_ed25519_add(point, ORDER_8)
    s_half = int.from_bytes(SIGNATURE[32:], "little")
    ana, blob = ANA.public.raw, signed_blob(MESSAGE.encode())

    def vector(
        name: str, comment: str, expect: str, *, key: bytes = ana, message: str = MESSAGE, signature: bytes = SIGNATURE
    ) -> Test:
        layer, _, code = expect.partition(":")
        given = {"key_hex": key.hex(), "text": message, "signature_hex": signature.hex()}
        if expect == "accept":
            return accepted(f"signature-{name}", comment, "signature.check", given, {})
        return refused(f"signature-{name}", comment, "signature.check", given, layer, code)

    return [
        vector("plain", "a signature as every program makes it", "accept"),
        vector("empty", "nothing is signed", "accept", message="", signature=ANA.sign(b"")),
        vector("by-hand", "another nonce than RFC 8032's is the signer's own affair", "accept",
               key=key, signature=_by_hand(private, key, point, nonce)),
        vector("other-message", "one character differs", "sshsig:bad-signature", message=MESSAGE + " "),
        vector("other-key", "somebody else's key", "sshsig:bad-signature", key=BEN.public.raw),
        vector("no-sshsig", "Ed25519 over the message itself, not over OpenSSH's blob", "sshsig:bad-signature",
               signature=ANA._key.sign(MESSAGE.encode()).signature),
        vector("other-namespace", "signed for the namespace 'file'", "sshsig:bad-signature",
               signature=ANA._key.sign(blob.replace(b"\x0fhiddenagenda-v1", b"\4file")).signature),
        vector("short", "the last byte is missing", "sshsig:signature-length", signature=SIGNATURE[:-1]),
        vector("long", "a byte too many", "sshsig:signature-length", signature=SIGNATURE + b"\0"),
        vector("s-plus-l", "L is added to S; ssh-keygen takes it", "sshsig:signature-form",
               signature=SIGNATURE[:32] + _bytes(s_half + ORDER)),
        vector("r-neutral", "R is the neutral point, and the equation holds", "sshsig:signature-form",
               key=key, signature=_by_hand(private, key, NEUTRAL, 0)),
        vector("r-not-reduced", "R's y is not below 2^255 - 19", "sshsig:signature-form",
               signature=_bytes(FIELD + 3) + SIGNATURE[32:]),
        vector("r-mixed-order", "R has a part of order 8: it holds only when multiplied by the cofactor",
               "sshsig:bad-signature", key=key, signature=_by_hand(private, key, mixed_point, nonce)),
        vector("key-mixed-order", "the key has a part of order 8", "publickey:unsafe-key",
               key=mixed_key, signature=_by_hand(private, mixed_key, point, nonce)),
        vector("key-small-order", "anybody can sign for it", "publickey:unsafe-key", key=ORDER_8,
               signature=NEUTRAL + bytes(32)),
        vector("key-neutral", "anybody can sign for it", "publickey:unsafe-key", key=NEUTRAL,
               signature=NEUTRAL + bytes(32)),
        vector("key-not-reduced", "y is not below 2^255 - 19", "publickey:unsafe-key", key=_bytes(FIELD + 3)),
        vector("key-off-curve", "no point has this y", "publickey:unsafe-key", key=_bytes(2)),
    ]  # fmt: skip


def _armours() -> Sequence[Test]:
    good = armour(ANA.public, SIGNATURE)
    packed = read_armour(LABEL, good.encode())
    gives = {"key_hex": ANA.public.hex, "signature_hex": SIGNATURE.hex()}

    def vector(name: str, comment: str, text: str, layer: str, code: str) -> Test:
        return refused(f"armour-{name}", comment, "signature.read_armour", {"text": text}, layer, code)

    def altered(old: bytes, new: bytes) -> str:
        return write_armour(LABEL, packed.replace(old, new))

    windows = good.strip().replace("\n", "\r\n")
    return [
        accepted("armour-plain", "as ssh-keygen writes it", "signature.read_armour", {"text": good}, gives),
        accepted(
            "armour-crlf",
            "line ends of Windows, the last one missing",
            "signature.read_armour",
            {"text": windows},
            gives,
        ),
        vector("wrong-namespace", "signed for 'file'", altered(pack(b"hiddenagenda-v1"), pack(b"file")),
               "sshsig", "wrong-format"),
        vector("wrong-hash", "ssh-keygen's own choice", altered(pack(b"sha256"), pack(b"sha512")),
               "sshsig", "wrong-format"),
        vector("reserved", "the reserved field is used", altered(b"v1\0\0\0\0", b"v1\0\0\0\1x"),
               "sshsig", "wrong-format"),
        vector("version-2", "a later version", altered(b"SSHSIG\0\0\0\1", b"SSHSIG\0\0\0\2"), "sshsig", "malformed"),
        vector("rsa", "another type of key", altered(pack(b"ssh-ed25519"), pack(b"ssh-rsa")),
               "publickey", "wrong-key-type"),
        vector("unsafe-key", "the neutral point as key", altered(ANA.public.raw, NEUTRAL), "publickey", "unsafe-key"),
        vector("tail", "a byte behind the end", write_armour(LABEL, packed + b"\0"), "sshwire", "malformed"),
        vector("cut", "the end is missing", write_armour(LABEL, packed[:-9]), "sshwire", "malformed"),
        vector("short", "63 bytes of signature", armour(BEN.public, BEN.sign(b"")[:-1]), "sshsig", "signature-length"),
        vector("two", "two signatures in one text", good + good, "sshwire", "several"),
        vector("other-label", "another kind of armour", good.replace(LABEL, "PGP SIGNATURE"),
               "sshwire", "wrong-format"),
        vector("no-end", "the last line is missing", "\n".join(good.splitlines()[:-1]), "sshwire", "cut-short"),
        vector("base64", "a character outside base64", good.replace("U1NI", "U!NI"), "sshwire", "malformed"),
    ]  # fmt: skip


def files() -> Mapping[str, Document]:
    about = "Ed25519 signatures over OpenSSH's blob (namespace hiddenagenda-v1, sha256), and armour. SPEC 'Signatures'."
    return {"signature.json": document(about, [*_signatures(), *_armours()])}
