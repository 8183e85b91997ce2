"""Whether what a user says answers a question: by the kind of thing that was asked for, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from turnstate.core.facts import affirms, sentences
from turnstate.core.facts.text import word_set
from turnstate.core.questions.kinds import EMPTY_REPLY, EXACT, HOLDS, Part, asks_back, offers, says_no
from turnstate.core.questions.profile import Profile, profile

LONGEST: Final = 2_000
"""Characters of a message that are looked at, its first ones."""


class Answered(StrEnum):
    """Whether a message answers: by a thing of the kind asked for, not at all, by not knowing, or cannot tell."""

    YES = "yes"
    NO = "no"
    DECLINED = "declined"
    UNCLEAR = "unclear"


class Reading(NamedTuple):
    """How a message answers a question, and the words that do."""

    answered: Answered
    quote: str = ""


_DECLINES: Final = re.compile(
    r"\b(?:(?:do|did|does|can|could|wo|would|ca)(?: ?n['’]?t|not| not) (?:really |quite |exactly |even |actually |currently )?(?:know|remember|recall|have (?:it|that|one|my|the|a|any)|think of|want to (?:say|tell|share|give)|find|tell you|say|decide)"
    r"|dunno|no (?:idea|clue)|(?:i['’]?m |am |i am )?(?:not|un)[ -]?(?:really |entirely |quite |100% )?(?:sure|certain|decided)|forg[oe]t(?:ten)?|rather not|prefer not to|none of your|not (?:comfortable|going to (?:tell|say|give))|haven['’]?t decided"
    r"|hard to say|depends|have no (?:idea|clue)|not yet|get back to you|(?:let|have) (?:me|to) (?:check|think|look|find)|don['’]t have (?:a|an|any|my) (?:account|idea))\b",
    re.IGNORECASE,
)
_CARELESS: Final = re.compile(
    r"\b(?:any(?: \w+){0,3} (?:is|are|will|would) (?:fine|ok|okay|good|do|be|work)|no (?:real |particular |specific |special |big )?(?:preference|preferences|requirement|requirements)|not? (?:a |really |that )?(?:particular(?:ly)?|picky|fussed|bothered)"
    r"|(?:do|does)(?: ?n['’]?t| not) (?:really |much |actually )?(?:matter|care|mind)|(?:have|has|got)(?: ?n['’]?t| no| not)(?: really)?(?: have| got)?(?: an?| any)? ?(?:particular |specific |real )?(?:preference|preferences|particular|specific)\b|n['’]?t (?:really )?have (?:an?|any) (?:\w+ )?(?:preference|preferences|particular|specific)\b"
    r"|either(?: is| one| way| works)|surprise me|your choice|you (?:choose|pick|decide)|no limit|all the same)\b",
    re.IGNORECASE,
)
_EITHER_WAY: Final = re.compile(
    r"\W*(?:(?:i['’]?m|it['’]?s|i am|it is|well|oh|um|no|yes|yeah|really|pretty|just|sorry)\b[\s,.]*){0,4}(?:any(?:thing|where|time|one| of them| day| time)?|either|whatever|whichever|whenever|up to you|flexible|open(?: to \w+)?|not really|nope?|nah|none|nothing)\b",
    re.IGNORECASE,
)
"""An answer that leaves it open, at the beginning of a reply."""
_ENDS: Final = {
    "start": re.compile(
        r"\b(?:from|leav\w*|depart\w*|out of|start\w*|begin\w*|i(?:['’]m| am) (?:at|in|on|near|currently|here)|currently|pick(?:ed|ing)?|check(?:ing)?[ -]?in)\b",
        re.IGNORECASE,
    ),
    "finish": re.compile(
        r"\b(?:to(?! (?:leave|depart|start|begin|be picked))|arriv\w*|(?:get|be) (?:there|in)|head\w*|destination|return\w*|end\w*|finish\w*|until|till|drop\w*|check(?:ing)?[ -]?out|by \d)\b",
        re.IGNORECASE,
    ),
}
"""The words by which an answer is of one end of a trip or a stay."""
_RETRACTS: Final = re.compile(
    r"\b(?:wait|was (?:going|gonna|hoping|planning) to|scratch|never ?mind|forget (?:it|that)|on second thought|(?:wo|ca)n['’]?t (?:work|do|make))\b",
    re.IGNORECASE,
)
"""What takes an answer back in the message that gives it."""
_MOST_WORDS: Final = 5


def reading(question: str, message: str, *, asked: Profile | None = None, next_to: bool = True) -> Reading:
    """How a message answers a question.

    Args:
        question: the question as it was put.
        message: what the user said after it.
        asked: what is asked, where a key declares it; else it is read from the question.
        next_to: whether the message is the reply to the question; a later one has to name what it answers.
    """
    message = message[:LONGEST].strip()
    about = asked or profile(question)
    parts = _parts(message)
    if not next_to:
        return _later(parts, about)
    if EMPTY_REPLY.match(message) or not re.search(r"\w", message):
        return Reading(Answered.YES, message) if about.yes_no and affirms(message) else Reading(Answered.NO)
    found = (_of_part(part, about, first=part is parts[0]) for part in parts)
    read = next((read for read in found if read), None) or _otherwise(message, parts, about)
    if read.answered is Answered.YES and _RETRACTS.search(message, message.find(read.quote)):
        return Reading(Answered.UNCLEAR)
    return read


@lru_cache(maxsize=1024)
def _parts(message: str) -> tuple[str, ...]:
    """The sentences of a message."""
    return tuple(message[slice(*span)] for span in sentences(message))


def _of_part(part: str, about: Profile, *, first: bool) -> Reading | None:
    """How one sentence of a reply answers; None where it does not."""
    if _leaves_open(part, about, first=first):
        return Reading(Answered.YES, part)
    clauses = [clause for clause in _CLAUSE.split(part) if not _DECLINES.search(clause)]
    said = part if not _DECLINES.search(part) else ", ".join(clauses)
    exact = said is part or about.wanted & EXACT
    if exact and _fits(said, about, alone=first and len(part.split()) <= _MOST_WORDS):
        return Reading(Answered.YES, part)
    return None if said is part else Reading(Answered.DECLINED, part)


def _leaves_open(part: str, about: Profile, *, first: bool) -> bool:
    """Whether a sentence leaves the answer to the assistant, and not that of another question alone."""
    if first and _EITHER_WAY.match(part) and not _CARELESS.search(part):
        return True
    open_ended = [profile(clause).wanted for clause in _CLAUSE.split(part) if _CARELESS.search(clause)]
    return any(not (spoken and about.wanted) or spoken & about.wanted for spoken in open_ended)


def _otherwise(message: str, parts: Sequence[str], about: Profile) -> Reading:
    """A reply that holds nothing of the kind asked for."""
    if (
        all(map(asks_back, parts))
        or about.wanted & HOLDS.keys()
        or (about.things and not about.wanted and not about.yes_no)
    ):
        return Reading(Answered.NO)
    if len(message.split()) <= _MOST_WORDS:
        return Reading(Answered.YES, message)
    return Reading(Answered.UNCLEAR)


def _later(parts: Sequence[str], about: Profile) -> Reading:
    """Whether a message answers a question that was not the last one put: it names the thing, and says it."""
    for part in parts:
        told = profile(part)
        named = (about.things | about.words) & told.meaning or about.wanted & told.wanted & NOUNS
        if about.wanted & {"name", "who"} and not about.things:
            found = _MY_NAME.search(part) is not None
        else:
            found = bool(named) and not asks_back(part) and _fits(part, about, alone=False)
        if found and not _DECLINES.search(part):
            return Reading(Answered.YES, part)
    return Reading(Answered.NO)


NOUNS: Final = word_set(
    "id code email phone birthdate price amount address postcode timeline industry authority rating role company"
)
"""What an answer may name itself by, where the question is about no thing."""
_MY_NAME: Final = re.compile(
    r"\b(?:my (?:full |first |last )?name(?: is|['’]s)|(?:this is|i['’]m|i am) [A-Z][a-z]+(?: [A-Z][a-z]+)?[.!,]?(?:\s|$)(?!to\b))"
)


_CLAUSE: Final = re.compile(r"(?<!\s)\s*(?:[,;]|\b(?:and|but|then|while)\b)\s*", re.IGNORECASE)


def _fits(part: str, about: Profile, *, alone: bool) -> bool:
    """Whether a sentence holds something of the kind that is asked for, in a clause of the same end where it has ends."""
    if _other_end(part, about):
        return False
    if len(about.ways) == 1:
        return any(_clause_fits(clause, about, alone=alone) for clause in _CLAUSE.split(part) if clause)
    return _clause_fits(part, about, alone=alone)


def _clause_fits(part: str, about: Profile, *, alone: bool) -> bool:
    told = about.wanted & HOLDS.keys()
    if not told and (about.yes_no or not about.wanted):
        return _yes_or_no(part, about)
    if about.yes_no and says_no(part):
        return True
    if _other_end(part, about):
        return False
    asks = asks_back(part)
    looked_at = Part(part, alone, own=not about.things and "name" in about.wanted)
    return any(HOLDS[kind](looked_at) for kind in told if not asks or (kind in EXACT and offers(part)))


def _yes_or_no(part: str, about: Profile) -> bool:
    mentioned = (about.things | about.words) & profile(part).meaning
    said = about.yes_no and _YES_OR_NO.match(part) is not None
    return said or (bool(mentioned) and not asks_back(part))


_YES_OR_NO: Final = re.compile(
    r"\W*(?:(?:oh|well|um|so|hmm)\b[\s,]*)?(?:yes|yeah|yep|yup|sure|no|nope|nah|not|please|i (?:do|don['’]t|would(?! (?:like|prefer|love|also))|have(?! to)|haven['’]t)|"
    r"definitely|absolutely|of course|that['’]?s? (?:would|will|is|fine|works))\b",
    re.IGNORECASE,
)


def _other_end(part: str, about: Profile) -> bool:
    """Whether a sentence speaks of the other end than is asked for, and of that alone."""
    if len(about.ways) != 1:
        return False
    mine = "start" if about.ways <= {"start", "leave"} else "finish"
    other = "finish" if mine == "start" else "start"
    return _ENDS[other].search(part) is not None and _ENDS[mine].search(part) is None
