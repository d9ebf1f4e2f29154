"""Makes ``names.json``. Knows which names are alike, not our library."""

from collections.abc import Mapping, Sequence
from typing import Any

from vectors import Document, Test, accepted, document, refused

LIST: Sequence[Sequence[str]] = (
    ("Aether Vial", "en", "card"),
    ("Coercion", "en", "card"),
    ("Duress", "en", "card"),
    ("Endurance", "en", "card"),
    ("Endure", "en", "card"),
    ("Fire", "en", "half"),
    ("Ice", "en", "half"),
    ("Fire // Ice", "en", "whole"),
    ("Food", "en", "token"),
    ("Giant Growth", "en", "card"),
    ("Greymond, Avacyn's Stalwart", "en", "card"),
    ("Grizzly Bears", "en", "card"),
    ("Lava Axe", "en", "card"),
    ("Lava, Axe", "en", "card"),
    ("Lightning Bolt", "en", "card"),
    ("Lim-Dûl's Vault", "en", "card"),
    ("Wasteland", "en", "card"),
    ("_____", "en", "card"),
    ("______", "en", "card"),
    ("Rick, Steadfast Leader", "en", "former", "Greymond, Avacyn's Stalwart"),
    ("Blitzschlag", "de", "printed", "Lightning Bolt"),
    ("Zwang", "de", "printed", "Coercion"),
    ("Zwang", "de", "printed", "Duress"),
    ("Foudre", "fr", "printed", "Lightning Bolt"),
    ("Endurance", "fr", "printed", "Endure"),
)
"""A list of names: what is printed, in which language, what it is, and whose English name it stands for."""


def files() -> Mapping[str, Document]:
    return {
        "names.json": document(
            "From what is typed to the names on a slip, and what a verdict remarks. SPEC 'Names', 'Choosing names'.",
            [*resolved(), *not_resolved(), *conspiracies(), *chosen(), *not_chosen(), *remarked()],
        )
    }


def given(typed: str, *languages: str) -> Mapping[str, Any]:
    return {"list": LIST, "typed": typed, "languages": list(languages or ("en",))}


def resolved() -> Sequence[Test]:
    cases = {
        "exact": ("Grizzly Bears", "Grizzly Bears", "as it is written", ()),
        "case": ("gRIZZLY bears", "Grizzly Bears", "case does not matter", ()),
        "accent-left-out": ("Lim-Dul's Vault", "Lim-Dûl's Vault", "an accent may be left out", ()),
        "accent-decomposed": ("Lim-Du\u0302l's Vault", "Lim-Dûl's Vault", "a letter and a combining accent", ()),
        "curly-apostrophe": ("Lim-Dûl\u2019s Vault", "Lim-Dûl's Vault", "a phone's apostrophe", ()),
        "ligature": ("Æther Vial", "Aether Vial", "Æ is ae", ()),
        "no-break-space": ("Grizzly\u00a0Bears", "Grizzly Bears", "taken for a blank, with a notice", ()),
        "byte-order-mark": ("\ufeffGrizzly Bears", "Grizzly Bears", "dropped, with a notice", ()),
        "half": ("Fire", "Fire", "a half may be named", ()),
        "former": ("Rick, Steadfast Leader", "Greymond, Avacyn's Stalwart", "a former name stands for the card", ()),
        "comma": ("lava, axe", "Lava, Axe", "a comma makes another name", ()),
        "underscores": ("_____", "_____", "a name without letters", ()),
        "german": ("Blitzschlag", "Lightning Bolt", "what a German card prints", ("de",)),
        "stated-language": ("Endurance", "Endure", "the language that was stated decides", ("fr",)),
    }
    return [
        accepted(f"resolve-{name}", comment, "names.resolve", given(typed, *languages), {"name": wanted})
        for name, (typed, wanted, comment, languages) in cases.items()
    ]


def not_resolved() -> Sequence[Test]:
    unknown = {
        "misspelt": ("Grizly Bears", "a suggestion is never taken"),
        "cyrillic": ("Lightning B\u043elt", "a lookalike letter never matches"),
        "greek": ("Lightning B\u03bflt", "a lookalike letter never matches"),
        "full-width": ("\uff26ire", "NFC, not NFKC"),
        "blank-left-out": ("GrizzlyBears", "blanks are never dropped"),
        "blank-added": ("Waste Land", "blanks are never added"),
        "comma-left-out": ("Rick Steadfast Leader", "commas are never dropped"),
        "hyphen-left-out": ("Lim Dûl's Vault", "hyphens are never dropped"),
        "four-underscores": ("____", "no such card"),
        "entity": ("Lim-Dûl&#39;s Vault", "nothing is decoded"),
        "mojibake": ("Lim-DÃ»l's Vault", "nothing is guessed"),
        "quantity": ("4 Grizzly Bears", "a number is no part of a name"),
        "nothing": ("", "no name"),
        "only-invisible": ("\u200b", "nothing is left"),
    }
    tests = [
        refused(f"resolve-{name}", comment, "names.resolve", given(typed), "cards.resolve", "unknown-name")
        for name, (typed, comment) in unknown.items()
    ]
    several = {
        "two-cards": (given("Zwang", "de"), "one printed name of two cards"),
        "two-cards-folded": (given("zwang", "de"), "the same, not as it is written"),
        "two-languages": (given("Endurance", "en", "fr"), "a card in each of the languages asked"),
        "any-language": (given("Endurance", "en", "de", "fr"), "a card in two of them"),
    }
    tests += [
        refused(f"resolve-{name}", comment, "names.resolve", typed, "cards.resolve", "ambiguous-name")
        for name, (typed, comment) in several.items()
    ]
    tests += [
        refused("resolve-whole", "name a half", "names.resolve", given("Fire // Ice"), "cards.resolve", "whole-card"),
        refused("resolve-whole-folded", "the same", "names.resolve", given("fire//ice"), "cards.resolve", "whole-card"),
        refused("resolve-token", "no card bears the name", "names.resolve", given("Food"), "cards.resolve", "token"),
        refused("resolve-token-folded", "the same", "names.resolve", given("FOOD"), "cards.resolve", "token"),
    ]
    characters = {
        "escape": ("\x1b", "refused-character"),
        "c1": ("\x9b", "refused-character"),
        "private": ("\ue000", "refused-character"),
        "override": ("\u202e", "bidi-control"),
        "isolate": ("\u2066", "bidi-control"),
    }
    tests += [
        refused(
            f"resolve-{name}", "nobody types it", "names.resolve", given(f"Grizzly{bad} Bears"), "cards.folding", code
        )
        for name, (bad, code) in characters.items()
    ]
    return tests


def conspiracies() -> Sequence[Test]:
    return [
        accepted(
            "conspiracy-folded",
            "the same manners",
            "names.conspiracy",
            {"typed": "muzzio\u2019s preparations"},
            {"name": "Muzzio's Preparations", "names": 1},
        ),
        accepted(
            "conspiracy-double",
            "two names",
            "names.conspiracy",
            {"typed": "Summoner's Bond"},
            {"name": "Summoner's Bond", "names": 2},
        ),
        *(
            refused(f"conspiracy-{name}", comment, "names.conspiracy", {"typed": typed}, layer, code)
            for name, (typed, comment, layer, code) in {
                "misspelt": (
                    "Muzzios Preparations",
                    "an apostrophe is not dropped",
                    "cards.conspiracy_names",
                    "unknown-conspiracy",
                ),
                "card": ("Grizzly Bears", "a card, but no conspiracy", "cards.conspiracy_names", "unknown-conspiracy"),
                "without-agenda": ("Backup Plan", "nothing is named for it", "naming", "no-agenda"),
                "secret-mission": ("Marchesa's Surprise Party", "a secret, but no card name", "naming", "no-agenda"),
            }.items()
        ),
    ]


def choice(conspiracy: str, *names: str, unlisted: bool = False) -> Mapping[str, Any]:
    more = {"unlisted": True} if unlisted else {}
    return {"list": LIST, "conspiracy": conspiracy, "names": list(names), **more}


def chosen() -> Sequence[Test]:
    return [
        accepted(
            "choose-two",
            "ascending by code points, whatever was typed first",
            "names.choose",
            choice("summoner's bond", "lava axe", "grizzly bears"),
            {"conspiracy": "Summoner's Bond", "names": ["Grizzly Bears", "Lava Axe"]},
        ),
        accepted(
            "choose-useless",
            "legal, though the agenda does nothing for it",
            "names.choose",
            choice("Muzzio's Preparations", "Giant Growth"),
            {"conspiracy": "Muzzio's Preparations", "names": ["Giant Growth"]},
        ),
        accepted(
            "choose-unlisted",
            "taken as it is written, by request",
            "names.choose",
            choice("Brago's Favor", "Card of Tomorrow", unlisted=True),
            {"conspiracy": "Brago's Favor", "names": ["Card of Tomorrow"]},
        ),
    ]


def not_chosen() -> Sequence[Test]:
    cases = {
        "none": (choice("Brago's Favor"), "an agenda asks for a name", "naming", "number-of-names"),
        "two-for-one": (choice("Brago's Favor", "Fire", "Ice"), "one name", "naming", "number-of-names"),
        "one-for-two": (choice("Summoner's Bond", "Fire"), "two names", "naming", "number-of-names"),
        "three": (choice("Summoner's Bond", "Fire", "Ice", "Duress"), "two names", "naming", "number-of-names"),
        "same": (choice("Summoner's Bond", "Fire", "fire"), "two different names", "naming", "same-name"),
        "interchangeable": (
            choice("Summoner's Bond", "Greymond, Avacyn's Stalwart", "Rick, Steadfast Leader"),
            "two names of one card",
            "naming",
            "same-name",
        ),
        "unknown": (choice("Brago's Favor", "Card of Tomorrow"), "not without asking", "cards.resolve", "unknown-name"),
        "unlisted-token": (
            choice("Brago's Favor", "Food", unlisted=True),
            "a token is known",
            "cards.resolve",
            "token",
        ),
        "unlisted-whole": (
            choice("Brago's Favor", "Fire // Ice", unlisted=True),
            "a whole card is known",
            "cards.resolve",
            "whole-card",
        ),
        "unlisted-lookalike": (
            choice("Brago's Favor", "Lightning B\u043elt", unlisted=True),
            "nobody insists on a lookalike",
            "cards.resolve",
            "unknown-name",
        ),
        "no-agenda": (choice("Backup Plan", "Fire"), "nothing is named for it", "naming", "no-agenda"),
    }
    return [
        refused(f"choose-{name}", comment, "names.choose", typed, layer, code)
        for name, (typed, comment, layer, code) in cases.items()
    ]


def remarked() -> Sequence[Test]:
    cases = {
        "unlisted": ("grizzly bears", "the very text counts"),
        "token-only": ("Food", "a token"),
        "whole-split": ("Fire // Ice", "a whole card"),
        "interchangeable": ("Rick, Steadfast Leader", "a former name"),
    }
    return [
        accepted("remark-listed", "nothing to remark on", "names.remark", {"list": LIST, "name": "Fire"}, {}),
        *(
            refused(f"remark-{code}", comment, "names.remark", {"list": LIST, "name": name}, "cards.remarks", code)
            for code, (name, comment) in cases.items()
        ),
    ]
