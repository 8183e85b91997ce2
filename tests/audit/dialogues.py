"""Dialogues as they are written down in tests of the audit, and strategies for any dialogue at all."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from turnstate.audit.findings import Finding, Place
from turnstate.core.messages import args_text, calls, response_text, result_text, user_text
from turnstate.readers.openai_chat import read_chat
from turnstate.readers.transcript import Transcript


def dialogue(*said: str, greeting: str = "") -> Transcript:
    """A transcript of alternating messages, the user's first; "tool: arguments -> result" is a call with its result.

    Args:
        said: the messages; a call stands between the user's message and the reply.
        greeting: what the assistant said first.
    """
    messages: list[dict[str, Any]] = [{"role": "assistant", "content": greeting}] if greeting else []
    role = "user"
    for number, text in enumerate(said):
        if " -> " in text and text.startswith("call "):
            head, _, result = text.removeprefix("call ").partition(" -> ")
            name, _, arguments = head.partition(": ")
            function = {"name": name, "arguments": arguments or "{}"}
            made = {"id": f"c{number}", "type": "function", "function": function}
            messages.append({"role": "assistant", "content": None, "tool_calls": [made]})
            messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
            continue
        messages.append({"role": role, "content": text})
        role = "assistant" if role == "user" else "user"
    return read_chat({"id": "test", "messages": messages}, 1, "test")


_WORDS = st.sampled_from(
    [
        "How many passengers?", "What date?", "Two.", "On May 5th.", "As I said, two.", "Sorry, that failed.", "Your order is booked.",
        "Can you also find a hotel?", "Which city?", "Seattle", "I'll send you the invoice.", "Let me check.", "Hello! How can I help you?",
        "Would you like insurance?", "No.", "Do you want to leave on May 6th?", "你好吗？", "", " ", "?", "\n\n", "I have not received it.", "🙂", "\u0000x",
    ]
)  # fmt: skip
_TEXTS = st.one_of(
    _WORDS,
    st.text(max_size=40),
    st.lists(_WORDS, max_size=4).map(" ".join),
    st.text(max_size=8).map(" ".join),
)


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    """Any recorded conversation: of words that matter to the checks, and of any others."""
    messages: list[dict[str, Any]] = []
    if draw(st.booleans()):
        messages.append({"role": "system", "content": draw(_TEXTS)})
    if draw(st.booleans()):
        messages.append({"role": "assistant", "content": draw(_TEXTS)})
    for number in range(draw(st.integers(1, 8))):
        messages.append({"role": "user", "content": draw(_TEXTS)})
        if draw(st.integers(0, 3)) == 0:
            arguments = json.dumps({draw(st.text(max_size=5)): draw(_TEXTS)})
            made = {
                "id": f"c{number}",
                "type": "function",
                "function": {"name": "find_x", "arguments": arguments},
            }
            messages.append({"role": "assistant", "content": draw(_TEXTS), "tool_calls": [made]})
            messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": draw(_TEXTS)})
        messages.extend(
            {"role": "assistant", "content": draw(_TEXTS)} for _ in range(draw(st.integers(0, 2)))
        )
    return read_chat({"id": "any", "messages": messages}, 1, "any")


def stands(place: Place, transcript: Transcript) -> bool:
    """Whether a quote stands word for word where the place says, and says anything."""
    if not place.quote.strip():
        return False
    if place.turn == 0:
        return place.quote in transcript.greeting
    turn = next(turn for turn in transcript.turns if turn.number == place.turn)
    if place.speaker == "user":
        return place.step == 0 and place.quote in user_text(turn.user)
    step = turn.steps[place.step - 1]
    if place.speaker == "assistant":
        return place.quote in response_text(step.response)
    if place.speaker == "call":
        return any(
            part.tool_name in place.quote or args_text(part) in place.quote for part in calls(step.response)
        )
    return any(call.result is not None and place.quote in result_text(call.result) for call in step.calls)


def sound(finding: Finding, transcript: Transcript) -> bool:
    """Whether a finding holds together: both quotes stand, it is as sure as can be said, and it says why."""
    return (
        stands(finding.first, transcript)
        and stands(finding.then, transcript)
        and 0.0 < finding.sure <= 1.0
        and finding.why.endswith(".")
    )
