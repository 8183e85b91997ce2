"""Turns as the provider reads them, and how their tool calls and results must pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from turnstate.testing.anthropic.script import JsonObject, blocks_of
from turnstate.testing.anthropic.shape import Problems

_ROLE_OF = {
    "tool_use": "assistant",
    "thinking": "assistant",
    "redacted_thinking": "assistant",
    "tool_result": "user",
}
"""The one role whose messages may hold a block of this type."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A content block and where it stands.

    Attributes:
        path: as in "messages.3.content.0".
        block: the block.
    """

    path: str
    block: JsonObject

    @property
    def kind(self) -> str:
        """The block's type."""
        return self.block["type"]


@dataclass(frozen=True, slots=True)
class WireTurn:
    """A run of messages of one role, which the provider reads as one.

    Attributes:
        role: "user" or "assistant".
        path: the last message of the run, as in "messages.3".
        blocks: all content blocks of the run.
    """

    role: str
    path: str
    blocks: list[Placed] = field(default_factory=list[Placed])

    def ids(self, kind: str, key: str) -> list[str]:
        """The ids under `key` in the blocks of `kind`."""
        return [placed.block[key] for placed in self.blocks if placed.kind == kind]


def wire_turns(messages: list[JsonObject]) -> list[WireTurn]:
    """The messages as turns: consecutive messages of one role are one."""
    turns: list[WireTurn] = []
    for role, run in groupby(enumerate(messages), key=lambda numbered: str(numbered[1]["role"])):
        numbered = list(run)
        blocks = [
            Placed(f"messages.{number}.content.{index}", block)
            for number, message in numbered
            for index, block in enumerate(blocks_of(message["content"] or []))
        ]
        turns.append(WireTurn(role, f"messages.{numbered[-1][0]}", blocks))
    return turns


def with_nested(placed: Placed) -> Iterator[Placed]:
    """The block and the blocks inside it, wherever they may carry text or a cache mark."""
    yield placed
    holder: JsonObject = placed.block["source"] if placed.kind == "document" else placed.block
    inner: str | list[JsonObject] = holder.get("content", "")
    if not isinstance(inner, str):
        for index, part in enumerate(inner):
            yield Placed(f"{placed.path}.{placed.kind}.content.{index}", part)


def misplaced_blocks(turns: list[WireTurn]) -> Problems:
    """Blocks that only the other role may send."""
    for turn in turns:
        for placed in turn.blocks:
            role = _ROLE_OF.get(placed.kind, turn.role)
            if role != turn.role:
                yield f"{placed.path}: `{placed.kind}` blocks can only be in `{role}` messages"


def pairing_problems(turns: list[WireTurn]) -> Problems:
    """Calls without a result, results without a call, and ids that occur twice."""
    seen: set[str] = set()
    before: list[str] = []  # the calls of the turn before
    for position, turn in enumerate(turns):
        for placed in turn.blocks:
            if placed.kind == "tool_use":
                if placed.block["id"] in seen:
                    yield f"{placed.path}: `tool_use` ids must be unique"
                seen.add(placed.block["id"])
        yield from _result_problems(turn, before)
        before = turn.ids("tool_use", "id")
        yield from _unanswered(turn, turns[position + 1] if position + 1 < len(turns) else None)


def _result_problems(turn: WireTurn, calls: list[str]) -> Problems:
    times = Counter(turn.ids("tool_result", "tool_use_id"))
    for placed in turn.blocks:
        if placed.kind != "tool_result":
            continue
        call = placed.block["tool_use_id"]
        if call not in calls:
            yield (
                f"{placed.path}: unexpected `tool_use_id` found in `tool_result` blocks: {call}. Each `tool_result` "
                "block must have a corresponding `tool_use` block in the previous message."
            )
        if times[call] > 1:
            yield (
                f"{placed.path}: each tool_use must have a single result. "
                f"Found multiple `tool_result` blocks with id: {call}"
            )


def _unanswered(turn: WireTurn, following: WireTurn | None) -> Problems:
    """Calls without a result among the results that open the next turn; a result behind other content does not count."""
    answered: set[str] = set()
    for placed in following.blocks if following else ():
        if placed.kind != "tool_result":
            break
        answered.add(placed.block["tool_use_id"])
    missing = [call for call in turn.ids("tool_use", "id") if call not in answered]
    if missing:
        yield (
            f"{turn.path}: `tool_use` ids were found without `tool_result` blocks immediately after: "
            f"{', '.join(missing)}. Each `tool_use` block must have a corresponding `tool_result` block "
            "in the next message."
        )
