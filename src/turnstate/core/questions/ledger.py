"""Whether asking a question is asking again, and whether there is a reason to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from turnstate.core.questions import changes
from turnstate.core.questions.answers import Answered, reading
from turnstate.core.questions.profile import Profile, profile
from turnstate.core.questions.similarity import similarity
from turnstate.core.questions.types import (
    Answer,
    AskedQuestion,
    Asks,
    Exchange,
    Kind,
    Question,
    QuestionKind,
    Reason,
    Verdict,
)
from turnstate.core.questions.weights import SAME

Similar = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A question that is about to be put.

    Attributes:
        question: its words, or as it was found in the reply.
        key: what it asks for; "" where nothing says.
        entity: which of several things it is about; "" for the only one.
        reply: the reply that it stands in, as far as it is known; reasons to ask again are read from it.
        asks: what the key asks for, as declared.
    """

    question: Question | str
    key: str = ""
    entity: str = ""
    reply: str = ""
    asks: Asks = Asks("")

    @property
    def text(self) -> str:
        """Its words."""
        return self.question.text if isinstance(self.question, Question) else self.question


class _Match(NamedTuple):
    earlier: AskedQuestion
    by: Literal["key", "paraphrase"]
    likeness: float


def repetition(
    outgoing: Outgoing,
    asked: Sequence[AskedQuestion],
    exchanges: Sequence[Exchange],
    answers: Sequence[Answer] = (),
    *,
    similar: Similar = similarity,
    same: float = SAME,
) -> Verdict:
    """Whether a question is asked again without a reason; what cannot be decided is to be sent.

    Args:
        outgoing: the question, with its key and entity.
        asked: what was asked before, in any order.
        exchanges: what was said since, in order of turns; the newest is the one whose reply is being written.
        answers: what is on record for keys, which counts more than what was said.
        similar: how alike two questions are.
        same: from which likeness on they are one.
    """
    if isinstance(outgoing.question, Question) and outgoing.question.kind in {QuestionKind.COURTESY, QuestionKind.CONFIRM}:
        reason = Reason.CONFIRMS if outgoing.question.kind is QuestionKind.CONFIRM else Reason.NOT_A_QUESTION
        return Verdict("legitimate" if reason is Reason.CONFIRMS else "new", reason)
    matches = sorted(_matches(outgoing, asked, similar, same), key=lambda match: match.earlier.turn)
    if not matches:
        return _volunteered(outgoing, answers)
    verdict = _judged(outgoing, matches, exchanges, answers)
    if outgoing.asks.required and verdict.kind == "repeated":
        return _verdict("legitimate", Reason.REQUIRED, matches[-1])
    return verdict


def _matches(
    outgoing: Outgoing, asked: Sequence[AskedQuestion], similar: Similar, same: float
) -> Iterator[_Match]:
    """What was asked before and is the same: by its key, or by its words where not both have one."""
    for earlier in asked:
        if outgoing.key and earlier.key:
            if outgoing.key == earlier.key:
                yield _Match(earlier, "key", 1.0)
        elif (likeness := similar(outgoing.text, earlier.text)) >= same:
            yield _Match(earlier, "paraphrase", likeness)


def _judged(
    outgoing: Outgoing, matches: Sequence[_Match], exchanges: Sequence[Exchange], answers: Sequence[Answer]
) -> Verdict:
    """Repeated, if what was asked for the same thing was answered and the answer still counts."""
    mine = [match for match in matches if _same_thing(outgoing, match)]
    if not mine:
        return _verdict("legitimate", Reason.OTHER_ENTITY, matches[-1])
    recorded = [answer for answer in answers if outgoing.key and _is_of(answer, outgoing)]
    if recorded:
        return _by_record(recorded, mine[-1], outgoing)
    return _by_words(outgoing, mine, exchanges)


def _same_thing(outgoing: Outgoing, match: _Match) -> bool:
    """Whether both questions are about the same of several things."""
    if outgoing.asks.lasting:
        return True
    if outgoing.entity or match.earlier.entity:
        return outgoing.entity == match.earlier.entity
    one, other = profile(outgoing.text), profile(match.earlier.text)
    return not (one.things and other.things and not one.things & other.things)


def _is_of(answer: Answer, outgoing: Outgoing) -> bool:
    return answer.key == outgoing.key and (outgoing.asks.lasting or answer.entity == outgoing.entity)


def _by_record(recorded: Sequence[Answer], match: _Match, outgoing: Outgoing) -> Verdict:
    """By what is on record for the key: the newest answer decides."""
    newest = max(recorded, key=lambda answer: answer.turn)
    if not newest.valid:
        return _verdict("legitimate", Reason.INVALID, match, newest)
    if not newest.current:
        return _verdict("legitimate", Reason.CHANGED, match, newest)
    return _verdict("repeated", Reason.ANSWERED, match, newest)


def _by_words(outgoing: Outgoing, mine: Sequence[_Match], exchanges: Sequence[Exchange]) -> Verdict:
    """By what was said since: the newest message that answers, and what came after it."""
    first = mine[0].earlier
    later = [exchange for exchange in exchanges if exchange.turn > first.turn]
    if not later:
        return _verdict("undecided", Reason.CANNOT_DECIDE, mine[-1])
    about = _about(outgoing)
    answer: Answer | None = None
    declined = unclear = False
    for exchange in later:
        asked = next((match.earlier for match in reversed(mine) if match.earlier.turn < exchange.turn), first)
        read = reading(asked.text, exchange.user, asked=about)
        if read.answered is Answered.YES:
            answer = Answer(outgoing.key, exchange.turn, read.quote)
        declined |= read.answered is Answered.DECLINED
        unclear |= read.answered is Answered.UNCLEAR and exchange.turn == asked.turn + 1
    if answer is None:
        if declined:
            return _verdict("legitimate", Reason.UNKNOWN_TO_USER, mine[-1])
        if unclear:
            return _verdict("undecided", Reason.CANNOT_DECIDE, mine[-1])
        return _verdict("legitimate", Reason.NOT_ANSWERED, mine[-1])
    reason = _undone(outgoing, answer, later)
    return _verdict("legitimate" if reason else "repeated", reason or Reason.ANSWERED, mine[-1], answer)


def _about(outgoing: Outgoing) -> Profile | None:
    """What a key asks for by its declaration; None where it declares nothing that can be recognised in an answer."""
    if not outgoing.asks.label:
        return None
    declared = profile(" ".join((f"What is the {outgoing.asks.label}", *outgoing.asks.words)))
    return declared if declared.wanted else None


def _undone(outgoing: Outgoing, answer: Answer, later: Sequence[Exchange]) -> Reason | None:
    """Why an answer that was given no longer counts; None where it does."""
    lasting = outgoing.asks.lasting
    if not lasting and changes.retries(outgoing.reply or outgoing.text):
        return Reason.INVALID
    for exchange in later:
        if exchange.turn < (answer.turn or 0):
            continue
        if exchange.turn > (answer.turn or 0) and (
            reason := changes.after_message(exchange.user, lasting=lasting)
        ):
            return reason
        if exchange is not later[-1] and not lasting and (reason := changes.after_reply(exchange.assistant)):
            return reason
    return None


def _volunteered(outgoing: Outgoing, answers: Sequence[Answer]) -> Verdict:
    """A question that was never asked: repeated only where its answer is on record."""
    known = [answer for answer in answers if outgoing.key and _is_of(answer, outgoing)]
    if not known:
        return Verdict("new", Reason.NEVER_ASKED)
    newest = max(known, key=lambda answer: answer.turn)
    if not (newest.valid and newest.current):
        return Verdict("new", Reason.NEVER_ASKED)
    kind: Kind = "legitimate" if outgoing.asks.required else "repeated"
    reason = Reason.REQUIRED if outgoing.asks.required else Reason.VOLUNTEERED
    return Verdict(kind, reason, "key", 1.0, None, newest.quote, newest.turn)


def _verdict(kind: Kind, reason: Reason, match: _Match, answer: Answer | None = None) -> Verdict:
    return Verdict(
        kind,
        reason,
        match.by,
        match.likeness,
        match.earlier,
        answer.quote if answer else "",
        answer.turn if answer else None,
    )
