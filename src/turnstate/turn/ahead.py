"""Summaries ahead of need: written after a turn, off the user's path, so that a cut finds them on record."""

from __future__ import annotations

from turnstate.core.context.plan import ahead
from turnstate.core.history import History
from turnstate.turn.crew import Crew, inputs_for
from turnstate.turn.summaries import write_summaries


async def write_ahead(crew: Crew, history: History) -> None:
    """Write what the next cut would ask for, if the conversation is past its first mark.

    A summary says how far its source was read: where a turn that it covers changes afterwards, it is never used. A
    process that dies before it is done leaves the rest to the cut itself.

    Raises:
        StoreError: the log could not be read or written.
    """
    if not history.turns or history.turns[-1].status != "closed":
        return
    turn, speaker = history.turns[-1], crew.speakers[0]
    for excerpt in ahead(await inputs_for(crew, speaker, history, turn, crew.budget)):
        written = await write_summaries(crew.summarizer, [excerpt], history.head)
        await crew.store.append(history.conversation, 0, written, crew.clock())
