"""The demo's buyer: what the script promises to show."""

from __future__ import annotations

from turnstate.apps.sales.hearing import hear
from turnstate.apps.sales.script import BUYER


def test_the_buyer_has_fifteen_turns_and_says_nothing_twice() -> None:
    """Long enough that a transcript would be in the way."""
    assert len(BUYER) == 15
    assert len(set(BUYER)) == 15


def test_the_buyer_does_what_is_hard() -> None:
    """The timeline in turn 3, the industry unasked, a changed budget, digressions, an objection, and a question without an answer."""
    heard = [hear(line) for line in BUYER]
    kinds = [{mention.kind for mention in each.mentions} for each in heard]
    assert [mention.said for mention in heard[2].mentions if mention.kind == "timeline"] == ["six weeks"]
    assert "industry" in kinds[3]
    budgets = [m for each in heard for m in each.mentions if m.kind == "budget"]
    assert [m.said for m in budgets] == ["$40,000", "$55,000"]
    assert budgets[-1].corrects
    assert "objection" in kinds[8]
    assert [place for place, each in enumerate(heard, 1) if each.digresses]
    assert heard[11].asks
    assert "COBOL" in BUYER[11]
