"""Times to the start, as buyers put them."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import hear
from turnstate.apps.sales.states import Mention

STATED = (
    ("we go live in six weeks", "six weeks"),
    ("We need this live in six weeks, before our peak season.", "six weeks"),
    ("It has to be live by end of Q3", "end of Q3"),
    ("we want to launch before March", "before March"),
    ("We need it asap", "asap"),
    ("We'd need to be up and running within 90 days.", "90 days"),
    ("our deadline is 15 March", "15 March"),
    ("rollout is planned for next quarter", "next quarter"),
    ("needs to be in place by the end of the year", "end of the year"),
    ("Ideally we'd start in two months' time", "two months"),
    ("got 6 wks tops before go-live", "6 wks"),
    ("we're aiming for a couple of months", "a couple of months"),
    ("We must have it running by Christmas.", "Christmas"),
    ("can you have us live in six weeks?", "six weeks"),
    ("no later than the 1st of June, our old system is switched off then", "1st of June"),
    ("As soon as possible, please.", "As soon as possible"),
    ("we have until Easter to switch", "Easter"),
    ("Go live should be in Q2", "Q2"),
    ("hoping to implement it this summer", "this summer"),
    ("We want to roll it out in 3 to 4 months.", "3 to 4 months"),
    ("Ideally live within a fortnight", "a fortnight"),
    ("we plan to start next month", "next month"),
    ("live by mid-March at the latest", "mid-March"),
    ("We need it in place inside eight weeks or we miss the season.", "eight weeks"),
    ("Is six weeks realistic for go-live?", "six weeks"),
    ("Wir wollen in sechs Wochen live gehen.", "sechs Wochen"),
    ("Queremos empezar en 6 semanas", "6 semanas"),
    ("no rush, next year", "next year"),
    ("There's no rush.", "no rush"),
)

CORRECTED = (
    ("not six but eight weeks", "eight weeks"),
    ("Actually, we need to be live in eight weeks.", "eight weeks"),
    ("make that eight weeks", "eight weeks"),
    ("The deadline has moved to April.", "April"),
    ("we now go live in four weeks instead of six weeks", "four weeks"),
    ("Scrap that, go-live is now in ten weeks.", "ten weeks"),
    ("sorry, I meant three months", "three months"),
    ("Go-live was pushed back to Q4.", "Q4"),
    ("not six weeks but eight", "eight"),
    ("The timeline changed, we have to be live in four weeks", "four weeks"),
)

NOT_A_TIMELINE = (
    "We lose 10 hours a week.",
    "we don't have six weeks",
    "We've been doing it this way for two years.",
    "I'll send you the data by Friday.",
    "Yes, let's book a meeting on Thursday at 10:00.",
    "My friend went live in six weeks with another tool.",
    "We started the company ten years ago.",
    "Does onboarding take six weeks?",
    "Is there a 30-day trial?",
    "We have a 12-month contract with another vendor.",
    "If we had six weeks we would manage.",
    "We pay $500 a month.",
    "Last year was terrible.",
    "Your competitor takes three months to go live.",
    "Can we talk next week?",
)

BARE = (
    ("six weeks", "six weeks"),
    ("In about 6 weeks.", "6 weeks"),
    ("asap!", "asap"),
    ("by end of Q3", "end of Q3"),
    ("before March", "before March"),
    ("two months, maybe three", "two months"),
    ("Q1", "Q1"),
    ("next year", "next year"),
    ("Oh, some time in May.", "May"),
    ("within 60 days", "60 days"),
    ("a month or two", "a month or two"),
    ("yesterday ;)", "yesterday"),
    ("the sooner the better", "the sooner the better"),
    ("no rush", "no rush"),
    ("half a year", "half a year"),
    ("1 June", "1 June"),
    ("early next year", "early next year"),
)


def _one(text: str, expecting: tuple[str, ...] = ()) -> Mention | None:
    found = [mention for mention in hear(text, expecting=expecting).mentions if mention.kind == "timeline"]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(("text", "said"), STATED)
def test_a_stated_timeline_is_heard_as_the_buyer_put_it(text: str, said: str) -> None:
    """The time stands in the mention in the buyer's own words, and short."""
    found = _one(text)
    assert found is not None
    assert found.said == said


@pytest.mark.parametrize(("text", "said"), CORRECTED)
def test_a_corrected_timeline_is_the_new_time(text: str, said: str) -> None:
    """What takes an earlier time back says so."""
    found = _one(text, ("timeline",) if text == "make that eight weeks" else ())
    assert found is not None
    assert (found.said, found.corrects) == (said, True)


@pytest.mark.parametrize("text", NOT_A_TIMELINE)
def test_other_times_are_no_timeline(text: str) -> None:
    """Habits, the past, meetings, promises and other people's plans say nothing about the start."""
    assert _one(text) is None


@pytest.mark.parametrize(("text", "said"), BARE)
def test_a_bare_time_answers_the_question_for_the_timeline(text: str, said: str) -> None:
    """A time alone is the timeline where the timeline was asked for."""
    found = _one(text, ("timeline", "budget"))
    assert found is not None
    assert found.said == said


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We need it asap", 95),
        ("We go live in six weeks", 90),
        ("We go live in five months", 70),
        ("We go live in ten months", 55),
        ("We go live in two years", 30),
        ("There's no rush.", 25),
        ("no rush, next year", 30),
    ],
)
def test_the_score_falls_with_the_distance(text: str, value: int) -> None:
    """The sooner, the higher; nobody is ruled out by being early."""
    found = _one(text)
    assert found is not None
    assert found.value == value
