"""Facts from what a user said: by rules before the turn closes, by a model's call afterwards, never delaying a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from turnstate.core.events import FactsLearned
from turnstate.core.facts import Candidate, Fact, Key, Refusal, admit_all
from turnstate.core.history import History, Turn
from turnstate.core.messages import user_text
from turnstate.core.rules import extract
from turnstate.ports import FactExtractor, Log, Reading
from turnstate.turn.speak import redacted


@dataclass(frozen=True, slots=True)
class FactReading:
    """How facts are read.

    Attributes:
        keys: the declared keys.
        extractor: reads with a call of its own after the turn, or None for rules alone.
    """

    keys: Mapping[str, Key]
    extractor: FactExtractor | None = None


def reply_before(history: History, turn: Turn) -> str:
    """The reply that the turn's message answers, or "": what it asks is for the rules and the admission to find."""
    replies = [earlier.reply for earlier in history.before(turn.number) if earlier.status == "closed"]
    return replies[-1] if replies else ""


def learn_by_rules(reading: FactReading, history: History, turn: Turn) -> FactsLearned:
    """What the rules find in the turn's message, admitted."""
    message = user_text(turn.user)
    question = reply_before(history, turn)
    candidates = extract(message, reading.keys, question=question)
    return _admitted(FactsLearned("none", "rules", turn.number), candidates, reading, history, turn)


def unread(history: History) -> tuple[Turn, ...]:
    """The closed turns in view that no model has read."""
    return tuple(turn for turn in history.turns if turn.status == "closed" and not turn.read)


async def learn_by_model(
    reading: FactReading, store: Log, history: History, clock: Callable[[], int]
) -> None:
    """Read the closed turns in view that no model has read; each outcome is recorded, failures too.

    A process that dies before it is done leaves the turns unread, and the next one reads them.
    """
    if reading.extractor is None:
        return
    for turn in unread(history):
        question = reply_before(history, turn)
        try:
            read = await reading.extractor.extract(user_text(turn.user), question, reading.keys)
            _check(read)
            event = _from_model(read, reading, history, turn)
        except Exception as error:  # noqa: BLE001 - an extractor that fails is reported in the log and fails nothing
            words = redacted(f"{type(error).__name__}: {error}")
            event = FactsLearned("failed", "model", turn.number, problems=(words,))
        await store.append(history.conversation, turn.number, [event], clock())


def _check(read: Any) -> None:
    """An application's extractor may give anything; what is not a reading must not reach the log."""
    found = read.extraction
    known = found.status in ("learned", "none", "failed")
    if not known or not all(isinstance(problem, str) for problem in found.problems):
        raise TypeError("its reading has fields of other types")
    if len(read.usage) != 2 or not all(isinstance(count, int) for count in read.usage):
        raise TypeError("its usage is not two counts")


def _from_model(read: Reading, reading: FactReading, history: History, turn: Turn) -> FactsLearned:
    found = read.extraction
    if found.status == "failed":
        return FactsLearned("failed", "model", turn.number, problems=found.problems, usage=read.usage)
    outcome = FactsLearned("none", "model", turn.number, problems=found.problems, usage=read.usage)
    return _admitted(outcome, found.candidates, reading, history, turn)


def _admitted(
    outcome: FactsLearned, candidates: Sequence[Candidate], reading: FactReading, history: History, turn: Turn
) -> FactsLearned:
    """`outcome` with what of `candidates` is admitted, and the reasons for what is refused."""
    outcomes = admit_all(
        candidates,
        keys=reading.keys,
        message=user_text(turn.user),
        question=reply_before(history, turn),
        conversation=history.conversation,
        turn=turn.number,
        at=turn.at,
    )
    facts = tuple(found for found in outcomes if isinstance(found, Fact))
    refused = tuple(
        f"{found.candidate.key}: {found.reason}" for found in outcomes if isinstance(found, Refusal)
    )
    status = "learned" if facts else "none"
    return replace(outcome, status=status, facts=facts, problems=(*outcome.problems, *refused))
