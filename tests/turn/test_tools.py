"""Tools inside a turn: effects, call ids, dependencies, every kind of result and failure."""

from __future__ import annotations

import asyncio
import math
import threading
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, Self

import pytest
from pydantic import BaseModel
from pydantic_ai import FunctionToolset, ModelRetry, RunContext, Tool, ToolReturn
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.messages import BinaryContent

from acceptance.doors import assistant, recorded, run
from turnstate import Reply, tool
from turnstate.core.events import ToolCalled, ToolReturned
from turnstate.errors import ToolError
from turnstate.testing.scripted import Answer, Call, ScriptedModel

PIXEL = BinaryContent(b"\x89PNG", media_type="image/png")


class Colour(Enum):
    """An enum as a result."""

    RED = "red"


class Order(BaseModel):
    """A pydantic model as a result and as an argument."""

    number: str
    total: Decimal


@dataclass
class Point:
    """A dataclass as a result."""

    x: int
    y: float


def lookup(order_id: str) -> str:
    """Look up an order."""
    return f"{order_id}: shipped"


def told(tools: list[Any], *calls: Call, deps: object = None) -> list[ToolReturned]:
    """The results that were recorded for one response with `calls`; the model saw the same."""

    async def scenario() -> list[ToolReturned]:
        model = ScriptedModel([list(calls), "Done."])
        async with assistant(model, tools=tools) as door:
            chat = door.conversation("c", deps=deps)
            assert (await chat.send("go")).text == "Done."
            returned = await recorded(chat, ToolReturned)
            assert set(model.requests[1].results) == {event.result.tool_call_id for event in returned}
            return returned

    return run(scenario())


def only(tools: list[Any], call: Call, deps: object = None) -> ToolReturned:
    """The one result of one call."""
    (returned,) = told(tools, call, deps=deps)
    return returned


# What comes back -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "content"),
    [
        ("text", "text"),
        ("", ""),
        (None, None),
        (True, True),
        (3, 3),
        (1.5, 1.5),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (Decimal("9.90"), "9.90"),
        (b"bytes", "Ynl0ZXM="),
        (Colour.RED, "red"),
        (Point(1, 2.5), {"x": 1, "y": 2.5}),
        (Order(number="7", total=Decimal("1.10")), {"number": "7", "total": "1.10"}),
        ({"a": {1}, 2: (3, 4)}, {"a": [1], "2": [3, 4]}),
        ([Point(1, 2), None, [b"x"]], [{"x": 1, "y": 2.0}, None, ["eA=="]]),
        ([], []),
        ({}, {}),
        (object, "<class 'object'>"),
        ("lone \ud800 and \0", "lone \ud800 and \0"),
    ],
)
def test_any_result_becomes_plain_data_in_the_log(value: object, content: object) -> None:
    """What JSON cannot hold is written as text; nothing a tool returns breaks the turn."""

    def give() -> object:
        """Give it."""
        return value

    returned = only([give], Call("give", {}))
    assert returned.result.content == content
    assert returned.result.outcome == "success"


def test_images_come_back_as_images() -> None:
    """Alone, in a list, and beside a value."""

    def picture(how: str) -> Any:
        """Give a picture."""
        return {
            "alone": PIXEL,
            "list": ["see", PIXEL],
            "beside": ToolReturn(return_value={"ok": True}, content=["see", PIXEL]),
        }[how]

    calls = [Call("picture", {"how": how}, how) for how in ("alone", "list", "beside")]
    found = {event.result.tool_call_id: event.result for event in told([picture], *calls)}
    contents: dict[str, Any] = {how: result.content for how, result in found.items()}
    assert contents["list"][:1] == ["see"]
    assert contents["beside"][:2] == [{"ok": True}, "see"]
    for image in (contents["alone"], contents["list"][1], contents["beside"][2]):
        assert (image.data, image.media_type) == (PIXEL.data, PIXEL.media_type)


def test_a_result_that_cannot_be_written_at_all_is_a_failed_call() -> None:
    """A circle, or an object that cannot say what it is: the model is told, the turn goes on."""

    class Mute:
        def __str__(self) -> str:
            raise RuntimeError("mute")

        __repr__ = __str__

    circle: list[Any] = []
    circle.append(circle)

    def give(what: str) -> object:
        """Give it."""
        return circle if what == "circle" else Mute()

    calls = [Call("give", {"what": what}, what) for what in ("circle", "mute")]
    assert {event.result.outcome for event in told([give], *calls)} == {"failed"}


def test_a_huge_result_fails_no_turn() -> None:
    """Five megabytes are shown shortened, in their own turn and later (known failure B68)."""

    def dump() -> str:
        """Dump it."""
        return "x" * 5_000_000

    async def scenario() -> tuple[Reply, int]:
        model = ScriptedModel([Call("dump", {}), "Dumped.", "Fine."])
        async with assistant(model, tools=[dump]) as door:
            chat = door.conversation("c")
            assert (await chat.send("dump it")).text == "Dumped."
            return await chat.send("never mind"), sum(map(len, model.requests[1].said))

    reply, sent = run(scenario())
    assert reply.text == "Fine."
    assert sent < 40_000


# How a call fails ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "outcome", "words"),
    [
        (RuntimeError("disk full"), "failed", "RuntimeError: disk full"),
        (KeyError("order"), "failed", "KeyError: 'order'"),
        (BaseExceptionGroup("many", [ValueError("x")]), "failed", "ExceptionGroup"),
        (ModelRetry("give the year"), "retried", "give the year"),
        (ToolFailed("no such order"), "failed", "no such order"),
        (CallDeferred(), "denied", "somebody else"),
        (TimeoutError(), "failed", "TimeoutError"),
        (RecursionError("deep"), "failed", "deep"),
    ],
)
def test_what_a_tool_raises_is_a_result_that_says_so(error: Exception, outcome: str, words: str) -> None:
    """The model is told, in the tool's words; the turn goes on."""

    def work() -> None:
        """Work."""
        raise error

    returned = only([work], Call("work", {}))
    assert returned.result.outcome == outcome
    assert words in str(returned.result.content)


@pytest.mark.parametrize("effect", ["read", "once"])
@pytest.mark.parametrize("sequential", [False, True])
def test_a_tool_that_is_cancelled_from_inside_is_a_failed_call(effect: Any, sequential: bool) -> None:
    """Somebody cancelled what the tool waited for, not the turn."""

    async def work() -> None:
        """Work."""
        inner = asyncio.create_task(asyncio.sleep(60))
        asyncio.get_running_loop().call_soon(inner.cancel)
        await inner

    returned = only([tool(work, effect=effect, sequential=sequential)], Call("work", {}))
    assert returned.result.outcome == "failed"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (Call("no_such_tool", {}), "no_such_tool"),
        (Call("lookup", {}), "order_id"),
        (Call("lookup", {"order_id": ["a"]}), "order_id"),
        (Call("lookup", {"order_id": "1", "extra": 2}), "extra"),
    ],
)
def test_a_call_that_does_not_fit_is_told_to_the_model(call: Call, words: str) -> None:
    """Unknown names and invalid arguments come back as results, and the tool has not run."""
    ran: list[str] = []

    def counted(order_id: str) -> str:
        """Look up an order."""
        ran.append(order_id)
        return order_id

    returned = only([tool(counted, effect="read", name="lookup")], call)
    assert returned.result.outcome == "retried"
    assert words in str(returned.result.content)
    assert ran == []


def test_a_tool_may_fail_any_number_of_times() -> None:
    """There is no budget of retries beside `max_rounds`."""

    async def scenario() -> Reply:
        calls: list[Answer] = [Call("lookup", {}) for _ in range(6)]
        async with assistant([*calls, "Sorry."], tools=[lookup]) as door:
            return await door.conversation("c").send("go")

    assert run(scenario()).text == "Sorry."


# Call ids and dependencies -------------------------------------------------------------------------------------------


def test_the_call_id_is_injected_and_hidden_from_the_model() -> None:
    """Sync and async, with and without a context; each call has an id of its own, the one that is recorded."""
    seen: dict[str, str] = {}

    @tool(effect="once")
    def plain(x: int, call_id: str) -> int:
        """Plain."""
        seen[f"plain{x}"] = call_id
        return x

    @tool(effect="once")
    async def with_context(ctx: RunContext[Any], x: int, call_id: str) -> int:
        """With a context."""
        seen[f"ctx{x}"] = call_id
        assert ctx.tool_call_id == call_id
        return x

    calls = [Call(name, {"x": x}) for name in ("plain", "with_context") for x in (1, 2)]

    async def scenario() -> list[ToolCalled]:
        model = ScriptedModel([calls, "Done."])
        async with assistant(model, tools=[plain, with_context]) as door:
            chat = door.conversation("c")
            await chat.send("go")
            schemas = [offered.parameters_json_schema for offered in model.requests[0].tools]
            assert [list(schema["properties"]) for schema in schemas[:2]] == [["x"], ["x"]]
            return await recorded(chat, ToolCalled)

    called = run(scenario())
    assert sorted(seen.values()) == sorted(event.call_id for event in called)
    assert len(set(seen.values())) == 4
    assert all(call_id.startswith("call_") for call_id in seen.values())


def test_call_ids_differ_between_turns_and_conversations() -> None:
    """Providers count from one in every response; our ids do not repeat."""
    ids: list[str] = []

    @tool(effect="once")
    def pay(call_id: str) -> str:
        """Pay."""
        ids.append(call_id)
        return "paid"

    async def scenario() -> None:
        script: list[Answer] = [Call("pay", {}, "c1"), Call("pay", {}, "c1"), "Done."] * 4
        async with assistant(script, tools=[pay]) as door:
            for name in ("a", "b"):
                for _ in range(2):
                    await door.conversation(name).send("go")

    run(scenario())
    assert len(ids) == len(set(ids)) == 8


def test_two_calls_with_one_id_in_one_response_both_run_once() -> None:
    """A provider that repeats an id loses neither the call nor its arguments."""
    ran: list[int] = []

    @tool(effect="once")
    def pay(amount: int, call_id: str) -> str:
        """Pay."""
        ran.append(amount)
        return f"paid {amount} as {call_id}"

    returned = told([pay], Call("pay", {"amount": 1}, "c1"), Call("pay", {"amount": 2}, "c1"))
    assert sorted(ran) == [1, 2]
    assert len({event.call_id for event in returned}) == 2


def test_dependencies_are_those_of_the_conversation() -> None:
    """Conversations side by side never see each other's."""

    async def whoami(ctx: RunContext[str]) -> str:
        """Who am I?"""
        before = ctx.deps
        await asyncio.sleep(0)
        assert ctx.deps == before
        return ctx.deps

    async def scenario() -> list[str]:
        def answer(asked: Any) -> Answer:
            return next(iter(asked.results.values()), "") or Call("whoami", {})

        async with assistant(answer, tools=[whoami]) as door:
            chats = [door.conversation(f"c{n}", deps=f"user {n}") for n in range(20)]
            return [reply.text for reply in await asyncio.gather(*(chat.send("who?") for chat in chats))]

    assert run(scenario()) == [f"user {n}" for n in range(20)]


def test_a_parameter_that_is_called_call_id_may_stand_anywhere() -> None:
    """With a default, keyword-only, as a method, and beside a parameter that is called ctx."""

    class Shop:
        def refund(self, ctx: str, *, call_id: str = "none", reason: str = "r") -> str:
            """Refund."""
            return f"{ctx} {reason} {call_id[:5]}"

    returned = only([tool(Shop().refund, effect="once")], Call("refund", {"ctx": "x"}))
    assert returned.result.content == "x r call_"


# Effects -------------------------------------------------------------------------------------------------------------


def test_the_effect_is_recorded_and_undeclared_means_once() -> None:
    """What nobody declared is treated as if running it twice did harm."""
    sets: FunctionToolset[Any] = FunctionToolset([Tool(lookup, name="in_set", metadata={"mine": 1})])
    tools = [
        lookup,
        Tool(lookup, name="wrapped"),
        sets,
        tool(lookup, effect="read", name="reads"),
        tool(lookup, effect="idempotent", name="sets"),
        tool(lookup, effect="once", name="pays"),
    ]

    async def scenario() -> dict[str, str]:
        names = ("lookup", "wrapped", "in_set", "reads", "sets", "pays", "unknown")
        async with assistant([[Call(n, {"order_id": "1"}) for n in names], "Ok."], tools=tools) as door:
            chat = door.conversation("c")
            await chat.send("go")
            return {event.tool: event.effect for event in await recorded(chat, ToolCalled)}

    assert run(scenario()) == {
        "lookup": "once",
        "wrapped": "once",
        "in_set": "once",
        "reads": "read",
        "sets": "idempotent",
        "pays": "once",
        "unknown": "once",
    }


def test_all_calls_are_durable_before_the_first_one_runs() -> None:
    """What stands in the log when a tool looks is every call of the response, and no result."""
    seen: list[list[str]] = []

    async def scenario() -> None:
        async def look() -> str:
            """Look."""
            events = await chat.events()
            seen.append([type(found.event).__name__ for found in events[-2:]])
            return "seen"

        async with assistant([[Call("look", {}), Call("look", {})], "Ok."], tools=[look]) as door:
            chat = door.conversation("c")
            await chat.send("go")

    run(scenario())
    assert seen[0] == ["ToolCalled", "ToolCalled"]


# Side by side, or alone ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sync", "sync with call_id", "async", "async with call_id"])
def test_calls_of_one_response_run_side_by_side(kind: str) -> None:
    """Each waits for the other, so they must both be running."""
    barrier, gate = threading.Barrier(2), asyncio.Event()
    running: list[int] = []

    def sync() -> str:
        """Wait for the other one."""
        barrier.wait(timeout=10)
        return "met"

    def sync_with_id(call_id: str) -> str:
        """Wait for the other one."""
        barrier.wait(timeout=10)
        return "met"

    async def coroutine() -> str:
        """Wait for the other one."""
        running.append(1)
        if len(running) == 2:
            gate.set()
        await gate.wait()
        return "met"

    async def coroutine_with_id(call_id: str) -> str:
        """Wait for the other one."""
        return await coroutine()

    function: Any = {
        "sync": sync,
        "sync with call_id": sync_with_id,
        "async": coroutine,
        "async with call_id": coroutine_with_id,
    }[kind]
    returned = told([tool(function, effect="read", name="meet")], Call("meet", {}), Call("meet", {}))
    assert [event.result.content for event in returned] == ["met", "met"]


def test_sequential_calls_run_alone_and_in_order() -> None:
    """Nothing else runs while one of them does."""
    running, order = 0, list[str]()

    async def work(name: str) -> str:
        """Work."""
        nonlocal running
        running += 1
        await asyncio.sleep(0)
        alone = running == 1
        await asyncio.sleep(0)
        running -= 1
        order.append(name)
        return "alone" if alone else "not alone"

    careful = tool(work, effect="once", name="careful", sequential=True)
    loose = tool(work, effect="read", name="loose")
    calls = [Call("careful", {"name": "1"}), Call("loose", {"name": "2"}), Call("careful", {"name": "3"})]
    found = {event.result.tool_call_id: event.result for event in told([careful, loose], *calls)}
    assert [part.content for part in found.values() if part.tool_name == "careful"] == ["alone", "alone"]
    assert [name for name in order if name != "2"] == ["1", "3"]


# What cannot be offered ----------------------------------------------------------------------------------------------


def unread(x: int, call_id: str) -> None:
    """Its annotation names something that is not there."""


unread.__annotations__["x"] = "Missing"


def test_names_given_twice_are_refused() -> None:
    """Also between functions, pydantic-ai tools and toolsets."""
    again: FunctionToolset[Any] = FunctionToolset([lookup])
    for tools in ([lookup, lookup], [lookup, tool(lookup, effect="read")], [lookup, again]):
        with pytest.raises(ToolError, match="lookup") as raised:
            assistant([], tools=tools)
        assert raised.value.tool == "lookup"


@pytest.mark.parametrize("kind", ["declared", "pydantic-ai's", "toolset", "asks itself"])
def test_a_call_that_needs_an_approval_waits_for_it(kind: str) -> None:
    """However the tool says so; it does nothing before, and runs once afterwards."""
    ran: list[str] = []

    def pay(amount: str) -> str:
        """Pay."""
        ran.append(amount)
        return "paid"

    def careful(ctx: RunContext[Any], amount: str) -> str:
        """Pay, if somebody approves."""
        if not ctx.tool_call_approved:
            raise ApprovalRequired
        return pay(amount)

    tools: dict[str, Any] = {
        "declared": tool(pay, effect="once", approval=True),
        "pydantic-ai's": Tool(pay, requires_approval=True),
        "toolset": FunctionToolset[Any]([pay]).approval_required(),
        "asks itself": Tool(careful, name="pay"),
    }

    async def scenario() -> None:
        model = ScriptedModel([Call("pay", {"amount": "1"}), "Done."])
        async with assistant(model, tools=[tools[kind]]) as door:
            chat = door.conversation("c")
            (approval,) = (await chat.send("go")).approvals
            assert (approval.tool, ran) == ("pay", [])
            assert (await chat.approve(approval.call_id)).text == "Done."
            assert ran == ["1"]
            (returned,) = await recorded(chat, ToolReturned)
            assert (returned.result.outcome, returned.result.content) == ("success", "paid")

    run(scenario())


@pytest.mark.parametrize("effect", ["", "twice", None, "READ"])
def test_an_unknown_effect_is_refused(effect: Any) -> None:
    """The three effects are named in the error."""
    with pytest.raises(ToolError, match="Choose read, idempotent or once"):
        tool(lookup, effect=effect)


def nameless() -> Any:
    """A function whose name no provider takes."""
    return lambda: "x"


THINGS: list[Any] = ["text", None, 5, object(), [lookup], int, nameless()]


@pytest.mark.parametrize("thing", THINGS)
def test_what_is_no_tool_is_refused(thing: Any) -> None:
    """With the type or name of what was given, while building."""
    with pytest.raises(ToolError):
        assistant([], tools=[thing])


def test_a_signature_that_cannot_be_read_is_refused() -> None:
    """Types must be found when the tool is declared."""
    with pytest.raises(ToolError, match="annotation that cannot be read"):
        tool(unread, effect="once")


def test_toolsets_are_entered_and_left_with_the_assistant() -> None:
    """What a toolset opens is closed again, also after an error."""
    story: list[str] = []

    class Kept(FunctionToolset[Any]):
        async def __aenter__(self) -> Self:
            story.append("in")
            return self

        async def __aexit__(self, *exc: object) -> None:
            story.append("out")

    async def scenario() -> None:
        door = assistant(["Hi."], tools=[Kept([lookup])])
        for _ in range(2):
            with pytest.raises(KeyError):
                async with door:
                    raise KeyError

    run(scenario())
    assert story == ["in", "out"] * 2
