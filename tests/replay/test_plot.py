"""The picture of a replay is a file that can be looked at."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from turnstate.core.context.budget import Budget
from turnstate.errors import WiringError
from turnstate.readers.openai_chat import read_chat
from turnstate.replay.plot import draw
from turnstate.replay.report import Report
from turnstate.replay.run import replay

NAME = "order $12 for $15\nand a very long name that does not fit into a title at all"


def _report(turns: int = 20) -> Report:
    messages: list[dict[str, str]] = []
    for number in range(turns):
        messages.append({"role": "user", "content": f"{number} " + "and where is it now " * 8})
        messages.append({"role": "assistant", "content": "on its way " * 8})
    transcripts = (
        [read_chat(json.loads(json.dumps({"id": NAME, "messages": messages})), 1, "x")] if turns else []
    )
    return asyncio.run(replay(transcripts, ["append", "hybrid"], Budget(target=700)))


@pytest.mark.parametrize(("name", "magic"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")])
def test_the_ending_says_the_format(tmp_path: Path, name: str, magic: bytes) -> None:
    """A bitmap or a drawing."""
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    draw(_report(), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(magic)


def test_a_single_request_can_be_drawn(tmp_path: Path) -> None:
    """Without a warning about an axis of no length."""
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    draw(_report(1), tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 1_000


def test_nothing_to_draw_says_so(tmp_path: Path) -> None:
    """Instead of an empty picture."""
    with pytest.raises(WiringError, match="no conversation to draw"):
        draw(_report(0), tmp_path / "a.png")


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(WiringError, match=r"pip install 'turnstate\[plot\]'"):
        draw(_report(), tmp_path / "a.png")
