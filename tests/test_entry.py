"""Shapes, seats, tables, entries and lines: what reads, and what is refused with which words."""

import json
import pprint
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from talk import NAMES, Talk, around, identity, key, seat, table

from hiddenagenda import canonical, token
from hiddenagenda.cards.conspiracies import Agenda
from hiddenagenda.entry import (
    KINDS,
    LAST_SEQ,
    MOST_PARENTS,
    Act,
    Apply,
    Body,
    Commit,
    End,
    Entry,
    Leave,
    Note,
    Open,
    Pass,
    Seal,
    ShownSlip,
    Step,
    frame,
    read_entry,
)
from hiddenagenda.faults import IllegalMove, Malformed, TooLarge
from hiddenagenda.line import FRAME_SIZE, LARGEST, read_line, sign
from hiddenagenda.publickey import UnusableKey
from hiddenagenda.record import read_record
from hiddenagenda.seat import Seat, read_seat
from hiddenagenda.shape import Shape, encode
from hiddenagenda.slip import MOST_SLOTS, read_slip
from hiddenagenda.table import MOST_FURTHER, AgendaCard, Judge, NamesList, Table

GAME = "ab" * 32
A, B, C = ("0" * 63 + digit for digit in "abc")
ANA = key("Ana")


def slip(slot: int = 1, player: str = ANA, **other: Any) -> ShownSlip:
    members = {"conspiracy": "Muzzio's Preparations", "game": GAME, "names": ("Grizzly Bears",), "salt": "5a" * 32}
    return ShownSlip(player=player, slot=slot, **(members | other))


BODIES: list[Body] = [
    table(),
    table(16, judge=True),
    table(names=NamesList(date="2025-09-26", digest=A), conspiracies=(AgendaCard(agenda="double", name="Twin Plots"),)),
    table(conspiracies=(), label=""),
    Commit(commitments=()),
    Commit(commitments=(A, B), sealed=("", "0f", "abc")),
    Seal(),
    Open(slips=(slip(),), when=""),
    Open(slips=tuple(slip(number) for number in range(1, 17)), when="turn 3, upkeep"),
    Apply(card="Lim-Dûl's Vault", slot=16),
    Step(active=A, priority=False, step="untap", turn=1),
    Pass(),
    Act(text='says "no \\ yes"'),
    Leave(player=ANA, slips=(), why="conceded"),
    Leave(player=B, slips=(slip(2), slip(3)), why=""),
    End(outcome="draw"),
    Note(text="x" * 500),
    Note(entry=A, text="𝔊" * 500),
]


def framed(body: Body, **other: Any) -> Entry[Body]:
    if isinstance(body, Table):
        return frame(body, author=ANA)
    members: dict[str, Any] = {"author": ANA, "game": GAME, "parents": (A,)}
    return frame(body, **(members | other))


def shapes(of: type[Shape] = Shape) -> list[type[Shape]]:
    return [shape for child in of.__subclasses__() for shape in (child, *shapes(child))]


@pytest.mark.parametrize("shape", shapes())
def test_fields_stand_in_the_order_of_their_names(shape: type[Shape]) -> None:
    fields = shape.__struct_fields__
    assert list(fields) == sorted(fields)
    assert shape.__struct_config__.frozen
    assert shape.__struct_config__.forbid_unknown_fields


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_writing_and_reading_back_is_the_identity(body: Body) -> None:
    entry = framed(body, time="2025-09-30T19:05:00.25Z")
    raw = encode(entry)
    assert read_entry(raw) == entry
    assert encode(read_entry(raw)) == raw
    assert canonical.write(canonical.read(raw, limit=LARGEST)) == raw
    assert entry.type == KINDS[type(body)]
    line = sign(entry, identity("Ana"))
    assert read_line(line.data) == line
    assert line.data == around(raw)
    assert line.id == sha256(raw).hexdigest()
    assert len(line.data) == len(raw) + FRAME_SIZE


def test_the_frame_sorts_the_parents() -> None:
    assert frame(Seal(), author=ANA, game=GAME, parents=(C, A, B), seq=7).parents == (A, B, C)


def test_the_game_of_a_table_is_its_own_id() -> None:
    talk = Talk()
    assert talk.table.game == talk.table.id == talk.say("Ben").game


def test_the_largest_lawful_entries_fit_into_a_line() -> None:
    boxes = tuple("ff" * 1072 for _ in range(MOST_SLOTS))
    commit = framed(Commit(commitments=(A,) * MOST_SLOTS, sealed=boxes), parents=parents(MOST_PARENTS), seq=LAST_SEQ)
    room = 1024 - len(slip(16, names=("", "")).data)
    full = tuple(slip(slot, names=("a" * 400, "b" * (room - 400 + (slot < 10)))) for slot in range(1, MOST_SLOTS + 1))
    assert {len(one.data) for one in full} == {1024}
    leave = framed(Leave(player=ANA, slips=full, why="𝔊" * 500), parents=parents(MOST_PARENTS), seq=LAST_SEQ)
    for entry in (commit, leave):
        assert len(sign(entry, identity("Ana")).data) < LARGEST


def parents(number: int) -> tuple[str, ...]:
    return tuple(f"{count:064x}" for count in range(number))


def changed(body: Body, change: Callable[[dict[str, Any]], object], **other: Any) -> bytes:
    """Return the canonical bytes of an entry after ``change`` has been at its members."""
    entry = json.loads(encode(framed(body, **other)))
    change(entry)
    return canonical.write(entry)


def put(place: str, value: Any) -> Callable[[dict[str, Any]], object]:
    def change(entry: Any) -> None:
        *way, last = place.split(".")
        for step in way:
            entry = entry[int(step) if step.isdigit() else step]
        entry[int(last) if last.isdigit() else last] = value

    return change


def drop(place: str) -> Callable[[dict[str, Any]], object]:
    def change(entry: Any) -> None:
        *way, last = place.split(".")
        for step in way:
            entry = entry[int(step) if step.isdigit() else step]
        del entry[last]

    return change


SLIP = Open(slips=(slip(1), slip(2)), when="")
SEATED = table(judge=True)
MISSHAPEN: list[tuple[Body, Callable[[dict[str, Any]], object], str]] = [
    (Seal(), drop("author"), "“author” is missing"),
    (Seal(), drop("game"), "names no game"),
    (Seal(), drop("type"), "“author” may not|“body.active” is missing|“type”"),
    (Seal(), drop("parents"), "“parents” is missing"),
    (Seal(), put("more", 1), "“more” is unknown"),
    (Seal(), put("body.more", 1), "“body.more” is unknown"),
    (Seal(), put("author", ANA[:-1]), "“author” may not"),
    (Seal(), put("author", ANA.upper()), "not lower-case hex"),
    (Seal(), put("author", "é" * 64), "not lower-case hex"),
    (Seal(), put("game", "x" * 64), "not lower-case hex"),
    (Seal(), put("parents", ["G" * 64]), "not lower-case hex"),
    (Seal(), put("parents", [A, "g" * 64]), "not lower-case hex"),
    (Seal(), put("parents", []), "no parents"),
    (Seal(), put("parents", [A, A]), "ascending"),
    (Seal(), put("parents", [B, A]), "ascending"),
    (Seal(), put("parents", list(parents(MOST_PARENTS + 1))), "“parents” may not"),
    (Seal(), put("seq", 0), "“seq”"),
    (Seal(), put("seq", LAST_SEQ + 1), "“seq”"),
    (Seal(), put("seq", True), "“seq”"),
    (Seal(), put("seq", "1"), "“seq”"),
    (Seal(), put("type", "note"), "“body.text” is missing"),
    (Seal(), put("type", "notes"), "“body"),
    (Seal(), put("type", "play"), "“body"),
    (Seal(), put("type", "table"), "“body"),
    (Note(text=""), put("type", "play"), "“body"),
    (Pass(), put("type", "note"), "“body"),
    (Pass(), put("type", "foo"), "“type” may not"),
    (Pass(), put("body.do", "past"), "“body.do” may not"),
    (Pass(), put("body.text", ""), "“body.text” is unknown"),
    (Act(text=""), drop("body.text"), "“body.text” is missing"),
    (Seal(), put("time", "2025-09-30T19:05:00+00:00"), "its time"),
    (Seal(), put("time", "2025-09-30t19:05:00z"), "its time"),
    (Seal(), put("time", "2025-13-30T19:05:00Z"), "its time"),
    (Seal(), put("time", "٢٠٢٥-09-30T19:05:00Z"), "its time"),
    (table(), put("seq", 2), "a table is the first entry"),
    (table(), put("parents", [A]), "a table is the first entry"),
    (table(), put("game", A), "a table is the first entry"),
    (table(), put("author", key("Cleo")), "does not sit at it"),
    (table(), put("body.players.1.key", ANA), "the same key"),
    (table(), put("body.players.1.name", "Ana"), "the same name"),
    (table(), put("body.players.1.nonce", A[1:]), "nonce"),
    (table(), put("body.players.1.type", "chair"), "type"),
    (table(), put("body.players", []), "“body.players” may not"),
    (table(), lambda entry: entry["body"]["players"].pop(), "“body.players” may not"),
    (table(), put("body.priority", "none"), "“body.priority”"),
    (table(), put("body.label", "x" * 501), "“body.label”"),
    (table(), put("body.edition", 2014), "“body.edition”"),
    (table(), drop("body.label"), "“body.label” is missing"),
    (SEATED, put("body.judge.key", ANA), "the same key"),
    (SEATED, put("body.judge.name", "Ben"), "the same name"),
    (SEATED, drop("body.judge.key"), "“body.judge.key” is missing"),
    (table(), put("body.names", {"date": "today"}), "“body.names.digest” is missing"),
    (table(), put("body.conspiracies", [{"agenda": "none", "name": "X"}]), "agenda"),
    (table(), put("body.conspiracies", [{"agenda": "hidden", "name": "X"}] * 2), "a conspiracy twice"),
    (table(), put("body.conspiracies", [{"agenda": "double", "name": "Double Stroke"}]), "by the rules"),
    (
        table(),
        put("body.conspiracies", [{"agenda": "hidden", "name": str(count)} for count in range(MOST_FURTHER + 1)]),
        "“body.conspiracies”",
    ),
    (Commit(commitments=()), put("body.commitments", [A] * 17), "“body.commitments”"),
    (Commit(commitments=()), put("body.commitments", [A.upper()]), "“body.commitments"),
    (Commit(commitments=()), put("body.commitments", [A + "\n"]), "U+000A"),
    (Commit(commitments=()), put("body.sealed", ["0F"]), "“body.sealed"),
    (Commit(commitments=()), put("body.sealed", [""] * 17), "“body.sealed"),
    (SLIP, put("body.slips", []), "“body.slips”"),
    (SLIP, put("body.slips.0.slot", 0), "slot"),
    (SLIP, put("body.slips.1.slot", 17), "slot"),
    (SLIP, put("body.slips.1.slot", 1), "order of their slots"),
    (SLIP, put("body.slips.0.slot", 3), "order of their slots"),
    (SLIP, put("body.slips.1.player", B), "several players"),
    (SLIP, put("body.slips.0.salt", "00" * 32), "all zeros"),
    (SLIP, put("body.slips.0.salt", "00" * 31), "salt"),
    (SLIP, put("body.slips.0.names", ["x" * 501]), "names"),
    (SLIP, put("body.slips.0.names", "Grizzly Bears"), "names"),
    (SLIP, put("body.slips.0.type", "slap"), "type"),
    (SLIP, put("body.slips.0.names", ["x" * 400, "y" * 500]), "1024"),
    (Leave(player=ANA, slips=(), why=""), put("body.player", ANA[1:]), "“body.player”"),
    (Leave(player=ANA, slips=(slip(1), slip(2)), why=""), put("body.slips.0.player", B), "several players"),
    (Apply(card="", slot=1), put("body.slot", 17), "“body.slot”"),
    (Apply(card="", slot=1), put("body.card", "x" * 501), "“body.card”"),
    (Step(active=A, priority=True, step="", turn=1), put("body.turn", 0), "“body.turn”"),
    (Step(active=A, priority=True, step="", turn=1), put("body.active", "me"), "“body.active”"),
    (Step(active=A, priority=True, step="", turn=1), put("body.priority", 1), "“body.priority”"),
    (Note(text=""), put("body.entry", A[1:]), "“body.entry”"),
    (Note(text=""), put("body.text", "x" * 501), "“body.text”"),
]


@pytest.mark.parametrize(("body", "change", "words"), MISSHAPEN)
def test_what_has_not_exactly_its_shape_is_refused(
    body: Body, change: Callable[[dict[str, Any]], object], words: str
) -> None:
    try:
        raw = changed(body, change)
    except Malformed:  # not even canonical: made by hand
        entry = json.loads(encode(framed(body)))
        change(entry)
        raw = json.dumps(entry, separators=(",", ":"), sort_keys=True).encode()
    for refuse in (lambda: read_entry(raw), lambda: read_line(around(raw))):
        with pytest.raises(Malformed) as caught:
            refuse()
        assert any(word in str(caught.value) for word in words.split("|")), str(caught.value)


@pytest.mark.parametrize("place", ["body.players.0.protocol", "body.protocol"])
def test_another_version_of_the_protocol_is_told_so(place: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_entry(changed(table(), put(place, "hiddenagenda/2")))
    assert caught.value.code == "other-version"
    assert caught.value.hint


def test_a_protocol_left_out_is_not_filled_in() -> None:
    for place in ("body.protocol", "body.players.0.type"):
        with pytest.raises(Malformed, match="a member is missing"):
            read_entry(changed(table(), drop(place)))


@pytest.mark.parametrize("unsafe", ["00" * 32, "01" + "00" * 31, "ff" * 32])
def test_an_unsafe_key_makes_a_table_unreadable(unsafe: str) -> None:
    for place in ("body.players.1.key", "body.judge.key"):
        with pytest.raises(UnusableKey):
            read_entry(changed(SEATED, put(place, unsafe)))


def test_a_slip_stands_in_the_line_as_it_was_hashed() -> None:
    shown = slip(names=("Lim-Dûl's Vault", 'Say "\\"'))
    line = sign(framed(Open(slips=(shown,), when="")), identity("Ana"))
    assert shown.data in line.data
    assert sha256(shown.data).hexdigest() == shown.digest
    assert read_slip(shown.data).turn_face_up() == shown.data


def test_slips_are_read_as_slip_files_are() -> None:
    for body, change, _ in MISSHAPEN:
        if body is not SLIP:
            continue
        entry = json.loads(encode(framed(body)))
        change(entry)
        slips = entry["body"]["slips"]
        alone = [False]
        for one in slips:
            try:
                read_slip(canonical.write(one))
            except Malformed:
                alone.append(True)
        in_order = [one["slot"] for one in slips] == sorted({one["slot"] for one in slips}) and slips
        assert any(alone) or not in_order or len({one["player"] for one in slips}) > 1


def test_no_text_form_of_an_entry_shows_a_salt() -> None:
    entry = framed(SLIP)
    line = sign(entry, identity("Ana"))
    texts = [repr(entry), str(entry.body), f"{entry}", pprint.pformat(entry), repr(list(entry.__rich_repr__()))]
    texts += [repr(slip().__rich_repr__()), repr(line), f"{line}", repr(line.__rich_repr__())]
    texts.append(repr(read_record(line.data[:-1] + b"?\n").aside))
    for text in texts:
        assert "5a5a" not in text
    assert "5a5a" in line.data.decode()


def test_further_conspiracies_are_agendas() -> None:
    assert table().further == {}
    assert BODIES[2].further == {"Twin Plots": Agenda.DOUBLE}  # type: ignore[union-attr]


def test_the_roster_is_in_turn_order_and_the_judge_comes_last() -> None:
    assert table(3).roster == tuple(map(key, NAMES[:3]))
    assert SEATED.roster == (*map(key, NAMES[:2]), key("Judge"))


def test_a_judge_may_set_the_table() -> None:
    assert read_entry(encode(frame(SEATED, author=key("Judge")))).author == key("Judge")


# Bytes


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b'"text":"hello"', b'"text": "hello"', "not-canonical"),
        (b'"text":"hello"', b'"text":"h\\u0065llo"', "not-canonical"),
        (b'"text":"hello"', b'"text":"hello\\/"', "not-canonical"),
        (b'"text":"hello"', b'"text":"hello","text":"hello"', "duplicate-member"),
        (b'"text":"hello"', b'"text":"hel\\nlo"', "forbidden-character"),
        (b'"text":"hello"', b'"text":"hel\\u0001lo"', "forbidden-character"),
        (b'"text":"hello"', b'"text":"hel\x01lo"', "not-json"),
        (b'"text":"hello"', b'"text":"hel\x7flo"', "forbidden-character"),
        (b'"text":"hello"', b'"text":"hel\\\\\x7flo"', "forbidden-character"),
        (b'"text":"hello"', '"text":"hel\u202elo"'.encode(), "forbidden-character"),
        (b'"text":"hello"', '"text":"hel\u00ad\\\\lo"'.encode(), "forbidden-character"),
        (b'"text":"hello"', '"text":"hel\U000e0041lo"'.encode(), "forbidden-character"),
        (b'"text":"hello"', b'"text":"\\ud800"', "forbidden-character"),
        (b'"text":"hello"', b'"text":"\xed\xa0\x80"', "not-utf-8"),
        (b'"text":"hello"', b'"text":"\xff"', "not-utf-8"),
        (b'"text":"hello"', b'"text":null', "null"),
        (b'"text":"hello"', b'"text":' + b"[" * 30_000, "too-deep"),
        (b'"text":"hello"', b'"text":' + b'{"a":' * 6_000, "too-deep"),
        (b'"seq":1', b'"seq":1.0', "number"),
        (b'"seq":1', b'"seq":1e0', "number"),
        (b'"seq":1', b'"seq":-0', "number"),
        (b'"seq":1', b'"seq":01', "not-json"),
        (b'"seq":1', b'"seq":' + b"9" * 5_000, "number"),
        (b'"seq":1', b'"seq":9007199254740992', "number"),
        (b'"seq":1', b'"seq":NaN', "number"),
        (b'{"author"', b'{"author":"","author"', "duplicate-member"),
        (b'"type":"note"}', b'"type":"note"} ', "not-canonical"),
        (b'"type":"note"}', b'"type":"note"},"x":1', "not-json"),
        (b'"type":"note"}', b'"type":"note"', "not-json"),
        (b'"type":"note"}', b'"type":"no\\u0074e"}', "not-canonical"),
        (b'"type":"note"}', b'"type":"note",}', "not-json"),
    ],
)
def test_bytes_that_are_not_canonical_are_refused(old: bytes, new: bytes, code: str) -> None:
    raw = encode(framed(Note(text="hello")))
    assert raw.count(old) == 1
    raw = raw.replace(old, new)
    with pytest.raises(Malformed) as caught:
        read_entry(raw)
    assert caught.value.code == code
    with pytest.raises(Malformed):
        read_line(around(raw))


def test_positions_are_those_of_the_line() -> None:
    data = around(encode(framed(Note(text="hello"))).replace(b"hello", b"hel\xfflo"))
    with pytest.raises(Malformed) as caught:
        read_line(data)
    assert caught.value.position == data.index(b"\xff")


def test_text_with_backslashes_and_quotes_reads() -> None:
    for text in ("\\", '"', '\\"', "\\n", "\\\\u0001", 'a\\"b\\\\'):
        entry = framed(Note(text=text))
        assert read_entry(encode(entry)) == entry


LINE = around(encode(framed(Note(text="hello"))))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xef\xbb\xbf" + LINE, "byte-order-mark"),
        (b" " + LINE, "not-canonical"),
        (LINE + b" ", "not-canonical"),
        (LINE + b"\r", "not-canonical"),
        (LINE[:-1], "not-json"),
        (LINE[1:], "not-json"),
        (LINE.replace(b'"entry":', b'"Entry":'), "no-line"),
        (LINE.replace(b'"signature":', b'"signatura":'), "no-line"),
        (LINE[:-3] + b'"}', "no-line"),
        (LINE.replace(b'"author"', b'"Author"').upper(), "no-line"),
        (LINE[:-3] + b'F"}', "no-line"),
        (LINE[:-3] + b'\n"}', "not-json"),
        (LINE[: -(FRAME_SIZE - 9)] + b"}", "no-line"),
        (b"[]", "not-json"),
        (b"1", "not-json"),
        (b"x", "not-json"),
        (b"{}", "no-line"),
        (b"\x00" * 300, "not-json"),
        (b'{"entry":' + LINE[-144:], "not-json"),
        (b"[" * LARGEST, "too-deep"),
        (LINE + b" " * LARGEST, "too-large"),
    ],
)
def test_what_is_no_line_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_line(data)
    assert caught.value.code == code


def test_a_signature_inside_a_body_is_no_end_of_the_entry() -> None:
    text = '","signature":"' + "0" * 128 + '"}'
    line = sign(framed(Note(text=text)), identity("Ana"))
    assert read_line(line.data).entry.body == Note(text=text)


def test_a_line_at_the_cap_reads_and_one_byte_more_does_not() -> None:
    def sealed(digits: int) -> bytes:
        return around(encode(framed(Commit(commitments=(), sealed=("f" * digits,)))))

    room = LARGEST - len(sealed(0))
    assert len(sealed(room)) == LARGEST
    read_line(sealed(room))
    with pytest.raises(TooLarge):
        read_line(sealed(room + 1))


def test_signing_refuses_what_others_could_not_read() -> None:
    with pytest.raises(IllegalMove):
        sign(framed(Seal()), identity("Ben"))
    with pytest.raises(Malformed):
        sign(framed(Note(text="x" * 501)), identity("Ana"))
    with pytest.raises(TooLarge):
        sign(framed(Commit(commitments=(), sealed=("f" * LARGEST,))), identity("Ana"))


def test_another_signature_makes_another_line_of_the_same_entry() -> None:
    line = read_line(LINE, 7)
    other = line.signed_by("0" * 128)
    assert (other.id, other.entry, other.raw, other.number) == (line.id, line.entry, line.raw, 7)
    assert other.data == LINE[:-130] + b"0" * 128 + b'"}'


# Seats


def test_a_seat_reads_back_and_travels_as_a_token() -> None:
    ana = seat("Ana")
    assert read_seat(encode(ana)) == ana
    assert token.decode(ana.token) == token.Token(kind=token.Kind.SEAT, payload=encode(ana))
    largest = Seat(key=ANA, name="𝔊" * 500, nonce=A)
    assert read_seat(encode(largest)) == largest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"Ana"', b"3"),
        (b'"name":"Ana",', b""),
        (b',"type":"seat"', b""),
        (b'"type":"seat"', b'"type":"slip"'),
        (b'"Ana"', b'"' + b"x" * 501 + b'"'),
        (b'"Ana"', b'"' + b"x" * 5000 + b'"'),
        (b"hiddenagenda/1", b"hiddenagenda/2"),
        (ANA.encode(), b"00" * 32),
        (ANA.encode(), b"00" * 31),
    ],
)
def test_what_is_no_seat_is_refused(old: bytes, new: bytes) -> None:
    data = encode(seat("Ana"))
    assert old in data
    with pytest.raises(Malformed):
        read_seat(data.replace(old, new))


def test_values_do_not_change() -> None:
    with pytest.raises(AttributeError):
        seat("Ana").name = "Ben"  # type: ignore[misc]
    assert msgspec.structs.replace(seat("Ana"), name="Ben").name == "Ben"
    assert Judge(key=ANA, name="").name == ""
    assert framed(Seal()).time is UNSET
