"""The wording of replies that need no tool."""

from __future__ import annotations

from typing import Final

from turnstate.models.offline import policy
from turnstate.models.offline.intents import Ask, Reading
from turnstate.models.offline.known import Known
from turnstate.models.offline.toolbox import Role, choose
from turnstate.models.offline.values import Kind
from turnstate.models.offline.view import View

LABEL: Final = "[offline: rules, no language model]"
"""The line that starts the first reply of a conversation."""

SELF: Final = "I am the offline assistant: rules, no language model."
"""What answers here."""

_LONGEST: Final = 220


def quoted(text: str) -> str:
    """`text` on one line between quotes, shortened if long."""
    line = " ".join(text.split())
    if len(line) > _LONGEST:
        line = f"{line[:_LONGEST].rsplit(' ', 1)[0]} …"
    return f"“{line}”"


def on_abilities(view: View) -> str:
    """What can be done here, as one sentence."""
    able = [words_for for role, words_for in _ABLE if choose(view.tools, role) is not None]
    if topics := policy.topics(view.instructions):
        able.append(f"answer questions about {listed(topics)}")
    able.append("recall what you told me")
    return f"I can {listed(tuple(able))}."


_ABLE: Final = (
    (Role.LOOKUP, "look up an order"),
    (Role.ADDRESS, "change its delivery address"),
    (Role.REFUND, "request a refund"),
    (Role.CANCEL, "cancel an order"),
)


def listed(parts: tuple[str, ...]) -> str:
    """Parts as a sentence lists them: "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def next_step(view: View) -> str:
    """Whom to turn to for what cannot be verified here: the contact that the instructions give, or the shop."""
    return (
        policy.answer(view.instructions, "contact", "contact phone email", spread=3.0)
        or "Please check with the shop before you rely on it."
    )


def on_policy(view: View, ask: Ask) -> str:
    """The answer to a question about how the shop does things, in the words of the instructions."""
    found = policy.answer(view.instructions, ask.aspect if ask.aspect != "other" else "", ask.said)
    unknown = policy.unmentioned(view.instructions, ask.said)
    if not found:
        return f"I can't verify that from what I have here. {next_step(view)}"
    if unknown:
        return f"I can't confirm anything about {unknown}; what I have is this: {found}"
    return found


def on_anything(view: View, question: str) -> str:
    """The answer to a question beside others that no rule knows."""
    found = policy.answer(view.instructions, "", question)
    return found or f"As to {quoted(question)}: I can't verify that from what I have here."


def on_cancelling(view: View, order: str) -> str:
    """What there is instead, where no tool cancels."""
    which = f"order {order}" if order else "an order"
    rule = policy.answer(view.instructions, "cancel", "cancel order")
    others = [
        text
        for role, text in (
            (Role.ADDRESS, "change the delivery address"),
            (Role.REFUND, "request a refund"),
            (Role.LOOKUP, "check its status"),
        )
        if choose(view.tools, role) is not None
    ]
    able = f" What I can do is {listed(tuple(others))}." if others else ""
    return f"I can't cancel {which} from here.{f' {rule}' if rule else ''}{able}"


def on_human(view: View) -> str:
    """The answer to somebody who wants a person."""
    return f"I can't put you through to a person from here. {next_step(view)}"


def welcome(known: Known) -> str:
    """The greeting of somebody whose facts are on record, with what they need not repeat."""
    view = known.view
    order, address = known.on_record("order"), known.on_record("address")
    parts = [f"order {order}" if order else "", f"the delivery address {address}" if address else ""]
    kept = [part for part in parts if part]
    name = known.value("name")
    hello = f"Welcome back{f', {name}' if name else ''}."
    if not (view.facts or view.updates):
        return f"Hello{f' {name}' if name else ''}."
    return f"{hello} I still have {listed(tuple(kept))} on file." if kept else hello


def noted(reading: Reading, known: Known, *, returning: bool) -> str:
    """The answer to somebody who only tells something about themselves or an order."""
    said = [
        f"your {LABELS[kind]} {values[-1]}"
        for kind in ("order", "address", "email", "phone")
        if (values := reading.stated(kind))
    ]
    name = known.value("name")
    hello = welcome(known) if returning else f"Thank you{f', {name}' if name else ''}."
    return f"{hello}{f' I have noted {listed(tuple(said))}.' if said else ''} What can I do for you?"


LABELS: Final[dict[Kind, str]] = {
    "order": "order number",
    "address": "address",
    "name": "name",
    "email": "e-mail address",
    "phone": "phone number",
}
