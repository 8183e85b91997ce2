"""The brief: whatever is empty is left out, and what is long stands on lines of its own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.brief import Brief, render

texts = st.lists(st.text(max_size=12), max_size=3).map(tuple)


def test_a_brief_in_full() -> None:
    """In the order in which it is read."""
    brief = Brief(
        goal="sell",
        stage="stage 2 of 4: qualification",
        missing=("budget", "authority"),
        known=(("industry", "freight"),),
        evidence=("pricing.md: 5 USD",),
        gap="is there an SDK?",
        commitments=("us: send it",),
        asked=("turn 1: What is it?",),
        notes=("Be brief.",),
        trace=("not shown",),
    )
    assert render(brief, " You sell. ") == (
        "You sell.\ngoal: sell\nstage 2 of 4: qualification, missing: budget, authority\nknown:\n- industry: freight\n"
        "evidence:\n- pricing.md: 5 USD\nnot on record, so do not answer it: is there an SDK?\nopen commitments:\n"
        "- us: send it\nalready asked:\n- turn 1: What is it?\nBe brief."
    )


def test_an_empty_brief_is_nothing() -> None:
    """Then nothing is sent."""
    assert render(Brief()) == ""
    assert render(Brief(stage="stage 4 of 4: close")) == "stage 4 of 4: close, nothing missing"


@given(st.builds(Brief, evidence=texts, commitments=texts, asked=texts), st.text(max_size=9))
def test_an_entry_is_one_line(brief: Brief, role: str) -> None:
    """Whatever stands in it: what is quoted cannot begin a section of its own."""
    lines = render(brief, role.replace("\n", " ")).splitlines()
    entries = len(brief.evidence) + len(brief.commitments) + len(brief.asked)
    assert sum(line.startswith("- ") or line == "-" for line in lines) >= entries
