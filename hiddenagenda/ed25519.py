"""Which Ed25519 keys and which signatures this protocol takes; the same ones on every install.

SPEC "Keys and signatures". Ed25519's readers disagree about keys with a small-order part, about numbers that
are not reduced and about the equation itself. Here a key is in the prime-order subgroup and canonical, a
signature's halves are canonical, and the equation holds as it stands (without the cofactor). The gate in this
module says so; libsodium does the arithmetic and is tried on known answers before its first word counts.
Nothing here signs.
"""

import enum
from functools import cache, lru_cache
from typing import Final

from nacl.bindings import crypto_core_ed25519_is_valid_point, crypto_sign_open
from nacl.exceptions import BadSignatureError, UnavailableError

from hiddenagenda.faults import HiddenAgendaError, sentence

KEY_SIZE: Final = 32
"""Bytes of a public key, and of the seed it comes from."""
SIGNATURE_SIZE: Final = 64
"""Bytes of a signature: R, then S, each 32 bytes, little-endian. (RFC 8032, 5.1.6)"""

_FIELD: Final = 2**255 - 19
_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""L, the order of the subgroup of prime order. (RFC 8032, 5.1)"""
_Y: Final = 2**255 - 1
"""Masks the sign of x off an encoded point."""
_Y_OF_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER: Final = frozenset({0, 1, _FIELD - 1, _Y_OF_ORDER_8, _FIELD - _Y_OF_ORDER_8})
"""The y of the eight points whose order divides 8."""
_KEYS_REMEMBERED: Final = 16_384


class UnfitLibrary(HiddenAgendaError):
    """The installed libsodium answers a known question wrongly; nothing is verified with it."""


class Flaw(enum.Enum):
    """Why 64 bytes are no signature whatever was signed."""

    LENGTH = enum.auto()
    """There are not 64 of them."""
    R_NOT_CANONICAL = enum.auto()
    """R's y is not below 2^255 - 19, or R is of small order."""
    S_NOT_CANONICAL = enum.auto()
    """S is not below L: somebody added L to it. ``ssh-keygen`` takes such signatures."""


def flaw_of(signature: bytes) -> Flaw | None:
    """Return what is wrong with the form of ``signature``, or None (RFC 8032, 5.1.7, step 1)."""
    if len(signature) != SIGNATURE_SIZE:
        return Flaw.LENGTH
    y = int.from_bytes(signature[:32], "little") & _Y
    if y >= _FIELD or y in _SMALL_ORDER:
        return Flaw.R_NOT_CANONICAL
    if int.from_bytes(signature[32:], "little") >= _ORDER:
        return Flaw.S_NOT_CANONICAL
    return None


@lru_cache(maxsize=_KEYS_REMEMBERED)
def is_usable_key(key: bytes) -> bool:
    """Tell whether ``key`` is 32 canonical bytes of a point on the curve, of prime order.

    The answer is remembered, since asking is about as dear as verifying. Raises ``UnfitLibrary``.
    """
    if len(key) != KEY_SIZE:
        return False
    y = int.from_bytes(key, "little") & _Y
    if y >= _FIELD or y in _SMALL_ORDER:
        return False
    try_libsodium()
    return crypto_core_ed25519_is_valid_point(key)


def holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether ``signature`` is one by ``key`` over ``message``; the only place where that is asked.

    Any bytes may come in; what is no usable key or no canonical signature does not hold. Raises
    ``UnfitLibrary``.
    """
    return is_usable_key(key) and flaw_of(signature) is None and _equation_holds(key, message, signature)


def _equation_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Ask libsodium, which reads exactly 32 and 64 bytes: the gate has counted them."""
    try:
        crypto_sign_open(signature + message, key)
    except BadSignatureError:
        return False
    return True


_BASE_POINT: Final = b"\x58" + b"\x66" * 31
_MIXED_ORDER_KEYS: Final = (
    # the base point plus a point of order 2, 4 and 8; PyNaCl before 1.6.2 takes them (CVE-2025-69277)
    bytes.fromhex("95" + "99" * 31),
    bytes.fromhex("9bad33f580df7ecc49df5342bac8145d5bedc40f573d1b067f3c4ce449689a15"),
    bytes.fromhex("98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819"),
)
_SIGNED: Final = b"hiddenagenda"
# made by hand for the private scalar 1 with nonce 1, whose public key is the base point
_GOOD: Final = _BASE_POINT + bytes.fromhex("abe12b24b99e5b5283024fab2935a25b5ebef2ac63158eac957bae6bd32ec30a")
_COFACTORED: Final = (
    # as above, with a point of order 2, 4 and 8 added to R: these hold only when multiplied by the cofactor
    _MIXED_ORDER_KEYS[0] + bytes.fromhex("8ab0ea3a381f2e8d735a9ee782af56fb4b20debf3127da336c7b6f2c41e9f40b"),
    _MIXED_ORDER_KEYS[1] + bytes.fromhex("969f796fcf7da1859e0b1bb819755bddc3f9382b8a16de29a70ebd242b6e6b04"),
    _MIXED_ORDER_KEYS[2] + bytes.fromhex("4d0764206033ccd144d4f0e00c1cf2cecc2022b653102d12de6274bf5ac13008"),
)


@cache
def try_libsodium() -> None:
    """Ask libsodium what is known; once a process, before it is first relied on.

    Raises ``UnfitLibrary`` where it takes a key or a signature that it must refuse, or refuses a good one.
    The version number would not do: PyNaCl can be built over any libsodium.
    """
    try:
        right_about_keys = crypto_core_ed25519_is_valid_point(_BASE_POINT) and not any(
            map(crypto_core_ed25519_is_valid_point, _MIXED_ORDER_KEYS)
        )
    except UnavailableError:
        right_about_keys = False
    right_about_signatures = _equation_holds(_BASE_POINT, _SIGNED, _GOOD) and not any(
        _equation_holds(_BASE_POINT, _SIGNED, signature) for signature in _COFACTORED
    )
    if not (right_about_keys and right_about_signatures):
        raise UnfitLibrary(
            sentence("the installed libsodium answers known questions about keys or signatures wrongly"),
            hint=sentence("install PyNaCl 1.6.2 or newer, as its own wheel"),
            code="unfit-library",
        )
