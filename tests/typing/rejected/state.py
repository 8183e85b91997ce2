"""A state is never changed in place, and holds what it declares and nothing else."""

from __future__ import annotations

from turnstate import Item, State


class Pain(Item):
    """An item."""

    text: str = ""


class Memory(State):
    """A state."""

    timeline: str = ""
    pains: tuple[Pain, ...] = ()


def edit(memory: Memory) -> None:
    """Neither a field of a state nor one of its items is assigned, deleted or added to."""
    memory.timeline = "six weeks"  # reject: reportAttributeAccessIssue
    memory.pains[0].text = "fast"  # reject: reportAttributeAccessIssue
    memory.pains[0] = Pain()  # reject: reportIndexIssue
    memory.pains.append(Pain())  # reject: reportAttributeAccessIssue, reportUnknownMemberType
    memory.other = 1  # reject: reportAttributeAccessIssue
    del memory.timeline  # reject: reportAttributeAccessIssue


Memory(timeline=6)  # reject: reportArgumentType
Memory(pains=[Pain()])  # reject: reportArgumentType
Memory(nope="x")  # reject: reportCallIssue
Memory("six weeks")  # reject: reportCallIssue
Pain(text=None)  # reject: reportArgumentType
