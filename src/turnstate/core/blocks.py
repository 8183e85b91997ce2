"""Blocks of data inside messages: what is quoted cannot open or close one, because their tags are escaped in it."""

from __future__ import annotations

import re

BLOCKS = (
    "brief",
    "greeting",
    "facts",
    "pinned",
    "opening",
    "values",
    "summary",
    "update",
    "recalled",
    "conversation",
    "user_message",
    "assistant_asked",
)
"""The names of the blocks of data that a request may contain, a summarizer's included."""

# White space and signs without width are no part of a name; wide forms and a slash behind a backslash read the same.
_GAP = r"[\s\\\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*+"
_TAG = re.compile(rf"[<\uff1c\ufe64](?={_GAP}[/\uff0f]?+{_GAP}(?:{'|'.join(BLOCKS)})\b)", re.IGNORECASE)


def escape(text: str) -> str:
    """`text` with the tags of our blocks made inert; anything else stays byte for byte."""
    return _TAG.sub("&lt;", text)


def block(name: str, text: str, **attributes: object) -> str:
    """A block of data, escaped."""
    listed = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{listed}>\n{escape(text)}\n</{name}>"
