"""Where games lie: files of every kind, looked through, and what is wrong with some of them."""

import gzip
import io
import os
import random
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from seasons import Game

from hiddenagenda.edge import auditing, engines, looking, sources, unpacking
from hiddenagenda.edge.auditing import Report, Wanted, run
from hiddenagenda.edge.judging import judge
from hiddenagenda.edge.looking import Group, look
from hiddenagenda.edge.sources import Stretch, Trouble, Troubled, find, stretches, survey
from hiddenagenda.edge.unpacking import Place

GAMES = [Game(number) for number in range(6)]
DATA = [game.data for game in GAMES]
HERE = Place(label="here", path="here")


def audit(*paths: Path | str, **wanted: str) -> Report:
    with engines.here() as engine:
        return run(Wanted(paths=tuple(map(str, paths)), **wanted), engine)  # type: ignore[arg-type]


def verdicts(*paths: Path | str) -> list[bytes]:
    """The verdicts, without where the games lie."""
    found: list[bytes] = []
    with engines.here() as engine:
        run(Wanted(paths=tuple(map(str, paths))), engine, each=lambda lines: found.extend(lines.splitlines()))
    return [line.partition(b',"source":')[0] for line in found]


def troubles(report: Report) -> list[tuple[str, Trouble]]:
    return [(Path(one.label).name, one.trouble) for one in report.troubles]


@pytest.fixture
def plain(tmp_path: Path) -> list[bytes]:
    """The verdicts on all games as one plain file has them."""
    path = tmp_path / "all.jsonl"
    path.write_bytes(b"".join(DATA))
    return verdicts(path)


# Lines


def groups(data: bytes, *cuts: int) -> tuple[Group, ...]:
    blocks = [data[start:end] for start, end in zip((0, *cuts), (*cuts, len(data)), strict=True)]
    (part,) = look(HERE, blocks, 0)
    return part.groups


def test_lines_of_a_game_that_follow_each_other_are_one_group() -> None:
    found = groups(b"".join(DATA))
    assert [group.game for group in found] == [str(game.id).encode() for game in GAMES]
    assert [(group.start, group.size) for group in found] == [
        (sum(map(len, DATA[:place])), len(data)) for place, data in enumerate(DATA)
    ]
    assert [(group.line, group.lines) for group in found] == [(1 + 25 * place, 25) for place in range(6)]


@given(st.lists(st.integers(0, len(DATA[0] + DATA[1])), max_size=6))
def test_it_does_not_matter_how_bytes_are_cut_into_blocks(cuts: list[int]) -> None:
    data = DATA[0] + b"hello\n\n" + DATA[1]
    assert groups(data, *sorted(cuts)) == groups(data)


def test_what_does_not_read_goes_with_the_lines_before_it() -> None:
    lines = DATA[0].splitlines(keepends=True)
    data = b"\n# round one\n" + b"".join(lines[:9]) + b"}{\n\xff\n" + b"".join(lines[9:]) + DATA[1].removesuffix(b"\n")
    first, one, other = groups(data)
    assert (first.game, first.lines) == (None, 2)
    assert (one.game, one.line, one.lines) == (str(GAMES[0].id).encode(), 3, 27)
    assert (other.game, other.start + other.size) == (str(GAMES[1].id).encode(), len(data))


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_a_table_is_known_by_its_hash_whatever_ends_its_line(end: bytes) -> None:
    table = GAMES[0].lines[0].data.removesuffix(b"\n") + end
    (group,) = groups(table)
    assert group.game == str(GAMES[0].id).encode()


def test_a_line_over_its_cap_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_LONGEST", 5_000)
    data = DATA[0] + b"x" * 20_000 + b"\n" + DATA[1] + b"y" * 20_000
    one, other = groups(data, *range(0, len(data), 700))
    assert (one.size, one.lines) == (len(DATA[0]) + 20_001, 26)
    assert (other.size, other.lines) == (len(DATA[1]) + 20_000, 26)


def test_ids_that_are_none_make_no_group() -> None:
    odd = b'{"entry":{"game":"' + b"Z" * 64 + b'","parents":["' + b"a" * 64 + b'"]}}\n'
    (part,) = look(HERE, [odd + b'","parents":["\n' + DATA[0]], 0)
    assert [group.game for group in part.groups] == [None, str(GAMES[0].id).encode()]
    assert part.attempts == 0


# Files


def test_files_are_found_by_name_by_pattern_and_below_directories(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    for name in ("a.jsonl", "b/x.jsonl", "b/c/y.jsonl"):
        (tmp_path / name).touch()
    here = str(tmp_path)
    assert set(find([here])) == {f"{here}/a.jsonl", f"{here}/b/x.jsonl", f"{here}/b/c/y.jsonl"}
    assert list(find([f"{here}/*/*.jsonl"])) == [f"{here}/b/x.jsonl"]
    assert set(find([f"{here}/**/y*"])) == {f"{here}/b/c/y.jsonl"}
    (nothing,) = find([f"{here}/*.zst"])
    assert isinstance(nothing, Troubled)
    assert list(find([f"{here}/[a].jsonl"])) == [f"{here}/a.jsonl"]
    assert set(find([here], without=frozenset({f"{here}/a.jsonl"}))) == {f"{here}/b/x.jsonl", f"{here}/b/c/y.jsonl"}


def test_a_file_with_a_pattern_as_its_name_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "[1].jsonl"
    path.touch()
    assert list(find([str(path)])) == [str(path)]


def test_links_to_directories_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "event").mkdir()
    (tmp_path / "event" / "one.jsonl").write_bytes(DATA[0])
    (tmp_path / "event" / "again").symlink_to(tmp_path / "event")
    (tmp_path / "event" / "two.jsonl").symlink_to(tmp_path / "event" / "one.jsonl")
    report = audit(tmp_path / "event")
    assert (report.files, report.tally.games) == (2, 1)


def test_a_directory_that_cannot_be_listed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> object:
        raise PermissionError(13, "no", path)

    monkeypatch.setattr(os, "scandir", refuse)
    report = audit(tmp_path)
    assert troubles(report) == [(tmp_path.name, Trouble.UNREADABLE)]
    assert not report.is_complete


def test_a_large_file_is_cut_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "season.jsonl"
    path.write_bytes(b"junk\n" + b"".join(DATA) + b"torn")
    whole = verdicts(path)
    assert len(whole) == 6
    for size in (100, 1_000, 7_777, len(DATA[0]), 50_000):
        monkeypatch.setattr(sources, "RANGE", size)
        cut = stretches(str(path))
        assert cut is not None
        assert len(list(cut)) > 1
        assert verdicts(path) == whole


def test_a_line_longer_than_a_stretch_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "season.jsonl"
    path.write_bytes(DATA[0] + b"x" * 200_000 + b"\n" + DATA[1])
    whole = verdicts(path)
    monkeypatch.setattr(sources, "RANGE", 10_000)
    monkeypatch.setattr(sources, "BLOCK", 4_096)
    assert verdicts(path) == whole
    parts = [
        part
        for start in range(0, path.stat().st_size, 10_000)
        for part in survey(Stretch(path=str(path), start=start, end=start + 10_000))
    ]
    sizes = [group.size for part in parts if not isinstance(part, Troubled) for group in part.groups]
    assert sum(sizes) == path.stat().st_size


# Packed files


def tar(mode: str, contents: Iterable[tuple[str, bytes]]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in contents:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


def zipped(contents: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.mkdir("rounds")
        for name, data in contents:
            archive.writestr(name, data)
    return file.getvalue()


NAMED = [(f"rounds/{place}.jsonl", data) for place, data in enumerate(DATA)]
ALL = b"".join(DATA)
PACKED: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(ALL),
    "gzip in members": lambda: b"".join(map(gzip.compress, DATA)),
    "zstd": lambda: zstandard.compress(ALL),
    "zstd in frames": lambda: b"".join(map(zstandard.compress, DATA)),
    "tar": lambda: tar("w", NAMED),
    "tar.gz": lambda: tar("w:gz", NAMED),
    "tar.zst": lambda: zstandard.compress(tar("w", NAMED)),
    "zip": lambda: zipped(NAMED),
    "zip, stored": lambda: zipped(NAMED, zipfile.ZIP_STORED),
    "zip of one file": lambda: zipped([("all.jsonl", ALL)]),
    "tar of one file": lambda: tar("w", [("all.jsonl", ALL)]),
}


@pytest.mark.parametrize("small", ["small", "large"])
@pytest.mark.parametrize("packing", PACKED)
def test_packing_changes_no_verdict(
    packing: str, small: str, tmp_path: Path, plain: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "packed"
    path.write_bytes(PACKED[packing]())
    if small == "large":  # as if it were large: looked through where it is unpacked, and read along while it is judged
        monkeypatch.setattr(sources, "RANGE", 1_000)
        monkeypatch.setattr(looking, "RANGE", 1_000)
        monkeypatch.setattr(unpacking, "BLOCK", 3_000)
        monkeypatch.setattr(sources, "BLOCK", 3_000)
        monkeypatch.setattr(sources, "SMALL", 0)
        monkeypatch.setattr(auditing, "SMALL", 0)
    found = verdicts(path)
    assert [line.partition(b',"game"')[2] for line in found] == [line.partition(b',"game"')[2] for line in plain]


def test_a_packed_file_without_a_line_end_is_looked_through_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MOST_UNPACKED", 10_000)
    (tmp_path / "zeros").write_bytes(gzip.compress(bytes(2**26)))
    tracemalloc.start()
    try:
        parts = list(survey(Stretch(path=str(tmp_path / "zeros"))))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2**23
    assert sum(group.size for part in parts if not isinstance(part, Troubled) for group in part.groups) == 2**26


@pytest.mark.parametrize("packing", ["gzip", "zstd", "zip"])
def test_a_packed_file_that_is_changed_while_it_is_judged_is_said(
    packing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "packed"
    for small in (2**18, 0):
        monkeypatch.setattr(auditing, "SMALL", small)
        path.write_bytes(PACKED[packing]())

        class Changing:
            def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
                if function is judge:
                    path.write_bytes(gzip.compress(b"something else"))
                yield from map(function, tasks)

        report = run(Wanted(paths=(str(path),)), Changing())
        assert report.tally.games == 0
        assert {one.trouble for one in report.troubles} == {Trouble.UNREADABLE}
        assert len(report.troubles) == len(DATA)


@pytest.mark.parametrize("packing", ["gzip", "zstd", "tar.gz", "zip of one file"])
def test_games_mixed_in_a_packed_file_are_put_together(
    packing: str, tmp_path: Path, plain: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ALL.splitlines(keepends=True)
    random.Random(packing).shuffle(lines)
    mixed = b"".join(lines)
    made = {
        "gzip": lambda: gzip.compress(mixed),
        "zstd": lambda: zstandard.compress(mixed),
        "tar.gz": lambda: tar("w:gz", [("all.jsonl", mixed)]),
        "zip of one file": lambda: zipped([("all.jsonl", mixed)]),
    }
    path = tmp_path / "packed"
    path.write_bytes(made[packing]())
    monkeypatch.setattr(auditing, "SMALL", 0)
    assert sorted(verdicts(path)) == sorted(plain)


def test_copies_in_many_packed_files_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More packed files are read along than are kept open, each has a piece of every game."""
    monkeypatch.setattr(auditing, "SMALL", 0)
    for number in range(12):
        lines = [line for data in DATA for line in data.splitlines(keepends=True)[number::12]]
        (tmp_path / f"{number}.gz").write_bytes(gzip.compress(b"".join(lines)))
    report = audit(tmp_path)
    assert (report.files, report.tally.games, report.tally.set_aside) == (12, 6, 0)
    assert report.is_complete


DAMAGED: dict[str, Callable[[], bytes]] = {
    "gzip cut short": lambda: gzip.compress(ALL)[:-2_000],
    "gzip with a wrong sum": lambda: gzip.compress(ALL)[:-8] + bytes(8),
    "gzip of nonsense": lambda: gzip.compress(ALL)[:10] + b"\xff" * 100,
    "zstd cut short": lambda: zstandard.compress(ALL)[:-2_000],
    "zstd of nonsense": lambda: zstandard.compress(ALL)[:4] + b"\xff" * 100,
    "zip cut short": lambda: zipped(NAMED)[:-100],
    "zip with a wrong sum": lambda: zipped([("a", DATA[0])], zipfile.ZIP_STORED).replace(b"good luck", b"bad luck!", 1),
    "tar cut short": lambda: tar("w", NAMED)[:20_000],
    "tar without an end": lambda: tar("w", NAMED).rstrip(b"\0"),
    "tar with a bad header": lambda: tar("w", NAMED).replace(b"rounds/3", b"rounds/X", 1),
    "zip in a tar": lambda: tar("w", [("inner.zip", zipped(NAMED))]),
    "tar in a zip": lambda: zipped([("inner.tar", tar("w", NAMED))]),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_what_cannot_be_unpacked_is_said_and_stops_nothing(damage: str, tmp_path: Path) -> None:
    (tmp_path / "a.packed").write_bytes(DAMAGED[damage]())
    (tmp_path / "b.jsonl").write_bytes(DATA[0])
    report = audit(tmp_path)
    assert Trouble.UNREADABLE in {one.trouble for one in report.troubles}
    assert not report.is_complete
    assert report.tally.games >= 1


def test_encrypted_members_are_said(tmp_path: Path) -> None:
    data = bytearray(zipped([("a", DATA[0])], zipfile.ZIP_STORED))
    for start, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # the flag in the member's header and the directory
        data[data.rindex(start) + place] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    (trouble,) = audit(tmp_path).troubles
    assert "encrypted" in str(trouble.said)


@pytest.mark.parametrize("packing", ["gzip", "zip"])
def test_a_bomb_is_left_when_it_has_grown_too_large(
    packing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "BLOCK", 2**16)
    bomb = bytes(2**24)
    (tmp_path / "bomb").write_bytes(gzip.compress(bomb) if packing == "gzip" else zipped([("a", bomb)]))
    (trouble,) = audit(tmp_path).troubles
    assert "200" in str(trouble.said)


def test_pipes_devices_and_the_like_are_said(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes here")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    report = audit(tmp_path)
    assert troubles(report) == [(name, Trouble.UNREADABLE) for name in ("gone", "null", "pipe")]


def test_special_members_of_a_tar_are_said(tmp_path: Path) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, kind in (("link", tarfile.SYMTYPE), ("dir", tarfile.DIRTYPE)):
            member = tarfile.TarInfo(name)
            member.type = kind
            archive.addfile(member)
    (tmp_path / "a.tar").write_bytes(file.getvalue())
    assert troubles(audit(tmp_path)) == [("link", Trouble.UNREADABLE)]
