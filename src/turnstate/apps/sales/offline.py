"""A seller without a model: it writes by rules, from the brief and the newest message alone.

It is a pydantic-ai model like any other, so that planning, tools, streaming and guards are the same as with a real one.
What it cannot do is talk: its sentences are put together from the evidence and the question that its brief names.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from turnstate.apps.sales.briefing import ASK, OBJECTION, SHARE
from turnstate.apps.sales.hearing import hear
from turnstate.apps.sales.states import DIMENSIONS
from turnstate.core.messages import result_text, user_text

_BRIEF: Final = re.compile(r"<brief\b[^>]*>\n(.*?)\n</brief>", re.DOTALL)
_BLOCK: Final = re.compile(r"<(\w+)\b[^>]*>\n.*?\n</\1>\s*", re.DOTALL)
_NOTED: Final = {
    "budget": "Noted: a budget of {said}.",
    "timeline": "Noted: {said}.",
    "authority": "Good to know who decides.",
    "fit": "Thank you, that helps me to picture it.",
    "need": "I see what that costs you.",
}
"""What is said to what was heard, the most telling first."""

_ITEM: Final = re.compile(r"^- (.+)$")


@dataclass
class _Told:
    """What a brief says, as far as rules use it."""

    known: dict[str, str] = field(default_factory=dict[str, str])
    evidence: list[str] = field(default_factory=list[str])
    ask: str = ""
    share: str = ""
    objects: bool = False
    offer: str = ""


def offline_seller() -> FunctionModel:
    """The model."""
    return FunctionModel(_answer, stream_function=_streamed, model_name="offline")


async def _answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    text, call = _decide(messages, {tool.name for tool in info.function_tools})
    parts: list[TextPart | ToolCallPart] = [TextPart(text)] if text else []
    if call is not None:
        parts.append(ToolCallPart(call[0], dict(call[1]), tool_call_id=f"call_{len(messages)}"))
    return ModelResponse(parts=parts)


async def _streamed(
    messages: list[ModelMessage], info: AgentInfo
) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
    response = await _answer(messages, info)
    for index, part in enumerate(response.parts):
        if isinstance(part, TextPart):
            for piece in re.findall(r"\S+\s*", part.content):
                yield piece
        elif isinstance(part, ToolCallPart):
            yield {
                index: DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=part.tool_call_id)
            }


def _decide(
    messages: Sequence[ModelMessage], tools: set[str]
) -> tuple[str, tuple[str, dict[str, str]] | None]:
    """The text, and a call of a tool or None."""
    last = messages[-1]
    returned = [part for part in last.parts if isinstance(part, ToolReturnPart)]
    if returned and isinstance(last, ModelRequest) and not user_text(last).strip():
        return " ".join(result_text(part) for part in returned), None
    newest = user_text(last)
    told, message = _read(newest), _BLOCK.sub("", newest).strip()
    if told.share in tools:
        return "", (told.share, _arguments(told, message))
    return _reply(told, message), None


def _arguments(told: _Told, message: str) -> dict[str, str]:
    if told.share == "book_meeting":
        when = re.search(r"\bon (\w+(?: at [\d:]+(?: ?[ap]m)?)?)", message)
        return {"when": when[1] if when else "a time to be agreed"}
    return {"industry": told.known.get("industry", "your industry")}


def _reply(told: _Told, message: str) -> str:
    heard = hear(message)
    said: list[str] = []
    noted = [mention for mention in heard.mentions if mention.kind in DIMENSIONS]
    if changed := [mention for mention in noted if mention.corrects]:
        said.append(f"I have changed that to {changed[-1].said}.")
    elif noted:
        first = min(noted, key=lambda mention: list(_NOTED).index(mention.kind))
        said.append(_NOTED[first.kind].format(said=first.said))
    elif heard.thanks:
        said.append("You are welcome.")
    if told.objects:
        said.append("I understand that this weighs on the decision.")
    if told.evidence:
        said.append(_sentences(told.evidence[0].partition(": ")[2]))
    if told.offer and not told.evidence:
        said.append(f"I can share {told.offer} whenever you like.")
    if told.ask:
        said.append(told.ask)
    return " ".join(said) or "Thank you. I am here when you need anything else."


def _sentences(text: str, most: int = 2) -> str:
    return " ".join(re.split(r"(?<=[.!?])\s+", " ".join(text.split()))[:most])


def _read(newest: str) -> _Told:
    told = _Told()
    found = _BRIEF.search(newest)
    section = ""
    for line in found[1].splitlines() if found else ():
        if line in ("known:", "evidence:", "open commitments:", "already asked:"):
            section = line
        elif (item := _ITEM.match(line)) and section == "known:":
            what, _, value = item[1].partition(": ")
            told.known.setdefault(what, value)
        elif item and section == "evidence:":
            told.evidence.append(item[1])
        else:
            told.ask = line.removeprefix(ASK) if line.startswith(ASK) else told.ask
            told.share = line.removeprefix(SHARE) if line.startswith(SHARE) else told.share
            told.objects = told.objects or line.startswith(OBJECTION)
            told.offer = line.removeprefix("offer: ") if line.startswith("offer: ") else told.offer
    return told
