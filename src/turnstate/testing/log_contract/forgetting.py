"""The contract of forgetting: what is erased is gone and stays gone, and what is exported comes back as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from turnstate.core.events import Erased, Event, Span, StateChanged, ToolReturned
from turnstate.core.history import Snapshot, fold
from turnstate.core.messages import tool_return
from turnstate.errors import ConversationErased, ConversationExists, TurnNotOpen
from turnstate.ports import Claim, Log
from turnstate.testing.log_contract.story import (
    AT,
    SECOND,
    Story,
    closed,
    fact,
    failed,
    learned,
    opening,
    responded,
    say,
    story,
    summary,
)

ANN = Claim("ann", 60_000_000)


async def tell(log: Log, conversation: str, turns: int, *, user: str | None = "ann") -> None:
    """Some turns, each with a fact, a large result and a key."""
    for number in range(1, turns + 1):
        asked = opening(conversation, f"order {number}", user=user, key=f"k{number}", at=AT + number * SECOND)
        opened = await log.open(replace(asked, claim=ANN))
        taught = fact("size", f"{conversation}-{number}", conversation=conversation, at=AT + number * SECOND)
        large = tool_return("look", "x" * 5_000, "t1", AT)
        events: list[Event] = [responded(f"Order {number}."), ToolReturned("call-1", large)]
        events += [learned(taught), closed()]
        at = AT + number * SECOND + 1
        await log.append(conversation, opened.turn, events, at, token=opened.token)


async def known(log: Log, conversation: str = "c1") -> list[str]:
    """The values of the user's facts in force."""
    return [str(known.value) for known in await log.facts(user="ann", conversation=conversation)]


class ForgettingRules(Story):
    """Erasing, retention, exporting and importing."""

    @story
    async def test_an_erased_conversation_is_gone_from_every_read(self, log: Log) -> None:
        """With what it taught; others keep what they have, and the receipt counts."""
        await tell(log, "c1", 2)
        await tell(log, "c2", 1)
        receipt = await log.erase(conversation="c1", at=AT + 100)
        assert (receipt.scope, receipt.conversations, receipt.turns, receipt.events) == (
            "conversation",
            1,
            2,
            11,
        )
        assert (receipt.facts, receipt.at) == (2, AT + 100)
        assert any("backups" in what for what in receipt.unreachable)
        assert await log.load("c1") == await log.read("c1") == await log.read_turns("c1", [1, 2]) == ()
        assert await log.search("c1", ["order"], before=9) == {"order": ()}
        assert await log.kept("c1") is None
        assert [info.conversation for info in await log.conversations()] == ["c2"]
        assert await known(log) == ["c2-1"]
        assert (await log.search("c2", ["order"], before=9))["order"] == (1,)

    @story
    async def test_late_writes_do_not_bring_an_erased_conversation_back(self, log: Log) -> None:
        """Neither a running turn's nor a new one; it is named, so that the caller knows."""
        opened = await log.open(replace(opening(user="ann", key="k"), claim=ANN))
        await log.erase(conversation="c1", at=AT)
        late = [
            log.append(
                "c1", 1, [responded(), learned(fact("size", "late")), closed()], AT, token=opened.token
            ),
            log.append("c1", 1, [failed()], AT),
            log.append("c1", 0, [learned(fact("size", "late"))], AT),
            log.open(opening(user="ann", key="k")),
            log.open(opening()),
            log.start("c1", "ann", AT),
            log.claim("c1", 1, ANN),
            log.claim("c1", 0, ANN),
        ]
        for write in late:
            with pytest.raises(ConversationErased) as erased:
                await write
            assert erased.value.conversation == "c1"
        assert await log.renew("c1", ANN) == ()
        await log.release("c1", 1, ANN)
        assert await log.read("c1") == ()
        assert await known(log) == []

    @story
    async def test_erasing_what_is_not_there_counts_nothing(self, log: Log) -> None:
        """Never there, or gone already."""
        await tell(log, "c1", 1)
        first = await log.erase(conversation="c1", at=AT)
        for name in ("c1", "unknown"):
            again = await log.erase(conversation=name, at=AT)
            assert (again.conversations, again.turns, again.events, again.facts, again.blobs) == (
                0,
                0,
                0,
                0,
                0,
            )
            assert again.id != first.id
        await log.open(opening("unknown"))

    @story
    async def test_erasing_a_user_takes_all_that_is_theirs(self, log: Log) -> None:
        """Every conversation and fact; nobody else's. The user may come back as somebody new."""
        await tell(log, "c1", 1)
        await tell(log, "c2", 2)
        await tell(log, "c3", 1, user="bob")
        await tell(log, "c4", 1, user=None)
        receipt = await log.erase(user="ann", at=AT)
        assert (receipt.scope, receipt.conversations, receipt.turns, receipt.facts) == ("user", 2, 3, 3)
        assert sorted(info.conversation for info in await log.conversations()) == ["c3", "c4"]
        assert await log.facts(user="ann", conversation="c1", superseded=True) == ()
        assert len(await log.facts(user="bob", conversation="c3")) == 1
        for name in ("c1", "c2"):
            with pytest.raises(ConversationErased):
                await log.start(name, "ann", AT)
        await tell(log, "c5", 1)
        assert await known(log) == ["c5-1"]

    @story
    async def test_what_an_erased_fact_had_superseded_stands_again(self, log: Log) -> None:
        """It was said in a conversation that is still there."""
        await tell(log, "c1", 1)
        await tell(log, "c2", 1)
        before = await known(log)
        await log.erase(conversation="c2", at=AT)
        assert await known(log) == ["c1-1"]
        assert before == ["c2-1"]

    @story
    async def test_old_turns_go_whole_and_their_numbers_stay_used(self, log: Log) -> None:
        """With what they taught and what was summarised of them; the newest values of states stay."""
        await tell(log, "c1", 4)
        change = StateChanged("Memory", 1, "rules", {"set": 1}, {"size": 1})
        opened = await log.open(opening(user="ann"))
        await log.append("c1", opened.turn, [change, responded("Five."), closed()], AT)
        await log.append("c1", 0, [summary(1, 3)], AT)
        receipt = await log.erase_turns("c1", 3, AT + 7)
        assert (receipt.scope, receipt.turns, receipt.facts) == ("retention", 3, 3)
        events = await log.read("c1")
        assert sorted({found.turn for found in events}) == [0, 4, 5]
        assert events[-1].event == Erased("retention", Span(1, 3), receipt.id, events[-1].event.unreachable)  # type: ignore[union-attr]
        assert await log.search("c1", ["order"], before=9) == {"order": (4,)}
        history = fold(await log.load("c1"))
        assert [turn.number for turn in history.turns] == [4, 5]
        assert (history.summaries, [held.name for held in history.states]) == ((), ["Memory"])
        assert (await log.open(opening(user="ann", key="k1"))).turn == 6
        assert await known(log) == ["c1-4"]
        kept = await log.erase_turns("c1", 5, AT)
        assert kept.turns == 2
        assert [held.name for held in fold(await log.load("c1")).states] == ["Memory"]

    @story
    async def test_a_turn_that_has_not_ended_keeps_what_came_before_it(self, log: Log) -> None:
        """Nothing is deleted of a span with an open turn in it."""
        await say(log, "one")
        opened = await log.open(opening(text="two"))
        with pytest.raises(TurnNotOpen) as caught:
            await log.erase_turns("c1", 2, AT)
        assert (caught.value.turn, caught.value.state) == (opened.turn, "open")
        assert (await log.erase_turns("c1", 1, AT)).turns == 1
        assert (await log.erase_turns("c1", 1, AT)).events == 0
        assert (await log.erase_turns("unknown", 1, AT)).events == 0

    @story
    async def test_a_kept_conversation_is_put_back_as_it_was(self, log: Log) -> None:
        """Under its tenant it is there already; under another it is the same, with its keys, words and facts."""
        await tell(log, "c1", 3)
        await tell(log, "c2", 1)
        opened = await log.open(opening(user="ann", key="open"))
        await log.append("c1", opened.turn, [responded()], AT, snapshot=Snapshot(3, (1, 2)))
        kept = [one for name in ("c1", "c2") if (one := await log.kept(name))]
        with pytest.raises(ConversationExists):
            await log.keep(replace(kept[0], conversation="c3"), kept[1])
        assert await log.kept("c3") is None
        async with self.open_log("another") as other:
            await other.keep(*kept)
            assert [await other.kept(name) for name in ("c1", "c2")] == kept
            assert await other.read("c1") == await log.read("c1")
            assert await other.load("c1") == await log.load("c1")
            assert await known(other) == await known(log)
            assert (await other.search("c1", ["order"], before=9))["order"] == (1, 2, 3)
            assert (await other.open(opening(text="order 2", user="ann", key="k2"))).state == "closed"
            assert (await other.claim("c1", 4, ANN)).token
            await other.append("c1", 4, [closed()], AT)

    @story
    async def test_what_was_erased_here_is_not_put_back(self, log: Log) -> None:
        """An old export does not undo it."""
        await tell(log, "c1", 1)
        kept = await log.kept("c1")
        assert kept is not None
        await log.erase(conversation="c1", at=AT)
        with pytest.raises(ConversationErased):
            await log.keep(kept)
        assert await known(log) == []
