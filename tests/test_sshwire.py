"""Packing and armour read back, and have one form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenagenda.faults import Malformed
from hiddenagenda.sshwire import Unpacking, pack, read_armour, read_base64, read_text, write_armour


@given(st.lists(st.binary(max_size=300)))
def test_strings_read_back(strings: list[bytes]) -> None:
    fields = Unpacking(pack(*strings))
    assert [fields.string() for _ in strings] == strings
    fields.finish()


@given(st.binary(min_size=1, max_size=300))
def test_armour_reads_back(data: bytes) -> None:
    assert read_armour("A LABEL", write_armour("A LABEL", data).encode()) == data


def test_numbers_and_bytes() -> None:
    fields = Unpacking(b"\0\0\1\0xy")
    assert fields.number() == 256
    assert fields.take(1) == b"x"
    with pytest.raises(Malformed, match="1 bytes too many") as caught:
        fields.finish()
    assert caught.value.position == 5


def test_a_length_beyond_the_end_is_refused() -> None:
    with pytest.raises(Malformed, match="cut short: 1 of 4294967295 bytes") as caught:
        Unpacking(b"\xff\xff\xff\xffx").string()
    assert caught.value.position == 4


@pytest.mark.parametrize("text", ["", "QR==", "QQ", "QQ=", "QQ==\n", "Q Q=", "QQ==QQ==", "é", "\udcff", "QQ-_"])
def test_base64_has_one_form(text: str) -> None:
    with pytest.raises(Malformed, match="base64"):
        read_base64(text)


def test_base64() -> None:
    assert read_base64("QQ==") == b"A"


def test_bytes_that_are_no_utf8_can_still_be_shown() -> None:
    assert read_text(b"a\xff") == "a\udcff"


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_byte_order_marks_are_refused(mark: bytes) -> None:
    with pytest.raises(Malformed, match="byte order mark"):
        read_text(mark + b"x")
