"""The families of providers, by what they accept in a request."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Family(StrEnum):
    """A wire format with its rules."""

    ANTHROPIC = "anthropic"
    OPENAI_CHAT = "openai-chat"
    OPENAI_RESPONSES = "openai-responses"
    GEMINI = "gemini"


@dataclass(frozen=True, slots=True)
class Wire:
    """Where a request goes.

    Attributes:
        family: the format.
        provider: the provider's name as in `ThinkingPart.provider_name`; "" where it is not known. What is bound to
            another provider cannot be sent to this one; where it is not known, nothing is judged by its origin.
        model: the model's name there; "" where it is not known.
    """

    family: Family = Family.ANTHROPIC
    provider: str = ""
    model: str = ""


ANYWHERE = Wire()
"""The strictest rules: what they allow, every family accepts."""
