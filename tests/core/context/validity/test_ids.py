"""Ids and names that are accepted, as near to those given as may be."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.validity import LONGEST_ID, LONGEST_NAME, free_id, sendable_name


@given(st.lists(st.text(max_size=60), max_size=8))
def test_ids_are_accepted_and_each_is_its_own(given_ids: list[str]) -> None:
    """Whatever was given, in whatever number."""
    taken: set[str] = set()
    for call_id in given_ids:
        new = free_id(call_id, taken)
        assert new not in taken
        assert re.fullmatch(rf"[a-zA-Z0-9_-]{{1,{LONGEST_ID}}}", new)
        taken.add(new)


def test_an_id_that_is_accepted_stays() -> None:
    """Until it is taken."""
    assert free_id("call_1", set()) == "call_1"
    assert free_id("call_1", {"call_1"}) == "call_1_2"


@given(st.text(max_size=90))
def test_names_are_accepted(name: str) -> None:
    """By every provider."""
    assert re.fullmatch(rf"[a-zA-Z_][a-zA-Z0-9_-]{{0,{LONGEST_NAME - 1}}}", sendable_name(name))
