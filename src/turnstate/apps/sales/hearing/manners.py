"""What a message does: asks, thanks, declines, leaves the matter."""

from __future__ import annotations

import re
from typing import Final

from turnstate.apps.sales.hearing.words import Sentence, Words, spoken
from turnstate.core.questions import QuestionKind, find_questions

_COURTESY: Final = spoken(
    r"\W*(?:(?:hi|hello|hey|so|and|ok|okay|well|great|thanks)\b[\s,!.]*)*(?:(?:how are (?:you|things)|how's it going|how do you do|what's up|(?:is (?:that|this) something (?:that )?you (?:can|could|guys can) (?:help|do|assist|solve|fix)(?: (?:us )?with)?|can (?:that|this|it) be (?:fixed|solved))|(?:can|could|would|will|do|does) (?:you|you guys|larkline|your (?:tool|product|software)) (?:help|assist|fix (?:that|this)|solve (?:that|this))(?: (?:us|me|here|with (?:that|this|it)))?(?: out)?|does (?:that|this|it) (?:make sense|help)|(?:make|makes) sense|is that (?:ok|okay|all right|alright|fine|clear)|you (?:there|know)|(?:are|is) (?:you|anyone|anybody) there|right|ok|okay|yes|no|really|sound good|deal|fair enough|anyone|hello|is this thing on|where (?:do|should|shall) (?:we|i) (?:start|begin)|shall we (?:start|begin)|can we (?:start|begin|talk)|who (?:knows|cares)|what can i say)\W*)$",
)
_TAG: Final = spoken(
    r",\s*(?:right|ok|okay|yes|no|yeah|you know|eh|huh|innit|correct|isn't it|don't you think|doesn't it)\s*\?+\s*$"
)
_REQUEST: Final = spoken(
    r"(?:^|[.!,;:\n]\s*|\b(?:please|so|and|but|then|also|first|just)\s+)(?:please |just |kindly )?(?:tell (?:me|us)|send (?:me|us|over|it|that|a|the|one)|show (?:me|us)|give (?:me|us)|explain|describe|share|let me know|let us know|walk (?:me|us) through|elaborate|clarify|remind (?:me|us)|shoot (?:me|us)|forward (?:me|us))\b"
    r"|\b(?:i|we)(?:'d| would|'m|'re| am| are)? (?:also |really |just |still |only |first |then )*(?:like|love|want|need|have|keen|curious|interested|wonder(?:ing)?|got)(?: (?:to|a|one|some|another|two|couple of|few|quick|more))* ?(?:know|hear|see|understand|learn|ask|find out|questions?|details|information|info|wonder(?:ing)?)\b|\bwondering (?:if|whether|how|what|about)\b|\bcurious (?:about|if|whether|how|what)\b|\b(?:my|one|a|another|quick|next|other) question\b",
)
_INVERTED: Final = spoken(
    r"\W*(?:(?:and|but|so|ok|okay|also|well|then|hi|hello|hey|great|thanks|by the way|btw|before (?:we|i) (?:go on|continue|start)|first|one more thing|quick question|just curious|sorry|right|yes|no|cool|alright)\b[\s,!.:;–—-]*){0,5}"
    r"(?:(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have)(?:n't)? (?:it|you|your|there|the|we|this|that|they|i|our|drivers|any\w*|data|\w+larkline|larkline)\b|(?:what|where|when|which|who|why)(?:'s| is| are| do| does| did| can| would| will| about| if| kind| sort| happens| was| were| else| \w+ (?:do|does|is|are|can|would|will|did))\b|how (?:much|many|long|do|does|did|is|are|can|would|will|about|secure|often|soon|fast|easy|hard|big|good|well|come)\b|any (?:chance|idea|discount|experience|case stud\w+|references?|way|plans?)\b)",
)
_THANKS: Final = spoken(
    r"\b(?:thanks|thx|thank you|thank u|ty|tysm|cheers|much appreciated|appreciate(?:d)?|grateful|ta\b|danke?|gracias|merci|grazie|obrigad[oa]|dank je|bedankt|спасибо|dziękuję|tack|tak)(?!\w)|谢谢|謝謝|ありがとう|감사"
)
_NO_THANKS: Final = spoken(
    r"\b(?:no,? (?:thanks|thank you|thx|ta|cheers)|thanks,? but no(?: thanks)?|no thanks|nein danke|no gracias|non merci)\b"
)
_DECLINES: Final = spoken(
    r"\b(?:(?:we're|we are|i'm|i am|im|really|just|no longer|not)(?: \w+){0,2}? ?(?:not|no longer)(?: \w+){0,2} interested|not interested|no longer interested|no interest|lost interest|uninterested|(?:please )?(?:stop|quit) (?:contacting|messaging|writing|e?-?mailing|calling|bothering|texting|asking|sending|spamming|this)\b|please stop|^\W*stop\W*$|unsubscribe|leave (?:me|us) alone|remove (?:me|us) from|take (?:me|us) off|don't (?:contact|call|message|write|e?-?mail|bother) (?:me|us)|"
    r"(?:we've|we have|we|i've|i have|already|they|i)? ?(?:went|gone|going|decided to go|chose to go|opted to go|go) with (?:someone else|somebody else|another|a different|a competitor|your competitor|a rival|the competition|the other|one of your competitors|[A-Z]\w+ instead)|(?:chose|chosen|picked|signed(?: up)? with|bought from|selected|opted for|settled on|decided (?:on|for)) (?:someone else|somebody else|another (?:vendor|provider|tool|company|supplier|product|solution|one)|a different (?:vendor|provider|tool|company|one)|a competitor|your competitor|the competition)|"
    r"(?:decided|chosen|going|choosing) (?:against(?: (?:it|this|that|you|buying|going|proceeding|the (?:purchase|project|tool|product|idea)|larkline)\b|\W*$)|not to (?:go ahead|proceed|buy|continue|pursue|move forward|do this|do it|go (?:any )?further|go forward|go with you|take this further))|(?:won't|will not|not going to|not gonna|aren't going to|can't|cannot) (?:be )?(?:go(?:ing)? (?:ahead|forward|any further|further)|proceed(?:ing)?|buy(?:ing)?(?: (?:it|this|anything))?|continu(?:e|ing)|mov(?:e|ing) (?:ahead|forward)|tak(?:e|ing) (?:this|it) (?:any )?further|pursu(?:e|ing))|"
    r"(?:we'll|i'll|we will|i will|let's|i think we'll|think i'll|going to|gonna) (?:pass|leave it(?: (?:there|here|at that)\b|\W*$)|have to (?:pass|decline)|drop it|call it off|decline)\b(?! (?:it|this|that|you|the|on (?:it |this )?to (?:my|our|the)))|(?:it's |that's |this is )(?:a |just )?(?:not for (?:us|me)\b(?! to\b)|a no(?: from (?:us|me))?|a pass)|(?:not|isn't|is not) (?:for (?:us|me)\b(?! to\b| right now)|a (?:good )?fit for us|the right (?:fit|thing|product|tool) for us|what we(?:'re| are)? (?:need|want|looking for))|hard pass|no deal|count (?:us|me) out|the deal is off|changed (?:our|my) minds?|call(?:ing)? it off|project (?:is|was|has been|got) (?:cancelled|canceled|dead|killed|shelved|axed|scrapped)|"
    r"kein interesse|nicht interessiert|no (?:me|nos) interesa|pas intéressée?s?|non (?:mi|ci) interessa|não tenho interesse|geen interesse)\b|不感兴趣|没兴趣|興味(?:が|は)?(?:ない|ありません)|관심 ?없",
    re.MULTILINE,
)
_NOT_DECLINES: Final = spoken(
    r"\b(?:not (?:un|dis)interested|interested in (?!(?:this|it|that|you|your (?:product|offer|services?|tool|software|solution|company)|buying|anything|larkline|continuing|going|any of|what you)\b)\w+|changed (?:our|my) minds? (?:about|on) (?:the )?(?:budget|date|timeline))\b"
)
_HARDLY: Final = spoken(
    r"\b(?:if|unless|in case|until|afraid|worried|last year|last time|before|previously|friends?|competitors?)\b"
)
_CONDITIONS: Final = spoken(r"\b(?:without|unless|until|till|before|if)\b")
_NO_MORE: Final = spoken(r"(?:no,? thanks|no,? thank you|nope,? not for us|no thanks,? bye)")
_ECHO: Final = spoken(
    r"\W*(?:(?:the|our|your|my|and) )?(?:budget|money|timeline|time ?frame|timing|deadline|when|authority|decision(?:[- ]?maker)?|who (?:decides|signs|approves)|sign-?off|industry|sector|size|team size|need|pain|problem)s?\s*\?"
)
_ASIDE: Final = spoken(
    r"\b(?:by the way|btw|before (?:we|i) (?:go on|continue|get to|answer|move on|talk|go any)|off[- ]topic|different (?:topic|question|subject|matter)|on another note|unrelated(?:ly)?|side note|just curious|out of curiosity|quick (?:question|aside|one)|while (?:i|we) (?:have|are|remember)|speaking of|one more (?:thing|question)|another (?:thing|question)|incidentally|first,? (?:a|one|quick)|something else)\b"
)


def asks(message: str, words: Words) -> bool:
    """Whether a message asks something of us; "how are you?", "can you help?" and ", right?" ask nothing."""
    del message
    for sentence in words.sentences:
        said = words.text[sentence.start : sentence.end]
        if (
            not said.strip()
            or _COURTESY.match(said[-300:] if len(said) > 300 else said)
            or _TAG.search(said[-60:])
        ):
            continue
        if _echoes(words, sentence) or (_signed(said) and not sentence.asks):
            continue
        if _signed(said) or _INVERTED.match(said) or _REQUEST.search(said[:400]):
            return True
    return any(
        question.kind in {QuestionKind.ASK, QuestionKind.OFFER} and not question.text.isascii()
        for question in find_questions(words.text)
    )


def _signed(said: str) -> bool:
    """Whether it ends with the sign of a question."""
    return said.rstrip("\"') ").endswith(("?", "？", "؟"))


def _echoes(words: Words, sentence: Sentence) -> bool:
    """Whether a sentence only repeats what was asked before its answer: "Budget? Forty thousand."."""
    said = words.text[sentence.start : sentence.end]
    return sentence != words.sentences[-1] and len(said.split()) <= 3 and _ECHO.match(said) is not None


def thanks(words: Words) -> bool:
    """Whether a message thanks; "no thanks" does not."""
    return _THANKS.search(_NO_THANKS.sub(" ", words.text)) is not None


def declines(words: Words) -> bool:
    """Whether the buyer wants no more of it."""
    for match in _DECLINES.finditer(words.text):
        sentence = words.sentence_at(match.start())
        said = words.text[sentence.start : sentence.end]
        lead = words.text[sentence.start : match.start()]
        if (
            sentence.asks
            or _NOT_DECLINES.search(said)
            or _HARDLY.search(lead)
            or _CONDITIONS.search(words.text, match.end(), min(sentence.end, match.end() + 40))
        ):
            continue
        return True
    only = words.text.strip(" .!\n")
    return _NO_MORE.fullmatch(only) is not None


def loses_interest(words: Words) -> bool:
    """Whether a message speaks of no interest, be it in a question."""
    return _DECLINES.search(words.text) is not None


def turns_aside(words: Words) -> bool:
    """Whether a message says that it leaves the matter: "by the way"."""
    return _ASIDE.search(words.text) is not None
