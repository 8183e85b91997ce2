"""Values that must stay exact (ids, amounts, dates…): found in a text, normalised, compared."""

from turnstate.core.values.compare import invented, missing, same
from turnstate.core.values.find import find
from turnstate.core.values.finders.finder import Finder
from turnstate.core.values.finders.table import FINDERS
from turnstate.core.values.numbers import Number, ascii_digits, number, numbers, plain
from turnstate.core.values.types import Value, ValueKind

__all__ = [
    "FINDERS",
    "Finder",
    "Number",
    "Value",
    "ValueKind",
    "ascii_digits",
    "find",
    "invented",
    "missing",
    "number",
    "numbers",
    "plain",
    "same",
]
