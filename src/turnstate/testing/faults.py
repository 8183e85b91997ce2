"""Every point of a turn at which a process may die: a log that reports them, for a test to kill itself there.

```python
points = FaultPoints()
async with Assistant(model, store=FaultLog(open_log(url), points)) as shop:
    await shop.conversation("c1").send("Hello")
print(points.names)   # every write point of the turn, in order; FaultPoints(die_at=3) dies at one of them
```
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, Sequence

from turnstate.core.events import Event, Recorded
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot
from turnstate.ports import Claim, Claimed, ConversationInfo, Kept, Log, Opened, Opening, Receipt


def kill() -> None:
    """End this process as a power cut would: nothing is flushed, closed or told."""
    os.kill(os.getpid(), signal.SIGKILL)


class FaultPoints:
    """The points that were reached, in order.

    Args:
        die_at: the index of the point to die at, from 0; None to only list them.
        die: how.

    Attributes:
        names: what was reached, as "before append ToolCalled" or "inside refund".
    """

    def __init__(self, die_at: int | None = None, die: Callable[[], None] = kill) -> None:
        self.names: list[str] = []
        self._die_at = die_at
        self._die = die

    def reach(self, name: str) -> None:
        """Note a point, and die if it is the one. Tools call it for points of their own."""
        self.names.append(name)
        if len(self.names) - 1 == self._die_at:
            self._die()


class FaultLog:
    """A log that reports a point before and after each of its writes; reads pass through.

    Args:
        inner: the log that does the work; whoever opened it closes it.
        points: told of every point.
    """

    def __init__(self, inner: Log, points: FaultPoints) -> None:
        self._inner = inner
        self._points = points

    @property
    def url(self) -> str:
        """The inner log's."""
        return self._inner.url

    async def start(self, conversation: str, user: str | None, at: int) -> int:
        """See `Log.start`."""
        self._points.reach("before start")
        head = await self._inner.start(conversation, user, at)
        self._points.reach("after start")
        return head

    async def open(self, opening: Opening) -> Opened:
        """See `Log.open`."""
        self._points.reach("before open")
        opened = await self._inner.open(opening)
        self._points.reach("after open")
        return opened

    async def append(
        self,
        conversation: str,
        turn: int,
        events: Sequence[Event],
        at: int,
        *,
        snapshot: Snapshot | None = None,
        token: int = 0,
    ) -> tuple[Recorded, ...]:
        """See `Log.append`."""
        what = ", ".join(type(event).__name__ for event in events)
        self._points.reach(f"before append {what}")
        recorded = await self._inner.append(conversation, turn, events, at, snapshot=snapshot, token=token)
        self._points.reach(f"after append {what}")
        return recorded

    async def claim(self, conversation: str, turn: int, claim: Claim) -> Claimed:
        """See `Log.claim`."""
        self._points.reach("before claim")
        claimed = await self._inner.claim(conversation, turn, claim)
        self._points.reach("after claim")
        return claimed

    async def renew(self, conversation: str, claim: Claim) -> tuple[int, ...]:
        """See `Log.renew`."""
        return await self._inner.renew(conversation, claim)

    async def release(self, conversation: str, turn: int, claim: Claim) -> None:
        """See `Log.release`."""
        await self._inner.release(conversation, turn, claim)

    async def load(self, conversation: str) -> tuple[Recorded, ...]:
        """See `Log.load`."""
        return await self._inner.load(conversation)

    async def read(
        self, conversation: str, *, after: int = 0, turn: int | None = None, limit: int | None = None
    ) -> tuple[Recorded, ...]:
        """See `Log.read`."""
        return await self._inner.read(conversation, after=after, turn=turn, limit=limit)

    async def read_turns(self, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
        """See `Log.read_turns`."""
        return await self._inner.read_turns(conversation, turns)

    async def search(
        self, conversation: str, words: Sequence[str], *, before: int, most: int | None = None
    ) -> Mapping[str, tuple[int, ...]]:
        """See `Log.search`."""
        return await self._inner.search(conversation, words, before=before, most=most)

    async def facts(
        self, *, user: str | None, conversation: str, superseded: bool = False
    ) -> tuple[Fact, ...]:
        """See `Log.facts`."""
        return await self._inner.facts(user=user, conversation=conversation, superseded=superseded)

    async def conversations(
        self, *, user: str | None = None, limit: int = 100
    ) -> tuple[ConversationInfo, ...]:
        """See `Log.conversations`."""
        return await self._inner.conversations(user=user, limit=limit)

    async def erase(self, *, conversation: str | None = None, user: str | None = None, at: int) -> Receipt:
        """See `Log.erase`."""
        self._points.reach("before erase")
        receipt = await self._inner.erase(conversation=conversation, user=user, at=at)
        self._points.reach("after erase")
        return receipt

    async def erase_turns(self, conversation: str, through: int, at: int) -> Receipt:
        """See `Log.erase_turns`."""
        self._points.reach("before erase_turns")
        receipt = await self._inner.erase_turns(conversation, through, at)
        self._points.reach("after erase_turns")
        return receipt

    async def kept(self, conversation: str) -> Kept | None:
        """See `Log.kept`."""
        return await self._inner.kept(conversation)

    async def keep(self, *kept: Kept) -> None:
        """See `Log.keep`."""
        self._points.reach("before keep")
        await self._inner.keep(*kept)
        self._points.reach("after keep")

    async def close(self) -> None:
        """See `Log.close`."""
        await self._inner.close()
