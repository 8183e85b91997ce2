"""Questions in replies: recorded with what they ask for, and stopped where they were asked and answered before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from turnstate.core.events import Question
from turnstate.core.history import Turn
from turnstate.core.messages import user_text
from turnstate.core.questions import (
    Answer,
    AskedQuestion,
    Asks,
    Exchange,
    Outgoing,
    QuestionKind,
    Verdict,
    find_questions,
    key_of,
    match_key,
    repetition,
    similarity,
)
from turnstate.turn.guards import Mode, Objection, View

_PUT = (QuestionKind.ASK, QuestionKind.OFFER)


def questions_in(text: str, asks: Mapping[str, Asks], told: Sequence[str] = ()) -> tuple[Question, ...]:
    """The questions that a reply puts to the user, with what each asks for.

    Args:
        text: the reply.
        asks: what can be asked for, by key.
        told: keys that the model says it asks for; they go to questions that have no key by their words.
    """
    spare = [key for key in told if key in asks]
    found: list[Question] = []
    for question in find_questions(text):
        if question.kind not in _PUT:
            continue
        key = key_of(question, asks) or ""
        if key in spare:
            spare.remove(key)
        found.append(Question(key, question.text))
    for index, question in enumerate(found):
        if not question.key and spare:
            found[index] = Question(spare.pop(0), question.text)
    return tuple(found)


class AskedGuard:
    """Objects to a question that was asked before and answered, or whose answer is on record.

    A question may be asked again that was not answered, or answered invalidly, whose answer has changed, that is about
    another thing, or that the user asks for; so may one that is declared as required. What cannot be decided is sent.

    Args:
        asks: what can be asked for, by key: a state's field, or a fact's key.
        known: from what the guard may look at to what is on record for keys; None for nothing.
        on_key: what is done where the same key was asked or is on record.
        on_paraphrase: what is done where only the words are alike.
        similar: how alike two questions are, from 0 to 1; symmetric.
    """

    name = "asked"

    def __init__(
        self,
        asks: Mapping[str, Asks],
        *,
        known: Callable[[View], Sequence[Answer]] | None = None,
        on_key: Mode = "observe",
        on_paraphrase: Mode = "observe",
        similar: Callable[[str, str], float] = similarity,
    ) -> None:
        self._asks = asks
        self._known = known
        self._on_key: Mode = on_key
        self._on_paraphrase: Mode = on_paraphrase
        self._similar = similar

    def check(self, sentence: str, view: View) -> Objection | None:
        """The first question of the sentence that is a repetition."""
        asked = [
            AskedQuestion(put.question.key, put.question.text, put.turn, put.question.about)
            for put in view.history.asked
            if put.turn < view.turn.number
        ]
        answers = self._known(view) if self._known is not None else ()
        for question in find_questions(sentence):
            if question.kind not in _PUT:
                continue
            match = match_key(question, self._asks)
            key = "" if match is None else match.key
            outgoing = Outgoing(
                question,
                key,
                reply=view.said + sentence,
                asks=self._asks.get(key, Asks("")),
                guessed=match is not None and match.by == "paraphrase",
            )
            verdict = repetition(outgoing, asked, _exchanges(view), answers, similar=self._similar)
            mode = self._on_key if verdict.by == "key" else self._on_paraphrase
            if verdict.kind == "repeated" and mode != "off":
                return Objection(mode, _reason(verdict))
        return None


def _exchanges(view: View) -> list[Exchange]:
    earlier = [_exchange(turn) for turn in view.history.before(view.turn.number)]
    return [*earlier, Exchange(view.turn.number, view.message)]


def _exchange(turn: Turn) -> Exchange:
    return Exchange(turn.number, user_text(turn.user), turn.reply)


def _reason(verdict: Verdict) -> str:
    told = ["This was asked and answered."]
    if verdict.earlier is not None:
        told = [f"This was asked in turn {verdict.earlier.turn} (“{verdict.earlier.text}”)."]
    if verdict.answer:
        when = f" in turn {verdict.answered_in}" if verdict.answered_in else ""
        told.append(f"The user said{when}: “{verdict.answer}”.")
    return " ".join(told)
