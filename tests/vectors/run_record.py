"""Our code behind the operations of ``seat.json``, ``entry.json`` and ``transcript.json``."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from vectors import Refused

from hiddenagenda.entry import read_entry
from hiddenagenda.line import read_line
from hiddenagenda.record import read_record
from hiddenagenda.seat import read_seat
from hiddenagenda.transcript import Transcript


def data(given: Mapping[str, Any]) -> bytes:
    """Return the bytes that an input stands for; ``repeat`` stands for a text too long to print."""
    if "repeat" in given:
        return str(given["before"]).encode() + str(given["repeat"]).encode() * int(given["times"])
    return bytes.fromhex(given["hex"]) if "hex" in given else str(given["text"]).encode()


def seat(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = read_seat(data(given))
    return {"key": found.key, "name": found.name, "nonce": found.nonce, "token": found.token}


def entry(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = read_entry(data(given))
    return {"author": found.author, "type": found.type, "seq": found.seq, "parents": list(found.parents)}


def line(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = read_line(data(given))
    return {"id": found.id, "game": found.game, "signature": found.signature}


def record(given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = read_record(data(given))
    return {
        "transcripts": [transcript(one) for one in found.transcripts],
        "aside": [[one.number, one.code] for one in found.aside],
    }


def transcript(found: Transcript) -> Mapping[str, Any]:
    nodes = found.graph.nodes

    def named(flags: bytes) -> list[str]:
        return [node.id for node, flag in zip(nodes, flags, strict=True) if flag]

    return {
        "game": found.game,
        "order": [node.id for node in nodes],
        "authentic": named(found.authentic),
        "grounded": named(found.grounded),
        "held": named(found.held),
        "forks": [[fork.author, fork.seq, *(nodes[number].id for number in fork.entries)] for fork in found.forks],
        "dangling": [[one.line.id, one.flaw.value, list(one.missing)] for one in found.dangling],
        "written": found.write().decode(),
    }


def grounded(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say whether one entry counts, in whatever transcript it is."""
    name = given["entry"]
    for one in read_record(data(given)).transcripts:
        number = one.graph.index.get(name)
        if number is not None:
            if not one.authentic[number]:
                raise Refused("authentic", "not-authentic")
            if not one.grounded[number]:
                raise Refused("authentic", "not-grounded")
            return {"depth": one.graph.depths[number]}
        for dangling in one.dangling:
            if dangling.line.id == name:
                raise Refused("graph", dangling.flaw.value)
    raise Refused("record", "not-read")


OPERATIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "seat.read": seat,
    "entry.read": entry,
    "line.read": line,
    "record.read": record,
    "record.grounded": grounded,
}
