"""Identities: they sign, derive, and do not show themselves."""

import copy
import pickle
import secrets
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, hmac
from nacl.signing import SigningKey
from sshkeygen import make_key

from hiddenagenda.identity import Identity
from hiddenagenda.openssh import read_key_file
from hiddenagenda.sshsig import signed_blob, verifies

SEED = bytes(range(32))
ANA = Identity(SEED)


def test_rfc_8032_first_vector() -> None:
    identity = Identity(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    assert identity.public.hex == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


def test_generated_keys_differ_and_come_from_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Identity.generate().public != Identity.generate().public
    monkeypatch.setattr(secrets, "token_bytes", lambda count: SEED[:count])
    assert Identity.generate().public == ANA.public


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_seed_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Identity(bytes(size))


def test_signing_is_repeatable_and_over_the_blob() -> None:
    assert ANA.sign(b"x") == ANA.sign(b"x") == SigningKey(SEED).sign(signed_blob(b"x")).signature
    assert verifies(ANA.public, b"x", ANA.sign(b"x"))


def hkdf_by_hand(seed: bytes, info: bytes) -> bytes:
    """RFC 5869 for one block, without salt."""

    def mac(key: bytes, message: bytes) -> bytes:
        context = hmac.HMAC(key, hashes.SHA256())
        context.update(message)
        return context.finalize()

    return mac(mac(bytes(32), seed), info + b"\1")


def test_derived_secrets_are_hkdf() -> None:
    salt_key = ANA.derive(b"hiddenagenda/1 salt")
    assert salt_key == hkdf_by_hand(SEED, b"hiddenagenda/1 salt")
    assert ANA.derive(b"hiddenagenda/1 other") != salt_key
    assert Identity(SEED[::-1]).derive(b"hiddenagenda/1 salt") != salt_key
    assert len(ANA.derive(b"x", 80)) == 80


def test_key_files_hold_the_identity(tmp_path: Path) -> None:
    for passphrase in (None, b"correct horse"):
        assert Identity.unlock(read_key_file(ANA.to_openssh(passphrase)), passphrase).public == ANA.public
    made = Identity.unlock(read_key_file(make_key(tmp_path / "key")))
    assert Identity.unlock(read_key_file(made.to_openssh(None))).public == made.public


def test_an_identity_shows_nothing() -> None:
    shown = f"{ANA!r} {ANA} {[ANA]} %s" % ANA
    assert "<Identity>" in shown
    expanded = ANA._key._signing_key
    for secret in (SEED, expanded):
        assert secret.hex() not in shown
        assert repr(secret) not in shown
    for take in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not pickled"):
            take(ANA)
    with pytest.raises(TypeError):
        vars(ANA)
