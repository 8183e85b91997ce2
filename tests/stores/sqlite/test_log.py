"""Whatever is asked of it, and in whatever order, the log in a file answers like the log in memory."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from turnstate.core.events import ConversationOpened, Event, HandedOff, Resumed, StateChanged
from turnstate.core.facts import Fact, Source
from turnstate.core.history import Snapshot, fold
from turnstate.errors import TurnstateError
from turnstate.ports import Log
from turnstate.stores.memory import MemoryLog
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.testing.log_contract.story import (
    AT,
    closed,
    failed,
    learned,
    opening,
    reopened,
    responded,
    summary,
    unwritable,
)


class _Asked(Protocol):
    """A question for a log."""

    def __call__(self, log: Log, /) -> Awaitable[Any]: ...


conversations = st.sampled_from(["c1", "c2", "ann", "a\0", "é", "e\u0301"])
users = st.sampled_from([None, "ann", "bob"])
keys = st.sampled_from([None, "k1", "k2", "\ud800"])
messages = st.sampled_from(["Hello", "Hello again"])
times = st.integers(AT - 5, AT + 5)
turns = st.integers(0, 4)

facts = st.builds(
    Fact,
    st.sampled_from(["city", "allergies"]),
    st.sampled_from(["Oslo", "Rome", "nuts"]),
    st.sampled_from([Source.APP, Source.USER_QUOTE]),
    st.just("quote"),
    st.just(0),
    st.just(5),
    conversations,
    turns,
    times,
    st.none() | times,
    st.just(""),
    st.booleans(),
    st.booleans(),
)
events: st.SearchStrategy[Event] = st.one_of(
    st.sampled_from([responded(), closed(), closed(), failed(), failed(), reopened(), reopened()]),
    st.sampled_from([summary(), HandedOff("asked"), Resumed("ann"), StateChanged("S", 1, "r", 1, {"a": 1})]),
    st.lists(facts, max_size=3).map(lambda some: learned(*some)),
    st.sampled_from([unwritable(), ConversationOpened("mallory")]),
)


class SameAnswers(RuleBasedStateMachine):
    """A file and a memory that are asked the same."""

    @initialize()
    def begin(self) -> None:
        """Both are empty."""
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.memory = MemoryLog()
        self.file = SqliteLog(Path(self.folder.name) / "chat.db")

    def teardown(self) -> None:
        """Nothing is left open."""
        self.runner.run(self.file.close())
        self.runner.close()
        self.folder.cleanup()

    def both(self, ask: _Asked) -> Any:
        """The answer of both, or how both refused."""

        async def answer(log: Log) -> Any:
            try:
                return await ask(log)
            except (TurnstateError, ValueError) as error:
                return type(error), str(error)

        expected, found = self.runner.run(answer(self.memory)), self.runner.run(answer(self.file))
        assert found == expected
        return found

    @rule(conversation=conversations, user=users, at=times)
    def start(self, conversation: str, user: str | None, at: int) -> None:
        """A conversation is opened, or found."""
        self.both(lambda log: log.start(conversation, user, at))

    @rule(conversation=conversations, text=messages, user=users, key=keys, at=times)
    def open_turn(self, conversation: str, text: str, user: str | None, key: str | None, at: int) -> None:
        """A message arrives, perhaps again."""
        self.both(lambda log: log.open(opening(conversation, text, user=user, key=key, at=at)))

    @rule(
        conversation=conversations,
        turn=turns,
        some=st.lists(events, max_size=4),
        at=times,
        snapshot=st.none()
        | st.builds(Snapshot, st.integers(1, 9), st.sets(st.integers(1, 9)).map(sorted).map(tuple)),
    )
    def append(
        self, conversation: str, turn: int, some: list[Event], at: int, snapshot: Snapshot | None
    ) -> None:
        """Somebody writes, in time or not."""
        self.both(lambda log: log.append(conversation, turn, some, at, snapshot=snapshot))

    @rule(conversation=conversations, text=messages, at=times)
    def converse(self, conversation: str, text: str, at: int) -> None:
        """A turn goes well, and leaves its snapshot."""

        async def whole(log: Log) -> object:
            infos = {info.conversation: info for info in await log.conversations()}
            user = infos[conversation].user if conversation in infos else None
            opened = await log.open(opening(conversation, text, user=user, at=at))
            history = fold(await log.read(conversation))
            return await log.append(
                conversation, opened.turn, [responded(text), closed()], at, snapshot=history.snapshot()
            )

        self.both(whole)
        assert fold(self.both(lambda log: log.load(conversation))) == fold(
            self.both(lambda log: log.read(conversation))
        )

    @rule(
        conversation=conversations,
        after=st.integers(-1, 9),
        turn=st.none() | turns,
        limit=st.none() | st.integers(-1, 5),
    )
    def read(self, conversation: str, after: int, turn: int | None, limit: int | None) -> None:
        """Somebody reads a part."""
        self.both(lambda log: log.read(conversation, after=after, turn=turn, limit=limit))

    @rule(user=users, conversation=conversations, superseded=st.booleans())
    def facts(self, user: str | None, conversation: str, superseded: bool) -> None:
        """Somebody asks what is known."""
        self.both(lambda log: log.facts(user=user, conversation=conversation, superseded=superseded))

    @rule(user=users, limit=st.integers(-1, 5))
    def list_conversations(self, user: str | None, limit: int) -> None:
        """Somebody asks for a listing."""
        self.both(lambda log: log.conversations(user=user, limit=limit))

    @precondition(lambda self: hasattr(self, "file"))
    @rule()
    def restart(self) -> None:
        """The file is closed and opened again."""
        self.runner.run(self.file.close())
        self.file = SqliteLog(Path(self.folder.name) / "chat.db")

    @invariant()
    def the_listing_agrees(self) -> None:
        """Both have the same conversations, with the same counts and times."""
        if hasattr(self, "file"):
            self.both(lambda log: log.conversations())


TestSameAnswers = SameAnswers.TestCase
TestSameAnswers.settings = settings(max_examples=30, stateful_step_count=30)


def test_a_log_serves_several_event_loops(tmp_path: Path) -> None:
    """One after the other, here; the contract has them side by side."""
    log = SqliteLog(tmp_path / "chat.db")
    ask: Callable[[], Any] = lambda: asyncio.run(log.open(opening()))  # noqa: E731  # read as one line
    assert [ask().turn, ask().turn] == [1, 2]
    asyncio.run(log.close())


def test_its_url_and_tenant_can_be_read(tmp_path: Path) -> None:
    """Made from the path where none was given."""
    path = tmp_path / "chat.db"
    log = SqliteLog(path, "acme")
    assert (log.url, log.tenant) == (f"sqlite:///{path}", "acme")
    asyncio.run(log.close())
