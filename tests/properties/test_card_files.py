"""Readers of card files: any bytes end in rows or in one of our errors, however the bytes arrive."""

import gzip
import io
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenagenda.cards.catalogue import Catalogue
from hiddenagenda.cards.readers.recognise import read, recognise
from hiddenagenda.cards.readers.stream import Peekable
from hiddenagenda.cards.table import Row, write_row
from hiddenagenda.cards.writing import write_table
from hiddenagenda.faults import Malformed

CARD: dict[str, Any] = {
    "object": "card",
    "name": "Fire // Ice",
    "faceName": "Ice",
    "lang": "de",
    "layout": "split",
    "type": "Instant",
    "type_line": "Instant // Instant",
    "card_faces": [{"name": "Fire", "printed_name": "Feuer"}, {"name": "Ice", "printed_name": "Eis"}],
    "foreignData": [{"language": "German", "name": "Feuer // Eis", "faceName": "Eis"}],
}
XML = (
    b'<cockatrice_carddatabase version="4"><cards><card><name>Bolt</name><prop><type>Instant</type></prop></card>'
    b"</cards></cockatrice_carddatabase>"
)
FILES = [
    json.dumps([CARD, CARD]).encode(),
    json.dumps({"meta": {}, "data": {"Fire // Ice": [CARD]}}).encode(),
    json.dumps({"data": {"CNS": {"cards": [CARD], "tokens": [CARD]}}}).encode(),
    XML,
    b"# a list\nBolt\nde\tBlitz\tBolt\n",
]
FILES += [gzip.compress(FILES[0])]


def outcome(data: bytes) -> list[Row] | str:
    """The rows of a file, or the code of the error."""
    try:
        return list(read(io.BytesIO(data)))
    except Malformed as raised:
        error = raised
    assert str(error).isprintable()
    return error.code


class Dripping(io.BytesIO):
    """A file that gives a byte at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(1 if size else 0)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=100).map(str.encode)))
def test_any_bytes_end_in_rows_or_our_error(data: bytes) -> None:
    outcome(data)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_damaged_files_end_in_rows_or_our_error(whole: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, 20))
    found = outcome(whole[:place] + data.draw(st.binary(max_size=12)) + whole[place + length :])
    if not isinstance(found, str):
        for row in found:
            try:
                write_row(row)
            except Malformed:
                continue


json_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False, allow_infinity=False), st.text()
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(st.sampled_from([*CARD, "data", "cards", "tokens", "meta"]), st.text()), inner, max_size=6
        ),
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(json_values, st.sampled_from([lambda v: v, lambda v: [v], lambda v: {"cards": v}, lambda v: {"data": v}]))
def test_json_of_any_shape_ends_in_rows_or_our_error(value: Any, wrap: Any) -> None:
    outcome(json.dumps(wrap(value)).encode())


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(CARD)), json_values)
def test_a_member_of_any_type_ends_in_rows_or_our_error(member: str, value: Any) -> None:
    for whole in ([{**CARD, member: value}], {"cards": [{**CARD, member: value}]}):
        outcome(json.dumps(whole).encode())


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES[:5]))
def test_how_the_bytes_arrive_changes_nothing(whole: bytes) -> None:
    dripped = Peekable(Dripping(whole))
    assert list(recognise(dripped)(dripped)) == outcome(whole)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=12))
def test_what_a_list_names_is_found_in_its_table(names: list[str]) -> None:
    found = outcome("\n".join(names).encode(errors="replace"))
    rows = []
    for row in found if not isinstance(found, str) else ():
        try:
            write_row(row)
        except Malformed:
            continue
        rows.append(row)
    catalogue = Catalogue(write_table(rows, date="d", source="s"))
    for row in rows:
        if row.kind.may_be_named:
            assert catalogue.card(row.name)
