"""The guards of the sales app: questions for what is on record, and values that nothing holds."""

from __future__ import annotations

import pytest

from apps.sales.pictures import POLICY, heard, mention, score
from turn.views import Told, view
from turnstate.apps.sales.guarding import asks_of, sales_guards
from turnstate.apps.sales.states import DIMENSIONS, Research, Scores, Source
from turnstate.core.questions import key_of
from turnstate.core.state import State
from turnstate.turn.guards import Objection, View

ASKED, VALUES = sales_guards(POLICY)


def with_states(*values: State) -> View:
    """A later turn with these states."""
    held = {type(value): value for value in values}
    return view(Told("Hello", "Hello."), newest="Go on.", state=lambda state: held.get(state, state()))


@pytest.mark.parametrize("name", DIMENSIONS)
def test_a_question_for_what_is_on_record_is_written_again(name: str) -> None:
    """Although nobody ever asked; with the buyer's words and their turn."""
    seen = with_states(Scores.model_validate({name: score(said="as I said", turn=1)}))
    for wording in POLICY.questions[name]:
        objection = ASKED.check(wording, seen)
        assert objection is not None, wording
        assert objection.mode == "regenerate"
        assert "The user said in turn 1: “as I said”." in objection.reason


def test_what_is_said_just_now_is_on_record() -> None:
    """Before anybody has written it down."""
    seen = with_states(heard(mention("budget", "$40,000")))
    objection = ASKED.check("What budget have you set aside for this?", seen)
    assert objection is not None
    assert "“it is $40,000”" in objection.reason


def test_what_is_missing_may_be_asked_for() -> None:
    """A score that nobody has said anything about is no answer."""
    seen = with_states(Scores(need=score()), heard(mention("topic", "pricing")))
    for name in ("budget", "authority", "timeline", "fit"):
        assert ASKED.check(POLICY.questions[name][0], seen) is None


def test_a_price_comes_from_the_evidence() -> None:
    """Anything else is written again, and never edited."""
    evidence = Research(
        level="ACCURATE", evidence=(Source(source="pricing.md", text="It is $48,000 a year."),)
    )
    assert VALUES.check("That is $48,000 a year.", with_states(evidence)) is None
    objection = VALUES.check("That is $48,000 a year.", with_states(Research()))
    assert objection == Objection(
        "regenerate",
        "Nothing on record holds $48,000. Say it without, or say that it has to be checked.",
    )


def test_every_dimension_has_a_key_that_knows_the_policy_s_own_words() -> None:
    """A business that asks in other words is understood as well."""
    asks = asks_of(POLICY)
    assert set(asks) == {f"Scores.{name}" for name in DIMENSIONS}
    assert all(each.lasting and not each.required for each in asks.values())
    for name, wordings in POLICY.questions.items():
        assert {key_of(wording, asks) for wording in wordings} == {f"Scores.{name}"}
