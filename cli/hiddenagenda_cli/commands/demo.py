"""``demo``: the main job played with real card names, and cheats who are caught."""

import click

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.faults import sentence
from hiddenagenda.rulebook import NEWEST, Edition
from hiddenagenda.verifier import judge
from hiddenagenda_cli import frame
from hiddenagenda_cli.demonstration import folder
from hiddenagenda_cli.demonstration.chat import over_a_chat
from hiddenagenda_cli.demonstration.cheats import CHEATS
from hiddenagenda_cli.demonstration.honest import HONEST
from hiddenagenda_cli.demonstration.page import print_chapter, print_line, print_page, print_scene
from hiddenagenda_cli.demonstration.trio import Trio, draw_keys
from hiddenagenda_cli.names import catalogue, tongue
from hiddenagenda_cli.output import Exit, voice

CHAPTERS = (HONEST, *CHEATS)


@frame.command(
    "demo",
    help=(
        "Play games with real card names and real keys: first over a chat, then three players at a table, honestly and"
        " with one cheat after another, each with its verdict.\n\nWith a directory, which must be new, the games"
        " and the keys are written there, to be looked at with the other commands; else nothing is kept on this"
        " computer."
    ),
    example="hiddenagenda demo",
)
@click.argument("directory", required=False)
@click.option(
    "--edition",
    type=frame.OneOf([one.value for one in Edition]),
    default=NEWEST.value,
    help="Edition for rule numbers.",
)
def command(directory: str | None, edition: str) -> Exit:
    """Tell the stories; return 3 where the program itself judged one wrongly."""
    names = catalogue()
    identities = draw_keys()
    games: list[tuple[str, Trio]] = []
    for chapter in CHAPTERS:
        for scene in chapter.scenes:
            trio = Trio.sit_down(identities, names, edition=edition)
            scene.play(trio)
            games.append((f"{len(games) + 1:02}-{scene.name}", trio))
    if directory is not None:
        folder.write(directory, [(name, trio.transcript) for name, trio in games], identities)
    as_told = _tell(names, [trio for _, trio in games], Edition(edition))
    if not as_told:
        voice.complain(sentence("a game was not judged as it should be: this program is broken"))
        return Exit.BROKEN
    if directory is not None:
        voice.say(
            sentence("the games are in {directory}: hiddenagenda verify {directory}/*.jsonl", directory=directory)
        )
    return Exit.KEPT


def _tell(names: Catalogue, games: list[Trio], edition: Edition) -> bool:
    """Tell everything, and say whether every verdict is the one that its story is about."""
    well = True
    for page in over_a_chat(names):
        print_page(page, edition)
        well &= page.is_judged_well
    scenes = ((chapter, scene) for chapter in CHAPTERS for scene in chapter.scenes)
    for number, ((chapter, scene), trio) in enumerate(zip(scenes, games, strict=True), start=1):
        if scene is chapter.scenes[0]:
            print_chapter(chapter, edition)
        verdict = judge(trio.transcript, names=names)
        print_scene(number, scene, trio.transcript, verdict, tongue())
        well &= scene.is_judged_well(trio, verdict)
    if well and not voice.as_json:
        voice.result("")
        print_line(sentence("Every cheat was caught, and no honest player was named. Your turn: hiddenagenda commit"))
    return well
