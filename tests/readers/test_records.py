"""Records come out of a file one at a time, whatever the file is made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.errors import TranscriptError
from turnstate.readers.records import RawRecord, records

SCALARS = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=8)
OBJECTS = st.dictionaries(st.text(max_size=4), SCALARS, max_size=3)


def _read(folder: Path, content: bytes) -> list[RawRecord]:
    path = folder / "file.jsonl"
    path.write_bytes(content)
    return list(records(path))


def _data(found: list[RawRecord]) -> list[Any]:
    return [record.data for record in found]


@given(objects=st.lists(OBJECTS, min_size=1), ending=st.sampled_from(["\n", "\r\n", "\n\n", " \n"]))
def test_lines_come_back_in_order(
    tmp_path_factory: pytest.TempPathFactory, objects: list[object], ending: str
) -> None:
    """Each line is one record, numbered from 1 without the blank lines, and the last one ends the file."""
    folder = tmp_path_factory.mktemp("lines")
    content = "".join(json.dumps(item) + ending for item in objects).encode()
    found = _read(folder, content)
    assert _data(found) == objects
    assert [record.number for record in found] == list(range(1, len(objects) + 1))
    assert found[-1].end <= len(content)
    assert not any(record.problem for record in found)


@given(objects=st.lists(OBJECTS.filter(lambda item: "role" not in item), min_size=1))
def test_one_document_is_a_list_of_records(
    tmp_path_factory: pytest.TempPathFactory, objects: list[object]
) -> None:
    """Indented JSON is read as a whole; a list of objects is as many records."""
    folder = tmp_path_factory.mktemp("document")
    found = _read(folder, json.dumps(objects, indent=2).encode())
    assert _data(found) == objects
    assert [record.number for record in found] == list(range(1, len(objects) + 1))


@given(content=st.binary(max_size=200))
def test_any_bytes_are_read_or_reported(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Nothing that can stand in a file stops the reading; what is no JSON says so."""
    found = _read(tmp_path_factory.mktemp("bytes"), content)
    assert all(record.problem or record.data is not None or b"null" in content for record in found)
    assert [record.number for record in found] == list(range(1, len(found) + 1))


def test_a_list_of_messages_on_a_line_is_one_record(tmp_path: Path) -> None:
    """A list is spread only where it holds records, not messages."""
    messages = [{"role": "user", "content": "hi"}]
    line = json.dumps(messages) + "\n"
    assert _data(_read(tmp_path, (line + line).encode())) == [messages, messages]
    assert _data(_read(tmp_path, json.dumps([{"messages": messages}, {"id": 2}]).encode())) == [
        {"messages": messages},
        {"id": 2},
    ]


def test_an_indented_list_of_messages_is_one_record(tmp_path: Path) -> None:
    """One conversation over many lines, as a person would save it."""
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    assert _data(_read(tmp_path, json.dumps(messages, indent=2).encode())) == [messages]


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """Some editors put one before UTF-8."""
    assert _data(_read(tmp_path, b'\xef\xbb\xbf{"a": 1}\n')) == [{"a": 1}]
    assert _data(_read(tmp_path, b'\xef\xbb\xbf{\n"a": 1\n}\n')) == [{"a": 1}]


def test_null_is_a_record_and_not_a_blank_line(tmp_path: Path) -> None:
    """It is then refused by the format, with its number."""
    assert _read(tmp_path, b"null\n\n1\n") == [RawRecord(1, None, "", 5), RawRecord(2, 1, "", 8)]


def test_raw_control_characters_and_lone_surrogates_are_kept(tmp_path: Path) -> None:
    """Logs hold them; they are made sendable later, on the way to a provider."""
    found = _read(tmp_path, b'{"a": "x\x00\ty\\ud800"}\n')
    assert _data(found) == [{"a": "x\0\ty\ud800"}]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"a": 1}\n{"a": \n', "is not JSON"),
        (b'{"a": 1}\n\xff\n', "is not UTF-8 at byte 1"),
        (b"\xff\xfe{\x00}\x00", "is UTF-16"),
        (b'{"a": 1}\n' + b"[" * 100_000 + b"\n", "is nested too deeply"),
        (b'{"a": 1}\n' + b"1" * 5_000 + b"\n", "holds a value that cannot be read"),
    ],
)
def test_what_does_not_decode_says_why(tmp_path: Path, content: bytes, problem: str) -> None:
    """A bad record is reported with its reason, and the reading goes on."""
    last = _read(tmp_path, content + b'\n{"b": 2}\n')
    assert problem in next(record.problem for record in last if record.problem)


def test_reading_goes_on_after_a_bad_record(tmp_path: Path) -> None:
    """Also when the first one is bad."""
    found = _read(tmp_path, b'{bad\n{"a": 1}\nworse\n{"b": 2}\n')
    assert [(record.number, record.data) for record in found] == [
        (1, None),
        (2, {"a": 1}),
        (3, None),
        (4, {"b": 2}),
    ]


def test_the_file_is_not_read_ahead(tmp_path: Path) -> None:
    """The first record is there before the others are looked at, so that a file may be larger than memory."""
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        for number in range(20_000):
            file.write(json.dumps({"number": number, "filler": "x" * 100}).encode() + b"\n")
    first = next(records(path))
    assert first.data["number"] == 0
    assert first.end < 200


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    """With the path and the reason."""
    with pytest.raises(TranscriptError, match=r"nowhere\.jsonl: cannot be read \(No such file"):
        list(records(tmp_path / "nowhere.jsonl"))
