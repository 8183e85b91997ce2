"""A budget says what its number is."""

from turnstate.core.context.budget import Budget

Budget(8000)  # reject: reportCallIssue
Budget(target="8k")  # reject: reportArgumentType
Budget(limit=8000)  # reject: reportCallIssue
