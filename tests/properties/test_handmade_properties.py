"""Digests by hand, for any text: what is claimed always fits, and what happened is found again."""

import contextlib
import hashlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenagenda.digests import ALGORITHMS, Algorithm, read_digits
from hiddenagenda.faults import Malformed
from hiddenagenda.handmade import Outcome, explain
from hiddenagenda.mistakes import ENCODINGS, TEXT_STAGES, verbatim
from hiddenagenda.token import WHITE_SPACE

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.from_regex(
    r"[A-Z][a-zé]{1,8}'?s? [A-Z][a-zû]{1,8}[ :|][0-9a-f]{8,16}", fullmatch=True
)
functions = st.sampled_from(ALGORITHMS)
digests = st.tuples(functions, st.binary()).map(lambda pair: pair[0].make(pair[1]).hex())


def by(name: str, data: bytes) -> bytes:
    return next(function for function in ALGORITHMS if function.name == name).make(data)


@settings(max_examples=60, deadline=None)
@given(text=texts, function=functions, data=st.data())
def test_two_causes_are_always_found_and_the_bytes_named_have_the_published_digest(
    text: str, function: Algorithm, data: st.DataObject
) -> None:
    unusual = next(other for other in ALGORITHMS if other.digits == function.digits) is not function
    changed = data.draw(st.sampled_from([row for stage in TEXT_STAGES for row in stage])).make(text)
    changed = text if changed is None or unusual else changed
    hashed = data.draw(st.sampled_from(ENCODINGS)).make(changed)
    hashed = verbatim(changed) if hashed is None else hashed
    explanation = explain(function.make(hashed).hex(), text)
    assert explanation.outcome in {Outcome.EXACT, Outcome.EXPLAINED}
    assert explanation.hashed == hashed
    assert explanation.algorithm == function.name
    assert by(function.name, explanation.hashed).hex() == explanation.published.digits
    assert len(explanation.causes) <= 2


@settings(max_examples=20, deadline=None)
@given(text=texts, other=texts)
def test_another_text_is_explained_only_by_bytes_that_fit(text: str, other: str) -> None:
    explanation = explain(hashlib.sha256(verbatim(other)).hexdigest(), text)
    assert (explanation.outcome is Outcome.UNEXPLAINED) == (explanation.hashed is None)
    assert explanation.hashed in {None, verbatim(other)}
    assert (explanation.outcome is Outcome.EXACT) == (text == other)


@settings(max_examples=30, deadline=None)
@given(text=texts)
def test_the_line_to_reproduce_spells_the_bytes(text: str) -> None:
    explanation = explain(hashlib.sha256(verbatim(text) + b"\r\n").hexdigest(), text)
    assert explanation.hashed is not None
    assert explanation.reproduce is not None
    assert explanation.reproduce.isascii()
    assert explanation.reproduce.isprintable()
    found = re.fullmatch(r"printf '(?!-)([^'%\\]|\\[0-7]{3})*' \| sha256sum", explanation.reproduce)
    assert found
    written = explanation.reproduce.removeprefix("printf '").removesuffix("' | sha256sum").encode()
    assert re.sub(rb"\\([0-7]{3})", lambda octal: bytes([int(octal[1], 8)]), written) == explanation.hashed


@given(digest=digests, data=st.data())
def test_a_digest_survives_what_is_tolerated(digest: str, data: st.DataObject) -> None:
    gaps = data.draw(st.lists(st.tuples(st.integers(1, len(digest)), st.sampled_from(WHITE_SPACE))))
    pasted = list(digest)
    for place, gap in sorted(gaps, reverse=True):
        pasted.insert(place, gap)
    shown = "".join(pasted).upper() if data.draw(st.booleans()) else "".join(pasted)
    assert read_digits(data.draw(st.sampled_from(["", ">", "> > "])) + shown).digits == digest


@given(digest=digests, place=st.integers(0, 127), stranger=st.characters())
def test_any_other_character_is_refused(digest: str, place: int, stranger: str) -> None:
    at = place % len(digest)
    if stranger in WHITE_SPACE or re.fullmatch("[0-9A-Fa-f]", stranger) or (stranger == ">" and at == 0):
        return
    for pasted in (digest[:at] + stranger + digest[at:], digest[:at] + stranger + digest[at + 1 :]):
        with pytest.raises(Malformed) as caught:
            read_digits(pasted)
        assert caught.value.code in {"digest-character", "digest-prefix"}


@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fail_otherwise(text: str) -> None:
    with contextlib.suppress(Malformed):
        assert re.fullmatch("[0-9a-f]+", read_digits(text).digits)
