"""``commit``: name cards in secret and print the commitments."""

import time
from functools import partial

import click

from hiddenagenda.commitment import Commitment
from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.store import Preferences, SlipStore, read_preferences, write_preferences
from hiddenagenda.faults import sentence
from hiddenagenda.label import labelled, undated
from hiddenagenda.naming import Choice
from hiddenagenda.slip import Salt, Slip
from hiddenagenda_cli import completers, frame
from hiddenagenda_cli.agendas import Named
from hiddenagenda_cli.completers import card_names, conspiracies, files
from hiddenagenda_cli.labels import label
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.usage import Usage


@frame.command(
    "commit",
    help=(
        "Name a card in secret and print the commitment.\n\nThe slip stays on this computer; the token that is printed"
        " tells nothing and can be posted anywhere. What is not given is asked for. Names given as arguments remain in"
        " the shell's history: the questions, or --names-from, keep them out of it.\n\nWith --table everything you have"
        " face down in that game is committed to at once, and signed; what is printed goes to the others."
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
@click.option(
    "--agenda",
    "agendas",
    multiple=True,
    type=frame.TEXT,
    metavar="CONSPIRACY=NAME",
    shell_complete=completers.agendas,
    help="One agenda, with =OTHER NAME behind it for two names; may be said several times.",
)
@click.option("--table", metavar="FILE", shell_complete=files, help="Commit in the game in this file.")
@click.option("--none", is_flag=True, help="With --table: commit to having no agenda.")
@click.option("--player", type=frame.TEXT, help="Whose slip it is; else the name used last.")
@click.option(
    "--game",
    type=frame.TEXT,
    help="A word for the game; today's date is put before it. Else the word used last.",
)
@click.option("--exact-label", is_flag=True, help="Put no date before the word for the game.")
@click.option("--slot", type=frame.SLOT, help="The slot it lies in; else the next free one.")
@click.option("--unlisted", is_flag=True, help="Accept a name that the list of card names does not have yet.")
@click.option("--hidden-input", is_flag=True, help="Echo neither names nor how many there are.")
@click.option("--key", metavar="NAME|FILE", help="With --table: the key to sign with; else the default one.")
@click.option("--passphrase-fd", type=frame.DESCRIPTOR, metavar="N", help="Read the key's passphrase from there.")
def command(
    names: tuple[str, ...],
    conspiracy: str | None,
    names_from: str | None,
    agendas: tuple[str, ...],
    table: str | None,
    none: bool,
    player: str | None,
    game: str | None,
    exact_label: bool,
    slot: int | None,
    unlisted: bool,
    hidden_input: bool,
    key: str | None,
    passphrase_fd: int | None,
) -> Exit:
    """Keep the slips, then print their commitments."""
    given = Named(
        names=names,
        conspiracy=conspiracy,
        names_from=names_from,
        agendas=agendas,
        none=none,
        unlisted=unlisted,
        hidden=hidden_input,
    )
    if table is not None:
        if player or game or slot or exact_label:
            raise Usage("--player, --game, --slot and --exact-label do not go with --table")
        from hiddenagenda_cli.table_commit import commit  # noqa: PLC0415 - it knows all of records

        return commit(table, given, key, passphrase_fd)
    if none or key or passphrase_fd is not None:
        raise Usage("--none, --key and --passphrase-fd go with --table")
    home = data_directory()
    last = read_preferences(home)
    choices = given.choices()
    if slot is not None and len(choices) > 1:
        raise Usage("--slot is for one conspiracy, and {have} were given", have=len(choices))
    player = label(player, sentence("Your name"), option="--player", last=last.player)
    word = label(game, sentence("A word for this game"), option="--game", last=last.game)
    dated = word if exact_label else labelled(word, date=time.strftime("%Y-%m-%d"))
    commitments = _keep(SlipStore(home), choices, player=player, game=dated, slot=slot)
    _remember(home, last, Preferences(player=player, game=undated(word)))
    for commitment, taken in commitments:
        if voice.as_json:
            voice.json(
                {
                    "commitment": commitment.hex,
                    "token": commitment.token,
                    "player": player,
                    "game": dated,
                    "slot": taken,
                }
            )
        else:
            voice.result(commitment.token)
    voice.say(
        sentence(
            "for {player} in “{game}”; post it, and show the card later with: hiddenagenda open",
            player=player,
            game=dated,
        )
    )
    return Exit.KEPT


def _remember(home: str, last: Preferences, now: Preferences) -> None:
    if now != last:
        try:
            write_preferences(home, now)
        except StoreError as error:  # the slips are kept: their commitments may be shown all the same
            voice.warn(sentence("your name and the game are not remembered: {what}", what=error.said))


def _keep(
    store: SlipStore, choices: list[Choice], *, player: str, game: str, slot: int | None
) -> list[tuple[Commitment, int]]:
    def write(choice: Choice, place: int) -> Slip:
        return Slip(
            conspiracy=choice.conspiracy, game=game, names=choice.names, player=player, salt=Salt.generate(), slot=place
        )

    if slot is not None:
        return [(store.keep(write(choices[0], slot)), slot)]
    kept = store.keep_next(player, game, [partial(write, choice) for choice in choices])
    return [(one.commitment, one.slip.slot) for one in kept]
