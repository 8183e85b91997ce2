"""The summarizer that makes no call: the sentences that carry most, word for word, within a cap.

Its sentences are the speakers' own, so it invents nothing and keeps the conversation's language. What weighs: exact
values (ids, amounts, dates, addresses), what the user asked for, promises and refusals, and what tools were called
with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from turnstate.core.commitments import find_commitments
from turnstate.core.context.counting import estimate_text
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.history import Turn
from turnstate.core.messages import ToolCallPart, args_text, response_text, result_text, user_text
from turnstate.core.values import find

READ = 20_000
"""Characters of one text that are looked at, at its beginning and its end: a tool result may have millions."""

_BREAK = re.compile(r"(?P<closing>(?<=[.!?。！？؟])[\"'”’)\]]*)\s+|\n+|(?<=[。！？])")
_TROUBLE = re.compile(
    r"\b(?:refund|cancel|chang(?:ed|e)|book(?:ed)?|confirm|guarantee|not allowed|sorry|agent|human|manager|supervisor|"
    r"complain\w*|wrong|broken|damaged)\b",
    re.IGNORECASE,
)
"""Words of what was asked for and of what went wrong; what was undertaken, `find_commitments` reads."""

_LONGEST = 240
_TRIED = 50
_NEAR = 1_000
_AHEAD = 4
"""Commitments beyond the last one found that the next sentence may hold; some are longer than a sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A candidate for a summary.

    Attributes:
        order: its place in the excerpt.
        said: which of the texts of the excerpt it stands in.
        turn: the turn it was said in.
        speaker: "user", "assistant" or "tool".
        text: the words.
        weight: how much it carries.
        tokens: its estimated size.
    """

    order: int
    said: int
    turn: int
    speaker: str
    text: str
    weight: float
    tokens: int


class _Place(NamedTuple):
    """Where an exact value stands."""

    start: int
    end: int


def extract_summary(excerpt: Excerpt) -> SummaryDraft:
    """Summarise `excerpt` in the speakers' own sentences, in their order, within `excerpt.cap` tokens.

    Where something was left out stands "…".

    Returns:
        A draft that is smaller than its source, and empty only if the excerpt says nothing.
    """
    sentences = tuple(_sentences(excerpt.turns))
    cap = max(1, min(excerpt.cap, estimate_text(source_text(excerpt)) - 1))
    chosen = _choose(sentences, cap)
    return SummaryDraft(_written(chosen) if chosen else _least(sentences, cap), by="extractive")


def source_text(excerpt: Excerpt) -> str:
    """What a summarizer reads, as text: one line for each thing said, called or returned."""
    return "\n".join(
        f"turn {turn.number} {speaker}: {text}" for turn in excerpt.turns for speaker, text in spoken(turn)
    )


def _choose(sentences: Sequence[Sentence], cap: int) -> list[Sentence]:
    """The heaviest sentences for their size that fit together; what says nothing new is passed over."""
    chosen: list[Sentence] = []
    said: set[str] = set()
    used = 0
    for sentence in sorted(sentences, key=lambda s: (-s.weight / (8 + s.tokens), s.order)):
        folded = sentence.text.casefold()
        if sentence.tokens > cap - used or folded in said:
            continue
        tried = sorted([*chosen, sentence], key=lambda s: s.order)
        if (tokens := estimate_text(_written(tried))) <= cap:
            chosen, used = tried, tokens
            said.add(folded)
    return chosen


def _least(sentences: Sequence[Sentence], cap: int) -> str:
    """Where no whole sentence fits: the beginning of the heaviest one, as far as it goes."""
    for sentence in sorted(sentences, key=lambda s: (-s.weight, s.order))[:_TRIED]:
        places = _places(sentence.text)
        for label in (_label(sentence), ""):
            limit = len(sentence.text)
            while words := _beginning(sentence.text, places, limit):
                if estimate_text(label + words) <= cap:
                    return label + words
                limit = limit * 3 // 4
    return "…" if sentences else ""


def _written(sentences: Sequence[Sentence]) -> str:
    """One line for each text, `turn 3 user: …`, with a mark where something was left out of it."""
    lines: list[str] = []
    last: Sentence | None = None
    for sentence in sentences:
        if last is not None and sentence.said == last.said:
            lines[-1] += f" {sentence.text}" if sentence.order == last.order + 1 else f" … {sentence.text}"
        else:
            lines.append(_label(sentence) + sentence.text)
        last = sentence
    return "\n".join(lines)


def _label(sentence: Sentence) -> str:
    return f"turn {sentence.turn} {sentence.speaker}: "


def _sentences(turns: Sequence[Turn]) -> Iterator[Sentence]:
    order = 0
    texts = ((turn.number, speaker, text) for turn in turns for speaker, text in spoken(turn))
    for said, (turn, speaker, text) in enumerate(texts):
        promised, read = _promised(speaker, text), 0
        for index, (words, values) in enumerate(_split(text)):
            weight = _weight(speaker, values, index)
            after = _beyond(promised, read, words)
            if after > read or _TROUBLE.search(words):
                weight += 2.0
            read = after
            yield Sentence(order, said, turn, speaker, words, weight, estimate_text(words))
            order += 1


def _promised(speaker: str, text: str) -> tuple[str, ...]:
    """What somebody undertook, refused or did in a text, as it stands in a summary's sentences."""
    if speaker == "tool":
        return ()
    return tuple(" ".join(found.text.split()) for found in find_commitments(text, speaker))


def _beyond(promised: Sequence[str], read: int, words: str) -> int:
    """How many of the commitments of a text were read when `words` are: both stand in order, so few are looked at."""
    for place in range(read, min(read + _AHEAD, len(promised))):
        if promised[place] in words:
            read = place + 1
    return read


def spoken(turn: Turn) -> Iterator[tuple[str, str]]:
    """Who said what in a turn, as (speaker, text): the user, the assistant, the tools it called and what they said.

    Of a text that is longer than `READ` the middle is left out, for a summarizer that calls a model as well: what it
    reads has to be bounded.
    """
    yield "user", _ends(user_text(turn.user))
    for step in turn.steps:
        if text := response_text(step.response).strip():
            yield "assistant", _ends(text)
        for part in step.response.parts:
            if isinstance(part, ToolCallPart):
                yield "tool", _ends(f"{part.tool_name}({args_text(part)})")
        for call in step.calls:
            if call.result is not None:
                yield "tool", _ends(f"{call.result.tool_name} -> {result_text(call.result)}")


def _ends(text: str) -> str:
    if len(text) <= READ:
        return text
    return f"{text[: _near(text, READ * 3 // 4)]} … {text[_near(text, len(text) - READ // 4) :]}"


def _near(text: str, place: int) -> int:
    """Where a sentence ends, or at least a word, shortly before `place`."""
    before = text[place - _NEAR : place]
    ends = [found.end() for found in _BREAK.finditer(before)]
    return place - len(before) + (ends[-1] if ends else before.rfind(" ") + 1 or len(before))


def _split(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, none longer than `_LONGEST`, and how many exact values each has; no value is broken."""
    places = _places(text)
    start = index = 0
    for end, after in _breaks(text, places):
        own: list[_Place] = []
        while index < len(places) and places[index].start < end:
            own.append(_Place(places[index].start - start, places[index].end - start))
            index += 1
        if words := _beginning(text[start:end], own, _LONGEST):
            yield words, sum(place.end <= _LONGEST for place in own)
        start = after


def _places(text: str) -> tuple[_Place, ...]:
    return tuple(_Place(value.start, value.end) for value in find(text))


def _breaks(text: str, places: Sequence[_Place]) -> Iterator[tuple[int, int]]:
    """Where sentences end and where the next ones start."""
    index = 0
    for found in _BREAK.finditer(text):
        while index < len(places) and places[index].end <= found.start():
            index += 1
        if index == len(places) or found.start() <= places[index].start:
            yield found.start() + len(found["closing"] or ""), found.end()
    yield len(text), len(text)


def _beginning(text: str, places: Sequence[_Place], limit: int) -> str:
    """The words of `text`, about `limit` characters of them, cut between words and never inside a value."""
    if len(text) <= limit:
        return " ".join(text.split())
    end = text.rfind(" ", 0, limit)
    end = limit if end < limit // 2 else end
    end = next((place.start or place.end for place in places if place.start < end < place.end), end)
    words = " ".join(text[:end].split())
    return f"{words} …" if words and end < len(text) else words


def _weight(speaker: str, values: int, index: int) -> float:
    weight = {"user": 2.0, "assistant": 1.0, "tool": 0.5}[speaker]
    weight += 3.0 * min(4, values)
    if speaker == "user" and index == 0:
        weight += 1.0
    return weight
