"""Games of the demo in which somebody cheats: for each rule, and each ruling, the ways to break it."""

from hiddenagenda.entry import Act, Apply, Leave, Open, Seal, Step
from hiddenagenda.faults import sentence
from hiddenagenda.naming import Choice
from hiddenagenda.player import shown
from hiddenagenda.rulebook import Code, RuleId
from hiddenagenda_cli.demonstration.scene import Chapter, Scene
from hiddenagenda_cli.demonstration.trio import Trio

_BETTER = ("Shivan Dragon", "Storm Crow")


def _named_late(trio: Trio) -> None:
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [Choice(conspiracy=bond.conspiracy, names=())])
    trio.start()
    trio.leave("Ben", "conceded")


def _second_commit(trio: Trio) -> None:
    trio.commit("Ben")
    (bond,) = trio.choices["Ben"]
    trio.cheat("Ben", trio.commitment("Ben", [Choice(conspiracy=bond.conspiracy, names=_BETTER)]))


def _no_agenda(trio: Trio) -> None:
    trio.commit("Ben", [Choice(conspiracy="Backup Plan", names=("Storm Crow",))])
    trio.start()
    trio.leave("Ben", "conceded")


def _swapped_slip(trio: Trio) -> None:
    trio.start()
    slip = trio.rewritten("Ben", 1, cards=_BETTER)
    trio.cheat("Ben", Leave(player=trio.key("Ben"), slips=(slip,), why="conceded"))


def _swapped_conspiracies(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    slip = trio.rewritten("Ana", 1, conspiracy="Brago's Favor")
    trio.cheat("Ana", Open(slips=(slip,), when="turn 1, upkeep"))


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


def _answered(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    trio.cheat("Ben", Act(text="answers the turning up with Lightning Bolt"))


def _withheld_priority(trio: Trio) -> None:
    trio.start()
    trio.cheat("Ana", Step(active=trio.key("Ana"), priority=False, step="upkeep", turn=1))


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


def _anothers(trio: Trio) -> None:
    trio.start()
    trio.cheat("Cleo", Open(slips=(shown(trio.slips["Ben"][1]),), when="Ben had told me"))


def _one_name(trio: Trio) -> None:
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [Choice(conspiracy=bond.conspiracy, names=bond.names[:1])])
    trio.start()
    trio.leave("Ben", "conceded")


def _same_name(trio: Trio) -> None:
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [Choice(conspiracy=bond.conspiracy, names=bond.names[:1] * 2)])
    trio.start()
    trio.leave("Ben", "conceded")


def _two_for_one(trio: Trio) -> None:
    preparations, _ = trio.choices["Ana"]
    trio.commit("Ana", [Choice(conspiracy=preparations.conspiracy, names=("Grizzly Bears", "Storm Crow"))])
    trio.start()
    trio.leave("Ana", "conceded")


def _two_histories(trio: Trio) -> None:
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    trio.cheat("Ana", Act(text="casts something else instead"), over=[trio.newest("Ana", back=1)])


def _premature_seal(trio: Trio) -> None:
    trio.commit("Ana")
    trio.cheat("Ben", Seal())


def _second_seal(trio: Trio) -> None:
    trio.start()
    trio.cheat("Ben", Seal())


def _before_start(trio: Trio) -> None:
    trio.commit("Ana")
    trio.cheat("Ana", trio.turn_up("Ana", 1))


def _after_leaving(trio: Trio) -> None:
    trio.start()
    trio.leave("Ana", "conceded")
    trio.cheat("Ana", Apply(slot=1, card="Grizzly Bears"))


def _thrown_out(trio: Trio) -> None:
    trio.start()
    trio.cheat("Ben", Leave(player=trio.key("Ana"), slips=(), why="took too long"))


CHEATS = (
    Chapter(
        title=sentence("Cheating with what is named, and when"),
        rule=RuleId.AGENDA_NAMED,
        scenes=(
            Scene(
                name="named-late",
                told=sentence("Ben leaves the slip empty, to name his cards when he turns the conspiracy up."),
                play=_named_late,
                code=Code.BAD_AGENDA_FORM,
                culprit="Ben",
            ),
            Scene(
                name="second-commit",
                told=sentence("Ben commits a second time, to choose later which of the two counts."),
                play=_second_commit,
                code=Code.SECOND_COMMIT,
                culprit="Ben",
            ),
            Scene(
                name="no-agenda",
                told=sentence("Ben puts a conspiracy without hidden agenda face down."),
                play=_no_agenda,
                code=Code.BAD_AGENDA_FORM,
                culprit="Ben",
            ),
        ),
    ),
    Chapter(
        title=sentence("Cheating with the slip"),
        rule=RuleId.AGENDA_NOTED,
        scenes=(
            Scene(
                name="swapped-slip",
                told=sentence("Ben shows a slip with a better card than the one he named."),
                play=_swapped_slip,
                code=Code.SLIP_DOES_NOT_FIT,
                culprit="Ben",
            ),
            Scene(
                name="swapped-conspiracies",
                told=sentence("Ana has two slips. She says that the name on the one belongs to the other conspiracy."),
                play=_swapped_conspiracies,
                code=Code.SLIP_DOES_NOT_FIT,
                culprit="Ana",
            ),
            Scene(
                name="copied-commitment",
                told=sentence("Ben copied Ana's commitment, and after she has shown her slip he shows it as his own."),
                play=_copied,
                code=Code.SLIP_DOES_NOT_FIT,
                culprit="Ben",
            ),
        ),
    ),
    Chapter(
        title=sentence("Cheating with priority"),
        rule=RuleId.AGENDA_TURNED_UP,
        scenes=(
            Scene(
                name="without-priority",
                told=sentence("Ben turns his conspiracy up while Ana has priority."),
                play=_without_priority,
                code=Code.WITHOUT_PRIORITY,
                culprit="Ben",
            ),
            Scene(
                name="answered",
                told=sentence(
                    "Ana turns a conspiracy up, and Ben answers that. There is nothing on the stack to answer."
                ),
                play=_answered,
                code=Code.WITHOUT_PRIORITY,
                culprit="Ben",
            ),
            Scene(
                name="withheld-priority",
                told=sentence("Ana opens her upkeep and says that nobody has priority in it."),
                play=_withheld_priority,
                code=Code.MALFORMED_STEP,
                culprit="Ana",
            ),
        ),
    ),
    Chapter(
        title=sentence("Cheating with the ability"),
        rule=RuleId.AGENDA_CHOSEN_NAME,
        scenes=(
            Scene(
                name="applied-face-down",
                told=sentence("Ana uses an ability of a conspiracy that is still face down."),
                play=_face_down,
                code=Code.APPLIED_FACE_DOWN,
                culprit="Ana",
            ),
            Scene(
                name="applied-other-name",
                told=sentence("Ana uses the ability on the card that she named for her other conspiracy."),
                play=_other_name,
                code=Code.APPLIED_OTHER_NAME,
                culprit="Ana",
            ),
        ),
    ),
    Chapter(
        title=sentence("Cheating with showing"),
        rule=RuleId.AGENDA_SHOWN,
        scenes=(
            Scene(
                name="silent-leaver",
                told=sentence("Ben leaves and shows nothing."),
                play=_silent_leaver,
                code=Code.LEFT_WITHOUT_SLIPS,
                culprit="Ben",
            ),
            Scene(
                name="anothers-slip",
                told=sentence("Ben had told Cleo his choice. She shows it to everybody while he is still playing."),
                play=_anothers,
                code=Code.OPENED_BEFORE_DUE,
                culprit="Cleo",
            ),
        ),
    ),
    Chapter(
        title=sentence("Cheating with one name and two"),
        rule=RuleId.AGENDA_DOUBLE,
        scenes=(
            Scene(
                name="one-name",
                told=sentence("Ben writes one name for a double agenda, to add the other one when it suits him."),
                play=_one_name,
                code=Code.BAD_AGENDA_FORM,
                culprit="Ben",
            ),
            Scene(
                name="same-name",
                told=sentence("Ben names one card twice for a double agenda."),
                play=_same_name,
                code=Code.BAD_AGENDA_FORM,
                culprit="Ben",
            ),
            Scene(
                name="two-for-one",
                told=sentence("Ana writes two names for a hidden agenda, to use the one that suits her."),
                play=_two_for_one,
                code=Code.BAD_AGENDA_FORM,
                culprit="Ana",
            ),
        ),
    ),
    Chapter(
        title=sentence("Cheating with the record itself"),
        scenes=(
            Scene(
                name="two-histories",
                told=sentence(
                    "Ana turns a conspiracy up in front of Ben, and tells Cleo that she did something else instead."
                ),
                play=_two_histories,
                code=Code.FORKED,
                culprit="Ana",
            ),
            Scene(
                name="premature-seal",
                told=sentence("Ben accepts everybody's commits before all have committed."),
                play=_premature_seal,
                code=Code.PREMATURE_SEAL,
                culprit="Ben",
            ),
            Scene(
                name="second-seal",
                told=sentence("Ben accepts the commits twice."),
                play=_second_seal,
                code=Code.SECOND_SEAL,
                culprit="Ben",
            ),
            Scene(
                name="before-start",
                told=sentence("Ana shows a slip before all have committed."),
                play=_before_start,
                code=Code.BEFORE_START,
                culprit="Ana",
            ),
            Scene(
                name="after-leaving",
                told=sentence("Ana has left, and uses an ability all the same."),
                play=_after_leaving,
                code=Code.AFTER_OWN_EXIT,
                culprit="Ana",
            ),
            Scene(
                name="thrown-out",
                told=sentence("Ben says for Ana that she is out of the game."),
                play=_thrown_out,
                code=Code.NOT_ENTITLED,
                culprit="Ben",
            ),
        ),
    ),
)
