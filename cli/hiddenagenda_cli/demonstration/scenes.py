"""The scenes of the demo: one honest game, then one cheat after another, each for a rule or a ruling."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hiddenagenda.entry import Act, Apply, Leave, Open, Seal
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.moves import reveal
from hiddenagenda.naming import Choice
from hiddenagenda.outcome import Outcome
from hiddenagenda.player import Player, shown
from hiddenagenda.rulebook import Code
from hiddenagenda_cli.demonstration.trio import NAMES, Trio


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One game: what happens, and how it must be judged."""

    name: str
    """Also the name of the file it is written to."""
    told: Sentence
    play: Callable[[Trio], None]
    outcome: Outcome = Outcome.BROKEN
    code: Code | None = None
    culprit: str | None = None


def _honest(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    trio.say("Ana", Apply(slot=1, card="Grizzly Bears"))
    trio.act("Ana", "casts Grizzly Bears with one more counter")
    trio.pass_around("Ana", "Ben", "Cleo")
    trio.leave("Cleo", "lost")
    trio.leave("Ben", "conceded")
    due = reveal(Player.of(trio.transcript, trio.key("Ana")), trio.slips["Ana"], waited=False)
    if due is not None:
        trio.say("Ana", due)


def _rematch(trio: Trio) -> None:
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [replace(bond, names=("Shivan Dragon", "Storm Crow"))])
    trio.start()
    for name in reversed(NAMES):
        trio.leave(name, "time was up")


def _token(trio: Trio) -> None:
    trio.commit("Ben", [Choice(conspiracy="Immediate Action", names=("Clue",), notices=(), warnings=())])
    trio.start()
    for name in NAMES:
        trio.leave(name, "draw")


def _no_agenda(trio: Trio) -> None:
    trio.commit("Ben", [Choice(conspiracy="Backup Plan", names=("Storm Crow",), notices=(), warnings=())])
    trio.start()
    trio.leave("Ben", "conceded")


def _one_name(trio: Trio) -> None:
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [replace(bond, names=bond.names[:1])])
    trio.start()
    trio.leave("Ben", "conceded")


def _swapped_slip(trio: Trio) -> None:
    trio.start()
    slip = trio.forged("Ben", 1, ("Shivan Dragon", "Storm Crow"))
    trio.cheat("Ben", Leave(player=trio.key("Ben"), slips=(slip,), why="conceded"))


def _copied(trio: Trio) -> None:
    ana = trio.commit("Ana")
    trio.commit("Cleo")
    trio.say("Ben", ana.entry.body)
    trio.start()
    trio.leave("Ana", "conceded")
    slip = shown(trio.slips["Ana"][1])
    trio.cheat("Ben", Leave(player=trio.key("Ben"), slips=(slip,), why="conceded"))


def _without_priority(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    trio.cheat("Ben", trio.turn_up("Ben", 1))


def _face_down(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    trio.cheat("Ana", Apply(slot=2, card="Giant Growth"))


def _other_name(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    trio.cheat("Ana", Apply(slot=1, card="Giant Growth"))


def _silent_leaver(trio: Trio) -> None:
    trio.start()
    trio.cheat("Ben", Leave(player=trio.key("Ben"), slips=(), why="conceded"))


def _vanished(trio: Trio) -> None:
    trio.start()
    trio.leave("Ana", "lost")
    trio.leave("Cleo", "lost")


def _two_histories(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    before = trio.transcript.graph.nodes[trio.transcript.chain(trio.key("Ana"))[-2]]
    trio.cheat("Ana", Act(text="casts something else instead"), over=[before])


def _second_commit(trio: Trio) -> None:
    trio.commit("Ben")
    (bond,) = trio.choices["Ben"]
    trio.cheat("Ben", trio.commitment("Ben", [replace(bond, names=("Shivan Dragon", "Storm Crow"))]))


def _premature_seal(trio: Trio) -> None:
    trio.commit("Ana")
    trio.cheat("Ben", Seal())


def _before_start(trio: Trio) -> None:
    trio.commit("Ana")
    trio.cheat("Ana", trio.turn_up("Ana", 1))


def _anothers(trio: Trio) -> None:
    trio.start()
    trio.cheat("Cleo", Open(slips=(shown(trio.slips["Ben"][1]),), when="Ben had told me"))


def _after_leaving(trio: Trio) -> None:
    trio.start()
    trio.leave("Ana", "conceded")
    trio.cheat("Ana", Apply(slot=1, card="Grizzly Bears"))


SCENES: tuple[Scene, ...] = (
    Scene(
        name="honest",
        told=sentence(
            "Ana, Ben and Cleo play. All name their cards when the game starts, each name on a slip of its own"
            " conspiracy. Ana has priority and turns one up: nobody can answer that. Cleo loses and Ben concedes, and"
            " shows his. At the end Ana shows what is still face down."
        ),
        play=_honest,
        outcome=Outcome.KEPT,
    ),
    Scene(
        name="rematch",
        told=sentence(
            "In the next game Ben names other cards for the same conspiracy: every game starts with new slips."
        ),
        play=_rematch,
        outcome=Outcome.KEPT,
    ),
    Scene(
        name="token",
        told=sentence(
            "Ben named “Clue”, which is only a token. A list of names convicts nobody, but it is remarked on."
        ),
        play=_token,
        outcome=Outcome.KEPT,
    ),
    Scene(
        name="no-agenda",
        told=sentence("Ben put a conspiracy without hidden agenda face down."),
        play=_no_agenda,
        code=Code.BAD_AGENDA_FORM,
        culprit="Ben",
    ),
    Scene(
        name="one-name",
        told=sentence("Ben wrote one name on the slip of a double agenda, to add the other one when it suits him."),
        play=_one_name,
        code=Code.BAD_AGENDA_FORM,
        culprit="Ben",
    ),
    Scene(
        name="swapped-slip",
        told=sentence("Ben shows a slip with a better card than the one he named."),
        play=_swapped_slip,
        code=Code.SLIP_DOES_NOT_FIT,
        culprit="Ben",
    ),
    Scene(
        name="copied-commitment",
        told=sentence("Ben copied Ana's commitment, and after she has shown her slip he shows it as his own."),
        play=_copied,
        code=Code.SLIP_DOES_NOT_FIT,
        culprit="Ben",
    ),
    Scene(
        name="without-priority",
        told=sentence("Ben turns his conspiracy up while Ana has priority."),
        play=_without_priority,
        code=Code.WITHOUT_PRIORITY,
        culprit="Ben",
    ),
    Scene(
        name="applied-face-down",
        told=sentence("Ana uses an ability of a conspiracy that is still face down."),
        play=_face_down,
        code=Code.APPLIED_FACE_DOWN,
        culprit="Ana",
    ),
    Scene(
        name="applied-other-name",
        told=sentence("Ana uses the ability on the card that she named for another conspiracy."),
        play=_other_name,
        code=Code.APPLIED_OTHER_NAME,
        culprit="Ana",
    ),
    Scene(
        name="silent-leaver",
        told=sentence("Ben leaves and shows nothing."),
        play=_silent_leaver,
        code=Code.LEFT_WITHOUT_SLIPS,
        culprit="Ben",
    ),
    Scene(
        name="vanished",
        told=sentence(
            "Ana and Cleo have left, the game is over, and nothing is heard of Ben. He owes; whether he cheats or his"
            " line is down, nobody can prove."
        ),
        play=_vanished,
        outcome=Outcome.OWES,
    ),
    Scene(
        name="two-histories",
        told=sentence(
            "Ana turned a conspiracy up in front of Ben, and tells Cleo that she did something else instead."
        ),
        play=_two_histories,
        code=Code.FORKED,
        culprit="Ana",
    ),
    Scene(
        name="second-commit",
        told=sentence("Ben commits a second time, to choose later."),
        play=_second_commit,
        code=Code.SECOND_COMMIT,
        culprit="Ben",
    ),
    Scene(
        name="premature-seal",
        told=sentence("Ben seals before all have committed."),
        play=_premature_seal,
        code=Code.PREMATURE_SEAL,
        culprit="Ben",
    ),
    Scene(
        name="before-start",
        told=sentence("Ana shows a slip before the game has started."),
        play=_before_start,
        code=Code.BEFORE_START,
        culprit="Ana",
    ),
    Scene(
        name="anothers-slip",
        told=sentence("Ben had told Cleo his choice. She shows it to everybody while he is still playing."),
        play=_anothers,
        code=Code.OPENED_BEFORE_DUE,
        culprit="Cleo",
    ),
    Scene(
        name="after-leaving",
        told=sentence("Ana has left, and uses an ability all the same."),
        play=_after_leaving,
        code=Code.AFTER_OWN_EXIT,
        culprit="Ana",
    ),
)
"""In the order in which they are told."""
