"""The face-down card, and what turns it up.

SPEC "The commitment". A commitment is SHA-256 of a slip's bytes: ``sha256sum`` of a slip file prints it. This module
compares; it does not know whose move it is.
"""

import hmac
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from hiddenagenda import token
from hiddenagenda.faults import HiddenAgendaError, Malformed, sentence
from hiddenagenda.slip import Slip, read_slip
from hiddenagenda.token import Kind

_SIZE: Final = sha256().digest_size
_HEX: Final = re.compile(r"[0-9a-f]{64}")


class OpeningMismatch(HiddenAgendaError):
    """A slip that does not hash to the commitment it was shown for."""

    def __init__(self, expected: "Commitment", got: "Commitment") -> None:
        super().__init__(
            sentence("the slip hashes to {got}, the commitment is {expected}", got=got.hex, expected=expected.hex),
            code="slip-does-not-fit",
        )
        self.expected = expected
        self.got = got


@dataclass(frozen=True, slots=True, eq=False)
class Commitment:
    """32 public bytes that bind a slip and tell nothing of it."""

    digest: bytes

    def __post_init__(self) -> None:
        """Raise ``Malformed`` for anything but 32 bytes."""
        if len(self.digest) != _SIZE:
            raise Malformed(
                sentence("a commitment has {want} bytes, this has {have}", want=_SIZE, have=len(self.digest)),
                code="commitment",
            )

    @classmethod
    def of(cls, slip: bytes) -> Self:
        """Return the commitment to the bytes of a slip."""
        return cls(sha256(slip).digest())

    @classmethod
    def from_hex(cls, digits: str) -> Self:
        """Return the commitment that 64 lower-case hex digits stand for. Raises ``Malformed`` for anything else."""
        if not _HEX.fullmatch(digits):
            raise Malformed(sentence("a commitment is 64 lower-case hex digits"), code="commitment")
        return cls(bytes.fromhex(digits))

    @property
    def hex(self) -> str:
        """The commitment as ``sha256sum`` prints it: 64 lower-case hex digits."""
        return self.digest.hex()

    @property
    def token(self) -> str:
        """The commitment as a chat token, ``hac1…``."""
        return token.encode(Kind.COMMITMENT, self.digest)

    def turn_up(self, slip: bytes) -> Slip:
        """Return the slip that ``slip`` spells, if it is the one committed to.

        Raises ``OpeningMismatch`` where it hashes to something else (looked at first), ``Malformed`` where bytes that
        match are no slip.
        """
        got = Commitment.of(slip)
        if got != self:
            raise OpeningMismatch(self, got)
        return read_slip(slip)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Commitment) and hmac.compare_digest(self.digest, other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)
