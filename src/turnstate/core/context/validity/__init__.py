"""What every provider refuses is impossible here: the last step before the wire."""

from __future__ import annotations

from turnstate.core.context.validity.heal import Healed, heal
from turnstate.core.context.validity.ids import LONGEST_ID, LONGEST_NAME, free_id, sendable_name
from turnstate.core.context.validity.pairs import INTERRUPTED
from turnstate.core.context.validity.texts import EMPTY, NO_RESULT

__all__ = [
    "EMPTY",
    "INTERRUPTED",
    "LONGEST_ID",
    "LONGEST_NAME",
    "NO_RESULT",
    "Healed",
    "free_id",
    "heal",
    "sendable_name",
]
