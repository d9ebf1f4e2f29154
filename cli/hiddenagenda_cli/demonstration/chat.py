"""What the demo tells first: two people who share only a chat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hiddenagenda import bare
from hiddenagenda.bare import Judged
from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.commitment import Commitment
from hiddenagenda.faults import Sentence, sentence
from hiddenagenda.naming import choose
from hiddenagenda.outcome import Outcome
from hiddenagenda.slip import Salt, Slip

_GAME = "demo game"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A piece of the story: what is told, what is posted, and what an opening then proves."""

    told: Sentence
    posted: str = ""
    judged: Judged | None = None
    wanted: Outcome = Outcome.BROKEN

    @property
    def is_judged_well(self) -> bool:
        """Say whether the outcome is the one the story is about."""
        return self.judged is None or self.judged.outcome is self.wanted


def over_a_chat(names: Catalogue) -> Sequence[Page]:
    """Return the story, with fresh slips."""
    return tuple(_pages(names))


def _pages(names: Catalogue) -> Iterator[Page]:
    ana = _slip(names, "Ana", "Muzzio's Preparations", "Grizzly Bears")
    ben = _slip(names, "Ben", "Summoner's Bond", "Storm Crow", "Llanowar Elves")
    yield Page(told=sentence("Ana and Ben are not in one room: they share only a chat."))
    for slip in (ana, ben):
        yield Page(
            told=sentence("{player} puts a conspiracy face down, names in secret, and posts:", player=slip.player),
            posted=_commitment(slip).token,
        )
    yield Page(
        told=sentence(
            "Nobody can read these, and one name looks like two. Later Ana turns hers up, and Ben checks it:"
        ),
        judged=_judged(_commitment(ana), ana, player="Ana"),
        wanted=Outcome.KEPT,
    )
    yield Page(
        told=sentence("Ben's deck drew better than his names. He shows a slip with another card, made afterwards:"),
        judged=_judged(
            _commitment(ben), _slip(names, "Ben", "Summoner's Bond", "Storm Crow", "Shivan Dragon"), player="Ben"
        ),
    )
    yield Page(
        told=sentence("So he copies what Ana posted, and shows her slip as his own:"),
        judged=_judged(_commitment(ana), ana, player="Ben"),
    )


def _slip(names: Catalogue, player: str, conspiracy: str, *cards: str) -> Slip:
    choice = choose(names, conspiracy, cards)
    return Slip(
        conspiracy=choice.conspiracy, game=_GAME, names=choice.names, player=player, salt=Salt.generate(), slot=1
    )


def _commitment(slip: Slip) -> Commitment:
    return Commitment.of(slip.turn_face_up())


def _judged(commitment: Commitment, shown: Slip, *, player: str) -> Judged:
    expected = bare.Expected(player=player, game=_GAME, slot=1)
    return bare.judge([commitment], [shown.turn_face_up()], expected=expected)[0]
