"""An error is built from its attributes, and what it says about a turn has a type."""

from turnstate.errors import ModelFailed, TurnError, TurnNotOpen

ModelFailed("offline", "no reply", False)  # reject: reportCallIssue
ModelFailed("offline", "no reply")  # reject: reportCallIssue
TurnNotOpen("web-42", "3", "closed")  # reject: reportArgumentType


def again(error: TurnError) -> str:
    """A flag is not a text."""
    return error.retry  # reject: reportReturnType
