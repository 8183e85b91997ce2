"""The English words that say how firmly something is promised, refused or reported."""

from __future__ import annotations

import re
from typing import Final

_I: Final = r"(?:i|we|our (?:team|store|support|warehouse|agents?)|the (?:agent|assistant|team|store|company|airline|shop|representative|rep|bot))"
_ADV: Final = r"(?:(?:also|just|first|only|now|already|then|gladly|certainly|definitely|personally|immediately|successfully|indeed|both|be happy to|happily|again|soon)\s+){0,2}"
_DEEDS: Final = (
    "cancel|refund|book|send|sen|ship|dispatch|updat|chang|process|confirm|arrang|schedul|reschedul|credit|replac|creat|add|"
    "remov|appl|issu|extend|transfer|escalat|forward|fil|open|clos|order|reserv|upgrad|rebook|waiv|complet|initiat|submit|"
    "approv|notif|email|mail|call|contact|return|pay|paid|charg|deliver|fix|resolv|reset|unlock|block|purchas|bought|made|set|"
    "put|gave|deduct|reimburs|compensat|correct|adjust|post|record|note|sav|activat|deactivat|enabl|disabl|mov|switch"
)
_DEED: Final = rf"(?:{_DEEDS})\w*"
_IRREGULAR: Final = "sent|paid|bought|made|set|put|kept|reset|given|built|done"
_PARTICIPLE: Final = rf"(?:(?:{_DEEDS})\w{{0,8}}ed|{_IRREGULAR})"
_DONE_TO: Final = rf"(?:(?!(?:delay|damag|affect)ed\b)\w+(?:ed|en)|{_IRREGULAR})"
_ASK: Final = r"(?:provide|confirm|reply|let (?:me|us) know|give (?:me|us)(?! (?:a|one|just) )|share|send|tell|say|specify|select|choose)"
_ASKED: Final = rf"(?:^|\bplease\s+)\W*(?:please\s+|kindly\s+|just\s+)*{_ASK}\b"

ASIDE: Final = re.compile(
    r"\b(?:whether|how (?:much|many|long|soon)|to see if)\b[^.,;]*|\bwho (?:may|might|can|could)\b[^.,;]*|\bwish\b[^.,;]*"
    r"|\bflights?\b[^.,;]{0,80}?\b(?:is|are|was|were)\s+(?:originally\s+)?scheduled\b[^.,;]*",
    re.IGNORECASE,
)
"""What is open, wished, said of what another may do, or only how a flight is planned: nobody's undertaking."""

OPENS: Final = re.compile(
    rf"^\W*(?:(?:so|and|but|then|also|however|otherwise|in that case)\W+)*"
    rf"(?:(?:if|unless|once|as soon as|provided|in case|assuming|when (?:you|we|i|it|the|your))\b|{_ASKED})|\bplease\s+{_ASK}\b",
    re.IGNORECASE,
)
"""How a sentence starts whose later clauses ("…, and I'll refund it") hold only under its first one."""

QUESTION: Final = re.compile(
    r"^\W*(?:(?:so|and|but|ok(?:ay)?|well|then|please|hi|hello)\W+)*"
    r"(?:(?:would|could|can|will|shall|should|may|do|does|did|is|are|was|were|have|has|may)\s+(?:you|i|we|it|that|this|there|the|my|your)\b|"
    r"(?:what|when|where|which|who|how|why)\b(?:\s+\w+){0,2}?\s+(?:is|are|was|were|will|would|can|could|do|does|did|has|have|should)\b"
    r"(?![^?]*[,.]))",
    re.IGNORECASE,
)

CHECKING: Final = re.compile(
    rf"\b(?:let me|{_I}(?:'ll| will|'m going to| am going to| can| would| would like to|'d like to|'d)?)\s+{_ADV}"
    r"(?:check|look|see(?!\s+(?:if|what) (?:i|we)\b)|find out|verify|review|pull up|search|take a look|have a look|double[- ]check|get back|ask|need to|recommend|"
    r"suggest|understand|apologi[sz]e|assist|help|(?:be (?:glad|happy|able|here|ready) to|do (?:my|our) best to) (?:help|assist)|be here|retrieve|locate|gather|fetch|need)\b",
    re.IGNORECASE,
)
"""Looking something up is work, and no promise of what will come of it."""

CONDITION: Final = re.compile(
    r"\b(?:(?<!see )if|in that case|unless|provided(?: that)?|as long as|in case|once|as soon as|until|assuming|subject to|depending on|only when|"
    rf"when (?:you|we|i|it|the|your)|before (?:i|we) can|so (?:that )?(?:i|we) can)\b|{_ASKED}",
    re.IGNORECASE,
)

NOT_ABLE: Final = re.compile(
    rf"\b{_I}(?:'ve|'d|'ll|'m| am|'re| are)?\s+{_ADV}(?:not\s+{_ADV}{_DEED}|can(?:'t|not| not)|could(?:n't| not)|won't|will not|wouldn't|would not|shall not|"
    r"(?:'m|'re| is| are|are|is|am)?\s*(?:not able|unable|not allowed|not going|not permitted|not in a position)\b|"
    r"(?:do|does|did)(?:n't| not)|(?:have|has|had)(?:n't| not| never)|never|refuse[sd]?|declined?|denied|have to decline|must decline)"
    r"|\b(?:refused|declined|denied)\s+(?:to|the|a|any|this|that|it)\b"
    r"|\b(?:is|are|was|were|been|be)(?:n't| not)\s+(?:possible|eligible|allowed|permitted|able|refundable|going to be|yet\s+\w+ed|"
    rf"{_DEED})|\b(?:has|have|had)(?:n't| not)(?: yet)? been\s+\w+|\bno (?:refund|compensation|exchange|changes?(?= (?:is|are|can|will)\b)|credit(?! card))s?\b"
    r"|\b(?:no|none)\b[^.,;]{0,40}\b(?:was|were|(?:has|have) been)\s+\w+ed\b"
    r"|\b(?:can(?:'t|not| not)|won't|will not) be\s+\w+|\bnot\s+(?:promise|guarantee)d?\b",
    re.IGNORECASE,
)

UNSURE_PROMISE: Final = re.compile(
    r"\b(?:can(?:'t|not| not)|could(?:n't| not)|not able to|unable to|no|never|won't|not)\s+(?:\w+\s+)?(?:promise|guarantee)",
    re.IGNORECASE,
)

HEDGE: Final = re.compile(
    r"\b(?:might|(?-i:may)(?!\s+\d)|maybe|perhaps|possibly|probably|likely|hopefully|should|(?<!glad i )(?<!happy i )could|i think|we think|i believe|i(?:'d| would) expect|"
    r"(?:'ll|will) try|try to|trying to|we'll see|see if|see whether|see what|i hope|not sure|tentative\w*|potential\w*|"
    r"(?:would|'d) be able to|seems?|appears?|expected to|estimated|consider\w*|looking into|considering|possible)\b",
    re.IGNORECASE,
)

DONE: Final = re.compile(
    rf"\b{_I}(?:'ve| have| has|'s)\s+{_ADV}(?!been (?:told|waiting|trying|having)){_DEED}"
    rf"|\b{_I}\s+{_ADV}(?:{_DEEDS})(?:\w*ed|t|id|aid|ought|ade|ave|e?nt)\b|\b{_I}\s+{_ADV}(?:paid|bought)\b"
    rf"|\b(?:has|have|had)\s+{_ADV}been\s+{_ADV}{_DONE_TO}\b"
    rf"|\b(?:was|were|is|are|got|(?:it|that|everything)'s)\s+(?:now\s+|all\s+|already\s+|successfully\s+|fully\s+)*"
    rf"(?!fixed|called|charged|set (?:at|to)\b){_PARTICIPLE}\b(?!\s+to be)"
    rf"|\b(?:refund|booking|order|reservation|cancellation|payment|change|request|ticket|appointment)s?\s+(?:is|are)\s+(?:now\s+)?"
    r"(?:complete|done|confirmed|on (?:its|their) way)\b"
    r"|\byou(?:'re| are) all set\b",
    re.IGNORECASE,
)

PROMISE: Final = re.compile(
    rf"\b{_I}(?:'ll| will| shall)\s+\w+|\b(?:i|we)(?:\s+\w+)?\s+(?:promise|guarantee|assure|commit)\b"
    rf"|\b{_I}(?:'s| has| have| had)?\s+(?:promised|guaranteed|agreed|committed|assured|pledged|undertook|undertakes|agrees|promises|offered to|"
    r"said (?:it|they|he|she|that it|that they|that)\s+(?:would|will))\b"
    r"|\byou(?:'ll| will)\s+(?:\w+\s+)?(?:receive|get|have|see|be\s+\w+ed|be notified|be contacted)\b"
    rf"|\bwill\s+(?:\w+\s+)?be\s+(?:\w+\s+)?{_DONE_TO}\b|\b(?:promised|guaranteed)\s+(?:a|an|the|to|that|full|his|her|their|him|them)\b"
    r"|\bit(?:'ll| will)\s+(?:arrive|be(?!\s+\W?\d)|ship|come|reach|take)\b|\b(?:your|the)\s+(?:\w+\s+){1,3}will\s+(?:arrive|be (?:ready|there|free|available|with)|ship|come|reach|appear|show)\b",
    re.IGNORECASE,
)

INTENT: Final = re.compile(
    rf"\b{_I}(?:'m|'re| am| are| is)\s+(?:going to|planning to|about to|happy to|glad to|willing to|aiming to|hoping to|able to|preparing to)\b"
    rf"|\b{_I}\s+(?:can|plan to|plans to|intend to|intends to|want to|hope to|aim to|offer to|offers to|would like to|could offer)\b"
    rf"|\b(?:i|we)'d (?:like|love|be happy|be glad) to\b|\blet me\s+(?:go ahead|proceed|{_DEEDS})"
    r"|(?<!you )(?<!might )(?<!may )\b(?:plans?|intends?|wants?|offers?) to\s+\w+|\bis to be\s+\w+ed\b",
    re.IGNORECASE,
)

REPORTED: Final = re.compile(
    r"\byou (?:said|told|promised|mentioned|wrote)\b|\b(?:they|he|she|your colleague|the other agent) (?:said|told|promised)\b",
    re.IGNORECASE,
)
"""What another is said to have said is theirs, and was found where they said it."""

UNDERTAKING: Final = re.compile(
    rf"\b{_I}\s+{_ADV}(?:might|(?-i:may)|could|should|would)\b"
    rf"|\b(?:might|(?-i:may)|could|should)\s+(?:\w+\s+)?be\s+(?:\w+\s+)?{_DONE_TO}\b"
    r"|\b(?:it|parcel|package|order|delivery|refund|replacement)\s+(?:might|(?-i:may)|should|could)\s+\w+",
    re.IGNORECASE,
)
"""A doubt about what somebody will do, unlike a doubt about how things are."""
