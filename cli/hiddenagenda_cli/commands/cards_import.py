"""``cards import``, ``list``, ``remove``: names in other languages, and newer ones, from files of cards."""

import sys
from collections.abc import Callable

import click

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.table import Header
from hiddenagenda.characters import shown
from hiddenagenda.edge.catalogue import bundled
from hiddenagenda.faults import counted, sentence
from hiddenagenda_cli import frame
from hiddenagenda_cli.names import cards_directory, catalogue
from hiddenagenda_cli.output import Exit, voice


def add_to(family: click.Group) -> None:
    """Make the three commands parts of ``cards``."""
    for made in (import_, list_, remove):
        family.add_command(made)


@frame.command(
    "import",
    short_help="take in names from files of cards: Scryfall, MTGJSON, Cockatrice, plain lists",
    help=(
        "Take in card names in all their languages from files of cards.\n\nScryfall's bulk files, MTGJSON 4 and 5,"
        " Cockatrice's cards.xml and tokens.xml, or a plain list: a name a line, or language, printed name and English"
        " name with tabs between. They may be packed (.gz, .bz2, .xz, .zst, .zip). Names are added to those there are."
    ),
    example="hiddenagenda cards import AtomicCards.json",
)
@click.argument("files", nargs=-1, required=True, type=click.Path())
def import_(files: tuple[str, ...]) -> Exit:
    """Import, and say what is there now."""
    from hiddenagenda.edge.card_import import import_cards  # noqa: PLC0415 - the readers are dear to import

    done = import_cards(cards_directory(), files, progress=_progress())
    if voice.as_json:
        before = done.before.digest
        voice.json({**_as_json(done.header), "digest_before": before, "left_out": done.number_left_out})
        return Exit.KEPT
    if done.number_left_out:
        voice.warn(counted("{n} row was left out:", "{n} rows were left out:", n=done.number_left_out))
        for said in done.left_out:
            voice.say(sentence("  {what}", what=said))
    if done.header.digest != done.before.digest:
        voice.say(sentence("there are new English names: tables that pin the old list say “not checked”"))
    _tell(done.header)
    return Exit.KEPT


@frame.command(
    "list",
    short_help="say which names are loaded: languages, numbers, date, digest",
    help="Say which names are loaded: from where, in which languages and how many, of what date and digest.",
    example="hiddenagenda cards list",
)
def list_() -> Exit:
    """Describe the bundled table and the imported one."""
    names, ours = catalogue(), bundled()
    if voice.as_json:
        voice.json(
            {"in_use": _as_json(names.header), "imported": _is_imported(names), "bundled": _as_json(ours.header)}
        )
        return Exit.KEPT
    if _is_imported(names):
        if names.header.date < ours.header.date:
            voice.warn(sentence("the bundled names are newer than the imported ones: import the files again"))
        voice.told(sentence("imported, in use:"))
        _tell(names.header)
        voice.told(sentence("bundled:"))
    else:
        voice.told(sentence("bundled, in use:"))
    _tell(ours.header)
    return Exit.KEPT


@frame.command(
    "remove",
    short_help="forget all imported names; the bundled ones stay",
    help="Forget all names that were imported. The bundled English names stay.",
    example="hiddenagenda cards remove",
)
def remove() -> Exit:
    """Remove the imported table."""
    from hiddenagenda.edge.card_import import remove_cards  # noqa: PLC0415 - as above

    gone = bool(remove_cards(cards_directory()))
    if voice.as_json:
        voice.json({"removed": gone})
    elif gone:
        voice.told(sentence("the imported names are gone; the bundled ones are in use"))
    else:
        voice.told(sentence("no names were imported"))
    return Exit.KEPT


def _is_imported(names: Catalogue) -> bool:
    return names.header != bundled().header


def _tell(header: Header) -> None:
    voice.told(sentence("  from: {source}", source=header.source))
    voice.told(sentence("  date: {date}", date=header.date))
    voice.told(sentence("  digest of the English names: {digest}", digest=header.digest))
    for language, number in zip(header.languages, header.names, strict=True):
        voice.told(counted("  {language}: {n} name", "  {language}: {n} names", n=number, language=shown(language)))


def _as_json(header: Header) -> dict[str, object]:
    return {
        "date": header.date,
        "source": header.source,
        "languages": dict(zip(header.languages, header.names, strict=True)),
        "rows": header.rows,
        "sha256": header.sha256,
        "digest": header.digest,
    }


def _progress() -> Callable[[int, int], None]:
    """Return what shows a bar at a terminal and nothing elsewhere."""
    told = -1

    def show(read: int, whole: int) -> None:
        nonlocal told
        percent = 100 * read // max(whole, 1)
        if percent != told:
            told = percent
            voice.ask(f"\r[{'#' * (percent // 4):25}] {percent:3} %" + ("\n" if percent == 100 else ""))

    return show if sys.stderr is not None and sys.stderr.isatty() else lambda _read, _whole: None
