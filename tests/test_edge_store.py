"""The store of slips: no commitment is shown without its slip, whenever the machine dies."""

import errno
import hashlib
import itertools
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from crashes import FAILURES, Show, every_death, failing

from hiddenagenda.commitment import Commitment
from hiddenagenda.edge import store
from hiddenagenda.edge.files import StoreError, explained, write_new_secret
from hiddenagenda.edge.store import Preferences, SlipStore, read_preferences, write_preferences
from hiddenagenda.faults import HiddenAgendaError, IllegalMove, sentence
from hiddenagenda.slip import MOST_SLOTS, Salt, Slip

ROOT = Path(__file__).resolve().parent.parent


def slip(*, slot: int = 1, salt: Salt | None = None, player: str = "Ana", game: str = "friday draft") -> Slip:
    return Slip(
        conspiracy="Muzzio's Preparations",
        game=game,
        names=("Grizzly Bears",),
        player=player,
        salt=salt or Salt.generate(),
        slot=slot,
    )


def in_slot(slot: int) -> Slip:
    return slip(slot=slot)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def kept(home: Path) -> SlipStore:
    return SlipStore(str(home))


def file_of(home: Path, commitment: Commitment) -> Path:
    return home / "slips" / f"{commitment.hex}.slip"


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_slip_is_found_by_its_commitment(kept: SlipStore, home: Path) -> None:
    mine = slip()
    commitment = kept.keep(mine)
    assert commitment == Commitment.of(mine.turn_face_up())
    assert SlipStore(str(home)).find(commitment) == mine
    [one] = kept.listing().slips
    assert (one.commitment, one.slip, one.opened) == (commitment, mine, False)


def test_sha256_of_the_file_is_the_commitment(kept: SlipStore, home: Path) -> None:
    commitment = kept.keep(slip())
    path = file_of(home, commitment)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == commitment.hex
    if shutil.which("sha256sum"):
        printed = subprocess.run(["sha256sum", path.name], cwd=path.parent, capture_output=True, text=True, check=True)
        assert printed.stdout == f"{commitment.hex}  {path.name}\n"


def test_everything_is_private_whatever_the_umask(kept: SlipStore, home: Path) -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("there are no modes on this system")
    former = os.umask(0)
    try:
        kept.mark_opened(kept.keep(slip()))
        write_preferences(str(home), Preferences(player="Ana"))
    finally:
        os.umask(former)
    for path in (home, *home.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_nothing_is_made_by_looking(kept: SlipStore, home: Path) -> None:
    assert kept.listing() == store.Listing(slips=(), unreadable=())
    assert read_preferences(str(home)) == Preferences()
    with pytest.raises(StoreError, match="no slip for the commitment") as caught:
        kept.find(Commitment(bytes(32)))
    assert caught.value.code == "no-slip-kept"
    assert not home.exists()


def test_the_order_is_that_of_games_players_and_slots(kept: SlipStore) -> None:
    places = [("b", "Ana", 1), ("a", "Ben", 1), ("a", "Ana", 2), ("a", "Ana", 1)]
    for game, player, slot in places:
        kept.keep(slip(game=game, player=player, slot=slot))
    listed = [(one.slip.game, one.slip.player, one.slip.slot) for one in kept.listing().slips]
    assert listed == sorted(places)


def test_shown_slips_are_marked_and_stay(kept: SlipStore) -> None:
    first, second = kept.keep(slip(slot=1)), kept.keep(slip(slot=2))
    kept.mark_opened(first)
    kept.mark_opened(first)
    assert [one.opened for one in kept.listing().slips] == [True, False]
    assert [one.commitment for one in kept.listing().face_down] == [second]
    assert kept.is_opened(first)
    assert not kept.is_opened(second)
    kept.find(first)
    with pytest.raises(StoreError, match="no slip"):
        kept.mark_opened(Commitment(bytes(32)))


def test_a_slot_is_taken_once(kept: SlipStore) -> None:
    first = kept.keep(slip())
    with pytest.raises(IllegalMove) as caught:
        kept.keep(slip())
    assert caught.value.code == "slot-taken"
    assert first.token in str(caught.value)
    assert "Grizzly" not in str(caught.value)
    kept.keep(slip(player="Ben"))
    kept.keep(slip(game="other"))
    assert len(kept.listing().slips) == 3


def test_the_next_free_slots_are_filled(kept: SlipStore) -> None:
    kept.keep(slip(slot=2))
    filled = kept.keep_next("Ana", "friday draft", [in_slot] * 2)
    assert [one.slip.slot for one in filled] == [1, 3]
    assert [kept.find(one.commitment) for one in filled] == [one.slip for one in filled]
    with pytest.raises(IllegalMove, match="no free slot") as caught:
        kept.keep_next("Ana", "friday draft", [in_slot] * (MOST_SLOTS - 2))
    assert caught.value.code == "no-free-slot"
    assert len(kept.listing().slips) == 3


def test_all_slips_are_made_before_any_is_kept(kept: SlipStore) -> None:
    def make(slot: int) -> Slip:
        if slot == 2:
            raise IllegalMove(sentence("no"))
        return slip(slot=slot)

    with pytest.raises(IllegalMove):
        kept.keep_next("Ana", "friday draft", [make] * 2)
    assert kept.listing().slips == ()


def test_a_repeated_salt_is_refused(kept: SlipStore) -> None:
    salt = Salt(b"\7" * 32)
    kept.keep(slip(salt=salt))
    attempts: list[Callable[[], object]] = [
        lambda: kept.keep(slip(salt=salt, game="other")),
        lambda: kept.keep(slip(salt=salt)),
        lambda: kept.keep_next("Ben", "other", [lambda slot: slip(slot=slot, game="other", salt=Salt(b"\1" * 32))] * 2),
    ]
    for attempt in attempts:
        with pytest.raises(HiddenAgendaError, match="random numbers repeat") as caught:
            attempt()
        assert caught.value.code == "random"
    assert len(kept.listing().slips) == 1


def test_a_derived_slip_may_be_kept_again(kept: SlipStore, home: Path) -> None:
    mine = slip(salt=Salt(b"\7" * 32))
    other = slip(salt=Salt(b"\1" * 32))
    first = kept.keep_derived(mine)
    inode = file_of(home, first).stat().st_ino
    assert kept.keep_derived(mine) == first
    assert file_of(home, first).stat().st_ino == inode
    kept.keep_derived(other)
    assert len(kept.listing().slips) == 2


def test_a_changed_slip_is_no_slip(kept: SlipStore, home: Path) -> None:
    commitment = kept.keep(slip())
    path = file_of(home, commitment)
    path.write_bytes(path.read_bytes().replace(b"Bears", b"Beard"))
    with pytest.raises(StoreError, match="changed or damaged") as caught:
        kept.find(commitment)
    assert "Grizzly" not in str(caught.value)
    [unreadable] = kept.listing().unreadable
    assert unreadable.name == path.name
    other = slip(salt=Salt(b"\5" * 32))
    file_of(home, kept.keep_derived(other)).write_bytes(b"x")
    with pytest.raises(StoreError, match="changed or damaged"):
        kept.keep_derived(other)


def test_what_cannot_be_read_back_is_not_committed_to(kept: SlipStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "write_new_secret", lambda path, data: write_new_secret(path, data[:-1] + b"!"))
    with pytest.raises(StoreError, match="changed or damaged"):
        kept.keep(slip())
    monkeypatch.setattr(SlipStore, "find", lambda self, commitment: slip(slot=9))
    monkeypatch.setattr(store, "write_new_secret", write_new_secret)
    with pytest.raises(StoreError, match="is not the one that was kept"):
        kept.keep(slip())


def test_foreign_files_are_listed_and_stop_nothing(kept: SlipStore, home: Path) -> None:
    mine = kept.keep(slip())
    slips = home / "slips"
    (slips / "notes.txt").write_bytes(b"")
    (slips / f"{'A' * 64}.slip").write_bytes(b"")
    (slips / f"{'b' * 64}.slip").mkdir()
    (slips / f"{'c' * 64}.slip").symlink_to(slips / "notes.txt")
    (slips / f"{'d' * 64}.slip").write_bytes(b"x" * 5000)
    (slips / f"{'d' * 64}.slip").chmod(0o600)
    (slips / ".DS_Store").write_bytes(b"")
    not_json = b"not a slip"
    bogus = slips / f"{hashlib.sha256(not_json).hexdigest()}.slip"
    bogus.write_bytes(not_json)
    bogus.chmod(0o600)
    kept.keep(slip(slot=2))
    listing = kept.listing()
    assert mine in [one.commitment for one in listing.slips]
    assert len(listing.slips) == 2
    listed = [one.name for one in listing.unreadable]
    assert listed == sorted(listed)
    assert set(listed) == {"notes.txt", f"{'A' * 64}.slip", bogus.name, *(f"{letter * 64}.slip" for letter in "bcd")}
    assert all(str(one.said) for one in listing.unreadable)


def test_a_failing_system_is_not_taken_for_a_free_slot(kept: SlipStore) -> None:
    kept.keep(slip())

    def fail(path: str, limit: int) -> bytes:
        with explained(path):
            raise OSError(errno.EMFILE, "")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "read_secret", fail)
        with pytest.raises(StoreError, match="too many files"):
            kept.keep_next("Ana", "friday draft", [in_slot])


def test_lax_and_linked_directories_are_refused(kept: SlipStore, home: Path, tmp_path: Path) -> None:
    commitment = kept.keep(slip())
    (home / "slips").chmod(0o755)
    uses: list[Callable[[], object]] = [
        kept.listing,
        lambda: kept.find(commitment),
        lambda: kept.keep(slip(slot=2)),
        lambda: kept.mark_opened(commitment),
    ]
    if hasattr(os, "geteuid"):
        for use in uses:
            with pytest.raises(StoreError, match="others may use") as caught:
                use()
            assert "chmod 700" in str(caught.value.hint)
    (home / "slips").chmod(0o700)
    (home / "slips").rename(tmp_path / "elsewhere")
    (home / "slips").symlink_to(tmp_path / "elsewhere")
    for use in uses:
        with pytest.raises(StoreError, match="symbolic link"):
            use()


def test_a_planted_link_is_not_written_through(kept: SlipStore, home: Path, tmp_path: Path) -> None:
    kept.keep(slip())
    mine = slip(slot=2)
    victim = tmp_path / "victim"
    victim.write_bytes(b"")
    file_of(home, Commitment.of(mine.turn_face_up())).symlink_to(victim)
    with pytest.raises(StoreError):
        kept.keep(mine)
    assert victim.read_bytes() == b""


@pytest.mark.parametrize("lacking", ["nothing", "link"])
def test_killed_at_any_point_no_commitment_is_shown_without_its_slip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    if lacking == "link":
        monkeypatch.delattr(os, "link", raising=False)
    numbers = itertools.count()
    home = tmp_path

    def start() -> None:
        nonlocal home
        home = tmp_path / str(next(numbers))

    def act(show: Show) -> None:
        for one in SlipStore(str(home)).keep_next("Ana", "friday draft", [in_slot] * 2):
            show(one.commitment.hex.encode())

    def check(shown: list[bytes]) -> None:
        again = SlipStore(str(home))
        for digits in shown:
            assert again.find(Commitment.from_hex(digits.decode())).names == ("Grizzly Bears",)
        listing = again.listing()
        assert len(listing.unreadable) <= (lacking == "link")
        [later] = again.keep_next("Ana", "friday draft", [in_slot])
        slots = [one.slip.slot for one in again.listing().slips]
        assert slots == list(range(1, len(slots) + 1))
        assert again.find(later.commitment).slot == slots[-1]
        assert not [name for name in names(home / "slips") if name.endswith(".new")]

    assert every_death(act, check, start) > 20


def test_a_derived_slip_is_kept_again_after_a_death(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "link", raising=False)
    mine = slip()
    numbers = itertools.count()
    home = tmp_path

    def start() -> None:
        nonlocal home
        home = tmp_path / str(next(numbers))

    def check(shown: list[bytes]) -> None:
        assert SlipStore(str(home)).find(SlipStore(str(home)).keep_derived(mine)) == mine

    every_death(lambda show: show(SlipStore(str(home)).keep_derived(mine).hex.encode()), check, start)


@pytest.mark.parametrize("code", FAILURES)
def test_whatever_fails_is_one_line_and_nothing_is_half_kept(tmp_path: Path, code: int) -> None:
    for at in range(1, 60):
        kept = SlipStore(str(tmp_path / str(at)))
        shown = None
        with failing(code, at=at) as failed:
            try:
                shown = kept.keep(slip())
            except StoreError as error:
                line = str(error)
                assert line
                assert "\n" not in line
        listing = kept.listing()
        assert listing.unreadable == ()
        assert shown is None or [one.commitment for one in listing.slips] == [shown]
        kept.keep(slip(slot=2))
        if not failed:
            return
    pytest.fail("there was no end")


def test_processes_that_commit_at_once_get_slots_of_their_own(home: Path) -> None:
    script = (
        "import sys\n"
        "from hiddenagenda.edge.store import SlipStore\n"
        "from hiddenagenda.slip import Salt, Slip\n"
        "def make(slot):\n"
        "    return Slip(conspiracy='x', game='g', names=('n',), player='Ana', salt=Salt.generate(), slot=slot)\n"
        "print(*(one.commitment.hex for one in SlipStore(sys.argv[1]).keep_next('Ana', 'g', [make] * 2)))\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(home)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for _ in range(MOST_SLOTS // 2)
    ]
    shown = [digits for process in running for digits in process.communicate()[0].split()]
    assert [process.returncode for process in running] == [0] * len(running)
    slips = SlipStore(str(home)).listing().slips
    assert [one.slip.slot for one in slips] == list(range(1, MOST_SLOTS + 1))
    assert {one.commitment.hex for one in slips} == set(shown)


def test_preferences_are_remembered(home: Path) -> None:
    wanted = Preferences(player="../../x Séance", game="friday")
    write_preferences(str(home), wanted)
    write_preferences(str(home), wanted)
    assert read_preferences(str(home)) == wanted
    assert names(home) == ["preferences"]


@pytest.mark.parametrize("data", [b"", b"x", b'{"game":1,"player":"Ana"}', b"x" * 10000])
def test_damaged_preferences_are_none(home: Path, data: bytes) -> None:
    write_preferences(str(home), Preferences(player="Ana"))
    (home / "preferences").write_bytes(data)
    assert read_preferences(str(home)) == Preferences()


def test_little_is_imported_to_keep_a_slip() -> None:
    script = "import hiddenagenda.edge.store, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    heavy = {"pathlib", "tempfile", "shutil", "platformdirs", "msgspec", "nacl", "cryptography", "click"}
    assert heavy.isdisjoint(done.stdout.split())
