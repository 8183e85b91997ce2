"""What a buyer talks about, one word for each topic; promises, and ways back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from turnstate.apps.sales.hearing.words import Found, Words, spoken
from turnstate.core.commitments import Firmness, find_commitments
from turnstate.core.facts import Span

SALE: Final = frozenset(("pricing", "contract", "meeting", "references"))
"""Topics that a sale is about anyway."""

_TOPICS: Final[Mapping[str, str]] = {
    "integrations": r"integrat(?:e[sd]?|ions?|ing)|api|apis|webhooks?|connect(?:s|ed|ing|or|ors|ion)? (?:to|with|into)|plugs? in(?:to)?|plug-?ins?|sync(?:s|ed|ing|hroni[sz]e\w*)?|sdk|edi|zapier|quickbooks|xero|sap|salesforce|hubspot|shopify|netsuite|sage|datev|erp|tms|wms|works? with (?:our|quickbooks|xero|sap|excel|your)|talk to our|compatib\w+|import(?:s|ing)? (?:from|our)|integrier\w+|schnittstelle|integraci[oó]n|intégration",
    "security": r"secur(?:e|ity|ed)|gdpr|dsgvo|rgpd|soc ?2|iso ?27001|encrypt\w*|pen(?:etration)? test\w*|sso|single sign[- ]on|2fa|mfa|data protection|privacy|compliance|compliant|hipaa|hosted|hosting|data (?:is )?(?:stored|kept|residency|cent(?:er|re))|(?:where|how) (?:is|are|do you) (?:\w+ ){0,3}(?:data|stored|store|keep)|back-?ups?|audit log|dpa|sicherheit|datenschutz|seguridad|sécurité",
    "pricing": r"pric(?:e|es|ing|ed|ey)|cost(?:s)?(?! us)|how much|quote|quotation|discount(?:s)?|fees?|per (?:user|seat|driver)|licen[cs]e (?:fee|cost|price)s?|subscription|tiers?|plans? (?:do you|are|cost)|payment terms|invoic(?:e|ing) us|expensive|cheaper|preis(?:e)?|precio|prix|费用|价格|価格",
    "support": r"support (?:team|hours|line|desk|available|included|plan|level|is|do|like|for us)|(?:customer|tech(?:nical)?|phone|email|24/7|live|your|any|weekend|after-sales) support|supported|help ?desk|sla|slas|response times?|account manager|customer service|24/7",
    "onboarding": r"on-?boarding|train(?:ing|ings)|get(?:ting)? started|set ?up (?:time|process|fee|help|take)|setting (?:it |everything |this )?up|implementation|roll-?out|migrat(?:e|ion|ing)|data import|learning curve|switch(?:ing)? over|how long (?:does|would|will) (?:it|the|onboarding|setup|implementation)",
    "contract": r"contract(?:s)?|minimum term|cancel(?:lation)?(?: any ?time)?|notice period|lock-?in|terms and conditions|terms|agreement|renew(?:al|s)?|commitment period|monthly or (?:yearly|annual)|legal (?:review|terms)|vertrag|contrato|contrat",
    "references": r"case stud(?:y|ies)|references?|testimonials?|success stor(?:y|ies)|(?:companies|businesses|customers|clients|firms|someone|others) (?:like (?:us|ours)|in our (?:industry|sector)|our size)|similar (?:companies|customers|clients|businesses)|who else uses|other (?:customers|clients)|reviews|examples? of (?:customers|clients)|fallstudie|referenz\w*|caso de éxito|étude de cas",
    "meeting": r"meet(?:ing|ings)?|demo|demonstration|book (?:a|the|us|me|something|some time)|schedule (?:a|the|something|some time)|(?:set|line) up (?:a|some) (?:call|time|meeting|chat)|calendar|(?:jump|hop|get) on (?:a|the) (?:quick )?call|call (?:me|us) (?:on|at|tomorrow|next|this|monday|tuesday|wednesday|thursday|friday)|have a call|call in the (?:diary|calendar)|book (?:on )?(?:monday|tuesday|wednesday|thursday|friday)|pencil (?:me|us) in|put (?:me|us) (?:down|in) for|quick call|call with|speak (?:to|with) (?:someone|somebody|one of)|talk to (?:someone|somebody|one of|a person)|walk us through|termin|reunión|rendez-vous",
    "mobile": r"mobile|(?:driver|phone|android|ios|iphone|ipad|tablet|native) app|app|android|iphone|ios|offline|smartphones?|handhelds?",
    "reporting": r"reports?|reporting|dashboards?|analytics|kpis?|statistics|insights|export(?:s|ing)?",
    "routing": r"rout(?:e|es|ing)|route planning|optimi[sz](?:e|es|ation|ing)|dispatch(?:ing)? (?:feature|tool|screen|board)|schedul(?:e|ing) (?:feature|deliveries|drivers|routes)|traffic",
    "tracking": r"track(?:ing|s)?|gps|live map|etas?|proof of delivery|pod|notifications?|sms|alerts?|telematics",
    "languages": r"(?:available|works?|offer it|do you have it|interface|app) in (?:german|french|spanish|italian|polish|english|other languages|\w+ish)|multi-?lingual|translations?|other languages|which languages",
    "trial": r"(?:free |pilot |test )?trial|pilot|proof of concept|poc|sandbox|try it (?:out|first|for)|test it|free version",
    "features": r"features?|functionality|roadmap|capabilit(?:y|ies)|can it (?:also )?|does it (?:also )?(?:do|handle|have|support|work)|do you (?:have|offer|support|do)",
}
_COMPILED: Final = {name: spoken(rf"(?<!\w)(?:{pattern})(?!\w)") for name, pattern in _TOPICS.items()}
_BACK: Final = spoken(
    r"\b(?:(?:let's |let us |can we |could we |may we |i'd like to |i want to |we should |shall we |to |if we (?:could |can )?|please |we need to |i need to )?(?:(?:go|come|get|going|coming|getting|circle|circling|step|jump|loop|turn|head|move|switch|return|returning|revert|back)\s+back|return|returning|revisit|circle back|back up a bit|rewind) (?:to|on|over)|(?:^|[.!?,] )back to|as for|revisit(?:ing)?|pick(?:ing)? up (?:again )?(?:on|where we (?:left|stopped))|where were we|to come back to|reopen(?:ing)?)\b\s*(?P<what>(?:the |our |your |my |that |what we (?:said|discussed|talked) (?:about )?)?(?:[\w'-]+ ?){0,4})",
)
_NOT_BACK: Final = spoken(
    r"\b(?:back to you|back to (?:me|us|work|the office|school|normal|square one|paper|excel|spreadsheets|base)|as for (?:me|us|now))\b"
)
_TOPIC_END: Final = spoken(
    r"\s+(?:for|and|if|please|question|now|again|you|we|i|because|but|so|first|a)\b.*$"
)
_EDGES: Final = " \t\n,.;:!?-–—\"'()"
_LATER: Final = spoken(
    r"\b(?:i|we)(?:'ll| will| shall| can| am going to| are going to|'m going to|'re going to| promise to)\s+(?:\w+\s+){0,2}?(?:send|share|forward|email|e-mail|mail|get (?:you|back|that|it|the|them)|provide|check|ask|talk|speak|discuss|confirm|prepare|put together|fill|call|ring|let you know|upload|bring|introduce|loop|invite|join|review|read|look|test|try|come back|have (?:it|that|them|the|our)|deliver|pass|set up|schedule|book|get in touch|give you|present|show|run (?:it|this)|write|drop|ping|do that|do it|raise|take)\b"
)
_BINDING: Final = frozenset((Firmness.PROMISED, Firmness.INTENDED, Firmness.CONDITIONAL, Firmness.HEDGED))
_ASKING: Final = spoken(
    r"\b(?:(?:i|we)(?:'ll| will| shall|'m going to|'re going to| am going to| are going to| promise to)|let me)\s+(?:\w+\s+){0,2}?(?:(?:get|come|circle|report) back to you|(?:talk|speak|check|discuss (?:it|this|that)|confirm) (?:to|with) (?:my|our|the|him|her|them)|ask (?:my|our|the|him|her|them)|let you know|find out|look into it|think (?:about it|it over))\b"
)
_SHORT: Final = spoken(
    r"^\W*(?:(?:ok|okay|sure|yes|great|thanks|thank you|alright|fine|perfect|and|so|then|good|well|no problem|of course)\b[\s,.!:;–—-]*)+"
)
MOST: Final = 4
"""Promises of one message."""


def topics(words: Words) -> Iterator[Found]:
    """The topics of a message, each once, in the order of the table."""
    for name, pattern in _COMPILED.items():
        match = pattern.search(words.text)
        if match is not None:
            span = Span(*match.span())
            yield Found("topic", span, words.quote(span), label=name)


def back(words: Words) -> Iterator[Found]:
    """What the buyer wants to go back to; the first of it."""
    for match in _BACK.finditer(words.text):
        span = Span(*match.span("what"))
        if _NOT_BACK.search(words.text, match.start(), min(len(words.text), match.end() + 1)):
            continue
        piece = words.text[slice(*span)]
        cut = _TOPIC_END.search(piece)
        end = span.start + (cut.start() if cut else len(piece.rstrip(_EDGES)))
        start = span.start + len(piece) - len(piece.lstrip(_EDGES))
        said = Span(start, end) if end > start else Span(*match.span())
        said = _shaved(words.text, said)
        if said.end > said.start:
            yield Found("back", said, words.quote(said))
            return


def promises(words: Words) -> Iterator[Found]:
    """What the buyer undertakes to do for us; also to ask somebody, or to come back, which binds no assistant."""
    made = [
        Span(one.start, one.end)
        for one in find_commitments(words.text, "user")
        if one.firmness in _BINDING and _LATER.search(one.text)
    ]
    for match in _ASKING.finditer(words.text):
        place = Span(*match.span())
        if words.states(place):
            made.append(Span(match.start(), max(match.end(), words.clause_at(place).end)))
    seen: list[Span] = []
    for span in made:
        lead = _SHORT.match(words.text, span.start, span.end)
        said = _shaved(words.text, Span(lead.end() if lead else span.start, span.end))
        short = said.start < said.end <= said.start + 240
        if short and len(seen) < MOST and not any(map(said.meets, seen)):
            seen.append(said)
            yield Found("promise", said, words.quote(said))


def _shaved(text: str, span: Span) -> Span:
    """A span without the blanks and signs at its ends."""
    piece = text[slice(*span)]
    start = span.start + len(piece) - len(piece.lstrip(_EDGES))
    return Span(start, max(start, span.start + len(piece.rstrip(_EDGES))))
