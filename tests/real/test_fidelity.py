"""Real dialogues, compacted with a real, weak model as summarizer: what the user's model gets to see is exact."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from benchmarks.fidelity import Tally, dialogues, measure, with_model

from turnstate.turn.summaries import ExtractiveSummarizer

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("real")]

DIALOGUES = 6
LONGEST = 1_600


def _exact(tally: Tally) -> None:
    """Every value that has room is in view, none is invented, and no promise is firmer than it was made."""
    assert tally.dialogues == DIALOGUES
    assert tally.summaries >= DIALOGUES
    assert tally.values_fitting > 0
    assert tally.lost == []
    assert tally.held_fitting == tally.values_fitting
    assert (tally.invented, tally.hardened) == (0, 0)


def test_a_weak_model_costs_no_value(shared_data: Path, real_model: Path, tmp_path: Path) -> None:
    """Though its own summaries lose most of them."""
    tally = asyncio.run(with_model(dialogues(shared_data, DIALOGUES, LONGEST), real_model, tmp_path))
    _exact(tally)
    assert tally.accepted + tally.repaired + tally.replaced == tally.summaries
    assert tally.raw > 0
    assert tally.raw_held < tally.raw_values / 2


def test_extracts_cost_no_value(shared_data: Path) -> None:
    """The same, without a model."""
    _exact(asyncio.run(measure(dialogues(shared_data, DIALOGUES, LONGEST), ExtractiveSummarizer())))
