"""Questions about how the shop does things: shipping, payment, opening hours, warranty."""

from __future__ import annotations

from typing import Final

from turnstate.models.offline.clauses import Clause, either
from turnstate.models.offline.rules.orders import YOU

_GENERAL: Final = either(
    r"\b(?:how (?:much|long|fast|many days|quick|quickly|expensive)|what (?:is|are|does|do|would)|which|is|are|do|does|free)\b"
)
_OWN: Final = either(r"\b(?:my|mine|it|§order|this|that)\b")
_PAID: Final = either(r"\b(?:did i|i paid|was i|have i)\b")
_WARRANTY: Final = either(
    r"\bwarrant(?:y|ies)\b",
    r"\bguarantee[ds]?\b",
    r"\b(?:how|who|can|do|does|where|is)\b.{0,30}\brepair(?:s|ed)?\b",
)
_HOURS: Final = either(
    r"\b(?:anyone|anybody|someone|somebody|you)\b.{0,30}\b(?:weekends?|saturdays?|sundays?|mondays?|holidays|evenings?)\b",
    r"\b(?:opening|business|office|working|support|service|shop|store|phone) (?:hours|times|days)\b",
    r"\b(?:when|what time|what days|until when|how late|are|is|do)\b.{0,30}\b(?:opens?|closes?|closed|opened|available|reachable)\b",
    r"\b(?:until|till|from|what|which) .{0,15}\b(?:time|when|day|days)\b.{0,15}\b(?:call|phone|reach|visit|ring)\b",
    r"\bhours\b.{0,20}\b(?:you|your|store|shop|support)\b",
    r"\b(?:you|your|store|shop|support)\b.{0,20}\bhours\b",
)
_CONTACT: Final = either(
    r"\bhow (?:do|can|could) (?:i|we) (?:\w+ )?(?:contact|reach|call|phone|email|write)\b",
    r"\b(?:your|you have an?|is there an?) (?:\w+ )?(?:phone|telephone|email|e mail|number|contact|address|website)\b",
    r"\bcontact (?:details|information|you)\b",
    r"\bwhere (?:are you(?: located| based| exactly| from)?$|is your|can i find you)\b",
    r"\b(?:are you|your (?:shop|store|warehouse)) (?:located|based|near)\b",
)
_PAYMENT: Final = either(
    r"\b(?:pay|paying|payments?)\b.{0,30}\b(?:with|by|via|in|using|methods?|options?|later|accept|card)\b",
    r"\b(?:accept|accepted|take)\b",
    r"\b(?:which|what|how|can|do)\b.{0,30}\b(?:pay|payments?|invoice|paypal|klarna)\b",
)


def shipping_rules(clause: Clause) -> str | None:
    """Whether it asks what shipping costs, how long it takes or where it goes, in general."""
    if not clause.any("ship", "carrier") or "§order" in clause.has:
        return None
    own = clause.says(_OWN) or clause.any("order")
    about = clause.any("cost", "abroad", "speed", "policy", "options") or clause.says(YOU)
    if about and not own and (clause.says(_GENERAL) or clause.question or clause.says(YOU)):
        return "shipping"
    return "shipping" if clause.all("ship", "cost") and clause.asks and not clause.says(_PAID) else None


def warranty(clause: Clause) -> str | None:
    """Whether it asks about the warranty or about repairs."""
    return "warranty" if clause.says(_WARRANTY) and (clause.asking or clause.length < 4) else None


def policy(clause: Clause) -> str | None:
    """Which other rule of the shop it asks about: "contact", "hours", "payment" or "other"."""
    if clause.says(_CONTACT):
        return "contact"
    if clause.says(_HOURS) and not clause.any("order", "§order"):
        return "hours"
    if (
        clause.any("payment", "paying")
        and clause.asks
        and not clause.says(_PAID)
        and not clause.any("refund", "§order")
    ):
        return "payment"
    return "other" if clause.any("policy") and clause.asks else None
