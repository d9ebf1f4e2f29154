"""Games of the demo in which somebody cheats: for each rule, and each ruling, the ways to break it."""

from hiddenagenda.faults import sentence
from hiddenagenda.rulebook import Code, RuleId
from hiddenagenda_cli.demonstration import plays
from hiddenagenda_cli.demonstration.scene import Chapter, Scene

CHEATS = (
    Chapter(
        title=sentence("Cheating with what is named, and when"),
        rule=RuleId.AGENDA_NAMED,
        scenes=(
            Scene(
                name="named-late",
                told=sentence("Ben leaves the slip empty, to name his cards when he turns the conspiracy up."),
                play=plays.named_late,
                code=Code.BAD_AGENDA_FORM,
                culprit="Ben",
            ),
            Scene(
                name="second-commit",
                told=sentence("Ben commits a second time, to choose later which of the two counts."),
                play=plays.second_commit,
                code=Code.SECOND_COMMIT,
                culprit="Ben",
            ),
            Scene(
                name="no-agenda",
                told=sentence("Ben puts a conspiracy without hidden agenda face down."),
                play=plays.no_agenda,
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
                play=plays.swapped_slip,
                code=Code.SLIP_DOES_NOT_FIT,
                culprit="Ben",
            ),
            Scene(
                name="swapped-conspiracies",
                told=sentence("Ana has two slips. She says that the name on the one belongs to the other conspiracy."),
                play=plays.swapped_conspiracies,
                code=Code.SLIP_DOES_NOT_FIT,
                culprit="Ana",
            ),
            Scene(
                name="copied-commitment",
                told=sentence("Ben copied Ana's commitment, and after she has shown her slip he shows it as his own."),
                play=plays.copied,
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
                play=plays.without_priority,
                code=Code.WITHOUT_PRIORITY,
                culprit="Ben",
            ),
            Scene(
                name="answered",
                told=sentence(
                    "Ana turns a conspiracy up, and Ben answers that. There is nothing on the stack to answer."
                ),
                play=plays.answered,
                code=Code.WITHOUT_PRIORITY,
                culprit="Ben",
            ),
            Scene(
                name="withheld-priority",
                told=sentence("Ana opens her upkeep and says that nobody has priority in it."),
                play=plays.withheld_priority,
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
                play=plays.face_down,
                code=Code.APPLIED_FACE_DOWN,
                culprit="Ana",
            ),
            Scene(
                name="applied-other-name",
                told=sentence("Ana uses the ability on the card that she named for her other conspiracy."),
                play=plays.other_name,
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
                play=plays.silent_leaver,
                code=Code.LEFT_WITHOUT_SLIPS,
                culprit="Ben",
            ),
            Scene(
                name="anothers-slip",
                told=sentence("Ben had told Cleo his choice. She shows it to everybody while he is still playing."),
                play=plays.anothers,
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
                play=plays.one_name,
                code=Code.BAD_AGENDA_FORM,
                culprit="Ben",
            ),
            Scene(
                name="same-name",
                told=sentence("Ben names one card twice for a double agenda."),
                play=plays.same_name,
                code=Code.BAD_AGENDA_FORM,
                culprit="Ben",
            ),
            Scene(
                name="two-for-one",
                told=sentence("Ana writes two names for a hidden agenda, to use the one that suits her."),
                play=plays.two_for_one,
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
                play=plays.two_histories,
                code=Code.FORKED,
                culprit="Ana",
            ),
            Scene(
                name="premature-seal",
                told=sentence("Ben accepts everybody's commits before all have committed."),
                play=plays.premature_seal,
                code=Code.PREMATURE_SEAL,
                culprit="Ben",
            ),
            Scene(
                name="second-seal",
                told=sentence("Ben accepts the commits twice."),
                play=plays.second_seal,
                code=Code.SECOND_SEAL,
                culprit="Ben",
            ),
            Scene(
                name="before-start",
                told=sentence("Ana shows a slip before all have committed."),
                play=plays.before_start,
                code=Code.BEFORE_START,
                culprit="Ana",
            ),
            Scene(
                name="after-leaving",
                told=sentence("Ana has left, and uses an ability all the same."),
                play=plays.after_leaving,
                code=Code.AFTER_OWN_EXIT,
                culprit="Ana",
            ),
            Scene(
                name="thrown-out",
                told=sentence("Ben says for Ana that she is out of the game."),
                play=plays.thrown_out,
                code=Code.NOT_ENTITLED,
                culprit="Ben",
            ),
        ),
    ),
)
