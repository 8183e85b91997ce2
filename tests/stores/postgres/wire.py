"""A line to the database that a test can cut: for a while, for good, or just before an answer arrives."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

COMMITTED = b"Z\x00\x00\x00\x05I"
"""What the server says when it is ready for the next: what was asked before is committed."""


class Wire:
    """A socket through which a test's connections go to the server.

    Attributes:
        deaf: how many answers of "ready" are held back, each of which also cuts the connection.
    """

    def __init__(self, server: str, folder: Path) -> None:
        self._there = Path(str(conninfo_to_dict(server)["host"])) / ".s.PGSQL.5432"
        self._here = folder / ".s.PGSQL.5432"
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = f"postgresql://postgres@/postgres?host={folder}"
        self.deaf = 0

    async def up(self) -> None:
        """Let connections through."""
        self._server = await asyncio.start_unix_server(self._serve, self._here)

    async def down(self) -> None:
        """Cut all connections, and let none through."""
        if self._server is not None:
            self._server.close()
        self._here.unlink(missing_ok=True)
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Cut all connections that there are."""
        for writer in tuple(self._open):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            from_server, to_server = await asyncio.open_unix_connection(self._there)
            self._open |= {writer, to_server}
            with contextlib.suppress(OSError):
                await asyncio.gather(
                    self._pass(reader, to_server), self._answer(from_server, writer, to_server)
                )
            for end in (writer, to_server):
                end.transport.abort()
                self._open.discard(end)
        finally:
            self._tasks.discard(task)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def _answer(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, other: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(65_536):
            if self.deaf and COMMITTED in data:
                self.deaf -= 1
                other.transport.abort()
                break
            writer.write(data)
            await writer.drain()
        writer.transport.abort()


@asynccontextmanager
async def wired(server: str) -> AsyncGenerator[Wire]:
    """A line that is up."""
    with tempfile.TemporaryDirectory(prefix="ts-wire-") as folder:
        wire = Wire(server, Path(folder))
        await wire.up()
        try:
            yield wire
        finally:
            await wire.down()
