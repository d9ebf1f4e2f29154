"""The face-down card: what turns it up, and that nothing else does."""

import dataclasses
import hashlib
import itertools
import json
import subprocess
from pathlib import Path

import pytest

from hiddenagenda import token
from hiddenagenda.commitment import Commitment, OpeningMismatch
from hiddenagenda.faults import HiddenAgendaError, Malformed
from hiddenagenda.slip import Salt, Slip, read_slip
from hiddenagenda.token import Kind

SLIP = Slip(
    conspiracy="Muzzio's Preparations",
    game="friday draft",
    names=("Grizzly Bears",),
    player="Ana",
    salt=Salt(bytes(range(1, 33))),
    slot=1,
)
BYTES = SLIP.turn_face_up()
COMMITTED = Commitment.of(BYTES)


def test_a_commitment_is_the_sha256_of_the_slip() -> None:
    assert COMMITTED.digest == hashlib.sha256(BYTES).digest()
    assert COMMITTED.hex == hashlib.sha256(BYTES).hexdigest()
    assert COMMITTED.hex == "b90cd2906b82e945cbe8364da3c9d20df887c9baaa53cc700ae90fb7f1020154"


def test_sha256sum_of_a_slip_file_prints_it(tmp_path: Path) -> None:
    file = tmp_path / "slip"
    file.write_bytes(BYTES)
    try:
        done = subprocess.run(["sha256sum", file], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        pytest.skip("no sha256sum here")
    assert done.stdout.split()[0] == COMMITTED.hex


def test_hex_and_token_lead_back() -> None:
    assert Commitment.from_hex(COMMITTED.hex) == COMMITTED
    assert token.decode(COMMITTED.token) == token.Token(kind=Kind.COMMITMENT, payload=COMMITTED.digest)


@pytest.mark.parametrize(
    "digits",
    ["", "00", "g" * 64, "A" * 64, "0" * 63, "0" * 65, "0" * 64 + "\n", " " + "0" * 63, "٠" * 64, "0x" + "0" * 62],
)
def test_only_64_small_hex_digits_are_a_commitment(digits: str) -> None:
    with pytest.raises(Malformed) as caught:
        Commitment.from_hex(digits)
    assert caught.value.code == "commitment"


@pytest.mark.parametrize("size", [0, 20, 31, 33, 64])
def test_only_32_bytes_are_a_commitment(size: int) -> None:
    with pytest.raises(Malformed, match=f"a commitment has 32 bytes, this has {size}") as caught:
        Commitment(bytes(size))
    assert caught.value.code == "commitment"


def test_commitments_are_compared_by_value() -> None:
    assert Commitment(COMMITTED.digest) == COMMITTED
    assert hash(Commitment(COMMITTED.digest)) == hash(COMMITTED)
    others: list[object] = [Commitment(bytes(32)), COMMITTED.digest, COMMITTED.hex]
    assert COMMITTED not in others


def test_the_slip_turns_it_up() -> None:
    assert COMMITTED.turn_up(BYTES) == SLIP


def test_another_slip_does_not() -> None:
    other = dataclasses.replace(SLIP, names=("Llanowar Elves",)).turn_face_up()
    with pytest.raises(OpeningMismatch) as caught:
        COMMITTED.turn_up(other)
    error = caught.value
    assert (error.expected, error.got, error.code) == (COMMITTED, Commitment.of(other), "slip-does-not-fit")
    assert str(error) == f"the slip hashes to {error.got.hex}, the commitment is {COMMITTED.hex}"
    assert isinstance(error, HiddenAgendaError)
    assert not isinstance(error, Malformed)


@pytest.mark.parametrize(
    "changes",
    [
        {"conspiracy": "Double Stroke"},
        {"game": "saturday draft"},
        {"player": "Ben"},
        {"slot": 2},
        {"salt": Salt(b"s" * 32)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_copied_commitment_fits_no_slip_of_the_copier(changes: dict[str, object]) -> None:
    with pytest.raises(OpeningMismatch):
        COMMITTED.turn_up(dataclasses.replace(SLIP, **changes).turn_face_up())  # type: ignore[arg-type]


def test_a_commitment_to_another_version_is_told_apart() -> None:
    data = BYTES.replace(b"hiddenagenda/1", b"hiddenagenda/2")
    with pytest.raises(OpeningMismatch):
        COMMITTED.turn_up(data)
    with pytest.raises(Malformed) as caught:
        Commitment.of(data).turn_up(data)
    assert caught.value.code == "other-version"


def test_every_changed_byte_is_noticed() -> None:
    for place in range(len(BYTES)):
        changed = BYTES[:place] + bytes([BYTES[place] ^ 1]) + BYTES[place + 1 :]
        with pytest.raises(OpeningMismatch):
            COMMITTED.turn_up(changed)


def test_the_hash_is_looked_at_first() -> None:
    with pytest.raises(OpeningMismatch):
        COMMITTED.turn_up(b"no slip at all")
    with pytest.raises(Malformed) as caught:
        Commitment.of(b"no slip at all").turn_up(b"no slip at all")
    assert caught.value.code == "not-json"


def other_spellings() -> set[bytes]:
    """Spell the opening in other ways that a lenient reader would take for the same."""
    members = json.loads(BYTES)
    spellings = {
        json.dumps(members, **options).encode(coding)
        for options in (
            {},
            {"indent": 1},
            {"separators": (", ", ":")},
            {"separators": (",", ": ")},
            {"separators": (",", ":")},
        )
        for coding in ("utf-8", "utf-8-sig", "utf-16", "utf-32")
    }
    for names in itertools.islice(itertools.permutations(members), 1000):
        spellings.add(json.dumps({name: members[name] for name in names}, separators=(",", ":")).encode())
    for place, character in enumerate(BYTES):
        if chr(character).isalnum():
            spellings.add(BYTES[:place] + b"\\u%04x" % character + BYTES[place + 1 :])
        spellings.update(BYTES[:place] + space + BYTES[place:] for space in (b" ", b"\n", b"\0"))
    for name in members:
        spellings.add(BYTES[:-1] + f',"{name}":{json.dumps(members[name])}'.encode() + b"}")
        spellings.add(b"{" + f'"{name}":{json.dumps(members[name])},'.encode() + BYTES[1:])
    spellings |= {BYTES + end for end in (b"\n", b"\r\n", b" ", b"\0", BYTES)}
    spellings |= {
        BYTES.replace(b'"slot":1', b'"slot":' + one) for one in (b"1.0", b"1e0", b"+1", b"01", b'"1"', b"true")
    }
    spellings.add(BYTES.replace(SLIP.salt.reveal().encode(), SLIP.salt.reveal().upper().encode()))
    return spellings - {BYTES}


def test_an_opening_has_one_spelling() -> None:
    """One opening a commitment: no other spelling fits it, nor is it a slip where it was committed to itself."""
    spellings = other_spellings()
    assert len(spellings) > 1500
    for spelling in spellings:
        with pytest.raises(OpeningMismatch):
            COMMITTED.turn_up(spelling)
        try:
            other = read_slip(spelling)
        except Malformed:
            continue
        assert other != SLIP


def test_a_commitment_may_be_printed() -> None:
    assert str(COMMITTED.digest) in repr(COMMITTED)
