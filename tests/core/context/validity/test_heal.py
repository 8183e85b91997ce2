"""Histories that were written elsewhere are healed for where they go: nothing travels that only another can read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import (
    AudioUrl,
    CompactionPart,
    FilePart,
    NativeToolCallPart,
    NativeToolReturnPart,
    RetryFeedbackPart,
    RetryInfo,
    SpeechPart,
    UploadedFile,
    VideoUrl,
)

from generators.histories import PNG, messages_of
from generators.wild import wild
from generators.wire import ANTHROPIC, CHAT, RESPONSES, body
from turnstate.core.context.families import ANYWHERE, Family, Wire
from turnstate.core.context.validity import LONGEST_ID, heal
from turnstate.core.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    moment,
    request,
    text_response,
    tool_return,
    user_message,
)
from turnstate.replay.check import faults
from turnstate.testing.anthropic import Rules, validate
from turnstate.testing.openai import chat_problem, responses_problem
from turnstate.testing.openai.validate import Issued

T = moment(0)
CLAUDE = Wire(Family.ANTHROPIC, "anthropic", "claude-haiku-4-5")
GPT = Wire(Family.OPENAI_CHAT, "openai", "gpt-4o")
REASONING = Wire(Family.OPENAI_RESPONSES, "openai", "gpt-5")
GEMINI = Wire(Family.GEMINI, "google", "gemini-3-pro")
MISTRAL = Wire(Family.OPENAI_CHAT, "mistral", "mistral-large")
WIRES = (CLAUDE, GPT, REASONING, GEMINI)

ASKED = user_message("Where is it?", 0)
NEXT = user_message("And now?", 0)
SIGNED = ThinkingPart("Let me see.", signature="c2lnbmVk", provider_name="anthropic")
REDACTED = ThinkingPart("", id="redacted_thinking", signature="c2lnbmVk", provider_name="anthropic")
REASON = ThinkingPart("Let me see.", id="rs_1", signature="ZW5j", provider_name="openai")
FIELD = ThinkingPart("Let me see.", id="reasoning_content", provider_name="deepseek")
SIGNED_ELSEWHERE = "Thinking that this model cannot read was left out."
BOUND_ELSEWHERE = "Ids and details that only another provider can read were left out."


def answer(*parts: Any, wire: Wire = CLAUDE, model: str | None = None) -> ModelResponse:
    """A response of these parts by the model of `wire`."""
    return ModelResponse(
        parts=list(parts), timestamp=T, provider_name=wire.provider or None, model_name=model or wire.model
    )


def call(call_id: str = "call_1", **bound: Any) -> ToolCallPart:
    """A call of a tool."""
    return ToolCallPart("look", {}, tool_call_id=call_id, **bound)


def given_back(*ids: str) -> ModelRequest:
    """One result for each id."""
    return request([tool_return("look", "found", each, 0) for each in ids])


def same(healed: Sequence[ModelMessage], history: Sequence[ModelMessage]) -> bool:
    """Whether nothing was touched."""
    return len(healed) == len(history) and all(a is b for a, b in zip(healed, history, strict=True))


# Against the bodies that the official clients send -----------------------------------------------------------------


class Known(Mapping[str, Issued]):
    """Every item, as if the server had given it out."""

    def __getitem__(self, item_id: str) -> Issued:
        return Issued("gpt-5")

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0

    def get(self, item_id: str, default: Any = None) -> Any:
        """Any item, without anything that it could contradict."""
        return Issued("gpt-5")


def _problem(wire: Wire, messages: tuple[ModelMessage, ...]) -> str | None:
    match wire.family:
        case Family.ANTHROPIC:
            return validate(body(ANTHROPIC, messages), Rules(betas=True))
        case Family.OPENAI_CHAT:
            return chat_problem(body(CHAT, messages))
        case _:
            sent = body(RESPONSES, messages)
            for item in sent["input"]:
                item.pop("encrypted_content", None)
            return responses_problem(sent, Known())


@settings(max_examples=100)
@given(st.randoms(use_true_random=False), st.sampled_from([CLAUDE, GPT, REASONING]))
def test_the_official_client_sends_nothing_that_is_refused(rng: Random, wire: Wire) -> None:
    """Whatever a log holds, the body that leaves keeps the provider's rules, and thinking never goes as words."""
    healed = heal(messages_of(wild(rng, most=4)), wire).messages
    # Files behind addresses would be fetched, and what runs on the provider's side is not simulated here.
    assume(not re.search("Url|UploadedFile|Native", str(healed)))
    assert _problem(wire, healed) is None
    sent = str(body({CLAUDE: ANTHROPIC, GPT: CHAT, REASONING: RESPONSES}[wire], healed))
    assert "<think" not in sent
    assert "assistant_thinking" not in sent


# Thinking ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thinking", "wire"),
    [
        (SIGNED, CLAUDE),
        (REDACTED, CLAUDE),
        (REASON, REASONING),
        (FIELD, Wire(Family.OPENAI_CHAT, "deepseek", "r")),
    ],
)
def test_own_thinking_stays_with_its_calls(thinking: ThinkingPart, wire: Wire) -> None:
    """The provider gets back what it signed, untouched (a history without a fault is the same objects)."""
    history = [ASKED, answer(thinking, call(), wire=wire), given_back("call_1"), text_response("ok", 0), NEXT]
    healed = heal(history, wire)
    assert healed.notes == ()
    assert same(healed.messages, history)


@pytest.mark.parametrize("thinking", [SIGNED, REDACTED, REASON, FIELD, ThinkingPart("Bare.")])
@pytest.mark.parametrize("wire", [Wire(Family.ANTHROPIC, "bedrock", "c"), GPT, GEMINI, MISTRAL])
def test_foreign_thinking_is_dropped_and_not_made_into_words(thinking: ThinkingPart, wire: Wire) -> None:
    """Signed, redacted, as an item, from a field or bare: it stays where it was thought, with a note."""
    maker = Wire(Family.ANTHROPIC, thinking.provider_name or "", "m")
    history = [ASKED, answer(thinking, TextPart("Found."), wire=maker), NEXT]
    healed = heal(history, wire)
    assert healed.notes == (SIGNED_ELSEWHERE,)
    assert [type(part) for part in healed.messages[1].parts] == [TextPart]


@pytest.mark.parametrize(
    ("made_by", "kept"),
    [
        ("claude-haiku-4-5", True),
        ("claude-haiku-4-5-20251001", True),
        ("claude-haiku-4-5@20251001", True),
        ("claude-haiku-4-5-latest", True),
        ("claude-haiku-4", False),
        ("claude-opus-4-5", False),
    ],
)
def test_thinking_of_another_model_is_dropped(made_by: str, kept: bool) -> None:
    """A dated name is the same model; another one cannot read the thought."""
    healed = heal([ASKED, answer(SIGNED, TextPart("Found."), model=made_by), NEXT], CLAUDE)
    assert (healed.notes == ()) == kept
    assert len(healed.messages[1].parts) == 1 + kept


def test_thinking_without_a_signature_is_no_thinking() -> None:
    """A stream that broke off leaves a thought that nobody accepts back."""
    broken = ThinkingPart("Let me", signature="", provider_name="anthropic")
    assert heal([ASKED, answer(broken, TextPart("Found.")), NEXT], CLAUDE).notes == (SIGNED_ELSEWHERE,)


def test_thinking_that_does_not_say_who_signed_it_is_foreign() -> None:
    """A client would send it as words, although the answer around it says where it is from."""
    unnamed = ThinkingPart("Let me see.", signature="c2lnbmVk")
    assert heal([ASKED, answer(unnamed, TextPart("Found.")), NEXT], CLAUDE).notes == (SIGNED_ELSEWHERE,)


def test_thinking_is_left_out_whole_or_not_at_all() -> None:
    """One unreadable thought of a response takes the others with it: what is left would be out of order."""
    response = answer(SIGNED, call(), ThinkingPart("More.", provider_name="anthropic"), TextPart("So."))
    healed = heal([ASKED, response, given_back("call_1"), NEXT], CLAUDE)
    assert [type(part) for part in healed.messages[1].parts] == [ToolCallPart, TextPart]


def test_an_answer_of_thinking_alone_is_left_out() -> None:
    """It has neither words nor calls, and the questions around it become one message."""
    healed = heal([ASKED, answer(SIGNED), NEXT], CLAUDE)
    assert len(healed.messages) == 1
    assert healed.notes == ("An answer without words or calls was left out.",)


def test_where_the_provider_is_not_known_nothing_is_judged_by_its_origin() -> None:
    """An offline or unknown model is shown what there is."""
    history = [ASKED, answer(SIGNED, TextPart("Found.", id="msg_1", provider_name="openai")), NEXT]
    healed = heal(history, ANYWHERE)
    assert same(healed.messages, history)


def test_reasoning_of_the_responses_api_does_not_go_to_chat_completions() -> None:
    """The provider has one name, and the other API has no field for it."""
    healed = heal([ASKED, answer(REASON, TextPart("Found."), wire=REASONING), NEXT], GPT)
    assert healed.notes == (SIGNED_ELSEWHERE, BOUND_ELSEWHERE)[: len(healed.notes)]
    assert SIGNED_ELSEWHERE in healed.notes


# Items of OpenAI's responses -----------------------------------------------------------------------------------------


def _items(message: ModelMessage) -> list[str | None]:
    return [getattr(part, "id", None) for part in message.parts]


def test_items_keep_their_ids_with_the_reasoning_that_belongs_to_them() -> None:
    """Reasoning, message and call of one response go back as they came."""
    said = TextPart("Looking.", id="msg_1", provider_name="openai")
    history = [
        ASKED,
        answer(REASON, said, call(id="fc_1", provider_name="openai"), wire=REASONING),
        given_back("call_1"),
    ]
    assert same(heal(history, REASONING).messages, history)


@pytest.mark.parametrize("gone", ["another model's", "another provider's", "trailing", "twice", "misnamed"])
def test_items_without_their_reasoning_are_sent_as_plain_words(gone: str) -> None:
    """An item is refused without its reasoning, reasoning without its item, and an id that comes twice."""
    said = TextPart("Found.", id="msg_1", provider_name="openai")
    whole = answer(REASON, said, wire=REASONING)
    history: list[ModelMessage] = {
        "another model's": [ASKED, answer(REASON, said, wire=REASONING, model="gpt-5-mini"), NEXT],
        "another provider's": [ASKED, answer(SIGNED, said, wire=REASONING), NEXT],
        "trailing": [ASKED, answer(said, REASON, wire=REASONING), NEXT],
        "misnamed": [ASKED, answer(TextPart("Hi.", id="fc_1", provider_name="openai"), wire=REASONING), NEXT],
        "twice": [ASKED, whole, user_message("Again?", 0), whole, NEXT],
    }[gone]
    healed = heal(history, REASONING)
    assert _items(healed.messages[-2]) == [None]
    assert faults(healed.messages, REASONING) == ()
    assert healed.notes


def test_ids_of_another_provider_are_dropped_everywhere() -> None:
    """Item ids and details are for who gave them out."""
    said = TextPart("Found.", id="msg_1", provider_name="openai", provider_details={"phase": "final_answer"})
    healed = heal([ASKED, answer(said, wire=REASONING), NEXT], CLAUDE)
    assert healed.messages[1].parts == [TextPart("Found.")]
    assert healed.notes == (BOUND_ELSEWHERE,)


def test_thought_signatures_of_another_model_are_dropped() -> None:
    """Gemini's stand in the details of calls; the client puts its placeholder where one is missing."""
    signed = call(provider_name="google", provider_details={"thought_signature": "c2lnbmVk"})
    own = [ASKED, answer(signed, wire=GEMINI), given_back("call_1")]
    assert same(heal(own, GEMINI).messages, own)
    other = heal([ASKED, answer(signed, wire=GEMINI, model="gemini-2.5-pro"), given_back("call_1")], GEMINI)
    assert other.messages[1].parts == [call()]


def test_answers_of_two_models_in_a_row_have_no_origin() -> None:
    """A message can be bound to one model only."""
    first, second = answer(SIGNED, TextPart("One.")), answer(TextPart("Two."), wire=GPT)
    healed = heal([ASKED, first, second, NEXT], CLAUDE)
    assert [type(part) for part in healed.messages[1].parts] == [TextPart, TextPart]
    assert healed.notes == (
        "Answers of two models that follow each other were sent as plain words and calls.",
    )


# Calls on the provider's side, files, and what no request carries ----------------------------------------------------

SEARCH = (
    NativeToolCallPart("web_search", {"query": "x"}, tool_call_id="s1", provider_name="anthropic"),
    NativeToolReturnPart("web_search", [], tool_call_id="s1", provider_name="anthropic", timestamp=T),
)


@pytest.mark.parametrize("wire", [GPT, REASONING, GEMINI])
def test_a_search_of_another_provider_is_left_out_with_its_result(wire: Wire) -> None:
    """Its words are still in the answer (known failure B20)."""
    history = [ASKED, answer(*SEARCH, TextPart("Found.")), NEXT]
    assert same(heal(history, CLAUDE).messages, history)
    healed = heal(history, wire)
    assert healed.messages[1].parts == [TextPart("Found.")]
    assert healed.notes == ("A call that ran on another provider's side was left out.",)


@pytest.mark.parametrize("parts", [SEARCH[::-1], SEARCH + SEARCH, (SEARCH[0], call("s1"), SEARCH[1])])
def test_a_search_that_is_not_one_pair_is_left_out(parts: tuple[Any, ...]) -> None:
    """A result before its call, a pair that comes twice, an id that a call of ours has."""
    ours = [given_back("s1")] if any(isinstance(part, ToolCallPart) for part in parts) else []
    healed = heal([ASKED, answer(*parts, TextPart("Found.")), *ours, NEXT], CLAUDE)
    assert not any(
        isinstance(part, NativeToolCallPart | NativeToolReturnPart) for part in healed.messages[1].parts
    )
    assert faults(healed.messages, CLAUDE) == ()


IMAGE = BinaryContent(PNG, media_type="image/png")
SOUND, FILM = BinaryContent(b"RIFF", media_type="audio/wav"), BinaryContent(b".", media_type="video/mp4")
SHEET = BinaryContent(b"PK", media_type="application/vnd.ms-excel")


@pytest.mark.parametrize(
    ("item", "readers"),
    [
        (IMAGE, {CLAUDE, GPT, REASONING, GEMINI}),
        (BinaryContent(b"<svg/>", media_type="image/svg+xml"), {GEMINI}),
        (BinaryContent(b"%PDF", media_type="application/pdf"), {CLAUDE, GPT, REASONING, GEMINI}),
        (SHEET, {GPT, REASONING, GEMINI}),
        (SOUND, {GPT, GEMINI}),
        (FILM, {GEMINI}),
        (AudioUrl("https://example.com/a.mp3"), {GPT, GEMINI}),
        (VideoUrl("https://example.com/a.mp4"), {GEMINI}),
        (UploadedFile("f1", provider_name="openai", media_type="application/pdf"), {GPT, REASONING}),
    ],
)
@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("returned", [False, True])
def test_a_file_that_cannot_be_read_is_named(
    item: Any, readers: set[Wire], wire: Wire, returned: bool
) -> None:
    """What a user said with a file, or a tool gave back, does not end the conversation at another provider."""
    if returned:
        result = tool_return("look", item, "call_1", 0)
        history = [ASKED, answer(call(), wire=wire), request([result])]
    else:
        history = [user_message(["Look.", item], 0)]
    healed = heal(history, wire)
    assert same(healed.messages, history) == (wire in readers)
    assert ("cannot be read here" in str(healed.messages[-1])) == (wire not in readers)
    assert same(heal(history, ANYWHERE).messages, history)


def test_a_file_of_the_assistants_goes_back_to_gemini_alone() -> None:
    """The others take none from the assistant."""
    history = [ASKED, answer(TextPart("Here."), FilePart(IMAGE), wire=GEMINI), NEXT]
    assert same(heal(history, GEMINI).messages, history)
    for wire in (CLAUDE, GPT, REASONING, ANYWHERE):
        assert len(heal(history, wire).messages[1].parts) == 1


@pytest.mark.parametrize("wire", [*WIRES, ANYWHERE])
def test_what_no_request_can_carry_is_left_out(wire: Wire) -> None:
    """Compactions, speech, and what a framework says when a model said nothing."""
    remark = RetryFeedbackPart(
        "Say something.", retry=RetryInfo("no_output", attempt=1, max_retries=1), timestamp=T
    )
    history: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart("Hi", timestamp=T), remark, CompactionPart("Before.")]),
        answer(
            TextPart("Yes."), CompactionPart("Before."), SpeechPart(speaker="assistant", transcript="Yes.")
        ),
        NEXT,
    ]
    healed = heal(history, wire)
    assert [len(message.parts) for message in healed.messages] == [1, 1, 1]
    assert healed.notes == ("Something that no request can carry was left out.",)


def test_a_request_to_say_it_again_stays() -> None:
    """It reads as the application's words to the model."""
    again = RetryFeedbackPart(
        "Shorter.", retry=RetryInfo("model_retry", attempt=1, max_retries=1), timestamp=T
    )
    history: list[ModelMessage] = [ASKED, text_response("Long.", 0), ModelRequest(parts=[again])]
    assert same(heal(history, CLAUDE).messages, history)


# Ids -----------------------------------------------------------------------------------------------------------------


def _ids(messages: tuple[ModelMessage, ...]) -> tuple[list[str], list[str]]:
    made = [part.tool_call_id for m in messages for part in m.parts if isinstance(part, ToolCallPart)]
    given = [part.tool_call_id for m in messages for part in m.parts if isinstance(part, ToolReturnPart)]
    return made, given


@pytest.mark.parametrize("wire", [*WIRES, MISTRAL, ANYWHERE])
def test_ids_are_remapped_with_their_results_and_the_same_each_time(wire: Wire) -> None:
    """Anything in, what the provider takes out; a longer history begins with the same ids."""
    ids = ["call_1|fc_1", "call_1", "x" * 60, "x" * 61, "", "é:1", "abcdef123"]
    history: list[ModelMessage] = [
        ASKED,
        *(m for i in ids for m in (answer(call(i), wire=wire), given_back(i))),
    ]
    made, given = _ids(heal(history, wire).messages)
    assert made == given
    assert len(set(made)) == len(ids)
    accepted = re.compile("[a-zA-Z0-9]{9}" if wire == MISTRAL else f"[a-zA-Z0-9_-]{{1,{LONGEST_ID}}}")
    assert all(map(accepted.fullmatch, made))
    assert made[-1] == ids[-1]
    assert (
        _ids(heal([*history, answer(call("z"), wire=wire), given_back("z")], wire).messages)[0][:-1] == made
    )


@pytest.mark.parametrize(
    ("wire", "name"), [(GEMINI, "_3d_view"), (ANYWHERE, "_3d_view"), (CLAUDE, "3d_view")]
)
def test_a_tools_name_opens_as_the_provider_wants_it(wire: Wire, name: str) -> None:
    """Gemini refuses a name that opens with a digit."""
    response = answer(ToolCallPart("3d_view", {}, tool_call_id="a"), wire=wire)
    healed = heal([ASKED, response, request([tool_return("3d_view", "seen", "a", 0)])], wire)
    parts: list[Any] = [part for message in healed.messages[1:] for part in message.parts]
    assert {part.tool_name for part in parts} == {name}
