"""Recognises e-mail addresses, phone numbers and postal codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnstate.core.facts import Key, Span
from turnstate.core.rules.recognisers.addresses import streets
from turnstate.core.rules.recognisers.phrases import phrases
from turnstate.core.rules.text import Find, Text, compiled
from turnstate.core.values import ValueKind


def _cued(kinds: set[ValueKind], cue: str, text: Text) -> Iterator[Find]:
    """Values of these kinds, quoted with the cue where one stands before them."""
    cued = compiled(rf"\b(?:(?:{text.mine}|the)\s+)?(?:{cue})\W{{0,3}}(?:\b(?:is|to|at|on)\b)?\W{{0,3}}$")
    for value in text.values:
        if value.kind in kinds:
            lead = text.words[max(0, value.start - 60) : value.start]
            said = cued.search(lead)
            start = value.start - len(lead) + said.start() if said else value.start
            yield Find(value.text, Span(value.start, value.end), Span(start, value.end))


def emails(key: Key, text: Text) -> Iterator[Find]:
    """An e-mail address; after the key's name, where another key has e-mail addresses too."""
    if key.name in text.alone:
        yield from _cued({ValueKind.EMAIL}, r"e-?mail(?:\s+address)?|mail(?:\s+address)?", text)
    else:
        yield from phrases(key, text, r"[^\s@<>\"“”(),;]{1,64}@[^\s@<>\"“”(),;]{1,200}\w")


def phones(key: Key, text: Text) -> Iterator[Find]:
    """A phone number after the key's name; any, where no other key has phone numbers."""
    if key.name in text.alone:
        cue = r"(?:(?:tele)?phone|mobile|cell|whatsapp)(?:\s+number)?|number|(?:call|reach|text)\s+me"
        yield from _cued({ValueKind.PHONE}, cue, text)
    yield from phrases(key, text, r"\+?\d[\d\s().-]{5,20}\d")


def postcodes(key: Key, text: Text) -> Iterator[Find]:
    """A postal code after the key's name, or in an address."""
    yield from phrases(key, text, r"[A-Za-z]{0,2}\d[A-Za-z\d]{1,4}(?:[ -]?\d[A-Za-z]{2}|-\d{4})?(?!\w)")
    for found in streets(text):
        if code := re.search(r"\b\d{5}(?:-\d{4})?$|(?<=, )\d{5}(?=\s+[^\W\d_])", str(found.value)):
            yield Find(
                code[0], Span(found.span.start + code.start(), found.span.start + code.end()), found.quote
            )
