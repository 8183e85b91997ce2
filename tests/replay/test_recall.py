"""What was said can be found again, and what is brought back is counted."""

from __future__ import annotations

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.types import NeedRecall, Plan
from turnstate.core.events import Count, Cut
from turnstate.core.messages import ModelRequest, UserPromptPart, moment
from turnstate.readers.openai_chat import read_chat
from turnstate.replay.recall import Recollection, recalled_tokens

CALL = {"id": "a", "function": {"name": "find_hotel", "arguments": '{"town": "Whitby"}'}}
CHAT = [
    {"role": "user", "content": "I need a hotel in Whitby."},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "a", "content": '[{"name": "Seaview", "phone": "01947 555010"}]'},
    {"role": "assistant", "content": "The Seaview has a room."},
    {"role": "user", "content": "And is there a museum nearby?"},
    {"role": "assistant", "content": "The Captain Cook museum is open today."},
]
SMALL_TALK = [
    {"role": role, "content": f"{words} {number}"}
    for number in range(20)
    for role, words in (
        ("user", "the weather is fine today"),
        ("assistant", "yes it is, and so it will stay"),
    )
]


def _recollection() -> Recollection:
    found = Recollection()
    for turn in read_chat([*CHAT, *SMALL_TALK], 1, "c").turns:
        found.add(turn)
    return found


def test_what_a_tool_returned_is_found_too() -> None:
    """With its turn and speaker, in as many tokens as are allowed."""
    quotes = _recollection().quotes(NeedRecall("What was the phone number of the Seaview hotel?", 20, 200))
    assert any(
        "01947 555010" in quote.text and (quote.turn, quote.speaker) == (1, "tool") for quote in quotes
    )
    assert sum(estimate_text(quote.text) for quote in quotes) <= 200


def test_only_turns_before_the_view_are_searched() -> None:
    """What is in view needs no quote."""
    need = NeedRecall("Which museum is open, the Captain Cook museum?", 2, 200)
    assert {quote.turn for quote in _recollection().quotes(need)} <= {1}


def test_a_message_that_needs_nothing_gets_nothing() -> None:
    """Silence is what makes recall cheap."""
    assert _recollection().quotes(NeedRecall("Thank you!", 20, 200)) == ()


def test_what_is_brought_back_is_counted() -> None:
    """The block beside the newest message, and nothing else."""
    text = '<recalled note="said earlier">\nturn 1 user: hello\n</recalled>'
    parts = [UserPromptPart(words, timestamp=moment(0)) for words in (text, "What was it?")]
    plan = Plan((ModelRequest(parts=parts),), Cut(), Count(1, 1), recalled=(1,))
    assert recalled_tokens(plan) == estimate_text(text)
    assert recalled_tokens(Plan(plan.messages, Cut(), Count(1, 1))) == 0
