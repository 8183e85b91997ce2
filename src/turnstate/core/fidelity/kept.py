"""What must outlive the turns that a summary stands for: their exact values, and who promised what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from turnstate.core.commitments import Commitment, Firmness, find_commitments
from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import spoken
from turnstate.core.context.types import Excerpt
from turnstate.core.events import Kept
from turnstate.core.history import Turn
from turnstate.core.values import Value, ValueKind, find

MOST: Final = 4_000
"""Tokens of values, without the words around them, that are kept of one span; more than any ledger shows of it."""

PROMISE: Final = 200
"""Characters of a commitment that are kept."""

_BEFORE: Final = 4
_AFTER: Final = 2
_KEY: Final = re.compile(r"[\"']?([A-Za-z_][\w .-]{0,40})[\"']?\s*[:=]\s*[\"'\[{ ]*$")
CLOCK: Final = 365 * 86_400 * 1_000_000
"""Times within a year of the epoch are counted, not read from a clock: transcripts without times have such."""

_DIGIT: Final = re.compile(r"\d")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MINE: Final = re.compile(
    r"\b(?:i|we)(?:(?P<will>'ll| will| shall| won't| might| may| promise| guarantee| agree(?:d)? to| refuse to|"
    r"(?:'m| am|'re| are)(?: not)? (?:going|planning|intending) to| (?:plan|intend) to)\b|(?:'ve| have)?\s+\w+)",
    re.IGNORECASE,
)
"""How a user says what they do themselves: what they will, and what they did."""

_STOP: Final = re.compile(r"[.!?;\n|{}\[\]]")


def ledger(excerpt: Excerpt) -> tuple[Kept, ...]:
    """Every exact value and every commitment of the excerpt's turns, each once for its turn and speaker, in order.

    A value has the words beside it that make it understandable: in prose those around it, in data its key. Of a span
    with more values than any ledger could show, those that only tools said leave first.
    """
    kept: dict[tuple[int, str, str], Kept] = {}
    for turn in excerpt.turns:
        for speaker, text in spoken(turn):
            for entry in _of_text(turn, speaker, text):
                kept.setdefault((entry.turn, entry.speaker, entry.text), entry)
    return _bounded(list(kept.values()))


def _of_text(turn: Turn, speaker: str, text: str) -> Iterator[Kept]:
    for value in find(text, at=turn.at):
        if value.text.strip():
            said = _context(text, value, speaker)
            said = _dated(said, value) if turn.at >= CLOCK else said
            yield Kept(turn.number, speaker, str(value.kind), value.text, said)
    if speaker != "tool":
        for found in find_commitments(text, speaker):
            if speaker == "assistant" or _undertaken(found):
                yield Kept(turn.number, speaker, str(found.firmness), found.text[:PROMISE])


def _undertaken(found: Commitment) -> bool:
    """Whether the user commits themselves, where an assistant's words in the same form would.

    "I want to cancel" and "can I change it" ask for something, "I can't log in" complains, and what "you will" do is
    the assistant's to promise.
    """
    mine = _MINE.search(found.text.replace("’", "'"))
    return mine is not None and (found.firmness is Firmness.DONE or mine["will"] is not None)


def _dated(context: str, value: Value) -> str:
    """The words of a date that only its turn's time makes one, with the day that it was."""
    if value.kind is not ValueKind.DATE or _DIGIT.search(value.text) or not _DAY.fullmatch(value.norm):
        return context
    return f"{context or value.text} ({value.norm})"


def _context(text: str, value: Value, speaker: str) -> str:
    """The few words that a value needs beside it, itself included; "" where it says enough alone."""
    before = text[max(0, value.start - 80) : value.start]
    if speaker == "tool":
        key = _KEY.search(before)
        return f"{key[1]}: {value.text}" if key else ""
    head = _STOP.split(before)[-1].split()[-_BEFORE:]
    tail = _STOP.split(text[value.end : value.end + 40])[0].split(",")[0].split()[:_AFTER]
    words = " ".join([*head, value.text, *tail])
    return "" if words == value.text else words


def _bounded(kept: Sequence[Kept]) -> tuple[Kept, ...]:
    sizes = {id(entry): estimate_text(entry.text) + 1 for entry in kept}
    left = MOST
    chosen: set[int] = set()
    for said_by_tool in (False, True):
        # The newest stay longest.
        for entry in reversed(kept):
            if (entry.speaker == "tool") is said_by_tool and sizes[id(entry)] <= left:
                left -= sizes[id(entry)]
                chosen.add(id(entry))
    return tuple(entry for entry in kept if id(entry) in chosen)
