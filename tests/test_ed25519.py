"""The gate: the published corpora come out as required, whichever library does the arithmetic."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import nacl.bindings
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from nacl.exceptions import UnavailableError

from hiddenagenda import ed25519
from hiddenagenda.ed25519 import Flaw, UnfitLibrary, flaw_of, holds, is_usable_key, try_libsodium

ORDER = 2**252 + 27742317777372353535851937790883648493
FIELD = 2**255 - 19
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")


def with_cryptography(key: bytes, message: bytes, signature: bytes) -> bool:
    """OpenSSL's answer, through the package cryptography."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    is_usable_key.cache_clear()
    try_libsodium.cache_clear()
    yield
    is_usable_key.cache_clear()
    try_libsodium.cache_clear()


@pytest.fixture(params=["libsodium", "cryptography"])
def arithmetic(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Ask one library, then the other, behind the same gate."""
    if request.param == "cryptography":
        monkeypatch.setattr(ed25519, "_equation_holds", with_cryptography)
    return str(request.param)


def read(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8"))


def point(scalar: int) -> bytes:
    return nacl.bindings.crypto_scalarmult_ed25519_base_noclamp(scalar.to_bytes(32, "little"))


def add(*points: bytes) -> bytes:
    total = points[0]
    for other in points[1:]:
        total = nacl.bindings.crypto_core_ed25519_add(total, other)
    return total


def sign_by_hand(private: int, key: bytes, message: bytes, commitment: bytes, nonce: int) -> bytes:
    """A signature with any R, any key: what a cheat's own program can make."""
    challenge = int.from_bytes(hashlib.sha512(commitment + key + message).digest(), "little")
    return commitment + ((nonce + challenge * private) % ORDER).to_bytes(32, "little")


def small_order_points() -> list[bytes]:
    points = [ORDER_8]
    while len(points) < 8:
        points.append(add(points[-1], ORDER_8))
    return points


def test_every_case_of_speccheck_is_refused(arithmetic: str, shared: Path) -> None:
    cases = read(shared / "corpora/ed25519-speccheck/cases.json")
    assert isinstance(cases, list)
    for case in cases:
        key, message, signature = (bytes.fromhex(case[name]) for name in ("pub_key", "message", "signature"))
        assert not holds(key, message, signature), case["condition"]


def test_wycheproof_comes_out_as_it_says(arithmetic: str, shared: Path) -> None:
    groups = read(shared / "corpora/wycheproof/ed25519_test.json")["testGroups"]  # type: ignore[index]
    seen = set()
    for group in groups:
        key = bytes.fromhex(group["publicKey"]["pk"])
        for test in group["tests"]:
            answer = holds(key, bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"]))
            assert answer == (test["result"] == "valid"), test["comment"]
            seen.add(answer)
    assert seen == {True, False}


def test_every_case_of_zip215_is_refused(arithmetic: str, shared: Path) -> None:
    cases = read(shared / "corpora/zip215/zip215.json")
    assert isinstance(cases, list)
    for case in cases:
        key, signature = bytes.fromhex(case["vk_bytes"]), bytes.fromhex(case["sig_bytes"])
        assert not holds(key, b"Zcash", signature), case["i"]


def test_every_encoding_of_small_order_is_refused_as_key_and_as_r(arithmetic: str) -> None:
    """All 196 pairs that zip215 excerpts; OpenSSL alone takes some of them."""
    others = [y + sign for y in (FIELD, FIELD + 1) for sign in (0, 1 << 255)]
    others += [1 + (1 << 255), FIELD - 1 + (1 << 255)]
    encodings = small_order_points() + [number.to_bytes(32, "little") for number in others]
    assert len(set(encodings)) == 14
    taken_by_openssl = 0
    for key in encodings:
        for commitment in encodings:
            signature = commitment + bytes(32)
            taken_by_openssl += with_cryptography(key, b"Zcash", signature)
            assert not holds(key, b"Zcash", signature)
    assert taken_by_openssl, "or else this test shows nothing"


def test_a_verifier_that_says_yes_to_everything_lets_no_bad_form_through(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try_libsodium()
    monkeypatch.setattr(ed25519, "_equation_holds", lambda *_: True)
    for case in read(shared / "corpora/zip215/zip215.json"):  # type: ignore[attr-defined]
        assert not holds(bytes.fromhex(case["vk_bytes"]), b"Zcash", bytes.fromhex(case["sig_bytes"]))
    assert holds(point(5), b"", point(7) + bytes(32)), "or else this test shows nothing"


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_key_has_32_bytes(size: int) -> None:
    assert not is_usable_key(bytes(size))


def test_keys_of_small_or_mixed_order_are_refused() -> None:
    for small in small_order_points():
        assert not is_usable_key(small)
        assert is_usable_key(add(point(9), small)) == (small == (1).to_bytes(32, "little"))


def test_keys_that_are_not_reduced_are_refused() -> None:
    for y in range(19):
        for sign in (0, 1 << 255):
            assert not is_usable_key((FIELD + y + sign).to_bytes(32, "little"))


def test_a_library_that_takes_every_key_gets_no_bad_encoding_through(monkeypatch: pytest.MonkeyPatch) -> None:
    try_libsodium()
    monkeypatch.setattr(ed25519, "crypto_core_ed25519_is_valid_point", lambda _: True)
    for key in small_order_points():
        assert not is_usable_key(key)
        assert not is_usable_key(key[:31] + bytes([key[31] ^ 0x80]))
    for y in range(19):
        assert not is_usable_key((FIELD + y).to_bytes(32, "little"))
    assert is_usable_key(point(5)), "or else this test shows nothing"


def test_a_key_off_the_curve_is_refused() -> None:
    assert not is_usable_key(b"\x02" + bytes(31))


def test_a_key_is_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def ask(key: bytes) -> bool:
        asked.append(key)
        return True

    try_libsodium()
    monkeypatch.setattr(ed25519, "crypto_core_ed25519_is_valid_point", ask)
    for _ in range(3):
        assert is_usable_key(point(11))
    assert asked == [point(11)]


def test_s_plus_l_is_refused(arithmetic: str) -> None:
    key = point(1234567)
    good = sign_by_hand(1234567, key, b"x", point(99), 99)
    assert holds(key, b"x", good)
    for times in (1, 2, 14):
        more = int.from_bytes(good[32:], "little") + times * ORDER
        altered = good[:32] + more.to_bytes(32, "little")
        assert flaw_of(altered) is Flaw.S_NOT_CANONICAL
        assert not holds(key, b"x", altered)


def test_s_is_below_l() -> None:
    commitment = point(1)
    assert flaw_of(commitment + (ORDER - 1).to_bytes(32, "little")) is None
    assert flaw_of(commitment + ORDER.to_bytes(32, "little")) is Flaw.S_NOT_CANONICAL


def test_r_of_small_order_is_refused_though_the_equation_holds(arithmetic: str) -> None:
    key, neutral = point(77), (1).to_bytes(32, "little")
    signature = sign_by_hand(77, key, b"x", neutral, 0)
    assert with_cryptography(key, b"x", signature)
    assert flaw_of(signature) is Flaw.R_NOT_CANONICAL
    assert not holds(key, b"x", signature)


def test_r_with_a_small_part_is_refused(arithmetic: str) -> None:
    key = point(77)
    for small in small_order_points()[:7]:
        signature = sign_by_hand(77, key, b"x", add(point(5), small), 5)
        assert flaw_of(signature) is None
        assert not holds(key, b"x", signature)


def test_r_that_is_not_reduced_is_refused(arithmetic: str) -> None:
    for y in range(19):
        for sign in (0, 1 << 255):
            assert flaw_of((FIELD + y + sign).to_bytes(32, "little") + bytes(32)) is Flaw.R_NOT_CANONICAL


@pytest.mark.parametrize("size", [0, 63, 65, 128])
def test_a_signature_of_another_length_does_not_hold(arithmetic: str, size: int) -> None:
    assert flaw_of(bytes(size)) is Flaw.LENGTH
    assert not holds(point(3), b"", bytes(size))


def test_every_altered_bit_is_noticed(arithmetic: str) -> None:
    key, message = point(3), b"message"
    signature = sign_by_hand(3, key, message, point(8), 8)
    assert holds(key, message, signature)
    for at in range(512):
        altered = bytearray(signature)
        altered[at // 8] ^= 1 << at % 8
        assert not holds(key, message, bytes(altered))


def _minimal_build(key: bytes) -> bool:
    raise UnavailableError


def _cofactored(key: bytes, message: bytes, signature: bytes) -> bool:
    return signature in (*ed25519._COFACTORED, ed25519._GOOD)


@pytest.mark.parametrize("ask", [lambda _: True, lambda _: False, _minimal_build])
def test_a_library_that_is_wrong_about_keys_is_not_used(
    ask: Callable[[bytes], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ed25519, "crypto_core_ed25519_is_valid_point", ask)
    with pytest.raises(UnfitLibrary, match="libsodium answers known questions"):
        is_usable_key(point(3))
    with pytest.raises(UnfitLibrary):
        holds(point(3), b"", bytes(64))


@pytest.mark.parametrize("ask", [lambda *_: True, lambda *_: False, _cofactored])
def test_a_library_that_is_wrong_about_signatures_is_not_used(
    ask: Callable[[bytes, bytes, bytes], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ed25519, "_equation_holds", ask)
    with pytest.raises(UnfitLibrary) as caught:
        is_usable_key(point(3))
    assert caught.value.code == "unfit-library"
    assert "1.6.2" in str(caught.value.hint)
