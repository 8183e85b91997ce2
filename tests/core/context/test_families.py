"""The families are told apart by stable words, and what is unknown is held to the strictest rules."""

from __future__ import annotations

from turnstate.core.context.families import ANYWHERE, Family, Wire


def test_the_families_have_stable_names() -> None:
    """They stand in traces and reports."""
    assert [family.value for family in Family] == ["anthropic", "openai-chat", "openai-responses", "gemini"]


def test_a_wire_without_a_provider_is_anywhere() -> None:
    """Nothing is judged by its origin there."""
    assert Wire() == ANYWHERE
    assert (ANYWHERE.provider, ANYWHERE.model) == ("", "")
