"""What a turn gives back, read off its recorded steps."""

from __future__ import annotations

from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.usage import RequestUsage

from turnstate.core.events import AgentActed, Count, Cut, RequestTrace
from turnstate.core.history import Step, Turn
from turnstate.core.messages import user_message
from turnstate.turn.reply import ContextUse, Usage, context_of, usage_of


def step(tokens: int, managed: str = "", notes: tuple[str, ...] = (), target: int = 500) -> Step:
    """One round."""
    trace = RequestTrace(1, Count(tokens, tokens * 2), target, Cut(), managed=managed, notes=notes)
    usage = RequestUsage(input_tokens=tokens, output_tokens=7, cache_read_tokens=3)
    return Step(ModelResponse(parts=[TextPart("x")], usage=usage), (), trace)


def turn(*steps: Step) -> Turn:
    """A turn of these rounds."""
    return Turn(1, 2, 3, user_message("hello", 3), steps=steps)


def test_the_context_is_that_of_the_largest_request() -> None:
    """With a line for every cut, and every note once."""
    told = turn(step(100, "cut", ("healed",)), step(300, notes=("healed", "degraded")), step(200, target=400))
    assert context_of(told) == ContextUse(300, 400, ("cut",), ("healed", "degraded"))


def test_the_usage_is_that_of_all_requests_together() -> None:
    """As the provider reported it."""
    assert usage_of(turn(step(100), step(300))) == Usage(2, 400, 14, 6)


def test_a_turn_without_requests_used_nothing() -> None:
    """It failed before the model was asked."""
    assert (context_of(turn()), usage_of(turn())) == (ContextUse(), Usage())


def test_agents_that_thought_with_a_model_are_counted() -> None:
    """What a turn took is what all its calls took; code takes nothing."""
    acted = (
        AgentActed("router", "thinker", 0, "m", usage=(100, 7)),
        AgentActed("rules", "thinker", 0, "code"),
    )
    assert usage_of(Turn(1, 1, 0, user_message("Hi", 0), acted=acted)) == Usage(1, 100, 7)
