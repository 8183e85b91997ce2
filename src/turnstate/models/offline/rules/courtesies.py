"""What is said to be polite, to agree or decline, to complain, or to ask for somebody else."""

from __future__ import annotations

from typing import Final

from turnstate.models.offline.clauses import Clause, either
from turnstate.models.offline.families import vocabulary

_ABILITY: Final = either(
    r"\bwhat (?:else )?(?:can|could|do) you (?:do|help|offer)\b",
    r"\bhow (?:can|could) you help\b",
    r"\b(?:what|who) are you\b",
    r"\bwho am i (?:talking|speaking|chatting)\b",
    r"\bare you (?:a |an )?(?:real|human|bot|robot|person|machine|ai|computer|chatbot)\b",
    r"\b(?:is this|am i talking to|am i speaking to|am i chatting with) (?:a |an )?(?:bot|robot|human|real|person|machine|ai|chatbot)\b",
    r"\bwhat is your name\b",
    r"\bcan you help(?: me)?$",
    r"\bi need (?:some |your )?help$",
    r"^help(?: me)?(?: please)?$",
)
_WHO: Final = r"(?:human|person|agent|manager|supervisor|representative|rep|someone|somebody|operator|colleague|employee)"
_HUMAN: Final = either(
    rf"\b(?:speak|talk|chat|connect|transfer|escalate|put|pass|hand)\b.{{0,30}}\b{_WHO}\b",
    r"\b(?:real|actual|live|human) (?:person|human|agent|being|representative)\b",
    rf"\b(?:get|give|want|need|find) (?:me )?(?:a |an |your |the |some)?{_WHO}\b",
    r"\b(?:can|could|may|let|please)\b.{0,20}\b(?:human|supervisor|manager|representative|operator)\b",
)
_YES: Final = either(
    r"^(?:(?:oh|well|um|uh|hmm|and|ok|okay|that|is|great|perfect) )*(?:yes|yeah|yep|yup|yea|ya|sure|ok|okay|okey|k|correct|right|confirm|confirmed|"
    r"absolutely|definitely|exactly|affirmative|agreed|certainly|indeed|please do|please go|go ahead|do it|do that|go for it|of course|sounds good|"
    r"sounds right|that is right|that is correct|that is fine|that works|perfect|great|fine|proceed|i do|i confirm|i agree|make it so|"
    r"that would be (?:great|good|fine|lovely|perfect)|please proceed|all good|good idea)\b(?! not\b)"
)
_WEAK_YES: Final = vocabulary(
    "oh well ok okay okey k fine great perfect right good all sure thanks that is works"
)
_NO: Final = either(
    r"^(?:(?:oh|well|um|uh|hmm|actually|sorry|ok|okay) )*(?:no|nope|nah|nay|never mind|nevermind|do not|not now|not yet|not really|i do not think so|rather not|wait|stop|hold on|hold off|"
    r"leave it|forget it|forget that|that is wrong|that is not|wrong|incorrect|negative|cancel that|i changed my mind|i would rather not|not needed|"
    r"please do not)\b"
)
_THANKS: Final = either(r"\b(?:thanks|thank|cheers|appreciate|appreciated|grateful|merci|danke)\b")
_BYE: Final = either(
    r"\b(?:bye|goodbye|good bye|farewell|ciao|cya|see you|see ya|good night|talk (?:to you )?later|take care|have a (?:nice|good|great|lovely)|"
    r"that is all|that is it|that was all|nothing else|no more questions|all for now|until next time)\b"
)
_HELLO: Final = either(
    r"^(?:(?:oh|well|and) )*(?:hi|hello|hey|hiya|heya|yo|howdy|hallo|greetings|good (?:morning|afternoon|evening|day)|it is me|i am back|me again)\b"
)
_SMALL_TALK: Final = either(
    r"\b(?:how are you|how is it going|how do you do|nice weather|what is up|tell me a joke|weather|weekend plans|how was your)\b"
)
_TROUBLE: Final = either(
    r"\b(?:problem|problems|issue|issues|trouble|something wrong|something is wrong|mistake) (?:with|regarding|concerning|about) (?:my|the|an?|this|that|it|order|§order)\b",
    r"\bi have (?:a|an|some) (?:\w+ )?(?:problem|issue|complaint|trouble)\b",
)
_WAITED: Final = either(
    r"\b(?:what a|is a|such a) joke\b",
    r"\b(?:bad|lousy|poor|worst|slow) (?:service|experience|company|shop|support)\b",
    r"\bthe (?:\w+ )?worst\b",
    r"\bnever (?:\w+ )?again\b",
)


def ability(clause: Clause) -> str | None:
    """Whether it asks who answers here, or what can be done."""
    return "" if clause.says(_ABILITY) else None


def human(clause: Clause) -> str | None:
    """Whether it asks for a person."""
    return "" if clause.says(_HUMAN) and not clause.says(_ABILITY) else None


def agrees(clause: Clause) -> str | None:
    """Whether it says yes, in a few words; "weak" if the words also open a new thought ("fine", "great")."""
    if clause.length > 8 or not clause.says(_YES):
        return None
    return "weak" if _WEAK_YES.issuperset(clause.line.split()) else ""


def declines(clause: Clause) -> str | None:
    """Whether it says no."""
    return "" if clause.says(_NO) else None


def only_declines(clause: Clause) -> str | None:
    """Whether it says no, and nothing else."""
    return "" if clause.length <= 3 and not clause.values and clause.says(_NO) else None


def thanks(clause: Clause) -> str | None:
    """Whether it thanks."""
    return "" if clause.says(_THANKS) else None


def goodbye(clause: Clause) -> str | None:
    """Whether it takes leave."""
    return "" if clause.says(_BYE) else None


def greeting(clause: Clause) -> str | None:
    """Whether it greets."""
    return "" if clause.says(_HELLO) else None


def complaint(clause: Clause) -> str | None:
    """Whether it vents; "vague" if it only says that there is a problem."""
    if clause.says(_TROUBLE):
        return "vague"
    return "" if clause.any("upset") or clause.says(_WAITED) else None


def informs(clause: Clause) -> str | None:
    """The kind of the first value that it states."""
    stated = [value.kind for value in clause.values if value.kind != "other" and not value.refused]
    return stated[0] if stated else None


def unknown(clause: Clause) -> str:
    """What nothing else took: "talk", "question", or ""."""
    if clause.says(_SMALL_TALK):
        return "talk"
    return "question" if clause.asks else ""
