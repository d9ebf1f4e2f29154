"""``demo``: the main job played with real card names, and a cheat who is caught."""

import os

import click

from hiddenagenda import bare
from hiddenagenda.bare import Judged
from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.commitment import Commitment
from hiddenagenda.edge.directories import private_directory
from hiddenagenda.edge.files import write_new_file, write_new_secret
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.naming import choose
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import NEWEST, Edition, rule_of
from hiddenagenda.slip import Salt, Slip
from hiddenagenda.telling import tell
from hiddenagenda.verdictjson import to_json
from hiddenagenda.verifier import judge
from hiddenagenda_cli import frame
from hiddenagenda_cli.demonstration.scenes import SCENES, Scene
from hiddenagenda_cli.demonstration.trio import Trio
from hiddenagenda_cli.names import catalogue, tongue
from hiddenagenda_cli.output import Exit, voice

_GAME = "demo game"


@frame.command(
    "demo",
    help=(
        "Play games with real card names and real keys: first over a chat, then three players at a table, once honestly"
        " and then one cheat after another, each with its verdict.\n\nWithout a directory nothing is kept on this"
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
    as_told = _over_a_chat(names)
    if directory is not None:
        private_directory(directory)
    for number, scene in enumerate(SCENES, start=1):
        trio = Trio.sit_down(names, edition=edition)
        scene.play(trio)
        if directory is not None:
            _write(directory, f"{number:02}-{scene.name}", trio)
        as_told &= _judge(number, scene, trio, names)
    if not as_told:
        voice.complain(sentence("a game was not judged as it should be: this program is broken"))
        return Exit.BROKEN
    if not voice.as_json:
        voice.told(sentence("No honest player was named. Your turn: hiddenagenda commit"))
    return Exit.KEPT


def _judge(number: int, scene: Scene, trio: Trio, names: Catalogue) -> bool:
    """Judge a scene, tell it, and say whether the verdict is the one it is about."""
    verdict = judge(trio.transcript, names=names)
    if voice.as_json:
        voice.json({"scene": scene.name, "verdict": to_json(verdict)})
    else:
        voice.result("")
        voice.told(sentence("{number}. {story}", number=number, story=scene.told))
        for line in tell(verdict, tongue=tongue()):
            voice.told(sentence("   {line}", line=line))
    found = [(finding.code, finding.author) for finding in verdict.findings]
    wanted = [(scene.code, trio.key(scene.culprit))] if scene.code and scene.culprit else []
    return verdict.outcome is scene.outcome and found == wanted


def _write(directory: str, name: str, trio: Trio) -> None:
    write_new_file(os.path.join(directory, f"{name}.jsonl"), trio.transcript.write())  # noqa: PTH118 - paths are texts
    for player, identity in trio.identities.items():
        write_new_secret(os.path.join(directory, f"{name}.{player}.key"), identity.to_openssh(None))  # noqa: PTH118


def _over_a_chat(names: Catalogue) -> bool:
    told = _Story()
    told.say(sentence("Ana and Ben are not in one room: they share only a chat."))
    ana = _slip(names, "Ana", "Muzzio's Preparations", "Grizzly Bears")
    ben = _slip(names, "Ben", "Summoner's Bond", "Storm Crow", "Llanowar Elves")
    for slip in (ana, ben):
        told.say(sentence("{player} puts a conspiracy face down, names in secret, and posts:", player=slip.player))
        told.show(Commitment.of(slip.turn_face_up()).token)
    told.say(
        sentence("Nobody can read these, and one name looks like two. Later Ana turns hers up, and Ben checks it:")
    )
    told.judge(Commitment.of(ana.turn_face_up()), ana, Outcome.KEPT)
    told.say(sentence("Ben's deck drew better than his names. He shows a slip with another card, made afterwards:"))
    told.judge(Commitment.of(ben.turn_face_up()), _slip(names, "Ben", "Summoner's Bond", "Storm Crow", "Shivan Dragon"))
    told.say(sentence("So he copies what Ana posted, and shows her slip as his own:"))
    told.judge(Commitment.of(ana.turn_face_up()), ana, player="Ben")
    return told.as_told


def _slip(names: Catalogue, player: str, conspiracy: str, *cards: str) -> Slip:
    choice = choose(names, conspiracy, cards)
    return Slip(
        conspiracy=choice.conspiracy, game=_GAME, names=choice.names, player=player, salt=Salt.generate(), slot=1
    )


class _Story:
    """What the demo prints, and whether every outcome was the one the story is about."""

    def __init__(self) -> None:
        self.as_told = True

    def say(self, said: Sentence) -> None:
        if not voice.as_json:
            voice.told(said)

    def show(self, token: str) -> None:
        if not voice.as_json:
            voice.result(f"    {token}")

    def judge(
        self, commitment: Commitment, shown: Slip, wanted: Outcome = Outcome.BROKEN, *, player: str | None = None
    ) -> None:
        expected = bare.Expected(player=player or shown.player, game=_GAME, slot=1)
        judged = bare.judge([commitment], [shown.turn_face_up()], expected=expected)
        self.as_told &= judged[0].outcome is wanted
        self._tell(judged[0])

    def _tell(self, one: Judged) -> None:
        if voice.as_json:
            voice.json({"outcome": one.outcome.value, "findings": [breach.code.value for breach in one.breaches]})
            return
        if one.slip and one.outcome is Outcome.KEPT:
            for name in one.slip.names:
                kept = sentence(
                    "{player} named {name} on {conspiracy}",
                    player=one.slip.player,
                    name=name,
                    conspiracy=one.slip.conspiracy,
                )
                voice.told(sentence("    kept: {what}", what=kept))
        for breach in one.breaches:
            rule = rule_of(breach.code)
            voice.told(sentence("    broken: {what}", what=breach.said))
            voice.told(sentence("    {rule}: {says}", rule=rule.cite(NEWEST), says=rule.says))
