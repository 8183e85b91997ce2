"""From a model id to a model, one for each event loop, with errors that say what to do."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from pydantic_ai.models import Model

from acceptance.doors import over_http, run
from turnstate.errors import ModelNameError
from turnstate.models.resolve import PerLoop, model_name, resolve
from turnstate.testing.anthropic import AnthropicServer
from turnstate.testing.scripted import ScriptedModel


def test_a_model_that_was_given_comes_back() -> None:
    """Its id in the log is pydantic-ai's."""
    model = ScriptedModel([])
    assert resolve(model) is model
    assert model_name(model) == "scripted:scripted"


def test_offline_needs_nothing() -> None:
    """No key, no network."""
    assert resolve("offline").model_name == "offline"
    assert model_name("offline") == "offline"


def test_a_key_from_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider's own variable; the id is what the log records."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    assert resolve("anthropic:claude-sonnet-5-5").model_name == "claude-sonnet-5-5"
    assert PerLoop("anthropic:claude-sonnet-5-5").name == "anthropic:claude-sonnet-5-5"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("", "Unknown model"),
        (":", "Unknown model"),
        ("claude", "Unknown model"),
        ("nope:x", "Unknown model"),
        ("Offline", "Unknown model"),
        ("anthropic:claude-sonnet-5-5", "ANTHROPIC_API_KEY"),
        ("openai:gpt-5", "OPENAI_API_KEY"),
        ("mistral:large", "package is not installed"),
        (None, "neither an id nor"),
        (5, "neither an id nor"),
        (ScriptedModel, "neither an id nor"),
    ],
)
def test_what_does_not_resolve_says_why(given: Any, problem: str) -> None:
    """The error names the model, the problem and an example, and suggests nothing of another library."""
    with pytest.raises(ModelNameError, match=problem) as raised:
        resolve(given)
    assert "'offline'" in str(raised.value)
    assert "Agent(" not in str(raised.value)


def test_every_event_loop_has_a_model_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first loop takes the one that was made while building."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    models = PerLoop("anthropic:claude-sonnet-5-5")
    found: list[Model] = []

    async def ask() -> None:
        model = models.get()
        assert models.get() is model
        found.append(model)

    threads = [threading.Thread(target=lambda: run(ask())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(model) for model in found}) == 4


def test_a_model_that_was_given_is_the_same_in_every_loop() -> None:
    """It is the caller's to know where it may be used."""
    models = PerLoop(ScriptedModel([]))

    async def ask() -> Model:
        return models.get()

    assert run(ask()) is run(ask())


def test_outside_an_event_loop_there_is_no_model() -> None:
    """A bug of ours, not a user's."""
    with pytest.raises(RuntimeError):
        PerLoop("offline").get()


def test_what_was_opened_is_closed_in_its_own_loop() -> None:
    """Connections of several loops at once, closed from one of them; then they may be opened again."""
    with AnthropicServer() as server:
        models = PerLoop(over_http(server.base_url))

        async def scenario() -> None:
            for _ in range(2):
                await models.open_here()
                await models.open_here()
                await models.close()
                await models.close()

        run(scenario())
        run(scenario())


def test_closing_forgets_loops_that_have_ended() -> None:
    """A thread that is gone does not make leaving hang."""
    models = PerLoop("offline")

    async def open_only() -> None:
        await models.open_here()

    async def scenario() -> None:
        await asyncio.to_thread(run, open_only())
        await models.open_here()
        await models.close()

    run(scenario())
