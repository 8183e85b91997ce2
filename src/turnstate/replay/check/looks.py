"""One part on its own: its kind, and what is wrong with it wherever it stands."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from turnstate.core.context.families import Family

Kind: TypeAlias = Literal["user", "call", "result", "native call", "native result", "thinking", "other"]

_UNSENDABLE = re.compile("[\0\ud800-\udfff]")
_ODD_NUMBER = re.compile("NaN|Infinity")
_KINDS: Mapping[str, Kind] = {
    "user-prompt": "user",
    "tool-call": "call",
    "tool-return": "result",
    "builtin-tool-call": "native call",
    "builtin-tool-return": "native result",
    "thinking": "thinking",
    "text": "other",
    "file": "other",
    "retry-prompt": "other",
    "retry-feedback": "other",
    "system-prompt": "other",
}


class Limits(NamedTuple):
    """What a family accepts in single parts.

    Attributes:
        call_id: the signs and the length of a call's id.
        name: those of a tool's name.
        files_back: whether files of the assistant's can be sent.
    """

    call_id: re.Pattern[str]
    name: re.Pattern[str]
    files_back: bool


_LIMITS: Mapping[Family | None, Limits] = {
    Family.ANTHROPIC: Limits(
        re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[a-zA-Z0-9_-]{1,128}"), files_back=False
    ),
    Family.OPENAI_CHAT: Limits(
        re.compile(r".{1,40}", re.DOTALL), re.compile(r"[a-zA-Z0-9_-]{1,64}"), files_back=False
    ),
    Family.OPENAI_RESPONSES: Limits(
        re.compile(r".{1,64}", re.DOTALL), re.compile(r"[a-zA-Z0-9_-]{1,64}"), files_back=False
    ),
    Family.GEMINI: Limits(
        re.compile(r".+", re.DOTALL), re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}"), files_back=True
    ),
    None: Limits(
        re.compile(r"[a-zA-Z0-9_-]{1,40}"), re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}"), files_back=False
    ),
}
"""What the providers' references say; under None, what all of them accept."""


class Look(NamedTuple):
    """What the rules need to know of one part.

    Attributes:
        kind: what it is to the rules of order.
        call_id: of a call or result.
        faults: what is wrong with it wherever it stands.
    """

    kind: Kind
    call_id: str
    faults: tuple[str, ...]


class Seen(NamedTuple):
    """A message as the rules of order see it."""

    request: bool
    parts: list[Look]


def limits(family: Family | None) -> Limits:
    """What a family accepts in single parts; what all accept where none is given."""
    return _LIMITS[family]


def look(part: Any, allowed: Limits) -> Look:
    """What the rules need to know of a part."""
    found = [*_misplaced(part, allowed), *_blanks(part), *_misspelt(part, allowed)]
    if any(map(_is_unsendable, _leaves(_sent(part)))):
        found.append("A text holds what JSON cannot carry.")
    return Look(_kind(part), getattr(part, "tool_call_id", None) or "", tuple(found))


def _kind(part: Any) -> Kind:
    if part.part_kind == "retry-prompt" and part.tool_name is not None:
        return "result"
    return _KINDS.get(part.part_kind, "other")


def _misplaced(part: Any, allowed: Limits) -> Iterator[str]:
    kind = part.part_kind
    if kind == "system-prompt" or (kind == "retry-feedback" and part.retry.cause == "no_output"):
        yield "A system text stands inside the messages."
    elif kind not in _KINDS:
        yield "A part is of a kind that no request carries."
    elif kind == "file" and not allowed.files_back:
        yield "A file stands in an answer."


def _blanks(part: Any) -> Iterator[str]:
    content: Any = getattr(part, "content", None)
    match part.part_kind:
        case "user-prompt" | "text":
            items = [content] if isinstance(content, str) else list(content)
            if not items or any(_is_blank(item) for item in items):
                yield "A text is blank."
        case "tool-return":
            items: list[Any] = list(cast("list[Any]", content)) if isinstance(content, list) else [content]
            if any(_is_blank(item) for item in items):
                yield "A text is blank."
        case "thinking" if not (content.strip() or part.signature or part.provider_details):
            yield "A text is blank."
        case _:
            pass


def _is_blank(item: Any) -> bool:
    text = item if isinstance(item, str) else getattr(item, "content", None)
    return isinstance(text, str) and not text.strip()


def _misspelt(part: Any, allowed: Limits) -> Iterator[str]:
    if _kind(part) not in {"call", "result"}:
        return
    if not allowed.call_id.fullmatch(part.tool_call_id):
        yield "A call's id is empty or has characters that providers refuse."
    if not allowed.name.fullmatch(part.tool_name):
        yield "A tool's name is empty or has characters that providers refuse."


def _sent(part: Any) -> Any:
    """What of a part goes to the provider."""
    match part.part_kind:
        case "tool-call" | "builtin-tool-call":
            return [part.tool_name, _as_read(part.args), part.tool_call_id]
        case "tool-return" | "builtin-tool-return":
            return [part.tool_name, part.content, part.tool_call_id]
        case "user-prompt" if not isinstance(part.content, str):
            return [getattr(item, "content", item) for item in part.content]
        case _:
            return getattr(part, "content", None)


def _leaves(value: Any) -> Iterator[str | float]:
    """The texts and numbers in a value."""
    if isinstance(value, str | float):
        yield value
    elif isinstance(value, dict):
        for key, item in cast("dict[Any, Any]", value).items():
            yield from _leaves(key)
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in cast("Sequence[Any]", value):
            yield from _leaves(item)


def _is_unsendable(leaf: str | float) -> bool:
    return bool(_UNSENDABLE.search(leaf)) if isinstance(leaf, str) else not math.isfinite(leaf)


def _as_read(args: Any) -> Any:
    """A call's arguments as a client reads them before it sends them."""
    if not isinstance(args, str) or not _ODD_NUMBER.search(args):
        return args
    try:
        return json.loads(args)
    except ValueError:
        return args
