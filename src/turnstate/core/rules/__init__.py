"""Facts by rules, without a model: what a message says about the declared keys, in the words that people use."""

from turnstate.core.rules.extract import extract

__all__ = [
    "extract",
]
