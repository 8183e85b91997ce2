"""What a buyer says about when to start."""

from __future__ import annotations

from typing import Final

from turnstate.apps.sales.hearing.corrections import corrects, taken_back
from turnstate.apps.sales.hearing.policy import TIMELINE, Policy
from turnstate.apps.sales.hearing.times import NO_RUSH, When, times
from turnstate.apps.sales.hearing.words import Expected, Found, Place, Words, spoken

_LIVE: Final = spoken(
    r"\b(?:(?:go|going|goes|be|get|gets|being|us|it|this|everything|fully|all|want|system|went) (?:\w+ ){0,2}?(?:live|running|operational|in production|set up|started|going)|go-?live|golive|live (?:by|in|within|before|on|next|this|from|for|date)|launch(?:ed|ing)?|roll(?:ing|ed)?[- ]?out|rollout|up and running|implement\w*|deploy\w*|"
    r"switch(?:ed|ing)?(?: over)?|deadline|time ?lines?|time ?frames?|target date|(?:be|is|get|gets|have it|have this|everything) up\b(?! to)|in place|in production|cut ?over|kick[- ]?off|have (?:it|this|something|everything|a solution|a system|that) (?:\w+ )?(?:live|running|ready|done|in|by|up|working|in place|set up)|go-live date|implementieren|starten|hard (?:stop|deadline)|timing|time[- ]?scales?|time[- ]?wise|timeline[- ]wise|live gehen|produktiv|arrancar|empezar|démarrer|lancer)\b",
)
_START: Final = spoken(
    r"\b(?:start(?:ed|ing)?|begin(?:ning)?|need(?:s|ed)?(?: (?:it|this|that|something|a (?:solution|system|tool)|to be|everything|you|one))?|ready|done|by when|onboard(?:ed|ing)?|operational|sorted|finished|complete[d]?|want(?:ed)? (?:it|this|to)|would like|like (?:it|this) to|hop(?:e|ing) (?:to|for)|aim(?:ing)?|target(?:ing)?|"
    r"plan(?:ning)? (?:to|on|for|is)|looking (?:at|to)|thinking|ideally|realistic|latest|at the latest|no later than|within|must|has to|have to|gotta|got to|realistically|we have (?:only |just |about |around |until |till |less than |at most )|we've (?:only )?got|g(?:i|a)ves? (?:us|ourselves|me)|(?:was|were|am|are|been|i'm|we're) given|how long (?:we|i)(?:'ve)? (?:have|got)|window|pilot|trial to start|can wait|wait\b|not (?:before|until|till)|"
    r"decision|decide|buy(?:ing)?|purchase|move(?:d)? (?:over|forward)?|moving|change ?over|use (?:it|this)|using (?:it|this)|in time for|ahead of|peak|seasons?|kicks? in|going|working|expires?|runs? out|ends)\b",
)
_NOT_LEAD: Final = spoken(
    r"\b(?:for (?:the )?(?:last|past)|over the (?:last|past)|(?:last|past|since|every|each|once (?:a|every)|times? (?:a|per|every)|hours? (?:a|per|every|each)|per|since|lost|lose|loses|losing|wast\w+|took|takes|spend(?:ing)?|spent|been|ago|back in|already|used|founded|started (?:the (?:company|business)|out)|in business|older? than|open(?:ed)?)(?: (?:the|a|in|about|around|over|us|up to))?|"
    r"(?:\d|k|m|usd|dollars|grand|thousand|hours|hrs|times|bucks|euros|orders|deliveries|parcels|days) (?:a|per|every|each))\s*$",
)
_RATE: Final = spoken(r"(?:an?|each|every|per)\s(?:day|week|wk|month|mth|quarter|qtr|year|yr)s?$")
_SLIPPED: Final = spoken(
    r"\b(?:(?:slip|delay|extend|push|mov|postpon|shift|pull|bring|brought)\w*\b[^.;,]{0,24}\bby|another|an extra|an additional|plus|extra)\s+(?:about |around )?$"
)
_SEASON: Final = spoken(
    r"(?:(?:the|our|their) )?(?:new year|(?:peak|busy|high|holiday|harvest|christmas|xmas|festive)?[\s-]?(?:season|period|rush|time)?|spring|summer|autumn|fall|winter|christmas|xmas|easter|thanksgiving|holidays|quarter|month|year)"
)
_UNTIL: Final = spoken(
    r"\b(?:by|before|in|for|until|till|ahead of|in time for|time for|from|after|come|this|next|over|during|early|late|mid|at|to|is|be|within|time|around|about)\s+(?:the |our |this |next )?$"
)
_POINTED: Final = spoken(r"(?:before|after|end|early|mid|late|beginning|start|middle|next|q[1-4]|h[12])\b")
_WEEKDAY: Final = spoken(
    r"(?:(?:next |this |coming |before |after )?(?:monday|tuesday|wednesday|thursday|friday)|tomorrow|(?:this|next) week)"
)
_OR_ELSE: Final = spoken(
    r"\b(?:if (?:we|it|this|you|everything|things)(?:'re|'s)? ?(?:don't|isn't|aren't|can't|won't|do not|does not|doesn't|is not|are not|cannot|haven't|not)\b|unless (?:we|it|this|you)\b)[^,.;?!]{0,40}$"
)
_WH: Final = spoken(r"\W*(?:(?:and|so|but|ok|then)\W+)?(?:what|where|when|which|who|why|how)\b")
_GONE: Final = spoken(r"(?:the )?last\b")
_FOREIGN_UNIT: Final = spoken(
    r"wochen?$|monate?n?$|tagen?$|jahre?n?$|semanas?$|mes(?:es)?$|semaines?$|mois$|settimane?$|mesi$|weken$|maanden$|недел.$|месяц|[周星週주个か개]"
)
_NO_RATE: Final = spoken(
    r"(?:^|[.,;:!?–—-]|\b(?:in|within|about|under|than|only|maybe|just|or|have|got|need|takes?|of|for|like|around|roughly|say|perhaps|probably|is|be|it|and|so|but|then|now|well|yes|oh|hm+))\s*$",
)
_NOT_BEFORE: Final = spoken(
    r"\b(?:not (?:before|until|till)|no later than|\w+n't (?:\w+ ){0,3}(?:before|until|till))\s+(?:\w+\s+){0,2}$"
)
_NEEDS: Final = spoken(r"\b(?:need|want|should|must|ideally|have)")
_DOES: Final = spoken(r"\b(?:do|use|we|it)\b")
_FOR: Final = spoken(r"\bfor (?:the |about |over |almost |nearly |more than |around |some |at least ){0,2}$")
_AIMS: Final = spoken(r"\b(?:aim|plan|schedul|hop|target|look|set|go|shoot|head|push)\w{0,4} for\b")
_ONCE: Final = spoken(
    r"\b(?:was|were|had|did|went|grown|grew|seen|won|bought|signed|joined|tried|happened|launched|hired|founded|since|ago)\b[^.;]{0,40}$"
)
_NOT_TAIL: Final = spoken(
    r"\s*(?:ago\b|old\b|(?:-|\s)?(?:contract|trial|free trial|agreement|commitment|term|subscription|lock-?in|notice|warranty|guarantee|lease|history|experience|plan\b|deal)\b|of (?:experience|data|history|work|free|service|support|my life)|(?:a|per|each|every|/)\s?(?:week|wk|month|year|yr|day|driver)|(?:in|into) (?:business|a row)|straight\b|(?:late|behind|overdue)\b|at a time)",
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


def timeline(words: Words, expected: Expected, policy: Policy) -> Found | None:
    """The time to the start that a message states, or None."""
    best: tuple[int, When, bool] | None = None
    relaxed = NO_RUSH.search(words.text) is not None
    for when in times(words.text, policy):
        rank = _rank(words, when, expected, relaxed=relaxed)
        if rank <= 0:
            continue
        changes = corrects(words, when.span)
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


def _rank(words: Words, when: When, expected: Expected, *, relaxed: bool) -> int:
    """How surely a time is when the buyer wants to start; 0 for not at all."""
    place = words.place(when.span)
    if words.anothers(when.span) or taken_back(words, when.span):
        return 0
    if _OR_ELSE.search(place.lead):
        return 4
    if _unstated(words, when, place) or _unrelated(when, place):
        return 0
    if when.kind == "rush":
        return 3
    first = "timeline" in expected.first
    return (
        _urgent(place, first=first)
        if when.kind == "now"
        else _cued(words, when, place, expected, relaxed=relaxed)
    )


def _unstated(words: Words, when: When, place: Place) -> bool:
    """Whether a time is only supposed, denied or asked; "can you do it in six weeks?" states it."""
    if words.supposed(when.span) or (words.negated(when.span) and not _NOT_BEFORE.search(place.lead)):
        return True
    if not words.asked(when.span):
        return False
    if _WH.match(words.text, words.sentence_at(when.span.start).start):
        return True
    return not (_ASKED.search(place.wide) or (_DOABLE.search(place.wide) and when.kind != "now"))


def _unrelated(when: When, place: Place) -> bool:
    """Whether a time is a habit, a rate, past, or the length of something else."""
    if when.kind in {"rush", "now"}:
        return when.kind == "now" and _NOT_LEAD.search(place.lead[-50:]) is not None
    lead = place.lead[-50:]
    return any(
        (
            _NOT_LEAD.search(lead),
            _NOT_TAIL.match(place.tail),
            _GONE.match(place.said) and " of " not in place.said,
            _ONCE.search(place.lead[-60:]) and not _LIVE.search(place.near),
            _SLIPPED.search(lead) or " more " in place.said,
            when.kind == "point" and _SEASON.fullmatch(place.said) and not _UNTIL.search(lead),
            _RATE.match(place.said) and not _NO_RATE.search(lead),
            when.kind == "duration" and _FOR.search(lead) and not _AIMS.search(lead),
        )
    )


def _urgent(place: Place, *, first: bool) -> int:
    """The rank of "asap" and "now"."""
    cued = _LIVE.search(place.near) or _START.search(place.near)
    vague = len(place.said) <= 3 or place.said.lower() in {"today", "yesterday", "right now"}
    if vague and not (first and place.brief <= 5):
        return 3 if cued and _NEEDS.search(place.near) and not _DOES.search(place.tail[:12]) else 0
    if cued or first:
        return 4
    return 3 if place.brief <= 8 or _NEEDS.search(place.wide) else 0


def _ahead(when: When, place: Place) -> bool:
    """Whether a time is said as one that is still to come: "in six weeks", "by March"."""
    if when.kind == "point":
        short = place.brief <= 6 or not place.lead.strip()
        return short or _POINTED.match(place.said) is not None or _UNTIL.search(place.lead[-24:]) is not None
    return _IN.search(place.lead[-50:]) is not None or _AHEAD.match(place.tail) is not None


def _cued(words: Words, when: When, place: Place, expected: Expected, *, relaxed: bool) -> int:
    """The rank of a duration or a date, by the first cue that holds, the surest first."""
    exact, first = when.kind == "duration", "timeline" in expected.first
    if _LIVE.search(place.near):
        return 7 + exact
    weekday = _WEEKDAY.fullmatch(place.said) and not (first and place.brief <= 6)
    if weekday or _OTHER_MATTER.search(place.near):
        return 0
    ahead, lone = _ahead(when, place), (_LONE.match(place.tail) or _AHEAD.match(place.tail)) is not None
    start, wanted = _START.search(place.near), "timeline" in expected.all
    sentence = words.sentence_at(when.span.start)
    terse = (
        place.brief <= 6
        or len(words.text[sentence.start : min(sentence.end, sentence.start + 60)].split()) <= 4
    )
    asked_or_open = wanted or not expected.all
    cues = (
        (start and ahead, 5),
        (start, 4),
        (_FOREIGN_UNIT.search(place.said) and ahead, 4),
        (_LIVE.search(place.wide) and (ahead or lone), 5),
        (_START.search(place.wide) and lone, 2),
        (wanted and ahead and (first or lone), 3),
        (wanted and lone and place.brief <= 10, 3),
        (exact and lone and corrects(words, when.span), 2),
        (ahead and relaxed, 4),
        (terse and asked_or_open and exact and lone and _NO_RATE.search(place.lead), 1),
        (ahead and lone and asked_or_open and place.brief <= 8, 1),
    )
    return next((rank + exact for holds, rank in cues if holds), 0)
