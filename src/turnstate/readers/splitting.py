"""A JSON list too large for memory, split into its items without decoding the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

CHUNK = 1024 * 1024
"""Bytes that are read at a time."""

_TOKEN = re.compile(rb'(?:[^"{}\[\]]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([{}\[\]"])', re.DOTALL)
"""Up to the next bracket outside texts; or to the quote of a text that does not end in what is held."""

_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb"[^,\]\s]+")
_BETWEEN = re.compile(rb"(?:[ \t\r\n,]|\xef\xbb\xbf)*+")


class Slice(NamedTuple):
    """An item of a list.

    Attributes:
        raw: its bytes; None where it is longer than may be held.
        end: bytes of the file up to its end.
    """

    raw: bytes | None
    end: int


class Splitter:
    """The items of the JSON list that a file holds from its current place on.

    Items are cut at their brackets, so that one that does not decode does not stop the ones behind it. After the last
    item `rest` holds what was read behind the list, and `finished` whether its end was found.
    """

    def __init__(self, file: BinaryIO, longest: int) -> None:
        self.finished = False
        self._file = file
        self._longest = longest
        self._held = b""
        self._at = 0  # where in the held bytes the next item is looked for
        self._before = file.tell()  # bytes of the file before the held ones

    def __iter__(self) -> Iterator[Slice]:
        """The items, one at a time."""
        self._skip()
        self._at += 1  # the bracket that opens the list
        while self._skip():
            opening = self._held[self._at : self._at + 1]
            if opening == b"]":
                self.finished = True
                return
            yield self._nested() if opening in b"{[" else self._scalar()

    def _skip(self) -> bool:
        """Go to the next item or bracket; False at the end of the file."""
        while True:
            between = _BETWEEN.match(self._held, self._at)
            self._at = between.end() if between else self._at
            if self._at < len(self._held):
                return True
            if not self._more():
                return False

    def _more(self) -> bool:
        """Hold more of the file; at least as much as is held, so that a long item is not looked at again and again."""
        read = self._file.read(max(CHUNK, len(self._held) - self._at))
        if self._at:
            self._drop(self._at)
        self._held += read
        return bool(read)

    def _drop(self, count: int) -> None:
        self._before += count
        self._held = self._held[count:]
        self._at = 0

    def _scalar(self) -> Slice:
        while True:
            found = _TEXT.match(self._held, self._at) or _SCALAR.match(self._held, self._at)
            end = found.end() if found else self._at + 1
            if end < len(self._held) or len(self._held) - self._at > self._longest or not self._more():
                return self._cut(end)

    def _nested(self) -> Slice:
        depth, looked, lost = 0, 0, False
        while True:
            while token := _TOKEN.match(self._held, self._at + looked):
                bracket = token[1]
                if bracket == b'"':
                    looked = token.end() - 1 - self._at
                    break
                depth += 1 if bracket in b"{[" else -1
                if depth <= 0:
                    item = self._cut(token.end())
                    return Slice(None, item.end) if lost else item
                looked = token.end() - self._at
            if len(self._held) - self._at > self._longest:
                lost = True
                self._drop(self._at + looked)
                looked = 0
                if len(self._held) > self._longest:  # one text that does not end
                    self._drop(len(self._held))
            if not self._more():
                item = self._cut(len(self._held))
                return Slice(None, item.end) if lost else item

    def _cut(self, end: int) -> Slice:
        end = min(end, len(self._held))
        raw = self._held[self._at : end]
        self._at = end
        if self._at > CHUNK:
            self._drop(self._at)
            return Slice(raw, self._before)
        return Slice(raw, self._before + end)
