"""Games of the demo in which nobody is accused."""

from hiddenagenda.entry import Apply, End, Leave
from hiddenagenda.faults import sentence
from hiddenagenda.naming import Choice
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import RuleId
from hiddenagenda_cli.demonstration.scene import Chapter, Kept, Scene
from hiddenagenda_cli.demonstration.trio import NAMES, Trio


def _honest(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    trio.say("Ana", Apply(slot=1, card="Grizzly Bears"))
    trio.act("Ana", "casts Grizzly Bears, which enters with one more counter")
    trio.pass_around("Ana", "Ben", "Cleo")
    trio.leave("Cleo", "lost")
    trio.leave("Ben", "conceded")
    trio.show("Ana")


def _draw(trio: Trio) -> None:
    trio.start()
    for name in NAMES:
        trio.say(name, End(outcome="draw"))
    for name in NAMES:
        trio.show(name)


def _rematch(trio: Trio) -> None:
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [Choice(conspiracy=bond.conspiracy, names=("Shivan Dragon", "Storm Crow"))])
    trio.start()
    for name in reversed(NAMES):
        trio.leave(name, "time was up")


def _token(trio: Trio) -> None:
    choice = Choice(conspiracy="Summoner's Bond", names=("Clue", "Illusion"))
    trio.commit("Ben", [choice])
    trio.start()
    for name in NAMES:
        trio.leave(name, "draw")


def _forged(trio: Trio) -> None:
    trio.start()
    trio.forge("Cleo", "Ben", Leave(player=trio.key("Ben"), slips=(), why="conceded"))
    for name in NAMES:
        trio.leave(name, "time was up")


def _vanished(trio: Trio) -> None:
    trio.start()
    trio.leave("Ana", "lost")
    trio.leave("Cleo", "lost")


def _back_again(trio: Trio) -> None:
    _vanished(trio)
    trio.leave("Ben", "won, and was offline")


HONEST = Chapter(
    title=sentence("Three players at a table, and nobody cheats"),
    scenes=(
        Scene(
            name="honest",
            told=sentence(
                "Ana, Ben and Cleo play. Ana has two conspiracies with hidden agenda, Ben one with double agenda, Cleo"
                " none. Ana has priority and turns one up. Cleo loses and Ben concedes, so the game is over."
            ),
            play=_honest,
            outcome=Outcome.KEPT,
            kept=(
                Kept(
                    rule=RuleId.AGENDA_NAMED,
                    how=sentence("all named their cards before the first seal, when the game starts, and not later"),
                ),
                Kept(
                    rule=RuleId.AGENDA_NOTED,
                    how=sentence(
                        "each name is on the slip of one conspiracy, and the slip shown is the one committed to"
                    ),
                ),
                Kept(
                    rule=RuleId.AGENDA_TURNED_UP,
                    how=sentence("Ana had priority; nobody could answer, and she had priority again"),
                ),
                Kept(
                    rule=RuleId.AGENDA_CHOSEN_NAME,
                    how=sentence("Ana used the ability on the card named for this conspiracy, once it was face up"),
                ),
                Kept(
                    rule=RuleId.AGENDA_SHOWN,
                    how=sentence("Ben showed his when he left, Ana her other one when the game was over"),
                ),
                Kept(
                    rule=RuleId.AGENDA_DOUBLE,
                    how=sentence("Ben named two cards, and until he showed them nobody could see that there were two"),
                ),
            ),
        ),
        Scene(
            name="draw",
            told=sentence("They agree on a draw. Nobody leaves, and at the end all show what is face down."),
            play=_draw,
            outcome=Outcome.KEPT,
        ),
        Scene(
            name="rematch",
            told=sentence("In the next game of the match Ben names another card: every game starts with new slips."),
            play=_rematch,
            outcome=Outcome.KEPT,
        ),
        Scene(
            name="token",
            told=sentence(
                "A card must be named. Ben named “Illusion”, which a card and tokens bear, and “Clue”, which only"
                " tokens bear. Lists of names are never complete, so a name convicts nobody; it is remarked on."
            ),
            play=_token,
            outcome=Outcome.KEPT,
        ),
        Scene(
            name="forged",
            told=sentence(
                "Cleo writes a line in Ben's name, by which he leaves and shows nothing. His signature is not under it,"
                " so it is set aside."
            ),
            play=_forged,
            outcome=Outcome.KEPT,
        ),
        Scene(
            name="vanished",
            told=sentence(
                "Ana and Cleo have left, the game is over, and nothing is heard of Ben. He owes. Whether he cheats or"
                " is offline nobody can prove, and so nobody accuses him."
            ),
            play=_vanished,
            outcome=Outcome.OWES,
        ),
        Scene(
            name="back-again",
            told=sentence("The same again, and Ben comes back: what he owed is here now."),
            play=_back_again,
            outcome=Outcome.KEPT,
        ),
    ),
)
