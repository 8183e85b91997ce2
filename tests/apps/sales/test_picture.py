"""What is known in a turn: what is missing, what is asked next, and when the goal is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from apps.sales.pictures import POLICY, all_scores, asked, heard, mention, pictures, score
from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.states import DIMENSIONS, Progress, Qualification, Scores

FIRST = {name: wordings[0] for name, wordings in POLICY.questions.items()}
LOST = Progress(idle=POLICY.idle)


def test_at_the_start_everything_is_missing_in_the_order_of_asking() -> None:
    """And the first question is the policy's first."""
    picture = Picture(POLICY)
    assert picture.missing == tuple(POLICY.questions)
    assert picture.question == FIRST["need"]
    assert not picture.lost


def test_what_is_said_just_now_counts_as_said() -> None:
    """It is not asked for in the same turn."""
    picture = Picture(POLICY, heard=heard(mention("need"), mention("timeline", "six weeks")))
    assert picture.missing == ("fit", "budget", "authority")
    assert picture.question == FIRST["fit"]
    assert picture.mentioned("timeline") == ("six weeks",)
    assert picture.mentioned("budget") == ()


@pytest.mark.parametrize(
    ("picture", "question"),
    [
        (Picture(POLICY, questions=asked("need")), FIRST["fit"]),
        (Picture(POLICY, scores=all_scores()), ""),
        (Picture(POLICY, questions=asked(*DIMENSIONS)), ""),
        (Picture(POLICY, questions=asked(*DIMENSIONS), progress=LOST), POLICY.questions["budget"][1]),
        (Picture(POLICY, questions=asked(*DIMENSIONS, times=2), progress=LOST), ""),
        (Picture(POLICY, scores=all_scores(), progress=LOST), ""),
        (
            Picture(
                POLICY, scores=all_scores(budget=score(turn=0)), questions=asked("budget"), progress=LOST
            ),
            POLICY.questions["budget"][1],
        ),
    ],
    ids=[
        "next",
        "nothing missing",
        "all asked",
        "lost",
        "no words left",
        "lost, nothing missing",
        "in other words",
    ],
)
def test_what_was_asked_is_asked_again_only_to_return_to_the_goal(picture: Picture, question: str) -> None:
    """And then in words that were not used yet, the longest ago first."""
    assert picture.question == question


@given(pictures)
def test_only_what_is_missing_is_asked_for(picture: Picture) -> None:
    """Nothing that is on record, and no wording that was used."""
    wordings = {
        wording: (name, place)
        for name, questions in POLICY.questions.items()
        for place, wording in enumerate(questions)
    }
    if picture.question:
        name, place = wordings[picture.question]
        assert name in picture.missing
        assert place == next((each.times for each in picture.questions.asked if each.id == name), 0)
    assert set(picture.missing) == {
        name for name in DIMENSIONS if not getattr(picture.scores, name).turn and not picture.mentioned(name)
    }


@given(pictures)
def test_a_buyer_who_is_qualified_is_never_lost(picture: Picture) -> None:
    """Nor one of whom everything is known."""
    assert not replace(picture, found=Qualification(is_qualified="QUALIFIED")).lost
    assert not replace(picture, scores=all_scores()).lost
    behind = replace(picture, scores=Scores(), heard=heard(), found=Qualification())
    assert behind.lost == (picture.progress.idle >= POLICY.idle)
