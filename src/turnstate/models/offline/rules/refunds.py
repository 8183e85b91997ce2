"""Refunds and returns: what went wrong, what is asked for, and questions about the rules."""

from __future__ import annotations

from typing import Final

from turnstate.models.offline.clauses import Clause, either

WANTS_NOT: Final = either(
    r"\b(?:do|does|did|would|will|should|am|is) not (?:\w+ ){0,2}?(?:want|need|like|change|refund|cancel|return|asking|looking)\b"
)
"""The clause says what is not wanted."""

ASKED_FOR_RULES: Final = either(
    r"\b(?:policy|policies)\b",
    r"\bhow (?:do|does|can|would|could|should) (?:i|we|one|it|you|your|the)?\s?(?:\w+ )?(?:returns?|refunds?|exchanges?|exchange|return|refund|work)\b",
    r"\b(?:what|how|when) (?:are|is) (?:your|the) (?:return|refund|exchange|shipping|delivery)",
    r"\bif i\b",
    r"\bwhat if\b",
    r"\bin general\b",
)
"""The clause asks how things are done, not that they be done."""

_NOT_WORKING: Final = either(
    r"\b(?:not|never|stopped|stops|barely|hardly|no longer) (?:\w+ )?(?:work|works|working|turn|charge|function|start|switch|fit|close|light)\w*\b"
)
_WRONG_GOODS: Final = either(
    r"\b(?:wrong|incorrect|mistaken|different) \w+",
    r"\bnot what i (?:ordered|bought|wanted)\b",
)
_NOT_MINE: Final = either(
    r"\bnot (?:the|what|a|an|as|like) .{0,25}\bi (?:chose|ordered|wanted|asked for|bought|expected|picked|selected)\b",
    r"\b(?:got|received|sent|delivered|came)\b.{0,40}\b(?:but|instead of|although)\b.{0,20}\b(?:ordered|wanted|asked|bought|chose|paid)\b",
    r"\b(?:ordered|wanted|asked for|bought|chose)\b.{0,40}\b(?:but|and)\b.{0,20}\b(?:got|received|was sent|came|arrived|you sent)\b",
    r"\bnot what i (?:ordered|bought|wanted)\b",
    r"\b(?:got|received|sent me|inside|contained) (?:\w+ ){0,3}?(?:something else|somebody else|someone else)\b",
)
_PART_MISSING: Final = either(
    r"\bmissing (?:from|in|a|an|the|one|two|three|some|part|parts|piece|pieces|item|items)\b",
    r"\b(?:is|was|are|were) missing (?:from|in)\b",
    r"\bnot in the (?:box|package|parcel)\b",
    r"\b(?:in|to) (?:a thousand |a million |many |several |tiny |two |three )?(?:pieces|bits|shards)\b",
)
_GOT: Final = either(
    r"\b(?:got|received|receive|sent|arrived|came|come|delivered|is|was|are|were|box|inside|instead|has|have|package|one)\b"
)
_REPLACE: Final = either(
    r"\b(?:replacement|replacements|replace|replaced|replacing|exchange|exchanged|swap|new one|another one)\b"
)
_SEND_BACK: Final = either(r"\b(?:send|ship|give|bring|take|hand|sending|giving|sent)\b.{0,25}\bback\b")
_RETURN_RULES: Final = either(
    r"\b(?:can|could|may|am|are|is|do) (?:i|we|customers|it|it be|this|that|one|items?|returns?)\b.{0,40}\b(?:returns?|returned|exchange|back|refundable|returnable)\b",
    r"\b(?:can|could|may|are|must) .{0,25}\bbe (?:returned|exchanged|refunded|sent back)\b",
    r"\bdo you (?:accept|take|offer|allow|do|have|give)\b.{0,30}\b(?:returns?|refunds?|exchanges?|back)\b",
    r"\b(?:how (?:long|many days|many weeks|late)|until when|who pays)\b",
    r"\breturns? (?:policy|window|period|process|label|rules|free|cost|costs|shipping)\b",
    r"\bfree returns?\b",
    r"\brefund (?:policy|rules|process)\b",
)
_WANT_RETURN: Final = either(
    r"\b(?:i (?:would like|want|need|wish)|i am going) to\b", r"\bplease\b", r"\bi would like it\b"
)
_REFUND_NEWS: Final = either(
    r"\b(?:answer|reply|word|response|news|update) (?:about|on|regarding|for|concerning) (?:my|the|that) (?:refund|money|reimbursement)\b",
    r"\bwhat (?:happened|is happening|about|is) (?:to |with |up with )?(?:my |the |that )?(?:refund|money|reimbursement)\b",
    r"\b(?:where|when|status|track|any|has|have|did|was|is|how long|still|yet|news)\b.{0,40}\b(?:refund|refunded|money back|reimbursement|my money)\b",
    r"\b(?:refund|money)\b.{0,30}\b(?:yet|arrived?|come|gone|processed|through|status|take|credited|paid|sent)\b",
)
_WHAT_IF: Final = either(
    r"\bwhat if\b.{0,40}\b(?:fit|fits|like|broken|damaged|wrong|work|works|suit|suits|late|faulty)\b"
)
_HOW_SOON: Final = either(
    r"\b(?:how (?:long|soon|many days|fast|quickly)|when)\b.{0,40}\b(?:refund|refunds|refunded|money|reimbursement)\b",
    r"\b(?:refund|refunds|money|reimbursement)\b.{0,40}\b(?:how (?:long|soon|many days|fast|quickly)|when)\b",
)
HAD_REFUND: Final = either(
    r"\balready (?:got|received|had|have|been)\b.{0,20}\b(?:refund|refunded|money|replacement)\b",
    r"\b(?:i|we) (?:got|received) (?:a|the|my|that) (?:refund|replacement)\b",
    r"\b(?:was|were|been) (?:already )?refunded\b",
)
"""The clause tells of a refund that was made."""

_PLEA: Final = either(
    r"\b(?:want|need|would like|please|give me|demand|request|can you|could you|will you|issue|entitled)\b",
    r"\b(?:can|could|may) i (?:get|have|ask|still)\b",
)


def problem(clause: Clause) -> bool:
    """Whether the clause tells of goods that are broken, wrong or incomplete."""
    if clause.any("warranty", "policy", "change") or clause.says(ASKED_FOR_RULES):
        return False
    gone = clause.line.endswith("missing") and not clause.any("order", "§order") and clause.length > 3
    if gone or clause.says(_PART_MISSING) or clause.says(_NOT_WORKING) or clause.says(_NOT_MINE):
        return True
    if clause.any("broken"):
        return not clause.line.startswith(("what", "do you", "which"))
    misdirected = clause.any("address", "number", "phone", "email", "§address", "§order")
    return clause.any("wrong") and not misdirected and clause.says(_WRONG_GOODS) and clause.says(_GOT)


def refund_news(clause: Clause) -> str | None:
    """Whether it asks what became of a refund."""
    if clause.says(_HOW_SOON):
        return None
    news = clause.any("refund", "money") and clause.says(_REFUND_NEWS)
    return "refund" if news and not clause.says(_PLEA) and not clause.says(ASKED_FOR_RULES) else None


def return_rules(clause: Clause) -> str | None:
    """Whether it asks about the rules of "returns", or how soon "refunds" are paid."""
    if clause.says(_HOW_SOON) and not clause.says(_PLEA):
        return "refunds"
    if clause.says(_WHAT_IF):
        return "returns"
    if problem(clause) or not (clause.any("refund", "return") or clause.says(_SEND_BACK)):
        return None
    if clause.any("policy") or clause.says(ASKED_FOR_RULES):
        return "returns"
    return "returns" if clause.says(_RETURN_RULES) and not clause.says(_WANT_RETURN) else None


def refund(clause: Clause) -> str | None:
    """Whether it asks for a refund, or tells of something that calls for one; "replacement" if that is what is wanted."""
    replaces = clause.says(_REPLACE) and not clause.any("address", "§address")
    if clause.says(HAD_REFUND) or (clause.says(WANTS_NOT) and not replaces):
        return None
    if replaces and (clause.any("want", "can", "please") or problem(clause)):
        return "replacement"
    if clause.any("refund") or clause.all("money", "back") or problem(clause):
        return ""
    if clause.any("return") or clause.says(_SEND_BACK):
        return (
            "" if clause.any("want", "please", "can", "goods", "order", "§order") and clause.asking else None
        )
    return None
