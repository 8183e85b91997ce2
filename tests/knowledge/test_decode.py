"""Bytes as text: marks, UTF-8, the older encodings with a note, and what is no text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.knowledge.decode import decode


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_text_comes_back_without_its_mark(encoding: str) -> None:
    """A byte order mark says what it is and is no part of the text."""
    decoded = decode("Grüße, 你好\r\nzwei".encode(encoding))
    assert decoded is not None
    assert (decoded.text, decoded.note) == ("Grüße, 你好\nzwei", "")


def test_an_older_encoding_is_read_with_a_note() -> None:
    """What is not UTF-8 is Chinese where that makes Chinese, else Western."""
    western = decode("Größe: 5 €".encode("cp1252"))
    chinese = decode("退款须在三十天内申请，逾期不予受理。".encode("gb18030"))
    assert western is not None
    assert chinese is not None
    assert (western.text, western.note) == ("Größe: 5 €", "Not UTF-8: read as Windows-1252.")
    assert chinese.text.startswith("退款须在")
    assert "GB 18030" in chinese.note


@pytest.mark.parametrize("data", [b"\x00\x01\x02", b"%PDF\x00\xff", b"\xff\xfe\x00", bytes(range(1, 32)) * 4])
def test_what_is_no_text_is_none(data: bytes) -> None:
    """Null bytes and control characters are not guessed at."""
    assert decode(data) is None


@given(data=st.binary())
def test_any_bytes_are_text_or_not(data: bytes) -> None:
    """Nothing raises, and a text has no null in it."""
    decoded = decode(data)
    assert decoded is None or "\0" not in decoded.text


@given(
    text=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff"))
)
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    """Every text that was written as UTF-8 is read without a guess."""
    decoded = decode(text.encode())
    assert decoded is not None
    assert (decoded.text, decoded.note) == (text, "")
