"""JSON values as what a reader expects of them, or the reason why they are not."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from typing import Any, TypeAlias, TypeGuard, cast

from turnstate.readers.exchanges import SECOND
from turnstate.readers.transcript import RecordProblem

Object: TypeAlias = dict[str, Any]

UNSENDABLE = {0: "�"} | dict.fromkeys(range(0xD800, 0xE000), "�")
"""What no provider takes in a name or an id, and what stands there instead."""

_TIMES = ("timestamp", "created_at", "created", "create_time")
_BREAK = re.compile(r"(?i)<br\s?/?>|</(?:p|div|li|h[1-6]|tr|blockquote)>")
_TAG = re.compile(r"<[^<>]*>")


def is_object(value: object) -> TypeGuard[Object]:
    """Whether `value` is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether `value` is a JSON list."""
    return isinstance(value, list)


def text(value: object) -> str:
    """`value` where it is text, else ""."""
    return value if isinstance(value, str) else ""


def as_object(value: object, what: str) -> Object:
    """`value` as an object.

    Raises:
        RecordProblem: it is something else; `what` begins the reason, as in "has a call that is".
    """
    if isinstance(value, dict):
        return cast("Object", value)
    raise RecordProblem(f"{what} {kind(value)}, not an object")


def as_list(value: object, what: str) -> list[Any]:
    """`value` as a list.

    Raises:
        RecordProblem: it is something else.
    """
    if isinstance(value, list):
        return cast("list[Any]", value)
    raise RecordProblem(f"{what} {kind(value)}, not a list")


def inner(value: object) -> Object:
    """`value` where it is an object, else an empty one."""
    return cast("Object", value) if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """`value` where it is a list, else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def objects(value: object) -> list[Object] | None:
    """`value` as a list of objects, or None where it is something else."""
    found = cast("list[Any]", value) if isinstance(value, list) else None
    return found if found is not None and all(isinstance(item, dict) for item in found) else None


def first(data: Object, *names: str) -> Any:
    """The first of these fields that is there and not null."""
    return next((data[name] for name in names if data.get(name) is not None), None)


def record_id(value: object) -> str:
    """A record's id as a conversation's id: 1 to 512 characters that can be printed anywhere, or ""."""
    given = str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value)
    return given.translate(UNSENDABLE).strip()[:512]


def moment_of(value: object) -> int | None:
    """A recorded time in microseconds since the epoch; None where it says nothing that can be read.

    Seconds, milli-, micro- or nanoseconds since the epoch, or ISO 8601.
    """
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
            value = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e20:
        return None
    seconds = float(value)
    while seconds > 1e11:  # beyond the year 5000 it is a number of milli-, micro- or nanoseconds
        seconds /= 1000
    return int(seconds * SECOND)


def time_of(message: Object) -> int | None:
    """When a message was recorded, under any of the usual names."""
    return moment_of(first(message, *_TIMES))


def without_markup(body: str) -> str:
    """The words of an HTML body, a line for each paragraph."""
    lines = html.unescape(_TAG.sub("", _BREAK.sub("\n", body))).replace("\xa0", " ").split("\n")
    return "\n".join(line.strip() for line in lines).strip()


def kind(value: object) -> str:
    """A word for a JSON value, for the reason that it does not read."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"
