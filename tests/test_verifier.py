"""From lines to verdicts: the attacks that shaped the law, the rulings between careful readers, and the proofs."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from table import BOX, DOUBLE, Game, damaged, found, transcript

from hiddenagenda.cards.remarks import Remark
from hiddenagenda.case import turn
from hiddenagenda.entry import Act, Apply, Body, Commit, End, Leave, Note, Open, Pass, Seal, Step
from hiddenagenda.faults import IllegalMove, TooLarge
from hiddenagenda.hearing import Hearing, legal
from hiddenagenda.line import Line, sign
from hiddenagenda.outcome import Outcome
from hiddenagenda.record import Record, read_record
from hiddenagenda.rulebook import Code, Edition
from hiddenagenda.state import join
from hiddenagenda.table import AgendaCard
from hiddenagenda.verdict import Phase, SlotState, Verdict
from hiddenagenda.verdictjson import to_json
from hiddenagenda.verifier import MOST_PROVEN, judge, judge_bytes, judge_record


def states(verdict: Verdict) -> list[tuple[int, SlotState]]:
    return [(slot.slot, slot.state) for slot in verdict.slots]


def standings(verdict: Verdict) -> list[Outcome]:
    return [player.standing for player in verdict.players]


class TestTheCourseOfAGame:
    def test_before_all_have_sealed_nobody_owes_anything(self) -> None:
        game = Game(3)
        game.commit()
        verdict = game.verdict()
        assert (verdict.outcome, verdict.phase) == (Outcome.NOT_STARTED, Phase.SETTING_UP)
        assert standings(verdict) == [Outcome.PENDING] * 3
        assert verdict.slots == ()

    def test_a_game_is_pending_while_something_lies_face_down(self) -> None:
        game = Game(2)
        game.start()
        game.players[0].turn_up(1)
        verdict = game.verdict()
        assert (verdict.outcome, verdict.phase) == (Outcome.PENDING, Phase.ON)
        assert standings(verdict) == [Outcome.KEPT, Outcome.PENDING]
        assert states(verdict) == [(1, SlotState.TURNED_UP), (1, SlotState.FACE_DOWN)]
        assert verdict.slots[0].conspiracy == "Muzzio's Preparations"
        assert verdict.slots[1].conspiracy is None

    def test_kept_needs_no_end_and_no_slots_are_kept_at_once(self) -> None:
        game = Game(2, slots=0)
        game.start()
        assert game.verdict().outcome is Outcome.KEPT

    def test_when_it_is_over_what_is_face_down_is_owed_and_may_still_come(self) -> None:
        game = Game(2)
        game.start()
        ana, ben = game.players
        ana.say(End(outcome="draw"))
        game.share()
        assert game.verdict().outcome is Outcome.OWES
        assert states(game.verdict()) == [(1, SlotState.OWED)] * 2
        ana.say(Open(slips=ana.slips, when="at the end"))
        ben.say(Leave(player=ben.key, slips=ben.slips, why=""))
        verdict = game.verdict()
        assert verdict.outcome is Outcome.KEPT
        assert states(verdict) == [(1, SlotState.OPENED)] * 2

    def test_one_end_of_three_ends_nothing_but_the_own_game(self) -> None:
        game = Game(3)
        game.start()
        game.players[0].say(End(outcome="gg"))
        game.share()
        assert game.verdict().phase is Phase.ON
        game.players[1].say(End(outcome="gg"))
        assert game.verdict().phase is Phase.OVER

    def test_the_judges_end_makes_everything_due(self) -> None:
        game = Game(4, judged=True)
        game.start()
        assert game.judge is not None
        game.judge.say(End(outcome="time"))
        verdict = game.verdict()
        assert (verdict.outcome, verdict.phase) == (Outcome.OWES, Phase.OVER)

    def test_the_judge_removes_somebody_who_vanished_with_his_slips(self) -> None:
        game = Game(3, judged=True)
        game.start()
        assert game.judge is not None
        game.judge.say(Leave(player=game.players[2].key, slips=game.players[2].slips, why="vanished"))
        game.share()
        game.players[0].leave()
        game.share()
        game.players[1].leave()
        verdict = game.verdict()
        assert verdict.outcome is Outcome.KEPT
        assert len(verdict.players) == 3

    def test_anybody_may_show_what_is_due(self) -> None:
        game = Game(2)
        game.start()
        ana, ben = game.players
        ana.leave()
        game.share()
        ana.say(Open(slips=ben.slips, when="he told me"))
        assert game.verdict().outcome is Outcome.KEPT

    def test_to_show_again_what_is_open_is_no_fault_whoever_does_it(self) -> None:
        game = Game(2, slots=2)
        game.start()
        ana, ben = game.players
        ana.turn_up(1)
        game.share()
        ben.say(Open(slips=ana.slips[:1], when="again"))
        game.share()
        ana.turn_up(1, 2)
        verdict = game.verdict()
        assert verdict.findings == ()
        assert states(verdict)[:2] == [(1, SlotState.TURNED_UP), (2, SlotState.TURNED_UP)]
        assert [len(slot.opened_by) for slot in verdict.slots] == [3, 1, 0, 0]
        assert verdict.slots[1].opened_by == (ana.own[-1].id,)

    def test_an_agenda_of_the_tables_own_list_has_its_form(self) -> None:
        game = Game(2, further=(AgendaCard(agenda="double", name="Cube Conspiracy"),))
        ana, ben = game.players
        ana.commit(ana.slip(1, "Opt", "Shock", conspiracy="Cube Conspiracy"))
        ben.commit()
        game.share()
        game.seal()
        ana.turn_up(1)
        ana.say(Apply(card="Shock", slot=1))
        assert game.verdict().outcome is Outcome.KEPT


class TestAttacksOnPaper:
    """Each of these once named somebody honest, or stopped a game."""

    def test_a_held_back_fork_does_not_unmake_a_turn_up(self) -> None:
        for attempt in range(4):
            game = Game(3, cheats=(2,), tracked=True)
            game.commit()
            game.seal()
            game.step(active=2)
            before = game.cheat.lines
            passed = game.cheat.say(Pass())
            game.share()
            game.players[0].turn_up(1)
            game.cheat.own.pop()
            game.cheat.lie(
                Step(active=game.cheat.key, priority=False, step="cleanup", turn=1),
                parents=[line for line in before if line.id in passed.entry.parents],
                time=f"2025-09-30T19:05:0{attempt}Z",
            )
            game.share()
            assert {author for _, author, _ in found(game.verdict())} == {game.cheat.key}
            game.finish()
            assert standings(game.verdict())[:2] == [Outcome.KEPT] * 2

    def test_a_turn_up_beside_ones_removal_accuses_nobody(self) -> None:
        game = Game(3, judged=True, tracked=True)
        game.start()
        ana = game.players[0]
        assert game.judge is not None
        game.judge.say(Leave(player=ana.key, slips=ana.slips, why="asleep"))
        ana.turn_up(1)
        game.share()
        assert game.verdict().findings == ()
        assert states(game.verdict())[0] == (1, SlotState.TURNED_UP)

    def test_a_missing_leave_is_owed_and_never_broken(self) -> None:
        game = Game(2, cheats=(1,))
        game.start()
        left = game.players[0].leave()
        game.share()
        game.cheat.leave()
        assert game.verdict().outcome is Outcome.KEPT
        without = judge(transcript(line for line in game.lines if line is not left))
        assert without.findings == ()
        assert without.outcome is not Outcome.BROKEN

    def test_a_premature_seal_shuts_nobody_out_and_can_be_repaired(self) -> None:
        game = Game(2, cheats=(1,))
        ana, ben = game.players[0], game.cheat
        ben.lie(Seal())
        game.share()
        ana.commit(ana.slip(1))
        ben.commit(ben.slip(1))
        game.share()
        ana.say(Seal())
        ben.lie(Seal())
        game.share()
        verdict = game.verdict()
        assert verdict.phase is Phase.ON
        assert found(verdict) == {(Code.PREMATURE_SEAL, ben.key, None)}

    def test_two_who_sealed_different_commits_are_not_on(self) -> None:
        game = Game(3, cheats=(2,))
        ana, ben, mallory = game.players[0], game.players[1], game.cheat
        ana.commit()
        ben.commit()
        game.share()
        one = mallory.commit(mallory.slip(1))
        other = mallory.fork(one, Commit(commitments=()))
        ana.see(one)
        ben.see(other)
        sealed = [ana.say(Seal()), ben.say(Seal())]
        mallory.lie(Seal(), parents=[one, sealed[0]])
        game.share()
        verdict = game.verdict()
        assert len(Hearing.of(transcript(game.lines)).standing.facts.seals) == 3
        assert verdict.phase is Phase.SETTING_UP
        assert {author for _, author, _ in found(verdict)} == {mallory.key}

    def test_a_seal_over_two_commits_of_one_player_is_void(self) -> None:
        game = Game(2, cheats=(1,))
        game.commit()
        one = game.cheat.own[-1]
        other = game.cheat.fork(one, Commit(commitments=()))
        game.cheat.lie(Seal(), parents=[one, other, game.host.own[-1]])
        assert (Code.PREMATURE_SEAL, game.cheat.key, None) in found(game.verdict())

    def test_where_two_branches_meet_the_later_move_counts(self) -> None:
        game = Game(3, tracked=True)
        game.start()
        ana, ben, cleo = game.players
        cleo.say(Note(text="before I hear of it"))
        ana.say(Pass())
        ben.see(*ana.own)
        ben.say(Pass())
        game.share()
        assert cleo.refused(Pass()) is None
        assert turn(game.host.hearing.standing).holder == 2

    def test_a_commit_shown_later_does_not_turn_the_game_off(self) -> None:
        game = Game(2, cheats=(1,))
        game.commit()
        committed = game.cheat.own[-1]
        game.seal()
        game.cheat.fork(committed, Commit(commitments=()))
        game.share()
        game.players[0].turn_up(1)
        assert game.verdict().phase is Phase.ON

    def test_the_signature_that_only_an_ungrounded_line_could_give_carries_nobody(self) -> None:
        """A client cites only what it holds validly signed, so its game stands without the cheat's later lines."""
        game = Game(2, cheats=(1,))
        ana, ben = game.players[0], game.cheat
        ana.commit(ana.slip(1))
        game.share()
        ben.slips = (ben.slip(1),)
        commit = ben.lie(ben.commitment(ben.slips))
        forged = ben.forge(ana, Note(text=""), parents=ana.own[-1:], seq=3)
        note = ben.lie(Note(text=""), parents=[commit, forged])
        ben.show_damaged(commit)
        game.share()
        assert note.id in {line.id for line in ana.lines}
        assert ana.refused(Seal()) is not None

    def test_an_own_end_hands_priority_on(self) -> None:
        game = Game(3, tracked=True)
        game.start()
        ana, ben, cleo = game.players
        ana.say(Pass())
        game.share()
        ben.say(End(outcome="gg"))
        game.share()
        assert cleo.refused(Pass()) is None
        cleo.say(Pass())
        game.share()
        assert turn(game.host.hearing.standing).stepper == 0

    def test_the_active_player_who_left_is_acted_for_by_the_next(self) -> None:
        game = Game(3, tracked=True)
        game.start()
        game.players[0].leave()
        game.share()
        for client in game.players[1:]:
            client.say(Pass())
            game.share()
        body = Step(active=game.players[0].key, priority=True, step="draw", turn=1)
        assert game.players[2].refused(body) is not None
        game.players[1].say(body)
        game.share()
        assert turn(game.host.hearing.standing).holder == 1

    def test_a_slip_of_bad_form_names_its_owner_whoever_shows_it(self) -> None:
        game = Game(3, cheats=(2,), judged=True)
        slip = game.cheat.slip(1, conspiracy="Worldknit")
        game.commit(game.cheat)
        game.cheat.commit(slip)
        game.share()
        game.seal()
        assert game.judge is not None
        game.judge.say(Leave(player=game.cheat.key, slips=(slip,), why="vanished"))
        game.share()
        assert found(game.verdict()) == {(Code.BAD_AGENDA_FORM, game.cheat.key, 1)}
        game.cheat.lie(Open(slips=(slip,), when=""))
        assert len(game.verdict().findings) == 1

    def test_a_forged_copy_of_an_entry_before_its_author_sends_it_changes_nothing(self) -> None:
        """One id, two signatures, the bad one first: somebody foresaw what an honest client would say."""
        game = Game(2, cheats=(1,))
        game.start()
        ana = game.players[0]
        draft = ana.draft(Leave(player=ana.key, slips=ana.slips, why="conceded"))
        foreseen = damaged(sign(draft, ana.identity))
        game.cheat.see(foreseen)
        ana.see(foreseen)
        assert game.verdict().phase is Phase.ON
        said = ana.leave()
        assert said.id == foreseen.id
        for lines in ([foreseen, *game.lines, said], [said, *game.lines, foreseen]):
            verdict = judge(transcript(lines))
            assert verdict.phase is Phase.OVER
            assert standings(verdict)[0] is Outcome.KEPT

    def test_should_all_have_doubled_their_seals_the_commits_with_the_smallest_ids_count(self) -> None:
        game = Game(2, cheats=(0, 1))
        ana, ben = game.cheats
        one = [
            ana.lie(Commit(commitments=())),
            ben.lie(
                Commit(
                    commitments=(),
                )
            ),
        ]
        other = [
            client.fork(line, Commit(commitments=(client.slip(1).digest,)))
            for client, line in zip((ana, ben), one, strict=True)
        ]
        lines: list[Line] = [game.table, *one, *other]
        for commits in (one, other):
            for client in (ana, ben):
                entry = replace(
                    client.draft(Seal()),
                    parents=tuple(sorted(line.id for line in commits)),
                    seq=3 if client is ana else 2,
                )
                lines.append(sign(entry, client.identity))
        hearing = Hearing.of(transcript(lines))
        first = min(tuple(line.id for line in commits) for commits in (one, other))
        assert hearing.standing.facts.in_force == first


class TestRulings:
    def test_where_a_judge_sits_boxes_are_needed_and_counted(self) -> None:
        game = Game(2, cheats=(1,), judged=True)
        commitment = game.cheat.slip(1).digest
        for sealed, said in (
            (UNSET, "it has 0 boxes for 1 slots"),
            ((BOX, BOX), "it has 2 boxes for 1 slots"),
            ((BOX[:10],), "a box has 10 hex digits instead of 2144"),
        ):
            refused = game.cheat.refused(Commit(commitments=(commitment,), sealed=sealed))
            assert refused is not None
            assert (refused.code, str(refused.said)) == (Code.MALFORMED_COMMIT, said)
        assert game.cheat.refused(Commit(commitments=(commitment,), sealed=(BOX,))) is None

    def test_the_first_code_that_applies_counts(self) -> None:
        game = Game(2, cheats=(1,), tracked=True)
        game.start()
        ben = game.cheat
        expected: dict[Code, Body] = {
            Code.SECOND_COMMIT: Commit(commitments=()),
            Code.MALFORMED_COMMIT: Commit(commitments=(), sealed=()),
            Code.SECOND_SEAL: Seal(),
            Code.MALFORMED_STEP: Step(active="0" * 64, priority=False, step="draw", turn=1),
            Code.WITHOUT_PRIORITY: Open(slips=(ben.slip(1, "Swamp"),), when=""),
            Code.SLIP_DOES_NOT_FIT: Leave(player=ben.key, slips=(ben.slip(1, "Swamp"),), why=""),
            Code.NOT_ENTITLED: Leave(player=game.host.key, slips=(ben.slip(1, "Swamp"),), why=""),
            Code.APPLIED_FACE_DOWN: Apply(card="Swamp", slot=16),
        }
        for code, body in expected.items():
            refused = ben.refused(body)
            assert refused is not None
            assert refused.code is code

    def test_a_refusal_says_whose_move_it_would_be(self) -> None:
        game = Game(2, tracked=True)
        game.commit()
        game.seal()
        ana, ben = game.players
        refused = ana.refused(Pass())
        assert refused is not None
        assert str(refused.said) == "nobody has priority"
        game.step()
        refused = ben.refused(Act(text=""))
        assert refused is not None
        assert str(refused.said) == "Ana has priority"

    def test_who_left_may_show_but_not_move(self) -> None:
        game = Game(3, tracked=True)
        game.start()
        ana = game.players[0]
        ana.leave()
        assert ana.refused(Open(slips=ana.slips, when="")) is None
        assert ana.refused(Leave(player=ana.key, slips=(), why="")) is None
        assert ana.refused(End(outcome="")) is None
        refused = ana.refused(Pass())
        assert refused is not None
        assert refused.code is Code.AFTER_OWN_EXIT

    def test_a_retry_is_no_move_and_needs_no_priority(self) -> None:
        game = Game(2, tracked=True)
        game.start()
        ana, ben = game.players
        ana.turn_up(1)
        game.share()
        ana.say(Pass())
        ana.turn_up(1)
        game.share()
        assert ben.refused(Pass()) is None
        assert game.verdict().findings == ()

    def test_one_wrong_slip_voids_the_whole_entry(self) -> None:
        game = Game(2, cheats=(1,), slots=2)
        game.start()
        game.cheat.lie(Leave(player=game.cheat.key, slips=(game.cheat.slips[0], game.cheat.slip(2, "Swamp")), why=""))
        verdict = game.verdict()
        assert states(verdict)[2:] == [(1, SlotState.FACE_DOWN), (2, SlotState.FACE_DOWN)]
        assert verdict.phase is Phase.ON

    def test_the_judge_stands_among_the_players_only_when_broken(self) -> None:
        game = Game(2, cheats=(-1,), judged=True)
        game.start()
        assert len(game.verdict().players) == 2
        game.cheat.lie(Open(slips=game.players[0].slips, when=""))
        judge_stands = game.verdict().players[-1]
        assert (judge_stands.key, judge_stands.judge, judge_stands.standing) == (game.cheat.key, True, Outcome.BROKEN)

    def test_findings_stand_forks_first_then_in_display_order(self) -> None:
        game = Game(2, cheats=(1,))
        game.start()
        for _ in range(3):
            game.cheat.lie(Apply(card="Opt", slot=1))
        game.cheat.fork(game.cheat.own[-1])
        verdict = game.verdict()
        graph = transcript(game.lines).graph
        assert [finding.code for finding in verdict.findings] == [Code.FORKED, *[Code.APPLIED_FACE_DOWN] * 3]
        places = [graph.index[finding.at[0]] for finding in verdict.findings[1:]]
        assert places == sorted(places)
        assert verdict.findings[0].at == tuple(sorted(verdict.findings[0].at))

    def test_double_agenda_applies_to_either_name(self) -> None:
        game = Game(2)
        game.commit(game.host)
        game.host.commit(game.host.slip(1, "Opt", "Shock", conspiracy=DOUBLE))
        game.share()
        game.seal()
        game.host.turn_up(1)
        assert game.host.refused(Apply(card="Opt", slot=1)) is None
        assert game.host.refused(Apply(card="Shock", slot=1)) is None
        refused = game.host.refused(Apply(card="opt", slot=1))
        assert refused is not None
        assert str(refused.said) == "the card is “opt”, the chosen name “Opt / Shock”"


class TestWhatIsAsked:
    def test_a_draft_that_nobody_could_place_is_no_question_of_law(self) -> None:
        game = Game(2)
        game.start()
        ana, stranger = game.host, Game(2, cheats=(0,)).host
        draft = ana.draft(Note(text=""))
        hearing = ana.hearing
        assert legal(hearing, draft) is None
        for wrong, code in (
            (replace(draft, game="0" * 64), "other-table"),
            (replace(draft, author=stranger.key), "other-table"),
            (replace(draft, parents=()), "ungrounded"),
            (replace(draft, parents=("0" * 64,)), "ungrounded"),
            (replace(draft, seq=draft.seq + 1), "seq"),
        ):
            with pytest.raises(IllegalMove) as caught:
                legal(hearing, wrong)
            assert caught.value.code == code

    def test_a_draft_over_what_is_not_grounded_is_refused(self) -> None:
        game = Game(2, cheats=(1,))
        note = game.cheat.lie(Note(text=""))
        game.cheat.show_damaged(note)
        game.share()
        draft = replace(game.host.draft(Note(text="")), parents=(note.id,))
        with pytest.raises(IllegalMove):
            legal(game.host.hearing, draft)

    def test_the_edition_is_the_callers_or_the_tables(self) -> None:
        game = Game(2)
        assert game.verdict().edition is Edition.E2025_09
        assert judge(transcript(game.lines), edition=Edition.E2014).edition is Edition.E2014

    def test_without_a_list_names_are_not_checked_and_never_convict(self) -> None:
        game = Game(2)
        game.start()
        game.players[0].turn_up(1)
        (card,) = game.verdict().slots[0].names
        assert (card.name, card.remark) == ("Grizzly Bears", Remark.NOT_CHECKED)
        assert game.verdict().findings == ()


class TestRecords:
    def test_each_game_in_a_file_has_its_verdict_in_the_order_of_ids(self) -> None:
        games = [Game(2), Game(3), Game(4)]
        data = b"\n".join(line.data for game in games for line in game.lines)
        assert [verdict.game for verdict in judge_bytes(data)] == sorted(game.table.id for game in games)

    def test_lines_of_no_game_stand_aside_in_each(self) -> None:
        game = Game(2)
        game.start()
        orphan = Game(3)
        orphan.start()
        lines = [b"hello", *(line.data for line in game.lines), orphan.players[1].own[0].data]
        (verdict,) = judge_bytes(b"\n".join(lines) + b"\n")
        assert [(aside.line, aside.reason) for aside in verdict.aside] == [(1, "not-json"), (len(lines), "no-table")]

    def test_lines_that_dangle_or_that_nobody_stands_by_stand_aside_too(self) -> None:
        game = Game(2, cheats=(1,))
        game.start()
        lie = game.cheat.lie(Apply(card="Opt", slot=1))
        note = game.cheat.forge(game.host, Note(text=""), parents=[lie, *game.host.own[-1:]], seq=4)
        game.cheat.show_damaged(lie)
        game.cheat.lie_frame(replace(game.cheat.draft(Note(text="")), parents=("5" * 64,)))
        verdict = game.verdict()
        assert verdict.findings == ()
        reasons = {aside.entry: aside.reason for aside in verdict.aside}
        assert reasons[lie.id] == "bad-signature"
        assert reasons[note.id] == "bad-signature"
        assert set(reasons.values()) == {"bad-signature", "absent"}

    def test_what_rests_on_a_bad_signature_is_not_judged_though_its_author_stands_by_it(self) -> None:
        game = Game(2, cheats=(1,))
        game.start()
        forged = game.cheat.forge(game.host, Note(text=""), parents=game.host.own[-1:], seq=len(game.host.own) + 1)
        lie = game.cheat.lie(Apply(card="Opt", slot=1), parents=[forged, game.cheat.own[-1]])
        verdict = game.verdict()
        assert {aside.entry: aside.reason for aside in verdict.aside}[lie.id] == "ungrounded"
        assert verdict.findings == ()

    def test_without_a_readable_table_nothing_is_decidable(self) -> None:
        (verdict,) = judge_bytes(b"hello\n")
        assert (verdict.outcome, verdict.game) == (Outcome.UNDECIDABLE, None)
        assert len(verdict.aside) == 1
        (nothing,) = judge_bytes(b"")
        assert nothing.aside == ()

    def test_a_game_over_its_cap_is_not_judged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = Game(2)
        monkeypatch.setattr(Record, "oversized", (game.table.id,))
        with pytest.raises(TooLarge):
            judge_record(read_record(b""))


class TestProofs:
    def test_of_many_findings_of_one_author_the_first_are_proven(self) -> None:
        game = Game(2, cheats=(1,))
        game.start()
        for _ in range(MOST_PROVEN + 2):
            game.cheat.lie(Apply(card="Opt", slot=1))
        lies = game.cheat.own[-MOST_PROVEN - 2 :]
        vouching = game.cheat.lie(Note(text="as I said"))
        for lie in lies:
            game.cheat.show_damaged(lie)
        whole = transcript(game.lines)
        findings = judge(whole).findings
        assert [finding.at for finding in findings] == [(lie.id,) for lie in lies]
        assert {finding.entries for finding in findings[MOST_PROVEN:]} == {(lie.id,) for lie in lies[MOST_PROVEN:]}
        for finding in findings[:MOST_PROVEN]:
            assert finding.entries == (*finding.at, vouching.id)
            numbers = whole.graph.closure([whole.graph.index[entry] for entry in finding.entries])
            (alone,) = judge_bytes(whole.write(numbers))
            assert finding.at in {other.at for other in alone.findings}

    def test_a_cheat_with_thousands_of_branches_makes_no_endless_verdict(self) -> None:
        game = Game(2, cheats=(1,))
        branches = 200
        for branch in range(branches):
            lie = game.cheat.lie(Apply(card=str(branch), slot=1), parents=[game.table], seq=1)
            game.cheat.lie(Note(text=""), parents=[lie], seq=2)
            game.cheat.show_damaged(lie)
        findings = judge(transcript(game.lines)).findings
        assert len(findings) == branches + 2
        assert sum(len(finding.entries) for finding in findings) <= branches + 2 + 2 * MOST_PROVEN

    def test_a_forker_whose_branch_is_vouched_for_later_is_proven(self) -> None:
        game = Game(3, cheats=(2,))
        game.start()
        base = [client.own[-1] for client in game.players]
        one = game.cheat.lie(Apply(card="Opt", slot=1))
        game.cheat.own.pop()
        two = game.cheat.lie(Apply(card="Shock", slot=1), parents=base)
        for branch in (one, two):
            game.cheat.lie(Note(text="on top"), parents=[branch], seq=two.entry.seq + 1)
            game.cheat.own.pop()
        game.cheat.show_damaged(one)
        game.cheat.show_damaged(two)
        whole = transcript(game.lines)
        verdict = judge(whole)
        assert {code for code, _, _ in found(verdict)} == {Code.FORKED, Code.APPLIED_FACE_DOWN}
        assert len([1 for finding in verdict.findings if finding.code is Code.FORKED]) == 2
        for finding in verdict.findings:
            numbers = whole.graph.closure([whole.graph.index[entry] for entry in finding.entries])
            (alone,) = judge_bytes(whole.write(numbers))
            assert (finding.code, finding.author, finding.slot) in found(alone)

    def test_where_everything_is_signed_the_entry_itself_is_the_proof(self) -> None:
        game = Game(2, cheats=(1,))
        game.start()
        lie = game.cheat.lie(Apply(card="Opt", slot=1))
        game.cheat.lie(Note(text=""))
        (finding,) = game.verdict().findings
        assert finding.entries == finding.at == (lie.id,)
        assert to_json(game.verdict())["outcome"] == "broken"


def test_a_join_is_one_of_its_operands_where_that_holds_the_other() -> None:
    game = Game(3, tracked=True)
    game.start()
    hearing = game.host.hearing
    early, late = hearing.states[0], hearing.standing
    assert early is not None
    assert join([early, late]) is late
    assert join([late, early]) is late
    assert join([late, late]) is late


class TestWhatAnEntryShouldRestOn:
    def test_a_branch_shown_later_takes_nobody_out_of_the_game(self) -> None:
        game = Game(3, cheats=(2,))
        game.commit()
        committed = game.cheat.own[-1]
        game.seal()
        forked = game.cheat.fork(committed, Commit(commitments=()))
        for _ in range(5):  # a deeper branch than the true one
            entry = replace(
                forked.entry, body=Note(text=""), type="note", parents=(forked.id,), seq=forked.entry.seq + 1
            )
            forked = sign(entry, game.cheat.identity)
            game.cheat.see(forked)
        game.share()
        for client in game.honest:
            assert client.refused(End(outcome="")) is None

    def test_what_others_say_in_ones_name_does_not_change_which_branch_is_followed(self) -> None:
        game = Game(3, cheats=(2,))
        game.commit()
        committed = game.cheat.own[-1]
        game.seal()
        forked = game.cheat.fork(committed, Commit(commitments=()))
        for _ in range(5):
            entry = replace(
                forked.entry, body=Note(text=""), type="note", parents=(forked.id,), seq=forked.entry.seq + 1
            )
            forked = sign(entry, game.cheat.identity)
            game.cheat.see(forked)
        for client in game.honest:
            game.cheat.forge(client, Note(text=""), parents=client.own[-1:], seq=len(client.own) + 1)
        game.share()
        for client in game.honest:
            assert client.refused(End(outcome="")) is None

    def test_a_flood_of_branches_silences_nobody(self) -> None:
        game = Game(2, cheats=(1,))
        game.start()
        base = [client.own[-1] for client in game.players]
        for place in range(60):
            line = game.cheat.lie(Commit(commitments=(f"{place:064x}",)), parents=base)
            game.cheat.own.pop()
            for _ in range(9):
                line = game.cheat.lie(Commit(commitments=()), parents=[line], seq=line.entry.seq + 1)
                game.cheat.own.pop()
        game.finish()
        assert standings(game.verdict())[0] is Outcome.KEPT

    def test_no_more_commits_of_one_author_are_cited_than_an_entry_may_rest_on(self) -> None:
        """A cheat shows every player another commit, and each of them cites the one he saw."""
        game = Game(6, cheats=(5,))
        game.start()
        newest = game.cheat.own[-1]
        for client in game.honest:
            for _ in range(3):
                commit = game.cheat.lie(
                    Commit(commitments=(client.slip(1, str(len(game.lines))).digest,)), parents=[newest]
                )
                game.cheat.own.pop()
                client.see(commit)
                client.say(Note(text="I see"))
        game.share()
        for client in game.honest:
            client.leave()
        game.share()
        for client in game.honest:
            client.say(Note(text="bye"))
        assert standings(game.verdict())[:5] == [Outcome.KEPT] * 5
