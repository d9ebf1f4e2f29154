"""Every cheat that the tests know, each in a game of its own: what is done, and what must be found.

A game is played by the honest clients of ``table`` and one cheat, who sits anywhere; afterwards every honest player
leaves alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from _pytest.mark import ParameterSet
from msgspec.structs import replace
from table import BOX, DOUBLE, Cheat, Game

from hiddenagenda.entry import Act, Apply, Commit, End, Leave, Note, Open, Pass, Seal, ShownSlip, Step
from hiddenagenda.rulebook import Code

Play = Callable[[Game, Cheat], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One way to cheat: the code that convicts, or None where it harms nobody and nobody can prove it."""

    name: str
    play: Play
    code: Code | None
    slot: int | None = None
    judged: bool = False
    tracked: bool = False
    by_judge: bool = False
    slots: int = 1

    def at(self, players: int, place: int) -> Game:
        """Play it out with so many players, the cheat in this place."""
        game = Game(
            players,
            cheats=(-1 if self.by_judge else place,),
            judged=self.judged or self.by_judge,
            tracked=self.tracked,
            slots=self.slots,
        )
        self.play(game, game.cheat)
        game.share()
        game.finish()
        return game


CHEATS: dict[str, Case] = {}


def cheat(
    code: Code | None,
    *,
    slot: int | None = None,
    judged: bool = False,
    tracked: bool = False,
    by_judge: bool = False,
    slots: int = 1,
) -> Callable[[Play], Play]:
    def register(play: Play) -> Play:
        name = play.__name__.replace("_", " ")
        CHEATS[name] = Case(
            name=name,
            play=play,
            code=code,
            slot=slot,
            judged=judged,
            tracked=tracked,
            by_judge=by_judge,
            slots=slots,
        )
        return play

    return register


def opening(*slips: ShownSlip) -> Open:
    return Open(slips=slips, when="")


def start_with(game: Game, cheat: Cheat, *slips: ShownSlip) -> None:
    """Start the game; the cheat has committed to these slips."""
    game.commit(cheat)
    cheat.commit(*slips)
    game.share()
    game.seal()


# What lies in the slots


@cheat(Code.SLIP_DOES_NOT_FIT, slot=1)
def swap_slip(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(opening(cheat.slip(1, "Wind Drake")))


@cheat(Code.SLIP_DOES_NOT_FIT, slot=1)
def swap_slip_when_leaving(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Leave(player=cheat.key, slips=(cheat.slip(1, "Wind Drake"),), why="lost"))


@cheat(Code.SLIP_DOES_NOT_FIT, slot=1)
def swap_slip_after_turning_it_up(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.turn_up(1)
    game.share()
    cheat.lie(opening(cheat.slip(1, "Wind Drake")))


@cheat(Code.SLIP_DOES_NOT_FIT, slot=2)
def one_good_slip_and_one_wrong(game: Game, cheat: Cheat) -> None:
    start_with(game, cheat, cheat.slip(1), cheat.slip(2))
    cheat.lie(opening(cheat.slip(1), cheat.slip(2, "Wind Drake")))


@cheat(Code.SLIP_DOES_NOT_FIT, slot=2)
def open_a_slot_that_is_not_there(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(opening(cheat.slip(2)))


@cheat(Code.SLIP_DOES_NOT_FIT, slot=1)
def slip_of_another_game(game: Game, cheat: Cheat) -> None:
    slip = replace(cheat.slip(1), game="0" * 64)
    start_with(game, cheat, slip)
    cheat.lie(opening(slip))


@cheat(Code.SLIP_DOES_NOT_FIT, slot=1)
def copied_commitment(game: Game, cheat: Cheat) -> None:
    copied = next(client for client in game.honest if client is not game.judge)
    game.commit(cheat)
    cheat.lie(cheat.commitment(copied.slips))
    game.share()
    game.seal()
    copied.turn_up(1)
    game.share()
    cheat.lie(opening(replace(copied.slips[0], player=cheat.key)))


@cheat(Code.SLIP_DOES_NOT_FIT, slot=1)
def leave_with_the_slip_of_a_copied_commitment(game: Game, cheat: Cheat) -> None:
    """It hashes to what lies in the own slot, and it is another player's."""
    copied = next(client for client in game.honest)
    game.commit(cheat)
    cheat.lie(cheat.commitment(copied.slips))
    game.share()
    game.seal()
    copied.turn_up(1)
    game.share()
    cheat.lie(Leave(player=cheat.key, slips=copied.slips, why=""))


@cheat(Code.SLIP_DOES_NOT_FIT, slot=1)
def leave_with_anothers_slip(game: Game, cheat: Cheat) -> None:
    game.start()
    other = next(client for client in game.honest)
    cheat.lie(Leave(player=cheat.key, slips=other.slips, why=""))


@cheat(Code.SLIP_DOES_NOT_FIT)
def open_a_strangers_slip(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(opening(replace(cheat.slip(1), player="someone else")))


@cheat(Code.BAD_AGENDA_FORM, slot=1)
def bluff_card(game: Game, cheat: Cheat) -> None:
    slip = cheat.slip(1, conspiracy="Power Play")
    start_with(game, cheat, slip)
    cheat.lie(opening(slip))


@cheat(Code.BAD_AGENDA_FORM, slot=1)
def two_names_for_one(game: Game, cheat: Cheat) -> None:
    slip = cheat.slip(1, "Grizzly Bears", "Wind Drake")
    start_with(game, cheat, slip)
    cheat.turn_up(1)


@cheat(Code.BAD_AGENDA_FORM, slot=1)
def one_name_for_two(game: Game, cheat: Cheat) -> None:
    start_with(game, cheat, cheat.slip(1, "Grizzly Bears", conspiracy=DOUBLE))
    cheat.leave()


@cheat(Code.BAD_AGENDA_FORM, slot=2)
def one_name_twice(game: Game, cheat: Cheat) -> None:
    start_with(game, cheat, cheat.slip(1), cheat.slip(2, "Opt", "Opt", conspiracy=DOUBLE))
    cheat.turn_up(1, 2)


@cheat(Code.BAD_AGENDA_FORM, slot=1)
def bad_form_shown_by_somebody_else(game: Game, cheat: Cheat) -> None:
    slip = cheat.slip(1, "Wind Drake", "Grizzly Bears", conspiracy=DOUBLE)
    start_with(game, cheat, slip)
    game.finish()
    next(client for client in game.honest).say(opening(slip))


# Commits and seals


@cheat(Code.SECOND_COMMIT)
def second_commit(game: Game, cheat: Cheat) -> None:
    game.commit()
    cheat.lie(cheat.commitment([cheat.slip(1, "Wind Drake")]))
    game.share()
    game.seal()


@cheat(Code.SECOND_COMMIT)
def second_commit_in_the_game(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Commit(commitments=()))


@cheat(Code.FORKED)
def two_commits_at_once(game: Game, cheat: Cheat) -> None:
    game.commit()
    cheat.fork(cheat.own[-1], cheat.commitment([cheat.slip(1, "Wind Drake")]))
    game.share()
    cheat.lie(Seal())


@cheat(Code.FORKED)
def other_commit_shown_after_the_start(game: Game, cheat: Cheat) -> None:
    game.commit()
    committed = cheat.own[-1]
    game.seal()
    cheat.fork(committed, cheat.commitment([cheat.slip(1, "Wind Drake")]))
    game.share()


@cheat(Code.SECOND_SEAL)
def second_seal(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Seal())


@cheat(Code.PREMATURE_SEAL)
def premature_seal(game: Game, cheat: Cheat) -> None:
    cheat.lie(Seal())
    game.share()
    game.start()


@cheat(Code.MALFORMED_COMMIT)
def boxes_for_nobody(game: Game, cheat: Cheat) -> None:
    game.commit(cheat)
    cheat.lie(Commit(commitments=(cheat.slip(1).digest,), sealed=(BOX,)))


@cheat(Code.MALFORMED_COMMIT, judged=True)
def no_boxes_for_the_judge(game: Game, cheat: Cheat) -> None:
    game.commit(cheat)
    cheat.lie(Commit(commitments=()))


@cheat(Code.MALFORMED_COMMIT, judged=True)
def one_box_too_few(game: Game, cheat: Cheat) -> None:
    cheat.lie(Commit(commitments=(cheat.slip(1).digest,), sealed=()))


@cheat(Code.MALFORMED_COMMIT, judged=True)
def box_of_another_size(game: Game, cheat: Cheat) -> None:
    """It would tell how many names are in it."""
    cheat.lie(Commit(commitments=(cheat.slip(1).digest,), sealed=(BOX[:-2],)))
    game.share()
    cheat.commit(cheat.slip(1))
    game.commit(cheat)
    game.seal()


# Moves


@cheat(Code.BEFORE_START)
def turn_up_before_the_start(game: Game, cheat: Cheat) -> None:
    game.commit()
    cheat.lie(opening(*cheat.slips))
    game.share()
    game.seal()


@cheat(Code.BEFORE_START)
def leave_before_the_start(game: Game, cheat: Cheat) -> None:
    game.commit()
    cheat.lie(Leave(player=cheat.key, slips=cheat.slips, why=""))


@cheat(Code.BEFORE_START)
def end_before_the_start(game: Game, cheat: Cheat) -> None:
    cheat.lie(End(outcome="I win"))
    game.share()
    game.start()


@cheat(Code.BEFORE_START, tracked=True)
def step_before_the_start(game: Game, cheat: Cheat) -> None:
    cheat.lie(Step(active=cheat.key, priority=True, step="upkeep", turn=1))


@cheat(Code.OPENED_BEFORE_DUE, slot=1)
def turn_up_anothers(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(opening(*next(client for client in game.honest).slips))


@cheat(Code.WITHOUT_PRIORITY, tracked=True)
def turn_up_without_priority(game: Game, cheat: Cheat) -> None:
    game.start()
    game.pass_to(cheat)
    cheat.say(Pass())
    cheat.lie(opening(*cheat.slips))


@cheat(Code.WITHOUT_PRIORITY, tracked=True)
def turn_up_before_the_first_step(game: Game, cheat: Cheat) -> None:
    game.commit()
    game.seal()
    cheat.lie(opening(*cheat.slips))
    game.share()
    game.step()


@cheat(Code.WITHOUT_PRIORITY, tracked=True)
def turn_up_in_untap(game: Game, cheat: Cheat) -> None:
    game.commit()
    game.seal()
    game.step(step="untap")
    cheat.lie(opening(*cheat.slips))


@cheat(Code.WITHOUT_PRIORITY, tracked=True)
def act_without_priority(game: Game, cheat: Cheat) -> None:
    game.start()
    game.pass_to(cheat)
    cheat.say(Pass())
    cheat.lie(Act(text="draw seven cards"))


@cheat(Code.WITHOUT_PRIORITY, tracked=True)
def step_over_the_others(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Step(active=cheat.key, priority=True, step="draw", turn=1))


@cheat(Code.MALFORMED_STEP, tracked=True)
def step_for_a_stranger(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Step(active="0" * 64, priority=True, step="draw", turn=1))


@cheat(Code.MALFORMED_STEP, tracked=True)
def deny_priority(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Step(active=cheat.key, priority=False, step="upkeep", turn=1))


@cheat(Code.AFTER_OWN_EXIT, tracked=True)
def act_after_the_own_end(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.say(End(outcome="draw"))
    cheat.lie(Act(text="one more"))


@cheat(Code.AFTER_OWN_EXIT)
def apply_after_leaving(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.leave()
    cheat.lie(Apply(card="Grizzly Bears", slot=1))


@cheat(Code.APPLIED_FACE_DOWN, slot=1)
def apply_early(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Apply(card="Grizzly Bears", slot=1))


@cheat(Code.APPLIED_OTHER_NAME, slot=1)
def apply_to_a_wrong_card(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.turn_up(1)
    cheat.lie(Apply(card="Wind Drake", slot=1))


@cheat(Code.APPLIED_OTHER_NAME, slot=2)
def apply_one_agenda_to_the_name_of_another(game: Game, cheat: Cheat) -> None:
    start_with(game, cheat, cheat.slip(1, "Grizzly Bears"), cheat.slip(2, "Wind Drake"))
    cheat.turn_up(1, 2)
    cheat.lie(Apply(card="Grizzly Bears", slot=2))


@cheat(Code.LEFT_WITHOUT_SLIPS, slot=1)
def leave_silently(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Leave(player=cheat.key, slips=(), why="bye"))


@cheat(Code.LEFT_WITHOUT_SLIPS, slot=1, slots=2)
def leave_with_half_of_them(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Leave(player=cheat.key, slips=cheat.slips[1:], why="bye"))


@cheat(Code.NOT_ENTITLED)
def remove_another_player(game: Game, cheat: Cheat) -> None:
    game.start()
    other = next(client for client in game.honest)
    cheat.lie(Leave(player=other.key, slips=other.slips, why="too slow"))


@cheat(Code.NOT_ENTITLED)
def remove_a_stranger(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Leave(player="0" * 64, slips=(), why=""))


@cheat(Code.NOT_ENTITLED)
def move_where_nothing_is_tracked(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Pass())


# The judge


@cheat(Code.LEFT_WITHOUT_SLIPS, slot=1, by_judge=True)
def judge_removes_without_slips(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Leave(player=game.players[0].key, slips=(), why="vanished"))


@cheat(Code.OPENED_BEFORE_DUE, slot=1, by_judge=True)
def judge_tells_too_early(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(opening(*game.players[0].slips))


@cheat(Code.PREMATURE_SEAL, by_judge=True)
def judge_seals_unseen(game: Game, cheat: Cheat) -> None:
    cheat.lie(Seal())
    game.share()
    game.start()


@cheat(Code.NOT_ENTITLED, by_judge=True)
def judge_plays_along(game: Game, cheat: Cheat) -> None:
    cheat.lie(Commit(commitments=(), sealed=()))
    game.share()
    game.start()


@cheat(Code.NOT_ENTITLED, by_judge=True)
def judge_leaves(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Leave(player=cheat.key, slips=(), why=""))


@cheat(Code.FORKED, by_judge=True)
def judge_tells_two_stories(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.fork(cheat.say(End(outcome="over")))


# Lines


@cheat(Code.FORKED, tracked=True)
def an_old_pass_taken_back(game: Game, cheat: Cheat) -> None:
    """The cheat passes, sees a slot turned up, and shows that it had really kept priority."""
    game.start()
    game.pass_to(cheat)
    before = cheat.lines
    passed = cheat.say(Pass())
    game.share()
    for client in game.honest:
        if client.refused(opening(*client.slips)) is None:
            client.turn_up(1)
            break
    parents = [line for line in before if line.id in passed.entry.parents]
    kept = cheat.own.pop()
    cheat.ground(Act(text="a spell"), below=passed.id, parents=parents)
    cheat.own[-1] = kept


@cheat(Code.SLIP_DOES_NOT_FIT, slot=1)
def lie_under_a_damaged_signature_and_stand_by_it_later(game: Game, cheat: Cheat) -> None:
    game.start()
    lie = cheat.lie(opening(cheat.slip(1, "Wind Drake")))
    cheat.lie(Note(text="as I said"))
    cheat.show_damaged(lie)


@cheat(None)
def lie_under_a_damaged_signature(game: Game, cheat: Cheat) -> None:
    game.start()
    lie = cheat.lie(opening(cheat.slip(1, "Wind Drake")))
    cheat.show_damaged(lie)
    cheat.own.pop()


@cheat(None)
def seal_under_a_damaged_signature(game: Game, cheat: Cheat) -> None:
    game.commit()
    sealed = cheat.say(Seal())
    cheat.show_damaged(sealed)
    game.seal(cheat)


@cheat(None)
def words_put_into_anothers_mouth(game: Game, cheat: Cheat) -> None:
    """A forged entry of an honest player, and one of the cheat's on top."""
    game.commit()
    other = next(client for client in game.honest)
    forged = cheat.forge(other, Seal(), parents=other.own[-1:], seq=len(other.own) + 1)
    cheat.lie(Note(text="see"), parents=[forged, cheat.own[-1]])
    game.share()
    game.seal(cheat)


@cheat(None)
def ground_that_nobody_stands_on(game: Game, cheat: Cheat) -> None:
    """Commit and seal with bad signatures, endorsed only by an entry that rests on a forged one."""
    game.commit(cheat)
    cheat.slips = (cheat.slip(1),)
    commit = cheat.lie(cheat.commitment(cheat.slips))
    other = next(client for client in game.honest)
    forged = cheat.forge(other, Note(text="I agree"), parents=other.own[-1:], seq=len(other.own) + 1)
    cheat.lie(Note(text="indeed"), parents=[forged, commit])
    cheat.show_damaged(commit)


@cheat(None)
def invented_parents(game: Game, cheat: Cheat) -> None:
    game.start()
    draft = cheat.draft(Note(text="from nowhere"))
    cheat.lie_frame(replace(draft, parents=tuple(sorted((*draft.parents, "5" * 64)))))


@cheat(None)
def a_number_left_out(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.lie(Leave(player=cheat.key, slips=(), why=""), seq=len(cheat.own) + 3)
    cheat.own.pop()


@cheat(None)
def vanish(game: Game, cheat: Cheat) -> None:
    game.start()


@cheat(None)
def never_seal(game: Game, cheat: Cheat) -> None:
    game.commit()
    game.seal(cheat)


@cheat(None)
def end_and_keep_everything(game: Game, cheat: Cheat) -> None:
    game.start()
    cheat.say(End(outcome="gg"))


@cheat(None)
def turn_up_twice(game: Game, cheat: Cheat) -> None:
    """A retry: no fault."""
    game.start()
    cheat.turn_up(1)
    cheat.turn_up(1)


@cheat(None)
def copied_and_never_opened(game: Game, cheat: Cheat) -> None:
    game.commit(cheat)
    cheat.lie(cheat.commitment(next(client for client in game.honest).slips))
    game.share()
    game.seal()


def games(players: range) -> list[ParameterSet]:
    """Every cheat in every place at tables of these sizes."""
    return [
        pytest.param(case, count, place, id=f"{case.name}-{count}-{place}")
        for case in CHEATS.values()
        for count in players
        for place in range(1 if case.by_judge else count)
    ]
