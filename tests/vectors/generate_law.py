"""Makes ``verdict.json``. Knows the formats and the law as SPEC tells them, not our library."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generate_record import canonical, digest, key, line, seat, signature
from vectors import Document, Test, accepted, document, refused

PROTOCOL = "hiddenagenda/1"
SINGLE, DOUBLE = "Muzzio's Preparations", "Summoner's Bond"
BOX = "ab" * 1072
Members = dict[str, Any]


class Story:
    """A game told line by line; by default everybody has heard all that was said before."""

    def __init__(self, *names: str, judge: str | None = None, priority: str = "declared") -> None:
        self.names = names
        self.voices = (*names, judge) if judge else names
        self.judged = judge is not None
        body: Members = {
            "edition": "2025-09",
            "label": "Friday",
            "players": [seat(name) for name in names],
            "priority": priority,
            "protocol": PROTOCOL,
        }
        if judge:
            body["judge"] = {"key": key(judge), "name": judge}
        text = canonical({"author": key(names[0]), "body": body, "parents": [], "seq": 1, "type": "table"})
        self.game = digest(text)
        self.lines = [line(text, signature(names[0], text))]
        self.newest = self.game
        self.ids = {"table": self.game}
        self.seqs = dict.fromkeys(self.voices, 0) | {names[0]: 1}

    def say(self, who: str, kind: str, body: Members, *, name: str = "", over: Sequence[str] = (), seq: int = 0) -> str:
        """Add a line by ``who`` over the newest one, or over ``over``; return its id."""
        self.seqs[who] += 1
        entry = {
            "author": key(who),
            "body": body,
            "game": self.game,
            "parents": sorted(over) or [self.newest],
            "seq": seq or self.seqs[who],
            "type": kind,
        }
        text = canonical(entry)
        self.lines.append(line(text, signature(who, text)))
        self.newest = digest(text)
        self.ids[name or f"{who} {kind}"] = self.newest
        return self.newest

    def slip(self, who: str, slot: int = 1, names: Sequence[str] = ("Grizzly Bears",), card: str = SINGLE) -> Members:
        return {
            "conspiracy": card,
            "game": self.game,
            "names": list(names),
            "player": key(who),
            "protocol": PROTOCOL,
            "salt": digest(f"{who} {slot} {names}"),
            "slot": slot,
            "type": "slip",
        }

    def commit(self, who: str, *slips: Members, name: str = "") -> str:
        body: Members = {"commitments": [digest(canonical(slip)) for slip in slips]}
        if self.judged:
            body["sealed"] = [BOX] * len(slips)
        return self.say(who, "commit", body, name=name)

    def start(self, **slips: Sequence[Members]) -> None:
        """Let all commit, to one slip each or the given ones, and seal."""
        for who in self.names:
            self.commit(who, *slips.get(who, (self.slip(who),)))
        for who in self.voices:
            self.say(who, "seal", {})

    def open(self, who: str, *slips: Members, **more: Any) -> str:
        return self.say(who, "open", {"slips": list(slips), "when": ""}, **more)

    def leave(self, who: str, *slips: Members, player: str = "", **more: Any) -> str:
        return self.say(who, "leave", {"player": key(player or who), "slips": list(slips), "why": ""}, **more)

    def play(self, who: str, **body: Any) -> str:
        return self.say(who, "play", body)

    def step(self, who: str, step: str = "upkeep", *, priority: bool = True, active: str = "") -> str:
        return self.play(who, active=active or key(who), do="step", priority=priority, step=step, turn=1)

    @property
    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines)


def two(**slips: Sequence[Members]) -> Story:
    story = Story("Ana", "Ben")
    story.start(**slips)
    return story


def three(*, judge: str | None = None, priority: str = "declared") -> Story:
    story = Story("Ana", "Ben", "Cleo", judge=judge, priority=priority)
    story.start()
    return story


def verdicts() -> Iterator[tuple[str, str, Story, Members]]:
    """Yield stories with what is concluded."""
    story = Story("Ana", "Ben")
    story.commit("Ana", story.slip("Ana"))
    yield (
        "not-started",
        "one of two has committed",
        story,
        summary(story, "not-started", "setting-up", "pending pending"),
    )

    story = two()
    story.open("Ana", story.slip("Ana"))
    yield (
        "pending",
        "one slot was turned up, the other lies face down",
        story,
        summary(story, "pending", "on", "kept pending", "turned-up face-down"),
    )

    story = two()
    story.open("Ana", story.slip("Ana"))
    story.leave("Ben", story.slip("Ben"))
    yield "kept", "everything was shown", story, summary(story, "kept", "over", "kept kept", "turned-up opened")

    story = three()
    story.leave("Ana", story.slip("Ana"))
    story.say("Ben", "end", {"outcome": "draw"})
    yield (
        "owes",
        "one left, one ended: it is over, and two have not opened",
        story,
        summary(story, "owes", "over", "kept owes owes", "opened owed owed"),
    )

    story = three(judge="Judith")
    story.leave("Judith", story.slip("Cleo"), player="Cleo")
    story.leave("Ana", story.slip("Ana"))
    story.leave("Ben", story.slip("Ben"))
    yield (
        "removed",
        "the judge removed a player, with the slip",
        story,
        summary(story, "kept", "over", "kept kept kept", "opened opened opened"),
    )

    story = two()
    ground = story.newest
    story.say("Ben", "note", {"text": "one story"}, name="one")
    story.seqs["Ben"] -= 1
    story.say("Ben", "note", {"text": "another"}, name="other", over=[ground])
    story.leave("Ana", story.slip("Ana"), over=[story.ids["one"]])
    yield "forked", "two entries of one number; the other player is not touched by it", story, summary(
        story, "broken", "over", "kept broken", "opened owed",
        [("forked", "Ben", sorted([story.ids["one"], story.ids["other"]]))],
    )  # fmt: skip

    story = two()
    story.say("Ben", "seal", {}, name="again")
    story.leave("Ben", name="bare")
    story.leave("Ana", story.slip("Ana"))
    yield "two-findings", "each void entry is one finding; a void leave leaves nobody out", story, summary(
        story, "broken", "over", "kept broken", "opened owed",
        [("second-seal", "Ben", [story.ids["again"]]), ("left-without-slips", "Ben", [story.ids["bare"]], 1)],
    )  # fmt: skip


def summary(
    story: Story,
    outcome: str,
    phase: str,
    standings: str,
    slots: str = "",
    findings: Sequence[tuple[Any, ...]] = (),
) -> Members:
    """Spell out what is expected; every player has at most one slot."""
    return {
        "game": story.game,
        "outcome": outcome,
        "phase": phase,
        "players": {key(name): standing for name, standing in zip(story.names, standings.split(), strict=True)},
        "slots": [[key(name), 1, state] for name, state in zip(story.names, slots.split(), strict=False)],
        "findings": [[code, key(who), at, *slot] for code, who, at, *slot in findings],
    }


def faults() -> Iterator[tuple[str, str, Story, str]]:
    """Yield stories in which Ben (or the judge) does one thing wrong, and its code."""
    story = two()
    story.open("Ben", story.slip("Ben", names=("Wind Drake",)))
    yield "swapped", "another slip than the one committed to", story, "slip-does-not-fit"

    story = two()
    story.open("Ben", story.slip("Ben", 2))
    yield "no-such-slot", "a slot that was not committed to", story, "slip-does-not-fit"

    story = Story("Ana", "Ben")
    foreign = {**story.slip("Ben"), "game": "0" * 64}
    story.start(Ben=(foreign,))
    story.open("Ben", foreign)
    yield "other-game", "it hashes to the commitment, and names another game", story, "slip-does-not-fit"

    story = Story("Ana", "Ben")
    story.start(Ben=(story.slip("Ana"),))
    story.open("Ana", story.slip("Ana"))
    story.open("Ben", {**story.slip("Ana"), "player": key("Ben")})
    yield "copied", "a copied commitment; the copier puts his key into the slip", story, "slip-does-not-fit"

    story = two()
    story.leave("Ben", story.slip("Ana"))
    yield "left-with-anothers", "leaving with somebody else's slip", story, "slip-does-not-fit"

    story = two()
    story.open("Ben", story.slip("Ana"))
    yield "anothers", "somebody else's slip before the game is over", story, "opened-before-due"

    story = Story("Ana", "Ben")
    story.start(Ben=(story.slip("Ben", card="Power Play"),))
    story.open("Ben", story.slip("Ben", card="Power Play"))
    yield "bluff", "a conspiracy without an agenda", story, "bad-agenda-form"

    for name, comment, names, card in (
        ("two-for-one", "two names for a hidden agenda", ("Opt", "Shock"), SINGLE),
        ("one-for-two", "one name for a double agenda", ("Opt",), DOUBLE),
        ("same-twice", "two equal names", ("Opt", "Opt"), DOUBLE),
        ("unsorted", "two names in descending order", ("Shock", "Opt"), DOUBLE),
        ("no-name", "no name at all", (), SINGLE),
    ):
        story = Story("Ana", "Ben")
        slip = story.slip("Ben", names=names, card=card)
        story.start(Ben=(slip,))
        story.leave("Ben", slip)
        yield name, comment, story, "bad-agenda-form"

    story = Story("Ana", "Ben")
    story.commit("Ben", story.slip("Ben"))
    story.commit("Ben", story.slip("Ben", names=("Opt",)), name="again")
    yield "second-commit", "a second commit over the first", story, "second-commit"

    story = two()
    story.say("Ben", "seal", {}, name="again")
    yield "second-seal", "a second seal over the first", story, "second-seal"

    story = Story("Ana", "Ben")
    story.commit("Ben", story.slip("Ben"))
    story.say("Ben", "seal", {})
    yield "premature", "a seal over one commit of two", story, "premature-seal"

    story = Story("Ana", "Ben")
    story.say("Ben", "commit", {"commitments": [digest("x")], "sealed": [BOX]})
    yield "boxes-for-nobody", "boxes where no judge sits", story, "malformed-commit"

    story = Story("Ana", "Ben", judge="Judith")
    story.say("Ben", "commit", {"commitments": [digest("x")], "sealed": [BOX[2:]]})
    yield "short-box", "a box of another size than 1,072 bytes", story, "malformed-commit"

    story = Story("Ana", "Ben")
    story.commit("Ben", story.slip("Ben"))
    story.open("Ben", story.slip("Ben"))
    yield "too-soon", "turned up before all have sealed", story, "before-start"

    story = two()
    story.say("Ben", "apply", {"card": "Grizzly Bears", "slot": 1})
    yield "applied-unseen", "the linked ability of a card that lies face down", story, "applied-face-down"

    story = two()
    story.open("Ben", story.slip("Ben"))
    story.say("Ben", "apply", {"card": "grizzly bears", "slot": 1})
    yield "applied-elsewhere", "names compare letter by letter", story, "applied-other-name"

    story = two()
    story.leave("Ben", story.slip("Ben"))
    story.say("Ben", "apply", {"card": "Grizzly Bears", "slot": 1})
    yield "applied-after-leaving", "a move after the own leave", story, "after-own-exit"

    story = two()
    story.leave("Ben")
    yield "left-silently", "leaving without the slip", story, "left-without-slips"

    story = two()
    story.leave("Ben", story.slip("Ana"), player="Ana")
    yield "removed-by-a-player", "only the judge removes others", story, "not-entitled"

    story = two()
    story.play("Ben", do="pass")
    yield "untracked", "a move where moves are not tracked", story, "not-entitled"

    story = three(judge="Judith")
    story.leave("Judith", player="Ben")
    yield "judge-without-slips", "the judge removes a player without the slip", story, "left-without-slips"

    story = Story("Ana", "Ben", judge="Judith")
    story.say("Judith", "commit", {"commitments": [], "sealed": []})
    yield "judge-plays", "the judge commits", story, "not-entitled"

    story = three(priority="tracked")
    story.step("Ana")
    story.open("Ben", story.slip("Ben"))
    yield "out-of-turn", "turned up while somebody else has priority", story, "without-priority"

    story = three(priority="tracked")
    story.step("Ana", "untap", priority=False)
    story.play("Ana", do="pass")
    yield "nobody-in-untap", "nobody has priority in this step", story, "without-priority"

    story = three(priority="tracked")
    story.step("Ben")
    yield "second-steps-first", "the first step is for the first in turn order", story, "without-priority"

    story = three(priority="tracked")
    story.step("Ana", priority=False)
    yield "denied", "a step that gives no priority where players have it", story, "malformed-step"

    story = three(priority="tracked")
    story.step("Ana", active="0" * 64)
    yield "strange-active", "the active player plays elsewhere", story, "malformed-step"


def files() -> Mapping[str, Document]:
    """Return the file that this generator makes."""
    tests: list[Test] = [
        accepted(name, comment, "verdict.judge", {"text": story.text}, {"verdict": gives})
        for name, comment, story, gives in verdicts()
    ]
    for name, comment, story, gives in verdicts():
        if gives["outcome"] in {"not-started", "pending", "owes"}:
            given = {"text": story.text}
            tests.append(
                refused(f"{name}-is-not-kept", comment, "verdict.require-kept", given, "verdict", gives["outcome"])
            )
    tests.append(
        refused("no-table", "not one line reads", "verdict.require-kept", {"text": "x\n"}, "verdict", "undecidable")
    )
    tests += [
        refused(name, comment, "verdict.require-kept", {"text": story.text}, "law", code)
        for name, comment, story, code in faults()
    ]
    about = "Games, and the verdicts on them. Of a broken game the code of the first finding counts."
    return {"verdict.json": document(about, tests)}
