"""What scripts are made of."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from turnstate.testing.anthropic import Call, Fault, MessagesRequest, Reply, Say, Think, echo, in_order


def request(**body: Any) -> MessagesRequest:
    """An accepted request with these parameters."""
    return MessagesRequest({"model": "m", "max_tokens": 1, "messages": [], **body}, tokens=1)


def test_a_request_reads_as_a_script_needs_it(body: dict[str, Any]) -> None:
    """Model, system, tools, the newest text and results, without digging in the JSON."""
    asked = request(**body)
    assert (asked.model, asked.system, asked.tools) == ("claude-haiku-4-5", "Be kind.", ("get_order",))
    assert (asked.prompt, asked.results, asked.stream) == ("Thanks! And order 2?", {}, False)
    assert len(asked.messages) == 5
    answered = request(**{**body, "messages": body["messages"][:3], "stream": True})
    assert (answered.prompt, answered.results, answered.stream) == ("", {"toolu_a": "shipped"}, True)


def test_blocks_read_as_text() -> None:
    """Several text blocks are joined with a blank line; other blocks say nothing."""
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": "One."},
        {"type": "image", "source": {}},
        {"type": "text", "text": "Two."},
    ]
    asked = request(system=blocks, messages=[{"role": "user", "content": blocks}])
    assert (asked.system, asked.prompt) == ("One.\n\nTwo.", "One.\n\nTwo.")


PICTURE: dict[str, Any] = {"role": "user", "content": [{"type": "image", "source": {}}]}


@pytest.mark.parametrize(
    ("parameters", "reply"),
    [
        ({"messages": [{"role": "user", "content": "Hi"}]}, Reply.of("Hi")),
        ({"messages": [PICTURE]}, Reply.of("(no text)")),
        ({"tools": [{"name": "a"}, {"name": "b"}], "tool_choice": {"type": "any"}}, Reply.of(Call("a", {}))),
        ({"tools": [{"name": "a"}], "tool_choice": {"type": "tool", "name": "a"}}, Reply.of(Call("a", {}))),
    ],
)
def test_the_echo_says_what_it_heard(parameters: dict[str, Any], reply: Reply) -> None:
    """It repeats the text, and calls a tool only where it must."""
    assert echo(request(**parameters)) == reply


def test_the_echo_repeats_tool_results(body: dict[str, Any]) -> None:
    """After a call the newest message is its result."""
    assert echo(request(**{**body, "messages": body["messages"][:3]})) == Reply.of("shipped")


def test_a_string_is_something_said() -> None:
    """Text needs no wrapping."""
    assert Reply.of("Hi", Think("hm")).parts == (Say("Hi"), Think("hm"))


def test_answers_come_in_order_and_end() -> None:
    """After the last answer there is a fault, in every thread exactly one answer each."""
    script = in_order(*(Reply.of(str(number)) for number in range(20)))
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(script, [request()] * 20))
    assert {reply.parts for reply in replies if isinstance(reply, Reply)} == {
        (Say(str(n)),) for n in range(20)
    }
    spent = script(request())
    assert isinstance(spent, Fault)
    assert (spent.status, spent.message) == (500, "The script has 20 answers and all of them were given.")
