"""A request under consideration: rendering, measuring and giving way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from turnstate.core.context.counting import (
    Size,
    ratio_of,
    reported_ratio,
    size_head,
    size_message,
    size_messages,
    size_text,
)
from turnstate.core.context.layout import chain, head, render_request, shown_opening, summary_block
from turnstate.core.context.types import Inputs, Room, Sized
from turnstate.core.context.validity import INTERRUPTED, Healed, heal
from turnstate.core.events import Count, Cut
from turnstate.core.history import Step, Summary, Turn
from turnstate.core.messages import ModelRequest, request, tool_return, user_text
from turnstate.errors import ContextTooLarge

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
    """

    inputs: Inputs
    cut: Cut
    summaries: tuple[Summary, ...]
    update: str = ""

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
        return heal(
            render_request(self.inputs.history, self.inputs.turn, self.cut, self.shown(), self.update)
        )

    def count(self) -> Count:
        """How many tokens it has, without asking the provider."""
        size = size_head(self.inputs.instructions, self.inputs.tools) + size_messages(self.healed().messages)
        estimate = self.inputs.calibration.apply(size.estimate)
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
        calibration = replace(self.inputs.calibration, ratio=ratio)
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
        new = size_messages(_results(last)) + size_text(self.update)
        for turn in turns[index + 1 :]:
            new += size_messages(turn.messages())
        explained = then + size_message(last.response).estimate + new.estimate + _UNEXPLAINED
        if reported_ratio(last.response, then) is None or raw > explained:
            return None
        return usage.input_tokens + usage.output_tokens, new

    def room(self) -> Room:
        """What a strategy decides on."""
        apply = self.inputs.calibration.apply
        shown = self.shown()
        blocks = head(self.inputs.history, self.cut, shown)
        facts = size_text(self.cut.facts).estimate
        own = size_messages(self.inputs.turn.messages()).estimate + size_text(self.update).estimate
        opening = self.inputs.history.opening
        fixed = size_head(self.inputs.instructions, self.inputs.tools).estimate + facts + own
        standing = sum(size_text(text).estimate for text in blocks) - facts
        exchanges = tuple(
            Sized(turn.number, apply(size_messages(turn.messages()).estimate), len(turn.messages()))
            for turn in self.earlier()
        )
        return Room(
            target=self.inputs.budget.target,
            fixed=apply(fixed),
            opening=0 if opening is None else apply(size_text(user_text(opening.user)).estimate),
            summaries=apply(standing),
            exchanges=exchanges,
            keep_recent=self.inputs.budget.keep_recent,
        )

    def sizes(self) -> dict[str, int]:
        """The tokens of what never gives way, for the error that says so."""
        apply = self.inputs.calibration.apply
        turns = {turn.number: size_messages(turn.messages()).estimate for turn in self.earlier()}
        pinned = [size for number, size in turns.items() if number >= min(self.waiting(), default=number + 1)]
        sizes = {
            "instructions and tools": apply(size_head(self.inputs.instructions, self.inputs.tools).estimate),
            "newest exchange": apply(size_messages(self.inputs.turn.messages()).estimate),
        }
        return sizes | (
            {"exchanges since a call that waits for a person": apply(sum(pinned))} if pinned else {}
        )

    def barest(self) -> Draft:
        """The draft without all that can give way."""
        first = min((self.inputs.turn.number, *self.waiting()))
        cut = Cut(first=first, since=first, opening=False)
        return replace(self, cut=cut, update="")

    def with_fewer_summaries(self, tokens: int) -> Draft:
        """Without the oldest summaries, so that the rest has at most `tokens`; the newest one stays."""
        apply = self.inputs.calibration.apply
        used, since = 0, self.cut.first
        for summary in reversed(self.shown()):
            used += apply(size_text(summary_block(summary)).estimate)
            if used > tokens and since < self.cut.first:
                break
            since = summary.written.covers.first
        return replace(self, cut=replace(self.cut, since=max(self.cut.since, since)))

    def fitted(self) -> Draft:
        """The draft that gives way until it fits: summaries, then recent exchanges, the opening request, the facts.

        Raises:
            ContextTooLarge: nothing is left to give.
        """
        draft, target = self, self.inputs.budget.target
        while (excess := draft.count().best - target) > 0:
            shown, free = draft.shown(), draft._leaving(excess)
            if shown:
                since = shown[1].written.covers.first if len(shown) > 1 else draft.cut.first
                draft = replace(draft, cut=replace(draft.cut, since=since))
            elif free:
                draft = replace(draft, cut=replace(draft.cut, first=free, since=free))
            elif shown_opening(self.inputs.history, draft.cut) is not None:
                draft = replace(draft, cut=replace(draft.cut, opening=False))
            elif draft.cut.facts:
                draft = replace(draft, cut=replace(draft.cut, facts=""))
            else:
                raise ContextTooLarge(target, draft.sizes())
        return draft

    def _leaving(self, excess: int) -> int:
        """The first turn that stays when the oldest exchanges make room for `excess` tokens; 0 if none may leave."""
        earlier = self.earlier()
        following = [*(turn.number for turn in earlier[1:]), self.inputs.turn.number]
        freed, first = 0, 0
        for turn, after in zip(earlier, following, strict=bool(earlier)):
            if freed >= excess or _waits(turn):
                break
            freed += self.inputs.calibration.apply(size_messages(turn.messages()).estimate)
            first = after
        return first


def _waits(turn: Turn) -> bool:
    return any(call.awaits for step in turn.steps for call in step.calls)


def _results(step: Step) -> tuple[ModelRequest, ...]:
    """What answers the calls of a step, with what is said for those that were never answered."""
    results = [
        call.result or tool_return("", INTERRUPTED, call.tool_call_id, 0, "interrupted")
        for call in step.calls
    ]
    return (request(results),) if results else ()
