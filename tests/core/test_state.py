"""Owned state: what can be declared, what is let in, and what a model's changes come to."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, Optional
from uuid import UUID, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError
from pydantic_core import to_json

from turnstate.core.state import (
    OPS,
    Delta,
    InTurn,
    Item,
    Op,
    Record,
    State,
    StateRefused,
    Verbatim,
    apply,
    declaration,
    described,
    name_of,
    read,
    read_patch,
    schema,
    write,
)
from turnstate.errors import StateDeclarationError

NAMESPACE = UUID(int=7)


class Colour(Enum):
    """An enum."""

    RED = "red"


class Pain(Item):
    """An item."""

    text: str = ""
    quote: Verbatim = ""
    turn: InTurn = 0


class Score(Record):
    """A record that is set as a whole."""

    value: int = Field(default=0, ge=0, le=100)
    quote: Verbatim = ""
    turn: InTurn = 0


class Memory(State):
    """A state of every kind of field."""

    timeline: str = Field(default="", description="when they start")
    score: Score = Score()
    pains: tuple[Pain, ...] = ()
    topics: tuple[str, ...] = ()
    colour: Colour | None = None
    start: date | None = None
    kind: Literal["a", "b"] = "a"


pains = st.builds(Pain, id=st.uuids().map(str), text=st.text(max_size=9))
memories = st.builds(
    Memory,
    timeline=st.text(max_size=9),
    score=st.builds(Score, value=st.integers(0, 100)),
    pains=st.lists(pains, max_size=3, unique_by=lambda pain: pain.id).map(tuple),
    topics=st.lists(st.text(max_size=5), max_size=3, unique=True).map(tuple),
    colour=st.sampled_from([None, Colour.RED]),
    start=st.none() | st.dates(),
    kind=st.sampled_from(["a", "b"]),
)
data = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
fields = st.sampled_from([*Memory.model_fields, "nope", ""])
deltas = st.lists(
    st.builds(Delta, st.sampled_from(OPS), fields, data, st.text(max_size=3), st.text(max_size=3)), max_size=5
)


# Declaring -----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Loose:
    """A dataclass that can be edited."""

    x: int = 0


@dataclasses.dataclass(frozen=True)
class HoldsList:
    """A frozen dataclass with something in it that can be edited."""

    xs: list[int] = dataclasses.field(default_factory=list[int])


class Editable(BaseModel):
    """A model that can be edited."""

    x: int = 0


class Pair(NamedTuple):
    """A tuple with a dict in it."""

    x: dict[str, int]


@pytest.mark.parametrize(
    "annotation",
    [
        list[str],
        dict[str, int],
        set[int],
        frozenset[int],
        bytearray,
        Any,
        object,
        tuple[list[str], ...],
        Optional[dict[str, int]],  # noqa: UP045 - both spellings must be refused
        Annotated[list[int], Field(max_length=2)],
        tuple[Loose, ...],
        HoldsList,
        Editable,
        Pair,
        Callable[[], int],
    ],
    ids=str,
)
def test_what_can_be_edited_is_refused_at_class_creation(annotation: Any) -> None:
    """However deep it stands; the error names state, field and fix."""
    with pytest.raises(StateDeclarationError) as caught:
        type("Bad", (State,), {"__annotations__": {"x": annotation}, "x": None, "__module__": __name__})
    assert caught.value.declaration in {"Bad.x", "Bad"}
    assert caught.value.fix


def test_what_cannot_be_a_state_is_refused() -> None:
    """No default, a default of another type, a config of its own, private attributes, versions that do not add up."""

    def missing() -> None:
        class Missing(State):
            x: int

        del Missing

    def wrong() -> None:
        class Wrong(State):
            x: int = "five"  # type: ignore[assignment]  # that is the test

        del Wrong

    def loosened() -> None:
        class Loosened(State):
            model_config = ConfigDict(frozen=False)
            x: int = 0

        del Loosened

    def private() -> None:
        class Private(State):
            x: int = 0
            _hidden: list[int] = PrivateAttr(default_factory=list[int])

        del Private

    def old() -> None:
        class Old(State, version=3, upcasters={1: dict}):
            x: int = 0

        del Old

    def scoped() -> None:
        class Scoped(State, scope="week"):  # type: ignore[arg-type]  # that is the test
            x: int = 0

        del Scoped

    for declare in (missing, wrong, loosened, private, old, scoped):
        with pytest.raises(StateDeclarationError):
            declare()


def test_a_declaration_is_read_back() -> None:
    """Name, scope, version."""

    class Routing(State, scope="turn", name="route"):
        next_agent: str = ""

    assert (name_of(Routing), declaration(Routing).scope, declaration(Memory).scope) == (
        "route",
        "turn",
        "conversation",
    )


# Writing and reading -------------------------------------------------------------------------------------------------


@given(memories)
def test_what_is_written_reads_back(memory: Memory) -> None:
    """To the byte, and as another object."""
    written = write(memory)
    again = read(Memory, written)
    assert again == memory
    assert to_json(write(again)) == to_json(written)


@pytest.mark.parametrize(
    "value",
    [
        Memory.model_construct(timeline=5),
        Memory.model_construct(pains=[Pain()]),
        Memory.model_construct(pains=("x",)),
        Memory.model_construct(kind="z"),
        Memory().model_copy(update={"timeline": 5}),
        Memory().model_copy(update={"unknown": 5}),
        Memory().model_copy(update={"score": Score.model_construct(value=900)}),
        Memory(timeline="x" * 70_000),
        Memory(timeline="\ud800"),
    ],
    ids=range(9),
)
def test_a_value_that_is_not_what_it_declares_is_not_let_in(value: Memory) -> None:
    """However it was made."""
    with pytest.raises(StateRefused):
        write(value)


def test_a_number_that_json_does_not_have_is_refused() -> None:
    """It would not read back."""

    class Reading(State):
        x: float = 0.0

    for x in (math.nan, math.inf):
        with pytest.raises(StateRefused):
            write(Reading.model_construct(x=x))


def weekly(old: dict[str, Any]) -> dict[str, Any]:
    """From weeks to days."""
    return {"weeks": int(old["weeks"]) * 7}


def test_older_versions_read_and_newer_ones_do_not() -> None:
    """Step by step, by pure functions; one that fails says which."""

    class Plan(
        State,
        version=3,
        upcasters={1: lambda old: {"weeks": old["w"]}, 2: weekly},
    ):
        weeks: int = 0

    assert read(Plan, {"w": "6"}, 1).weeks == 42
    assert read(Plan, {"weeks": 6}, 2).weeks == 42
    with pytest.raises(StateRefused, match="version 4"):
        read(Plan, {"weeks": 6}, 4)
    with pytest.raises(StateRefused, match="from version 1"):
        read(Plan, {}, 1)


def test_nothing_can_be_assigned() -> None:
    """Neither a field of a state nor one of an item."""
    memory = Memory(pains=(Pain(text="slow"),))
    with pytest.raises(ValidationError):
        memory.timeline = "six weeks"  # type: ignore[misc]  # that is the test
    with pytest.raises(ValidationError):
        memory.pains[0].text = "fast"  # type: ignore[misc]  # that is the test


# Deltas --------------------------------------------------------------------------------------------------------------


def test_each_change_stands_or_falls_on_its_own() -> None:
    """What is new is filled in by us; what is quoted has to be said."""
    done = apply(
        Memory(),
        [
            Delta("set", "timeline", "six weeks"),
            Delta("append", "pains", {"text": "slow", "quote": "it is  SLOW", "turn": 99, "id": "mine"}),
            Delta("append", "pains", {"text": "dear", "quote": "never said"}),
            Delta("amend", "pains", {"text": "very slow"}, "3.1", "they said more"),
            Delta("amend", "pains", {"text": "fast"}, "3.1"),
            Delta("retract", "pains", None, "9.9", "gone"),
            Delta("set", "pains", []),
            Delta("append", "topics", "price"),
            Delta("append", "topics", "price"),
            Delta("set", "score", {"value": "85", "quote": "slow"}),
            Delta("set", "score", {"value": 900}),
            Delta("set", "kind", "z"),
            Delta("set", "nope", 1),
        ],
        turn=3,
        message="Well, it is slow.",
    )
    value = done.value
    assert value.timeline == "six weeks"
    assert value.pains == (Pain(id="3.1", text="very slow", quote="it is  SLOW", turn=3),)
    assert (value.topics, value.score) == (("price",), Score(value=85, quote="slow", turn=3))
    assert [each.delta.op for each in done.rejected] == [
        "append",
        "amend",
        "retract",
        "set",
        "set",
        "set",
        "set",
    ]
    assert all(each.reason for each in done.rejected)


def test_an_item_is_retracted_by_its_id_and_a_text_by_itself() -> None:
    """For a reason."""
    memory = Memory(
        pains=(Pain(id="1.1", text="slow"), Pain(id="1.2", text="dear")), topics=("price", "time")
    )
    gone = [Delta("retract", "pains", None, "1.1", "solved"), Delta("retract", "topics", "time")]
    done = apply(memory, gone, turn=2, message="")
    assert ([pain.id for pain in done.value.pains], done.value.topics) == (["1.2"], ("price",))
    assert done.made[0].data() == {"op": "retract", "field": "pains", "id": "1.1", "reason": "solved"}


@given(memories, deltas, st.integers(1, 9), st.text(max_size=20))
def test_any_changes_leave_a_valid_state(
    memory: Memory, changes: list[Delta], turn: int, message: str
) -> None:
    """Nothing raises; every change is made or rejected; what is not named stays; ids are unique."""
    done = apply(memory, changes, turn=turn, message=message)
    assert len(done.made) + len(done.rejected) == len(changes)
    assert write(done.value)
    named = {delta.field for delta in done.made}
    for name in Memory.model_fields:
        assert name in named or getattr(done.value, name) == getattr(memory, name)
    ids = [pain.id for pain in done.value.pains]
    assert len(ids) == len(set(ids))


@given(st.integers(1, 5), st.integers(1, 9))
def test_ids_say_the_turn(count: int, turn: int) -> None:
    """And count within it."""
    done = apply(Memory(), [Delta("append", "pains", {"text": "x"})] * count, turn=turn, message="")
    assert [pain.id for pain in done.value.pains] == [f"{turn}.{n}" for n in range(1, count + 1)]


# The record call -----------------------------------------------------------------------------------------------------


def test_what_a_model_is_told() -> None:
    """Every field with what it holds; what turnstate fills in is left out."""
    told = described([Memory])
    assert "Memory.timeline (set; text): when they start" in told
    assert "Memory.pains (append, amend, retract; {text: text, quote: the user's own words})" in told
    assert "Memory.kind (set; a | b)" in told
    assert "turn:" not in told
    shape = schema([Memory])["properties"]["changes"]["items"]["properties"]
    assert (shape["state"]["enum"], shape["op"]["enum"]) == (["Memory"], list(OPS))


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [
        ({"changes": [{"state": "Memory", "field": "timeline", "op": "set", "value": "x"}]}, [("Memory", "set", "timeline")]),
        ({"changes": {"state": "Memory", "field": "timeline", "value": "x"}}, [("Memory", "set", "timeline")]),
        ({"changes": [{"field": "Memory.timeline", "op": "SET", "value": "x"}]}, [("Memory", "set", "timeline")]),
        ({"changes": [{"state": "Memory.timeline", "op": "set"}]}, [("Memory", "set", "timeline")]),
        ({"Memory": {"timeline": "x", "topics": ["a", "b"]}}, [("Memory", "set", "timeline"), ("Memory", "append", "topics"), ("Memory", "append", "topics")]),
        ({"changes": []}, []),
    ],
)  # fmt: skip
def test_what_is_understood_of_a_record(arguments: Any, changes: list[tuple[str, Op, str]]) -> None:
    """The list that was asked for, and the shapes that small models write."""
    patch = read_patch(arguments)
    assert [(each.state, each.delta.op, each.delta.field) for each in patch.changes] == changes
    assert patch.problems == ()


@given(data)
def test_any_arguments_are_read(arguments: Any) -> None:
    """What cannot be understood is a problem, never an exception."""
    patch = read_patch(arguments)
    assert all(each.delta.op in OPS for each in patch.changes)
    assert isinstance(arguments, dict) or patch.problems


def test_what_a_state_does_not_say_it_inherits() -> None:
    """Scope and version of the state that it derives from; the name is its own."""

    class Routing(State, scope="turn", version=2, upcasters={1: dict}):
        x: int = 0

    class Special(Routing):
        y: int = 0

    told = declaration(Special)
    assert (told.name, told.scope, told.version, set(told.upcasters)) == ("Special", "turn", 2, {1})


def test_two_items_of_one_id_are_refused() -> None:
    """A change by id would not know which."""
    with pytest.raises(StateRefused, match="one id"):
        write(Memory(pains=(Pain(id="1.1"), Pain(id="1.1", text="x"))))


def test_a_record_that_is_too_much_is_said_to_be() -> None:
    """Too many changes, and one that is nested without end."""
    many = read_patch({"changes": [{"state": "M", "field": "f", "op": "set"}] * 100})
    assert len(many.changes) == 64
    assert "too many" in many.problems[0]
    deep: Any = []
    for _ in range(3_000):
        deep = [deep]
    assert read_patch({"changes": [{"state": deep, "field": "f"}]}).problems


def test_an_id_of_another_kind_is_a_value_as_well() -> None:
    """UUIDs are scalars."""

    class Case(State):
        number: UUID = UUID(int=0)

    case = Case(number=uuid5(NAMESPACE, "case"))
    assert read(Case, write(case)) == case
