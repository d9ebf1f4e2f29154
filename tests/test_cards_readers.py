"""Readers of card files: what each format yields, and what is said of a file that is none."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from hiddenagenda.cards.conspiracies import AGENDA_KINDS, CONSPIRACIES
from hiddenagenda.cards.readers import jsonfile, stream
from hiddenagenda.cards.readers.recognise import read
from hiddenagenda.cards.readers.stream import Peekable
from hiddenagenda.cards.table import Kind, Row, write_row
from hiddenagenda.faults import HiddenAgendaError, Malformed, TooLarge

EN, DE = "en", "de"
CARD, HALF, FACE, WHOLE, TOKEN = Kind.CARD, Kind.HALF, Kind.FACE, Kind.WHOLE, Kind.TOKEN
PRINTED, CALLED, FLAVOR, FORMER = Kind.PRINTED, Kind.CALLED, Kind.FLAVOR, Kind.FORMER


def rows_of(data: bytes | str | list[Any] | dict[str, Any]) -> list[Row]:
    """The rows of a file with this content."""
    if not isinstance(data, bytes | str):
        data = json.dumps(data, ensure_ascii=False)
    return list(read(io.BytesIO(data.encode() if isinstance(data, str) else data)))


def brief(rows: list[Row]) -> list[tuple[str, str, Kind, str]]:
    """Rows without layouts and types."""
    return [(row.printed, row.language, row.kind, row.name) for row in rows]


def refusal(data: Any, code: str) -> str:
    """What is said of a file with this content."""
    with pytest.raises(Malformed) as caught:
        rows_of(data)
    assert caught.value.code == code
    return str(caught.value)


def scryfall(name: str, **more: Any) -> dict[str, Any]:
    """A card object of Scryfall."""
    return {"object": "card", "lang": "en", "layout": "normal", "name": name, "type_line": "Instant", **more}


def mtgjson(name: str, **more: Any) -> dict[str, Any]:
    """A card object of MTGJSON."""
    return {"name": name, "layout": "normal", "type": "Instant", "foreignData": [], **more}


SPLIT_FACES = [{"name": "Fire", "type_line": "Instant"}, {"name": "Ice", "type_line": "Sorcery"}]


def test_scryfall_card() -> None:
    assert rows_of([scryfall("Bolt")]) == [
        Row(printed="Bolt", language=EN, kind=CARD, name="Bolt", layout="normal", type_line="Instant")
    ]


def test_scryfall_split_card_has_the_types_of_its_faces() -> None:
    (fire, ice, whole) = rows_of([scryfall("Fire // Ice", layout="split", card_faces=SPLIT_FACES)])
    assert (fire.printed, fire.kind, fire.type_line) == ("Fire", HALF, "Instant")
    assert (ice.printed, ice.kind, ice.type_line) == ("Ice", HALF, "Sorcery")
    assert (whole.printed, whole.kind, whole.type_line) == ("Fire // Ice", WHOLE, None)
    (_, ice, _) = rows_of([scryfall("Fire // Ice", layout="split", type_line="Instant // Land")])
    assert ice.type_line == "Land"


def test_scryfall_printed_names() -> None:
    assert brief(rows_of([scryfall("Bolt", lang="de", printed_name="Blitz")]))[1:] == [
        ("Blitz", DE, PRINTED, "Bolt"),
        ("Blitz", DE, CALLED, "Bolt"),
    ]
    faces = [{**face, "printed_name": word} for face, word in zip(SPLIT_FACES, ("Feuer", "Eis"), strict=True)]
    assert brief(rows_of([scryfall("Fire // Ice", lang="de", layout="split", card_faces=faces)]))[3:] == [
        ("Feuer", DE, PRINTED, "Fire"),
        ("Feuer", DE, CALLED, "Fire"),
        ("Eis", DE, PRINTED, "Ice"),
        ("Eis", DE, CALLED, "Ice"),
        ("Feuer // Eis", DE, WHOLE, "Fire // Ice"),
    ]


def test_scryfall_second_titles() -> None:
    assert brief(rows_of([scryfall("Zilortha", flavor_name="Godzilla", lang="ja")]))[1:] == [
        ("Godzilla", EN, FLAVOR, "Zilortha")
    ]
    assert brief(rows_of([scryfall("Hide", printed_name="Restitching")]))[1:] == [("Restitching", EN, FLAVOR, "Hide")]
    assert len(rows_of([scryfall("Hide", printed_name="Hide")])) == 1


@pytest.mark.parametrize(
    "more",
    [
        {"layout": "token"},
        {"layout": "emblem"},
        {"type_line": "Token Artifact — Clue"},
        {"type_line": "Card"},
        {"layout": "double_faced_token", "name": "Clue // Clue"},
    ],
)
def test_scryfall_tokens_never_become_nameable(more: dict[str, Any]) -> None:
    assert brief(rows_of([scryfall("Clue") | more])) == [("Clue", EN, TOKEN, "Clue")]


@pytest.mark.parametrize(
    "more", [{"layout": "art_series"}, {"promo_types": ["rebalanced"]}, {"name": "A-Clue"}, {"name": "A-One // A-Two"}]
)
def test_scryfall_art_and_rebalanced_cards_yield_nothing(more: dict[str, Any]) -> None:
    assert rows_of([scryfall("Clue") | more]) == []


def test_reversible_cards_are_one_name() -> None:
    (row,) = rows_of([scryfall("Sol Ring // Sol Ring", layout="reversible_card", type_line="Artifact // Artifact")])
    assert (row.printed, row.kind) == ("Sol Ring", CARD)


def test_a_card_under_its_former_name_is_the_card_of_today() -> None:
    assert brief(rows_of([scryfall("Lucille")])) == [("Lucille", EN, FORMER, "Gisa's Favorite Shovel")]


FOREIGN = [{"language": "German", "name": "Blitz"}, {"language": "Klingon", "name": "x"}, {"language": "French"}]
BLITZ = [("Bolt", EN, CARD, "Bolt"), ("Blitz", DE, PRINTED, "Bolt"), ("Blitz", DE, CALLED, "Bolt")]


@pytest.mark.parametrize(
    "shape",
    [
        lambda card: {"meta": {"date": "x"}, "data": {"Bolt": [card]}},  # AtomicCards
        lambda card: {"Bolt": [card]},  # what is in it
        lambda card: {"Bolt": card},  # version 4, AllCards
        lambda card: {"meta": {}, "data": {"CNS": {"name": "Conspiracy", "cards": [card], "tokens": []}}},
        lambda card: {"CNS": {"name": "Conspiracy", "booster": {"cards": [1]}, "cards": [card]}},
        lambda card: {"meta": {}, "data": {"code": "CNS", "cards": [card], "translations": {"German": None}}},
        lambda card: {"baseSetSize": 1, "cards": [card], "meta": {}, "tokens": [], "sealedProduct": [{"name": "x"}]},
        lambda card: {"CNS": {"cards": [[], 1, card], "other": {"a": [{}]}}},
    ],
)
def test_mtgjson_in_every_shape(shape: Any) -> None:
    assert brief(rows_of(shape(mtgjson("Bolt", foreignData=FOREIGN)))) == BLITZ


def test_mtgjson_faces() -> None:
    foreign = [{"language": "German", "name": "Feuer // Eis", "faceName": "Feuer"}]
    card = mtgjson("Fire // Ice", faceName="Fire", layout="split", foreignData=foreign)
    found = rows_of({"cards": [card]})
    assert [(row.printed, row.type_line) for row in found[:3]] == [
        ("Fire", "Instant"),
        ("Ice", None),
        ("Fire // Ice", None),
    ]
    assert brief(found)[3:] == [
        ("Feuer", DE, PRINTED, "Fire"),
        ("Feuer", DE, CALLED, "Fire"),
        ("Feuer // Eis", DE, WHOLE, "Fire // Ice"),
    ]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("Feuer // Eis", ["Eis", "Eis", "Feuer // Eis"]),
        ("Eis", ["Eis", "Eis"]),
        ("Eis (Feuer/Eis)", ["Eis", "Eis (Feuer/Eis)", "Eis"]),
        ("Eis (kalt)", ["Eis (kalt)", "Eis (kalt)"]),
    ],
)
def test_mtgjson_printed_names_of_one_face(printed: str, expected: list[str]) -> None:
    card = mtgjson("Fire // Ice", faceName="Ice", layout="split", foreignData=[{"language": "German", "name": printed}])
    found = [row for row in rows_of({"cards": [card]}) if row.language == DE]
    assert [row.printed for row in found] == expected
    assert {row.name for row in found} <= {"Ice", "Fire // Ice"}


def test_mtgjson_4_joins_the_names_of_a_card() -> None:
    card = mtgjson("Ice", names=["Fire", "Ice"], layout="split")
    found = rows_of({"cards": [card]})
    assert [(row.printed, row.type_line) for row in found] == [
        ("Fire", None),
        ("Ice", "Instant"),
        ("Fire // Ice", None),
    ]


def test_mtgjson_second_titles() -> None:
    assert brief(rows_of({"cards": [mtgjson("Zilortha", flavorName="Godzilla")]}))[1:] == [
        ("Godzilla", EN, FLAVOR, "Zilortha")
    ]
    card = mtgjson("A // B", faceName="B", layout="transform", flavorName="X // Y", faceFlavorName="Y")
    assert brief(rows_of({"cards": [card]}))[3:] == [("Y", EN, FLAVOR, "B")]


def test_mtgjson_tokens_and_rebalanced_cards() -> None:
    clue = {"name": "Clue", "layout": "token", "type": "Token Artifact — Clue"}
    assert brief(rows_of({"cards": [mtgjson("Bolt"), clue], "tokens": [clue]}))[1:] == [("Clue", EN, TOKEN, "Clue")] * 2
    assert rows_of({"cards": [mtgjson("Bolt", isRebalanced=True), mtgjson("A-Bolt")]}) == []


def test_unexpected_types_of_members_are_no_names() -> None:
    odd = mtgjson("Bolt", foreignData="x", names={"a": 1}, faceName=[["x"], 1], flavorName=3)
    assert brief(rows_of({"cards": [odd]})) == [("Bolt", EN, CARD, "Bolt")]
    assert [row.printed for row in rows_of([scryfall("Bolt") | {"card_faces": [1, "a"], "name": {"x": []}}])] == [""]


def test_names_are_tidied_and_line_breaks_stay_to_be_refused() -> None:
    nfd = "Se\u0301ance\u00a0\u2009 Board "
    assert [row.name for row in rows_of([scryfall(nfd)])] == ["Séance Board"]
    assert [row.name for row in rows_of({nfd: [mtgjson(nfd)]})] == ["Séance Board"]
    assert [row.name for row in rows_of(nfd)] == ["Séance Board"]
    (broken,) = rows_of([scryfall("Double\nStroke")])
    with pytest.raises(Malformed):
        write_row(broken)


COCKATRICE = '<?xml version="1.0"?><cockatrice_carddatabase version="{version}">{body}</cockatrice_carddatabase>'


@pytest.mark.parametrize("version", ["3", "4"])
def test_cockatrice(version: str) -> None:
    body = (
        "<sets><set><name>CNS</name></set></sets><cards>"
        "<card><name>Bolt</name><prop><type>Instant</type><layout>normal</layout></prop><text>name</text></card>"
        "<card><name>Fire // Ice</name><prop><layout>split</layout><type>Instant // Instant</type></prop></card>"
        "<card><name>Clue Token </name><token>1</token></card>"
        "<card><name>Food (Token)</name><type>Token Artifact</type></card>"
        "</cards>"
    )
    found = rows_of(COCKATRICE.format(version=version, body=body))
    assert found[0] == Row(printed="Bolt", language=EN, kind=CARD, name="Bolt", layout="normal", type_line="Instant")
    assert brief(found)[1:] == [
        ("Fire", EN, HALF, "Fire"),
        ("Ice", EN, HALF, "Ice"),
        ("Fire // Ice", EN, WHOLE, "Fire // Ice"),
        ("Clue Token", EN, TOKEN, "Clue Token"),
        ("Clue", EN, TOKEN, "Clue"),
        ("Food (Token)", EN, TOKEN, "Food (Token)"),
        ("Food", EN, TOKEN, "Food"),
    ]


def test_what_xml_says_of_its_encoding_is_not_believed() -> None:
    body = "<cards><card><name>Séance</name></card></cards>"
    text = COCKATRICE.format(version="4", body=body)
    for encoding in ("UTF-9", "latin-1", "utf-16"):
        told = text.replace('"1.0"', f'"1.0" encoding="{encoding}"')
        assert [row.name for row in rows_of(told)] == ["Séance"]
        assert "damaged" in refusal(told.encode("latin-1"), "xml")


def test_plain_list() -> None:
    text = (
        "\ufeff# mine\r\nBolt\r\n\r\nFire // Ice\nde\tBlitz\tBolt\tLEA\nde\tFeuer // Eis\tFire // Ice\nfr\tFoudre\tBolt"
    )
    assert brief(rows_of(text)) == [
        ("Bolt", EN, CARD, "Bolt"),
        ("Fire", EN, FACE, "Fire"),
        ("Ice", EN, FACE, "Ice"),
        ("Fire // Ice", EN, WHOLE, "Fire // Ice"),
        ("Blitz", DE, PRINTED, "Bolt"),
        ("Blitz", DE, CALLED, "Bolt"),
        ("Feuer // Eis", DE, WHOLE, "Fire // Ice"),
        ("Foudre", "fr", PRINTED, "Bolt"),
        ("Foudre", "fr", CALLED, "Bolt"),
    ]


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (b"", "empty", "empty"),
        (b" \n ", "empty", "empty"),
        (b"\xef\xbb\xbf", "empty", "empty"),
        (b"SQLite format 3\x00....", "no-cards", "SQLite"),
        (b"%PDF-1.7", "no-cards", "PDF"),
        (b"\x89PNG\r\n", "no-cards", "picture"),
        (b"\x00\x01\x02\x03\x04\x05", "no-cards", "no text"),
        (b"ab\x00", "no-cards", "no text"),
        ("[]".encode("utf-16"), "encoding", "UTF-16"),
        ("Lightning Bolt".encode("utf-16-be"), "encoding", "UTF-16"),
        (b"\xef\xbb\xbf[]", "encoding", "byte order mark"),
        (b"<!DOCTYPE html><html>", "no-cards", "web page"),
        (b"<HTML><body>", "no-cards", "web page"),
        (b"<!-- x --><!DOCTYPE html><html>", "web-page", "web page"),
        (b"<!-- x --><html>", "web-page", "web page"),
        (b"<!DOCTYPE x><cockatrice_carddatabase version='4'/>", "doctype", "document type"),
        (b"<order><cards/></order>", "other-xml", "<order>"),
        (b"<cockatrice_carddatabase version='1'/>", "old-format", "version 1"),
        (b"<cockatrice_carddatabase version='2'/>", "old-format", "version 2"),
        (b"<cockatrice_carddatabase version='5'/>", "other-version", "version 5"),
        (b"<cockatrice_carddatabase version='4'>" + b"<a>" * 20, "xml", "nested"),
        (b"<cockatrice_carddatabase version='4'><cards>", "xml", "cut short"),
        (b"<cockatrice_carddatabase version='4'>\xff</cockatrice_carddatabase>", "xml", "damaged"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "other-program", "Git LFS"),
        (b"Name:Bolt\nManaCost:R\nTypes:Instant\n", "other-program", "Forge"),
        (b"Bolt|Alpha|1|C|R|Instant|||\n", "other-program", "XMage"),
        (b"artist,asciiName,availability,name\n", "other-program", "CSV"),
        (b"de\tx\n", "plain-list", "line 1"),
        (b"Bolt\nDE\tx\ty\n", "plain-list", "line 2"),
        (b"x" * 300, "plain-list", "line 1"),
        (b"x" * 70_000, "plain-list", "too long"),
        (b"Bolt\nS\xe9ance\n", "encoding", "line 2"),
        (b"[1", "json", "cut short"),
        (b"[NaN]", "json", "no JSON"),
        (b'[{"object":"card","name":"A"}] x', "json", "no JSON"),
        (b'["\xe9"]', "json", "UTF-8 at byte 2"),
        (b'{"object":"bulk_data","download_uri":"x"}', "no-cards", "description of a bulk file"),
        (b'{"object":"list","has_more":true,"data":[{"object":"card"}]}', "no-cards", "page of a search"),
        (b'{"object":"error","status":404}', "no-cards", "error message"),
        (b'{"object":"card","name":"Bolt"}', "no-cards", "single card"),
        (b'[{"object":"bulk_data"}]', "no-cards", "description of a bulk file"),
        (b'[{"name":"Bolt"}]', "no-cards", "something else"),
        (b'["Bolt"]', "no-cards", "something else"),
        (b"[]", "no-cards", "empty list"),
        (b"{}", "no-cards", "no cards"),
        (b'{"Bolt":[{"setName":"Alpha"}]}', "no-cards", "another program"),
        (b'{"Bolt":{"name":"Bolt"}}', "no-cards", "another program"),
        (b'{"meta":{"date":"x"},"data":{"date":"x"}}', "no-cards", "MTGJSON without cards"),
        (b'{"meta":{},"data":[{"code":"CNS"}]}', "no-cards", "MTGJSON without cards"),
        (b'{"cards":[{"name":"Bolt","imageName":"bolt"}]}', "old-format", "MTGJSON 3"),
        (b'{"Bolt":{"name":"Bolt","layout":"normal","imageName":"bolt"}}', "old-format", "MTGJSON 3"),
        (b'[{"object":"card","name":"A","name":"B"}]', "json", "“name” twice"),
        (b'{"Bolt":{"name":"Bolt","name":"Bolt"}}', "json", "“name” twice"),
    ],
)
def test_a_file_that_is_none_is_named_for_what_it_is(data: bytes, code: str, said: str) -> None:
    assert said in refusal(data, code)


def test_a_lone_value_is_no_file_of_cards() -> None:
    with pytest.raises(Malformed, match="holds no cards"):
        list(jsonfile.read(Peekable(io.BytesIO(b"1"))))


def test_depth_and_length_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    assert "no cards" in refusal(deep, "no-cards")
    monkeypatch.setattr("hiddenagenda.cards.readers.jsontext.LONGEST", 100_000)
    with pytest.raises(TooLarge, match="too long"):
        rows_of(b'["' + b"x" * 300_000 + b'"]')
    monkeypatch.setattr("hiddenagenda.cards.readers.cockatrice.LONGEST", 100_000)
    start = b"<cockatrice_carddatabase version='4'><cards><card><name"
    with pytest.raises(TooLarge, match="too long"):
        rows_of(start + b" " * 300_000 + b">")
    with pytest.raises(TooLarge, match="too long"):
        rows_of(start + b">" + b"x" * 300_000 + b"</name></card></cards></cockatrice_carddatabase>")
    with pytest.raises(TooLarge, match="too long"):
        rows_of(start + b">" + b"x<a/>" * 300_000)


def test_the_whole_is_bounded() -> None:
    with pytest.raises(TooLarge, match="far larger"):
        Peekable(io.BytesIO(b"x" * 11), most=10).read(11)
    assert stream.MOST > 2 << 30


def test_a_stream_can_be_looked_at_before_it_is_read() -> None:
    ahead = Peekable(io.BytesIO(b"abcdef"))
    assert ahead.peek(3) == b"abc"
    ahead.skip(b"xy")
    ahead.skip(b"ab")
    assert (ahead.read(1), ahead.read(), ahead.read()) == (b"c", b"def", b"")


PLAIN = b"Bolt\nSol Ring\n"


def zipped(*members: tuple[str, bytes]) -> bytes:
    """A zip archive."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return whole.getvalue()


def tarred(data: bytes) -> bytes:
    """A tar archive."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        member = tarfile.TarInfo("x.json")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return whole.getvalue()


PACKED = {
    "gz": gzip.compress(PLAIN),
    "two gz": gzip.compress(PLAIN[:5]) + gzip.compress(PLAIN[5:]),
    "bz2": bz2.compress(PLAIN),
    "xz": lzma.compress(PLAIN),
    "two xz": lzma.compress(PLAIN[:5]) + bytes(4) + lzma.compress(PLAIN[5:]) + bytes(4),
    "zst": zstandard.compress(PLAIN),
    "zip": zipped(("any name", PLAIN)),
}


@pytest.mark.parametrize("packing", PACKED)
def test_packed_files_are_read(packing: str) -> None:
    assert [row.name for row in rows_of(PACKED[packing])] == ["Bolt", "Sol Ring"]


def test_all_files_of_a_zip_are_read() -> None:
    found = rows_of(zipped(("folder/", b""), ("a.json", json.dumps([scryfall("Bolt")]).encode()), ("b.txt", b"Ring")))
    assert [row.name for row in found] == ["Bolt", "Ring"]


@pytest.mark.parametrize("packing", PACKED)
def test_packed_files_cut_anywhere_are_damaged(packing: str) -> None:
    whole = PACKED[packing]
    for end in range(len(whole) // 2, len(whole) - 1):
        try:
            assert len(rows_of(whole[:end])) <= 2
        except Malformed:
            continue


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (PACKED["gz"][:-3], "packing"),
        (PACKED["bz2"][:-3], "packing"),
        (PACKED["xz"][:-3], "packing"),
        (PACKED["xz"] + b"x", "packing"),
        (PACKED["zst"][:8] + b"xxxxxxxxxxxx", "packing"),
        (PACKED["zip"][:-5], "packing"),
        (PACKED["zip"].replace(PACKED["zip"][40:48], b"xxxxxxxx"), "packing"),
        (b"PK\x03\x04", "packing"),
        (zipped(), "archive"),
        (zipped(("folder/", b"")), "archive"),
        (zipped(("a.zip", zipped(("b", PLAIN)))), "archive"),
        (gzip.compress(PACKED["xz"]), "archive"),
        (tarred(PLAIN), "archive"),
        (gzip.compress(tarred(PLAIN)), "archive"),
        (b"7z\xbc\xaf'\x1c....", "archive"),
        (b"Rar!....", "archive"),
    ],
    ids=lambda given: given if isinstance(given, str) else "data",  # the data of some hold the time of day
)
def test_archives_that_cannot_be_unpacked_say_so(data: bytes, code: str) -> None:
    refusal(data, code)


def test_a_member_without_a_name_is_a_file() -> None:
    data = zipped(("a", b"Bolt\n"))
    nameless = zipped(("qq", b"Bolt\n")).replace(b"qq", b"\x00\x00")
    assert [row.name for row in rows_of(nameless)] == ["Bolt"]
    refusal(data.replace(b"PK\x01\x02", b"PK\x01\x03"), "packing")


def test_an_encrypted_member_is_refused() -> None:
    data = bytearray(zipped(("a.json", b"[]")))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    refusal(bytes(data), "packing")


def test_an_xz_that_asks_for_much_memory_is_refused() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    refusal(lzma.compress(PLAIN, filters=filters), "packing")


def test_a_disk_error_while_unpacking_stays_one() -> None:
    class Failing(io.BytesIO):
        reads = 0

        def read(self, size: int | None = -1, /) -> bytes:
            self.reads += 1
            if self.reads > 1:
                raise OSError(5, "Input/output error")
            return super().read(size)

    with pytest.raises(OSError, match="Input/output"):
        list(read(Failing(PACKED["gz"])))


RAW = {
    "json-ansi-in-name": 1,
    "json-bom": "encoding",
    "json-c1-in-name": 1,
    "json-duplicate-key": "json",
    "json-empty": "empty",
    "json-gzip": 2,
    "json-html-error-page": "no-cards",
    "json-huge-int": "json",
    "json-latin1": "json",
    "json-name-10k": 1,
    "json-name-empty": 1,
    "json-nan": "json",
    "json-newline-in-name": 1,
    "json-ok": 2,
    "json-utf16be-nobom": "encoding",
    "json-utf16le-bom": "encoding",
    "xml-external-entity": "doctype",
    "xml-harmless-doctype": "doctype",
    "xml-truncated": "xml",
    "xml-utf16": "encoding",
    "xml-version-5": "other-version",
}


def good(path: Path) -> list[Row]:
    """The rows of a file that can stand in a table."""
    kept = []
    with path.open("rb") as file:
        for row in read(file):
            try:
                write_row(row)
            except Malformed:
                continue
            kept.append(row)
    return kept


def test_every_shared_defect_ends_as_it_must(shared: Path) -> None:
    files = {path.stem: path for path in (shared / "corpora" / "cli-security" / "raw").iterdir()}
    assert set(files) == set(RAW)
    for name, expected in RAW.items():
        if isinstance(expected, int):
            assert len(good(files[name])) == expected, name
            continue
        with pytest.raises(HiddenAgendaError) as caught:
            good(files[name])
        assert caught.value.code == expected, name


def test_shared_card_files_hold_the_conspiracies(shared: Path) -> None:
    folder = shared / "corpora" / "cards"
    for name, known, agendas in (
        ("mtgjson5_CNS_excerpt.json", 13, 8),
        ("mtgjson5_AtomicCards_shape_CNS.json", 13, 8),
        ("scryfall_CNS_conspiracies_2019.json", 12, None),
    ):
        cards = {row.name for row in good(folder / name) if row.kind.may_be_named}
        assert len(cards & set(CONSPIRACIES)) == known, name
        assert agendas is None or len(cards & set(AGENDA_KINDS)) == agendas


def test_shared_tokens_never_become_nameable(shared: Path) -> None:
    folder = shared / "corpora" / "cards"
    for name in ("cockatrice_v4_Magic-Token_excerpt.xml", "cockatrice_v4_spoilers.xml"):
        assert {row.kind for row in good(folder / name)} == {Kind.TOKEN}
    tokens = [row.name for row in good(folder / "mtgjson5_CNS_excerpt.json") if row.kind is Kind.TOKEN]
    assert tokens == ["Spirit", "Demon", "Zombie"]


def test_shared_files_of_other_programs_are_named(shared: Path) -> None:
    folder = shared / "corpora" / "cards"
    for name, code, said in (
        ("cockatrice_v1_cards_excerpt.xml", "old-format", "version 1"),
        ("mtgjson3_CN2_excerpt.json", "old-format", "MTGJSON 3"),
        ("mtgjson3_CNS.jp_excerpt.json", "old-format", "MTGJSON 3"),
        ("wrong-file_scryfall_bulk_descriptor.json", "no-cards", "description of a bulk file"),
        ("wrong-file_third-party_AllCards.json", "no-cards", "another program"),
        ("xmage_mtg-cards-data_excerpt.txt", "other-program", "XMage"),
        ("forge/fire_ice.txt", "other-program", "Forge"),
        ("SOURCE.txt", "plain-list", "no list of names"),
    ):
        with pytest.raises(Malformed, match=said) as caught:
            good(folder / name)
        assert caught.value.code == code


def test_shared_multiface_files_keep_every_face(shared: Path) -> None:
    folder = shared / "corpora" / "cards"
    found = {
        (row.printed, row.language): row
        for name in ("APC", "CHK", "EMN", "UNH")
        for row in good(folder / f"mtgjson5_{name}_multiface_excerpt.json")
    }
    for name in ("Fire", "Ice", "Dokai, Weaver of Life", "Brisela, Voice of Nightmares", "Where", "_____"):
        assert found[name, "en"].kind.may_be_named, name
    assert found["火", "ja"].name == "Fire"
    assert found["Brisela, Stimme der Albträume", "de"].name == "Brisela, Voice of Nightmares"
    assert found["Who // What // When // Where // Why", "en"].kind is Kind.WHOLE
    scryfall_rows = good(folder / "scryfall_all-cards_excerpt.json")
    assert ("Jace, prodige de Vryn", "fr", Kind.PRINTED, "Jace, Vryn's Prodigy") in brief(scryfall_rows)
