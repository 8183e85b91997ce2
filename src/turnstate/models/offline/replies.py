"""The wording of replies that need no tool."""

from __future__ import annotations

import re
from typing import Final

from turnstate.models.offline import policy
from turnstate.models.offline.families import vocabulary
from turnstate.models.offline.intents import Ask, Intent, Reading, read
from turnstate.models.offline.known import Known
from turnstate.models.offline.toolbox import Role, choose
from turnstate.models.offline.values import Kind
from turnstate.models.offline.view import View
from turnstate.models.offline.words import stem, words

LABEL: Final = "[offline: rules, no language model]"
"""The line that starts the first reply of a conversation."""

SELF: Final = "I am the offline assistant: rules, no language model."
"""What answers here."""

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_ASIDE: Final = vocabulary(
    "what which when where who how why did do does i me my you your we the a an is was were are be of to "
    "in on at for from with about and or but that this it again tell told say said ask asked mention "
    "mentioned give gave remember recall remind know please can could would have had has still earlier "
    "before already just first wanted want number thing something anything so"
)
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
        able.append(f"answer questions about {_listed(topics)}")
    able.append("recall what you told me")
    return f"I can {_listed(tuple(able))}."


_ABLE: Final = (
    (Role.LOOKUP, "look up an order"),
    (Role.ADDRESS, "change its delivery address"),
    (Role.REFUND, "request a refund"),
    (Role.CANCEL, "cancel an order"),
)


def _listed(parts: tuple[str, ...]) -> str:
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
    able = f" What I can do is {_listed(tuple(others))}." if others else ""
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
    return f"{hello} I still have {_listed(tuple(kept))} on file." if kept else hello


def noted(reading: Reading, known: Known, *, returning: bool) -> str:
    """The answer to somebody who only tells something about themselves or an order."""
    said = [
        f"your {_LABELS[kind]} {values[-1]}"
        for kind in ("order", "address", "email", "phone")
        if (values := reading.stated(kind))
    ]
    name = known.value("name")
    hello = welcome(known) if returning else f"Thank you{f', {name}' if name else ''}."
    return f"{hello}{f' I have noted {_listed(tuple(said))}.' if said else ''} What can I do for you?"


_LABELS: Final[dict[Kind, str]] = {
    "order": "order number",
    "address": "address",
    "name": "name",
    "email": "e-mail address",
    "phone": "phone number",
}


def recalled(known: Known, ask: Ask) -> str:
    """What was said before, as far as it is in view."""
    match ask.aspect:
        case "order" | "address" | "name" | "email" | "phone":
            return _value_recalled(known, ask.aspect)
        case "orders":
            orders = known.values("order")
            return (
                f"We have spoken about {_listed(tuple(f'order {order}' for order in reversed(orders)))}."
                if orders
                else _nothing("an order number")
            )
        case "first":
            return _first(known.view)
        case "reply":
            return _topic(known.view, ask.said, own=True)
        case _:
            return _topic(known.view, ask.said, own=False)


def _value_recalled(known: Known, kind: Kind) -> str:
    values = known.values(kind)
    label = _LABELS[kind]
    if not values:
        return _nothing(f"your {label}")
    current = known.current_order() if kind == "order" else values[0]
    others = [value for value in values if value != current][:3]
    rest = f" Also mentioned: {', '.join(others)}." if others and kind == "order" else ""
    return f"Your {label} is {current}.{rest}"


def _nothing(what: str) -> str:
    return f"I can't see {what} in what I have of our conversation."


def _first(view: View) -> str:
    first = view.opening or ("" if view.summaries else next(iter(view.said), ""))
    if not first:
        return _nothing("your first message")
    return f"Your first message was: {quoted(first)}"


def _topic(view: View, question: str, *, own: bool) -> str:
    """The earlier sentence that shares most words with the question, quoted with its speaker."""
    asked = {stem(word) for word in words(question) if word not in _ASIDE}
    best: tuple[float, str, str] | None = None
    for speaker, sentence in _sentences(view):
        if not own and sentence.rstrip().endswith("?"):
            continue
        stems = {stem(word) for word in words(sentence)}
        shared = len(asked & stems)
        preferred = speaker == ("I" if own else "You")
        score = shared + (0.5 if preferred else 0.0)
        # Who first speaks of something says what it is.
        if shared and (best is None or score > best[0]):
            best = (score, speaker, sentence)
    if best is not None:
        _, speaker, sentence = best
        return (
            f"{speaker} wrote earlier: {quoted(sentence)}" if speaker else f"From earlier: {quoted(sentence)}"
        )
    if own and view.last_reply:
        return f"My last reply was: {quoted(_without_label(view.last_reply))}"
    return _nothing("that")


def _sentences(view: View) -> list[tuple[str, str]]:
    """Earlier sentences with their speaker ("" for a summary), the surest source first."""
    found: list[tuple[str, str]] = []
    for text in (view.opening, *view.said):
        found.extend(
            ("You", sentence)
            for sentence in _SENTENCE.split(text)
            if sentence.strip() and not _recalls(sentence)
        )
    for text in (*view.recalled, *view.summaries):
        for line in text.splitlines():
            speaker = "You" if re.match(r"(?:turn \d+ )?(?:user|customer)\b", line, re.IGNORECASE) else ""
            said = re.sub(
                r"^(?:turn \d+ )?(?:user|customer|assistant)[^:\n]{0,40}:\s", "", line, flags=re.IGNORECASE
            )
            found.extend((speaker, sentence) for sentence in _SENTENCE.split(said) if sentence.strip())
    for reply in view.replies:
        found.extend(
            ("I", sentence) for sentence in _SENTENCE.split(_without_label(reply)) if sentence.strip()
        )
    return found


def _recalls(sentence: str) -> bool:
    """Whether a sentence was itself such a question: it is no answer to one."""
    return read(sentence).intends(Intent.RECALL)


def _without_label(reply: str) -> str:
    return reply.removeprefix(LABEL).strip()
