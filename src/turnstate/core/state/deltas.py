"""Changes that a model proposes: set a field; append, amend or retract an item by its id. What is left out stays.

A model never re-types what is on record: it says what is new, what was wrong, and why.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from turnstate.core.state.data import StateRefused, read, write
from turnstate.core.state.declare import IN_TURN, VERBATIM, Item, State

S = TypeVar("S", bound=State)

Op: TypeAlias = Literal["set", "append", "amend", "retract"]

OPS: Final[tuple[Op, ...]] = ("set", "append", "amend", "retract")


@dataclass(frozen=True, slots=True)
class Delta:
    """One proposed change.

    Attributes:
        op: what is to be done.
        field: the state's field.
        value: the new value, the new item, or what of an item changes; None for `retract`.
        id: which item, for `amend` and `retract`.
        reason: why, for `amend` and `retract`.
    """

    op: Op
    field: str
    value: Any = None
    id: str = ""
    reason: str = ""

    def data(self) -> dict[str, Any]:
        """The change as JSON data, without what is empty."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}


class Rejected(NamedTuple):
    """A change that cannot be made.

    Attributes:
        delta: the change.
        reason: why not.
    """

    delta: Delta
    reason: str


@dataclass(frozen=True, slots=True)
class Applied(Generic[S]):
    """What became of some changes.

    Attributes:
        value: the state after those that could be made.
        made: those, in order.
        rejected: the others, in order.
    """

    value: S
    made: tuple[Delta, ...]
    rejected: tuple[Rejected, ...]


def apply(value: S, deltas: Sequence[Delta], *, turn: int, message: str) -> Applied[S]:
    """`value` after `deltas`; each stands or falls on its own.

    Args:
        value: the state.
        deltas: in the order that they were proposed.
        turn: the number of the turn, which ids of new items are made of.
        message: the user's newest message, which every verbatim quote has to stand in.
    """
    kind = type(value)
    made: list[Delta] = []
    rejected: list[Rejected] = []
    data = write(value)
    for delta in deltas:
        try:
            changed = _changed(kind, data, delta, turn, message)
            value = read(kind, changed, strict=False)
            data = write(value)
        except StateRefused as error:
            rejected.append(Rejected(delta, str(error)))
        else:
            made.append(delta)
    return Applied(value, tuple(made), tuple(rejected))


def item_type(declared: FieldInfo) -> type[Item] | None:
    """The record that a field holds a tuple of, or None."""
    arguments = _elements(declared)
    kind = arguments[0] if arguments else None
    return kind if isinstance(kind, type) and issubclass(kind, Item) else None


def is_many(declared: FieldInfo) -> bool:
    """Whether a field is a tuple of any length."""
    return bool(_elements(declared))


def _elements(declared: FieldInfo) -> tuple[Any, ...]:
    arguments = get_args(declared.annotation)
    several = get_origin(declared.annotation) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis
    return arguments if several else ()


def _changed(
    kind: type[State], data: dict[str, Any], delta: Delta, turn: int, message: str
) -> dict[str, Any]:
    declared = kind.model_fields.get(delta.field)
    if declared is None:
        raise StateRefused(f"there is no field {delta.field!r}")
    held = data[delta.field]
    if not is_many(declared):
        if delta.op != "set":
            raise StateRefused(f"{delta.op} is for fields of several; set this one", delta.field)
        record = declared.annotation
        given = _filled(record, delta.value, turn, message)
        return data | {delta.field: _checked_mark(declared, given, message)}
    if delta.op == "set":
        raise StateRefused("append, amend or retract; it is not set as a whole", delta.field)
    item = item_type(declared)
    made = _items(held, delta, item, turn, message) if item else _scalars(held, delta)
    return data | {delta.field: made}


def _items(held: list[Any], delta: Delta, item: type[Item], turn: int, message: str) -> list[Any]:
    if delta.op == "append":
        new = _filled(item, _object(delta), turn, message)
        return [*held, new | {"id": _free_id(held, turn)}]
    at = next((i for i, each in enumerate(held) if each["id"] == delta.id and delta.id), None)
    if at is None:
        raise StateRefused(f"there is no item {delta.id!r}", delta.field)
    if not delta.reason.strip():
        raise StateRefused(f"{delta.op} needs a reason", delta.field)
    if delta.op == "retract":
        return [*held[:at], *held[at + 1 :]]
    changes = _filled(item, _object(delta), turn, message)
    return [*held[:at], held[at] | changes | {"id": delta.id}, *held[at + 1 :]]


def _object(delta: Delta) -> dict[str, Any]:
    value: Any = delta.value
    if not isinstance(value, dict):
        raise StateRefused("an item is an object", delta.field)
    return cast("dict[str, Any]", value)


def _scalars(held: list[Any], delta: Delta) -> list[Any]:
    """Texts and numbers have no id: they are appended once, and retracted by what they are."""
    if delta.op == "append":
        return held if delta.value in held else [*held, delta.value]
    if delta.op == "retract":
        named = delta.id if delta.value is None else delta.value
        if named not in held:
            raise StateRefused("it is not on record", delta.field)
        return [each for each in held if each != named]
    raise StateRefused("retract it and append another", delta.field)


def _free_id(held: list[Any], turn: int) -> str:
    """Made of the turn, so that the id of an item that was retracted is never given again to another turn's."""
    taken = {each["id"] for each in held}
    return next(own for number in range(1, len(held) + 2) if (own := f"{turn}.{number}") not in taken)


def _filled(kind: Any, value: Any, turn: int, message: str) -> Any:
    """A record with what turnstate fills in, and its quotes checked."""
    if not (isinstance(kind, type) and issubclass(kind, BaseModel) and isinstance(value, dict)):
        return value  # pyright: ignore[reportUnknownVariableType]  # whatever a model wrote
    given = dict(cast("dict[str, Any]", value))
    for name, declared in kind.model_fields.items():
        if IN_TURN in declared.metadata:
            given[name] = turn
        elif name in given:
            given[name] = _checked_mark(declared, given[name], message)
    return given


def _checked_mark(declared: FieldInfo, value: Any, message: str) -> Any:
    quoted = VERBATIM in declared.metadata and isinstance(value, str) and value.strip()
    if quoted and _folded(value) not in _folded(message):
        raise StateRefused("its quote does not stand in the user's message")
    return value


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().casefold()
