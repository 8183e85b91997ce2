"""What a replay found: sums for each strategy, a row for each conversation, and what was skipped or refused."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any

from turnstate.replay.prices import Prices
from turnstate.replay.probes import Probe, Unread


@dataclass(frozen=True, slots=True)
class Tally:
    """What the requests of one strategy came to, for a conversation or for all of them.

    Attributes:
        requests: requests for a recorded response, those included that no context could be planned for.
        input_tokens: estimated tokens of all of them together.
        largest_request: estimated tokens of the largest one.
        over_target: requests of more than the target.
        invalid_requests: requests that a provider would refuse.
        refused: requests whose fixed parts alone exceed the target, so that none was planned; each is also counted in
            `requests` and `over_target`, with the size and the price of those parts.
        cuts: requests at which older exchanges left the view.
        summarizer_calls: model calls for summaries.
        summarizer_tokens: input and output tokens of those calls.
        count_calls: times the planner asked for the provider's own count.
        output_tokens: estimated tokens of the recorded responses, which are the same for every strategy.
        cost_usd: all input, output and summarizer tokens at list price, without prompt caching.
        cost_usd_cached: the same with the prompt cache, which summarizer calls do not use.
        billed_input_tokens: the input of the requests with the prompt cache, in tokens at the plain price.
        following: requests that follow another one of the conversation without a cut.
        repeating: how many of those repeat it byte for byte up to its newest exchange.
        values_seen: for each request, the distinct exact values that were said before its newest message; their sum.
        values_in_view: how many of them stand in their request.
        recalls: requests with something that was recalled.
        recalled_tokens: estimated tokens of all that was recalled.
        probes: questions that were asked after the last turn.
        answers_in_view: how many of their answers stood in their request.
        probe_input_tokens: estimated tokens of those requests, which count nowhere else.
        probes_with_recall: how many of them had something that was recalled.
    """

    requests: int = 0
    input_tokens: int = 0
    largest_request: int = 0
    over_target: int = 0
    invalid_requests: int = 0
    refused: int = 0
    cuts: int = 0
    summarizer_calls: int = 0
    summarizer_tokens: int = 0
    count_calls: int = 0
    output_tokens: int = 0
    cost_usd: Decimal = Decimal(0)
    cost_usd_cached: Decimal = Decimal(0)
    billed_input_tokens: Decimal = Decimal(0)
    following: int = 0
    repeating: int = 0
    values_seen: int = 0
    values_in_view: int = 0
    recalls: int = 0
    recalled_tokens: int = 0
    probes: int = 0
    answers_in_view: int = 0
    probe_input_tokens: int = 0
    probes_with_recall: int = 0

    def __add__(self, other: Tally) -> Tally:
        sums: dict[str, Any] = {
            each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)
        }
        sums["largest_request"] = max(self.largest_request, other.largest_request)
        return Tally(**sums)

    def as_dict(self) -> dict[str, Any]:
        """As JSON data; dollars to the millionth."""
        return {
            "requests": self.requests,
            "input_tokens": self.input_tokens,
            "billed_input_tokens": round(self.billed_input_tokens),
            "largest_request": self.largest_request,
            "over_target": self.over_target,
            "invalid_requests": self.invalid_requests,
            "refused": self.refused,
            "cuts": self.cuts,
            "prefix_stable": share(self.repeating, self.following),
            "values_seen": self.values_seen,
            "values_in_view": self.values_in_view,
            "recalls": self.recalls,
            "recalled_tokens": self.recalled_tokens,
            "summarizer_calls": self.summarizer_calls,
            "summarizer_tokens": self.summarizer_tokens,
            "count_calls": self.count_calls,
            "output_tokens": self.output_tokens,
            "cost_usd": round(float(self.cost_usd), 6),
            "cost_usd_cached": round(float(self.cost_usd_cached), 6),
            "probes": self.probes,
            "answers_in_view": self.answers_in_view,
            "probe_input_tokens": self.probe_input_tokens,
            "probes_with_recall": self.probes_with_recall,
        }


def share(part: int, whole: int) -> float | None:
    """`part` of `whole`, to the ten-thousandth; None of nothing."""
    return round(part / whole, 4) if whole else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a replay something happened.

    Attributes:
        conversation: the transcript's id.
        record: its number in the file.
        strategy: the strategy's name.
        turn: from 1.
        round: the request's number within the turn, from 1.
    """

    conversation: str
    record: int
    strategy: str
    turn: int
    round: int

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "conversation": self.conversation,
            "record": self.record,
            "strategy": self.strategy,
            "turn": self.turn,
            "round": self.round,
        }


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request that cannot be brought under its target.

    Attributes:
        place: where.
        target: tokens that a request may have.
        sizes: tokens of what never gives way, by part.
    """

    place: Place
    target: int
    sizes: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {**self.place.as_dict(), "target": self.target, "sizes": self.sizes}


@dataclass(frozen=True, slots=True)
class Invalid:
    """A request that a provider would refuse.

    Attributes:
        place: where.
        faults: what is wrong with it, one sentence each.
    """

    place: Place
    faults: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {**self.place.as_dict(), "faults": list(self.faults)}


@dataclass(frozen=True, slots=True)
class Missed:
    """A probe whose answer is not in view.

    Attributes:
        probe: the question and its answers.
        strategy: the strategy's name.
    """

    probe: Probe
    strategy: str

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "conversation": self.probe.conversation,
            "strategy": self.strategy,
            "line": self.probe.line,
            "question": self.probe.question,
            "answer": list(self.probe.answers),
        }


@dataclass(frozen=True, slots=True)
class Replayed:
    """One conversation with one strategy.

    Attributes:
        tally: its sums.
        tokens: estimated tokens of each request, in order.
        refusals: requests that could not be planned.
        invalid: requests that a provider would refuse.
        missed: probes whose answers were not in view.
    """

    tally: Tally
    tokens: tuple[int, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    invalid: tuple[Invalid, ...] = ()
    missed: tuple[Missed, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation with every strategy.

    Attributes:
        conversation: the transcript's id.
        record: its number in the file.
        turns: its exchanges.
        tallies: its sums by strategy.
        notes: what the reader could not keep as it was.
    """

    conversation: str
    record: int
    turns: int
    tallies: dict[str, Tally]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "conversation": self.conversation,
            "record": self.record,
            "turns": self.turns,
            "strategies": {name: tally.as_dict() for name, tally in self.tallies.items()},
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was not replayed.

    Attributes:
        record: its number in the file, or None.
        reason: what is wrong with it.
    """

    record: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Longest:
    """The conversation with the most requests, request by request.

    Attributes:
        conversation: its id.
        tallies: by strategy, its sums.
        tokens: by strategy, the estimated tokens of each request in order.
    """

    conversation: str = ""
    tallies: dict[str, Tally] = field(default_factory=dict[str, Tally])
    tokens: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay found.

    Attributes:
        prices: what tokens were priced at.
        target: tokens that a request may have.
        strategies: sums over all conversations, by strategy, in the order in which they were asked for.
        rows: the conversations.
        skipped: records that were not replayed.
        refusals: requests that could not be planned.
        invalid: requests that a provider would refuse.
        longest: the conversation to draw.
        missed: probes whose answers were not in view.
        unasked: lines of the file of probes that were not asked.
    """

    prices: Prices
    target: int
    strategies: dict[str, Tally]
    rows: tuple[Row, ...]
    skipped: tuple[Skipped, ...]
    refusals: tuple[Refusal, ...]
    invalid: tuple[Invalid, ...]
    longest: Longest
    missed: tuple[Missed, ...] = ()
    unasked: tuple[Unread, ...] = ()

    @property
    def probed(self) -> bool:
        """Whether any question was asked."""
        return any(tally.probes for tally in self.strategies.values())

    def as_dict(self) -> dict[str, Any]:
        """As JSON data: `conversations`, `strategies`, then the details."""
        return {
            "conversations": len(self.rows),
            "strategies": {name: tally.as_dict() for name, tally in self.strategies.items()},
            "model": self.prices.model,
            "target": self.target,
            "notes": list(self.prices.notes),
            "skipped": [{"record": skipped.record, "reason": skipped.reason} for skipped in self.skipped],
            "refusals": [refusal.as_dict() for refusal in self.refusals],
            "invalid": [invalid.as_dict() for invalid in self.invalid],
            "per_conversation": [row.as_dict() for row in self.rows],
            "answers_missing": [missed.as_dict() for missed in self.missed],
            "probes_skipped": [{"line": unread.line, "reason": unread.reason} for unread in self.unasked],
        }
