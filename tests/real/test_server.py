"""A real model through its own server: what a request may ask for, who shares the server, and when it goes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from turnstate import Assistant, Budget
from turnstate.core.messages import ModelMessage, response_text, user_message
from turnstate.errors import ModelNameError
from turnstate.models.local import LocalModel, local_model, serving
from turnstate.turn.speak import Overflow, Speaker

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("real")]

SHORT = ModelSettings(max_tokens=8, timeout=120.0, cache=True)
LOOKUP = ToolDefinition(
    name="order_status",
    description="Where an order is.",
    parameters_json_schema={
        "type": "object",
        "properties": {"order": {"type": "string"}},
        "required": ["order"],
    },
)


def _model(path: Path) -> LocalModel:
    return local_model(f"local:{path}?window=2048")


def test_requests_streams_tools_and_counts(real_model: Path) -> None:
    """The same words streamed and not; the server's own count is what it reports."""
    asked: list[ModelMessage] = [user_message("Where is order NL-17?", 0)]
    tools = ModelRequestParameters(function_tools=[LOOKUP])

    async def scenario() -> None:
        async with _model(real_model) as model:
            whole = await model_request(model, asked, model_settings=SHORT)
            async with model_request_stream(model, asked, model_settings=SHORT) as stream:
                async for _ in stream:
                    pass
                streamed: ModelResponse = stream.get()
            assert response_text(whole) == response_text(streamed) != ""
            counted = await model.count_tokens(asked, SHORT, ModelRequestParameters())
            assert counted.input_tokens == whole.usage.input_tokens == streamed.usage.input_tokens
            offered = await model_request(model, asked, model_settings=SHORT, model_request_parameters=tools)
            assert offered.parts

    asyncio.run(scenario())


@pytest.mark.parametrize("streamed", [False, True])
def test_what_is_longer_than_the_window_overflows(real_model: Path, streamed: bool) -> None:
    """As with any provider: the turn knows that the request was too long."""
    released: list[str] = []

    async def scenario() -> None:
        async with _model(real_model) as model:
            speaker = Speaker(model, "local", "", settings=SHORT)
            release = released.append if streamed else None
            with pytest.raises(Overflow, match="exceeds the available context size"):
                await speaker.speak([user_message("word " * 3_000, 0)], release)

    asyncio.run(scenario())


def test_one_server_for_all_until_the_last_leaves(real_model: Path) -> None:
    """Two models of one file share it; one that is left and entered again gets another."""

    async def scenario() -> None:
        one, two = _model(real_model), _model(real_model)
        async with one, two:
            assert one.base_url == two.base_url
            assert len(serving()) == 1
        assert not serving()
        async with one, one:
            await model_request(one, [user_message("Hello", 0)], model_settings=SHORT)
        assert not serving()

    asyncio.run(scenario())


def test_an_assistant_closes_what_it_opened(real_model: Path) -> None:
    """The assistant's model and its summarizer are one server; both are gone with it."""

    async def scenario() -> None:
        named = f"local:{real_model}?window=2048"
        options = {"summarizer": named, "store": "memory:", "settings": SHORT}
        async with Assistant(named, budget=Budget(window=2_048), **options) as assistant:  # pyright: ignore[reportArgumentType]  # options of several types
            assert (await assistant.conversation("c").send("Hello")).text
            assert len(serving()) == 1
        assert not serving()

    asyncio.run(scenario())


def test_a_file_that_llama_cpp_does_not_load_is_refused(real_model: Path, tmp_path: Path) -> None:
    """It has the right beginning and nothing else."""
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(real_model.read_bytes()[:1_000])

    async def scenario() -> None:
        async with _model(broken):
            pass

    with pytest.raises(ModelNameError, match=r"llama\.cpp cannot load it"):
        asyncio.run(scenario())
    assert not serving()


LEFT_OPEN = """
import asyncio, sys
from pydantic_ai.direct import model_request
from turnstate.core.messages import user_message
from turnstate.models.local import local_model

async def main():
    model = local_model(f"local:{sys.argv[1]}?window=512")
    await model_request(model, [user_message("Hello", 0)], model_settings={"max_tokens": 2})
    print("answered")
    return model

kept = asyncio.run(main())
"""


def test_a_server_that_nobody_closed_ends_with_its_process(real_model: Path) -> None:
    """Nothing hangs, and llama.cpp writes nothing where the application's own output stands."""
    ran = subprocess.run(
        [sys.executable, "-c", LEFT_OPEN, str(real_model)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert (ran.stdout, ran.stderr) == ("answered\n", "")
