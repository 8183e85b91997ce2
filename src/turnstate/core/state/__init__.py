"""Owned state: frozen, typed values in the log, changed by their owners alone."""

from turnstate.core.state.data import StateRefused, read, write
from turnstate.core.state.declare import (
    Declaration,
    InTurn,
    Item,
    Record,
    Scope,
    State,
    Upcaster,
    Verbatim,
    declaration,
    name_of,
)
from turnstate.core.state.deltas import OPS, Applied, Delta, Op, Rejected, apply
from turnstate.core.state.patch import RECORD, Patch, Proposed, described, read_patch, schema

__all__ = [
    "OPS",
    "RECORD",
    "Applied",
    "Declaration",
    "Delta",
    "InTurn",
    "Item",
    "Op",
    "Patch",
    "Proposed",
    "Record",
    "Rejected",
    "Scope",
    "State",
    "StateRefused",
    "Upcaster",
    "Verbatim",
    "apply",
    "declaration",
    "described",
    "name_of",
    "read",
    "read_patch",
    "schema",
    "write",
]
