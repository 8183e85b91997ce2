"""The contract of searching: the turns in which a word was said, and the events of some turns."""

from __future__ import annotations

import pytest

from turnstate.core.events import Event, ToolReturned
from turnstate.core.messages import tool_return
from turnstate.core.search import words
from turnstate.ports import SEARCHED, Log
from turnstate.testing.log_contract.story import (
    AT,
    Story,
    closed,
    failed,
    opening,
    reopened,
    responded,
    say,
    story,
    summary,
    unwritable,
)


class SearchRules(Story):
    """What is found in a log."""

    @story
    async def test_a_word_is_found_in_the_turns_that_said_it(self, log: Log) -> None:
        """By the user, by the model or by a tool, from the first turn on to the one before `before`."""
        await say(log, "My order is late")
        await say(log, "Nothing else")
        opened = await log.open(opening(text="Look it up"))
        found = ToolReturned("call-1", tool_return("look", {"order": "ORD-77", "state": "lost"}, "t1", AT))
        await log.append("c1", opened.turn, [responded(""), found, responded("It got lost"), closed()], AT)
        asked = [*words("order lost absent ORD-77 look"), "said"]
        got = await log.search("c1", asked, before=9)
        assert {word: got[word] for word in asked} == dict(got)
        assert (got["order"], got["lost"], got["absent"], got["ord-77"]) == ((1, 3), (3,), (), (3,))
        assert (got["look"], got["said"]) == ((3,), (1, 2))
        assert (await log.search("c1", ["order"], before=3))["order"] == (1,)
        assert (await log.search("c1", ["order"], before=1))["order"] == ()
        assert (await log.search("c1", ["order"], before=-(10**30)))["order"] == ()
        assert (await log.search("c1", ["order"], before=10**30))["order"] == (1, 3)
        assert await log.search("c1", [], before=9) == {}

    @story
    async def test_the_newest_turns_of_a_word_are_enough(self, log: Log) -> None:
        """As many as are asked for, in order; fewer where there are no more."""
        for number in range(1, 8):
            await say(log, f"The parcel, once more, and the parcel {'lost' if number == 2 else ''}")
        got = await log.search("c1", ["parcel", "lost"], before=7, most=3)
        assert dict(got) == {"parcel": (4, 5, 6), "lost": (2,)}
        assert await log.search("c1", ["parcel"], before=99, most=0) == {"parcel": ()}
        assert (await log.search("c1", ["parcel"], before=99, most=99))["parcel"] == (1, 2, 3, 4, 5, 6, 7)

    @story
    async def test_a_word_is_not_folded_and_not_part_of_another(self, log: Log) -> None:
        """What is looked for has been made a search word before; any other text is in no turn."""
        await say(log, "The painter paints on Monday-ish days, a_b, 5.5 and ein Stück")
        strange = [
            "Monday",
            "paint er",
            "",
            '"',
            "* OR monday",
            "NOT",
            "\0",
            "\ud800",
            "monday*",
            "said:paint",
            "mon",
        ]
        assert await log.search("c1", strange, before=9) == dict.fromkeys(strange, ())
        for word in words("painter Monday-ish days a_b 5.5 Stück"):
            assert (await log.search("c1", [word], before=9))[word] == (1,)

    @story
    async def test_every_script_is_found(self, log: Log) -> None:
        """Unspaced ones by their pairs of signs; whatever can be said can be looked for."""
        texts = (
            "我的订单号是四十二",
            "ฉันต้องการคืนเงิน",
            "Заказ не пришёл",
            "لم يصل طلبي",
            "🙂 \ud800\0 mixed 订单42",
            "İstanbul ẞ",
        )
        for text in texts:
            await say(log, text)
        for turn, text in enumerate(texts, start=1):
            got = await log.search("c1", words(text), before=99)
            assert all(turn in turns for turns in got.values())

    @story
    async def test_only_the_conversation_is_searched(self, log: Log) -> None:
        """Not another one, of whatever number of turns."""
        for number in range(3):
            await say(log, f"apple {number}", conversation="c1")
            await say(log, f"pear {number}", conversation="c2")
        both = await log.search("c2", ["apple", "pear"], before=9)
        assert both == {"apple": (), "pear": (1, 2, 3)}
        assert await log.search("c3", ["apple"], before=9) == {"apple": ()}
        assert {event.conversation for event in await log.read_turns("c2", [1, 2])} == {"c2"}
        assert await log.read_turns("c3", [1]) == ()

    @story
    async def test_what_was_refused_is_not_found(self, log: Log) -> None:
        """The words are part of the same transaction as the events."""
        opened = await log.open(opening())
        events: list[Event] = [responded("zebra"), unwritable()]
        with pytest.raises(Exception, match="cannot be written"):
            await log.append("c1", opened.turn, events, AT)
        await log.append("c1", opened.turn, [closed()], AT)
        with pytest.raises(Exception, match="closed"):
            await log.append("c1", opened.turn, [responded("zebra")], AT)
        assert await log.search("c1", ["zebra"], before=9) == {"zebra": ()}

    @story
    async def test_a_turn_that_was_taken_up_again_is_found_once(self, log: Log) -> None:
        """And so is a reply that no response had, which only the close has."""
        opened = await log.open(opening(text="Where is my parcel"))
        await log.append("c1", opened.turn, [failed()], AT)
        again = [reopened("Where is my parcel"), closed("A colleague will write to you")]
        await log.append("c1", opened.turn, again, AT)
        got = await log.search("c1", [*words("parcel colleague")], before=9)
        assert set(got.values()) == {(1,)}

    @story
    async def test_what_no_one_said_is_not_found(self, log: Log) -> None:
        """A summary says again what was said."""
        await say(log, "Good morning")
        await log.append("c1", 1, [summary()], AT)
        await log.append("c1", 0, [summary()], AT)
        got = await log.search("c1", words("extractive hello digest scripted"), before=9)
        assert set(got.values()) == {()}

    @story
    async def test_a_huge_text_is_found_by_its_beginning(self, log: Log) -> None:
        """And costs no more."""
        await say(log, "first " + "filler " * (SEARCHED // 7) + " last")
        assert await log.search("c1", ["first", "last"], before=9) == {"first": (1,), "last": ()}

    @story
    async def test_turns_are_read_by_their_numbers(self, log: Log) -> None:
        """In the log's order, each once, with what came late; those that are not there have no events."""
        for number in range(4):
            await say(log, f"message {number}")
        await log.append("c1", 2, [summary()], AT)
        everything = await log.read("c1")
        for asked in ([2], [3, 1], [4, 4, 99, -1, 10**30], [], [0, 2]):
            wanted = tuple(event for event in everything if event.turn in asked)
            assert await log.read_turns("c1", asked) == wanted
