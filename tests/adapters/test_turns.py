"""Dicts make turns."""

from __future__ import annotations

from typing import Any

from turnstate.adapters.pieces import Piece
from turnstate.adapters.turns import grouped, turn_of

USER: dict[str, Any] = {"role": "user", "content": "Hello"}


def test_a_turn_begins_behind_a_response() -> None:
    """User messages in a row are one turn; a late one is the next."""
    groups = grouped([Piece(USER), Piece(USER), Piece({"role": "assistant", "content": "Hi"}), Piece(USER)])
    assert [len(group.pieces) for group in groups] == [3, 1]
    assert turn_of(1, groups[0]).reply == "Hi"


def test_instructions_lead_the_turn_behind_them() -> None:
    """And are known with the number of responses before them."""
    system = Piece({"role": "system", "content": "Be kind."})
    answer = Piece({"role": "assistant", "content": "Hi"})
    groups = grouped([system, Piece(USER), system, answer, system, Piece(USER), system])
    assert [group.lead for group in groups] == [1, 1]
    assert [list(group.instructions()) for group in groups] == [
        [(0, "Be kind."), (0, "Be kind.")],
        [(0, "Be kind."), (0, "Be kind.")],
    ]


def test_what_the_assistant_says_first_is_a_turn() -> None:
    """In which the user says nothing."""
    groups = grouped([Piece({"role": "assistant", "content": "Welcome"}), Piece(USER)])
    assert [turn_of(n, group).reply for n, group in enumerate(groups, start=1)] == ["Welcome", ""]
