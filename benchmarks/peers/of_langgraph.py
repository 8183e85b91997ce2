"""A process of LangGraph: one node that answers at once, its state checkpointed after every step.

`durability="sync"`: a step is written before the next one begins, as every other contender does.
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from benchmarks.peers.talk import Send, said, serve


@asynccontextmanager
async def opened(store: str) -> AsyncGenerator[Send]:
    """A graph on a store: a path is SQLite, a URL is PostgreSQL."""
    graphs = cast("Any", importlib.import_module("langgraph.graph"))
    saver: Any
    if "://" in store:
        pools = cast("Any", importlib.import_module("psycopg_pool"))
        rows = cast("Any", importlib.import_module("psycopg.rows"))
        savers = cast("Any", importlib.import_module("langgraph.checkpoint.postgres.aio"))
        settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": rows.dict_row}
        held = pools.AsyncConnectionPool(store, max_size=10, kwargs=settings, open=False)
    else:
        savers = cast("Any", importlib.import_module("langgraph.checkpoint.sqlite.aio"))
        held = savers.AsyncSqliteSaver.from_conn_string(store)

    async def answer(state: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [{"role": "assistant", "content": said(len(state["messages"]), "Answer")}]}

    async with held as connected:
        saver = savers.AsyncPostgresSaver(connected) if "://" in store else connected
        await saver.setup()
        graph = graphs.StateGraph(graphs.MessagesState)
        graph.add_node("answer", answer)
        graph.add_edge(graphs.START, "answer")
        graph.add_edge("answer", graphs.END)
        compiled = graph.compile(checkpointer=saver)

        async def send(conversation: str, words: str) -> str:
            state = await compiled.ainvoke(
                {"messages": [{"role": "user", "content": words}]},
                {"configurable": {"thread_id": conversation}},
                durability="sync",
            )
            return str(state["messages"][-1].content)

        yield send


if __name__ == "__main__":
    serve(opened)
