"""The seller without a model: it asks what the brief names, answers from the evidence, and calls what it is told to call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from acceptance.doors import run
from apps.sales.pictures import POLICY, all_scores, pictures
from turnstate.apps.sales.briefing import brief
from turnstate.apps.sales.offline import offline_seller
from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.states import Memory, Offered, Qualification, Research, Shared, Source, Specialist
from turnstate.core.blocks import block
from turnstate.core.brief import render

MODEL = offline_seller()
QUALIFIED = Picture(
    POLICY,
    memory=Memory(industry="freight"),
    scores=all_scores(),
    found=Qualification(is_qualified="QUALIFIED"),
)
CASE = Offered(shared=(Shared(id="send_case_study", name="send_case_study", turn=1),))


def request(who: Specialist, picture: Picture, message: str) -> ModelRequest:
    """What the seller is sent: a brief, and the newest message."""
    told = block("brief", render(brief(who, picture), "You sell."))
    return ModelRequest(parts=[UserPromptPart(f"{told}\n\n{message}")])


def answered(messages: Sequence[ModelMessage], *tools: str) -> ModelResponse:
    """What the seller answers."""
    parameters = ModelRequestParameters(function_tools=[ToolDefinition(name=name) for name in tools])
    return run(model_request(MODEL, list(messages), model_request_parameters=parameters))


def text_of(response: ModelResponse) -> str:
    """Its text."""
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def calls_of(response: ModelResponse) -> list[tuple[str, dict[str, object]]]:
    """Its calls."""
    return [
        (part.tool_name, part.args_as_dict()) for part in response.parts if isinstance(part, ToolCallPart)
    ]


@pytest.mark.parametrize("name", list(POLICY.questions))
def test_it_asks_the_one_thing_that_the_brief_names(name: str) -> None:
    """And nothing where it names nothing."""
    left = all_scores().model_copy(update={name: type(all_scores().need)()})
    asking = text_of(answered([request("discovery", Picture(POLICY, scores=left), "Hello!")]))
    assert asking.count("?") == 1
    assert asking.endswith(POLICY.questions[name][0])
    silent = text_of(answered([request("discovery", Picture(POLICY, scores=all_scores()), "Hello!")]))
    assert "?" not in silent


def test_it_answers_from_the_evidence_alone() -> None:
    """The first two sentences of the best passage, without its source."""
    found = Research(
        level="ACCURATE",
        evidence=(
            Source(source="security.md, Storage", text="Data is in Frankfurt. It is encrypted. Third."),
            Source(source="other.md, Other", text="Nothing of interest."),
        ),
    )
    picture = Picture(POLICY, scores=all_scores(), research=found)
    assert text_of(answered([request("consultant", picture, "Where is our data?")])) == (
        "Data is in Frankfurt. It is encrypted."
    )


@given(pictures, st.sampled_from(("discovery", "consultant", "presenter", "closer")))
def test_whatever_it_is_told_it_says_something(picture: Picture, who: Specialist) -> None:
    """No question but the one that its brief names, and no evidence that is not in it."""
    said = text_of(answered([request(who, replace(picture, research=Research()), "Go on.")]))
    assert said.strip()
    assert said.count("?") == (0 if picture.qualified or not picture.question else 1)


@pytest.mark.parametrize(
    ("message", "heard"),
    [
        ("We need this live in six weeks.", "Noted: six weeks."),
        ("We have about $40,000 set aside for this.", "Noted: a budget of $40,000."),
        ("Actually, finance approved more: the budget is $55,000 now.", "I have changed that to $55,000."),
        ("I run operations and I sign off on it myself.", "Good to know who decides."),
        ("Great, thank you!", "You are welcome."),
        ("Go on.", "Thank you. I am here when you need anything else."),
    ],
)
def test_it_says_what_it_heard(message: str, heard: str) -> None:
    """A correction as one."""
    assert text_of(answered([request("discovery", Picture(POLICY, scores=all_scores()), message)])) == heard


def test_it_calls_what_shares_an_asset_and_says_what_came_of_it() -> None:
    """With the industry on record; where the function is not offered, it only talks."""
    asked = request("presenter", QUALIFIED, "Could you send me a case study?")
    response = answered([asked], "send_case_study", "book_meeting")
    assert calls_of(response) == [("send_case_study", {"industry": "freight"})]
    call = next(part for part in response.parts if isinstance(part, ToolCallPart))
    result = ToolReturnPart(call.tool_name, "The case study was sent.", call.tool_call_id)
    told = answered([asked, response, ModelRequest(parts=[result])], "send_case_study")
    assert (text_of(told), calls_of(told)) == ("The case study was sent.", [])
    assert calls_of(answered([asked])) == []
    assert text_of(answered([asked]))


@pytest.mark.parametrize(
    ("message", "when"),
    [
        ("Yes, let's book a meeting on Thursday at 10:00.", "Thursday at 10:00"),
        ("Yes, book it.", "a time to be agreed"),
    ],
)
def test_it_books_the_time_that_was_said(message: str, when: str) -> None:
    """And none where none was."""
    asked = request("closer", replace(QUALIFIED, offered=CASE), message)
    assert calls_of(answered([asked], "book_meeting")) == [("book_meeting", {"when": when})]


def test_it_streams_what_it_says() -> None:
    """Word by word, the same text and the same calls."""

    async def streamed(asked: ModelRequest, *tools: str) -> ModelResponse:
        parameters = ModelRequestParameters(function_tools=[ToolDefinition(name=name) for name in tools])
        async with model_request_stream(MODEL, [asked], model_request_parameters=parameters) as stream:
            async for _ in stream:
                pass
            return stream.get()

    talking = request("discovery", Picture(POLICY), "We need this live in six weeks.")
    assert text_of(run(streamed(talking))) == text_of(answered([talking]))
    sharing = request("presenter", QUALIFIED, "Please.")
    assert calls_of(run(streamed(sharing, "send_case_study"))) == calls_of(
        answered([sharing], "send_case_study")
    )
