"""The orchestrator's rules: qualification is looked at first, in every turn; nothing is written but a proposal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from apps.sales.pictures import POLICY, all_scores, heard, mention, pictures
from turnstate.apps.sales.orchestrating import propose
from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.states import (
    Heard,
    Memory,
    Offered,
    Phase,
    Progress,
    Qualification,
    Shared,
    Specialist,
)

QUALIFIED = Qualification(is_qualified="QUALIFIED")
OUT = Qualification(is_qualified="UNQUALIFIED")
CASE = Offered(shared=(Shared(id="send_case_study", name="send_case_study"),))
ASKS = heard(asks=True)


@pytest.mark.parametrize(
    ("said", "who"),
    [
        (heard(), "discovery"),
        (ASKS, "consultant"),
        (heard(mention("objection")), "consultant"),
        (heard(mention("budget")), "discovery"),
        (heard(declines=True), "farewell"),
        (heard(declines=True, asks=True), "farewell"),
    ],
)
def test_a_buyer_who_is_not_qualified(said: Heard, who: Specialist) -> None:
    """Is answered, and asked for what is missing."""
    assert propose(Picture(POLICY, heard=said)).next_agent == who


@pytest.mark.parametrize(
    ("picture", "phase"),
    [
        (Picture(POLICY), "discovery"),
        (Picture(POLICY, memory=Memory(industry="freight")), "qualification"),
        (Picture(POLICY, memory=Memory(industry="freight"), scores=all_scores()), "qualification"),
        (Picture(POLICY, progress=Progress(phase="qualification")), "qualification"),
        (Picture(POLICY, progress=Progress(phase="qualification"), scores=all_scores()), "asset sharing"),
    ],
)
def test_the_phase_that_comes_next(picture: Picture, phase: Phase) -> None:
    """One after the other, as far as something is known."""
    assert propose(picture).phase == phase


@pytest.mark.parametrize(
    ("said", "offered", "phase", "who", "proposed"),
    [
        (heard(), Offered(), "qualification", "presenter", "asset sharing"),
        (ASKS, Offered(), "asset sharing", "consultant", "asset sharing"),
        (
            heard(mention("topic", "references"), asks=True),
            Offered(),
            "asset sharing",
            "presenter",
            "asset sharing",
        ),
        (heard(), CASE, "asset sharing", "presenter", "close"),
        (heard(mention("topic", "meeting")), CASE, "asset sharing", "closer", "close"),
        (heard(thanks=True), CASE, "close", "closer", "close"),
    ],
)
def test_a_qualified_buyer_is_shown_what_helps(
    said: Heard, offered: Offered, phase: Phase, who: Specialist, proposed: Phase
) -> None:
    """Nobody asks any more."""
    picture = Picture(POLICY, heard=said, offered=offered, found=QUALIFIED, progress=Progress(phase=phase))
    routing = propose(picture)
    assert (routing.next_agent, routing.phase) == (who, proposed)


@given(pictures)
def test_qualification_is_looked_at_first(picture: Picture) -> None:
    """On a later call too: who is qualified meets no discovery, whatever is missing; who is not meets no closer."""
    kept = replace(picture, heard=picture.heard.model_copy(update={"declines": False}))
    assert propose(replace(kept, found=QUALIFIED)).next_agent in ("presenter", "closer", "consultant")
    assert propose(replace(kept, found=Qualification())).next_agent in ("discovery", "consultant")


@given(pictures)
def test_a_buyer_who_was_none_is_heard_when_they_come_back(picture: Picture) -> None:
    """Silence ends politely, anything of interest goes on where it stopped."""
    gone = replace(picture, found=OUT)
    assert propose(replace(gone, heard=heard(thanks=True))).next_agent == "farewell"
    assert propose(replace(gone, heard=heard(mention("budget")))).next_agent == "discovery"
    assert propose(replace(gone, heard=ASKS)).next_agent == "consultant"


@given(pictures)
def test_every_proposal_has_a_reason(picture: Picture) -> None:
    """And the same picture gives the same one."""
    assert propose(picture).reason
    assert propose(picture) == propose(picture)
