"""What a buyer says about money to spend."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from turnstate.apps.sales.hearing.amounts import Amount, amounts
from turnstate.apps.sales.hearing.corrections import corrects, taken_back
from turnstate.apps.sales.hearing.policy import BUDGET, Policy
from turnstate.apps.sales.hearing.words import Expected, Found, Place, Words, spoken
from turnstate.core.facts import Span

_NAMED: Final = spoken(
    r"\b(?:budge?t(?:ed|s|ary)?|bugdet|budjet|price range|spending limit|spend limit|purse|money[- ]wise|moneywise|financially|in terms of (?:money|cost)|presupuesto|orçamento|budżet)\b|бюджет|预算|預算|予算|예산",
)
_MEANS: Final = spoken(
    r"\b(?:set aside|put aside|put by|setting aside|earmark(?:ed|ing)?|allocat(?:ed?|ing|ion)|ring-?fenced|reserved|approved|sign(?:ed)?[- ]?off|signed|authori[sz]ed|green[- ]?lit|committed|"
    r"to (?:spend|play with|work with|invest|put (?:in|into|towards?)|throw at)|(?:can|could|able to|willing to|ready to|prepared to|happy to|planning to|plan to|want to|like to|going to|looking to|ok to|will|we'll|i'll) (?:\w+ )?(?:spend|pay|invest|afford|go|stretch|do|put|manage|commit|part with)|"
    r"afford|(?:our|my|the|a|is|absolute|hard) (?:max(?:imum)?|limit|ceiling|cap)|max(?:imum)?(?: of)?|ceiling|capped|tops|ballpark|in the (?:pot|kitty|bank|budget|plan)|funds?|funding|pot|kitty|"
    r"(?:can(?:'t|not)|won't|don't want to|not) (?:\w+ ){0,3}(?:more than|over|above|beyond|exceed)|no more than|comfortable with|good for|nothing (?:over|above|more than|beyond)|available|at our disposal|released?|sanctioned?|granted?|agreement for|authori[sz]ation (?:for|of)|raised (?:it|the \w+) to|gone (?:up )?to|"
    r"money|spend(?:ing)? (?:is|of|cap|would be|around|about|up to|roughly)|finance (?:gave|give|gives|has|have|approved|said|agreed|bumped|just)|(?:cfo|boss|board|ceo|owner|management) (?:gave|agreed|okayed|ok'd|just|has|have)|investment (?:of|is)|aside for|price tag (?:of|around)|(?:we're|i'm|we are|now|puts us|that puts us|leaves us|gets us|brings us|bringing us) (?:now |up )?at|that makes|total of|in total|all in)\b",
)
_HAVE: Final = spoken(
    r"\b(?:we|i|we've|i've|there's|there is|we'd|got|'ve)\s*(?:\w+ ){0,3}?(?:have|got|has|'ve|had|there's|are looking at|looking at|thinking|at|need to stay|want to stay|stay|keep it)\b"
    r"|\b(?:have|got|'ve got|has|there's|there is|looking at|thinking(?: of| about)?|talking(?: about)?|call it|say|let's say|somewhere(?: between)?|between|keep (?:it|this)|stay|staying)\s+(?:\S+\s+){0,3}$",
)
_SPENT: Final = spoken(
    r"\b(?:los(?:e|es|ing|t)|cost(?:s|ing)?|pay(?:s|ing)?|paid|charge[sd]?|charging|quot(?:e|ed|es|ing)|turnover|revenue|sales|mak(?:e|es|ing)|made|earn\w*|sav(?:e|es|ed|ing)|worth|fine[sd]?|"
    r"penalt\w+|invoice[sd]?|wast(?:e|es|ed|ing)|burn(?:s|ed|ing)?|list(?:ed)? (?:price|at)|your (?:price|pricing|plan|fee|quote|offer|licen[cs]e|rates?)|the (?:price|plan|quote|offer|licen[cs]e|fee|premium plan|basic plan)|"
    r"price (?:is|of|at)|priced|goes for|asking|spent|damages?|debt|loan|refund(?:ed)?|salary|wages?|per (?:driver|truck|van|delivery|parcel|order|mile|km)|spend(?:s|ing)? (?:\S+ ){0,4}(?:on fuel|on overtime|on staff|on wages))\b",
)
_TODAY: Final = spoken(
    r"\b(?:today|currently|right now|at the moment|at present|already|these days|so far|last year|this year so far|until now)\b"
)
_SPEND: Final = spoken(r"\b(?:spend|spending|pay|paying|spent|paid)\b")
_WILLING: Final = spoken(
    r"\b(?:comfortable|ok|okay|fine|happy|can|could|able to|willing to|ready to|prepared to|happy to|plan(?:ning)? to|want(?:ed)? to|like to|going to|looking to|will|we'll|i'll|would|we'd|i'd|don't mind|not|n't|won't|to)\s+(?:\w+\s+){0,2}(?:pay|paying|spend|spending|invest|save|make)\b|\bmak(?:e|es|ing) (?:that|it)\b|\bcost(?:s)? (?:no more|not more|at most|up to|less)",
)
_AFTER_OTHER: Final = spoken(
    r"\s*(?:(?:(?:a|per|each|every) (?:day|week|month|quarter|year) )?(?:in|of|worth of) (?:losses|revenue|turnover|sales|fuel|wages|fees|penalties|fines|stock|debt|damages?|savings|overtime|refunds|invoices|orders|business)|less than you|cheaper|"
    r"(?:is|was|seems|sounds|feels|looks) (?:\w+ )?(?:too|way|far|much|a lot|expensive|steep|crazy|more than|over|above|beyond|out of)|for (?:a|the) (?:plan|licen[cs]e)|more (?:expensive|than)|"
    r"(?:a|per|every|each|/)\s?(?:driver|truck|van|vehicle|delivery|parcel|order|mile|km|load|stop)\b)",
)
_COUNTS: Final = spoken(
    r"\s?(?:-|\s)?(?:%|percent|per ?cent|st\b|nd\b|rd\b|th\b|x\b|am\b|pm\b|o'clock|:\d|/\d|\.\d|(?:or so |or more |odd |full[- ]time |delivery |different |\w{3,12} )?(?:people|persons?|employees?|staff|folks|heads?|headcount|drivers?|dispatchers?|users?|seats?|licen[cs]es?|trucks?|vans?|"
    r"vehicles?|lorr(?:y|ies)|cars|bikes|couriers|orders?|deliver(?:y|ies)|parcels?|packages?|stops?|shipments?|loads?|customers?|clients?|sites?|depots?|warehouses?|locations?|branch(?:es)?|clinics?|stores?|shops?|"
    r"offices?|countries|hours?|hrs?|minutes?|mins?|days?|weeks?|wks?|months?|mths?|mos?|years?|yrs?|quarters?|miles?|km|kms|kilomet(?:er|re)s|tons?|tonnes?|pallets?|containers?|routes?|teams?|companies|members?|strong|man|person|men|women|"
    r"times?|things?|questions?|reasons?|options?|vendors?|tools?|systems?|spreadsheets?|of (?:us|them|our|these|those|my)|more (?:week|month|day)s?|another|different|issues?|problems?|carriers?|colleagues|managers?|planners?|wochen|monate|mitarbeiter\w*|leute|semanas|meses|semaines|mois|employés|empleados|personas|周|个月|人|名)(?![a-z]))",
)
_LONE: Final = spoken(
    r"\s*(?:$|[.,;:!?)]|[-–—]|(?:a|per|each|every|/)\s?(?:year|yr|month|mo|annum|quarter)|annual(?:ly)?|yearly|monthly|p\.?a\b|max|tops|or so|ish|or thereabouts|total|all[- ]in|at (?:most|the most|best)|instead|now|ballpark|available|"
    r"set aside|for|in the|to (?:spend|play|work)|is|as|and|or|but|would|should|if|at|rather|not|maybe|be|sound|work|do|ok|okay|approved|budget|from|once|this|that|after|per|give or take|including|incl|excluding|plus|tax|vat|thanks|please|range|limit|i (?:think|guess|believe|suppose|reckon|hope|could)|we (?:think|guess|could|can)|probably|possibly|so|which|because|tbh|lol|right|here|tbd|currently|overall)",
)
_YEAR: Final = spoken(r"(?:19|20)\d\d")
_BLEEDS: Final = spoken(
    r"\b(?:cost(?:s|ing)? (?:us|me)|loo?s(?:e|es|ing)|wast(?:e|es|ing)|fines?|penalt\w+)\b"
)
_SIGNS: Final = spoken(
    r"\bsign(?:ing)?(?: off)?(?: on)?(?: \w+)? (?:up to|below|under|for up to|as much as|as high as)\s+$"
)
_FOR_THIS: Final = spoken(
    r"(?:\s(?:a|per) year)?(?: of (?:it|that|which|this))?,? (?:is |are |was |goes |set aside )?(?:for|towards?) (?:this|it\b|the project|that project|such|a (?:tool|system|solution|planner)|software)"
)
_MORE_BEFORE: Final = spoken(
    r"\b(?:another|(?:an )?(?:extra|additional)|a further|plus|by|increase of|raise of)\s+(?:about |around )?$"
)
_MORE_AFTER: Final = spoken(r"\s(?:more(?! than)|extra|on top|in addition|increase)\b")
_UPPED: Final = spoken(
    r"\b(?:topp|bump|rais|increas|went|gone|go|mov|lift|push|brought|bring|stretch)\w{0,4}\b[^.;,]{0,20}\bup to\s+$"
)
_PERIOD: Final = spoken(
    r"\s*(?:(?:a|per|each|every|/)\s?(?P<unit>month|mo\b|mth|quarter|qtr|week)|(?P<adverb>monthly|quarterly|weekly|pcm|pm\b))"
)
_PERIOD_BEFORE: Final = spoken(r"\b(?P<adverb>monthly|quarterly|weekly)\b[^.;,]{0,30}$")
_PER_SEAT: Final = spoken(r"\s*(?:(?:a|per|each|every|/)\s?(?:user|seat|head|licen[cs]e|person|employee))")
_VAGUE: Final = spoken(
    r"\b(?:about|around|roughly|approx(?:imately)?\.?|circa|ca\.|some|somewhere|something like|up to|under|below|less than|at most|max(?:imum)?|maybe|perhaps|probably|possibly|ballpark|in the region of|in the neighbou?rhood of|near|nearly|almost|"
    r"between|no more than|not more than|more than|over|above|ungefähr|etwa|circa|unos|environ|might|could|think|guess|hope|hopefully|say|call it)\b|~|≈|<",
)
_VAGUE_AFTER: Final = spoken(
    r"\s*(?:or so|ish\b|-ish|give or take|or thereabouts|ballpark|max|tops|at most|at the most|probably|maybe|i think|i guess)"
)
_ENOUGH: Final = spoken(
    r"\b(?:enough|sufficient|do it|cover|get us|buy us|doable|work|workable|realistic|possible|ok|okay|fit|within|sound)\b"
)
_ASKED_OURS: Final = spoken(
    r"\b(?:our|my) (?:budget|max|limit)|\b(?:we|i) (?:have|only have|'ve got)|\bfor (?:our|a budget)"
)
_NONE: Final = spoken(
    r"\b(?:(?:(?:we|i|there|have|has|got|with|there's|currently|really|at all|just)\W+(?:\w+\W+){0,3}?)?(?:no|zero|nil) (?:budget|money|funds|funding|cash)(?: (?:at all|whatsoever|for (?:this|it|that)|this year|left|available))?"
    r"|(?:don't|do not|dont|doesn't|haven't|havent|didn't|does not|have not) (?:really |actually |even )?(?:have|got|get) (?:any |a |the |any sort of |much of a )?(?:budget|money|funds|funding|cash)(?: (?:at all|for (?:this|it|that)|this year|left|available))?"
    r"|(?:can't|cannot|can not|couldn't|unable to|not able to) (?:spend|pay|afford) (?:anything|a (?:cent|penny|dime)|any (?:money|of it)|this|it|that)|budget (?:is|was|of) (?:zero|nil|nothing|frozen|0\b|gone|used up|exhausted)|budget(?:'s| has been) (?:frozen|cut to zero|gone|used up|spent)|(?:spending|budget) freeze|nothing to spend|broke)\b",
)
_NOT_YET: Final = spoken(
    r"(?:\s+(?:\w+\s+){0,2}?(?:yet|so far|decided|set|defined|fixed|finali[sz]ed|allocated|agreed|assigned|issues?|problems?|constraints?|limits?|concerns?|worries|cap|range|in mind|number|figure|wasted|to waste|to (?:burn|lose|throw away|worry))\b)",
)
_OPEN: Final = spoken(
    r"\b(?:(?:haven't|have not|havent|hasn't|not|yet to|still (?:to|need to|have to)) (?:\w+ ){0,3}?(?:set|fix(?:ed)?|decid(?:ed?|ing)|agree(?:d)?|defin(?:ed?|ing)|allocat(?:ed?|ing)|budgeted|sorted|settle(?:d)?|finali[sz]ed?|got|figured out|work(?:ed)? out) (?:\w+ ){0,3}?(?:budget|number|figure|amount)"
    r"|budget (?:is|isn't|is not|hasn't been|has not been|not|still|to be|tbd|tbc|depends|is still|is yet)(?: \w+){0,3}? ?(?:set|fixed|decided|agreed|defined|allocated|open|unclear|flexible|tbd|tbc|determined|confirmed|being|clear|discussed)?"
    r"|no (?:fixed|set|specific|particular|formal|dedicated|firm|defined|official|exact|real|concrete) (?:budget|number|figure|amount)|(?:don't|do not|not sure|no idea|dunno|unsure)(?: \w+){0,4} (?:budget|money|spend|afford)|depends on (?:the )?(?:price|cost|roi|value)|no budget (?:yet|set|decided)|budget tb[dc])\b",
)
_PRESENT: Final = spoken(
    r"\b(?:(?:we|i)(?: do|'ve| have)?(?: have| got)? (?:a |the )?(?:healthy |decent |good |approved |generous |dedicated |big |large )?(?:budget|money|funds|funding)(?: (?:for (?:this|it)|set aside|approved|available|ready|in place))|there(?:'s| is) (?:a |some |plenty of |enough )?(?:budget|money)(?: (?:for (?:this|it)|available|set aside))?|"
    r"budget (?:is|has been|was|'s)(?: \w+)? (?:approved|available|there|in place|allocated|signed off|secured|not an issue|no issue|not a problem|no problem|not a concern|sorted|generous)|(?:money|budget|price|cost) (?:is not|isn't|is no|won't be|is never|'s not|'s no) (?:an? |the |really |going to be )?(?:\w+ )?(?:issue|problem|object|concern)|no budget (?:issues?|constraints?|limits?|problems?)|enough budget|plenty of (?:budget|money)|unlimited budget)\b",
)


def budget(words: Words, expected: Expected, policy: Policy) -> Found | None:
    """The budget that a message states, or None."""
    best: tuple[int, Found] | None = None
    for amount in amounts(words.text):
        rank = _rank(words, amount, expected)
        if rank <= 0:
            continue
        changes = corrects(words, amount.span)
        rank += 2 * bool(_FOR_THIS.match(words.tail(amount.span)))
        found = Found("budget", amount.span, words.quote(amount.span), _value(words, amount, policy), changes)
        if best is None or rank + changes * 2 >= best[0] + (0 if changes else 1):
            best = (rank + changes * 2, found)
    return best[1] if best is not None else next(_unsized(words), None)


def _rank(words: Words, amount: Amount, expected: Expected) -> int:
    """How surely an amount is the buyer's budget; 0 for not at all."""
    span, place = amount.span, words.place(amount.span)
    clause = words.clause_at(span)
    behind = words.text[span.end : max(span.end, min(clause.end, span.end + 60))]
    named = (_NAMED.search(place.lead[-100:]) or _NAMED.search(behind)) is not None
    if words.supposed(span) or words.anothers(span) or taken_back(words, span) or words.negated(span):
        return 0
    before = words.text[max(clause.start, span.start - 120) : span.start]
    if _counted(amount, place) or _spent(place, before, named=named):
        return 0
    sized = amount.money or amount.large
    if words.asked(span) and not ((_ENOUGH.search(place.near) and sized) or _ASKED_OURS.search(place.near)):
        return 0
    return _cued(words, amount, place, expected, named=named)


def _counted(amount: Amount, place: Place) -> bool:
    """Whether a number counts something else, or only adds to a budget."""
    other = not amount.money and (_COUNTS.match(place.tail) or _YEAR.fullmatch(place.said))
    return bool(other or _MORE_BEFORE.search(place.lead[-24:]) or _MORE_AFTER.match(place.tail))


def _spent(place: Place, before: str, *, named: bool) -> bool:
    """Whether money is lost, paid today, asked by somebody, or what one may sign, and not set aside."""
    if _AFTER_OTHER.match(place.tail):
        return True
    if named:
        return False
    spent = _SPENT.search(before) and not _WILLING.search(before)
    spent = spent or (
        _BLEEDS.search(place.lead) and not (_MEANS.search(place.near) or _HAVE.search(before[-60:]))
    )
    return bool(spent or _SIGNS.search(before) or (_SPEND.search(place.near) and _TODAY.search(place.near)))


def _cued(words: Words, amount: Amount, place: Place, expected: Expected, *, named: bool) -> int:
    """The rank of an amount, by the first cue that holds, the surest first."""
    lone = _LONE.match(place.tail) is not None
    money, sized = amount.money, amount.money or amount.large
    first, wanted = "budget" in expected.first, "budget" in expected.all
    have = _HAVE.search(place.lead[-60:])
    changes = corrects(words, amount.span)
    brief = place.brief <= 8 and lone
    cues = (
        (named and sized, 6),
        (named and lone, 4),
        (sized and _MEANS.search(place.near), 5),
        (sized and lone and _MEANS.search(place.lead[-80:] + " " + place.tail), 4),
        ((money or (amount.large and lone)) and (have or _ENOUGH.search(place.near)), 4),
        (money and (first or changes or (wanted and amount.large)), 3),
        (amount.large and lone and (first or changes or (wanted and have)), 3),
        ((money or (amount.large and wanted)) and brief, 2),
        (first and brief and amount.low >= 2, 1),
    )
    return next((rank for holds, rank in cues if holds), 0)


def _value(words: Words, amount: Amount, policy: Policy) -> int:
    """The score of an amount, measured against the price."""
    lead, tail = words.lead(amount.span)[-40:], words.tail(amount.span)
    low, high = (_yearly(words, amount, end) for end in (amount.low, amount.high))
    if _PER_SEAT.match(tail):
        return BUDGET["unsized"]
    price = policy.price
    if low >= price:
        vague = amount.ranges or (_VAGUE.search(lead) and not _UPPED.search(lead)) or _VAGUE_AFTER.match(tail)
        return BUDGET["about" if vague else "covers"]
    if high >= price:
        return BUDGET["spans"]
    if float(high) >= price * policy.near:
        return BUDGET["near"]
    return BUDGET["below" if float(high) >= price * policy.tiny else "none" if high == 0 else "tiny"]


def _yearly(words: Words, amount: Amount, value: Decimal) -> Decimal:
    """The amount in a year; "we have 40" is forty thousand."""
    if not amount.money and not amount.large and 2 <= value < 1000:
        value *= 1000
    return value * (_period(words, amount) or 1)


def _period(words: Words, amount: Amount) -> int:
    """How many times a year the amount is paid; 0 where nobody says."""
    found = _PERIOD.match(words.tail(amount.span)) or _PERIOD_BEFORE.search(words.lead(amount.span))
    if found is None:
        return 0
    unit = (found.groupdict().get("unit") or found["adverb"] or "").lower()
    return 52 if unit.startswith("week") else 4 if unit.startswith(("quarter", "qtr")) else 12


def _unsized(words: Words) -> Iterator[Found]:
    """Money without a number: there is none, it is open, or there is some."""
    for pattern, name in ((_PRESENT, "unsized"), (_NONE, "none"), (_OPEN, "open")):
        for match in pattern.finditer(words.text):
            span = Span(*match.span())
            if words.asked(span) or words.supposed(span) or words.anothers(span):
                continue
            value = BUDGET[name]
            if name == "none" and _NOT_YET.match(words.text, span.end):
                value = BUDGET["open"]
            yield Found("budget", span, words.quote(span), value, corrects(words, span))
