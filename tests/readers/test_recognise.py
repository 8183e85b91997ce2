"""A transcript file is recognised by its content, and read one record at a time."""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.errors import TranscriptError
from turnstate.readers.recognise import PROBED, read_transcripts
from turnstate.readers.transcript import Transcript

CHAT = json.dumps({"id": "c", "messages": [{"role": "user", "content": "hi"}]})


def _write(folder: Path, *lines: str, name: str = "chats.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_bad_records_are_reported_and_the_others_read(tmp_path: Path) -> None:
    """With the file, the record's number and the reason."""
    path = _write(tmp_path, CHAT, "{oops", "", '{"messages": []}', CHAT)
    good, bad, empty, last = read_transcripts(path)
    assert isinstance(good, Transcript)
    assert isinstance(last, Transcript)
    assert (good.record, last.record) == (1, 4)
    assert isinstance(bad, TranscriptError)
    assert isinstance(empty, TranscriptError)
    assert (bad.path, bad.record) == (str(path), 2)
    assert bad.reason.startswith("is not JSON")
    assert (empty.record, empty.reason) == (3, "has no user message")


def test_a_file_may_begin_with_bad_records(tmp_path: Path) -> None:
    """Up to a score of them."""
    found = list(read_transcripts(_write(tmp_path, *["{oops"] * (PROBED - 1), CHAT)))
    assert isinstance(found[-1], Transcript)
    assert len(found) == PROBED


def test_ids_come_from_the_file_where_records_have_none(tmp_path: Path) -> None:
    """The file's name and the record's number."""
    path = _write(tmp_path, json.dumps([{"role": "user", "content": "hi"}]))
    (transcript,) = read_transcripts(path)
    assert isinstance(transcript, Transcript)
    assert transcript.id == "chats:1"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"\n \r\n", "is empty"),
        (b"hello\nworld\n", "holds no transcript of a known format (record 1 is not JSON"),
        (
            b'{"from": "human", "value": "hi"}',
            "holds no transcript of a known format (record 1 has no 'messages'",
        ),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "holds no transcript of a known format (record 1 is not UTF-8"),
        (b"[]", "holds no transcript of a known format (record 1 has no user message)"),
    ],
)
def test_a_file_of_another_format_is_refused_at_once(tmp_path: Path, content: bytes, reason: str) -> None:
    """Before the first record is asked for."""
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(TranscriptError) as caught:
        read_transcripts(path)
    assert caught.value.reason.startswith(reason)
    assert caught.value.record is None


def test_a_missing_file_and_a_directory_are_refused_at_once(tmp_path: Path) -> None:
    """With the operating system's reason."""
    with pytest.raises(TranscriptError, match="No such file"):
        read_transcripts(tmp_path / "nowhere")
    with pytest.raises(TranscriptError, match="Is a directory"):
        read_transcripts(tmp_path)
    with pytest.raises(TranscriptError, match="cannot be opened"):
        read_transcripts("a\0b")


def test_progress_ends_at_the_size_of_the_file(tmp_path: Path) -> None:
    """In bytes, rising."""
    path = _write(tmp_path, CHAT, CHAT, CHAT)
    seen: list[tuple[int, int]] = []
    assert len(list(read_transcripts(path, lambda done, total: seen.append((done, total))))) == 3
    size = path.stat().st_size
    assert [total for _, total in seen] == [size] * 3
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1][0] == size


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    """So that a compressed file can be unpacked on the way."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(CHAT + "\n" + CHAT,))
    writer.start()
    found = list(read_transcripts(pipe))
    writer.join()
    assert [isinstance(item, Transcript) for item in found] == [True, True]


LINES = st.text(max_size=30).filter(lambda line: "[" not in line and ":" not in line and "," not in line)
"""Lines that begin no list and name no speaker or column."""


@given(lines=st.lists(LINES | st.just(CHAT), max_size=6))
def test_any_lines_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    """A chat that stands on a line of its own is found, whatever stands around it."""
    path = tmp_path_factory.mktemp("any") / "f"
    path.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    found: list[Transcript | TranscriptError] = []
    with suppress(TranscriptError):
        found.extend(read_transcripts(path))
    assert sum(isinstance(item, Transcript) for item in found) == lines.count(CHAT)
