"""What a question looks like: the words that ask, propose, read back, or only close; every pattern takes linear time."""

from __future__ import annotations

import re
from typing import Final

SIGN: Final = re.compile(r"[?？؟\u037e⁇⁈]")
"""The signs of a question, the Greek one among them."""

END: Final = re.compile(
    r"[?!？！؟\u037e⁇⁈。．]+[\"'”’»」』)\]]{0,3}|(?<!\.)\.+[\"'”’»)\]]{0,3}(?=\s|$)|\n+|(?<=\s)[–—](?=\s)",
)
"""Where a sentence ends."""

ABBREVIATED: Final = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|mr|mrs|ms|dr|prof|st|no|vs|approx|[A-Z])\.$", re.IGNORECASE
)
"""A full stop that ends no sentence."""

_LEAD: Final = (
    r"(?:(?:and|so|ok|okay|also|now|then|great|sure|alright|all right|right|well|perfect|thanks|thank you|hi|hello|hey|yes|no|yeah|but|or|"
    r"certainly|absolutely|of course|good|fine|sorry|please|first|next|lastly|finally|excellent|awesome|cool|got it|oh|um|hmm|no problem|"
    r"just|one more thing|by the way|actually|again|understood|wonderful|lovely|i see|in that case|before (?:i|we) [a-z ]{2,25})\b[\s,.!:;–—-]*){0,6}"
)
LEAD: Final = re.compile(_LEAD, re.IGNORECASE)
"""What a question may open with before it asks."""

_WH: Final = r"(?:what|which|when|where|who|whom|whose|how|why)"
_AUX: Final = r"(?:is|are|was|were|do|does|did|will|would|can|could|should|shall|may|might|has|have|had|am)"
_WHO: Final = r"(?:you|your|i|we|it|this|that|there|he|she|they|the|any|anyone|someone|these|those|our|my|us)"
INVERTED: Final = re.compile(
    rf"(?:(?:at|for|on|in|to|from|with|by|until|till|of|about|under|around) )?{_WH}(?:['’]?s|['’]re|['’]d| (?:[\w'’-]+ ){{0,5}}?{_AUX}(?:n['’]t)?)\b"
    rf"|(?:at|for|on|in|to|from|with|by|until|till|of|about|under|around) (?:what|which|whom|whose)\b|how (?:about|many|much|long|soon|often)\b"
    rf"|{_AUX}(?:n['’]t)? {_WHO}\b|(?:any|anything|what about|is there|are there)\b",
    re.IGNORECASE,
)
"""A question by the order of its words, without its sign."""

NOT_INVERTED: Final = re.compile(
    r"(?:what|which|how) (?:i|we) (?:can|could|will|would|have|need|see|do|am|are|found)\b|when(?:ever)? (?:you|your|it|the|we|i)\b|"
    r"which (?:is|are|was|means|includes?|has|have)\b|what(?:['’]s| is) (?:more|included|new)\b|have a\b|do (?:not|let)\b|will do\b|"
    r"how (?:it|this|we|to)\b|any (?:other|further|time|of)\b|anything (?:that|over|under|above)\b|may (?:the|your)\b|where (?:we|it|the)\b",
    re.IGNORECASE,
)
"""Openings that look alike and state something."""

INDIRECT: Final = re.compile(
    r"(?:could|can|would|will|may|might) (?:i|we|you)(?: (?:please|kindly|also|just|quickly|possibly|all|be able to|be so kind as to)){0,3} "
    r"(?:tell|share|give|let (?:me|us) know|provide|send|confirm|specify|describe|remind|get|have|ask|know|state|elaborate|walk|clarify|explain|"
    r"enter|repeat|spell|list|indicate|select|choose|pick|name|take|grab|collect|supply|mention|narrow|verify|point)\b"
    r"|(?:would|do) you mind\b|mind (?:telling|sharing|giving)\b"
    r"|\b(?:i|we)(?:['’](?:d|ll))?(?: (?:would|will|also|just|still|only|really|do|first|now|then|might|may|am|are|should)){0,3} "
    r"(?:need(?:ing)?|have|love|like|want|going to need|require|requires)(?: to (?:know|ask|get|confirm|have|hear|understand|learn|collect|find out|verify|check)\b| (?:your|a (?:few|little|bit)|one more|some (?:more )?(?:info|details)|the)\b)"
    r"|\b(?:i|we)(?:['’]m|['’]re| am| are| was| were)? (?:(?:just|also) )?(?:wonder(?:ing)?|curious|asking)\b|^(?:just )?(?:wondering|curious)\b"
    r"|\b(?:it|that) (?:would|['’]d)? ?(?:help|be (?:helpful|useful|great|good)|helps)(?: me| us| a lot)? (?:to know|if (?:i|we) knew|if you (?:could )?(?:tell|share|told|shared))\b"
    r"|\b(?:i|we) (?:still )?(?:don['’]t|do not) (?:have|know) (?:your|the|what|when|where|who|how)\b",
    re.IGNORECASE,
)
"""A question that is put as a wish, or as whether one may ask."""

IMPERATIVE: Final = re.compile(
    r"(?:please |kindly |do |just |go ahead and |also )?(?:let (?:me|us) (?:also )?know|(?:tell|give) (?:me|us)|say (?:the|your|which|what|when|where|how)\b|share|provide|send (?:me|us|over)|specify|enter|confirm|"
    r"describe|state|type(?: in)?|choose|select|pick|indicate|fill (?:in|out)|reply with|remind (?:me|us)|name|list|verify|rate|input|write|clarify|explain|elaborate)\b",
    re.IGNORECASE,
)
"""A question that is put as a request."""

IMPERATIVE_ASKS: Final = re.compile(
    r"\b(?:your?|which|what|when|where|who|whom|whose|how|whether|if|a|an|the|one|it|them|more|some|any|me|us|between)\b",
    re.IGNORECASE,
)

BARE: Final = re.compile(
    r"(?:your|the|a) [\w'’ -]{2,60}?,? ?(?:as well,? ?|too,? ?)?(?:please|if you (?:don['’]t mind|would))\b|[\w'’ -]{2,40}, please$",
    re.IGNORECASE,
)
"""A noun and "please": "Your PIN as well, please."."""

COURTESY: Final = re.compile(
    r"\b(?:any ?thing|something|what|how|any other way)\b(?: \w+){0,3}? (?:else|more|other|further)\b"
    r"|\b(?:is|was) (?:that|this|it) (?:all|everything|it)\b(?! (?:right|correct|ok))|\bwill (?:that|this) be all\b|\bthat be all\b|\ball (?:set|good|done)\b"
    r"|\b(?:make|makes|making) sense\b|\b(?:sound|sounds|sounding|look|looks|seem|seems) (?:good|ok|okay|right|fair|reasonable|alright|great|like a plan)\b"
    r"|\b(?:how|what|where) (?:can|may|could|else can|might|shall|would|do|should) (?:i|we|you)(?: like me to)? (?:\w+ )?(?:help|assist|do for you|be of (?:help|service)|start|begin|get started)\b"
    r"|\b(?:can|may|could) (?:i|we) (?:help|assist|be of)\b|\bwhat brings you\b|\bhow are (?:you|things)\b|\bhow(?:['’]s| is) (?:it going|your day|everything|that|this)\b"
    r"|\bany (?:other |more |further |additional )?(?:questions?|concerns?|issues?|help|assistance|thoughts)\b|\banything (?:i|we) can\b|\bneed (?:any )?(?:help|assistance|anything)\b"
    r"|\b(?:does|did|is|was) (?:that|this|it) (?:help|answer|clear|helpful|useful|work for you)\b|\b(?:ready|shall we)(?: to)? (?:begin|start|go|proceed|continue|get started|dive)\b"
    r"|\bwhy (?:not|does (?:this|that) matter)\b|\bguess what\b|\bwho knows\b|\bright away\?|\bfeel free\b|\bisn['’]t (?:that|it) (?:great|nice|wonderful)\b",
    re.IGNORECASE,
)
"""A question that wants nothing in particular."""

LET_KNOW: Final = re.compile(
    r"\blet (?:me|us) (?:also )?know (?:if|whether|when|how|should|once|what you think|what you(?:['’]d| would) like to do)\b|\bif (?:you|there)\b[^.?!]{0,60}\b(?:let|tell|contact|reach|feel)\b|\bfeel free\b"
    r"|\bdon['’]?t hesitate\b|\bplease (?:hold|wait|note|allow|be|enjoy|have|call|contact|visit|see|find|try|keep|stay|bring)\b",
    re.IGNORECASE,
)
"""Requests that leave it to the user."""

OFFER: Final = re.compile(
    r"\b(?:shall|should|can|may|could|might|do you want|would you like|want) (?:i|we|me to|us to|for me to)\b(?! (?:please )?(?:have|get|ask|know|take|grab|collect|see your|go with|call you|expect))"
    r"|\bwould you (?:like|prefer|want) (?:to (?:see|hear|book|reserve|schedule|try|proceed|continue|go ahead|search|look|set up|purchase|buy|know|receive|learn|speak|talk|get)|that|it|me|us|one|a copy|more)\b"
    r"|\b(?:do|did|would) you (?:want|like) (?:to (?:see|hear|book|reserve|schedule|try|proceed|continue|go ahead|search|look|set up|purchase|buy|receive)|me|us)\b"
    r"|\b(?:interested in|how about|what about) (?:a|an|that|this|trying|seeing|booking|hearing|another|the)\b|\bwould (?:that|this|it|either|one of|any of)[\w ,'’-]{0,40} (?:work|help|suit|be ok|be okay|be fine|be good|do|interest)\b"
    r"|\b(?:does|do|will) (?:that|this|it|either|any|one of)[\w ,'’-]{0,40} (?:work|suit|interest|appeal|do)\b|\bis (?:that|this|it) (?:ok|okay|fine|alright|acceptable|something)\b",
    re.IGNORECASE,
)
"""A question that proposes something."""

TAG: Final = re.compile(
    r"(?<=[\s,;–—-])(?:right|correct|yes|yeah|ok|okay|no|am i right|is that (?:right|correct|so)|is(?:n['’]t| not) (?:it|that (?:right|so))|are(?:n['’]t)? you|do(?:n['’]t)? you|did(?:n['’]t)? you|have(?:n['’]t)? you)\s{0,4}[?？]{1,8}$",
    re.IGNORECASE,
)
"""The end that makes a statement a question: ", right?"."""

CHECK: Final = re.compile(
    r"\b(?:just to|to|let me(?: just)?|i(?:['’]d| would)? (?:just )?(?:like|want) to|can i(?: just)?|i just want to) (?:be (?:clear|sure)|confirm|double[- ]?check|clarify|verify|make sure|recap|repeat|read (?:that|it|this) back)\b"
    r"|\b(?:is|are|was|were) (?:that|this|it|these|those|everything|all (?:of )?(?:that|this)|the (?:above|details|information|following)|all the details)(?: \w+)? (?:right|correct|accurate|true|still)\b"
    r"|\bdid i (?:get|understand|hear|read)\b|\bhave i (?:got|understood)\b|\bdo i (?:have|understand) (?:that|this|it|you)\b|\bam i (?:right|correct)\b|\bdo you mean\b|\bdid you (?:mean|say)\b|\byou(?:['’]re| are) saying\b|\byou said\b"
    r"|\b(?:can|could|would) you (?:please )?(?:confirm|verify) (?:that|this|it|if|whether)\b|\bplease confirm (?:that|this|if|whether)\b",
    re.IGNORECASE,
)
"""A question that reads back."""

STATED: Final = re.compile(
    r"(?:that['’]s|that is|that was|that would be|that makes|it['’]s|it is|this is|you['’]re|you are|you want|you need|you would|you['’]d|you have|you were|you prefer|you['’]ll|you will|your [\w'’ -]{2,40}? (?:is|are|was)|"
    r"we['’]re|we are|we have|i have|i['’]ve|there are|there is|there['’]s|i understand)\b",
    re.IGNORECASE,
)
"""A statement, which only its question sign makes a question."""

SPLIT: Final = re.compile(
    r"(?<!\s)(?:\s*[,;]\s*|\s+)(?:and|or|also|&|plus)(?:,? (?:also|then|finally|lastly))?\s+(?=(?:(?:at|for|on|in|to|from|with) )?(?:what|when|where|who|whom|how|which|why)\b|(?:do|are|is|will|would|can|could|did|have|has|should) (?:you|your|there|the|it|this|i|we)\b)"
    r"|(?<!\s)\s*[,;]\s*(?=(?:(?:at|for|on|in|to|from|with) )?(?:what|when|where|who|whom|how|which)\b)",
    re.IGNORECASE,
)
"""Where one sentence asks a second question."""

SUBORDINATE: Final = re.compile(
    r"(?:if|once|when|after|before|since|because|as|while|unless|until)\b", re.IGNORECASE
)

OTHER_ASK: Final = re.compile(
    r"(?:吗|嗎|呢|么)[。．.]?$|请问|請問|请(?:告诉|提供|输入|选择|说明|告知)|請(?:告訴|提供|輸入|選擇|說明|告知)|(?:ですか|ますか|でしょうか|ませんか)[。．.]?$|(?:教えて|お聞かせ|ご記入|ご入力|お知らせ)(?:ください|下さい)"
    r"|(?:까요|니까|나요|세요|은가요|인가요|는지요)[.。]?$|(?:알려|말씀해|입력해) ?주"
    r"|\b(?:podría|podrías|puede|puedes|me puede|me puedes)\b[^.]{0,20}\b(?:decir|indicar|dar|facilitar|proporcionar|confirmar)|\b(?:dígame|dime|indíqueme|indícame|facilíteme|proporcione)\b"
    r"|\b(?:pourriez|pouvez|peux|pourrais)[- ](?:vous|tu)\b|\b(?:veuillez|merci de) (?:indiquer|fournir|préciser|me|nous|donner|saisir|communiquer)\b"
    r"|\b(?:könnten|können|würden) sie\b|\b(?:nennen|geben|sagen|teilen|verraten) sie\b|\b(?:nenn|gib|sag|verrat)e? mir\b"
    r"|\b(?:poderia|pode|podes)\b[^.]{0,20}\b(?:dizer|informar|indicar|fornecer|confirmar)|\b(?:informe|diga-me|indique)\b"
    r"|\b(?:potrebbe|può|puoi|potresti)\b[^.]{0,20}\b(?:dirmi|dire|fornire|indicare|darmi|confermare)|\b(?:mi dica|dimmi|indichi)\b"
    r"|\b(?:скажите|подскажите|укажите|уточните|назовите|сообщите)\b|\bkunt u\b|\bkun je\b",
    re.IGNORECASE,
)
"""How other languages ask without a sign."""

OTHER_HINTS: Final = (
    "puede", "dime", "proporcione", "pourriez", "pouvez", "peux", "pourrais", "veuillez", "merci de", "sie", "mir", "pode",
    "informe", "diga-me", "indique", "potrebbe", "puoi", "potresti", "mi dica", "dimmi", "indichi", "kunt u", "kun je",
)  # fmt: skip
"""Of which one stands in any ASCII text that `OTHER_ASK` finds something in."""

INDIRECT_HINTS: Final = (
    "tell", "share", "give", "let ", "provid", "send", "confirm", "specif", "describ", "remind", "get", "have", "ask", "know", "stat",
    "elaborat", "walk", "clarif", "explain", "enter", "repeat", "spell", "list", "indicat", "select", "choos", "pick", "nam", "tak",
    "grab", "collect", "suppl", "mention", "narrow", "verif", "point", "mind", "need", "love", "like", "want", "requir", "wonder",
    "curious", "help", "told",
)  # fmt: skip
"""Of which one stands in any text that `INDIRECT` finds something in."""

INDIRECT_SPEAKS: Final = re.compile(r"\b(?:i|we|you|it|that|mind|wondering|curious)\b")
"""Of which one stands as well in any text in small letters that `INDIRECT` finds something in."""

OTHER_CONFIRM: Final = re.compile(
    r"对吗|對嗎|是吗|是嗎|对吧|正确吗|よろしいですか|合ってい?ますか|맞나요|맞습니까|\b(?:verdad|correcto|no es así|es correcto|cierto)\s*\?|\b(?:richtig|korrekt|stimmt das|nicht wahr|oder)\s*\?|\b(?:n['’]est-ce pas|c['’]est (?:bien )?(?:ça|exact|correct)|correct|exact)\s*\?"
    r"|\b(?:certo|correto|não é|giusto|corretto|vero)\s*\?|\b(?:верно|правильно|так)\s*\?",
    re.IGNORECASE,
)
OTHER_COURTESY: Final = re.compile(
    r"还有(?:什么|其他|别的)|還有(?:什麼|其他|別的)|(?:有什么|有什麼)(?:可以|能)|(?:可以|能)(?:为|為|帮)您|他に(?:何か)?|何かお(?:手伝い|困り)|더 (?:도와|필요|궁금)|무엇을 도와|\b(?:algo|alguna cosa) más\b|\ben qué (?:puedo|podemos)\b|\b(?:noch etwas|sonst noch|weiterhelfen|behilflich)\b|\bwie kann ich\b"
    r"|\bautre chose\b|\bcomment puis-je\b|\b(?:mais alguma|algo mais|posso ajudar|em que posso)\b|\b(?:qualcos['’]altro|posso aiutar|come posso)\b|(?:что-нибудь|что-то|чем[- ]?то) ещ[её]|чем (?:я )?могу",
    re.IGNORECASE,
)
