"""The words with which people ask, in English, German and Chinese: which of them say nothing of what is asked for.

Written by hand from general language. A word that stands in no list has to be found in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from turnstate.core.search.words import STOP

Language: TypeAlias = Literal["en", "de", "zh", ""]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_GERMAN: Final = _set(
    """
    am auch auf aus bei beim bitte brauche danke das dem den der des die ein eine einem einen einer es euer eure für gehört gibt habe haben
    hat ich ihr im ist kann kostet können könnt mein meine mit möchte nach nicht oder pro sie sind und unser unsere unter von wann warum was
    welche welchen welcher welches wenn wer werden wie wieviel wir wird wo wurde zu zum zur über
    """
)
_ENGLISH: Final = _set(
    """
    about and any are be can could do does for has have how i if is it long many much my of on our please tell the there to we what when
    where which who why will with would you your
    """
)
_HAN: Final = re.compile("[\u3400-\u9fff]")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_WORDS: Final = re.compile(r"[^\W\d_]+")


def language(text: str) -> Language:
    """The language of a question, as far as its commonest words say; "" where they say nothing."""
    if _HAN.search(text):
        return "" if _KANA.search(text) else "zh"
    found = [word.casefold() for word in _WORDS.findall(text)]
    german = sum(word in _GERMAN for word in found)
    english = sum(word in _ENGLISH for word in found)
    if german or english:
        return "de" if german > english else "en"
    return ""


FRAME: Final[Mapping[Language, frozenset[str]]] = {
    "en": (STOP - {"own", "made", "make"})
    | _set(
        """
        able actually allow allowed already always anyone anything anywhere ask asking available believe best better bit bring case check
        clear come comes curious curiously currently describe detail details difference different easily easy elaborate else ever every
        everything exact exactly exist exists explain explanation find fine following friend full generally good great guess happen happens
        hear heard help hope how's i'd i'm i've idea info information instead interested issue it's keep kindly least left let's long longer
        lot maybe mention moment must near necessary never nice offer offered option options ought part particular people per perhaps
        possible possibly precise precisely provide provided put question questions quite rather regarding right see seem show simply
        someone something somewhere soon sort specific specifically still stuff suppose take takes talk team that's there's today together
        topic try trying understand upon us used useful user usual usually various via wanna we'd what's where's whether who's within
        without wonder wondering yeah you've
        """
    ),
    "de": _set(
        """
        aber aktuell alle allen aller alles als also am an anbieten angeboten art arten auch auf aus aussieht automatisch bei beim bekomme
        bekommen bekommt benötige betrifft bevor bezüglich bieten bietet bin bis bitte brauche brauchen braucht circa da dabei dafür damit
        danke dann daran darauf darf darfst das dass davon dazu dem den denn der deren derzeit des dessen dich die dies diese diesem diesen
        dieser dieses dir doch dort du durch dürfen dürft eben eigentlich ein eine einem einen einer eines einfach einmal er erhalte
        erhalten erklären erklärt erst es etwa etwas euch euer eure eurem euren eurer eventuell finden findet frage fragen funktionieren
        funktioniert für ganz gar geben gebt gehen geht gelten genau gern gerne gibt gibts gilt gleich guten hab habe haben habt hallo hat
        hatte hi hier hinsichtlich hinter hätte hätten häufig ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in info information
        informationen infos ins interessieren interessiert irgendwie ist ja jede jeden jeder jederzeit jedes jemand jemanden jetzt kann
        kannst kein keine keinen konkret kriege kriegen können könnt könnte könnten könntet lang lange lassen laufen lässt läuft machen
        macht mal man mein meine meinem meinen meiner mich mir mit muss möchte möchten möglich möglichkeit möglichkeiten müssen müsst nach
        nein nicht nichts noch normalerweise nun nur ob oder oft ohne per pro sag sagen sagt schon sehr seid sein seine selbst sich sie
        sieht sind so soll sollen sollte sollten sonst soviel sowas statt stehen steht tag thema um und ungefähr uns unser unsere unserem
        unseren unserer unter viel viele vielen vielleicht vom von vor wann war warum was weg wegen weil weiter weiß welche welchem welchen
        welcher welches wem wen wenn wer werde werden werdet wie wieder wieso wieviel wieviele will wir wird wirklich wissen wo wobei wofür
        woher wohin womit worauf worin wovon wozu wäre wären würde würden würdet zu zum zur zusammen zwischen über überhaupt
        """
    ),
    "zh": frozenset(),
    "": STOP,
}
"""Words that say nothing of what is asked for; whole words, folded."""

SOFT: Final[Mapping[Language, frozenset[str]]] = {
    "en": _set(
        """
        accept accepted accepts actual amount anymore anyway away big certain common complete consider create created deal depend either
        enable enough entire far happen happens how include included includes including install involve large later lead level little look
        main manage matter meanwhile meet middle mobile much necessary needed offering often organisation organization plan plans point
        possibility practice present process product products quite real receive require required requires run running runs service services
        set side simple single situation size small software support supported supports system systems tool tools typical version whole work
        working works yet
        """
    ),
    "de": _set(
        """
        ablauf akzeptieren akzeptiert angebot anlegen arbeit arbeiten arbeitet bedeutet benutzen bereits beträgt bleiben bleibt braucht
        bringen dauer dauern dauert einrichten einsetzen enthalten enthält erreichbar erstellen ersten folgende gehören gehört gesamte groß
        große großen gültig handelt inbegriffen inklusive insgesamt installieren komme kommen kommt liegt machbar mittel möglich nehmen
        nimmt nutzen nutzt passen passiert plan produkt programm programms punkt sache sofort software stelle stellen stimmt stück system
        systems tarife tun umgehen unterstützen unterstützt verfügbaren verfügung verhält verläuft version verwende verwenden verwendet
        vorhanden weise wollen zeit
        """
    ),
    "zh": frozenset(),
    "": frozenset(),
}
"""Words that may be lacking in the evidence where everything else is there; whole words, folded."""

ZH_FRAME: Final = re.compile(
    "什么时候|介绍一下|可不可以|多长时间|想问一下|我想知道|为什么|会不会|你们的|几点钟|告诉我|多少钱|怎么办|"
    "怎么样|想了解|想知道|我们的|是不是|有没有|的时候|能不能|行不行|要不要|贵公司|一下|一个|一些|一共|东西|"
    "为何|什么|介绍|他们|以及|但是|你们|你好|假如|关于|几个|几天|几次|几点|别人|可以|可否|可能|哪一|哪个|"
    "哪些|哪儿|哪种|哪里|因为|多久|多大|多少|多快|大家|如何|如果|它们|对于|已经|希望|并且|应该|必须|怎么|"
    "怎样|总共|您好|情况|想要|想问|我们|或者|所以|打算|方面|时候|是否|根据|然后|现在|的话|目前|而且|能否|"
    "能够|说说|请问|谢谢|贵司|还是|还有|这个|这些|这样|这种|进行|通过|那个|那么|那些|那样|问题|需要|麻烦|"
    "么|了|吗|吧|呀|呢|哪|啊|嘛|的|谁"
)
"""What a Chinese question says beside what it asks for, longer words first; cut out of it."""

ZH_LIGHT: Final = frozenset(
    "来成您你我他它还都也就才再又很最更太地得着过是有在和与跟及或对把被给让从到向为以于能会要想可请不没用做等个之其该此这那几时上下里中内后前种名位些"
)
"""Signs that say nothing where they are not part of a word that the evidence has."""

ZH_SOFT: Final = _set(
    """
    版本 一般 久 之前 之后 产品 人 以前 以后 使用 元 具体 具备 办理 功能 包含 包括 叫 处理 多 大 大概 大约 天 完成 家 小 少 属于
    带 平时 年 开 得到 快 找 拿 拿到 提供 支持 收到 时候 时间 最多 最大 最少 最长 月 服务 期间 次 用户 直接 看 立即 算 系统 至少
    获得 说 账户 软件 进入 选择 通常 钱 长 需 马上 高
    """
)
"""Chinese words that may be lacking in the evidence where everything else is there."""
