"""How streamed text is released: whole sentences, as soon as they are complete."""

from __future__ import annotations

import re

_END = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+[”」』]?|\n)\s*")
_NO_END = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|No|vs|etc|approx|e\.g|i\.e)|\b[A-Z]|^\s*\d{1,3})\.$")
_OPEN = re.compile(r"[.!?…。！？\"'”’)\]」』\s]*$")


class Sentences:
    """Cuts a growing text into sentences; joined, they are the text again."""

    def __init__(self) -> None:
        self._held = ""
        self._scanned = 0

    def feed(self, text: str) -> list[str]:
        """The sentences that `text` completes."""
        self._held += text
        done: list[str] = []
        start = 0
        for match in _END.finditer(self._held, self._scanned):
            # The end of what has arrived may be in the middle of "3.50" or of "...".
            if match.end() == len(self._held) and not self._held.endswith("\n"):
                break
            if _NO_END.search(self._held[start : match.end()].rstrip()):
                continue
            done.append(self._held[start : match.end()])
            start = match.end()
        self._held = self._held[start:]
        # What was looked at is not looked at again, but for the marks at its end, which the next piece may complete.
        tail = _OPEN.search(self._held, max(0, len(self._held) - 80))
        self._scanned = tail.start() if tail else len(self._held)
        return done

    def rest(self) -> list[str]:
        """What is left at the end."""
        held, self._held, self._scanned = self._held, "", 0
        return [held] if held else []


def split(text: str) -> list[str]:
    """`text` in sentences."""
    sentences = Sentences()
    return [*sentences.feed(text), *sentences.rest()]
