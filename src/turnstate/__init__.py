"""Bounded context, owned state, durable facts and a complete log for multi-turn agents."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnstate._version import __version__
    from turnstate.adapters.planned import PlannedMessages, plan_messages
    from turnstate.assistant import Assistant, Conversation, Stream
    from turnstate.core.brief import Brief
    from turnstate.core.context.budget import Budget
    from turnstate.core.context.types import Choice, Room, Sized, Strategy
    from turnstate.core.facts import Fact, Facts, Many, Single, key
    from turnstate.core.state import InTurn, Item, Record, State, Verbatim
    from turnstate.errors import TurnstateError
    from turnstate.turn.agents import AgentReply, UserMessage, speaker, thinker
    from turnstate.turn.incoming import Message
    from turnstate.turn.reply import ContextUse, Reply, Usage
    from turnstate.turn.team import OneOf, Team
    from turnstate.turn.tools import tool

# Where each public name lives. They are imported when first asked for: pydantic-ai takes about a second, and
# `turnstate --help` must not wait for it.
_HOMES = {
    "AgentReply": "turnstate.turn.agents",
    "Assistant": "turnstate.assistant",
    "Brief": "turnstate.core.brief",
    "Budget": "turnstate.core.context.budget",
    "Choice": "turnstate.core.context.types",
    "ContextUse": "turnstate.turn.reply",
    "Conversation": "turnstate.assistant",
    "Fact": "turnstate.core.facts",
    "Facts": "turnstate.core.facts",
    "InTurn": "turnstate.core.state",
    "Item": "turnstate.core.state",
    "Many": "turnstate.core.facts",
    "Message": "turnstate.turn.incoming",
    "OneOf": "turnstate.turn.team",
    "PlannedMessages": "turnstate.adapters.planned",
    "Record": "turnstate.core.state",
    "Reply": "turnstate.turn.reply",
    "Room": "turnstate.core.context.types",
    "Single": "turnstate.core.facts",
    "Sized": "turnstate.core.context.types",
    "State": "turnstate.core.state",
    "Strategy": "turnstate.core.context.types",
    "Stream": "turnstate.assistant",
    "Team": "turnstate.turn.team",
    "TurnstateError": "turnstate.errors",
    "Usage": "turnstate.turn.reply",
    "UserMessage": "turnstate.turn.agents",
    "Verbatim": "turnstate.core.state",
    "__version__": "turnstate._version",
    "key": "turnstate.core.facts",
    "plan_messages": "turnstate.adapters.planned",
    "speaker": "turnstate.turn.agents",
    "thinker": "turnstate.turn.agents",
    "tool": "turnstate.turn.tools",
}

__all__ = [
    "AgentReply",
    "Assistant",
    "Brief",
    "Budget",
    "Choice",
    "ContextUse",
    "Conversation",
    "Fact",
    "Facts",
    "InTurn",
    "Item",
    "Many",
    "Message",
    "OneOf",
    "PlannedMessages",
    "Record",
    "Reply",
    "Room",
    "Single",
    "Sized",
    "State",
    "Strategy",
    "Stream",
    "Team",
    "TurnstateError",
    "Usage",
    "UserMessage",
    "Verbatim",
    "__version__",
    "key",
    "plan_messages",
    "speaker",
    "thinker",
    "tool",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        found = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return found
    raise AttributeError(f"module 'turnstate' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_HOMES)
