"""The planner on messages of other formats: OpenAI chat and Anthropic dicts, as their SDKs take them."""

from turnstate.adapters.alone import Left, PlannedMessages, plan_messages

__all__ = ["Left", "PlannedMessages", "plan_messages"]
