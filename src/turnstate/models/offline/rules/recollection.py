"""Questions about what was said before, or about what the customer has on record."""

from __future__ import annotations

from typing import Final

from turnstate.models.offline.clauses import Clause, either
from turnstate.models.offline.rules.orders import BOUGHT

_VERBS: Final = r"(?:tell|say|mention|give|write|ask|share|provide|type|describe|call|want|start|begin|open)"
_I_SAID: Final = either(
    rf"\b(?:did|have) i (?:\w+ )?{_VERBS}\b",
    r"\bi (?:just |already |have |had |did )*(?:told|tell|said|say|mentioned|mention|gave|given|give|wrote|asked|ask|shared|provided|typed|described|called)\b",
)
_CHAT: Final = either(r"\b(?:conversation|chat)\b")
_YOU_SAID: Final = either(
    r"\b(?:what|which|when|how)\b.{0,30}\b(?:did|have|had) you (?:\w+ )?(?:say|said|tell|told|promise|promised|mention|mentioned|recommend|answer)\b",
    r"\byou (?:just |already )?(?:said|told me|promised|mentioned)\b",
)
_FIRST: Final = either(
    r"\bfirst (?:thing|question|message|request)\b",
    rf"\b(?:{_VERBS}|asked|said|told|wrote|mentioned|wanted)\b.{{0,30}}\b(?:first|at the beginning|in the beginning|at the start|originally|initially)\b",
    r"\b(?:how|what|where) (?:did|have|do) (?:i|we|this|our|the)(?: conversation| chat| talk)? (?:start|started|begin|began|open)\b",
)
_WHAT_IS_MY: Final = either(
    r"\b(?:what|which|who) (?:is|was|are|were) (?:\w+ ){0,3}?(?:my|our)\b",
    r"\b(?:what|which) (?:\w+ ){1,4}(?:do|did|have|are) (?:you|i)\b",
)
_WHAT_NUMBER: Final = either(
    r"\b(?:what|which) (?:is|was) (?:the|that|my) (?:order|purchase) (?:number|id|no|reference)\b"
)
_ON_FILE: Final = either(
    r"\b(?:do you (?:still |actually |already |even )*(?:have|know|got|see)|have you (?:still )?got|on (?:file|record)|(?<!could )(?<!can )(?<!would )you (?:still |already )?have)\b"
)
_TELL_ME: Final = either(
    r"\b(?:tell me|give me|repeat|read back|show me|spell|say) (?:\w+ ){0,3}?my\b",
    r"\bremind me\b",
    r"\bwhat my\b",
)
_ORDER_NUMBER: Final = either(
    r"\b(?:order|purchase|reference|confirmation) (?:number|numbers|id|ids|no|nr|code|reference)\b",
    r"\breference number\b",
    r"\bnumber of (?:my|the) (?:order|parcel|package)\b",
)
_ORDERS: Final = either(r"\b(?:which|what|how many|all(?: of)? my|all the) orders?\b")
_E_MAIL: Final = either(r"\b(?:email|emails|e mail|mail address)\b")
_FORGOT: Final = either(
    r"\bi (?:have )?(?:forgot|forget|forgotten|do not (?:remember|recall|know)|can not (?:remember|recall|find)|lost) (?:\w+ ){0,3}?my\b"
)
_SPOKE_ABOUT: Final = either(
    r"\b(?:talk|talked|talking|spoke|spoken|speak|discussed|mentioned|asked|chatted) (?:about|of)\b",
    r"\b(?:mentioned|discussed)\b",
)
_WHO_AM_I: Final = either(r"\bwho am i$", r"\b(?:say|use|know) my name\b")
_OF_THE_SHOP: Final = either(
    r"\b(?:an?|your|any) (?:\w+ )?(?:email|phone|telephone|address|number)\b(?! (?:for|of|from) me\b)"
)
_WHERE_I_LIVE: Final = either(r"\bwhere (?:do )?i live\b")
_LAST: Final = either(
    r"\bwhat (?:was|were|did|have) (?:i|we) (?:just )?(?:ask|asking|asked|say|saying|said|talk about|talking about|tell you|telling you)"
    r"(?: about| you)?(?: before| just now| last| a moment ago| earlier)?$"
)
_AGAIN: Final = either(
    r"^(?:sorry |and |but |so |ok )*why(?: not| is that| so| exactly)*$",
    r"\b(?:repeat|say) (?:that|it|this)(?: again| once more| please)*$",
    r"^(?:sorry |pardon |come again|what was that)(?: what)?$",
)
_ALL: Final = either(
    r"\bwhat (?:else )?(?:do|did|have) you (?:know|have|remember|store|stored|got|collected|noted) (?:about|on|of) me\b",
    r"\b(?:summari[sz]e|sum up|recap) (?:what|our|this|the) (?:we|chat|conversation|talk|discussion|i)?\b",
    r"\bwhat (?:have|did) we (?:talk|talked|speak|spoken|discuss|discussed)(?: about)?(?: so far)?$",
)
_MINE: Final = either(
    r"\b(?:what|which|who|when|where) (?:is|was|are|were) my (?!(?:\w+ )?(?:order|orders|parcel|package|delivery|refund|money|stuff|shipment)\b)"
)
_PAST: Final = either(r"\b(?:already|before|earlier|again|twice|just now|previously)\b")


def _target(clause: Clause) -> str:
    """What a recollection is about: a value that a customer has, or ""."""
    if clause.says(_ORDER_NUMBER):
        return "order"
    if clause.says(_E_MAIL):
        return "email"
    if clause.says(_WHERE_I_LIVE):
        return "address"
    for family in ("phone", "address", "name"):
        if clause.any(family):
            return family
    return "orders" if clause.says(_ORDERS) else ""


def recall(clause: Clause) -> str | None:
    """What is to be recalled: "order", "address", "name", "email", "phone", "orders", "first", "last", "again", "all", "reply" or "topic"."""
    target = _target(clause)
    for aspect, pattern in _PLAIN:
        if clause.says(pattern):
            return aspect
    if clause.says(_FIRST) and (clause.any("i") or clause.says(_CHAT)):
        return target or "first"
    if clause.says(_YOU_SAID) and clause.asking:
        return "reply"
    if _refers_to_words(clause, target) or _remembers(clause, target):
        return target or "topic"
    return target if target and _wants_value(clause, target) else None


def own(clause: Clause) -> str | None:
    """Whether it asks for something of the customer's that only their earlier words can tell."""
    return (
        "topic"
        if clause.says(_MINE) and not clause.any("ship", "arrive", "refund", "warranty", "payment")
        else None
    )


_PLAIN: Final = (("again", _AGAIN), ("all", _ALL), ("last", _LAST), ("name", _WHO_AM_I))


def _refers_to_words(clause: Clause, target: str) -> bool:
    """Whether it asks for what the customer said, or reminds that it was said."""
    if (
        target
        and clause.asks
        and clause.all("told", "i")
        and not clause.values
        and not clause.says(_OF_THE_SHOP)
    ):
        return True
    if not clause.says(_I_SAID):
        return False
    wonders = clause.any("what", "where", "when", "how", "who") and clause.asking
    return wonders or (bool(target) and clause.says(_PAST) and not clause.values)


def _remembers(clause: Clause, target: str) -> bool:
    """Whether it asks to remember, or tells what was forgotten."""
    if target and clause.says(_FORGOT):
        return True
    asked = clause.all("remember", "i") and clause.asking and not clause.says(BOUGHT)
    return asked and (bool(target) or clause.question)


def _wants_value(clause: Clause, target: str) -> bool:
    """Whether it asks for something of the customer's own that is on record."""
    if target == "orders" and clause.says(_SPOKE_ABOUT):
        return True
    of_an_order = target == "address" and clause.any("order", "§order")
    if (
        of_an_order
        or clause.says(_OF_THE_SHOP)
        or clause.says(BOUGHT)
        or clause.any("change", "wrong", "other")
    ):
        return False
    on_file = clause.says(_ON_FILE) or (target == "order" and clause.says(_WHAT_NUMBER))
    return on_file or (clause.any("i") and (clause.says(_WHAT_IS_MY) or clause.says(_TELL_ME)))
