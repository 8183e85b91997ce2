"""What kind of thing a sentence holds: a date, a number, a place, a name; by its form, English."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from turnstate.core.facts.text import word_set
from turnstate.core.search.words import STOP
from turnstate.core.values import ValueKind, find


class Part(NamedTuple):
    """A sentence or clause of a reply.

    Attributes:
        text: its words.
        alone: whether it is short and opens the reply, so that it may be the answer and nothing else.
        own: whether the name asked for is the user's own.
    """

    text: str
    alone: bool = False
    own: bool = False


_MONTH: Final = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_WEEKDAY: Final = r"(?:mon|tues?|wed(?:nes)?|thurs?|fri|sat(?:ur)?|sun)(?:day)?s?"
_DATE: Final = re.compile(
    rf"\b(?:{_WEEKDAY}|to-?day|tomorrow|to-?night|week-?end|(?:next|this|coming) (?:week|month|year|quarter)|same (?:day|date)|{_MONTH}\.? \d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|\d{{1,2}}[/.-]\d{{1,2}}(?:[/.-]\d{{2,4}})?|the \d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}}(?:st|nd|rd|th)(?! (?:and|street|st|ave\w*|floor|of the|president|birthday))|asap|as soon as|(?<!not )right (?:now|away)|immediately|(?<!right )(?<!for )now(?! that)"
    rf"|q[1-4]|(?:in|within) (?:\w+ ){{1,3}}(?:days?|weeks?|months?|years?)|(?:end|beginning|start|middle) of (?:the )?(?:week|month|year|quarter|{_MONTH})|(?:spring|summer|autumn|fall|winter)|by {_MONTH}|in {_MONTH})\b",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"(?<![\w:])\d{1,2}(?:[:.]\d{2})?\s?(?:a\.?m|p\.?m|o['’ ]?clock|h\b)|(?<!\d)\d{1,2}:\d{2}(?!\d)|\b(?:at|by|after|before|around|about|until|till|from|to|for) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?! ?(?:people|person|guests?|nights?|days?|of us|tickets?|rooms?|stars?|\w+day|adults?|[/-]))\b"
    r"|\b(?:noon|midday|midnight|morning|afternoon|evening|lunch ?time|dinner ?time|any ?time|same time|(?:as soon as|right now|now|asap|immediately)|half past|quarter (?:to|past))\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"(?<![\w:.])\d+(?![\d:]|\.\d)\b|\b(?:one (?:night|day|person|room|ticket|adult|guest|bed|week)|only one|just one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty|thirty|forty|fifty|hundred|thousand|single|double|couple|dozen|alone|solo|just me|only me|myself|by myself|both of us|few|several|a (?:table|room|seat|ticket) for|my (?:wife|husband|partner|friend) and (?:i|me))\b",
    re.IGNORECASE,
)
_DECIDES: Final = re.compile(
    r"\b(?:me|myself|i (?:do|am|can|will|decide|sign)|we (?:do|decide|both)|my (?:boss|manager|partner|team|director)|our|the (?:board|owner|team|director|manager|committee|head)|c[efiot]o|cmo|vp|procurement|finance|director|founder|owner|president|head of)\b",
    re.IGNORECASE,
)
_LASTS: Final = re.compile(
    r"\b(?:a|an|one|half an?|single|per|each|\d{1,4}) (?:night|day|week|month|year|hour|minute|quarter)\b|\b(?:nights|days|weeks|months|years|hours|minutes|hrs?|mins?|quarters|overnight|until|till|weekend|long[- ]term|short[- ]term)\b",
    re.IGNORECASE,
)
_PRICE: Final = re.compile(
    r"[$€£¥]\s?\d|\b\d[\d,.]{0,20}\s?(?:k|m|usd|eur|gbp|dollars?|euros?|pounds?|bucks|grand|credits?|per|a (?:month|year|week|night))\b|\b(?:under|around|about|up to|max(?:imum)?|budget(?: is| of)?|less than|more than|at most|below|over|between) (?:of )?\d|\b(?:cheap(?:er|est|ly)?|moderate(?:ly)?|inexpensive|expensive|affordable|mid[- ]?range|high[- ]end|low|budget|luxury|medium|average|reasonabl[ey]|upscale|pricey|thousand|hundred)\b",
    re.IGNORECASE,
)
_STARS: Final = re.compile(r"\bstars?\b|\brat(?:ed|ing)\b", re.IGNORECASE)
_CODE: Final = re.compile(r"\b(?=[\w-]{0,39}\d)[\w-]{1,40}\b")
_BORN: Final = re.compile(
    rf"\b(?:1[89]|20)\d\d\b|\b\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}\b|\b{_MONTH}\b", re.IGNORECASE
)
_NAMED: Final = re.compile(
    r"\b(?:(?i:my (?:\w+ )?name['’]?s?(?: is| would be)?|the name(?: is|['’]s)?|name['’]s|name is|call me|called|under)[ ,:]+(?!(?i:not?|but|is)\b)[\w.'’-]+|(?i:i['’]?m|i am|this is|it['’]?s|it is|that['’]s|here(?: is|['’]s)?)[ ,:]+(?:(?:Dr|Mr|Mrs|Ms)\.? )?(?!I\b|OK\b)[A-Z][\w.'’-]+)"
)
_SIGNED: Final = re.compile(
    r"\W*(?:(?i:sure|yes|yeah|of course|ok|okay|oh|well|hi|hello|certainly|no problem|that would be)\b[\s,.!:-]*){0,3}(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2})\s*(?:[.,!?;(-]|$|please|here|and\b)"
)
"""A name at the beginning of a reply."""
_PROPER: Final = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'’-]+")
_WEEKDAY_OR_MONTH: Final = re.compile(
    rf"(?:{_WEEKDAY}|{_MONTH}|I|I['’]\w+|OK|Ok|Okay|Yes|No|Thanks|Please|ASAP|AM|PM|Oh|Hi|Hey|Great|Mr|Mrs|Ms)$",
    re.IGNORECASE,
)
_WHERE: Final = re.compile(
    r"\b(?i:north|south|east|west|cent(?:er|re|ral)|downtown|city|town|airport|station|home|uptown|midtown|suburbs?|(?:same|that) (?:area|place|city|part|location)|street|avenue|road)\b|\b(?:in|at|from|to|near|around|by|for) (?:the )?[A-Z]\w+",
)
EMPTY_REPLY: Final = re.compile(
    r"(?:(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|sure|great|cool|yes|yeah|yep|fine|good|please|wait|hold on|what|huh|um+|uh+|hmm+|well|oh|so|and|wow|alright|right|there|sorry|no problem|of course|got it|one (?:sec(?:ond)?|moment)|just a (?:sec(?:ond)?|moment|minute))\b[\s,.!?…]*)+$",
    re.IGNORECASE,
)
"""A reply that says nothing."""
_ASKS_BACK: Final = re.compile(
    r"[?？؟]|^(?:what|why|how|who|where|when|which|can|could|would|do|does|is|are|will)\b", re.IGNORECASE
)
_ADVERB: Final = re.compile(
    r"(?:actually|honestly|really|finally|hopefully|unfortunately|seriously|probably|definitely|absolutely|basically|maybe|perhaps|because|whatever|never|nothing|wow|damn|before|after|let|my|your|the|this|that|we|they|he|she|you|there|what|why|how|when|where|who|can|could|do|don|not|but|just|still|also)\b",
    re.IGNORECASE,
)
_ANOTHERS: Final = re.compile(
    r"\b(?:doctor|dr|friend|wife|husband|mother|father|pet|dog|cat|host|boss|driver|hotel|restaurant|company)[\w'’]*(?:['’]s)? name\b",
    re.IGNORECASE,
)
_SAYING: Final = re.compile(
    r"\b(?:i|we|you|he|she|they|it|need|want|would|is|are|was|have|has|please note)\b", re.IGNORECASE
)
"""Words of a sentence that says more than a place."""


def asks_back(text: str) -> bool:
    """Whether a sentence is a question itself."""
    return _ASKS_BACK.search(text) is not None


def offers(text: str) -> bool:
    """Whether a question can be an answer: short, or about what is possible ("Are they open at 7 pm?")."""
    return len(text.split()) <= 4 or _POSSIBLE.search(text) is not None


_POSSIBLE: Final = re.compile(
    r"\b(?:available|availability|open|free|possible|works?|ok|okay|how about|what about|make it|book|reserve|schedule|get|do|try|say|maybe|around|fine|find)\b(?!.{0,40}\bweather\b)(?<!\bcheck)",
    re.IGNORECASE,
)


def says_no(text: str) -> bool:
    """Whether a sentence opens with no."""
    return _NO.match(text) is not None


_NO: Final = re.compile(
    r"\W*(?:(?:oh|well|um|so|hmm)\b[\s,]*)?(?:no|nope|nah|not really|none)\b(?! (?:idea|clue))", re.IGNORECASE
)


def _date(part: Part) -> bool:
    return _DATE.search(part.text) is not None or _has(part, ValueKind.DATE)


def _time(part: Part) -> bool:
    short = part.alone and re.fullmatch(r"\D{0,12}\d{1,2}\D{0,8}", part.text)
    return _TIME.search(part.text) is not None or bool(short)


def _when(part: Part) -> bool:
    return (
        _DATE.search(part.text) is not None
        or _TIME.search(part.text) is not None
        or _has(part, ValueKind.DURATION)
    )


def _rating(part: Part) -> bool:
    return _STARS.search(part.text) is not None or (part.alone and _NUMBER.search(part.text) is not None)


def _lasts(part: Part) -> bool:
    return _LASTS.search(part.text) is not None or (part.alone and _NUMBER.search(part.text) is not None)


def _number(part: Part) -> bool:
    return _NUMBER.search(part.text) is not None or (part.alone and "one" in part.text.casefold().split())


def _price(part: Part) -> bool:
    return _PRICE.search(part.text) is not None or (part.alone and re.search(r"\d", part.text) is not None)


def _code(part: Part) -> bool:
    return _CODE.search(part.text) is not None


def _place(part: Part) -> bool:
    if part.alone:
        dated = re.search(r"\d", part.text) and (_TIME.search(part.text) or _DATE.search(part.text))
        if not (dated or EMPTY_REPLY.match(part.text) or _SAYING.search(part.text)):
            return True
    return _WHERE.search(part.text) is not None and re.search(r"(?:n['’]t|not|never)\b", part.text) is None


def _name(part: Part) -> bool:
    text = part.text
    if re.search(r"\d", text):
        return False
    if part.alone and len(text.split()) <= 4 and not EMPTY_REPLY.match(text) and _is_name(text):
        return True
    if _NAMED.search(text) and not (part.own and _ANOTHERS.search(text)):
        return True
    return _signed(text) or (not part.own and _proper(text))


def _is_name(text: str) -> bool:
    """Whether a short reply is a name and what may stand around it, in small letters too."""
    said = [word.strip(".,!?;:'’").casefold() for word in text.split()]
    return any(word not in STOP and word != "name" for word in said) and not STOP.difference(_AROUND) & set(
        said
    )


_AROUND: Final = word_set("i im i'm it its it's is my name this the think and of am sure yes")


def _signed(text: str) -> bool:
    """Whether a sentence opens with a name."""
    signed = _SIGNED.match(text)
    return signed is not None and not any(
        pattern.match(signed["name"]) for pattern in (EMPTY_REPLY, _ADVERB, _WEEKDAY_OR_MONTH)
    )


def _proper(text: str) -> bool:
    """Whether a sentence holds a word with a capital that is not its first, a day or a month."""
    return any(not _WEEKDAY_OR_MONTH.match(found[0]) for found in _PROPER.finditer(text))


def _has(part: Part, kind: ValueKind) -> bool:
    return any(value.kind is kind for value in find(part.text))


HOLDS: Final[Mapping[str, Callable[[Part], bool]]] = {
    "address": _place,
    "amount": _price,
    "authority": lambda part: _name(part) or _DECIDES.search(part.text) is not None,
    "birthdate": lambda part: _BORN.search(part.text) is not None,
    "code": _code,
    "date": _date,
    "email": lambda part: "@" in part.text,
    "howlong": _lasts,
    "howmany": _number,
    "id": _code,
    "name": _name,
    "phone": _code,
    "place": _place,
    "postcode": _code,
    "price": _price,
    "rating": _rating,
    "time": _time,
    "timeline": _when,
    "when": _when,
    "who": _name,
}
"""Whether a sentence holds what is asked for, for all that can be recognised by its form."""

EXACT: Final = word_set("date time when howmany howlong price amount email")
"""What stands in an answer even where it is put as a question: "Are they open at 7 pm?"."""
