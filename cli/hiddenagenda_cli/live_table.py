"""The verbs at a live table, and what the program does there by itself."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from hiddenagenda.edge.files import StoreError
from hiddenagenda.edge.live import Entries, LiveTable
from hiddenagenda.entry import Act, Body, End, Pass
from hiddenagenda.faults import HiddenAgendaError, IllegalMove, Malformed, counted, sentence
from hiddenagenda.moves import apply, leave, note, options, reveal, step_of, turn_up
from hiddenagenda.naming import Choice
from hiddenagenda.outcome import Outcome
from hiddenagenda.peers import Arrived
from hiddenagenda.verdict import Phase, Verdict
from hiddenagenda.verdictjson import to_json
from hiddenagenda.verifier import judge
from hiddenagenda_cli import live_verbs
from hiddenagenda_cli.agendas import ask_all, choose_all
from hiddenagenda_cli.ask import decide
from hiddenagenda_cli.games import print_verdict
from hiddenagenda_cli.live import Live
from hiddenagenda_cli.live_verbs import Command
from hiddenagenda_cli.names import beginning, catalogue, languages
from hiddenagenda_cli.output import EXITS, Exit, voice
from hiddenagenda_cli.signing import told

_LINGER = 5.0
"""Seconds that one stays after the end at the most, until the others hold the same."""
_HOST_LINGER = 15.0
"""Seconds that a host stays after the end at the most, until the others have gone."""
_NAP = 0.05


class TableTalk:
    """One player at a live table. ``hidden`` echoes no agendas."""

    def __init__(self, live: Live, table: LiveTable, *, hosts: bool, hidden: bool) -> None:
        self._live = live
        self._table = table
        self._hosts = hosts
        self._hidden = hidden
        self._complaint = ""
        live.teller.begin(table.transcript)
        live.handler = self._take

    def play(self, path: str, given: Sequence[Choice] | None) -> Exit:
        """Play until the game is done or the player goes; ``given`` are agendas that need not be asked for."""
        self._begin(given)
        for command in self._live.commands(live_verbs.TABLE, self._complete):
            self._do(command)
            self._live.network.check()
        self._live.network.check()
        self._linger()
        self._live.network.close()
        self._table.put_in_order()
        verdict = self._verdict()
        if not self._table.is_done:
            verb = "host" if self._hosts else "join"
            voice.say(
                sentence(
                    "come back with: hiddenagenda {verb} {file}; or go on by chat: hiddenagenda send {file}",
                    verb=verb,
                    file=path,
                )
            )
        self._tell_verdict(verdict)
        return EXITS[verdict.outcome]

    def _begin(self, given: Sequence[Choice] | None) -> None:
        with self._live.network.lock:
            self._take([])
            wants = self._table.client.said("commit") is None and self._table.client.player.phase is Phase.SETTING_UP
        if wants and given is not None:
            self._try(lambda: self._commit(given))
        elif wants and self._live.asks:
            self._try(self._ask_for_agendas)

    # What the network says

    def _take(self, news: Sequence[Any]) -> None:
        """Take news in the network's thread, under its lock."""
        if not news:
            self._quietly(self._refresh)
        for one in news:
            if isinstance(one, Arrived):
                self._tell_entries(self._table.take(one.lines))
            else:
                self._live.tell(one)
        self._quietly(self._settle)
        if self._table.is_done:
            self._live.stop()

    def _refresh(self) -> None:
        self._tell_entries(self._table.refresh())

    def _settle(self) -> None:
        before = self._table.transcript
        said = self._table.settle()
        for one in said:
            told(one)
        if said:
            self._tell_entries(
                Entries(lines=tuple(one.line for one in said), transcript=self._table.transcript)
                if before != self._table.transcript
                else None
            )
            self._live.network.wake()

    def _quietly(self, act: Callable[[], None]) -> None:
        """Do what nobody asked for; tell what hinders it once, not every second."""
        try:
            act()
        except IllegalMove as error:
            if str(error) != self._complaint:
                self._complaint = str(error)
                self._live.tell(error)

    def _tell_entries(self, entries: Entries | None) -> None:
        if entries is not None:
            self._live.tell(entries)

    # What the player says

    def _do(self, command: Command) -> None:
        match command.verb:
            case "commit" if "agendas" not in command.words and self._live.asks:
                self._try(self._ask_for_agendas)
            case "commit":
                self._try(lambda: self._commit(self._choices(command.text("agendas"))))
            case "show":
                self._show()
            case "status":
                self._status()
            case "verify":
                self._tell_verdict(self._verdict())
            case _:
                self._try(lambda: self._say(command))

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except StoreError:  # what is signed may not be in the file: only a new start puts that right
            raise
        except HiddenAgendaError as error:
            self._live.tell(error)

    def _say(self, command: Command) -> None:
        with self._live.network.lock:
            self._refresh()
            said = self._table.say(self._body(command))
            told(said)
            self._tell_entries(Entries(lines=(said.line,), transcript=self._table.transcript))
            self._live.network.wake()
            self._take_stock()

    def _body(self, command: Command) -> Body:
        client = self._table.client
        match command.verb:
            case "up":
                return turn_up(client.player, client.slips, command.number("slot"), when=command.text("when"))
            case "apply":
                return self._apply(command)
            case "step":
                return step_of(
                    client.transcript.table,
                    command.text("step"),
                    turn=command.number("turn"),
                    active=command.text("active"),
                    priority=None,
                )
            case "pass":
                return Pass()
            case "act":
                return Act(text=command.text("text"))
            case "leave":
                return leave(client.player, client.slips, why=command.text("why"))
            case "end":
                return End(outcome=command.text("outcome"))
            case "reveal":
                body = reveal(client.player, client.slips, waited=True)
                if body is None:
                    raise IllegalMove(
                        sentence("nothing of yours is face down: there is nothing to show"), code="nothing-due"
                    )
                return body
            case _:
                return note(client.transcript, command.text("text"), about=None)

    def _apply(self, command: Command) -> Body:
        """Return the use of a linked ability; the card need not be named where the slot names only one."""
        client, slot, typed = self._table.client, command.number("slot"), command.text("card")
        if not typed:
            slip = client.slips.get(slot)
            if slip is None or len(slip.names) != 1:
                raise Malformed(sentence("which card? say: apply SLOT CARD"), code="usage")
            typed = slip.names[0]
        body, notices = apply(client.player, slot, typed, names=catalogue(), languages=languages())
        voice.note(notices)
        return body

    def _ask_for_agendas(self) -> None:
        with self._live.asking():
            has_any = decide(sentence("Have you any hidden agenda in this game?"))
            choices = ask_all(catalogue(), unlisted=False, hidden=self._hidden) if has_any else []
        self._commit(choices)

    def _choices(self, text: str) -> list[Choice]:
        agendas = live_verbs.agendas(text)
        return choose_all(catalogue(), agendas, unlisted=False, hidden=self._hidden or self._live.as_events)

    def _commit(self, choices: Sequence[Choice]) -> None:
        with self._live.network.lock:
            self._refresh()
            said = self._table.commit(choices)
            told(said)
            self._tell_entries(Entries(lines=(said.line,), transcript=self._table.transcript))
            self._live.network.wake()
            self._take_stock()

    def _take_stock(self) -> None:
        self._settle()
        if self._table.is_done:
            self._live.stop()

    # How it stands

    def _verdict(self) -> Verdict:
        with self._live.network.lock:
            return judge(self._table.transcript, names=catalogue())

    def _tell_verdict(self, verdict: Verdict) -> None:
        if self._live.as_events:
            voice.json({"event": "verdict", **to_json(verdict)})
        else:
            print_verdict(verdict)

    def _show(self) -> None:
        with self._live.network.lock:
            slips = sorted(self._table.client.slips.items())
        if self._live.as_events:
            listed = [{"slot": slot, "conspiracy": slip.conspiracy, "names": list(slip.names)} for slot, slip in slips]
            voice.json({"event": "slips", "slips": listed})
            return
        for slot, slip in slips:
            voice.say(
                sentence(
                    "  slot {slot}: {conspiracy} – {names}",
                    slot=slot,
                    conspiracy=slip.conspiracy,
                    names=" / ".join(slip.names),
                )
            )
        if not slips:
            voice.say(sentence("there is no slip of yours in this game"))

    def _status(self) -> None:
        with self._live.network.lock:
            table = self._table
            here = [one.place for one in table.gossip.present if one.place is not None]
            refused = {why.value: count for why, count in sorted(table.gossip.refused.items(), key=str)}
            moves: list[tuple[str, Any]] = []
            with suppress(HiddenAgendaError):
                moves = [(one.command, one.said) for one in options(table.client.player, table.client.slips)]
            seats = table.transcript.table.players
            is_shared = table.gossip.is_shared
        names = [seats[place].name for place in sorted(set(here)) if place < len(seats)]
        verdict = self._verdict()
        if self._live.as_events:
            status = {"here": names, "moves": [name for name, _ in moves], "shared": is_shared, "refused": refused}
            voice.json({"event": "status", **status, "verdict": to_json(verdict)})
            return
        print_verdict(verdict)
        voice.say(sentence("here besides you: {players}", players=", ".join(names) or "-"))
        for name, said in moves:
            voice.say(sentence("  {command}: {what}", command=name, what=said))
        if not is_shared:
            voice.say(sentence("somebody here does not hold all that you hold yet"))
        dropped = sum(refused.values())
        if dropped:
            voice.say(counted("{n} thing that came was dropped", "{n} things that came were dropped", n=dropped))

    def _complete(self, typed: str) -> Iterator[str]:
        verb, _, rest = typed.partition(" ")
        slot, blank, card = rest.partition(" ")
        if verb == "apply" and blank:
            return (f"apply {slot} {name}" for name in beginning(catalogue(), card))
        return iter(())

    def _linger(self) -> None:
        """Stay until the others have what is here: all of it at the end, else what was said last."""
        is_done = self._table.is_done and self._verdict().outcome is not Outcome.UNDECIDABLE
        deadline = time.monotonic() + (_HOST_LINGER if self._hosts and is_done else _LINGER if is_done else 0.5)
        with suppress(KeyboardInterrupt):
            while time.monotonic() < deadline and not self._may_go(is_done=is_done):
                time.sleep(_NAP)
        with self._live.network.lock:
            self._table.gossip.bye()
        self._live.network.wake()

    def _may_go(self, *, is_done: bool) -> bool:
        with self._live.network.lock:
            gossip = self._table.gossip
            return gossip.is_shared and not (self._hosts and is_done and gossip.present)
