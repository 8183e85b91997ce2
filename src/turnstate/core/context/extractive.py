"""The summarizer that makes no call: the sentences that carry most, word for word, within a cap.

Its sentences are the speakers' own, so it invents nothing and keeps the conversation's language. What weighs: exact
values (ids, amounts, dates, addresses), what the user asked for, promises and refusals, and what tools were called
with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.history import Turn
from turnstate.core.messages import ToolCallPart, args_text, response_text, result_text, user_text
from turnstate.core.values import find

_SENTENCE = re.compile(r"(?<=[.!?。！？؟])[\"'”’)\]]*\s+|\n+|(?<=[。！？])")
_PROMISE = re.compile(
    r"\b(?:will|shall|promise|guarantee|refund(?:ed)?|cancel(?:l?ed)?|chang(?:ed|e)|book(?:ed)?|confirm(?:ed)?|"
    r"cannot|can't|won't|unable|not allowed|sorry|agent|human|manager|supervisor|complain\w*|wrong|broken|damaged)\b",
    re.IGNORECASE,
)
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class Sentence:
    """A candidate for a summary.

    Attributes:
        order: its place in the excerpt.
        turn: the turn it was said in.
        speaker: "user", "assistant" or "tool".
        text: the words.
        weight: how much it carries.
    """

    order: int
    turn: int
    speaker: str
    text: str
    weight: float


def extract_summary(excerpt: Excerpt) -> SummaryDraft:
    """Summarise `excerpt` in the speakers' own sentences, in their order, within `excerpt.cap` tokens.

    Returns:
        A draft that is smaller than its source, and empty only if the excerpt says nothing.
    """
    sentences = tuple(_sentences(excerpt.turns))
    cap = min(excerpt.cap, max(1, sum(estimate_text(sentence.text) for sentence in sentences) - 1))
    chosen = _choose(sentences, cap)
    return SummaryDraft(_written(chosen), by="extractive")


def _choose(sentences: Sequence[Sentence], cap: int) -> list[Sentence]:
    """The heaviest sentences for their size that fit together; what says nothing new is passed over."""
    chosen: list[Sentence] = []
    said: set[str] = set()
    for sentence in sorted(sentences, key=lambda s: (-s.weight / (8 + estimate_text(s.text)), s.order)):
        folded = sentence.text.casefold()
        if sentence.weight <= 0 or folded in said:
            continue
        tried = sorted([*chosen, sentence], key=lambda s: s.order)
        if estimate_text(_written(tried)) <= cap:
            chosen = tried
            said.add(folded)
    return chosen


def _written(sentences: Sequence[Sentence]) -> str:
    """One line for each turn and speaker: `turn 3 user: …`."""
    lines: list[str] = []
    last: tuple[int, str] | None = None
    for sentence in sentences:
        if (sentence.turn, sentence.speaker) == last:
            lines[-1] += f" {sentence.text}"
        else:
            lines.append(f"turn {sentence.turn} {sentence.speaker}: {sentence.text}")
            last = (sentence.turn, sentence.speaker)
    return "\n".join(lines)


def _sentences(turns: Sequence[Turn]) -> Iterator[Sentence]:
    order = 0
    for turn in turns:
        for speaker, text in spoken(turn):
            for index, words in enumerate(_split(text)):
                yield Sentence(order, turn.number, speaker, words, _weight(speaker, words, index))
                order += 1


def spoken(turn: Turn) -> Iterator[tuple[str, str]]:
    """Who said what in a turn, as (speaker, text): the user, the assistant, the tools it called and what they said."""
    yield "user", user_text(turn.user)
    for step in turn.steps:
        if text := response_text(step.response).strip():
            yield "assistant", text
        for part in step.response.parts:
            if isinstance(part, ToolCallPart):
                yield "tool", f"{part.tool_name}({args_text(part)})"
        for call in step.calls:
            if call.result is not None:
                yield "tool", f"{call.result.tool_name} -> {result_text(call.result)}"


def _split(text: str) -> Iterator[str]:
    for piece in _SENTENCE.split(text):
        words = " ".join(piece.split())
        if words:
            yield _shortened(words)


def _shortened(words: str) -> str:
    """At most `_LONGEST` characters, cut between words and never inside an exact value."""
    if len(words) <= _LONGEST:
        return words
    end = words.rfind(" ", 0, _LONGEST)
    end = _LONGEST if end < _LONGEST // 2 else end
    for value in find(words[: _LONGEST * 2]):
        if value.start < end < value.end:
            end = value.start
            break
    return f"{words[:end].rstrip()} …" if end > 0 else ""


def _weight(speaker: str, words: str, index: int) -> float:
    if not words:
        return 0.0
    weight = {"user": 2.0, "assistant": 1.0, "tool": 0.5}[speaker]
    weight += 3.0 * min(4, len(find(words)))
    if _PROMISE.search(words):
        weight += 2.0
    if speaker == "user" and index == 0:
        weight += 1.0
    return weight
