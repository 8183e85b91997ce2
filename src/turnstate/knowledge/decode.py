"""A file's bytes as text: its encoding, and what is no text at all."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_HAN = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_FOREIGN = re.compile(r"[^\x00-\x7f]")


class Decoded(NamedTuple):
    """A file as text.

    Attributes:
        text: its characters, without a byte order mark, lines ending in a line feed.
        note: what had to be guessed; "" where the bytes say it.
    """

    text: str
    note: str = ""


def decode(data: bytes) -> Decoded | None:
    """The text of a file, or None where it is none.

    A byte order mark is believed; else it is UTF-8, else GB 18030 where that makes it Chinese, else Windows-1252.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _checked(_strict(data[len(mark) :], name))
    if (text := _strict(data, "utf-8")) is not None:
        return _checked(text)
    if (text := _strict(data, "gb18030")) is not None and _chinese(text):
        return _checked(text, "Not UTF-8: read as GB 18030.")
    return _checked(_strict(data, "cp1252"), "Not UTF-8: read as Windows-1252.")


def _strict(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return None


def _checked(text: str | None, note: str = "") -> Decoded | None:
    if text is None or "\0" in text or len(_CONTROL.findall(text)) > len(text) // 50:
        return None
    return Decoded(text.replace("\r\n", "\n").replace("\r", "\n"), note)


def _chinese(text: str) -> bool:
    """Whether most of what is not ASCII is Chinese; Windows-1252 read so gives rare signs between ASCII letters."""
    foreign = _FOREIGN.findall(text)
    runs = re.findall("[\u4e00-\u9fff]{2,}", text)
    return len(_HAN.findall(text)) > 0.9 * len(foreign) and sum(map(len, runs)) > 0.6 * len(foreign)
