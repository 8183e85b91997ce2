"""The log in a SQLite file: what the port asks for, handed to the thread that writes or to the one that reads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from turnstate.core.events import Event, Recorded, TurnOpened
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot
from turnstate.ports import Claim, Claimed, ConversationInfo, Kept, Opened, Opening, Receipt
from turnstate.stores.erasing import Tally
from turnstate.stores.rules import owner_of
from turnstate.stores.sqlite.database import connect, explained, same_file
from turnstate.stores.sqlite.erasing import erase_conversation, erase_turns, erase_user
from turnstate.stores.sqlite.keeping import keep, kept
from turnstate.stores.sqlite.lane import Lane
from turnstate.stores.sqlite.leases import claim_turn, release, renew
from turnstate.stores.sqlite.reads import conversations, facts, load, read, read_turns, search
from turnstate.stores.sqlite.session import Session
from turnstate.stores.sqlite.writes import addition, append, entry, open_turn, start

Result = TypeVar("Result")

_TRIES, _PAUSE = 50, 0.02
"""How often the write-ahead log is emptied while somebody reads, and the seconds between."""

_TOGETHER = 64
"""Writes that may share a commit: enough for a busy server, few enough to be tried one by one when one fails."""


def wall() -> int:
    """Microseconds since the epoch."""
    return time.time_ns() // 1_000


class SqliteLog:
    """A `Log` in a SQLite file, for one tenant; several processes of one host may share the file.

    One thread writes and one reads, each with a connection of its own. What has queued up while a commit was on its
    way to the disk is committed together.

    Args:
        path: the file, which is created unless it is there, and its folder with it.
        tenant: whose conversations these are.
        url: the store's URL, for errors; made from the path unless given.
        timeout: how long to wait for another process, in seconds.
        clock: what leases are timed with, in microseconds; the same for all processes of the host.

    Raises:
        StoreSchemaError: the file has another schema; nothing was changed.
        StoreUnavailable: the file cannot be made or opened, or is something else.
        StoreBusy: another process did not let go in time.
    """

    def __init__(
        self,
        path: Path,
        tenant: str = "default",
        *,
        url: str = "",
        timeout: float = 30.0,
        clock: Callable[[], int] = wall,
    ) -> None:
        self._clock = clock
        self._url = url = url or f"sqlite:///{path}"
        self._tenant = tenant
        path = path.absolute()
        writer = connect(path, url, timeout)
        try:
            reader = connect(path, url, timeout)
            with explained(url):
                reader.execute("PRAGMA query_only = ON")
        except BaseException:
            writer.close()
            raise
        there = same_file(path, url)
        self._writes = Session(writer, tenant)
        self._reads = Session(reader, tenant)
        self._writer = Lane(
            url,
            writer,
            begin="BEGIN IMMEDIATE",
            together=_TOGETHER,
            farewell="PRAGMA wal_checkpoint(TRUNCATE)",
            check=there,
        )
        try:
            self._reader = Lane(url, reader, begin="BEGIN", check=there)
        except BaseException:
            self._writer.stop()
            raise

    @property
    def url(self) -> str:
        """The store's URL."""
        return self._url

    @property
    def tenant(self) -> str:
        """Whose conversations these are."""
        return self._tenant

    async def start(self, conversation: str, user: str | None, at: int) -> int:
        """Open the conversation unless it is there; see `Log.start`."""
        return await self._write(lambda session: start(session, conversation, user, at))

    async def open(self, opening: Opening) -> Opened:
        """Open a turn durably, or find the one that has its key; see `Log.open`."""
        message = entry(TurnOpened(opening.key, opening.digest, opening.message))
        return await self._write(lambda session: open_turn(session, opening, message, self._clock()))

    async def append(
        self,
        conversation: str,
        turn: int,
        events: Sequence[Event],
        at: int,
        *,
        snapshot: Snapshot | None = None,
        token: int = 0,
    ) -> tuple[Recorded, ...]:
        """Record events of a turn, all or none; see `Log.append`."""
        added = addition(conversation, turn, events, at, token)
        return await self._write(lambda session: append(session, added, snapshot))

    async def claim(self, conversation: str, turn: int, claim: Claim) -> Claimed:
        """Lease a turn to a worker, or say why not; see `Log.claim`."""
        return await self._write(
            lambda session: claim_turn(session, conversation, turn, claim, self._clock())
        )

    async def renew(self, conversation: str, claim: Claim) -> tuple[int, ...]:
        """Say that a worker is alive; see `Log.renew`."""
        return await self._write(lambda session: renew(session, conversation, claim, self._clock()))

    async def release(self, conversation: str, turn: int, claim: Claim) -> None:
        """Give up a turn; see `Log.release`."""
        await self._write(lambda session: release(session, conversation, turn, claim))

    async def load(self, conversation: str) -> tuple[Recorded, ...]:
        """The events that the fold needs; see `Log.load`."""
        return await self._read(lambda session: load(session, conversation))

    async def read(
        self, conversation: str, *, after: int = 0, turn: int | None = None, limit: int | None = None
    ) -> tuple[Recorded, ...]:
        """Events after a place, of one turn or of all; see `Log.read`."""
        return await self._read(lambda session: read(session, conversation, after, turn, limit))

    async def read_turns(self, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
        """The events of these turns, in order; see `Log.read_turns`."""
        return await self._read(lambda session: read_turns(session, conversation, turns))

    async def search(
        self, conversation: str, words: Sequence[str], *, before: int, most: int | None = None
    ) -> Mapping[str, tuple[int, ...]]:
        """The turns in which each word was said; see `Log.search`."""
        return await self._read(lambda session: search(session, conversation, words, before, most))

    async def facts(
        self, *, user: str | None, conversation: str, superseded: bool = False
    ) -> tuple[Fact, ...]:
        """The facts of a user, or of a conversation without one; see `Log.facts`."""
        owner = owner_of(user, conversation)
        return await self._read(lambda session: facts(session, owner, superseded=superseded))

    async def conversations(
        self, *, user: str | None = None, limit: int = 100
    ) -> tuple[ConversationInfo, ...]:
        """Conversations, the most recently updated first; see `Log.conversations`."""
        return await self._read(lambda session: conversations(session, user, limit))

    async def erase(self, *, conversation: str | None = None, user: str | None = None, at: int) -> Receipt:
        """Delete a conversation, or all of a user, for good; see `Log.erase`."""
        tally = Tally("conversation" if user is None else "user", at)

        def work(session: Session) -> None:
            if conversation is not None:
                erase_conversation(session, conversation, tally)
            if user is not None:
                erase_user(session, user, tally)

        await self._write(work)
        return tally.receipt(*await self._empty())

    async def erase_turns(self, conversation: str, through: int, at: int) -> Receipt:
        """Delete turns, whole; see `Log.erase_turns`."""
        tally = Tally("retention", at)
        await self._write(lambda session: erase_turns(session, conversation, through, tally))
        return tally.receipt(*await self._empty())

    async def kept(self, conversation: str) -> Kept | None:
        """A conversation as it is kept; see `Log.kept`."""
        return await self._read(lambda session: kept(session, conversation))

    async def keep(self, *kept: Kept) -> None:
        """Put conversations as another store kept them; see `Log.keep`."""
        await self._write(lambda session: keep(session, kept))

    async def _empty(self) -> tuple[str, ...]:
        """Empty the write-ahead log, which still has what was deleted; what is in the way for long is told."""
        for _ in range(_TRIES):
            busy = await asyncio.wrap_future(self._writer.submit(self._writes.checkpoint, alone=True))
            if not busy:
                return ()
            await asyncio.sleep(_PAUSE)
        return ("the write-ahead log beside the file, while another process reads an older state of it",)

    async def close(self) -> None:
        """Finish what was asked, empty the write-ahead log, close the file; closing again does nothing."""
        ended = [lane.stop() for lane in (self._reader, self._writer)]
        for future in ended:
            await asyncio.wrap_future(future)
        for lane in (self._reader, self._writer):
            lane.join()

    async def _write(self, work: Callable[[Session], Result]) -> Result:
        return await asyncio.wrap_future(self._writer.submit(lambda: work(self._writes)))

    async def _read(self, work: Callable[[Session], Result]) -> Result:
        return await asyncio.wrap_future(self._reader.submit(lambda: work(self._reads)))
