"""What a buyer says about who decides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from turnstate.apps.sales.hearing.corrections import corrects
from turnstate.apps.sales.hearing.policy import AUTHORITY
from turnstate.apps.sales.hearing.words import Expected, Found, Words, spoken
from turnstate.core.facts import Span

_ADV: Final = r"(?:(?:also|just|actually|personally|basically|usually|alone|ultimately|pretty much|do|can|will|get to|always|solely|happen to|am able to|could|myself|have to|would|normally|really) ){0,3}"
_BOSS: Final = (
    r"(?:boss|bosses|manager|managers|director|directors|md|managing director|ceo|cfo|coo|cto|cio|vp|head of \w+|owner|owners|founder|founders|president|partners?|co-?founder|husband|wife|father|mother|dad|"
    r"board|committee|finance|finance (?:team|department|director|people|guy|lady)|procurement|purchasing|legal|head office|hq|headquarters|leadership|management|exec(?:utive)?s?|exec team|leadership team|senior management|"
    r"management team|parent company|group|shareholders|investors|higher[- ]ups|people above me|superiors?|line manager|accountant|controller|it department)"
)
_TOP: Final = r"(?:ceo|owner|co-?owner|founder|co-?founder|managing director|md|president|proprietor|general manager|gm|chief executive(?: officer)?|sole trader|business owner|boss|managing partner|decision[- ]?maker|budget (?:holder|owner)|geschäftsführer(?:in)?|inhaber(?:in)?|dueñ[oa]|gerente|director(?:a)? general|gérante?|chef)"
_LEAD: Final = (
    r"(?:c[tfio]o|cmo|cso|coo|chief \w+ officer|(?:[se]?vp|vice president)(?: of [\w&]+(?: [\w&]+)?)?|director(?: of [\w&]+(?: [\w&]+)?)?|(?:operations|logistics|finance|transport|it|technical|commercial|supply chain|fleet|purchasing|procurement) director|head of [\w&]+(?: [\w&]+)?|partner|"
    r"in charge of (?:\w+ ){0,2}(?:budget|purchas\w+|buying|procurement|operations|it|logistics|software|tools|decisions?)|responsible for (?:\w+ ){0,2}(?:budget|purchas\w+|buying|procurement|decision\w*))"
)
_STAFF: Final = r"(?:intern|trainee|assistant|office manager|secretary|junior \w+|student|dispatcher|planner|driver|analyst|consultant|researcher)"
_THING: Final = r"(?:it|this|that|these|those|things|everything|all|here|software|tools|purchases?|spend(?:ing)?|budgets?|such|anything|(?:the|our|a|any|all|these|such) \w+(?: \w+)?)"

_PATTERNS: Final[tuple[tuple[str, str], ...]] = (
    ("decides", (r"\bi (?:may|can|could|get to|am (?:able|allowed|free|entitled) to) (?:\w+ )?(?:decide|approve|sign|release|buy|choose|commit|order)\b(?: \w+){0,4}? (?:alone|on my own|myself|by myself|without (?:asking|anyone|anybody)(?: \w+)?)\b"
     r"|\bi(?:'ve| have| hold)(?: got)? (?:the |full |sole |all the )?(?:signature|signing (?:power|authority|rights?)|signatory (?:power|rights?)|authori[sz]ation|proxy|prokura|spending authority)\b(?: \w+){0,4}"
     r"|\bi(?:'m| am) the (?:final |sole |only |competent |designated )?(?:approving|deciding|signing|purchasing|buying|sanctioning|decision[- ]making|budget)? ?(?:authority|approver|decider|signatory|arbiter)\b"
     r"|\b(?:no|without|not need(?: any)?|don't need(?: any)?) (?:further|other|more|additional|extra|higher|separate) (?:approvals?|sign-?offs?|signatures?|permission|sanction|authori[sz]ation)\b(?: (?:is |are )?(?:required|needed|necessary))?"
     r"|\bwhat i say goes\b|\bi own (?:the|this) (?:place|company|shop|firm|outfit|business|whole thing)\b|\bit's my (?:name on the \w+|show|ship)\b"
     r"|\b(?:purchas\w+|buying|signing|spending|decision|budget|procurement)[- ]?(?:authority|power|rights?|decisions?) (?:\w+ ){0,3}(?:delegated|given|granted|transferred|entrusted|assigned|handed|sits?|lies?|rests?)(?: over)?(?: to| with) me\b"
     r"|\b(?:you're|you are) (?:already )?(?:talking|speaking|writing|chatting) (?:to|with) the right (?:person|one|man|woman|guy|lady)\b"
     r"|\b(?:it's|it is|that's|that is) (?:entirely |all |just )?me (?:who|that) (?:decides?|signs?|approves?|chooses?)\b")),
    ("none", (r"\b(?:it's |it is |that's |that is |this is |it isn't |it is not |isn't |not )?(?:not|n't)(?: really| entirely| just| solely)? (?:my|up to me|down to me|mine to)(?: (?:call|decision|place|department|budget|job|money|make|decide))?(?: to make| alone)?\b"
     r"|\b(?:i'm|i am|i was) not (?:really |actually )?(?:the (?:one|person|guy|right person) (?:who|that|to) (?:\w+ )?(?:decides?|signs?|approves?|makes?|ask)|(?:the|a) (?:decision[- ]?maker|budget holder|buyer)|authori[sz]ed|able to (?:sign|decide|approve)|allowed to (?:sign|decide|approve)|in a position to (?:decide|sign|approve))\b"
     r"|\bi (?:don't|do not|can't|cannot|can not|dont|cant|couldn't) (?:\w+ )?(?:decide|sign(?: off)?|approve|make (?:that|the|this|those|any) (?:\w+ )?(?:decision|call)s?|have (?:the |any |much |that )?(?:\w+ )?(?:authority|say|power|mandate)|authori[sz]e|commit)(?: (?:alone|on my own|myself|by myself|on (?:it|this|that)|(?:it|this|that)(?: (?:alone|myself|on my own))?))?\b"
     r"|\b(?:above|beyond) my (?:pay ?grade|level|authority)\b|\bno (?:authority|say|decision power)\b|\bjust (?:gathering|collecting) (?:information|info|options|quotes)(?: for \w+ \w+)?\b")),
    ("approved", (rf"\b(?:my |our |the )?{_BOSS}(?: \w+)? (?:has |have |had |is |are |'s |'ve )?(?:already |just )?(?:approved|signed off(?: on)?|green[- ]?lit|okayed|ok'd|blessed|rubber[- ]?stamped|on board|agreed|said yes|given (?:me|us) (?:the )?(?:green light|go-?ahead|ok(?:ay)?|thumbs up|free rein|free hand|carte blanche|nod)|gave (?:me|us) (?:the )?(?:green light|go-?ahead|ok(?:ay)?|thumbs up|free rein|nod))(?: (?:on |to )?(?:it|this|the (?:purchase|project|deal|plan|tool|idea|initiative|investment)))?\b"
     rf"|\b(?:it|this|that|purchase|project|deal|plan|everything)(?:'s| is| has been| was)? (?:already |all |been ){{0,2}}(?:approved|signed off|green[- ]?lit|pre-?approved)\b(?: (?:by|from) (?:my |our |the )?{_BOSS})?"
     r"|\b(?:got|have|has|with) (?:the |full |my |our |a |already )?(?:\w+ )?(?:sign-?off|approval|green light|go-?ahead|buy-?in|blessing)(?: (?:from|of) (?:my |our |the )?\w+)?\b|\bpre-?approved\b|\bi(?:'ve| have) been (?:given|granted) (?:the )?(?:authority|mandate|go-?ahead)\b")),
    ("shares", (r"\b(?:my|our|the) (?:business |co-?|life )?(?:partner|founder|wife|husband|brother|sister|colleague|cfo|ceo|boss|director|co-?owner|father|son|dad)s? and (?:i|me|myself)(?: (?:both )?(?:decide|sign|make|have|need|choose|run|own|approve)(?: \w+){0,3})?\b"
     r"|\b(?:me|i|myself) and (?:my|our|the) (?:business |co-?|\w+ )?\w+(?: (?:both )?(?:decide|sign|make|have|need|choose|run|own|approve)(?: \w+){0,3})?\b"
     r"|\b(?:the two|both|all three|two|three) of us(?: (?:decide|sign|make|have|need|agree|choose)(?: \w+){0,3})?\b|\bwe (?:all )?(?:decide|sign off|make (?:\w+ )?decisions|choose|agree)(?: (?:it|this|that|these|on it|on this|these things|those things|things))? (?:together|jointly|as a team|collectively|between us)\b|\b(?:joint|shared|team) (?:decision|call)\b"
     r"|\b(?:decide|decision|decisions|sign(?: it)?(?: off)?) (?:\w+ ){0,2}(?:together with|jointly with|along with|alongside) (?:my|our|the) \w+\b|\bi (?:have|get) (?:a|some|my|quite some|a big|a lot of) say\b|\bi (?:recommend|shortlist|propose|influence|advise|evaluate)\b(?: (?:it|and|to|the))?")),
    ("reports", (rf"\b(?:my |our |the |a |it's the |it's our |it's my |an )?{_BOSS}(?: \w+)?,? (?:(?:also|still|will|would|must|should|usually|always|ultimately|first|then|who|it|really) ){{0,3}}(?:decides?|has to|have to|needs? to|must|approves?|signs?(?: off)?|makes? (?:the|that|those|all|these) (?:\w+ )?(?:decision|call)s?|has (?:the )?(?:final|last) (?:say|word)|have (?:the )?(?:final|last) (?:say|word)|holds? the (?:purse|budget)\w*|controls? the (?:budget|money|purse)\w*|gets? (?:the )?(?:final|last) (?:say|word)|wants? to (?:approve|sign)|calls? the shots|will (?:decide|approve|sign))(?: (?:approve|sign(?: off)?|ok(?:ay)?|agree|decide|sign it|bless|authori[sz]e)(?: (?:off )?(?:on )?(?:it|this|that))?)?(?: (?:off )?(?:on )?(?:it|this|that|things|these things|everything))?\b"
     rf"|\b(?:run|running|get|put|take|taking|bring|check|checking|clear|clearing|confirm|discuss|talk|talk(?:ing)? (?:it|this|that) over|speak|consult|ask|convince|pass|sell) (?:(?:it|this|that|things|these) )?(?:(?:past|by|through|with|to|before|over with|up to|from|in front of) )?(?:my |our |the |an? )?{_BOSS}\b(?: first| before \w+)?"
     rf"|\b(?:it|that|this)(?:'ll|'d)?(?: \w+){{0,2}} (?:has|have|needs?|must|go(?:es)?)(?: to)?(?: go| be decided| be approved| be signed(?: off)?| pass)? (?:to|through|past|by|before|over to|via) (?:my |our |the |an? )?{_BOSS}\b|\b(?:decision|call|sign-?off|approval|final say|last word|it)(?: \w+)? (?:is|lies|sits|rests|comes|goes|is made|is up|is down|would be|has to (?:go|come)|needs to (?:go|come)|must (?:go|come)|will (?:go|come))(?: \w+)? (?:with|to|from|by|through|past|before|up to) (?:my |our |the |an? )?{_BOSS}\b"
     rf"|\b(?:up|down) to (?:my |our |the ){_BOSS}\b|\b(?:need|needs|requires?|pending|waiting (?:for|on)|subject to|without) (?:to get )?(?:(?:my|our|the|a|an) )?(?:\w+(?:'s)? )?(?:approval|sign-?off|buy-?in|go-?ahead|ok|okay|blessing)(?: (?:from|of|by) (?:my |our |the )?\w+)?\b"
     rf"|\b(?:my|our|the) {_BOSS}'s (?:call|decision|job|approval|signature)\b|\b(?:it's|it is|that's|we have|there's|there is|decided by|made by|by) (?:a|the|our) (?:\w+ )?(?:committee|board|panel|buying (?:group|team)|procurement (?:team|process)|board decision|group decision|committee decision)\b(?: (?:decision|thing))?|\bgoes? (?:through|to) (?:procurement|finance|the board|a committee|our board|purchasing|legal|my boss)\b|\bby committee\b|\bi report to\b(?: (?:the|our|my) \w+)?|\b(?:take|run|pass|send|kick) (?:it|this|that) (?:upstairs|up the (?:chain|ladder)|higher up|to (?:my |the )?(?:superiors|higher-?ups))|\b{_BOSS} (?:handles?|does) (?:all |the |our )*(?:purchas\w+|buying|procurement|software|contracts|that)|\bget (?:back to|it past) (?:my|our|the) {_BOSS}\b")),
    ("decides", (rf"\bi (?:{_ADV})(?:decide|sign(?: off)?|approve|authori[sz]e|call the shots|make (?:the|that|those|these|all(?: the| of the)?|this|such|all these|our|buying|purchasing|final|every) ?(?:\w+ ){{0,3}}?(?:decisions?|calls?|choices?)|hold the (?:purse|budget|cheque ?book|checkbook)\w*(?: strings)?|own (?:the|this|that|our) (?:budget|decision|purchase|company|business|project)|control (?:the|our) (?:budget|purse|spend|money)\w*|have (?:the |full |final |sole |all the |complete |budget |that )*(?:final |last |sole )?(?:say|authority|sign-?off|signing authority|word|power|mandate|decision)|have the (?:final|last) (?:say|word)|run (?:the (?:company|business|show|place|firm|whole thing)|this (?:company|business|place)|my own \w+)|own it|pull the trigger|pay the bills|sign the (?:cheques?|checks?|contracts?)|take (?:the|that|those|these) decisions?|do (?:all )?the (?:buying|signing|deciding|purchasing)|buy(?= (?:the|our) (?:software|tools)))"
     rf"(?: (?:off )?(?:on )?{_THING})?(?: (?:myself|alone|on my own|by myself|personally))?\b"
     rf"|\b(?:it's|it is|that's|that is|that'd be|that would be|this is|it'll be|signature is|decision is|decision's|call is|budget is|sign-?off is|final say is|say is|ultimately|so it's) (?:all |entirely |really |ultimately |just |solely |only )?(?:my (?:call|decision|budget|money|company|business|job|name on)|mine|me|up to me|down to me|on me|with me)(?: (?:to make|alone|who \w+(?: \w+)?))?\b"
     r"|\bnow i (?:do|decide)\b|\b(?:decisions?|calls?|sign-?offs?)(?:'s| is| are) (?:all |entirely )?mine\b|\band sign (?:the (?:cheques?|checks?|contracts?)|it|off)\b|\bi'm (?:authori[sz]ed|allowed|entitled|empowered) to (?:sign|approve|decide|buy|spend)(?: \w+)?|\bi'm the one (?:holding|signing|making|deciding|approving)(?: \w+){0,3}|\b(?:up|down) to me\b(?: alone)?|\b(?:this|it|that|everything)(?: all)? (?:sits|rests|lies|stays|stops|ends|starts and ends) with me\b|\bi'm (?:the one )?signing (?:it|this|that|the \w+|off)(?: \w+)?|\b(?:nobody|no one|no-one) (?:but|except|besides|apart from|other than) me\b(?: \w+)?|\bmy signature(?: is|'s)?(?: all| enough)(?: \w+){0,2}|\b(?:talking|speaking|writing|chatting) (?:to|with) (?:the|our) (?:decision[- ]?maker|boss|owner|budget holder|one who \w+)|\bmy (?:say|word|decision) (?:is|goes|counts)(?: (?:final|law|the last))?|\b(?:buck|decision|decisions|final say|last word|sign-?off|approval|authority|(?:final )?signature) (?:stops?|sits?|rests?|lies?|is|are|ends?) (?:here )?with me\b|\bthe buck stops (?:here|with me)\b|\b(?:nobody|no one|no-one|noone) (?:else|above me|over me|other than me)(?: (?:has|needs|to|but me|decides|signs|is)(?: \w+){0,4})?\b|\bmy (?:own )?(?:company|business|firm|decision|call|shop|money|budget to spend|signature)(?: (?:is enough|alone|so i decide))?(?= *(?:[,.;!]|$|so|and i|i decide|alone|is enough|that counts))"
     r"|\bi (?:have|hold|enjoy|'ve) ?(?:got )?(?:the |full |complete |sole |final )*(?:authority|sign-?off|signing authority|mandate|final say|last word)(?: (?:to|on|for|over) \w+(?: \w+)?)?|\bi've (?:got )?(?:the |full |complete |sole |final )*(?:authority|sign-?off|mandate|final say|last word)\b|\b(?:don't|do not) (?:need|have) to (?:ask|check with|run it (?:by|past)|consult) (?:anyone|anybody|someone|somebody)(?: else)?|\bi(?:'m| am)(?: the (?:person|one))? in charge(?! of)\b|\bi(?:'d|'ll| would| will) be (?:the one )?(?:signing|deciding|approving|who (?:signs|decides))\b|\bi(?:'ll| will| can| could| would|'d) (?:be able to )?(?:give (?:you )?the (?:go-?ahead|green light|ok|okay|nod))|\b(?:don't|do not|doesn't|no) need (?:\w+ )?(?:anyone|anybody|any|someone|other|further)(?:(?:'s| else's| else)? (?:approval|sign-?off|permission|ok|okay|to sign|to approve))?\b|\bno(?: further| other| additional)? (?:approval|sign-?off)s? (?:needed|required|necessary)\b|\b(?:sole|only|final|ultimate|main|key) (?:decision[- ]?maker|signatory|decider|approver)\b|\bi (?:can|could|am able to|'m able to|'m allowed to|get to) (?:\w+ )?(?:sign|approve|authori[sz]e|decide|commit)(?: (?:off )?(?:on )?(?:it|this|that|up to \S+|myself))?(?: (?:myself|alone|today|on my own|now))?"
     r"|\b(?:and|but) (?:can|could|do|will) (?:sign|approve|decide|authori[sz]e)(?: off)?(?: (?:for |on )?(?:it|this|that))?\b|\b(?:can|could) sign(?: off)?(?: (?:it|this|that))?(?: off)? (?:on my own|myself|alone|by myself)|\bi'm the (?:one|person|guy|woman) (?:who|that) (?:\w+ )?(?:decides|signs|approves|makes|pays|buys|has|holds)(?: (?:off )?(?:on )?(?:it|this|that|the \w+(?: \w+)?|these))?|\bich (?:entscheide|unterschreibe)\b(?: das| selbst)?|\b(?:yo )?decido yo\b|\byo decido\b|\bc'est moi qui (?:décide|signe)\b|我(?:来)?决定|私が決め")),
    ("decides", rf"\b(?:i'm|i am|im|am|as|i'm actually|speaking as|being|this is) (?:also )?(?:the |an? |one of the |one of two |both )?(?:(?!not )\w+ )?(?:{_TOP})\b(?: (?:here|of [\w&]+(?: [\w&]+)?|and \w+))?"),
    ("decides", rf"\b(?:i'm|i am|this is|my name is|it's|name's) (?!not\b)\w+(?: \w+)?,? (?:and )?(?:i'm |the |an? )?(?:{_TOP})\b(?: (?:at|of|here|for)\b)?"),
    ("leads", rf"(?:^|[.!?\n]\s*)(?:the )?{_LEAD} here\b"),
    ("leads", rf"\b(?:i'm|i am|this is|my name is|it's|name's) (?!not\b)\w+(?: \w+)?, (?:and )?(?:i'm |the |an? )?{_LEAD}\b"),
    ("leads", rf"\b(?:i'm|i am|im|as|i'm actually|being|i work as) (?:also )?(?:the |an? |our |their )?(?:(?!not )\w+ )?{_LEAD}\b(?: (?:here|of [\w&]+))?|\bi (?:run|head(?: up)?|lead|manage|oversee|look after) (?:the |our |all )?(?:\w+ )?(?:operations|ops|logistics|dispatch|it department|fleet|transport|supply chain|department|warehouse|procurement|purchasing|planning|finance)\b"),
    ("none", rf"\b(?:i'm|i am|im) (?:just |only )?(?:the |an? )?(?:\w+ )?{_STAFF}\b"),
)  # fmt: skip
_COMPILED: Final = tuple((name, spoken(pattern)) for name, pattern in _PATTERNS)
_BARE: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (
        "shares",
        spoken(
            r"(?:(?:both )?(?:me|i|myself),? (?:and|with|plus|\+|&|together with|along with|alongside) (?:my |our |the )?[\w-]+(?: [\w-]+)?|(?:my|our) [\w-]+(?: [\w-]+)? (?:and|&|plus) (?:me|i|myself)|both of us|we both do|the two of us|jointly|together)"
        ),
    ),
    (
        "decides",
        spoken(
            r"(?:(?:that (?:would|'d|will|'ll) be |that's |it's |just |only |it is |mostly |mainly |usually |ultimately |basically |in the end |probably )*(?:me|myself|moi|ich|yo|io|我|私)(?: (?:alone|only|myself|personally|actually|again|too))?|i (?:do|am|can|will)(?: (?:myself|alone|personally|that))?|yours truly|guilty|(?:that's |that is )?my (?:job|call|decision)|mine|i'm (?:it|the one|your (?:man|woman|guy|person)))"
        ),
    ),
    (
        "reports",
        spoken(
            rf"(?:(?:that (?:would|'d|will|'ll) be |that's |it's |it is |probably |i think |both )?(?:my |our |the |a )?(?:\w+ )?{_BOSS}(?: (?:does|do|and (?:my |our |the )?{_BOSS}|probably|i think|decides|has to))?|(?:he|she|they) (?:does|do|decides?|signs?)|someone else|not me|head office)"
        ),
    ),
)
_JOINT: Final = spoken(r"\W*(?:(?:and|but|so)\s+)?")
_LABELS: Final = spoken(
    r"\b(?:to answer (?:your|that|the) question|decision[- ]?makers?|decider|authority|approver|sign-?off|who (?:decides|signs(?: off)?|approves)|signatory|approval)\s*[:=,?–-]\s*"
)
_FILLER: Final = spoken(
    r"(?:(?:yes|yeah|yep|yup|sure|well|oh|um+|uh|hm+|so|ok|okay|right|honestly|not sure|i'm not sure|i think|i guess|good question|depends|probably|ah|ja|sí|oui|nope|no|hi|that one's easy|easy)\b[\s,.!–—-]*){0,4}"
)
_AFTER: Final = spoken(
    r"[\s,.!:)]*(?:(?:of course|for (?:this|that|it)|on (?:this|that|it)|thanks|i guess|i suppose|actually|here|so yes|haha|lol|:?\))[\s.!,]*){0,2}$"
)
_MONEY_APPROVED: Final = spoken(r"\b(?:more|budget|money|funds|increase|extra|\$|€|£|\d)")
_NO_LEAD: Final = spoken(
    r"(?:\b(?:not|never|cannot|did|do|does|if|whether|let me|when|once|before|after|until|till|how|what|why|which|so that)|n't)\s*$"
)
_ME_TOO: Final = spoken(
    r"\b(?:but|and|though|then) (?:i|the (?:final )?(?:decision|call)|it's|that's) (?:\w+ ){0,2}(?:decide|sign|approve|is mine|me\b|my (?:call|decision)|final say|have the (?:final|last))"
)
_RANKS: Final = {"none": 5, "decides": 6, "approved": 4, "shares": 5, "reports": 5, "leads": 2}


def authority(words: Words, expected: Expected) -> Found | None:
    """Who decides, as a message states it, or None."""
    found = list(_stated(words))
    if all(name == "leads" for name, _ in found):
        found = list(_bare(words, expected)) or found
    if not found:
        return None
    name, span = _best(words, found)
    return Found("authority", span, words.quote(span), AUTHORITY[name], corrects(words, span))


def _stated(words: Words) -> Iterator[tuple[str, Span]]:
    """What the message states, each with the words that say so."""
    for name, pattern in _COMPILED:
        for match in pattern.finditer(words.text):
            raw = match[0].rstrip()
            lead = _JOINT.match(match[0])
            start = match.start() + (lead.end() if lead else 0)
            span = Span(start, match.start() + len(raw))
            if (
                span.end <= span.start
                or _NO_LEAD.search(words.lead(span))
                or words.supposed(span)
                or words.anothers(span)
            ):
                continue
            if words.asked(span):
                continue
            if name == "approved" and _MONEY_APPROVED.search(words.text[span.start : span.start + 60]):
                continue
            yield name, span


def _best(words: Words, found: Sequence[tuple[str, Span]]) -> tuple[str, Span]:
    """The surest of what is said; who decides after all counts more than who looks at it before."""
    changed = [one for one in found if corrects(words, one[1])]
    by_rank = sorted(
        changed or found, key=lambda one: (_RANKS[one[0]], one[1].end - one[1].start), reverse=True
    )
    name, span = by_rank[0]
    if name == "decides":
        denied = [other for other in found if other[0] == "none" and other[1].meets(span)]
        if denied:
            return denied[0]
        others = [one for one in found if one[0] in {"reports", "shares"} and not one[1].meets(span)]
        if others and not _ME_TOO.search(words.text) and others[0][1].start > span.start:
            return ("approved" if any(one[0] == "approved" for one in found) else others[0][0]), others[0][1]
        shared = [one for one in found if one[0] == "shares" and one[1].meets(span)]
        if shared:
            return shared[0]
    if name in {"reports", "none"}:
        approved = [one for one in found if one[0] == "approved"]
        if approved and name == "reports":
            return approved[0]
    return name, span


def _bare(words: Words, expected: Expected) -> Iterator[tuple[str, Span]]:
    """A bare answer to "Who signs off on it?": where that was asked for, or after a label of the buyer's own."""
    for label in _LABELS.finditer(words.text):
        yield from _answer(words, label.end(), words.sentence_at(label.start()).end, loose=True)
    if "authority" in expected.all:
        first = "authority" in expected.first
        for sentence in words.sentences[: 3 if first else 1]:
            filler = _FILLER.match(words.text, sentence.start, sentence.end)
            place = filler.end() if filler else sentence.start
            found = list(_answer(words, place, sentence.end, loose=first))
            if found:
                yield from found
                return


def _answer(words: Words, start: int, end: int, *, loose: bool) -> Iterator[tuple[str, Span]]:
    """Who decides, by the words at a place; what follows them is a courtesy, or anything after a stop."""
    for name, pattern in _BARE:
        match = pattern.match(words.text, start, end)
        if match is None or match.end() == match.start():
            continue
        stopped = loose and words.text[match.end() : match.end() + 1] in {",", ";", "."}
        if stopped or _AFTER.match(words.text[match.end() : end]):
            yield name, Span(*match.span())
            return
