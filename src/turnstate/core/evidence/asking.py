"""What a message asks: its questions, one part each, in the user's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 4_000
"""Characters of a message in which questions are looked for, at its end."""

_WH_EN: Final = r"(?:what(?:'s|’s)?|when|where(?:'s|’s)?|who(?:'s|’s|m|se)?|why|which|how(?:'s|’s)?|(?:for|by|in|on|at|from|to|until|since|with) (?:what|which|how|whom|when))"
_AUX_EN: Final = (
    r"(?:(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|had|am|isn't|aren't|don't|doesn't|can't|won't)"
    r"\s+(?:you|i|we|it|there|they|he|she|this|that|these|those|the|your|our|my|all|any|an?|one|both|each|every|\w+ing|[A-Z]\w+|\w+s))"
)
_WH_DE: Final = (
    r"(?:was|wann|wo|wer|wem|wen|wessen|warum|wieso|weshalb|wie|wieviele?|welche[rsmn]?|wohin|woher|womit|wofür|wozu|worauf|worin|wovon|wodurch|"
    r"(?:ab|bis|seit|für|in|an|mit|bei|auf|zu|von|aus|nach) (?:wann|wem|wen|wie|was|welche[rsmn]?|wo))"
)
_AUX_DE: Final = (
    r"(?:(?:ist|sind|war|waren|kann|können|könnt|könnten?|gibt|gibt's|habt|haben|hat|darf|dürfen|muss|müssen|soll|sollen|wird|werden|würden?|bietet|bieten|unterstützt|"
    r"unterstützen|lässt|lassen|funktioniert|kostet|läuft|geht|braucht|brauche|brauchen|gilt|gehört|enthält|speichert|speichern|bekomme|erhalte|verwendet|nutzt|habe)\s+\w+)"
)
_LEAD: Final = re.compile(
    r"(?:(?:and|but|also|so|ok(?:ay)?|hi|hello|hey|please|well|great|thanks|thank you|by the way|plus|or|then|one more thing|quick question|und|aber|also|oder|hallo|guten tag|bitte|danke|"
    r"außerdem|übrigens|noch eine frage|kurze frage|sowie)\b[\s,:.!–-]*)+",
    re.IGNORECASE,
)
_OPENS: Final = re.compile(rf"(?:{_WH_EN}|{_AUX_EN}|{_WH_DE}|{_AUX_DE})\b", re.IGNORECASE)
_REQUESTS: Final = re.compile(
    r"\b(?:tell (?:me|us)|(?:i|we)(?:'d| would)? (?:like|want|need|love) to (?:know|understand|learn|see|hear)|(?:i|we) (?:wonder|was wondering|am wondering|'m wondering|were wondering)|"
    r"i'm curious|curious (?:about|how|what|whether|if)|explain|describe|remind me|show me|let me know|interested in (?:knowing|how|what|whether|the)|"
    r"(?:give|send) (?:me|us) (?:the |an? |some |your |more )?(?:details?|info\w*|overview|list|price\w*|numbers?)|"
    r"(?:ich|wir) (?:möchten?|würden?|wollen?|will|müssen?|muss|hätten?)\b.{0,30}\b(?:wissen|erfahren|verstehen)|sag(?:en|t)? (?:sie )?(?:mir|uns)|erklär(?:en|t|e)? (?:sie )?(?:mir|uns)|"
    r"nenn(?:en|t|e)? (?:sie )?(?:mir|uns)|mich (?:würde )?interessier\w+|uns (?:würde )?interessier\w+|(?:ich|wir) frag(?:e|en) (?:mich|uns))\b",
    re.IGNORECASE,
)
_ZH: Final = re.compile(
    r"吗|呢\W*$|么\W*$|什么|怎么|怎样|多少|多久|多长|多大|多快|多高|几[个天次种人台点年月小岁号]|哪|是否|能否|可否|能不能|可不可以|有没有|会不会|是不是|要不要|行不行|如何|为什么|为何|何时|谁|请问|想知道|想了解|想问|告诉我|介绍一下"
)
_HAN: Final = re.compile("[\u3400-\u9fff]")
_SENTENCE: Final = re.compile(r"(?<=[?？!！。؟])\s*(?=\S)|(?<=[.;；])\s+(?=\S)|\n+")
_SIGN: Final = re.compile(r"[?？؟]\W*$")
_SPLIT: Final = re.compile(
    rf"(?:\s*[,;–—-]+\s*|\s+)(?:and|or|but|plus|und|oder|aber|sowie)\s+(?:also\s+|then\s+|if so,?\s+|auch\s+|wenn ja,?\s+|dann\s+)?(?={_WH_EN}\b|{_AUX_EN}\b|{_WH_DE}\b|{_AUX_DE}\b|\w+t\s+ihr\b|\w+en\s+(?-i:Sie)\b)|"
    rf"\s*[,;–—]\s+(?:also\s+|auch\s+)?(?={_WH_EN}\b|{_AUX_EN}\b|{_WH_DE}\b|{_AUX_DE}\b|\w+t\s+ihr\b|\w+en\s+(?-i:Sie)\b)",
    re.IGNORECASE,
)
_SPLIT_ZH: Final = re.compile(r"[，,；;、]\s*(?:而且|并且|另外|还有|以及|同时|还想知道|那么|那)?")
_TELLS: Final = re.compile(
    r"(?:we|i|our|my|wir|ich|unser|unsere|mein|meine)(?:'re|'m|'ve)?\s+\w+.*", re.IGNORECASE | re.DOTALL
)
_POINTS: Final = re.compile(
    r"\b(?:it|its|they|them|their|that|this|these|those)\b|\b(?:es|er|(?-i:sie)|ihn|ihm|(?:das|dies(?:e[rsmn]?)?)(?!\s+(?-i:\w*[A-ZÄÖÜ]))|"
    r"dafür|davon|dazu)\b|它|这|那个?|其(?![他它中实])",
    re.IGNORECASE,
)
_EXPLETIVE: Final = re.compile(
    r"\bis it possible|\bit take|\bdoes it cost to|\bis there|\bgibt es|\bist es möglich|\bgeht es|\bdauert es|\bkann es sein|\bthis (?:month|week|year|quarter)|"
    r"\b(?:wird|werden|sind|haben|können|bieten|speichern|unterstützen|stellen|müssen|dürfen|nutzen|verwenden|geben|machen|sollen|liefern|berechnen|hosten) sie\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AskedPart:
    """One thing that a message asks.

    Attributes:
        question: in the user's words.
        about: what it points back to with "it" or "that": the part before; "" where it stands alone.
        points: whether it points back at all.
    """

    question: str
    about: str = ""
    points: bool = False

    @property
    def query(self) -> str:
        """What to search for."""
        return f"{self.question} {self.about}".strip()


def asked_parts(message: str) -> tuple[AskedPart, ...]:
    """The things that `message` asks, in order; none where it asks nothing.

    Args:
        message: any text.
    """
    parts: list[AskedPart] = []
    for sentence in _SENTENCE.split(message[-LONGEST:]):
        if not _asks(sentence):
            continue
        for place, clause in enumerate(_clauses(sentence.strip())):
            # In Chinese what a clause is about is not said again.
            points = bool(_POINTS.search(_EXPLETIVE.sub("", clause)) or (place and _HAN.search(clause)))
            before = parts[-1] if parts and points else None
            about = "" if before is None else f"{before.question} {before.about}".strip()
            parts.append(AskedPart(clause, about, points))
    return tuple(parts)


def _asks(text: str) -> bool:
    if not re.search(r"\w", text):
        return False
    if _SIGN.search(text) or _REQUESTS.search(text):
        return True
    if _HAN.search(text):
        return _ZH.search(text) is not None
    lead = _LEAD.match(text.strip())
    opened = text.strip()[lead.end() :] if lead else text.strip()
    return _OPENS.match(opened) is not None and not re.match(
        r"(?:when|wie|was|where|who|which|da|als|wenn|das ist)\b.*,", opened, re.IGNORECASE
    )


def _clauses(text: str) -> Iterator[str]:
    """The questions of a sentence; what is told before the first one is left out."""
    split = _SPLIT_ZH if _HAN.search(text) else _SPLIT
    pieces: list[str] = []
    begin = 0
    for found in split.finditer(text):
        piece = text[begin : found.start()]
        if split is _SPLIT_ZH and not (_ZH.search(piece) and _ZH.search(text[found.end() :])):
            continue
        if len(piece.split()) < 2 and split is _SPLIT:
            continue
        pieces.append(piece)
        begin = found.end()
    pieces.append(text[begin:])
    if len(pieces) > 1 and _tells(pieces[0]):
        pieces = pieces[1:]
    yield from (piece.strip(" ,，;；") for piece in pieces if re.search(r"\w", piece))


def _tells(text: str) -> bool:
    return _TELLS.fullmatch(text.strip()) is not None and not _REQUESTS.search(text)
