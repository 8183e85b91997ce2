"""The phrasings of the table, each with the value it states."""

from __future__ import annotations

import pytest

from acceptance.phrasings import PHRASINGS, SILENT
from turnstate.apps.sales.hearing import hear
from turnstate.apps.sales.states import DIMENSIONS


@pytest.mark.parametrize(("text", "kind", "said"), PHRASINGS)
def test_a_phrasing_states_its_value(text: str, kind: str, said: str) -> None:
    """In whatever register a buyer writes, the value is the buyer's own words for it."""
    assert said in [mention.said for mention in hear(text).mentions if mention.kind == kind]


@pytest.mark.parametrize("text", SILENT)
def test_what_states_no_value_fills_no_dimension(text: str) -> None:
    """Questions, courtesy, other people, conditions and denials fill nothing, even where everything is asked for."""
    kinds = {*DIMENSIONS, "industry"}
    expecting = ("budget", "authority", "need", "timeline", "fit")
    assert not [mention for mention in hear(text, expecting=expecting).mentions if mention.kind in kinds]
