"""What one can say at a live table: the verbs of the command line, typed at a prompt or written as JSON.

A line of JSON is an object: ``{"do": "up", "slot": 1, "when": "turn 3"}``. A typed line is the verb and its words; the
last word of a verb may be several.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from hiddenagenda.characters import FORBIDDEN
from hiddenagenda.faults import Malformed, Sentence, sentence


class Sort(Enum):
    """What a word of a verb may be."""

    NUMBER = "number"
    WORD = "word"
    REST = "rest"
    """Everything to the end of the line; it may be left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb: what it does, and its words in their order."""

    said: Sentence
    words: Mapping[str, Sort] = field(default_factory=dict)

    def usage(self, name: str) -> str:
        """Return how it is typed."""
        return " ".join([name, *(f"[{word}]" if sort is Sort.REST else word for word, sort in self.words.items())])


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One line that was said to the program."""

    verb: str
    words: Mapping[str, str | int]

    def text(self, word: str) -> str:
        """Return a word that is a text; an empty one where it was left out."""
        return str(self.words.get(word, ""))

    def number(self, word: str) -> int:
        """Return a word that is a number."""
        return int(self.words[word])


QUIT: Final = Verb(said=sentence("go; come back with the same command, or go on by chat"))
HELP: Final = Verb(said=sentence("list what can be said"))
LOBBY: Final[Mapping[str, Verb]] = {
    "accept": Verb(said=sentence("take a seat for the table, by its number"), words={"number": Sort.NUMBER}),
    "refuse": Verb(said=sentence("send a seat away"), words={"number": Sort.NUMBER}),
    "seats": Verb(said=sentence("list who waits and who is accepted")),
    "set": Verb(
        said=sentence("set the table; with numbers such as 2,1,3 in this turn order"), words={"order": Sort.REST}
    ),
    "help": HELP,
    "quit": QUIT,
}
DOOR: Final[Mapping[str, Verb]] = {
    "sit": Verb(said=sentence("sit down at the table that was set")),
    "help": HELP,
    "quit": QUIT,
}
TABLE: Final[Mapping[str, Verb]] = {
    "commit": Verb(
        said=sentence("name cards: Conspiracy=Name, with ; between several, or none; without words you are asked"),
        words={"agendas": Sort.REST},
    ),
    "up": Verb(said=sentence("turn a slot up"), words={"slot": Sort.NUMBER, "when": Sort.REST}),
    "apply": Verb(
        said=sentence("use the linked ability of a slot on a card"), words={"slot": Sort.NUMBER, "card": Sort.REST}
    ),
    "step": Verb(
        said=sentence("open a step of a player's turn, where priority is tracked"),
        words={"step": Sort.WORD, "turn": Sort.NUMBER, "active": Sort.REST},
    ),
    "pass": Verb(said=sentence("pass priority")),
    "act": Verb(said=sentence("do something with priority"), words={"text": Sort.REST}),
    "leave": Verb(said=sentence("leave the game, showing all that is face down"), words={"why": Sort.REST}),
    "end": Verb(said=sentence("say that the game is over for all"), words={"outcome": Sort.REST}),
    "reveal": Verb(said=sentence("show what is due, also where only you ended the game"), words={}),
    "note": Verb(said=sentence("write a note into the record"), words={"text": Sort.REST}),
    "show": Verb(said=sentence("show my own slips, to me alone")),
    "status": Verb(said=sentence("say how the game stands, who is here, and what I may do")),
    "verify": Verb(said=sentence("print the verdict as it stands")),
    "help": HELP,
    "quit": QUIT,
}


def read(line: str, verbs: Mapping[str, Verb]) -> Command:
    """Return the command in one line, typed or JSON. Raises ``Malformed``."""
    name, words = _from_json(line) if line.startswith("{") else _from_text(line, verbs)
    verb = verbs.get(name)
    if verb is None:
        raise Malformed(
            sentence("“{verb}” is nothing that can be said here", verb=name[:40]),
            hint=sentence("say one of: {verbs}", verbs=", ".join(verbs)),
            code="verb",
        )
    strange = set(words) - set(verb.words)
    missing = [word for word, sort in verb.words.items() if sort is not Sort.REST and word not in words]
    unfit = [word for word, value in words.items() if word in verb.words and not _fits(value, verb.words[word])]
    if strange or missing or unfit:
        raise Malformed(sentence("it is said like this: {usage}", usage=verb.usage(name)), code="usage")
    return Command(verb=name, words=words)


def _fits(value: str | int, sort: Sort) -> bool:
    if sort is Sort.NUMBER:
        return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**53
    return isinstance(value, str) and FORBIDDEN.search(value) is None


def _from_json(line: str) -> tuple[str, Mapping[str, str | int]]:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise Malformed(sentence("this is no JSON object"), code="usage") from None
    words = {word: value for word, value in said.items() if word != "do"}
    if not isinstance(said.get("do"), str) or not all(isinstance(value, str | int) for value in words.values()):
        raise Malformed(sentence("an object has a member “do”, and texts and numbers besides"), code="usage")
    return said["do"], words


def _from_text(line: str, verbs: Mapping[str, Verb]) -> tuple[str, Mapping[str, str | int]]:
    name, _, rest = line.strip().partition(" ")
    words: dict[str, str | int] = {}
    for word, sort in (verbs[name].words if name in verbs else {}).items():
        rest = rest.strip()
        if not rest:
            break
        piece, rest = (rest, "") if sort is Sort.REST else _first(rest)
        words[word] = int(piece) if sort is Sort.NUMBER and piece.isascii() and piece.isdecimal() else piece
    if rest.strip():
        words[""] = rest.strip()
    return name, words


def _first(text: str) -> tuple[str, str]:
    piece, _, rest = text.partition(" ")
    return piece, rest


def agendas(text: str) -> Sequence[tuple[str, tuple[str, ...]]]:
    """Return the agendas in the words of ``commit``: conspiracy and names of each. Raises ``Malformed``."""
    if text.strip() == "none":
        return ()
    found = []
    for one in text.split(";"):
        conspiracy, *names = (piece.strip() for piece in one.split("="))
        if not names or not all((conspiracy, *names)):
            raise Malformed(sentence("“commit” wants Conspiracy=Name, with ; between several; or none"), code="usage")
        found.append((conspiracy, tuple(names)))
    return found
