"""The contract of facts: whose they are, what is remembered twice, taken back or forgotten, and when it shows."""

from __future__ import annotations

import pytest

from turnstate.core.events import FactsLearned
from turnstate.core.facts import Fact, Source
from turnstate.errors import EventEncodeError, TurnNotOpen
from turnstate.ports import Log
from turnstate.testing.log_contract.story import (
    AT,
    SECOND,
    Story,
    closed,
    fact,
    failed,
    learned,
    opening,
    say,
    story,
    unwritable,
    verified,
)


class FactRules(Story):
    """The projection of what the log's events taught."""

    @story
    async def test_a_users_facts_are_shared_by_their_conversations(self, log: Log) -> None:
        """And stand in the order in which they were learned, whatever their times and places."""
        for conversation in ("c1", "c2"):
            await say(log, conversation=conversation, user="ann")
        city = fact("city", "Oslo")
        nuts = fact("allergies", "nuts", conversation="c2", at=AT - SECOND, many=True)
        milk = fact("allergies", "milk", at=AT + SECOND, many=True)
        await log.append("c1", 1, [learned(city)], AT)
        await log.append("c2", 1, [learned(nuts)], AT)
        await log.append("c1", 1, [learned(milk)], AT)
        for conversation in ("c1", "c2", "never seen"):
            assert await log.facts(user="ann", conversation=conversation) == (city, nuts, milk)

    @story
    async def test_a_fact_shows_as_soon_as_it_is_recorded(self, log: Log) -> None:
        """Nothing stands between the log and the projection."""
        await say(log, user="ann")
        for number in range(5):
            await log.append("c1", 1, [learned(fact("allergies", f"thing {number}", many=True))], AT)
            assert len(await log.facts(user="ann", conversation="c1")) == number + 1

    @story
    async def test_users_know_nothing_of_each_other(self, log: Log) -> None:
        """Nor do conversations without a user, of each other or of a user with their name."""
        for conversation, user in [("c1", "ann"), ("c2", "bob"), ("c3", None), ("ann", None), ("x", "c3")]:
            await say(log, conversation=conversation, user=user)
            said = fact("city", f"city of {conversation}", conversation=conversation)
            await log.append(conversation, 1, [learned(said)], AT)

        async def cities(user: str | None, conversation: str) -> list[object]:
            return [found.value for found in await log.facts(user=user, conversation=conversation)]

        assert await cities("ann", "c1") == ["city of c1"]
        assert await cities("bob", "c1") == ["city of c2"]
        assert await cities("c3", "c3") == ["city of x"]
        assert await cities(None, "c3") == ["city of c3"]
        assert await cities(None, "ann") == ["city of ann"]
        assert await cities(None, "c1") == await cities("Ann", "c1") == await cities("", "c1") == []

    @story
    async def test_a_correction_supersedes_and_stays_on_record(self, log: Log) -> None:
        """Where a key has one value the newest is in force, where it has many they all are."""
        await say(log, user="ann")
        said = [
            fact("city", "Oslo", at=AT),
            nuts := fact("allergies", "nuts", at=AT + 1, many=True),
            fact("city", "Rome", at=AT + 2),
            milk := fact("allergies", "milk", at=AT + 3, many=True),
            oslo := fact("city", "Oslo", at=AT + 4),
        ]
        for some in (said[:2], said[2:3], said[3:]):
            await log.append("c1", 1, [learned(*some)], AT)
        assert await log.facts(user="ann", conversation="c1") == (nuts, milk, oslo)
        assert list(await log.facts(user="ann", conversation="c1", superseded=True)) == said

    @story
    async def test_what_was_said_earlier_and_read_later_supersedes_nothing(self, log: Log) -> None:
        """Extraction may lag behind; the time at which a thing was said is what counts."""
        await say(log, user="ann")
        new, old = fact("city", "Rome", at=AT + 1), fact("city", "Oslo", at=AT)
        await log.append("c1", 1, [learned(new)], AT)
        await log.append("c1", 1, [learned(old)], AT)
        assert await log.facts(user="ann", conversation="c1") == (new,)

    @story
    async def test_saying_the_same_twice_neither_doubles_nor_deletes_it(self, log: Log) -> None:
        """However it arrives: in one event, in two, or from another conversation."""
        for conversation in ("c1", "c2"):
            await say(log, conversation=conversation, user="ann")
        nuts, later = fact("allergies", "nuts", many=True), fact("allergies", "nuts", at=AT + 9, many=True)
        await log.append("c1", 1, [learned(nuts, nuts)], AT)
        await log.append("c1", 1, [learned(nuts)], AT)
        await log.append("c2", 1, [learned(nuts, later)], AT)
        assert await log.facts(user="ann", conversation="c1") == (nuts,)

    @story
    async def test_what_was_taken_back_is_in_force_no_more(self, log: Log) -> None:
        """What is said about it afterwards is; and all of it is still on record."""
        await say(log, user="ann")
        nuts, city = fact("allergies", "nuts", many=True), fact("city", "Oslo")
        forgotten = verified("allergies", "nuts", at=AT + 1, many=True, retracted=True)
        again = fact("allergies", "nuts", at=AT + 2, many=True)
        await log.append("c1", 1, [learned(nuts, city)], AT)
        await log.append("c1", 0, [learned(forgotten)], AT)
        assert await log.facts(user="ann", conversation="c1") == (city,)
        await log.append("c1", 1, [learned(again)], AT)
        assert await log.facts(user="ann", conversation="c1") == (city, again)
        everything = await log.facts(user="ann", conversation="c1", superseded=True)
        assert everything == (nuts, city, forgotten, again)

    @story
    async def test_a_user_does_not_supersede_what_the_application_said(self, log: Log) -> None:
        """Nor takes it back; their word stands behind it, for when it expires."""
        await say(log, user="ann")
        oslo, rome = verified("city", "Oslo"), fact("city", "Rome", at=AT + 1)
        disowned = fact("city", "Oslo", at=AT + 2, retracted=True)
        await log.append("c1", 1, [learned(oslo, rome)], AT)
        assert await log.facts(user="ann", conversation="c1") == (oslo, rome)
        await log.append("c1", 1, [learned(disowned)], AT)
        assert await log.facts(user="ann", conversation="c1") == (oslo,)

    @story
    async def test_expired_facts_are_left_to_the_reader(self, log: Log) -> None:
        """The store has no clock."""
        await say(log, user="ann")
        past = Fact("city", "Oslo", Source.USER_QUOTE, "Oslo", 0, 4, "c1", 1, AT, AT + 1, "Which city?")
        await log.append("c1", 1, [learned(past)], AT + 5 * SECOND)
        assert await log.facts(user="ann", conversation="c1") == (past,)

    @story
    async def test_an_extraction_that_found_nothing_or_failed_changes_nothing(self, log: Log) -> None:
        """It is on record all the same."""
        await say(log, user="ann")
        failure = FactsLearned("failed", "model", 1, problems=("The model did not answer.",), usage=(5, 0))
        await log.append("c1", 1, [learned(), failure], AT)
        assert await log.facts(user="ann", conversation="c1", superseded=True) == ()
        assert (await log.read("c1"))[-1].event == failure

    @story
    async def test_facts_come_with_their_events_or_not_at_all(self, log: Log) -> None:
        """What a refused append would have taught was not learned."""
        await log.open(opening(user="ann"))
        city = fact("city", "Oslo")
        with pytest.raises(EventEncodeError):
            await log.append("c1", 1, [learned(city), unwritable()], AT)
        with pytest.raises(TurnNotOpen):
            await log.append("c1", 1, [learned(city), failed(), closed()], AT)
        assert await log.facts(user="ann", conversation="c1", superseded=True) == ()

    @story
    async def test_facts_may_come_late_or_outside_any_turn(self, log: Log) -> None:
        """From settling behind a closed turn, or from the application."""
        await log.start("c1", "ann", AT)
        await log.append("c1", 0, [FactsLearned("learned", "app", 0, (verified("city", "Oslo"),))], AT)
        await say(log, user="ann")
        await log.append("c1", 1, [learned(fact("allergies", "nuts"))], AT)
        assert [one.value for one in await log.facts(user="ann", conversation="c1")] == ["Oslo", "nuts"]
