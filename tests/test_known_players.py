"""Trust on first use: what is remembered, and what is told loudly."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.edge import known_players
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.known_players import Acquaintance, KnownPlayers, Standing, by_fingerprint
from hiddenagenda.faults import IllegalMove, TooLarge
from hiddenagenda.identity import Identity

ANA, BEN, EVE = (Identity(bytes([number] * 32)).public for number in (1, 2, 3))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file; neither it nor its directory is there yet."""
    return tmp_path / "data" / "known_players"


@pytest.fixture
def known(path: Path) -> KnownPlayers:
    return KnownPlayers(str(path))


def test_first_use_is_remembered(known: KnownPlayers, path: Path) -> None:
    first = known.meet("Ana", ANA)
    assert first.standing is Standing.NEW
    assert not first.is_alarming
    assert str(first.said) == f"Ana is new to you: {ANA.fingerprint}"
    again = known.meet("Ana", ANA)
    assert again.standing is Standing.KNOWN
    assert not again.is_alarming
    assert str(again.said) == f"Ana has the key you know: {ANA.fingerprint}"
    assert path.read_text(encoding="utf-8") == f"{ANA.hex} Ana\n"
    assert known.everybody() == (Acquaintance(public=ANA, name="Ana"),)


def test_another_key_under_a_known_name_is_loud_and_not_remembered(known: KnownPlayers) -> None:
    known.meet("Ana", ANA)
    for _ in range(2):
        meeting = known.meet("Ana", EVE)
        assert meeting.standing is Standing.ANOTHER_KEY
        assert meeting.is_alarming
        assert EVE.fingerprint in str(meeting.said)
        assert ANA.fingerprint in str(meeting.said)
    assert known.look("Ana", ANA).standing is Standing.KNOWN


def test_trust_and_forget(known: KnownPlayers) -> None:
    known.meet("Ana", ANA)
    known.trust("Ana", EVE)
    known.trust("Ana", EVE)
    shared = known.meet("Ana", EVE)
    assert shared.standing is Standing.SHARED_NAME
    assert shared.is_alarming
    assert str(shared.said) == f"1 other key goes by the name Ana; this one is {EVE.fingerprint}"
    assert known.look("Ana", ANA).others == (Acquaintance(public=EVE, name="Ana"),)
    known.trust("Ana", BEN)
    assert str(known.look("Ana", EVE).said).startswith("2 other keys go by the name Ana")
    known.forget("Ana", ANA)
    known.forget("Ana", BEN)
    assert known.meet("Ana", EVE).standing is Standing.KNOWN
    assert known.look("Ana", ANA).standing is Standing.ANOTHER_KEY
    with pytest.raises(IllegalMove, match="not remembered as Ana"):
        known.forget("Ana", ANA)
    known.forget("Ana", EVE)
    assert known.everybody() == ()


def test_a_known_key_under_a_new_name(known: KnownPlayers) -> None:
    known.meet("Ana", ANA)
    meeting = known.meet("Anna", ANA)
    assert meeting.standing is Standing.RENAMED
    assert not meeting.is_alarming
    assert str(meeting.said) == f"Anna has a key you know by the name Ana: {ANA.fingerprint}"
    assert known.meet("Anna", ANA).standing is Standing.KNOWN
    assert known.meet("Ana", ANA).standing is Standing.KNOWN
    known.meet("Ben", BEN)
    assert known.meet("Ben", ANA).standing is Standing.ANOTHER_KEY


def test_names_are_compared_as_they_are(known: KnownPlayers) -> None:
    known.meet("Ana", ANA)
    for other in ("ana", "Ana ", " Ana", "Añá", ""):
        assert known.look(other, EVE).standing is Standing.NEW


def test_looking_writes_nothing(known: KnownPlayers, path: Path) -> None:
    assert known.look("Ana", ANA).standing is Standing.NEW
    assert not path.parent.exists()
    assert known.everybody() == ()


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "a\u202eb", "\ud800", "x" * 501, "\u2028"])
def test_names_that_no_seat_could_hold_are_refused(known: KnownPlayers, path: Path, name: str) -> None:
    for remember in (known.meet, known.trust):
        with pytest.raises(IllegalMove, match="cannot be called") as caught:
            remember(name, ANA)
        assert FORBIDDEN.search(str(caught.value)) is None
    assert not path.exists()


@settings(max_examples=30)
@given(st.lists(st.tuples(st.text(max_size=20), st.sampled_from([ANA, BEN, EVE])), max_size=8))
def test_what_is_trusted_reads_back(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, object]]
) -> None:
    known = KnownPlayers(str(tmp_path_factory.mktemp("known") / "known_players"))
    want = []
    for name, public in entries:
        if FORBIDDEN.search(name) is None:
            known.trust(name, public)  # type: ignore[arg-type]
            if (name, public) not in want:
                want.append((name, public))
    assert [(one.name, one.public) for one in known.everybody()] == want


@pytest.mark.parametrize(
    "line", ["", "Ana", ANA.hex, ANA.hex[1:] + " Ana", ANA.hex.upper() + " Ana", ANA.hex + "  \x1b", "\udcff" * 65]
)
def test_a_line_that_cannot_be_read_is_named_and_nothing_is_lost(known: KnownPlayers, path: Path, line: str) -> None:
    known.meet("Ana", ANA)
    before = f"{ANA.hex} Ana\n{line}\n{BEN.hex} Ben\n".encode("utf-8", "surrogateescape")
    path.write_bytes(before)
    for use in (known.everybody, lambda: known.look("Ana", ANA), lambda: known.meet("Eve", EVE)):
        with pytest.raises(StoreError, match="line 2 is no key and name"):
            use()
    assert path.read_bytes() == before


def test_a_file_edited_by_hand_is_read(known: KnownPlayers, path: Path) -> None:
    known.meet("Ana", ANA)
    path.write_bytes(f"{ANA.hex} Ana\r\n{BEN.hex} Ben".encode())
    assert [one.name for one in known.everybody()] == ["Ana", "Ben"]
    path.write_bytes(b"")
    assert known.everybody() == ()


def test_the_file_is_private(known: KnownPlayers, path: Path) -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no modes")
    before = os.umask(0)
    try:
        known.meet("Ana", ANA)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o666)
    with pytest.raises(StoreError, match="its mode is 666"):
        known.everybody()


def test_a_giant_file_is_refused(known: KnownPlayers, path: Path) -> None:
    known.meet("Ana", ANA)
    os.truncate(path, known_players.LARGEST + 1)
    with pytest.raises(TooLarge):
        known.look("Ana", ANA)


def test_many_at_once_lose_nothing(path: Path) -> None:
    def meet(number: int) -> None:
        KnownPlayers(str(path)).meet(f"player {number}", Identity(bytes([number] * 32)).public)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(meet, range(24)))
    assert {one.name for one in KnownPlayers(str(path)).everybody()} == {f"player {number}" for number in range(24)}


def test_a_key_is_found_by_the_fingerprint_that_people_read_out() -> None:
    assert by_fingerprint(BEN.fingerprint, iter([ANA, BEN])) == BEN
    with pytest.raises(IllegalMove, match="no key that you have met has the fingerprint") as caught:
        by_fingerprint(BEN.fingerprint.lower(), [ANA, BEN])
    assert caught.value.code == "unknown-fingerprint"
