"""Our code behind the operations of ``gossip.json``."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import convert
from vectors import Refused

from hiddenagenda import messages, token
from hiddenagenda.frames import Channel, Refusal, RoomKey
from hiddenagenda.holdings import Holdings
from hiddenagenda.invitation import read_invitation
from hiddenagenda.line import read_line
from hiddenagenda.messages import Have, Known, Roll, Want
from hiddenagenda.shape import Shape

KINDS: Final[Mapping[str, type[Shape]]] = {"h": Have, "w": Want, "r": Roll}


def name(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"name": RoomKey(bytes.fromhex(given["key_hex"])).name}


def _channel(given: Mapping[str, Any]) -> Channel:
    return Channel(RoomKey(bytes.fromhex(given["key_hex"])), bytes.fromhex(given["session_hex"]))


def open_frame(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The last of the frames is the one that counts."""
    channel = _channel(given)
    *_, content = [channel.open(bytes.fromhex(frame)) for frame in given["frames_hex"]]
    if isinstance(content, Refusal):
        raise Refused("frames", content.value)
    return {"session": content.session, "kind": content.kind.decode(), "body_hex": content.body.hex()}


def seal_frame(given: Mapping[str, Any]) -> Mapping[str, Any]:
    frame = _channel(given).seal(given["kind"].encode(), bytes.fromhex(given["body_hex"]))
    return {"frame_hex": frame.hex()}


def invitation(given: Mapping[str, Any]) -> Mapping[str, Any]:
    read = read_invitation(token.decode(given["text"]).payload)
    return {"url": read.url, "key_hex": read.key.reveal().hex(), "game": read.game or ""}


def message(given: Mapping[str, Any]) -> Mapping[str, Any]:
    read = messages.read(given["text"].encode(), KINDS[given["kind"]])
    return {"value": json.loads(messages.write(read))}


def _held(given: Mapping[str, Any]) -> Holdings:
    table, *rest = [read_line(data) for data in given["text"].encode().split(b"\n") if data]
    holdings = Holdings(table)
    for line in rest:
        holdings.add(line)
    return holdings


def clock(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"clock": [list(tally) for tally in _held(given).clock]}


def lacking(given: Mapping[str, Any]) -> Mapping[str, Any]:
    known = [convert(one, Known) for one in given["known"]]
    return {"ids": [line.id for line in _held(given).lacking(known)]}


OPERATIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "room.name": name,
    "frame.open": open_frame,
    "frame.seal": seal_frame,
    "invitation.read": invitation,
    "message.read": message,
    "gossip.clock": clock,
    "gossip.lacking": lacking,
}
