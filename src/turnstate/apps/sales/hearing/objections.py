"""What speaks against buying, in a buyer's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turnstate.apps.sales.hearing.words import Found, Words, spoken
from turnstate.core.facts import Span

_OBJECTS: Final = spoken(
    r"\b(?:(?:too|so|very|pretty|quite|rather|a bit|way too|far too|really|awfully|over) ?(?:expensive|pricey|pricy|costly|steep|dear|complicated|complex|risky|much (?:money|for us)|high(?: for us)?|good to be true|big a (?:change|step|commitment|risk)|rigid)|overpriced|rich (?:for|to) (?:us|me|my|our)\b|pay(?:ing)? peanuts|costs? (?:us )?peanuts|(?:price|cost|number|figure)(?: \w+)? (?:scares|puts|worries|hurts|shocks)(?: (?:me|us)(?: off)?)?|(?:above|over|beyond|compared (?:to|with)|from|than) what (?:we|i)(?:'re| are)?(?: \w+)? (?:pay|paying|have|spend|spending)|(?:big|huge|massive) (?:jump|increase|leap)|hates? (?:apps?|technology|phones|change|new)|pricey|pricy|(?:find|found) (?:it|this|that|the price) (?:\w+ )?(?:expensive|high|steep|costly)|(?:price|cost|quote|fee|number|that|this|it)(?:'s| is| seems| looks| sounds| feels)? (?:\w+ ){0,2}(?:too (?:high|much)|high|steep|a lot|(?:too |quite |very |pretty )?expensive|crazy|outrageous|out of reach|over the top|hard to justify|double|twice)|"
    r"(?:more|higher|dearer) th[ae]n (?:we|i|what we|what i|our current|our|the|they)(?:'re| are)?(?: (?:pay|paying|can|could|spend|have|expected|thought|wanted|hoped|planned|charge|current \w+|budget\w*))?|(?:can't|cannot|couldn't|can not) (?:\w+ )?(?:afford|justify)|out of (?:our|my) (?:budget|range|reach|league)|over (?:our|my|the) budget|outside (?:of )?(?:our|my) budget|beyond (?:our|my) (?:budget|means)|(?:pay|paying|spend|get) (?:far |a lot |much |way |half |significantly )?less|half (?:of )?(?:the price|that|what)|cheaper(?: (?:elsewhere|option|alternative|tool|one|than)s?)?|sticker shock|not cheap|price tag|a lot of money|hefty|"
    r"not (?:\w+ ){0,2}convinced|worr(?:y|ied|ies|ying)(?: (?:about|that|is|me|us))?|concern(?:s|ed|ing)?(?: (?:about|that|is|with|over))?|afraid (?:of|that|it|this|the)|scared|nervous|anxious|hesitant|reluctant|skeptical|sceptical|doubt(?:s|ful)?|not (?:sure|convinced|certain|confident) (?:if|it|this|that|about|we|whether|you|your|i)|unconvinced|hesitat\w+|fear(?: (?:of|that|is))?|burned (?:before|by|once)|burnt (?:before|by|once)|been burned|bad experience|tried (?:something|tools?|software|one|it|that|this|a \w+) (?:\w+ ){0,3}(?:before|failed|didn't)|"
    r"(?:we|i)(?:'re| are|'ve)? (?:already |currently )(?:use|using|have|got|work with|working with|pay for|signed|with|on|run|running|invested)|happy with (?:our|what|the)|locked in(?:to)?|tied (?:in|into|to)|under contract|(?:existing|current) (?:contract|vendor|provider|supplier)|stuck in a contract|"
    r"(?:drivers?|team|staff|people|dispatchers|they|guys|employees|everyone|users) (?:\w+ )?(?:won't|will not|will never|might not|may not|are not going to|aren't going to|would never|hate|resist|will hate|refuse|don't like|are old[- ]school|are not tech\w*|aren't tech\w*|aren't good)|"
    r"no time (?:to|for)|don't have (?:the )?(?:time|people|resources|capacity|it people|it team|manpower)|not the right time|bad timing|wrong time|not ready|need to think|think (?:about it|it over)|sounds risky|big (?:risk|step|change|commitment)|learning curve|hard to (?:learn|use|switch|migrate|justify)|migrat(?:ion|ing) (?:is|sounds|scares|would|will|could|seems|looks)|switching (?:cost|is|would|sounds|costs)|"
    r"missing (?:feature|functionality)s?|you (?:don't|do not) (?:have|support|offer|integrate)|doesn't (?:have|support|do|integrate|offer) (?:what|the|our|any)|deal ?breaker|show ?stopper|(?:your )?competitors? (?:is|are|has|have|costs?|charges?|offers?|does|do|can|already)|zu teuer|demasiado caro|muy caro|trop cher|troppo caro|muito caro|te duur|слишком дорого)\b|太贵|高すぎ|너무 비싸",
)
_NOT: Final = spoken(
    r"(?:\b(?:not|never|no longer|isn't|aren't|wasn't|no|without|don't|doesn't|hardly)\s+(?:(?:really|actually|at all|that|too|a|any|so|be|have|particularly|overly)\s+){0,3}$)|n't\s+(?:(?:really|actually|at all|that|too|a|any|so|be|have|particularly|overly)\s+){0,3}$",
)
_MENTIONED: Final = spoken(r"not sure (?:if|whether) i (?:already )?(?:mentioned|said|told)")
_NOT_INSIDE: Final = spoken(r"\b(?:not|isn't|never|no)\b")
_CONVINCED: Final = spoken(
    r"\bnot (?:sure|convinced|certain|confident|ready|cheap|the right)\b|n't (?:afford|justify)"
)
_OURS: Final = spoken(
    r"\b(?:set aside|budget|money|funds|approval|sign-?off|allocated|earmarked|approved|plan|drivers|trucks|vans)\b"
)
_PAINS: Final = spoken(r"\b(?:spreadsheets?|excel|whiteboards?|paper)\b")
_PRICE: Final = spoken(r"expensive|steep|high|pric|afford")
_EDGES: Final = " \t\n,.;:!?-–—\"'()"
MOST: Final = 3
"""Objections of one message."""


def objections(words: Words) -> Iterator[Found]:
    """What speaks against buying, clause by clause."""
    seen: list[Span] = []
    for match in _OBJECTS.finditer(words.text):
        span = Span(*match.span())
        clause = words.clause_at(span)
        said = words.text[slice(*clause)]
        if (_NOT.search(words.lead(span)) or _NOT_INSIDE.search(match[0])) and not _CONVINCED.search(
            match[0]
        ):
            continue
        if "already" in match[0].lower() and (_OURS.search(said) or _PAINS.search(said)):
            continue
        if "currently" in match[0].lower() and _PAINS.search(said):
            continue
        if (
            _MENTIONED.match(words.text, span.start)
            or words.supposed(span)
            or (words.asked(span) and not _price(match[0]))
        ):
            continue
        piece = _trimmed(words.text, clause, span)
        if len(seen) < MOST and not any(map(piece.meets, seen)):
            seen.append(piece)
            yield Found("objection", piece, words.quote(piece))


def _price(said: str) -> bool:
    """Whether an objection is about the price."""
    return _PRICE.search(said) is not None


def _trimmed(text: str, clause: Span, span: Span) -> Span:
    """The clause, or what is near the words in a long one."""
    start, end = clause
    if end - start > 140:
        start, end = max(start, span.start - 60), min(end, span.end + 60)
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip(_EDGES))
    return Span(left, max(left, start + len(piece.rstrip(_EDGES))))
