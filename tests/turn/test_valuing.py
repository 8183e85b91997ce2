"""Values in replies: objected to where nothing holds them, and never edited."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turn.views import Told, view
from turnstate.core.values import ValueKind
from turnstate.turn.guards import Mode, View
from turnstate.turn.valuing import EXACT, ValuesGuard

PRICE = "It is $48,000 a year."


@pytest.mark.parametrize("mode", ["observe", "regenerate", "block"])
def test_a_value_that_nothing_holds_is_objected_to(mode: Mode) -> None:
    """It is named as it was written."""
    objection = ValuesGuard(mode=mode).check(PRICE, view())
    assert objection is not None
    assert (objection.mode, objection.instead) == (mode, "")
    assert objection.reason.startswith("Nothing on record holds $48,000.")


@pytest.mark.parametrize(
    "seen",
    [
        view(newest="Is it $48,000?"),
        view(newest="Is it 48,000 USD?"),
        view(Told("We have $48,000.", "Noted.")),
        view(Told("How much is it?", "It is $48,000.")),
        view(found="price per year: $48,000"),
    ],
    ids=["message", "said differently", "earlier message", "earlier reply", "tool"],
)
def test_what_was_said_or_found_may_be_said(seen: View) -> None:
    """By the user, by an earlier reply, by a tool."""
    assert ValuesGuard(mode="block").check(PRICE, seen) is None


def test_what_the_same_reply_says_proves_nothing() -> None:
    """A number that was invented once is not true the second time."""
    assert ValuesGuard(mode="block").check(PRICE, view(said="It is $48,000, as I said. ")) is not None


def test_state_and_evidence_are_sources_of_one_s_own() -> None:
    """They are asked for each sentence anew, with what the guard may look at."""
    asked: list[View] = []

    def sources(seen: View) -> list[str]:
        asked.append(seen)
        return ["The Team plan is $48,000 a year."]

    seen = view()
    assert ValuesGuard(sources, mode="block").check(PRICE, seen) is None
    assert asked == [seen]


def test_only_values_that_are_right_or_wrong_count() -> None:
    """A date may be said in many ways and a number may be counted; the kinds are a choice."""
    assert ValuesGuard(mode="block").check("There are 40 of them, on Thursday at 10:00.", view()) is None
    assert ValuesGuard(mode="block", kinds=()).check(PRICE, view()) is None
    assert {ValueKind.MONEY, ValueKind.ID} <= EXACT
    assert ValueKind.DATE not in EXACT


def test_off_is_off() -> None:
    """Nothing is looked at, not even the sources."""

    def sources(_: View) -> list[str]:
        raise AssertionError

    assert ValuesGuard(sources, mode="off").check(PRICE, view()) is None


@given(st.text(max_size=200), st.text(max_size=100))
def test_a_sentence_that_repeats_what_was_said_holds_no_new_value(message: str, more: str) -> None:
    """Whatever it is: what stands in the message may be repeated."""
    assert ValuesGuard(mode="block").check(message, view(newest=f"{message}\n{more}")) is None
