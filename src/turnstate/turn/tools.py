"""Tools inside a turn: what running one twice does, the stable id it receives, and how a call is made.

Tools are pydantic-ai tools and toolsets (MCP servers among them). What turnstate adds is the effect, kept in the
tool's metadata, and `call_id`: our id of the call, the same after a crash.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import math
import re
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias, cast, get_type_hints

from pydantic_ai import RunContext, Tool
from pydantic_ai.exceptions import (
    ApprovalRequired,
    CallDeferred,
    ToolFailedError,
    ToolRetryError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.messages import ToolReturn, is_multi_modal_content
from pydantic_ai.models import Model
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, FunctionToolset
from pydantic_ai.usage import RunUsage
from pydantic_core import to_json, to_jsonable_python

from turnstate.core.events import Effect
from turnstate.core.messages import Outcome, ToolCallPart, ToolReturnPart, tool_return
from turnstate.errors import ToolError

AnyTool: TypeAlias = Tool[Any] | AbstractToolset[Any] | Callable[..., Any]

TURN = "turnstate_turn"
"""Where the metadata of a run context has the number of the turn."""

RETRIES = 1_000
"""How often a tool may ask for other arguments, where it says nothing itself: the rounds of a turn end it sooner."""

EFFECT = "turnstate_effect"
"""Where the metadata of a tool has its effect."""

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def tool(
    function: Callable[..., Any] | None = None,
    *,
    effect: Effect,
    name: str | None = None,
    sequential: bool = False,
    approval: bool = False,
) -> Any:
    """Declare a function as a tool, with what running it twice does.

    After a crash, `read` and `idempotent` calls without a recorded result run again; a `once` call does not: the model
    is told that its outcome is unknown. A function that is given without this decorator counts as `once`.

    A parameter `call_id: str` is filled in by turnstate and hidden from the model: give it to the service that does
    the work, as its idempotency key. A first parameter of type `RunContext` receives pydantic-ai's run context, with
    the conversation's `deps`.

    Args:
        function: the function; the docstring's first lines tell the model what it is for.
        effect: "read", "idempotent" or "once".
        name: the tool's name, if not the function's.
        sequential: whether it must run alone, not beside the other calls of one response.
        approval: whether a person has to approve each call before it runs. A tool may also ask by itself, by raising
            pydantic-ai's `ApprovalRequired` before it has done anything.

    Returns:
        A pydantic-ai `Tool`; as a decorator, a function that returns one.

    Raises:
        ToolError: the effect is unknown, or the signature cannot be read.
    """
    if function is None:
        return functools.partial(tool, effect=effect, name=name, sequential=sequential, approval=approval)
    shown = name or getattr(function, "__name__", "tool")
    if effect not in ("read", "idempotent", "once"):
        raise ToolError(shown, f"has the effect {effect!r}", "Choose read, idempotent or once.")
    return Tool[Any](
        _with_call_id(function, shown),
        name=shown,
        metadata={EFFECT: effect},
        sequential=sequential,
        requires_approval=approval,
    )


def _with_call_id(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """`function` without its `call_id` parameter, which the run context then fills."""
    signature = inspect.signature(function)
    if "call_id" not in signature.parameters:
        return function
    try:
        hints = get_type_hints(function, include_extras=True)
    except NameError as error:
        raise ToolError(
            name, f"has an annotation that cannot be read: {error}", "Define the type at module level."
        ) from error
    parameters = [
        p.replace(annotation=hints.get(p.name, p.annotation)) for p in signature.parameters.values()
    ]
    takes_ctx = bool(parameters) and _is_context(parameters[0].annotation)
    context = inspect.Parameter("_turnstate", inspect.Parameter.POSITIONAL_ONLY, annotation=RunContext[Any])
    shown = [p for p in parameters if p.name != "call_id"]
    shown = shown if takes_ctx else [context, *shown]

    def given(ctx: RunContext[Any], arguments: dict[str, Any]) -> Any:
        filled = {"call_id": ctx.tool_call_id or "", **arguments}
        return function(ctx, **filled) if takes_ctx else function(**filled)

    @functools.wraps(function)
    async def awaited(ctx: RunContext[Any], /, **arguments: Any) -> Any:
        return await given(ctx, arguments)

    @functools.wraps(function)
    def called(ctx: RunContext[Any], /, **arguments: Any) -> Any:
        return given(ctx, arguments)

    # A plain function stays one, so that it runs in a worker thread and does not hold up the event loop.
    wrapped: Any = awaited if inspect.iscoroutinefunction(function) else called
    del wrapped.__wrapped__
    wrapped.__signature__ = signature.replace(parameters=shown)
    wrapped.__annotations__ = {p.name: p.annotation for p in shown} | {"return": hints.get("return", Any)}
    return wrapped


def _is_context(annotation: object) -> bool:
    return annotation is RunContext or getattr(annotation, "__origin__", None) is RunContext


class Toolbox:
    """Everything an assistant may call, entered once and offered to every turn.

    Args:
        tools: functions, pydantic-ai tools and toolsets.
        reader: the tool that reads the log, offered beside others where none of them has its name; or None.

    Raises:
        ToolError: two tools share a name, or have one that providers refuse.
    """

    def __init__(self, tools: Sequence[AnyTool], reader: Tool[Any] | None = None) -> None:
        plain = [_checked(item) for item in tools if not isinstance(item, AbstractToolset)]
        sets = [cast("AbstractToolset[Any]", item) for item in tools if isinstance(item, AbstractToolset)]
        known = [
            *plain,
            *(made for item in sets if isinstance(item, FunctionToolset) for made in item.tools.values()),
        ]
        _check_together(known)
        self._reader = ""
        if reader is not None and tools and all(made.name != reader.name for made in known):
            plain.append(reader)
            self._reader = reader.name
        self._nothing: Offer | None = None
        self._bare = not plain and not sets
        self._toolset: AbstractToolset[Any] = CombinedToolset([FunctionToolset[Any](plain), *sets])
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._toolset)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._stack.aclose()

    async def offer(self, deps: Any, model: Model, conversation: str, turn: int = 0) -> Offer:
        """The tools for one turn, with the conversation's dependencies."""
        if self._nothing is not None:
            return self._nothing
        context = RunContext[Any](
            deps=deps,
            model=model,
            usage=RunUsage(),
            conversation_id=conversation,
            metadata={TURN: turn},
            max_retries=RETRIES,
        )
        try:
            manager = await ToolManager[Any](toolset=self._toolset).for_run_step(context)
        except UserError as error:
            raise ToolError(
                "toolset", f"cannot be offered ({error})", "Rename or remove one of the tools."
            ) from error
        offer = Offer(manager, bool(self._reader))
        if self._bare:
            self._nothing = offer  # nothing in it depends on the turn
        return offer


def _checked(item: Any) -> Tool[Any]:
    if isinstance(item, Tool):
        return cast("Tool[Any]", item)
    name = getattr(item, "__name__", type(item).__name__)
    if not callable(item) or isinstance(item, type):
        raise ToolError(
            str(name), "is not a function, a tool or a toolset", "Give a function with a docstring."
        )
    try:
        return Tool[Any](item)
    except (UserError, TypeError, ValueError, NameError) as error:
        raise ToolError(
            str(name), f"cannot be described ({error})", "Annotate its parameters with types."
        ) from error


def _check_together(tools: Sequence[Tool[Any]]) -> None:
    names = [made.name for made in tools]
    for made in tools:
        if not _NAME.fullmatch(made.name):
            raise ToolError(
                made.name, "has a name that providers refuse", "Name it with letters, digits, _ and -."
            )
        if names.count(made.name) > 1:
            raise ToolError(made.name, "is given twice", "Rename one of them.")


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools of one turn, ready to be described and called.

    Attributes:
        manager: pydantic-ai's, which calls them.
        reads: whether the tool that reads the log is among them.
        record: the call that a team's speakers record with, which nothing runs; or None.
    """

    manager: ToolManager[Any]
    reads: bool = False
    record: ToolDefinition | None = None

    @property
    def definitions(self) -> list[ToolDefinition]:
        """What the model is told."""
        return [*self.manager.tool_defs, *([] if self.record is None else [self.record])]

    def records(self, call: ToolCallPart) -> bool:
        """Whether a call is one that records, and not one to be run."""
        return self.record is not None and call.tool_name == self.record.name

    def described(self) -> str:
        """The definitions as JSON text, for counting; "" without tools."""
        told = [
            {"name": d.name, "description": d.description or "", "input_schema": d.parameters_json_schema}
            for d in self.definitions
        ]
        return to_json(told).decode() if told else ""

    def effect(self, name: str) -> Effect:
        """What running the tool twice does; `once` where nothing is declared, which is the safe guess."""
        found = self.manager.get_tool_def(name)
        declared = (found.metadata or {}).get(EFFECT) if found else None
        return declared if declared in ("read", "idempotent") else "once"

    def sequential(self, call: ToolCallPart) -> bool:
        """Whether the call must run alone."""
        return self.manager.is_sequential(call)

    def asks(self, call: ToolCallPart) -> bool:
        """Whether a person has to approve the call before it runs."""
        found = self.manager.get_tool_def(call.tool_name)
        return found is not None and found.kind == "unapproved"

    async def call(
        self, part: ToolCallPart, call_id: str, clock: Callable[[], int], *, approved: bool = False
    ) -> ToolReturnPart | None:
        """Run one call. Whatever goes wrong in the tool is a result that says so, never an exception.

        Args:
            part: the call as the model made it.
            call_id: our id, given to the tool.
            clock: now, in microseconds since the epoch.
            approved: whether a person has approved it.

        Returns:
            The result, or None where the tool asks for a person's approval first.
        """
        outcome: Outcome = "failed"
        try:
            called = replace(part, tool_call_id=call_id)
            told = _plain(await self.manager.handle_call(called, approved=approved))
            outcome = "success"
        except ApprovalRequired:
            if not approved:
                return None
            told, outcome = "The tool asked for an approval again after it was given.", "denied"
        except ToolRetryError as error:
            told, outcome = cast("ToolReturnPart", error.tool_retry).content, "retried"
        except ToolFailedError as error:
            told = error.tool_failed.content
        except CallDeferred:
            told, outcome = "This call is run by somebody else, and nobody here can.", "denied"
        except UnexpectedModelBehavior as error:
            told = str(error.__cause__ or error)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            told = "The tool failed: what it waited for was cancelled."
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a tool raises, the model is told
            told = f"The tool failed: {type(error).__name__}: {error}"
        return tool_return(part.tool_name, told, part.tool_call_id, clock(), outcome)


def _plain(value: Any) -> Any:
    """A tool's result as data that the log can hold: JSON, with images and documents as they are."""
    if isinstance(value, ToolReturn):
        result = cast("ToolReturn[Any]", value)
        extra = result.content
        if extra is None:
            return _plain(result.return_value)
        return [_plain(result.return_value), *([extra] if isinstance(extra, str) else map(_plain, extra))]
    if is_multi_modal_content(value):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[Any]", value)]
    return _finite(to_jsonable_python(value, bytes_mode="base64", fallback=str))


def _finite(value: Any) -> Any:
    """`value` with the numbers that JSON does not have as text, so that the model sees the same after a restart."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, list):
        return [_finite(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in cast("dict[Any, Any]", value).items()}
    return value
