"""The wording of what is recalled: values, first and last words, and the sentence that speaks of something."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from turnstate.models.offline.families import vocabulary
from turnstate.models.offline.intents import Ask, Intent, read
from turnstate.models.offline.known import Known
from turnstate.models.offline.replies import LABEL, LABELS, listed, quoted
from turnstate.models.offline.values import Kind
from turnstate.models.offline.view import View
from turnstate.models.offline.words import stem, words

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_AT_FIRST: Final = re.compile(
    r"\b(?:first|originally|initially|at the (?:start|beginning)|in the beginning)\b", re.IGNORECASE
)
_ASIDE: Final = vocabulary(
    "what which when where who how why did do does i me my you your we the a an is was were are be of to "
    "in on at for from with about and or but that this it again tell told say said ask asked mention "
    "mentioned give gave remember recall remind know please can could would have had has still earlier "
    "before already just first wanted want number thing something anything so"
)


def recalled(known: Known, ask: Ask) -> str:
    """What was said before, as far as it is in view."""
    match ask.aspect:
        case "order" | "address" | "name" | "email" | "phone":
            return _value_recalled(known, ask.aspect, ask.said)
        case "reply" | "topic":
            return _topic(known.view, ask.said, own=ask.aspect == "reply")
        case aspect:
            return _CONVERSATION[aspect](known)


def _orders(known: Known) -> str:
    orders = [f"order {order}" for order in reversed(known.values("order"))]
    return f"We have spoken about {listed(tuple(orders))}." if orders else _nothing("an order number")


def _first(known: Known) -> str:
    view = known.view
    first = view.opening or ("" if view.summaries else next(iter(view.said), ""))
    return f"Your first message was: {quoted(first)}" if first else _nothing("your first message")


def _last(known: Known) -> str:
    last = next(reversed(known.view.said), "")
    return f"Before that you wrote: {quoted(last)}" if last else _nothing("an earlier message")


def _again(known: Known) -> str:
    return _without_label(known.view.last_reply) or _nothing("an earlier reply")


def _value_recalled(known: Known, kind: Kind, question: str) -> str:
    label = LABELS[kind]
    if _AT_FIRST.search(question) and (first := known.earliest(kind)):
        return f"The first {label} you gave me is {first}."
    values = known.values(kind)
    if not values:
        return _nothing(f"your {label}")
    current = known.current_order() if kind == "order" else values[0]
    others = [value for value in values if value != current][:3]
    rest = f" Also mentioned: {', '.join(others)}." if others and kind == "order" else ""
    return f"Your {label} is {current}.{rest}"


def _everything(known: Known) -> str:
    """All that is known about the customer, in one sentence."""
    kinds: tuple[Kind, ...] = ("name", "order", "address", "email", "phone")
    told = [
        f"{LABELS[kind]} {', '.join(values if kind == 'order' else values[:1])}"
        for kind in kinds
        if (values := known.values(kind))
    ]
    return f"This is what I have: {'; '.join(told)}." if told else _nothing("anything about you")


_CONVERSATION: Final[dict[str, Callable[[Known], str]]] = {
    "orders": _orders,
    "first": _first,
    "last": _last,
    "again": _again,
    "all": _everything,
}


def _nothing(what: str) -> str:
    return f"I can't see {what} in what I have of our conversation."


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
