"""Hearing one message: every reader in turn, and no span of it read twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from turnstate.apps.sales.hearing import manners
from turnstate.apps.sales.hearing.authority import authority
from turnstate.apps.sales.hearing.budget import budget
from turnstate.apps.sales.hearing.company import company
from turnstate.apps.sales.hearing.need import need, pains
from turnstate.apps.sales.hearing.objections import objections
from turnstate.apps.sales.hearing.policy import Policy
from turnstate.apps.sales.hearing.timeline import timeline
from turnstate.apps.sales.hearing.topics import SALE, back, promises, topics
from turnstate.apps.sales.hearing.words import Expected, Found, Words, spoken, words_of
from turnstate.apps.sales.states import DIMENSIONS, Heard, Mention

_ABOUT_THE_BUYER: Final = frozenset((*DIMENSIONS, "industry", "pain", "objection"))

_ECHOES: Final = {
    name: spoken(rf"\W*(?:(?:the|our|your|my|as for|and|ok|re)\W+){{0,2}}(?:{pattern})\s*(?:[?:=]|\s[–-]\s)")
    for name, pattern in {
        "budget": r"budget|money|spend|price range",
        "timeline": r"timeline|time ?frame|timing|deadline|go-?live(?: date)?|when|by when|start(?: date)?|schedule",
        "authority": r"authority|decision(?:[- ]?makers?)?|who (?:decides|signs(?: off)?|approves)|sign-?off|decider|approver|approval",
        "fit": r"industry|sector|company|team size|company size|size|business|employees|headcount|who (?:are we|we are)",
        "need": r"needs?|pains?|pain points?|problems?|challenges?",
    }.items()
}
"""How a buyer repeats what was asked before answering it."""


def hear(
    text: str, *, expecting: Sequence[str] = (), language: str = "en", policy: Policy | None = None
) -> Heard:
    """What one message of a buyer says and does.

    A dimension is mentioned at most once, and no words count for two dimensions; of what a message says twice, the
    correction counts, or else the surest. `industry` and `pain` are the words behind `fit` and `need` and may share
    theirs. A topic is one word of ours, in `said`; everything else in `said` and every quote stands in the message.

    Args:
        text: the message.
        expecting: the dimensions that the last reply asked for, best first: a bare answer is read as one to them.
        language: of the message, as an ISO 639-1 code. English is read whole, other languages for their values.
        policy: what is compared with; the defaults if None.
    """
    del language  # the patterns of other languages cannot be mistaken for English
    words, rules = words_of(text), policy or Policy()
    found = [*_dimensions(words, _expected(words, expecting), rules), *_memory(words)]
    mentions = tuple(_mention(text, one) for one in found if _sound(text[slice(*one.quote)]))
    kinds = {mention.kind for mention in mentions}
    asks = manners.asks(text, words)
    declines = manners.declines(words)
    aside = manners.turns_aside(words)
    subjects = {mention.said for mention in mentions if mention.kind == "topic"}
    declined = declines or manners.loses_interest(words)
    outside = (asks and not subjects & SALE) or (aside and bool(asks or subjects - SALE))
    return Heard(
        mentions=mentions,
        asks=asks,
        thanks=manners.thanks(words),
        declines=declines,
        digresses=outside and not declined and not kinds & _ABOUT_THE_BUYER,
    )


def _expected(words: Words, expecting: Sequence[str]) -> Expected:
    """What was asked for, by the last reply or by the buyer's own echo of it: "Budget? Forty thousand."."""
    echoed = {
        name
        for name, pattern in _ECHOES.items()
        for sentence in words.sentences
        if pattern.match(words.text, sentence.start, sentence.end)
    }
    return Expected(frozenset((*expecting[:1], *echoed)), frozenset((*expecting, *echoed)))


def _dimensions(words: Words, expected: Expected, policy: Policy) -> list[Found]:
    """The five dimensions and the industry; the reader that was asked for comes first, where two want the same words."""
    found: list[Found] = []
    money, time = budget(words, expected, policy), timeline(words, expected, policy)
    who = authority(words, expected)
    for one in (money, time, who):
        if one is not None and not any(one.said.meets(other.said) for other in found):
            found.append(one)
    taken = [one.said for one in found]
    about = list(company(words, expected, policy, taken))
    found += about
    pain = need(words, expected, [*taken, *(one.said for one in about)])
    return [*found, pain] if pain is not None else found


def _memory(words: Words) -> list[Found]:
    """What is remembered besides the scores."""
    against = list(objections(words))
    doubted = [one.said for one in against]
    hurts = [one for one in pains(words) if not any(map(one.said.meets, doubted))]
    undertaken = list(promises(words))
    return [*hurts, *against, *undertaken, *back(words), *topics(words)]


def _mention(text: str, found: Found) -> Mention:
    """What was found, as the state has it."""
    said = found.label or " ".join(text[slice(*found.said)].split())
    return Mention(
        kind=found.kind,
        said=said,
        quote=text[slice(*found.quote)],
        value=found.value,
        corrects=found.corrects,
    )


def _sound(quote: str) -> bool:
    """Whether a quote can be written down: it is not empty, and no half of a character pair."""
    return bool(quote.strip()) and not any("\ud800" <= char <= "\udfff" for char in quote)
