"""What comes in: ids and messages, checked before anything is recorded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from turnstate.core.messages import ModelRequest, UserContent, dump, user_message, user_text
from turnstate.errors import IdError, MessageError
from turnstate.ports import Opening

Message: TypeAlias = str | Sequence[UserContent]
"""What a user sends: text, or a list of text, images and documents."""

LONGEST_ID = 512
"""Characters of the longest id."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message on its way to a turn.

    Attributes:
        opening: what is recorded of it.
        deps: the conversation's dependencies, for tools.
    """

    opening: Opening
    deps: Any = None


def check_id(role: Literal["conversation", "user", "key"], given: object) -> None:
    """Any string of 1 to 512 characters is an id.

    Raises:
        IdError: it is something else.
    """
    if not isinstance(given, str):
        raise IdError(role, f"is {type(given).__name__}, not a string")
    if not given:
        raise IdError(role, "is empty")
    if len(given) > LONGEST_ID:
        raise IdError(role, f"has {len(given):,} characters")


def opening(conversation: str, user: str | None, key: str | None, message: Message, at: int) -> Opening:
    """A turn to be opened with `message`, at `at` microseconds since the epoch.

    Raises:
        IdError: the key cannot be an id.
        MessageError: the message is empty or not something that a user can send.
    """
    if key is not None:
        check_id("key", key)
    request = _checked(message, at)
    return Opening(conversation, user, key, _digest(request), request, at)


def _checked(message: Message, at: int) -> ModelRequest:
    if not isinstance(message, str | list | tuple):
        raise MessageError(f"is {type(message).__name__}")
    try:
        request = user_message(message if isinstance(message, str) else list(message), at)
    except (TypeError, ValueError) as error:
        raise MessageError(f"is not something a user can send ({error})") from error
    if not user_text(request).strip() and (
        isinstance(message, str) or all(isinstance(part, str) for part in message)
    ):
        raise MessageError("is empty")
    return request


def _digest(request: ModelRequest) -> str:
    """SHA-256 of what was said, whenever it was said."""
    said = [part.get("content") for part in dump(request)["parts"]]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
