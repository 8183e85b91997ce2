"""What is too long to be shown whole: its beginning and its end, with a handle to read the rest.

The log keeps every text whole; only what goes to the wire is shortened, always the same way, so that its bytes stay
the same from request to request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from turnstate.core.context.counting import estimate_text
from turnstate.core.history import Turn
from turnstate.core.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    args_text,
    result_text,
)

LEAST = 48
"""The fewest tokens that a text is shortened to."""

_BEGINNING = 0.7
_NEAR = 200


@dataclass(frozen=True, slots=True)
class Shortening:
    """How texts are shown that are too long.

    Attributes:
        cap: the most tokens of one text; 0 for as many as it has. A user's own words have twice as many.
        ratio: the provider's tokens for each estimated one.
        reader: whether the model has the `recall` tool to read the rest with.
    """

    cap: int = 0
    ratio: float = 1.0
    reader: bool = True

    def messages(self, turn: Turn) -> tuple[ModelMessage, ...]:
        """The messages of `turn` as they are shown; the same objects where nothing is too long."""
        messages = turn.messages()
        if not self.cap:
            return messages
        numbered = _Numbered(turn.number)
        return tuple(self._message(message, numbered) for message in messages)

    def text(self, text: str, handle: str, cap: int = 0) -> str:
        """`text`, or its beginning and end with what is left out between them; `handle` reads the rest."""
        cap = cap or self.cap
        most = max(LEAST, round(cap / max(self.ratio, 0.1))) if cap else 0
        if not most or len(text) <= most or _fits(text, most):
            return text
        told = len(self._note(handle, 10**9, 10**9, 10**9)) // 3
        room = max(most - told, most // 3)
        beginning = _longest(text[: 8 * room], round(room * _BEGINNING))
        end = _longest(text[-8 * room :][::-1], room - round(room * _BEGINNING))[::-1]
        first, last = _to_word(beginning), _from_word(end)
        left = len(text) - len(first) - len(last)
        return first + self._note(handle, left, len(text), len(first)) + last

    def _note(self, handle: str, left: int, whole: int, place: int) -> str:
        how = f'; recall(handle="{handle}", start={place}) reads on' if handle and self.reader else ""
        return f"\n[… {left:,} of {whole:,} characters are not shown here{how} …]\n"

    def _message(self, message: ModelMessage, numbered: _Numbered) -> ModelMessage:
        # A response that was thought about goes back unchanged: its thinking is signed together with it.
        if isinstance(message, ModelResponse) and any(isinstance(p, ThinkingPart) for p in message.parts):
            return message
        parts: list[Any] = [self._part(part, numbered) for part in message.parts]
        same = all(new is old for new, old in zip(parts, message.parts, strict=True))
        return message if same else replace(message, parts=parts)

    def _part(self, part: Any, numbered: _Numbered) -> Any:
        match part:
            case UserPromptPart():
                return self._user(part, numbered.user())
            case ToolReturnPart():
                return self._result(cast("ToolReturnPart[Any]", part), numbered.result())
            case ToolCallPart():
                return self.arguments(cast("ToolCallPart[Any]", part))
            case TextPart():
                shown = self.text(part.content, "")
                return part if shown is part.content else replace(part, content=shown)
            case _:
                return part

    def _user(self, part: UserPromptPart, handle: str) -> UserPromptPart:
        if isinstance(part.content, str):
            shown = self.text(part.content, handle, 2 * self.cap)
            return part if shown is part.content else replace(part, content=shown)
        items = [
            self.text(item, handle, 2 * self.cap) if isinstance(item, str) else item for item in part.content
        ]
        same = all(new is old for new, old in zip(items, part.content, strict=True))
        return part if same else replace(part, content=items)

    def _result(self, part: ToolReturnPart[Any], handle: str) -> ToolReturnPart[Any]:
        text = result_text(part)
        shown = self.text(text, handle)
        # Files stay beside the text; a structure that is too long is shown as the text that it is.
        return part if shown is text or part.files else replace(part, content=shown)

    def arguments(self, part: ToolCallPart[Any]) -> ToolCallPart[Any]:
        """A call whose long arguments are shortened one by one, so that they stay what their schema says."""
        if _fits(args_text(part), self.cap):
            return part
        given: Any = part.args
        if isinstance(given, str):
            try:
                given = json.loads(given)
            except (ValueError, RecursionError):
                return part
        if not isinstance(given, dict):
            return part
        return replace(part, args=self._values(cast("Mapping[str, Any]", given)))

    def _values(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value, "", max(LEAST, self.cap // 4))
            case dict():
                return {key: self._values(item) for key, item in cast("dict[str, Any]", value).items()}
            case list():
                return [self._values(item) for item in cast("list[Any]", value)]
            case _:
                return value


class _Numbered:
    """Handles for the texts of a turn, in the order in which they stand in it."""

    def __init__(self, turn: int) -> None:
        self._turn = turn
        self._results = 0

    def user(self) -> str:
        return f"{self._turn}.0"

    def result(self) -> str:
        self._results += 1
        return f"{self._turn}.{self._results}"


class Passage(NamedTuple):
    """A part of a long text.

    Attributes:
        text: the words.
        start: their place in the text, in characters.
        whole: the length of the text.
    """

    text: str
    start: int
    whole: int


def passage(turn: Turn, handle: str, start: int, tokens: int) -> Passage | None:
    """The passage of at most `tokens` that stands at `start` in the text with this handle; None if there is none.

    Args:
        turn: the turn that the handle names.
        handle: "3.0" for the words of the user in turn 3, "3.2" for the second tool result of that turn.
        start: in characters.
        tokens: as estimated.
    """
    numbered = _Numbered(turn.number)
    texts: dict[str, str] = {}
    for message in turn.messages():
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                own = [part.content] if isinstance(part.content, str) else part.content
                said = "\n".join(item for item in own if isinstance(item, str))
                texts[numbered.user()] = "\n".join(filter(None, (texts.get(numbered.user()), said)))
            elif isinstance(part, ToolReturnPart):
                texts[numbered.result()] = result_text(part)
    text = texts.get(handle)
    if text is None or not 0 <= start < max(1, len(text)):
        return None
    # However little there is room for, reading on comes to an end.
    words = _longest(text[start : start + 8 * tokens], tokens) or text[start : start + 1]
    whole = start + len(words) == len(text)
    return Passage(words if whole else _to_word(words), start, len(text))


def _fits(text: str, tokens: int) -> bool:
    # No estimate is under an eighth of a token for a letter: a text of millions is not read to know that it is long.
    return len(text) <= 8 * tokens and estimate_text(text) <= tokens


def _longest(text: str, tokens: int) -> str:
    """The beginning of `text` that has at most `tokens`."""
    while text and (has := estimate_text(text)) > tokens:
        text = text[: min(len(text) - 1, len(text) * max(tokens, 1) // has)]
    return text


def _to_word(text: str) -> str:
    """`text` cut back to the end of a line or a word, if one ends near its end."""
    for mark in ("\n", " "):
        if (place := text.rfind(mark, len(text) - _NEAR)) > len(text) // 2:
            return text[:place]
    return text


def _from_word(text: str) -> str:
    return _to_word(text[::-1])[::-1]
