"""``demo``: the main job played with real card names, and a cheat who is caught."""

from hiddenagenda import bare
from hiddenagenda.bare import Judged
from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.commitment import Commitment
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.naming import choose
from hiddenagenda.outcome import Outcome
from hiddenagenda.rulebook import NEWEST, rule_of
from hiddenagenda.slip import Salt, Slip
from hiddenagenda_cli import frame
from hiddenagenda_cli.names import catalogue
from hiddenagenda_cli.output import Exit, voice

_GAME = "demo game"


@frame.command(
    "demo",
    help="Play a game with real card names, and catch a cheat. Nothing is kept on this computer.",
    example="hiddenagenda demo",
)
def command() -> Exit:
    """Tell the story; return 3 where the program itself judged it wrongly."""
    names = catalogue()
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
    return told.end()


def _slip(names: Catalogue, player: str, conspiracy: str, *cards: str) -> Slip:
    choice = choose(names, conspiracy, cards)
    return Slip(
        conspiracy=choice.conspiracy, game=_GAME, names=choice.names, player=player, salt=Salt.generate(), slot=1
    )


class _Story:
    """What the demo prints, and whether every outcome was the one the story is about."""

    def __init__(self) -> None:
        self._as_told = True

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
        self._as_told &= judged[0].outcome is wanted
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

    def end(self) -> Exit:
        self.say(sentence("The slips could not be changed, read or moved. Your turn: hiddenagenda commit"))
        return Exit.KEPT if self._as_told else Exit.BROKEN
