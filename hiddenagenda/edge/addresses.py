"""Where a relay listens, and what others may know it by.

SPEC "Relays". An address is a host and a port, as in ``0.0.0.0:7707``, ``[::1]:7707`` or ``:7707``, which is every
address that the machine has. Nothing is sent by asking for the machine's own address.
"""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Self

from hiddenagenda.edge.files import StoreError
from hiddenagenda.faults import Malformed, sentence

PORT: Final = 7707
"""The port where none is given."""

_ADDRESS: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]*)\]|([A-Za-z0-9._-]*))(?::([0-9]{1,5}))?")
_EVERY: Final = {"", "0.0.0.0", "::"}  # noqa: S104 - what the user may ask for
_DOCUMENTATION: Final = (
    (socket.AF_INET, ("192.0.2.1", 9)),
    (socket.AF_INET6, ("2001:db8::1", 9)),
)
"""Addresses of nobody (RFC 5737, RFC 3849): the system says from which of its own it would speak to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A host, empty for every one of this machine, and a port."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the address that ``text`` writes. Raises ``Malformed``."""
        match = _ADDRESS.fullmatch(text)
        port = PORT if match is None or match[3] is None else int(match[3])
        if match is None or port > 0xFFFF:
            raise Malformed(
                sentence("“{text}” is no address to listen at", text=text),
                hint=sentence("as in 0.0.0.0:7707, [::1]:7707, or :7707 for every address of this machine"),
                code="address",
            )
        return cls(host=match[1] or match[2] or "", port=port)

    @property
    def is_every(self) -> bool:
        """Whether it stands for every address of the machine."""
        return self.host in _EVERY

    @property
    def url(self) -> str:
        """Where others may find it: under the machine's own address where it stands for every one."""
        host = own_address() if self.is_every else self.host
        return f"ws://[{host}]:{self.port}" if ":" in host else f"ws://{host}:{self.port}"

    @property
    def own_url(self) -> str:
        """Where this machine itself finds it."""
        host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104
        return f"ws://[{host}]:{self.port}" if ":" in host else f"ws://{host}:{self.port}"


def own_address() -> str:
    """Return the address by which this machine speaks to others; its loopback address where it has none."""
    for family, nobody in _DOCUMENTATION:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asking:
                asking.connect(nobody)  # of a datagram socket: nothing is sent
                return str(asking.getsockname()[0])
        except OSError:
            continue
    return "127.0.0.1"


@contextmanager
def explained_address(address: Address) -> Iterator[None]:
    """Turn the system's refusal to listen at ``address`` into a ``StoreError``."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            sentence(
                "cannot listen at {host}:{port}: {why}",
                host=address.host or "*",
                port=address.port,
                why=error.strerror or type(error).__name__,
            ),
            hint=sentence("perhaps another program does; choose another port, as in --bind :7708"),
            code="bind",
        ) from None
