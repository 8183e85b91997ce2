"""Agents: stateless, declared by a signature. What one takes it reads, what it returns it owns."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from turnstate.core.brief import Brief
from turnstate.core.state import State, name_of
from turnstate.errors import TeamError

Part: TypeAlias = Literal["thinker", "speaker", "closer"]


@dataclass(frozen=True, slots=True)
class UserMessage:
    """The newest message, for agents that take it.

    Attributes:
        text: what the user said.
        turn: the number of the turn.
        at: when it came, in microseconds since the epoch.
    """

    text: str
    turn: int
    at: int


@dataclass(frozen=True, slots=True)
class AgentReply:
    """The reply of the turn, for agents that run at the close.

    Attributes:
        text: what the user reads.
        agent: who spoke.
        turn: the number of the turn.
        tools: the names of the tools that were called for it and gave a result.
    """

    text: str
    agent: str
    turn: int
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """A function, as its signature declares it.

    Attributes:
        name: the function's name.
        call: the function.
        takes: what each parameter receives, by its name: a state, `UserMessage`, or `AgentReply`.
        gives: the states that it returns, in order.
        speaks: whether it returns text.
        briefs: whether it returns a `Brief`.
    """

    name: str
    call: Callable[..., Any]
    takes: tuple[tuple[str, type[Any]], ...]
    gives: tuple[type[State], ...] = ()
    speaks: bool = False
    briefs: bool = False

    @property
    def reads(self) -> tuple[type[State], ...]:
        """The states that it takes."""
        return tuple(kind for _, kind in self.takes if issubclass(kind, State))


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent of a team, with nothing of its own but its declaration.

    Attributes:
        name: its name.
        part: "thinker", "speaker", or "closer" for one that runs when the reply is written.
        reads: the states that it is given.
        owns: the states that it may change.
        code: what it does without a model, or None.
        role: for a model: what it is and how it is to behave.
        model: a model id of its own, or "" for the assistant's.
        brief: what it is told in each turn, or None for the states that it reads.
        rules: takes over where a model records nothing that can be used, or None.
        gate: gives its reply without asking the model, or None to let it speak.
        records: whether the model is asked to record what is new; otherwise the rules do.
    """

    name: str
    part: Part
    reads: tuple[type[State], ...]
    owns: tuple[type[State], ...]
    code: Code | None = None
    role: str = ""
    model: str = ""
    brief: Code | None = None
    rules: Code | None = None
    gate: Code | None = None
    records: bool = True

    @property
    def modelled(self) -> bool:
        """Whether a model backs it."""
        return self.code is None


Given: TypeAlias = "Agent | Callable[..., Any]"
"""What a team takes for an agent: a function, or what `speaker` and `thinker` return."""


def speaker(
    name: str,
    *,
    reads: Sequence[type[State]],
    owns: Sequence[type[State]] = (),
    role: str,
    brief: Callable[..., Brief] | None = None,
    rules: Callable[..., Any] | None = None,
    gate: Callable[..., str | None] | None = None,
    model: str = "",
    record: Literal["model", "rules"] = "model",
) -> Agent:
    """An agent that talks to the user through a model.

    In each turn it sees the planned context and its brief. One response holds the visible reply and, as a `record`
    call, what is new. Where that is missing or cannot be used the reply stands, it is reported, and `rules` take over.

    Args:
        name: its name.
        reads: the states that it is given.
        owns: the states that it may change.
        role: what it is and how it is to behave; stands at the head of its brief.
        brief: builds the brief of a turn from states and the newest message, as its signature says; without it the
            brief shows the states that it reads.
        rules: from states and the newest message to the states that it owns, as its signature says.
        gate: from states and the newest message to a reply that is sent without asking the model, or None.
        model: a model id of its own; the assistant's, unless given.
        record: "rules" to leave the recording to `rules`, without asking the model for it.

    Raises:
        TeamError: a signature cannot be read, or does not fit what the agent reads and owns.
    """
    agent = Agent(
        name,
        "speaker",
        tuple(reads),
        tuple(owns),
        role=role,
        model=model,
        brief=_read(brief, name),
        rules=_read(rules, name),
        gate=_read(gate, name),
        records=record == "model",
    )
    return _checked(agent)


def thinker(
    name: str,
    *,
    reads: Sequence[type[State]] = (),
    owns: Sequence[type[State]],
    role: str,
    brief: Callable[..., Brief] | None = None,
    rules: Callable[..., Any] | None = None,
    model: str = "",
) -> Agent:
    """An agent that thinks with a model and says nothing to the user.

    It sees the states that it reads and the newest message, never the transcript, and answers with a `record` call.

    Args:
        name: its name.
        reads: the states that it is given.
        owns: the states that it may change.
        role: what it is to find out.
        brief: as for `speaker`.
        rules: takes over where the model fails or records nothing that can be used.
        model: a model id of its own; the assistant's, unless given.

    Raises:
        TeamError: as for `speaker`.
    """
    agent = Agent(
        name,
        "thinker",
        tuple(reads),
        tuple(owns),
        role=role,
        model=model,
        brief=_read(brief, name),
        rules=_read(rules, name),
    )
    return _checked(agent)


def agent_of(given: Given, *, part: Part | None = None) -> Agent:
    """The agent that a function or a declaration is.

    Args:
        given: a function whose parameters are annotated with states or `UserMessage`, or an `Agent`.
        part: "closer" for those that run at the close; None to let the return type say.

    Raises:
        TeamError: the signature cannot be read.
    """
    if isinstance(given, Agent):
        return given
    code = _code(given, getattr(given, "__name__", type(given).__name__))
    if code.briefs:
        raise TeamError(code.name, "returns a Brief", "Give it to a speaker as brief=.")
    own: Part = part or ("speaker" if code.speaks else "thinker")
    if own != "closer":
        _check_early(code)
    if own == "closer" and (code.speaks or inspect.iscoroutinefunction(code.call)):
        raise TeamError(
            code.name, "runs at the close and speaks or waits", "Write a plain function that returns states."
        )
    return Agent(code.name, own, code.reads, code.gives, code)


def _read(function: Callable[..., Any] | None, agent: str) -> Code | None:
    if function is None:
        return None
    code = _code(function, agent)
    if inspect.iscoroutinefunction(function):
        raise TeamError(
            agent, f"has {code.name}() wait", "Write a plain function: it decides from state alone."
        )
    _check_early(code)
    return code


def _check_early(code: Code) -> None:
    if any(kind is AgentReply for _, kind in code.takes):
        raise TeamError(
            code.name, "takes the reply before it is written", "Let it run at the close (at_close=)."
        )


_FIX: Final = "Annotate parameters with State classes or UserMessage, and the return with what it owns."


def _code(function: Callable[..., Any], agent: str) -> Code:
    if not callable(function) or isinstance(function, type):
        raise TeamError(
            agent, "is neither a function nor an agent", "Give a function, speaker() or thinker()."
        )
    try:
        # A callable object is read by its __call__.
        read = function if inspect.isroutine(function) else cast("Any", function).__call__
        hints = get_type_hints(read)
        parameters = list(inspect.signature(function).parameters.values())
    except (NameError, TypeError, ValueError) as error:
        raise TeamError(agent, f"has a signature that cannot be read ({error})", _FIX) from error
    takes: list[tuple[str, type[Any]]] = []
    for parameter in parameters:
        kind: Any = hints.get(parameter.name)
        if not isinstance(kind, type) or not (issubclass(kind, State) or kind in (UserMessage, AgentReply)):
            raise TeamError(agent, f"takes {parameter.name!r}, annotated with {_shown(kind)}", _FIX)
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TeamError(agent, f"takes {parameter.name!r} not by name", "Use plain parameters.")
        takes.append((parameter.name, kind))
    if "return" not in hints:
        raise TeamError(agent, "has no return annotation", _FIX)
    gives = _returned(hints["return"], agent)
    return Code(
        getattr(function, "__name__", agent), function, tuple(takes), gives.states, gives.speaks, gives.briefs
    )


def _shown(kind: Any) -> str:
    return "nothing" if kind is None else getattr(kind, "__name__", str(kind))


class _Returned(NamedTuple):
    states: tuple[type[State], ...]
    speaks: bool
    briefs: bool


def _returned(annotation: Any, agent: str) -> _Returned:
    states: list[type[State]] = []
    speaks = briefs = False
    kind: Any
    for kind in _flat(annotation):
        if isinstance(kind, type) and issubclass(kind, State):
            if kind not in states:
                states.append(kind)
        elif kind is str:
            speaks = True
        elif kind is Brief:
            briefs = True
        elif kind is not NoneType:
            raise TeamError(agent, f"returns {_shown(kind)}", _FIX)
    return _Returned(tuple(states), speaks, briefs)


def _flat(annotation: Any) -> list[Any]:
    origin = get_origin(annotation)
    if annotation is None:
        return [NoneType]
    if origin in (Union, UnionType, tuple, Awaitable):
        return [kind for each in get_args(annotation) for kind in _flat(each)]
    return [annotation]


def _checked(agent: Agent) -> Agent:
    """What belongs to a model-backed agent reads what the agent reads, and gives what it owns.

    Raises:
        TeamError: it does not.
    """
    if not agent.owns and agent.part == "thinker":
        raise TeamError(agent.name, "owns no state", "Give it owns=: what it finds out has to go somewhere.")
    for code in (agent.brief, agent.rules, agent.gate):
        for state in code.reads if code is not None else ():
            # What an agent owns it may read as well.
            if state not in agent.reads and state not in agent.owns:
                raise TeamError(
                    agent.name,
                    f"has {code.name if code else ''}() read {name_of(state)}, which it does not declare",
                    f"Add {name_of(state)} to its reads.",
                    state=name_of(state),
                )
    _checked_gives(agent)
    return agent


def _checked_gives(agent: Agent) -> None:
    if agent.brief is not None and not agent.brief.briefs:
        raise TeamError(agent.name, f"has {agent.brief.name}() return no Brief", "Return a Brief.")
    if agent.gate is not None and (not agent.gate.speaks or agent.gate.gives):
        raise TeamError(agent.name, f"has {agent.gate.name}() return other than text", "Return str | None.")
    for state in agent.rules.gives if agent.rules is not None else ():
        if state not in agent.owns:
            raise TeamError(
                agent.name,
                f"has {agent.rules.name if agent.rules else ''}() return {name_of(state)}, which it does not own",
                f"Add {name_of(state)} to its owns, or return what it owns.",
                state=name_of(state),
            )
