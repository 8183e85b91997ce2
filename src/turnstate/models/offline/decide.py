"""From a view to an act: tools to call, or a reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from turnstate.models.offline import replies
from turnstate.models.offline.desk import ROLES, Desk, Step
from turnstate.models.offline.fields import item_names, table
from turnstate.models.offline.intents import Intent, read
from turnstate.models.offline.known import Known, content
from turnstate.models.offline.policy import answer
from turnstate.models.offline.questions import Task, ask, pending
from turnstate.models.offline.results import told
from turnstate.models.offline.toolbox import Call, Role, choose, same_call
from turnstate.models.offline.view import Result, View

_MOST_ROUNDS: Final = 8
"""Results after which nothing more is called for one message, whatever it asks."""


@dataclass(frozen=True, slots=True)
class Act:
    """What the model does: calls, or text.

    Attributes:
        text: the reply; "" with calls.
        calls: the tools to call; none with text.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()


def decide(view: View) -> Act:
    """What to do next; the same for the same view."""
    reading = read(view.newest)
    desk = Desk(view, reading, Known(view, reading), pending(view.last_reply))
    steps = desk.steps()
    calls: list[Call] = []
    for step in steps:
        if step.call is not None and _result(view, step.call) is None and step.call not in calls:
            calls.append(step.call)
    if calls and len(view.results) < _MOST_ROUNDS:
        return Act(calls=tuple(calls))
    return Act(text=_reply(desk, steps))


def _result(view: View, call: Call) -> Result | None:
    """What came of a call in this turn."""
    return next((result for result in view.results if same_call(result.tool, result.args, call)), None)


def _reply(desk: Desk, steps: tuple[Step, ...]) -> str:
    """The words for the steps, with at most one question to the customer, at the end."""
    said: list[str] = []
    question = ""
    later: list[str] = []
    for step in _fitting(desk, steps):
        text = _words(desk, step)
        if not step.asks:
            said.append(text)
        elif not question:
            question = text
        else:
            later.append(_LATER[step.task.intent])
    body = [*said, *dict.fromkeys(later), *([question] if question else [])] or [_social(desk)]
    opening = _opening(desk, busy=bool(steps))
    text = "\n".join(dict.fromkeys([" ".join(filter(None, [opening, body[0]])), *body[1:]]))
    return f"{replies.LABEL}\n{text}" if desk.view.first else text


_LATER: Final = {
    Intent.STATUS: "After that I can look the order up.",
    Intent.ADDRESS: "After that we can change the delivery address.",
    Intent.REFUND: "After that we can turn to the refund.",
    Intent.CANCEL: "After that we can turn to the cancellation.",
}


def _fitting(desk: Desk, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Without the orders that were looked up for certain goods and do not contain them."""
    searched = [step for step in steps if step.goods and step.call is not None]
    found = [step for step in searched if step.call and _contains(_result(desk.view, step.call), step.goods)]
    current = desk.known.current_order()
    kept = found or [step for step in searched if step.task.order == current]
    return tuple(step for step in steps if step not in searched or step in kept)


def _contains(result: Result | None, goods: frozenset[str]) -> bool:
    items = item_names(table(result.content)) if result is not None else ()
    return any(goods & content(item) for item in items)


def _words(desk: Desk, step: Step) -> str:
    if step.call is None:
        return step.say
    result = _result(desk.view, step.call)
    if result is None:
        return "I could not finish that: too many steps were needed. Please ask for it again by itself."
    return told(result, ROLES[step.task.intent], step.task, step.aspect)


def _opening(desk: Desk, *, busy: bool) -> str:
    """What goes before the first answer: a greeting where one is due, an apology where something went wrong."""
    view, reading, known = desk.view, desk.reading, desk.known
    parts: list[str] = []
    name = known.value("name")
    if busy and view.first and (view.facts or view.updates) and name:
        parts.append(f"Welcome back, {name}.")
    elif busy and (reading.intends(Intent.GREETING) or reading.stated("name")):
        parts.append(f"Hello {name}." if name else "Hello.")
    asked = {one.said for one in reading.requests if one.intent is Intent.STATUS}
    late = any("late" in clause.has and clause.said in asked for clause in reading.clauses)
    if late:
        parts.append("I'm sorry about the wait.")
    elif busy and reading.intends(Intent.COMPLAINT):
        parts.append("I'm sorry about that.")
    return " ".join(parts)


def _social(desk: Desk) -> str:
    """The reply to a message that asks for nothing that can be done."""
    view, reading, known = desk.view, desk.reading, desk.known
    name = known.value("name")
    comma = f", {name}" if name else ""
    asked = next(
        (ask for ask in reading.asks if ask.intent is Intent.UNKNOWN and ask.aspect == "question"), None
    )
    if asked is not None:
        found = answer(view.instructions, "", asked.said)
        return found or f"I can't verify that from what I have here. {replies.next_step(view)}"
    said = {
        Intent.COMPLAINT: _sorry(desk),
        Intent.INFORM: replies.noted(reading, known, returning=view.first and bool(view.facts)),
        Intent.GOODBYE: f"Goodbye{comma}.",
        Intent.GREETING: f"{replies.welcome(known)} What can I do for you?",
        Intent.THANKS: f"You're welcome{comma}.",
        Intent.NO: "All right. Tell me if there is anything else.",
        Intent.YES: "Good. Tell me if there is anything else.",
    }
    return next((text for intent, text in said.items() if reading.intends(intent)), "") or _unsure(desk)


def _unsure(desk: Desk) -> str:
    """The reply to a message that none of the rules knows."""
    able = replies.on_abilities(desk.view)
    if desk.view.files:
        return f"I can't look at attachments here. {able}"
    if any(one.aspect == "talk" for one in desk.reading.asks):
        return f"Thank you for asking. {able}"
    if len(desk.reading.text.split()) < 3:
        return f"I'm not sure what you mean. {able}"
    order = desk.known.current_order()
    return f"Thank you for telling me. Is there anything that I should do{f' about order {order}' if order else ''}?"


def _sorry(desk: Desk) -> str:
    """The reply to somebody who is not content: what is wrong, if they have not said so, and what can be done."""
    name = desk.known.value("name")
    sorry = f"I'm sorry about that{f', {name}' if name else ''}."
    if not any(one.intent is Intent.COMPLAINT and one.aspect == "vague" for one in desk.reading.asks):
        return f"{sorry} {replies.on_abilities(desk.view)}"
    if order := desk.known.current_order():
        return f"{sorry} Please tell me what is wrong with order {order}."
    if choose(desk.view.tools, Role.LOOKUP) is not None:
        return f"{sorry} {ask('order', Task(Intent.STATUS))}"
    return f"{sorry} Please tell me what is wrong."
