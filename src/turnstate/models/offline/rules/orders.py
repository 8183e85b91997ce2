"""Questions about an order: where it is, when it comes, what is in it."""

from __future__ import annotations

from typing import Final

from turnstate.models.offline.clauses import Clause, either

_IT: Final = r"(?:it|they|that|this|my|the|order|§order|those|these|both|any)"

BOUGHT: Final = either(
    r"\bwhat (?:all )?(?:did|have|had) i (?:\w+ )?(?:order|ordered|buy|bought|purchase|purchased)\b",
    r"\bwhat i (?:ordered|bought|purchased)\b",
    r"\bwhat (?:exactly |all )?(?:is|was|are|were|else is) (?:\w+ ){0,2}?(?:in|inside|part of) (?:my|the|that|this|it|§order|order)\b",
    r"\b(?:list|which|what|how many) (?:\w+ ){0,2}?(?:items?|products?|articles?|things)\b(?! .{0,20}\b(?:tell|say|ask|mention)\b)",
    r"\bcontents?\b",
)
"""The clause asks what was ordered."""
_PAID: Final = either(
    r"\bhow much (?:did|was|is|were|do|have|am|does) (?:i|it|that|this|my|the order|§order|order|they)\b",
    r"\btotal\b",
    r"\bwhat (?:did|do|have) i (?:pay|paid|owe|spend)\b",
    r"\bwhat (?:did|does|do) (?:it|that|this|they|my|the|§order)(?: \w+| §order)? cost\b",
    r"\b(?:charged me|was i charged)\b",
)
_CARRIER: Final = either(
    r"\b(?:carrier|courier|fedex|ups|dhl|usps|dpd|gls|hermes|postnord|royal mail)\b",
    r"\bwho (?:is |will )?(?:be )?(?:deliver|delivering|delivers|ship|shipping|ships|bring|bringing|brings)\b",
    r"\b(?:which|what) (?:delivery|shipping) (?:company|service|firm)\b",
)
_TRACKING: Final = either(
    r"\btracking (?:number|link|code|id|information|details|page|url)\b",
    r"\b(?:can|could|how do) i (?:track|follow)\b",
    r"\btrack and trace\b",
)
_GOING: Final = either(
    r"\b(?:which|what) (?:\w+ )?address\b.{0,40}\b(?:going|go|goes|sent|shipped|shipping|ship|deliver|delivered|order|§order|parcel|package|it)\b",
    r"\bwhere (?:is|are|was|will|did|do|does) .{0,25}\b(?:going|headed|sent|delivered to|shipped to|shipping to|go to|be delivered|delivering|sending|shipping|taking) ?(?:it|them|this|that|my|the|to|now|$)\b",
    r"\baddress (?:is |of |on |for |in ){1,2}(?:my |the |that |this )?(?:order|§order|parcel|package|it)\b",
)
_GOES: Final = either(
    r"\b(?:is|has|was) (?:it|that|this|the address|my address)(?: now| been| already)* (?:changed|updated|corrected|saved|in place|done)(?: now)?$",
    r"\bto (?:what|which) (?:\w+ )?address\b",
    r"\bwhere (?:it|they|that|this|my \w+|the \w+|§order|order §order) (?:now )?(?:goes|go|is going|will go|is headed|is sent|is shipped|gets sent)\b",
)
_DATED: Final = either(
    r"\bwhen (?:did|have) i (?:order|buy|place|purchase|make|ordered|bought)\b",
    r"\border date\b",
    r"\bdate of (?:my|the) order\b",
)
_ETA: Final = either(
    r"\b(?:when|what day|what time|which day|how long|how soon|how many days|how much longer|how many more days)\b.{0,60}"
    r"\b(?:arrives?|arriving|comes?|coming|here|gets?|getting|ships?|shipped|deliver|delivered|delivery|receive|expect|expected|dispatch|"
    r"dispatched|leave|land|have it|it be|they be|it take|wait|due|§order|order|parcel|package|reach|show up|turn up|be with me|be with us|be there|be mine)\b",
    r"\bwhen (?:is|are|will|does|do|would|could) (?:it|they|this|that|my \w+|the \w+|§order|order §order)\b(?!.{0,20}\b(?:open|close|closed)\b)",
    r"\b(?:can|could|might|may|should|would) (?:it|they|my \w+|the \w+|§order|order §order) .{0,15}\b(?:arrive|come|be here|get here|land)\b",
    r"^(?:and |so |order |§order )*when(?: then| exactly)?$",
    r"\b(?:eta|arrival (?:date|day|time)|delivery (?:date|day|time|estimate|slot)|estimated|ship date)\b",
    r"\b(?:make it|here|arrive|come|get it|have it|delivered) (?:\w+ )?(?:by|before|until|in time|on time|for)\b.{0,30}",
    r"\bwill (?:it|they|that|this|my \w+|the \w+|§order|order §order|i (?:have|get|receive))\b.{0,40}"
    r"\b(?:arrive|here|come|get|make it|there|by|before|in time|on time|tomorrow|today|week|it)\b",
    r"\b(?:is|are) (?:it|they|my \w+|the \w+|§order) (?:still )?going to (?:be|arrive|come|get|make)\b",
    r"\b(?:is|are) (?:it|they|my \w+|the \w+|§order) (?:still )?(?:arriving|coming|due|on time|on track|expected|on schedule)\b",
)
_WHERE: Final = either(
    r"\bwhere\b(?!.{0,12}\byou\b)(?!.{0,20}\b(?:your|shop|store|located|website|policy|page|button|form)\b)(?! (?:do|can|should|could) i\b)"
)
_NEWS: Final = either(
    r"\b(?:an|the|latest|give me|need) (?:\w+ )?updates? (?:on|about|for|regarding)\b",
    r"\beverything (?:is )?(?:ok|okay|alright|fine|in order|all right) with\b",
    r"\btak(?:e|es|ing) (?:so|too|this|that|forever|ages)\b",
    r"\b(?:any|some|no|hear|heard|latest) (?:\w+ )?(?:news|update|updates|progress|word|sign|movement)\b",
    r"\bwhat (?:is )?(?:going on|happening|happened|up) (?:with|to)\b",
    r"\bwhat has happened\b",
    r"\b(?:what|how) about (?:order |my |the |that |this )*(?:§order|order|other)\b",
    r"\bout for delivery\b",
    r"\bon (?:its|the) way\b",
    r"\bstill nothing\b",
    r"\bhow is .{0,20}(?:order|§order|doing|coming along)\b",
)
_HAS_IT: Final = either(
    rf"\b(?:has|have|had|did|is|was|are|were) {_IT}\b.{{0,40}}\b(?:ship|shipped|dispatch|dispatched|deliver|delivered|sent|send|leave|left|arrived|"
    r"arrive|ready|packed|processed|moving|way|transit|out|gone|go|stuck|lost|confirmed|received|placed|posted|mailed)\b"
)
_YOU_SENT: Final = either(
    r"\b(?:if|whether) (?:it|they|my \w+|the \w+|§order|order §order) (?:has|have|is|was|are|were) .{0,20}\b(?:shipped|sent|posted|mailed|dispatched|delivered|left|arrived|on)\b",
    r"\bwhere\b.{0,20}\b(?:my|our) (?!name\b|address\b|order number\b)\w+",
    rf"\b(?:did|have|had|has) (?:you|anyone|somebody) .{{0,20}}\b(?:ship|shipped|send|sent|dispatch|dispatched|post|posted|deliver|delivered) {_IT}\b",
    rf"\b(?:did|have|had) you (?:ship|shipped|send|sent|dispatch|dispatched|post|posted|deliver|delivered) {_IT}\b",
)
_NOT_HERE: Final = either(
    r"\b(?:not|never|nothing|yet to|still)\b.{0,25}\b(?:arrived?|come|came|received?|got|get|here|shipped|delivered|showed|shown|moved|turned|left|"
    r"waiting|seen|gotten|reached|processing|pending|appeared)\b",
    r"\bwaiting (?:for|on)\b",
    r"\b(?:was|were|is|are) (?:supposed|meant|due|promised) to (?:come|arrive|be here|be delivered|get here|reach|ship|be there)\b",
    r"\b(?:still no|no sign of|where the hell)\b",
    r"\b(?:order|parcel|package|shipment|delivery|it|§order)\b.{0,15}\b(?:late|delayed|overdue|lost|missing|stuck|vanished|disappeared)\b",
    r"\blost in (?:the )?(?:mail|post)\b",
)
_LOOK_UP: Final = either(
    r"\b(?:look|looking|check|checking|find|pull|show|see|open|track|trace|locate|search)\b.{0,30}\b(?:orders?|§order|parcel|package|shipment)\b"
)
_ONLY_ORDER: Final = either(
    r"^(?:(?:and|what about|how about|then|also|for|about|now|ok|it is|the other one|the other|is|order|or|it|my|number) )*§order(?: and §order| §order| please| then| too| order)*$"
)
_WHERE_IS: Final = either(
    r"\bwhere (?:is|are) (?:my|the|our) (?!shop\b|store\b|website\b|page\b|button\b|form\b|policy\b)\w+"
)
YOU: Final = either(
    r"\b(?:do|does|can|could|will|would|are|is) (?:you|your shop|your store|the shop) (?:\w+ )?"
    r"(?:ship|deliver|send|shipping|offer|sell|have|charge|use|accept|take|work|post|provide|carry|stock|open|closed?)\b",
    r"\b(?:you|your) (?:usually |normally |typically )?(?:use|ship with|offer|shipping|delivery)\b",
)
"""The clause asks what the shop does, not about an order."""

_ASPECTS: Final = (
    ("address", _GOING),
    ("address", _GOES),
    ("tracking", _TRACKING),
    ("date", _DATED),
    ("items", BOUGHT),
    ("carrier", _CARRIER),
)


def status(clause: Clause) -> str | None:
    """Which side of an order it asks about: "eta", "items", "total" …; "" for how it stands, "number" for a bare number."""
    for aspect, pattern in _ASPECTS:
        if clause.says(pattern) and not clause.says(YOU):
            return aspect
    if clause.says(_PAID) and not clause.any("ship") and not clause.says(YOU):
        return "total"
    thing = clause.any("order", "§order", "goods", "both", "i")
    if clause.says(_ETA) and (thing or clause.asks):
        return "eta"
    standing = clause.says(_HAS_IT) or clause.says(_NEWS) or clause.says(_WHERE_IS) or clause.says(_YOU_SENT)
    if standing or (thing and _stands(clause)) or (clause.says(_LOOK_UP) and clause.any("order", "§order")):
        return ""
    if clause.says(_NTH):
        return ""
    return "number" if clause.says(_ONLY_ORDER) else None


_NTH: Final = either(
    r"^(?:and |what about |how about |now )*(?:the )?(?:first|second|third|last|latter|former|other)(?: one| order| parcel| package)(?: please)?$"
)


def order_in_question(clause: Clause) -> str | None:
    """Whether it wonders about an order in words that no other rule knows: the record is the best there is to say."""
    own = clause.any("order", "§order") and (clause.says(_OWN_ORDER) or "§order" in clause.has)
    return "" if own and clause.asks and not clause.says(_OTHER_WISH) and not clause.says(YOU) else None


_OWN_ORDER: Final = either(
    r"\b(?:my|the|this|that|our|last|recent) (?:\w+ )?(?:order|orders|parcel|package|shipment|delivery|purchase|box|packet)\b"
)
_OTHER_WISH: Final = either(
    r"\b(?:add|remove|combine|merge|wrap|gift|pick|collect|change|split|buy|order (?:more|another|again|a|two)|reorder|repeat|insure|sign|pay|call|tell|ask|pass|note)\b"
)


def _stands(clause: Clause) -> bool:
    """Whether it wonders where something is."""
    if clause.says(_WHERE) or clause.says(_NOT_HERE):
        return True
    return clause.any("track") and not clause.any("change")
