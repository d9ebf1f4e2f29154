"""``cards``: what is a card name, and for what it is good."""

import click

from hiddenagenda.cards.conspiracies import CONSPIRACIES, Agenda
from hiddenagenda.cards.resolve import NoCardName, one_card, resolve
from hiddenagenda.cards.suggestions import suggest
from hiddenagenda.cards.table import Kind, Row
from hiddenagenda.cards.usefulness import Use, use
from hiddenagenda.characters import shown
from hiddenagenda.faults import sentence
from hiddenagenda_cli import frame
from hiddenagenda_cli.ask import ask
from hiddenagenda_cli.commands.cards_import import add_to
from hiddenagenda_cli.completers import card_names
from hiddenagenda_cli.names import beginning, catalogue, languages
from hiddenagenda_cli.output import Exit, voice


@frame.family("cards", help="Look up card names and conspiracies.")
def command() -> None:
    """Hold the commands about cards."""


@frame.subcommand(
    command,
    "check",
    short_help="say which card a name is, and for which conspiracies it is good",
    help="Say which card a name is, and for which conspiracies naming it does anything.",
    example='hiddenagenda cards check "Grizzly Bears"',
)
@click.argument("name", type=frame.TEXT, required=False, shell_complete=card_names)
def check(name: str | None) -> Exit:
    """Tell, and return the exit code: 1 where the name is not one card's."""
    if name is None:
        name = ask(sentence("Card name"), option="NAME", complete=lambda typed: beginning(catalogue(), typed))
    try:
        found = one_card(resolve(catalogue(), name, languages=languages()))
    except NoCardName as error:
        if not voice.as_json:
            raise
        voice.json({"typed": name, "error": error.code, "candidates": list(error.suggestions)})
        return Exit.INPUT
    good_for = [one.name for one in CONSPIRACIES.values() if use(one, found.card) is Use.WORKS]
    if voice.as_json:
        voice.json(
            {
                "typed": name,
                "name": found.card.name,
                "printed": found.found.printed,
                "language": found.found.language,
                "kind": found.card.kind.value,
                "layout": found.card.layout,
                "types": found.card.type_line,
                "notices": [voice.tell(notice) for notice in found.notices],
                "works": good_for,
            }
        )
        return Exit.KEPT
    voice.note(found.notices)
    voice.result(shown(found.card.name))
    _describe(found.card)
    for conspiracy in good_for:
        voice.told(sentence("  works with {conspiracy}", conspiracy=conspiracy))
    return Exit.KEPT


@frame.subcommand(
    command,
    "search",
    short_help="list the names that begin with, or are near to, a text",
    help="List the names that begin with a text, or, where none does, those nearest to it.",
    example='hiddenagenda cards search "grizzly b"',
)
@click.argument("text", type=frame.TEXT, required=False)
def search(text: str | None) -> Exit:
    """Print the names; return 1 where there is none."""
    if text is None:
        text = ask(sentence("How it begins, or what it is like"), option="TEXT")
    names = catalogue()
    found = list(beginning(names, text)) or [
        row.printed for row in suggest(names, text, frozenset({*languages(), "en"}))
    ]
    if voice.as_json:
        voice.json({"text": text, "names": found})
    else:
        for name in found:
            voice.result(shown(name))
    if found:
        return Exit.KEPT
    voice.complain(sentence("no card name is like “{text}”", text=text))
    return Exit.INPUT


@frame.subcommand(
    command,
    "info",
    short_help="say which list of names is in use, and list the conspiracies",
    help="Say which list of names is in use, of what date and digest, and list the conspiracies with their agendas.",
    example="hiddenagenda cards info",
)
def info() -> Exit:
    """Print what is known of the list and the conspiracies."""
    header = catalogue().header
    if voice.as_json:
        voice.json(
            {
                "date": header.date,
                "source": header.source,
                "languages": list(header.languages),
                "rows": header.rows,
                "sha256": header.sha256,
                "digest": header.digest,
                "conspiracies": {
                    one.name: {"agenda": one.agenda.value, "works_on": one.works_on.value}
                    for one in CONSPIRACIES.values()
                },
            }
        )
        return Exit.KEPT
    for line in (
        sentence("date: {date}", date=header.date),
        sentence("source: {source}", source=header.source),
        sentence("languages: {languages}", languages=" ".join(header.languages)),
        sentence("rows: {rows}", rows=header.rows),
        sentence("SHA-256 of the table: {digest}", digest=header.sha256),
        sentence("digest of the English names: {digest}", digest=header.digest),
        sentence("conspiracies:"),
    ):
        voice.told(line)
    for conspiracy in CONSPIRACIES.values():
        voice.told(sentence("  {name}: {agenda}", name=conspiracy.name, agenda=_AGENDAS[conspiracy.agenda]))
    return Exit.KEPT


add_to(command)

_AGENDAS = {
    Agenda.NONE: sentence("no hidden agenda"),
    Agenda.HIDDEN: sentence("hidden agenda, one name"),
    Agenda.DOUBLE: sentence("double agenda, two names"),
}


_KINDS = {
    Kind.CARD: sentence("card"),
    Kind.HALF: sentence("one half of a card"),
    Kind.FACE: sentence("one of several names of a card"),
}
"""What may be named."""


def _describe(card: Row) -> None:
    if card.type_line:
        voice.told(sentence("  types: {types}", types=card.type_line))
    voice.told(sentence("  it is: {kind} ({layout})", kind=_KINDS[card.kind], layout=card.layout or "?"))
