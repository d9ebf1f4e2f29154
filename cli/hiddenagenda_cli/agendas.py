"""Agendas as a player gives them: as arguments, from a file, or in answer to questions."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.conspiracies import CONSPIRACIES, Agenda, Conspiracy
from hiddenagenda.cards.folding import fold
from hiddenagenda.cards.resolve import Unknown, UnknownCardName
from hiddenagenda.edge.files import read_bounded
from hiddenagenda.faults import HiddenAgendaError, Malformed, sentence
from hiddenagenda.naming import Choice, choose, choose_conspiracy, choose_name
from hiddenagenda.value import value
from hiddenagenda_cli.ask import ask, at_terminal, confirm
from hiddenagenda_cli.names import beginning, catalogue, languages
from hiddenagenda_cli.output import voice
from hiddenagenda_cli.usage import Usage

Further: TypeAlias = Mapping[str, Conspiracy]
"""Conspiracies with an agenda that a table adds to those of the rules, by name."""
NO_FURTHER: Further = MappingProxyType({})
_LARGEST_LIST = 65536
_SEEN = sentence("names given as arguments stay in the shell's history and show in the list of processes")
_UNFIT = sentence("this is no agenda as it stands (--hidden-input tells no more)")


@value
class Named:
    """Everything on a command line that says which agendas a player has."""

    names: tuple[str, ...]
    conspiracy: str | None
    names_from: str | None
    agendas: tuple[str, ...]
    none: bool
    unlisted: bool
    hidden: bool

    def is_asked(self) -> bool:
        """Say whether the player is to be asked for all agendas."""
        return not (self.names or self.conspiracy or self.names_from or self.agendas or self.none)

    def choices(self, further: Further = NO_FURTHER) -> list[Choice]:
        """Return the choices that were given, or else are asked for; ``further`` is what the table adds."""
        ways = (bool(self.names or self.conspiracy), self.names_from is not None, bool(self.agendas), self.none)
        if sum(ways) > 1:
            raise Usage("names with --conspiracy, --names-from, --agenda and --none exclude each other")
        if self.none:
            return []
        if self.names_from is not None:
            return self._chosen(read_list(self.names_from), further)
        if self.agendas:
            voice.warn(_SEEN)
            return self._chosen([parse(agenda) for agenda in self.agendas], further)
        if self.names:
            voice.warn(_SEEN)
            conspiracy = self.conspiracy or ask(sentence("Conspiracy"), option="--conspiracy", hidden=self.hidden)
            return self._chosen([(conspiracy, self.names)], further)
        if not at_terminal():
            option = sentence("NAME") if self.conspiracy else sentence("NAME --conspiracy")
            raise Usage("nobody can be asked here: {option} is missing", option=option)
        if self.conspiracy is not None:
            return ask_names(catalogue(), self.conspiracy, unlisted=self.unlisted, hidden=self.hidden, further=further)
        return ask_all(catalogue(), unlisted=self.unlisted, hidden=self.hidden, further=further)

    def _chosen(self, agendas: Sequence[tuple[str, tuple[str, ...]]], further: Further) -> list[Choice]:
        return choose_all(catalogue(), agendas, unlisted=self.unlisted, hidden=self.hidden, further=further)


def read_list(source: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the agendas in a file or standard input: one a line, conspiracy and names separated by tabs."""
    from hiddenagenda_cli.files import STANDARD_INPUT, read_standard_input  # noqa: PLC0415 - it knows all of tokens

    data = read_standard_input() if source == STANDARD_INPUT else read_bounded(source, _LARGEST_LIST)
    try:
        lines = data.decode("utf-8").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError as error:
        raise Malformed(sentence("{file}: not UTF-8 at byte {position}", file=source, position=error.start)) from None
    agendas = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        conspiracy, *names = line.split("\t")
        if not names:
            raise Malformed(
                sentence("{file}, line {number}: there is no tab in it", file=source, number=number),
                hint=sentence("one agenda a line: the conspiracy, a tab, the card name; two names with a tab between"),
            )
        agendas.append((conspiracy, tuple(names)))
    if not agendas:
        raise Malformed(sentence("{file}: there is no agenda in it", file=source))
    return agendas


def parse(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the agenda in an argument: ``Conspiracy=Name``, or ``Conspiracy=Name=Other name``."""
    conspiracy, *names = text.split("=")
    if not names:
        raise Usage("--agenda wants “Conspiracy=Name” or “Conspiracy=Name=Other name”")
    return conspiracy, tuple(names)


def choose_all(
    catalogue: Catalogue,
    agendas: Sequence[tuple[str, tuple[str, ...]]],
    *,
    unlisted: bool,
    hidden: bool,
    further: Further = NO_FURTHER,
) -> list[Choice]:
    """Return the choices for agendas that were given in full. Raises for the first that is refused."""
    choices = []
    for conspiracy, names in agendas:
        try:
            choice = choose(catalogue, conspiracy, names, languages=languages(), unlisted=unlisted, further=further)
        except HiddenAgendaError:
            if hidden:
                raise Malformed(_UNFIT, code="no-agenda") from None
            raise
        choices.append(choice)
        if not hidden:
            voice.note(choice.notices)
            _confirm(choice)
    return choices


def ask_all(catalogue: Catalogue, *, unlisted: bool, hidden: bool, further: Further = NO_FURTHER) -> list[Choice]:
    """Ask for agendas until the player has no more, and return the choices."""
    ask_one = _ask_hidden if hidden else _ask_aloud
    choices = [ask_one(catalogue, None, unlisted=unlisted, further=further)]
    while confirm(sentence("Another conspiracy?")):
        choices.append(ask_one(catalogue, None, unlisted=unlisted, further=further))
    return choices


def ask_names(
    catalogue: Catalogue, conspiracy: str, *, unlisted: bool, hidden: bool, further: Further = NO_FURTHER
) -> list[Choice]:
    """Ask for the names of a conspiracy that was given as an argument."""
    card, notices = choose_conspiracy(conspiracy, further=further)
    voice.note(notices)
    return [(_ask_hidden if hidden else _ask_aloud)(catalogue, card, unlisted=unlisted, further=further)]


def _ask_aloud(catalogue: Catalogue, card: Conspiracy | None, *, unlisted: bool, further: Further) -> Choice:
    card = card or _ask_conspiracy(further)
    while True:
        names = [_ask_until_named(catalogue, number, unlisted=unlisted) for number in range(card.agenda.names)]
        try:
            # What was accepted name by name is listed, or was taken as it is on purpose.
            choice = choose(catalogue, card.name, names, unlisted=True, further=further)
        except HiddenAgendaError as error:
            voice.fail(error)
        else:
            _confirm(choice)
            return choice


def _ask_hidden(catalogue: Catalogue, card: Conspiracy | None, *, unlisted: bool, further: Further) -> Choice:
    """Ask without an echo, always for two names, so that the screen does not tell one name from two."""
    while True:
        conspiracy = card.name if card else ask(sentence("Conspiracy"), option="--conspiracy", hidden=True)
        first = ask(sentence("Card name"), option="NAME", hidden=True)
        second = ask(sentence("Second card name; - for none"), option="NAME", hidden=True)
        names = (first,) if second == "-" else (first, second)
        try:
            return choose(catalogue, conspiracy, names, languages=languages(), unlisted=unlisted, further=further)
        except HiddenAgendaError:
            voice.complain(_UNFIT)


def _ask_conspiracy(further: Further) -> Conspiracy:
    known = [one.name for one in {**CONSPIRACIES, **further}.values() if one.agenda is not Agenda.NONE]
    while True:
        typed = ask(
            sentence("Conspiracy"),
            option="--conspiracy",
            complete=lambda start: (name for name in known if fold(name).startswith(fold(start))),
        )
        try:
            return choose_conspiracy(typed, further=further)[0]
        except HiddenAgendaError as error:
            voice.fail(error)


def _ask_name(catalogue: Catalogue, number: int, *, unlisted: bool) -> str:
    question = sentence("Second card name") if number else sentence("Card name")
    typed = ask(question, option="NAME", complete=lambda text: beginning(catalogue, text))
    try:
        name, _, notices = choose_name(catalogue, typed, languages=languages(), unlisted=unlisted)
    except UnknownCardName as error:
        unknown = isinstance(error.resolution, Unknown) and not error.resolution.lookalikes
        if not unknown:
            raise
        voice.fail(error)
        if not confirm(sentence("Is it a real card, newer than the list? Take the name as it is written?")):
            return _ask_name(catalogue, number, unlisted=unlisted)
        name, _, notices = choose_name(catalogue, typed, languages=languages(), unlisted=True)
    voice.note(notices)
    return name


def _ask_until_named(catalogue: Catalogue, number: int, *, unlisted: bool) -> str:
    while True:
        try:
            return _ask_name(catalogue, number, unlisted=unlisted)
        except HiddenAgendaError as error:
            voice.fail(error)


def _confirm(choice: Choice) -> None:
    for warning in choice.warnings:
        voice.warn(warning)
    for name in choice.names:
        voice.say(sentence("{conspiracy}: {name}", conspiracy=choice.conspiracy, name=name))
