"""Private key files: every one that the corpus requires, made here as its SOURCE.txt says."""

import base64
import copy
import pickle
import traceback
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from hypothesis import given
from hypothesis import strategies as st
from sshkeygen import make_key, ssh_keygen

from hiddenagenda import openssh
from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.faults import IllegalMove, Malformed, TooLarge
from hiddenagenda.identity import Identity
from hiddenagenda.openssh import (
    LONGEST_PASSPHRASE,
    MOST_ROUNDS,
    WrongPassphrase,
    passphrase_from_text,
    read_key_file,
    write_key_file,
)
from hiddenagenda.publickey import UnusableKey, read_public_line
from hiddenagenda.sshwire import pack, read_armour, write_armour

LABEL = "OPENSSH PRIVATE KEY"
SEED = bytes(range(32))
ANA = Identity(SEED)
PLAIN = write_key_file(SEED, None)
GCM = "aes256-gcm@openssh.com"
PYCA = Path(cryptography_vectors.__file__).parent / "asymmetric"


def repack(data: bytes, old: bytes, new: bytes, count: int = -1) -> bytes:
    packed = read_armour(LABEL, data)
    assert old in packed
    return write_armour(LABEL, packed.replace(old, new, count)).encode()


def with_rounds(rounds: int, salt: bytes = bytes(16)) -> bytes:
    """A file whose clear part asks for so many rounds; what it encrypts is nothing."""
    head = b"openssh-key-v1\0" + pack(b"aes256-ctr", b"bcrypt", pack(salt) + rounds.to_bytes(4, "big"))
    return write_armour(LABEL, head + (1).to_bytes(4, "big") + pack(ANA.public.blob, bytes(160))).encode()


@pytest.mark.parametrize("comment", ["", "# not a comment line", "line one\nssh-ed25519 AAAA second", "  two  spaces "])
def test_made_with_odd_comments(tmp_path: Path, comment: str) -> None:
    data = make_key(tmp_path / "key", comment=comment)
    key_file = read_key_file(data)
    assert not key_file.encrypted
    identity = Identity.unlock(key_file)
    first_line = (tmp_path / "key.pub").read_bytes().splitlines()[0]
    assert identity.public == key_file.public == read_public_line(first_line).key


@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-cbc", GCM])
def test_made_encrypted(tmp_path: Path, cipher: str) -> None:
    data = make_key(tmp_path / "key", "-a", "2", "-Z", cipher, passphrase="correct horse")
    key_file = read_key_file(data)
    assert key_file.encrypted
    assert Identity.unlock(key_file, b"correct horse").public == key_file.public
    for wrong in (b"", b"wrong", b"correct horse ", b"x" * 2000):
        with pytest.raises(WrongPassphrase) as caught:
            key_file.unlock(wrong)
        assert str(caught.value) == "the passphrase is wrong, or the key file is damaged"
    with pytest.raises(IllegalMove, match="needs its passphrase") as needed:
        key_file.unlock(None)
    assert needed.value.code == "passphrase-needed"


def test_made_with_an_old_cipher(tmp_path: Path) -> None:
    data = make_key(tmp_path / "key", "-a", "2", "-Z", "3des-cbc", passphrase="correct horse")
    with pytest.raises(Malformed, match="encrypted with 3des-cbc") as caught:
        read_key_file(data)
    assert caught.value.code == "unread-cipher"
    advice = str(caught.value.hint)
    assert advice == "save it anew: ssh-keygen -p -Z aes256-ctr -f FILE"
    done = ssh_keygen(
        *("-p", "-Z", "aes256-ctr", "-f", tmp_path / "key"), "-P", "correct horse", "-N", "battery", "-a", "2"
    )
    assert done.returncode == 0, done.stderr
    assert len(read_key_file((tmp_path / "key").read_bytes()).unlock(b"battery")) == 32


def test_made_with_a_passphrase_in_utf8(tmp_path: Path) -> None:
    data = make_key(tmp_path / "key", passphrase="pässwörd 🔑")
    decomposed = "pa\u0308sswo\u0308rd 🔑"
    assert passphrase_from_text(decomposed) == passphrase_from_text("pässwörd 🔑") == "pässwörd 🔑".encode()
    assert len(read_key_file(data).unlock(passphrase_from_text(decomposed))) == 32


@pytest.mark.parametrize("form", ["crlf", "no final newline"])
def test_made_with_other_line_ends(tmp_path: Path, form: str) -> None:
    data = make_key(tmp_path / "key")
    other = data.replace(b"\n", b"\r\n") if form == "crlf" else data.rstrip(b"\n")
    assert read_key_file(other).unlock(None) == read_key_file(data).unlock(None)


def test_two_keys_in_a_file(tmp_path: Path) -> None:
    one, other = make_key(tmp_path / "one"), make_key(tmp_path / "other")
    for data in (one + other, one + b"\n" + other, one + one):
        with pytest.raises(Malformed, match="more than one OPENSSH PRIVATE KEY"):
            read_key_file(data)
    counted = repack(PLAIN, b"none\0\0\0\0\0\0\0\1", b"none\0\0\0\0\0\0\0\2")
    with pytest.raises(Malformed, match="2 keys where one") as caught:
        read_key_file(counted)
    assert caught.value.code == "several"


def pyca(name: str) -> bytes:
    return (PYCA / name).read_bytes()


@pytest.mark.parametrize("name", ["ed25519-psw.key", "ed25519-nopsw.key", "ed25519-aesgcm-psw.key"])
def test_pyca_accepted(name: str) -> None:
    key_file = read_key_file(pyca(f"OpenSSH/{name}"))
    assert Identity.unlock(key_file, b"password").public == read_public_line(pyca(f"OpenSSH/{name}.pub")).key
    if key_file.encrypted:
        with pytest.raises(WrongPassphrase, match="the passphrase is wrong, or the key file is damaged"):
            Identity.unlock(key_file, b"Password")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ecdsa-nopsw.key", "ecdsa-sha2-nistp256 is another type"),
        ("ecdsa-psw.key", "ecdsa-sha2-nistp384 is another type"),
        ("rsa-nopsw.key", "ssh-rsa is another type"),
        ("dsa-nopsw.key", "ssh-dss is another type"),
        ("sk-ed25519-nopsw.key", "on a security key"),
        ("sk-ecdsa-psw.key", "on a security key"),
    ],
)
def test_pyca_of_another_type(name: str, words: str) -> None:
    with pytest.raises(UnusableKey, match=words):
        read_key_file(pyca(f"OpenSSH/{name}"))


@pytest.mark.parametrize("name", ["ed25519-pkcs8-enc.pem", "ed25519-pkcs8.pem", "ed25519-pub.pem"])
def test_pyca_in_another_format(name: str) -> None:
    with pytest.raises(Malformed, match="not OPENSSH PRIVATE KEY") as caught:
        read_key_file(pyca(f"Ed25519/{name}"))
    assert caught.value.code == "wrong-format"
    assert "ssh-keygen -t ed25519" in str(caught.value.hint)


def test_the_public_half_is_not_the_private_one() -> None:
    with pytest.raises(Malformed, match="public half") as caught:
        read_key_file(ANA.public.line.encode())
    assert ".pub" in str(caught.value.hint)


@pytest.mark.parametrize("raised", [ValueError, InvalidTag, TypeError, UnsupportedAlgorithm("x")])
def test_one_message_whatever_the_library_raises(raised: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object) -> None:
        raise raised

    monkeypatch.setattr(openssh, "load_ssh_private_key", load)
    locked, plain = read_key_file(with_rounds(1)), read_key_file(PLAIN)
    with pytest.raises(WrongPassphrase, match="the passphrase is wrong, or the key file is damaged"):
        locked.unlock(b"x")
    with pytest.raises(Malformed, match="the key file is damaged"):
        plain.unlock(None)


def test_a_passphrase_leaves_no_trace_in_the_error() -> None:
    passphrase = bytes(reversed(b"yrettab esroh tcerroc"))
    with pytest.raises(WrongPassphrase) as caught:
        read_key_file(with_rounds(1)).unlock(passphrase)
    error = caught.value
    shown = "".join(traceback.format_exception(error)) + repr(error) + repr(error.__context__)
    assert "horse" not in shown


@pytest.mark.parametrize("rounds", [MOST_ROUNDS + 1, 1_000_000, 2**32 - 1])
def test_too_many_rounds_are_refused_before_any_work(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openssh, "load_ssh_private_key", None)
    with pytest.raises(TooLarge, match=str(rounds)) as caught:
        read_key_file(with_rounds(rounds))
    assert caught.value.code == "too-many-rounds"


def test_the_most_rounds_are_taken() -> None:
    assert read_key_file(with_rounds(MOST_ROUNDS)).encrypted


@pytest.mark.parametrize("data", [with_rounds(0), with_rounds(16, b""), with_rounds(16, bytes(65))])
def test_a_senseless_derivation_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed, match="damaged"):
        read_key_file(data)


def test_a_public_half_that_is_another_s_is_refused(tmp_path: Path) -> None:
    other = Identity(bytes(32 * [7])).public
    outside = repack(PLAIN, ANA.public.raw, other.raw, 1)
    with pytest.raises(Malformed):
        read_key_file(outside).unlock(None)
    everywhere = repack(PLAIN, ANA.public.raw, other.raw)
    key_file = read_key_file(everywhere)
    assert key_file.public == other
    with pytest.raises(Malformed, match="does not belong to its public half") as caught:
        key_file.unlock(None)
    assert caught.value.code == "halves-differ"


def test_a_key_of_another_kind_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openssh, "load_ssh_private_key", lambda *_: object())
    with pytest.raises(Malformed, match="does not belong"):
        read_key_file(PLAIN).unlock(None)


def test_an_unsafe_public_half_is_refused() -> None:
    with pytest.raises(UnusableKey):
        read_key_file(repack(PLAIN, ANA.public.raw, b"\1" + bytes(31)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"openssh-key-v1", b"openssh-key-v2"),
        (pack(b"none", b"none"), pack(b"none", b"bcrypt")),
        (pack(b"none", b"none"), pack(b"aes256-ctr", b"none")),
        (pack(b"none", b"none", b""), pack(b"none", b"none", b"x")),
        (pack(b"none", b"none"), pack(b"aes256-ctr", b"scrypt")),
    ],
)
def test_a_clear_part_that_makes_no_sense_is_refused(old: bytes, new: bytes) -> None:
    with pytest.raises(Malformed):
        read_key_file(repack(PLAIN, old, new))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PuTTY-User-Key-File-3: ssh-ed25519\r\n",
        b"\xef\xbb\xbf" + PLAIN,
        PLAIN.decode().encode("utf-16"),
        b"a word before\n" + PLAIN,
        PLAIN + b"a word after",
        PLAIN[:-40],
        b"\n".join(PLAIN.splitlines()[::2]),
        write_armour(LABEL, read_armour(LABEL, PLAIN) + b"\0").encode(),
        write_armour(LABEL, read_armour(LABEL, PLAIN)[:-9]).encode(),
    ],
)
def test_what_is_no_private_key_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        read_key_file(data)


def test_a_giant_file_is_refused_by_its_size() -> None:
    with pytest.raises(TooLarge):
        read_key_file(PLAIN + b"\n" * openssh.LARGEST)


def test_every_altered_byte_is_refused_or_harmless() -> None:
    packed = bytearray(read_armour(LABEL, PLAIN))
    for at in range(len(packed)):
        packed[at] ^= 1
        try:
            seed = read_key_file(write_armour(LABEL, bytes(packed)).encode()).unlock(None)
        except Malformed:
            pass
        else:
            assert seed == SEED
        packed[at] ^= 1


@pytest.mark.parametrize("passphrase", [None, b"correct horse", "pässwörd 🔑".encode(), b"x" * LONGEST_PASSPHRASE])
def test_what_is_written_is_read_here_and_by_ssh_keygen(tmp_path: Path, passphrase: bytes | None) -> None:
    data = write_key_file(SEED, passphrase)
    assert read_key_file(data).unlock(passphrase) == SEED
    path = tmp_path / "key"
    path.touch(mode=0o600)
    path.write_bytes(data)
    done = ssh_keygen("-y", "-P", (passphrase or b"").decode(), "-f", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().strip() == ANA.public.line


@pytest.mark.parametrize("passphrase", [b"", b"x" * (LONGEST_PASSPHRASE + 1), b"a\0b", b"a\nb", b"a\r"])
def test_a_passphrase_that_ssh_keygen_could_not_take_is_refused(passphrase: bytes) -> None:
    with pytest.raises(IllegalMove, match="one line of 1 to 1023 bytes"):
        write_key_file(SEED, passphrase)


def test_a_key_file_shows_nothing() -> None:
    key_file = read_key_file(PLAIN)
    shown = f"{key_file!r} {key_file} {[key_file]}"
    inside = base64.b64encode(read_armour(LABEL, PLAIN)).decode()
    assert "<KeyFile: locked>" in shown
    assert not any(secret in shown for secret in (SEED.hex(), repr(SEED), inside))
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not pickled"):
            take(key_file)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for candidate in (data, write_armour(LABEL, b"openssh-key-v1\0" + data).encode()):
        with pytest.raises(Malformed) as caught:
            read_key_file(candidate)
        assert FORBIDDEN.search(str(caught.value)) is None
