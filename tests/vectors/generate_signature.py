"""Makes ``signature.json`` anew, from fixed seeds: ``python tests/vectors/generate_signature.py``."""

import json
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

from nacl.bindings import crypto_core_ed25519_add, crypto_scalarmult_ed25519_base_noclamp

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


def _signatures() -> list[dict[str, Any]]:
    private, nonce = 0x1234567, 0x89ABCDE
    key = crypto_scalarmult_ed25519_base_noclamp(_bytes(private))
    mixed_key = crypto_core_ed25519_add(key, ORDER_8)
    point = crypto_scalarmult_ed25519_base_noclamp(_bytes(nonce))
    mixed_point = crypto_core_ed25519_add(point, ORDER_8)
    s_half = int.from_bytes(SIGNATURE[32:], "little")
    ana, blob = ANA.public.raw, signed_blob(MESSAGE.encode())

    def vector(
        name: str, comment: str, expect: str, *, key: bytes = ana, message: str = MESSAGE, signature: bytes = SIGNATURE
    ) -> dict[str, Any]:
        layer, _, code = expect.partition(":")
        return {
            "id": name,
            "comment": comment,
            "input": {"key": key.hex(), "message": message, "signature": signature.hex()},
            "expect": {"result": "refuse", "layer": layer, "code": code} if code else {"result": "accept"},
        }

    return [
        vector("plain", "a signature as every program makes it", "accept"),
        vector("empty", "nothing is signed", "accept", message="", signature=ANA.sign(b"")),
        vector("by-hand", "another nonce than RFC 8032's is the signer's own affair", "accept",
               key=key, signature=_by_hand(private, key, point, nonce)),
        vector("other-message", "one character differs", "signature:bad-signature", message=MESSAGE + " "),
        vector("other-key", "somebody else's key", "signature:bad-signature", key=BEN.public.raw),
        vector("no-sshsig", "Ed25519 over the message itself, not over OpenSSH's blob", "signature:bad-signature",
               signature=ANA._key.sign(MESSAGE.encode()).signature),
        vector("other-namespace", "signed for the namespace 'file'", "signature:bad-signature",
               signature=ANA._key.sign(blob.replace(b"\x0fhiddenagenda-v1", b"\4file")).signature),
        vector("short", "the last byte is missing", "signature:signature-length", signature=SIGNATURE[:-1]),
        vector("long", "a byte too many", "signature:signature-length", signature=SIGNATURE + b"\0"),
        vector("s-plus-l", "L is added to S; ssh-keygen takes it", "signature:signature-form",
               signature=SIGNATURE[:32] + _bytes(s_half + ORDER)),
        vector("r-neutral", "R is the neutral point, and the equation holds", "signature:signature-form",
               key=key, signature=_by_hand(private, key, NEUTRAL, 0)),
        vector("r-not-reduced", "R's y is not below 2^255 - 19", "signature:signature-form",
               signature=_bytes(FIELD + 3) + SIGNATURE[32:]),
        vector("r-mixed-order", "R has a part of order 8: it holds only when multiplied by the cofactor",
               "signature:bad-signature", key=key, signature=_by_hand(private, key, mixed_point, nonce)),
        vector("key-mixed-order", "the key has a part of order 8", "key:unsafe-key",
               key=mixed_key, signature=_by_hand(private, mixed_key, point, nonce)),
        vector("key-small-order", "anybody can sign for it", "key:unsafe-key", key=ORDER_8,
               signature=NEUTRAL + bytes(32)),
        vector("key-neutral", "anybody can sign for it", "key:unsafe-key", key=NEUTRAL, signature=NEUTRAL + bytes(32)),
        vector("key-not-reduced", "y is not below 2^255 - 19", "key:unsafe-key", key=_bytes(FIELD + 3)),
        vector("key-off-curve", "no point has this y", "key:unsafe-key", key=_bytes(2)),
    ]  # fmt: skip


def _armours() -> list[dict[str, Any]]:
    good = armour(ANA.public, SIGNATURE)
    packed = read_armour(LABEL, good.encode())

    def vector(name: str, comment: str, text: str, code: str) -> dict[str, Any]:
        refused = {"result": "refuse", "layer": "armour", "code": code}
        return {"id": name, "comment": comment, "input": {"armour": text}, "expect": refused}

    def altered(old: bytes, new: bytes) -> str:
        return write_armour(LABEL, packed.replace(old, new))

    accepted = {"result": "accept", "key": ANA.public.hex, "signature": SIGNATURE.hex()}
    return [
        {"id": "plain", "comment": "as ssh-keygen writes it", "input": {"armour": good}, "expect": accepted},
        {
            "id": "crlf",
            "comment": "line ends of Windows, the last one missing",
            "input": {"armour": good.strip().replace("\n", "\r\n")},
            "expect": accepted,
        },
        vector(
            "wrong-namespace", "signed for 'file'", altered(pack(b"hiddenagenda-v1"), pack(b"file")), "wrong-format"
        ),
        vector("wrong-hash", "ssh-keygen's own choice", altered(pack(b"sha256"), pack(b"sha512")), "wrong-format"),
        vector("reserved", "the reserved field is used", altered(b"v1\0\0\0\0", b"v1\0\0\0\1x"), "wrong-format"),
        vector("version-2", "a later version", altered(b"SSHSIG\0\0\0\1", b"SSHSIG\0\0\0\2"), "malformed"),
        vector("rsa", "another type of key", altered(pack(b"ssh-ed25519"), pack(b"ssh-rsa")), "wrong-key-type"),
        vector("unsafe-key", "the neutral point as key", altered(ANA.public.raw, NEUTRAL), "unsafe-key"),
        vector("tail", "a byte behind the end", write_armour(LABEL, packed + b"\0"), "malformed"),
        vector("cut", "the end is missing", write_armour(LABEL, packed[:-9]), "malformed"),
        vector("short", "63 bytes of signature", armour(BEN.public, BEN.sign(b"")[:-1]), "signature-length"),
        vector("two", "two signatures in one text", good + good, "several"),
        vector("other-label", "another kind of armour", good.replace(LABEL, "PGP SIGNATURE"), "wrong-format"),
        vector("no-end", "the last line is missing", "\n".join(good.splitlines()[:-1]), "cut-short"),
        vector("base64", "a character outside base64", good.replace("U1NI", "U!NI"), "malformed"),
    ]


def text() -> str:
    """Return the file's text."""
    about = {
        "about": "Ed25519 signatures over OpenSSH's blob, and their armour. See README.md beside it.",
        "namespace": "hiddenagenda-v1",
        "hash": "sha256",
        "signatures": _signatures(),
        "armours": _armours(),
    }
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("signature.json").write_text(text(), encoding="utf-8", newline="\n")
