"""The ways to answer a conversation that are compared, and what each of them costs in every turn of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from turnstate.core.blocks import block
from turnstate.core.context.append import append
from turnstate.core.context.counting import size_head, size_messages
from turnstate.core.context.hybrid import hybrid
from turnstate.core.context.types import Strategy
from turnstate.core.history import Turn
from turnstate.core.messages import ModelMessage, response_text, user_message, user_text
from turnstate.readers.transcript import Transcript
from turnstate.replay.measure.kept import Moment, call_tokens, record_tool
from turnstate.replay.measure.play import Played, Spent, play
from turnstate.replay.prefix import PromptCache
from turnstate.replay.prices import Prices
from turnstate.replay.scene import Scene, Setting

APPEND: Final = "append"
APPEND_EXTRACT: Final = "append+extract"
HYBRID: Final = "hybrid"
STATE: Final = "state"
STATE_EXTRACT: Final = "state+extract"

WAYS: Final[dict[str, str]] = {
    APPEND: "whole transcript, no state",
    APPEND_EXTRACT: "and a call that extracts state",
    HYBRID: "bounded context, no state",
    STATE: "bounded, brief, patch in the reply",
    STATE_EXTRACT: "bounded, brief, call on the newest",
}
"""The ways that are compared: names, and what they are.

Those with `extract` make a second call in every turn: over the whole transcript, to write the whole state, or over the
brief and the newest exchange, to write what is new. `hybrid` shows what bounding the context does alone.
"""

EXTRACT_ALL: Final = (
    "Read the conversation and call `record` with the whole state as it is after the last turn."
)
EXTRACT_NEW: Final = "Read the state so far and the newest exchange and call `record` with what is new."


@dataclass(frozen=True, slots=True)
class Way:
    """One way through one conversation.

    Attributes:
        turns: what each turn cost, all of its calls together.
        largest: estimated tokens of the largest request of the agent.
        over_target: requests of the agent that cannot be brought under the target.
    """

    turns: tuple[Spent, ...]
    largest: int
    over_target: int

    @property
    def total(self) -> Spent:
        """All turns together."""
        return sum(self.turns, Spent())

    def cumulative(self) -> tuple[Spent, ...]:
        """After each turn, all that it cost so far."""
        found: list[Spent] = []
        so_far = Spent()
        for spent in self.turns:
            so_far += spent
            found.append(so_far)
        return tuple(found)


async def ways(
    transcript: Transcript, setting: Setting, moments: Sequence[Moment], fields: Sequence[str]
) -> dict[str, Way]:
    """Every way through a conversation, by its name.

    Args:
        transcript: the conversation.
        setting: budget, prices and instructions.
        moments: its state by turn.
        fields: the named fields of the state.
    """
    tool = record_tool(fields)
    turns = transcript.turns
    whole = await play(_scene(transcript, append, setting))
    bounded = await play(_scene(transcript, hybrid, setting))
    recorded = await play(_scene(transcript, hybrid, setting, tool), moments, recorded=True)
    briefed = await play(_scene(transcript, hybrid, setting), moments)
    from_all = _extracted(turns, moments, _Extractor(EXTRACT_ALL, tool, setting.prices).whole)
    from_new = _extracted(turns, moments, _Extractor(EXTRACT_NEW, tool, setting.prices).newest)
    return {
        APPEND: _way(whole),
        APPEND_EXTRACT: _way(whole, from_all),
        HYBRID: _way(bounded),
        STATE: _way(recorded),
        STATE_EXTRACT: _way(briefed, from_new),
    }


def _scene(
    transcript: Transcript, strategy: Strategy, setting: Setting, tool: dict[str, Any] | None = None
) -> Scene:
    scene = Scene.of(transcript, "", strategy, setting)
    if tool is None:
        return scene
    offered = json.dumps([*transcript.tools, tool], ensure_ascii=False, separators=(",", ":"))
    return replace(scene, tools=offered)


def _way(played: Played, extracted: Sequence[Spent] = ()) -> Way:
    turns = (
        tuple(own + other for own, other in zip(played.turns, extracted, strict=True))
        if extracted
        else played.turns
    )
    return Way(turns, played.largest, played.over_target)


def _extracted(
    turns: Sequence[Turn], moments: Sequence[Moment], call: Callable[[Turn, Moment], Spent]
) -> tuple[Spent, ...]:
    return tuple(
        call(turn, moment) if turn.steps else Spent() for turn, moment in zip(turns, moments, strict=True)
    )


class _Extractor:
    """A call beside the reply that reads state from what was said; its prompt cache is its own, and as warm."""

    def __init__(self, instructions: str, tool: dict[str, Any], prices: Prices) -> None:
        tools = json.dumps([tool], ensure_ascii=False, separators=(",", ":"))
        self._head = size_head(instructions, tools).estimate
        self._cache = PromptCache(instructions, tools)
        self._prices = prices
        self._said: list[ModelMessage] = []
        self._tokens = 0

    def whole(self, turn: Turn, moment: Moment) -> Spent:
        """Read the whole transcript and write the whole state."""
        message = user_message(_exchange(turn), turn.at)
        self._said.append(message)
        self._tokens += size_messages([message]).estimate
        return self._spent(self._said, self._head + self._tokens, call_tokens(moment.after))

    def newest(self, turn: Turn, moment: Moment) -> Spent:
        """Read the state so far and the newest exchange, and write what is new."""
        messages: list[ModelMessage] = []
        if moment.brief:
            messages.append(user_message(block("brief", moment.brief), turn.at))
        messages.append(user_message(_exchange(turn), turn.at))
        tokens = self._head + size_messages(messages).estimate
        return self._spent(messages, tokens, moment.patch_tokens or call_tokens("{}"))

    def _spent(self, messages: Sequence[ModelMessage], tokens: int, output: int) -> Spent:
        billing = self._cache.send(messages, tokens).billing
        return Spent(
            1,
            tokens,
            output,
            self._prices.cost(tokens, output),
            self._prices.cost(billing.plain, output, read=billing.read, written=billing.written),
        )


def _exchange(turn: Turn) -> str:
    """What was said in a turn, without what tools returned."""
    said = [f"user: {user_text(turn.user)}"]
    said += [f"assistant: {text}" for step in turn.steps if (text := response_text(step.response).strip())]
    return "\n".join(said)
