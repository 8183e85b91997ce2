"""Requests to change or cancel an order."""

from __future__ import annotations

from typing import Final

from turnstate.models.offline.clauses import Clause, either
from turnstate.models.offline.rules.refunds import ASKED_FOR_RULES, WANTS_NOT

_SEND: Final = r"(?:ship|shipping|send|sending|sent|deliver|delivering|delivered|shipped|forward|redirect|redirected|reroute|rerouted|divert|post|mail|go|goes|going|come|drop|dropped|leave|bring|have it|get it)"
_SEND_TO: Final = either(
    rf"\b{_SEND}\b.{{0,40}}?\b(?:to|at|with) (?:§address|(?:my|the|our|a|an|his|her|their|another|different|that|this|same|work|home)\b)"
)
_THERE: Final = either(
    r"\b(?:ship|send|deliver|forward|redirect|sent|shipped|delivered) (?:it |them |that |this |§order |the order |my order |the parcel |my parcel |order §order )?(?:there|elsewhere|somewhere else)\b",
    r"\b(?:can|could|should|must|please|will|let) .{0,20}\b(?:go|goes|come) (?:there|elsewhere|somewhere else)\b",
)
_CALL_OFF: Final = either(
    r"\bcall(?:ed|ing)? off (?:my |the |that |this )?(?:order|purchase|it|delivery)\b",
    r"\bdo not want (?:the |my |this |that )?(?:order|parcel|package|it|§order|order §order|lamp|purchase) (?:anymore|any more|any longer|after all)\b",
    r"\bdo not (?:want|need) (?:it|them|that|this) (?:anymore|any more|any longer|now)\b",
    r"\bstop (?:my |the |this |that )?(?:order|§order|order §order|shipment|parcel|package)\b",
    r"\bno longer (?:want|need) (?:the |my |this |that )?(?:order|parcel|package|it|§order)\b",
)
_ROUTE: Final = either(r"\b(?:reroute|rerouted|redirect|redirected|divert)\b")
_PLACE_OF_GOODS: Final = either(r"\bin place of\b")


def address(clause: Clause) -> str | None:
    """Whether it asks for another delivery address; "same" if it means one that is known, "moved" if it only tells."""
    if clause.says(WANTS_NOT) or clause.says(ASKED_FOR_RULES) or clause.says(_PLACE_OF_GOODS):
        return None
    return _to_given(clause) if "§address" in clause.has else _to_named(clause)


def _to_given(clause: Clause) -> str | None:
    """The same for a clause with an address in it."""
    acts = clause.any("ship", "change")
    tells = clause.any("other") or (clause.any("move") and clause.any("i"))
    if acts or (tells and (clause.asking or "instead" in clause.line)):
        return ""
    return "moved" if tells else None


def _to_named(clause: Clause) -> str | None:
    """The same for a clause that speaks of an address without giving one."""
    other = clause.any("other")
    known = "same" if clause.any("same") and not other else ""
    if clause.says(_SEND_TO) and clause.any("address", "place"):
        return "" if other else "same"
    if clause.says(_ROUTE):
        return known
    if clause.says(_THERE) or (known and clause.any("address") and not clause.asks and clause.length < 10):
        return "same"
    if clause.all("move", "i") and not clause.any("order") and clause.length < 9:
        return "" if clause.any("change", "ship") else "moved"
    wrong = clause.any("wrong") and not clause.any("told")
    wanted = other and clause.any("want", "please", "can", "ship")
    return known if clause.any("address") and (clause.any("change") or wrong or wanted) else None


def cancel(clause: Clause) -> str | None:
    """Whether it asks to cancel an order."""
    if clause.says(_CALL_OFF):
        return ""
    return "" if clause.any("cancel") and not clause.says(WANTS_NOT) and not clause.any("policy") else None
