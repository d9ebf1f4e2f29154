"""Symbolic rule ids, their numbers in each edition, what they say in our words, which fault breaks which.

SPEC "Rules and findings". Pure data. The numbers of the comprehensive rules move from edition to edition, so
the rest of the library speaks of ids. Numbers not seen are left out, never guessed; no text is copied.
"""

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.value import value


class Edition(enum.StrEnum):
    """The editions of the comprehensive rules that are known here; the value is what a user writes."""

    E2014 = "2014"
    E2017_08 = "2017-08"
    E2025_09 = "2025-09"


EDITIONS: Final = tuple(Edition)
"""All editions, oldest first."""
NEWEST: Final = EDITIONS[-1]


class RuleId(enum.StrEnum):
    """What a rule is called, whatever its number. Those that begin with ``table-`` are the protocol's own."""

    AGENDA_NAMED = "agenda-named"
    AGENDA_NOTED = "agenda-noted"
    AGENDA_TURNED_UP = "agenda-turned-up"
    AGENDA_CHOSEN_NAME = "agenda-chosen-name"
    AGENDA_SHOWN = "agenda-shown"
    AGENDA_DOUBLE = "agenda-double"
    SPECIAL_ACTION = "special-action"
    LINKED = "linked"
    NAMING = "naming"
    CONSPIRACIES = "conspiracies"
    CONSPIRACY_SET_UP = "conspiracy-set-up"
    GAME_START = "game-start"
    PRIORITY = "priority"
    PRIORITY_AFTER_ACTION = "priority-after-action"
    CLEANUP = "cleanup"
    TABLE_ONE_LINE = "table-one-line"
    TABLE_ROLES = "table-roles"
    TABLE_COMMIT = "table-commit"
    TABLE_SEAL = "table-seal"
    TABLE_START = "table-start"
    TABLE_GONE = "table-gone"
    TABLE_STEP = "table-step"


class Code(enum.StrEnum):
    """What a finding is called. Of several that apply to one entry, the first of the void codes counts.

    All but the last two say why an entry is void.
    """

    NOT_ENTITLED = "not-entitled"
    MALFORMED_COMMIT = "malformed-commit"
    SECOND_COMMIT = "second-commit"
    SECOND_SEAL = "second-seal"
    PREMATURE_SEAL = "premature-seal"
    BEFORE_START = "before-start"
    AFTER_OWN_EXIT = "after-own-exit"
    MALFORMED_STEP = "malformed-step"
    WITHOUT_PRIORITY = "without-priority"
    SLIP_DOES_NOT_FIT = "slip-does-not-fit"
    OPENED_BEFORE_DUE = "opened-before-due"
    APPLIED_FACE_DOWN = "applied-face-down"
    APPLIED_OTHER_NAME = "applied-other-name"
    LEFT_WITHOUT_SLIPS = "left-without-slips"
    FORKED = "forked"
    BAD_AGENDA_FORM = "bad-agenda-form"


@value
class Rule:
    """One rule: its numbers, as far as they were seen, and what it says in our own words."""

    id: RuleId
    numbers: Mapping[Edition, str]
    says: Sentence

    def number(self, edition: Edition) -> str | None:
        """Return the number in ``edition``, such as ``702.106c``; None where none was seen."""
        return self.numbers.get(edition)

    def cite(self, edition: Edition) -> Sentence:
        """Say where the rule stands."""
        number = self.number(edition)
        if number is not None:
            return sentence("rule {number} (edition {edition})", number=number, edition=edition.value)
        if self.numbers:
            return sentence("a rule whose number in edition {edition} is not known here", edition=edition.value)
        return sentence("a rule of the table (SPEC, “Rules and findings”)")


@value
class Fault:
    """What a finding of one code means: its rules, the first foremost; what was done; why it is a fault."""

    code: Code
    rules: tuple[RuleId, ...]
    done: Sentence
    why: Sentence


def _numbers(e2014: str | None, e2017_08: str | None, e2025_09: str | None) -> Mapping[Edition, str]:
    seen = zip(EDITIONS, (e2014, e2017_08, e2025_09), strict=True)
    return MappingProxyType({edition: number for edition, number in seen if number is not None})


_OF_THE_TABLE: Final = _numbers(None, None, None)

RULES: Final[Mapping[RuleId, Rule]] = MappingProxyType(
    {
        rule.id: rule
        for rule in (
            Rule(
                id=RuleId.AGENDA_NAMED,
                numbers=_numbers("702.105a", "702.105a", "702.106a"),
                says=sentence(
                    "a conspiracy with hidden agenda goes into the command zone face down, and a card is"
                    " named for it in secret at that moment"
                ),
            ),
            Rule(
                id=RuleId.AGENDA_NOTED,
                numbers=_numbers("702.105b", "702.105b", "702.106b"),
                says=sentence("the secret name is noted and stays with its face-down conspiracy"),
            ),
            Rule(
                id=RuleId.AGENDA_TURNED_UP,
                numbers=_numbers("702.105c", "702.105c", "702.106c"),
                says=sentence(
                    "whenever its owner has priority he may turn the conspiracy face up, a special action,"
                    " and shows the name by it"
                ),
            ),
            Rule(
                id=RuleId.AGENDA_CHOSEN_NAME,
                numbers=_numbers("702.105d", "702.105d", "702.106d"),
                says=sentence("what that conspiracy says about the chosen name is about this name and no other"),
            ),
            Rule(
                id=RuleId.AGENDA_SHOWN,
                numbers=_numbers("702.105e", "702.105e", "702.106e"),
                says=sentence(
                    "who leaves the game shows all players the conspiracies that lie face down, and at the"
                    " end of the game everybody does"
                ),
            ),
            Rule(
                id=RuleId.AGENDA_DOUBLE,
                numbers=_numbers(None, "702.105f", "702.106f"),
                says=sentence(
                    "double agenda is hidden agenda with two different names; that there are two stays secret with them"
                ),
            ),
            Rule(
                id=RuleId.SPECIAL_ACTION,
                numbers=_numbers("115.2g", "115.2h", "116.2j"),
                says=sentence(
                    "turning a face-down conspiracy up is a special action: it needs priority, it does not"
                    " use the stack, and nobody can respond to it"
                ),
            ),
            Rule(
                id=RuleId.LINKED,
                numbers=_numbers("607.2d", "607.2d", "607.2d"),
                says=sentence(
                    "an ability that asks for the chosen name means the name chosen for the same card by"
                    " the ability it is linked to"
                ),
            ),
            Rule(
                id=RuleId.NAMING,
                numbers=_numbers("201.3", "201.3", "201.4"),
                says=sentence("who chooses a card name names a card that exists in the game's reference of cards"),
            ),
            Rule(
                id=RuleId.CONSPIRACIES,
                numbers=_numbers(None, "313", "315"),
                says=sentence("conspiracies start the game in the command zone and stay there"),
            ),
            Rule(
                id=RuleId.CONSPIRACY_SET_UP,
                numbers=_numbers(None, None, "905.4"),
                says=sentence(
                    "at the start each player puts as many of the own conspiracies into the command zone as wanted"
                ),
            ),
            Rule(
                id=RuleId.GAME_START,
                numbers=_numbers(None, None, "103.2e"),
                says=sentence("conspiracies go into the command zone while the game is set up, before it is played"),
            ),
            Rule(
                id=RuleId.PRIORITY,
                numbers=_numbers(None, None, "117.1–117.3"),
                says=sentence(
                    "only who has priority may act; the active player has it first, and it goes on in turn"
                    " order when it is passed"
                ),
            ),
            Rule(
                id=RuleId.PRIORITY_AFTER_ACTION,
                numbers=_numbers(None, None, "116.3"),
                says=sentence("who takes a special action has priority again afterwards"),
            ),
            Rule(
                id=RuleId.CLEANUP,
                numbers=_numbers(None, None, "514.3"),
                says=sentence("nobody has priority in the clean-up step unless something triggers there"),
            ),
            Rule(
                id=RuleId.TABLE_ONE_LINE,
                numbers=_OF_THE_TABLE,
                says=sentence("everybody tells one story: in one game a number is given to one entry only"),
            ),
            Rule(
                id=RuleId.TABLE_ROLES,
                numbers=_OF_THE_TABLE,
                says=sentence(
                    "players speak for themselves, the judge judges, and moves are made where they are tracked"
                ),
            ),
            Rule(
                id=RuleId.TABLE_COMMIT,
                numbers=_OF_THE_TABLE,
                says=sentence(
                    "a commit lays down one commitment for each slot and, where a judge sits, one box of"
                    " the agreed size for each"
                ),
            ),
            Rule(
                id=RuleId.TABLE_SEAL,
                numbers=_OF_THE_TABLE,
                says=sentence(
                    "a seal is given once, when the commit of every player lies on the table, and exactly one"
                ),
            ),
            Rule(
                id=RuleId.TABLE_START,
                numbers=_OF_THE_TABLE,
                says=sentence("the game is on when all have sealed the same commits; nothing is opened before"),
            ),
            Rule(
                id=RuleId.TABLE_GONE,
                numbers=_OF_THE_TABLE,
                says=sentence("who has left or ended the game, or sees that it is over, makes no further move in it"),
            ),
            Rule(
                id=RuleId.TABLE_STEP,
                numbers=_OF_THE_TABLE,
                says=sentence("a step names a player of this table as the active one"),
            ),
        )
    }
)
"""All rules by id."""

FAULTS: Final[Mapping[Code, Fault]] = MappingProxyType(
    {
        fault.code: fault
        for fault in (
            Fault(
                code=Code.NOT_ENTITLED,
                rules=(RuleId.TABLE_ROLES,),
                done=sentence("said something that is not for this author to say at this table"),
                why=sentence(
                    "a player commits, plays and leaves for himself; the judge does none of it, only removes players"
                ),
            ),
            Fault(
                code=Code.MALFORMED_COMMIT,
                rules=(RuleId.TABLE_COMMIT,),
                done=sentence("committed with boxes that do not go with the commitments"),
                why=sentence(
                    "where a judge sits each slot has its box, all of one size; where none sits there are none"
                ),
            ),
            Fault(
                code=Code.SECOND_COMMIT,
                rules=(RuleId.AGENDA_NAMED, RuleId.AGENDA_NOTED),
                done=sentence("committed a second time in one game"),
                why=sentence("the choice is made once; with two commits the better one could be opened later"),
            ),
            Fault(
                code=Code.SECOND_SEAL,
                rules=(RuleId.TABLE_SEAL,),
                done=sentence("sealed a second time in one game"),
                why=sentence("with two seals one could agree to two different games"),
            ),
            Fault(
                code=Code.PREMATURE_SEAL,
                rules=(RuleId.TABLE_SEAL,),
                done=sentence("sealed without having seen exactly one commit of every player"),
                why=sentence("a seal accepts everybody's commit, so all of them must lie under it"),
            ),
            Fault(
                code=Code.BEFORE_START,
                rules=(RuleId.TABLE_START,),
                done=sentence("opened, moved or left before the game was on"),
                why=sentence("as long as somebody could still commit, what is shown would help him"),
            ),
            Fault(
                code=Code.AFTER_OWN_EXIT,
                rules=(RuleId.TABLE_GONE,),
                done=sentence("made a move after leaving or ending, or when the game was over"),
                why=sentence("who has signed that he plays no more has no moves left"),
            ),
            Fault(
                code=Code.MALFORMED_STEP,
                rules=(RuleId.TABLE_STEP,),
                done=sentence("opened a step for somebody who does not play here, or withheld priority in it"),
                why=sentence("the active player is one of the table, and only untap and clean-up give no priority"),
            ),
            Fault(
                code=Code.WITHOUT_PRIORITY,
                rules=(RuleId.AGENDA_TURNED_UP, RuleId.SPECIAL_ACTION, RuleId.PRIORITY),
                done=sentence("moved without having priority"),
                why=sentence(
                    "passing, acting, turning up and going on to the next step are for the one player whose"
                    " turn it is to do so"
                ),
            ),
            Fault(
                code=Code.SLIP_DOES_NOT_FIT,
                rules=(RuleId.AGENDA_NOTED,),
                done=sentence("showed a slip that is not the one committed to"),
                why=sentence("the name was noted before the game; another slip cannot take its place"),
            ),
            Fault(
                code=Code.OPENED_BEFORE_DUE,
                rules=(RuleId.AGENDA_SHOWN,),
                done=sentence("opened somebody else's slip before the game was over"),
                why=sentence("until the end only its owner may show a face-down agenda"),
            ),
            Fault(
                code=Code.APPLIED_FACE_DOWN,
                rules=(RuleId.AGENDA_CHOSEN_NAME,),
                done=sentence("used the ability of a conspiracy that still lay face down"),
                why=sentence("a face-down conspiracy has no abilities; it must be turned up first"),
            ),
            Fault(
                code=Code.APPLIED_OTHER_NAME,
                rules=(RuleId.AGENDA_CHOSEN_NAME, RuleId.LINKED),
                done=sentence("used a conspiracy's ability on a card of another name"),
                why=sentence("the ability means the name chosen for this very conspiracy, letter by letter"),
            ),
            Fault(
                code=Code.LEFT_WITHOUT_SLIPS,
                rules=(RuleId.AGENDA_SHOWN,),
                done=sentence("left, or removed a player, without showing every face-down agenda of that player"),
                why=sentence("who leaves shows all that is still face down; otherwise nobody could check it any more"),
            ),
            Fault(
                code=Code.FORKED,
                rules=(RuleId.TABLE_ONE_LINE,),
                done=sentence("signed two different entries under one number"),
                why=sentence(
                    "two devices, a restored backup, or a cheat: different people can have been told different things"
                ),
            ),
            Fault(
                code=Code.BAD_AGENDA_FORM,
                rules=(RuleId.AGENDA_NAMED, RuleId.AGENDA_DOUBLE),
                done=sentence("committed to a slip that no agenda can have"),
                why=sentence(
                    "the card must be a conspiracy with hidden agenda and one name, or double agenda and"
                    " two different names in order"
                ),
            ),
        )
    }
)
"""What each code means, in the order of ``Code``."""


def rule_of(code: Code) -> Rule:
    """Return the rule that a finding of this code rests on foremost."""
    return RULES[FAULTS[code].rules[0]]


def read_edition(text: str) -> Edition | None:
    """Return the edition called ``text``, or None where no such edition is known."""
    return next((edition for edition in EDITIONS if edition == text), None)
