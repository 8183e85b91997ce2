"""Postal addresses in a message: where one starts, and how far it reaches.

Patterns only, for addresses as people type them: house number before or after the street, boxes, units, postcodes, and
whatever follows "ship it to". Every pattern is linear in the text: repetitions are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from turnstate.models.offline.families import vocabulary


class Span(NamedTuple):
    """A stretch of a text, as code points."""

    start: int
    end: int


_SUFFIXES: Final = (
    "street|str|st|avenue|ave|av|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct|place|pl|terrace|ter|square|sq|"
    "close|crescent|cres|parkway|pkwy|highway|hwy|row|gardens|gdns|alley|quay|mews|walk|grove|loop|trail|circle|cir|"
    "pike|plaza|hill|park|green|yard|wharf|embankment|promenade|parade|rise|view|bridge|broadway"
)
_WORD: Final = r"[^\W\d_][\w'’-]{0,30}"
_UNIT: Final = r"(?:apt|apartment|flat|unit|suite|ste|floor|fl|room|rm|no|#)\.?\s{0,2}#?\w{1,6}"
_NUMBER: Final = r"\d{1,5}(?:\s?[A-Za-z](?!\w))?(?:\s?[-/]\s?\d{1,5}[A-Za-z]?)?"

_NUMBER_FIRST: Final = re.compile(
    rf"(?<![\w#.,€£$-])(?:{_UNIT},?\s{{1,2}})?{_NUMBER},?\s{{1,2}}"
    rf"(?:(?!(?:days?|weeks?|hours?|minutes?|months?|years?|pm|am|to|at|is|was|for|from|please|order|my|and|or|not|instead)\b)[\w'’.-]{{1,30}}\s{{1,2}}){{1,5}}?(?:{_SUFFIXES})\b\.?",
    re.IGNORECASE,
)
_STREET_FIRST: Final = re.compile(
    rf"\b(?:(?:(?-i:[^\W\d_a-z][\w'’-]{{0,30}})\s)?{_WORD}(?:straße|strasse|str\.|weg|platz|allee|gasse|gatan|gata|vägen|vej|laan|straat|plein|gade|gate|katu)"
    rf"|(?:rue|via|viale|calle|avenida|avenue|plaza|piazza|rua|corso|ulica|ul\.)\s(?:[^\W\d_][\w'’.-]{{0,30}}\s?){{1,5}})"
    rf",?\s{{0,2}}{_NUMBER}(?!\w)",
    re.IGNORECASE,
)
_BOX: Final = re.compile(r"\b(?:p\.?\s?o\.?\s?box|postfach|apartado)\s{1,2}\d{1,7}", re.IGNORECASE)
_CUE: Final = re.compile(
    r"\b(?:(?:ship|send|deliver|forward|redirect|reroute|re-route|post|mail|go|goes|going|delivered|shipped|sent|change|changed|"
    r"update|updated|switch|correct|set)\b(?:\s(?!to\b)[\w'’#-]{1,20}){0,7}?\s(?:over\s)?to:?|"
    r"address(?:\s(?!is\b|to\b)[\w'’]{1,15}){0,3}?(?:\s(?:is|to|should be|would be|now|as|being)){1,3}:?|address\s?:|"
    r"(?:live|living|stay|staying|reside|moved|moving|move)\s(?:now\s)?(?:at|to|in))\s{1,3}",
    re.IGNORECASE,
)

# What ends an address: a new thought.
_ENDERS: Final = vocabulary(
    "please pls plz and thanks thank thx instead can could will would should when where what why how is "
    "are was because so but for it its it's it’s i i'm i’m im you we they my your asap now today tomorrow "
    "if order as from not rather by before also since until that this with which who though although "
    "unless except or then he she there do did does has have had until after ok okay right cheers"
)
# Nobody lives at one of these.
_NO_PLACE: Final = re.compile(
    r"^(?:me|us|him|her|them|you|my|our|your|a|an|be|do|get|see|know|ask|order|number|#?[\d\s-]+$|the (?:address|one|order|number|"
    r"(?:same|other|new|old|right|wrong|usual)(?: one| address| place|$))|\d{1,2}(?::\d\d)?\s?(?:am|pm)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"\d{0,2}(?:st|nd|rd|th)?\s?(?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b)",
    re.IGNORECASE,
)
_STOP: Final = re.compile(r"[?!;]|\.(?=\s|$)|\n\s*\n| - | – | — |\(")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:st|str|ave|rd|blvd|dr|ln|ct|pl|apt|ste|fl|no|mt|ft|p\.?o|po|ul|u\.?s|n|s|e|w)|\b[A-Z])$",
    re.IGNORECASE,
)
_POSTCODE: Final = re.compile(
    r"(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|[A-Z]{2}\s\d{5}(?:-\d{4})?|\d{4}\s?[A-Z]{2}|\d{3}\s\d{2}|(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?)"
    r"(?![\w-])",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(r"[^\W\d_][\w'’.-]{0,30}")
_GAP: Final = re.compile(r"(?:,\s{0,3}|\s{0,2}\n\s{0,3}|[ \t]{1,3})")
_INNER_UNIT: Final = re.compile(rf"{_UNIT}(?!\w)", re.IGNORECASE)
_LONGEST: Final = 160


def find_addresses(text: str) -> tuple[Span, ...]:
    """The addresses in `text`, in order, without overlaps."""
    found: list[Span] = []
    for span in sorted(_candidates(text), key=lambda s: (s.start, -s.end)):
        if not found or span.start >= found[-1].end:
            found.append(span)
    return tuple(found)


def _candidates(text: str) -> Iterator[Span]:
    for pattern in (_NUMBER_FIRST, _STREET_FIRST, _BOX):
        for match in pattern.finditer(text):
            yield Span(match.start(), _tail(text, match.end()))
    for match in _CUE.finditer(text):
        if (span := _after_cue(text, match.end())) is not None:
            yield span


def _after_cue(text: str, start: int) -> Span | None:
    """What follows words like "ship it to", if that can be a place: letters and a figure, or several parts."""
    piece = text[start : start + _LONGEST]
    end = start + _thought_end(piece)
    said = text[start:end]
    words = said.split()
    if len(words) < 2 or _NO_PLACE.match(said):
        return None
    has_figure = any(char.isdigit() for char in said)
    if not (has_figure and re.search(r"[^\W\d_]{3}", said)) or re.search(r"[@#]|https?:", said):
        return None
    return _trimmed(text, start, end)


def _thought_end(piece: str) -> int:
    """Where the address that starts `piece` ends: at a stop, or before a word that begins another thought."""
    end = len(piece)
    for match in _STOP.finditer(piece):
        if match[0] == "." and _ABBREVIATION.search(piece[: match.start()]):
            continue
        end = match.start()
        break
    for match in re.finditer(r"[\w'’]+", piece[:end]):
        if match[0].casefold() in _ENDERS and match.start() > 0:
            return match.start()
    return end


def _tail(text: str, end: int) -> int:
    """Where an address ends whose street is known to end at `end`: unit, town, region, postcode and country follow."""
    limit = min(len(text), end + _LONGEST)
    while end < limit:
        reached = _segment(text, end, limit)
        if reached == end:
            break
        end = reached
    return end


def _segment(text: str, at: int, limit: int) -> int:
    """The end of the next part of an address that starts at `at`, or `at` if there is none."""
    gap = _GAP.match(text, at, limit)
    if gap is None:
        return at
    start = gap.end()
    if (unit := _INNER_UNIT.match(text, start, limit)) is not None and (
        any(char.isdigit() for char in unit[0]) or len(unit[0].split()[-1]) == 1
    ):
        return unit.end()
    if (postcode := _POSTCODE.match(text, start, limit)) is not None:
        return postcode.end()
    separated = "," in gap[0] or "\n" in gap[0]
    return _places(text, start, at, limit, any_case=separated and "\n" not in gap[0])


def _places(text: str, start: int, at: int, limit: int, *, any_case: bool) -> int:
    """The end of up to four words that can name a town, region or country; `at` if the first cannot."""
    end, position = at, start
    for count in range(4):
        word = _PLACE.match(text, position, limit)
        if (
            word is None
            or (count and _POSTCODE.match(text, position, limit))
            or word[0].casefold().rstrip(".") in _ENDERS
        ):
            break
        named = word[0][0].isupper()
        follows_place = count > 0 and any_case
        if not named and not (any_case and (count == 0 or follows_place)):
            break
        end = word.end() - (1 if word[0].endswith(".") and not _ABBREVIATION.search(word[0][:-1]) else 0)
        if end < word.end() or not text.startswith(" ", end):
            break
        position = end + 1
    return end if end > at and _is_place(text[start:end]) else at


def _is_place(said: str) -> bool:
    """Whether words after a comma name a place rather than start a sentence."""
    return said.split(maxsplit=1)[0].casefold() not in {
        "hi",
        "hello",
        "hey",
        "dear",
        "best",
        "regards",
        "kind",
        "sincerely",
        "no",
        "yes",
        "where's",
    }


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while end > start and text[end - 1] in " ,.:;\t\n\r\"'”’)":
        end -= 1
    while start < end and text[start] in " ,.:;\t\n\r\"'“‘(":
        start += 1
    return Span(start, end) if start < end else None
