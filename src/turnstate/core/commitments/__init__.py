"""Commitments: who promised what, and how firmly."""

from turnstate.core.commitments.find import action_of, asserted, deeds_of, find_commitments, firmness_of
from turnstate.core.commitments.types import Commitment, Firmness

__all__ = ["Commitment", "Firmness", "action_of", "asserted", "deeds_of", "find_commitments", "firmness_of"]
