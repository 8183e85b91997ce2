"""Whether asking a question is asking again, and whether there is a reason to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

from turnstate.core.questions import changes
from turnstate.core.questions.answers import Answered, reading
from turnstate.core.questions.find import find_questions
from turnstate.core.questions.hindsight import reply_of
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
        guessed: whether the key was only guessed from an example (`match_key`); then a match by it counts as a paraphrase.
        replied: what the user said to it, where the dialogue is over and it is judged with hindsight; None for a guard.
    """

    question: Question | str
    key: str = ""
    entity: str = ""
    reply: str = ""
    asks: Asks = field(default_factory=lambda: Asks(""))
    guessed: bool = False
    replied: str | None = None

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
    recorded = [answer for answer in answers if outgoing.key and _is_of(answer, outgoing)]
    if not matches:
        return (
            _by_record(outgoing, recorded, None, exchanges)
            if recorded
            else Verdict("new", Reason.NEVER_ASKED)
        )
    verdict = _judged(outgoing, matches, exchanges, recorded)
    if outgoing.replied is not None:
        verdict = _with_hindsight(outgoing, verdict)
    if outgoing.asks.required and verdict.kind == "repeated":
        return _verdict("legitimate", Reason.REQUIRED, matches[-1])
    return verdict


def _with_hindsight(outgoing: Outgoing, verdict: Verdict) -> Verdict:
    """A verdict, corrected by what the user said to the question: the same as before, or something else."""
    said = reply_of(outgoing.text, outgoing.replied or "", verdict.answer)
    if verdict.kind == "repeated" and said == "other":
        return replace(verdict, kind="legitimate", reason=Reason.CHANGED)
    doubted = verdict.kind == "undecided" or verdict.reason is Reason.OTHER_ENTITY
    if said == "objects" or (doubted and said == "same"):
        return replace(verdict, kind="repeated", reason=Reason.ANSWERED)
    return verdict


def _matches(
    outgoing: Outgoing, asked: Sequence[AskedQuestion], similar: Similar, same: float
) -> Iterator[_Match]:
    """What was asked before and is the same: by its key, or by its words where not both have one."""
    for earlier in asked:
        if outgoing.key and earlier.key:
            if outgoing.key == earlier.key:
                yield _Match(earlier, "paraphrase" if outgoing.guessed else "key", 1.0)
        elif (likeness := similar(outgoing.text, earlier.text)) >= same:
            yield _Match(earlier, "paraphrase", likeness)


def _judged(
    outgoing: Outgoing, matches: Sequence[_Match], exchanges: Sequence[Exchange], recorded: Sequence[Answer]
) -> Verdict:
    """Repeated, if what was asked for the same thing was answered and the answer still counts."""
    mine = [match for match in matches if _same_thing(outgoing, match)]
    if not mine:
        return _verdict("legitimate", Reason.OTHER_ENTITY, matches[-1])
    if recorded:
        return _by_record(outgoing, recorded, mine[-1], exchanges)
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


def _by_record(
    outgoing: Outgoing, recorded: Sequence[Answer], match: _Match | None, exchanges: Sequence[Exchange]
) -> Verdict:
    """By what is on record for the key: the newest answer decides, unless the newest message or the reply undoes it."""
    newest = max(recorded, key=lambda answer: answer.turn)
    reason = _outdated(outgoing, newest, exchanges)
    if reason and match is None and reason in {Reason.INVALID, Reason.CHANGED}:
        return Verdict("new", Reason.NEVER_ASKED)
    kind: Kind = "legitimate" if reason else "repeated"
    if match:
        return _verdict(kind, reason or Reason.ANSWERED, match, newest)
    by: Literal["key", "paraphrase"] = "paraphrase" if outgoing.guessed else "key"
    return Verdict(kind, reason or Reason.VOLUNTEERED, by, 1.0, None, newest.quote, newest.turn)


def _outdated(outgoing: Outgoing, answer: Answer, exchanges: Sequence[Exchange]) -> Reason | None:
    """Why an answer on record does not count; what was said before the newest message is in the record already."""
    if not answer.valid:
        return Reason.INVALID
    if not answer.current:
        return Reason.CHANGED
    if outgoing.asks.required:
        return Reason.REQUIRED
    if exchanges and exchanges[-1].turn > answer.turn:
        before = exchanges[-2].assistant if len(exchanges) > 1 else ""
        if reason := _undone_by(outgoing, exchanges[-1].user, before):
            return None if outgoing.entity and reason is Reason.OTHER_ENTITY else reason
    if not outgoing.asks.lasting and changes.retries(outgoing.reply or outgoing.text):
        return Reason.INVALID
    return Reason.PROPOSES if outgoing.proposes else None


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
    """What is asked now: by the key's declaration, else by the question; None where neither says what could answer it."""
    asked = profile(outgoing.text)
    if outgoing.asks.label:
        declared = profile(" ".join((f"What is the {outgoing.asks.label}", *outgoing.asks.words)))
        if declared.wanted or declared.things:
            return declared._replace(yes_no=asked.yes_no)
    return asked if asked.wanted else None


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
    resumed = max((at for at, exchange in enumerate(since) if changes.resumes(exchange.user)), default=0)
    for at, exchange in enumerate(since[resumed:], start=resumed):
        reason: Reason | None = None
        if at or answer.turn not in replied:  # an answer to the question itself corrects nothing
            reason = _undone_by(outgoing, exchange.user, since[at - 1].assistant if at else "")
        if reason is None and exchange is not since[-1]:
            reason = changes.after_reply(exchange.assistant, lasting=lasting)
        if reason:
            return reason
    return None


def _undone_by(outgoing: Outgoing, message: str, before: str) -> Reason | None:
    """Why an answer no longer counts after a message that follows the reply `before`."""
    lasting = outgoing.asks.lasting
    if reason := changes.after_message(message, lasting=lasting):
        return reason
    changed = _mentions(message, outgoing.asks) and changes.corrects(message)
    varied = not lasting and changes.varies(message) and not _asks(before)
    return Reason.CHANGED if changed or varied else None


def _mentions(message: str, asks: Asks) -> bool:
    said = message.casefold()
    return any(word.casefold() in said for word in (asks.label, *asks.words) if word)


def _asks(reply: str) -> bool:
    return any(question.kind is QuestionKind.ASK for question in find_questions(reply))


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
