"""Processes that a test may kill: forked from one that has imported everything, so that each is up at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from typing import Any


def context() -> ForkServerContext:
    """Where processes come from."""
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(
        ["turnstate.assistant", "turnstate.testing.scripted", "turnstate.stores.postgres.log"]
    )
    return found


def begin(work: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a process that runs `work`."""
    process = context().Process(target=work, args=arguments, daemon=True)
    process.start()
    return process


def end(process: BaseProcess, seconds: float = 60) -> int | None:
    """Wait for the end of a process; its exit code, negative for the signal that killed it."""
    process.join(seconds)
    return process.exitcode
