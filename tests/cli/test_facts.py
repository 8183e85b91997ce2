"""`turnstate facts`: what is on record about a user, and with --all what was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.conftest import Run, fact
from turnstate.cli.facts import Status, standings
from turnstate.core.facts import Fact, Source

NOW = 2_000_000_000_000_000


def statuses(*facts: Fact) -> list[Status]:
    """Where each of these facts stands."""
    return [standing.status for standing in standings(facts, NOW)]


def test_the_facts_in_force(run: Run, store: str) -> None:
    """What the application verified goes over what the user said."""
    out = run("facts", "priya", "--store", store).out
    assert "priya: 1 fact in force" in out
    assert "12345" in out
    assert "48213" not in out


def test_all_facts(run: Run, store: str) -> None:
    """With where each of them stands."""
    out = run("facts", "priya", "--all", "--store", store).out
    assert "48213" in out
    assert "superseded" in out


def test_facts_as_json(run: Run, store: str) -> None:
    """Keys that a script may rely on."""
    shown = run("facts", "priya", "--all", "--json", "--store", store).json
    assert shown["user"] == "priya"
    first = shown["facts"][0]
    assert (first["key"], first["value"], first["source"], first["quote"]) == (
        "order_id",
        "48213",
        "user_quote",
        "order 48213",
    )
    assert (first["conversation"], first["turn"], first["status"]) == ("visit-1", 1, "superseded")


def test_an_unknown_user(run: Run, store: str) -> None:
    """The error names those there are."""
    ran = run("facts", "bob", "--store", store)
    assert (ran.code, ran.out) == (1, "")
    assert "Give one of these: priya." in ran.err


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((fact("city", "Rome", 1), fact("city", "Paris", 2)), ["superseded", "in force"]),
        (
            (fact("city", "Rome", 1), replace(fact("city", "", 2), retracted=True)),
            ["retracted", "retraction"],
        ),
        ((replace(fact("city", "Rome", 1), expires_at=5),), ["expired"]),
        ((fact("city", "Rome", 1), fact("city", "Paris", 2, source=Source.APP)), ["superseded", "in force"]),
        ((fact("id", "#12345", 1), fact("id", "12345", 2)), ["in force", "repeated"]),
        (
            (replace(fact("likes", "tea", 1), many=True), replace(fact("likes", "rum", 2), many=True)),
            ["in force", "in force"],
        ),
    ],
)
def test_where_a_fact_stands(facts: tuple[Fact, ...], expected: list[Status]) -> None:
    """In force, or why not."""
    assert statuses(*facts) == expected
