"""Every refusal of the provider, judged by the pure rules and sent over the wire with the official client."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from turnstate.testing.anthropic import AnthropicServer, Rules, validate

TOOL: dict[str, Any] = {"name": "get_order", "description": "Look up.", "input_schema": {"type": "object"}}
CALL: dict[str, Any] = {"type": "tool_use", "id": "toolu_a", "name": "get_order", "input": {"id": "1"}}
RESULT: dict[str, Any] = {"type": "tool_result", "tool_use_id": "toolu_a", "content": "shipped"}
TEXT: dict[str, Any] = {"type": "text", "text": "Hello."}
MARK: dict[str, Any] = {"cache_control": {"type": "ephemeral"}}
HOUR: dict[str, Any] = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
USER: dict[str, Any] = {"role": "user", "content": "Where is order 1?"}
BODY: dict[str, Any] = {"model": "claude-haiku-4-5", "max_tokens": 64, "tools": [TOOL], "messages": [USER]}
OLD = "2023-06-01"


def given(**parameters: Any) -> dict[str, Any]:
    """The valid request with these parameters; None drops one."""
    return {key: value for key, value in {**copy.deepcopy(BODY), **parameters}.items() if value is not None}


def saying(*messages: tuple[str, object], **parameters: Any) -> dict[str, Any]:
    """The valid request with these messages, each a role and its content."""
    return given(messages=[{"role": role, "content": content} for role, content in messages], **parameters)


def called(
    *results: object, calls: tuple[dict[str, Any], ...] = (CALL,), **parameters: Any
) -> dict[str, Any]:
    """A request in which the assistant called tools and the user answers with `results`."""
    return saying(("user", "Hi"), ("assistant", list(calls)), ("user", list(results)), **parameters)


def offering(**changes: Any) -> dict[str, Any]:
    """A request whose one tool has these fields; None drops one."""
    tool = {key: value for key, value in {**TOOL, **changes}.items() if value is not None}
    return given(tools=[tool])


def asked(*blocks: dict[str, Any]) -> dict[str, Any]:
    """A request with one user message of these blocks."""
    return saying(("user", list(blocks)))


UNANSWERED = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_a. Each `tool_use` "
    "block must have a corresponding `tool_result` block in the next message."
)
UNEXPECTED = (
    "unexpected `tool_use_id` found in `tool_result` blocks: toolu_a. Each `tool_result` block must have a "
    "corresponding `tool_use` block in the previous message."
)
NO_PREFILL = (
    "This model does not support assistant message prefill. The conversation must end with a user message."
)
EMPTY = "all messages must have non-empty content except for the optional final assistant message"
NO_TOOLS = "Requests which include `tool_use` or `tool_result` blocks must define tools."

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    # parameters
    "no model": (given(model=None), "model: Field required"),
    "empty model": (given(model=""), "model: String should have at least 1 character"),
    "no messages": (given(messages=None), "messages: Field required"),
    "no max_tokens": (given(max_tokens=None), "max_tokens: Field required"),
    "max_tokens zero": (given(max_tokens=0), "max_tokens: Input should be greater than or equal to 1"),
    "max_tokens text": (given(max_tokens="64"), "max_tokens: Input should be a valid integer"),
    "max_tokens fraction": (given(max_tokens=1.5), "max_tokens: Input should be a valid integer"),
    "max_tokens true": (given(max_tokens=True), "max_tokens: Input should be a valid integer"),
    "unknown parameter": (given(foo=1), "foo: Extra inputs are not permitted"),
    "sampling": (given(temperature=1.0), "temperature: Extra inputs are not permitted"),
    "beta parameter without beta": (
        given(context_management={}),
        "context_management: Extra inputs are not permitted",
    ),
    "stream text": (given(stream="yes"), "stream: Input should be a valid boolean"),
    "service tier": (
        given(service_tier="first"),
        "service_tier: Input should be 'auto' or 'standard_only'",
    ),
    "empty stop sequence": (
        given(stop_sequences=[""]),
        "stop_sequences.0: String should have at least 1 character",
    ),
    "metadata": (given(metadata={"name": "x"}), "metadata.name: Extra inputs are not permitted"),
    "small thinking budget": (
        given(thinking={"type": "enabled", "budget_tokens": 5}),
        "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    ),
    "thinking budget over max_tokens": (
        given(thinking={"type": "enabled", "budget_tokens": 1024}),
        "`max_tokens` must be greater than `thinking.budget_tokens`",
    ),
    "thinking with a forced tool": (
        given(thinking={"type": "adaptive"}, tool_choice={"type": "any"}),
        "Thinking may not be enabled when tool_choice forces tool use.",
    ),
    # messages
    "empty messages": (given(messages=[]), "messages: at least one message is required"),
    "messages text": (given(messages="Hi"), "messages: Input should be a valid list"),
    "message text": (given(messages=["Hi"]), "messages.0: Input should be a valid dictionary"),
    "message field": (
        given(messages=[{**USER, "name": "x"}]),
        "messages.0.name: Extra inputs are not permitted",
    ),
    "assistant first": (
        saying(("assistant", "Hello."), ("user", "Hi")),
        'messages: first message must use the "user" role',
    ),
    "system inside": (
        saying(("user", "Hi"), ("system", "Be brief.")),
        (
            'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, '
            'not "system" as an input message role.'
        ),
    ),
    "unknown role": (saying(("tool", "Hi")), "messages.0.role: Input should be 'user' or 'assistant'"),
    "no content": (given(messages=[{"role": "user"}]), "messages.0.content: Field required"),
    "null content": (saying(("user", None)), "messages.0.content: Input should be a valid list"),
    "empty content": (saying(("user", "")), f"messages.0: {EMPTY}"),
    "empty blocks": (saying(("user", "Hi"), ("assistant", []), ("user", "Hi")), f"messages.1: {EMPTY}"),
    "empty text": (asked({**TEXT, "text": ""}), "messages: text content blocks must be non-empty"),
    "blank text": (saying(("user", " \n")), "messages: text content blocks must contain non-whitespace text"),
    "blank assistant text": (
        saying(("user", "Hi"), ("assistant", [{**TEXT, "text": "\n"}]), ("user", "Hi")),
        "messages: text content blocks must contain non-whitespace text",
    ),
    "empty text in a result": (
        called({**RESULT, "content": [{**TEXT, "text": ""}]}),
        "messages: text content blocks must be non-empty",
    ),
    "empty text in the system": (
        given(system=[{**TEXT, "text": ""}]),
        "system: text content blocks must be non-empty",
    ),
    "prefill": (saying(("user", "Hi"), ("assistant", "Well,")), NO_PREFILL),
    "trailing space": (
        saying(("user", "Hi"), ("assistant", "Well, ")),
        "messages: final assistant content cannot end with trailing whitespace",
    ),
    # blocks
    "unknown block": (
        asked({"type": "video"}),
        (
            "messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags: "
            "'text', 'image', 'document', 'search_result', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result'"
        ),
    ),
    "block without a type": (asked({"text": "Hi"}), "messages.0.content.0.type: Field required"),
    "text without text": (asked({"type": "text"}), "messages.0.content.0.text.text: Field required"),
    "text block field": (
        asked({**TEXT, "lang": "en"}),
        "messages.0.content.0.text.lang: Extra inputs are not permitted",
    ),
    "server tool block": (
        saying(("user", "Hi"), ("assistant", [{"type": "server_tool_use", "id": "s", "name": "web_search"}])),
        "messages.1.content.0: this block runs on the provider's side and is not simulated by this local server",
    ),
    "image type": (
        asked({"type": "image", "source": {"type": "base64", "media_type": "image/bmp", "data": PIXEL}}),
        (
            "messages.0.content.0.image.source.base64.media_type: "
            "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
        ),
    ),
    "image data": (
        asked({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "?"}}),
        "messages.0.content.0.image.source.base64.data: invalid base64 data",
    ),
    "document from the assistant": (
        saying(
            ("user", "Hi"),
            (
                "assistant",
                [{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}}],
            ),
            ("user", "Hi"),
        ),
        "messages.1.content.0: `document` blocks can only be in `user` messages",
    ),
    "citations from the user": (
        asked({**TEXT, "citations": [{"type": "char_location"}]}),
        "messages.0.content.0.text.citations: citations can only be in `assistant` messages",
    ),
    "thinking without a signature": (
        saying(("user", "Hi"), ("assistant", [{"type": "thinking", "thinking": "hm"}, TEXT]), ("user", "Hi")),
        "messages.1.content.0.thinking.signature: Field required",
    ),
    "thinking with an empty signature": (
        saying(("user", "Hi"), ("assistant", [{"type": "thinking", "thinking": "hm", "signature": ""}])),
        "messages.1.content.0.thinking.signature: String should have at least 1 character",
    ),
    "thinking from the user": (
        asked({"type": "thinking", "thinking": "hm", "signature": "x"}),
        "messages.0.content.0: `thinking` blocks can only be in `assistant` messages",
    ),
    # cache marks
    "mark on an empty text": (
        asked({**TEXT, "text": "", **MARK}),
        "messages.0.content.0.text: cache_control cannot be set for empty text blocks",
    ),
    "five marks": (
        asked(*[{**TEXT, **MARK} for _ in range(5)]),
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    "five marks in all places": (
        called(
            {**RESULT, "content": [{**TEXT, **MARK}]},
            {**TEXT, **MARK},
            tools=[{**TOOL, **MARK}],
            system=[{**TEXT, **MARK}],
            cache_control={"type": "ephemeral"},
        ),
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    "long mark after a short one": (
        asked({**TEXT, **MARK}, {**TEXT, **HOUR}),
        (
            "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' "
            "cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`."
        ),
    ),
    "unknown mark": (
        asked({**TEXT, "cache_control": {"type": "persistent"}}),
        "messages.0.content.0.text.cache_control.type: Input should be 'ephemeral'",
    ),
    "mark on thinking": (
        saying(
            ("user", "Hi"), ("assistant", [{"type": "thinking", "thinking": "hm", "signature": "x", **MARK}])
        ),
        "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
    ),
    # tools
    "tool name": (
        offering(name="get order"),
        "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ),
    "tool name with a line break": (
        offering(name="get_order\n"),
        "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ),
    "long tool name": (
        offering(name="x" * 129),
        "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ),
    "tool without a schema": (offering(input_schema=None), "tools.0.custom.input_schema: Field required"),
    "schema without a type": (offering(input_schema={}), "tools.0.custom.input_schema.type: Field required"),
    "schema of a list": (
        offering(input_schema={"type": "array"}),
        "tools.0.custom.input_schema.type: Input should be 'object'",
    ),
    "schema with a union": (
        offering(input_schema={"type": "object", "anyOf": []}),
        "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    ),
    "schema text": (
        offering(input_schema="{}"),
        "tools.0.custom.input_schema: Input should be a valid dictionary",
    ),
    "tool field": (offering(returns="x"), "tools.0.custom.returns: Extra inputs are not permitted"),
    "two tools of one name": (given(tools=[TOOL, TOOL]), "tools: Tool names must be unique."),
    "only deferred tools": (
        offering(defer_loading=True),
        "tools: At least one tool must have defer_loading=false.",
    ),
    "server tool": (
        given(tools=[{"type": "web_search_20250305", "name": "web_search"}]),
        (
            "tools.0: this tool runs on the provider's side and is not simulated by this local server; "
            "define it as a custom tool with an input_schema"
        ),
    ),
    "unknown tool type": (
        offering(type="magic"),
        "tools.0: Input tag 'magic' found using 'type' does not match any of the expected tags: 'custom'",
    ),
    "MCP server": (
        given(mcp_servers=[{"type": "url"}]),
        "mcp_servers: an MCP server runs on the provider's side and is not simulated by this local server",
    ),
    "choice without tools": (
        given(tools=None, tool_choice={"type": "auto"}),
        "tool_choice: tool_choice may only be specified while providing tools",
    ),
    "choice of an unknown tool": (
        given(tool_choice={"type": "tool", "name": "refund"}),
        "tool_choice.name: Tool 'refund' not found in provided tools",
    ),
    # calls and results
    "call without tools": (called(RESULT, tools=None), NO_TOOLS),
    "call with no tool": (called(RESULT, tools=[]), NO_TOOLS),
    "call id": (
        called(RESULT, calls=({**CALL, "id": "a b"},)),
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
    "empty call id": (
        called(RESULT, calls=({**CALL, "id": ""},)),
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
    "call input text": (
        called(RESULT, calls=({**CALL, "input": "{}"},)),
        "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    ),
    "call from the user": (
        asked(CALL),
        "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
    ),
    "result from the assistant": (
        saying(("user", "Hi"), ("assistant", [RESULT])),
        "messages.1.content.0: `tool_result` blocks can only be in `user` messages",
    ),
    "call without a result": (called(TEXT), UNANSWERED),
    "call at the end": (saying(("user", "Hi"), ("assistant", [CALL])), UNANSWERED),
    "one of two calls without a result": (
        called(RESULT, calls=({**CALL, "id": "toolu_b"}, CALL)),
        UNANSWERED.replace("toolu_a", "toolu_b"),
    ),
    "result without a call": (asked(RESULT), f"messages.0.content.0: {UNEXPECTED}"),
    "result one message late": (
        saying(
            ("user", "Hi"),
            ("assistant", [CALL]),
            ("user", [RESULT]),
            ("assistant", "Shipped."),
            ("user", [RESULT]),
        ),
        f"messages.4.content.0: {UNEXPECTED}",
    ),
    "two results of one call": (
        called(RESULT, RESULT),
        (
            "messages.2.content.0: each tool_use must have a single result. "
            "Found multiple `tool_result` blocks with id: toolu_a"
        ),
    ),
    "two calls of one id": (
        called(RESULT, calls=(CALL, CALL)),
        "messages.1.content.1: `tool_use` ids must be unique",
    ),
    "an id again later": (
        saying(
            ("user", "Hi"),
            ("assistant", [CALL]),
            ("user", [RESULT]),
            ("assistant", [CALL]),
            ("user", [RESULT]),
        ),
        "messages.3.content.0: `tool_use` ids must be unique",
    ),
    "text before a result": (called(TEXT, RESULT), UNANSWERED),
    "text in a message before the result": (
        saying(("user", "Hi"), ("assistant", [CALL]), ("user", "Wait"), ("user", [RESULT])),
        UNANSWERED,
    ),
}


@pytest.fixture(scope="module")
def strict() -> Iterator[AnthropicServer]:
    """One provider for all the refusals of this module."""
    with AnthropicServer() as server:
        yield server


@pytest.fixture(scope="module")
def sender(strict: AnthropicServer) -> Iterator[anthropic.Anthropic]:
    """The official client, pointed to `strict`."""
    with anthropic.Anthropic(base_url=strict.base_url, api_key="any", max_retries=0) as client:
        yield client


@pytest.mark.parametrize("case", REFUSED)
def test_a_malformed_request_is_refused_in_the_words_of_the_api(
    case: str, strict: AnthropicServer, sender: anthropic.Anthropic
) -> None:
    """The pure rules and the server say the same, and the client raises it as the API's error."""
    body, message = REFUSED[case]
    assert validate(body) == message
    accepted = len(strict.requests)
    with pytest.raises(anthropic.BadRequestError) as caught:
        sender.post("/v1/messages", body=body, cast_to=object)
    assert caught.value.body == {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": message},
        "request_id": caught.value.request_id,
    }
    refusal = strict.refusals[-1]
    assert (refusal.path, refusal.status, refusal.message) == ("/v1/messages", 400, message)
    assert refusal.body == body
    assert len(strict.requests) == accepted, "a refused request is not a request that was served"


OF_THE_ANSWER = {"stream", "service_tier", "stop_sequences", "metadata"}
COUNTED = [
    case
    for case, (body, message) in REFUSED.items()
    if not OF_THE_ANSWER & body.keys() and "max_tokens" not in message
]


@pytest.mark.parametrize("case", COUNTED)
def test_counting_refuses_the_same_requests(case: str) -> None:
    """The counting endpoint judges messages, tools and system by the same rules."""
    body, message = REFUSED[case]
    body = {key: value for key, value in body.items() if key != "max_tokens"}
    assert validate(body, Rules(counting=True)) == message


ACCEPTED: dict[str, dict[str, Any]] = {
    "plain": given(),
    "no tools": given(tools=None),
    "users in a row": saying(("user", "Hi"), ("user", "And?")),
    "assistants in a row": saying(
        ("user", "Hi"), ("assistant", "Hm."), ("assistant", "Yes."), ("user", "And?")
    ),
    "call and result": called(RESULT),
    "result and text": called(RESULT, TEXT),
    "results in messages of their own": saying(
        ("user", "Hi"),
        ("assistant", [CALL, {**CALL, "id": "toolu_b"}]),
        ("user", [RESULT]),
        ("user", [{**RESULT, "tool_use_id": "toolu_b"}, TEXT]),
    ),
    "results in another order": called(
        {**RESULT, "tool_use_id": "toolu_b"}, RESULT, calls=(CALL, {**CALL, "id": "toolu_b"})
    ),
    "text after a call": called(RESULT, calls=(CALL, TEXT)),
    "result without content": called({"type": "tool_result", "tool_use_id": "toolu_a"}),
    "empty result": called({**RESULT, "content": ""}),
    "failed result": called({**RESULT, "is_error": True, "content": [TEXT]}),
    "a call of a tool that is gone": called(RESULT, calls=({**CALL, "name": "refund"},)),
    "rich result": called(
        {
            **RESULT,
            "content": [
                TEXT,
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}},
                {"type": "tool_reference", "tool_name": "get_order"},
            ],
        }
    ),
    "image": asked({"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}),
    "uploaded image": asked({"type": "image", "source": {"type": "file", "file_id": "file_1"}}),
    "documents": asked(
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PIXEL}},
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": "x"},
            "title": "A",
        },
        {
            "type": "document",
            "source": {"type": "content", "content": [TEXT]},
            "citations": {"enabled": True},
        },
        {"type": "document", "source": {"type": "url", "url": "https://example.com/a.pdf"}, "context": None},
    ),
    "search result": asked({"type": "search_result", "source": "kb", "title": "Returns", "content": [TEXT]}),
    "thinking": saying(
        ("user", "Hi"),
        (
            "assistant",
            [
                {"type": "thinking", "thinking": "", "signature": "x"},
                {"type": "redacted_thinking", "data": "x"},
                {**TEXT, "citations": [{"type": "char_location"}]},
            ],
        ),
        ("user", "And?"),
        thinking={"type": "enabled", "budget_tokens": 1024},
        max_tokens=2048,
    ),
    "four marks": asked({**TEXT, **HOUR}, {**TEXT, **MARK}, {**TEXT, **MARK}, {**TEXT, **MARK}),
    "null mark": asked({**TEXT, "cache_control": None}),
    "every parameter": given(
        cache_control={"type": "ephemeral"},
        container=None,
        diagnostics={"previous_message_id": None},
        inference_geo="eu",
        metadata={"user_id": "u"},
        output_config={"effort": "low", "format": {"type": "json_schema", "schema": {"type": "object"}}},
        service_tier="auto",
        speed="standard",
        stop_sequences=["END"],
        stream=False,
        system=[{**TEXT, **MARK}],
        thinking={"type": "disabled"},
        tool_choice={"type": "tool", "name": "get_order", "disable_parallel_tool_use": True},
    ),
    "every tool field": offering(
        allowed_callers=["direct"],
        eager_input_streaming=None,
        input_examples=[{"id": "1"}],
        strict=True,
        type="custom",
        **MARK,
    ),
    "a deferred tool": given(tools=[TOOL, {**TOOL, "name": "refund", "defer_loading": True}]),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_a_valid_request_is_accepted(case: str, strict: AnthropicServer, sender: anthropic.Anthropic) -> None:
    """Everything legal that the SDK's types allow is answered and counted."""
    body = ACCEPTED[case]
    assert validate(body) is None
    sender.post("/v1/messages", body=body, cast_to=object)
    request = strict.requests[-1]
    assert request.body == body
    assert request.tokens > 0


@pytest.mark.parametrize("name", ["temperature", "top_p", "top_k"])
def test_sampling_depends_on_the_version(name: str) -> None:
    """The version of June 2023 takes a temperature from 0 to 1; the current one takes none at all."""
    assert validate(given(**{name: 1}), Rules(OLD)) is None
    assert validate(given(**{name: 1})) == f"{name}: Extra inputs are not permitted"
    assert validate(given(**{name: "1"}), Rules(OLD)) is not None
    assert validate(given(**{name: -1}), Rules(OLD)) == f"{name}: Input should be greater than or equal to 0"


def test_the_older_version_has_the_older_content_rules() -> None:
    """Documents from the assistant and citations from the user were legal before 2026-10-21."""
    for case in ("document from the assistant", "citations from the user"):
        assert validate(REFUSED[case][0], Rules(OLD)) is None


def test_thinking_fixes_the_temperature_of_the_older_version() -> None:
    """A model that thinks samples at 1."""
    body = given(temperature=0.5, max_tokens=2048, thinking={"type": "enabled", "budget_tokens": 1024})
    assert validate(body, Rules(OLD)) == "`temperature` may only be set to 1 when thinking is enabled"


def test_temperature_has_an_upper_bound() -> None:
    """The older version's range ends at 1."""
    assert (
        validate(given(temperature=1.5), Rules(OLD)) == "temperature: Input should be less than or equal to 1"
    )


def test_a_beta_admits_its_parameters() -> None:
    """With a beta named in the header, the parameters of betas are legal."""
    assert validate(given(context_management={"edits": []}), Rules(betas=True)) is None


def test_counting_takes_no_parameters_of_the_answer() -> None:
    """There is nothing to limit where nothing is generated."""
    assert validate(given(), Rules(counting=True)) == "max_tokens: Extra inputs are not permitted"
    assert validate(given(max_tokens=None), Rules(counting=True)) is None


def test_a_prefill_is_accepted_where_it_is_allowed() -> None:
    """Older models continue the assistant's last message, but for trailing white space and open calls."""
    rules = Rules(allow_prefill=True)
    assert validate(saying(("user", "Hi"), ("assistant", "Well,")), rules) is None
    assert validate(saying(("user", "Hi"), ("assistant", "")), rules) is None
    assert validate(REFUSED["trailing space"][0], rules) == REFUSED["trailing space"][1]
    assert validate(REFUSED["call at the end"][0], rules) == UNANSWERED


@pytest.mark.parametrize("body", [None, [], "text", 5, True])
def test_a_body_that_is_no_object_is_refused(body: object) -> None:
    """A list of messages is not a request."""
    assert validate(body) == "Input should be a valid dictionary"
