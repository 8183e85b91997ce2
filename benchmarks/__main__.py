"""`python -m benchmarks`: run the measurements and write them to benchmarks/results."""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import conversation, load

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Run what was asked for, print it, and keep it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000, help="turns of the long conversation")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="for a peer's turns in each measurement of load"
    )
    parser.add_argument("--only", choices=["conversation", "load"], help="one measurement")
    arguments = parser.parse_args()
    if arguments.only != "load":
        with tempfile.TemporaryDirectory() as folder:
            keep("conversation", asyncio.run(conversation.measure(Path(folder), arguments.turns)))
    if arguments.only != "conversation":
        with tempfile.TemporaryDirectory() as folder:
            keep("load", load.measure(Path(folder), arguments.turns, arguments.seconds))


def keep(name: str, measured: dict[str, Any]) -> None:
    """Print a measurement and write it down, with the machine it was made on."""
    shown = {"python": platform.python_version(), "machine": platform.machine(), **measured}
    text = json.dumps(shown, indent=2)
    print(f"{name}:\n{text}")
    (RESULTS / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
