"""The desk: what each request of a message comes to, given what is known, what is pending, and the tools there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from turnstate.models.offline import memory, replies
from turnstate.models.offline.arguments import Missing, Values, fill
from turnstate.models.offline.fields import failure, outcome_unknown
from turnstate.models.offline.intents import Ask, Intent, Reading, read
from turnstate.models.offline.known import Known, order_of
from turnstate.models.offline.pickup import Followed, Job, follow
from turnstate.models.offline.questions import Pending, Task, Wanted, ask, propose
from turnstate.models.offline.results import in_doubt
from turnstate.models.offline.targets import MOST, targets
from turnstate.models.offline.toolbox import Call, Role, choose, role_of, same_call
from turnstate.models.offline.view import View
from turnstate.models.offline.words import families, words

ROLES: Final = {
    Intent.STATUS: Role.LOOKUP,
    Intent.ADDRESS: Role.ADDRESS,
    Intent.REFUND: Role.REFUND,
    Intent.CANCEL: Role.CANCEL,
}
"""The kind of tool that a request needs."""

_CORRECTS: Final = re.compile(
    r"\b(?:sorry|meant|mean|actually|correct|correction|wrong|typo|mistake|mistyped|not|no|rather|oops|should be|has to be)\b",
    re.IGNORECASE,
)
_STORY: Final = 40
"""Words of a message from which on not every question in it is meant."""
_CONSENTS: Final = re.compile(
    r"\b(?:go ahead|i confirm|confirmed|yes|just do it|do it now|right away|i am sure|i'm sure)\b",
    re.IGNORECASE,
)
_UNABLE: Final = {
    Intent.STATUS: "look up orders",
    Intent.ADDRESS: "change a delivery address",
    Intent.REFUND: "request a refund",
    Intent.CANCEL: "cancel an order",
}


_NO_TASK: Final = Task(Intent.STATUS)


@dataclass(frozen=True, slots=True)
class Step:
    """What one request of the message comes to.

    Attributes:
        say: the words for it, if no tool is needed.
        asks: whether `say` ends in a question to the customer.
        call: the tool call that it needs, or None.
        task: what it is for.
        aspect: which side of an order was asked about.
        goods: stems of the goods that the order must contain for the answer to count; empty if any order does.
    """

    say: str = ""
    asks: bool = False
    call: Call | None = None
    task: Task = _NO_TASK
    aspect: str = ""
    goods: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Desk:
    """A message on the desk.

    Attributes:
        view: the request.
        reading: its newest message.
        known: what is in view.
        open: the question that the previous reply left open, or None.
    """

    view: View
    reading: Reading
    known: Known
    open: Pending | None

    def steps(self) -> tuple[Step, ...]:
        """What the message comes to, in the order of its requests; empty if it only says something."""
        followed = follow(self.open, self.reading, self.known)
        found = [Step(say=followed.say)] if followed.say else []
        if followed.job is not None:
            found.append(self._step(followed.job))
        for request in self._requests(followed):
            found.extend(self._answered(request))
        if found:
            found.extend(self._besides())
        return tuple(found) or tuple(self._informed(followed))

    def _besides(self) -> Iterator[Step]:
        """A question beside the requests that no rule knows: answered from the instructions, or said to be open."""
        if len(self.reading.text.split()) > _STORY:
            return
        marked = {clause.said for clause in self.reading.clauses if clause.question and clause.length > 2}
        for question in self.reading.asks:
            if (
                question.intent is Intent.UNKNOWN
                and question.aspect == "question"
                and question.said in marked
            ):
                yield Step(say=replies.on_anything(self.view, question.said))

    def _requests(self, followed: Followed) -> Iterator[Ask]:
        """The requests that the follow-up has not taken up."""
        for request in self.reading.requests:
            same = followed.job is not None and request.intent is followed.job.task.intent
            only_number = (
                followed.job is not None and request.intent is Intent.STATUS and request.aspect == "number"
            )
            if not same and not only_number:
                yield request

    def _answered(self, request: Ask) -> Iterator[Step]:
        match request.intent:
            case Intent.STATUS:
                aspect = "summary" if request.aspect == "number" else request.aspect
                found = targets(request, self.reading, self.known)
                for order in found.orders:
                    yield replace(
                        self._step(Job(Task(Intent.STATUS, order), aspect=aspect)), goods=found.goods
                    )
            case Intent.ADDRESS:
                yield from self._address_steps(request)
            case Intent.REFUND:
                yield from self._refund_steps(request)
            case Intent.CANCEL:
                yield self._step(
                    Job(
                        Task(Intent.CANCEL, targets(request, self.reading, self.known).orders[0]),
                        consent=self._consents(),
                    )
                )
            case Intent.RECALL:
                yield Step(say=memory.recalled(self.known, request))
            case Intent.POLICY:
                yield Step(say=self._on_policy(request))
            case Intent.HUMAN:
                yield Step(say=replies.on_human(self.view))
            case _:
                yield Step(say=f"{replies.SELF} {replies.on_abilities(self.view)}")

    def _address_steps(self, request: Ask) -> Iterator[Step]:
        stated = request.stated("address") or self.reading.stated("address")
        address = (
            stated[-1] if stated else self.known.on_record("address") if request.aspect == "same" else ""
        )
        given = bool(stated) and request.aspect != "moved"
        found = targets(request, self.reading, self.known)
        orders, given = found.orders, given and found.sure
        if (
            not self.reading.stated("order")
            and _CORRECTS.search(self.reading.text)
            and (redirected := self._redirected())
        ):
            orders, given = (redirected,), False
        for order in orders:
            yield self._step(Job(Task(Intent.ADDRESS, order, address), consent=given or self._consents()))

    def _redirected(self) -> str:
        """The order whose address was changed last, in view: a correction of an address is most likely about it."""
        changed = [
            r
            for r in self.view.earlier
            if role_of(self.view.tools, r.tool) is Role.ADDRESS and failure(r.content) is None
        ]
        return order_of(changed[-1]) if changed else ""

    def _refund_steps(self, request: Ask) -> Iterator[Step]:
        task = Task(
            Intent.REFUND, targets(request, self.reading, self.known).orders[0], reason=self.known.reason()
        )
        step = self._step(Job(task, consent=self._consents()))
        if request.aspect == "replacement" and step.call is None:
            step = replace(
                step, say=f"I can't arrange a replacement from here, but a refund may be possible. {step.say}"
            )
        yield step

    def _on_policy(self, request: Ask) -> str:
        said = replies.on_policy(self.view, request)
        order = self.known.current_order()
        about_goods = request.aspect == "returns" and {"goods", "order", "§order"} & {
            f for w in words(request.said) for f in families(w)
        }
        if about_goods and order and choose(self.view.tools, Role.REFUND) is not None:
            return f"{said} For a refund of order {order}, tell me what is wrong."
        return said

    def _consents(self) -> bool:
        return _CONSENTS.search(self.reading.text) is not None

    def _informed(self, followed: Followed) -> Iterator[Step]:
        """What an order number comes to that nothing is asked about: it is looked up, or put right what was asked before."""
        stated = self.reading.stated("order")
        if not stated or followed.settled:
            return
        before = read(self.view.said[-1]).requests if self.view.said else ()
        earlier = next((ask for ask in before if ask.intent in ROLES), None)
        if (
            earlier is not None
            and earlier.intent is not Intent.STATUS
            and _CORRECTS.search(self.reading.text)
        ):
            task = Task(earlier.intent, stated[-1])
            if earlier.intent is Intent.ADDRESS:
                task = replace(
                    task, address=next(iter(earlier.stated("address")), "") or self.known.on_record("address")
                )
            yield self._step(
                Job(replace(task, reason=self.known.reason() if earlier.intent is Intent.REFUND else ""))
            )
            return
        if choose(self.view.tools, Role.LOOKUP) is not None:
            aspect = earlier.aspect if earlier is not None and earlier.intent is Intent.STATUS else "summary"
            for order in stated[:MOST]:
                yield self._step(Job(Task(Intent.STATUS, order), aspect=aspect))

    def _step(self, job: Job) -> Step:
        """A job as a call, as the question for what is missing, or as the words that it cannot be done."""
        task = job.task
        tool = choose(self.view.tools, ROLES[task.intent])
        if task.intent is Intent.ADDRESS and not task.address:
            filled = Missing("address" if task.order else "order and address")
        else:
            filled = fill(tool, self._values(task)) if tool is not None else Missing(None)
        if tool is None or filled == Missing(None):
            return Step(say=self._unable(task), task=task)
        if isinstance(filled, Missing):
            return self._question(filled.wants or "order", task)
        return (
            Step(call=filled, task=task, aspect=job.aspect)
            if task.intent is Intent.STATUS
            else self._change(job, filled)
        )

    def _change(self, job: Job, call: Call) -> Step:
        """A call that changes something: made once, and only with the customer's consent."""
        task = job.task
        if self._in_doubt(call):
            return Step(say=in_doubt(ROLES[task.intent], task), task=task)
        if not job.consent:
            return Step(say=f"{self._sympathy(task)}{propose(task)}", asks=True, task=task)
        return Step(call=call, task=task)

    def _in_doubt(self, call: Call) -> bool:
        """Whether nobody knows what became of the same call earlier: it must not run a second time."""
        return any(
            outcome_unknown(result.content) and same_call(result.tool, result.args, call)
            for result in self.view.earlier
        )

    def _question(self, wants: Wanted, task: Task) -> Step:
        unfit = (
            f"{task.order} does not look like an order number of this shop. "
            if wants == "order" and task.order
            else ""
        )
        asked = ask(wants, replace(task, order="") if unfit else task)
        return Step(say=f"{self._sympathy(task)}{unfit}{asked}", asks=True, task=task)

    def _sympathy(self, task: Task) -> str:
        return (
            "I'm sorry to hear that. "
            if task.intent is Intent.REFUND and task.reason and self.known.reason_is_new()
            else ""
        )

    def _values(self, task: Task) -> Values:
        return Values(
            order=task.order,
            address=task.address,
            reason=task.reason,
            person=self.known.value,
            fact=self.known.fact,
        )

    def _unable(self, task: Task) -> str:
        if task.intent is Intent.CANCEL:
            return replies.on_cancelling(self.view, task.order)
        noted = f" I have noted order {task.order}." if task.order else ""
        return f"I can't {_UNABLE[task.intent]} from here.{noted} {replies.next_step(self.view)}"
