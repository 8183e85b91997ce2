"""Plain words need no repair: leaving them out of it changes nothing."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.histories import messages_of
from generators.wild import wild
from turnstate.core.context.families import ANYWHERE, Family, Wire
from turnstate.core.context.validity.heal import heal, repaired
from turnstate.core.context.validity.said import is_said
from turnstate.core.messages import (
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    UserPromptPart,
    moment,
    text_response,
    tool_return,
    user_message,
)

WIRES = [
    ANYWHERE,
    Wire(Family.ANTHROPIC, "anthropic", "claude-haiku-4-5"),
    Wire(Family.OPENAI_CHAT, "openai", "gpt-4o"),
    Wire(Family.OPENAI_RESPONSES, "openai", "gpt-5"),
    Wire(Family.GEMINI, "google", "gemini-3-pro"),
]
T = moment(0)
texts = st.sampled_from(["Hello", "Ø 😀", " ", "", "\0", "a\ud800", "\u2003", "x"])
pairs = st.lists(st.tuples(texts, texts), max_size=5)


@given(pairs, st.randoms(use_true_random=False), st.sampled_from(WIRES))
def test_a_history_is_healed_as_if_every_message_were_looked_at(
    said: list[tuple[str, str]], rng: Random, wire: Wire
) -> None:
    """Whatever comes behind the plain words."""
    begun: list[ModelMessage] = []
    for asked, answered in said:
        begun += [user_message(asked, 0), text_response(answered, 0)]
    history = [*begun, *messages_of(wild(rng, most=3))]
    if history:
        assert heal(history, wire) == repaired(history, wire)


@pytest.mark.parametrize(
    "last",
    [
        ModelRequest([UserPromptPart([CachePoint(), "More"], timestamp=T)]),
        ModelRequest([tool_return("look", "x", "t1", 0)]),
        text_response("twice", 0),
        ModelResponse([ThinkingPart("hm")]),
    ],
)
def test_what_follows_is_healed_as_behind_others(last: ModelMessage) -> None:
    """A cache mark that is not the first stays; an orphan is left out; neighbours are joined."""
    said: list[ModelMessage] = [user_message("Hi", 0), text_response("Hello", 0)] * 3
    assert heal([*said, last]) == repaired([*said, last])


def test_only_words_that_nothing_is_bound_to_are_plain() -> None:
    """Not an answer with an id, or with thinking; not a blank text."""
    asked, answered = user_message("Hi", 0), text_response("Hello", 0)
    assert is_said(asked, answered)
    assert not is_said(answered, asked)
    assert not is_said(asked, ModelResponse([]))
    assert not is_said(user_message(" ", 0), answered)
    assert not is_said(asked, ModelResponse([TextPart("Hello", id="msg_1")]))
    assert not is_said(asked, ModelResponse([ThinkingPart("hm"), TextPart("Hello")]))
