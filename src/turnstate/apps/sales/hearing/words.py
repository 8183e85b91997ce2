"""A message as it is read: the buyer's own words, sentence by sentence, and whether a place in them states anything."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, NamedTuple

from turnstate.core.facts import Span, sentences
from turnstate.core.rules.speaker import own_words

LONGEST: Final = 8_000
"""Characters of a message that are read: what is longer is no message but a document."""

_NEAR: Final = 300
"""Characters to either side of a place that say whether it is stated."""

_ALIKE: Final = str.maketrans(
    {**dict.fromkeys("’‘ʼ´`′＇", "'"), **dict.fromkeys("“”„«»", '"'), "\u00a0": " ", "\u202f": " "}
)
_CODE: Final = re.compile(r"```[^`]{0,4000}```")
_CLAUSE: Final = re.compile(
    r"[;:()\n]|\s[–—-]{1,2}\s|[–—]|,\s+|\s(?=(?:but|so|because|although|though|since|while|whereas|and\s+(?:we|i|our|my|it|that|this|the|now|then|they|he|she|two|three|could|can|do|does|what|how|is))\b)",
    re.IGNORECASE,
)
_ASIDES: Final = re.compile(
    r"\bif (?:(?:all|everything|things) (?:goes?|works?|turns? out|runs?)(?: out)?(?: well| to plan| right| smoothly| as planned)?|i (?:already )?(?:mentioned|said|told you)|i['’]m (?:being )?honest|i am honest|that helps|needed|need be|necessary|possible|at all possible|i had to (?:guess|say|put)[^,.]{0,20}|"
    r"i (?:remember|recall) (?:correctly|right|rightly)|you must know|you need a (?:number|figure|date)|you ask me|you['’]re asking|you like|pressed|"
    r"not (?:sooner|earlier|more|before|less)|anything|i may|not mistaken|i['’]m not mistaken|you will|you want to know|not)\b",
    re.IGNORECASE,
)
_IF: Final = re.compile(r"\b(?:if|unless|wenn|falls|si|se)\b", re.IGNORECASE)
_SUPPOSE: Final = re.compile(
    r"\b(?:suppose|supposing|imagine|hypothetically|what if|say (?:we|i) had|i wish|we wish|i doubt|we doubt|had (?:we|i) (?=[$€£\d]|(?:a|the|more|enough)\b)|if only|in an ideal world|theoretically|"
    r"in theory|(?:would|could|might|should) have had|were to)\b",
    re.IGNORECASE,
)
_WOULD: Final = re.compile(r"\b(?:would|could|might|(?:we|i|it|they)'d)\b", re.IGNORECASE)
_WILLING: Final = re.compile(
    r"\b(?:would|'d) (?:\w+ )?(?:pay|spend|invest|go|do|stretch|put)\b", re.IGNORECASE
)
_IF_AFTER: Final = re.compile(r"[^.]{0,40}\bif (?:we|i|it|they|you|only)\b", re.IGNORECASE)
_SUBJUNCTIVE: Final = re.compile(
    r"^\s*(?:we|i|they|it|you|our \w+|the \w+) (?:had|were|could)(?! to\b)\b", re.IGNORECASE
)
_THEN: Final = re.compile(r",|\bthen\b", re.IGNORECASE)
_CEILING: Final = re.compile(
    r"\b(?:more than|over|above|beyond|exceed|past|later than|beyond|longer than|less than|fewer than|until|till|just|only|a penny over|a penny more than)\s+(?:\S+\s+){0,2}$",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"(?:\b(?:not|never|no longer|without|nor|neither|cannot|cant|dont|wont|isnt|havent|doesnt|nowhere near|far from|anything like)|n't)\s+"
    r"(?:(?:even|really|actually|going|able|to|be|been|have|has|got|the|our|a|an|need|want|wait|take|spend|do|it|for|about|in|by|at|quite|yet|this|that|as|as much as|afford|given|another|full|budget|of|is|was|spare|work|mean|say|live|go|promise|guarantee|commit|justify|get|find|reach|stretch|offer|pay)\s+){0,5}$",
    re.IGNORECASE,
)
_OTHERS: Final = re.compile(
    r"\b(?:(?:a|my|our|another|some|one of (?:my|our)|that|this|the|your|their|his|her) (?:\w+ ){0,2}?(?:friend|mate|colleague|competitor|rival|neighbou?r|customer|client|"
    r"cousin|brother|sister|wife|husband|vendor|supplier|provider|company down the road|sister company|former employer|"
    r"old (?:company|job|firm|employer)|previous (?:company|job|firm|employer)|last (?:company|job|firm|employer))s?(?:'s?)?"
    r"|your (?:competition|competitors?|rivals?|other customers|customers|clients)|competitors|other (?:vendors|companies|customers|people|firms|suppliers)|"
    r"(?:he|she|they) (?:has|have|had|said|says|quoted?|charged?|pays?|paid|want(?:s|ed)?|went|need(?:s|ed)?|got|spent|spends?|do(?:es)?|did)|some(?:one|body)(?: else)?)\b",
    re.IGNORECASE,
)
_WHOSE: Final = re.compile(
    r"\s+(?:of mine|of ours|who|that|with|whose|has|had|said|went|got|paid|pays|used|uses|is|was|costs?|charges?|takes?)\b",
    re.IGNORECASE,
)
_SELF: Final = re.compile(r"\b(?:we'?re|we are|i'?m|i am|as|being|run|own|for|at)\s+$", re.IGNORECASE)
_OWN: Final = re.compile(r"\b(?:we|us|i|i'm|we're|our own|my own)\b", re.IGNORECASE)
_ASKS: Final = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|hi|hello|hey|also|well|please|then|great|thanks|right|yes|no)\b[\s,!.]*){0,4}"
    r"(?:(?:is|are|was|were|do|does|did|can|could|would|will|should|shall|may|might|has)(?:n't)?\s(?:it|you|your|there|the|we|this|that|these|they|i|our|my|he|she|any\w*|some\w*)|have (?:you|we|they)|am i"
    r"|(?:what|where|when|which|who|why|how)(?:'s|\s(?:is|are|was|were|do|does|did|can|could|would|will|should|about|much|many|long|soon|often|come|to|if|kind|sort|else|\w+\s(?:is|are|do|does|did|can|will))\b))",
    re.IGNORECASE,
)


def spoken(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """A pattern of English words, in any case, that also reads what is typed without its apostrophe ("dont", "im")."""
    loose = re.sub(r"(?<=[a-z])n't", "n'?t", pattern)
    loose = re.sub(
        r"\b(i'm|it's|that's|there's|what's|i've|we've|let's)\b",
        lambda match: match[0].replace("'", "'?"),
        loose,
    )
    return re.compile(loose, re.IGNORECASE | flags)


_TENTATIVE: Final = re.compile(
    r"\W*(?:(?:um+|uh|hm+|well|so|oh|and|ok|yeah)\b[\s,.]*){0,4}(?:maybe|perhaps|probably|about|around|roughly|something like|i think|i guess|i'd say|i would say|let's say|say|somewhere)\b",
    re.IGNORECASE,
)


class Expected(NamedTuple):
    """What was asked for.

    Attributes:
        first: what a bare answer is one to.
        all: what else an answer may be to.
    """

    first: frozenset[str] = frozenset()
    all: frozenset[str] = frozenset()


class Sentence(NamedTuple):
    """One sentence, and whether it asks."""

    start: int
    end: int
    asks: bool


class Found(NamedTuple):
    """Something of interest in a message.

    Attributes:
        kind: as `Mention` has it.
        said: the words that are the value.
        quote: the words around it that say so.
        value: for a dimension its score.
        corrects: whether it takes an earlier value back.
        label: what stands for the value, where that is not its words.
    """

    kind: str
    said: Span
    quote: Span
    value: int = 0
    corrects: bool = False
    label: str = ""


class Place(NamedTuple):
    """A span with what stands around it.

    Attributes:
        span: where.
        said: its words.
        lead: what stands before it in its sentence.
        tail: what stands after it.
        near: its clause.
        wide: its sentence, as far as it is near.
        brief: the words of the whole message, in number.
    """

    span: Span
    said: str
    lead: str
    tail: str
    near: str
    wide: str
    brief: int


@dataclass(frozen=True, slots=True)
class Words:
    """A message that is read for one thing after another.

    Attributes:
        text: the buyer's own words, as long as the message; what is not theirs is blank, signs of one meaning are one.
        sentences: its sentences.
        brief: its words, in number.
    """

    text: str
    sentences: tuple[Sentence, ...]
    brief: int

    def sentence_at(self, place: int) -> Sentence:
        """The sentence around a code point."""
        index = bisect_right(self.sentences, (place, len(self.text) + 1, True)) - 1
        return self.sentences[index] if index >= 0 else Sentence(0, len(self.text), asks=False)

    def before(self, place: int) -> Sentence | None:
        """The sentence before the one around a code point."""
        index = bisect_right(self.sentences, (place, len(self.text) + 1, True)) - 2
        return self.sentences[index] if index >= 0 else None

    def clause_at(self, span: Span) -> Span:
        """The clause around a span, at most so many characters to either side."""
        sentence = self.sentence_at(span.start)
        start = max(sentence.start, span.start - _NEAR)
        end = min(max(sentence.end, span.end), span.end + _NEAR)
        for cut in _CLAUSE.finditer(self.text, start, end):
            if cut.end() <= span.start:
                start = cut.end()
            elif cut.start() >= span.end:
                end = cut.start()
                break
        return Span(start, end)

    def lead(self, span: Span) -> str:
        """What stands before a span in its sentence, at most 160 characters."""
        return self.text[max(self.sentence_at(span.start).start, span.start - 160) : span.start]

    def tail(self, span: Span) -> str:
        """What stands after a span in its sentence, at most 80 characters."""
        return self.text[span.end : min(max(self.sentence_at(span.start).end, span.end), span.end + 80)]

    def place(self, span: Span) -> Place:
        """The span with what stands around it."""
        clause, lead, tail = self.clause_at(span), self.lead(span), self.tail(span)
        near = self.text[max(clause.start, span.start - 120) : min(clause.end, span.end + 70)]
        said = self.text[slice(*span)]
        return Place(span, said, lead, tail, near, lead[-120:] + said + tail[:60], self.brief)

    def quote(self, span: Span) -> Span:
        """The sentence around a span, or its clause where the sentence is long."""
        sentence = self.sentence_at(span.start)
        whole = Span(sentence.start, max(sentence.end, span.end))
        if whole.end - whole.start > 240:
            whole = self.clause_at(span)
        if whole.end - whole.start > 240:
            whole = Span(max(whole.start, span.start - 100), min(whole.end, span.end + 100))
        return Span(min(whole.start, span.start), max(whole.end, span.end))

    def supposed(self, span: Span) -> bool:
        """Whether it is only supposed: "if we had $100k"."""
        lead = _ASIDES.sub(lambda match: " " * len(match[0]), self.lead(span))
        if _SUPPOSE.search(lead):
            return True
        conditions = list(_IF.finditer(lead))
        if not conditions:
            return bool(
                not _WILLING.search(lead[-50:])
                and _WOULD.search(lead[-40:])
                and _IF_AFTER.match(self.tail(span))
            )
        after = lead[conditions[-1].end() :]
        if _SUBJUNCTIVE.search(after):
            return True
        then = _THEN.search(after)
        return then is None or _WOULD.search(after[then.end() :]) is not None

    def anothers(self, span: Span) -> bool:
        """Whether it is said of another: "a friend has a budget of…"."""
        lead = self.text[self.clause_at(span).start : span.start][-160:]
        others = list(_OTHERS.finditer(lead))
        if not others or _OWN.search(lead, others[-1].end()):
            return False
        start, end = others[-1].span()
        if _SELF.search(lead[:start]):
            return False
        return not _OWN.search(lead[:start]) or _WHOSE.match(lead, end) is not None

    def negated(self, span: Span) -> bool:
        """Whether it is denied; "no more than" denies nothing."""
        lead = self.lead(span)[-70:]
        return _NEGATED.search(lead) is not None and not _CEILING.search(lead)

    def asked(self, span: Span) -> bool:
        """Whether it is only asked; "we have $40k, is that enough?" states the amount."""
        sentence = self.sentence_at(span.start)
        if not sentence.asks:
            return False
        clause = self.clause_at(span)
        last = clause.end >= max(sentence.end, span.end) - 2
        return last or any(
            _ASKS.match(self.text, place, sentence.end) for place in (clause.start, sentence.start)
        )

    def states(self, span: Span) -> bool:
        """Whether the buyer says this of themselves: neither supposed, nor another's, nor denied, nor only asked."""
        return not (self.asked(span) or self.supposed(span) or self.anothers(span) or self.negated(span))


def words_of(message: str) -> Words:
    """The message as it is read."""
    text = own_words(message[:LONGEST])
    text = _CODE.sub(lambda match: " " * len(match[0]), text).translate(_ALIKE)
    found = [Sentence(start, end, asks=_asks(text, start, end)) for start, end in sentences(text)]
    return Words(text, tuple(found), len(text.split()))


def _asks(text: str, start: int, end: int) -> bool:
    """Whether a sentence asks, by its sign or by the order of its words; "maybe 45 grand?" is an answer."""
    if text[start:end].rstrip("\"') ").endswith(("?", "？", "؟")):
        return not (end - start <= 60 and _TENTATIVE.match(text, start, end))
    return text[end - 1] not in ".!" and _ASKS.match(text, start, end) is not None
