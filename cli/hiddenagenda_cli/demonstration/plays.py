"""What the cheats of the demo do, entry by entry."""

from hiddenagenda.entry import Act, Apply, Leave, Open, Seal, Step
from hiddenagenda.naming import Choice
from hiddenagenda.player import shown
from hiddenagenda_cli.demonstration.trio import Trio

_BETTER = ("Shivan Dragon", "Storm Crow")


def named_late(trio: Trio) -> None:
    """Ben commits to a slip without a name."""
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [Choice(conspiracy=bond.conspiracy, names=())])
    trio.start()
    trio.leave("Ben", "conceded")


def second_commit(trio: Trio) -> None:
    """Ben commits twice."""
    trio.commit("Ben")
    (bond,) = trio.choices["Ben"]
    trio.cheat("Ben", trio.commitment("Ben", [Choice(conspiracy=bond.conspiracy, names=_BETTER)]))


def no_agenda(trio: Trio) -> None:
    """Ben commits to a conspiracy without an agenda."""
    trio.commit("Ben", [Choice(conspiracy="Backup Plan", names=("Storm Crow",))])
    trio.start()
    trio.leave("Ben", "conceded")


def swapped_slip(trio: Trio) -> None:
    """Ben leaves with another slip."""
    trio.start()
    slip = trio.rewritten("Ben", 1, cards=_BETTER)
    trio.cheat("Ben", Leave(player=trio.key("Ben"), slips=(slip,), why="conceded"))


def swapped_conspiracies(trio: Trio) -> None:
    """Ana shows a name under another conspiracy."""
    trio.start()
    trio.first_step()
    slip = trio.rewritten("Ana", 1, conspiracy="Brago's Favor")
    trio.cheat("Ana", Open(slips=(slip,), when="turn 1, upkeep"))


def copied(trio: Trio) -> None:
    """Ben commits to what Ana did, and shows her slip."""
    ana = trio.commit("Ana")
    trio.commit("Cleo")
    trio.say("Ben", ana.entry.body)
    trio.start()
    trio.leave("Ana", "conceded")
    slip = shown(trio.slips["Ana"][1])
    trio.cheat("Ben", Leave(player=trio.key("Ben"), slips=(slip,), why="conceded"))


def without_priority(trio: Trio) -> None:
    """Ben turns up while Ana has priority."""
    trio.start()
    trio.first_step()
    trio.cheat("Ben", trio.turn_up("Ben", 1))


def answered(trio: Trio) -> None:
    """Ben answers a turning up."""
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    trio.cheat("Ben", Act(text="answers the turning up with Lightning Bolt"))


def withheld_priority(trio: Trio) -> None:
    """Ana opens an upkeep without priority."""
    trio.start()
    trio.cheat("Ana", Step(active=trio.key("Ana"), priority=False, step="upkeep", turn=1))


def face_down(trio: Trio) -> None:
    """Ana applies what lies face down."""
    trio.start()
    trio.first_step()
    trio.cheat("Ana", Apply(slot=2, card="Giant Growth"))


def other_name(trio: Trio) -> None:
    """Ana applies it to a card of another name."""
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    trio.cheat("Ana", Apply(slot=1, card="Giant Growth"))


def silent_leaver(trio: Trio) -> None:
    """Ben leaves without his slip."""
    trio.start()
    trio.cheat("Ben", Leave(player=trio.key("Ben"), slips=(), why="conceded"))


def anothers(trio: Trio) -> None:
    """Cleo opens Ben's slip."""
    trio.start()
    trio.cheat("Cleo", Open(slips=(shown(trio.slips["Ben"][1]),), when="Ben had told me"))


def one_name(trio: Trio) -> None:
    """Ben commits to one name for a double agenda."""
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [Choice(conspiracy=bond.conspiracy, names=bond.names[:1])])
    trio.start()
    trio.leave("Ben", "conceded")


def same_name(trio: Trio) -> None:
    """Ben commits to one name twice."""
    (bond,) = trio.choices["Ben"]
    trio.commit("Ben", [Choice(conspiracy=bond.conspiracy, names=bond.names[:1] * 2)])
    trio.start()
    trio.leave("Ben", "conceded")


def two_for_one(trio: Trio) -> None:
    """Ana commits to two names for a hidden agenda."""
    preparations, _ = trio.choices["Ana"]
    trio.commit("Ana", [Choice(conspiracy=preparations.conspiracy, names=("Grizzly Bears", "Storm Crow"))])
    trio.start()
    trio.leave("Ana", "conceded")


def two_histories(trio: Trio) -> None:
    """Ana signs two entries under one number."""
    trio.start()
    trio.first_step()
    trio.say("Ana", trio.turn_up("Ana", 1))
    trio.cheat("Ana", Act(text="casts something else instead"), over=[trio.newest("Ana", back=1)])


def premature_seal(trio: Trio) -> None:
    """Ben seals without commits."""
    trio.commit("Ana")
    trio.cheat("Ben", Seal())


def second_seal(trio: Trio) -> None:
    """Ben seals twice."""
    trio.start()
    trio.cheat("Ben", Seal())


def before_start(trio: Trio) -> None:
    """Ana opens before the start."""
    trio.commit("Ana")
    trio.cheat("Ana", trio.turn_up("Ana", 1))


def after_leaving(trio: Trio) -> None:
    """Ana plays after she left."""
    trio.start()
    trio.leave("Ana", "conceded")
    trio.cheat("Ana", Apply(slot=1, card="Grizzly Bears"))


def thrown_out(trio: Trio) -> None:
    """Ben signs that Ana leaves."""
    trio.start()
    trio.cheat("Ben", Leave(player=trio.key("Ana"), slips=(), why="took too long"))
