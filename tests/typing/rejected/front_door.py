"""Wrong calls of the front door."""

from __future__ import annotations

from turnstate import Assistant, Budget, tool

Assistant("offline", budget=8_000)  # reject: reportArgumentType
Assistant("offline", "be brief")  # reject: reportCallIssue
Assistant("offline", strategy=3)  # reject: reportArgumentType
Assistant(None)  # reject: reportArgumentType
Budget(target="8000")  # reject: reportArgumentType
tool(effect="twice")  # reject: reportArgumentType
