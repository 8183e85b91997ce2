"""The brief: everything that the specialist needs, made from state; nothing that was said is called missing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sales.pictures import POLICY, all_scores, heard, mention, pictures, score
from turnstate.apps.sales.briefing import ASK, OBJECTION, RETURN, SHARE, brief
from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.states import (
    DIMENSIONS,
    Memory,
    Offered,
    PainPoint,
    Progress,
    Promise,
    Qualification,
    Research,
    Scores,
    Shared,
    Source,
    Specialist,
)
from turnstate.core.brief import render

WHO: tuple[Specialist, ...] = ("discovery", "consultant", "presenter", "closer", "farewell")
QUALIFIED = Picture(POLICY, scores=all_scores(), found=Qualification(is_qualified="QUALIFIED"))
CASE, MEETING = (f"{SHARE}{name}" for name in ("send_case_study", "book_meeting"))


def test_the_goal_the_stage_and_what_is_missing_are_said() -> None:
    """In one line, in the words of the policy."""
    scores = Scores(
        timeline=score(said="six weeks", turn=3), need=score(said="ten hours"), fit=score(said="45 people")
    )
    picture = Picture(POLICY, scores=scores, progress=Progress(phase="qualification"))
    told = render(brief("discovery", picture))
    assert f"goal: {POLICY.goal}" in told
    assert "stage 2 of 4: qualification, missing: the budget, who decides" in told
    assert "- the timeline: six weeks (turn 3)" in told
    assert f"{ASK}{POLICY.questions['budget'][0]}" in told


@given(pictures, st.sampled_from(WHO))
def test_nothing_that_was_said_is_missing(picture: Picture, who: Specialist) -> None:
    """Neither earlier nor just now; what is known and what is missing never overlap."""
    made = brief(who, picture)
    known = {what for what, _ in made.known}
    assert known.isdisjoint(made.missing)
    for name in DIMENSIONS:
        said = bool(getattr(picture.scores, name).turn or picture.mentioned(name))
        assert (POLICY.meanings[name] in known) == said
        if not picture.qualified:
            assert (POLICY.meanings[name] in made.missing) == (not said)


@given(pictures, st.sampled_from(WHO))
def test_at_most_one_thing_is_asked_for(picture: Picture, who: Specialist) -> None:
    """And of a qualified buyer, or one who leaves, nothing."""
    asks = [note for note in brief(who, picture).notes if note.startswith(ASK)]
    assert len(asks) <= 1
    if picture.qualified or who == "farewell":
        assert asks == []


@given(pictures, st.sampled_from(WHO))
def test_past_the_limit_the_brief_returns_to_the_goal(picture: Picture, who: Specialist) -> None:
    """First of its notes, and the trace says so; before, neither."""
    far = replace(picture, progress=picture.progress.model_copy(update={"idle": POLICY.idle}))
    near = replace(picture, progress=picture.progress.model_copy(update={"idle": POLICY.idle - 1}))
    assert (brief(who, far).notes[0] == RETURN) == far.lost
    assert brief(who, far).trace == (
        (f"{POLICY.idle} turns brought nothing new: the brief returned to the goal.",) if far.lost else ()
    )
    assert RETURN not in brief(who, near).notes
    assert brief(who, near).trace == ()


@pytest.mark.parametrize(
    ("who", "shared", "note"),
    [
        ("presenter", (), CASE),
        ("presenter", ("send_case_study",), MEETING),
        ("presenter", ("send_case_study", "book_meeting"), ""),
        ("closer", (), MEETING),
        ("closer", ("book_meeting",), "offer: a case study from the buyer's industry"),
        ("consultant", (), "offer: a case study from the buyer's industry"),
        ("discovery", ("send_case_study",), "offer: a meeting with one of our people"),
    ],
)
def test_a_qualified_buyer_gets_assets_and_no_more_questions(
    who: Specialist, shared: tuple[str, ...], note: str
) -> None:
    """Each asset once."""
    offered = Offered(shared=tuple(Shared(id=name, name=name, turn=1) for name in shared))
    notes = brief(who, replace(QUALIFIED, offered=offered)).notes
    assert notes == ("The buyer is qualified: ask no more discovery questions.", *([note] if note else []))


def test_evidence_gap_pains_promises_and_the_next_step_are_told() -> None:
    """What is kept is not open any more; of pains the newest; an objection comes first."""
    picture = Picture(
        POLICY,
        memory=Memory(
            industry="freight",
            pain_points=tuple(PainPoint(id=str(n), text=f"pain {n}") for n in range(5)),
            commitments=(
                Promise(id="1", text="a quote"),
                Promise(id="2", by="buyer", text="sent", kept=True),
            ),
            next_step="a call on Monday",
        ),
        heard=heard(mention("objection", "too dear"), asks=True),
        research=Research(
            level="PARTIAL", evidence=(Source(source="pricing.md", text="$48"),), gap="a printer?"
        ),
    )
    made = brief("consultant", picture)
    assert made.known[0] == ("industry", "freight")
    assert [value for what, value in made.known if what == "a pain"] == ["pain 2", "pain 3", "pain 4"]
    assert made.commitments == ("us: a quote",)
    assert made.evidence == ("pricing.md: $48",)
    assert made.gap == "a printer?"
    assert made.notes[0] == f"{OBJECTION}too dear"
    assert made.notes[-1] == "agreed next step: a call on Monday"


def test_a_gap_of_an_accurate_answer_is_none() -> None:
    """Only what is partly or not on record has one."""
    picture = Picture(POLICY, research=Research(level="ACCURATE", gap="left over"))
    assert brief("consultant", picture).gap == ""


def test_who_takes_leave_asks_nothing() -> None:
    """Whatever is missing."""
    notes = brief("farewell", Picture(POLICY)).notes
    assert len(notes) == 1
    assert "ask nothing" in notes[0]
