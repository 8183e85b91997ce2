"""A key: what a declaration says about one fact, and what its values look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any, TypeAlias, get_args, get_origin

from pydantic import TypeAdapter

Scalar: TypeAlias = str | int | float | bool
"""What the value of a fact is stored as."""


class Shape(StrEnum):
    """What the values of a key look like, by its type and the words of its name."""

    TEXT = "text"
    ID = "id"
    EMAIL = "email"
    PHONE = "phone"
    POSTCODE = "postcode"
    ADDRESS = "address"
    NAME = "name"
    DATE = "date"
    NUMBER = "number"
    CHOICE = "choice"
    YES_NO = "yes_no"


@dataclass(frozen=True, slots=True)
class Key:
    """One declared key.

    Attributes:
        name: the attribute's name.
        many: whether it collects values.
        type: str, int, float, bool, Decimal, date, an Enum or a Literal, perhaps Annotated.
        description: what it is, for extractors and readers.
        pattern: a regular expression that the whole value must match, or None.
        expires: how long a value is good for after it was said, or None.
        ask: how the assistant asks for it, or "".
        sensitive: whether payment cards, secrets and health are allowed.
        shape: what its values look like.
        words: the words of the name, in lower case: `("order", "id")`.
        options: the values of a Literal or an Enum, by what a user may say for them.
        adapter: validates one value.
    """

    name: str
    many: bool
    type: Any
    description: str
    pattern: str | None
    expires: timedelta | None
    ask: str
    sensitive: bool
    shape: Shape
    words: tuple[str, ...]
    options: Mapping[str, Scalar]
    adapter: TypeAdapter[Any] = field(compare=False, repr=False)

    @property
    def base(self) -> Any:
        """The type without what `Annotated` says about it."""
        return unannotated(self.type)


def unannotated(annotation: Any) -> Any:
    """A type without what `Annotated` says about it."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
