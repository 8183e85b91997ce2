"""States as JSON data: written for the log, read back from it, and checked before they are let in."""

from __future__ import annotations

from typing import Any, Final, TypeVar, cast

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, from_json, to_json

from turnstate.core.state.declare import Item, State, declaration

S = TypeVar("S", bound=State)

_SHOWN: Final = 3


class StateRefused(ValueError):
    """A value that cannot be let in.

    Attributes:
        field: which field is wrong, or "" for the whole.
        reason: what is wrong with it; quotes nothing that a user or a model said.
    """

    def __init__(self, reason: str, field: str = "") -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}" if field else reason)


def write(value: State) -> dict[str, Any]:
    """A state as JSON data.

    Raises:
        StateRefused: it is not what its class declares, however it was made.
    """
    kind = type(value)
    fields = vars(value).keys()
    if unknown := sorted(fields - kind.model_fields.keys()):
        raise StateRefused("there is no such field", unknown[0])
    if missing := sorted(kind.model_fields.keys() - fields):
        raise StateRefused("it is missing", missing[0])
    try:
        text = kind.__pydantic_serializer__.to_json(value, warnings="error")
        again = kind.__pydantic_validator__.validate_json(text, strict=True)
    except PydanticSerializationError as error:
        raise StateRefused("a value is of another type than its field") from error
    except ValidationError as error:
        raise _refused(error) from error
    except ValueError as error:  # a circle, or a text that UTF-8 cannot hold
        raise StateRefused("it cannot be written as JSON") from error
    if again != value:
        raise StateRefused("it does not read back the same")
    for name, held in value.__dict__.items():
        _check_ids(name, held)
    most = declaration(kind).most_bytes
    if len(text) > most:
        raise StateRefused(f"it has {len(text):,} bytes, and at most {most:,} are allowed")
    return cast("dict[str, Any]", from_json(text))


def _check_ids(field: str, held: object) -> None:
    """A change by id has to know which item it is for."""
    items = cast("tuple[object, ...]", held) if isinstance(held, tuple) else ()
    ids = [item.id for item in items if isinstance(item, Item) and item.id]
    if len(set(ids)) < len(ids):
        raise StateRefused("two items have one id", field)


def read(kind: type[S], data: Any, version: int | None = None, *, strict: bool = True) -> S:
    """A state from JSON data.

    Args:
        kind: its class.
        data: as `write` gave it, perhaps by an older version of the class.
        version: the version that it was written with; None for today's.
        strict: whether a number as text, say, is refused; what a model writes is read with less rigour.

    Raises:
        StateRefused: it does not fit the class, or was written by a newer version.
    """
    declared = declaration(kind)
    at = declared.version if version is None else version
    if at > declared.version:
        raise StateRefused(f"it was written by version {at}, and this is version {declared.version}")
    try:
        for step in range(at, declared.version):
            data = declared.upcasters[step](dict(cast("dict[str, Any]", data)))
        return kind.model_validate_json(to_json(data), strict=strict)
    except ValidationError as error:
        raise _refused(error) from error
    except Exception as error:
        upcast = at < declared.version
        why = (
            f"it cannot be brought from version {at} to {declared.version}"
            if upcast
            else "it is no JSON data"
        )
        raise StateRefused(why) from error


def _refused(error: ValidationError) -> StateRefused:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    field = str(found[0]["loc"][0]) if found[0]["loc"] else ""
    told = [f"{'.'.join(map(str, each['loc'][1:]))} {each['msg']}".strip() for each in found[:_SHOWN]]
    return StateRefused("; ".join(dict.fromkeys(told)), field)
