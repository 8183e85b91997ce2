"""The knowledge gate: in three languages nothing is answered without evidence, and not too much is refused."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

REFUSED = 0.4
"""The share of answerable questions that may be refused: what is published, and a little more."""


@pytest.mark.parametrize("half", ["dev", "dev2", "test"])
def test_nothing_is_answered_without_evidence(half: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the questions that are published with the measurement, each with what is right."""
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parents[2]), *sys.path])
    measured = importlib.import_module("benchmarks.knowledge")
    for language, tally in measured.measure_all(half).items():
        assert tally.inventions == [], language
        assert tally.mistaken == 0, language
        assert tally.refused <= REFUSED * tally.answerable, language
        assert tally.right >= 0.75 * tally.halves, language
