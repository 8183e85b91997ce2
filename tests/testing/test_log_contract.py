"""The contract of logs finds what is wrong with a log: each of these breaks one promise, and is caught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import pytest

from turnstate.core.events import Event, Recorded
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot
from turnstate.errors import TurnNotOpen
from turnstate.ports import ConversationInfo, Log, Opened, Opening
from turnstate.stores.memory import MemoryLog
from turnstate.testing.log_contract import LogContract, OpenLog, closing


class Forgetful(MemoryLog):
    """Loses every second event of an append."""

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
        """Half of it."""
        return await super().append(conversation, turn, events[::2], at, snapshot=snapshot, token=token)


class Piecemeal(MemoryLog):
    """Records events one by one, so that a bad one comes too late."""

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
        """In as many transactions as there are events."""
        recorded: tuple[Recorded, ...] = ()
        for event in events:
            recorded += await super().append(conversation, turn, [event], at, token=token)
        await super().append(conversation, turn, [], at, snapshot=snapshot, token=token)
        return recorded


class Keyless(MemoryLog):
    """Opens a turn for every message that arrives."""

    async def open(self, opening: Opening) -> Opened:
        """However often."""
        return await super().open(replace(opening, key=None))


class Credulous(MemoryLog):
    """Takes any message for the one that had the key."""

    async def open(self, opening: Opening) -> Opened:
        """Whatever its digest."""
        return await super().open(replace(opening, digest="digest"))


class Folded(MemoryLog):
    """Has ids that differ in case or normal form only in one place."""

    async def open(self, opening: Opening) -> Opened:
        """Under the lower-case name."""
        return await super().open(replace(opening, conversation=opening.conversation.lower()))

    async def read(
        self, conversation: str, *, after: int = 0, turn: int | None = None, limit: int | None = None
    ) -> tuple[Recorded, ...]:
        """From the lower-case name."""
        return await super().read(conversation.lower(), after=after, turn=turn, limit=limit)


class Gossip(MemoryLog):
    """Tells everybody's facts to everybody."""

    async def facts(
        self, *, user: str | None, conversation: str, superseded: bool = False
    ) -> tuple[Fact, ...]:
        """The facts of all users that it knows."""
        names = [user, *[info.user for info in await self.conversations()]]
        told = [
            await super(Gossip, self).facts(user=name, conversation=conversation, superseded=superseded)
            for name in dict.fromkeys(names)
        ]
        return tuple(fact for facts in told for fact in facts)


class Shared(MemoryLog):
    """Has one memory for all tenants."""

    _all: ClassVar[dict[str, MemoryLog]] = {}

    async def conversations(
        self, *, user: str | None = None, limit: int = 100
    ) -> tuple[ConversationInfo, ...]:
        """Of whoever came first."""
        first = self._all.setdefault("first", MemoryLog())
        await first.start("somebody's", None, 0)
        return await super().conversations(user=user, limit=limit) or await first.conversations()


class Live(MemoryLog):
    """Hands out the same objects again and again."""

    def __init__(self, tenant: str = "default") -> None:
        super().__init__(tenant)
        self.handed: dict[tuple[str, int], Recorded] = {}

    async def load(self, conversation: str) -> tuple[Recorded, ...]:
        """As they were handed out before."""
        fresh = await super().load(conversation)
        return tuple(self.handed.setdefault((conversation, event.seq), event) for event in fresh)

    async def read(
        self, conversation: str, *, after: int = 0, turn: int | None = None, limit: int | None = None
    ) -> tuple[Recorded, ...]:
        """As they were handed out before."""
        fresh = await super().read(conversation, after=after, turn=turn, limit=limit)
        return tuple(self.handed.setdefault((conversation, event.seq), event) for event in fresh)


class Snapshotless(MemoryLog):
    """Loads everything, every time."""

    async def load(self, conversation: str) -> tuple[Recorded, ...]:
        """All of it."""
        return await super().read(conversation)


class Lenient(MemoryLog):
    """Takes what comes too late, and keeps it somewhere."""

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
        """Without a word."""
        try:
            return await super().append(conversation, turn, events, at, snapshot=snapshot, token=token)
        except TurnNotOpen:
            return ()


class Undead(MemoryLog):
    """Answers after it was closed."""

    async def close(self) -> None:
        """Or not."""


def failures(log: type[MemoryLog]) -> set[str]:
    """The tests of the contract that such a log does not pass."""

    class Contract(LogContract):
        durable = False

        def open_log(self, tenant: str = "default") -> OpenLog:
            opened: Log = log(tenant)
            return closing(opened)

    found: set[str] = set()
    for name in [name for name in dir(Contract) if name.startswith("test_")]:
        try:
            getattr(Contract(), name)()
        except pytest.skip.Exception:
            continue
        except BaseException:  # noqa: BLE001  # a test may fail in any way
            found.add(name)
    return found


@pytest.mark.parametrize(
    ("log", "caught_by"),
    [
        (Forgetful, "test_what_was_recorded_is_returned_and_read_back"),
        (Piecemeal, "test_an_event_that_cannot_be_written_stops_all_of_them"),
        (Keyless, "test_one_key_sent_at_once_from_everywhere_opens_one_turn"),
        (Credulous, "test_a_key_stands_for_one_message"),
        (Folded, "test_any_string_is_a_conversation"),
        (Gossip, "test_users_know_nothing_of_each_other"),
        (Shared, "test_a_tenant_sees_nothing_of_another"),
        (Live, "test_what_is_read_is_the_readers_own"),
        (Snapshotless, "test_a_snapshot_loads_less_and_folds_to_the_same"),
        (Lenient, "test_a_closed_turn_takes_nothing_but_what_comes_late"),
        (Undead, "test_a_closed_log_says_so"),
    ],
)
def test_a_broken_promise_is_found(log: type[MemoryLog], caught_by: str) -> None:
    """By the test that is named for it."""
    assert caught_by in failures(log)


def test_a_log_that_keeps_its_promises_passes() -> None:
    """Nothing is asked that the port does not say."""
    assert failures(MemoryLog) == set()
