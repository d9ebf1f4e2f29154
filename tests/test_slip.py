"""The slip of paper: what it holds, what it refuses, and that it tells nobody."""

import copy
import dataclasses
import hashlib
import hmac
import json
import logging
import pickle
import pprint
import secrets
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

from hiddenagenda import canonical, token
from hiddenagenda.bundle import pack, read_piece
from hiddenagenda.cards.conspiracies import AGENDA_KINDS, CONSPIRACIES, Agenda
from hiddenagenda.commitment import Commitment, OpeningMismatch
from hiddenagenda.faults import HiddenAgendaError, Malformed, TooLarge
from hiddenagenda.slip import (
    LARGEST,
    LONGEST_TEXT,
    MOST_SLOTS,
    PROTOCOL,
    SALT_SIZE,
    Salt,
    Slip,
    check_length,
    check_slot,
    derived_salt,
    form_breach,
    read_slip,
)
from hiddenagenda.token import Kind

SALT = bytes(range(1, 33))
MEMBERS: Mapping[str, Any] = {
    "conspiracy": "Muzzio's Preparations",
    "game": "friday draft",
    "names": ["Grizzly Bears"],
    "player": "Ana",
    "protocol": "hiddenagenda/1",
    "salt": SALT.hex(),
    "slot": 1,
    "type": "slip",
}


def written(**changes: object) -> bytes:
    """Write a slip without our code; a member that is None is left out."""
    members = {name: value for name, value in {**MEMBERS, **changes}.items() if value is not None}
    return json.dumps(members, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def slip(**changes: Any) -> Slip:
    given: dict[str, Any] = {
        "conspiracy": "Muzzio's Preparations",
        "game": "friday draft",
        "names": ("Grizzly Bears",),
        "player": "Ana",
        "salt": Salt(SALT),
        "slot": 1,
    }
    return Slip(**given | changes)


def test_a_slip_is_one_canonical_line() -> None:
    assert slip().turn_face_up() == (
        b'{"conspiracy":"Muzzio\'s Preparations","game":"friday draft","names":["Grizzly Bears"],"player":"Ana",'
        b'"protocol":"hiddenagenda/1","salt":"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",'
        b'"slot":1,"type":"slip"}'
    )
    assert slip().turn_face_up() == written()


@pytest.mark.parametrize("names", [(), ("A",), ("A", "B"), ("B", "A"), ("A", "A"), ("A",) * 9, ("",), ("鳥 🃏",)])
@pytest.mark.parametrize("slot", [1, MOST_SLOTS])
def test_slips_of_any_number_of_names_are_readable(names: tuple[str, ...], slot: int) -> None:
    made = slip(names=names, slot=slot)
    assert read_slip(made.turn_face_up()) == made
    assert hash(read_slip(made.turn_face_up())) == hash(made)


def test_every_text_may_be_empty() -> None:
    made = slip(conspiracy="", game="", player="", names=("",))
    assert read_slip(made.turn_face_up()) == made


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (written(protocol="hiddenagenda/2"), "other-version"),
        (written(protocol=""), "other-version"),
        (written(protocol="hiddenagenda/2", more="x"), "other-version"),
        (written(protocol=1), "no-slip"),
        (written(protocol=None), "no-slip"),
        (written(type="seat"), "no-slip"),
        (written(type="seat", protocol="hiddenagenda/2"), "no-slip"),
        (written(type=None), "no-slip"),
        (written(more=1), "no-slip"),
        (written(conspiracy=None), "no-slip"),
        (written(salt=None), "no-slip"),
        (b"{}", "no-slip"),
        (written(conspiracy=1), "no-slip"),
        (written(game=["x"]), "no-slip"),
        (written(player=True), "no-slip"),
        (written(names="Grizzly Bears"), "no-slip"),
        (written(names=[1]), "no-slip"),
        (written(names=["A", ["B"]]), "no-slip"),
        (written(names={"0": "A"}), "no-slip"),
        (written(slot="1"), "no-slip"),
        (written(slot=True), "no-slip"),
        (written(slot=[1]), "no-slip"),
        (written(slot=0), "slot"),
        (written(slot=17), "slot"),
        (written(slot=-1), "number"),
        (written(slot=1.0), "number"),
        (written(salt=""), "no-slip"),
        (written(salt=SALT.hex()[:-2]), "no-slip"),
        (written(salt=SALT.hex() + "00"), "no-slip"),
        (written(salt=SALT.hex().upper()), "no-slip"),
        (written(salt=SALT.hex()[:-1] + "g"), "no-slip"),
        (written(salt=" " + SALT.hex()[1:]), "no-slip"),
        (written(salt="٠" * 64), "no-slip"),
        (written(salt=SALT.hex() + "\n"), "forbidden-character"),
        (written(salt="0" * 64), "no-slip"),
        (written(salt=1), "no-slip"),
        (written(player="An\u202ea"), "forbidden-character"),
        (written(names=["Grizzly\u200bBears"]), "forbidden-character"),
        (written(player="A" * 501), "too-long"),
        (written(player="A" * 500, game="A" * 500), "too-large"),
        (written() + b"\n", "not-canonical"),
        (written() + b" ", "not-canonical"),
        (written().replace(b'"slot":1', b'"slot":01'), "not-json"),
        (written().replace(b'"slot":1', b'"slot":1,"slot":1'), "duplicate-member"),
        (written().replace(b"Ana", b"\\u0041na"), "not-canonical"),
        (b"\xef\xbb\xbf" + written(), "byte-order-mark"),
        (b"[" + written() + b"]", "not-json"),
        (b"", "not-json"),
    ],
)
def test_what_is_no_slip_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_slip(data)
    assert caught.value.code == code
    assert SALT.hex() not in str(caught.value)
    assert "Grizzly" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"slot": 0}, "slot"),
        ({"slot": 17}, "slot"),
        ({"player": "A" * 501}, "too-long"),
        ({"names": ("A" * 501,)}, "too-long"),
        ({"game": "A" * 500, "player": "A" * 500}, "too-large"),
        ({"names": ("é" * 500,)}, "too-large"),
        ({"names": ("a\x1b",)}, "forbidden-character"),
        ({"conspiracy": "\ud800"}, "forbidden-character"),
    ],
)
def test_what_is_no_slip_is_not_made(changes: Mapping[str, Any], code: str) -> None:
    with pytest.raises(Malformed) as caught:
        slip(**changes)
    assert caught.value.code == code


def test_a_slip_has_1024_bytes_at_the_most() -> None:
    room = LARGEST - len(slip(player="", game="").turn_face_up())
    largest = slip(player="A" * 500, game="A" * (room - 500))
    assert len(largest.turn_face_up()) == LARGEST == 1024
    assert read_slip(largest.turn_face_up()) == largest
    with pytest.raises(TooLarge, match="the slip has 1025 bytes where 1024 are allowed"):
        slip(player="A" * 500, game="A" * (room - 499))
    with pytest.raises(TooLarge) as caught:
        read_slip(written(player="A" * 500, game="A" * (room - 499)))
    assert caught.value.code == "too-large"


def test_two_of_the_longest_names_fit() -> None:
    longest = (
        "Our Market Research Shows That Players Like Really Long Card Names So We Made this Card to Have the Absolute "
    )
    longest += "Longest Card Name Ever Elemental"
    made = slip(names=(longest, longest + "s"), game="f" * 64, player="f" * 64)
    assert len(made.turn_face_up()) < LARGEST


def test_caps_are_exact() -> None:
    check_length("player", "é" * LONGEST_TEXT)
    with pytest.raises(TooLarge, match="player: 501 characters where 500 are allowed"):
        check_length("player", "é" * (LONGEST_TEXT + 1))
    for slot in range(1, MOST_SLOTS + 1):
        check_slot(slot)


# Salts


def test_a_salt_is_32_bytes_and_not_all_zero() -> None:
    assert Salt(SALT).reveal() == SALT.hex()
    for wrong in (b"", SALT[:-1], SALT + b"x", bytes(SALT_SIZE)):
        with pytest.raises(ValueError, match="a salt is 32 bytes, not all zero"):
            Salt(wrong)


def test_salts_are_compared_by_value() -> None:
    assert Salt(SALT) == Salt(SALT)
    assert hash(Salt(SALT)) == hash(Salt(SALT))
    assert Salt(SALT) != Salt(SALT[::-1])
    assert Salt(SALT) != SALT


def test_two_equal_choices_have_different_salts_and_commitments() -> None:
    digests = {Commitment.of(slip(salt=Salt.generate()).turn_face_up()).hex for _ in range(1000)}
    assert len(digests) == 1000


@pytest.mark.parametrize("constant", [bytes(32), b"\xff" * 32, SALT])
def test_a_generator_that_repeats_itself_makes_no_salt(constant: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_bytes", lambda _size: constant)
    with pytest.raises(HiddenAgendaError, match="random numbers repeat") as caught:
        Salt.generate()
    assert caught.value.code == "random"
    assert constant.hex() not in repr(vars(caught.value))


def test_salts_come_from_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([SALT, SALT[::-1]])
    monkeypatch.setattr(secrets, "token_bytes", lambda size: next(drawn)[:size])
    assert Salt.generate() == Salt(SALT)


def test_a_derived_salt_is_the_hmac_of_the_slip_without_salt() -> None:
    key = b"k" * 32
    unsalted = slip().without_salt()
    assert unsalted == written(salt=None)
    assert derived_salt(key, unsalted).reveal() == hmac.new(key, unsalted, hashlib.sha256).hexdigest()
    assert slip(salt=Salt.generate()).without_salt() == unsalted


@pytest.mark.parametrize(
    "changes",
    [{"conspiracy": "x"}, {"game": "x"}, {"names": ("x",)}, {"names": ("A", "B")}, {"player": "x"}, {"slot": 2}],
)
def test_a_derived_salt_depends_on_the_whole_slip(changes: Mapping[str, Any]) -> None:
    key = b"k" * 32
    assert derived_salt(key, slip(**changes).without_salt()) != derived_salt(key, slip().without_salt())
    assert derived_salt(b"l" * 32, slip().without_salt()) != derived_salt(key, slip().without_salt())


# Guessing

CANDIDATES = ["Grizzly Bears", "Llanowar Elves", "Lightning Bolt", "Serra Angel", "Counterspell", "Giant Growth"]


def guesses(salts: list[str | None]) -> set[str]:
    return {
        hashlib.sha256(written(conspiracy=conspiracy, names=[name], salt=salt)).hexdigest()
        for conspiracy in AGENDA_KINDS
        for name in CANDIDATES
        for salt in salts
    }


def test_a_list_of_all_names_finds_nothing_without_the_salt() -> None:
    salt = Salt.generate()
    committed = Commitment.of(slip(salt=salt).turn_face_up())
    assert committed.hex in guesses([salt.reveal()])
    public = [committed.hex, hashlib.sha256(committed.digest).hexdigest(), hashlib.sha256(b"Ana").hexdigest()]
    names = [hashlib.sha256(name.encode()).hexdigest() for name in CANDIDATES]
    assert committed.hex not in guesses([None, "", "0" * 64, "f" * 64, SALT.hex(), *public, *names])


def test_the_commitment_alone_depends_on_the_salt() -> None:
    one, other = slip(salt=Salt.generate()), slip(salt=Salt.generate())
    assert one.without_salt() == other.without_salt()
    assert len(one.turn_face_up()) == len(other.turn_face_up())
    assert Commitment.of(one.turn_face_up()) != Commitment.of(other.turn_face_up())


@pytest.mark.parametrize("names", [("A",), ("A", "B"), ("A" * 300,), ("A" * 100, "B" * 141)])
def test_what_others_see_has_one_size_for_one_name_and_two(names: tuple[str, ...]) -> None:
    committed = Commitment.of(slip(names=names).turn_face_up())
    assert (len(committed.digest), len(committed.hex), len(committed.token)) == (32, 64, 64)


# Telling nobody

WAYS: Mapping[str, Callable[[object], object]] = {
    "repr": repr,
    "str": str,
    "format": format,
    "f-string": lambda thing: f"{thing} {thing!r} {thing!a}",
    "percent": lambda thing: "%s %r" % (thing, thing),  # noqa: UP031 - the way is what is tested
    "pprint": pprint.pformat,
    "inside a list": lambda thing: f"{[thing]} { ({'a': thing}) }",
    "json": json.dumps,
    "json of anything": lambda thing: json.dumps(thing, default=str),
    "msgspec": msgspec.json.encode,
    "msgspec builtins": msgspec.to_builtins,
    "pickle": pickle.dumps,
    "copy": lambda thing: repr(copy.copy(thing)),
    "deepcopy": lambda thing: repr(copy.deepcopy(thing)),
    "asdict": dataclasses.asdict,  # type: ignore[dict-item]
    "astuple": dataclasses.astuple,  # type: ignore[dict-item]
    "vars": vars,
    "bytes": bytes,  # type: ignore[dict-item]
    "logging": lambda thing: logging.LogRecord("a", 10, "b", 1, "%s %r", (thing, thing), None).getMessage(),
    "traceback": lambda thing: traceback.format_exception(HiddenAgendaError(thing)),  # type: ignore[arg-type]
}


def mismatch() -> OpeningMismatch:
    with pytest.raises(OpeningMismatch) as caught:
        Commitment(SALT[::-1]).turn_up(written())
    return caught.value


def refusal() -> Malformed:
    with pytest.raises(Malformed) as caught:
        read_slip(written(more=1))
    return caught.value


THINGS: Mapping[str, Callable[[], object]] = {
    "salt": lambda: Salt(SALT),
    "slip": slip,
    "read slip": lambda: read_slip(written()),
    "commitment": lambda: Commitment.of(written()),
    "commitment token": lambda: Commitment.of(written()).token,
    "opening token": lambda: token.decode(token.encode(Kind.SLIP, written())),
    "mismatch": mismatch,
    "refusal": refusal,
    "mismatch, said": lambda: mismatch().said,
    "refusal, said": lambda: refusal().said,
    "bundle of the commitment": lambda: read_piece(token.decode(pack(Commitment.of(written()).digest)[0]).payload),
}
KEPT_BY_VALUE = {"opening token"}
"""Carriers whose value is what they carry: they do not print it, and copying them copies it."""


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("way", WAYS)
def test_no_public_object_tells_the_secret(thing: str, way: str) -> None:
    if thing in KEPT_BY_VALUE and way in {"pickle", "asdict", "astuple", "msgspec", "msgspec builtins"}:
        return
    try:
        shown = WAYS[way](THINGS[thing]())
    except (TypeError, ValueError, NotImplementedError) as error:
        shown = repr(error)
    text = shown if isinstance(shown, bytes) else str(shown).encode()
    for secret in (SALT, SALT.hex().encode(), repr(SALT).encode()[2:-1], b"Grizzly", b"Muzzio"):
        assert secret not in text


def test_slips_and_salts_say_only_what_they_are() -> None:
    assert f"{slip()} {Salt(SALT)}" == "<Slip: face down> <Salt>"


@pytest.mark.parametrize("way", [pickle.dumps, copy.copy, copy.deepcopy, dataclasses.asdict])
def test_slips_are_not_copied_by_accident(way: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match="is not pickled"):
        way(slip())


# The agenda's form


def test_the_fifteen_and_their_kinds() -> None:
    kinds = list(AGENDA_KINDS.values())
    assert (len(kinds), kinds.count(Agenda.HIDDEN), kinds.count(Agenda.DOUBLE)) == (15, 14, 1)


@pytest.mark.parametrize("conspiracy", AGENDA_KINDS)
@pytest.mark.parametrize("names", [(), ("A",), ("A", "B"), ("A", "B", "C")], ids=len)
def test_each_of_the_fifteen_wants_its_number_of_names(conspiracy: str, names: tuple[str, ...]) -> None:
    kept = len(names) == AGENDA_KINDS[conspiracy].names
    said = form_breach(conspiracy, names)
    assert (said is None) == kept
    if said is not None:
        assert str(said) == f"“{conspiracy}” wants {AGENDA_KINDS[conspiracy].names} and the slip has {len(names)}"


@pytest.mark.parametrize("conspiracy", [name for name in CONSPIRACIES if name not in AGENDA_KINDS])
def test_the_other_conspiracies_have_no_agenda(conspiracy: str) -> None:
    assert str(form_breach(conspiracy, ("A",))) == f"“{conspiracy}” is not a conspiracy with hidden agenda"


@pytest.mark.parametrize("conspiracy", ["", "Grizzly Bears", "muzzio's preparations", "Muzzio’s Preparations"])
def test_nothing_else_has_one(conspiracy: str) -> None:
    assert form_breach(conspiracy, ("A",)) is not None


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Elf", "Elf"), "the two names are the same: “Elf”"),
        (("Elf", "Bear"), "the two names do not stand in ascending order"),
        (("elf", "Zombie"), "the two names do not stand in ascending order"),
        (("\U00010000", "\uffee"), "the two names do not stand in ascending order"),
        (("Bear", "Elf"), None),
        (("Zombie", "elf"), None),
        (("\uffee", "\U00010000"), None),
        (("\u00e9", "e\u0301"), "the two names do not stand in ascending order"),
        (("e\u0301", "\u00e9"), None),
    ],
)
def test_the_names_of_a_double_agenda_differ_and_ascend(names: tuple[str, ...], said: str | None) -> None:
    found = form_breach("Summoner's Bond", names)
    assert (None if found is None else str(found)) == said


def test_a_table_may_list_further_agenda_cards() -> None:
    further = {"Cube Plot": Agenda.HIDDEN, "Cube Twins": Agenda.DOUBLE}
    assert form_breach("Cube Plot", ("A",), further) is None
    assert form_breach("Cube Twins", ("A", "B"), further) is None
    assert form_breach("Cube Twins", ("A",), further) is not None
    assert form_breach("Cube Plot", ("A",)) is not None


def test_the_protocol_is_named_in_every_slip() -> None:
    assert canonical.read(slip().turn_face_up(), limit=LARGEST)["protocol"] == PROTOCOL
