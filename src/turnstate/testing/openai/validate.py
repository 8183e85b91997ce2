"""What OpenAI refuses: the rules of both APIs beyond the shape of their fields, as pure code, in the provider's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from turnstate.testing.anthropic.script import JsonObject
from turnstate.testing.openai.schema import CHAT, RESPONSES
from turnstate.testing.openai.script import is_answer, items_of

CHAT_ID = 40
"""Characters of a tool call's id in chat completions."""

CALL_ID = 64
"""Characters of a `call_id` in responses."""

_PREFIXES = {"message": "msg", "function_call": "fc", "reasoning": "rs"}


@dataclass(frozen=True, slots=True)
class Issued:
    """An item that the server has given out.

    Attributes:
        model: the model that made it.
        reasoning: the id of the reasoning that it came from, or "".
        encrypted: its encrypted content, where it is reasoning.
    """

    model: str
    reasoning: str = ""
    encrypted: str = ""


def chat_problem(body: object) -> str | None:
    """The first reason to refuse a request to chat completions, or None for a valid one."""
    if not isinstance(body, dict):
        return "Could not parse the JSON body of your request. It must be an object."
    request = cast("JsonObject", body)
    return next(CHAT("", request), None) or next(_chat(request), None)


def responses_problem(body: object, issued: Mapping[str, Issued] | None = None) -> str | None:
    """The first reason to refuse a request to responses, or None for a valid one.

    Args:
        body: the JSON body.
        issued: the items that the server has given out, by id; an item with another id is refused.
    """
    if not isinstance(body, dict):
        return "Could not parse the JSON body of your request. It must be an object."
    request = cast("JsonObject", body)
    shape = next(RESPONSES("", request), None)
    return shape or next(
        _responses(items_of(request), request["model"], {} if issued is None else issued), None
    )


def _chat(request: JsonObject) -> Iterator[str]:
    waiting: list[str] = []
    for place, message in enumerate(request["messages"]):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                yield (
                    "Invalid parameter: messages with role 'tool' must be a response to a preceding message "
                    f"with 'tool_calls'. (messages[{place}])"
                )
            else:
                waiting.remove(message["tool_call_id"])
            continue
        yield from _unanswered(waiting)
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        yield from _chat_ids(place, waiting)
        if message["role"] == "assistant" and message.get("content") is None and not waiting:
            yield f"Invalid value for 'content': expected a string, got null. (messages[{place}])"
    yield from _unanswered(waiting)


def _unanswered(waiting: list[str]) -> Iterator[str]:
    if waiting:
        yield (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(waiting)}"
        )


def _chat_ids(place: int, ids: list[str]) -> Iterator[str]:
    for index, call_id in enumerate(ids):
        yield from _too_long(f"messages[{place}].tool_calls[{index}].id", call_id, CHAT_ID)
        if ids.count(call_id) > 1:
            yield f"Duplicate value for 'tool_call_id' of '{call_id}'. (messages[{place}])"


def _too_long(path: str, text: str, most: int) -> Iterator[str]:
    if len(text) > most:
        yield (
            f"Invalid '{path}': string too long. Expected a string with maximum length {most}, but got a string "
            f"with length {len(text)} instead."
        )


def _responses(items: list[JsonObject], model: str, issued: Mapping[str, Issued]) -> Iterator[str]:
    for place, item in enumerate(items):
        if "call_id" in item:
            yield from _too_long(f"input[{place}].call_id", item["call_id"], CALL_ID)
        if "id" in item:
            yield from _known(place, item, model, issued)
    for item_id, times in Counter(item["id"] for item in items if "id" in item).items():
        if times > 1:
            yield f"Duplicate item found with id {item_id}. Remove duplicate items from your input and try again."
    yield from _reasoning(items, issued)
    yield from _outputs(items)


def _known(place: int, item: JsonObject, model: str, issued: Mapping[str, Issued]) -> Iterator[str]:
    prefix = _PREFIXES.get(item.get("type", "message"), "")
    if not item["id"].startswith(prefix):
        yield f"Invalid 'input[{place}].id': '{item['id']}'. Expected an ID that begins with '{prefix}'."
    made = issued.get(item["id"])
    if made is None:
        yield f"Item with id '{item['id']}' not found."
    elif item.get("encrypted_content") and (item["encrypted_content"], model) != (made.encrypted, made.model):
        yield f"The encrypted content for item {item['id']} could not be verified."


def _reasoning(items: list[JsonObject], issued: Mapping[str, Issued]) -> Iterator[str]:
    """Reasoning stands directly before an item of the model's, and an item never without its reasoning."""
    before: set[str] = set()
    for item, following in zip(items, [*items[1:], cast("JsonObject", {})], strict=True):
        kind: Any = item.get("type", "message")
        if kind == "reasoning":
            before.add(item["id"])
            if not is_answer(following):
                yield f"Item '{item['id']}' of type 'reasoning' was provided without its required following item."
            continue
        made = issued.get(item.get("id", ""))
        if made is not None and made.reasoning and made.reasoning not in before:
            yield (
                f"Item '{item['id']}' of type '{kind}' was provided without its required 'reasoning' item: "
                f"'{made.reasoning}'."
            )


def _outputs(items: list[JsonObject]) -> Iterator[str]:
    called: list[str] = []
    answered: list[str] = []
    for item in items:
        if item.get("type") == "function_call":
            called.append(item["call_id"])
        elif item.get("type") == "function_call_output":
            if item["call_id"] not in called or item["call_id"] in answered:
                yield f"No tool call found for function call output with call_id {item['call_id']}."
            answered.append(item["call_id"])
    for call_id in called:
        if call_id not in answered:
            yield f"No tool output found for function call {call_id}."
