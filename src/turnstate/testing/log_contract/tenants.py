"""The contract of tenants: what one of them has, no method shows to another, and none changes."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping

import pytest

from turnstate.core.history import Snapshot
from turnstate.errors import TurnNotOpen
from turnstate.ports import Claim, Log, Opened, Receipt
from turnstate.testing.log_contract.story import (
    AT,
    SECOND,
    Story,
    closed,
    fact,
    learned,
    opening,
    say,
    story,
)

THIEF = Claim("thief", 60 * SECOND)

TRIED: Mapping[str, Callable[[Log, str], Awaitable[object]]] = {
    "append": lambda log, name: log.append(name, 1, [learned(), closed("stolen")], AT),
    "claim": lambda log, name: log.claim(name, 2, THIEF),
    "conversations": lambda log, name: log.conversations(user=name),
    "erase": lambda log, name: log.erase(conversation=name, at=AT),
    "erase_turns": lambda log, name: log.erase_turns(name, 1, AT),
    "facts": lambda log, name: log.facts(user=name, conversation=name, superseded=True),
    "keep": lambda log, _: log.keep(),
    "kept": lambda log, name: log.kept(name),
    "load": lambda log, name: log.load(name),
    "open": lambda log, name: log.open(opening(name, "Mine", user="thief", key="k1")),
    "read": lambda log, name: log.read(name),
    "read_turns": lambda log, name: log.read_turns(name, [0, 1, 2]),
    "release": lambda log, name: log.release(name, 2, Claim("owner", 1)),
    "renew": lambda log, name: log.renew(name, Claim("owner", SECOND)),
    "search": lambda log, name: log.search(name, ["secret"], before=99),
    "start": lambda log, name: log.start(name, "thief", AT),
}
"""Every method of `Log` that takes an id, tried with one that another tenant has."""

FOUND_NOTHING = {
    "conversations": (),
    "facts": (),
    "keep": None,
    "kept": None,
    "load": (),
    "open": Opened(1, "new", 2),
    "read": (),
    "read_turns": (),
    "renew": (),
    "search": {"secret": ()},
    "start": 1,
}
"""What they give where there is nothing; the others refuse, or give a receipt that counts nothing."""

NAMES = (
    "c1",
    "a/b",
    "../../etc/passwd",
    "' OR 1=1 --",
    'x"; DROP TABLE events',
    "%",
    "_",
    "a\0",
    "\\",
    "\ud800",
    "é",
)
"""Ids that would be something else to a path, a pattern, a statement or a careless encoding."""


async def everything(log: Log, name: str) -> tuple[object, ...]:
    """All that a tenant can read of a conversation."""
    return (
        await log.read(name),
        await log.load(name),
        await log.facts(user=name, conversation=name, superseded=True),
        await log.conversations(),
        await log.search(name, ["secret"], before=99),
        await log.kept(name),
    )


class TenantRules(Story):
    """One store, several tenants.

    Attributes:
        durable: whether the store outlives its log.
    """

    durable: bool = True

    def test_every_method_is_tried(self) -> None:
        """A method that is added to `Log` is added to what another tenant tries."""
        methods = {name for name in vars(Log) if not name.startswith("_")}
        assert TRIED.keys() == methods - {"url", "close"}

    @story
    async def test_no_method_reaches_another_tenants_things(self, log: Log) -> None:
        """It finds nothing, or is refused as if there were nothing, and changes nothing, whatever the ids are."""
        for name in NAMES:
            await say(log, "the secret word", conversation=name, user=name)
            await log.append(name, 1, [learned(fact("city", "Oslo", conversation=name))], AT)
            await log.open(opening(name, "another secret", user=name, key="k1"))
            await log.claim(name, 2, Claim("owner", 60 * SECOND))
        for method, attempt in TRIED.items():
            async with self.open_log(f"tenant of {method}") as other:
                for name in NAMES:
                    before = await everything(log, name)
                    found: object = FOUND_NOTHING.get(method)
                    with contextlib.suppress(TurnNotOpen):
                        found = await attempt(other, name)
                    if method in FOUND_NOTHING:
                        assert found == FOUND_NOTHING[method], (method, name)
                    elif isinstance(found, Receipt):
                        assert (found.conversations, found.events, found.facts) == (0, 0, 0)
                    else:
                        assert found is None, (method, name)
                    assert await everything(log, name) == before, (method, name)
        for name in NAMES:
            assert await log.renew(name, Claim("owner", SECOND)) == (2,)

    @story
    async def test_a_tenant_and_an_id_are_not_run_together(self, log: Log) -> None:
        """Where one of them ends and the other begins is no matter of separators."""
        pairs = [
            ("a", "b/c"),
            ("a/b", "c"),
            ("a\0", "b"),
            ("a", "\0b"),
            ("a:", "b"),
            ("a", ":b"),
            ("", "ab"),
            ("ab", ""),
        ]
        for tenant, name in pairs:
            async with self.open_log(tenant) as other:
                await say(other, f"of {tenant!r}", conversation=name)
        for tenant, _ in pairs:
            async with self.open_log(tenant) as other:
                listed = [info.conversation for info in await other.conversations()]
                expected = [name for owner, name in pairs if owner == tenant] if self.durable else []
                assert sorted(listed) == sorted(expected)
        assert await log.conversations() == ()

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
