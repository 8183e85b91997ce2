"""What a buyer says about when to start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from turnstate.apps.sales.hearing.corrections import corrects, taken_back
from turnstate.apps.sales.hearing.policy import TIMELINE, Policy
from turnstate.apps.sales.hearing.words import Expected, Found, Words, spoken
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
    rf"(?<![\w.,-])(?P<low>{_COUNT})(?:(?:\s?[-–—/]\s?|\s(?:to|or|bis|a|à)\s)(?P<high>{_COUNT}))?(?:\s+more|\s+short|\s+full|\s+calendar)?[\s-]?(?P<unit>{_UNITS})(?![a-z])(?:\s+or\s+(?:so|two|less|sooner|three))?(?:\s+and a half)?",
)
_MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)"
)
_PERIOD: Final = (
    r"(?:(?:the )?(?:first|second|third|fourth|last|next|this|1st|2nd|3rd|4th|coming|current|following) (?:week|month|quarter|half|year)(?: of (?:next year|this year|the (?:month|year|quarter)|(?:20)\d\d|next month))?"
    r"|(?:q[1-4]|h[12]|[1-4]q)(?:[\s/'-]{0,2}(?:20)?\d\d\b)?(?: (?:of )?(?:next|this) year)?|(?:next|this|the coming|the) (?:spring|summer|autumn|fall|winter|season|peak season|peak|christmas|easter|holiday season|tax year|fiscal year|financial year)"
    r"|spring|summer|autumn|winter|christmas|xmas|easter|thanksgiving|black friday|ramadan|new year(?:'s)?(?: eve)?|(?:the )?new year|(?:our |the |their )?(?:peak|busy|high|holiday|harvest|christmas|xmas|festive)(?: |-)?(?:season|period|rush|time)?|"
    r"(?:the )?(?:year|quarter|month|week)(?:'s)?(?: |-)?end|eo[yqm]|the (?:year|quarter|month|summer|week) is (?:out|over)|(?:20)(?:2[5-9]|3\d)|the holidays)"
)
_DATE: Final = (
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of)? {_MONTH}\b(?:,? (?:20)?\d\d\b)?|(?:early|mid|late|mid-|beginning of |end of |start of |middle of )?[ -]?{_MONTH}\b(?:\.(?= \d))?(?: (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b(?!\s?(?:people|employees|k\b)))?(?:,? 20\d\d\b)?(?: next year| this year)?"
    r"|20\d\d-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:20)?\d\d|(?:next |this |coming )?(?:monday|tuesday|wednesday|thursday|friday)|tomorrow)"
)
_POINT: Final = spoken(
    rf"(?<![\w-])(?:(?P<limit>before|after|not before|no later than|vor|antes de|avant|bis)\s+)?(?:the (?:very )?)?(?P<point>(?:(?:(?:start|beginning|middle|close|first half|second half|latter half|back end) of|end(?: of)?|early(?: in)?|mid|late(?:r)?(?: in)?|earlier in)[\s-]+)?"
    rf"(?:the )?(?:{_PERIOD}|{_DATE})|(?:start|beginning|middle|close|first half|second half|end) of (?:the |this |next |our |the coming )?(?:(?:financial|fiscal|tax|calendar|school) )?(?:year|quarter|month|week|season|summer|spring|autumn|fall|winter))(?![\w])",
)
_NOW: Final = spoken(
    r"\b(?:as soon as (?:possible|we can|you can|humanly possible)|a\.?s\.?a\.?p\.?\b|asap|immediately|right away|straight ?away|urgently|urgent|yesterday|the sooner the better|sooner rather than later|as quickly as possible|as fast as possible|at once|today|"
    r"right now|(?<!for )(?<!by )now|so schnell wie möglich|sofort|lo antes posible|cuanto antes|dès que possible|immédiatement)(?!\w)|尽快|立即|できるだけ早く|最快",
)
_NO_RUSH: Final = spoken(
    r"\b(?:no (?:rush|hurry|urgency|deadline|time pressure|fixed (?:date|deadline|timeline)|particular (?:date|deadline|timeline)|set (?:date|deadline|timeline))|(?:not|isn't|aren't|nothing)(?: \w+){0,2} (?:urgent|in a (?:rush|hurry)|pressing|rush|hurry|time[- ]sensitive)|"
    r"(?:take|taking) our time|whenever|some ?day|at some point|eventually|one day|sometime|down the (?:road|line)|not any ?time soon|no timeline(?: yet)?|no time ?frame|haven't (?:set|decided|fixed) (?:\w+ ){0,3}(?:date|timeline|deadline)|kein(?:e)? eile|sin prisa|pas (?:pressé|urgent))\b",
)
_LIVE: Final = spoken(
    r"\b(?:(?:go|going|goes|be|get|gets|being|us|it|this|everything|fully|all|want|system|went) (?:\w+ ){0,2}?(?:live|running|operational|in production|set up|started|going)|go-?live|golive|live (?:by|in|within|before|on|next|this|from|for|date)|launch(?:ed|ing)?|roll(?:ing|ed)?[- ]?out|rollout|up and running|implement\w*|deploy\w*|"
    r"switch(?:ed|ing)?(?: over)?|deadline|time ?lines?|time ?frames?|target date|in place|in production|cut ?over|kick[- ]?off|have (?:it|this|something|everything|a solution|a system|that) (?:\w+ )?(?:live|running|ready|done|in|by|up|working|in place|set up)|go-live date|implementieren|starten|hard (?:stop|deadline)|timing|time[- ]?scales?|time[- ]?wise|timeline[- ]wise|live gehen|produktiv|arrancar|empezar|démarrer|lancer)\b",
)
_START: Final = spoken(
    r"\b(?:start(?:ed|ing)?|begin(?:ning)?|need(?:s|ed)?(?: (?:it|this|that|something|a (?:solution|system|tool)|to be|everything|you|one))?|ready|done|by when|onboard(?:ed|ing)?|operational|sorted|finished|complete[d]?|want(?:ed)? (?:it|this|to)|would like|like (?:it|this) to|hop(?:e|ing) (?:to|for)|aim(?:ing)?|target(?:ing)?|"
    r"plan(?:ning)? (?:to|on|for|is)|looking (?:at|to)|thinking|ideally|realistic|latest|at the latest|no later than|within|must|has to|have to|gotta|got to|realistically|we have (?:only |just |about |around |until |till |less than |at most )|we've (?:only )?got|give (?:us|ourselves)|window|pilot|trial to start|can wait|wait (?:until|till)|not (?:before|until|till)|"
    r"decision|decide|buy(?:ing)?|purchase|move(?:d)? (?:over|forward)?|moving|change ?over|use (?:it|this)|using (?:it|this)|in time for|ahead of|peak|seasons?|kicks? in|going|working|expires?|runs? out|ends)\b",
)
_NOT_LEAD: Final = spoken(
    r"\b(?:for (?:the )?(?:last|past)|over the (?:last|past)|(?:last|past|since|every|each|once (?:a|every)|times? (?:a|per|every)|hours? (?:a|per|every|each)|per|since|lost|lose|loses|losing|wast\w+|took|takes|spend(?:ing)?|spent|been|ago|back in|already|used|founded|started (?:the (?:company|business)|out)|in business|older? than|open(?:ed)?)(?: (?:the|a|in|about|around|over|us|up to))?|"
    r"(?:\d|k|m|usd|dollars|grand|thousand|hours|hrs|times|bucks|euros|orders|deliveries|parcels|days) (?:a|per|every|each))\s*$",
)
_RATE: Final = spoken(r"(?:an?|each|every|per)\s(?:day|week|month|quarter|year|yr)s?$")
_SLIPPED: Final = spoken(
    r"\b(?:(?:slip|delay|extend|push|mov|postpon|shift|pull|bring|brought)\w*\b[^.;,]{0,24}\bby|another|an extra|an additional|plus|extra)\s+(?:about |around )?$"
)
_SEASON: Final = spoken(
    r"(?:(?:the|our|their) )?(?:new year|(?:peak|busy|high|holiday|harvest|christmas|xmas|festive)?[\s-]?(?:season|period|rush|time)?|spring|summer|autumn|fall|winter|christmas|xmas|easter|thanksgiving|holidays)"
)
_UNTIL: Final = spoken(
    r"\b(?:by|before|in|for|until|till|ahead of|in time for|time for|from|after|come|this|next|over|during|early|late|mid|at|to|is|be)\s+(?:the |our |this |next )?$"
)
_NO_RATE: Final = spoken(
    r"(?:^|[.,;:!?–—-]|\b(?:in|within|about|under|than|only|maybe|just|or|have|got|need|takes?|of|for|like|around|roughly|say|perhaps|probably|is|be|it|well|yes|oh|hm+))\s*$",
)
_NEAR: Final = spoken(r"\b(?:this|next|coming) (?:week|month)|tomorrow|day\b")
_EARLY: Final = spoken(r"early|start|begin|first|q1|jan|feb|mar")
_QUARTER: Final = spoken(r"quarter|q[1-4]|h[12]")
_NOT_BEFORE: Final = spoken(
    r"\b(?:not (?:before|until|till)|no later than|\w+n't (?:\w+ ){0,3}(?:before|until|till))\s+(?:\w+\s+){0,2}$"
)
_NEEDS: Final = spoken(r"\b(?:need|want|should|must|ideally|have)")
_DOES: Final = spoken(r"\b(?:do|use|we|it)\b")
_FOR: Final = spoken(r"\bfor (?:the |about |over |almost |nearly |more than |around |some |at least ){0,2}$")
_AIMS: Final = spoken(r"\b(?:aim|plan|schedul|hop|target|look|set|go|shoot|head|push)\w{0,4} for\b")
_ONCE: Final = spoken(
    r"\b(?:was|were|had|did|went|bought|signed|joined|tried|happened|launched|hired|founded|since|ago)\b[^.;]{0,40}$"
)
_NOT_TAIL: Final = spoken(
    r"\s*(?:ago\b|old\b|(?:-|\s)?(?:contract|trial|free trial|agreement|commitment|term|subscription|lock-?in|notice|warranty|guarantee|lease|history|experience|plan\b|deal)\b|of (?:experience|data|history|work|free|service|support|my life)|(?:a|per|each|every|/)\s?(?:week|month|year|day|driver)|(?:in|into) (?:business|a row)|straight\b|(?:late|behind|overdue)\b|at a time)",
)
_OTHER_MATTER: Final = spoken(
    r"\b(?:meet(?:ing)?|demo|call|chat|talk|speak|appointment|catch up|get back to|i'll (?:send|get|check|have|ask|share|mail|email|forward|call|let|come|be|talk|speak|write|pass)|we'll (?:send|get back|share|email|forward|call|let you|talk|speak)|i will|send (?:you|me|us|over|it)|let you know|follow up|holiday|vacation|on leave|out of office|webinar|conference|invoice|payment|net \d+|refund|trial|busy (?:on|until|till|next|this|with)|free on|available on|works for me|notice period|tied in|locked in|hired|hire|turnover|grew|growing|revenue|report)\b",
)
_ASKED: Final = spoken(
    r"\b(?:can|could|would|will|able|possible|is|are|do)\b[^?]{0,60}\b(?:we|us|it|this|you|that|everything)\b[^?]{0,60}\b(?:live|running|up|ready|start(?:ed)?|launch(?:ed)?|done|in place|set up|go|deploy(?:ed)?|onboard(?:ed)?|going|working|make|manage|do it|deliver)\b",
)
_DOABLE: Final = spoken(
    r"\b(?:realistic|doable|feasible|possible|achievable|enough|manageable|too (?:tight|soon|ambitious|short)|ok|okay|work for you)\b"
)
_IN: Final = spoken(
    r"\b(?:in|within|under|inside|less than|no more than|max(?:imum)?|at most|binnen|innerhalb(?: von)?|in den nächsten|en|dentro de|dans|entro|через|about|around|roughly|the next|next|by|before|until|till|from|not before)\s+(?:(?:about|around|roughly|approximately|maybe|the|next|at most|say|probably|some|like|just|only|under|let's say)\s+){0,3}$"
)
_AHEAD: Final = spoken(
    r"\s*(?:from (?:now|today)|out\b|to go\b|left\b|max\b|tops\b|at (?:the )?(?:most|latest)|time\b|'? time\b|or sooner|latest\b|后|以内|内|以内に|後|안에|이내)"
)
_LONE: Final = spoken(
    r"\s*(?:$|[.,;:!?)]|\s(?:now|in total|instead|total|please|max|tops|or so|ideally|latest|at (?:the )?(?:latest|most)|from now|if possible|would be|is|should|i think|i guess|probably|maybe|works|sounds|thanks|give or take))"
)
_BUT: Final = spoken(
    rf"\bnot (?:in |within )?(?P<old>{_COUNT})(?:[\s-](?P<unit>{_UNITS}))?,?(?: but| it's| rather| more like|, )+ (?:in |within |rather |more like |about |around |it's )?(?P<new>{_COUNT})(?![\w-])(?![\s-](?:{_UNITS}))",
)


class _When(NamedTuple):
    span: Span
    value: int
    kind: str


def timeline(words: Words, expected: Expected, policy: Policy) -> Found | None:
    """The time to the start that a message states, or None."""
    best: tuple[int, _When, bool] | None = None
    relaxed = False
    for when in _candidates(words, policy):
        rank = _rank(words, when, expected)
        if rank <= 0:
            continue
        changes = corrects(words, when.span)
        relaxed = relaxed or when.kind == "rush"
        score = rank + changes * 2
        if best is None or score > best[0] or (score == best[0] and changes and best[2]):
            best = (score, when, changes)
    if best is None:
        return None
    _, when, changes = best
    value = (
        min(when.value, TIMELINE["beyond"])
        if relaxed and when.kind != "rush" and when.value < TIMELINE["soon"]
        else when.value
    )
    return Found("timeline", when.span, words.quote(when.span), value, changes)


def _candidates(words: Words, policy: Policy) -> Iterator[_When]:
    text = words.text
    for match in _DURATION.finditer(text):
        days = _days(match)
        if days:
            yield _When(Span(*match.span()), _score(days, policy), "duration")
    for match in _POINT.finditer(text):
        start = (
            match.start("limit")
            if (match["limit"] or "").lower() in {"before", "after", "vor", "avant", "antes de"}
            else match.start("point")
        )
        yield _When(Span(start, match.end("point")), _point(match["point"].lower()), "point")
    for match in _BUT.finditer(text):
        yield _When(
            Span(*match.span("new")),
            _score(_count(match["new"]) * _DAYS.get((match["unit"] or "w")[0].lower(), 7), policy),
            "duration",
        )
    for match in _NO_RUSH.finditer(text):
        yield _When(Span(*match.span()), TIMELINE["whenever"], "rush")
    for match in _NOW.finditer(text):
        yield _When(Span(*match.span()), TIMELINE["now"], "now")


def _count(said: str) -> float:
    said = said.lower()
    if said.startswith("half"):
        return 0.5
    if said.startswith("one and"):
        return 1.5
    if "couple" in said:
        return 2
    if "few" in said or said == "several":
        return 4
    if said in {"a", "an", "a single"}:
        return 1
    if said in _FOREIGN:
        return _FOREIGN[said]
    read = number(said)
    return float(read) if read is not None else 0


def _days(match: re.Match[str]) -> float:
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
    for limit, name in ((policy.soon, "soon"), (policy.later, "later"), (policy.far, "far")):
        if days <= limit:
            return TIMELINE[name]
    return TIMELINE["beyond"]


def _point(said: str) -> int:
    if _NEAR.search(said) and "holi" not in said:
        return TIMELINE["soon"]
    if "next year" in said:
        return TIMELINE["beyond" if not _EARLY.search(said) else "far"]
    if _QUARTER.search(said):
        return TIMELINE["later"]
    return TIMELINE["planned"]


def _rank(words: Words, when: _When, expected: Expected) -> int:
    """How surely a time is when the buyer wants to start; 0 for not at all."""
    span = when.span
    lead, tail = words.lead(span), words.tail(span)
    clause = words.clause_at(span)
    near = words.text[max(clause.start, span.start - 120) : min(clause.end, span.end + 60)]
    wide = words.text[max(words.sentence_at(span.start).start, span.start - 120) : span.end + len(tail[:60])]
    if words.supposed(span) or words.anothers(span) or taken_back(words, span):
        return 0
    if words.negated(span) and not _NOT_BEFORE.search(lead):
        return 0
    if words.asked(span) and not (_ASKED.search(wide) or (_DOABLE.search(wide) and when.kind != "now")):
        return 0
    if when.kind == "rush":
        return 3
    if (
        _NOT_LEAD.search(lead[-50:])
        or _NOT_TAIL.match(tail)
        or (_ONCE.search(lead[-60:]) and not _LIVE.search(near))
    ):
        return 0
    if _SLIPPED.search(lead[-50:]) or " more " in words.text[slice(*span)]:
        return 0
    if when.kind == "point" and _SEASON.fullmatch(words.text[slice(*span)]) and not _UNTIL.search(lead[-24:]):
        return 0
    if _RATE.match(words.text[slice(*span)]) and not _NO_RATE.search(lead[-30:]):
        return 0
    if when.kind == "duration" and _FOR.search(lead[-40:]) and not _AIMS.search(lead[-50:]):
        return 0
    return _cued(words, when, expected, near=near, wide=wide)


def _cued(words: Words, when: _When, expected: Expected, *, near: str, wide: str) -> int:
    span = when.span
    lead, tail = words.lead(span), words.tail(span)
    live, start = _LIVE.search(near), _START.search(near)
    first = "timeline" in expected.first
    exact = 1 if when.kind == "duration" else 0
    if when.kind == "now":
        sure = span.end - span.start > 3 and words.text[slice(*span)].lower() not in {
            "today",
            "yesterday",
            "right now",
        }
        sure = sure or (first and len(words.text.split()) <= 5)
        if sure:
            return (
                4
                if live or start or first
                else 3
                if len(words.text.split()) <= 8 or _NEEDS.search(wide)
                else 0
            )
        return 3 if (live or start) and _NEEDS.search(near) and not _DOES.search(tail[:12]) else 0
    if live:
        return 7 + exact
    if _OTHER_MATTER.search(near):
        return 0
    ahead = _IN.search(lead[-50:]) is not None or _AHEAD.match(tail) is not None or when.kind == "point"
    if start:
        return (5 if ahead else 4) + exact
    if _LIVE.search(wide) and (ahead or _LONE.match(tail)):
        return 5 + exact
    if _START.search(wide) and _LONE.match(tail):
        return 2 + exact
    if "timeline" in expected.all and ahead and (first or _LONE.match(tail)):
        return 3 + exact
    if (first or "timeline" in expected.all) and _LONE.match(tail) and len(words.text.split()) <= 10:
        return 3 + exact
    if corrects(words, span) and _LONE.match(tail) and when.kind == "duration":
        return 2 + exact
    if ahead and _NO_RUSH.search(wide):
        return 4 + exact
    short = len(words.text.split()) <= 6
    if short and not expected.all and when.kind == "duration" and _LONE.match(tail) and _NO_RATE.search(lead):
        return 1
    return 1 + exact if ahead and short and _LONE.match(tail) else 0
