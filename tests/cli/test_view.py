"""The search for a value agrees with the requests themselves, and says what took a value out of view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from generators.histories import CONVERSATION, SOUND, conversations
from turnstate.cli.view import trace_value
from turnstate.cli.wanted import Wanted
from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import Calibration, estimate_text
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.layout import changes, shown_facts
from turnstate.core.context.plan import plan
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import Answer, Inputs, NeedSummaries, Plan
from turnstate.core.events import (
    Event,
    FactsLearned,
    ModelResponded,
    Recorded,
    RequestTrace,
    SummaryWritten,
    TurnClosed,
)
from turnstate.core.facts import Fact, Source, render, supersede
from turnstate.core.history import fold
from turnstate.core.messages import (
    ModelMessage,
    ToolCallPart,
    ToolReturnPart,
    args_text,
    result_text,
)
from turnstate.errors import ContextTooLarge


def fact(value: str, turn: int, *, retracted: bool = False) -> Fact:
    """A fact about an order, said in a turn."""
    return Fact(
        "order_id",
        value,
        Source.USER_QUOTE,
        value,
        0,
        len(value),
        CONVERSATION,
        turn,
        turn * 1_000,
        None,
        retracted=retracted,
    )


class Live:
    """A conversation told again with real plans, as a turn would make them."""

    def __init__(self, target: int, strategy: str) -> None:
        self.budget = Budget(target=target, keep_recent=1)
        self.strategy = STRATEGIES[strategy]
        self.events: list[Recorded] = []
        self.facts: list[Fact] = []
        self.sent: dict[tuple[int, int], Sequence[ModelMessage]] = {}

    def tell(self, recorded: Recorded) -> None:
        """Go on with an event; a response is answered to a request that is planned here."""
        event = recorded.event
        if isinstance(event, ModelResponded):
            event = replace(event, request=self._planned(recorded, event.request.round))
        self._add(recorded, event)

    def learn(self, turn: int, found: Fact) -> None:
        """Put a fact on record at the end of a turn."""
        self.facts.append(found)
        self._add(self.events[-1], FactsLearned("learned", "rules", turn, (found,)))

    def _add(self, like: Recorded, event: Event) -> None:
        self.events.append(replace(like, seq=len(self.events) + 1, event=event))

    def _planned(self, recorded: Recorded, round_number: int) -> RequestTrace:
        history = fold(self.events)
        turn = history.turn(recorded.turn)
        assert turn is not None
        shown = shown_facts(supersede(self.facts).active(turn.at), self.budget.target)
        inputs = Inputs(
            history=history,
            turn=turn,
            instructions="",
            tools="",
            facts=render(shown),
            update=changes(shown, history),
            budget=self.budget,
            strategy=self.strategy,
            calibration=Calibration(),
        )
        planned = self._plan(inputs, recorded)
        self.sent[recorded.turn, round_number] = planned.messages
        return RequestTrace(
            round_number,
            planned.count,
            self.budget.target,
            planned.cut,
            planned.managed,
            planned.dropped,
            planned.summarised,
        )

    def _plan(self, inputs: Inputs, recorded: Recorded) -> Plan:
        planning = plan(inputs)
        answer: Answer = None
        while True:
            try:
                need = planning.send(answer)
            except StopIteration as done:
                planned: Plan = done.value
                return planned
            answer = None
            if isinstance(need, NeedSummaries):
                drafts = [(excerpt.covers, extract_summary(excerpt).text) for excerpt in need.excerpts]
                answer = tuple(
                    SummaryWritten(covers, text, "extractive", estimate_text(text)) for covers, text in drafts
                )
                for written in answer:
                    self._add(recorded, written)


def texts(messages: Sequence[ModelMessage]) -> Iterator[str]:
    """Every text of a request's messages."""
    for message in messages:
        for part in message.parts:
            match part:
                case ToolCallPart():
                    yield f"{part.tool_name} {args_text(part)}"
                case ToolReturnPart():
                    yield result_text(part)
                case _:
                    content: Any = getattr(part, "content", "")
                    yield from (
                        [content] if isinstance(content, str) else (c for c in content if isinstance(c, str))
                    )


@settings(max_examples=60)
@given(st.data())
def test_a_value_is_in_view_exactly_when_the_request_holds_it(data: st.DataObject) -> None:
    """Whatever the strategy and the budget, the search says of every request what its messages say."""
    recorded = data.draw(conversations(SOUND, most=12))
    live = Live(data.draw(st.integers(120, 700)), data.draw(st.sampled_from(list(STRATEGIES))))
    wanted = Wanted(data.draw(st.sampled_from(["12345", "$40.50", "march 11th", "Elm", "什么", "nowhere"])))
    learns = data.draw(st.lists(st.integers(1, 12), max_size=3))
    try:
        for event in recorded:
            live.tell(event)
            if isinstance(event.event, TurnClosed) and event.turn in learns:
                value = data.draw(st.sampled_from(["12345", "777"]))
                live.learn(event.turn, fact(value, event.turn, retracted=data.draw(st.booleans())))
    except ContextTooLarge:
        pass  # what was told until then is a conversation too
    found = {
        (turn.number, look.round): look
        for turn in trace_value(live.events, live.facts, wanted)
        for look in turn.looks
    }
    held = {place: any(map(wanted.stands_in, texts(messages))) for place, messages in live.sent.items()}
    assert {place: bool(found[place].places) for place in held} == held
