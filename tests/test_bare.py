"""Which opening turns up which commitment, step by step as SPEC "Verifying a slip" has them."""

import itertools

import pytest

from hiddenagenda import canonical
from hiddenagenda.bare import Expected, Judged, judge
from hiddenagenda.cards.remarks import Remark
from hiddenagenda.commitment import Commitment
from hiddenagenda.edge.catalogue import bundled
from hiddenagenda.label import labelled, undated
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import Code
from hiddenagenda.slip import Salt, Slip

CATALOGUE = bundled()
GAME = "2026-11-27 friday draft"
_salts = itertools.count(1)


def slip(**changes: object) -> Slip:
    given: dict[str, object] = {
        "conspiracy": "Brago's Favor",
        "game": GAME,
        "names": ("Storm Crow",),
        "player": "Ana",
        "salt": Salt(next(_salts).to_bytes(32, "big")),
        "slot": 1,
    }
    return Slip(**given | changes)  # type: ignore[arg-type]


def opening(**changes: object) -> bytes:
    return slip(**changes).turn_face_up()


def only(judged: tuple[Judged, ...]) -> Judged:
    (one,) = judged
    return one


def codes(one: Judged) -> list[Code]:
    return [breach.code for breach in one.breaches]


def test_the_opening_committed_to_is_kept() -> None:
    shown = slip()
    one = only(judge([Commitment.of(shown.turn_face_up())], [shown.turn_face_up()], catalogue=CATALOGUE))
    assert (one.outcome, one.given, one.slip, one.breaches) == (Outcome.KEPT, True, shown, ())
    assert (one.names, one.remarks) == ((Remark.LISTED,), ())


def test_equal_openings_and_commitments_are_one() -> None:
    data = opening()
    assert only(judge([Commitment.of(data)] * 3, [data] * 2)).outcome is Outcome.KEPT


def test_a_commitment_without_an_opening_is_pending() -> None:
    one = only(judge([Commitment.of(opening())], []))
    assert (one.outcome, one.slip) == (Outcome.PENDING, None)


def test_an_opening_without_a_commitment_is_no_verdict() -> None:
    data = opening()
    one = only(judge([], [data]))
    assert (one.outcome, one.given, one.commitment) == (Outcome.UNDECIDABLE, False, Commitment.of(data))
    assert Commitment.of(data).token in str(one.remarks[0])


def test_nothing_is_nothing() -> None:
    assert judge([], []) == ()


def test_one_opening_and_one_commitment_left_over_are_one_finding() -> None:
    good, other, wanted = opening(), opening(names=("Shivan Dragon",)), Commitment.of(opening())
    kept, broken = judge([Commitment.of(good), wanted], [good, other])
    assert kept.outcome is Outcome.KEPT
    assert (broken.outcome, broken.commitment, broken.given) == (Outcome.BROKEN, wanted, True)
    assert codes(broken) == [Code.SLIP_DOES_NOT_FIT]
    assert Commitment.of(other).token in str(broken.breaches[0].said)


def test_several_left_over_accuse_each_by_what_it_turns_up() -> None:
    commitments = [Commitment.of(opening()), Commitment.of(opening())]
    stray = opening()
    first, second, third = judge(commitments, [stray])
    assert [first.outcome, second.outcome, third.outcome] == [Outcome.PENDING, Outcome.PENDING, Outcome.BROKEN]
    assert (third.commitment, third.given) == (Commitment.of(stray), False)


@pytest.mark.parametrize("damaged", [1, 5])
def test_where_something_was_damaged_nobody_is_accused_by_what_is_left(damaged: int) -> None:
    pending, stray = judge([Commitment.of(opening())], [opening()], damaged=damaged)
    assert (pending.outcome, stray.outcome) == (Outcome.PENDING, Outcome.UNDECIDABLE)
    assert stray.breaches == ()
    assert "damaged" in str(stray.remarks[0])
    assert "damaged" in str(only(judge([], [opening()], damaged=damaged)).remarks[0])


def test_what_matches_is_judged_however_much_was_damaged() -> None:
    data = opening(names=("Storm Crow", "Storm Crow"))
    assert only(judge([Commitment.of(data)], [data], damaged=1)).outcome is Outcome.BROKEN


def test_bytes_that_are_no_slip_and_fit_nothing_accuse_nobody() -> None:
    pending, stray = judge([Commitment.of(opening())], [b'{"conspiracy":"cut'])
    assert (pending.outcome, stray.outcome, stray.slip) == (Outcome.PENDING, Outcome.UNDECIDABLE, None)


@pytest.mark.parametrize(
    "data", [b"", b"anything", b"{}", b'{"conspiracy":1}', opening()[:-1], opening().replace(b":", b": ", 1)]
)
def test_whoever_commits_to_what_is_no_slip_broke_the_form(data: bytes) -> None:
    one = only(judge([Commitment.of(data)], [data]))
    assert (one.outcome, codes(one), one.slip) == (Outcome.BROKEN, [Code.BAD_AGENDA_FORM], None)


@pytest.mark.parametrize(
    "changes",
    [
        {"conspiracy": "Backup Plan"},
        {"conspiracy": "brago's favor"},
        {"names": ()},
        {"names": ("A", "B")},
        {"conspiracy": "Summoner's Bond"},
        {"conspiracy": "Summoner's Bond", "names": ("A", "A")},
        {"conspiracy": "Summoner's Bond", "names": ("B", "A")},
        {"conspiracy": "Summoner's Bond", "names": ("A", "B", "C")},
    ],
)
def test_a_slip_that_breaks_its_agendas_form_matches_and_is_broken(changes: dict[str, object]) -> None:
    data = opening(**changes)
    one = only(judge([Commitment.of(data)], [data]))
    assert (one.outcome, codes(one)) == (Outcome.BROKEN, [Code.BAD_AGENDA_FORM])
    assert one.slip is not None


@pytest.mark.parametrize(
    ("expected", "outcome"),
    [
        (Expected(), Outcome.KEPT),
        (Expected(player="Ana", game=GAME, slot=1), Outcome.KEPT),
        (Expected(game="friday draft"), Outcome.KEPT),
        (Expected(player="ana"), Outcome.BROKEN),
        (Expected(player=""), Outcome.BROKEN),
        (Expected(game="2026-11-20 friday draft"), Outcome.BROKEN),
        (Expected(game="draft"), Outcome.BROKEN),
        (Expected(slot=2), Outcome.BROKEN),
    ],
)
def test_a_copied_commitment_shows_by_what_the_verifier_expects(expected: Expected, outcome: Outcome) -> None:
    data = opening()
    one = only(judge([Commitment.of(data)], [data], expected=expected))
    assert one.outcome is outcome
    assert set(codes(one)) == (set() if outcome is Outcome.KEPT else {Code.SLIP_DOES_NOT_FIT})


def test_all_that_is_misplaced_is_said() -> None:
    data = opening(names=("A", "B"))
    one = only(judge([Commitment.of(data)], [data], expected=Expected(player="Ben", game="x", slot=9)))
    assert codes(one) == [Code.SLIP_DOES_NOT_FIT] * 3 + [Code.BAD_AGENDA_FORM]


def test_a_date_that_the_verifier_did_not_state_is_remarked_on() -> None:
    data = opening()
    one = only(judge([Commitment.of(data)], [data], expected=Expected(game="friday draft")))
    assert GAME in str(one.remarks[0])
    assert only(judge([Commitment.of(data)], [data], expected=Expected(game=GAME))).remarks == ()


def test_names_earn_remarks_and_never_convict() -> None:
    data = opening(conspiracy="Summoner's Bond", names=("Clue", "Nobody, Ever"))
    one = only(judge([Commitment.of(data)], [data], catalogue=CATALOGUE))
    assert one.outcome is Outcome.KEPT
    assert one.names == (Remark.TOKEN_ONLY, Remark.UNLISTED)
    assert only(judge([Commitment.of(data)], [data])).names == (Remark.NOT_CHECKED, Remark.NOT_CHECKED)


def test_two_slips_in_one_place_earn_remarks() -> None:
    first, second, elsewhere = opening(), opening(), opening(slot=2)
    judged = judge([Commitment.of(data) for data in (first, second, elsewhere)], [first, second, elsewhere])
    assert [len(one.remarks) for one in judged] == [1, 1, 0]
    assert {one.outcome for one in judged} == {Outcome.KEPT}


@pytest.mark.parametrize("place", range(0, 200, 7))
def test_no_other_byte_string_opens_a_commitment(place: int) -> None:
    data = bytearray(opening())
    wanted = Commitment.of(bytes(data))
    data[place] ^= 1
    assert Outcome.KEPT not in {one.outcome for one in judge([wanted], [bytes(data)])}


def test_a_slip_written_otherwise_opens_nothing() -> None:
    """Same members, other bytes: JSON that is not canonical."""
    shown = slip()
    members = canonical.read(shown.turn_face_up(), limit=1024)
    for text in (shown.turn_face_up() + b"\n", b" " + shown.turn_face_up(), repr(members).encode()):
        outcomes = {one.outcome for one in judge([Commitment.of(shown.turn_face_up())], [text])}
        assert outcomes <= {Outcome.PENDING, Outcome.UNDECIDABLE}


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("draft", "2026-11-27 draft"),
        ("2026-11-20 draft", "2026-11-20 draft"),
        ("2026-11-20", "2026-11-27 2026-11-20"),  # a date alone is a word
        ("2026-11-2 draft", "2026-11-27 2026-11-2 draft"),
    ],
)
def test_a_word_gets_a_date_once(word: str, label: str) -> None:
    assert labelled(word, date="2026-11-27") == label
    assert labelled(label, date="2027-01-01") == label


@pytest.mark.parametrize(
    ("label", "word"), [("2026-11-27 draft", "draft"), ("draft", "draft"), ("2026-11-27 2026-11-20 x", "2026-11-20 x")]
)
def test_one_date_is_taken_off(label: str, word: str) -> None:
    assert undated(label) == word
