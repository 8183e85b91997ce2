"""Recognises values that have no form of their own, by the words before them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from turnstate.core.facts import Key, Shape, Span
from turnstate.core.rules.labels import IS, NUMBER_OF, label_of
from turnstate.core.rules.recognisers.phrases import split_items, trimmed
from turnstate.core.rules.text import Find, Text, compiled

_CLAUSE_END: Final = re.compile(
    r"[.!?]+(?=\s|$)|[\n。！？]|,?\s+(?:and|but|so)\s+(?:(?:my|i|the|please|can|could|it|we)\b|i['’])"
    r"|,?\s+(?:but|because|please|thanks|thank you|if|when|which|though)\b|,\s*(?:and\s+)?(?:my|i|can|could)\b|\s+(?:and|or)\s+not\b",
    re.IGNORECASE,
)
_NO_VALUE: Final = re.compile(
    r"(?:not|wrong|broken|late|still|the same|same|very|too|so|working|being|getting|never|always|going|what|on|in|at|missing|lost|"
    r"correct|right|above|below|attached|here|there|required|important|unknown|changed|different|invalid|incorrect|good|bad|fine|"
    r"really|just|only|also|already|supposed|about|to|no|yes)\b",
    re.IGNORECASE,
)
_VERBS: Final[Mapping[str, str]] = {
    "allerg": r"(?:am|['’]m|are|['’]re)\s+(?:also\s+|severely\s+|very\s+)?allergic\s+to",
    "city": r"(?:(?:live|am based|['’]m based|reside|moved)\s+(?:in|to)|(?:am|['’]m)\s+from)",
    "town": r"(?:live|reside|moved)\s+(?:in|to)",
    "country": r"(?:(?:live|reside|moved)\s+(?:in|to)|(?:am|['’]m)\s+from)",
    "language": r"speak",
    "company": r"work\s+(?:for|at)",
    "employer": r"work\s+(?:for|at)",
    "interest": r"(?:am|['’]m)\s+(?:also\s+)?interested\s+in",
    "hobb": r"(?:enjoy|like|love)",
    "prefer": r"prefer",
    "like": r"(?:also\s+|really\s+)?(?:like|love)",
    "dislike": r"(?:don['’]t\s+like|dislike|hate)",
}


def generic(key: Key, text: Text) -> Iterator[Find]:
    """After "my <key> is", "<key>:", and for some keys their verb, as in "I'm allergic to nuts and shellfish"."""
    label = rf"(?:{label_of(key.words)})(?:\s+(?:{NUMBER_OF}|address|date|name))?"
    cues = [
        rf"\b(?:{text.mine}|the)\s+(?:(?!(?:old|previous|former|wrong|last)\b)\w+\s+)?{label}{IS}",
        rf"(?:^|[\n,;.]\s*)(?P<cue>{label}\s*[:=]\s*)",
    ]
    if not text.yours:
        cues += [
            rf"\b(?:i|we)\s*{verb}\s+"
            for stem, verb in _VERBS.items()
            if any(word.startswith(stem) for word in key.words)
        ]
    for cue in cues:
        for match in compiled(cue).finditer(text.words):
            yield from _values_after(
                key,
                text,
                Span(match.start("cue") if "cue" in match.re.groupindex else match.start(), match.end()),
            )
    if key.many and any(word.startswith("allerg") for word in key.words):
        for match in re.finditer(
            r"\b(?:a|an)\s+(?:severe\s+|bad\s+)?(?P<value>\w+(?:\s\w+)?)\s+allergy\b",
            text.words,
            re.IGNORECASE,
        ):
            yield Find(match["value"], Span(*match.span("value")), Span(*match.span()))


def _values_after(key: Key, text: Text, cue: Span) -> Iterator[Find]:
    """The words from a cue to the end of its clause, as one value or as the items of a list."""
    end = _CLAUSE_END.search(text.words, cue.end)
    span = trimmed(text.words, Span(cue.end, end.start() if end else len(text.words)))
    if _NO_VALUE.match(text.words, span.start) or len(text.words[slice(*span)].split()) > 14:
        return
    stop = re.compile(";" if key.shape is Shape.ADDRESS else "[,;]").search(text.words, *span)
    single = trimmed(text.words, Span(span.start, stop.start())) if stop else span
    parts = list(split_items(text.words, span)) if key.many else [single]
    for part in parts:
        if part.end > part.start:
            yield Find(text.words[slice(*part)], part, Span(cue.start, span.end))
