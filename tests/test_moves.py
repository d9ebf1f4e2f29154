"""Moves as bodies, and which of them are offered: what is offered is legal, and what is legal and of use is offered."""

from collections.abc import Sequence
from hashlib import sha256

import pytest
from talk import identity, key, seat

from hiddenagenda.edge.catalogue import bundled
from hiddenagenda.entry import Apply, Body, End, Note, Open, Pass, Seal, Step, frame
from hiddenagenda.faults import HiddenAgendaError, IllegalMove
from hiddenagenda.line import sign
from hiddenagenda.moves import (
    Turn,
    apply,
    commit,
    find_entry,
    leave,
    note,
    options,
    reveal,
    step_of,
    turn_up,
    usual_turn,
)
from hiddenagenda.naming import Choice
from hiddenagenda.player import Player, shown, write_slips
from hiddenagenda.record import read_record
from hiddenagenda.slip import Slip
from hiddenagenda.table import Table

NAMES = ("Ana", "Ben", "Cleo")
BEARS = Choice(conspiracy="Muzzio's Preparations", names=("Grizzly Bears",))
GROWTH = Choice(conspiracy="Brago's Favor", names=("Giant Growth",))
PAIR = Choice(conspiracy="Summoner's Bond", names=("Llanowar Elves", "Storm Crow"))
CATALOGUE = bundled()


class Play:
    """Honest players at one table; everybody sees everything at once."""

    def __init__(self, players: int = 2, *, tracked: bool = False) -> None:
        self.names = NAMES[:players]
        table = Table(
            edition="2025-09",
            label=f"{players} {tracked}",
            players=tuple(seat(name) for name in self.names),
            priority="tracked" if tracked else "declared",
        )
        (self.game,) = read_record(sign(frame(table, author=key("Ana")), identity("Ana")).data).transcripts
        self.slips: dict[str, dict[int, Slip]] = {name: {} for name in self.names}

    def me(self, name: str) -> Player:
        return Player.of(self.game, key(name))

    def say(self, name: str, body: Body) -> None:
        self.game = self.game.add([sign(self.me(name).draft(body), identity(name))])

    def commit(self, name: str, *choices: Choice) -> None:
        slips = write_slips(identity(name), self.game.game, choices)
        self.slips[name] = {slip.slot: slip for slip in slips}
        self.say(name, commit(slips))

    def start(self, ana: Sequence[Choice] = (BEARS, GROWTH), ben: Sequence[Choice] = (PAIR,)) -> "Play":
        for name, choices in zip(self.names, (ana, ben, ()), strict=False):
            self.commit(name, *choices)
        for name in self.names:
            self.say(name, Seal())
        return self

    def turn_up(self, name: str, slot: int) -> None:
        self.say(name, turn_up(self.me(name), self.slips[name], slot, when=""))

    def leave(self, name: str) -> None:
        self.say(name, leave(self.me(name), self.slips[name], why=""))

    def step(self, name: str, step: str, turn: int, active: str) -> None:
        self.say(name, step_of(self.game.table, step, turn=turn, active=active, priority=None))

    def offered(self, name: str) -> list[str]:
        return [option.command for option in options(self.me(name), self.slips[name])]


def code_of(error: pytest.ExceptionInfo[HiddenAgendaError]) -> str:
    return error.value.code


# What is offered


def test_before_the_start_one_commits_once_and_seals_when_all_have() -> None:
    play = Play()
    assert play.offered("Ana") == ["commit"]
    play.commit("Ana", BEARS)
    assert play.offered("Ana") == []
    play.commit("Ben")
    assert play.offered("Ana") == ["seal"]
    play.say("Ana", Seal())
    assert play.offered("Ana") == []


def test_while_priority_is_declared_one_may_turn_up_end_and_leave() -> None:
    play = Play().start()
    assert play.offered("Ana") == ["turn-up 1", "turn-up 2", "end", "leave"]
    play.turn_up("Ana", 1)
    assert play.offered("Ana") == ["turn-up 2", "apply 1", "end", "leave"]
    assert play.offered("Ben") == ["turn-up 1", "end", "leave"]


def test_where_it_is_tracked_only_the_holder_moves() -> None:
    play = Play(tracked=True).start()
    assert play.offered("Ana") == ["priority step", "end", "leave"]
    assert play.offered("Ben") == ["end", "leave"]
    play.step("Ana", "upkeep", 1, "Ana")
    assert play.offered("Ana") == ["turn-up 1", "turn-up 2", "priority pass", "priority act", "end", "leave"]
    play.say("Ana", Pass())
    assert play.offered("Ben") == ["turn-up 1", "priority pass", "priority act", "end", "leave"]
    assert play.offered("Ana") == ["end", "leave"]
    play.say("Ben", Pass())
    assert play.offered("Ana") == [
        *("turn-up 1", "turn-up 2", "priority step", "priority pass", "priority act", "end", "leave")
    ]


def test_who_has_ended_may_still_leave_and_shows_nothing_before_the_others() -> None:
    play = Play(3).start()
    play.say("Ana", End(outcome=""))
    assert play.offered("Ana") == ["leave"]
    play.say("Ben", End(outcome=""))
    assert play.offered("Ana") == ["reveal --waited"]
    assert play.offered("Cleo") == []
    play.say("Cleo", End(outcome=""))
    assert play.offered("Ana") == ["reveal"]


def test_who_has_nothing_left_to_do_is_offered_nothing() -> None:
    play = Play(3).start()
    play.leave("Ana")
    assert play.offered("Ana") == []
    play.say("Cleo", End(outcome=""))
    assert play.offered("Cleo") == []
    assert play.offered("Ben") == ["reveal"]
    play.leave("Ben")
    assert play.offered("Ben") == []


def test_without_the_slips_nothing_that_takes_them_is_offered() -> None:
    play = Play().start()
    play.turn_up("Ana", 1)
    play.slips["Ana"] = {}
    assert play.offered("Ana") == ["apply 1", "end"]
    play.leave("Ben")
    assert play.offered("Ana") == []


@pytest.mark.parametrize("tracked", [False, True])
def test_what_is_offered_is_legal(*, tracked: bool) -> None:
    play = Play(3, tracked=tracked).start()
    if tracked:
        play.step("Ana", "upkeep", 1, "Ana")
    for name in play.names:
        me, slips = play.me(name), play.slips[name]
        for command in play.offered(name):
            verb, _, rest = command.partition(" ")
            match verb, rest:
                case "turn-up", slot:
                    body: Body = turn_up(me, slips, int(slot), when="")
                case "end", _:
                    body = End(outcome="")
                case "leave", _:
                    body = leave(me, slips, why="")
                case "priority", "pass":
                    body = Pass()
                case _:
                    continue
            assert me.may(body), command


def test_who_may_sign_nothing_is_told_why() -> None:
    play = Play().start()
    other = Play().start()
    other.say("Ana", Note(text="another story"))
    play.say("Ana", Note(text="one story"))
    play.game = play.game.add(other.game.graph.nodes)
    with pytest.raises(IllegalMove) as error:
        play.offered("Ana")
    assert code_of(error) == "forked"


# Turning up, leaving, showing


def test_a_slot_is_turned_up_by_its_slip() -> None:
    play = Play().start()
    body = turn_up(play.me("Ana"), play.slips["Ana"], 2, when="turn 3")
    assert body == Open(slips=(shown(play.slips["Ana"][2]),), when="turn 3")


def test_a_slot_that_is_not_there_is_no_lost_slip() -> None:
    play = Play().start()
    with pytest.raises(IllegalMove, match="there is no slip of yours for slot 3 in this game") as error:
        turn_up(play.me("Ana"), play.slips["Ana"], 3, when="")
    assert str(error.value.hint) == "the slots with a slip: 1, 2"
    with pytest.raises(IllegalMove) as error:
        turn_up(play.me("Ana"), {}, 3, when="")
    assert str(error.value.hint) == "the slots with a slip: -"


def test_what_lies_open_is_not_turned_up_again() -> None:
    play = Play().start()
    play.turn_up("Ana", 1)
    with pytest.raises(IllegalMove, match="slot 1 lies open already"):
        play.turn_up("Ana", 1)


def test_a_lost_slip_is_said_to_be_lost_wherever_it_is_needed() -> None:
    play = Play().start()
    for act in (
        lambda: turn_up(play.me("Ana"), {}, 1, when=""),
        lambda: leave(play.me("Ana"), {1: play.slips["Ana"][1]}, why=""),
    ):
        with pytest.raises(IllegalMove, match="is not here any more") as error:
            act()
        assert code_of(error) == "no-slip-kept"
        assert "same agendas again" in str(error.value.hint)
    play.leave("Ben")
    with pytest.raises(IllegalMove, match="slips of your slots 1, 2 are not here any more"):
        reveal(play.me("Ana"), {}, waited=False)


def test_leaving_shows_what_is_face_down_and_nothing_else() -> None:
    play = Play().start()
    play.turn_up("Ana", 1)
    body = leave(play.me("Ana"), play.slips["Ana"], why="lost")
    assert [slip.slot for slip in body.slips] == [2]
    assert (body.player, body.why) == (key("Ana"), "lost")


def test_there_is_nothing_to_leave_before_the_start() -> None:
    with pytest.raises(IllegalMove, match="the game is not on") as error:
        leave(Play().me("Ana"), {}, why="")
    assert code_of(error) == "not-on"


def test_nothing_is_shown_before_it_is_due() -> None:
    play = Play()
    with pytest.raises(IllegalMove) as error:
        reveal(play.me("Ana"), {}, waited=True)
    assert code_of(error) == "not-due"
    play.start()
    with pytest.raises(IllegalMove) as error:
        reveal(play.me("Ana"), play.slips["Ana"], waited=True)
    assert code_of(error) == "not-due"


def test_an_end_alone_draws_no_slip_unless_one_has_waited() -> None:
    play = Play().start()
    play.say("Ana", End(outcome="gg"))
    with pytest.raises(IllegalMove) as error:
        reveal(play.me("Ana"), play.slips["Ana"], waited=False)
    assert code_of(error) == "alone"
    body = reveal(play.me("Ana"), play.slips["Ana"], waited=True)
    assert body is not None
    assert [slip.slot for slip in body.slips] == [1, 2]
    play.say("Ana", body)
    assert reveal(play.me("Ana"), play.slips["Ana"], waited=False) is None


# Names


@pytest.mark.parametrize("typed", ["Llanowar Elves", "llanowar elves", "LLANOWAR  ELVES"])
def test_a_chosen_name_is_recognised_however_it_is_written(typed: str) -> None:
    play = Play().start()
    play.turn_up("Ben", 1)
    body, notices = apply(play.me("Ben"), 1, typed, names=CATALOGUE, languages=("en",))
    assert (body, notices) == (Apply(slot=1, card="Llanowar Elves"), ())


def test_a_chosen_name_that_no_list_has_is_taken() -> None:
    play = Play().start(ana=(Choice(conspiracy="Brago's Favor", names=("Card of Tomorrow",)),))
    play.turn_up("Ana", 1)
    body, _ = apply(play.me("Ana"), 1, "card of tomorrow", names=CATALOGUE, languages=("en",))
    assert body == Apply(slot=1, card="Card of Tomorrow")


def test_names_that_differ_by_their_letters_alone_are_told_apart() -> None:
    play = Play().start(ana=(Choice(conspiracy="Summoner's Bond", names=("Aether", "aether")),))
    play.turn_up("Ana", 1)
    for typed in ("Aether", "aether"):
        assert apply(play.me("Ana"), 1, typed, names=CATALOGUE, languages=("en",))[0].card == typed
    with pytest.raises(HiddenAgendaError):
        apply(play.me("Ana"), 1, "AETHER", names=CATALOGUE, languages=("en",))


def test_another_card_is_resolved_and_left_to_the_law() -> None:
    play = Play().start()
    play.turn_up("Ana", 1)
    body, notices = apply(play.me("Ana"), 1, "giant growth", names=CATALOGUE, languages=("en",))
    assert body == Apply(slot=1, card="Giant Growth")
    assert [str(notice) for notice in notices] == ["written “giant growth”, is “Giant Growth”"]
    assert not play.me("Ana").may(body)


def test_what_is_no_card_is_refused_with_suggestions() -> None:
    play = Play().start()
    play.turn_up("Ana", 1)
    with pytest.raises(HiddenAgendaError, match="Grizly Bears") as error:
        apply(play.me("Ana"), 1, "Grizly Bears", names=CATALOGUE, languages=("en",))
    assert "Grizzly Bears" in str(error.value.hint)


def test_a_name_of_a_closed_slot_is_not_looked_up_on_its_slip() -> None:
    play = Play().start()
    body, _ = apply(play.me("Ana"), 1, "grizzly bears", names=CATALOGUE, languages=("en",))
    assert body == Apply(slot=1, card="Grizzly Bears")
    assert not play.me("Ana").may(body), "it is face down"


# Steps


def test_a_step_names_a_player_of_the_table() -> None:
    table = Play().game.table
    assert step_of(table, "upkeep", turn=2, active="Ben", priority=None) == Step(
        active=key("Ben"), priority=True, step="upkeep", turn=2
    )
    assert not step_of(table, "cleanup", turn=2, active="Ben", priority=None).priority
    assert step_of(table, "cleanup", turn=2, active="Ben", priority=True).priority
    with pytest.raises(IllegalMove, match="nobody at this table is called “ben”") as error:
        step_of(table, "upkeep", turn=2, active="ben", priority=None)
    assert str(error.value.hint) == "at the table: Ana, Ben"


def test_the_first_turn_is_the_first_players() -> None:
    play = Play(3, tracked=True).start()
    assert usual_turn(play.me("Ana"), "upkeep") == Turn(number=1, active="Ana")
    play.leave("Ana")
    assert usual_turn(play.me("Ben"), "upkeep") == Turn(number=1, active="Ben")


@pytest.mark.parametrize(
    ("last", "step", "turn"),
    [
        ("untap", "upkeep", 4),
        ("upkeep", "draw", 4),
        ("upkeep", "main", 4),
        ("combat", "second main", 4),
        ("cleanup", "untap", 5),
        ("cleanup", "main", 5),
        ("upkeep", "upkeep", 5),
        ("draw", "upkeep", 5),
        ("main", "untap", 5),
        ("main", "main", 4),
    ],
)
def test_a_turn_ends_with_its_cleanup_or_where_the_next_one_begins(last: str, step: str, turn: int) -> None:
    play = Play(3, tracked=True).start()
    play.step("Ana", last, 4, "Cleo")
    assert usual_turn(play.me("Ana"), step) == Turn(number=turn, active="Cleo" if turn == 4 else "Ana")


def test_whoever_is_gone_has_no_next_turn() -> None:
    play = Play(3, tracked=True).start()
    play.step("Ana", "cleanup", 1, "Ana")
    play.leave("Ben")
    assert usual_turn(play.me("Ana"), "untap") == Turn(number=2, active="Cleo")
    for name in ("Cleo", "Ana"):
        play.leave(name)
    assert usual_turn(play.me("Cleo"), "untap") == Turn(number=2, active="Cleo"), "nobody is in: one's own"


# Notes


def test_a_note_points_at_one_entry() -> None:
    play = Play().start()
    name = play.game.graph.nodes[3].id
    assert note(play.game, "hm", about=None) == Note(text="hm")
    assert note(play.game, "hm", about=name[:6].upper()) == Note(text="hm", entry=name)
    for start in (name[:5], sha256(b"nothing").hexdigest(), ""):
        with pytest.raises(IllegalMove) as error:
            find_entry(play.game, start)
        assert code_of(error) == "no-entry"
