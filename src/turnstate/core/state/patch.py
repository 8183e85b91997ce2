"""The `record` call: what a model is told about it, and what is read from its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from turnstate.core.state.declare import IN_TURN, VERBATIM, State, name_of
from turnstate.core.state.deltas import OPS, Delta, is_many, item_type

RECORD: Final = "record"
"""The name of the call."""

_MOST: Final = 64


@dataclass(frozen=True, slots=True)
class Proposed:
    """One change, and the state that it is for.

    Attributes:
        state: the state's name, as the model wrote it.
        delta: the change.
    """

    state: str
    delta: Delta


@dataclass(frozen=True, slots=True)
class Patch:
    """What a model recorded in one response.

    Attributes:
        changes: in its order.
        asked: the keys of the questions that its reply asks.
        problems: what could not be read, one sentence each.
    """

    changes: tuple[Proposed, ...] = ()
    asked: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def described(states: Sequence[type[State]]) -> str:
    """What `record` is for and which fields it may change, for the model."""
    lines = [
        "Record what is new in this turn, in the same response as your reply. What you leave out stays as it is;",
        "never repeat what is on record. `changes` is a list of objects with `state`, `field`, `op` and `value`;",
        "`op` is set for one value; append, amend or retract for fields of several, the last two with the item's",
        "`id` and a `reason`. `asked` lists what your reply asks for, as state.field. The fields:",
    ]
    for state in states:
        for name, declared in state.model_fields.items():
            how = "append, amend, retract" if is_many(declared) else "set"
            told = f": {declared.description}" if declared.description else ""
            lines.append(f"{name_of(state)}.{name} ({how}; {_shown(declared)}){told}")
    return "\n".join(lines)


def schema(states: Sequence[type[State]]) -> dict[str, Any]:
    """The JSON schema of the call's arguments."""
    change = {
        "type": "object",
        "properties": {
            "state": {"type": "string", "enum": [name_of(state) for state in states]},
            "field": {"type": "string"},
            "op": {"type": "string", "enum": list(OPS)},
            "value": {},
            "id": {"type": "string"},
            "reason": {"type": "string"},
        },
        "required": ["state", "field", "op"],
    }
    return {
        "type": "object",
        "properties": {
            "changes": {"type": "array", "items": change},
            "asked": {"type": "array", "items": {"type": "string"}},
        },
    }


def read_patch(arguments: Any) -> Patch:
    """What the arguments of a `record` call say; raises nothing, whatever they are.

    Args:
        arguments: JSON data. Beside the list that was asked for, `{"Memory": {"timeline": "six weeks"}}` is
            understood, because small models write it.
    """
    if not isinstance(arguments, Mapping):
        return Patch(problems=("The record is not an object.",))
    given = cast("Mapping[Any, Any]", arguments)
    changes: list[Proposed] = []
    problems: list[str] = []
    listed: Any = given.get("changes", ())
    for each in cast("list[Any]", listed) if isinstance(listed, list) else [listed] if listed else []:
        found = _proposed(each)
        if found is None:
            problems.append("A change is no object with state, field and op.")
        else:
            changes.append(found)
    for state, fields in given.items():
        if state not in ("changes", "asked") and isinstance(fields, Mapping):
            changes.extend(_short(str(state), cast("Mapping[Any, Any]", fields)))
        elif state not in ("changes", "asked"):
            problems.append(f"{str(state)[:_MOST]!r} is no part of a record.")
    asked: Any = given.get("asked") or ()
    keys = cast("list[Any]", asked) if isinstance(asked, list) else [asked]
    told = tuple(str(key)[:_MOST] for key in keys[:_MOST] if isinstance(key, str) and key.strip())
    if len(changes) > _MOST:
        problems.append(f"{len(changes)} changes are too many: the first {_MOST} were looked at.")
    return Patch(tuple(changes[:_MOST]), told, tuple(dict.fromkeys(problems))[:_MOST])


def _proposed(each: Any) -> Proposed | None:
    if not isinstance(each, Mapping):
        return None
    given = cast("Mapping[Any, Any]", each)
    state, field = _word(given.get("state")), _word(given.get("field"))
    if not field and "." in state:
        state, _, field = state.partition(".")
    elif state and field.startswith(f"{state}."):
        field = field.removeprefix(f"{state}.")
    elif not state and "." in field:
        state, _, field = field.partition(".")
    op = _word(given.get("op", "set")).strip().lower()
    if op not in OPS or not state or not field:
        return None
    delta = Delta(op, field, given.get("value"), _word(given.get("id")), _word(given.get("reason")))
    return Proposed(state, delta)


def _word(value: Any) -> str:
    """A text or a number as text; anything else, however deep, as nothing."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _short(state: str, fields: Mapping[Any, Any]) -> list[Proposed]:
    found: list[Proposed] = []
    for name, value in fields.items():
        if isinstance(value, list):
            found.extend(
                Proposed(state, Delta("append", str(name), item)) for item in cast("list[Any]", value)
            )
        else:
            found.append(Proposed(state, Delta("set", str(name), value)))
    return found


def _shown(declared: FieldInfo) -> str:
    item = item_type(declared)
    if item is not None:
        return _record_shown(item)
    if is_many(declared):
        return f"each {_type_shown(get_args(declared.annotation)[0])}"
    if VERBATIM in declared.metadata:
        return "the user's own words"
    return _type_shown(declared.annotation)


def _record_shown(kind: type[BaseModel]) -> str:
    told: list[str] = []
    for name, declared in kind.model_fields.items():
        if name == "id" or IN_TURN in declared.metadata:
            continue
        about = "the user's own words" if VERBATIM in declared.metadata else _type_shown(declared.annotation)
        limits = "".join(f" {mark}" for mark in declared.metadata if mark is not VERBATIM)
        told.append(f"{name}: {about}{_plain(limits)}")
    return "{" + ", ".join(told) + "}"


def _plain(limits: str) -> str:
    return limits.replace("(", " ").replace(")", "").rstrip()


def _type_shown(annotation: Any) -> str:
    named: Any = annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _record_shown(annotation)
    if get_origin(annotation) is Literal:
        return " | ".join(map(str, get_args(annotation)))
    if members := getattr(named, "__members__", None):
        return " | ".join(str(member.value) for member in members.values())
    return _SIMPLE.get(named, getattr(named, "__name__", str(named)))


_SIMPLE: Final[dict[Any, str]] = {str: "text", int: "whole number", float: "number", bool: "true or false"}
