"""The contract of tenants: what one of them has, no method shows to another."""

from __future__ import annotations

import pytest

from turnstate.core.history import Snapshot
from turnstate.errors import TurnNotOpen
from turnstate.ports import Log, Opened
from turnstate.testing.log_contract.story import (
    AT,
    Story,
    closed,
    fact,
    learned,
    opening,
    say,
    story,
)


class TenantRules(Story):
    """One store, several tenants."""

    @story
    async def test_a_tenant_sees_nothing_of_another(self, log: Log) -> None:
        """Not a conversation, not an event, not a fact."""
        await say(log, user="ann")
        await log.append("c1", 1, [learned(fact("city", "Oslo"))], AT)
        async with self.open_log("other") as other:
            assert await other.read("c1") == await other.load("c1") == ()
            assert await other.conversations() == await other.conversations(user="ann") == ()
            assert await other.facts(user="ann", conversation="c1", superseded=True) == ()
            with pytest.raises(TurnNotOpen):
                await other.append("c1", 1, [learned()], AT)
            with pytest.raises(TurnNotOpen):
                await other.append("c1", 0, [learned()], AT)

    @story
    async def test_tenants_use_the_same_names_for_different_things(self, log: Log) -> None:
        """Conversations, users, keys, turns, snapshots: each tenant has their own."""
        async with self.open_log("other") as other:
            assert await log.open(opening(user="ann", key="k1")) == Opened(1, "new", 2)
            assert await other.open(opening(text="Hei", user="bob", key="k1")) == Opened(1, "new", 2)
            await log.append("c1", 1, [closed("one")], AT)
            await other.append("c1", 1, [], AT, snapshot=Snapshot(2))
            assert (await other.open(opening(text="Hei", user="bob", key="k1"))).state == "open"
            assert len(await log.load("c1")) == 3
            assert len(await other.load("c1")) == 1
            assert [info.user for info in await log.conversations()] == ["ann"]
            assert [info.user for info in await other.conversations()] == ["bob"]

    @story
    async def test_tenants_with_the_same_user_share_no_facts(self, log: Log) -> None:
        """Nor what was forgotten."""
        async with self.open_log("other") as other:
            for store, city in ((log, "Oslo"), (other, "Rome")):
                await say(store, user="ann")
                await store.append("c1", 1, [learned(fact("city", city))], AT)
            await log.append("c1", 1, [learned(fact("city", "Oslo", at=AT + 1, retracted=True))], AT)
            assert await log.facts(user="ann", conversation="c1") == ()
            assert [one.value for one in await other.facts(user="ann", conversation="c1")] == ["Rome"]

    @story
    async def test_any_string_is_a_tenant(self, log: Log) -> None:
        """Also one that looks like a pattern, a path, or another tenant in another normal form."""
        names = ("é", "e\u0301", "%", "\ud800", "a\0", "a", "' OR 1=1 --", "")
        for name in names:
            async with self.open_log(name) as other:
                assert await other.conversations() == ()
                await say(other, name)
        assert await log.conversations() == ()
