"""A process of the OpenAI Agents SDK: an agent whose model answers at once, with a session in SQLite."""

from __future__ import annotations

import importlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from benchmarks.peers.talk import Send, said, serve


@asynccontextmanager
async def opened(store: str) -> AsyncGenerator[Send]:
    """An agent and its sessions in one file."""
    agents = cast("Any", importlib.import_module("agents"))
    types = cast("Any", importlib.import_module("openai.types.responses"))

    async def get_response(_: Any, **request: Any) -> Any:
        text = types.ResponseOutputText(
            text=said(len(request["input"]), "Answer"), type="output_text", annotations=[], logprobs=[]
        )
        message = types.ResponseOutputMessage(
            id="m", content=[text], role="assistant", status="completed", type="message"
        )
        return agents.ModelResponse(output=[message], usage=agents.Usage(), response_id=None)

    instant = cast(
        "Any", type("Instant", (agents.Model,), {"get_response": get_response, "stream_response": None})
    )
    agents.set_tracing_disabled(True)
    agent = agents.Agent(name="a", instructions="Answer.", model=instant())
    sessions: dict[str, Any] = {}

    async def send(conversation: str, words: str) -> str:
        session = sessions.get(conversation)
        if session is None:
            session = sessions[conversation] = agents.SQLiteSession(conversation, store)
        ran = await agents.Runner.run(agent, words, session=session)
        return str(ran.final_output)

    yield send
    for session in sessions.values():
        session.close()


if __name__ == "__main__":
    serve(opened)
