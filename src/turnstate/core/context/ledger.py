"""The values and promises that stand beside a summary, as lines: word for word, by turn and speaker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from turnstate.core.context.counting import estimate_text
from turnstate.core.events import Kept

_RANK: Final = {"user": 0, "assistant": 1, "tool": 2}
_DEGREES: Final = frozenset({"promised", "intended", "hedged", "conditional", "refused", "done"})


def render_ledger(kept: Sequence[Kept], held: str, tokens: int) -> str:
    """What of `kept` does not already stand in `held`, one line for each turn and speaker, at most `tokens`.

    Where there is no room for all of it the words around the values leave first, then what matters least: what the user
    undertook, what only tools said, then what the assistant said, the oldest first.

    Args:
        kept: in order.
        held: what stands beside it.
        tokens: as estimated.
    """
    missing = _missing(kept, held)
    for entries, bare in ((missing, False), (missing, True)):
        text = _lines(entries, bare=bare)
        if estimate_text(text) <= tokens:
            return text
    # Chosen anew: what stood in the words of a plan stands for itself now.
    missing = _missing([entry for entry in kept if not is_plan(entry)], held)
    ranked = sorted(
        range(len(missing)), key=lambda at: (_RANK.get(missing[at].speaker, 2), -missing[at].turn, at)
    )
    low, high = 0, len(ranked)
    while low < high:
        middle = (low + high + 1) // 2
        some = [missing[at] for at in sorted(ranked[:middle])]
        low, high = (middle, high) if estimate_text(_lines(some, bare=True)) <= tokens else (low, middle - 1)
    return _lines([missing[at] for at in sorted(ranked[:low])], bare=True)


def is_plan(entry: Kept) -> bool:
    """Whether it is what the user said that they will do or did: of all that is kept, the first that can be spared."""
    return entry.speaker == "user" and entry.kind in _DEGREES


def _missing(kept: Iterable[Kept], held: str) -> list[Kept]:
    folded = held.casefold()
    promises = [entry for entry in kept if entry.kind in _DEGREES]
    missing: list[Kept] = []
    for entry in kept:
        if stands_in(entry.text.casefold(), folded):
            continue
        if entry.kind not in _DEGREES and any(
            promise.turn == entry.turn and promise.speaker == entry.speaker and entry.text in promise.text
            for promise in promises
        ):
            continue  # the promise has it
        missing.append(entry)
    return missing


def stands_in(text: str, whole: str) -> bool:
    """Whether `text` stands in `whole`, and not as a part of a longer word or number; both are folded."""
    place = whole.find(text)
    while place >= 0:
        before, after = whole[place - 1 : place], whole[place + len(text) : place + len(text) + 2]
        joined = (_wordlike(before) and _wordlike(text[:1])) or (
            _wordlike(after[:1]) and _wordlike(text[-1:])
        )
        decimal = re.match(r"[.,]\d", after) is not None and text[-1:].isdecimal()
        if not joined and not decimal:
            return True
        place = whole.find(text, place + 1)
    return False


def _wordlike(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _lines(entries: Iterable[Kept], *, bare: bool) -> str:
    lines: dict[tuple[int, str], list[str]] = {}
    for entry in entries:
        said = entry.text if bare or entry.text not in entry.context else entry.context
        flat = " ".join(said.split())
        there = lines.setdefault((entry.turn, entry.speaker), [])
        if flat not in there:
            there.append(flat)
    return "\n".join(f"turn {turn} {speaker}: {'; '.join(said)}" for (turn, speaker), said in lines.items())
