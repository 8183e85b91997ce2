"""Anthropic's system text with the instructions that stood among the messages."""

from __future__ import annotations

from typing import Any

import pytest

from turnstate.adapters.pieces import Piece
from turnstate.adapters.rendering import system_of
from turnstate.adapters.turns import Group

LATER = [Group([Piece({"role": "system", "content": text}) for text in ("Be short.", " ")])]


@pytest.mark.parametrize(
    ("system", "sent"),
    [
        (None, "Be short."),
        ("Be kind.", "Be kind.\n\nBe short."),
        (
            [{"type": "text", "text": "a"}],
            [{"type": "text", "text": "a"}, {"type": "text", "text": "Be short."}],
        ),
    ],
)
def test_later_instructions_stand_behind(system: Any, sent: Any) -> None:
    """In the form that it was given in; what was given stays where nothing is added."""
    assert system_of(system, LATER) == sent
    assert system_of(system, []) is system
