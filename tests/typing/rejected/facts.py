"""A fact is never changed in place; a correction is a new fact."""

from turnstate.core.facts import Fact


def correct(fact: Fact) -> None:
    """Setting an attribute is refused, whichever it is."""
    fact.key = "order_id"  # reject: reportAttributeAccessIssue
    fact.value = "W-1"  # reject: reportAttributeAccessIssue
