"""Which facts of an owner are in force, settled again after some were learned or erased."""

from __future__ import annotations

from turnstate.stores.rules import in_force
from turnstate.stores.sqlite.session import Session


def settle(session: Session, owner: str, key: str) -> None:
    """Settle which facts of one of an owner's keys are in force; both as their columns say them."""
    rows = session.rows("key_facts", owner=owner, key=key)
    known = [(row, active, fact) for row, active, body in rows if (fact := session.fact(row, body))]
    for (row, active, _), now in zip(known, in_force([fact for *_, fact in known]), strict=True):
        if active != now:
            session.run("move_fact", place=row, active=now)
