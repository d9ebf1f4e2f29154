"""``explain``: what text and what mistake fit a commitment made by hand."""

import click

from hiddenagenda.faults import sentence
from hiddenagenda.handmade import Explanation, Outcome, explain
from hiddenagenda_cli import frame
from hiddenagenda_cli.ask import ask
from hiddenagenda_cli.files import read_standard_input
from hiddenagenda_cli.output import Exit, voice

_HEADLINES = {
    Outcome.EXACT: sentence("fits: the digest is that of the text, to the letter"),
    Outcome.EXPLAINED: sentence("fits, but not as it was shown:"),
    Outcome.CUT_SHORT: sentence("fits as far as it goes:"),
    Outcome.UNEXPLAINED: sentence("no known mistake makes this text fit this digest"),
}

_EXITS = {
    Outcome.EXACT: Exit.KEPT,
    Outcome.EXPLAINED: Exit.KEPT,
    Outcome.CUT_SHORT: Exit.INPUT,
    Outcome.UNEXPLAINED: Exit.BROKEN,
}


@frame.command(
    "explain",
    help=(
        "Find out how a commitment made by hand was made.\n\nGiven the digest that was published and the text that was"
        " revealed, say which known mistake (echo's newline, a curly apostrophe, another encoding, ...) makes them fit,"
        " or that none does."
    ),
    example=(
        "hiddenagenda explain 6d6a62b31364f72d1390999b1fbd73c2c3f35ab0c15b81ddb901d2efb921a616"
        ' --text "Council\'s Judgment 7c1f0f9bd2a94e63a3d7d0a2f0e4b81c"'
    ),
)
@click.argument("digest", required=False)
@click.option(
    "--text", type=frame.TEXT, help="The text that was revealed, to the letter; - reads it from standard input."
)
@click.option("--salt", type=frame.TEXT, help="The salt, where it was revealed apart from the text.")
def command(digest: str | None, text: str | None, salt: str | None) -> Exit:
    """Search, tell what was found, and return its exit code."""
    if digest is None:
        digest = ask(sentence("Digest as published"), option="DIGEST")
    if text == "-":
        # To the letter: no line end is translated, and bytes that are no UTF-8 pass as PEP 383 has them.
        text = read_standard_input().decode("utf-8", "surrogateescape")
    elif text is None:
        text = ask(sentence("Text as revealed"), option="--text")
    found = explain(digest, text, salt=salt)
    if voice.as_json:
        voice.json(_as_json(found))
    else:
        _tell(found)
    return _EXITS[found.outcome]


def _tell(found: Explanation) -> None:
    voice.note(found.published.notices)
    voice.told(_HEADLINES[found.outcome])
    for cause in found.causes:
        voice.told(sentence("  - {what}", what=cause.said))
    if found.algorithm:
        voice.told(sentence("algorithm: {name}", name=found.algorithm))
    if found.reproduce:
        voice.told(sentence("to see it yourself: {line}", line=found.reproduce))
    for remark in found.remarks:
        voice.told(sentence("remark: {what}", what=remark))


def _as_json(found: Explanation) -> dict[str, object]:
    return {
        "outcome": found.outcome.value,
        "digest": found.published.digits,
        "algorithm": found.algorithm,
        "causes": [{"code": cause.code, "said": voice.tell(cause.said)} for cause in found.causes],
        "hashed": None if found.hashed is None else found.hashed.hex(),
        "reproduce": found.reproduce,
        "remarks": [voice.tell(remark) for remark in found.remarks],
        "tried": found.tried,
    }
