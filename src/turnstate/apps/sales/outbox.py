"""The business's own functions, as tools: what shares an asset or books a meeting. Replace them with yours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from turnstate.turn.tools import tool


@dataclass
class Outbox:
    """What was sent and booked, in memory.

    Attributes:
        sent: one entry for each call, by its id: a call that is repeated with its id does nothing.
    """

    sent: dict[str, str] = field(default_factory=dict[str, str])


def tools(outbox: Outbox) -> list[Any]:
    """The target functions of the sample business."""

    @tool(effect="idempotent")
    def send_case_study(industry: str, call_id: str) -> str:
        """Send the buyer a case study from their industry.

        Args:
            industry: the buyer's industry, in a word.
            call_id: filled in by turnstate.
        """
        outbox.sent.setdefault(call_id, f"case study: {industry}")
        return f"The case study for {industry} was sent."

    @tool(effect="idempotent")
    def book_meeting(when: str, call_id: str) -> str:
        """Book a meeting between the buyer and one of our people.

        Args:
            when: day and time, as the buyer put it.
            call_id: filled in by turnstate.
        """
        outbox.sent.setdefault(call_id, f"meeting: {when}")
        return f"The meeting is booked: {when}."

    return [send_case_study, book_meeting]
