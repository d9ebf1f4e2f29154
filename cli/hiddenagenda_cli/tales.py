"""Games told line by line, as they are printed."""

import json

from hiddenagenda.faults import sentence
from hiddenagenda.forkproof import ForkProof
from hiddenagenda.publickey import PublicKey
from hiddenagenda.story import SHORT, Told, people, say, tell
from hiddenagenda.transcript import Transcript
from hiddenagenda_cli.exchanged import dangling_json, forks_json, line_json, say_dangling
from hiddenagenda_cli.output import voice


def print_game(transcript: Transcript) -> None:
    """Print who sits at the table of a game, then every entry."""
    told = tell(transcript)
    if voice.as_json:
        voice.json(_game_json(transcript, told))
        return
    table = transcript.table
    names = people(table)
    voice.told(sentence("game {id} “{label}”", id=transcript.game[:SHORT], label=table.label))
    for key, name in names.items():
        voice.told(sentence("  {name}: {fingerprint}", name=name, fingerprint=PublicKey.from_hex(key).fingerprint))
    for one in told:
        _print_entry(one)
    for dangling in transcript.dangling:
        voice.told(say_dangling(dangling, names))


def print_proof(proof: ForkProof) -> None:
    """Print a fork that two signed lines prove by themselves."""
    public = PublicKey.from_hex(proof.author)
    if voice.as_json:
        lines = [line_json(line) | {"entry": json.loads(line.raw)} for line in proof.lines]
        voice.json(
            {
                "fork-proof": proof.game,
                "author": proof.author,
                "fingerprint": public.fingerprint,
                "seq": proof.seq,
                "lines": lines,
            }
        )
        return
    voice.told(
        sentence(
            "fork proved: the key {fingerprint} has signed two entries {seq} of the game {game}",
            fingerprint=public.fingerprint,
            seq=proof.seq,
            game=proof.game[:SHORT],
        )
    )
    for line in proof.lines:
        voice.told(sentence("  {id}: {said}", id=line.id[:SHORT], said=say(line.entry, {})))


def _print_entry(one: Told) -> None:
    voice.told(
        sentence(
            "{number}. {name} {said}  [{id}, rests on {parents}]",
            number=one.number,
            name=one.name,
            said=one.said,
            id=one.line.id[:SHORT],
            parents=" ".join(map(str, one.rests_on)) or "-",
        )
    )
    for wrong in one.wrong:
        voice.told(sentence("     ! {what}", what=wrong))


def _game_json(transcript: Transcript, told: tuple[Told, ...]) -> dict[str, object]:
    table = transcript.table
    return {
        "game": transcript.game,
        "label": table.label,
        "priority": table.priority,
        "edition": table.edition,
        "people": [
            {"key": key, "fingerprint": PublicKey.from_hex(key).fingerprint, "name": name}
            for key, name in people(table).items()
        ],
        "entries": [
            line_json(one.line)
            | {
                "number": one.number,
                "depth": one.depth,
                "weight": one.weight.value,
                "finding": one.code,
                "forked": one.is_forked,
                "said": voice.tell(one.said),
                "wrong": [voice.tell(wrong) for wrong in one.wrong],
                "entry": json.loads(one.line.raw),
            }
            for one in told
        ],
        "forks": forks_json(transcript.forks, transcript),
        "dangling": dangling_json(transcript.dangling),
    }
