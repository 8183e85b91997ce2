"""Whether asking a question is asking again, and whether there is a reason to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from turnstate.core.questions import changes
from turnstate.core.questions.answers import Answered, reading
from turnstate.core.questions.find import find_questions
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
from turnstate.core.values import find

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
    asks: Asks = field(default_factory=lambda: Asks(""))

    @property
    def text(self) -> str:
        """Its words."""
        return self.question.text if isinstance(self.question, Question) else self.question

    @property
    def proposes(self) -> bool:
        """Whether it puts a value or a choice of the assistant's own, to be answered by yes or no."""
        if isinstance(self.question, Question) and self.question.kind is QuestionKind.OFFER:
            return True
        about = profile(self.text)
        return about.yes_no and (len(about.ways) > 1 or bool(find(self.text)))


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
    if isinstance(outgoing.question, Question) and outgoing.question.kind in {
        QuestionKind.COURTESY,
        QuestionKind.CONFIRM,
    }:
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
        return _by_record(recorded, mine[-1])
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


def _by_record(recorded: Sequence[Answer], match: _Match) -> Verdict:
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
    about = _about(outgoing)
    asked_in = {match.earlier.turn: match.earlier for match in mine}
    answer: Answer | None = None
    last = Answered.NO
    for exchange in later:
        asked = asked_in.get(exchange.turn - 1)
        read = reading((asked or first).text, exchange.user, asked=about, next_to=asked is not None)
        if read.answered is Answered.YES:
            answer = Answer(outgoing.key, exchange.turn, read.quote)
        elif asked:
            last = read.answered
    if answer is None:
        return _verdict(*_UNANSWERED[last if later else Answered.UNCLEAR], mine[-1])
    reason = _undone(outgoing, answer, later, {turn + 1 for turn in asked_in})
    return _verdict("legitimate" if reason else "repeated", reason or Reason.ANSWERED, mine[-1], answer)


_UNANSWERED: Final[Mapping[Answered, tuple[Kind, Reason]]] = {
    Answered.NO: ("legitimate", Reason.NOT_ANSWERED),
    Answered.DECLINED: ("legitimate", Reason.UNKNOWN_TO_USER),
    Answered.UNCLEAR: ("undecided", Reason.CANNOT_DECIDE),
}


def _about(outgoing: Outgoing) -> Profile | None:
    """What a key asks for by its declaration; None where it declares nothing that can be recognised in an answer."""
    if not outgoing.asks.label:
        return None
    declared = profile(" ".join((f"What is the {outgoing.asks.label}", *outgoing.asks.words)))
    asked = profile(outgoing.text)
    return declared._replace(yes_no=asked.yes_no) if declared.wanted or declared.things else None


def _undone(
    outgoing: Outgoing, answer: Answer, later: Sequence[Exchange], replied: AbstractSet[int]
) -> Reason | None:
    """Why an answer that was given no longer counts; None where it does."""
    lasting = outgoing.asks.lasting
    if not lasting and changes.retries(outgoing.reply or outgoing.text):
        return Reason.INVALID
    if outgoing.proposes:
        return Reason.PROPOSES
    since = [exchange for exchange in later if exchange.turn >= answer.turn]
    for at, exchange in enumerate(since):
        if any(changes.resumes(after.user) for after in since[at + 1 :]):
            continue
        reason: Reason | None = None
        if at or answer.turn not in replied:  # an answer to the question itself corrects nothing
            answering = at > 0 and _asks(since[at - 1].assistant)
            reason = changes.after_message(exchange.user, lasting=lasting, answering=answering)
        if reason is None and exchange is not since[-1]:
            reason = changes.after_reply(exchange.assistant, lasting=lasting)
        if reason:
            return reason
    return None


def _asks(reply: str) -> bool:
    return any(question.kind is QuestionKind.ASK for question in find_questions(reply))


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
