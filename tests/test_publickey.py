"""Public keys: what is a usable one, and every public file of the corpus."""

import base64
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sshkeygen import make_key, ssh_keygen

from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.faults import Malformed, TooLarge
from hiddenagenda.identity import Identity
from hiddenagenda.publickey import (
    LARGEST,
    PublicKey,
    UnusableKey,
    read_public_blob,
    read_public_line,
    refuse_other_types,
)
from hiddenagenda.sshwire import pack

KEY = Identity(bytes(range(32))).public
SMALL_ORDER = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa")

ACCEPTED = {
    "made-c-empty.pub": "",
    "made-c-hash.pub": "# not a comment line",
    "made-c-spaces.pub": "two  spaces and trailing",
    "made-enc-3des.pub": "enc 3des",
    "made-enc-cbc.pub": "enc cbc",
    "made-enc-ctr.pub": "enc ctr",
    "made-enc-utf8pw.pub": "enc utf8 pw",
    "made-pub-crlf.pub": "",
    "pyca-ed25519-psw.key.pub": "ed25519-psw.key",
}
REFUSED = {
    "made-c-newline.pub": ("several", "2 lines"),
    "made-pub-bom.pub": ("byte-order-mark", "byte order mark"),
    "made-pub-non-canonical.pub": ("unsafe-key", "not a usable public key"),
    "made-pub-not-on-curve.pub": ("unsafe-key", "not a usable public key"),
    "made-pub-small-order.pub": ("unsafe-key", "not a usable public key"),
    "pyca-ecdsa-nopsw.key.pub": ("wrong-key-type", "ecdsa-sha2-nistp256"),
    "pyca-ed25519-nopsw.key-cert.pub": ("wrong-key-type", "is a certificate"),
    "pyca-rsa-nopsw.key.pub": ("wrong-key-type", "ssh-rsa"),
}


def test_every_public_file_of_the_corpus_is_required_one_way_here(shared: Path) -> None:
    rows = (shared / "corpora/openssh-keys/expected.tsv").read_text(encoding="utf-8").splitlines()[1:]
    wanted = {name: required for name, required in (row.split("\t") for row in rows) if name.endswith(".pub")}
    assert set(wanted) == {*ACCEPTED, *REFUSED}
    assert {name for name, required in wanted.items() if required.startswith("accept")} == set(ACCEPTED)


@pytest.mark.parametrize("name", ACCEPTED)
def test_corpus_accepted(name: str, shared: Path) -> None:
    path = shared / "corpora/openssh-keys" / name
    line = read_public_line(path.read_bytes())
    assert line.comment == ACCEPTED[name]
    if name != "made-pub-crlf.pub":  # some versions print the CR
        shown = ssh_keygen("-l", "-f", path).stdout.decode().split(" ")
        assert shown[1] == line.key.fingerprint
    assert path.read_text(encoding="utf-8").startswith(line.key.line)


@pytest.mark.parametrize("name", REFUSED)
def test_corpus_refused(name: str, shared: Path) -> None:
    code, words = REFUSED[name]
    with pytest.raises(Malformed, match=words) as caught:
        read_public_line((shared / "corpora/openssh-keys" / name).read_bytes())
    assert caught.value.code == code
    assert caught.value.hint is not None


def test_crlf_and_plain_are_the_same_key(shared: Path) -> None:
    folder = shared / "corpora/openssh-keys"
    one, other = (read_public_line((folder / f"made-{name}.pub").read_bytes()) for name in ("c-empty", "pub-crlf"))
    assert one == other


def test_a_line_of_ours_is_read_by_ssh_keygen(tmp_path: Path) -> None:
    path = tmp_path / "key.pub"
    path.write_text(KEY.line + " Ana Maria\n", encoding="utf-8")
    done = ssh_keygen("-l", "-f", path)
    assert done.stdout.decode().strip() == f"256 {KEY.fingerprint} Ana Maria (ED25519)"


def test_a_line_of_theirs_is_read_by_us(tmp_path: Path) -> None:
    make_key(tmp_path / "key", comment="ana@home")
    line = read_public_line((tmp_path / "key.pub").read_bytes())
    assert line.comment == "ana@home"
    assert line.key.fingerprint in ssh_keygen("-l", "-f", tmp_path / "key").stdout.decode()


def test_hex_and_back() -> None:
    assert PublicKey.from_hex(KEY.hex) == KEY
    assert len(KEY.hex) == 64
    assert {KEY: 1}[PublicKey(raw=KEY.raw)] == 1


@pytest.mark.parametrize("text", ["", "a" * 63, "a" * 65, KEY.hex.upper(), " " + KEY.hex[1:], "٣" * 64, KEY.hex + "\n"])
def test_hex_has_one_form(text: str) -> None:
    with pytest.raises(Malformed, match="64 lower-case hex digits"):
        PublicKey.from_hex(text)


@pytest.mark.parametrize("raw", [b"", bytes(32), b"\1" + bytes(31), SMALL_ORDER, KEY.raw + b"\0", KEY.raw[:31]])
def test_no_unsafe_key_can_be_held(raw: bytes) -> None:
    with pytest.raises(UnusableKey):
        PublicKey(raw=raw)
    if len(raw) == 32:
        with pytest.raises(UnusableKey):
            PublicKey.from_hex(raw.hex())


def test_unpickling_checks_again() -> None:
    stored = pickle.dumps(KEY)
    assert pickle.loads(stored) == KEY
    with pytest.raises(UnusableKey):
        pickle.loads(stored.replace(KEY.hex.encode(), SMALL_ORDER.hex().encode()))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"ssh-ed25519",
        b"ssh-ed25519 ",
        b"ssh-ed25519 !!!!",
        b"SSH-ED25519 AAAA",
        b"# comment",
        b'from="*" ssh-ed25519 AAAA',
        b"\xff\xff \xff",
        KEY.line.encode() + b"=",
        KEY.line.encode()[:-4],
        KEY.line.encode() + b" x\n\n" + KEY.line.encode(),
        KEY.line.encode("utf-16"),
        b"\xfe\xff" + KEY.line.encode("utf-16-be"),
    ],
)
def test_what_is_no_public_line_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        read_public_line(data)


def test_type_outside_and_inside_are_looked_at() -> None:
    rsa_inside = b"ssh-ed25519 " + base64.b64encode(pack(b"ssh-rsa", KEY.raw))
    with pytest.raises(UnusableKey, match="ssh-rsa is another type"):
        read_public_line(rsa_inside)
    with pytest.raises(Malformed, match="1 bytes too many"):
        read_public_blob(KEY.blob + b"x")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("sk-ssh-ed25519@openssh.com", "on a security key"),
        ("sk-ecdsa-sha2-nistp256@openssh.com", "on a security key"),
        ("ssh-ed25519-cert-v01@openssh.com", "is a certificate"),
        ("sk-ssh-ed25519-cert-v01@openssh.com", "is a certificate"),
        ("ssh-dss", "another type of key"),
        ("ssh-ed448", "another type of key"),
    ],
)
def test_other_types_are_named(kind: str, words: str) -> None:
    with pytest.raises(UnusableKey, match=words) as caught:
        refuse_other_types(kind)
    assert kind in str(caught.value)
    with pytest.raises(UnusableKey, match=words):
        read_public_line(f"{kind} AAAA".encode())


def test_a_comment_cannot_play_tricks() -> None:
    line = read_public_line(KEY.line.encode() + b" \x1b[2J\xe2\x80\xae\xff\r evil\r\n")
    assert line.comment == "\\x1b[2J\\u202e\\udcff\\x0d evil"


def test_a_giant_file_is_refused_by_its_size() -> None:
    with pytest.raises(TooLarge, match=f"{LARGEST}"):
        read_public_line(KEY.line.encode() + b" " + b"x" * LARGEST)


@given(st.binary(max_size=200) | st.binary(max_size=80).map(lambda tail: KEY.line.encode() + tail))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        line = read_public_line(data)
    except Malformed as refused:
        shown = str(refused)
    else:
        shown = line.comment
        assert line.key == KEY
    assert FORBIDDEN.search(shown) is None
