"""The values that a customer writes: order numbers, addresses, e-mail, phone and name, with where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from turnstate.models.offline.addresses import find_addresses
from turnstate.models.offline.families import vocabulary

Kind: TypeAlias = Literal["order", "address", "email", "phone", "name", "other"]

LONGEST: Final = 6_000
"""Characters of one text that are looked at."""

_HEAD: Final = 3_500


def shortened(text: str) -> str:
    """`text`, or the beginning and end of a very long one: what is wanted stands before or after what is pasted."""
    return text if len(text) <= LONGEST else f"{text[:_HEAD]}\n{text[_HEAD - LONGEST :]}"


@dataclass(frozen=True, slots=True)
class Found:
    """A value in a text.

    Attributes:
        kind: what it is; "other" is a number that is none of the rest (money, a date, a quantity).
        text: the value as written, without `#` before a number.
        start: first code point.
        end: one past the last code point.
        refused: the writer says that it is not this one ("not 1001 but 1002").
    """

    kind: Kind
    text: str
    start: int
    end: int
    refused: bool = False


_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}")
_PHONE: Final = re.compile(
    r"(?<![\w#-])(?:\+\d{1,3}[\s().-]{0,2}|\(?0|\(\d{3}\)\s?|\d{3}[-. ](?=\d{3}[-. ]\d{4}))\d[\d\s().-]{5,16}\d(?!\w)"
)
_OTHER: Final = re.compile(
    r"https?://\S{1,300}"
    r"|[$€£¥]\s?\d[\d.,]{0,12}|\b(?:usd|eur|gbp|sek|nok|dkk|chf|cad|aud|inr)\s?\d[\d.,]{0,12}\b"
    r"|\b\d[\d.,]{0,12}\s?(?:[$€£¥%]|(?:usd|eur|gbp|sek|nok|dkk|chf|cad|aud|inr|dollars?|euros?|pounds?|bucks|kr|percent|"
    r"days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|pieces?|pcs|items?|units?|times|pairs?|copies|cm|mm|kg|km|ml|gb|watts?|"
    r"am|pm|words|people|characters)\b)"
    r"|\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b|\b\d{1,2}:\d{2}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:19|20)\d\d[-/](?:19|20)?\d\d\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|"
    r"oct|nov|dec)\.?\s\d{1,4}\b"
    r"|\b(?:zip|postcode|postal code|plz|pin|room|page|model|size|version)(?:\scode)?(?:\s(?:is|was))?:?\s\d[\w-]{0,12}"
    r"|\brefund[\s_]?(?:id|number|reference|no)\W{0,4}[\w-]{2,30}"
    r"|\btracking\s(?:(?:number|no|nr|code|id)\.?\s?)?(?:is\s|was\s|:\s?|#\s?)?[A-Z0-9]{0,6}\d[\w-]{3,30}",
    re.IGNORECASE,
)
_CORE: Final = r"[A-Za-z]{0,6}[-_/–]?\d[\dA-Za-z]{0,20}(?:[-_/–][\dA-Za-z]{1,14}){0,4}"
_CUED: Final = re.compile(
    r"\b(?:order|ordr|oder|odrer|ord|purchase|parcel|package|shipment|reference|ref|confirmation|invoice|booking)s?"
    r"(?P<label>[\s_-]?(?:numbers?|numer|nubmer|num|no\b\.?|nr\b\.?|ids?\b|code|ref|reference))?"
    r"(?:\s?(?:is|was|are|should be|would be|called|it's|its|:|=|->|#|№|no\.|,|\(|\"))*\s{0,2}#?"
    rf"(?P<value>{_CORE})(?!\w|[.,]\d)",
    re.IGNORECASE,
)
_HASH: Final = re.compile(rf"(?:#|№)\s?(?P<value>{_CORE})(?!\w|[.,]\d)")
_CODED: Final = re.compile(
    r"(?<![\w@./-])(?P<value>[A-Z]{1,6}[-_–]?\d{3,16}(?:[-–][\dA-Z]{1,12}){0,4}|[A-Za-z]{1,6}[-_–]\d{3,16}(?:[-–][\dA-Za-z]{1,12}){0,4}"
    r"|(?=[A-Z\d-]{5,24}(?![\w-]))(?=[A-Z-]{0,24}\d)(?=[\d-]{0,24}[A-Z])[A-Z\d]{2,12}(?:-[A-Z\d]{2,12}){0,4}"
    r"|\d{3,6}-\d{4,9}(?:-\d{4,9})?)(?![\w@-]|[.,]\d)"
)
_BARE: Final = re.compile(r"(?<![\w.,$€£¥#/@+-])(?P<value>\d{4,12})(?![\w@/-]|[.,:]\d)")
_MORE: Final = re.compile(
    rf"(?:,|\s(?:and|or|&)|\s?/|,\s(?:and|or))\s{{0,2}}#?(?P<value>{_CORE})(?!\w|[.,]\d)", re.IGNORECASE
)
_NO_CODE: Final = re.compile(
    r"^(?:(?:apt|unit|flat|suite|floor|room|mid|late|early|pre|post|covid|usd|eur|gbp|rtx|gtx|iso|utf|page|http)[-_–]?\d|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)-)",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_REFUSED: Final = re.compile(
    r"(?:\bnot|n't|n’t|\binstead\sof|\brather\sthan|\bisnt|\bwrong(?:\sone)?:?|\bno\slonger|\bforget|\bignore)\s(?:the\s|for\s|about\s|order\s|number\s|#){0,3}$",
    re.IGNORECASE,
)
_REFUSED_AFTER: Final = re.compile(
    r"^\s?(?:is|was|were|are)\s(?:the\s)?(?:wrong|incorrect|a\stypo|not\s(?:right|correct|it|mine))",
    re.IGNORECASE,
)

_NAME: Final = r"[^\W\d_a-z][^\W\d_]{0,20}(?:['’-][^\W\d_]{1,20})?\.?"
_NAMED: Final = re.compile(
    rf"\b(?:(?i:(?:my|the)\s(?:full\s)?name\s(?:is|'s|’s)|(?:my|the)\sname['’]s|my\sname's|my\sname’s|name\s?:)|(?i:call\sme|i\sam|i'm|i’m|im|this\sis|it's|it’s|here\sis)(?=\s[^\W\d_][^\W\d_A-Z]))\s(?P<value>{_NAME}(?:\s(?:(?:van|von|de|da|del|la|bin|al)\s){{0,2}}{_NAME}){{0,2}})"
)
_NAMED_LOW: Final = re.compile(
    r"\b(?:(?:my|the)\s(?:full\s)?name(?:\sis|['’]?s)|call\sme)\s(?P<value>[^\W\d_]{2,20}(?:\s[^\W\d_]{2,20})?)",
    re.IGNORECASE,
)
_NAME_HERE: Final = re.compile(
    rf"(?:^|[,.!]\s|\b(?i:hi|hello|hey)\s)(?P<value>{_NAME}(?:\s{_NAME})?)\shere\b"
)
_SIGNED: Final = re.compile(
    rf"(?i:thanks|thank you|regards|best|cheers|sincerely)[,!.]?\s{{0,3}}\n\s{{0,3}}(?P<value>{_NAME}(?:\s{_NAME}){{0,2}})\s*$"
)
_NO_NAME: Final = vocabulary(
    "a an the not so very really just still also sorry happy sad angry upset glad sure afraid waiting "
    "looking trying writing calling asking having going getting wondering interested here there fine ok "
    "okay good great well back new from in on at with about my your it this that unacceptable ridiculous "
    "terrible awful urgent important late broken and but or i please thanks hello hi order customer one "
    "yes no what where when how why is was if for because again tired missing unable done off out"
)


def find_values(text: str) -> tuple[Found, ...]:
    """The values in `text`, in order, without overlaps.

    Positions are those in `shortened(text)`.
    """
    return _find(shortened(text))


@lru_cache(maxsize=4096)
def _find(text: str) -> tuple[Found, ...]:
    taken: list[Found] = []
    for found in _candidates(text):
        if all(found.end <= other.start or other.end <= found.start for other in taken):
            taken.append(found)
    return tuple(sorted(taken, key=lambda found: found.start))


def _candidates(text: str) -> Iterator[Found]:
    """All readings, the surest first: a later one counts only where no earlier one stands."""
    for match in _EMAIL.finditer(text):
        yield Found("email", match[0].rstrip("."), match.start(), match.end())
    for span in find_addresses(text):
        said = text[span.start : span.end]
        if not _CUED.match(said):
            yield Found("address", said, span.start, span.end)
    yield from _orders(text, _CUED)
    for match in _PHONE.finditer(text):
        if 8 <= sum(char.isdigit() for char in match[0]) <= 15:
            yield Found("phone", match[0], match.start(), match.end())
    for match in _OTHER.finditer(text):
        yield Found("other", match[0], match.start(), match.end())
    for pattern in (_HASH, _CODED, _BARE):
        yield from _orders(text, pattern)
    yield from _names(text)


def _orders(text: str, pattern: re.Pattern[str]) -> Iterator[Found]:
    for match in pattern.finditer(text):
        if (order := _order(text, match, pattern)) is None:
            continue
        yield order
        at = match.end()
        # "orders 1001, 1002 and 1003": the word stands only before the first.
        while pattern is _CUED and (more := _MORE.match(text, at)) is not None:
            if (listed := _order(text, more, _BARE)) is None or _OTHER.match(text, more.start("value")):
                break
            yield listed
            at = more.end()


def _order(text: str, match: re.Match[str], pattern: re.Pattern[str]) -> Found | None:
    value = match["value"]
    start, end = match.span("value")
    digits = sum(char.isdigit() for char in value)
    cued = pattern is _CUED or pattern is _HASH
    labelled = pattern is _HASH or (pattern is _CUED and bool(match["label"] or "#" in match[0]))
    if cued and digits < (1 if labelled else 3):
        return None
    if not labelled and (_OTHER.match(text, start) or _NO_CODE.match(value)):
        return None
    if pattern is _BARE and _YEAR.fullmatch(value) and text.strip(" .!?#") != value:
        return None
    if (
        cued
        and not value[0].isdigit()
        and value[: len(value) - len(value.lstrip("abcdefghijklmnopqrstuvwxyz"))]
        and digits < 3
    ):
        return None
    refused = bool(
        _REFUSED.search(text, max(0, match.start() - 40), match.start() if cued else start)
    ) or bool(_REFUSED_AFTER.match(text[end : end + 40]))
    return Found("order", value.replace("–", "-"), start, end, refused)


def _names(text: str) -> Iterator[Found]:
    for pattern in (_NAMED, _NAME_HERE, _SIGNED, _NAMED_LOW):
        for match in pattern.finditer(text):
            words = match["value"].split()
            kept: list[str] = []
            for word in words:
                if word.casefold().strip(".") in _NO_NAME:
                    break
                kept.append(word)
            if not kept:
                continue
            said = " ".join(kept).rstrip(".")
            shown = said.title() if said.islower() else said
            yield Found("name", shown, match.start("value"), match.start("value") + len(said))
