"""What makes an answer no longer count: a correction, a failure, another thing, or the user's own wish to be asked."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.questions.types import Reason

_RETRIES: Final = re.compile(
    r"\b(?:another|different(?:ly)?|other|else(?:where)?|instead|alternative(?:ly|s)?|reconsider|unfortunately|unavailable|unable|not (?:available|possible|able|valid)|no (?:longer|results?|matches|match|availability|such|listings?|openings?)|"
    r"(?:ca|could|do|did|does|is|are|was|were|wo)(?: ?n['’]?t|not| not)\b|booked (?:up|out)|fully booked|sold out|invalid|incorrect|wrong|mis(?:heard|understood|typed)|(?:didn['’]?t|did not) (?:catch|get|understand)|fail(?:ed|s)?|error|"
    r"can ?not|there (?:are|is|were) (?:none|no)|none (?:available|that|of)|there isn|something (?:a (?:little|bit) )?(?:later|earlier|cheaper|closer|bigger|smaller)|confused|still (?:like|want|need)|afraid|apolog\w+|sorry|shorter|try again|repeat|once more|clarify|confirm)\b",
    re.IGNORECASE,
)
"""What a reply says where an answer did not serve."""

_FAILED: Final = re.compile(
    r"\b(?:unfortunately|unavailable|not available|(?:not|un)[ -]?able|(?:could|can|ca|do|does|did|is|are|was)(?: ?n['’]?t|not| not)(?: \w+){0,4} (?:available|find|found|have|any|accommodate|accomodate|book|work|possible|make|authenticate|locate)|"
    r"no (?:results?|matches|match|availability|such|listings?|openings?|\w+ (?:that|which|matching|available|in that))|booked (?:up|out)|fully booked|sold out|invalid|not valid|cannot|there (?:are|is|were) (?:none|no)|none (?:available|that|of)|"
    r"try (?:a |an )?(?:different|another|other)|fail(?:ed|s)?)\b",
    re.IGNORECASE,
)
_CORRECTS: Final = re.compile(
    r"\b(?:actually|instead|chang\w+|different|another|cancel\w*|scratch (?:that|it)|strike that|never ?mind|forget (?:it|that|about)|switch|wrong|correction|mistake|mistaken|mis(?:spoke|poke|typed)|(?:i|we) meant|i mean|reschedul\w+|on second thought|no longer|not anymore|"
    r"alternative\w*|modify|update|(?:wo|do|does|ca|is|are)(?:n['’]?t| ?n['’]t| not|not) (?:going to |gonna )?(?:work|do|make it|be (?:here|there|able|available|around))|sick of|out of town|(?:will|going to) be (?:away|out|gone|busy))\b",
    re.IGNORECASE,
)
"""What a user says to change an answer, whatever was asked last."""

_VARIES: Final = re.compile(
    r"\b(?:rather|let['’]?s (?:try|do|go|make)|how about|what about|what if|(?:can|could) (?:we|you|i) (?:try|make|do)|make (?:it|that)|other|else)\b|^\W*(?:wait|no|sorry|oops|hmm)\b",
    re.IGNORECASE,
)
"""What changes an answer where nothing else was asked; else it may answer that."""

_OTHER: Final = re.compile(
    r"\b(?:(?:also|too|as well|next|now|then|second|more|additionally|besides|by the way|in addition|plus|one more|another)\b.{0,60}\b(?:need|want|like|looking|book|find|help|get|have|schedule|make|set|check|reserve|plan|interested|search|tell)|"
    r"(?:need|want|like|looking|book|find|help|get|schedule|make|check|reserve|interested|search)\b.{0,60}\b(?:also|too|as well|next|second|another|one more|more)|for (?:my|the) (?:\w+ )?(?:daughter|son|wife|husband|friend|partner|mother|father|mom|dad|boss|colleague|brother|sister|other)|"
    r"(?:second|return|other|next|new) (?:one|trip|booking|flight|train|taxi|hotel|reservation|appointment|order|leg|ride|table|room|meeting|party|restaurant)|(?:what|how) (?:about|will|is|are|would)\b.{0,40}\b(?:in|for|to|from|on)\b)\b",
    re.IGNORECASE,
)
_ASKS_FOR_IT: Final = re.compile(
    r"\b(?:ask (?:me )?(?:again|that again|the question)|(?:repeat|rephrase|say) (?:the question|that|your question|it)(?: again)?|what (?:was|is|were) (?:the|your|that) questions?|what (?:did|do) you (?:ask|need|want)(?: to know| from me)?|"
    r"(?:come|go) back to (?:that|your|the) question|start (?:over|again|from scratch)|what (?:else )?(?:info|information|details?) do you need|pardon|come again)\b",
    re.IGNORECASE,
)


def retries(reply: str) -> bool:
    """Whether a reply says that what was answered did not serve."""
    return _RETRIES.search(reply) is not None


_REFUSED: Final = re.compile(
    r"\b(?:(?:not|n['’]t|unable to|cannot) (?:\w+ )?(?:authenticate|verify|match|identify|find your)|incorrect|invalid|does(?: not|n['’]t) match)\b",
    re.IGNORECASE,
)
"""What a reply says where a lasting answer was not accepted."""

_DONE: Final = re.compile(
    r"\b(?:success\w*|confirmed|(?:is|are|been|have|has|was|were|got|all) (?:\w+ )?(?:booked|reserved|scheduled|submitted|done|set|made|sent|ordered|purchased|completed)|reference(?: number|s are| ?[:#])|booking id|(?:i|we) (?:just )?(?:booked|reserved|scheduled|submitted|ordered)|confirmation number|have booked|(?:i|we)(?:['’]ve| have) (?:\w+ )?(?:booked|reserved|scheduled|submitted|made|sent|ordered|purchased))\b",
    re.IGNORECASE,
)
"""What a reply says where something was finished; what is asked after that is for the next one."""

_RESUMES: Final = re.compile(
    r"\b(?:finish|back to|continue with|resume|where were we|as i (?:said|told)|i (?:already|just) (?:told|said|gave|answered|did)|already (?:told|said|gave|answered))\b",
    re.IGNORECASE,
)


def resumes(message: str) -> bool:
    """Whether a message goes back to what was left, so that what was said for it stands."""
    return _RESUMES.search(message) is not None


def after_reply(text: str, *, lasting: bool) -> Reason | None:
    """What an assistant's words do to an answer that was given before.

    Args:
        text: a later reply.
        lasting: whether the answer holds whichever thing is talked of.
    """
    if lasting:
        return Reason.INVALID if _REFUSED.search(text) else None
    if _FAILED.search(text):
        return Reason.INVALID
    return Reason.OTHER_ENTITY if _DONE.search(text) else None


def after_message(text: str, *, lasting: bool) -> Reason | None:
    """What a user's words do to an answer that was given before.

    Args:
        text: a later message.
        lasting: whether the answer holds whichever thing is talked of; then only a wish to be asked counts.
    """
    if _ASKS_FOR_IT.search(text):
        return Reason.USER_ASKED
    if lasting:
        return None
    if corrects(text):
        return Reason.CHANGED
    return Reason.OTHER_ENTITY if _OTHER.search(text) else None


def corrects(text: str) -> bool:
    """Whether a message changes something, whatever was asked last."""
    return _CORRECTS.search(text) is not None


def varies(text: str) -> bool:
    """Whether a message changes something, where nothing else was asked that it may answer."""
    return _VARIES.search(text) is not None


def failed(reply: str) -> bool:
    """Whether a reply says that what was asked for cannot be had."""
    return _FAILED.search(reply) is not None


def done(reply: str) -> bool:
    """Whether a reply says that something is finished."""
    return _DONE.search(reply) is not None


def another(message: str) -> bool:
    """Whether a message turns to one more thing."""
    return _OTHER.search(message) is not None


def asks_for_it(message: str) -> bool:
    """Whether a message asks to be asked."""
    return _ASKS_FOR_IT.search(message) is not None
