"""``open``: print the opening that turns a commitment up."""

import click

from hiddenagenda.edge.directories import data_directory
from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.store import SlipStore
from hiddenagenda.faults import sentence
from hiddenagenda.token import Kind, encode
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import commitments as own_commitments
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.own import wanted


@frame.command(
    "open",
    help=(
        "Print the opening that turns a commitment up.\n\nWhoever gets it can read the slip and check it. Without a"
        " commitment it is the only slip that is still face down, or one that you choose."
    ),
    example="hiddenagenda open",
)
@click.argument("commitments", metavar="[COMMITMENT]...", nargs=-1, shell_complete=own_commitments)
def command(commitments: tuple[str, ...]) -> Exit:
    """Print an opening for each commitment and remember that it was shown."""
    store = SlipStore(data_directory())
    found = [(commitment, store.find(commitment)) for commitment in wanted(store, commitments)]
    for commitment, slip in found:
        token = encode(Kind.SLIP, slip.turn_face_up())
        if voice.as_json:
            voice.json({"commitment": commitment.hex, "token": commitment.token, "opening": token})
        else:
            voice.result(token)
        try:
            store.mark_opened(commitment)
        except StoreError as error:  # the opening is out; that it was shown is a note for its owner
            voice.warn(sentence("not remembered as shown: {what}", what=error.said))
    voice.say(sentence("this shows the card; others check it with: hiddenagenda verify COMMITMENT OPENING"))
    return Exit.KEPT
