"""The contract of texts: any id, any character, any binary comes back as it went in, and ids never meet."""

from __future__ import annotations

import os

import pytest

from turnstate.core.events import (
    Count,
    Cut,
    Event,
    ModelResponded,
    RequestTrace,
    StateChanged,
    ToolReturned,
    TurnFailed,
    TurnOpened,
)
from turnstate.core.facts import Fact, Source
from turnstate.core.messages import (
    BinaryContent,
    ModelResponse,
    ToolCallPart,
    moment,
    tool_return,
    user_message,
)
from turnstate.errors import KeyConflict
from turnstate.ports import Log, Opening
from turnstate.testing.log_contract.story import AT, Story, closed, learned, opening, say, story

IDS = (
    "../../etc/passwd",
    "..\\..\\boot.ini",
    "/abs/olute",
    "a/b",
    "%2e%2e%2f",
    "'; DROP TABLE events; --",
    '" OR 1=1 --',
    "%",
    "_",
    "*",
    "x" * 512,
    "x" * 511 + "y",
    "😀" * 512,
    " ",
    "  ",
    "\t",
    "line\nbreak",
    "a\0b",
    "a",
    "a\0",
    "\0",
    "\\0000",
    "\\",
    "\ud800",
    "\udfff",
    "\\d800",
    "\ud83d\ude00",
    "😀",
    "é",
    "e\u0301",
    "É",
    "straße",
    "strasse",
    "ａ",
    "\u202eabc",
    "\ufeffabc",
    "null",
    "None",
    "0",
    "00",
)
"""Ids that a path, a statement, a pattern, a driver or a normal form would trip over; all different."""

TEXTS = (
    "what's the \0 weather",
    "half \ud83d and half \ude00, and joined \ud83d\ude00",
    "😀 \u202ebidi\u202c \u2028\u2029 \x1b[31m \x7f\x80 \uffff 𝔘",
    '{"kind":"binary","data":"AAAA"}',
    '{"escaped":"x"} \\ud800 \\\\ "',
    "日本語 العربية עברית हिन्दी ไทย",
)
"""What users and tools may say."""


class TextRules(Story):
    """What strings and binaries go through."""

    @story
    async def test_any_string_is_a_conversation(self, log: Log) -> None:
        """Two different strings are two conversations, to the last byte and normal form."""
        for number, conversation in enumerate(IDS):
            await log.open(opening(conversation, f"message {number}", at=AT + number))
        for number, conversation in enumerate(IDS):
            events = await log.read(conversation)
            assert events == await log.load(conversation)
            assert [event.conversation for event in events] == [conversation] * 2
            first = events[1].event
            assert isinstance(first, TurnOpened)
            assert first.digest == f"digest of message {number}"
        listed = [info.conversation for info in await log.conversations(limit=1_000)]
        assert listed == list(reversed(IDS))

    @story
    async def test_any_string_is_a_user(self, log: Log) -> None:
        """Whose facts and conversations are nobody else's."""
        for number, user in enumerate(IDS):
            conversation = f"c{number}"
            await say(log, conversation=conversation, user=user)
            said = Fact("city", f"{number}", Source.APP, "", 0, 0, conversation, 0, AT, None)
            await log.append(conversation, 1, [learned(said)], AT)
        for number, user in enumerate(IDS):
            (info,) = await log.conversations(user=user)
            assert (info.conversation, info.user) == (f"c{number}", user)
            assert [one.value for one in await log.facts(user=user, conversation="c0")] == [f"{number}"]

    @story
    async def test_any_string_is_a_key(self, log: Log) -> None:
        """Of one message in one turn."""
        for number, key in enumerate(IDS, start=1):
            assert (await log.open(opening(text=f"message {number}", key=key))).turn == number
        for number, key in enumerate(IDS, start=1):
            assert (await log.open(opening(text=f"message {number}", key=key))).turn == number
            with pytest.raises(KeyConflict) as caught:
                await log.open(opening(text="Another", key=key))
            assert (caught.value.key, caught.value.turn) == (key, number)

    @story
    async def test_any_text_comes_back_as_it_was_said(self, log: Log) -> None:
        """From users, models, tools, states and facts."""
        for number, text in enumerate(TEXTS, start=1):
            conversation = f"c{number}"
            await log.open(Opening(conversation, None, None, text, user_message(["see", text], AT), AT))
            facts = learned(Fact(text, text, Source.USER_QUOTE, text, 0, 9, conversation, 1, AT, None, text))
            events = [*_events_saying(text), closed(text), facts]
            await log.append(conversation, 1, events, AT)
            found = [event.event for event in await log.read(conversation)]
            assert found[1:] == [TurnOpened(None, text, user_message(["see", text], AT)), *events]
            assert await log.facts(user=None, conversation=conversation) == facts.facts

    @story
    async def test_a_message_may_be_very_long(self, log: Log) -> None:
        """A pasted file of megabytes does not end the conversation."""
        text = "word \0 😀 " * 300_000
        await log.open(opening(text=text))
        await log.append("c1", 1, [closed(text)], AT)
        _, first, last = await log.read("c1")
        assert first.event == TurnOpened(None, f"digest of {text}", user_message(text, AT))
        assert last.event == closed(text)

    @story
    async def test_binaries_come_back_as_they_were_sent(self, log: Log) -> None:
        """Small and large, in messages and results, in one conversation and in another."""
        small, large = b"\0\xff" * 8, os.urandom(60_000)
        for conversation in ("c1", "c2"):
            files = [BinaryContent(data, media_type="application/pdf") for data in (small, large, large)]
            message = user_message(["Two files", *files], AT)
            await log.open(Opening(conversation, None, None, "digest", message, AT))
            result = tool_return("scan", {"pages": [{"scan": files[1]}, None]}, "t1", AT)
            await log.append(conversation, 1, [ToolReturned("call-1", result)], AT)
            events = await log.read(conversation)
            assert events == await log.load(conversation)
            assert events[1].event == TurnOpened(None, "digest", message)
            assert events[2].event == ToolReturned("call-1", result)


def _events_saying(text: str) -> list[Event]:
    data = {text: [text, {"nested": text}, 1, 1.5, True, None], "": text}
    response = ModelResponse(parts=[ToolCallPart("look", data, text)], timestamp=moment(AT))
    return [
        ModelResponded(
            text, response, RequestTrace(1, Count(1, 2), 9, Cut(facts=text * 20), text, notes=(text,))
        ),
        ToolReturned(text, tool_return("look", data, text, AT)),
        StateChanged(text, 1, text, data, data),
        TurnFailed(text, text, retry=True, released=text),
        TurnOpened(None, text, user_message(text, AT)),
    ]
