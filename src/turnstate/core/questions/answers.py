"""Whether what a user says answers a question: by the kind of thing that was asked for, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from turnstate.core.facts import affirms, sentences
from turnstate.core.questions.profile import Profile, profile
from turnstate.core.values import ValueKind, find

LONGEST: Final = 2_000
"""Characters of a message that are looked at, its first ones."""


class Answered(StrEnum):
    """Whether a message answers: by a thing of the kind asked for, not at all, by not knowing, or cannot tell."""

    YES = "yes"
    NO = "no"
    DECLINED = "declined"
    UNCLEAR = "unclear"


class Reading(NamedTuple):
    """How a message answers a question, and the words that do."""

    answered: Answered
    quote: str = ""


_DECLINES: Final = re.compile(
    r"\b(?:(?:do|did|does|can|could|wo|would|ca)(?: ?n['’]?t|not| not) (?:really |quite |exactly |even |actually |currently )?(?:know|remember|recall|have (?:it|that|one|my|the|a|any)|think of|want to (?:say|tell|share|give)|find|tell you|say|decide)"
    r"|dunno|no (?:idea|clue)|(?:i['’]?m |am |i am )?(?:not|un)[ -]?(?:really |entirely |quite |100% )?(?:sure|certain|decided)|forg[oe]t(?:ten)?|rather not|prefer not to|none of your|not (?:comfortable|going to (?:tell|say|give))|haven['’]?t decided"
    r"|hard to say|depends|have no (?:idea|clue)|not yet|get back to you|(?:let|have) (?:me|to) (?:check|think|look|find)|don['’]t have (?:a|an|any|my) (?:account|idea))\b",
    re.IGNORECASE,
)
_CARELESS: Final = re.compile(
    r"\b(?:any(?: \w+){0,3} (?:is|are|will|would) (?:fine|ok|okay|good|do|be)|any(?:thing|where|time|one| of them| day| time)?(?: is fine| works| will do)?[.!]*$|no (?:real |particular |specific |special |big )?(?:preference|preferences|requirement|requirements)|not? (?:a |really |that )?(?:particular(?:ly)?|picky|important|fussed|bothered)"
    r"|(?:do|does)(?: ?n['’]?t| not) (?:really |much |actually )?(?:matter|care|mind)|(?:have|has|got)(?: ?n['’]?t| no| not)(?: really)?(?: have| got)?(?: an?| any)? ?(?:particular |specific |real )?(?:preference|area|preferences|particular)|n['’]?t have (?:an?|any) (?:\w+ )?(?:preference|area|preferences|particular|price|type|specific)\b"
    r"|either(?: is| one| way| works)?|whatever|whichever|surprise me|up to you|your choice|you (?:choose|pick|decide)|flexible|open to|anything|anywhere|no limit|not really|nope?|nah|none|nothing|all the same|whenever)\b",
    re.IGNORECASE,
)
_MONTH: Final = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_WEEKDAY: Final = r"(?:mon|tues?|wed(?:nes)?|thurs?|fri|sat(?:ur)?|sun)(?:day)?s?"
_DATE: Final = re.compile(
    rf"\b(?:{_WEEKDAY}|to-?day|tomorrow|to-?night|week-?end|(?:next|this|coming) (?:week|month|year|quarter)|same (?:day|date)|{_MONTH}\.? \d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|\d{{1,2}}[/.-]\d{{1,2}}(?:[/.-]\d{{2,4}})?|the \d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}}(?:st|nd|rd|th)|asap|as soon as|right (?:now|away)|immediately|now"
    rf"|q[1-4]|(?:in|within) (?:\w+ ){{1,3}}(?:days?|weeks?|months?|years?)|(?:end|beginning|start|middle) of (?:the )?(?:week|month|year|quarter|{_MONTH})|(?:spring|summer|autumn|fall|winter)|by {_MONTH}|in {_MONTH})\b",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"(?<![\w:])\d{1,2}(?:[:.]\d{2})?\s?(?:a\.?m|p\.?m|o['’ ]?clock|h\b)|(?<!\d)\d{1,2}:\d{2}(?!\d)|\b(?:at|by|after|before|around|about|until|till|from|to|for) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?! ?(?:people|person|guests?|nights?|days?|of us|tickets?|rooms?|stars?|\w+day|adults?|[/-]))\b"
    r"|\b(?:noon|midday|midnight|morning|afternoon|evening|lunch ?time|dinner ?time|any ?time|same time|(?:as soon as|right now|now|asap|immediately)|half past|quarter (?:to|past))\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty|thirty|forty|fifty|hundred|thousand|single|double|couple|dozen|alone|solo|just me|only me|myself|by myself|both of us|few|several|a (?:table|room|seat|ticket) for|my (?:wife|husband|partner|friend) and (?:i|me))\b",
    re.IGNORECASE,
)
_PRICE: Final = re.compile(
    r"[$€£¥]\s?\d|\b\d[\d,.]*\s?(?:k|m|usd|eur|gbp|dollars?|euros?|pounds?|bucks|grand)?\b|\b(?:cheap(?:er|est|ly)?|moderate(?:ly)?|inexpensive|expensive|affordable|mid[- ]?range|high[- ]end|low|budget|luxury|medium|average|reasonabl[ey]|upscale|pricey|free|thousand|hundred)\b",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"\b(?=[\w-]*\d)[\w-]{1,40}\b|\b(?:one|two|three|four|five|six|seven|eight|nine|zero)\b", re.IGNORECASE)
_NAMED: Final = re.compile(r"\b(?:name['’]?s?(?: is)?|i['’]?m|i am|this is|it['’]?s|it is|call me|called|here(?: is|['’]s)?|my \w+ is|under)[ ,:]+(?!(?:not?|just|so|in|at|going|looking|sorry|here|a|the|very|trying|really|calling|to|like|an|been|getting|having|flying|feeling|thinking|planning|about|okay|ok|fine|good|that|because|sure|ready|about|interested|afraid|glad|happy)\b)[\w.'’-]+", re.IGNORECASE)
_PROPER: Final = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'’-]+")
_WEEKDAY_OR_MONTH: Final = re.compile(rf"(?:{_WEEKDAY}|{_MONTH}|I|I['’]\w+|OK|Ok|Okay|Yes|No|Thanks|Please|ASAP|AM|PM|Oh|Hi|Hey|Great|Mr|Mrs|Ms)$", re.IGNORECASE)
_WHERE: Final = re.compile(
    r"\b(?:north|south|east|west|cent(?:er|re|ral)|downtown|city|town|airport|station|home|here|uptown|nearby|midtown|suburbs?|(?:same|that) (?:area|place|city|part|location)|street|avenue|road|near|nearest)\b|\b(?:in|at|from|to|near|around|by|for) (?:the )?[A-Z]\w+",
)
_FROM: Final = re.compile(r"\b(?:from|leav\w*|depart\w*|out of|start\w*|at|in|i['’]m|here|currently|pick(?:ed|ing)?)\b", re.IGNORECASE)
_TO: Final = re.compile(r"\b(?:to|go|going|arriv\w*|get|head\w*|destination|visit\w*|into|at|in|for|toward\w*)\b", re.IGNORECASE)
_EMPTY_REPLY: Final = re.compile(
    r"(?:(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|sure|great|cool|yes|yeah|yep|fine|good|please|wait|hold on|what|huh|um+|uh+|hmm+|well|oh|so|and|wow|alright|right|there|sorry|no problem|of course|got it|one (?:sec(?:ond)?|moment)|just a (?:sec(?:ond)?|moment|minute))\b[\s,.!?…]*)+$",
    re.IGNORECASE,
)
_ASKS_BACK: Final = re.compile(r"[?？؟]|^(?:what|why|how|who|where|when|which|can|could|would|do|does|is|are|will)\b", re.IGNORECASE)
_MOST_WORDS: Final = 5


def reading(question: str, message: str, *, asked: Profile | None = None) -> Reading:
    """How a message answers a question.

    Args:
        question: the question as it was put.
        message: what the user said after it.
        asked: what is asked, where a key declares it; else it is read from the question.
    """
    message = message[:LONGEST].strip()
    about = asked or profile(question)
    if not re.search(r"\w", message) or _EMPTY_REPLY.match(message):
        return Reading(Answered.YES, message) if about.yes_no and affirms(message) else Reading(Answered.NO)
    parts = [message[slice(*span)] for span in sentences(message)]
    for part in parts:
        if _fits(part, about, alone=len(parts) == 1) and not _asks(part):
            return Reading(Answered.YES, part)
    for part in parts:
        if _CARELESS.search(part) and len(part.split()) <= 14 and not _asks(part):
            return Reading(Answered.YES, part)
        if _DECLINES.search(part):
            return Reading(Answered.DECLINED, part)
    if all(map(_asks, parts)) or about.wanted & _TELLING:
        return Reading(Answered.NO)
    if len(message.split()) <= _MOST_WORDS:
        return Reading(Answered.YES, message)
    return Reading(Answered.UNCLEAR)


def _asks(part: str) -> bool:
    return _ASKS_BACK.search(part) is not None


def _fits(part: str, about: Profile, *, alone: bool) -> bool:
    """Whether a sentence holds something of the kind that is asked for."""
    if about.yes_no and not about.wanted & _TELLING:
        return _yes_or_no(part, about)
    return any(_holds(kind, part, about, alone=alone) for kind in about.wanted)


def _yes_or_no(part: str, about: Profile) -> bool:
    said = re.match(r"\W*(?:yes|yeah|yep|yup|sure|no|nope|nah|not|please|i (?:do|don['’]t|would|have|haven['’]t)|definitely|absolutely|of course|that['’]?s? (?:would|will|is|fine|works))\b", part, re.IGNORECASE)
    return said is not None or bool((about.things | about.words) and (about.things | about.words) & profile(part).meaning)


_TELLING: Final = frozenset({"date", "time", "when", "howmany", "howlong", "price", "amount", "id", "code", "email", "phone", "birthdate", "timeline", "place", "name", "who", "postcode", "rating"})
"""What can be recognised in an answer."""


def _holds(kind: str, part: str, about: Profile, *, alone: bool) -> bool:  # noqa: PLR0911 - one return for each kind
    match kind:
        case "date" | "birthdate":
            return _DATE.search(part) is not None or _has(part, ValueKind.DATE)
        case "time":
            return _TIME.search(part) is not None or (alone and re.fullmatch(r"\W*\d{1,2}\W*", part) is not None)
        case "when" | "timeline":
            return _DATE.search(part) is not None or _TIME.search(part) is not None or _has(part, ValueKind.DURATION)
        case "howmany" | "howlong" | "rating":
            return _NUMBER.search(part) is not None
        case "price" | "amount":
            return _PRICE.search(part) is not None
        case "id" | "code" | "phone" | "postcode":
            return _CODE.search(part) is not None
        case "email":
            return "@" in part
        case "place" | "address":
            return _placed(part, about, alone=alone)
        case "name" | "who":
            return _named(part, alone=alone)
        case _:
            return False


def _has(part: str, kind: ValueKind) -> bool:
    return any(value.kind is kind for value in find(part))


def _placed(part: str, about: Profile, *, alone: bool) -> bool:
    way = next(iter(about.ways)) if len(about.ways) == 1 else ""
    short = alone and len(part.split()) <= _MOST_WORDS and not _DECLINES.search(part)
    if way and not short:
        needed = _FROM if way == "start" else _TO
        return needed.search(part) is not None and (_WHERE.search(part) is not None or bool(list(_proper(part))))
    return short or _WHERE.search(part) is not None or bool(list(_proper(part)))


def _named(part: str, *, alone: bool) -> bool:
    short = alone and len(part.split()) <= 3 and re.fullmatch(r"[\w .,'’!-]+", part) is not None
    if short and not _DECLINES.search(part):
        return True
    return _NAMED.search(part) is not None or any(True for _ in _proper(part))


def _proper(part: str) -> Iterator[str]:
    """Words with a capital that are not only the first of a sentence, a day or a month."""
    for found in _PROPER.finditer(part):
        if not _WEEKDAY_OR_MONTH.match(found[0]):
            yield found[0]
