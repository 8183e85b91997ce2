"""The patterns say nothing of what is not English."""

from __future__ import annotations

import pytest

from turnstate.core.commitments import firmness_of


@pytest.mark.parametrize("text", ["はい、返金します。", "Je vous rembourserai.", "12345", "—", "OK"])
def test_another_language_is_left_alone(text: str) -> None:
    """Never worse than not looking."""
    assert firmness_of(text) is None
