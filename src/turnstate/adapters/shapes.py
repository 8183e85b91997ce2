"""Which of the formats a list of messages has, and the errors for what has none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeAlias, cast

from turnstate.errors import SettingError

Message: TypeAlias = dict[str, Any]


class Shape(StrEnum):
    """The format of a list of messages; `PLAIN` is what is valid in both and came without a sign of either."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    PLAIN = "plain"


ROLES = ("system", "developer", "user", "assistant", "tool", "function")

_OPENAI_ROLES = {"system", "developer", "tool", "function"}
_OPENAI_KEYS = ("tool_calls", "function_call", "refusal", "audio", "reasoning_content")
_OPENAI_BLOCKS = {"image_url", "input_audio", "file", "refusal"}
_ANTHROPIC_BLOCKS = {
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "image",
    "document",
    "search_result",
    "container_upload",
}
_PAIRED = ("_tool_use", "_tool_result")
_FIX = (
    "Give OpenAI chat messages or Anthropic messages as dicts; of an SDK's object, pass "
    "model_dump(exclude_none=True)"
)


def refused(index: int, problem: str, fix: str = _FIX) -> SettingError:
    """The error for the message at `index`."""
    return SettingError(f"messages[{index}]", problem, f"{fix}.")


def checked(messages: Sequence[Mapping[str, Any]]) -> list[Message]:
    """The messages, the same objects where they are dicts.

    Raises:
        SettingError: they are no list of messages.
    """
    given: object = messages
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
        raise SettingError("messages", f"is {type(given).__name__}, not a list", f"{_FIX}.")
    if not given:
        raise SettingError("messages", "is empty", "Give at least the user's message.")
    found: list[Message] = []
    for index, message in enumerate(cast("Sequence[object]", given)):
        if not isinstance(message, Mapping):
            raise refused(index, f"is {type(message).__name__}, not a dict")
        own = cast("Mapping[str, Any]", message)
        role: object = own.get("role")
        if role is None:
            raise refused(index, "has no role", f"Use one of {', '.join(ROLES)}")
        if role not in ROLES:
            raise refused(index, f"has the unknown role {role!r:.60}", f"Use one of {', '.join(ROLES)}")
        content: object = own.get("content")
        if content is not None and not isinstance(content, str | list | tuple):
            problem = f"has content that is {type(cast('object', content)).__name__}"
            raise refused(index, problem, "Use text or a list of blocks")
        for block in blocks_of(own):
            if not isinstance(view(block).get("type"), str):
                raise refused(index, "has a content block without a type", "Give each block its type")
        found.append(cast("Message", message) if isinstance(message, dict) else dict(own))
    return found


def shape_of(messages: Sequence[Message], model: str, *, system: bool) -> Shape:
    """The format of `messages`, by the first sign of one; by the model's provider where there is no sign.

    Raises:
        SettingError: two formats are mixed.
    """
    found = Shape.ANTHROPIC if system else Shape.PLAIN
    for index, message in enumerate(messages):
        for shape, sign in _signs(message):
            if found is Shape.PLAIN:
                found = shape
            elif shape is not found and message["role"] not in {"system", "developer"}:
                fix = "Give messages of one format; system text of Anthropic goes into system="
                raise refused(index, f"has {sign}, in a list of {found} messages", fix)
    if found is Shape.PLAIN and (provider := model.partition(":")[0]) in {"openai", "anthropic"}:
        return Shape(provider)
    return found


def _signs(message: Message) -> Iterator[tuple[Shape, str]]:
    if message["role"] in _OPENAI_ROLES:
        yield Shape.OPENAI, f"the role {message['role']!r}"
    for key in _OPENAI_KEYS:
        if message.get(key) is not None:
            yield Shape.OPENAI, repr(key)
    for block in blocks_of(message):
        kind = str(view(block)["type"])
        if kind in _OPENAI_BLOCKS:
            yield Shape.OPENAI, f"a block of type {kind!r}"
        elif kind in _ANTHROPIC_BLOCKS or kind.endswith(_PAIRED):
            yield Shape.ANTHROPIC, f"a block of type {kind!r}"


def blocks_of(message: Mapping[str, Any]) -> Sequence[Any]:
    """The content's blocks; none where it is text."""
    content: Any = message.get("content")
    return () if content is None or isinstance(content, str) else content


def view(block: object) -> Mapping[str, Any]:
    """A block to read: itself, the data of an SDK's object, or an empty one for anything else."""
    if isinstance(block, Mapping):
        return cast("Mapping[str, Any]", block)
    dump: Any = getattr(block, "model_dump", None)
    return cast("Mapping[str, Any]", dump(exclude_none=True)) if callable(dump) else {}


def text_block(text: str) -> Message:
    """A block of text; the same in all formats."""
    return {"type": "text", "text": text}
