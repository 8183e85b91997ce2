"""Plain words: what a person says and what a model answers, with nothing in it that a repair could change."""

from __future__ import annotations

import re

from turnstate.core.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart

_UNSENDABLE = re.compile("[\0\ud800-\udfff]")


def is_said(asked: ModelMessage, answered: ModelMessage) -> bool:
    """Whether the two are one text of the user's and texts of a model's, which any provider takes as they are."""
    if not (isinstance(asked, ModelRequest) and isinstance(answered, ModelResponse) and answered.parts):
        return False
    if len(asked.parts) != 1:
        return False
    prompt = asked.parts[0]
    return (
        isinstance(prompt, UserPromptPart)
        and _is_plain(prompt.content)
        and all(map(_is_text, answered.parts))
    )


def _is_text(part: object) -> bool:
    """Whether a part of a response is a text that is bound to no provider."""
    return (
        isinstance(part, TextPart)
        and part.id is None
        and part.provider_details is None
        and _is_plain(part.content)
    )


def _is_plain(content: object) -> bool:
    """Whether a content is a text that says something and that JSON can carry."""
    if not isinstance(content, str) or not content or content.isspace():
        return False
    return _UNSENDABLE.search(content) is None
