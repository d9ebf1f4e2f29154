"""Which keys the other players had when one met them: trust on first use.

SPEC "Files". A name is a claim; a key is what signs. The first key that comes with a name is remembered, and another
one under that name is told loudly and not remembered until its user says so. The file holds a line for each: the key
in hex, a blank, the name. Nothing here refuses to play with anybody.
"""

import enum
import os
import re
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, assert_never

from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.edge.directories import private_directory
from hiddenagenda.edge.files import StoreError, read_secret, replace_file
from hiddenagenda.edge.lock import locked
from hiddenagenda.faults import IllegalMove, Sentence, counted, sentence
from hiddenagenda.publickey import PublicKey
from hiddenagenda.slip import LONGEST_TEXT

LARGEST: Final = 4 * 2**20
"""Bytes of the file at the most."""

_LINE: Final = re.compile(r"([0-9a-f]{64}) (.*)")


class Standing(enum.Enum):
    """How a key and the name it comes with stand to what is remembered."""

    NEW = enum.auto()
    """Neither was met before."""
    KNOWN = enum.auto()
    """This key, under this name, and no other key under it."""
    RENAMED = enum.auto()
    """The key is known under another name, and the name is nobody's."""
    ANOTHER_KEY = enum.auto()
    """The name is known, but with another key: a new device, or somebody else."""
    SHARED_NAME = enum.auto()
    """The key is known under this name, and so is another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """A key and the name that somebody with it went by."""

    public: PublicKey
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Somebody who was met, and how that person stands; ``others`` is what is remembered that bears on it."""

    met: Acquaintance
    standing: Standing
    others: tuple[Acquaintance, ...]

    @property
    def is_alarming(self) -> bool:
        """Tell whether it is to be said loudly, before anything is signed."""
        return self.standing in {Standing.ANOTHER_KEY, Standing.SHARED_NAME}

    @property
    def said(self) -> Sentence:
        """One line about it, which shows the fingerprint to compare."""
        name, fingerprint = self.met.name, self.met.public.fingerprint
        match self.standing:
            case Standing.NEW:
                return sentence("{name} is new to you: {fingerprint}", name=name, fingerprint=fingerprint)
            case Standing.KNOWN:
                return sentence("{name} has the key you know: {fingerprint}", name=name, fingerprint=fingerprint)
            case Standing.RENAMED:
                return sentence(
                    "{name} has a key you know by the name {former}: {fingerprint}",
                    name=name,
                    former=self.others[-1].name,
                    fingerprint=fingerprint,
                )
            case Standing.ANOTHER_KEY:
                return sentence(
                    "{name} comes with another key than before: {fingerprint}, not {known}; ask {name} how it reads",
                    name=name,
                    fingerprint=fingerprint,
                    known=self.others[-1].public.fingerprint,
                )
            case Standing.SHARED_NAME:
                return counted(
                    "{n} other key goes by the name {name}; this one is {fingerprint}",
                    "{n} other keys go by the name {name}; this one is {fingerprint}",
                    n=len(self.others),
                    name=name,
                    fingerprint=fingerprint,
                )
            case _:
                assert_never(self.standing)


class KnownPlayers:
    """The file at ``path``, in a private directory; neither need exist.

    Every method raises ``StoreError`` for a file that cannot be used, or has a line that cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def everybody(self) -> tuple[Acquaintance, ...]:
        """Return everybody who is remembered, in the order of meeting. Raises ``UnusableKey`` too."""
        return tuple(_acquaintance(line) for line in self._lines())

    def look(self, name: str, public: PublicKey) -> Meeting:
        """Say how this key and name stand, and remember nothing."""
        return _meeting(self._lines(), name, public)

    def meet(self, name: str, public: PublicKey) -> Meeting:
        """Say how this key and name stand, and remember them unless the name is another key's.

        Raises ``IllegalMove`` for a name that no seat could hold.
        """
        _check_name(name)
        with self._held():
            lines = self._lines()
            meeting = _meeting(lines, name, public)
            if meeting.standing in {Standing.NEW, Standing.RENAMED}:
                self._write([*lines, (public.hex, name)])
        return meeting

    def trust(self, name: str, public: PublicKey) -> None:
        """Remember this key under this name, whoever else has it. Raises ``IllegalMove`` as ``meet``."""
        _check_name(name)
        with self._held():
            lines = self._lines()
            if (public.hex, name) not in lines:
                self._write([*lines, (public.hex, name)])

    def forget(self, name: str, public: PublicKey) -> None:
        """Remember this key under this name no longer. Raises ``IllegalMove`` where it is not remembered."""
        with self._held():
            lines = self._lines()
            if (public.hex, name) not in lines:
                raise IllegalMove(
                    sentence("{fingerprint} is not remembered as {name}", fingerprint=public.fingerprint, name=name),
                    code="not-remembered",
                )
            self._write([line for line in lines if line != (public.hex, name)])

    def _held(self) -> AbstractContextManager[int]:
        private_directory(os.path.dirname(self._path))
        # a file of its own, since the other one is replaced, which Windows forbids while it is open
        return locked(self._path + ".lock")

    def _lines(self) -> list[tuple[str, str]]:
        if not os.path.lexists(self._path):
            return []
        text = read_secret(self._path, LARGEST).decode("utf-8", "surrogateescape").removesuffix("\n")
        return [self._line(number, line) for number, line in enumerate(text.split("\n"), 1)] if text else []

    def _line(self, number: int, line: str) -> tuple[str, str]:
        match = _LINE.fullmatch(line.removesuffix("\r"))
        if match is None or FORBIDDEN.search(match[2]) is not None:
            raise StoreError(
                sentence("cannot use {path}: line {line} is no key and name", path=self._path, line=number),
                hint=sentence("correct that line, or remove it"),
                code="unreadable-line",
            )
        return match[1], match[2]

    def _write(self, lines: list[tuple[str, str]]) -> None:
        replace_file(self._path, "".join(f"{key} {name}\n" for key, name in lines).encode())


def by_fingerprint(fingerprint: str, keys: Iterable[PublicKey]) -> PublicKey:
    """Return the one of ``keys`` with this fingerprint. Raises ``IllegalMove`` where there is none."""
    for key in keys:
        if key.fingerprint == fingerprint:
            return key
    raise IllegalMove(
        sentence("no key that you have met has the fingerprint {fingerprint}", fingerprint=fingerprint),
        hint=sentence("name the game in which it was shown with --table FILE, or give the public line: ssh-ed25519 …"),
        code="unknown-fingerprint",
    )


def _meeting(lines: list[tuple[str, str]], name: str, public: PublicKey) -> Meeting:
    same_name = [line for line in lines if line[1] == name and line[0] != public.hex]
    same_key = [line for line in lines if line[0] == public.hex and line[1] != name]
    if (public.hex, name) in lines:
        standing, others = (Standing.SHARED_NAME, same_name) if same_name else (Standing.KNOWN, [])
    elif same_name:
        standing, others = Standing.ANOTHER_KEY, same_name
    elif same_key:
        standing, others = Standing.RENAMED, same_key
    else:
        standing, others = Standing.NEW, []
    return Meeting(
        met=Acquaintance(public=public, name=name), standing=standing, others=tuple(map(_acquaintance, others))
    )


def _acquaintance(line: tuple[str, str]) -> Acquaintance:
    return Acquaintance(public=PublicKey.from_hex(line[0]), name=line[1])


def _check_name(name: str) -> None:
    if len(name) > LONGEST_TEXT or FORBIDDEN.search(name) is not None:
        raise IllegalMove(sentence("a player cannot be called {name}", name=name[:LONGEST_TEXT]), code="unfit-name")
