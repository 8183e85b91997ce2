"""The cache reads what a request repeats from its beginning, in whole blocks, and writes the rest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.counting import size_head, size_messages
from turnstate.core.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    UserPromptPart,
    moment,
    text_response,
    tool_return,
    user_message,
)
from turnstate.replay.prefix import LEAST, Billing, PromptCache

LONG = "words and more words " * 300


def _tokens(messages: list[ModelMessage], instructions: str = LONG, tools: str = "") -> int:
    return (size_head(instructions, tools) + size_messages(messages)).estimate


def _growing(turns: int) -> list[list[ModelMessage]]:
    requests: list[list[ModelMessage]] = []
    messages: list[ModelMessage] = []
    for number in range(turns):
        messages = [*messages, user_message(f"question {number}", number)]
        requests.append(messages)
        messages = [*messages, text_response(f"answer {number}", number)]
    return requests


def test_a_request_that_goes_on_reads_all_of_the_one_before() -> None:
    """The first one is written; after that only what is new."""
    cache = PromptCache(LONG, "")
    requests = _growing(4)
    sizes = [_tokens(request) for request in requests]
    billed = [cache.send(request, size) for request, size in zip(requests, sizes, strict=True)]
    assert billed[0] == Billing(0, 0, sizes[0])
    for before, size, billing in zip(sizes, sizes[1:], billed[1:], strict=False):
        assert billing == Billing(0, before, size - before)


def test_a_change_at_the_beginning_is_written_anew() -> None:
    """Only the instructions before it are read: a cut is paid for once."""
    cache = PromptCache(LONG, "[]")
    request = _growing(6)[-1]
    cache.send(request, _tokens(request, tools="[]"))
    cut = [user_message("a summary", 0), *request[1:]]
    billing = cache.send(cut, _tokens(cut, tools="[]"))
    assert billing.read == _tokens([], tools="[]")
    assert billing.written == size_messages(cut).estimate


def test_a_change_inside_a_message_keeps_the_blocks_before_it() -> None:
    """Caching is by block, not by message: what joins a message at its end leaves its beginning in the cache."""
    cache = PromptCache(LONG, "")
    first = UserPromptPart("one", timestamp=moment(0))
    alone: list[ModelMessage] = [ModelRequest(parts=[first])]
    joined: list[ModelMessage] = [ModelRequest(parts=[first, UserPromptPart("two", timestamp=moment(0))])]
    cache.send(alone, _tokens(alone))
    assert cache.send(joined, _tokens(joined)).read == _tokens(alone)


def test_a_short_request_is_not_cached() -> None:
    """Nothing is read or written under the least that providers cache."""
    cache = PromptCache("Be brief.", "")
    for request in _growing(3):
        assert cache.send(request, _tokens(request, "Be brief.")).plain == _tokens(request, "Be brief.")


def test_a_short_prefix_is_not_read() -> None:
    """A long request that repeats only a little is written whole."""
    cache = PromptCache("Be brief.", "")
    for number in range(2):
        request: list[ModelMessage] = [user_message(f"{number} {LONG}", 0)]
        assert cache.send(request, 2_000) == Billing(0, 0, 2_000)
    assert LEAST < 2_000


def test_times_do_not_count() -> None:
    """They are not sent, so equal contents with other times are the same bytes."""
    cache = PromptCache(LONG, "")
    first: list[ModelMessage] = [user_message("hi", 1), text_response("yes", 2), user_message("so?", 3)]
    again: list[ModelMessage] = [user_message("hi", 9), text_response("yes", 9), user_message("so?", 9)]
    cache.send(first, _tokens(first))
    assert cache.send(again, _tokens(again)).written == 0


def test_everything_else_that_is_sent_counts() -> None:
    """Arguments, ids, results and the bytes of files."""

    def request(
        args: str = "{}", call_id: str = "a", result: str = "ok", data: bytes = b"x"
    ) -> list[ModelMessage]:
        image = BinaryContent(data, media_type="image/png")
        return [
            user_message(["see", image], 0),
            ModelResponse(parts=[ToolCallPart("get", args, call_id)], timestamp=moment(0)),
            ModelRequest(parts=[tool_return("get", result, call_id, 0)]),
        ]

    others = [request('{"n": 1}'), request(call_id="b"), request(result="no"), request(data=b"y")]
    for other in others:
        cache = PromptCache(LONG, "")
        cache.send(request(), _tokens(request()))
        assert cache.send(other, _tokens(other)).written > 0


@given(
    texts=st.lists(st.text(max_size=40), min_size=1, max_size=8),
    cut=st.integers(0, 8),
    tokens=st.integers(0, 5_000),
)
def test_a_bill_is_the_request(texts: list[str], cut: int, tokens: int) -> None:
    """Plain, read and written tokens are the whole request, whatever was sent before it."""
    cache = PromptCache(LONG, "")
    requests = [[user_message(text, 0) for text in texts], [user_message(text, 0) for text in texts[cut:]]]
    for request in requests:
        billing = cache.send(request, tokens)
        assert sum(billing) == tokens
        assert min(billing) >= 0
