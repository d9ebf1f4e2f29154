"""JSON as a stream of events, and the parts of it that a reader wants.

SPEC "Names". Everything a reader does not ask for is passed over without being kept, so memory does not grow with
the file. A member that is asked for and comes twice in one object is refused, not decided about.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from hiddenagenda.cards.names import tidy
from hiddenagenda.cards.readers.stream import LONGEST, PIECE, Peekable
from hiddenagenda.faults import Malformed, TooLarge, sentence

Event: TypeAlias = tuple[str, Any]
"""What happens (``start_map``, ``map_key``, ``string`` …) and its value."""
Events: TypeAlias = Iterator[Event]
Shape: TypeAlias = Mapping[str, "Shape | None"]
"""The members wanted of an object: None for texts and lists of texts, a shape for objects and lists of them."""
Object: TypeAlias = dict[str, Any]

_OPENING: Final = frozenset({"start_map", "start_array"})
_CLOSING: Final = frozenset({"end_map", "end_array"})


def events(stream: Peekable) -> Events:
    """Yield the events of the JSON text in ``stream``.

    Raises ``Malformed`` where it is none, ``TooLarge`` for huge values.
    """
    import ijson  # type: ignore[import-untyped]  # noqa: PLC0415 - only an import of cards needs it

    found = ijson.sendable_list()
    parser = ijson.basic_parse_coro(found, use_float=True)
    wrong = (ijson.JSONError, ValueError)  # its slower form lets some of the latter out
    done = silent = 0
    while piece := stream.read(PIECE):
        try:
            parser.send(piece)
        except wrong as error:
            raise _malformed(str(error), piece, done) from error
        done += len(piece)
        silent = 0 if found else silent + len(piece)
        if silent > LONGEST:
            raise TooLarge(sentence("a value in the JSON text is too long"), code="too-large", position=done)
        yield from found
        del found[:]
    try:
        parser.close()
    except wrong as error:
        raise _malformed(str(error), b"", done) from error
    yield from found


def _malformed(what: str, piece: bytes, done: int) -> Malformed:
    """Say what is wrong in ``piece``, before which ``done`` bytes were right."""
    if "UTF8" in what or "utf-8" in what:
        try:
            piece.decode()
        except UnicodeDecodeError as error:
            done += error.start
        said = sentence("the JSON text is not UTF-8 at byte {position}", position=done)
    elif not piece:
        said = sentence("the JSON text is cut short, at byte {position}", position=done)
    else:
        said = sentence("this is no JSON text, after byte {position}", position=done)
    return Malformed(said, hint=sentence("fetch the file again"), code="json", position=done)


def members(happening: Events) -> Iterator[tuple[str, Event]]:
    """Yield each member's name and first event, of an object whose start has just been read; read its value between."""
    while (begun := next(happening))[0] != "end_map":
        yield begun[1], next(happening)


def elements(happening: Events) -> Events:
    """Yield the first event of each element of a list whose start has just been read; read the element between."""
    while (begun := next(happening))[0] != "end_array":
        yield begun


def pass_over(happening: Events, begun: Event) -> None:
    """Go to the end of the value that ``begun`` begins."""
    depth = int(begun[0] in _OPENING)
    while depth:
        event, _ = next(happening)
        if event in _OPENING:
            depth += 1
        elif event in _CLOSING:
            depth -= 1


def take(happening: Events, begun: Event, shape: Shape | None) -> Any:
    """Return what is wanted of the value that ``begun`` begins: a text, an object, a list of either, or None."""
    match begun:
        case "start_map", _ if shape is not None:
            return take_object(happening, shape)
        case "start_array", _:
            return [_take_element(happening, one, shape) for one in elements(happening)]
        case "start_map", _:
            return pass_over(happening, begun)
        case _:
            return begun[1]


def _take_element(happening: Events, begun: Event, shape: Shape | None) -> Any:
    """Return what is wanted of a list's element; lists in lists are not."""
    return pass_over(happening, begun) if begun[0] == "start_array" else take(happening, begun, shape)


def take_object(happening: Events, shape: Shape) -> Object:
    """Return the members in ``shape`` of the object whose start has just been read."""
    found: Object = {}
    for key, begun in members(happening):
        if key in shape:
            take_member(happening, found, shape, key, begun)
        elif begun[0] in _OPENING:
            pass_over(happening, begun)
    return found


def take_member(happening: Events, found: Object, shape: Shape, key: str, begun: Event) -> None:
    """Add what is wanted of the member ``key``, which ``begun`` begins. Raises ``Malformed`` for a second such."""
    if key in found:
        raise Malformed(sentence("an object in the JSON text has the member “{key}” twice", key=key), code="json")
    found[key] = take(happening, begun, shape[key])


def text(found: Object, key: str) -> str:
    """Return the member ``key`` where it is a text, tidied, else an empty one."""
    value = found.get(key)
    return tidy(value) if isinstance(value, str) else ""


def texts(found: Object, key: str) -> list[str]:
    """Return the texts in the member ``key`` where it is a list, tidied."""
    value = found.get(key)
    return [tidy(one) for one in value if isinstance(one, str)] if isinstance(value, list) else []


def objects(found: Object, key: str) -> list[Object]:
    """Return the objects in the member ``key`` where it is a list."""
    value = found.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
