"""Times as buyers write them: "six weeks", "end of Q3", "before March", "asap", "no rush"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from turnstate.apps.sales.hearing.policy import TIMELINE, Policy
from turnstate.apps.sales.hearing.words import spoken
from turnstate.core.facts import Span
from turnstate.core.values import number
from turnstate.core.values.numbers import SPELLED

_DAYS: Final = {
    "d": 1, "w": 7, "f": 14, "m": 30, "q": 91, "y": 365, "t": 1, "s": 7, "j": 365, "a": 365, "н": 7, "周": 7, "週": 7, "주": 7, "个": 30, "か": 30, "ヶ": 30, "개": 30, "月": 30, "м": 30,
}  # fmt: skip
_UNITS: Final = (
    r"business days|working days|days?|weeks?|wks?|weekes|wekes|fortnights?|months?|mths?|mnths?|mos|quarters?|qtrs?|years?|yrs?|wochen?|monate?n?|tagen?|jahre?n?|semanas?|meses|mes|días|años?|"
    r"semaines?|mois|jours|ans?|settimane?|mesi|giorni|weken|maanden|недел[ьиюя]|месяц(?:а|ев)?|周|星期|週間|주|个月|か月|ヶ月|개월"
)
_FOREIGN: Final = {
    "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "acht": 8, "zehn": 10, "zwölf": 12, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "ocho": 8, "diez": 10,
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "huit": 8, "dix": 10, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "otto": 8, "两": 2, "三": 3, "六": 6, "八": 8,
    "дв": 2, "шесть": 6, "два": 2, "три": 3,
}  # fmt: skip
_COUNT: Final = rf"(?:\d{{1,3}}(?:[.,]5)?|half an?|a (?:couple|few)(?: of| more)?|couple(?: of)?|few|several|an?(?: single)?|one and a half|{'|'.join(_FOREIGN)}|{SPELLED})"
_DURATION: Final = spoken(
    rf"(?<![\w.,-])(?P<low>{_COUNT})(?:(?:\s?[-–—/]\s?|\s(?:to|or|bis|a|à)\s)(?P<high>{_COUNT}))?(?:\s+more|\s+short|\s+full|\s+calendar)?[\s-]?(?P<unit>{_UNITS})(?![a-z])(?:\s+or\s+(?:two|three)\b)?(?:\s+and a half)?",
)
_MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)"
)
_PERIOD: Final = (
    r"(?:(?:the )?(?:first|second|third|fourth|last|next|this|1st|2nd|3rd|4th|coming|current|following) (?:week|month|quarter|half|year)(?: of (?:next year|this year|the (?:month|year|quarter)|(?:20)\d\d|next month))?"
    r"|(?:q[1-4]|h[12]|[1-4]q)(?:[\s/'-]{0,2}(?:20)?\d\d\b)?(?: (?:of )?(?:next|this) year)?|(?:next|this|the coming|the) (?:spring|summer|autumn|fall|winter|season|peak season|peak|christmas|easter|holiday season|tax year|fiscal year|financial year)"
    r"|spring|summer|autumn|winter|christmas|xmas|easter|thanksgiving|black friday|ramadan|new year(?:'s)?(?: eve)?|(?:the )?new year|(?:our |the |their )?(?:peak|busy|high|holiday|harvest|christmas|xmas|festive)(?: |-)?(?:season|period|rush|time)?|"
    r"(?:the )?(?:year|quarter|month|week)(?:'s)?(?: |-)?end|eo[yqm]|the (?:year|quarter|month|summer|week) is (?:out|over)|(?:20)(?:2[5-9]|3\d)|the holidays|the (?:quarter|month|year))"
)
_DATE: Final = (
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of)? {_MONTH}\b(?:,? (?:20)?\d\d\b)?|(?:early|mid|late|mid-|beginning of |end of |start of |middle of )?[ -]?{_MONTH}\b(?:\.(?= \d))?(?: (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s?(?:people|employees|k\b)))?(?:,? 20\d\d\b)?(?: next year| this year)?"
    r"|20\d\d-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:20)?\d\d|(?:next |this |coming )?(?:monday|tuesday|wednesday|thursday|friday)|tomorrow)"
)
_POINT: Final = spoken(
    rf"(?<![\w-])(?:(?P<limit>before|after|not before|no later than|vor|antes de|avant|bis)\s+)?(?:the (?:very )?)?(?P<point>(?:(?:(?:start|beginning|middle|close|first half|second half|latter half|back end) of|end(?: of)?|early(?: in)?|mid|late(?:r)?(?: in)?|earlier in)[\s-]+)?"
    rf"(?:the )?(?:{_PERIOD}(?: of {_MONTH})?|{_DATE})|(?:start|beginning|middle|close|first half|second half|end) of (?:the |this |next |our |the coming )?(?:(?:financial|fiscal|tax|calendar|school) )?(?:year|quarter|month|week|season|summer|spring|autumn|fall|winter))(?![\w])",
)
_NOW: Final = spoken(
    r"\b(?:as soon as (?:possible|we can|you can|humanly possible)|a\.?s\.?a\.?p\.?\b|asap|immediately|right away|straight ?away|urgently|urgent|yesterday|the sooner the better|sooner rather than later|as quickly as possible|as fast as possible|at once|today|"
    r"right now|(?<!for )(?<!by )now|so schnell wie möglich|sofort|lo antes posible|cuanto antes|dès que possible|immédiatement)(?!\w)|尽快|立即|できるだけ早く|最快",
)
NO_RUSH: Final = spoken(
    r"\b(?:no (?:rush|hurry|urgency|deadline|time pressure|fixed (?:date|deadline|timeline)|particular (?:date|deadline|timeline)|set (?:date|deadline|timeline))|(?:not|isn't|aren't|nothing)(?: \w+){0,2} (?:urgent|in a (?:rush|hurry)|pressing|rush|hurry|time[- ]sensitive)|"
    r"(?:take|taking) our time|whenever|some ?day|at some point(?! (?:around|in|by|next|this|before|during|soon))|(?:we're |i'm |are )?(?:pretty |quite |fairly )?flexible (?:on|about|with|as to) (?:the |our )?(?:timing|timeline|dates?|start|schedule)|(?:timing|timeline|dates?|schedule) (?:is|are) (?:\w+ )?flexible|eventually|one day|sometime(?! (?:around|in|by|next|this|before|during|soon|early|late))|down the (?:road|line)|not any ?time soon|no timeline(?: yet)?|no time ?frame|haven't (?:set|decided|fixed) (?:\w+ ){0,3}(?:date|timeline|deadline)|kein(?:e)? eile|sin prisa|pas (?:pressé|urgent))\b",
)
_BUT: Final = spoken(
    rf"\bnot (?:in |within )?(?P<old>{_COUNT})(?:[\s-](?P<unit>{_UNITS}))?,?(?: but| it's| rather| more like|, )+ (?:in |within |rather |more like |about |around |it's )?(?P<new>{_COUNT})(?![\w-])(?![\s-](?:{_UNITS}))",
)


_NEAR: Final = spoken(r"\b(?:this|next|coming) (?:week|month)|tomorrow|day\b")
_EARLY: Final = spoken(r"early|start|begin|first|q1|jan|feb|mar")
_QUARTER: Final = spoken(r"quarter|q[1-4]|h[12]")


class When(NamedTuple):
    """A time as it stands in a text: its score and whether it is a duration, a point, "now" or "rush"."""

    span: Span
    value: int
    kind: str


def times(text: str, policy: Policy) -> Iterator[When]:
    """The times of a text, kind by kind, with the scores they would have."""
    for match in _DURATION.finditer(text):
        days = _days(match)
        if days:
            yield When(Span(*match.span()), _score(days, policy), "duration")
    for match in _POINT.finditer(text):
        start = (
            match.start("limit")
            if (match["limit"] or "").lower() in {"before", "after", "vor", "avant", "antes de"}
            else match.start("point")
        )
        yield When(Span(start, match.end("point")), _point(match["point"].lower()), "point")
    for match in _BUT.finditer(text):
        yield When(
            Span(*match.span("new")),
            _score(_count(match["new"]) * _DAYS.get((match["unit"] or "w")[0].lower(), 7), policy),
            "duration",
        )
    for match in NO_RUSH.finditer(text):
        yield When(Span(*match.span()), TIMELINE["whenever"], "rush")
    for match in _NOW.finditer(text):
        yield When(Span(*match.span()), TIMELINE["now"], "now")


_COUNTS: Final = (
    ("half", 0.5),
    ("one and", 1.5),
    ("couple", 2),
    ("a couple", 2),
    ("few", 4),
    ("a few", 4),
    ("several", 4),
)


def _count(said: str) -> float:
    """How many; "a few" is four."""
    said = said.lower()
    if said in {"a", "an", "a single"}:
        return 1
    known = [many for words, many in _COUNTS if said.startswith(words)]
    read = known[0] if known else _FOREIGN.get(said) or number(said)
    return float(read) if read is not None else 0


def _days(match: re.Match[str]) -> float:
    """How many days a duration has."""
    unit = match["unit"].lower()
    said = (match["high"] or match["low"]).lower()
    if (
        unit.startswith("mo")
        and unit != "mos"
        and match["low"].lower() in {"a", "an"}
        and match.end() - match.start() < 4
    ):
        return 0
    return _count(said) * (
        30 if unit.startswith(("mo", "mes", "mt", "mn", "maan", "м")) else _DAYS.get(unit[0], 7)
    )


def _score(days: float, policy: Policy) -> int:
    """The score of a start in so many days."""
    for limit, name in ((policy.soon, "soon"), (policy.later, "later"), (policy.far, "far")):
        if days <= limit:
            return TIMELINE[name]
    return TIMELINE["beyond"]


def _point(said: str) -> int:
    """The score of a date or a season, whose distance nobody knows without a calendar."""
    if _NEAR.search(said) and "holi" not in said:
        return TIMELINE["soon"]
    if "next year" in said:
        return TIMELINE["beyond" if not _EARLY.search(said) else "far"]
    if _QUARTER.search(said):
        return TIMELINE["later"]
    return TIMELINE["planned"]
