"""What a type checker knows of an error that was caught."""

from __future__ import annotations

from typing import assert_type

from turnstate.errors import ContextTooLarge, KeyConflict, StoreError, TurnError, TurnNotOpen, TurnstateError


def read(error: TurnstateError) -> int:
    """Every error has a status; a branch of the tree adds what its leaves share."""
    match error:
        case KeyConflict():
            assert_type(error.key, str)
            assert_type(error.turn, int)
        case ContextTooLarge():
            assert_type(error.sizes, dict[str, int])
        case TurnError():
            assert_type(error.retry, bool)
            assert_type(error.durable, str)
        case TurnNotOpen():
            assert_type(error.state, str)
        case StoreError():
            assert_type(error, StoreError)
        case _:
            assert_type(error, TurnstateError)
    return assert_type(error.status, int)
