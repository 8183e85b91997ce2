"""The simulated prompt cache: which part of a request an earlier one had cached."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass

from turnstate.testing.anthropic.count import Segment


@dataclass(frozen=True, slots=True)
class CacheUse:
    """How a request's input tokens split.

    Attributes:
        read: tokens that were cached before.
        creation: tokens that this request adds to the cache.
    """

    read: int
    creation: int


class PromptCache:
    """Prefixes that requests have marked, by model; nothing expires and no prefix is too short.

    A request reads the longest prefix, up to its last mark, that an earlier request marked, and adds the rest up to its
    last mark. Without a mark it neither reads nor adds. A prefix is the same only when every segment is the same to the
    byte. Unlike the real cache it looks back any distance from a mark, not only twenty blocks.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._prefixes: set[bytes] = set()

    def use(self, model: str, segments: list[Segment]) -> CacheUse:
        """Account for a request with these segments, and remember the prefixes that it marks."""
        digest = hashlib.sha256(model.encode())
        total = read = upto = 0
        last_mark = max((index for index, segment in enumerate(segments) if segment.marked), default=-1)
        with self._lock:
            written: list[bytes] = []
            for segment in segments[: last_mark + 1]:
                digest.update(hashlib.sha256(segment.content.encode()).digest())
                total += segment.tokens
                prefix = digest.copy().digest()
                if prefix in self._prefixes:
                    read = total
                if segment.marked:
                    written.append(prefix)
                    upto = total
            self._prefixes.update(written)
        return CacheUse(read, upto - read)
