"""The `recall` tool: what an agent looks up in the conversation's own log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_ai import RunContext, Tool

from turnstate.core.context.shorten import passage
from turnstate.core.history import fold
from turnstate.ports import Log
from turnstate.turn.recall import recalled_text
from turnstate.turn.tools import EFFECT, TURN

NAME = "recall"
"""The tool's name; an assistant that has a tool of this name of its own is offered that one alone."""

DESCRIPTION = """\
Look up what was said earlier in this conversation and is no longer shown: give `about`, a few words to look for, or \
`handle`, the handle of a text that is shown shortened, with the `start` that was named beside it."""


def recall_tool(store: Callable[[], Log], tokens: int) -> Tool[Any]:
    """The tool for one assistant.

    Args:
        store: gives the log.
        tokens: the most that it answers with, as estimated.
    """

    async def recall(ctx: RunContext[Any], about: str = "", handle: str = "", start: int = 0) -> str:
        """Look up what was said earlier."""
        conversation, turn = ctx.conversation_id or "", int((ctx.metadata or {}).get(TURN, 0))
        if handle.strip():
            return await _read_on(store(), conversation, handle.strip(), start, tokens)
        if not about.strip():
            return "Nothing to look for: give `about`, a few words, or `handle`."
        return await recalled_text(store(), conversation, about, before=turn, tokens=tokens)

    return Tool[Any](recall, name=NAME, description=DESCRIPTION, metadata={EFFECT: "read"})


async def _read_on(log: Log, conversation: str, handle: str, start: int, tokens: int) -> str:
    number = handle.partition(".")[0]
    events = await log.read(conversation, turn=int(number)) if number.isdecimal() and len(number) < 10 else ()
    turn = fold(events).turn(int(number)) if events else None
    found = passage(turn, handle, start, tokens) if turn is not None else None
    if found is None:
        return f"There is no text with the handle {handle} that has a character {start}. Use a handle as it was shown."
    end = found.start + len(found.text)
    if end == found.whole:
        return f"{found.text}\n[the end: all {found.whole:,} characters]"
    return (
        f'{found.text}\n[… {found.whole - end:,} characters follow: recall(handle="{handle}", start={end}) …]'
    )
