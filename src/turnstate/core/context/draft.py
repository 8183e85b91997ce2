"""A request under consideration: rendering, measuring and giving way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from turnstate.core.context.counting import NOTHING, Size, size_head, size_messages, size_text
from turnstate.core.context.layout import chain, head, render_request, shown_opening, summary_block
from turnstate.core.context.types import Inputs, Room, Sized
from turnstate.core.context.validity import Healed, heal
from turnstate.core.events import Count, Cut
from turnstate.core.history import Summary, Turn
from turnstate.core.messages import ModelMessage, user_text
from turnstate.errors import ContextTooLarge


@dataclass(frozen=True, slots=True)
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

    def healed(self) -> Healed:
        """The messages as they would be sent, and what was healed."""
        return heal(self._rendered())

    def _rendered(self) -> tuple[ModelMessage, ...]:
        return render_request(self.inputs.history, self.inputs.turn, self.cut, self.shown(), self.update)

    def count(self) -> Count:
        """How many tokens it has, without asking the provider."""
        size = size_head(self.inputs.instructions, self.inputs.tools) + size_messages(self._rendered())
        estimate = self.inputs.calibration.apply(size.estimate)
        new = self._beyond_report()
        bound = size.bound if new is None else min(size.bound, new[0] + new[1].bound)
        return Count(estimate, bound, size.estimate)

    def likely(self, count: Count) -> int:
        """The most tokens that it may well have: the bound, until a report has made the estimate better than that."""
        new = self._beyond_report()
        if new is None:
            return count.bound
        # What was reported is exact; what came since may be half as much again as it seems.
        return min(count.bound, count.estimate + self.inputs.calibration.apply(new[1].estimate) // 2)

    def _beyond_report(self) -> tuple[int, Size] | None:
        """What the provider reported of the request's beginning, and the size of what came since; None if unknown."""
        turns = (*self.earlier(), self.inputs.turn)
        index = max((i for i, turn in enumerate(turns) if turn.steps), default=None)
        if index is None or not self.inputs.calibration.known:
            return None
        last = turns[index].steps[-1]
        usage = last.response.usage
        if last.trace.cut != self.cut or not usage.input_tokens:
            return None
        answered = any(call.result is not None for call in last.calls)
        new = size_messages(turns[index].messages()[-1:]) if answered else NOTHING
        for turn in turns[index + 1 :]:
            new += size_messages(turn.messages())
        return usage.input_tokens + usage.output_tokens, new + size_text(self.update)

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
        return {
            "instructions and tools": apply(size_head(self.inputs.instructions, self.inputs.tools).estimate),
            "facts": apply(size_text(self.cut.facts).estimate),
            "newest exchange": apply(size_messages(self.inputs.turn.messages()).estimate),
        }

    def with_fewer_summaries(self, tokens: int) -> Draft:
        """Without the oldest summaries, so that the rest has at most `tokens`."""
        apply = self.inputs.calibration.apply
        used, since = 0, self.cut.first
        for summary in reversed(self.shown()):
            used += apply(size_text(summary_block(summary)).estimate)
            if used > tokens:
                break
            since = summary.written.covers.first
        return replace(self, cut=replace(self.cut, since=max(self.cut.since, since)))

    def fitted(self) -> Draft:
        """The draft that gives way until it fits: summaries first, then recent exchanges, then the opening request.

        Raises:
            ContextTooLarge: nothing is left to give.
        """
        draft, target = self, self.inputs.budget.target
        while draft.count().best > target:
            shown, earlier = draft.shown(), draft.earlier()
            if shown:
                since = shown[1].written.covers.first if len(shown) > 1 else draft.cut.first
                draft = replace(draft, cut=replace(draft.cut, since=since))
            elif earlier:
                first = earlier[1].number if len(earlier) > 1 else self.inputs.turn.number
                if any(call.awaits for step in earlier[0].steps for call in step.calls):
                    raise ContextTooLarge(target, draft.sizes())
                draft = replace(draft, cut=replace(draft.cut, first=first, since=first))
            elif shown_opening(self.inputs.history, draft.cut) is not None and draft.cut.opening:
                draft = replace(draft, cut=replace(draft.cut, opening=False))
            elif draft.cut.facts:
                draft = replace(draft, cut=replace(draft.cut, facts=""))
            else:
                raise ContextTooLarge(target, draft.sizes())
        return draft
