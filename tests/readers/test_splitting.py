"""A list that is larger than memory is split as a decoder would split it."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.readers.recognise import read_transcripts
from turnstate.readers.splitting import Slice, Splitter
from turnstate.readers.transcript import Transcript

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=4), inside, max_size=4),
    max_leaves=20,
)


class Dribble(io.BytesIO):
    """A file that gives a few bytes at a time, so that every place is once the end of what is held."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Three bytes at most."""
        return super().read(min(3, 3 if size is None or size < 0 else size))


def _split(content: bytes, longest: int = 10**6) -> list[Slice]:
    return list(Splitter(io.BytesIO(content), longest))


@given(items=st.lists(JSON, max_size=6), indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
def test_the_items_are_those_of_the_list(
    items: list[object], indent: int | None, *, ascii_only: bool
) -> None:
    """Whatever brackets, quotes and backslashes stand in their texts, and wherever a read ends."""
    content = json.dumps(items, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    for file in (io.BytesIO(content), Dribble(content)):
        splitter = Splitter(file, 10**6)
        found = list(splitter)
        decoded = [json.loads((item.raw or b"").decode("utf-8", "surrogatepass")) for item in found]
        assert (decoded, splitter.finished) == (items, True)
        assert [item.end for item in found] == sorted(item.end for item in found)


@given(content=st.binary(max_size=80))
def test_any_bytes_come_to_an_end(content: bytes) -> None:
    """And no byte is given twice."""
    found = _split(b"[" + content, 20)
    assert sum(len(item.raw or b"") for item in found) <= len(content) + 1


def test_an_item_that_does_not_decode_does_not_stop_the_others() -> None:
    """It is cut at its brackets."""
    assert [item.raw for item in _split(b'[{"a": 1}, {"b": oops}, {"c": 3}]')] == [
        b'{"a": 1}',
        b'{"b": oops}',
        b'{"c": 3}',
    ]


def test_an_item_that_is_too_long_is_passed_over() -> None:
    """It has no bytes; those behind it are read."""
    content = b'[{"a": 1}, {"b": [' + b"{}," * 500_000 + b'{}]}, {"c": 3}]'
    assert [item.raw for item in _split(content, 1_000)] == [b'{"a": 1}', None, b'{"c": 3}']


def _chats(count: int) -> Iterator[str]:
    for number in range(count):
        talk = {"id": f"c{number}", "messages": [{"role": "user", "content": "hi"}], "filler": "x" * 100_000}
        yield ("[" if number == 0 else ",") + json.dumps(talk)
    yield "]"


@pytest.mark.parametrize("newline", ["", "\n"])
def test_a_list_is_read_one_record_at_a_time(tmp_path: Path, newline: str) -> None:
    """On one line or on many: the first record is there after a part of the file, and every record has its number."""
    path = tmp_path / "list.json"
    path.write_text(newline.join(_chats(40)), encoding="utf-8")
    seen: list[int] = []
    found = list(read_transcripts(path, lambda done, _: seen.append(done)))
    assert [item.record for item in found] == list(range(1, 41))
    assert all(isinstance(item, Transcript) for item in found)
    assert seen[0] < path.stat().st_size / 20
    assert seen == sorted(seen)


def test_a_list_that_does_not_end_says_so(tmp_path: Path) -> None:
    """What was read before stands."""
    path = tmp_path / "list.json"
    path.write_text("\n".join(list(_chats(3))[:-1]), encoding="utf-8")
    *found, last = read_transcripts(path)
    assert len(found) == 3
    assert "the list does not end" in str(last)


@pytest.mark.parametrize("form", ["lines", "list", "runs"])
def test_memory_is_flat(tmp_path: Path, form: str) -> None:
    """Much less than the file is held at a time, also where conversations are spread over records."""
    said = [{"role": "user", "content": "x" * 100_000}]
    records = [{"id": f"c{number}", "messages": said} for number in range(60)]
    if form == "runs":
        records = [{"id": item["id"], "run_type": "llm", "inputs": item, "outputs": None} for item in records]
    lines = [json.dumps(record) for record in records]
    path = tmp_path / "large"
    path.write_text("[" + ",".join(lines) + "]" if form == "list" else "\n".join(lines), encoding="utf-8")
    tracemalloc.start()
    count = sum(isinstance(item, Transcript) for item in read_transcripts(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 60
    assert peak < path.stat().st_size * 0.75
