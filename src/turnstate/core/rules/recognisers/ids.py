"""Recognises ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnstate.core.facts import Key, Span
from turnstate.core.rules.labels import label_of
from turnstate.core.rules.recognisers.phrases import CODE, JOINT, phrases
from turnstate.core.rules.text import Find, Text, compiled

_VERB: Final = re.compile(
    r"\b(?:(?:want(?:ed)?|like|need(?:ed)?|going|trying|wish|able|have) to|i|we|i['’]ll|let['’]s)\s+$",
    re.IGNORECASE,
)


def ids(key: Key, text: Text) -> Iterator[Find]:
    """An id after the key's name, before it ("12345 is my order"), or after a # where no other key has ids."""
    for found in phrases(key, text, CODE):
        small = re.search(r"^\W*\w+\s+\d{1,2}$", text.words[slice(*found.quote)])
        if small or _VERB.search(text.words[max(0, found.quote.start - 20) : found.quote.start]):
            continue  # "order 2 pizzas", "I want to order 1200 of them"
        spans, end = [found.span], found.span.end
        while key.many and (joint := JOINT.match(text.words, end)):
            more = compiled(rf"#?({CODE})").match(text.words, joint.end())
            if more is None:
                break
            spans.append(Span(*more.span(1)))
            end = more.end()
        yield from (Find(text.words[slice(*span)], span, Span(found.quote.start, end)) for span in spans)
    bare = [rf"(?P<value>{CODE})\s+(?:is|was)\s+(?:the|{text.mine})\s+(?:{label_of(key.words)})\b"]
    if key.name in text.alone:
        bare.append(rf"(?<![\w#&])#\s?(?P<value>{CODE})")
    for pattern in bare:
        for match in compiled(pattern, re.NOFLAG).finditer(text.words):
            yield Find(match["value"], Span(*match.span("value")), Span(*match.span()))
