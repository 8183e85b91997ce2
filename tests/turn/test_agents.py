"""Agents: what a signature says is what an agent reads and owns, and what cannot be read is refused while building."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from turnstate import AgentReply, Brief, State, UserMessage, speaker, thinker
from turnstate.errors import TeamError
from turnstate.turn.agents import Agent, Part, agent_of


class Memory(State):
    """What is known."""

    timeline: str = ""


class Score(State):
    """How it stands."""

    points: int = 0


class Routing(State, scope="turn"):
    """Who is next."""

    next_agent: str = ""


def keep(memory: Memory, message: UserMessage) -> Memory:
    """One state in, the same one out."""
    return Memory(timeline=message.text or memory.timeline)


def both(memory: Memory, score: Score) -> tuple[Memory, Score | None]:
    """Two states out, one of them perhaps."""
    return memory, score


async def wait(message: UserMessage) -> Routing | None:
    """An agent may wait."""
    return Routing(next_agent=message.text)


def promise(score: Score) -> Awaitable[Score]:
    """A plain function that gives back something to wait for."""
    raise NotImplementedError(score)


def say(memory: Memory) -> str:
    """Text is what the user reads."""
    return memory.timeline


def say_and_keep(memory: Memory) -> tuple[str, Memory]:
    """Text and a state."""
    return memory.timeline, memory


def nothing(memory: Memory) -> None:
    """Looks, and gives nothing."""
    assert memory


def count(score: Score, reply: AgentReply) -> Score:
    """For the close: it takes the reply."""
    return Score(points=score.points + len(reply.text))


async def late(score: Score) -> Score:
    """For the close it would wait."""
    return score


def brief(memory: Memory) -> Brief:
    """What an agent is told."""
    return Brief(goal=memory.timeline)


def gate(memory: Memory, message: UserMessage) -> str | None:
    """A reply without a model, perhaps."""
    return memory.timeline or message.text or None


class Callable_:
    """An agent may be an object that is called."""

    def __call__(self, memory: Memory) -> Score:
        """Read by its signature."""
        return Score(points=len(memory.timeline))


@pytest.mark.parametrize(
    ("given", "name", "part", "reads", "owns"),
    [
        (keep, "keep", "thinker", [Memory], [Memory]),
        (both, "both", "thinker", [Memory, Score], [Memory, Score]),
        (wait, "wait", "thinker", [], [Routing]),
        (promise, "promise", "thinker", [Score], [Score]),
        (say, "say", "speaker", [Memory], []),
        (say_and_keep, "say_and_keep", "speaker", [Memory], [Memory]),
        (nothing, "nothing", "thinker", [Memory], []),
        (Callable_(), "Callable_", "thinker", [Memory], [Score]),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_a_signature_is_the_declaration(
    given: Callable[..., Any], name: str, part: Part, reads: list[type[State]], owns: list[type[State]]
) -> None:
    """What it takes it reads, what it returns it owns, and text makes it one that speaks."""
    agent = agent_of(given)
    assert (agent.name, agent.part) == (name, part)
    assert (list(agent.reads), list(agent.owns)) == (reads, owns)
    assert not agent.modelled
    assert agent_of(agent) is agent


def test_what_runs_at_the_close_may_take_the_reply() -> None:
    """And is called a closer, whatever it returns."""
    closer = agent_of(count, part="closer")
    assert (closer.part, closer.reads, closer.owns) == ("closer", (Score,), (Score,))


def _without(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A copy of `function` that does not say what `name` is."""
    told = {key: kind for key, kind in inspect.get_annotations(function).items() if key != name}

    def silent(*given: Any, **named: Any) -> Any:
        return function(*given, **named)

    silent.__name__ = function.__name__
    silent.__annotations__ = told
    silent.__dict__["__signature__"] = inspect.signature(function)
    return silent


def number(memory: Memory, size: int) -> Memory:
    """Takes what is no state."""
    return Memory(timeline=memory.timeline * size)


def several(*memories: Memory) -> Memory:
    """Takes any number."""
    return memories[0]


def named(**memories: Memory) -> Memory:
    """Takes any name."""
    return memories["memory"]


def placed(memory: Memory, /) -> Memory:
    """Cannot be given by name."""
    return memory


def numbers(memory: Memory) -> int:
    """Gives what is no state."""
    return len(memory.timeline)


def listed(memory: Memory) -> list[Memory]:
    """Gives several in what may be edited."""
    return [memory]


def unheard(memory: Memory) -> Memory:
    """Is annotated with a name that nobody defined."""
    return memory


unheard.__annotations__["memory"] = "Undefined"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        pytest.param(number, "takes 'size', annotated with int", id="a parameter that is no state"),
        pytest.param(_without(keep, "memory"), "takes 'memory', annotated with nothing", id="no annotation"),
        pytest.param(_without(keep, "return"), "has no return annotation", id="no return"),
        pytest.param(several, "takes 'memories' not by name", id="*args"),
        pytest.param(named, "takes 'memories' not by name", id="**kwargs"),
        pytest.param(placed, "takes 'memory' not by name", id="by place only"),
        pytest.param(numbers, "returns int", id="a return that is no state"),
        pytest.param(listed, "returns list", id="a list"),
        pytest.param(unheard, "has a signature that cannot be read", id="an undefined name"),
        pytest.param(brief, "returns a Brief", id="a brief in the place of an agent"),
        pytest.param(count, "takes the reply before it is written", id="the reply too early"),
        pytest.param(Memory, "is neither a function nor an agent", id="a class"),
        pytest.param(len, "annotated with nothing", id="a builtin"),
    ],
)
def test_a_signature_that_says_too_little_is_refused(given: Callable[..., Any], problem: str) -> None:
    """While the team is built, with the agent, what is wrong and what to do."""
    with pytest.raises(TeamError) as refused:
        agent_of(given)
    assert problem in refused.value.problem
    assert refused.value.agent == given.__name__
    assert refused.value.fix.endswith(".")
    assert refused.value.fix in str(refused.value)
    assert refused.value.agent in str(refused.value)


@pytest.mark.parametrize("given", [late, say], ids=["waits", "speaks"])
def test_what_runs_at_the_close_neither_waits_nor_speaks(given: Callable[..., Any]) -> None:
    """The reply is written; a model or the network is nothing for the transaction of the close."""
    with pytest.raises(TeamError, match="plain function"):
        agent_of(given, part="closer")


def test_a_model_backed_agent_declares_what_it_reads_and_owns() -> None:
    """With a brief, rules and a gate, which read what it reads or owns."""
    agent = speaker(
        "seller", reads=[Memory], owns=[Score], role="Sell.", brief=brief, gate=gate, record="rules"
    )
    assert (agent.part, agent.reads, agent.owns, agent.modelled) == ("speaker", (Memory,), (Score,), True)
    assert not agent.records
    assert speaker("seller", reads=[], owns=[Memory], role="Sell.", rules=keep, gate=gate).records
    assert thinker("scout", owns=[Memory], role="Look.", rules=keep).part == "thinker"


def score(message: UserMessage) -> Score:
    """Gives a state that the agent under test does not own."""
    return Score(points=len(message.text))


def peek(score: Score) -> Memory:
    """Reads a state that the agent under test does not declare."""
    return Memory(timeline=str(score.points))


def peeking_brief(score: Score) -> Brief:
    """Reads a state that the agent under test does not declare."""
    return Brief(goal=str(score.points))


def peeking_gate(score: Score) -> str | None:
    """Reads a state that the agent under test does not declare."""
    return str(score.points)


async def waiting_rules(memory: Memory) -> Memory:
    """Rules decide from state alone."""
    return memory


def early_rules(memory: Memory, reply: AgentReply) -> Memory:
    """Rules know no reply."""
    return Memory(timeline=memory.timeline + reply.text)


def _seller(**functions: Any) -> Callable[[], Agent]:
    return lambda: speaker("seller", reads=[Memory], owns=[Memory], role="Sell.", **functions)


@pytest.mark.parametrize(
    ("build", "problem", "state"),
    [
        pytest.param(_seller(rules=peek), "peek() read Score", "Score", id="rules read"),
        pytest.param(_seller(brief=peeking_brief), "peeking_brief() read Score", "Score", id="brief reads"),
        pytest.param(_seller(gate=peeking_gate), "peeking_gate() read Score", "Score", id="gate reads"),
        pytest.param(
            _seller(rules=score), "score() return Score, which it does not own", "Score", id="rules give"
        ),
        pytest.param(_seller(rules=waiting_rules), "waiting_rules() wait", "", id="rules wait"),
        pytest.param(_seller(rules=early_rules), "takes the reply before it is written", "", id="too early"),
        pytest.param(_seller(brief=keep), "keep() return no Brief", "", id="a brief that is none"),
        pytest.param(_seller(gate=keep), "keep() return other than text", "", id="a gate that gives a state"),
        pytest.param(_seller(gate=say_and_keep), "return other than text", "", id="a gate that gives both"),
        pytest.param(_seller(rules=3), "is neither a function nor an agent", "", id="no function at all"),
        pytest.param(
            lambda: thinker("seller", owns=[], role="Look."), "owns no state", "", id="nothing to find out"
        ),
    ],
)
def test_what_belongs_to_an_agent_stays_within_what_it_declares(
    build: Callable[[], Agent], problem: str, state: str
) -> None:
    """An undeclared read and a foreign return are refused before any token is spent, with the state and the fix."""
    with pytest.raises(TeamError) as refused:
        build()
    assert problem in str(refused.value)
    assert refused.value.state == state
    assert refused.value.fix in str(refused.value)


def test_a_refusal_names_who_has_to_change() -> None:
    """The agent by its own name, also where one of its functions is at fault."""
    builds: Sequence[Callable[[], Agent]] = (_seller(rules=score), _seller(rules=peek), _seller(gate=keep))
    for build in builds:
        with pytest.raises(TeamError) as refused:
            build()
        assert refused.value.agent == "seller"
