"""Facts by rules, without a model: what a message says about the declared keys, in the words that people use."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Final, NamedTuple, TypeAlias

from turnstate.core.facts import (
    Candidate,
    Fact,
    Folded,
    Key,
    Refusal,
    Scalar,
    Shape,
    Span,
    admit,
    admit_all,
    affirms,
    fold,
    sentences,
)
from turnstate.core.values import Value, ValueKind, find, numbers


class _Find(NamedTuple):
    """A value for a key as it stands in a text, and the phrase that says so."""

    value: Scalar
    span: Span
    quote: Span


@dataclass(frozen=True, slots=True)
class _Text:
    """A text that is read for one key after another.

    Attributes:
        words: the text, what is not the speaker's own blanked out.
        yours: whether it is the assistant's question, read for what a yes confirms.
        alone: the keys whose shape no other key has.
        sentences: its sentences.
        values: its exact values.
    """

    words: str
    yours: bool
    alone: frozenset[str]
    sentences: tuple[Span, ...]
    values: tuple[Value, ...]

    @property
    def mine(self) -> str:
        """The words for what is the user's."""
        return "your" if self.yours else "my|our"

    def sentence_at(self, place: int) -> Span:
        """The sentence around a code point."""
        index = bisect_right(self.sentences, (place, len(self.words) + 1)) - 1
        return self.sentences[index] if index >= 0 else Span(0, len(self.words))


def _text(words: str, alone: frozenset[str], *, yours: bool) -> _Text:
    return _Text(words, yours, alone, tuple(sentences(words)), find(words))


_LONGEST: Final = 20_000
_LONGEST_QUESTION: Final = 300
_MOST: Final = 50  # finds for one key: a message that has more is a list of something else
_Recogniser: TypeAlias = Callable[[Key, _Text], Iterator[_Find]]


@lru_cache(maxsize=4096)
def _compiled(pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# How a key is spoken of ----------------------------------------------------------------------------------------------

_NUMBER_OF: Final = r"(?:id|number|num|no\.?|nr\.?|code|ref(?:erence)?|#)"
_GENERIC: Final = _set("id number num no nr code ref reference date address is has of")
_ALIASES: Final[Mapping[str, str]] = {
    "order": "orders?|purchase",
    "booking": "bookings?|reservations?|confirmation",
    "reservation": "reservations?|bookings?|confirmation",
    "ticket": "tickets?|cases?",
    "invoice": "invoices?|bills?",
    "email": "e-?mails?|mail",
    "phone": "(?:tele)?phone|mobile|cell(?:phone)?|whatsapp",
    **dict.fromkeys(("birthday", "birthdate", "dob"), "birthday|birth ?date|date of birth|dob|born"),
    "departure": "depart(?:ure|ing|s)?|leav(?:e|ing)",
    "return": r"return(?:ing)?|com(?:e|ing)\s+back",
    "arrival": "arriv(?:al|e|ing)",
    "delivery": "deliver(?:y|ed)?",
    **dict.fromkeys(
        ("zip", "postal", "postcode", "zipcode"), r"zip(?: ?code)?|postal(?: code)?|post ?code|plz"
    ),
    "user": "user(?:name)?",
    "account": "account|customer|client",
    "customer": "customer|client|account",
}
_IS: Final = r"(?:\s+(?:is|are|was|will be|would be|should be|to|ist|lautet|est|es)\b|['’]s\b|\s*[:=])\s*"


@lru_cache(maxsize=512)
def _label(words: tuple[str, ...]) -> str:
    """A pattern for how people name a key: by the words that tell it from others, in the singular or plural."""
    telling = [word for word in words if word not in _GENERIC] or list(words)
    return r"[\s_-]+".join(f"(?:{_ALIASES.get(word) or _either_number(word)})" for word in telling)


def _either_number(word: str) -> str:
    if word.endswith("ies"):
        return f"{re.escape(word[:-3])}(?:y|ies)"
    return f"{re.escape(word.removesuffix('s'))}s?"


# Whose words they are, and whether they state anything ---------------------------------------------------------------

_QUOTED_LINE: Final = re.compile(r"^[^\S\n]*>.*$", re.MULTILINE)
_SPEECH: Final = re.compile(
    r"\b(?:he|she|they|someone|agent|colleague|friend|e-?mail|message|bot|it|who)\s+(?:just\s+)?"
    r"(?:said|says|told me|wrote|replied|asked)[\s,:]{0,4}[\"“][^\"”\n]{0,400}[\"”]",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"(?:\b(?:not|never|no longer|instead of|rather than|nor|neither|wrong|old|previous|former|used to)|n['’]t)\s+"
    r"(?:(?:my|the|our|for|to|about|from|an?|at|in|on|have|want|mean|need|use|is|was|be|live)\s+){0,3}[#\"'“]?$",
    re.IGNORECASE,
)
_DISOWNED: Final = re.compile(
    r",?\s+(?:is|was|are)(?:\s+not|n['’]t)\s+(?:mine|my|the (?:right|correct|one)|correct|right|me|ours|it)\b",
    re.IGNORECASE,
)
_SOMEONES: Final = (
    r"(?:\b(?i:his|her|their|its|another|some(?:one|body)(?: else)?['’]s)"
    r"|\b(?i:my|our|a|the)\s+(?:\w+\s+)?\w+['’]s?"
    r"|\b(?!(?i:what|where|here|it|that|there|who|how|when|let|today|this)['’])[A-Z]\w+['’]s)"
)
_SOMEONE: Final = re.compile(_SOMEONES)
_OTHERS: Final = re.compile(rf"{_SOMEONES}\s+(?:(?:new|old|own|e-?mail|phone|last|first)\s+){{0,2}}$")
_IF: Final = re.compile(
    r"\b(?:if|suppose|supposing|imagine|unless|in case|were to|would have|wenn|falls)\b", re.IGNORECASE
)
_ASKS: Final = re.compile(
    r"(?:(?:and|but|so|ok|okay|hi|hello|hey|also|well|please|then)\b[\s,!.]*)*"
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|shall|may|might|what|where|when|which|who|why|how|have|has|am|you|u)\b",
    re.IGNORECASE,
)
_REQUESTS: Final = re.compile(
    r"\b(?:can|could|would|will|may|might|please)\b[^?]{0,60}\b(?:ship|send|deliver|mail|forward|post|change|update|set|use|switch|"
    r"correct|reach|call|text|contact|e-?mail|put|make|move|note)\b",
    re.IGNORECASE,
)


_LONG_BLANK: Final = re.compile(r"(?<=\s{8})\s+")


def _own_words(message: str) -> str:
    """The message with quoted lines and other people's speech blanked out, of the same length.

    Blanks beyond eight in a row are filled, so that every pattern stays linear in the text.
    """
    words = _SPEECH.sub(_blank, _QUOTED_LINE.sub(_blank, message))
    return _LONG_BLANK.sub(lambda match: "\ufffc" * len(match[0]), words)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _states(found: _Find, text: _Text, shape: Shape) -> bool:
    """Whether the speaker says this of themselves: it is not negated, another's, supposed, or only asked.

    An id that is asked about is still the one that the talk is about.
    """
    words = text.words
    sentence = text.sentence_at(found.span.start)
    before_quote = words[max(sentence.start, found.quote.start - 60) : found.quote.start]
    before_value = words[max(sentence.start, found.span.start - 60) : found.span.start]
    if (
        _NEGATED.search(before_quote)
        or _NEGATED.search(before_value)
        or _DISOWNED.match(words, found.quote.end)
    ):
        return False
    if _OTHERS.search(before_quote):
        return False
    if shape is Shape.ID or text.yours:
        return True
    lead = words[sentence.start : found.span.start]
    asks = words[sentence.end - 1] == "?" and _ASKS.match(words, sentence.start)
    return not _IF.search(lead) and (not asks or _REQUESTS.search(lead) is not None)


# Recognisers ---------------------------------------------------------------------------------------------------------

_CODE: Final = r"(?-i:(?=[A-Za-z_/-]{0,20}\d|[A-Z]{5,8}\b)[A-Za-z\d]{1,40}(?:[-_/][A-Za-z\d]{1,40}){0,6}(?![\w@]|[.,:]\d))"
_JOINT: Final = re.compile(r"\s*(?:,\s*(?:and\b|or\b)?|[;/&+、，]|\b(?:and|or|und|y|et)\b)\s*", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(
    r"[.!?]+(?=\s|$)|[\n。！？]|,?\s+(?:and|but|so)\s+(?:(?:my|i|the|please|can|could|it|we)\b|i['’])"
    r"|,?\s+(?:but|because|please|thanks|thank you|if|when|which|though)\b|,\s*(?:and\s+)?(?:my|i|can|could)\b|\s+(?:and|or)\s+not\b",
    re.IGNORECASE,
)
_NO_VALUE: Final = re.compile(
    r"(?:not|wrong|broken|late|still|the same|same|very|too|so|working|being|getting|never|always|going|what|on|in|at|missing|lost|"
    r"correct|right|above|below|attached|here|there|required|important|unknown|changed|different|invalid|incorrect|good|bad|fine|"
    r"really|just|only|also|already|supposed|about|to|no|yes)\b",
    re.IGNORECASE,
)


def _phrases(key: Key, text: _Text, value: str) -> Iterator[_Find]:
    """Where the key's name is followed by a value of this pattern: "order 12345", "my policy number is A1"."""
    pattern = (
        rf"(?:\b(?:{text.mine}|the)\s+)?\b(?:{_label(key.words)})\b(?:\s+(?:{_NUMBER_OF}|address))*"
        rf"(?:{_IS}|\s*[#:-]\s*|,?\s+)[#\"'“]?(?P<value>{value})[\"”]?"
    )
    for match in _compiled(pattern).finditer(text.words):
        yield _Find(match["value"], Span(*match.span("value")), Span(*match.span()))


def _cued(kinds: set[ValueKind], cue: str, text: _Text) -> Iterator[_Find]:
    """Values of these kinds, quoted with the cue where one stands before them."""
    cued = _compiled(rf"\b(?:(?:{text.mine}|the)\s+)?(?:{cue})\W{{0,3}}(?:\b(?:is|to|at|on)\b)?\W{{0,3}}$")
    for value in text.values:
        if value.kind in kinds:
            lead = text.words[max(0, value.start - 60) : value.start]
            said = cued.search(lead)
            start = value.start - len(lead) + said.start() if said else value.start
            yield _Find(value.text, Span(value.start, value.end), Span(start, value.end))


_VERB: Final = re.compile(
    r"\b(?:(?:want(?:ed)?|like|need(?:ed)?|going|trying|wish|able|have) to|i|we|i['’]ll|let['’]s)\s+$",
    re.IGNORECASE,
)


def _ids(key: Key, text: _Text) -> Iterator[_Find]:
    """An id after the key's name, before it ("12345 is my order"), or after a # where no other key has ids."""
    for found in _phrases(key, text, _CODE):
        small = re.search(r"^\W*\w+\s+\d{1,2}$", text.words[slice(*found.quote)])
        if small or _VERB.search(text.words[max(0, found.quote.start - 20) : found.quote.start]):
            continue  # "order 2 pizzas", "I want to order 1200 of them"
        spans, end = [found.span], found.span.end
        while key.many and (joint := _JOINT.match(text.words, end)):
            more = _compiled(rf"#?({_CODE})").match(text.words, joint.end())
            if more is None:
                break
            spans.append(Span(*more.span(1)))
            end = more.end()
        yield from (_Find(text.words[slice(*span)], span, Span(found.quote.start, end)) for span in spans)
    bare = [rf"(?P<value>{_CODE})\s+(?:is|was)\s+(?:the|{text.mine})\s+(?:{_label(key.words)})\b"]
    if key.name in text.alone:
        bare.append(rf"(?<![\w#&])#\s?(?P<value>{_CODE})")
    for pattern in bare:
        for match in _compiled(pattern, re.NOFLAG).finditer(text.words):
            yield _Find(match["value"], Span(*match.span("value")), Span(*match.span()))


def _emails(key: Key, text: _Text) -> Iterator[_Find]:
    if key.name in text.alone:
        yield from _cued({ValueKind.EMAIL}, r"e-?mail(?:\s+address)?|mail(?:\s+address)?", text)
    else:
        yield from _phrases(key, text, r"[^\s@<>\"“”(),;]{1,64}@[^\s@<>\"“”(),;]{1,200}\w")


def _phones(key: Key, text: _Text) -> Iterator[_Find]:
    if key.name in text.alone:
        cue = r"(?:(?:tele)?phone|mobile|cell|whatsapp)(?:\s+number)?|number|(?:call|reach|text)\s+me"
        yield from _cued({ValueKind.PHONE}, cue, text)
    yield from _phrases(key, text, r"\+?\d[\d\s().-]{5,20}\d")


def _postcodes(key: Key, text: _Text) -> Iterator[_Find]:
    yield from _phrases(key, text, r"[A-Za-z]{0,2}\d[A-Za-z\d]{1,4}(?:[ -]?\d[A-Za-z]{2}|-\d{4})?(?!\w)")
    for found in _streets(text):
        if code := re.search(r"\b\d{5}(?:-\d{4})?$|(?<=, )\d{5}(?=\s+[^\W\d_])", str(found.value)):
            yield _Find(
                code[0], Span(found.span.start + code.start(), found.span.start + code.end()), found.quote
            )


_STREET_WORD: Final = (
    r"(?:(?!(?i:to|at|and|or|for|is|was|my|the|it|in|on|from|please|days?|weeks?|hours?|items?|of)\b)[^\W\d_][\w'’.-]{0,30}"
    r"|\d{1,3}(?:st|nd|rd|th))"
)
_CITY: Final = r"[^\W\d_][\w'’.-]{0,30}"
_STREET: Final = re.compile(
    rf"(?<![\w#-])\d{{1,6}}[A-Za-z]?(?:-\d{{1,5}})?\s+(?:{_STREET_WORD}\s+){{1,4}}?"
    r"(?i:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|square|sq|terrace|parkway|pkwy|"
    r"highway|hwy|circle|cir|close|crescent|row|walk|alley|trail|gardens|grove|mews)\b\.?"
    r"(?:,?\s+(?i:apt|apartment|suite|ste|unit|floor|fl|room|#)\.?\s*#?\w{1,6}\b)?"
    r"(?:,\s*(?:[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*){0,3}|[a-z]+(?:\s[a-z]+)?(?=,?\s+(?:[A-Za-z]{2}\s+)?\d{5})))?"
    r"(?:,?\s+[A-Z]{2}\b)?(?:,?\s+\d{5}(?:-\d{4})?\b|,?\s+[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}\b)?"
    rf"|\b[^\W\d_][\w-]{{0,40}}(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse)\s+\d{{1,4}}[a-z]?\b(?:,?\s+\d{{4,5}}\s+{_CITY})?"
    rf"|(?<![\w#-])\d{{1,4}}(?:\s?bis|\s?ter)?,?\s+(?i:rue|boulevard|chemin|impasse|quai)(?:\s+[\w'’-]+){{1,5}}(?:,\s*\d{{5}}\s+{_CITY})?"
    rf"|\b(?i:calle|avenida|paseo|plaza|via|rua)\s+(?:{_CITY}\s+){{1,4}}?\d{{1,4}}\b(?:,\s*\d{{5}}\s+{_CITY})?"
)
_SENT: Final = r"(?:ship|send|deliver|mail|post|forward|bring|redirect|shipped|sent|delivered)"
_ADDRESS_CUE: Final = re.compile(
    rf"(?:\b{_SENT}\b(?:\s+(?!to\b)[\w#'’-]+){{0,6}}\s+(?:to|at)"
    r"|\b(?:address|adresse|dirección|domicilio)\b(?:\s+(?:is|to|will be|has changed to|changed to|ist|est|es))?\s*:?"
    r"|\b(?:i|we)(?:['’](?:m|re|ve))?\s+(?:(?:am|are|now|just|recently|have)\s+){0,2}(?:live|living|moved|moving|reside|staying|located)\s+(?:now\s+)?"
    r"(?:from\s[^\n]{1,60}\s+)?(?:at|to|in|on)|\bi['’]?m\s+(?:now\s+)?at|\bich wohne (?:in der|in|am))\s*$",
    re.IGNORECASE,
)
_NOT_ANY_MORE: Final = re.compile(
    r"\b(?:from|left|previously(?: at)?|used to live (?:at|on|in)|old address(?: was| is)?)\s*$",
    re.IGNORECASE,
)
_ANY_ADDRESS: Final = _GENERIC | _set("home shipping delivery mailing postal street current")


def _streets(text: _Text) -> Iterator[_Find]:
    """Streets with a house number that the speaker calls theirs, lives at, or wants something sent to."""
    for match in _STREET.finditer(text.words):
        span = Span(match.start(), match.start() + len(match[0].rstrip(" ,.")))
        lead = text.words[max(0, span.start - 90) : span.start]
        cue = _ADDRESS_CUE.search(lead)
        if (cue or text.yours) and not _NOT_ANY_MORE.search(lead):
            yield _Find(
                text.words[slice(*span)],
                span,
                Span(span.start - len(lead) + cue.start() if cue else span.start, span.end),
            )


_OTHER_ADDRESS: Final = _set("billing invoice work office business return")


def _addresses(key: Key, text: _Text) -> Iterator[_Find]:
    """A street as above; for a key such as billing_address, and for that word, only where both come together."""
    telling = {word for word in key.words if word not in _ANY_ADDRESS}
    for found in _streets(text):
        near = _set(text.words[max(0, found.quote.start - 40) : found.span.start].lower())
        if (not telling or telling & near) and not (near & _OTHER_ADDRESS) - telling:
            yield found


_NAME_CUE: Final = re.compile(
    r"(?:\b(?:(?:my|our|your|the)\s+(?:full\s+)?name(?:\s+is|['’]s)|(?:full\s+)?name\s*:|call\s+me|i['’]m\s+called|i\s+am\s+called|"
    r"ich\s+heiße|mein\s+name\s+ist|je\s+m['’]appelle|mon\s+nom\s+est|me\s+llamo|mi\s+nombre\s+es|mi\s+chiamo|меня\s+зовут|"
    r"speaking\s+(?:with|to))\s+|我叫|我的名字[是叫])",
    re.IGNORECASE,
)
_CALL_ME: Final = re.compile(r"\bcall\s+me\s+", re.IGNORECASE)
_I_AM: Final = re.compile(
    r"(?:^|(?<=[.!?,;:\n])\s*|\b(?:hi|hello|hey)\b[\s,!]*)(?P<cue>\b(?:i['’]m|i\s+am|this\s+is|soy|ich\s+bin)\s+)",
    re.IGNORECASE,
)
_NAME_RUN: Final = re.compile(
    r"(?:[A-Z]\.|[^\W\d_][\w'’-]{0,29})(?:[ ](?:[A-Z]\.|[^\W\d_][\w'’-]{0,29})){0,3}"
)
_AFTER_NAME: Final = re.compile(
    r"\s*(?:$|[.,!?;:)(\n—–。，！-]|(?:and|from|with|here|calling|by|speaking|but)\b)", re.IGNORECASE
)
_PARTICLES: Final = _set("de del da di van von der den la le al el bin ibn y")
_NOT_NAMES: Final = _set(
    "a an the and but or not no in on at from to for with by of my your his her our their its it i i'm i’m you we they he she this that "
    "there here wrong spelled misspelled spelt written already still also required looking trying calling writing sorry sure ready happy "
    "sad angry upset okay ok fine good great well interested worried confused afraid glad done back new just very so really currently about "
    "under listed missing correct right called known when what where who why how if because please thanks order american british german "
    "french spanish italian chinese japanese indian mexican canadian australian brazilian dutch russian korean urgent yes hello hi hey "
    "customer member support speaking"
)


def _named(cues: re.Pattern[str], text: _Text, *, certain: bool) -> Iterator[_Find]:
    """Names after the cues; after "I'm" only what is capitalised and ends the clause."""
    for cue in cues.finditer(text.words):
        run = _NAME_RUN.match(text.words, cue.end())
        tokens = _name_tokens(run[0].split(" ")) if run else []
        if run is None or not tokens:
            continue
        name = " ".join(tokens)
        span = Span(run.start(), run.start() + len(name))
        capital = name[0] != name[0].lower()
        if (capital or certain) and ((capital and certain) or _AFTER_NAME.match(text.words, span.end)):
            yield _Find(
                name, span, Span(cue.start("cue") if "cue" in cues.groupindex else cue.start(), span.end)
            )


def _name_tokens(tokens: Sequence[str]) -> list[str]:
    """The first of the tokens that can be one name: capitals and particles, or two words without any capital."""
    real = list(takewhile(lambda token: token.lower() not in _NOT_NAMES, tokens))
    if not real or real[0].endswith("ing"):
        return []
    if real[0][0] == real[0][0].lower() and real[0][0] != real[0][0].upper():
        return real[:2]
    kept = list(takewhile(lambda token: token[0] == token[0].upper() or token in _PARTICLES, real))
    while kept[-1] in _PARTICLES:
        kept.pop()
    return kept


def _names(key: Key, text: _Text) -> Iterator[_Find]:
    """A person's name after words that introduce one; its first or last part, where that is the key."""
    words = set(key.words)
    if words & {"nickname", "preferred"}:
        yield from _named(_CALL_ME, text, certain=True)
        return
    first, last = words & {"first", "given", "firstname"}, words & {"last", "family", "surname", "lastname"}
    if first or last:
        yield from _phrases(key, text, r"[^\W\d_][\w'’-]{1,40}")
    for found in (*_named(_NAME_CUE, text, certain=True), *_named(_I_AM, text, certain=False)):
        head, _, tail = str(found.value).partition(" ")
        if first:
            yield _Find(head, Span(found.span.start, found.span.start + len(head)), found.quote)
        elif last and tail:
            yield _Find(tail, Span(found.span.end - len(tail), found.span.end), found.quote)
        elif not last:
            yield found


def _dates(key: Key, text: _Text) -> Iterator[_Find]:
    """A date after the key's name, or right before it; any date, where the key is just "date" and no other has dates."""
    telling = [word for word in key.words if word not in _GENERIC]
    label = _compiled(rf"\b(?:{_label(key.words)})\b")
    follows = _compiled(rf"\s*(?:(?:is|for|as)\s+)?(?:(?:{text.mine}|the)\s+)?(?:{_label(key.words)})\b")
    last = 0
    for value in text.values:
        if value.kind is not ValueKind.DATE:
            continue
        span = Span(value.start, value.end)
        start = max(text.sentence_at(value.start).start, value.start - 60, last)
        before, after = (
            list(label.finditer(text.words, start, value.start)),
            follows.match(text.words, value.end),
        )
        last = value.end
        if before or after:
            yield _Find(
                value.text,
                span,
                Span(
                    before[-1].start() if before else span.start,
                    after.end() if after and not before else span.end,
                ),
            )
        elif not telling and key.name in text.alone:
            yield _Find(value.text, span, span)


def _numbers(key: Key, text: _Text) -> Iterator[_Find]:
    """A number beside the key's name: "size 9", "my budget is $500", "3 guests", "I'm 34 years old"."""
    label = _label(tuple(word for word in key.words if word not in {"count", "total", "amount"}) or key.words)
    before = _compiled(
        rf"\b(?:{label})\b(?:\s+(?:{_NUMBER_OF}))?(?:{_IS}|\s+(?:of|about|around|up to|for)\b|\s*[:=#])*\s*(?:about|around|roughly)?\s*[$€£¥]?$"
    )
    after = _compiled(rf"\s?[$€£¥%]?\s?(?:\w+\s)?(?:{label})\b")
    for value in numbers(text.words)[:_MOST]:
        start = max(0, value.start - 50)
        said, then = before.search(text.words[start : value.start]), after.match(text.words, value.end)
        aged = "age" in key.words and re.match(
            r"\s*(?:years|yrs)\s+old\b", text.words[value.end : value.end + 20]
        )
        if said or then or aged:
            quote = Span(
                start + said.start() if said else value.start, then.end() if then and not said else value.end
            )
            yield _Find(text.words[value.start : value.end], Span(value.start, value.end), quote)


_WANTS: Final = re.compile(
    r"\b(?:i|we)(?:['’](?:m|d like|ll take|ll have)|\s+(?:am|want|need|have|prefer|use|chose|choose|would like|will take))\b"
    r"[^.!?\n]{0,30}$",
    re.IGNORECASE,
)


def _choices(key: Key, text: _Text) -> Iterator[_Find]:
    """An option that the user has, wants or names after the key; the longest, where one is a part of another."""
    named = _compiled(
        rf"\b(?:{text.mine})\b[^.!?\n]{{0,30}}$|\b(?:{_label(key.words)})\s*(?:[:=]|\bis\b|\bto\b)\s*$"
    )
    folded = Folded(re.sub("[_-]", " ", text.words))
    for option in sorted(key.options, key=len, reverse=True):
        for span in folded.occurrences(option):
            lead = text.words[text.sentence_at(span.start).start : span.start]
            if _WANTS.search(lead) or named.search(lead):
                yield _Find(key.options[option], span, span)


def _yes_no(key: Key, text: _Text) -> Iterator[_Find]:
    """What the user says they are or have, or are not: "I'm vegan", "I am not a member", "I have a dog"."""
    label = _label(
        tuple(word for word in key.words if word not in {"is", "has", "wants", "owns"}) or key.words
    )
    pattern = rf"\b(?:i|we)(?:['’](?:m|re|ve)|\s+(?:am|are|have|want))(?P<no>n['’]t|\s+(?:not|no))?(?:\s+(?:an?|the|any))?\s+(?:{label})\b"
    for match in _compiled(pattern).finditer(text.words):
        yield _Find(match["no"] is None, Span(*match.span()), Span(*match.span()))


_VERBS: Final[Mapping[str, str]] = {
    "allerg": r"(?:am|['’]m|are|['’]re)\s+(?:also\s+|severely\s+|very\s+)?allergic\s+to",
    "city": r"(?:(?:live|am based|['’]m based|reside|moved)\s+(?:in|to)|(?:am|['’]m)\s+from)",
    "town": r"(?:live|reside|moved)\s+(?:in|to)",
    "country": r"(?:(?:live|reside|moved)\s+(?:in|to)|(?:am|['’]m)\s+from)",
    "language": r"speak",
    "company": r"work\s+(?:for|at)",
    "employer": r"work\s+(?:for|at)",
    "interest": r"(?:am|['’]m)\s+(?:also\s+)?interested\s+in",
    "hobb": r"(?:enjoy|like|love)",
    "prefer": r"prefer",
    "like": r"(?:also\s+|really\s+)?(?:like|love)",
    "dislike": r"(?:don['’]t\s+like|dislike|hate)",
}


def _generic(key: Key, text: _Text) -> Iterator[_Find]:
    """After "my <key> is", "<key>:", and for some keys their verb, as in "I'm allergic to nuts and shellfish"."""
    label = rf"(?:{_label(key.words)})(?:\s+(?:{_NUMBER_OF}|address|date|name))?"
    cues = [
        rf"\b(?:{text.mine}|the)\s+(?:(?!(?:old|previous|former|wrong|last)\b)\w+\s+)?{label}{_IS}",
        rf"(?:^|[\n,;.]\s*)(?P<cue>{label}\s*[:=]\s*)",
    ]
    if not text.yours:
        cues += [
            rf"\b(?:i|we)\s*{verb}\s+"
            for stem, verb in _VERBS.items()
            if any(word.startswith(stem) for word in key.words)
        ]
    for cue in cues:
        for match in _compiled(cue).finditer(text.words):
            yield from _values_after(
                key,
                text,
                Span(match.start("cue") if "cue" in match.re.groupindex else match.start(), match.end()),
            )
    if key.many and any(word.startswith("allerg") for word in key.words):
        for match in re.finditer(
            r"\b(?:a|an)\s+(?:severe\s+|bad\s+)?(?P<value>\w+(?:\s\w+)?)\s+allergy\b",
            text.words,
            re.IGNORECASE,
        ):
            yield _Find(match["value"], Span(*match.span("value")), Span(*match.span()))


def _values_after(key: Key, text: _Text, cue: Span) -> Iterator[_Find]:
    """The words from a cue to the end of its clause, as one value or as the items of a list."""
    end = _CLAUSE_END.search(text.words, cue.end)
    span = _trimmed(text.words, Span(cue.end, end.start() if end else len(text.words)))
    if _NO_VALUE.match(text.words, span.start) or len(text.words[slice(*span)].split()) > 14:
        return
    stop = re.compile(";" if key.shape is Shape.ADDRESS else "[,;]").search(text.words, *span)
    single = _trimmed(text.words, Span(span.start, stop.start())) if stop else span
    parts = list(_items(text.words, span)) if key.many else [single]
    for part in parts:
        if part.end > part.start:
            yield _Find(text.words[slice(*part)], part, Span(cue.start, span.end))


def _items(words: str, span: Span) -> Iterator[Span]:
    start = span.start
    for joint in _JOINT.finditer(words, *span):
        yield _trimmed(words, Span(start, joint.start()))
        start = joint.end()
    yield _trimmed(words, Span(start, span.end))


def _trimmed(words: str, span: Span) -> Span:
    """A span without the blanks and marks at its ends."""
    held = words[slice(*span)]
    start = span.start + len(held) - len(held.lstrip(" \t\"'“”‘’:"))
    return Span(start, max(start, start + len(words[start : span.end].rstrip(" \t\"'“”‘’,.:!"))))


def _patterned(key: Key, text: _Text) -> Iterator[_Find]:
    """Whatever matches the pattern of the key's own."""
    for match in (
        _compiled(rf"(?<!\w)(?:{key.pattern})(?!\w)", re.NOFLAG).finditer(text.words) if key.pattern else ()
    ):
        yield _Find(match[0], Span(*match.span()), Span(*match.span()))


_RECOGNISERS: Final[Mapping[Shape, tuple[_Recogniser, ...]]] = {
    Shape.ID: (_ids,),
    Shape.EMAIL: (_emails,),
    Shape.PHONE: (_phones,),
    Shape.POSTCODE: (_postcodes,),
    Shape.ADDRESS: (_addresses, _generic),
    Shape.NAME: (_names,),
    Shape.DATE: (_dates,),
    Shape.NUMBER: (_numbers,),
    Shape.CHOICE: (_choices,),
    Shape.YES_NO: (_yes_no,),
    Shape.TEXT: (_generic,),
}


def _statements(key: Key, text: _Text) -> list[_Find]:
    """What the text states for a key, in order; of finds that overlap, the first recogniser's."""
    kept: list[_Find] = []
    for recognise in (_patterned, *_RECOGNISERS[key.shape]):
        for found in recognise(key, text):
            if (
                len(kept) < _MOST
                and _states(found, text, key.shape)
                and not any(found.span.meets(other.span) for other in kept)
            ):
                kept.append(found)
    return sorted(kept, key=lambda found: found.span)


# Answers to what was asked -------------------------------------------------------------------------------------------

_PROMPTS: Final = re.compile(
    r"\b(?:provide|give|share|tell|enter|type|send|need|what|which|confirm|may i have)\b", re.IGNORECASE
)
_DODGES: Final = re.compile(
    r"\?|\b(?:i|i['’]\w+|we|we['’]\w+|let|let['’]s|that|there|this|please|you|your|my|rather|prefer|proceed|sounds|works|not|no|nope|none|"
    r"don['’]?t|do|why|nothing|never|later|skip|will|would|hoping|knowing|looking|look|can['’]?t|cannot|forgot|remember|find|already|agent|human|actually)\b",
    re.IGNORECASE,
)
_LEAD_IN: Final = re.compile(
    r"(?:(?:yes|yeah|yep|sure|ok|okay|certainly|of course|no problem|hi|hello|hey|thanks|um+|uh|well|so|oh|right|absolutely)\b[\s,.!:]*)*"
    r"(?:(?:it['’]?s|it is|that['’]?s|that would be|that is|this is|here(?: it is| you go)?|the (?:\w+ )?(?:number|id|name|code|address|one) is|"
    r"(?:my|the) (?:\w+ ){1,3}(?:is|are)|should be|i think(?: it['’]?s)?|i['’]?m|i am|i have|just|only)\b[\s,:]*)?"
    r"(?:(?:(?:going|headed|heading|travell?ing|depart) (?:to|from)|interested in|in|to|for|from|at|near|try|check)\b\s*)?",
    re.IGNORECASE,
)
_LEAD_OUT: Final = re.compile(
    r"[\s,.!]*(?:\b(?:please|thanks|thank you|i think|i believe)\b)?[\s.!]*$", re.IGNORECASE
)
_MOST_WORDS: Final = {Shape.NAME: 4, Shape.ADDRESS: 14}


class _Asked(NamedTuple):
    """What a question asks for.

    Attributes:
        sentences: the keys, each with the last sentence that asks for it.
        only: the key that alone is asked for, by the last sentence that asks; free words answer it.
    """

    sentences: Mapping[str, str]
    only: str


def _asked(question: str, keys: Mapping[str, Key]) -> _Asked:
    said = [question[slice(*span)] for span in sentences(question)]
    asking = [
        text
        for text in said
        if len(text) <= _LONGEST_QUESTION and (re.search("[?？]", text) or _PROMPTS.search(text))
    ]
    asked = {name: text for text in asking for name, key in keys.items() if _asks_for(text, key)}
    marked = [text for text in asking if re.search("[?？]", text)] or asking
    alone = [name for name, text in asked.items() if len(asked) == 1 and text == marked[-1]]
    return _Asked(asked, alone[0] if alone else "")


def _asks_for(sentence: str, key: Key) -> bool:
    if key.ask and fold(key.ask) in fold(sentence):
        return True
    label = _label(key.words)
    match key.shape:
        case Shape.ID:
            pattern = rf"\b(?:{label})\s+{_NUMBER_OF}(?!\w)|\b(?:which|what)\s+(?:{label})\b|\b{_NUMBER_OF}\s+(?:of|for)\s+(?:your|the)\s+(?:{label})\b"
        case Shape.ADDRESS:
            pattern = rf"\b(?:{label})\b|\baddress\b|\bwhere\b.*\b{_SENT}\b"
        case Shape.NAME:
            pattern = rf"\b(?:{label})\b|\byour name\b|\bwho am i (?:speaking|talking)\b"
        case _:
            pattern = rf"\b(?:{label})\b"
    return _compiled(pattern).search(sentence) is not None


_UNKNOWN: Final = re.compile(
    r"\b(?:don['’]?t|do not|not sure|unsure|forgot|can['’]?t|cannot|without|no idea)\b", re.IGNORECASE
)
_ME: Final = re.compile(r"\b(?:i['’]m|i am|this is)\s+$", re.IGNORECASE)
_PERSONAL: Final = _set("user customer account member client profile login")


def _answered(
    key: Key, asked: _Asked, stated: Mapping[str, list[_Find]], keys: Mapping[str, Key], text: _Text
) -> list[_Find]:
    """What the message answers for a key that was asked for, and does not state for another."""
    taken = [found.span for finds in stated.values() for found in finds]
    answers = [
        found
        for found in _answers(text, key, only=asked.only == key.name)
        if not any(map(found.span.meets, taken))
    ]
    if key.many or key.shape in {Shape.CHOICE, Shape.YES_NO}:
        return answers
    rivals = [keys[name] for name in asked.sentences if keys[name].shape is key.shape and not stated[name]]
    if len(rivals) > 1:
        mine = [found for found in answers if _rival(found, rivals, text) is key]
        if not mine and len(answers) == len(rivals):
            sentence = asked.sentences[key.name]
            mine = [answers[sorted(rivals, key=lambda rival: _mentioned(rival, sentence)).index(key)]]
        answers = mine
    return answers[-1:] if len(answers) < 3 else []


def _mentioned(key: Key, sentence: str) -> int:
    """Where a key is first spoken of, or the end of the sentence."""
    label = _compiled(rf"\b(?:{_label(key.words)})\b").search(sentence)
    return label.start() if label else len(sentence)


def _rival(found: _Find, rivals: Sequence[Key], text: _Text) -> Key | None:
    """Which of several keys an unnamed answer is for: the one spoken of last before it, or the speaker's own after "I'm"."""
    lead = text.words[text.sentence_at(found.span.start).start : found.span.start]
    if _ME.search(lead):
        personal = [rival for rival in rivals if _PERSONAL & set(rival.words)]
        return personal[0] if len(personal) == 1 else None
    for clause in reversed(re.split(r"[,;]|\bbut\b", lead)):
        named = [rival for rival in rivals if _mentioned(rival, clause) < len(clause)]
        if named and not _UNKNOWN.search(clause):
            return named[0] if len(named) == 1 else None
    return None


def _answers(text: _Text, key: Key, *, only: bool) -> Iterator[_Find]:
    """What in a message can be the answer to a question for this key; free words only where nothing else was asked."""
    message = text.words
    if key.shape in {Shape.CHOICE, Shape.YES_NO}:
        yield from _chosen(message, key)
        return
    if kinds := _TELLING_KINDS.get(key.shape):
        spans = [Span(value.start, value.end) for value in text.values if value.kind in kinds]
    elif key.shape is Shape.ID:
        spans = list(_codes(text))
    else:
        spans = list(_free_words(message, key)) if only or key.shape is Shape.NUMBER else []
    yield from (_Find(message[slice(*span)], span, span) for span in spans[:_MOST] if _is_own(span, text))


_TELLING_KINDS: Final[Mapping[Shape, set[ValueKind]]] = {
    Shape.EMAIL: {ValueKind.EMAIL},
    Shape.PHONE: {ValueKind.PHONE, ValueKind.ID},
    Shape.DATE: {ValueKind.DATE},
}


def _is_own(span: Span, text: _Text) -> bool:
    """Whether an answer is neither negated nor about someone else."""
    sentence = text.sentence_at(span.start)
    lead = text.words[max(sentence.start, span.start - 60) : span.start]
    return not (_NEGATED.search(lead) or _SOMEONE.search(lead))


def _codes(text: _Text) -> Iterator[Span]:
    """The codes of a message that are no date, amount or the like; a short number only where it is all there is."""
    body = _body(text.words)
    taken = {
        place
        for value in text.values
        if value.kind not in {ValueKind.ID, ValueKind.PHONE}
        for place in range(value.start, value.end)
    }
    for match in _compiled(rf"(?<![\w@.,/-])(?:{_CODE})").finditer(text.words):
        span = Span(*match.span())
        if span.start not in taken and (span == body or re.search(r"[^\W\d_]|\d{4}", match[0])):
            yield span


def _chosen(message: str, key: Key) -> Iterator[_Find]:
    whole = _trimmed(message, Span(0, len(message)))
    if key.shape is Shape.YES_NO:
        no = re.match(
            r"(?:no|nope|nah|not really|nein|non|i['’]m not|i don['’]?t|不)\b", message.strip(), re.IGNORECASE
        )
        if affirms(message) or (no and len(message.split()) <= 8):
            yield _Find(no is None, whole, whole)
        return
    said = {
        value: span
        for option, value in key.options.items()
        for span in Folded(re.sub("[_-]", " ", message)).occurrences(option)
    }
    if len(said) == 1 or key.many:
        yield from (_Find(value, span, span) for value, span in said.items())


def _body(message: str) -> Span:
    """The first sentence without its polite frame: "12345" of "Sure, it's 12345, thanks"."""
    first = next(sentences(message), Span(0, 0))
    start = _LEAD_IN.match(message, *first)
    body = _trimmed(message, Span(start.end() if start else first.start, first.end))
    frame = _LEAD_OUT.search(message[slice(*body)])
    return _trimmed(message, Span(body.start, body.start + frame.start())) if frame else body


def _free_words(message: str, key: Key) -> Iterator[Span]:
    """The one sentence of a message, if it is short and no way of not answering."""
    body = _body(message)
    words = message[slice(*body)].split()
    more = message[body.end :].strip(" .!,").casefold()
    if (
        not words
        or len(words) > _MOST_WORDS.get(key.shape, 5)
        or more not in {"", "please", "thanks", "thank you"}
    ):
        return
    if _DODGES.search(message[slice(*body)]) or "?" in message or affirms(message):
        return
    if key.shape is Shape.NAME and _name_tokens(words) != words:
        return
    if key.shape is Shape.ADDRESS and not re.search(r"\d|,", message[slice(*body)]):
        return
    yield from _items(message, body) if key.many else (body,)


# Corrections and confirmations ---------------------------------------------------------------------------------------

_CORRECTS: Final = re.compile(
    r"(?:\b(?:no|nope|sorry|actually|oops|wait|correction|apologies|my mistake|my bad)\b[\s,.!:;–—-]*(?:\b(?:i meant?|that was wrong|sorry|it was)\b[\s,.!]*)?"
    r"(?:\b(?:it['’]?s|it is|that['’]?s|it should be|should be|make (?:that|it)|i meant?|the (?:correct|right) (?:one|number|id) is|"
    r"(?:my|the) (?:\w+\s+){1,3}is)\b[\s:]*)+"
    r"|\b(?:i meant?|make that|(?:it )?should (?:be|say|read)|correct(?:ed)? (?:to|is)|but(?: rather| it['’]?s)?|it['’]?s actually)\b[\s,:]*|^\s*\*)"
    r"(?:(?:order|number|id|booking|invoice|#)\s*)*#?",
    re.IGNORECASE,
)
_REFUSES: Final = re.compile(
    r"\b(?:not|isn['’]t|wasn['’]t|wrong|no|nope|sorry|actually|oops|wait|correction|apologies|mistake|bad|meant?|should)\b|^\s*\*",
    re.IGNORECASE,
)


def _corrections(key: Key, text: _Text) -> Iterator[_Find]:
    """The value after "no, it's", "sorry, I meant", "not X but"; of the shapes that show what they are."""
    kinds = _TELLING_KINDS.get(key.shape, set())
    if key.shape is Shape.ID:
        spans = list(_codes(text))
    else:
        spans = [Span(value.start, value.end) for value in text.values if value.kind in kinds]
    for cue in _CORRECTS.finditer(text.words) if spans else ():
        for span in spans:
            if span.start == cue.end() and _REFUSES.search(text.words[: cue.end()]):
                start = cue.start() + len(cue[0]) - len(cue[0].lstrip())
                yield _Find(text.words[slice(*span)], span, Span(start, span.end))


def _confirmed(
    question: str, answer: str, keys: Mapping[str, Key], alone: frozenset[str]
) -> Iterator[Candidate]:
    """What the question holds, where the answer is a yes."""
    for span in sentences(question):
        sentence = question[slice(*span)]
        text = _text(_own_words(sentence), alone, yours=True)
        for key in keys.values():
            for found in _statements(key, text):
                yield Candidate(key.name, found.value, answer.strip(), sentence)


# All together --------------------------------------------------------------------------------------------------------


def extract(message: str, keys: Mapping[str, Key], *, question: str = "") -> tuple[Candidate, ...]:
    """The candidates that rules find in a message, in its order; each quotes it, and would be admitted.

    Args:
        message: the user's own words; past 20,000 characters nothing is read.
        keys: the declaration.
        question: what the assistant said before; its last question is what a bare answer answers.
    """
    shapes = [key.shape for key in keys.values()]
    alone = frozenset(name for name, key in keys.items() if shapes.count(key.shape) == 1)
    message, question = message[:_LONGEST], question[-_LONGEST:]
    text = _text(_own_words(message), alone, yours=False)
    asked = _asked(question, keys)
    stated = {name: _statements(key, text) for name, key in keys.items()}
    candidates: list[Candidate] = []
    for name, key in keys.items():
        found, was_asked = stated[name], name in asked.sentences
        corrected = list(_corrections(key, text)) if found or was_asked or name in alone else []
        if corrected and not key.many:
            found = corrected[-1:]
        elif was_asked and not found:
            found = _answered(key, asked, stated, keys, text)
        sentence = asked.sentences.get(name, "")
        candidates += [Candidate(name, one.value, message[slice(*one.quote)], sentence) for one in found]
    if affirms(message):
        candidates += _confirmed(question, message, keys, alone)
    return _admissible(candidates, keys, message, question)


def _admissible(
    candidates: Iterable[Candidate], keys: Mapping[str, Key], message: str, question: str
) -> tuple[Candidate, ...]:
    """The candidates that would be admitted."""
    unique = tuple(dict.fromkeys(candidates))
    said = {"message": message, "question": question, "conversation": ""}
    outcomes = admit_all(unique, keys=keys, turn=0, at=0, **said)
    refused = {outcome.candidate for outcome in outcomes if isinstance(outcome, Refusal)}
    redacted = {candidate.key for candidate in refused if candidate not in unique}
    return tuple(
        candidate
        for candidate in unique
        if candidate not in refused
        and (
            candidate.key not in redacted
            or isinstance(admit(candidate, keys=keys, turn=0, at=0, **said), Fact)
        )
    )
