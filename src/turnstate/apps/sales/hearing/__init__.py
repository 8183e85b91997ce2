"""Hearing: what one message of a buyer says and does, by rules."""

from turnstate.apps.sales.hearing.hear import hear
from turnstate.apps.sales.hearing.language import language_of
from turnstate.apps.sales.hearing.policy import Policy

__all__ = ["Policy", "hear", "language_of"]
