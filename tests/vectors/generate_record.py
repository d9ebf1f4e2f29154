"""Makes ``seat.json``, ``entry.json`` and ``transcript.json``. Knows the formats, not our library."""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from hashlib import sha256
from typing import Any

from nacl.signing import SigningKey
from vectors import Document, Test, accepted, document, refused

PROTOCOL = "hiddenagenda/1"
Members = dict[str, Any]
Change = Callable[[Any], object]


def canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def signing_key(name: str) -> SigningKey:
    return SigningKey(sha256(f"hiddenagenda test vectors: {name}".encode()).digest())


def key(name: str) -> str:
    return bytes(signing_key(name).verify_key).hex()


def signature(name: str, text: str) -> str:
    """Sign as OpenSSH does: over a blob that holds the SHA-256 of the text."""
    parts = (b"hiddenagenda-v1", b"", b"sha256", sha256(text.encode()).digest())
    blob = b"SSHSIG" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return signing_key(name).sign(blob).signature.hex()


def line(text: str, signed: str) -> str:
    return f'{{"entry":{text},"signature":"{signed}"}}'


def seat(name: str, game: str = "Friday") -> Members:
    return {"key": key(name), "name": name, "nonce": digest(f"{name} {game}"), "protocol": PROTOCOL, "type": "seat"}


def table(*names: str, label: str = "Friday") -> Members:
    body = {
        "edition": "2025-09",
        "label": label,
        "players": [seat(name, label) for name in names],
        "priority": "declared",
        "protocol": PROTOCOL,
    }
    return {"author": key(names[0]), "body": body, "parents": [], "seq": 1, "type": "table"}


GAME = digest(canonical(table("Ana", "Ben")))


def entry(
    who: str, kind: str, body: Members, parents: Sequence[str] = (GAME,), seq: int = 1, game: str = GAME
) -> Members:
    return {"author": key(who), "body": body, "game": game, "parents": sorted(parents), "seq": seq, "type": kind}


def slip(who: str, slot: int = 1, names: Sequence[str] = ("Grizzly Bears",)) -> Members:
    return {
        "conspiracy": "Muzzio's Preparations",
        "game": GAME,
        "names": list(names),
        "player": key(who),
        "protocol": PROTOCOL,
        "salt": digest(f"{who} {slot} salt"),
        "slot": slot,
        "type": "slip",
    }


def files() -> Mapping[str, Document]:
    return {
        "seat.json": document("Seats, in the bytes that their tokens carry. SPEC 'The seat'.", seats()),
        "entry.json": document("Entries of every type, and lines. SPEC 'Entries', 'Lines'.", [*entries(), *lines()]),
        "transcript.json": document(
            "What a set of lines amounts to: which entries are complete, authentic, grounded. SPEC 'The record'.",
            transcripts(),
        ),
    }


# Changes


def put(place: str, value: Any) -> Change:
    def change(members: Any) -> None:
        *way, last = [int(step) if step.isdigit() else step for step in place.split(".")]
        for step in way:
            members = members[step]
        members[last] = value

    return change


def drop(place: str) -> Change:
    def change(members: Any) -> None:
        *way, last = [int(step) if step.isdigit() else step for step in place.split(".")]
        for step in way:
            members = members[step]
        del members[last]

    return change


def changed(members: Members, change: Change) -> str:
    copied = deepcopy(members)
    change(copied)
    return canonical(copied)


# seat.json


def seats() -> Sequence[Test]:
    ana = seat("Ana")
    text = canonical(ana)
    names = {"plain": "Ana", "empty-name": "", "longest-name": "x" * 500, "other-letters": "Zoë 🃏"}
    tests = []
    for name, called in names.items():
        members = ana | {"name": called}
        payload = canonical(members).encode()
        check = sha256(b"has1" + payload).digest()[:5]
        token = "has1" + base64.b32encode(payload + check).decode().rstrip("=").lower()
        gives = {"key": members["key"], "name": called, "nonce": members["nonce"], "token": token}
        tests.append(accepted(name, "a seat as it is sent", "seat.read", {"text": payload.decode()}, gives))
    wrong: Mapping[str, tuple[str, str, str, str]] = {
        "spaces": ("not canonical", text.replace('":', '": '), "canonical", "not-canonical"),
        "list": ("no object", f"[{text}]", "canonical", "not-json"),
        "twice": ("a member stands twice", text.replace('"name"', '"name":"","name"'), "canonical", "duplicate-member"),
        "control": ("a line break in a name", text.replace('"Ana"', '"A\\na"'), "canonical", "forbidden-character"),
        "no-name": ("a member is missing", changed(ana, drop("name")), "shape", "misshapen"),
        "no-type": ("the type is missing", changed(ana, drop("type")), "shape", "misshapen"),
        "other-type": ("another type", changed(ana, put("type", "slip")), "shape", "misshapen"),
        "more": ("an unknown member", changed(ana, put("more", 1)), "shape", "misshapen"),
        "other-version": (
            "a later protocol",
            changed(ana, put("protocol", PROTOCOL[:-1] + "2")),
            "shape",
            "other-version",
        ),
        "long-name": ("501 characters", changed(ana, put("name", "x" * 501)), "shape", "misshapen"),
        "short-nonce": ("31 bytes", changed(ana, put("nonce", "ab" * 31)), "shape", "misshapen"),
        "capitals": ("hex in capitals", changed(ana, put("key", ana["key"].upper())), "shape", "misshapen"),
        "unsafe-key": ("a key of small order", changed(ana, put("key", "01" + "00" * 31)), "publickey", "unsafe-key"),
        "no-point": (
            "a key that is not on the curve",
            changed(ana, put("key", "02" + "00" * 31)),
            "publickey",
            "unsafe-key",
        ),
    }
    return tests + [
        refused(name, comment, "seat.read", {"text": given}, layer, code)
        for name, (comment, given, layer, code) in wrong.items()
    ]


# entry.json


def good() -> Mapping[str, Members]:
    judged = table("Ana", "Ben")
    judged["body"]["judge"] = {"key": key("Judge"), "name": "Judge"}
    judged["body"]["names"] = {"date": "2025-09-26", "digest": digest("names")}
    judged["body"]["conspiracies"] = [{"agenda": "double", "name": "Twin Plots"}]
    return {
        "table": table("Ana", "Ben"),
        "table-with-all": judged | {"author": key("Judge")},
        "commit": entry("Ben", "commit", {"commitments": [digest("one"), digest("two")]}),
        "commit-nothing": entry("Ben", "commit", {"commitments": []}),
        "commit-with-boxes": entry("Ben", "commit", {"commitments": [digest("one")], "sealed": ["0f" * 1072, ""]}),
        "seal": entry("Ben", "seal", {}, [GAME, digest("a commit")], 2),
        "open": entry("Ben", "open", {"slips": [slip("Ben", 1), slip("Ben", 16)], "when": "turn 3, upkeep"}),
        "apply": entry("Ben", "apply", {"card": "Lim-Dûl's Vault", "slot": 1}),
        "step": entry(
            "Ben", "play", {"active": key("Ana"), "do": "step", "priority": False, "step": "untap", "turn": 1}
        ),
        "pass": entry("Ben", "play", {"do": "pass"}),
        "act": entry("Ben", "play", {"do": "act", "text": 'says "no" \\ yes'}),
        "leave": entry("Ben", "leave", {"player": key("Ben"), "slips": [], "why": ""}),
        "end": entry("Ben", "end", {"outcome": "draw"}),
        "note": entry("Ben", "note", {"text": "x" * 500}) | {"time": "2025-09-30T19:05:00.5Z"},
        "objection": entry("Ben", "note", {"entry": digest("anything"), "text": ""}, seq=4095),
        "many-parents": entry("Ben", "note", {"text": ""}, [digest(str(number)) for number in range(32)], 2),
    }


def entries() -> Sequence[Test]:
    known = good()
    tests = [
        accepted(
            name,
            f"a {members['type']} entry",
            "entry.read",
            {"text": canonical(members)},
            {name: members[name] for name in ("author", "type", "seq", "parents")},
        )
        for name, members in known.items()
    ]
    for name, (of, change, layer, code) in misshapen(known).items():
        tests.append(
            refused(
                name,
                f"a {known[of]['type']} entry, altered",
                "entry.read",
                {"text": changed(known[of], change)},
                layer,
                code,
            )
        )
    note = canonical(known["note"])
    texts = {
        "not-canonical": (note.replace('"seq":1', '"seq": 1'), "canonical", "not-canonical"),
        "escaped-letter": (note.replace('"note"', '"n\\u006fte"'), "canonical", "not-canonical"),
        "member-twice": (note.replace('"seq":1', '"seq":1,"seq":1'), "canonical", "duplicate-member"),
        "fraction": (note.replace('"seq":1', '"seq":1.0'), "canonical", "number"),
        "exponent": (note.replace('"seq":1', '"seq":1e0'), "canonical", "number"),
        "minus-zero": (note.replace('"seq":1', '"seq":-0'), "canonical", "number"),
        "giant-number": (note.replace('"seq":1', '"seq":' + "9" * 5000), "canonical", "number"),
        "null": (note.replace('"seq":1', '"seq":null'), "canonical", "null"),
        "deep": (note.replace('"seq":1', '"seq":' + "[" * 5000), "canonical", "too-deep"),
        "two-objects": (note + note, "canonical", "not-json"),
        "space-behind": (note + " ", "canonical", "not-canonical"),
        "control": (note.replace('"x', '"\\u001b'), "canonical", "forbidden-character"),
        "delete": (note.replace('"x', '"\x7f'), "canonical", "forbidden-character"),
        "bidirectional": (note.replace('"x', '"\u202e'), "canonical", "forbidden-character"),
        "tag": (note.replace('"x', '"\U000e0041'), "canonical", "forbidden-character"),
        "lone-surrogate": (note.replace('"x', '"\\ud800'), "canonical", "forbidden-character"),
    }
    tests += [
        refused(name, "bytes that are not canonical", "entry.read", {"text": text}, layer, code)
        for name, (text, layer, code) in texts.items()
    ]
    raw = note.encode().replace(b'"x', b'"\xff')
    tests.append(
        refused("not-utf-8", "a byte that is no UTF-8", "entry.read", {"hex": raw.hex()}, "canonical", "not-utf-8")
    )
    return tests


def misshapen(known: Mapping[str, Members]) -> Mapping[str, tuple[str, Change, str, str]]:
    first, second = sorted((digest("a"), digest("b")))
    fifteen = {"agenda": "hidden", "name": "Brago's Favor"}
    unsafe = "00" * 32
    shaped: Mapping[str, tuple[str, Change]] = {
        "no-author": ("seal", drop("author")),
        "unknown-member": ("seal", put("more", 1)),
        "unknown-type": ("seal", put("type", "vote")),
        "type-of-another-body": ("seal", put("type", "note")),
        "play-without-deed": ("note", put("type", "play")),
        "unknown-deed": ("pass", put("body.do", "fold")),
        "seal-with-body": ("seal", put("body", {"commits": []})),
        "seq-zero": ("seal", put("seq", 0)),
        "seq-over-cap": ("seal", put("seq", 4096)),
        "seq-true": ("seal", put("seq", True)),
        "33-parents": ("seal", put("parents", sorted(digest(str(number)) for number in range(33)))),
        "short-author": ("seal", put("author", "ab" * 31)),
        "one-player": ("table", drop("body.players.1")),
        "17-players": ("table", put("body.players", [seat(str(number)) for number in range(17)])),
        "unknown-priority": ("table", put("body.priority", "none")),
        "long-label": ("table", put("body.label", "x" * 501)),
        "judge-without-name": ("table-with-all", drop("body.judge.name")),
        "names-without-date": ("table-with-all", drop("body.names.date")),
        "agenda-none": ("table-with-all", put("body.conspiracies.0.agenda", "none")),
        "257-conspiracies": (
            "table-with-all",
            put("body.conspiracies", [{"agenda": "hidden", "name": str(number)} for number in range(257)]),
        ),
        "17-commitments": ("commit", put("body.commitments", [digest("x")] * 17)),
        "short-commitment": ("commit", put("body.commitments", ["ab" * 31])),
        "box-in-capitals": ("commit-with-boxes", put("body.sealed", ["0F"])),
        "17-boxes": ("commit-with-boxes", put("body.sealed", [""] * 17)),
        "no-slips": ("open", put("body.slips", [])),
        "17-slips": ("open", put("body.slips", [slip("Ben", number) for number in range(1, 18)])),
        "slot-zero": ("open", put("body.slips.0.slot", 0)),
        "short-salt": ("open", put("body.slips.0.salt", "ab" * 31)),
        "slip-of-another-type": ("open", put("body.slips.0.type", "seat")),
        "slip-without-game": ("open", drop("body.slips.0.game")),
        "apply-slot-17": ("apply", put("body.slot", 17)),
        "turn-zero": ("step", put("body.turn", 0)),
        "priority-one": ("step", put("body.priority", 1)),
        "active-by-name": ("step", put("body.active", "Ana")),
        "leave-by-name": ("leave", put("body.player", "Ben")),
        "long-note": ("note", put("body.text", "x" * 501)),
    }
    framed: Mapping[str, tuple[str, Change]] = {
        "no-game": ("seal", drop("game")),
        "no-parents": ("seal", put("parents", [])),
        "parents-descend": ("seal", put("parents", [second, first])),
        "parent-twice": ("seal", put("parents", [first, first])),
        "parent-in-capitals": ("seal", put("parents", [first.upper()])),
        "author-in-capitals": ("seal", put("author", key("Ben").upper())),
        "game-no-hex": ("seal", put("game", "g" * 64)),
        "time-small-letters": ("note", put("time", "2025-09-30t19:05:00z")),
        "time-with-offset": ("note", put("time", "2025-09-30T19:05:00+02:00")),
        "time-month-13": ("note", put("time", "2025-13-30T19:05:00Z")),
        "table-seq-2": ("table", put("seq", 2)),
        "table-with-parent": ("table", put("parents", [first])),
        "table-with-game": ("table", put("game", first)),
        "table-by-stranger": ("table", put("author", key("Cleo"))),
        "slots-descend": ("open", put("body.slips", [slip("Ben", 2), slip("Ben", 1)])),
        "slot-twice": ("open", put("body.slips", [slip("Ben"), slip("Ben")])),
        "slips-of-two": ("open", put("body.slips", [slip("Ana", 1), slip("Ben", 2)])),
    }
    tables: Mapping[str, tuple[str, Change]] = {
        "key-twice": ("table", put("body.players.1.key", key("Ana"))),
        "name-twice": ("table", put("body.players.1.name", "Ana")),
        "judge-plays": ("table-with-all", put("body.judge.key", key("Ana"))),
        "judge-named-like-player": ("table-with-all", put("body.judge.name", "Ana")),
        "conspiracy-twice": ("table-with-all", put("body.conspiracies", [{"agenda": "hidden", "name": "X"}] * 2)),
        "conspiracy-of-the-rules": ("table-with-all", put("body.conspiracies", [fifteen])),
    }
    return {
        **{name: (*how, "shape", "misshapen") for name, how in shaped.items()},
        **{name: (*how, "entry", "misshapen") for name, how in framed.items()},
        **{name: (*how, "table", "misshapen") for name, how in tables.items()},
        "unsafe-key": ("table", put("body.players.1.key", unsafe), "publickey", "unsafe-key"),
        "unsafe-judge": ("table-with-all", put("body.judge.key", unsafe), "publickey", "unsafe-key"),
        "other-version": ("table", put("body.protocol", "hiddenagenda/2"), "shape", "other-version"),
        "salt-of-zeros": ("open", put("body.slips.0.salt", unsafe), "entry", "no-slip"),
        "giant-slip": ("open", put("body.slips.0.names", ["x" * 500, "y" * 500]), "entry", "too-large"),
    }


def lines() -> Sequence[Test]:
    text = canonical(good()["note"])
    signed = signature("Ben", text)
    whole = line(text, signed)
    holding = canonical(entry("Ben", "note", {"text": ',"signature":"' + signed + '"}'}))
    tests = [
        accepted(
            name,
            comment,
            "line.read",
            {"text": line(inner, shown)},
            {"id": digest(inner), "game": GAME, "signature": shown},
        )
        for name, comment, inner, shown in (
            ("line", "an entry and its signature", text, signed),
            ("line-unsigned", "whether a signature holds is asked later", text, "0" * 128),
            ("line-within", "the entry is cut out by length: this one holds the end of a line", holding, signed),
        )
    ]
    wrong: Mapping[str, tuple[str, str, str, str]] = {
        "line-bom": ("a byte order mark before it", "\ufeff" + whole, "canonical", "byte-order-mark"),
        "line-space": ("a space behind it", whole + " ", "canonical", "not-canonical"),
        "line-return": ("a CR that belongs to no line end", whole + "\r", "canonical", "not-canonical"),
        "line-cut": ("its end is missing", whole[:-1], "canonical", "not-json"),
        "line-127": ("a digit is missing", line(text, signed[:-1]), "line", "no-line"),
        "line-129": ("a digit too many", line(text, signed + "0"), "line", "no-line"),
        "line-capitals": ("capitals in the signature", line(text, signed[:-1] + "F"), "line", "no-line"),
        "line-no-entry": ("another member", whole.replace('"entry"', '"enter"', 1), "line", "no-line"),
        "line-more": (
            "a member between",
            whole.replace(',"signature"', ',"more":1,"signature"'),
            "canonical",
            "not-json",
        ),
        "line-list": ("a list", f"[{whole}]", "canonical", "not-json"),
        "line-text-entry": ("the entry is a text", line('"' + "x" * 300 + '"', signed), "canonical", "not-json"),
        "line-empty-object": ("nothing in it", "{}", "line", "no-line"),
    }
    tests += [
        refused(name, comment, "line.read", {"text": given}, layer, code)
        for name, (comment, given, layer, code) in wrong.items()
    ]
    long = {"before": whole, "repeat": " ", "times": 64 * 1024}
    return [*tests, refused("line-too-long", "over 64 KiB", "line.read", long, "canonical", "too-large")]


# transcript.json


class Game:
    """Lines as they were said; an entry goes by a word."""

    def __init__(self, *names: str, label: str = "Friday") -> None:
        self.text = {"table": canonical(table(*names, label=label))}
        self.author = {"table": names[0]}
        self.game = digest(self.text["table"])

    def say(self, word: str, who: str, over: Sequence[str], seq: int, kind: str = "note", **body: Any) -> None:
        members = entry(who, kind, body or {"text": word}, [self.id(one) for one in over], seq, self.game)
        self.text[word] = canonical(members)
        self.author[word] = who

    def id(self, word: str) -> str:
        return digest(self.text[word]) if word in self.text else digest(f"unknown: {word}")

    def line(self, word: str, *, bad: bool = False) -> str:
        return line(self.text[word], "0" * 128 if bad else signature(self.author[word], self.text[word]))

    def lines(self, *, bad: Sequence[str] = (), without: Sequence[str] = ()) -> list[str]:
        return [self.line(word, bad=word in bad) for word in self.text if word not in without]


def joined(lines: Sequence[str]) -> str:
    return "".join(one + "\n" for one in lines)


def plain() -> Game:
    """Ben, Ana and Cleo speak; then two of them at the same time; then Ana over both."""
    game = Game("Ana", "Ben", "Cleo")
    game.say("b1", "Ben", ["table"], 1)
    game.say("a2", "Ana", ["table", "b1"], 2)
    game.say("b2", "Ben", ["a2", "b1"], 2)
    game.say("c1", "Cleo", ["a2"], 1)
    game.say("a3", "Ana", ["a2", "b2", "c1"], 3)
    return game


def transcripts() -> Sequence[Test]:
    return [*whole_records(), *grounded_entries(), *ungrounded_entries()]


def outcome(game: Game, order: Sequence[str], **other: Any) -> Mapping[str, Any]:
    """What comes out of a game; by default everything counts, and is written as it was said."""
    ids = [game.id(word) for word in order]
    gives = {
        "game": game.game,
        "order": ids,
        "authentic": ids,
        "grounded": ids,
        "held": ids,
        "forks": [],
        "dangling": [],
    }
    return {**gives, "written": joined([game.line(word) for word in order]), **other}


def whole_records() -> Sequence[Test]:
    game = plain()
    middle = sorted(("b2", "c1"), key=lambda word: (key(game.author[word]), game.id(word)))
    order = ["table", "b1", "a2", *middle, "a3"]
    everything = {"transcripts": [outcome(game, order)], "aside": []}
    shuffled = [*game.lines()[::-1], *game.lines()[:2]]
    damaged = joined(["", "hello", *game.lines()]).replace("\n", "\r\n") + game.line("a3")[:100]
    other = Game("Ana", "Ben", label="Saturday")
    other.say("b1", "Ben", ["table"], 1)
    both = sorted([outcome(game, order), outcome(other, ["table", "b1"])], key=lambda one: str(one["game"]))
    stray = {"transcripts": [outcome(game, order)], "aside": [[1, "no-table"]]}
    forked = Game("Ana", "Ben")
    forked.say("b1", "Ben", ["table"], 1)
    forked.say("b1'", "Ben", ["table"], 1)
    halves = sorted(("b1", "b1'"), key=forked.id)
    fork = outcome(forked, ["table", *halves], forks=[[key("Ben"), 1, *(forked.id(word) for word in halves)]])
    reading = "record.read"
    return [
        accepted("in-order", "display order is depth, author, id", reading, {"text": joined(game.lines())}, everything),
        accepted("shuffled", "neither order nor repetition matters", reading, {"text": joined(shuffled)}, everything),
        accepted(
            "damaged",
            "CR LF, an empty line, words, a torn end",
            reading,
            {"text": damaged},
            everything | {"aside": [[2, "not-json"], [9, "torn"]]},
        ),
        accepted(
            "two-games",
            "each table is a transcript, in order of their ids",
            reading,
            {"text": joined([*other.lines(), *game.lines()])},
            {"transcripts": both, "aside": []},
        ),
        accepted(
            "stray",
            "a line of a game without a table",
            reading,
            {"text": joined([other.line("b1"), *game.lines()])},
            stray,
        ),
        accepted(
            "fork",
            "two entries of one author and seq",
            reading,
            {"text": joined(forked.lines())},
            {"transcripts": [fork], "aside": []},
        ),
    ]


def grounded_entries() -> Sequence[Test]:
    game = plain()
    later = game.lines(bad=["b1"])
    twice = [game.line("b1", bad=True), *game.lines()]

    def counts(name: str, comment: str, lines: Sequence[str], word: str, depth: int) -> Test:
        given = {"text": joined(lines), "entry": game.id(word)}
        return accepted(name, comment, "record.grounded", given, {"depth": depth})

    return [
        counts("last", "the last of a plain game", game.lines(), "a3", 4),
        counts("covered", "a later signature of the same author covers it", later, "b1", 1),
        counts("two-signatures", "one id with two signatures, the bad one first", twice, "b1", 1),
        counts(
            "torn-but-whole",
            "a last line without newline counts if it reads",
            [game.line("b1"), game.line("table")],
            "b1",
            1,
        ),
    ]


def ungrounded_entries() -> Sequence[Test]:
    game = plain()
    tests = []

    def fails(name: str, comment: str, of: Game, lines: Sequence[str], word: str, layer: str, code: str) -> None:
        given = {"text": joined(lines), "entry": of.id(word)}
        tests.append(refused(name, comment, "record.grounded", given, layer, code))

    fails("never-said", "an id that no line has", game, game.lines(), "x", "record", "not-read")
    fails(
        "no-table", "without its table no entry counts", game, game.lines(without=["table"]), "b1", "record", "not-read"
    )
    fails(
        "lost-last",
        "the table is missing, for the last",
        game,
        game.lines(without=["table"]),
        "a3",
        "record",
        "not-read",
    )
    for word, child in (("b1", "a2"), ("a2", "c1")):
        fails(f"without-{word}", "a parent is missing", game, game.lines(without=[word]), child, "graph", "absent")
    fails(
        "lost-parent",
        "one of its parents is missing, others dangle",
        game,
        game.lines(without=["a2"]),
        "a3",
        "graph",
        "absent",
    )
    chain = plain()
    chain.say("c2", "Cleo", ["c1"], 2)
    fails("chain", "its parent is here, and dangles", chain, chain.lines(without=["a2"]), "c2", "graph", "beside")
    for seq in (1, 3, 4095):
        odd = plain()
        odd.say("odd", "Ben", ["b1"], seq)
        fails(f"seq-{seq}", "its seq should be 2", odd, odd.lines(), "odd", "graph", "seq")
    low = plain()
    low.say("low", "Cleo", ["a3"], 1)
    fails(
        "seq-hidden",
        "its author's other entry is an ancestor, though no parent",
        low,
        low.lines(),
        "low",
        "graph",
        "seq",
    )
    strange = plain()
    strange.say("stranger", "Dan", ["a3"], 1)
    strange.say("over", "Cleo", ["stranger", "c1"], 2)
    fails("stranger", "its author does not sit at the table", strange, strange.lines(), "stranger", "graph", "stranger")
    fails("over-stranger", "it rests on a stranger's", strange, strange.lines(), "over", "graph", "beside")
    foreign = Game("Ana", "Ben", label="Saturday")
    crossing = plain()
    crossing.text["foreign"] = foreign.text["table"]
    crossing.author["foreign"] = "Ana"
    crossing.say("crossing", "Cleo", ["foreign", "c1"], 2)
    fails("crossing", "a parent is of another game", crossing, crossing.lines(), "crossing", "graph", "absent")
    doubled: Mapping[str, Members] = {"commit": {"commitments": []}, "seal": {}}
    for kind, body in doubled.items():
        many = Game("Ana", "Ben")
        last = "table"
        for number in range(9):
            many.text[f"b{number}"] = canonical(entry("Ben", kind, body, [many.id(last)], number + 1, many.game))
            many.author[f"b{number}"] = "Ben"
            last = f"b{number}"
        many.say("over", "Ana", ["table", last], 2)
        fails(
            f"nine-{kind}s", "it rests on more than eight of one author", many, many.lines(), "over", "graph", "crowded"
        )
    fails(
        "bad-signature",
        "its signature does not hold and no later one covers it",
        game,
        game.lines(bad=["c1"]),
        "c1",
        "authentic",
        "not-authentic",
    )
    fails(
        "over-bad",
        "it rests on one that is not authentic",
        game,
        game.lines(bad=["c1"]),
        "a3",
        "authentic",
        "not-grounded",
    )
    fails(
        "bad-table",
        "the table is not authentic",
        game,
        game.lines(bad=["table", "a2", "a3"]),
        "b1",
        "authentic",
        "not-grounded",
    )
    stolen = [*game.lines(without=["c1"]), line(game.text["c1"], signature("Ben", game.text["c1"]))]
    fails("signed-by-another", "a signature by another key", game, stolen, "c1", "authentic", "not-authentic")
    moved = [*game.lines(without=["c1"]), line(game.text["c1"], signature("Cleo", game.text["b1"]))]
    fails(
        "signature-of-another",
        "its author's signature over another entry",
        game,
        moved,
        "c1",
        "authentic",
        "not-authentic",
    )
    by_others = game.lines(bad=["c1", "b2"])
    fails(
        "covered-by-others",
        "only the own author's later signature covers",
        game,
        by_others,
        "b2",
        "authentic",
        "not-authentic",
    )
    branch = plain()
    branch.say("left", "Cleo", ["c1"], 2)
    branch.say("right", "Cleo", ["c1", "b2"], 2)
    branch.say("right-tip", "Cleo", ["right"], 3)
    fails(
        "other-branch",
        "the later signature is on the other branch of a fork",
        branch,
        branch.lines(bad=["left"]),
        "left",
        "authentic",
        "not-authentic",
    )
    alike = game.lines()
    alike[1] = alike[1].replace('"text":"b1"', '"text":"b2"')
    fails("altered", "the text was altered: it is another entry", game, alike, "b1", "record", "not-read")
    return tests
