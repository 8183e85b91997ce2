"""A request under consideration: what is known of its size, and what gives way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.histories import (
    append,
    called,
    exchange,
    long_chat,
    opened,
    record,
    returned,
    said,
)
from generators.plans import Telling, inputs, spoken_turns, tell
from turnstate.core.context.counting import Calibration, calibrate, size_messages, size_text
from turnstate.core.context.draft import Draft
from turnstate.core.context.layout import summary_block
from turnstate.core.events import Cut, ModelResponded, Recorded, RequestTrace, Span, SummaryWritten
from turnstate.core.history import History, Summary, fold
from turnstate.core.messages import RequestUsage
from turnstate.errors import ContextTooLarge


def draft(history: History, *, cut: Cut | None = None, target: int = 1_000, **changes: Any) -> Draft:
    """The request of the last turn as it stands."""
    defaults: dict[str, Any] = {"facts": "", "calibration": calibrate(history, "m")}
    made = inputs(history, target=target, **(defaults | changes))
    return Draft(made, cut or history.cut, history.summaries, made.update)


def reported(tokens: int, *, model: str = "m", before: Sequence[Recorded] = ()) -> list[Recorded]:
    """A turn whose request the provider reported as `tokens`, and another one that is open."""
    events = list(before) or record([[opened("Question one. " * 20)]])
    number = events[-1].turn
    asked = draft(fold(events)).count()
    response = replace(said("An answer.").response, usage=RequestUsage(input_tokens=tokens, output_tokens=9))
    append(events, number, ModelResponded(model, response, RequestTrace(1, asked, 1_000, Cut())))
    append(events, number + 1, opened("Question two, a short one."))
    return events


# Size ----------------------------------------------------------------------------------------------------------------


def test_until_a_report_the_bound_is_the_bytes() -> None:
    """And so it is what may well be."""
    events = reported(0)
    found = draft(fold(events))
    said_bytes = len(("Question one. " * 20 + "An answer." + "Question two, a short one.").encode())
    assert said_bytes < found.count().bound < said_bytes + 100
    assert found.likely(found.count()) == found.count().bound


def test_a_report_bounds_what_it_covers() -> None:
    """What was reported is exact; only what came since is bounded by its bytes."""
    found = draft(fold(reported(70)))
    count = found.count()
    assert 70 + 9 < count.bound < 70 + 9 + 60
    assert count.estimate <= found.likely(count) <= count.bound


@pytest.mark.parametrize(
    ("events", "changes"),
    [
        pytest.param(reported(70, model="other"), {}, id="another model's"),
        pytest.param(reported(2), {}, id="absurdly little"),
        pytest.param(reported(5_000), {}, id="absurdly much"),
        pytest.param(
            reported(60, model="other", before=reported(70)), {}, id="another model's, after one of ours"
        ),
        pytest.param(reported(2, before=reported(70)), {}, id="absurdly little, after one that can be true"),
        pytest.param(reported(70), {"instructions": "Be brief. " * 50}, id="of other instructions"),
        pytest.param(reported(70), {"tools": "[{}]"}, id="of other tools"),
        pytest.param(reported(70), {"cut": Cut(facts="a: 1")}, id="of another cut"),
    ],
)
def test_a_report_of_something_else_bounds_nothing(events: list[Recorded], changes: dict[str, Any]) -> None:
    """The bound then is the bytes again, never less."""
    found = draft(fold(events), **changes)
    unlearnt: dict[str, Any] = changes | {"calibration": Calibration()}
    unknown = draft(fold(events), **unlearnt)
    assert found.count().bound >= unknown.count().bound


def test_results_and_what_stands_for_missing_ones_come_after_the_report() -> None:
    """They are in the bound, and so is the update of the newest message."""
    events = reported(70)
    plain = draft(fold(events)).count().bound
    assert draft(fold(events), update="x" * 400).count().bound >= plain + 400
    asked = called("a", "b")
    response = replace(asked.response, usage=RequestUsage(input_tokens=120, output_tokens=9))
    before = draft(fold(events)).count()
    append(events, 2, ModelResponded("m", response, RequestTrace(1, before, 1_000, Cut())))
    append(events, 2, returned("a", "y" * 500))
    assert 129 + 500 + 80 < draft(fold(events)).count().bound < 129 + 500 + 400


@settings(max_examples=25)
@given(spoken_turns(most=6), st.floats(0.5, 2.5))
def test_a_count_keeps_its_order(turns: list[Any], ratio: float) -> None:
    """Estimate, what may well be, bound; and the truth of a provider that counts evenly is within it."""
    telling = tell(turns, Telling(100_000, reported=ratio))
    append(telling.events, telling.open("And now?"))
    found = draft(telling.history, facts="order_id: 12345")
    count = found.count()
    assert count.estimate <= found.likely(count) <= count.bound
    assert count.raw * min(ratio, 1) <= count.bound


def test_a_providers_count_scales_the_estimates() -> None:
    """An absurd one does not."""
    found = draft(fold(long_chat(4)))
    count = found.count()
    doubled = found.as_counted(replace(count, provider=count.raw * 2))
    assert doubled.count().estimate == count.raw * 2
    for absurd in (None, 0, -4, 1, count.raw * 50):
        assert found.as_counted(replace(count, provider=absurd)) is found


# What gives way ------------------------------------------------------------------------------------------------------


def with_summaries(*texts: str) -> Draft:
    """A request with a summary for every two turns before the last three."""
    history = fold(long_chat(2 * len(texts) + 3, words=3))
    summaries = tuple(
        Summary(900 + index, SummaryWritten(Span(2 * index + 1, 2 * index + 2), text, "m", 1))
        for index, text in enumerate(texts)
    )
    return replace(draft(history), cut=Cut(2 * len(texts) + 1, 1), summaries=summaries)


def test_the_oldest_summaries_give_way_and_the_newest_stays() -> None:
    """Within their share, or else half of it; a single one stays whatever its size, for the fit to decide."""
    found = with_summaries("a " * 60, "b " * 60, "c " * 60)
    one = size_text(summary_block(found.shown()[2])).estimate
    shares = [len(found.with_fewer_summaries(tokens).shown()) for tokens in (0, one, 2 * one, 3 * one)]
    assert shares == [1, 1, 1, 3]
    assert found.with_fewer_summaries(0).shown() == found.shown()[2:]
    assert found.with_fewer_summaries(10_000).cut == found.cut


def test_what_fits_is_not_touched() -> None:
    """The same draft comes back."""
    found = with_summaries("a", "b")
    assert found.fitted() is found


def test_no_more_gives_way_than_must() -> None:
    """With one token more of a target what left last would still be there."""
    found = with_summaries("a " * 60, "b " * 60)
    for target in range(60, found.count().best, 7):
        roomy = replace(
            found, inputs=replace(found.inputs, budget=replace(found.inputs.budget, target=target))
        )
        cut = roomy.fitted().cut
        assert roomy.fitted().count().best <= target
        if cut.opening and cut.first > 5:
            kept_one_more = replace(roomy, cut=replace(cut, first=cut.first - 1, since=cut.first - 1))
            assert kept_one_more.count().best > target


def test_a_long_view_is_fitted_in_a_few_steps() -> None:
    """A strategy that keeps everything costs a few measurements, not one for each of the thousands that leave."""
    found = draft(fold(long_chat(3_000, words=5)), target=300).fitted()
    assert found.cut.first > 2_980


def test_nothing_left_to_give_is_an_error() -> None:
    """With the sizes of what remains."""
    found = draft(fold(long_chat(2)), target=20)
    with pytest.raises(ContextTooLarge) as caught:
        found.fitted()
    newest = size_messages(found.inputs.turn.messages()).estimate
    assert caught.value.sizes["newest exchange"] == newest


def test_the_barest_request_is_the_newest_exchange() -> None:
    """Neither head nor earlier turns nor update."""
    history = fold(record([exchange("one", "two"), [opened("three")]]))
    assert draft(history, update="u", facts="f").barest().healed().messages == history.turns[-1].messages()
