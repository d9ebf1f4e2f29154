"""Verdicts in sentences: how it stands, what was done, why it is a fault, what proves it, and who lacks what."""

from dataclasses import replace

import pytest
from table import Game, damaged, transcript

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.remarks import Remark
from hiddenagenda.entry import Apply, Commit, Leave, Note, Seal
from hiddenagenda.faults import sentence
from hiddenagenda.locale import LANGUAGES
from hiddenagenda.locale import tell as speak
from hiddenagenda.naming import Tongue
from hiddenagenda.outcome import Outcome
from hiddenagenda.publickey import PublicKey
from hiddenagenda.record import read_record
from hiddenagenda.rulebook import FAULTS, NEWEST, RULES, Code, Edition, RuleId
from hiddenagenda.sides import judge_sides
from hiddenagenda.telling import OUTCOMES, SLOTS, STANDINGS, headline, tell, tell_findings, tell_sides
from hiddenagenda.verdict import Aside, NamedCard, Slot, SlotState, Verdict
from hiddenagenda.verifier import judge

ENGLISH = Tongue()


def lines(verdict: Verdict, tongue: Tongue = ENGLISH) -> list[str]:
    return [str(line) for line in tell(verdict, tongue=tongue)]


def cheated() -> Game:
    """Ana has left without her slip, in a game of two."""
    game = Game(2, cheats={0})
    game.start()
    game.cheat.lie(Leave(player=game.cheat.key, slips=(), why="conceded"))
    game.share()
    return game


def test_there_is_a_word_for_every_outcome_standing_and_state() -> None:
    assert set(OUTCOMES) == set(STANDINGS) == set(Outcome)
    assert set(SLOTS) == set(SlotState)


def test_a_kept_game_is_told_player_by_player() -> None:
    game = Game(2)
    game.start()
    game.players[0].turn_up(1)
    game.share()
    game.finish()
    assert lines(game.verdict()) == [
        f"game {game.table.id[:12]} “test”: kept: every hidden agenda was shown and is the one committed to",
        "  Ana: kept",
        "    slot 1: turned up: Muzzio's Preparations – Grizzly Bears",
        "      remark: “Grizzly Bears” was not checked: there is no such list of names here",
        "  Ben: kept",
        "    slot 1: opened: Muzzio's Preparations – Grizzly Bears",
        "      remark: “Grizzly Bears” was not checked: there is no such list of names here",
        "  priority: not checked (at this table a player says when; others may object by a note)",
    ]


def test_where_priority_was_checked_or_nothing_turned_up_nothing_is_said_of_it() -> None:
    for tracked in (True, False):
        game = Game(2, tracked=tracked)
        game.start()
        if tracked:
            game.players[0].turn_up(1)
        assert not any("priority" in line for line in lines(game.verdict()))


def test_what_cannot_be_decided_is_said_in_one_line() -> None:
    verdict = Verdict(game=None, outcome=Outcome.UNDECIDABLE, edition=NEWEST)
    assert lines(verdict) == ["undecidable: there is no readable table in these lines"]
    assert headline(verdict) is OUTCOMES[Outcome.UNDECIDABLE]


def test_a_finding_says_what_was_done_which_rule_and_what_proves_it() -> None:
    game = cheated()
    verdict = game.verdict()
    (finding,) = verdict.findings
    fault, rule = FAULTS[Code.LEFT_WITHOUT_SLIPS], RULES[RuleId.AGENDA_SHOWN]
    assert [str(line) for line in tell_findings(verdict)] == [
        f"  finding 1: left-without-slips: Ana the cheat {fault.done}",
        "    the slip of slot 1 is not with it",
        f"    rule 702.106e (edition 2025-09): {rule.says}",
        f"    proved by: {finding.entries[0][:12]}",
    ]


def test_an_explanation_adds_why_whose_key_and_what_the_entries_say() -> None:
    game = cheated()
    whole = transcript(game.lines)
    verdict = judge(whole, edition=Edition("2014"))
    (finding,) = verdict.findings
    told = [str(line) for line in tell_findings(verdict, explained_by=whole)]
    assert "702.105e (edition 2014)" in told[2]
    assert told[3] == f"    why: {FAULTS[Code.LEFT_WITHOUT_SLIPS].why}"
    key = finding.author
    assert told[4] == f"    signed by: {key} ({PublicKey.from_hex(key).fingerprint})"
    assert told[5].startswith(f"    proved by: {finding.at[0][:12]}, entry 4: Ana the cheat ")
    assert "conceded" in told[5]
    assert len(told) == 6


def test_an_explanation_says_which_entries_vouch_for_others() -> None:
    game = cheated()
    bad = game.cheat.own[-1]
    game.cheat.lie(Note(text="so what"))
    game.cheat.show_damaged(bad)
    whole = transcript([line for line in game.cheat.lines if line != bad])
    verdict = judge(whole)
    (finding,) = verdict.findings
    assert len(finding.entries) > len(finding.at)
    told = [str(line) for line in tell_findings(verdict, explained_by=whole)]
    assert told[-1].startswith(f"    vouched for by: {finding.entries[-1][:12]}, entry 5: ")
    assert "so what" in told[-1]


def test_a_judge_is_called_so() -> None:
    game = Game(2, judged=True, cheats={-1})
    game.commit()
    game.seal()
    game.cheat.lie(Seal())
    game.share()
    assert any("(judge): broken" in line for line in lines(game.verdict()))


def test_what_was_set_aside_is_said_by_entry_or_by_line() -> None:
    game = Game(2)
    game.start()
    bad = damaged(game.players[1].say(Note(text="hello")))
    kept = [line for line in game.lines if line.id != bad.id]
    told = lines(judge(transcript([*kept, bad])))
    assert told[-1].startswith(f"  set aside: entry {bad.id[:12]}: ")
    assert told[-1].endswith("(bad-signature)")
    aside = Aside(line=7, reason="no-line", said=sentence("this is no line"))
    verdict = replace(game.verdict(), aside=(aside,))
    assert lines(verdict)[-1] == "  set aside: line 7: this is no line (no-line)"


def test_much_that_was_set_aside_is_counted() -> None:
    asides = tuple(Aside(line=number, reason="no-line", said=sentence("no")) for number in range(1, 26))
    told = lines(Verdict(game=None, outcome=Outcome.UNDECIDABLE, edition=NEWEST, aside=asides))
    assert len(told) == 12
    assert told[-1] == "  and 15 more"


def test_a_remark_is_said_and_a_listed_name_has_none() -> None:
    names = (NamedCard(name="Storm Crow", remark=Remark.LISTED), NamedCard(name="Clue", remark=Remark.TOKEN_ONLY))
    game = Game(2)
    game.start()
    verdict = game.verdict()
    slot = Slot(
        player=game.players[0].key,
        slot=1,
        state=SlotState.OPENED,
        commitment="0" * 64,
        conspiracy="Summoner's Bond",
        names=names,
    )
    told = lines(replace(verdict, slots=(slot,)))
    assert told[2] == "    slot 1: opened: Summoner's Bond – Storm Crow / Clue"
    assert told[3] == "      remark: “Clue” is only a token in the list of card names here"
    assert told[4] == "  Ben: pending"


class Printed(Catalogue):
    """A list that knows what one card is called in German."""

    def __init__(self) -> None:
        pass

    def called(self, name: str, language: str) -> tuple[str, ...]:
        return ("Grizzlybären",) if (name, language) == ("Grizzly Bears", "de") else ()


def test_cards_are_called_as_the_reader_knows_them_with_their_names_beside() -> None:
    german = Tongue(language="de", names=Printed())
    assert german.card("Grizzly Bears") == "Grizzlybären (Grizzly Bears)"
    assert german.card("Storm Crow") == "Storm Crow"
    assert Tongue(language="en", names=Printed()).card("Grizzly Bears") == "Grizzly Bears"
    assert Tongue(language="de").card("Grizzly Bears") == "Grizzly Bears"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_strangers_wrote_is_escaped_in_every_language(language: str) -> None:
    game = Game(2, cheats={0})
    game.start()
    game.cheat.lie(Apply(slot=1, card="Grizzly Bears"))
    game.share()
    verdict = replace(game.verdict(), label="a\x1b]52;c;aGk=\x07\u202ekept")
    for line in tell(verdict, tongue=ENGLISH, explained_by=transcript(game.lines)):
        assert not set(speak(line, language)) & {"\x1b", "\x07", "\u202e", "\n"}


# Several files


def test_one_side_alone_lacks_nothing_worth_saying() -> None:
    game = Game(2)
    record = read_record(b"\n".join(line.data for line in game.lines))
    (compared,) = judge_sides({"ana.jsonl": record})
    assert compared.transcript is not None
    assert list(tell_sides(compared.sides, compared.transcript)) == []


def test_it_is_said_what_each_side_lacks_and_what_it_must_have_had() -> None:
    game = Game(2)
    game.start()
    ana, ben = game.players
    first = ben.say(Note(text="first"))
    game.share()
    ana.say(Note(text="heard"))
    game.share()
    last = ben.say(Note(text="last"))
    game.share()
    whole = read_record(b"\n".join(line.data for line in game.lines))
    short = read_record(b"\n".join(line.data for line in game.lines if line.id not in {first.id, last.id}))
    (compared,) = judge_sides({"ana.jsonl": short, "ben.jsonl": whole})
    assert compared.transcript is not None
    told = [str(line) for line in tell_sides(compared.sides, compared.transcript)]
    assert told == [
        "  ana.jsonl: 2 entries are missing",
        f"    {first.id[:12]}, entry 3: Ben notes: “first”",
        f"    {last.id[:12]}, entry 4: Ben notes: “last”",
        "    lines in it rest on 1 of these: whoever wrote those lines had it",
        "  ben.jsonl: all entries",
    ]


def test_of_much_that_a_side_lacks_the_first_entries_are_listed() -> None:
    game = Game(2)
    game.start()
    missing = {game.players[0].say(Note(text=str(number))).id for number in range(15)}
    whole = read_record(b"\n".join(line.data for line in game.lines))
    short = read_record(b"\n".join(line.data for line in game.lines if line.id not in missing))
    (compared,) = judge_sides({"a": short, "b": whole})
    assert compared.transcript is not None
    told = [str(line) for line in tell_sides(compared.sides, compared.transcript)]
    assert told[0] == "  a: 15 entries are missing"
    assert told[11:] == ["    and 5 more", "  b: all entries"]


def test_a_copied_commitment_shows_nothing_of_whose_it_was() -> None:
    game = Game(2, cheats={1})
    ana, ben = game.players
    slip = ana.slip(1)
    ana.commit(slip)
    game.share()
    ben.say(Commit(commitments=(slip.digest, slip.digest)))
    game.share()
    game.seal()
    ana.turn_up(1)
    game.share()
    slots = {(slot.player, slot.slot): slot for slot in game.verdict().slots}
    assert slots[ana.key, 1].conspiracy == slip.conspiracy
    for number in (1, 2):
        assert slots[ben.key, number].conspiracy is None
        assert slots[ben.key, number].state is SlotState.FACE_DOWN
