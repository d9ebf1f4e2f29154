"""Our code behind the operations of ``signature.json``."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from hiddenagenda.publickey import PublicKey
from hiddenagenda.sshsig import check_signature, read_armoured


def check(given: Mapping[str, Any]) -> Mapping[str, Any]:
    key = PublicKey.from_hex(given["key_hex"])
    check_signature(key, str(given["text"]).encode(), bytes.fromhex(given["signature_hex"]))
    return {}


def read_armour(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = read_armoured(str(given["text"]).encode())
    return {"key_hex": found.public.hex, "signature_hex": found.signature.hex()}


OPERATIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "signature.check": check,
    "signature.read_armour": read_armour,
}
