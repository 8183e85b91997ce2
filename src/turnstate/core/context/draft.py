"""A request under consideration: rendering, measuring and giving way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from turnstate.core.context.counting import (
    Size,
    ratio_of,
    reported_ratio,
    size_head,
    size_message,
    size_messages,
    size_text,
)
from turnstate.core.context.layout import (
    chain,
    head,
    recalled_block,
    render_request,
    shown_opening,
    shown_pins,
    summary_block,
)
from turnstate.core.context.levels import Level, rendered
from turnstate.core.context.shorten import LEAST, Shortening
from turnstate.core.context.truncate import DEPTH
from turnstate.core.context.types import Inputs, Quote, Room, Sized
from turnstate.core.context.validity import INTERRUPTED, Healed, heal
from turnstate.core.events import Count, Cut
from turnstate.core.history import Pin, Step, Summary, Turn
from turnstate.core.messages import (
    ModelRequest,
    request,
    response_text,
    result_text,
    tool_return,
    user_text,
)
from turnstate.core.values import find
from turnstate.errors import ContextTooLarge

LEDGER = 4
"""Exact values beside the summaries have at most one in this many tokens of the target."""

LONGEST = 4
"""Where a request is over its target, one text is shown with at most one in this many tokens of it."""

HURRY = 3
"""So many turns in a row that were each cut for say that cutting does not pay."""

READ = 4_000
"""Characters of one text that are looked through to guess what its values will take."""

_UNEXPLAINED = 16
"""Tokens by which a request may have grown beyond what came since, for framing, before something else has changed."""


@dataclass(frozen=True)
class Draft:
    """The inputs of a plan with a cut and the summaries there are.

    Attributes:
        inputs: what the plan depends on.
        cut: where the view would stand.
        summaries: all that are on record for the view.
        update: what is sent with the newest message only.
        quotes: what was recalled for the newest message, the best first; sent with it only.
    """

    inputs: Inputs
    cut: Cut
    summaries: tuple[Summary, ...]
    update: str = ""
    quotes: tuple[Quote, ...] = ()

    def shown(self) -> tuple[Summary, ...]:
        """The summaries in view."""
        return chain(self.summaries, self.cut.since, self.cut.first)

    def earlier(self) -> tuple[Turn, ...]:
        """The exchanges in view before the one in flight, oldest first."""
        turns = self.inputs.history.before(self.inputs.turn.number)
        return tuple(turn for turn in turns if turn.number >= self.cut.first)

    def waiting(self) -> tuple[int, ...]:
        """The earlier turns that wait for a person: they stay in view until they are answered."""
        return tuple(turn.number for turn in self.earlier() if _waits(turn))

    def healed(self) -> Healed:
        """The messages as they would be sent, and what was healed."""
        return self._healed

    @cached_property
    def _healed(self) -> Healed:
        # Counted and sent: a request is rendered and healed once.
        request = render_request(
            self.inputs.history,
            self.inputs.turn,
            self.cut,
            self.spans,
            self.update,
            values=self.values,
            quotes=self.quotes,
            shortening=self.shortening,
            brief=self.inputs.brief,
        )
        return heal(request, self.inputs.wire)

    @cached_property
    def shortening(self) -> Shortening:
        """How texts are shown that are too long."""
        return Shortening(self.cut.cap, self.inputs.calibration.ratio, self.inputs.reader)

    @cached_property
    def spans(self) -> tuple[Summary, ...]:
        """What stands for the turns that left: summaries, and before those in view blank ones for their values alone."""
        chained = chain(
            self.summaries, min(self.cut.since, self.cut.values or self.cut.since), self.cut.first
        )
        return tuple(
            summary
            if summary.written.covers.first >= self.cut.since
            else replace(summary, written=replace(summary.written, text=""))
            for summary in chained
        )

    @cached_property
    def values(self) -> Mapping[int, str]:
        """The exact values and commitments beside each span, by its first turn, as far as its summary does not hold them.

        As long as all of them have room they stand with the words around them; then without; then without those that
        only a tool said.
        """
        found: dict[int, str] = {}
        for level in Level:
            found = {summary.written.covers.first: self._values_of(summary, level) for summary in self.spans}
            if _size_of(found) <= self._ledger_room():
                break
        return found

    def _values_of(self, summary: Summary, level: Level) -> str:
        known = self.cut.values or self.cut.since
        kept = tuple(entry for entry in summary.written.kept if entry.turn >= known)
        return rendered(kept, f"{summary.written.text}\n{self._opened()}", level) if kept else ""

    def with_fewer_values(self, tokens: int) -> Draft:
        """Without the values of the oldest spans, so that the rest has at most `tokens`, as estimated."""
        left = _size_of(self.values)
        first = self.cut.values or self.cut.since
        for summary in self.spans:
            if left <= tokens:
                break
            left -= size_text(self.values[summary.written.covers.first]).estimate
            first = summary.written.covers.last + 1
        return replace(self, cut=replace(self.cut, values=first))

    def with_values(self) -> Draft:
        """The draft with the values of the turns that left: all that have room, else about half of that."""
        if not any(summary.written.kept for summary in self.spans):
            return replace(self, cut=replace(self.cut, values=0))
        room = self._ledger_room()
        # Dropped deeply and rarely, for the head is written anew behind what is dropped.
        return self if _size_of(self.values) <= room else self.with_fewer_values(room // 2)

    def _ledger_room(self) -> int:
        return round(self.inputs.budget.target / LEDGER / max(self.inputs.calibration.ratio, 0.1))

    def _opened(self) -> str:
        opening = shown_opening(self.inputs.history, self.cut)
        return "" if opening is None else user_text(opening.user)

    def count(self) -> Count:
        """How many tokens it has, without asking the provider."""
        size = size_head(self.inputs.instructions, self.inputs.tools) + size_messages(
            self.healed().messages, self.inputs.wire
        )
        estimate = self.inputs.calibration.whole(size.estimate)
        new = self._beyond_report(size.estimate)
        bound = size.bound if new is None else min(size.bound, new[0] + new[1].bound)
        # A calibrated estimate above the bytes says that something is sent which is not in them.
        return Count(estimate, max(bound, estimate), size.estimate)

    def likely(self, count: Count) -> int:
        """The most tokens that it may well have: the bound, until a report has made the estimate better than that."""
        new = self._beyond_report(count.raw)
        if new is None:
            return count.bound
        # What was reported is exact; what came since may be half as much again as it seems.
        return min(count.bound, count.estimate + self.inputs.calibration.apply(new[1].estimate) // 2)

    def as_counted(self, count: Count) -> Draft:
        """The draft with estimates as the provider's own count of it says, where it gave one that can be true."""
        ratio = ratio_of(count.provider or 0, count.raw)
        if ratio is None:
            return self
        calibration = replace(
            self.inputs.calibration, ratio=ratio, reported=count.provider or 0, raw=count.raw, slope=ratio
        )
        return replace(self, inputs=replace(self.inputs, calibration=calibration))

    def _beyond_report(self, raw: int) -> tuple[int, Size] | None:
        """What the provider reported of the request's beginning, and the size of what came since; None if unknown.

        Args:
            raw: the uncalibrated estimate of the whole; where what came since does not explain it, the beginning is
                another one than what was reported.
        """
        turns = (*self.earlier(), self.inputs.turn)
        index = max((i for i, turn in enumerate(turns) if turn.steps), default=None)
        if index is None or not self.inputs.calibration.known:
            return None
        last = turns[index].steps[-1]
        then, usage = last.trace.count.raw, last.response.usage
        if last.trace.cut != self.cut or last.model != self.inputs.calibration.model:
            return None
        new = (
            size_messages(_results(last), self.inputs.wire)
            + size_text(self.update)
            + size_text(self.inputs.brief)
        )
        new += size_text(recalled_block(self.quotes) if self.quotes else "")
        for turn in turns[index + 1 :]:
            new += size_messages(self.shortening.messages(turn), self.inputs.wire)
        explained = (
            then + size_message(last.response, self.inputs.wire).estimate + new.estimate + _UNEXPLAINED
        )
        if reported_ratio(last.response, then) is None or raw > explained:
            return None
        return usage.input_tokens + usage.output_tokens, new

    def room(self) -> Room:
        """What a strategy decides on."""
        apply, target = self.inputs.calibration.apply, self.inputs.budget.target
        sizes = self._sizes()
        blocks = head(self.inputs.history, self.cut, self.spans, self.values, self.shortening)
        facts = size_text(self.cut.facts).estimate
        pins = size_text("".join(pin.text for pin in shown_pins(self.inputs.history, self.cut))).estimate
        standing = sum(size_text(text).estimate for text in blocks) - facts - pins
        opening = self.inputs.history.opening
        leaving = sum(map(_values_in, self.earlier()))
        return Room(
            target=target,
            fixed=sizes["instructions and tools"] + sizes["newest exchange"] + apply(facts + pins),
            opening=0 if opening is None else apply(size_text(user_text(opening.user)).estimate),
            summaries=apply(standing),
            exchanges=tuple(
                Sized(turn.number, apply(size.estimate), len(turn.messages()))
                for turn in self.earlier()
                if (size := size_messages(self.shortening.messages(turn), self.inputs.wire))
            ),
            keep_recent=self.inputs.budget.keep_recent,
            values=min(target // LEDGER, apply(_size_of(self.values) + leaving)),
            hurried=self.hurried,
        )

    @property
    def hurried(self) -> bool:
        """Whether each of the last turns was cut for: what a cut frees is filled at once, and calls for it do not pay."""
        last = self.earlier()[-HURRY:]
        cut = (any(step.trace.summarised or step.trace.dropped for step in turn.steps) for turn in last)
        return len(last) > 1 and all(cut)

    @property
    def pressed(self) -> bool:
        """Whether the last cut was made so lately that it freed too little."""
        last = self.earlier()[-HURRY:]
        return any(step.trace.summarised or step.trace.dropped for turn in last for step in turn.steps)

    def sizes(self) -> dict[str, int]:
        """The tokens of what never gives way, for the error that says so."""
        apply = self.inputs.calibration.apply
        first = min(self.waiting(), default=self.inputs.turn.number)
        waiting = sum(
            size_messages(self.shortening.messages(turn), self.inputs.wire).estimate
            for turn in self.earlier()
            if turn.number >= first
        )
        pins = sum(size_text(self._shown_pin(pin)).estimate for pin in self.inputs.history.pins)
        named = {"exchanges since a call that waits for a person": waiting, "pinned turns": pins}
        sizes = self._sizes() | {name: apply(size) for name, size in named.items() if size}
        framing = self.barest().count().best - sum(sizes.values())
        return sizes | ({"framing": framing} if framing > 0 else {})

    def _sizes(self) -> dict[str, int]:
        apply = self.inputs.calibration.apply
        own = size_messages(self.shortening.messages(self.inputs.turn), self.inputs.wire) + size_text(
            self.update
        )
        own += size_text(self.inputs.brief)
        return {
            "instructions and tools": apply(size_head(self.inputs.instructions, self.inputs.tools).estimate),
            "newest exchange": apply(own.estimate),
        }

    def _shown_pin(self, pin: Pin) -> str:
        return self.shortening.text(pin.text, "", 2 * self.cut.cap)

    @property
    def shortens(self) -> bool:
        """Whether anything in view is shown shortened."""
        whole = Shortening()
        turns = (*self.earlier(), self.inputs.turn)
        return bool(self.cut.cap) and any(
            any(a is not b for a, b in zip(self.shortening.messages(t), whole.messages(t), strict=True))
            for t in turns
        )

    def capped(self) -> Draft:
        """The draft with long texts shortened: no more than must be for what never gives way to fit, and room beside it."""
        target = self.inputs.budget.target
        cap = max(LEAST, target // LONGEST)
        draft = replace(self, cut=replace(self.cut, cap=cap))
        size = draft.barest().count().best
        while size > target * DEPTH and draft.cut.cap > LEAST:
            shorter = replace(draft, cut=replace(draft.cut, cap=max(LEAST, draft.cut.cap // 2)))
            draft, before, size = shorter, size, shorter.barest().count().best
            if size == before:
                break  # what is left is no long text
        return draft

    def barest(self) -> Draft:
        """The draft without all that can give way."""
        first = min((self.inputs.turn.number, *self.waiting()))
        cut = Cut(first=first, since=first, opening=False, values=first, cap=self.cut.cap)
        return replace(self, cut=cut, update="", quotes=())

    def with_fewer_summaries(self, tokens: int) -> Draft:
        """With at most `tokens` of summaries: where there are more, about half of that stays, the newest one always."""
        sizes = [self._size_of_summary(summary) for summary in self.shown()]
        if sum(sizes) <= tokens:
            return self
        # Dropped deeply and rarely, for the head is written anew behind what is dropped.
        used, since = 0, self.cut.first
        for summary, size in zip(reversed(self.shown()), reversed(sizes), strict=True):
            used += size
            if used > tokens / 2 and since < self.cut.first:
                break
            since = summary.written.covers.first
        return replace(self, cut=replace(self.cut, since=max(self.cut.since, since)))

    def _size_of_summary(self, summary: Summary) -> int:
        return self.inputs.calibration.apply(size_text(summary_block(summary)).estimate)

    def eased(self, tokens: float) -> Draft:
        """With fewer of the oldest summaries, then of the oldest values, as far as the whole is to have `tokens`."""
        draft = self
        if (excess := draft.count().best - tokens) > 0 and draft.shown():
            has = sum(map(self._size_of_summary, draft.shown()))
            draft = draft.with_fewer_summaries(max(0, round(has - excess)))
        if (excess := draft.count().best - tokens) > 0 and (has := _size_of(draft.values)):
            left = round(has - excess / max(self.inputs.calibration.ratio, 0.1))
            draft = draft.with_fewer_values(max(0, left))
        return draft

    def fitted(self) -> Draft:
        """The draft that gives way until it fits, what was recalled first and the facts last.

        Raises:
            ContextTooLarge: nothing is left to give.
        """
        draft = self
        while (excess := draft.count().best - self.inputs.budget.target) > 0:
            draft = draft._without_least(excess)
        return draft

    def _without_least(self, excess: int) -> Draft:
        """The draft without what matters least of what it has, as far as `excess` tokens ask for."""
        cut, shown = self.cut, self.shown()
        if self.quotes:
            return replace(self, quotes=self.quotes[:-1])
        if shown:
            since = shown[1].written.covers.first if len(shown) > 1 else cut.first
            values = (cut.values or cut.since) if any(summary.written.kept for summary in self.spans) else 0
            return replace(self, cut=replace(cut, since=since, values=values))
        if free := self._leaving(excess):
            return replace(self, cut=replace(cut, first=free, since=free, values=0))
        if has := _size_of(self.values):
            left = has - round(excess / max(self.inputs.calibration.ratio, 0.1))
            return self.with_fewer_values(max(0, min(left, has - 1)))
        if shown_opening(self.inputs.history, cut) is not None:
            return replace(self, cut=replace(cut, opening=False))
        if cut.facts:
            return replace(self, cut=replace(cut, facts=""))
        raise ContextTooLarge(self.inputs.budget.target, self.sizes())

    def _leaving(self, excess: int) -> int:
        """The first turn that stays when the oldest exchanges make room for `excess` tokens; 0 if none may leave."""
        earlier = self.earlier()
        following = [*(turn.number for turn in earlier[1:]), self.inputs.turn.number]
        freed, first = 0, 0
        for turn, after in zip(earlier, following, strict=bool(earlier)):
            if freed >= excess or _waits(turn):
                break
            freed += self.inputs.calibration.apply(
                size_messages(self.shortening.messages(turn), self.inputs.wire).estimate
            )
            first = after
        return first


def _size_of(values: Mapping[int, str]) -> int:
    return sum(size_text(text).estimate for text in values.values() if text)


def _values_in(turn: Turn) -> int:
    """About how many tokens the exact values of a turn take in the ledger."""
    texts = (user_text(turn.user), *(response_text(step.response) for step in turn.steps))
    results = (result_text(call.result) for step in turn.steps for call in step.calls if call.result)
    return sum(_values_of(text[:READ]) for text in (*texts, *results))


@lru_cache(maxsize=4_096)
def _values_of(text: str) -> int:
    # A text stays in view for many requests, and finding its values is most of what a room costs.
    return sum(3 + len(value.text) // 3 for value in find(text))


def _waits(turn: Turn) -> bool:
    return any(call.awaits for step in turn.steps for call in step.calls)


def _results(step: Step) -> tuple[ModelRequest, ...]:
    """What answers the calls of a step, with what is said for those that were never answered."""
    told = step.results()
    known = {result.tool_call_id for result in told}
    missing = (call.tool_call_id for call in step.calls if call.tool_call_id not in known)
    told.extend(tool_return("", INTERRUPTED, call_id, 0, "interrupted") for call_id in missing)
    return (request(told),) if told else ()
