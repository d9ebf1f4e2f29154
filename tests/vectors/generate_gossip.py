"""Makes ``gossip.json``: rooms, frames, invitations, messages, and what a peer holds.

Keys are derived by hand (HKDF over ``hmac``), boxes are libsodium's own function, messages are written here.
"""

import hmac
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

from nacl.bindings import crypto_secretbox
from talk import Talk, forged
from vectors import Document, Test, accepted, document, refused

from hiddenagenda import token
from hiddenagenda.token import Kind

KEY = sha256(b"hiddenagenda test vectors: room").digest()
OTHER_KEY = sha256(b"hiddenagenda test vectors: another room").digest()
ANA = sha256(b"hiddenagenda test vectors: Ana's session").digest()[:16]
BEN = sha256(b"hiddenagenda test vectors: Ben's session").digest()[:16]
GAME = "ab" * 32
SIZES = (256, 1024, 4096, 16384, 81920)


def _hkdf(secret: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869 with SHA-256, no salt, and no more than one block."""
    return hmac.digest(hmac.digest(bytes(32), secret, "sha256"), info + b"\1", "sha256")[:length]


def _padded(kind: bytes, body: bytes) -> bytes:
    content = kind + len(body).to_bytes(4) + body
    return content.ljust(min(size for size in SIZES if size >= len(content)), b"\0")


def _frame(content: bytes, *, key: bytes = KEY, session: bytes = ANA, number: int = 1) -> bytes:
    nonce = session + number.to_bytes(8)
    return nonce + crypto_secretbox(content, nonce, _hkdf(key, b"hiddenagenda/1 room frames", 32))


def _rooms() -> Sequence[Test]:
    return [
        accepted(
            f"room-{name}",
            "the name by which a relay knows a room",
            "room.name",
            {"key_hex": key.hex()},
            {"name": _hkdf(key, b"hiddenagenda/1 room name", 16).hex()},
        )
        for name, key in (("one", KEY), ("zeros", bytes(32)))
    ]


def _frames() -> Sequence[Test]:
    def opens(name: str, comment: str, kind: bytes, body: bytes, number: int = 1) -> Test:
        given = {"key_hex": KEY.hex(), "session_hex": BEN.hex()}
        frame = _frame(_padded(kind, body), number=number)
        gives = {"session": ANA.hex(), "kind": kind.decode(), "body_hex": body.hex()}
        return accepted(f"frame-{name}", comment, "frame.open", given | {"frames_hex": [frame.hex()]}, gives)

    def fails(name: str, comment: str, frames: Sequence[bytes], code: str, *, own: bytes = BEN) -> Test:
        given = {"key_hex": KEY.hex(), "session_hex": own.hex(), "frames_hex": [frame.hex() for frame in frames]}
        return refused(f"frame-{name}", comment, "frame.open", given, "frames", code)

    good = _frame(_padded(b"h", b"body"))
    changed = good[:-1] + bytes([good[-1] ^ 1])
    return [
        opens("empty", "a body may be empty", b"b", b""),
        opens("first-size", "251 bytes fill the smallest size", b"l", b"x" * 251),
        opens("second-size", "one more takes the next", b"l", b"x" * 252),
        opens("late", "any number that did not come before", b"l", b"x", number=2**63),
        accepted(
            "frame-sealed",
            "what the first frame of a session is, byte for byte",
            "frame.seal",
            {"key_hex": KEY.hex(), "session_hex": ANA.hex(), "kind": "h", "body_hex": b"body".hex()},
            {"frame_hex": good.hex()},
        ),
        fails("nothing", "no bytes at all", [b""], "size"),
        fails("cut", "the last byte is missing", [good[:-1]], "size"),
        fails("other-size", "no frame is so long", [good + bytes(16)], "size"),
        fails("other-key", "sealed for another room", [_frame(_padded(b"h", b""), key=OTHER_KEY)], "sealed"),
        fails("changed", "one bit differs", [changed], "sealed"),
        fails("other-number", "the number was changed", [good[:23] + b"\2" + good[24:]], "sealed"),
        fails("replayed", "the same frame twice", [good, good], "replayed"),
        fails(
            "too-old",
            "1,024 numbers behind the newest",
            [_frame(_padded(b"h", b""), number=2000), _frame(_padded(b"h", b""), number=976)],
            "replayed",
        ),
        fails("reflected", "the own session comes back", [good], "reflected", own=ANA),
        fails("long-length", "the length goes beyond the end", [_frame(b"h\0\0\1\0" + bytes(251))], "padding"),
        fails("no-room", "a frame of the length of its nonce and tag", [good[:40]], "size"),
        fails("dirty", "the padding is not zeros", [_frame(b"h\0\0\0\0" + bytes(250) + b"\1")], "padding"),
    ]


def _invitation(url: bytes, *, game: bytes = b"", version: int = 1, size: int | None = None) -> str:
    payload = bytes([version, len(game) if size is None else size]) + KEY + game + url
    return token.encode(Kind.INVITATION, payload)


def _invitations() -> Sequence[Test]:
    def reads(name: str, comment: str, url: str, game: str = "") -> Test:
        gives = {"url": url, "key_hex": KEY.hex(), "game": game}
        given = {"text": _invitation(url.encode(), game=bytes.fromhex(game))}
        return accepted(f"invitation-{name}", comment, "invitation.read", given, gives)

    def fails(name: str, comment: str, text: str, code: str, layer: str = "invitation") -> Test:
        return refused(f"invitation-{name}", comment, "invitation.read", {"text": text}, layer, code)

    good = _invitation(b"ws://127.0.0.1:7707")
    return [
        reads("plain", "to a table that is still to be set", "ws://127.0.0.1:7707"),
        reads("game", "to a game, behind a web server", "wss://example.org/agenda", GAME),
        reads("ipv6", "an address of version 6", "ws://[::1]:7707"),
        fails("http", "no WebSocket", _invitation(b"http://example.org"), "address"),
        fails("user", "a name and password in it", _invitation(b"ws://a:b@example.org"), "address"),
        fails("query", "a query", _invitation(b"ws://example.org/?x=y"), "address"),
        fails("escape", "a control character", _invitation(b"ws://x\x1b[31m"), "address"),
        fails("long", "256 characters", _invitation(b"ws://" + b"a" * 251), "address"),
        fails("not-ascii", "a byte that is no ASCII", _invitation(b"ws://\xe4"), "invitation"),
        fails("version", "a later version", _invitation(b"ws://h", version=2), "other-version"),
        fails("short-game", "an id of 31 bytes", _invitation(b"ws://h", game=bytes(31)), "invitation"),
        fails("no-url", "the key alone", _invitation(b""), "invitation"),
        fails("empty", "no payload", token.encode(Kind.INVITATION, b""), "invitation"),
        fails("damaged", "a letter differs", good[:9] + ("B" if good[9] != "B" else "C") + good[10:],
              "token-check", "token"),
    ]  # fmt: skip


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def _messages() -> Sequence[Test]:
    start = "0123456789abcdef"
    have = {"clock": [[1, start], [0, start]], "game": GAME}
    known = {"damaged": [], "digest": start, "further": [start], "prefix": 3}
    want = {"game": GAME, "known": [known], "to": ANA.hex()}
    roll = {"accepted": [], "refused": [GAME]}

    def reads(kind: str, name: str, value: object) -> Test:
        given = {"kind": kind, "text": _json(value)}
        return accepted(f"message-{name}", "as it is written", "message.read", given, {"value": value})

    def fails(kind: str, name: str, comment: str, text: str, code: str = "misshapen", layer: str = "shape") -> Test:
        given = {"kind": kind, "text": text}
        return refused(f"message-{name}", comment, "message.read", given, layer, code)

    return [
        reads("h", "have", have),
        reads("h", "have-all", have | {"ends": BEN.hex(), "place": 1}),
        reads("w", "want", want),
        reads("r", "roll", roll),
        fails("h", "have-unknown", "an unknown member", _json(have | {"time": 1})),
        fails("h", "have-no-clock", "a member is missing", _json({"game": GAME})),
        fails("h", "have-place", "a place beyond the sixteen and the judge", _json(have | {"place": 17})),
        fails("h", "have-count", "more entries than anybody can have", _json(have | {"clock": [[2**20 + 1, start]]})),
        fails("h", "have-triple", "a tally of three", _json(have | {"clock": [[1, start, 1]]})),
        fails("h", "have-digest", "capital digits", _json(have | {"clock": [[1, start.upper()]]})),
        fails("h", "have-many", "eighteen authors", _json(have | {"clock": [[1, start]] * 18})),
        fails("w", "want-session", "a session of 15 bytes", _json(want | {"to": ANA.hex()[2:]})),
        fails("w", "want-flat", "a number where ids stand", _json(want | {"known": [known | {"further": [1]}]})),
        fails(
            "w",
            "want-prefix",
            "fewer than none",
            _json(want | {"known": [known | {"prefix": -1}]}),
            "number",
            "canonical",
        ),
        fails("w", "want-short", "an id of seven bytes", _json(want | {"known": [known | {"digest": start[2:]}]})),
        fails("w", "want-nobody", "to nobody", _json({"game": GAME, "known": []})),
        fails("r", "roll-nonce", "no nonce", _json(roll | {"refused": ["x"]})),
        fails("r", "roll-many", "33 that were refused", _json(roll | {"refused": [GAME] * 33})),
        fails("r", "roll-seat", "no seat", _json(roll | {"accepted": [{}]})),
        fails("h", "blank", "a blank too many", _json(have).replace(",", ", ", 1), "not-canonical", "canonical"),
        fails(
            "h", "order", "members in another order", '{"game":"' + GAME + '","clock":[]}', "not-canonical", "canonical"
        ),
        fails("h", "empty", "nothing", "", "not-json", "canonical"),
    ]


def _start(lines: Sequence[tuple[str, bool]]) -> str:
    return sha256(b"".join(bytes.fromhex(name) + bytes([damaged]) for name, damaged in lines)).hexdigest()[:16]


def _holdings() -> Sequence[Test]:
    talk = Talk(2, label="vectors")
    ana = [talk.table, *[talk.say("Ana") for _ in range(3)]]
    ben = [talk.say("Ben") for _ in range(3)]
    last = talk.say("Ana")
    ana.append(last)
    ids = [line.id for line in ana]
    bens = [line.id for line in ben]
    text = "".join(line.data.decode() + "\n" for line in talk.lines)
    clock = [[5, _start([(one, False) for one in ids])], [3, _start([(one, False) for one in bens])]]
    rest = "".join(line.data.decode() + "\n" for line in [talk.table, *talk.lines[1:-2], last, forged(ben[2])])
    marked = [(bens[0], False), (bens[1], False), (bens[2], True)]

    def known(prefix: int, lines: Sequence[str], *further: str) -> Mapping[str, object]:
        shared = [(one, False) for one in lines[:prefix]]
        return {
            "damaged": [],
            "digest": _start(shared),
            "further": [one[:16] for one in further],
            "prefix": prefix,
        }

    def lacks(name: str, comment: str, told: Sequence[Mapping[str, object]], wanted: Sequence[str]) -> Test:
        given = {"text": text, "known": list(told)}
        return accepted(f"lacking-{name}", comment, "gossip.lacking", given, {"ids": list(wanted)})

    order = [line.id for line in talk.lines]
    return [
        accepted("clock-whole", "all is signed", "gossip.clock", {"text": text}, {"clock": clock}),
        accepted(
            "clock-damaged",
            "an entry that nobody signed, and on which a signed one rests",
            "gossip.clock",
            {"text": rest},
            {"clock": [clock[0], [3, _start(marked)]]},
        ),
        lacks("all", "who holds nothing lacks all", [known(0, ids), known(0, bens)], order),
        lacks("rest", "who holds the beginnings lacks the ends", [known(2, ids), known(1, bens)],
              [one for one in order if one not in {*ids[:2], bens[0]}]),
        lacks("gap", "who has a gap lacks the gap", [known(5, ids), known(1, bens, bens[2])], [bens[1]]),
        lacks("none", "who holds more lacks nothing", [known(5, ids), known(9, bens)], []),
    ]  # fmt: skip


def files() -> Mapping[str, Document]:
    tests = [*_rooms(), *_frames(), *_invitations(), *_messages(), *_holdings()]
    return {
        "gossip.json": document(
            "Rooms, frames, invitations, messages and holdings of live tables. SPEC 'Live tables'.", tests
        )
    }
