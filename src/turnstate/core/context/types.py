"""The values that planning a context passes around, and the type of a strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import Calibration
from turnstate.core.context.families import ANYWHERE, Wire
from turnstate.core.events import Count, Cut, Span, SummaryWritten
from turnstate.core.history import History, Turn
from turnstate.core.messages import ModelMessage


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What a summarizer reads: original turns, whole, never a summary.

    Attributes:
        covers: the span that the summary will stand for.
        turns: its turns.
        cap: the most tokens that the summary may have.
    """

    covers: Span
    turns: tuple[Turn, ...]
    cap: int


@dataclass(frozen=True, slots=True)
class SummaryDraft:
    """What a summarizer wrote.

    Attributes:
        text: the summary.
        by: "extractive", or the model's id.
        notes: what was refused on the way, one sentence each.
        usage: tokens of its calls, as (input, output).
    """

    text: str
    by: str
    notes: tuple[str, ...] = ()
    usage: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Sized:
    """An earlier exchange in view, as a strategy sees it.

    Attributes:
        turn: its number.
        tokens: its size as it would be sent.
        messages: how many messages it has.
    """

    turn: int
    tokens: int
    messages: int


@dataclass(frozen=True, slots=True)
class Room:
    """What a strategy decides on, in tokens.

    Attributes:
        target: what a request may have.
        fixed: instructions, tools, facts, pinned turns and the newest exchange: what no strategy can leave out.
        opening: the opening request, if it would stand apart.
        summaries: what stands in the head beside the facts: opening, values and summaries.
        exchanges: the earlier exchanges in view, oldest first.
        keep_recent: how many of the newest of them stay verbatim wherever they fit.
        values: what the exact values of all that has left and may leave would take beside the summaries.
        hurried: whether each of the last turns was cut for, so that a cut has to free more than the last ones did.
    """

    target: int
    fixed: int
    opening: int
    summaries: int
    exchanges: tuple[Sized, ...]
    keep_recent: int = 3
    values: int = 0
    hurried: bool = False

    @property
    def total(self) -> int:
        """The size of the request as it stands."""
        return self.fixed + self.summaries + sum(exchange.tokens for exchange in self.exchanges)


@dataclass(frozen=True, slots=True)
class Choice:
    """A strategy's decision.

    Attributes:
        keep: how many of the newest earlier exchanges stay verbatim.
        summarise: whether what leaves the view is summarised, or dropped.
        opening: whether the opening request stays verbatim.
        enforce: whether the target is a limit. `append` alone says no.
    """

    keep: int
    summarise: bool = True
    opening: bool = True
    enforce: bool = True


Strategy: TypeAlias = Callable[[Room], Choice]
"""A context strategy: a pure function from the room there is to what stays. It is asked only when the request is
over its target; what it may not do (split an exchange, drop the newest one) it cannot say."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a plan depends on.

    Attributes:
        history: the conversation as folded.
        turn: the turn in flight, with its steps so far.
        instructions: the system text.
        tools: the tools as JSON text, for counting.
        facts: the facts in force, rendered; goes into the head at a cut.
        update: what changed since the head was written, rendered; sent with the newest message only.
        budget: the budget.
        strategy: what to do when the request is over its target.
        calibration: how the provider counts, from what it reported.
        wire: what the provider accepts.
        recall: the most tokens of earlier exchanges brought back for the newest message; 0 for none.
        reader: whether the model has the `recall` tool, to read on in what is shown shortened.
        brief: what the agent who speaks is told in this turn; sent with the newest message only, and never left out.
    """

    history: History
    turn: Turn
    instructions: str
    tools: str
    facts: str
    update: str
    budget: Budget
    strategy: Strategy
    calibration: Calibration
    wire: Wire = ANYWHERE
    recall: int = 0
    reader: bool = False
    brief: str = ""


@dataclass(frozen=True, slots=True)
class NeedCount:
    """The planner asks for the provider's count of this request; the answer is an int, or None."""

    messages: tuple[ModelMessage, ...]


@dataclass(frozen=True, slots=True)
class NeedSummaries:
    """The planner asks for summaries; the answer is one `SummaryWritten` for each excerpt, in order, on record.

    Attributes:
        excerpts: what they shall cover.
        quick: whether a summarizer's call would not pay: cuts follow each other so closely that the extract will do.
    """

    excerpts: tuple[Excerpt, ...]
    quick: bool = False


@dataclass(frozen=True, slots=True)
class NeedRecall:
    """The planner asks what the conversation said about this beyond the view; the answer is a tuple of `Quote`.

    Attributes:
        query: the newest message.
        before: only turns before this one are wanted.
        tokens: the most that all quotes together may have, before calibration.
    """

    query: str
    before: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Quote:
    """Something that was said earlier, brought back word for word.

    Attributes:
        turn: where.
        at: when, in microseconds since the epoch.
        speaker: "user", "assistant" or "tool".
        text: the words.
        score: how well it fits what was looked for; higher is better.
    """

    turn: int
    at: int
    speaker: str
    text: str
    score: float = 0.0


Need: TypeAlias = NeedCount | NeedSummaries | NeedRecall
Answer: TypeAlias = int | tuple[SummaryWritten, ...] | tuple[Quote, ...] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A request, ready to send.

    Attributes:
        messages: valid for the provider.
        cut: the cut that they were rendered with.
        count: their size, with instructions and tools.
        managed: the line that says what was done, or "".
        dropped: spans that left the view without a summary.
        summarised: spans that left the view into summaries.
        notes: what was healed, one sentence each.
        recalled: the turns that are quoted from beyond the view, in order.
    """

    messages: tuple[ModelMessage, ...]
    cut: Cut
    count: Count
    managed: str = ""
    dropped: tuple[Span, ...] = ()
    summarised: tuple[Span, ...] = ()
    notes: tuple[str, ...] = ()
    recalled: tuple[int, ...] = ()
