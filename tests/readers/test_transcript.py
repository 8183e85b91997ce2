"""What a transcript says of itself."""

from __future__ import annotations

from turnstate.readers.openai_chat import read_chat


def test_responses_are_counted_over_all_turns() -> None:
    """Each is one request of a replay."""
    messages = [
        {"role": "assistant", "content": "Welcome"},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "assistant", "content": "c"},
        {"role": "user", "content": "d"},
        {"role": "assistant", "content": "e"},
        {"role": "user", "content": "f"},
    ]
    assert read_chat(messages, 1, "x").responses == 3
