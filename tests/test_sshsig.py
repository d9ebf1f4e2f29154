"""Signatures: ours and ssh-keygen's agree both ways; what only ssh-keygen would take is refused by name."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sshkeygen import make_key, ssh_keygen

from hiddenagenda import sshsig
from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.faults import Malformed, TooLarge
from hiddenagenda.identity import Identity
from hiddenagenda.openssh import read_key_file
from hiddenagenda.publickey import PublicKey
from hiddenagenda.sshsig import BadSignature, armour, check_signature, read_armoured, signed_blob, verifies

ORDER = 2**252 + 27742317777372353535851937790883648493
ANA = Identity(bytes(range(32)))
BEN = Identity(bytes(range(1, 33)))
MESSAGE = b'{"type":"note"}'
SIGNATURE = ANA.sign(MESSAGE)


def plus_order(signature: bytes) -> bytes:
    more = int.from_bytes(signature[32:], "little") + ORDER
    return signature[:32] + more.to_bytes(32, "little")


def ask_ssh_keygen(
    folder: Path, public: PublicKey, message: bytes, text: str, namespace: str = sshsig.NAMESPACE
) -> subprocess.CompletedProcess[bytes]:
    (folder / "allowed_signers").write_text(f"{public.hex} {public.line}\n", encoding="ascii")
    (folder / "entry.sig").write_text(text, encoding="ascii")
    return ssh_keygen(
        *("-Y", "verify", "-n", namespace, "-I", public.hex),
        *("-f", folder / "allowed_signers", "-s", folder / "entry.sig"),
        stdin=message,
    )


def test_the_blob_is_what_openssh_describes() -> None:
    digest = hashlib.sha256(b"x").digest()
    assert signed_blob(b"x") == (b"SSHSIG\0\0\0\x0fhiddenagenda-v1\0\0\0\0\0\0\0\x06sha256\0\0\0\x20" + digest)


def test_ssh_keygen_takes_our_signature(tmp_path: Path) -> None:
    done = ask_ssh_keygen(tmp_path, ANA.public, MESSAGE, armour(ANA.public, SIGNATURE))
    assert done.returncode == 0, done.stderr
    assert ANA.public.fingerprint.encode() in done.stdout


def test_ssh_keygen_refuses_another_message_key_or_namespace(tmp_path: Path) -> None:
    text = armour(ANA.public, SIGNATURE)
    assert ask_ssh_keygen(tmp_path, ANA.public, MESSAGE + b" ", text).returncode != 0
    assert ask_ssh_keygen(tmp_path, BEN.public, MESSAGE, text).returncode != 0
    assert ask_ssh_keygen(tmp_path, ANA.public, MESSAGE, text, namespace="file").returncode != 0


def test_we_take_what_ssh_keygen_signs(tmp_path: Path) -> None:
    identity = Identity.unlock(read_key_file(make_key(tmp_path / "key")))
    done = ssh_keygen(
        *("-Y", "sign", "-q", "-n", sshsig.NAMESPACE, "-O", "hashalg=sha256", "-f", tmp_path / "key"), stdin=MESSAGE
    )
    assert done.returncode == 0, done.stderr
    read = read_armoured(done.stdout)
    assert read.public == identity.public
    check_signature(read.public, MESSAGE, read.signature)
    assert read.signature == identity.sign(MESSAGE)
    assert armour(read.public, read.signature).encode() == done.stdout


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (["-n", "hiddenagenda-v1", "-O", "hashalg=sha512"], "hash"),
        (["-n", "file", "-O", "hashalg=sha256"], "namespace"),
    ],
)
def test_other_hashes_and_namespaces_of_ssh_keygen_are_named(tmp_path: Path, options: list[str], field: str) -> None:
    make_key(tmp_path / "key")
    done = ssh_keygen("-Y", "sign", "-q", *options, "-f", tmp_path / "key", stdin=MESSAGE)
    with pytest.raises(
        Malformed, match=f"the signature's {field} is '{options[1] if field == 'namespace' else 'sha512'}'"
    ) as caught:
        read_armoured(done.stdout)
    assert "hashalg=sha256" in str(caught.value.hint)


def test_another_type_of_key_is_named(tmp_path: Path) -> None:
    ssh_keygen("-q", "-t", "ecdsa", "-N", "", "-f", tmp_path / "key")
    done = ssh_keygen("-Y", "sign", "-q", "-n", sshsig.NAMESPACE, "-f", tmp_path / "key", stdin=MESSAGE)
    with pytest.raises(Malformed, match="ecdsa-sha2-nistp256 is another type"):
        read_armoured(done.stdout)


def test_s_plus_l_which_ssh_keygen_takes_is_refused_by_name() -> None:
    altered = plus_order(SIGNATURE)
    assert not verifies(ANA.public, MESSAGE, altered)
    with pytest.raises(BadSignature, match="not below the order") as caught:
        check_signature(ANA.public, MESSAGE, altered)
    assert caught.value.code == "signature-form"


def test_a_good_signature_passes() -> None:
    assert verifies(ANA.public, MESSAGE, SIGNATURE)
    check_signature(ANA.public, MESSAGE, SIGNATURE)


@pytest.mark.parametrize(
    ("signature", "code"),
    [
        (b"", "signature-length"),
        (SIGNATURE + b"\0", "signature-length"),
        (b"\1" + bytes(31) + SIGNATURE[32:], "signature-form"),
        (b"\xff" * 32 + SIGNATURE[32:], "signature-form"),
        (SIGNATURE[:32] + bytes(32), "bad-signature"),
        (BEN.sign(MESSAGE), "bad-signature"),
        (ANA.sign(b"other"), "bad-signature"),
        (ANA._key.sign(MESSAGE).signature, "bad-signature"),
    ],
)
def test_a_bad_signature_is_refused(signature: bytes, code: str) -> None:
    assert not verifies(ANA.public, MESSAGE, signature)
    with pytest.raises(BadSignature) as caught:
        check_signature(ANA.public, MESSAGE, signature)
    assert caught.value.code == code


def test_the_armour_reads_back() -> None:
    text = armour(ANA.public, SIGNATURE)
    assert max(map(len, text.splitlines())) == 70
    read = read_armoured(text.replace("\n", "\r\n").strip().encode())
    assert (read.public, read.signature) == (ANA.public, SIGNATURE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no armour",
        armour(ANA.public, SIGNATURE) * 2,
        armour(ANA.public, SIGNATURE).replace("SSH SIGNATURE", "PGP SIGNATURE"),
        armour(ANA.public, SIGNATURE).replace("-----END SSH SIGNATURE-----", ""),
        armour(ANA.public, SIGNATURE).replace("U1NIU0lH", "U1NIU0lI"),
        armour(ANA.public, SIGNATURE[:-1]),
        armour(ANA.public, SIGNATURE + b"x"),
    ],
)
def test_damaged_armour_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        read_armoured(text.encode())


def test_every_altered_byte_of_the_armour_is_noticed() -> None:
    text = armour(ANA.public, SIGNATURE).encode()
    for at in range(len(text)):
        for byte in b"Az- \n":
            altered = text[:at] + bytes([byte]) + text[at + 1 :]
            try:
                read = read_armoured(altered)
            except Malformed:
                continue
            same = (read.public, read.signature) == (ANA.public, SIGNATURE)
            assert same == verifies(read.public, MESSAGE, read.signature)


def test_giant_armour_is_refused_by_its_size() -> None:
    with pytest.raises(TooLarge):
        read_armoured(armour(ANA.public, SIGNATURE).encode() + b"\n" * sshsig.LARGEST)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    text = b"-----BEGIN SSH SIGNATURE-----\n" + data + b"\n-----END SSH SIGNATURE-----"
    for candidate in (data, text):
        with pytest.raises(Malformed) as caught:
            read_armoured(candidate)
        assert FORBIDDEN.search(str(caught.value)) is None


@given(message=st.binary(), other=st.binary())
def test_a_signature_is_for_one_message(message: bytes, other: bytes) -> None:
    assert verifies(BEN.public, message, BEN.sign(message))
    assert verifies(BEN.public, other, BEN.sign(message)) == (other == message)


def test_verifying_loads_no_second_library() -> None:
    program = "import sys, hiddenagenda.sshsig; sys.exit('cryptography' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
