"""Conversations as lines and back: the same bytes from any store, and a clear word for every line that is none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import BinaryContent

from turnstate.core.history import Snapshot
from turnstate.core.messages import user_message
from turnstate.errors import ConversationExists, ExportError
from turnstate.ports import Kept, KeptEvent, KeptTurn, Log, Opening
from turnstate.stores import MemoryLog, SqliteLog
from turnstate.stores.exporting import chosen, conversations_in, export, lines_of, put
from turnstate.testing.log_contract.forgetting import tell
from turnstate.testing.log_contract.story import AT

HEADER = '{"turnstate":"export","format":1}\n'


async def exported(log: Log, user: str | None = None) -> list[str]:
    """All lines of an export."""
    return [line async for line in export(log, await chosen(log, user=user))]


def test_an_import_gives_the_same_export_again(tmp_path: Path) -> None:
    """From memory to a file and back; a user's conversations stand together."""

    async def scenario() -> None:
        memory, file, again = MemoryLog(), SqliteLog(tmp_path / "chat.db"), MemoryLog()
        for conversation, user in [("c1", "ann"), ("c2", "bob"), ("c3", "ann"), ("c4", None)]:
            await tell(memory, conversation, 2, user=user)
        lines = await exported(memory)
        assert await put(file, lines) == 4
        assert await exported(file) == lines
        assert await put(again, await exported(file)) == 4
        assert await exported(again) == lines
        assert await again.facts(user="ann", conversation="c1") == await memory.facts(
            user="ann", conversation="c1"
        )
        with pytest.raises(ConversationExists):
            await put(file, lines)
        assert len(await exported(file, "ann")) < len(lines)
        await file.close()

    asyncio.run(scenario())


texts = st.text(st.characters(codec=None), max_size=20)
numbers = st.integers(0, 2**40)
kept_events = st.builds(KeptEvent, numbers, numbers, numbers, texts, numbers, texts)
kept = st.builds(
    Kept,
    texts,
    st.none() | texts,
    numbers,
    numbers,
    numbers,
    numbers,
    numbers,
    st.lists(kept_events, max_size=3).map(tuple),
    st.lists(
        st.builds(KeptTurn, numbers, numbers, st.sampled_from(["open", "closed"]), st.none() | texts),
        max_size=3,
    ).map(tuple),
    st.just({}),
    st.builds(Snapshot, numbers, st.lists(numbers, max_size=3).map(tuple)),
)


@given(st.lists(kept, max_size=3))
def test_any_conversation_comes_back(all_kept: list[Kept]) -> None:
    """Also events that nobody can read, and texts that UTF-8 cannot hold."""
    lines = [HEADER, *(line for one in all_kept for line in lines_of(one))]
    end = json.dumps({"turnstate": "end", "conversations": len(all_kept)})
    assert list(conversations_in([*lines, end])) == all_kept
    assert all(line.isascii() for line in lines)


@pytest.fixture(scope="module")
def whole() -> list[str]:
    """A small export."""

    async def made() -> list[str]:
        log = MemoryLog()
        await tell(log, "c1", 1)
        picture = BinaryContent(b"a picture" * 200, media_type="image/png")
        await log.open(Opening("c1", "ann", None, "digest", user_message(["look", picture], AT), AT))
        return await exported(log)

    return asyncio.run(made())


Damage: TypeAlias = Callable[[list[str]], list[str]]
DAMAGES: list[tuple[Damage, str]] = [
    (lambda lines: lines[1:], "Line 1 .* is not the header"),
    (lambda lines: [], "ends too early"),
    (lambda lines: lines[:-1], "ends too early"),
    (lambda lines: [*lines[:3], *lines[4:]], "comes too early"),
    (lambda lines: [*lines, lines[1]], "behind the end"),
    (lambda lines: [lines[0].replace("1", "2"), *lines[1:]], "says format 2"),
    (lambda lines: [*lines[:2], "nonsense", *lines[3:]], "Line 3"),
    (lambda lines: [*lines[:2], "[]", *lines[3:]], "Line 3 .* is no JSON object"),
    (lambda lines: [*lines[:2], lines[2].replace('"c1"', '"c2"'), *lines[3:]], "another conversation"),
    (lambda lines: [*lines[:2], lines[2].replace('"seq":1', '"seq":"1"'), *lines[3:]], "another type"),
    (
        lambda lines: [line.replace('"data":"', '"data":"QUFB') for line in lines],
        "do not match their SHA-256",
    ),
    (lambda lines: [line.replace('"data":"', '"data":"!') for line in lines], "Line"),
    (lambda lines: [*lines[:-1], lines[-1].replace("1", "5")], "counts 5 conversations"),
    (lambda lines: [lines[0], "[" * 100_000], "Line 2"),
]
"""What may happen to a file, and what is said of it."""


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
def test_a_damaged_export_is_refused_with_its_line(whole: list[str], damage: Damage, words: str) -> None:
    """And nothing of the conversation that it stands in is imported."""
    spoiled = damage(whole)

    async def scenario() -> None:
        log = MemoryLog()
        with pytest.raises(ExportError, match=words):
            await put(log, spoiled)

    asyncio.run(scenario())
