"""Reading a raw value, as an extractor or an application gives it, as a value of a key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Final, NamedTuple, cast

from pydantic import ValidationError

from turnstate.core.facts.keys import Key, Scalar
from turnstate.core.facts.shapes import misshapen
from turnstate.core.facts.text import fold, word_set, words_of
from turnstate.core.values import ValueKind, find, numbers, plain

_LONGEST: Final = 500
YES: Final = word_set("yes y yeah yep true on 1 si sí ja oui sim da 是 对")
NO: Final = word_set("no n nope false off 0 not nein non não nao net 不 不是")


class Coerced(NamedTuple):
    """What a raw value is for a key.

    Attributes:
        values: one for each thing said; none where nothing was.
        problem: why it is not a value for this key, or "".
    """

    values: tuple[Scalar, ...]
    problem: str = ""


class _Unfit(ValueError):
    """A raw value that is none for the key; its message never repeats the value."""


def coerce(key: Key, raw: object) -> Coerced:
    """Read a value as an extractor or an application gives it: `12345` for a str key, a list for a `Many`, None for nothing."""
    if raw is None:
        return Coerced(())
    items = list(cast("Iterable[object]", raw)) if isinstance(raw, list | tuple | set | frozenset) else [raw]
    if len(items) > 1 and not key.many:
        return Coerced((), f"{key.name} has one value at a time, and {len(items)} were given")
    values: list[Scalar] = []
    try:
        for item in items:
            value = None if item is None else _fit(key, item)
            if value is not None and value not in values:
                values.append(value)
    except ValueError as error:
        return Coerced(
            tuple(values), f"{key.name} {error if isinstance(error, _Unfit) else 'cannot be read'}"
        )
    return Coerced(tuple(values))


def _fit(key: Key, raw: object) -> Scalar:
    """One raw value, validated and stored as JSON has it."""
    base = key.base
    if key.options:
        fitted: object = _fit_option(key, raw)
    elif base is str:
        fitted = _fit_text(raw)
    elif base is bool:
        fitted = _fit_bool(raw)
    elif base is date:
        fitted = _fit_date(raw)
    else:
        fitted = _fit_number(base, raw)
    value = _validated(key, fitted)
    if key.pattern is not None and not re.fullmatch(key.pattern, str(value)):
        raise _Unfit("does not match its pattern")
    if isinstance(value, str) and (problem := misshapen(key.shape, value)):
        raise _Unfit(problem)
    return value


def _validated(key: Key, fitted: object) -> Scalar:
    try:
        value = key.adapter.validate_python(fitted)
    except ValidationError as error:
        raise _Unfit(
            "is not valid: " + error.errors(include_input=False, include_url=False)[0]["msg"]
        ) from None
    except Exception as error:  # noqa: BLE001  # a user's own validator may raise anything; a fact never fails a turn
        raise _Unfit(f"cannot be validated ({type(error).__name__})") from None
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, Decimal):
        value = plain(value)
    return value.isoformat() if isinstance(value, date) else value


def _fit_text(raw: object) -> str:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float | Decimal | date | Enum):
        raise _Unfit(f"is text, and {type(raw).__name__} was given")
    if isinstance(raw, Enum):
        raw = raw.value
    text = str(raw)
    if isinstance(raw, float) and raw.is_integer():
        text = str(int(raw))
    text = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text).split())
    if len(text) > 1 and (text[0], text[-1]) in {('"', '"'), ("“", "”"), ("«", "»")}:
        text = text[1:-1].strip()
    if not text or len(text) > _LONGEST:
        raise _Unfit(f"is longer than {_LONGEST} characters" if text else "is empty")
    if re.search("[\ud800-\udfff]", text):
        raise _Unfit("holds half a character")
    return text


def _fit_bool(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    said = fold(str(raw)) if isinstance(raw, str | int) else ""
    if said in YES or said in NO:
        return said in YES
    raise _Unfit("is yes or no")


def _fit_date(raw: object) -> str:
    if isinstance(raw, date):
        return (raw.date() if isinstance(raw, datetime) else raw).isoformat()
    dates = (
        {found.norm for found in find(raw) if found.kind is ValueKind.DATE}
        if isinstance(raw, str)
        else set[str]()
    )
    norm = dates.pop() if len(dates) == 1 else "?"
    try:
        return date.fromisoformat(norm).isoformat()
    except ValueError:
        raise _Unfit("is not a full date: a day, a month and a year whose order is certain") from None


def _fit_number(base: Any, raw: object) -> object:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float | Decimal):
        raise _Unfit(f"is a number, and {type(raw).__name__} was given")
    if isinstance(raw, str):
        said = {found.value for found in numbers(raw)}
        if len(said) != 1:
            raise _Unfit("is a number")
        raw = said.pop()
    exact = Decimal(str(raw))
    if not exact.is_finite() or abs(exact) >= Decimal(10) ** 30:
        raise _Unfit("is a number")
    if base is int and exact != exact.to_integral_value():
        raise _Unfit("is a whole number")
    return int(exact) if base is int else float(exact) if base is float else exact


def _fit_option(key: Key, raw: object) -> Scalar:
    said = words_of(str(raw.value if isinstance(raw, Enum) else raw))
    if said in key.options:
        return key.options[said]
    known = ", ".join(dict.fromkeys(str(value) for value in key.options.values()))
    raise _Unfit(f"is one of {known}")
