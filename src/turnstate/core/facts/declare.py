"""Declaring facts as a class with `Single[...]` and `Many[...]` annotations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    NamedTuple,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import TypeAdapter

from turnstate.core.facts.keys import Key, Scalar, unannotated
from turnstate.core.facts.shapes import shape_of
from turnstate.core.facts.text import words_of
from turnstate.errors import FactsDeclarationError

T = TypeVar("T")


class Single(Generic[T]):
    """Marks a key with one value at a time, as in `order_id: Single[str]`: the newest supersedes."""


class Many(Generic[T]):
    """Marks a key that collects values, as in `allergies: Many[str]`."""


class _Options(NamedTuple):
    """What `key()` was told."""

    description: str = ""
    pattern: str | None = None
    expires: timedelta | None = None
    ask: str = ""
    sensitive: bool = False


def key(
    description: str = "",
    *,
    pattern: str | None = None,
    expires: timedelta | None = None,
    ask: str = "",
    sensitive: bool = False,
) -> Any:
    """Say more about a key, as its default value.

    Args:
        description: what it is; by default the class docstring's line for it, or its name in words.
        pattern: a regular expression that the whole value must match.
        expires: how long a value is good for after it was said.
        ask: how the assistant asks for it.
        sensitive: allow what is refused by default: payment cards, secrets, health.
    """
    return _Options(description, pattern, expires, ask, sensitive)


class Facts:
    """What to remember about a user: subclass it with `Single[...]` and `Many[...]` annotations.

    The class is the declaration; it is never instantiated. A bad declaration raises `FactsDeclarationError` when the
    class is created.
    """

    _declared: ClassVar[Mapping[str, Key]] = MappingProxyType({})

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._declared = MappingProxyType(dict(_declare(cls)))

    @classmethod
    def keys(cls) -> Mapping[str, Key]:
        """The keys by name, in the order of their declaration, those of base classes first."""
        return cls._declared


_TYPES_FIX: Final = (
    "Use str, int, float, bool, Decimal, date, or a Literal or Enum of these, perhaps Annotated"
)
_SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:password|passwd|passcode|passphrase|pin|cvv|cvc|ssn|secret|token|otp|credentials?|api_key|private_key|"
    r"security_code|social_security|credit_card|debit_card|payment_card|cc_number|"
    r"(?<!gift_)(?<!loyalty_)(?<!member_)(?<!membership_)card_(?:number|no))(?:_|$)"
)
_HEALTH_NAME: Final = re.compile(
    r"(?:^|_)(?:diagnos[ei]s|medical|medications?|medicines?|diseases?|illness(?:es)?|symptoms?|prescriptions?|hiv|"
    r"pregnan\w*|disabilit\w*|health|blood_type|therapy)(?:_|$)"
)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


def _declare(cls: type[Facts]) -> Iterator[tuple[str, Key]]:
    try:
        hints = get_type_hints(cls, include_extras=True)
    except NameError as error:
        problem = f"the name {error.name!r} in its annotations cannot be resolved"
        fix = "Declare the class, and the types it names, at the top of a module: names inside a function cannot be seen"
        raise FactsDeclarationError(cls.__name__, problem, fix) from error
    except (TypeError, SyntaxError, AttributeError) as error:
        problem = f"its annotations cannot be read: {error}"
        raise FactsDeclarationError(cls.__name__, problem, _TYPES_FIX) from error
    for name, value in vars(cls).items():
        if isinstance(value, _Options) and name not in hints:
            raise FactsDeclarationError(
                f"{cls.__name__}.{name}", "it has no type", f"Write `{name}: Single[str] = key(...)`"
            )
    for name, hint in hints.items():
        if get_origin(hint) is not ClassVar:
            yield name, _declare_key(cls, name, hint)


def _declare_key(cls: type[Facts], name: str, hint: Any) -> Key:
    where = f"{cls.__name__}.{name}"
    marker, said = get_origin(hint), getattr(cls, name, _Options())
    if marker not in {Single, Many}:
        fix = f"Write `{name}: Single[str]` for one value at a time, or `{name}: Many[str]` to collect them"
        raise FactsDeclarationError(where, "it does not say whether it has one value or many", fix)
    if name.startswith("_") or hasattr(Facts, name):
        fix = "Choose a name without a leading underscore that is not a method of Facts"
        raise FactsDeclarationError(where, "this name cannot be a key", fix)
    if not isinstance(said, _Options):
        fix = f"Remove it, or write `{name}: ... = key(...)` to say more about the key"
        raise FactsDeclarationError(where, "a fact has no default value", fix)
    annotation = get_args(hint)[0]
    base = unannotated(annotation)
    options = _declared_options(where, base)
    _check_sensitivity(where, name, said)
    _check_said(where, said)
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    except Exception as error:
        raise FactsDeclarationError(
            where, f"its type cannot validate anything: {error}", _TYPES_FIX
        ) from error
    description = said.description or _described(cls, name) or _snake(name).replace("_", " ")
    words = tuple(_snake(name).split("_"))
    shape = shape_of(base, words, options)
    return Key(name, marker is Many, annotation, description, *said[1:], shape, words, options, adapter)


def _declared_options(where: str, base: Any) -> Mapping[str, Scalar]:
    """The choices of a Literal or Enum by what may be said for them; the check of the type comes with it."""
    name = str(base).removeprefix("<class '").removesuffix("'>")
    if get_origin(base) is Literal:
        choices: dict[str, Any] = {str(value): value for value in get_args(base)}
    elif isinstance(base, type) and issubclass(base, Enum):
        choices = {label: member.value for label, member in base.__members__.items()}
        choices |= {str(value): value for value in choices.values()}
    elif base in {str, int, float, bool, Decimal, date}:
        return MappingProxyType({})
    else:
        collects = re.match(r"(?:typing\.)?(?:list|set|tuple|dict|frozenset)\b", name, re.IGNORECASE)
        fix = f"{_TYPES_FIX}; Many[...] collects values" if collects else _TYPES_FIX
        raise FactsDeclarationError(where, f"{name} is not a type that a fact can have", fix)
    if not choices or not all(isinstance(value, str | int | float) for value in choices.values()):
        raise FactsDeclarationError(where, "its choices are not all strings, numbers or bools", _TYPES_FIX)
    return MappingProxyType({words_of(said): cast("Scalar", value) for said, value in choices.items()})


def _check_sensitivity(where: str, name: str, said: _Options) -> None:
    kinds = {"a secret or payment data": _SECRET_NAME, "health": _HEALTH_NAME}
    for kind, pattern in kinds.items():
        if pattern.search(_snake(name)) and not said.sensitive:
            fix = f"Leave it out; if it must be kept, write `{name}: ... = key(..., sensitive=True)`"
            raise FactsDeclarationError(
                where, f"its name says {kind}, which is not remembered by default", fix
            )


def _check_said(where: str, said: _Options) -> None:
    if said.expires is not None and said.expires <= timedelta(0):
        raise FactsDeclarationError(
            where, "it expires before it is said", "Give `expires` a positive timedelta"
        )
    if said.pattern is not None:
        try:
            re.compile(said.pattern)
        except re.error as error:
            fix = "Write a regular expression for the whole value"
            raise FactsDeclarationError(where, f"its pattern does not compile: {error}", fix) from error


def _described(cls: type[Facts], name: str) -> str:
    """The line `name: description` of a docstring, of the class or the nearest base that has one."""
    for owner in cls.__mro__:
        if issubclass(owner, Facts) and (
            line := re.search(rf"^\s*{re.escape(name)}\s*:\s*(\S.*)$", owner.__doc__ or "", re.MULTILINE)
        ):
            return line[1].strip().rstrip(".")
    return ""
