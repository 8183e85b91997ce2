"""The phrasings of the table, each with the value it states."""

from __future__ import annotations

import pytest

from apps.sales.hearing.phrasings import PHRASINGS
from turnstate.apps.sales.hearing import hear


@pytest.mark.parametrize(("text", "kind", "said"), PHRASINGS)
def test_a_phrasing_states_its_value(text: str, kind: str, said: str) -> None:
    """In whatever register a buyer writes, the value is the buyer's own words for it."""
    assert said in [mention.said for mention in hear(text).mentions if mention.kind == kind]
