"""Which types a state may have: those whose values cannot be edited and that JSON gives back the same."""

from __future__ import annotations

import dataclasses
import typing
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel

_ATOMS: Final = (str, int, float, bool, bytes, NoneType, Decimal, date, datetime, time, timedelta)
_INSTEAD: Final = {
    list: "Write tuple[X, ...].",
    dict: "Write a tuple of records, or one field for each key.",
    set: "Write tuple[X, ...].",
    frozenset: "Write tuple[X, ...]: a set has no order, and equal states must have equal bytes.",
    bytearray: "Write bytes.",
}


class Why(NamedTuple):
    """Why a type cannot stand in a state.

    Attributes:
        problem: what is wrong.
        fix: what to write instead.
    """

    problem: str
    fix: str


def why_changeable(annotation: Any, seen: tuple[Any, ...] = ()) -> Why | None:
    """Why values of this type could be edited or would not read back; None where they are as they should be."""
    if annotation in seen:
        return None
    seen = (*seen, annotation)
    for of in ("__value__", "__supertype__"):  # of a type alias and of a NewType
        if hasattr(annotation, of):
            return why_changeable(getattr(annotation, of), seen)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType, tuple):
        return _first(arguments, seen)
    if origin is Annotated:
        return why_changeable(arguments[0], seen)
    if isinstance(annotation, type) and origin is None:
        return _of_class(annotation, seen)
    return None if origin is Literal else _refused(annotation, origin)


def _first(annotations: typing.Iterable[Any], seen: tuple[Any, ...]) -> Why | None:
    found = (why_changeable(each, seen) for each in annotations if each is not Ellipsis)
    return next((why for why in found if why is not None), None)


def _of_class(kind: type[Any], seen: tuple[Any, ...]) -> Why | None:
    # By name, for the module that makes random ones is no business of this layer.
    named_uuid = (kind.__module__, kind.__qualname__) == ("uuid", "UUID")
    if named_uuid or issubclass(kind, Enum) or kind in _ATOMS:
        return None
    if issubclass(kind, BaseModel):
        held, frozen = [declared.annotation for declared in kind.model_fields.values()], kind.model_config
        if frozen.get("frozen"):
            return _first(held, seen)
        return Why(f"holds {kind.__name__}, which can be edited", "Derive it from turnstate.Item.")
    named: Any = kind
    if dataclasses.is_dataclass(kind) and not named.__dataclass_params__.frozen:
        return Why(f"holds {kind.__name__}, which can be edited", "Write @dataclass(frozen=True).")
    if dataclasses.is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(named, "_fields")):
        return _first(typing.get_type_hints(named).values(), seen)
    return _refused(kind, kind)


def _refused(annotation: Any, origin: Any) -> Why:
    shown = getattr(annotation, "__name__", None) or str(annotation)
    fix = _INSTEAD.get(origin, "Use scalars, enums, dates, tuples, and frozen records of them.")
    return Why(f"holds {shown}, which can be edited or does not read back the same", fix)
