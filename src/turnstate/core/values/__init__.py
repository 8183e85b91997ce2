"""Values that must stay exact (ids, amounts, dates…): found in a text, normalised, compared."""

from turnstate.core.values.calendar import resolve
from turnstate.core.values.compare import Dated, invented, missing, same
from turnstate.core.values.find import find
from turnstate.core.values.finders.finder import Finder
from turnstate.core.values.finders.table import FINDERS
from turnstate.core.values.likeness import ALIKE, alike, likeness
from turnstate.core.values.numbers import Number, ascii_digits, number, numbers, plain
from turnstate.core.values.types import Value, ValueKind

__all__ = [
    "ALIKE",
    "FINDERS",
    "Dated",
    "Finder",
    "Number",
    "Value",
    "ValueKind",
    "alike",
    "ascii_digits",
    "find",
    "invented",
    "likeness",
    "missing",
    "number",
    "numbers",
    "plain",
    "resolve",
    "same",
]
