"""Taking back: the words by which a buyer replaces what was said before, and what they replace."""

from __future__ import annotations

from typing import Final

from turnstate.apps.sales.hearing.words import Words, spoken
from turnstate.core.facts import Span

_CORRECTS: Final = spoken(
    r"\b(?:actually|scratch that|scrap (?:that|what|the)|strike that|forget (?:that|what|the|about)|ignore (?:that|what|the)|disregard|correction|"
    r"i meant?|i misspoke|i was wrong|my mistake|my bad|no,? wait|wait,|hold on|hang on|oops|whoops|sorry,|make (?:that|it)|let's (?:make|call) (?:it|that)|"
    r"instead|rather than|no longer|on second thoughts?|turns out|it turns out|changed|changes?|has moved|after all|more like|"
    r"up from|down from|(?:got|have|has|gave|given|were|was|been|just|finance|boss|board|cfo|ceo) (?:us |me )?(?:approved |signed off |given |granted |allocated |released )?more\b|approved more|(?:went|gone|risen|dropped|gone) (?:up|down|from|to)\b|now (?=[$€£]|\d)|has become|became|additional (?:funds|budget|money)|since been (?:granted|given|approved|raised)|upgraded?\b|(?:a bit|a little|some|got|get) more(?: money)?\b|grew from|risen to|rose to|grown to|more (?:money|budget|funds|time) (?:approved|now)|"
    r"(?:bumped|raised|increased|upped|extended|lifted|revised|cut|reduced|lowered|slashed|doubled|pushed|pulled|brought|bring|delayed|slipped|postponed|moved|updated?|adjusted|topped|stretched|shifted|shortened|grown)\b(?: (?:it|that|us|the \w+|our \w+))?(?: (?:up|down|back|out|forward|in))?(?: (?:to|by|from|now)\b)?|"
    r"(?:new|revised|updated|bigger|larger|smaller|higher|lower|latest) (?:budget|number|figure|deadline|date|timeline|amount|target)|"
    r"(?:i|we)(?:'d| had| have|'ve)? (?:said|told you|mentioned|wrote|quoted|gave you)\b(?=[^.;?!]{0,20}(?:earlier|before|previously|wrong|[$€£]|\d|forty|fifty|six|eight|weeks))|(?:correct|fix) (?:myself|that|this|my)|more realistic(?:ally)?|(?:gave|told|quoted) you\b|earlier|previously|used to|(?:is|are|it's|that's|we're|have|has|got|can|need|want|be|at) now(?! or\b)|now (?:it's|it is|we have|we've|we're|have|has|the|our|at)|"
    r"we now|i now|not (?:\S+ ){1,4}?but|not (?:\S+ ){1,3}?any ?more|as of (?:today|now|this week)|since then|news|edit:|update:)",
)
_NOW: Final = spoken(r"[^.;?!]{0,24}?(?<!right )(?<!by )(?<!for )(?<!from )\bnow\b(?! (?:or|and) )")
_NOT_THAT: Final = spoken(r"\s*,?\s(?:and )?not (?:the )?[$€£]?\w[\w,.]*")
_NOT_NOW: Final = spoken(
    r"\b(?:actually )?(?:not changed|hasn't changed|unchanged|still the same|as (?:i|we) (?:said|mentioned|told|wrote)|like (?:i|we) said|as mentioned)\b"
)
_TAKEN_BACK: Final = spoken(
    r"(?:\b(?:instead of|rather than|not|no longer|up from|down from|as opposed to|replacing|replaces|over|forget(?: about)?(?: the| that| what)?|scrap(?: the| that)?|scratch(?: the)?|ignore(?: the)?|drop(?: the)?|"
    r"was|were|used to be|had been|previously|originally|initially|earlier|before|beyond|on top of|compared (?:to|with)|versus|vs\.?|"
    r"(?:i|we)(?:'d)? (?:have |had |initially |originally |first )?(?:said|told you|mentioned|wrote|gave you|quoted|talked about|thought(?: it was)?)(?: it was| it's| we had| about| earlier)?)|n't)"
    r"\s+(?:(?:the|our|my|a|original|old|previous|first|initial|earlier|about|around|roughly|those|that|just|only|those|at|in|by|of|mere|measly)\s+){0,4}$",
)
_NOT_BACK: Final = spoken(
    r"\b(?:over|beyond|before|in)\s+(?:(?:the|our|a|about|around|just)\s+){0,3}$|\bnot (?:just|only)\s+$"
)
_FROM: Final = spoken(r"\bfrom\s+(?:(?:the|our|a|original|old|about|around|those)\s+){0,3}$")
_FROM_TO: Final = spoken(r"[^.;?!]{0,30}?\b(?:to|up to|into|->)\s")
_AFTERWARDS: Final = spoken(
    r"\s*(?:,\s*)?(?:(?:that )?(?:i|we) (?:said|told you|mentioned|gave you|quoted)(?: (?:earlier|before))?|is (?:wrong|off|out(?:dated)?|no longer)|was (?:wrong|a mistake|a typo|before|too|optimistic|over-?optimistic|the old|last|the original|my first)|"
    r"(?:isn't|is not|wasn't|was not) (?:right|correct|enough|going to)|(?:before|previously|originally|earlier)\s*(?:$|[.,;!)])|(?:is|are) off the table)",
)


def corrects(words: Words, span: Span) -> bool:
    """Whether the sentence around a value, or the one before, takes something back."""
    sentence = words.sentence_at(span.start)
    here = words.text[max(sentence.start, span.start - 200) : span.start] + " \ufffc " + words.tail(span)
    if _NOT_NOW.search(here):
        return False
    if _CORRECTS.search(here) or _NOW.match(words.tail(span)) or _NOT_THAT.match(words.tail(span)):
        return True
    before = words.before(span.start)
    return (
        before is not None
        and _CORRECTS.search(words.text[max(before.start, before.end - 120) : before.end]) is not None
    )


def taken_back(words: Words, span: Span) -> bool:
    """Whether a value stands there only to be replaced: "instead of 40", "from 40 to 55"."""
    lead, tail = words.lead(span), words.tail(span)
    if _TAKEN_BACK.search(lead[-90:]) and not _NOT_BACK.search(lead[-40:]):
        return True
    if _FROM.search(lead[-40:]) and _FROM_TO.match(tail):
        return True
    return _AFTERWARDS.match(tail) is not None
