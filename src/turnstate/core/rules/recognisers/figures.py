"""Recognises dates and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnstate.core.facts import Key, Span
from turnstate.core.rules.labels import GENERIC, IS, NUMBER_OF, label_of
from turnstate.core.rules.text import MOST, Find, Text, compiled
from turnstate.core.values import ValueKind, numbers


def dates(key: Key, text: Text) -> Iterator[Find]:
    """A date after the key's name, or right before it; any date, where the key is just "date" and no other has dates."""
    telling = [word for word in key.words if word not in GENERIC]
    label = compiled(rf"\b(?:{label_of(key.words)})\b")
    follows = compiled(rf"\s*(?:(?:is|for|as)\s+)?(?:(?:{text.mine}|the)\s+)?(?:{label_of(key.words)})\b")
    last = 0
    for value in text.values:
        if value.kind is not ValueKind.DATE:
            continue
        span = Span(value.start, value.end)
        start = max(text.sentence_at(value.start).start, value.start - 60, last)
        before, after = (
            list(label.finditer(text.words, start, value.start)),
            follows.match(text.words, value.end),
        )
        last = value.end
        if before or after:
            yield Find(
                value.text,
                span,
                Span(
                    before[-1].start() if before else span.start,
                    after.end() if after and not before else span.end,
                ),
            )
        elif not telling and key.name in text.alone:
            yield Find(value.text, span, span)


def amounts(key: Key, text: Text) -> Iterator[Find]:
    """A number beside the key's name: "size 9", "my budget is $500", "3 guests", "I'm 34 years old"."""
    label = label_of(
        tuple(word for word in key.words if word not in {"count", "total", "amount"}) or key.words
    )
    before = compiled(
        rf"\b(?:{label})\b(?:\s+(?:{NUMBER_OF}))?(?:{IS}|\s+(?:of|about|around|up to|for)\b|\s*[:=#])*\s*(?:about|around|roughly)?\s*[$€£¥]?$"
    )
    after = compiled(rf"\s?[$€£¥%]?\s?(?:\w+\s)?(?:{label})\b")
    for value in numbers(text.words)[:MOST]:
        start = max(0, value.start - 50)
        said, then = before.search(text.words[start : value.start]), after.match(text.words, value.end)
        aged = "age" in key.words and re.match(
            r"\s*(?:years|yrs)\s+old\b", text.words[value.end : value.end + 20]
        )
        if said or then or aged:
            quote = Span(
                start + said.start() if said else value.start, then.end() if then and not said else value.end
            )
            yield Find(text.words[value.start : value.end], Span(value.start, value.end), quote)
