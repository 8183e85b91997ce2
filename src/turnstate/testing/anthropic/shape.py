"""Checks of a JSON value's shape, put together from small ones and worded as the provider words its refusals."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, cast

Problems: TypeAlias = Iterator[str]
"""What is wrong, first things first; empty when nothing is."""

Check: TypeAlias = Callable[[str, Any], Problems]
"""A check of one value: from its path in the request, as in "messages.0.content", to its problems."""


def anything(_path: str, _value: object) -> Problems:
    """Any JSON value."""
    yield from ()


def boolean(path: str, value: object) -> Problems:
    """True or false."""
    if not isinstance(value, bool):
        yield f"{path}: Input should be a valid boolean"


def mapping(path: str, value: object) -> Problems:
    """Any JSON object."""
    if not isinstance(value, dict):
        yield f"{path}: Input should be a valid dictionary"


def integer(low: int) -> Check:
    """An integer that is at least `low`; true, 1.5 and "1" are none."""

    def check(path: str, value: object) -> Problems:
        if isinstance(value, bool) or not isinstance(value, int):
            yield f"{path}: Input should be a valid integer"
        elif value < low:
            yield f"{path}: Input should be greater than or equal to {low}"

    return check


def fraction(path: str, value: object) -> Problems:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield f"{path}: Input should be a valid number"
    elif value < 0:
        yield f"{path}: Input should be greater than or equal to 0"
    elif value > 1:
        yield f"{path}: Input should be less than or equal to 1"


def string(*, pattern: str | None = None, empty: bool = True) -> Check:
    """A string that matches `pattern` as a whole and, unless `empty`, has at least one character."""
    matcher = re.compile(pattern.replace("$", r"\Z")) if pattern else None

    def check(path: str, value: object) -> Problems:
        if not isinstance(value, str):
            yield f"{path}: Input should be a valid string"
        elif matcher and not matcher.search(value):
            yield f"{path}: String should match pattern '{pattern}'"
        elif not value and not empty:
            yield f"{path}: String should have at least 1 character"

    return check


def base64_data(path: str, value: object) -> Problems:
    """Bytes in base64, with at least one byte."""
    if not isinstance(value, str):
        yield f"{path}: Input should be a valid string"
        return
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data:
        yield f"{path}: invalid base64 data"


def one_of(*options: str) -> Check:
    """One of a few strings."""
    quoted = [f"'{option}'" for option in options]
    listed = " or ".join((", ".join(quoted[:-1]), quoted[-1])) if len(quoted) > 1 else quoted[0]

    def check(path: str, value: object) -> Problems:
        if value not in options:
            yield f"{path}: Input should be {listed}"

    return check


def nullable(check: Check) -> Check:
    """Null, or what `check` accepts."""
    return lambda path, value: iter(()) if value is None else check(path, value)


def array(item: Check) -> Check:
    """A list of what `item` accepts."""

    def check(path: str, value: object) -> Problems:
        if not isinstance(value, list):
            yield f"{path}: Input should be a valid list"
            return
        for index, element in enumerate(cast("list[object]", value)):
            yield from item(f"{path}.{index}", element)

    return check


def text_or(blocks: Check) -> Check:
    """A string, or what `blocks` accepts."""
    return lambda path, value: iter(()) if isinstance(value, str) else blocks(path, value)


def record(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """A JSON object with all `required` keys, perhaps `optional` ones, and no others."""
    known = {**required, **(optional or {})}

    def check(path: str, value: object) -> Problems:
        if not isinstance(value, dict):
            yield from mapping(path, value)
            return
        entries = cast("dict[str, object]", value)
        prefix = f"{path}." if path else ""
        yield from (f"{prefix}{key}: Field required" for key in required if key not in entries)
        for key, entry in entries.items():
            if key in known:
                yield from known[key](f"{prefix}{key}", entry)
        yield from (f"{prefix}{key}: Extra inputs are not permitted" for key in entries if key not in known)

    return check


def tagged(variants: Mapping[str, Check], *, elsewhere: Mapping[str, str] | None = None) -> Check:
    """A JSON object whose `type` says which of `variants` it is.

    Args:
        variants: the checks by tag; they see the object without its `type`.
        elsewhere: what to say of a tag that the real provider knows and this server does not simulate.
    """
    expected = ", ".join(f"'{tag}'" for tag in variants)

    def check(path: str, value: object) -> Problems:
        if not isinstance(value, dict):
            yield from mapping(path, value)
            return
        entries = cast("dict[str, object]", value)
        if "type" not in entries:
            yield f"{path}.type: Field required"
            return
        tag = entries["type"]
        if isinstance(tag, str) and tag in variants:
            untagged = {key: entry for key, entry in entries.items() if key != "type"}
            yield from variants[tag](f"{path}.{tag}", untagged)
        elif elsewhere and isinstance(tag, str) and tag in elsewhere:
            yield f"{path}: {elsewhere[tag]}"
        else:
            yield f"{path}: Input tag {tag!r} found using 'type' does not match any of the expected tags: {expected}"

    return check
