"""Finds questions that an agent asked although the user had answered them, judged by what was said before and after.

It works as the guard does (`turnstate.core.questions`): questions are found and split, compared by what they ask, and what the user
said is read as an answer or not. The dialogue being over, it knows besides what the user replied to the second question:
an objection, the same again, something else, or nothing that answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from turnstate.audit.asked import MEASURED, Put, alike, manner_of, puts
from turnstate.audit.findings import Finding, Place
from turnstate.core.facts.text import word_set
from turnstate.core.messages import response_text, user_text
from turnstate.core.questions import Exchange, QuestionKind, hindsight
from turnstate.core.questions.answers import NOUNS, Answered, reading
from turnstate.core.questions.kinds import EXACT, HOLDS
from turnstate.core.questions.profile import Profile
from turnstate.core.questions.types import Reason
from turnstate.readers.transcript import Transcript

LEAST: Final = 0.25
"""How sure a finding has to be."""

MEMORY: Final = 40
"""Turns back that an answer is looked for."""
_VOLUNTEERED_SURE: Final = 0.8
_STATED_SURE: Final = 0.5
"""How sure what was said of the user's own accord is an answer, and any statement beside a question of no known kind."""

_REPLIED: Final[Mapping[hindsight.Reply, float]] = {
    "objects": 1.0,
    "same": 0.95,
    "nothing": 0.85,
    "plain": 0.6,
    "other": 0.2,
}
"""What the user's reply to the second question leaves of it: who answers something else was rightly asked."""

_UNDONE: Final[Mapping[Reason | None, float]] = {
    None: 1.0,
    Reason.CHANGED: 0.7,
    Reason.OTHER_ENTITY: 0.6,
    Reason.INVALID: 0.4,
    Reason.USER_ASKED: 0.0,
    Reason.PROPOSES: 0.0,
    Reason.NEVER_ASKED: 0.4,
}
"""What a reason to ask again leaves of it."""

_VOLUNTEERED: Final = MEASURED | EXACT | word_set("id code phone birthdate postcode address")
_OF_THINGS: Final = word_set("kind name mode details")
"""What is asked of a thing and says nothing without it."""
_FORMED: Final = HOLDS.keys() - {"place", "name"}
_NOT_NOW: Final = re.compile(r"\W*(?:no|nope|nah|not)\b", re.IGNORECASE)
"""What declines an offer, and says nothing else."""


class _Told(NamedTuple):
    """The newest answer to what is asked.

    Attributes:
        answer: the user's words.
        sure: how sure it is one.
        asked: the earlier question, if there was one.
        guessed: whether it only stands where an answer would.
    """

    answer: hindsight.Answering
    sure: float
    asked: Put | None = None
    guessed: bool = False


@dataclass(slots=True)
class _Past:
    """What was said before a question.

    Attributes:
        exchanges: the turns, the one of the question last.
        asked: the earlier questions.
        heard: the words of the user.
    """

    exchanges: list[Exchange] = field(default_factory=list[Exchange])
    asked: list[Put] = field(default_factory=list[Put])
    heard: set[str] = field(default_factory=set[str])

    def add(self, exchange: Exchange) -> None:
        """One more turn."""
        self.exchanges.append(exchange)
        self.heard |= hindsight.words(exchange.user)


def check_repeats(transcript: Transcript) -> Sequence[Finding]:
    """Questions that the agent asked although the user had answered them, before or of the user's own accord.

    `first` is the user's answer, `then` the question that it made needless.
    """
    turns = transcript.turns
    past = _Past(asked=list(puts(0, [transcript.greeting])))
    found: list[Finding] = []
    for at, turn in enumerate(turns):
        replies = [response_text(step.response) for step in turn.steps]
        past.add(Exchange(turn.number, user_text(turn.user), "\n".join(replies)))
        now = list(puts(turn.number, replies))
        after = user_text(turns[at + 1].user) if now and at + 1 < len(turns) else ""
        found += filter(None, (_judged(put, past, after) for put in now))
        past.asked += now
    return found


def _judged(put: Put, past: _Past, after: str) -> Finding | None:
    """The finding that a question makes, by the answer that makes it most needless."""
    weighed = ((_weight(put, told, past, after), told) for told in _tolds(put, past))
    sure, told = max(weighed, key=lambda pair: pair[0], default=(0.0, None))
    if told is None or sure < LEAST:
        return None
    how = "had answered when it asked before" if told.asked else "had said already"
    return Finding(
        "asked_again",
        Place(told.answer.turn, "user", told.answer.quote),
        Place(put.turn, "assistant", put.text, put.step),
        f"The agent asks what the user {how}.",
        round(sure, 3),
        _named(put.about),
    )


def _named(about: Profile) -> str:
    """What a question asks for, in a word or two; "" where nothing says."""
    counted = sorted(word.removeprefix("howmany ") for word in about.wanted if word.startswith("howmany "))
    if counted:
        return f"number of {counted[0]}"
    plain = sorted(about.wanted - {"howmany", "when", "who", "mode", "change"})
    return plain[0] if len(plain) == 1 else ""


def _weight(put: Put, told: _Told, past: _Past, after: str) -> float:
    """How sure it is that an answer made a question needless."""
    about, answer = put.about, told.answer
    earlier = told.asked.text if told.asked else ""
    if hindsight.reads_back(put.text, answer.quote, earlier):
        return 0.0
    said = hindsight.reply_of(put.text, after, answer.quote)
    since = [exchange for exchange in past.exchanges[-MEMORY:] if exchange.turn >= answer.turn]
    reason = None if said == "objects" else hindsight.undone(put.text, put.reply, since, earlier)
    if said == "same" and reason in {Reason.CHANGED, Reason.OTHER_ENTITY}:
        reason = None  # it has not changed, and holds for the other thing too
    if told.guessed and said in {"plain", "other"}:
        return 0.0
    sure = told.sure * _REPLIED[said] * _UNDONE[reason]
    if about.yes_no:
        sure *= 0.4 if said == "plain" and not about.wanted else 0.8
    if not answer.beside and said not in {"objects", "same"}:
        sure *= 0.8
    return sure * _kinship(about, told.asked.about) if told.asked else sure


def _kinship(one: Profile, other: Profile) -> float:
    """What is left where two questions are about other things, or one of them about one end of a way."""
    left = 1.0
    if one.things and other.things and one.things.isdisjoint(other.things):
        left = 0.4 if one.wanted & _OF_THINGS else 0.6
    return left * 0.6 if bool(one.ways) != bool(other.ways) and "place" in one.wanted else left


def _tolds(put: Put, past: _Past) -> Iterator[_Told]:
    """The answers that what is asked has had: to questions like it, or of the user's own accord."""
    about = put.about
    manner = manner_of(put, past.heard)
    if manner == "free":
        return
    for like, earlier in alike(put, past.asked[-2 * MEMORY :], bare=manner == "bare"):
        if told := _answer(put, earlier, past.exchanges):
            yield told._replace(sure=told.sure * like**0.6)
    if about.wanted & _VOLUNTEERED and not about.yes_no and (about.things or about.words):
        for exchange in past.exchanges[-MEMORY:]:
            if _names(exchange.user, about):
                read = reading(put.text, exchange.user, next_to=False)
                if read.answered is Answered.YES:
                    yield _Told(_answering(exchange, read.quote, beside=False), _VOLUNTEERED_SURE)


def _names(message: str, about: Profile) -> bool:
    """Whether a message names anything that a question is about; who gives a name need not."""
    if about.wanted & {"name", "who"} and not about.things:
        return True
    said = hindsight.meanings(message)
    return not (
        said.isdisjoint(about.things)
        and said.isdisjoint(about.words)
        and said.isdisjoint(about.wanted & NOUNS)
    )


def _answer(put: Put, earlier: Put, exchanges: Sequence[Exchange]) -> _Told | None:
    """The newest answer to an earlier question: beside it, later by its name, or as a correction."""
    about, other = put.about, earlier.about
    asked = about if about.wanted and (not other.wanted or about.wanted & other.wanted) else None
    declined = earlier.question.kind is QuestionKind.OFFER and bool(about.wanted)
    told: _Told | None = None
    for exchange in exchanges[-MEMORY:]:
        if exchange.turn <= earlier.turn:
            continue
        beside = exchange.turn == earlier.turn + 1
        corrects = told is not None and hindsight.moves(exchange.user).corrects
        if not (beside or corrects or _names(exchange.user, asked or other)):
            continue
        stated = hindsight.stated(exchange.user)
        read = reading(earlier.text, stated, asked=asked, next_to=beside)
        if read.answered is not Answered.YES and corrects:
            read = reading(earlier.text, stated, asked=asked)
        if declined and _NOT_NOW.match(exchange.user):
            continue
        if read.answered is Answered.YES and (about.yes_no or hindsight.telling(read.quote, about)):
            told = _Told(_answering(exchange, read.quote, beside=beside), 1.0, earlier)
        elif beside and read.answered is not Answered.DECLINED and _may_answer(exchange.user, about, other):
            told = _Told(
                _answering(exchange, exchange.user, beside=beside), _STATED_SURE, earlier, guessed=True
            )
    return told


def _may_answer(message: str, one: Profile, other: Profile) -> bool:
    """Whether a statement beside a question may answer it: what it asks has no form that could be missing."""
    return not one.yes_no and not (one.wanted | other.wanted) & _FORMED and hindsight.tells(message)


def _answering(exchange: Exchange, quote: str, *, beside: bool) -> hindsight.Answering:
    """An answer, word for word."""
    verbatim = quote if quote and quote in exchange.user else exchange.user.strip()
    return hindsight.Answering(verbatim, exchange.turn, beside)
