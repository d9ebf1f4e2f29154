"""Committing at a table: all agendas in one signed entry."""

from hiddenagenda.cards.conspiracies import Conspiracy, Works
from hiddenagenda.faults import IllegalMove, counted, sentence
from hiddenagenda.table import Table
from hiddenagenda_cli.agendas import Further, Named
from hiddenagenda_cli.ask import at_terminal
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.people import agree, introduce, remember
from hiddenagenda_cli.signing import client, send_again, told
from hiddenagenda_cli.usage import Usage


def commit(file: str, given: Named, key: str | None, passphrase_fd: int | None) -> Exit:
    """Commit to what is ``given`` or answered, in the game in ``file``; print what the others may lack.

    Nothing is signed before everything is answered. Who has committed already sends that again, and never another one.
    """
    seated = client(file, key, passphrase_fd)
    table = seated.transcript.table
    former = seated.said("commit")
    if former is not None and given.is_asked():
        voice.say(sentence("you have committed already; this is your commit, again"))
        send_again(seated, former)
        return Exit.KEPT
    if given.is_asked() and not at_terminal():
        raise Usage(
            "nobody can be asked here: {option} is missing", option=sentence("--agenda, --names-from or --none")
        )
    meetings = introduce(table, {seated.identity.public.hex}, again=True)
    agree(meetings)
    choices = given.choices(_further(table))
    try:
        said = seated.commit(choices)
    except IllegalMove:
        if former is not None:
            send_again(seated, former)
        raise
    remember(meetings)
    told(said)
    send_again(seated, said.line)
    voice.say(counted("{n} agenda is face down", "{n} agendas are face down", n=len(choices)))
    return Exit.KEPT


def _further(table: Table) -> Further:
    return {
        name: Conspiracy(name=name, agenda=agenda, works_on=Works.ANYTHING) for name, agenda in table.further.items()
    }
