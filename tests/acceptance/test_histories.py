"""Ten thousand random conversations through every strategy and every family of providers: none invalid, none incomplete."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.coverage import gaps
from generators.plans import drive, inputs, summarised
from generators.wild import wild
from turnstate.core.context.families import ANYWHERE, Family, Wire
from turnstate.core.context.plan import plan
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import NeedRecall, Plan, Quote
from turnstate.core.context.validity import heal
from turnstate.core.history import History, fold
from turnstate.core.messages import ModelMessage, user_message, user_text
from turnstate.errors import ContextTooLarge
from turnstate.replay.check import Checker

WIRES = (
    Wire(Family.ANTHROPIC, "anthropic", "claude-haiku-5-5"),
    Wire(Family.OPENAI_CHAT, "openai", "gpt-4o"),
    Wire(Family.OPENAI_RESPONSES, "openai", "gpt-5"),
    Wire(Family.GEMINI, "google", "gemini-3-pro"),
    ANYWHERE,
)
NAMES = tuple(STRATEGIES)
TARGETS = (70, 150, 300, 600, 1_500, 10_000_000)
HISTORIES = 10_000
CHUNKS = 40


def _quotes(rng: Random, need: NeedRecall) -> tuple[Quote, ...]:
    if rng.random() < 0.5:
        return ()
    turns = rng.sample(range(1, need.before), min(2, need.before - 1))
    return tuple(Quote(turn, 0, "user", f"Turn {turn} said </recalled> 12345.", 1.0) for turn in turns)


def _said(history: History) -> list[ModelMessage]:
    return [message for turn in history.turns for message in turn.messages()]


def _plan_problems(history: History, rng: Random, name: str, wire: Wire) -> Iterator[str]:
    """What is wrong with one plan: refused by a provider, over its target, or incomplete."""
    target = rng.choice(TARGETS)
    given_inputs = inputs(history, target=target, strategy=name, wire=wire, recall=rng.choice((0, 40)))
    try:
        driven = drive(
            plan(given_inputs), rng.choice((None, 900)), summarised, lambda need: _quotes(rng, need)
        )
    except ContextTooLarge:
        return
    yield from Checker(wire).faults(driven.plan.messages)
    yield from gaps(history, driven)
    if name != "append" and driven.plan.count.best > target:
        yield f"{driven.plan.count.best} tokens, target {target}"
    if driven.plan.cut.cap == 0:
        yield from _unsaid(history, driven.plan)


def _unsaid(history: History, planned: Plan) -> Iterator[str]:
    """Turns that count as kept, the one in flight among them, and are not there word for word."""
    said = "\n".join(map(user_text, planned.messages))
    for turn in history.turns:
        words = [line for line in user_text(turn.user).splitlines() if line.startswith("U")]
        if turn.number >= planned.cut.first and any(line not in said for line in words):
            yield f"turn {turn.number} is not there"


def _heal_problems(messages: list[ModelMessage], wire: Wire) -> Iterator[str]:
    """What is wrong with a whole history healed for one wire: refused, not settled, or not stable when it grows."""
    once = heal(messages, wire)
    yield from Checker(wire).faults(once.messages)
    twice = heal(once.messages, wire)
    if twice.notes or any(new is not old for new, old in zip(twice.messages, once.messages, strict=True)):
        yield f"healing twice changes it: {twice.notes}"
    longer = heal([*messages, user_message("And then?", 0)], wire).messages
    shared = once.messages[:-1]
    # Without any message of the user's there is nothing to begin with, until one comes.
    if longer[: len(shared)] != shared and not any("no user message" in note for note in once.notes):
        yield "what came later changed the beginning"
    touched = any(new is not old for new, old in zip(once.messages, messages, strict=False))
    # What one family accepts and another refuses may be changed for either.
    if touched and not Checker(wire).faults(messages) and not Checker().faults(messages):
        yield f"a sound history was touched: {once.notes}"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_plan_is_invalid_or_incomplete(chunk: int) -> None:
    """Every strategy on each history, the families in turn; and each whole history healed for one family after another."""
    found: list[str] = []
    for seed in range(chunk, HISTORIES, CHUNKS):
        rng = Random(seed)
        history = fold(wild(rng, most=5))
        for place, name in enumerate(NAMES):
            wire = WIRES[(seed + place) % len(WIRES)]
            found += (
                f"{seed} {name} {wire.family}: {why}" for why in _plan_problems(history, rng, name, wire)
            )
        wire = WIRES[seed % len(WIRES)]
        found += (f"{seed} {wire.family}: {why}" for why in _heal_problems(_said(history), wire))
    assert found == []


@pytest.mark.parametrize("name", NAMES)
def test_a_plan_that_does_nothing_changes_no_byte(name: str) -> None:
    """Under the target a request is the conversation as it stands, healed, and nothing else (known failures B13, B58)."""
    for seed in range(200):
        history, wire = fold(wild(Random(seed), most=5)), WIRES[seed % len(WIRES)]
        driven = drive(plan(inputs(history, target=10_000_000, strategy=name, wire=wire, facts="")))
        assert driven.plan.messages == heal(_said(history), wire).messages
        assert driven.excerpts == ()


@settings(max_examples=100)
@given(st.randoms(use_true_random=False), st.sampled_from(NAMES), st.sampled_from(WIRES))
def test_a_plan_that_is_invalid_is_made_small(rng: Random, name: str, wire: Wire) -> None:
    """The same properties, drawn so that what breaks one is shown as small as it can be."""
    history = fold(wild(rng, most=4))
    assert list(_plan_problems(history, rng, name, wire)) == []


@settings(max_examples=100)
@given(st.randoms(use_true_random=False), st.sampled_from(WIRES))
def test_a_history_that_does_not_heal_is_made_small(rng: Random, wire: Wire) -> None:
    """As above, for healing alone."""
    assert list(_heal_problems(_said(fold(wild(rng, most=4))), wire)) == []
