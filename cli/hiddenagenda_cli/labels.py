"""What people are called and call things: a name or word that was given, remembered, or is asked for."""

from hiddenagenda.cards.folding import clean
from hiddenagenda.edge.store import Preferences, read_preferences, write_preferences
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda_cli.ask import ask, at_terminal
from hiddenagenda_cli.output import voice
from hiddenagenda_cli.usage import Usage


def label(given: str | None, question: Sentence, *, option: str, last: str) -> str:
    """Return ``given``, put in order, or else the one used ``last``, which somebody at a terminal may change."""
    if given is None:
        given = last if last and not at_terminal() else ask(question, option=option, default=last)
    cleaned = clean(given)
    voice.note(cleaned.notices)
    if not cleaned.text:
        raise Usage("{option} is empty", option=option)
    return cleaned.text


def player_name(home: str, given: str | None) -> str:
    """Return what the player is called, as ``label``, and remember it in ``home`` for the next time."""
    last = read_preferences(home)
    name = label(given, sentence("Your name"), option="--name", last=last.player)
    if name != last.player:
        write_preferences(home, Preferences(player=name, game=last.game))
    return name
