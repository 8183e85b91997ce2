"""What kind of answer a question wants (an amount, a number, a span of time…), and whether a text has one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from turnstate.core.evidence.clusters import same
from turnstate.core.evidence.lexicon import Language
from turnstate.core.evidence.roots import bare, root


class Wanted(StrEnum):
    """The kind of a thing that is asked for."""

    PRICE = "price"
    COUNT = "count"
    DURATION = "duration"
    WHEN = "when"
    OFTEN = "often"
    WHERE = "where"
    WHY = "why"
    WHO = "who"
    SHARE = "share"
    CONTACT = "contact"
    LANGUAGE = "language"
    FORMAT = "format"


_ASKS: Final = tuple(
    (wanted, re.compile(pattern, re.IGNORECASE))
    for wanted, pattern in (
        (
            Wanted.CONTACT,
            (
                r"\b(?:phone|telephone|fax|mobile|hotline) number\b|\be-?mail address\b|\b(?:telefon|fax|handy|durchwahl)\w*nummer\b|"
                r"\be-?mail-?adresse\b|电话号码|电话是多少|邮箱(?:地址)?是"
            ),
        ),
        (
            Wanted.LANGUAGE,
            r"\b(?:which|what|how many) languages?\b|\b(?:welchen?|wie ?vielen?) sprachen?\b|(?:什么|哪些|哪种|几种)语[言种]",
        ),
        (
            Wanted.FORMAT,
            (
                r"\b(?:which|what) (?:file )?(?:formats?|file types?)\b|\bwelche[ns]? (?:datei)?(?:format\w*|dateitypen)\b|"
                r"(?:什么|哪些|哪种)(?:文件)?格式"
            ),
        ),
        (
            Wanted.OFTEN,
            r"\bhow (?:often|frequently)\b|\bwie (?:oft|häufig)\b|多久.{0,6}一次|隔多久|多长时间.{0,6}一次|频率|几次",
        ),
        (Wanted.SHARE, r"\bwhat (?:percentage|percent|share)\b|\bwie ?viel prozent\b|百分之几|百分比"),
        (
            Wanted.DURATION,
            (
                r"\bhow (?:long|soon|quick(?:ly)?|fast|many (?:days|weeks|months|years|hours|minutes)|much time)\b|\bwie (?:lange?|schnell)\b|"
                r"\bwie ?viele? (?:tage|wochen|monate|jahre|stunden|minuten|zeit)\b|多久|多长时间|多少天|几天|多少个?(?:小时|分钟|月|工作日)|多快|几个(?:小时|月|工作日)"
            ),
        ),
        (
            Wanted.PRICE,
            (
                r"\bhow much (?:is|are|does|do|would|will|can|must|should|do|did|to|for|per|extra|more|money)\b|\bhow (?:expensive|cheap)\b|"
                r"\bwhat(?:'s| is| are| does| do| would| will)?\b.*\b(?:costs?|prices?|fees?|charges?)\b|\bhow much\W*$|\bcosts? how much\b|"
                r"\b(?:was|wie ?viel|wieviel) (?:kostet|kosten|zahl\w*|bezahl\w*|muss .*zahlen)\b|\bwie (?:teuer|hoch (?:ist|sind) (?:der|die) (?:preis|gebühr|kosten)\w*)|"
                r"\bwas\b.*\bkoste[tn]\b|\bwelche[mnr]? (?:preis|kosten|gebühr|betrag|summe)\w*|\bwhat (?:amount|sum)\b|多少钱|什么价|价格|价钱|怎么收费|如何收费|费用是?多少|收费标准|要花多少"
            ),
        ),
        (
            Wanted.COUNT,
            r"\bhow (?:many|much|big|large|high|far)\b|\bwie ?(?:viele?[rn]?|groß|hoch|weit)\b|多少|几个|几种|几人|几台|多大|多高|多远",
        ),
        (
            Wanted.WHEN,
            (
                r"\b(?:when|what time|which days?|what days?|until when|since when|by when)\b|\b(?:wann|um wie ?viel uhr|an welche[nm]s? tag\w*|welche uhrzeit\w*)\b|"
                r"什么时候|何时|几点|哪天|哪几天|哪一天|什么时间|几号|哪年"
            ),
        ),
        (
            Wanted.WHERE,
            (
                r"\bwhere\b|\b(?:which|what) (?:country|countries|city|cities|towns?|places?|regions?|locations?|data cent(?:er|re)s?)\b|\b(?:wo|wohin|woher)\b|"
                r"\b(?:in )?welche[mnr]? (?:land|ländern|stadt|region|standort|rechenzentr\w+)\b|哪里|哪儿|在哪|哪个(?:国家|城市|地区)|什么地方"
            ),
        ),
        (Wanted.WHO, r"^\W*(?:and |but |und |aber )?(?:who|whom|whose|wer|wem|wen|wessen)\b|谁|哪家"),
        (
            Wanted.WHY,
            r"\bwhy\b|\bhow come\b|\bwhat(?:'s| is) the reason\b|\b(?:warum|weshalb|wieso|weswegen)\b|为什么|为何|什么原因",
        ),
    )
)
_NUMBER: Final = r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|ein(?:e[nmr]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|half|halbe[ns]?)\b|[一二两三四五六七八九十百千万半])"
_UNIT: Final = r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tag(?:e[ns]?)?|werktage?n?|wochen?|monat(?:e[ns]?)?|jahr(?:e[ns]?)?)\b"
_GIVES: Final = {
    wanted: re.compile(pattern, re.IGNORECASE)
    for wanted, pattern in (
        (Wanted.CONTACT, r"\+?\d[\d\s/().-]{5,}\d|[\w.+-]+@[\w-]+\.\w+"),
        (
            Wanted.LANGUAGE,
            (
                r"\b(?:english|german|french|spanish|italian|dutch|polish|portuguese|chinese|mandarin|japanese|korean|turkish|russian|arabic|"
                r"englisch|deutsch|französisch|spanisch|italienisch|niederländisch|polnisch|portugiesisch|chinesisch|japanisch|türkisch|russisch)\b|"
                r"[中英德法日韩俄西][文语]"
            ),
        ),
        (Wanted.FORMAT, r"\b(?:csv|json|pdf|xlsx?|excel|xml|html|markdown|docx?|word|txt|png|jpe?g|parquet|zip|tiff?|svg|mp[34]|icalendar|ical)\b|[表文]格|图片"),
        (
            Wanted.PRICE,
            (r"[$€£¥￥]\s?\d|\d\s?(?:[$€£¥￥元]|eur\b|usd\b|gbp\b|chf\b|euros?\b|dollars?\b|pounds?\b|cents?\b|块|万元|美元|欧元|percent\b|%)|"
            r"(?:eur|usd|gbp|chf|rmb|cny)\s?\d|\bfree\b|\bno (?:extra |additional )?(?:charge|cost|fee)|\bincluded\b|\bkostenlos|\bkostenfrei|\bgratis\b|\bohne aufpreis|"
            r"\binbegriffen|\benthalten\b|\binklusive\b|(?<!是)免费|不收费|不另收"),
        ),
        (Wanted.COUNT, rf"(?!one\b|eine?[nmr]?\b|half|halbe){_NUMBER}|\bunlimited|\bno (?:upper )?limit|\bany number|\bunbegrenzt|\bbeliebig|\bkeine (?:ober)?grenze|不限|无限|没有上限"),
        (
            Wanted.DURATION,
            (rf"{_NUMBER}[\w\s-]{{0,18}}?{_UNIT}|\d+-(?:day|week|month|year|hour|minute)|(?<!超过)(?<!\d){_NUMBER}[\d.]*\s*(?:个)?(?:秒|分钟|小时|天|日|周|星期|月|个月|年|工作日)|\b(?:immediately|instantly|at once|same day|overnight|forever|indefinitely|"
            r"sofort|umgehend|über nacht|dauerhaft|unbefristet|(?:an?|einen|eine) (?:day|week|month|year|hour|minute|tag|woche|monat|jahr|stunde|minute))\b|立即|即时|实时|马上|当天|当日|永久|长期"),
        ),
        (
            Wanted.WHEN,
            (rf"(?:in|within|after|before|for|until|by|from|since|ahead|nach|binnen|innerhalb(?: von)?|vor|ab|bis|seit|mit (?:einer )?frist von|frist von) (?:about |the |etwa |zu )?{_NUMBER}[\w\s-]{{0,18}}?{_UNIT}|"
                rf"{_NUMBER}[\w\s-]{{0,18}}?{_UNIT} (?:before|after|ahead|earlier|later|vor|nach|vorher|zuvor)|{_NUMBER}[\d.]*\s*(?:个)?(?:秒|分钟|小时|天|周|星期|月|个月|年|工作日)(?:左右)?(?:之?[内后前]|以[内后前]|起|到达|送达)|{_NUMBER}\s*[点号日]|\d{{1,2}}[:.]\d{{2}}|\d\s?(?:am|pm|uhr|o'clock)|\b(?:19|20)\d\d\b|"
            r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|werktag)\w*|"
            r"\b(?:january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)\b|"
            r"\b(?:every|each|daily|nightly|weekly|monthly|quarterly|annually|yearly|midnight|noon|weekends?|immediately|at once|at the (?:end|beginning|start)|on the (?:first|last)|"
            r"as soon as|täglich|nachts|wöchentlich|monatlich|jährlich|vierteljährlich|mitternacht|sofort|wochenende\w*|sobald|zum (?:ende|monatsende|jahresende|ersten)|am (?:ende|ersten|letzten))\b|"
            r"每[天日周月年晚]|周[一二三四五六日末]|星期|月底|月初|年底|凌晨|工作日|立即|当天|次日"),
        ),
        (
            Wanted.OFTEN,
            (r"\b(?:every|each|daily|hourly|nightly|weekly|monthly|quarterly|annually|yearly|once|twice|continuously|real[- ]time|times (?:a|per)|per (?:day|week|month|hour|year)|"
            r"jede[nrs]?|alle|täglich|stündlich|nachts|wöchentlich|monatlich|vierteljährlich|jährlich|einmal|zweimal|mal (?:am|pro|im)|pro (?:tag|woche|monat|stunde|jahr)|laufend|echtzeit)\b|"
            r"每[天日周月年晚小隔半季个两一二三四五六七八九十\d]|一次|实时"),
        ),
        (
            Wanted.WHERE,
            (r"\b(?:in|at|from|near|under|unter|im|bei|aus|auf|on|inside) (?:the |our |der |dem |den )?(?:\*\*)?[A-ZÄÖÜ]|›|>|https?:|www\.|\b(?:page|screen|menu|tab|corner)\b|\b(?:seite|menü|reiter|ecke)\b|"
            r"位于|在[\u4e00-\u9fff]{2,6}(?:的|做)|在[\u4e00-\u9fff]{1,10}(?:市|省|国|区|州|页|中心|菜单|机房)|点击|打开|页面|菜单|设置"),
        ),
        (Wanted.WHO, r"\w"),
        (Wanted.WHY, r"\b(?:because|since|so that|due to|reasons?|therefore|thus|in order|as it|weil|da|damit|denn|deshalb|daher|grund|gründe\w*|wegen|um)\b|因为|由于|以便|为了|原因|因此|所以"),
        (Wanted.SHARE, r"\d\s?(?:%|percent|prozent)|百分之|\d\s?％"),
    )
}  # fmt: skip
_CASED: Final = frozenset({Wanted.WHERE})
_GIVES_CASED: Final = {wanted: re.compile(_GIVES[wanted].pattern) for wanted in _CASED}
_DIGITS: Final = re.compile(r"\d+(?:[.,]\d+)*")


def wanted(question: str) -> Wanted | None:
    """The kind of answer that a question wants; None where any will do."""
    return next((kind for kind, pattern in _ASKS if pattern.search(question)), None)


_CUES: Final = {
    Wanted.DURATION: re.compile(
        r"\bhow (?:long|soon|fast|quick|quickly)\b|\bwie (?:lange?|schnell)\b", re.IGNORECASE
    ),
    Wanted.CONTACT: re.compile(r"\bnumber\b|\baddress\b|(?<=\w)nummer\b|-?adresse\b|号码", re.IGNORECASE),
    Wanted.LANGUAGE: re.compile(r"\b(?:languages?|sprachen?)\b|语[言种]", re.IGNORECASE),
    Wanted.FORMAT: re.compile(
        r"\b(?:file )?(?:formats?|types?)\b|\b(?:datei)?(?:format\w*|typen)\b|(?:文件)?格式", re.IGNORECASE
    ),
    Wanted.WHERE: re.compile(
        r"\b(?:country|countries|city|cities|towns?|places?|regions?|locations?)\b|\b(?:land|ländern|stadt|standort)\b|城市|国家|地区|地方",
        re.IGNORECASE,
    ),
}


def without_cue(question: str, kind: Wanted | None) -> str:
    """A question without the word that only names the kind of its answer: "formats", where CSV is one."""
    cue = None if kind is None else _CUES.get(kind)
    return question if cue is None else cue.sub(" ", question)


def gives(text: str, kind: Wanted | None, question: str, spoken: Language) -> bool:
    """Whether a text has an answer of this kind, other than the numbers of the question itself."""
    if kind is None:
        return True
    said = set(_DIGITS.findall(question))
    rest = _DIGITS.sub(lambda found: "" if found[0] in said else found[0], text) if said else text
    if kind is Wanted.COUNT and (counted := _counted(question, spoken)):
        return _counts(rest, counted, spoken)
    return (_GIVES_CASED if kind in _CASED else _GIVES)[kind].search(rest) is not None


_COUNTED: Final = re.compile(
    r"\b(?:how (?:many|much)|wie ?viele?[rn]?)\s+((?:[^\W\d_]+[\s-]+){0,2}?[^\W\d_]+)"
    r"(?=\s+(?:is|are|was|were|do|does|did|can|could|will|would|should|may|must|has|have|a|an|per|each|with|in|on|for|of|the|"
    r"sind|ist|darf|dürfen|kann|können|hat|haben|habt|gibt|erlaubt|umfasst|sollen|werden|wird|pro|im|in|auf|für|bei|mit|muss|"
    r"that|i|we|you|it|there|already|ich|wir|ihr)\b|\W*$)",
    re.IGNORECASE,
)
_COUNTED_ZH: Final = re.compile(r"(?:多少|几)(?:个|名|家|位|种|台)?([\u4e00-\u9fff]{1,2})")
_OTHER_UNIT: Final = rf"(?!\d|[.,:]\d|[\s-]*{_UNIT}|\s*(?:[%€$£¥元]|percent|prozent|euro|dollar|uhr|am\b|pm\b|秒|分钟|小时|天|日|周|月|年|点|个月|个?工作日))"
_NUMERAL: Final = re.compile(
    rf"(?<![$€£¥.,:\d])(?!one\b|eine?[nmr]?\b){_NUMBER}[\d.,]*{_OTHER_UNIT}", re.IGNORECASE
)
_BOUNDLESS: Final = re.compile(
    r"\bunlimited|\bnot limited|\bno (?:upper )?limit|\bany number|\bunbegrenzt|\bbeliebig|\bkeine (?:ober)?grenze|\bbegrenzt\b|不限|无限|没有上限",
    re.IGNORECASE,
)
NEAR: Final = 40
"""Characters between a number and what it counts."""

_ZH_MEASURES: Final = "米次人元台度兆行条份级岁块页"


def _counted(question: str, spoken: Language) -> str:
    """What a question wants the number of; "" where it does not say."""
    if spoken == "zh":
        found = _COUNTED_ZH.search(question)
        return "" if found is None else found[1]
    found = _COUNTED.search(question)
    return "" if found is None else re.split(r"[\s-]+", found[1])[-1]


def _counts(text: str, counted: str, spoken: Language) -> bool:
    """Whether a text has a number of what is counted, close to it."""
    if spoken == "zh" and counted[0] in _ZH_MEASURES:
        return re.search(rf"\d\s*[名个]?{counted[0]}", text) is not None
    if spoken == "zh":
        reach, named = 8, [(at, at + len(counted)) for at in _places(text, counted)]
    else:
        sought = root(bare(counted), spoken)
        words = re.finditer(r"[^\W\d_]+", text)
        reach, named = (
            NEAR,
            [word.span() for word in words if same(root(bare(word[0]), spoken), sought, spoken)],
        )
    numbers = [found.span() for pattern in (_NUMERAL, _BOUNDLESS) for found in pattern.finditer(text)]
    return any(
        first - reach <= end and start <= last + reach for first, last in named for start, end in numbers
    )


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
