"""State as it is declared: frozen, typed values with a scope, a schema version, and nothing in them that could be edited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias, dataclass_transform

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, ValidationError
from pydantic_core import to_json

from turnstate.core.state.unchangeable import why_changeable
from turnstate.errors import StateDeclarationError

Scope: TypeAlias = Literal["turn", "conversation"]
"""How long a value stands: until the next turn opens, or as long as the conversation."""

Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""From the JSON data of one schema version to that of the next; pure."""

MOST_BYTES: Final = 65_536
"""The most bytes that a state may have as JSON, unless it says otherwise."""


class _Mark:
    """What a field of a record is filled with or compared with by turnstate."""

    def __init__(self, name: str) -> None:
        self.name = name


VERBATIM: Final = _Mark("verbatim")
IN_TURN: Final = _Mark("turn")

Verbatim: TypeAlias = Annotated[str, VERBATIM]
"""Words of the user's newest message: a model's change whose quote does not stand in it is refused."""

InTurn: TypeAlias = Annotated[int, IN_TURN]
"""The number of the turn that a record was written in: filled in by turnstate, never by a model."""

_FROZEN: Final = ConfigDict(
    frozen=True,
    extra="forbid",
    revalidate_instances="never",
    validate_default=True,
    use_enum_values=False,
    allow_inf_nan=False,
)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a state says of itself.

    Attributes:
        name: stands in the log; the class's name unless it says otherwise.
        scope: how long a value stands.
        version: of the schema.
        upcasters: by the version that they read.
        most_bytes: the most bytes of a value as JSON.
    """

    name: str
    scope: Scope = "conversation"
    version: int = 1
    upcasters: Mapping[int, Upcaster] = field(default_factory=lambda: MappingProxyType({}))
    most_bytes: int = MOST_BYTES


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
class _FrozenMeta(type(BaseModel)):
    """Tells type checkers that no field can be assigned; pydantic refuses it at run time."""

    def __new__(
        mcs, cls_name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **kwargs: Any
    ) -> Any:
        try:
            return super().__new__(mcs, cls_name, bases, namespace, **kwargs)
        except PydanticUserError as error:
            problem = f"has a field that cannot be read ({error.message.splitlines()[0]})"
            fix = "Use scalars, enums, dates, tuples, and frozen records of them."
            raise StateDeclarationError(cls_name, problem, fix) from error


class _Frozen(BaseModel, metaclass=_FrozenMeta):
    model_config = _FROZEN


def _check_config(record: type[BaseModel]) -> None:
    config = record.model_config
    if not config.get("frozen") or config.get("extra") != "forbid":
        raise StateDeclarationError(
            record.__name__, "can be edited, or takes unknown fields", "Leave its model_config alone."
        )
    if record.__private_attributes__:
        raise StateDeclarationError(
            record.__name__,
            f"has private attributes ({', '.join(record.__private_attributes__)})",
            "Declare them as fields: what is not a field is not recorded.",
        )


class Record(_Frozen):
    """A frozen record within a state: several values that belong together. Subclass it with its fields."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        _check_config(cls)


class Item(Record):
    """A record in a tuple field of a state, told from the others by its id.

    Subclass it with the fields of the record. `id` is given when the record is appended and never changes.
    """

    id: str = ""


class State(_Frozen):
    """A part of what an agent knows, with exactly one owner.

    ```python
    class Memory(State):
        timeline: str = ""
        pain_points: tuple[PainPoint, ...] = ()

    class Routing(State, scope="turn"):
        next_agent: str = ""
    ```

    Every field has a default: together they are the value before anybody wrote. Field types must be unchangeable:
    scalars, enums, dates, tuples, and frozen records of them.

    Class arguments:
        scope: "conversation" (default), or "turn" for a value that is reset when a turn opens.
        version: the schema version, from 1.
        upcasters: for a version above 1: by each older version, a pure function from its JSON data to the next one's.
        name: stands in the log instead of the class's name.
        most_bytes: the most bytes of a value as JSON.

    Raises:
        StateDeclarationError: at class creation, where any of this does not hold.
    """

    turnstate_declaration: ClassVar[Declaration] = Declaration("State")

    def __init_subclass__(
        cls,
        *,
        scope: Scope | None = None,
        version: int | None = None,
        upcasters: Mapping[int, Upcaster] | None = None,
        name: str = "",
        most_bytes: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init_subclass__(**kwargs)
        # What a state does not say itself is what the state says that it derives from.
        above = cls.turnstate_declaration
        older = above.upcasters if upcasters is None and version is None else upcasters or {}
        cls.turnstate_declaration = Declaration(
            name or cls.__name__,
            above.scope if scope is None else scope,
            above.version if version is None else version,
            MappingProxyType(dict(older)),
            above.most_bytes if most_bytes is None else most_bytes,
        )

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Pydantic calls this once the fields are known."""
        _check_declaration(cls)
        _check_config(cls)
        _check_fields(cls)


def declaration(state: type[State]) -> Declaration:
    """What a state class says of itself."""
    return state.turnstate_declaration


def name_of(state: type[State]) -> str:
    """The name of a state class in the log."""
    return state.turnstate_declaration.name


def _check_declaration(state: type[State]) -> None:
    declared, name = state.turnstate_declaration, state.__name__
    if declared.scope not in ("turn", "conversation"):
        raise StateDeclarationError(
            name, f"has the scope {declared.scope!r}", 'Write scope="turn" or scope="conversation".'
        )
    if isinstance(declared.version, bool) or declared.version < 1:
        raise StateDeclarationError(name, f"has the version {declared.version!r}", "Count versions from 1.")
    wanted = set(range(1, declared.version))
    if set(declared.upcasters) != wanted:
        missing = sorted(wanted.symmetric_difference(declared.upcasters))
        raise StateDeclarationError(
            name,
            f"has version {declared.version}, and its upcasters do not fit at {', '.join(map(str, missing))}",
            "Give upcasters={n: function} for every older version n, so that old values still read.",
        )
    if declared.most_bytes < 1:
        raise StateDeclarationError(name, f"may have {declared.most_bytes} bytes", "Allow at least one.")


def _check_fields(state: type[State]) -> None:
    try:
        state.model_rebuild()
    except (PydanticUserError, NameError) as error:
        raise StateDeclarationError(
            state.__name__, f"has an annotation that cannot be read ({error})", "Define the type before it."
        ) from error
    for name, declared in state.model_fields.items():
        shown = f"{state.__name__}.{name}"
        if declared.is_required():
            raise StateDeclarationError(
                shown, "has no default", "Give it one: it is the value before anybody wrote."
            )
        if (why := why_changeable(declared.annotation)) is not None:
            raise StateDeclarationError(shown, why.problem, why.fix)
    _check_default(state)


def _check_default(state: type[State]) -> None:
    fix = "Use defaults of the declared types."
    try:
        first = state()
        data = first.model_dump(mode="json", warnings="error")
        again = state.model_validate_json(to_json(data), strict=True)
    except (ValidationError, ValueError, TypeError) as error:
        problem = f"has a default that does not fit its field, or is no JSON ({error})"
        raise StateDeclarationError(state.__name__, problem, fix) from error
    if again != first:
        raise StateDeclarationError(state.__name__, "has a default that reads back as another value", fix)
