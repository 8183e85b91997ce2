"""What a buyer says about the need: what hurts, and how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from turnstate.apps.sales.hearing.corrections import corrects
from turnstate.apps.sales.hearing.policy import NEED
from turnstate.apps.sales.hearing.words import Expected, Found, Words, spoken
from turnstate.core.facts import Span
from turnstate.core.values.numbers import SPELLED

_NUMBER: Final = rf"(?:[$€£]?\d[\d.,]{{0,12}}(?:[\s-]?(?:k|m|grand|thousand|million)\b)?(?:\s?(?:-|–|to|or)\s?[$€£]?\d[\d.,]{{0,12}}(?:\s?k\b)?)?(?:%|\b)|{SPELLED}(?: (?:to|or) {SPELLED})?|one in \w+|half an?|half|a (?:couple|few|dozen|lot|third|quarter|day)(?: of)?|several|dozens(?: of)?|hundreds(?: of)?|thousands(?: of)?|too many|countless|(?:so )?many|an? (?:entire |whole |full |good )?)"
_QUANTITY: Final = spoken(
    rf"(?<![\w$€£.,])(?:{_NUMBER})\s?(?:-|\s)?(?:full |whole |working |entire |man[- ]|people |staff |wasted |billable |extra |of our |of the |of |percent |per cent |% ?|us |in |key |big |good |major |long-standing |unhappy )*"
    r"(?:hours?|hrs?|minutes?|mins?|days?|mornings?|afternoons?|evenings?|weeks?|customers?|clients?|accounts?|orders?|deliver(?:y|ies)|slots?|drops?|parcels?|shipments?|errors?|mistakes|complaints?|refunds?|fuel|time|revenue|penalt(?:y|ies)|fines|contracts?|drivers?|staff|people|fte|ftes)\b"
    r"(?: (?:of \w+ )?(?:a|an|per|each|every) (?:single )?(?:day|week|month|year|quarter|morning|driver|person|dispatcher|route|shift))?",
)
_MONEY: Final = spoken(
    r"(?<![\w.,])(?:[$€£]\s?\d[\d.,]{0,12}(?:\s?(?:k|m|grand|thousand|million)\b)?|\d[\d.,]{0,12}\s?(?:k |thousand |grand )?(?:dollars|euros|pounds|bucks|quid|grand|k)\b)(?: (?:a|an|per|each|every) (?:day|week|month|year|quarter))?"
)
_LOSS: Final = spoken(
    r"\b(?:loo?s(?:e|es|ing|t)|wast(?:e|es|ed|ing)|cost(?:s|ing)?|burn(?:s|ed|ing)?|eat(?:s|ing)?(?: up)?|miss(?:ed|es|ing)?|spend(?:s|ing)?|spent|tak(?:e|es|ing)|took|left us|leave us|walked|churn\w*|cancel\w*|down the drain|throw(?:ing)?(?: away)?|bleed(?:s|ing)?|sink(?:ing)?|goes? (?:into|on|to)|late|wrong|gone|swallows?|suck(?:s|ing)?|tied up|re-?typ\w+|re-?key\w+|re-?enter\w*|walk\w*|jump(?:ed|ing)? ship|fired us|defect\w+|manual\w*|by hand|complain\w*|fined?|penalt\w+|overtime|quit|drop(?:ped|s)?)\b",
)
_RATES: Final = spoken(
    r"\b(?:hours (?:every|each|a|per) (?:single )?(?:day|week|morning)|\d{1,3}\s?h(?:ours?|rs?)?\s?/\s?(?:week|wk|day|month))\b"
)
_HEADS: Final = spoken(r"\b(?:drivers?|staff|people|ftes?)\b")
_BLED: Final = spoken(
    r"\b(?:los(?:e|es|ing|t)|wast(?:e|es|ed|ing)|cost(?:s|ing)? (?:us|me)|burn(?:s|ed|ing)?|fine[sd]?|penalt\w+|bleed(?:ing)?|down the drain|refund\w*|damages?|overtime|eats?)\b"
)
_HURTS: Final = spoken(
    r"\b(?:cost(?:s|ing)? us (?:real |a lot of |serious |big |so much |too much |good )?(?:customers|clients|business|contracts|money|deals|orders|a fortune)|a fortune|unhappy (?:customers|clients)|killing (?:us|me|our \w+)|kills? (?:us|me)|driv(?:es?|ing) (?:us|me|everyone|our \w+|my \w+) (?:mad|crazy|nuts|insane|up the wall|round the bend)|(?:absolute |complete |total |real |utter |bloody )?nightmare|drowning|desperate(?:ly)?|bleeding (?:money|cash|customers)|can't (?:go on|cope|keep up|carry on|continue|take (?:it|this) (?:any ?more|much longer))|at breaking point|breaking point|"
    r"crippling|huge (?:problem|issue|pain|headache|mess|waste)|massive (?:problem|issue|pain|headache|waste)|big(?:gest)? (?:problem|issue|pain|headache|bottleneck)|serious (?:problem|issue|pain)|critical|on fire|out of control|falling apart|unsustainable|disaster(?:ous)?|(?:customers?|clients?|accounts?|drivers?|people)(?: \w+)? (?:are |have |keep |is )?(?:leaving|left|quit|quitting|walk(?:ed|ing)?(?: away)?|churn(?:ed|ing)?)(?: us)?|(?:loo?sing|lost|loo?se) (?:\w+ ){0,2}(?:customers?|clients?|accounts?|contracts?|money|deals|business|orders|drivers)|losing (?:our|my) minds?|sinking|hell\b|urgent need|must have|badly need|really need|sick (?:and tired )?of|(?:we|i|they|everyone|everybody|dispatchers) (?:\w+ )?hates? (?:it|this|doing|the|our|having)|(?:planning|it|this|process|dispatch|situation|system|software|tool|everything)(?: is|'s| are)? (?:just |really |absolutely )?(?:terrible|awful|horrible))\b",
)
_SUFFERS: Final = spoken(
    r"\b(?:keep(?:s)? (?:missing|losing|forgetting|getting|making|running|having|mixing|breaking|crashing|re-?\w+ing)|miss(?:ing|ed)? (?:\w+ ){0,2}(?:slots?|deadlines?|windows?|deliveries|drops?|orders|appointments)|(?:slots?|deliver(?:y|ies)|orders?|drops?|deadlines|windows|parcels|jobs|things|stuff) (?:(?:\w+ ){1,4}late\b|(?:get|gets|are|is|keep getting|go|goes|being) (?:\w+ )?(?:missed|lost|late|forgotten|delayed|wrong|mixed up|missing))|struggl(?:e|es|ed|ing)|frustrat\w+|wast(?:e|es|ed|ing) (?:\w+ ){0,3}|too slow|(?:so|very|painfully|really) slow|slow(?:s|ing)? us down|"
    r"(?:plan|planning|do(?:ing)?|run(?:ning)?|manage|managing|track(?:ing)?|handle|handling|schedul\w+|rout\w+|works?|everything|all|it|dispatch\w*)(?: \w+){0,4} (?:on|in|with|by|using|via|through|over) (?:\w+ ){0,2}(?:spreadsheets?|excel|whiteboards?|paper|hand|pen and paper|whatsapp|google sheets?|e-?mails?|post-?its?|phone|sheets)|spreadsheet (?:hell|chaos|mess)|manual(?:ly)?(?: (?:work|entry|data entry|process(?:es)?|planning|routing|labou?r))?|error[- ]prone|tired of|fed up|hard (?:to|time)|difficult(?:y|ies)? (?:to|\w+ing)|pain(?:ful|s)?(?: (?:point|points|in the (?:neck|arse|ass|butt|backside)))?|headaches?|"
    r"bottlenecks?|chaos|chaotic|mess(?:y)?|complain(?:s|ts?|ing)?|late (?:deliver(?:y|ies)|orders?|shipments?|arrivals?|drops?|all the time)|(?:deliveries|orders|parcels|drivers|shipments|we)(?: \w+)? (?:are|arrive|turn up|come|show up|run|running)(?: \w+)? late|takes? (?:forever|ages|too long|hours|days|so long|half the day|us (?:forever|ages|hours|days|all \w+))|los(?:e|ing) track|drop(?:ping|ped)? the ball|double[- ]?book\w*|re-?typ\w+|re-?key\w+|copy(?:ing)?[- ](?:and[- ])?past\w+|duplicat\w+|data entry|problems?(?: (?:is|with|are))?|issues? (?:is|with|are)|challenges?|trouble|inefficien\w+|"
    r"can't (?:see|track|tell|find|plan|scale|keep|handle|get)|no (?:visibility|overview|idea where|way to (?:see|track|know))|breaks? (?:down|all the time|every)|crash(?:es|ing)?|doesn't (?:scale|work)|don't scale|not (?:\w+ ){0,3}on time|by hand|out (?:of )?the window|s[ia]t(?:ting|tin'?|s)? (?:around|idle|waiting)|holler(?:s|ing|in'?)?|wait(?:ing|in'?)? around|(?:we're|we are|i'm|it's|it is) failing|fall(?:en|ing|s)? behind|wrong (?:docks?|address(?:es)?|place|time|door)|outgrown|out of date|outdated|clunky|mistakes|errors|miscommunicat\w+|overtime|too (?:many|much) (?:\w+ ){0,2}(?:empty|mistakes|errors|miles|time|manual|work|phone|calls|paper|spreadsheets)|empty (?:miles|runs)|phone calls all day|inaccurate|stuck with|suffer\w*|annoy\w+|stress\w*|not coping|swamped|overwhelmed|juggl\w+|firefight\w+|fall(?:ing)? through the cracks|hurts?(?: us)?|hurting|bad reviews|penalt(?:y|ies)|eats? (?:up|into)|costs? us|costing us)\b",
)
_WANTS: Final = spoken(
    r"\b(?:(?:we|i)(?:'re| are|'m| am)? (?:\w+ )?(?:need|want|looking for|look for|after|searching for|seeking|trying to|hoping to|would like|'d like|wish|in need of|in the market for|keen to)(?: to| an?| some| your| more)? ?(?:\w+ )?(?:automat(?:e|ion)|improve(?:ments?)?|replace(?:ment)?|get rid of|speed up|optimi[sz]e|streamline|better|fix|cut|reduce|solution|tool|system|software|platform|planner|something|help with|alternative|way to)\b(?: \w+)?|(?:automate|streamline|optimi[sz]e|get rid of|replace our|improve our|cut (?:down|our)|reduce our|speed up)(?: \w+){0,3}|should be (?:faster|easier|better)|could be better|room for improvement)\b",
)
_LOOKS: Final = spoken(
    r"\b(?:just (?:looking(?: around)?|browsing|curious|researching|exploring|checking(?: (?:it|things|you) out)?|shopping around|window[- ]shopping|having a look|wondering|testing the waters|gathering info\w*|kicking (?:the )?tyres|kicking (?:the )?tires)|only (?:looking|browsing|curious|exploring)(?: around)?|(?:we're|i'm|we are|i am) (?:mostly |merely |mainly )?(?:curious|browsing|window[- ]shopping|exploring|shopping around)|nice[- ]to[- ]have|(?:not|\w+n't) (?:\w+ ){0,2}(?:a (?:\w+ )?(?:priority|pain|problem|issue)|painful|desperate|that bad|a big deal|much of a (?:problem|pain))|"
    r"no (?:real |big |particular |major |pressing |specific )?(?:pain|problems?|issues?|complaints?|need right now)(?: (?:really|right now|at the moment|today))?|(?:works?|working|runs?|running|doing|does the job|coping|managing) (?:\w+ )?(?:fine|ok|okay|well enough|alright|good enough|all right)(?: (?:as it is|for us|for now|today|at the moment))?|(?:fine|ok|okay|happy|alright) (?:as (?:it is|we are|things are)|with (?:excel|spreadsheets|our current|what we))|low priority|can live with(?: it)?|not in pain|nothing (?:urgent|serious|major|wrong|much)|happy with (?:what we have|our current|how))\b",
)
_NONE: Final = spoken(
    r"\b(?:(?:we|i) (?:don't|do not|dont) (?:really |actually |even )?(?:need|want|see (?:a|any|the) need for) (?:this|it|that|you|anything|a (?:new )?(?:tool|system|solution|software|platform)|any (?:new )?(?:tool|system|software|help)|another (?:tool|system|platform))|(?:have|see|there's|there is) no (?:need|use) (?:for (?:this|it|that|such \w+|a (?:tool|system)|you)|at all))\b",
)
_GOOD: Final = spoken(r"\b(?:problem|issue|trouble|headache|pain)s?\b")
_NO_PROBLEM: Final = spoken(
    r"(?:\b(?:no|not an?|never an?|without(?: any| a)?|not (?:really|much of|too much|such) an?|zero|any|the only|budget|isn't an?|isn't the|is no|your|what(?:'s| is) the)|n't (?:\w+ ){0,2}(?:an?|the|any))\s+(?:big\s+|real\s+|much\s+)?$"
)
_POLITE: Final = spoken(
    r"\W*(?:(?:sure|ok|okay|great|well|oh|ah)\W+)?(?:no|not an?) (?:problem|issue|trouble)s?(?: at all)?\W*(?:$|[.,!])"
)
_OBJECTED: Final = spoken(
    r"\b(?:migrat\w+|too expensive|your (?:price|tool|system|product|competitor)|the price|worried|concern\w*|budget|contract|implementation|integrat\w+|learn\w*|pricing|figures?|estimates?|my number)\b"
)
_NOT: Final = spoken(r"\bnot\s+$")
_FORMER: Final = spoken(
    r"\b(?:used to|(?:old|previous|former|last) (?:tool|system|provider|vendor|software)) (?:\w+ ){0,2}$|(?:'ll|\bwill|\bwould|\bcould|\bmight) (?:be )?$"
)
_EDGE: Final = " \t\n,.;:!?-–—\"'()"
MOST: Final = 4
"""Pains of one message."""


def need(words: Words, expected: Expected, taken: Sequence[Span]) -> Found | None:
    """How strong the need is, as a message states it, or None.

    Args:
        words: the message.
        expected: what was asked for.
        taken: what has been read as something else.
    """
    candidates = sorted(_candidates(words, expected, taken), key=lambda one: (one[0], -one[1].start))
    if not candidates:
        return None
    value, span = candidates[-1]
    denied = [one for one in candidates if one[0] <= NEED["looks"]]
    if denied and value < NEED["hurts"]:
        value, span = denied[0]
    return Found("need", span, words.quote(span), value, corrects(words, span))


def _candidates(words: Words, expected: Expected, taken: Sequence[Span]) -> Iterator[tuple[int, Span]]:
    """Everything that says how strong the need is, with its score."""
    text = words.text
    for pattern, cue in ((_QUANTITY, _LOSS), (_MONEY, _BLED), (_RATES, _LOSS)):
        for match in pattern.finditer(text):
            span, clause = _trim(text, Span(*match.span())), words.clause_at(Span(*match.span()))
            first = "need" in expected.first and words.brief <= 10
            measured = first and not _HEADS.search(match[0])
            lossy = (
                cue.search(
                    text,
                    max(words.sentence_at(span.start).start, span.start - 80),
                    min(clause.end, span.end + 60),
                )
                or measured
            )
            if lossy and _free(words, span, taken) and not _OBJECTED.search(text, clause.start, clause.end):
                yield NEED["hurts"], span
    for name, pattern in (
        ("none", _NONE),
        ("looks", _LOOKS),
        ("hurts", _HURTS),
        ("suffers", _SUFFERS),
        ("wants", _WANTS),
    ):
        for match in pattern.finditer(text):
            span = _trim(text, Span(*match.span()))
            if name in {"hurts", "suffers"} and not _painful(words, span):
                continue
            if name == "wants" and _OBJECTED.search(text, *words.clause_at(span)):
                continue
            denying = name in {"none", "looks"}
            if denying and _POLITE.match(text, words.sentence_at(span.start).start):
                continue
            if _free(words, span, taken, denying=denying):
                yield NEED[name], span


def _free(words: Words, span: Span, taken: Sequence[Span], *, denying: bool = False) -> bool:
    """Whether words are the buyer's statement, and nobody else has read them."""
    if span.end <= span.start or any(map(span.meets, taken)):
        return False
    if words.asked(span) or words.supposed(span) or words.anothers(span):
        return False
    lead = words.lead(span)
    if denying:
        return _NOT.search(lead) is None
    return not (words.negated(span) or _FORMER.search(lead))


def _painful(words: Words, span: Span) -> bool:
    """Whether words of pain speak of what the buyer has, and not of the offer or of no pain at all."""
    clause = words.clause_at(span)
    if _NO_PROBLEM.search(words.lead(span)) and _GOOD.search(words.text[slice(*span)]):
        return False
    return not _OBJECTED.search(words.text, clause.start, clause.end)


def _trim(text: str, span: Span) -> Span:
    """A span without the blanks and signs at its ends."""
    piece = text[slice(*span)]
    start = span.start + len(piece) - len(piece.lstrip(_EDGE))
    return Span(start, max(start, span.start + len(piece.rstrip(_EDGE))))


def pains(words: Words) -> Iterator[Found]:
    """What costs the buyer time or money, clause by clause."""
    seen: list[Span] = []
    places = [Span(*match.span()) for pattern in (_HURTS, _SUFFERS) for match in pattern.finditer(words.text)]
    for match in _QUANTITY.finditer(words.text):
        span = Span(*match.span())
        clause = words.clause_at(span)
        if _LOSS.search(words.text, max(clause.start, span.start - 80), min(clause.end, span.end + 60)):
            places.append(span)
    for span in sorted(places):
        clause = _trim(words.text, words.clause_at(span))
        if clause.end - clause.start > 160:
            clause = _trim(
                words.text, Span(max(clause.start, span.start - 60), min(clause.end, span.end + 90))
            )
        if len(seen) >= MOST or any(map(clause.meets, seen)):
            continue
        if _painful(words, span) and _free(words, span, ()):
            seen.append(clause)
            yield Found("pain", clause, words.quote(clause))
