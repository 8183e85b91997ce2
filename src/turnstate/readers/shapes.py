"""What tells a message from a record: whether a list is one conversation, or many."""

from __future__ import annotations

from turnstate.readers.fields import inner
from turnstate.readers.langchain import speaks_langchain
from turnstate.readers.openai_responses import speaks_responses
from turnstate.readers.zendesk import is_comment


def is_message(item: object) -> bool:
    """Whether an item of a list is a message, so that the list is one conversation and not many."""
    message = inner(item)
    return (
        "role" in message
        or ("from" in message and "value" in message)
        or is_comment(message)
        or (
            not message.keys() & {"run_type", "traceId"}
            and (speaks_responses([item]) or speaks_langchain([item]))
        )
    )
