"""``commit``: name cards in secret and print the commitments."""

import time

import click

from hiddenagenda.cards.folding import clean
from hiddenagenda.commitment import Commitment
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.store import Preferences, SlipStore, read_preferences, write_preferences
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.label import labelled, undated
from hiddenagenda.naming import Choice
from hiddenagenda.slip import Salt, Slip
from hiddenagenda_cli import frame
from hiddenagenda_cli.agendas import ask_all, ask_names, choose_all, read_list
from hiddenagenda_cli.ask import ask, at_terminal
from hiddenagenda_cli.completers import card_names, conspiracies, files
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.usage import Usage


@frame.command(
    "commit",
    help=(
        "Name a card in secret and print the commitment.\n\nThe slip stays on this computer; the token that is printed"
        " tells nothing and can be posted anywhere. What is not given is asked for. Names given as arguments remain in"
        " the shell's history: the questions, or --names-from, keep them out of it."
    ),
    example=(
        'hiddenagenda commit "Grizzly Bears" --conspiracy "Muzzio\'s Preparations" --player Ana --game "friday draft"'
    ),
)
@click.argument("names", nargs=-1, type=frame.TEXT, shell_complete=card_names)
@click.option(
    "--conspiracy", type=frame.TEXT, shell_complete=conspiracies, help="The conspiracy that the names are for."
)
@click.option(
    "--names-from",
    metavar="FILE",
    shell_complete=files,
    help="Read agendas from a file or -: conspiracy, tab, name(s) between tabs.",
)
@click.option("--player", type=frame.TEXT, help="Whose slip it is; else the name used last.")
@click.option(
    "--game",
    type=frame.TEXT,
    help="A word for the game; today's date is put before it. Else the word used last.",
)
@click.option("--exact-label", is_flag=True, help="Put no date before the word for the game.")
@click.option("--slot", type=frame.Number(1, 16), help="The slot it lies in; else the next free one.")
@click.option("--unlisted", is_flag=True, help="Accept a name that the list of card names does not have yet.")
@click.option("--hidden-input", is_flag=True, help="Echo neither names nor how many there are.")
def command(
    names: tuple[str, ...],
    conspiracy: str | None,
    names_from: str | None,
    player: str | None,
    game: str | None,
    exact_label: bool,
    slot: int | None,
    unlisted: bool,
    hidden_input: bool,
) -> Exit:
    """Keep the slips, then print their commitments."""
    home = data_directory()
    last = read_preferences(home)
    choices = _choices(names, conspiracy, names_from, unlisted=unlisted, hidden=hidden_input)
    if slot is not None and len(choices) > 1:
        raise Usage("--slot is for one conspiracy, and {have} were given", have=len(choices))
    player = _label(player, sentence("Your name"), option="--player", last=last.player)
    word = _label(game, sentence("A word for this game"), option="--game", last=last.game)
    label = word if exact_label else labelled(word, date=time.strftime("%Y-%m-%d"))
    commitments = _keep(SlipStore(home), choices, player=player, game=label, slot=slot)
    _remember(home, last, Preferences(player=player, game=undated(word)))
    for commitment, taken in commitments:
        if voice.as_json:
            voice.json(
                {
                    "commitment": commitment.hex,
                    "token": commitment.token,
                    "player": player,
                    "game": label,
                    "slot": taken,
                }
            )
        else:
            voice.result(commitment.token)
    voice.say(
        sentence(
            "for {player} in “{game}”; post it, and show the card later with: hiddenagenda open",
            player=player,
            game=label,
        )
    )
    return Exit.KEPT


def _remember(home: str, last: Preferences, now: Preferences) -> None:
    if now != last:
        try:
            write_preferences(home, now)
        except StoreError as error:  # the slips are kept: their commitments may be shown all the same
            voice.warn(sentence("your name and the game are not remembered: {what}", what=error.said))


def _choices(
    names: tuple[str, ...], conspiracy: str | None, names_from: str | None, *, unlisted: bool, hidden: bool
) -> list[Choice]:
    if names_from is not None:
        if names or conspiracy:
            raise Usage("--names-from replaces names and --conspiracy")
        return choose_all(catalogue(), read_list(names_from), unlisted=unlisted, hidden=hidden)
    if names:
        voice.warn(sentence("names given as arguments stay in the shell's history and show in the list of processes"))
        if conspiracy is None:
            conspiracy = ask(sentence("Conspiracy"), option="--conspiracy", hidden=hidden)
        return choose_all(catalogue(), [(conspiracy, names)], unlisted=unlisted, hidden=hidden)
    if not at_terminal():
        raise Usage(
            "nobody can be asked here: {option} is missing", option="NAME" if conspiracy else "NAME --conspiracy"
        )
    if conspiracy is not None:
        return ask_names(catalogue(), conspiracy, unlisted=unlisted, hidden=hidden)
    return ask_all(catalogue(), unlisted=unlisted, hidden=hidden)


def _label(given: str | None, question: Sentence, *, option: str, last: str) -> str:
    if given is None:
        given = last if last and not at_terminal() else ask(question, option=option, default=last)
    cleaned = clean(given)
    for notice in cleaned.notices:
        voice.say(sentence("note: {what}", what=notice))
    if not cleaned.text:
        raise Usage("{option} is empty", option=option)
    return cleaned.text


def _keep(
    store: SlipStore, choices: list[Choice], *, player: str, game: str, slot: int | None
) -> list[tuple[Commitment, int]]:
    def write(choice: Choice, place: int) -> Slip:
        return Slip(
            conspiracy=choice.conspiracy, game=game, names=choice.names, player=player, salt=Salt.generate(), slot=place
        )

    if slot is not None:
        return [(store.keep(write(choices[0], slot)), slot)]
    places: list[int] = []

    def make(place: int) -> Slip:
        places.append(place)
        return write(choices[len(places) - 1], place)

    return list(zip(store.keep_next(player, game, len(choices), make), places, strict=True))
