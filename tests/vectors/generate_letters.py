"""Makes ``canonical.json``, ``token.json`` and ``slip.json``. Knows the formats, not our library."""

import base64
import hmac
import json
import zlib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from vectors import Document, Test, accepted, document, refused

MAX_INTEGER = 2**53 - 1


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def files() -> Mapping[str, Document]:
    return {
        "canonical.json": document(
            "The restricted RFC 8785 form in which everything is hashed. SPEC 'Canonical JSON'.",
            [*canonical_accepted(), *canonical_refused(), *canonical_not_written()],
        ),
        "token.json": document(
            "Text for chats: tokens, and lines of a record cut into tokens. SPEC 'Tokens', 'Bundles'.",
            [*token_accepted(), *token_refused(), *bundle_accepted(), *bundle_refused()],
        ),
        "slip.json": document(
            "The slip, its form and salt, the commitment and what turns it up. SPEC 'The slip', 'The commitment'.",
            [*slip_accepted(), *slip_refused(), *form_tests(), *commitment_accepted(), *commitment_refused()],
        ),
    }


# canonical.json


def canonical_accepted() -> Sequence[Test]:
    texts = {
        "empty-object": ("{}", "nothing"),
        "empty-name": ('{"":0}', "a member name may be empty"),
        "sorted": ('{"A":1,"B":2,"_":3,"a":4}', "members ascend by their bytes"),
        "digits-sort-as-text": ('{"10":1,"9":2}', "member names are text, also where they look like numbers"),
        "largest-integer": ('{"n":9007199254740991}', "2^53-1"),
        "booleans": ('{"f":false,"t":true}', "true and false"),
        "accents": ('{"t":"Æther Déjà Vu"}', "characters stand for themselves"),
        "not-normalised": ('{"t":"e\u0301"}', "two code points stay two: no Unicode table is asked"),
        "beyond-the-first-plane": ('{"t":"\U0001f0cf"}', "four bytes of UTF-8"),
        "unassigned": ('{"t":"\u0378"}', "whether a code point is assigned does not matter"),
        "escapes": (r'{"t":"\"\\/"}', "only quote and backslash are escaped"),
        "brackets-in-text": ('{"t":"[[[[[[[[[[{{{{{{{{{{"}', "brackets inside a text are no levels"),
        "eight-levels": ('{"a":' + "[" * 7 + "]" * 7 + "}", "as deep as allowed"),
    }
    reads = [
        accepted(name, comment, "canonical.read", {"text": text}, {"value": json.loads(text)})
        for name, (text, comment) in texts.items()
    ]
    value = {"b": [1, True, "é"], "a": {"~": "", "!": 0}}
    write = accepted("written", "members are sorted", "canonical.write", {"value": value}, {"text": compact(value)})
    return [*reads, write]


def canonical_refused() -> Sequence[Test]:
    cases: Mapping[str, tuple[str | bytes, str, str, str]] = {
        "empty": ("", "not-json", "no bytes at all", "syntax"),
        "cut": ('{"a":1', "not-json", "the end is missing", "syntax"),
        "two-objects": ("{}{}", "not-json", "a second object behind the first", "syntax"),
        "array": ("[]", "not-json", "an array is no object", "syntax"),
        "text": ('"a"', "not-json", "a text is no object", "syntax"),
        "null-alone": ("null", "not-json", "null is no object", "syntax"),
        "trailing-comma": ('{"a":1,}', "not-json", "a comma too many", "syntax"),
        "single-quotes": ("{'a':1}", "not-json", "other quotes", "syntax"),
        "comment": ('{"a":1/**/}', "not-json", "JSON has no comments", "syntax"),
        "raw-newline": ('{"a":"\n"}', "not-json", "a control character inside a text", "syntax"),
        "leading-zero": ('{"a":01}', "not-json", "a zero before a number", "number"),
        "plus": ('{"a":+1}', "not-json", "a sign before a number", "number"),
        "arabic-digit": ('{"a":\u0661}', "not-json", "a digit that is not ASCII", "number"),
        "underscore": ('{"a":1_0}', "not-json", "an underscore inside a number", "number"),
        "fraction": ('{"a":1.0}', "number", "not whole as written", "number"),
        "exponent": ('{"a":1e2}', "number", "not whole as written", "number"),
        "minus-zero": ('{"a":-0}', "number", "zero has no sign", "number"),
        "negative": ('{"a":-1}', "number", "below zero", "number"),
        "too-large-integer": ('{"a":9007199254740992}', "number", "2^53", "number"),
        "thousands-of-digits": ('{"a":' + "7" * 5000 + "}", "number", "refused before it is computed", "number"),
        "nan": ('{"a":NaN}', "number", "some readers take it", "number"),
        "infinity": ('{"a":-Infinity}', "number", "some readers take it", "number"),
        "null": ('{"a":null}', "null", "what is absent is left out", ""),
        "twice": ('{"a":1,"a":2}', "duplicate-member", "some readers keep the last", ""),
        "twice-equal": ('{"a":1,"a":1}', "duplicate-member", "also where both are the same", ""),
        "twice-escaped": ('{"a":1,"\\u0061":2}', "duplicate-member", "the second is written with an escape", ""),
        "name-not-ascii": ('{"é":1}', "member-name", "member names are ASCII", ""),
        "space": ('{"a": 1}', "not-canonical", "a space after the colon", "form"),
        "newline-at-end": ('{"a":1}\n', "not-canonical", "a newline behind the object", "form"),
        "crlf-at-end": ('{"a":1}\r\n', "not-canonical", "a Windows line break behind the object", "form"),
        "unsorted": ('{"b":1,"a":2}', "not-canonical", "members out of order", "form"),
        "sorted-without-case": ('{"a":1,"B":2}', "not-canonical", "capitals come first", "form"),
        "needless-escape": ('{"a":"\\u0041"}', "not-canonical", "an escape for a plain letter", "form"),
        "escaped-slash": ('{"a":"\\/"}', "not-canonical", "an escape for a slash", "form"),
        "escaped-accent": ('{"a":"\\u00e9"}', "not-canonical", "an escape for a letter beyond ASCII", "form"),
        "escaped-pair": ('{"a":"\\ud83c\\udccf"}', "not-canonical", "a surrogate pair for one character", "form"),
        "escaped-nul": ('{"a":"\\u0000"}', "forbidden-character", "NUL", "characters"),
        "escaped-esc": ('{"a":"\\u001b[2J"}', "forbidden-character", "a terminal's escape sequence", "characters"),
        "lone-surrogate": ('{"a":"\\ud800"}', "forbidden-character", "half a pair", "characters"),
        "byte-order-mark": (b'\xef\xbb\xbf{"a":1}', "byte-order-mark", "as some editors save it", "encoding"),
        "utf-16": ('{"a":1}'.encode("utf-16-le"), "not-json", "another encoding", "encoding"),
        "latin-1": ('{"a":"é"}'.encode("latin-1"), "not-utf-8", "another encoding", "encoding"),
        "overlong": (b'{"a":"\xc0\xaf"}', "not-utf-8", "two bytes for one", "encoding"),
        "surrogate-bytes": (b'{"a":"\xed\xa0\x80"}', "not-utf-8", "half a pair as bytes", "encoding"),
        "beyond-unicode": (b'{"a":"\xf4\x90\x80\x80"}', "not-utf-8", "U+110000", "encoding"),
        "nine-levels": ('{"a":' + "[" * 8 + "]" * 8 + "}", "too-deep", "one level too many", "bounds"),
        "sixty-thousand-brackets": ("[" * 60_000, "too-deep", "refused before it is parsed", "bounds"),
    }
    tests = [
        refused(
            name,
            comment,
            "canonical.read",
            {"hex": data.hex()} if isinstance(data, bytes) else {"text": data},
            "canonical",
            code,
            *filter(None, [flag]),
        )
        for name, (data, code, comment, flag) in cases.items()
    ]
    limit = {"text": '{"a":1}', "limit": 6}
    tests.append(refused("over-the-limit", "seven bytes", "canonical.read", limit, "canonical", "too-large", "bounds"))
    forbidden = {
        "delete": "\x7f",
        "c1": "\x9b",
        "soft-hyphen": "\xad",
        "arabic-letter-mark": "\u061c",
        "vowel-separator": "\u180e",
        "zero-width-joiner": "\u200d",
        "line-separator": "\u2028",
        "right-to-left-override": "\u202e",
        "isolate": "\u2066",
        "variation-selector": "\ufe0f",
        "no-break-mark": "\ufeff",
        "annotation": "\ufff9",
        "noncharacter": "\U0005fffe",
        "tag": "\U000e0041",
    }
    return tests + [
        refused(
            f"forbidden-{name}",
            f"U+{ord(character):04X} in a text",
            "canonical.read",
            {"text": compact({"a": f"x{character}"})},
            "canonical",
            "forbidden-character",
            "characters",
        )
        for name, character in forbidden.items()
    ]


def canonical_not_written() -> Sequence[Test]:
    cases: Mapping[str, tuple[object, str]] = {
        "fraction": (1.5, "number"),
        "negative": (-1, "number"),
        "too-large": (MAX_INTEGER + 1, "number"),
        "null": (None, "null"),
        "forbidden": ("a\u202e", "forbidden-character"),
        "name": ({"é": 1}, "member-name"),
    }
    return [
        refused(f"unwritable-{name}", "is not written either", "canonical.write", {"value": [value]}, "canonical", code)
        for name, (value, code) in cases.items()
    ]


# token.json


def check(prefix: str, payload: bytes) -> bytes:
    return sha256(prefix.encode() + payload).digest()[:5]


def make_token(prefix: str, payload: bytes, *, wrong: bytes | None = None) -> str:
    letters = base64.b32encode(payload + (check(prefix, payload) if wrong is None else wrong)).decode().rstrip("=")
    return prefix + (letters if prefix.isupper() else letters.lower())


DIGEST = sha256(b"hiddenagenda test vectors").digest()
COMMITMENT = make_token("hac1", DIGEST)


def decoded(name: str, comment: str, text: str, prefix: str, payload: bytes, *flags: str) -> Test:
    gives = {"kind": prefix, "payload_hex": payload.hex()}
    return accepted(name, comment, "token.decode", {"text": text}, gives, *flags)


def token_accepted() -> Sequence[Test]:
    tests = [
        accepted(
            f"encode-{prefix}",
            "how such a token is written",
            "token.encode",
            {"kind": prefix, "payload_hex": DIGEST.hex()},
            {"text": make_token(prefix, DIGEST)},
        )
        for prefix in ("hac1", "has1", "hae1", "HAO1", "HAI1")
    ]
    damaged = {
        "plain": COMMITMENT,
        "capitals": COMMITMENT.upper(),
        "mixed-case": COMMITMENT.title(),
        "quoted": f"> > {COMMITMENT[:30]}\r\n> > {COMMITMENT[30:]}\r\n",
        "spaced": " ".join(COMMITMENT),
        "unicode-spaces": "\u2003\xa0".join([COMMITMENT[:9], COMMITMENT[9:20], COMMITMENT[20:]]),
    }
    tests += [
        decoded(f"tolerated-{name}", "what chats do to a token", text, "hac1", DIGEST) for name, text in damaged.items()
    ]
    return [
        *tests,
        decoded("empty-payload", "nothing but the check", make_token("HAO1", b""), "HAO1", b""),
        decoded("secret-in-small-letters", "case is ignored here, too", make_token("HAO1", b"x").lower(), "HAO1", b"x"),
    ]


def token_refused() -> Sequence[Test]:
    half = len(COMMITMENT) // 2
    cases: Mapping[str, tuple[str, str, str]] = {
        "nothing": ("", "no-token", "no characters"),
        "no-prefix": (COMMITMENT[1:], "no-token", "the first character is missing"),
        "other-prefix": ("hab1" + COMMITMENT[4:], "no-token", "no kind of ours"),
        "other-version": ("hac2" + COMMITMENT[4:], "no-token", "a later version is not guessed at"),
        "words-before": ("Ana: " + COMMITMENT, "no-token", "finding tokens in a chat is another operation"),
        "quotation-marks": (f"“{COMMITMENT}”", "no-token", "quotation marks are not ignored"),
        "zero": (COMMITMENT[:half] + "0" + COMMITMENT[half + 1 :], "token-character", "0 is no letter of base32"),
        "one": (COMMITMENT[:half] + "1" + COMMITMENT[half + 1 :], "token-character", "1 is none either"),
        "mark-inside": (
            COMMITMENT[:half] + ">" + COMMITMENT[half:],
            "token-character",
            "only leading marks are ignored",
        ),
        "zero-width": (COMMITMENT[:half] + "\u200b" + COMMITMENT[half:], "token-character", "U+200B is no white space"),
        "cyrillic": (COMMITMENT[:half] + "\u0430" + COMMITMENT[half + 1 :], "token-character", "looks like an a"),
        "padding": (COMMITMENT + "====", "token-character", "base32 is unpadded"),
        "hyphens": (COMMITMENT[:20] + "-" + COMMITMENT[20:], "token-character", "hyphens are not ignored"),
        "twice": (COMMITMENT * 2, "token-character", "two tokens are not one"),
        "only-prefix": ("HAO1", "token-length", "no payload and no check"),
        "shorter-than-a-check": ("HAO1AAAAAAA", "token-length", "four bytes"),
        "impossible-length": ("HAO1" + "A" * 9, "token-length", "no number of bytes has so many characters"),
        "dropped": (COMMITMENT[:half] + COMMITMENT[half + 1 :], "token-length", "one character is missing"),
        "doubled": (COMMITMENT[:half] + COMMITMENT[half - 1 :], "token-length", "one character stands twice"),
        "cut": (COMMITMENT[:-1], "token-length", "the last character is missing"),
        "commitment-of-31-bytes": (make_token("hac1", DIGEST[:31]), "token-length", "its check fits"),
        "commitment-of-33-bytes": (make_token("hac1", DIGEST + b"x"), "token-length", "its check fits"),
        "other-kind": ("has1" + COMMITMENT[4:], "token-check", "the check covers the kind"),
        "shouted-kind": ("HAO1" + COMMITMENT[4:], "token-check", "the check covers the kind"),
        "wrong-check": (make_token("hac1", DIGEST, wrong=bytes(5)), "token-check", "zeros instead of the check"),
        "check-without-prefix": (
            make_token("hac1", DIGEST, wrong=sha256(DIGEST).digest()[:5]),
            "token-check",
            "the check of the payload alone",
        ),
        "changed": (
            COMMITMENT[:half] + ("b" if COMMITMENT[half] != "b" else "c") + COMMITMENT[half + 1 :],
            "token-check",
            "one character is another",
        ),
        "swapped": (swap(COMMITMENT), "token-check", "two neighbours changed places"),
        "spare-bits": (spare_bits(make_token("HAO1", b"x")), "token-check", "the unused bits at the end are not zero"),
    }
    return [
        refused(f"token-{name}", comment, "token.decode", {"text": text}, "token", code)
        for name, (text, code, comment) in cases.items()
    ]


def swap(text: str) -> str:
    place = next(place for place in range(len(text) // 2, len(text) - 1) if text[place] != text[place + 1])
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def spare_bits(text: str) -> str:
    """Change the last letter so that the same bytes come out of a lenient reader."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    return text[:-1] + letters[letters.index(text[-1]) + 1]


LINES = Random(1).randbytes(2500)
OTHER_LINES = b'{"entry":{},"signature":""}\n'


def cut(packed: bytes, *, room: int = 1168, name: bytes | None = None) -> list[str]:
    name = sha256(packed).digest()[:8] if name is None else name
    parts = [packed[start : start + room] for start in range(0, len(packed), room)]
    return [piece(number, len(parts), name, part) for number, part in enumerate(parts, 1)]


def piece(number: int, count: int, name: bytes, data: bytes) -> str:
    return make_token("hae1", number.to_bytes(2, "big") + count.to_bytes(2, "big") + name + data)


def stored(lines: bytes) -> bytes:
    """Write a zlib stream without compression, so that these files do not depend on a version of zlib."""
    block = b"\x01" + len(lines).to_bytes(2, "little") + (len(lines) ^ 0xFFFF).to_bytes(2, "little") + lines
    return b"\x78\x01" + block + zlib.adler32(lines).to_bytes(4, "big")


def bundle_accepted() -> Sequence[Test]:
    parts, others = cut(stored(LINES)), cut(stored(OTHER_LINES))
    cases: Mapping[str, tuple[list[str], list[bytes], list[list[int]], str]] = {
        "one-piece": (others, [OTHER_LINES], [], "a bundle in one piece"),
        "small-pieces": (cut(stored(OTHER_LINES), room=5), [OTHER_LINES], [], "pieces may be of any size"),
        "any-order-doubled-mixed": (
            [parts[2], others[0], parts[0], parts[2], parts[1]],
            [LINES, OTHER_LINES],
            [],
            "bundles come in the order of their first pieces",
        ),
        "missing": ([parts[1]], [], [[1, 1, 3], [3, 3, 3]], "two pieces are still to come"),
    }
    return [
        accepted(
            f"bundle-{name}",
            comment,
            "bundle.gather",
            {"tokens": tokens},
            {"whole_hex": [lines.hex() for lines in whole], "missing": missing},
        )
        for name, (tokens, whole, missing, comment) in cases.items()
    ]


def bundle_refused() -> Sequence[Test]:
    packed = stored(OTHER_LINES)
    name = sha256(packed).digest()[:8]
    cases: Mapping[str, tuple[list[str], str]] = {
        "number-zero": ([piece(0, 1, name, packed)], "pieces count from 1"),
        "number-over-count": ([piece(2, 1, name, packed)], "the second of one"),
        "empty-piece": ([piece(1, 1, name, b"")], "no data"),
        "short-head": ([make_token("hae1", b"\0\1\0\1")], "no name"),
        "other-name": (cut(packed, name=bytes(8)), "the name is not the hash of the whole"),
        "contradiction": ([piece(1, 2, name, packed[:9]), piece(1, 2, name, packed[:8])], "two first pieces"),
        "not-packed": (cut(OTHER_LINES), "no zlib stream"),
        "cut-stream": (cut(packed[:-1]), "its checksum is cut"),
        "behind-the-stream": (cut(packed + b"x"), "a byte behind its end"),
        "wrong-checksum": (cut(packed[:-1] + bytes([packed[-1] ^ 1])), "its checksum does not fit"),
    }
    tests = [
        refused(f"bundle-{name}", comment, "bundle.gather", {"tokens": tokens}, "bundle", "bundle")
        for name, (tokens, comment) in cases.items()
    ]
    bomb = {"tokens": cut(packed), "limit": len(OTHER_LINES) - 1}
    return [
        *tests,
        refused("bundle-too-large", "one byte over the limit", "bundle.gather", bomb, "bundle", "too-large"),
        refused(
            "bundle-in-base64",
            "a piece must be a token",
            "bundle.gather",
            {"tokens": ["hae1" + base64.b64encode(packed).decode()]},
            "token",
            "token-character",
        ),
    ]


# slip.json

SALT = sha256(b"hiddenagenda test vectors: salt").hexdigest()
SLIP: Mapping[str, Any] = {
    "conspiracy": "Muzzio's Preparations",
    "game": "friday draft",
    "names": ["Grizzly Bears"],
    "player": "Ana",
    "protocol": "hiddenagenda/1",
    "salt": SALT,
    "slot": 1,
    "type": "slip",
}


def slip(**changes: object) -> str:
    return compact({name: value for name, value in {**SLIP, **changes}.items() if value is not None})


ROOM = 1024 - len(slip(game="g" * 500, player="").encode())


def slip_accepted() -> Sequence[Test]:
    cases: Mapping[str, tuple[Mapping[str, object], str]] = {
        "plain": ({}, "a hidden agenda"),
        "double": ({"conspiracy": "Summoner's Bond", "names": ["Elf", "Æther"]}, "a double agenda"),
        "no-names": ({"names": []}, "readable; a breach of form"),
        "three-names": ({"names": ["C", "B", "A"]}, "readable; a breach of form"),
        "no-conspiracy": ({"conspiracy": "Grizzly Bears"}, "readable; a breach of form"),
        "empty-texts": ({"conspiracy": "", "game": "", "names": [""], "player": ""}, "every text may be empty"),
        "last-slot": ({"slot": 16}, "the last slot"),
        "longest-text": ({"player": "ä" * 250 + "a" * 250}, "500 code points"),
        "largest": ({"game": "g" * 500, "player": "p" * ROOM}, "1,024 bytes"),
    }
    kept = [name for name in SLIP if name not in {"protocol", "type"}]
    return [
        accepted(
            f"slip-{name}",
            comment,
            "slip.read",
            {"text": slip(**changes)},
            {member: {**SLIP, **changes}[member] for member in kept},
        )
        for name, (changes, comment) in cases.items()
    ]


def slip_refused() -> Sequence[Test]:
    cases: Mapping[str, tuple[str, str, str, str]] = {
        "later-version": (slip(protocol="hiddenagenda/2"), "slip", "other-version", "another protocol version"),
        "later-members": (slip(protocol="hiddenagenda/2", new=1), "slip", "other-version", "which may have others"),
        "seat": (slip(type="seat"), "slip", "no-slip", "another type"),
        "no-type": (slip(type=None), "slip", "no-slip", "no type"),
        "unknown-member": (slip(note="x"), "slip", "no-slip", "a member that there is not"),
        "no-salt": (slip(salt=None), "slip", "no-slip", "anybody could guess it"),
        "no-game": (slip(game=None), "slip", "no-slip", "it would lie with any game"),
        "no-player": (slip(player=None), "slip", "no-slip", "it would be anybody's"),
        "no-slot": (slip(slot=None), "slip", "no-slip", "it would lie with any conspiracy"),
        "short-salt": (slip(salt=SALT[:-2]), "slip", "no-slip", "31 bytes"),
        "long-salt": (slip(salt=SALT + "00"), "slip", "no-slip", "33 bytes"),
        "capital-salt": (slip(salt=SALT.upper()), "slip", "no-slip", "hex digits are small"),
        "zero-salt": (slip(salt="0" * 64), "slip", "no-slip", "no generator draws it"),
        "arabic-salt": (slip(salt="\u0660" * 64), "slip", "no-slip", "digits that are not ASCII"),
        "number-salt": (slip(salt=7), "slip", "no-slip", "a number is no text"),
        "name-alone": (slip(names="Grizzly Bears"), "slip", "no-slip", "names are a list"),
        "number-name": (slip(names=[1]), "slip", "no-slip", "a number is no name"),
        "text-slot": (slip(slot="1"), "slip", "no-slip", "a text is no slot"),
        "true-slot": (slip(slot=True), "slip", "no-slip", "true is not 1"),
        "slot-zero": (slip(slot=0), "slip", "slot", "slots count from 1"),
        "slot-17": (slip(slot=17), "slip", "slot", "16 slots at the most"),
        "long-text": (slip(player="p" * 501), "slip", "too-long", "501 code points"),
        "large": (slip(game="g" * 500, player="p" * (ROOM + 1)), "canonical", "too-large", "1,025 bytes"),
        "newline": (slip() + "\n", "canonical", "not-canonical", "as an editor saves it"),
        "padded": (slip() + " " * 8, "canonical", "not-canonical", "padding is for sealed boxes alone"),
        "spaced": (json.dumps(SLIP), "canonical", "not-canonical", "as most programs write JSON"),
        "escaped": (slip(player="Zoë").replace("ë", "\\u00eb"), "canonical", "not-canonical", "another spelling"),
        "bidi": (slip(names=["Bears\u202e"]), "canonical", "forbidden-character", "invisible, and the name another"),
        "twice": (slip().replace('"slot":1', '"slot":1,"slot":2'), "canonical", "duplicate-member", "two slots"),
        "fraction-slot": (slip().replace('"slot":1', '"slot":1.0'), "canonical", "number", "1.0 is not 1"),
        "list": (f"[{slip()}]", "canonical", "not-json", "a list with a slip in it"),
    }
    return [
        refused(f"slip-{name}", comment, "slip.read", {"text": text}, layer, code)
        for name, (text, layer, code, comment) in cases.items()
    ]


HIDDEN = [
    "Adriana's Valor",
    "Assemble the Rank and Vile",
    "Brago's Favor",
    "Double Stroke",
    "Echoing Boon",
    "Hired Heist",
    "Immediate Action",
    "Incendiary Dissent",
    "Iterative Analysis",
    "Muzzio's Preparations",
    "Natural Unity",
    "Secret Summoning",
    "Secrets of Paradise",
    "Unexpected Potential",
]


def form_tests() -> Sequence[Test]:
    one, two = ["Elf"], ["Bear", "Elf"]
    kept = [("Summoner's Bond", two), *((name, one) for name in HIDDEN)]
    broken: list[tuple[str, list[str], str]] = [
        *((name, two, "two names for a hidden agenda") for name in HIDDEN),
        *((name, [], "no name") for name in HIDDEN),
        ("Summoner's Bond", one, "one name for the double agenda"),
        ("Summoner's Bond", [], "no name"),
        ("Summoner's Bond", ["Ape", "Bear", "Elf"], "three names"),
        ("Summoner's Bond", ["Elf", "Bear"], "not in ascending order"),
        ("Summoner's Bond", ["Elf", "Elf"], "the same name twice"),
        ("Summoner's Bond", ["\U00010000", "\uffee"], "order is by code points, not by UTF-16"),
        ("Backup Plan", one, "a conspiracy without an agenda"),
        ("Sovereign's Realm", one, "a conspiracy without an agenda"),
        ("Grizzly Bears", one, "no conspiracy"),
        ("muzzio's preparations", one, "other letters are another name"),
        ("Muzzio\u2019s Preparations", one, "another apostrophe is another name"),
    ]
    return [
        *(
            accepted(
                f"form-{number}",
                "the right number of names",
                "slip.form",
                {"conspiracy": conspiracy, "names": names},
                {},
            )
            for number, (conspiracy, names) in enumerate(kept, 1)
        ),
        *(
            refused(
                f"no-form-{number}",
                comment,
                "slip.form",
                {"conspiracy": conspiracy, "names": names},
                "slip",
                "bad-agenda-form",
            )
            for number, (conspiracy, names, comment) in enumerate(broken, 1)
        ),
    ]


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def commitment_accepted() -> Sequence[Test]:
    key = sha256(b"hiddenagenda test vectors: salt key").digest()
    unsalted = slip(salt=None)
    salt = hmac.new(key, unsalted.encode(), sha256).hexdigest()
    return [
        accepted(
            "derived-salt",
            "HMAC-SHA256 over the slip without salt",
            "slip.salt",
            {"key_hex": key.hex(), "text": unsalted},
            {"salt": salt},
        ),
        accepted(
            "commitment",
            "SHA-256 of the slip's bytes, and its token",
            "commitment.of",
            {"text": slip()},
            {"commitment": digest(slip()), "token": make_token("hac1", sha256(slip().encode()).digest())},
        ),
        accepted(
            "turned-up",
            "the slip that was committed to",
            "commitment.turn_up",
            {"commitment": digest(slip()), "text": slip()},
            {"names": ["Grizzly Bears"]},
        ),
    ]


def commitment_refused() -> Sequence[Test]:
    changes: Mapping[str, tuple[str, str]] = {
        "other-name": (slip(names=["Llanowar Elves"]), "another name"),
        "more-names": (slip(names=["Elf", "Grizzly Bears"]), "one name more"),
        "other-conspiracy": (slip(conspiracy="Double Stroke"), "another conspiracy"),
        "other-player": (slip(player="Ben"), "somebody who copied the commitment"),
        "other-game": (slip(game="saturday draft"), "a commitment used again"),
        "other-slot": (slip(slot=2), "another conspiracy of the same player"),
        "other-salt": (slip(salt=digest("x")), "another salt"),
        "other-version": (slip(protocol="hiddenagenda/2"), "another version"),
        "moved-character": (slip(player="An", game="afriday draft"), "a character moved to the next label"),
        "newline": (slip() + "\n", "a newline behind it"),
        "escaped": (slip().replace("Ana", "\\u0041na"), "another spelling of the same"),
        "nothing": ("", "no bytes"),
    }
    tests = [
        refused(
            f"mismatch-{name}",
            comment,
            "commitment.turn_up",
            {"commitment": digest(slip()), "text": text},
            "commitment",
            "slip-does-not-fit",
        )
        for name, (text, comment) in changes.items()
    ]
    own: Mapping[str, tuple[str, str, str, str]] = {
        "newline": (slip() + "\n", "canonical", "not-canonical", "it was committed to with a newline"),
        "pretty": (json.dumps(SLIP, indent=1), "canonical", "not-canonical", "it was committed to in another spelling"),
        "no-slip": ("Grizzly Bears", "canonical", "not-json", "a bare name was committed to"),
        "other-version": (slip(protocol="hiddenagenda/2"), "slip", "other-version", "a later version"),
    }
    digits = {"capitals": digest(slip()).upper(), "short": digest(slip())[:-1], "prefixed": "0x" + digest(slip())}
    return [
        *tests,
        *(
            refused(
                f"unreadable-{name}",
                comment,
                "commitment.turn_up",
                {"commitment": digest(text), "text": text},
                layer,
                code,
            )
            for name, (text, layer, code, comment) in own.items()
        ),
        *(
            refused(
                f"digits-{name}",
                "64 small hex digits",
                "commitment.turn_up",
                {"commitment": text, "text": slip()},
                "commitment",
                "commitment",
            )
            for name, text in digits.items()
        ),
    ]
