"""The cache reads the longest prefix that an earlier request marked, and writes the rest."""

from __future__ import annotations

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.counting import size_head, size_messages
from turnstate.core.messages import (
    BinaryContent,
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ToolCallPart,
    UserPromptPart,
    moment,
    text_response,
    tool_return,
    user_message,
)
from turnstate.replay.prefix import LEAST, LOOKBACK, Billing, PromptCache

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
    billed = [cache.send(request, size).billing for request, size in zip(requests, sizes, strict=True)]
    assert billed[0] == Billing(0, 0, sizes[0])
    for before, size, billing in zip(sizes, sizes[1:], billed[1:], strict=False):
        assert billing == Billing(0, before, size - before)


def test_a_change_at_the_beginning_is_written_anew() -> None:
    """Only the instructions before it are read: a cut is paid for once."""
    cache = PromptCache(LONG, "[]")
    request = _growing(6)[-1]
    cache.send(request, _tokens(request, tools="[]"))
    cut = [user_message("a summary", 0), *request[1:]]
    billing = cache.send(cut, _tokens(cut, tools="[]")).billing
    assert billing.read == _tokens([], tools="[]")
    assert billing.written == size_messages(cut).estimate


def test_what_joins_a_message_leaves_its_beginning_in_the_cache() -> None:
    """Caching is by block, not by message."""
    cache = PromptCache(LONG, "")
    first = UserPromptPart("one", timestamp=moment(0))
    alone: list[ModelMessage] = [ModelRequest(parts=[first])]
    joined: list[ModelMessage] = [ModelRequest(parts=[first, UserPromptPart("two", timestamp=moment(0))])]
    cache.send(alone, _tokens(alone))
    assert cache.send(joined, _tokens(joined)).billing.read == _tokens(alone)


def test_what_is_sent_once_is_written_and_costs_no_later_turn_its_cache() -> None:
    """The cache point before it is found again; only the newest exchange is written twice."""
    cache = PromptCache(LONG, "")
    before: list[ModelMessage] = [user_message("one", 0), text_response("yes", 0)]
    newest = user_message("two", 0)
    once = UserPromptPart([CachePoint(), "<recalled>"], timestamp=moment(0))
    noted = ModelRequest(parts=[once, *newest.parts])
    cache.send([*before, noted], _tokens([*before, noted]))
    following = [*before, newest, text_response("no", 0), user_message("three", 0)]
    sent = cache.send(following, _tokens(following))
    assert sent.billing.read == _tokens(before)
    assert sent.repeats


def test_within_a_turn_the_newest_exchange_is_read_too() -> None:
    """What is sent once stands in every round of its turn."""
    cache = PromptCache(LONG, "")
    asked: list[ModelMessage] = [user_message("what was said", 0)]
    call = ModelResponse(parts=[ToolCallPart("get", "{}", "a")], timestamp=moment(0))
    again = [*asked, call, ModelRequest(parts=[tool_return("get", "ok", "a", 0)])]
    cache.send(asked, _tokens(asked), 0)
    sent = cache.send(again, _tokens(again), 0)
    assert sent.billing.read == _tokens(asked)
    assert sent.repeats


def test_a_prefix_further_back_than_providers_look_is_not_found() -> None:
    """From each mark twenty blocks are looked back, and no further."""
    blocks = [UserPromptPart(f"part {number}", timestamp=moment(0)) for number in range(3 * LOOKBACK)]
    near, far = ([ModelRequest(parts=blocks[: count + 1])] for count in (LOOKBACK - 2, 2 * LOOKBACK))
    for longer, read in ((near, True), (far, False)):
        cache = PromptCache("Be brief.", "")
        begun: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(LONG * 2, timestamp=moment(0))])]
        cache.send(begun, _tokens(begun, "Be brief."))
        parts = [*begun[0].parts, *longer[0].parts]
        grown: list[ModelMessage] = [ModelRequest(parts=cast("list[ModelRequestPart]", parts))]
        assert bool(cache.send(grown, _tokens(grown, "Be brief.")).billing.read) is read


def test_a_change_before_the_newest_exchange_does_not_repeat() -> None:
    """One byte is enough; what the newest exchange said may change with the next turn."""
    request = _growing(3)[-1]
    for changed, repeats in ((0, False), (2, False), (4, True)):
        cache = PromptCache(LONG, "")
        cache.send(request, _tokens(request))
        other = [*request, text_response("so", 0), user_message("and?", 0)]
        other[changed] = user_message("something else", 0)
        assert cache.send(other, _tokens(other)).repeats is repeats


def test_a_short_request_is_not_cached() -> None:
    """Nothing is read or written under the least that providers cache."""
    cache = PromptCache("Be brief.", "")
    for request in _growing(3):
        assert cache.send(request, _tokens(request, "Be brief.")).billing.plain == _tokens(
            request, "Be brief."
        )


def test_a_short_prefix_is_not_read() -> None:
    """A long request that repeats only a little is written whole."""
    cache = PromptCache("Be brief.", "")
    for number in range(2):
        request: list[ModelMessage] = [user_message(f"{number} {LONG}", 0)]
        assert cache.send(request, 2_000).billing == Billing(0, 0, 2_000)
    assert LEAST < 2_000


def test_times_do_not_count() -> None:
    """They are not sent, so equal contents with other times are the same bytes."""
    cache = PromptCache(LONG, "")
    first: list[ModelMessage] = [user_message("hi", 1), text_response("yes", 2), user_message("so?", 3)]
    again: list[ModelMessage] = [user_message("hi", 9), text_response("yes", 9), user_message("so?", 9)]
    cache.send(first, _tokens(first))
    assert cache.send(again, _tokens(again)).billing.written == 0


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
        assert cache.send(other, _tokens(other)).billing.written > 0


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
        billing = cache.send(request, tokens).billing
        assert sum(billing) == tokens
        assert min(billing) >= 0
