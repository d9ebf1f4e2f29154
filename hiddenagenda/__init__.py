"""The door of the library: what a client of the game needs, by name; everything else stands in the modules.

SPEC says what it is about, README shows a whole game. Nothing is imported before it is asked for, and what touches disk
or network (``hiddenagenda.edge``) is not among it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenagenda.bare import judge as judge_openings
    from hiddenagenda.commitment import Commitment
    from hiddenagenda.entry import Apply, End, Note, Seal, frame
    from hiddenagenda.faults import HiddenAgendaError, IllegalMove
    from hiddenagenda.identity import Identity
    from hiddenagenda.line import sign
    from hiddenagenda.moves import commit, leave, reveal, turn_up
    from hiddenagenda.naming import Choice, choose
    from hiddenagenda.outcome import Outcome
    from hiddenagenda.player import Player, new_seat, write_slips
    from hiddenagenda.record import read_record
    from hiddenagenda.slip import Salt, Slip
    from hiddenagenda.table import Table
    from hiddenagenda.transcript import Transcript
    from hiddenagenda.verdict import Verdict
    from hiddenagenda.verifier import judge, judge_bytes

__version__ = "0.1.0"
__all__ = [
    "Apply",
    "Choice",
    "Commitment",
    "End",
    "HiddenAgendaError",
    "Identity",
    "IllegalMove",
    "Note",
    "Outcome",
    "Player",
    "Salt",
    "Seal",
    "Slip",
    "Table",
    "Transcript",
    "Verdict",
    "choose",
    "commit",
    "frame",
    "judge",
    "judge_bytes",
    "judge_openings",
    "leave",
    "new_seat",
    "read_record",
    "reveal",
    "sign",
    "turn_up",
    "write_slips",
]

_MODULES = {
    "Apply": "entry",
    "Choice": "naming",
    "Commitment": "commitment",
    "End": "entry",
    "HiddenAgendaError": "faults",
    "Identity": "identity",
    "IllegalMove": "faults",
    "Note": "entry",
    "Outcome": "outcome",
    "Player": "player",
    "Salt": "slip",
    "Seal": "entry",
    "Slip": "slip",
    "Table": "table",
    "Transcript": "transcript",
    "Verdict": "verdict",
    "choose": "naming",
    "commit": "moves",
    "frame": "entry",
    "judge": "verifier",
    "judge_bytes": "verifier",
    "judge_openings": "bare",
    "leave": "moves",
    "new_seat": "player",
    "read_record": "record",
    "reveal": "moves",
    "sign": "line",
    "turn_up": "moves",
    "write_slips": "player",
}
_CALLED_OTHERWISE = {"judge_openings": "judge"}

if not TYPE_CHECKING:  # or every misspelt name would have a type

    def __getattr__(name: str) -> object:
        """Import what is asked for, and remember it."""
        if name not in _MODULES:
            msg = f"module 'hiddenagenda' has no attribute {name!r}"
            raise AttributeError(msg)
        module = import_module(f"hiddenagenda.{_MODULES[name]}")
        value = getattr(module, _CALLED_OTHERWISE.get(name, name))
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
