"""What may stand on a slip, and what is said about it."""

import pytest

from hiddenagenda.cards.conspiracies import Agenda, Conspiracy, Works
from hiddenagenda.cards.conspiracy_names import UnknownConspiracy
from hiddenagenda.cards.folding import RefusedCharacters
from hiddenagenda.cards.remarks import Remark
from hiddenagenda.cards.resolve import AmbiguousCardName, UnknownCardName
from hiddenagenda.edge.catalogue import bundled
from hiddenagenda.faults import HiddenAgendaError, IllegalMove
from hiddenagenda.naming import choose, choose_conspiracy, choose_name, say_remark

NAMES = bundled()


def test_names_stand_in_ascending_order_whatever_was_typed() -> None:
    for typed in (["Storm Crow", "Llanowar Elves"], ["Llanowar Elves", "Storm Crow"]):
        choice = choose(NAMES, "Summoner's Bond", typed)
        assert choice.names == ("Llanowar Elves", "Storm Crow")
        assert (choice.notices, choice.warnings) == ((), ())


def test_a_choice_does_not_print_itself() -> None:
    choice = choose(NAMES, "Brago's Favor", ["Storm Crow"])
    for text in (repr(choice), str(choice), f"{choice}"):
        assert "Crow" not in text
        assert "Brago" not in text


def test_what_is_typed_is_resolved_and_said() -> None:
    choice = choose(NAMES, "brago’s favor", ["lim-dul's vault"])
    assert (choice.conspiracy, choice.names) == ("Brago's Favor", ("Lim-Dûl's Vault",))
    assert len(choice.notices) == 2


@pytest.mark.parametrize(
    ("conspiracy", "names", "kind", "code"),
    [
        ("Muzzios Preparation", ["Storm Crow"], UnknownConspiracy, "unknown-conspiracy"),
        ("", ["Storm Crow"], UnknownConspiracy, "unknown-conspiracy"),
        ("Brago's\u202e Favor", ["Storm Crow"], RefusedCharacters, None),
        ("Backup Plan", ["Storm Crow"], IllegalMove, "no-agenda"),
        ("Backup Plan", [], IllegalMove, "no-agenda"),
        ("Brago's Favor", [], IllegalMove, "number-of-names"),
        ("Brago's Favor", ["Storm Crow", "Llanowar Elves"], IllegalMove, "number-of-names"),
        ("Summoner's Bond", ["Storm Crow"], IllegalMove, "number-of-names"),
        ("Summoner's Bond", ["Storm Crow", "storm  crow"], IllegalMove, "same-name"),
        ("Summoner's Bond", ["Rick, Steadfast Leader", "Greymond, Avacyn's Stalwart"], IllegalMove, "same-name"),
        ("Brago's Favor", ["Goblin"], UnknownCardName, "token"),
        ("Brago's Favor", ["Fire // Ice"], AmbiguousCardName, "whole-card"),
        ("Brago's Favor", ["Grizly Bears"], UnknownCardName, "unknown-name"),
        ("Brago's Favor", ["Grіzzly Bears"], UnknownCardName, "unknown-name"),
        ("Brago's Favor", ["Storm\x1b[2J Crow"], RefusedCharacters, None),
        ("Brago's Favor", [""], UnknownCardName, "unknown-name"),
    ],
)
@pytest.mark.parametrize("unlisted", [False, True])
def test_what_may_not_be_committed_to_is_refused(
    conspiracy: str, names: list[str], kind: type[HiddenAgendaError], code: str | None, *, unlisted: bool
) -> None:
    if unlisted and names == ["Grizly Bears"]:
        assert choose(NAMES, conspiracy, names, unlisted=True).names == ("Grizly Bears",)
        return
    with pytest.raises(kind) as caught:
        choose(NAMES, conspiracy, names, unlisted=unlisted)
    assert code in (None, caught.value.code)


def test_an_unlisted_name_is_taken_by_request_and_said() -> None:
    name, found, notices = choose_name(NAMES, " Zzyzx\u200b  Wanderer ", unlisted=True)
    assert (name, found) == ("Zzyzx Wanderer", None)
    assert "not in the list" in str(notices[-1])


def test_an_unlisted_name_that_is_listed_is_the_listed_one() -> None:
    assert choose_name(NAMES, "storm crow", unlisted=True)[0] == "Storm Crow"


@pytest.mark.parametrize(
    ("conspiracy", "name", "said"),
    [
        ("Muzzio's Preparations", "Lightning Bolt", "legal but useless"),
        ("Muzzio's Preparations", "Grizzly Bears", None),
        ("Double Stroke", "Grizzly Bears", "legal but useless"),
        ("Double Stroke", "Lightning Bolt", None),
        ("Brago's Favor", "Forest", "legal but useless"),
        ("Muzzio's Preparations", "Sol Ring", "only if something makes it so"),
    ],
)
def test_a_useless_name_earns_a_warning(conspiracy: str, name: str, said: str | None) -> None:
    warnings = choose(NAMES, conspiracy, [name]).warnings
    assert [str(said) in str(warning) for warning in warnings] == ([True] if said else [])


def test_a_cube_may_have_further_conspiracies() -> None:
    own = Conspiracy(name="Grand Design", agenda=Agenda.DOUBLE, works_on=Works.NOTHING)
    further = {"Grand Design": own}
    assert choose_conspiracy("grand design", further=further)[0] is own
    assert choose(NAMES, "Grand Design", ["Storm Crow", "Ice"], further=further).names == ("Ice", "Storm Crow")
    with pytest.raises(UnknownConspiracy):
        choose_conspiracy("grand design")


@pytest.mark.parametrize("remark", Remark)
def test_every_remark_has_words_but_that_there_is_nothing_to_remark_on(remark: Remark) -> None:
    said = say_remark(remark, "Fire // Ice")
    assert (said is None) == (remark is Remark.LISTED)
    assert said is None or "Fire // Ice" in str(said)
