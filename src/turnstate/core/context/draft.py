"""A request under consideration: rendering, measuring and giving way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from turnstate.core.context.counting import Size, bound_text, size_head, size_messages, size_text
from turnstate.core.context.layout import chain, head, render_request, shown_opening
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
        return Count(self.inputs.calibration.apply(size.estimate), self._bound(size), size.estimate)

    def _bound(self, size: Size) -> int:
        """The bytes of the request; less where the provider has reported how long its beginning is."""
        turns = (*self.earlier(), self.inputs.turn)
        index = max((i for i, turn in enumerate(turns) if turn.steps), default=None)
        if index is None or not self.inputs.calibration.known:
            return size.bound
        last = turns[index].steps[-1]
        if last.trace.cut != self.cut or not last.response.usage.input_tokens:
            return size.bound
        new = size_messages(turns[index].messages()[-1:] if any(call.result for call in last.calls) else ())
        for turn in turns[index + 1 :]:
            new += size_messages(turn.messages())
        known = last.response.usage.input_tokens + last.response.usage.output_tokens
        return min(size.bound, known + new.bound + bound_text(self.update))

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
            used += apply(size_text(summary.written.text).estimate)
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
            if shown := draft.shown():
                since = shown[1].written.covers.first if len(shown) > 1 else draft.cut.first
                draft = replace(draft, cut=replace(draft.cut, since=since))
            elif earlier := draft.earlier():
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
