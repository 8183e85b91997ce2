"""Whether a question was asked again, judged when the dialogue is over: by what the user said to it as well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from turnstate.core.facts.text import word_set
from turnstate.core.questions import changes
from turnstate.core.questions.answers import Answered, reading
from turnstate.core.questions.kinds import EXACT
from turnstate.core.questions.profile import Profile, profile
from turnstate.core.questions.types import Exchange, Reason
from turnstate.core.questions.vocabulary import ASKED, EMPTY, THINGS, TOLD, WAYS
from turnstate.core.search.words import STOP, stem

_WORD: Final = re.compile(r"\w+")
_NUMBERS: Final = {
    word: str(at)
    for at, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
        ]
    )
} | {"just me": "1", "single": "1", "alone": "1", "myself": "1", "couple": "2", "both": "2", "noon": "12"}
_FILLERS: Final = word_set(
    "yes yeah yep no nope actually please sure ok okay thanks really maybe well just oh"
)
_OBJECTS: Final = re.compile(
    r"\b(?:(?:as|like) (?:i|we) (?:\w+ )?(?:said|mentioned|told|wrote|stated|explained)|(?:as|like) (?:mentioned|stated|said)|(?:i|we)(?:['’]ve| have)? (?:\w+ )?(?:already|just) (?:\w+ )?(?:told|said|mentioned|gave|given|answered|provided|did|stated|specified)|"
    r"already (?:told|said|mentioned|gave|given|answered|provided|stated)|(?:i|we) (?:told|gave) you (?:\w+ )?(?:already|before|earlier|that)|you (?:already|just) (?:asked|have (?:it|that|my))|(?:asked|asking) (?:me )?(?:that|this)? ?(?:again|twice|already)|"
    r"same (?:as|one as) (?:before|i)|see above|(?:i|we) said (?:it|that|so)|said (?:before|earlier|already|above))\b",
    re.IGNORECASE,
)
"""What a user says who was asked again."""
_OPENS: Final = re.compile(
    r"\b(?:(?:i|we)(?:['’]d| would|['’]m| am|['’]re| are)? (?:also |now |really |just |then )?(?:need|want|like|love|looking|hoping|planning|trying|going) (?:to (?!know|confirm|ask)|for\b|a\b|an\b|some\b|another\b)|"
    r"(?:can|could|would|will) you (?:also |please |now |then |help me )*(?:find|book|search|help|get|make|schedule|reserve|order|buy|set|look|suggest|recommend|transfer|send|play|check (?:if|for|the weather))|"
    r"(?:find|book|search|get|make|schedule|reserve|order|buy|set up|look (?:for|up)|suggest|recommend|play) (?:me|us|a|an|some|for)\b)",
    re.IGNORECASE,
)
"""What a user says who wants something more."""
_ANOTHER: Final = re.compile(
    r"\b(?:next|second|return|additional|more)\b",
    re.IGNORECASE,
)
"""What a question says that is about one more thing."""
_INSTEAD: Final = re.compile(
    r"\b(?:another|different|other|else|instead|new|alternative\w*)\b", re.IGNORECASE
)
"""What a question says that is for something instead of what was answered."""
_OR_ANOTHER: Final = re.compile(r"\bor (?:\w+ )?(?:another|other|else|some\w*|any\w*)\b.*", re.IGNORECASE)

_ENDS: Final = re.compile(
    r"\b(?:that(?:['’]?s| is| will be|['’]ll be| should be| would be) (?:all|it|everything)|(?:do|wo|am|are)(?:n['’]?t| not) (?:be )?need\w* (?:any\w*|more)|nothing (?:else|more|for now)|i(?:['’]?m| am) (?:all set|done)|all (?:set|good) (?:thanks|thank|now)|good ?bye)\b",
    re.IGNORECASE,
)
_FEW: Final = 4
_IDLE: Final = re.compile(
    r"[?]|^\W*(?:what|where|when|how|who|which|is|are|does|do|can|could|tell me)\b"
    r"|\b(?:(?:sounds?|looks?|seems?|works?|is|was|you) (?:really |very |pretty |so |just |to be )?(?:good|great|fine|perfect|nice|awesome|excellent|lovely|right|correct|ok|okay)|that['’]?s (?:right|correct|good|great|fine|perfect|all|it)|(?:will|should|would|['’]ll) (?:work|do)|works|agree|confirmed|go ahead|proceed|perfect|"
    r"thanks?|thank you|bye|goodbye|that (?:is|will be|would be) (?:all|it|everything)|all set|nothing else)\b",
    re.IGNORECASE,
)
"""What a message says that is no answer: a question, agreement, thanks, farewell."""
_YES_OR_NO: Final = re.compile(
    r"\W*(?:yes|yeah|yep|sure|no|nope|nah|not|please|i (?:do|don['’]?t|would|wouldn['’]?t|have|haven['’]?t))\b",
    re.IGNORECASE,
)

Reply = Literal["objects", "same", "other", "plain", "nothing"]
"""What a user does who is asked: objects, says the same, something else, what may be an answer, or answers nothing."""


class Answering(NamedTuple):
    """An answer to a question.

    Attributes:
        quote: the user's words.
        turn: when they were said.
        beside: whether they were the reply to the question.
    """

    quote: str
    turn: int
    beside: bool


class Moves(NamedTuple):
    """What a message of the user does to an answer that was given before.

    Attributes:
        asks_for_it: it wants to be asked.
        another: it turns to one more thing.
        opens: it wants something done.
        corrects: it changes something.
    """

    asks_for_it: bool
    another: bool
    opens: bool
    corrects: bool


@lru_cache(maxsize=1024)
def moves(message: str) -> Moves:
    """What a message of the user does to what was said before it."""
    return Moves(
        changes.asks_for_it(message),
        changes.another(message),
        _OPENS.search(message) is not None,
        changes.corrects(message),
    )


@lru_cache(maxsize=1024)
def _outcome(reply: str) -> tuple[bool, bool]:
    """Whether a reply says that something failed, and that something is finished."""
    return changes.failed(reply), changes.done(reply)


def objects(message: str) -> bool:
    """Whether a user says that this was said before."""
    return _OBJECTS.search(message) is not None


def reply_of(question: str, message: str, answer: str) -> Reply:
    """What a user says to a question that is asked again.

    Args:
        question: as it is asked the second time.
        message: what the user says to it.
        answer: what the user had said.
    """
    plainly, quote = _replied(question, message)
    if plainly is not None:
        return plainly
    about = profile(question)
    before, now = telling(answer, about), telling(quote, about)
    figures = frozenset(filter(_figure, before)), frozenset(filter(_figure, now))
    if all(figures):
        before, now = figures
    if not now or not before:
        return "nothing"
    if before & now:
        return "same"
    return "plain" if moves(message).opens else "other"


@lru_cache(maxsize=256)
def _replied(question: str, message: str) -> tuple[Reply | None, str]:
    """What a reply is whatever was said before; None, and the words that answer, where that decides."""
    if objects(message):
        return "objects", ""
    if _ENDS.search(message):
        return "nothing", ""
    about = profile(question)
    read = reading(question, message)
    idle = _IDLE.search(message) is not None
    answers = read.answered is Answered.YES
    if idle and not exact(message) and not (answers and about.wanted & EXACT):
        return ("plain" if about.yes_no and _YES_OR_NO.match(message) else "nothing"), ""
    if about.yes_no and not (about.wanted and answers and len(message.split()) > _FEW):
        if _YES_OR_NO.match(message) or (answers and not about.wanted):
            return "plain", ""
    elif about.yes_no:
        return None, message
    return (
        (None, read.quote)
        if answers
        else ("nothing" if idle or len(message.split()) <= _FEW else "plain", "")
    )


def _figure(word: str) -> bool:
    return any(map(str.isdigit, word))


_ASKED_FOR: Final = re.compile(
    r"(?:^|(?<=[.!?,] ))(?:(?:ok|okay|yes|sure|please|well|and|so)\b[\s,]*)?(?:can|could|would|will) you (?:please |try to |maybe )?(?=(?:\w+ ){0,2}(?:make|set|book|check|find|search|try|look|schedule|reserve|get|change|do|put|add|send|transfer)\b)([^?]*)[?]",
    re.IGNORECASE,
)


def stated(message: str) -> str:
    """A message with its requests as statements: "Can you make it 5 pm?" asks for nothing but that."""
    if "?" not in message:
        return message
    return _ASKED_FOR.sub(lambda found: f"{found[1]}.", message)


def tells(message: str) -> bool:
    """Whether a message states something, rather than agreeing, thanking or asking."""
    return not _IDLE.search(message) and len(message.split()) > 1


def telling(text: str, about: Profile) -> frozenset[str]:
    """The words of an answer that tell it from another, numbers as figures."""
    said = (word.casefold() for word in _WORD.findall(text))
    stems = (_NUMBERS.get(word) or stem(word) for word in said if word not in STOP and word not in _FILLERS)
    return frozenset(word for word in stems if word not in EMPTY and word not in about.meaning)


def words(message: str) -> frozenset[str]:
    """The words of a message, in small letters."""
    return frozenset(word.casefold() for word in _WORD.findall(message))


@lru_cache(maxsize=1024)
def meanings(message: str) -> frozenset[str]:
    """The stems of a message and the clusters that they stand in, to see whether it can name what is asked."""
    stems = {stem(word.casefold()) for word in _WORD.findall(message)}
    tables = (ASKED, THINGS, TOLD, WAYS)
    return frozenset(stems.union(table[word] for word in stems for table in tables if word in table))


_CONFIRMS: Final = re.compile(r"\b(?:confirm(?:ing)?|verify|check|correct(?:ly)?|make sure)\b", re.IGNORECASE)
_CORRECT: Final = re.compile(
    r"\b(?:is|are|was|were|looks?|sounds?) (?:\w+ ){0,2}(?:right|correct|ok(?:ay)?|accurate|good)\b|\b(?:is|was) (?:this|that|it) what you\b"
    r"|\b(?:does|do) (?:\w+ ){0,3}(?:look|sound) (?:right|correct|ok(?:ay)?|good)\b|\bhow (?:is|does) (?:the|your|it)\b",
    re.IGNORECASE,
)
_ASKS_WHAT: Final = re.compile(
    r"\b(?:what|which|when|where|who|whom|how (?:many|much|long)|your)\b", re.IGNORECASE
)


def reads_back(question: str, answer: str, earlier: str = "") -> bool:
    """Whether a question says the answer itself, to have it confirmed.

    Args:
        question: as it is asked now.
        answer: what the user had said.
        earlier: the question that it answered, whose own names and numbers are not the answer's.
    """
    said = exact(question)
    if _CORRECT.search(question) or (
        _CONFIRMS.search(question) and (said or not _ASKS_WHAT.search(question))
    ):
        return True
    told = exact(answer)
    if any(map(_figure, said)) and any(map(_figure, told)):
        said, told = frozenset(filter(_figure, said)), frozenset(filter(_figure, told))
    return not (said - exact(earlier)).isdisjoint(told)


def exact(text: str) -> frozenset[str]:
    """The names and numbers in a text, in small letters."""
    return frozenset(
        word.casefold()
        for at, word in enumerate(_WORD.findall(text))
        if _figure(word) or (at and word[0].isupper() and word.casefold() not in STOP)
    )


def undone(question: str, reply: str, since: Sequence[Exchange], earlier: str = "") -> Reason | None:
    """Why an answer no longer counts, by what was said since; None where it does.

    Args:
        question: as it is asked the second time.
        reply: the whole reply that it stands in.
        since: the turns from the answer on, the last one's reply being the one that asks.
        earlier: the question as it was asked first; "" where it was not.
    """
    asks = _OR_ANOTHER.sub("", question)
    if _INSTEAD.search(asks):
        return Reason.PROPOSES
    if _ANOTHER.search(asks) and not _ANOTHER.search(earlier):
        return Reason.NEVER_ASKED
    if changes.failed(reply.replace(question, " ")):
        return Reason.INVALID
    failed = done = False
    for at, exchange in enumerate(since):
        if at and (reason := _moved(moves(exchange.user), done=done)):
            return reason
        if at < len(since) - 1:
            missed, finished = _outcome(exchange.assistant)
            failed = missed or (failed and not finished)
            done = done or finished
    return Reason.INVALID if failed else None


def _moved(made: Moves, *, done: bool) -> Reason | None:
    """What a later message of the user makes of an answer."""
    if made.asks_for_it:
        return Reason.USER_ASKED
    if made.another or (done and made.opens):
        return Reason.OTHER_ENTITY
    return Reason.CHANGED if made.corrects else None
