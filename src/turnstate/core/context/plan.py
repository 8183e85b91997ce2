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
from turnstate.core.context.layout import chain, shown_opening, shown_pins
from turnstate.core.context.truncate import DEPTH
from turnstate.core.context.types import (
    Answer,
    Choice,
    Excerpt,
    Inputs,
    Need,
    NeedCount,
    NeedRecall,
    NeedSummaries,
    Plan,
    Quote,
)
from turnstate.core.events import Count, Span, SummaryWritten
from turnstate.core.history import Summary, Turn
from turnstate.core.messages import user_message, user_text
from turnstate.errors import ContextTooLarge

Planning = Generator[Need, Answer, Plan]

EXCHANGES = 10
"""The most exchanges that one summary covers."""

SOURCE = 6_000
"""The most tokens that one summarizer reads, unless a single exchange is larger."""

MARK = 0.8
"""How full a request is when summaries begin to be written ahead of need."""

CAP = 40
"""A summary of ten exchanges has at most one in this many tokens of the target, and at least 32."""


def plan(inputs: Inputs) -> Planning:
    """Plan one request.

    Yields:
        `NeedCount`, answered with the provider's count or None; `NeedSummaries`, answered with the summaries on record;
        `NeedRecall`, answered with what was found, the best first.

    Returns:
        The plan.

    Raises:
        ContextTooLarge: instructions, tools and the newest exchange alone exceed the target.
    """
    started = any(turn.steps for turn in inputs.history.turns)
    cut = inputs.history.cut if started else replace(inputs.history.cut, facts=inputs.facts)
    before = Draft(inputs, cut, inputs.history.summaries, inputs.update if started else "")
    count = before.count()
    if count.estimate <= inputs.budget.target < before.likely(count):
        count = replace(count, provider=_int((yield NeedCount(before.healed().messages))))
    draft, over = before, count.best > inputs.budget.target
    if over:
        before = before.as_counted(count)
        draft = yield from _brought_down(before)
    draft = yield from _recalled(draft, may_cut=not over)
    managed = _managed(before, draft, count) if draft.cut != before.cut else ""
    return _planned(draft, count if draft is before else draft.count(), managed, before)


def _brought_down(draft: Draft) -> Generator[Need, Answer, Draft]:
    """A draft within the target, unless the strategy says that the target is no limit."""
    target = draft.inputs.budget.target
    if not draft.inputs.strategy(draft.room()).enforce:
        return draft
    shortened = draft.capped()
    if shortened.barest().count().best > target:
        raise ContextTooLarge(target, shortened.sizes())
    if shortened.shortens and shortened.count().best <= target:
        return shortened
    draft = shortened if shortened.shortens else replace(draft, cut=replace(draft.cut, cap=0))
    choice = draft.inputs.strategy(draft.room())
    new = yield from _cut(draft, choice)
    fitted = new.fitted()
    # What had to leave beyond the strategy's choice is summarised as well: its values must not go with it.
    while choice.summarise and fitted.cut.first > new.cut.first:
        choice = replace(choice, keep=len(fitted.earlier()))
        draft = replace(draft, summaries=new.summaries)
        new = yield from _cut(draft, choice)
        fitted = new.fitted()
    # Where recent exchanges leave little room, the head has to give way too, or each cut would call for the next.
    return fitted.eased(target * DEPTH) if draft.pressed else fitted


def _recalled(draft: Draft, *, may_cut: bool) -> Generator[Need, Answer, Draft]:
    """The draft with what the newest message needs from beyond the view, if it needs anything.

    Where there is no room for it the cut that is near anyway comes now, for what is recalled is sent once and leaves
    no more room than it found.
    """
    inputs = draft.inputs
    steps = inputs.turn.steps
    first = inputs.history.opening.number if inputs.history.opening is not None else draft.cut.first
    # Later rounds of a turn repeat its newest message: what was not needed in the first is not needed now.
    settled = bool(steps) and not steps[0].trace.recalled
    if not inputs.recall or draft.cut.first <= first or settled:
        return draft
    full = yield from _with_quotes(draft)
    if full is draft or full.count().best <= inputs.budget.target:
        return full
    free = inputs.budget.target - draft.count().best
    if may_cut and not steps and free < inputs.recall // 2:
        choice = inputs.strategy(full.room())
        if choice.enforce and choice.keep < len(draft.earlier()):
            cut = yield from _cut(draft, choice)
            full = yield from _with_quotes(cut.fitted())
    return full.fitted()


def _with_quotes(draft: Draft) -> Generator[Need, Answer, Draft]:
    query = user_text(draft.inputs.turn.user)
    tokens = round(draft.inputs.recall / max(draft.inputs.calibration.ratio, 0.1))
    if not query.strip() or tokens < 1:
        return draft
    answer = yield NeedRecall(query, draft.cut.first, tokens)
    shown = {pin.turn for pin in shown_pins(draft.inputs.history, draft.cut)}
    if (opening := shown_opening(draft.inputs.history, draft.cut)) is not None:
        opened = (opening.number, "user")
    else:
        opened = None
    quotes = tuple(
        quote
        for quote in (answer if isinstance(answer, tuple) else ())
        if isinstance(quote, Quote)
        and quote.turn < draft.cut.first
        and quote.turn not in shown
        and (quote.turn, quote.speaker) != opened
    )
    return replace(draft, quotes=quotes) if quotes else draft


def _cut(draft: Draft, choice: Choice) -> Generator[Need, Answer, Draft]:
    """The draft after the strategy's cut."""
    inputs, old = draft.inputs, draft.cut
    earlier = draft.earlier()
    keep = max(0, min(choice.keep, len(earlier)))
    # A strategy's cut never passes a turn that still waits for a person.
    first = min((earlier[-keep].number if keep else inputs.turn.number, *draft.waiting()))
    cut = replace(
        old, first=first, opening=choice.opening, facts=inputs.facts, values=old.values or old.since
    )
    if not choice.summarise:
        return replace(draft, cut=replace(cut, since=first), update="")
    wanted = tuple(unsummarised(draft, first))
    written: tuple[SummaryWritten, ...] = ()
    if wanted:
        answer = yield NeedSummaries(wanted, quick=draft.hurried)
        written = (
            tuple(event for event in answer if isinstance(event, SummaryWritten))
            if isinstance(answer, tuple)
            else ()
        )
    added = tuple(Summary(inputs.history.head + 1 + index, event) for index, event in enumerate(written))
    shown = replace(draft, cut=cut, summaries=(*draft.summaries, *added), update="")
    return shown.with_fewer_summaries(inputs.budget.target // SUMMARIES).with_values()


def unsummarised(draft: Draft, first: int) -> Iterator[Excerpt]:
    """The excerpts to be summarised when the turns before `first` leave: what no summary on record stands for."""
    # What was written for this very request is not asked for again, even where it came back blank.
    new = (s for s in draft.summaries if s.seq > draft.inputs.history.head and s.written.covers.last < first)
    on_record = (*chain(draft.summaries, draft.cut.first, first), *new)
    done = {n for s in on_record for n in range(s.written.covers.first, s.written.covers.last + 1)}
    part: list[Turn] = []
    for turn in draft.earlier():
        if turn.number >= first:
            break
        if turn.number not in done:
            part.append(turn)
        elif part:
            yield from excerpts(part, draft.inputs.budget.target)
            part = []
    yield from excerpts(part, draft.inputs.budget.target)


def ahead(inputs: Inputs) -> tuple[Excerpt, ...]:
    """What is worth summarising before a cut needs it: the whole excerpts that would leave, were it made now.

    Args:
        inputs: as for the next request, of which nothing is known yet: `turn` is the last one, which has closed.

    Returns:
        Nothing below the first mark, or where the strategy summarises nothing, or cuts follow each other too closely.
    """
    cut = inputs.history.cut
    draft = Draft(inputs, cut, inputs.history.summaries)
    # What stands for the request to come is an empty message behind the turn that has closed.
    coming = replace(inputs.turn, number=inputs.turn.number + 1, user=user_message("", 0), steps=())
    draft = replace(draft, inputs=replace(inputs, turn=coming))
    if draft.count().best < inputs.budget.target * MARK or draft.hurried:
        return ()
    choice = inputs.strategy(draft.room())
    earlier = draft.earlier()
    keep = max(0, min(choice.keep, len(earlier)))
    if not choice.enforce or not choice.summarise or keep == len(earlier):
        return ()
    first = min((earlier[-keep].number if keep else coming.number, *draft.waiting()))
    wanted = tuple(unsummarised(draft, first))
    begun = any(summary.written.covers.first >= cut.first for summary in draft.summaries)
    # The last excerpt may grow until the cut comes: it is written once, and again only when it is full.
    if begun and wanted and len(wanted[-1].turns) < EXCHANGES:
        return wanted[:-1]
    return wanted


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


def _planned(draft: Draft, count: Count, managed: str, before: Draft) -> Plan:
    healed = draft.healed()
    dropped, summarised = _left(before, draft) if managed else ((), ())
    recalled = tuple(sorted({quote.turn for quote in draft.quotes}))
    return Plan(healed.messages, draft.cut, count, managed, dropped, summarised, healed.notes, recalled)


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
    if not gone and not tokens and before <= set(after):
        what = f"long texts shortened to {new.cut.cap:,} tokens"
    elif tokens:
        what = f"{left} middle messages -> {tokens} tokens"
    elif gone:
        what = f"dropped {left} oldest messages"
    else:
        what = f"dropped {len(before.difference(after))} oldest summaries"
    kept = sum(len(turn.messages()) for turn in new.earlier()) + len(new.inputs.turn.messages())
    target = old.inputs.budget.target
    # Below the target a cut makes room for what is recalled.
    why = f"{count.best:,} tok{'' if count.best > target else ' + recalled'} > {target:,}"
    return f"[context] {why}: {what}; kept last {kept} verbatim"


def _int(answer: Answer) -> int | None:
    """A provider's count; a count of zero is no count."""
    return answer if isinstance(answer, int) and answer > 0 else None
