"""``seal``: everybody's commits are accepted."""

import click

from hiddenagenda.faults import counted, sentence
from hiddenagenda.publickey import PublicKey
from hiddenagenda_cli import frame
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.people import agree, introduce, remember
from hiddenagenda_cli.signing import client, key_options, send_again, told


@frame.command(
    "seal",
    help=(
        "Accept the commits of all players, whose names, keys and numbers of agendas are shown.\n\nThe game is on when"
        " everybody has sealed the same commits. Sealing again sends the seal that was signed."
    ),
    example="hiddenagenda seal friday.jsonl",
)
@click.argument("file", shell_complete=files)
@key_options
def command(file: str, key: str | None, passphrase_fd: int | None) -> Exit:
    """Show what is accepted, then say it at the table."""
    seated = client(file, key, passphrase_fd)
    meetings = introduce(seated.transcript.table, {seated.identity.public.hex}, again=True)
    if seated.said("seal") is None:
        for one in seated.player.committed:
            for agendas in one.agendas:
                voice.say(
                    counted(
                        "{player} has {n} agenda face down; the key is {fingerprint}",
                        "{player} has {n} agendas face down; the key is {fingerprint}",
                        n=agendas,
                        player=one.seat.name,
                        fingerprint=PublicKey.from_hex(one.seat.key).fingerprint,
                    )
                )
        agree(meetings)
    else:
        voice.say(sentence("you have sealed already; this is your seal, again"))
    said = seated.seal()
    remember(meetings)
    told(said)
    send_again(seated, said.line)
    return Exit.KEPT
