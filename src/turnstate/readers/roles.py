"""What speakers are called, and whether that is the user or the assistant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from turnstate.readers.scribe import Role

_WORDS: Mapping[Role, str] = {
    "user": "user customer client human visitor guest caller buyer shopper patient passenger enduser contact lead you "
    "requester kunde cliente",
    "assistant": "assistant agent bot ai support rep representative operator advisor adviser staff admin gpt chatgpt "
    "claude gemini model seller salesperson helpdesk concierge chatbot agente",
    "system": "system developer instructions",
    "tool": "tool function observation",
}
_ROLES: Mapping[str, Role] = {word: role for role, words in _WORDS.items() for word in words.split()}


def role_of(name: str) -> Role | None:
    """The role that a name says, or None for a name like any other."""
    whole = re.sub(r"[\W_]+", "", name.lower())
    if whole in _ROLES:
        return _ROLES[whole]
    for word in re.findall(r"[^\W\d_]+", name.lower()):
        if word in _ROLES:
            return _ROLES[word]
    return None


def roles_of(names: Sequence[str]) -> Mapping[str, Role]:
    """The role of each speaker of a conversation, in the order in which they speak.

    A name that says nothing is the user's where no other is; else it is the assistant's. Where there is a user and no
    assistant, or the other way round, a name that says nothing is the side that is missing.
    """
    found: dict[str, Role | None] = {name: role_of(name) for name in names}
    for name in names:
        if found[name] is None:
            found[name] = "assistant" if "user" in found.values() else "user"
    return {name: role or "user" for name, role in found.items()}
