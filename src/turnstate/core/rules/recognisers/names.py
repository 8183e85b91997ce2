"""Recognises the names of people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from turnstate.core.facts import Key, Span
from turnstate.core.facts.text import word_set
from turnstate.core.rules.recognisers.phrases import phrases
from turnstate.core.rules.text import Find, Text

_NAME_CUE: Final = re.compile(
    r"(?:\b(?:(?:my|our|your|the)\s+(?:full\s+)?name(?:\s+is|['’]s)|(?:full\s+)?name\s*:|call\s+me|i['’]m\s+called|i\s+am\s+called|"
    r"ich\s+heiße|mein\s+name\s+ist|je\s+m['’]appelle|mon\s+nom\s+est|me\s+llamo|mi\s+nombre\s+es|mi\s+chiamo|меня\s+зовут|"
    r"speaking\s+(?:with|to))\s+|我叫|我的名字[是叫])",
    re.IGNORECASE,
)
_CALL_ME: Final = re.compile(r"\bcall\s+me\s+", re.IGNORECASE)
_I_AM: Final = re.compile(
    r"(?:^|(?<=[.!?,;:\n])\s*|\b(?:hi|hello|hey)\b[\s,!]*)(?P<cue>\b(?:i['’]m|i\s+am|this\s+is|soy|ich\s+bin)\s+)",
    re.IGNORECASE,
)
_NAME_RUN: Final = re.compile(
    r"(?:[A-Z]\.|[^\W\d_][\w'’-]{0,29})(?:[ ](?:[A-Z]\.|[^\W\d_][\w'’-]{0,29})){0,3}"
)
_AFTER_NAME: Final = re.compile(
    r"\s*(?:$|[.,!?;:)(\n—–。，！-]|(?:and|from|with|here|calling|by|speaking|but)\b)", re.IGNORECASE
)
_PARTICLES: Final = word_set("de del da di van von der den la le al el bin ibn y")
_NOT_NAMES: Final = word_set(
    "a an the and but or not no in on at from to for with by of my your his her our their its it i i'm i’m you we they he she this that "
    "there here wrong spelled misspelled spelt written already still also required looking trying calling writing sorry sure ready happy "
    "sad angry upset okay ok fine good great well interested worried confused afraid glad done back new just very so really currently about "
    "under listed missing correct right called known when what where who why how if because please thanks order american british german "
    "french spanish italian chinese japanese indian mexican canadian australian brazilian dutch russian korean urgent yes hello hi hey "
    "customer member support speaking"
)


def _named(cues: re.Pattern[str], text: Text, *, certain: bool) -> Iterator[Find]:
    """Names after the cues; after "I'm" only what is capitalised and ends the clause."""
    for cue in cues.finditer(text.words):
        run = _NAME_RUN.match(text.words, cue.end())
        tokens = name_tokens(run[0].split(" ")) if run else []
        if run is None or not tokens:
            continue
        name = " ".join(tokens)
        span = Span(run.start(), run.start() + len(name))
        capital = name[0] != name[0].lower()
        if (capital or certain) and ((capital and certain) or _AFTER_NAME.match(text.words, span.end)):
            yield Find(
                name, span, Span(cue.start("cue") if "cue" in cues.groupindex else cue.start(), span.end)
            )


def name_tokens(tokens: Sequence[str]) -> list[str]:
    """The first of the tokens that can be one name: capitals and particles, or two words without any capital."""
    real = list(takewhile(lambda token: token.lower() not in _NOT_NAMES, tokens))
    if not real or real[0].endswith("ing"):
        return []
    if real[0][0] == real[0][0].lower() and real[0][0] != real[0][0].upper():
        return real[:2]
    kept = list(takewhile(lambda token: token[0] == token[0].upper() or token in _PARTICLES, real))
    while kept[-1] in _PARTICLES:
        kept.pop()
    return kept


def names(key: Key, text: Text) -> Iterator[Find]:
    """A person's name after words that introduce one; its first or last part, where that is the key."""
    words = set(key.words)
    if words & {"nickname", "preferred"}:
        yield from _named(_CALL_ME, text, certain=True)
        return
    first, last = words & {"first", "given", "firstname"}, words & {"last", "family", "surname", "lastname"}
    if first or last:
        yield from phrases(key, text, r"[^\W\d_][\w'’-]{1,40}")
    for found in (*_named(_NAME_CUE, text, certain=True), *_named(_I_AM, text, certain=False)):
        head, _, tail = str(found.value).partition(" ")
        if first:
            yield Find(head, Span(found.span.start, found.span.start + len(head)), found.quote)
        elif last and tail:
            yield Find(tail, Span(found.span.end - len(tail), found.span.end), found.quote)
        elif not last:
            yield found
