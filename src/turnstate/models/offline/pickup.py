"""The question that the previous reply left open, taken up again: what the newest message answers to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from turnstate.models.offline.intents import Intent, Reading
from turnstate.models.offline.known import Known, problem_in
from turnstate.models.offline.questions import Pending, Task, ask

_LOOSE_NUMBER: Final = re.compile(r"(?<![\w.,])[A-Za-z]{0,6}[-_]?\d[\w-]{0,24}")
_LACKS: Final = re.compile(
    r"\b(?:don't|dont|do not|can't|cant|cannot|can not|no idea|not sure|lost|forgot|never got|haven't|havent)\b",
    re.IGNORECASE,
)
_SOCIAL: Final = frozenset({Intent.THANKS, Intent.GOODBYE, Intent.NO, Intent.COMPLAINT, Intent.GREETING})
_LONGEST_REASON: Final = 160


@dataclass(frozen=True, slots=True)
class Job:
    """A task on its way.

    Attributes:
        task: what is to be done.
        consent: whether the customer has said clearly that it shall be done.
        aspect: which side of an order was asked about.
    """

    task: Task
    consent: bool = False
    aspect: str = ""


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of an open question.

    Attributes:
        job: the task that goes on, or None.
        say: the words that close or repeat the question, or "".
        settled: whether the newest message was about it.
    """

    job: Job | None = None
    say: str = ""
    settled: bool = False


_NOTHING: Final = Followed()


def follow(pending: Pending | None, reading: Reading, known: Known) -> Followed:
    """What the newest message says to an open question."""
    if pending is None:
        return _NOTHING
    match pending.wants:
        case "consent":
            return _consent(pending.task, reading)
        case "order" | "order and address":
            return _order(pending, reading)
        case "address":
            return _address(pending.task, reading, known)
        case "reason":
            return _reason(pending.task, reading)
        case kind:
            given = reading.stated(kind) or (
                kind == "name" and not reading.requests and len(reading.text.split()) <= 4
            )
            return Followed(Job(pending.task), settled=True) if given else _NOTHING


def _amended(task: Task, reading: Reading) -> Task:
    """The task with the values that the message gives."""
    orders, addresses = reading.stated("order"), reading.stated("address")
    return replace(
        task,
        order=orders[-1] if orders else task.order,
        address=addresses[-1] if addresses and task.intent is Intent.ADDRESS else task.address,
    )


def _consent(task: Task, reading: Reading) -> Followed:
    amended = _amended(task, reading)
    again = any(ask.intent is task.intent for ask in reading.requests)
    if reading.intends(Intent.NO) and not _agrees(reading):
        if amended != task:
            given = task.intent is Intent.ADDRESS and amended.address != task.address
            return Followed(Job(amended, consent=given), settled=True)
        if again:
            return Followed(settled=True)
        return Followed(say=f"All right, {_LEFT[task.intent]}.", settled=True)
    if _agrees(reading) or (again and amended == task and not reading.stated("order")):
        return Followed(Job(amended, consent=True), settled=True)
    if amended != task and not reading.requests:
        given = task.intent is Intent.ADDRESS and amended.address != task.address
        return Followed(Job(amended, consent=given), settled=True)
    return _NOTHING


def _agrees(reading: Reading) -> bool:
    """Whether the message says yes; "Fine. Where is it?" does not."""
    strong = any(ask.intent is Intent.YES and ask.aspect != "weak" for ask in reading.asks)
    return strong or (reading.intends(Intent.YES) and not reading.requests)


_LEFT: Final = {
    Intent.ADDRESS: "the delivery address stays as it is",
    Intent.REFUND: "I am not requesting a refund",
    Intent.CANCEL: "the order stays as it is",
    Intent.STATUS: "I am leaving it",
}


def _order(pending: Pending, reading: Reading) -> Followed:
    task = _amended(pending.task, reading)
    if not reading.stated("order") and not reading.requests and len(reading.text) < 80:
        numbers = _LOOSE_NUMBER.findall(reading.text)
        task = replace(task, order=numbers[-1]) if numbers else task
    if task != pending.task:
        given = task.intent is Intent.ADDRESS and bool(task.address)
        return Followed(Job(task, consent=given), settled=True)
    if reading.requests or reading.intends(*_SOCIAL):
        return _NOTHING
    if _LACKS.search(reading.text):
        return Followed(
            say="Without the order number I can't do that. It usually stands in the order confirmation.",
            settled=True,
        )
    return Followed(say=ask(pending.wants, pending.task), settled=True)


def _address(task: Task, reading: Reading, known: Known) -> Followed:
    amended = _amended(task, reading)
    if amended.address:
        return Followed(Job(amended, consent=True), settled=True)
    wants_same = any(
        request.intent is Intent.ADDRESS and request.aspect == "same" for request in reading.requests
    )
    if wants_same or re.search(
        r"\b(?:same|as before|the usual|my (?:home )?address)\b", reading.text, re.IGNORECASE
    ):
        return Followed(Job(replace(amended, address=known.on_record("address"))), settled=True)
    if reading.requests or reading.intends(*_SOCIAL):
        return _NOTHING
    text = " ".join(reading.text.split()).strip(" .")
    # Where an address was asked for, a line with a comma or a house number is one, in whatever form.
    if (
        1 < len(text.split()) < 25
        and "?" not in text
        and ("," in text or any(char.isdigit() for char in text))
    ):
        return Followed(Job(replace(amended, address=text), consent=True), settled=True)
    return _NOTHING


def _reason(task: Task, reading: Reading) -> Followed:
    """A reason is told, not asked: only a statement is one, and only it counts as a yes."""
    told = problem_in(reading)
    if not told and reading.intends(Intent.NO):
        return Followed(say=f"All right, {_LEFT[Intent.REFUND]}.", settled=True)
    if not told and not _states_only(reading):
        return _NOTHING
    amended = _amended(task, reading)
    reason = told or " ".join(reading.text.split()).strip(" .!")[:_LONGEST_REASON]
    # A yes to one order is none to another.
    return Followed(Job(replace(amended, reason=reason), consent=amended.order == task.order), settled=True)


def _states_only(reading: Reading) -> bool:
    """Whether the message tells something, in a few words or more, and neither asks nor is only polite."""
    asked = any(request.intent is not Intent.REFUND for request in reading.requests)
    questions = any(clause.asks for clause in reading.clauses)
    polite = reading.intends(Intent.GOODBYE, Intent.THANKS, Intent.GREETING, Intent.YES)
    return not (asked or questions or polite) and len(reading.text.split()) > 1
