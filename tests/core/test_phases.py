"""Phases: forward by one, back for a reason, within a budget of hops."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.phases import Move, Path

PATH = Path(("discovery", "qualification", "assets", "close"), hops=4)
names = st.sampled_from([*PATH.phases, "nowhere", ""])


def opened(_: str) -> str:
    """Every phase may be entered."""
    return ""


def test_one_step_forward_in_a_turn() -> None:
    """Whoever proposes the end gets the next phase."""
    assert PATH.move("discovery", "close", closed=opened) == Move(
        "qualification", moved=True, reason="discovery is done"
    )


def test_a_closed_phase_is_not_entered() -> None:
    """The reason says what is missing."""
    move = PATH.move("qualification", "assets", closed=lambda phase: f"{phase}: no budget")
    assert move == Move("qualification", reason="assets: no budget")


def test_back_only_for_a_reason() -> None:
    """An event leads back, a model's wish does not."""
    assert PATH.move("assets", "discovery", closed=opened).phase == "assets"
    move = PATH.move("assets", "discovery", closed=opened, back="the budget was withdrawn")
    assert move == Move("discovery", moved=True, reason="the budget was withdrawn")


def test_the_hops_are_counted() -> None:
    """Past the budget the conversation stays where it is, and says so."""
    move = PATH.move("discovery", "qualification", closed=opened, hops=4)
    assert (move.moved, "enough" in move.reason) == (False, True)


def test_the_stage_is_said_in_words() -> None:
    """What is unknown counts as the beginning."""
    assert PATH.stage("qualification") == "stage 2 of 4: qualification"
    assert PATH.stage("nowhere") == "stage 1 of 4: discovery"
    assert PATH.after("close") == "close"


@pytest.mark.parametrize("phases", [(), ("a", "a")])
def test_phases_need_names_of_their_own(phases: tuple[str, ...]) -> None:
    """At least one."""
    with pytest.raises(ValueError, match="a name of its own"):
        Path(phases)


@given(names, names, st.booleans(), st.sampled_from(["", "because"]), st.integers(0, 9))
def test_a_move_is_never_more_than_one_step_forward(
    phase: str, proposed: str, shut: bool, back: str, hops: int
) -> None:
    """And it is always a phase of the path."""
    move = PATH.move(phase, proposed, closed=lambda _: "shut" if shut else "", back=back, hops=hops)
    before = PATH.phases.index(phase) if phase in PATH.phases else 0
    after = PATH.phases.index(move.phase)
    assert after <= before + 1
    assert not (after > before and shut)
    assert not (after < before and not back)
    assert move.moved == (after != before)
    assert not move.moved or (hops < PATH.hops and move.reason)
