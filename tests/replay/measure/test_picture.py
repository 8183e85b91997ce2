"""The picture of a measurement is a file that can be looked at."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from turnstate.core.context.budget import Budget
from turnstate.errors import WiringError
from turnstate.readers.openai_chat import read_chat
from turnstate.replay.measure.picture import draw
from turnstate.replay.measure.run import Measurement, measure


def _measured() -> Measurement:
    messages = [{"role": role, "content": "on its way"} for _ in range(4) for role in ("user", "assistant")]
    return asyncio.run(measure([read_chat({"messages": messages}, 1, "x")], Budget(target=700)))


@pytest.mark.parametrize(("name", "magic"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml")])
def test_the_ending_says_the_format(tmp_path: Path, name: str, magic: bytes) -> None:
    """A bitmap or a drawing."""
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    draw(_measured(), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(magic)


def test_without_matplotlib_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(WiringError, match=r"turnstate\[plot\]"):
        draw(_measured(), tmp_path / "a.png")
