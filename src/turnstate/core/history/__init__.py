"""The fold of a conversation's events into what a turn needs: `History`, bounded by the cut.

The fold pairs by turn, not by position: queued opens, late facts and background summaries may stand anywhere. What
left the view is forgotten here (the log keeps it), so that loading and planning cost what is in view, whatever the
conversation's length. A `Snapshot` names the events that give the same history again.
"""

from turnstate.core.history.fold import fold
from turnstate.core.history.turns import WAITING, Call, StateHeld, Step, Turn, TurnStatus, advance, as_sent
from turnstate.core.history.view import History, Pin, Put, Snapshot, Summary

__all__ = [
    "WAITING",
    "Call",
    "History",
    "Pin",
    "Put",
    "Snapshot",
    "StateHeld",
    "Step",
    "Summary",
    "Turn",
    "TurnStatus",
    "advance",
    "as_sent",
    "fold",
]
