"""Our code behind the operations of ``canonical.json``, ``token.json`` and ``slip.json``."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from vectors import Refused

from hiddenagenda import bundle, canonical, token
from hiddenagenda.commitment import Commitment
from hiddenagenda.slip import derived_salt, form_breach, read_slip
from hiddenagenda.token import Kind


def data(given: Mapping[str, Any]) -> bytes:
    """Return the bytes that an input stands for."""
    return bytes.fromhex(given["hex"]) if "hex" in given else str(given["text"]).encode()


def read(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"value": canonical.read(data(given), limit=given.get("limit", 65_536))}


def write(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"text": canonical.write(given["value"]).decode()}


def encode(given: Mapping[str, Any]) -> Mapping[str, Any]:
    kind = next(kind for kind in Kind if kind.prefix == given["kind"])
    return {"text": token.encode(kind, bytes.fromhex(given["payload_hex"]))}


def decode(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = token.decode(given["text"])
    return {"kind": found.kind.prefix, "payload_hex": found.payload.hex()}


def gather(given: Mapping[str, Any]) -> Mapping[str, Any]:
    pieces = [bundle.read_piece(token.decode(text).payload) for text in given["tokens"]]
    gathered = bundle.gather(pieces, largest=given.get("limit", bundle.LARGEST))
    missing = [[gap.first, gap.last, gap.count] for gap in gathered.missing]
    return {"whole_hex": [lines.hex() for lines in gathered.whole], "missing": missing}


def slip(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = read_slip(data(given))
    return {
        "conspiracy": found.conspiracy,
        "game": found.game,
        "names": list(found.names),
        "player": found.player,
        "salt": found.salt.reveal(),
        "slot": found.slot,
    }


def form(given: Mapping[str, Any]) -> Mapping[str, Any]:
    if form_breach(given["conspiracy"], tuple(given["names"])):
        raise Refused("slip", "bad-agenda-form")
    return {}


def salt(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"salt": derived_salt(bytes.fromhex(given["key_hex"]), data(given)).reveal()}


def commit(given: Mapping[str, Any]) -> Mapping[str, Any]:
    committed = Commitment.of(data(given))
    return {"commitment": committed.hex, "token": committed.token}


def turn_up(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"names": list(Commitment.from_hex(given["commitment"]).turn_up(data(given)).names)}


OPERATIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "canonical.read": read,
    "canonical.write": write,
    "token.encode": encode,
    "token.decode": decode,
    "bundle.gather": gather,
    "slip.read": slip,
    "slip.form": form,
    "slip.salt": salt,
    "commitment.of": commit,
    "commitment.turn_up": turn_up,
}
