"""The planner: a generator that asks for what it needs and ends in a plan, so that it can run anywhere.

It measures the request as it stands. Under the target nothing is touched. Over it, the strategy says what stays; the
planner asks for the summaries of what leaves, measures again, and gives way in a fixed order until the request fits:
summaries, recent exchanges, the opening request, facts. Instructions, tools and the newest exchange never give way.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from turnstate.core.context.counting import size_messages, size_text
from turnstate.core.context.draft import Draft
from turnstate.core.context.hybrid import SUMMARIES
from turnstate.core.context.layout import shown_opening
from turnstate.core.context.types import Answer, Choice, Excerpt, Inputs, Need, NeedCount, NeedSummaries, Plan
from turnstate.core.events import Count, Cut, Span, SummaryWritten
from turnstate.core.history import Summary, Turn
from turnstate.errors import ContextTooLarge

Planning = Generator[Need, Answer, Plan]

EXCHANGES = 10
"""The most exchanges that one summary covers."""

SOURCE = 6_000
"""The most tokens that one summarizer reads, unless a single exchange is larger."""

CAP = 40
"""A summary of ten exchanges has at most one in this many tokens of the target, and at least 32."""


def plan(inputs: Inputs) -> Planning:
    """Plan one request.

    Yields:
        `NeedCount`, answered with the provider's count or None; `NeedSummaries`, answered with the summaries on record.

    Returns:
        The plan.

    Raises:
        ContextTooLarge: instructions, tools and the newest exchange alone exceed the target.
    """
    started = any(turn.steps for turn in inputs.history.turns)
    cut = inputs.history.cut if started else replace(inputs.history.cut, facts=inputs.facts)
    draft = Draft(inputs, cut, inputs.history.summaries, inputs.update if started else "")
    count = draft.count()
    if count.estimate <= inputs.budget.target < draft.likely(count):
        count = replace(count, provider=_int((yield NeedCount(draft.healed().messages))))
    if count.best <= inputs.budget.target:
        return _planned(draft, count)
    draft = draft.as_counted(count)
    choice = inputs.strategy(draft.room())
    if not choice.enforce:
        return _planned(draft, count)
    if draft.barest().count().best > inputs.budget.target:
        raise ContextTooLarge(inputs.budget.target, draft.sizes())
    new = yield from _cut(draft, choice)
    new = new.fitted()
    return _planned(new, new.count(), _managed(draft, new, count), draft)


def _cut(draft: Draft, choice: Choice) -> Generator[Need, Answer, Draft]:
    """The draft after the strategy's cut."""
    inputs, old = draft.inputs, draft.cut
    earlier = draft.earlier()
    keep = max(0, min(choice.keep, len(earlier)))
    # A strategy's cut never passes a turn that still waits for a person.
    first = min((earlier[-keep].number if keep else inputs.turn.number, *draft.waiting()))
    cut = Cut(first, old.since, choice.opening, inputs.facts)
    if not choice.summarise:
        return replace(draft, cut=replace(cut, since=first), update="")
    leaving = [turn for turn in earlier if turn.number < first]
    done = {summary.written.covers for summary in draft.summaries}
    wanted = [e for e in excerpts(leaving, inputs.budget.target) if e.covers not in done]
    written: tuple[SummaryWritten, ...] = ()
    if wanted:
        answer = yield NeedSummaries(tuple(wanted))
        written = (
            tuple(event for event in answer if isinstance(event, SummaryWritten))
            if isinstance(answer, tuple)
            else ()
        )
    added = tuple(Summary(inputs.history.head + 1 + index, event) for index, event in enumerate(written))
    shown = replace(draft, cut=cut, summaries=(*draft.summaries, *added), update="")
    return shown.with_fewer_summaries(inputs.budget.target // SUMMARIES)


def excerpts(leaving: Sequence[Turn], target: int) -> Iterator[Excerpt]:
    """The turns that leave, in excerpts of at most ten exchanges and `SOURCE` tokens; every turn whole, in one of them."""
    part: list[Turn] = []
    tokens = 0
    for turn in leaving:
        size = size_messages(turn.messages()).estimate
        if part and (len(part) == EXCHANGES or tokens + size > SOURCE):
            yield _excerpt(part, target)
            part, tokens = [], 0
        part.append(turn)
        tokens += size
    if part:
        yield _excerpt(part, target)


def _excerpt(turns: Sequence[Turn], target: int) -> Excerpt:
    cap = max(32, target // CAP * len(turns) // EXCHANGES)
    return Excerpt(Span(turns[0].number, turns[-1].number), tuple(turns), cap)


def _planned(draft: Draft, count: Count, managed: str = "", before: Draft | None = None) -> Plan:
    healed = draft.healed()
    dropped, summarised = _left(before, draft) if before is not None else ((), ())
    return Plan(healed.messages, draft.cut, count, managed, dropped, summarised, healed.notes)


def _left(old: Draft, new: Draft) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans that left the view between two drafts: dropped, and summarised."""
    covered = [summary.written.covers for summary in new.shown()]
    was = {turn.number for turn in old.earlier()}
    for summary in old.shown():
        was |= set(range(summary.written.covers.first, summary.written.covers.last + 1))
    gone = sorted(
        number for number in was if number < new.cut.first and not any(number in span for span in covered)
    )
    verbatim = {turn.number for turn in old.earlier()}
    summarised = sorted(n for n in verbatim if n < new.cut.first and any(n in span for span in covered))
    return _spans(gone), _spans(summarised)


def _spans(numbers: Sequence[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for number in numbers:
        if spans and spans[-1].last == number - 1:
            spans[-1] = Span(spans[-1].first, number)
        else:
            spans.append(Span(number, number))
    return tuple(spans)


def _managed(old: Draft, new: Draft, count: Count) -> str:
    """The line that says what was done, in messages and tokens."""
    gone = [turn for turn in old.earlier() if turn.number < new.cut.first]
    left = sum(len(turn.messages()) for turn in gone)
    opening = shown_opening(new.inputs.history, new.cut)
    if opening is not None and any(turn.number == opening.number for turn in gone):
        left -= 1
    before = {summary.written for summary in old.shown()}
    after = [summary.written for summary in new.shown()]
    tokens = sum(
        new.inputs.calibration.apply(size_text(written.text).estimate)
        for written in after
        if written not in before
    )
    if tokens:
        what = f"{left} middle messages -> {tokens} tokens"
    elif gone:
        what = f"dropped {left} oldest messages"
    else:
        what = f"dropped {len(before.difference(after))} oldest summaries"
    kept = sum(len(turn.messages()) for turn in new.earlier()) + len(new.inputs.turn.messages())
    return f"[context] {count.best:,} tok > {old.inputs.budget.target:,}: {what}; kept last {kept} verbatim"


def _int(answer: Answer) -> int | None:
    """A provider's count; a count of zero is no count."""
    return answer if isinstance(answer, int) and answer > 0 else None
