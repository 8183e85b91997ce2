"""What is decided when the reply is written: by rules over the scores, one step at a time, and always reversible."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sales.pictures import POLICY, all_scores, heard, mention, pictures, score, turns
from turnstate.apps.sales import closing
from turnstate.apps.sales.closing import ANSWERS, DECLINED
from turnstate.apps.sales.guarding import asks_of
from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.states import (
    DIMENSIONS,
    PHASES,
    Answers,
    Memory,
    Offered,
    Phase,
    Progress,
    Qualification,
    Questions,
    Routing,
    Score,
    Scores,
    Shared,
    Verdict,
)
from turnstate.turn.agents import AgentReply

QUALIFIED = Qualification(is_qualified="QUALIFIED")
ASKS = asks_of(POLICY)
CASE = Offered(shared=(Shared(id="send_case_study", name="send_case_study", turn=2),))


def said(text: str, turn: int = 3, tools: tuple[str, ...] = ()) -> AgentReply:
    """A reply."""
    return AgentReply(text, "discovery", turn, tools)


@pytest.mark.parametrize(
    ("scores", "verdict", "reason"),
    [
        (Scores(), "IN_PROGRESS", "open: budget, authority, need, timeline, fit"),
        (all_scores(), "QUALIFIED", "all five scores reach 50"),
        (all_scores(50), "QUALIFIED", "all five scores reach 50"),
        (all_scores(budget=score(49)), "IN_PROGRESS", "open: budget"),
        (all_scores(budget=Score()), "IN_PROGRESS", "open: budget"),
        (all_scores(fit=score(10)), "UNQUALIFIED", "fit rules it out"),
        (Scores(fit=score(0)), "UNQUALIFIED", "fit rules it out"),
        (Scores(fit=score(11)), "IN_PROGRESS", "open: budget, authority, need, timeline, fit"),
    ],
)
def test_the_scores_qualify(scores: Scores, verdict: Verdict, reason: str) -> None:
    """All five have to be heard and high enough; one that is too low rules the buyer out."""
    found = closing.qualification(Picture(POLICY, scores=scores), 4)
    assert (found.is_qualified, found.reason) == (verdict, reason)
    if verdict != "IN_PROGRESS":
        assert found.turn == 4


@given(pictures, turns)
def test_a_verdict_can_always_turn(picture: Picture, turn: int) -> None:
    """Whatever was decided before: good scores qualify, unless the buyer said no and has said nothing since."""
    better = replace(picture, scores=all_scores(), heard=heard(mention("budget")))
    assert closing.qualification(better, turn).is_qualified == "QUALIFIED"
    worse = replace(picture, scores=all_scores(need=score(0)), heard=heard())
    assert closing.qualification(worse, turn).is_qualified == "UNQUALIFIED"


def test_a_buyer_who_declines_may_come_back() -> None:
    """A thank-you does not take it back; a question does, and what was heard still counts."""
    picture = Picture(POLICY, scores=all_scores(), heard=heard(declines=True))
    declined = closing.qualification(picture, 5)
    assert (declined.is_qualified, declined.reason, declined.turn) == ("UNQUALIFIED", DECLINED, 5)
    still = closing.qualification(replace(picture, found=declined, heard=heard(thanks=True)), 6)
    assert still == declined
    again = closing.qualification(replace(picture, found=declined, heard=heard(asks=True)), 7)
    assert (again.is_qualified, again.turn) == ("QUALIFIED", 7)


@given(pictures, turns)
def test_what_does_not_change_keeps_its_turn(picture: Picture, turn: int) -> None:
    """Deciding twice is deciding once."""
    once = closing.qualification(picture, turn)
    again = replace(picture, found=once, heard=picture.heard.model_copy(update={"declines": False}))
    if closing.qualification(again, turn + 1).reason == once.reason:
        assert closing.qualification(again, turn + 1) == once


@given(pictures, turns)
def test_a_phase_moves_one_step_forward_at_most(picture: Picture, turn: int) -> None:
    """And back only by an event; a change is counted, with the phase before it and its turn."""
    before, after = picture.progress, closing.progress(picture, turn)
    step = PHASES.index(after.phase) - PHASES.index(before.phase)
    assert step <= 1
    if step == 0:
        assert (after.hops, after.since, after.previous_phase) == (
            before.hops,
            before.since,
            before.previous_phase,
        )
        return
    assert (after.hops, after.since, after.previous_phase) == (before.hops + 1, turn, before.phase)
    assert after.reason
    if step < 0:
        event = bool(picture.mentioned("back"))
        lapsed = before.phase in ("asset sharing", "close") and not picture.qualified
        assert event or lapsed
        assert after.reason.startswith(("the buyer went back: ", "no longer qualified: "))


@given(pictures, turns)
def test_nobody_is_shown_assets_who_is_not_qualified(picture: Picture, turn: int) -> None:
    """Whatever an orchestrator proposes."""
    at = replace(picture, progress=Progress(phase="qualification"))
    assert closing.progress(at, turn).phase != "asset sharing" or picture.qualified


@pytest.mark.parametrize(
    ("picture", "phase", "reason"),
    [
        (Picture(POLICY), "discovery", "nothing is known about the buyer yet"),
        (Picture(POLICY, memory=Memory(industry="freight")), "qualification", "discovery is done"),
        (
            Picture(
                POLICY, progress=Progress(phase="qualification"), found=Qualification(reason="open: need")
            ),
            "qualification",
            "not qualified: open: need",
        ),
        (
            Picture(POLICY, progress=Progress(phase="qualification"), found=QUALIFIED),
            "asset sharing",
            "qualification is done",
        ),
        (
            Picture(POLICY, progress=Progress(phase="asset sharing"), found=QUALIFIED),
            "asset sharing",
            "nothing has been shared yet",
        ),
        (
            Picture(POLICY, progress=Progress(phase="asset sharing"), found=QUALIFIED, offered=CASE),
            "close",
            "asset sharing is done",
        ),
        (
            Picture(POLICY, progress=Progress(hops=12), memory=Memory(industry="freight")),
            "discovery",
            "12 changes of phase are enough",
        ),
    ],
)
def test_what_opens_a_phase(picture: Picture, phase: Phase, reason: str) -> None:
    """Where the end is proposed; what keeps it closed is put down."""
    after = closing.progress(replace(picture, routing=Routing(phase="close")), 3)
    assert (after.phase, after.reason) == (phase, reason)


@pytest.mark.parametrize(
    ("picture", "phase"),
    [
        (Picture(POLICY, progress=Progress(phase="close"), found=QUALIFIED), "close"),
        (
            Picture(POLICY, progress=Progress(phase="close"), found=QUALIFIED, heard=heard(mention("back"))),
            "discovery",
        ),
        (Picture(POLICY, progress=Progress(phase="close")), "discovery"),
        (Picture(POLICY, progress=Progress(phase="qualification")), "qualification"),
    ],
    ids=["no event", "the buyer went back", "no longer qualified", "too early for that"],
)
def test_what_leads_back(picture: Picture, phase: Phase) -> None:
    """An event, and not a proposal alone."""
    assert closing.progress(replace(picture, routing=Routing(phase="discovery")), 9).phase == phase


@given(pictures, turns)
def test_turns_that_bring_nothing_are_counted(picture: Picture, turn: int) -> None:
    """A mention, an asset or a new phase begins the count anew."""
    after = closing.progress(picture, turn)
    brought = (
        any(each.kind in closing.BRINGS for each in picture.heard.mentions)
        or any(each.turn == turn for each in picture.offered.shared)
        or after.phase != picture.progress.phase
    )
    assert after.idle == (0 if brought else picture.progress.idle + 1)


def test_the_last_replies_are_kept_by_agent() -> None:
    """The newest, cut to what an audit needs."""
    kept = Answers()
    for turn in range(1, ANSWERS + 4):
        kept = closing.answers(said("x" * 1_000, turn), kept)
    assert [each.turn for each in kept.last] == list(range(4, ANSWERS + 4))
    assert {(each.agent, len(each.text)) for each in kept.last} == {("discovery", 400)}


def test_an_asset_is_shared_by_a_call_and_never_by_words() -> None:
    """Each once; other tools are none."""
    assert closing.offered(said("I have sent the case study."), Offered(), POLICY) == Offered()
    tools = ("recall", "send_case_study", "send_case_study", "book_meeting")
    first = closing.offered(said("", 3, tools), Offered(), POLICY)
    assert [(each.id, each.turn) for each in first.shared] == [("send_case_study", 3), ("book_meeting", 3)]
    assert closing.offered(said("", 4, tools), first, POLICY) == first


@given(st.permutations(DIMENSIONS), st.integers(1, 3))
def test_what_was_asked_for_is_counted(names: list[str], times: int) -> None:
    """By dimension, with the turn of the newest asking."""
    before = Questions()
    for turn in range(1, times + 1):
        for name in names:
            before = closing.asked(said(f"Noted. {POLICY.questions[name][0]}", turn), before, ASKS)
    assert {each.id: (each.times, each.turn) for each in before.asked} == dict.fromkeys(names, (times, times))


def test_a_reply_without_a_question_asks_for_nothing() -> None:
    """Nor does one with a question for something else."""
    assert closing.asked(said("Noted. Shall I go on?"), Questions(), ASKS) == Questions()


@pytest.mark.parametrize("name", DIMENSIONS)
def test_every_wording_of_the_policy_is_known_by_its_key(name: str) -> None:
    """Otherwise it would be asked, and not be counted."""
    for wording in POLICY.questions[name]:
        assert [each.id for each in closing.asked(said(wording), Questions(), ASKS).asked] == [name]
