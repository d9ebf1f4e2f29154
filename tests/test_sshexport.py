"""A game as files, checked with the real ``ssh-keygen`` and ``sha256sum`` and no code of ours."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from talk import Talk, file, forged

from hiddenagenda.edge.files import write_new_directory
from hiddenagenda.entry import Note
from hiddenagenda.publickey import PublicKey
from hiddenagenda.record import read_record
from hiddenagenda.sshexport import ALLOWED, CHECKSUMS, HASH_CHECK, SIGNATURE_CHECK, SIGNED, Export, export
from hiddenagenda.sshsig import armour
from hiddenagenda.transcript import Transcript

ORDER = 2**252 + 27742317777372353535851937790883648493


def transcript(data: bytes) -> Transcript:
    return read_record(data).transcripts[0]


def game() -> Talk:
    talk = Talk(3)
    talk.say("Ben")
    talk.say("Ana", Note(text="a new\u00e9 “line”"))
    talk.say("Cleo")
    talk.say("Ben")
    return talk


def write(place: Path, exported: Export) -> Path:
    write_new_directory(str(place), [(one.name, one.data) for one in exported.files])
    return place


def shell(place: Path, line: str) -> subprocess.CompletedProcess[bytes]:
    for program in ("sh", "sha256sum", "ssh-keygen"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    return subprocess.run(["sh", "-c", line], cwd=place, capture_output=True, timeout=60, check=False)


def test_the_shell_lines_accept_a_game(tmp_path: Path) -> None:
    place = write(tmp_path / "out", export(transcript(game().data)))
    hashes = shell(place, HASH_CHECK)
    assert hashes.returncode == 0, hashes.stderr
    signatures = shell(place, SIGNATURE_CHECK)
    assert signatures.returncode == 0, signatures.stderr
    assert signatures.stdout.count(b"Good") == 5


def test_the_shell_lines_notice_every_change(tmp_path: Path) -> None:
    place = write(tmp_path / "out", export(transcript(game().data)))
    entry = sorted(place.glob("*.json"))[2]
    data = entry.read_bytes()
    entry.write_bytes(data.replace(b"line", b"lime"))
    assert shell(place, HASH_CHECK).returncode != 0
    assert shell(place, SIGNATURE_CHECK).returncode != 0
    entry.write_bytes(data)
    signature = Path(f"{entry}.sig")
    other = Path(f"{sorted(place.glob('*.json'))[1]}.sig")
    good = signature.read_bytes()
    signature.write_bytes(other.read_bytes())
    assert shell(place, SIGNATURE_CHECK).returncode != 0
    signature.write_bytes(good)
    signed = (place / SIGNED).read_text().splitlines()
    first, second = signed[0].split()[1], signed[1].split()[1]
    (place / SIGNED).write_text("\n".join([signed[0].replace(first, second), *signed[1:]]) + "\n")
    assert shell(place, SIGNATURE_CHECK).returncode != 0, "another key's signature is none"
    entry.unlink()
    assert shell(place, HASH_CHECK).returncode != 0


def test_every_file_holds_exactly_what_it_says() -> None:
    talk = game()
    exported = export(transcript(talk.data))
    files = {one.name: one.data for one in exported.files}
    for number, line in enumerate(talk.lines):
        assert files[f"{number:04d}-{line.id}.json"] == line.raw
    assert exported.entries == 5
    assert exported.covered == ()
    assert files[CHECKSUMS].count(b"\n") == files[SIGNED].count(b"\n") == 5
    assert files[ALLOWED].count(b'namespaces="hiddenagenda-v1" ssh-ed25519 ') == 3
    names = files.keys() - {CHECKSUMS, SIGNED, ALLOWED}
    assert all(re.fullmatch(r"[0-9]{4}-[0-9a-f]{64}\.json(\.sig)?", name) for name in names), "nothing of a stranger's"


def test_a_covered_entry_is_exported_with_the_one_that_covers_it(tmp_path: Path) -> None:
    talk = game()
    ben = talk.lines[1]
    exported = export(transcript(file([forged(line) if line is ben else line for line in talk.lines])))
    assert exported.covered == ((ben.id, talk.lines[4].id),)
    assert exported.entries == 5
    place = write(tmp_path / "out", exported)
    assert shell(place, HASH_CHECK).returncode == 0
    checked = shell(place, SIGNATURE_CHECK)
    assert checked.returncode == 0
    assert checked.stdout.count(b"Good") == 4
    assert ben.id.encode() in b"".join(path.read_bytes() for path in place.glob("0002-*.json")), "named by its hash"


def test_what_nobody_stands_by_is_not_exported_unless_somebody_rests_on_it() -> None:
    talk = Talk(3)
    forgery = talk.forge("Cleo", Note(text="x"), [talk.table])
    alone = export(transcript(talk.data))
    assert alone.entries == 1
    talk.say("Ben", over=[forgery])
    resting = export(transcript(talk.data))
    assert resting.entries == 3
    assert resting.covered == ()


def test_a_signature_that_was_raised_by_the_order_of_the_group_is_not_exported() -> None:
    """``ssh-keygen`` takes S + L; what is exported was verified strictly, so the two never differ."""
    talk = Talk(2)
    line = talk.say("Ben")
    signature = bytes.fromhex(line.signature)
    raised = signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")
    exported = export(transcript(file([talk.table, line.signed_by(raised.hex())])))
    assert exported.entries == 1


def test_the_recipe_for_the_second_half_of_a_signature_tells_a_raised_one_apart(tmp_path: Path) -> None:
    """SPEC "Signing": the last byte of the armoured bytes is below 16, or L was added."""
    recipe = 'for file in *.sig; do sed "1d;\\$d" "$file" | base64 -d | tail -c 1 | od -An -tu1; done'
    place = write(tmp_path / "out", export(transcript(game().data)))
    assert all(int(number) < 16 for number in shell(place, recipe).stdout.split())
    line = game().lines[1]
    signature = bytes.fromhex(line.signature)
    raised = signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")
    other = tmp_path / "raised"
    other.mkdir()
    (other / "entry").write_bytes(line.raw)
    (other / "entry.sig").write_text(armour(PublicKey.from_hex(line.entry.author), raised))
    (other / ALLOWED).write_bytes((place / ALLOWED).read_bytes())
    (other / SIGNED).write_text(f"entry {line.entry.author}\n")
    assert shell(other, SIGNATURE_CHECK).returncode == 0, "ssh-keygen alone takes it"
    assert int(shell(other, recipe).stdout) >= 16
